"""Reductions of a column or a mask to one value: each is a slot of the fold.

None of these steps raises: pandas raises on a row's value alone (None in an ordered comparison), and then does so
with and without the pre-filter that dropped other rows.
"""

from __future__ import annotations

import ast

from headwater.python.exprs.simplify import NAN, both, choose, either, is_boolean, is_missing, is_null, negate, truthy
from headwater.python.rows.row_sequences import RowSequence, Series
from headwater.python.values.slots import Slots
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, TRUE, Arith, Col, Compare, Expr, If, IsNaN, IsNull, Lit, Slot
from headwater_ir.types import FLOAT, INT, NUMBER

from .arithmetic import taken_apart
from .group import Group

ZERO, ONE = Lit(0, INT), Lit(1, INT)


class Reductions:
    """Allocates slots for reductions; the same reduction gets the same slot."""

    def __init__(self, group: Group, slots: Slots) -> None:
        self.group, self.slots = group, slots
        self.scope = group.scope
        self._known: dict[tuple[str, Expr, Expr], Expr] = {}
        self.own: set[int] = set()
        """Slots allocated here: final only when the whole group has been read."""

    def _slot(self, name: str, init: Expr) -> Slot:
        slot = self.slots.allocate(name, init)
        self.own.add(slot.index)
        return slot

    def length(self, frame: RowSequence) -> Expr:
        """``len(frame)``."""
        return self.count("n_rows", frame.mask)

    def count(self, name: str, condition: Expr) -> Expr:
        """The number of rows for which ``condition`` holds."""
        key = ("count", condition, TRUE)
        if key not in self._known:
            slot = self._slot(name, ZERO)
            self._known[key] = self.slots.define(slot, choose(condition, Arith("+", slot, ONE, "python"), slot))
        return self._known[key]

    def method(self, node: ast.Call, name: str, series: Series) -> Expr:
        """``series.name()``."""
        key = (name, series.element, series.frame.mask)
        if key not in self._known:
            self._known[key] = self._reduce(node, name, series)
        return self._known[key]

    def _reduce(self, node: ast.AST, name: str, series: Series) -> Expr:
        mask = series.frame.mask
        if series.column is None:
            whole = series.present and self.scope.type(series.element).name == "float"
            parts = (FALSE, series.element) if whole else taken_apart(series.element)
            return self._of_computed(node, name, series, *parts) if parts else self._of_mask(node, name, series)
        column, t = series.column, self.group.type(series.column)
        raw = Col(column)
        present = both(mask, negate(is_missing(raw)))
        if name == "count":
            return self.count(f"count({column})", present)
        if name in ("max", "min", "sum", "mean"):
            self.scope.hint(raw, NUMBER)
            t = self.group.type(column)
        numeric = t.name in ("int", "float", "number", "any")
        if name in ("max", "min") and (numeric or t.name == "timestamp"):
            self.group.numpy_scalar(column, f"`{column}.{name}()`")
            best = self._slot(f"{name}({column})", Lit(NAN.value, t if t.name == "timestamp" else FLOAT))
            better = either(IsNaN(best), Compare(">" if name == "max" else "<", raw, best, "python"))
            return self.slots.define(best, choose(both(present, better), raw, best))
        if name in ("sum", "mean") and numeric:
            return self._sum(name, column, present)
        raise Refusal("opaque", f"`{name}()` of a column of type {t}", node)

    def _sum(self, name: str, column: str, present: Expr) -> Expr:
        self.group.numpy_scalar(column, f"`{column}.{name}()`")
        self._assume_sum(column)
        return self._summed(name, column, Col(column), present)

    def _summed(self, name: str, what: str, value: Expr, present: Expr) -> Expr:
        total = self._slot(f"sum({what})", ZERO)
        self.slots.define(total, choose(present, Arith("+", total, value, "python"), total))
        if name == "sum":
            return total
        n = self.count(f"count({what})", present)
        return If(Compare("==", n, ZERO, "python"), NAN, Arith("/", total, n, "python"))

    def _assume_sum(self, column: str) -> None:
        if self.group.type(column).name != "int":
            self.scope.assume(
                f"rounding in the sum of `{column}` does not depend on how pandas groups the additions", "rounding"
            )
        self.scope.assume(f"the sum of `{column}` stays within 64 bits if it is whole", "range")

    def _of_computed(self, node: ast.AST, name: str, series: Series, missing: Expr, value: Expr) -> Expr:
        """A reduction of what ``arithmetic`` computes."""
        present = both(series.frame.mask, negate(missing), negate(IsNaN(value)))
        if name == "count":
            return self.count("count", present)
        if name in ("max", "min"):
            best = self._slot(name, Lit(NAN.value, FLOAT))
            better = either(IsNaN(best), Compare(">" if name == "max" else "<", value, best, "python"))
            return self.slots.define(best, choose(both(present, better), value, best))
        if name in ("sum", "mean"):
            self.scope.assume("rounding in a sum does not depend on how pandas groups the additions", "rounding")
            return self._summed(name, "computed", value, present)
        raise Refusal("opaque", f"`{name}()` of a computed column", node)

    def _of_mask(self, node: ast.AST, name: str, series: Series) -> Expr:
        if not is_boolean(series.element):
            raise Refusal("opaque", f"`{name}()` of a computed column", node)
        condition, mask = series.element, series.frame.mask
        if name == "sum":
            return self.count("n", both(mask, condition))
        if name == "mean":
            some, all_ = self.count("n", both(mask, condition)), self.count("n_rows", mask)
            return If(Compare("==", all_, ZERO, "python"), NAN, Arith("/", some, all_, "python"))
        if name == "any":
            slot = self._slot("any", FALSE)
            return self.slots.define(slot, either(slot, both(mask, condition)))
        if name == "all":
            slot = self._slot("all", TRUE)
            return self.slots.define(slot, both(slot, either(negate(mask), condition)))
        raise Refusal("opaque", f"`{name}()` of a mask", node)

    def builtin(self, node: ast.Call, name: str, series: Series) -> Expr:
        """``max(series)`` and its kin: CPython's loop over the values, in row order."""
        key = (f"builtin {name}", series.element, series.frame.mask)
        if key in self._known:
            return self._known[key]
        if series.frame.mask != TRUE and name in ("max", "min"):
            raise Refusal("may-throw", f"`{name}()` of rows that may be none", node)
        v, mask = series.element, series.frame.mask
        if name == "any":
            slot = self._slot("any", FALSE)
            result: Expr = self.slots.define(slot, either(slot, both(mask, truthy(v))))
        elif name == "all":
            slot = self._slot("all", TRUE)
            result = self.slots.define(slot, both(slot, either(negate(mask), truthy(v))))
        elif name == "sum":
            result = self._builtin_sum(node, series)
        else:
            self.scope.hint(v, NUMBER)
            result = self._extreme(node, ">" if name == "max" else "<", series)
        self._known[key] = result
        return result

    def _numeric(self, node: ast.AST, series: Series) -> None:
        t = self.scope.type(series.element)
        if t.name not in ("int", "float", "number", "any"):
            raise Refusal("opaque", f"a reduction of values of type {t}", node)

    def _extreme(self, node: ast.AST, op: str, series: Series) -> Expr:
        """The first value, replaced by each that compares as better; None beside another row raises, also without the
        rows that a pre-filter drops."""
        self._numeric(node, series)
        v = series.element
        seen, best = self._slot("seen", FALSE), self._slot("max" if op == ">" else "min", NAN)
        self.slots.step[seen.index] = TRUE
        usable = both(negate(IsNull(v)), negate(IsNull(best)))
        better = choose(both(seen, usable), Compare(op, v, best, "python"), negate(seen))  # type: ignore[arg-type]
        return self.slots.define(best, choose(better, v, best))

    def _builtin_sum(self, node: ast.AST, series: Series) -> Expr:
        self._numeric(node, series)
        v = series.element
        self.scope.hint(v, NUMBER)
        for column in sorted(self.scope.sources(v)):
            self._assume_sum(column)
        total = self._slot("sum", ZERO)
        usable = both(series.frame.mask, negate(is_null(v)))
        return self.slots.define(total, choose(usable, Arith("+", total, v, "python"), total))

    def first(self, series: Series) -> Expr:
        """``series.iloc[0]``: the value of the first row."""
        key = ("first", series.element, series.frame.mask)
        if key not in self._known:
            seen, value = self._slot("seen", FALSE), self._slot(f"first({series.column})", NAN)
            self.slots.init[value.index] = Lit(None, self.scope.type(series.element))
            self.scope.slots[value.index] = self.scope.type(series.element)
            self.slots.step[seen.index] = TRUE
            self._known[key] = self.slots.define(value, choose(seen, value, series.element))
        return self._known[key]
