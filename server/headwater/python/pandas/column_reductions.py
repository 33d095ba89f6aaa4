"""Reductions of a column or a mask to one value: each is a slot of the fold.

None of these steps raises: pandas raises on a row's value alone (None in an ordered comparison), and then does so
with and without the pre-filter that dropped other rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NAN, both, choose, either, is_boolean, is_missing, negate
from headwater.python.rows.row_sequences import Series, require_row_local
from headwater.python.values.slots import Slots
from headwater_ir.expr import FALSE, TRUE, Col, Expr, If, IsNaN, Lit, Slot
from headwater_ir.types import FLOAT, INT, NUMBER, Type

from .arithmetic import taken_apart
from .group import Group

if TYPE_CHECKING:
    from .methods.model import MethodCall

ZERO, ONE = Lit(0, INT), Lit(1, INT)


@dataclass(frozen=True)
class Cells:
    """The values that a reduction of a column reads: ``value`` of each row for which ``present`` holds; ``missing``
    holds for the other rows of the frame."""

    value: Expr
    missing: Expr
    present: Expr
    label: str
    type: Type


class Reductions:
    """Allocates slots for reductions; the same reduction gets the same slot."""

    def __init__(self, group: Group, slots: Slots, count: Callable[[str, Expr], Expr]) -> None:
        self.group, self.slots, self.count = group, slots, count
        self.scope = group.scope
        self._known: dict[object, Expr] = {}
        self.own: set[int] = set()
        """Slots allocated here: final only when the whole group has been read."""

    def slot(self, name: str, init: Expr) -> Slot:
        """A slot that is final only when the whole group has been read."""
        slot = self.slots.allocate(name, init)
        self.own.add(slot.index)
        return slot

    def once(self, key: object, make: Callable[[], Expr]) -> Expr:
        """What ``make`` allocates; the same for the same ``key``."""
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def exists(self, condition: Expr) -> Expr:
        """Whether ``condition`` holds for some row."""

        def make() -> Expr:
            slot = self.slot("any", FALSE)
            return self.slots.define(slot, either(slot, condition))

        return self.once(("any", condition), make)

    def cells(self, call: MethodCall, *types: str) -> Cells:
        """The values that a method of a column reads. Refusal ("opaque") unless they are of one of ``types``, or of any
        where there is none."""
        series, mask = call.series, call.series.frame.mask
        require_row_local(series, call.node)
        if series.column is None:
            whole = series.present and self.scope.type(series.element).name == "float"
            parts = (FALSE, series.element) if whole else taken_apart(series.element)
            if parts is None:
                raise call.refusal("opaque", f"`{call.method}()` of a computed column")
            missing, value, label, t = either(parts[0], IsNaN(parts[1])), parts[1], "computed", FLOAT
            return Cells(value, both(mask, missing), both(mask, negate(missing)), label, t)
        raw = Col(series.column)
        if types:
            self.scope.hint(raw, NUMBER)
        t = self.group.type(series.column)
        if types and t.name not in types:
            raise call.refusal("opaque", f"`{call.method}()` of a column of type {t}")
        if types:
            self.group.numpy_scalar(series.column, f"`{series.column}.{call.method}()`")
        missing = is_missing(raw)
        if self.group.certain(series.column) and t.name == "int":
            missing = FALSE
        return Cells(raw, both(mask, missing), both(mask, negate(is_missing(raw))), series.column, t)

    def mask_of(self, call: MethodCall) -> Expr | None:
        """The condition that a computed column of truth values is, or one of 1 and 0 for these; None for another."""
        series = call.series
        require_row_local(series, call.node)
        match series.element:
            case If(cond=cond, then=then, otherwise=otherwise) if (then, otherwise) == (ONE, ZERO):
                return cond
        return series.element if series.column is None and is_boolean(series.element) else None

    def assume_sum(self, series: Series) -> None:
        """Note what the sum of a column rests on."""
        if series.column is not None:
            self._assume_sum(series.column)
        else:
            self.scope.assume("rounding in a sum does not depend on how pandas groups the additions", "rounding")

    def _assume_sum(self, column: str) -> None:
        if self.group.type(column).name != "int":
            self.scope.assume(
                f"rounding in the sum of `{column}` does not depend on how pandas groups the additions", "rounding"
            )
        self.scope.assume(f"the sum of `{column}` stays within 64 bits if it is whole", "range")

    def first(self, series: Series) -> Expr:
        """``series.iloc[0]``: the value of the first row."""
        key = ("first", series.element, series.frame.mask)
        if key not in self._known:
            seen, value = self.slot("seen", FALSE), self.slot(f"first({series.column})", NAN)
            self.slots.init[value.index] = Lit(None, self.scope.type(series.element))
            self.scope.slots[value.index] = self.scope.type(series.element)
            self.slots.step[seen.index] = TRUE
            self._known[key] = self.slots.define(value, choose(seen, value, series.element))
        return self._known[key]

    def kept(self, name: str, series: Series, chosen: Expr) -> Expr:
        """The value of the last row for which ``chosen`` holds."""
        value = self.slot(name, NAN)
        self.slots.init[value.index] = Lit(None, self.scope.type(series.element))
        self.scope.slots[value.index] = self.scope.type(series.element)
        return self.slots.define(value, choose(chosen, series.element, value))
