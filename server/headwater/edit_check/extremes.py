"""What becomes of the plans of a text where the extreme of a group is found by its rank.

Law: the column is a rank in the order that was proved, over the same partition; the conjunct that compared with it asks
whether that is 1 and whether there is a value. That others read frames above a window with an order is noted in plans
(``Shared``), and above one without an order it is not: so these notes are left out on both sides. The tree is the same.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwater.syntax.names.module_scope import Context
from headwater_ir.change import Ranked
from headwater_ir.demand import GroupExtreme
from headwater_ir.expr import Col, Compare, Expr, IsNull, Lit, Not
from headwater_ir.module import Module
from headwater_ir.parts import Boundary, Conjunct
from headwater_ir.plan import Filter, Plan, Shared, Window
from headwater_ir.types import INT32

from .equality import NOWHERE, Different
from .syntax import Found


@dataclass(frozen=True)
class Ranks:
    """The extremes that became ranks."""

    found: tuple[tuple[Ranked, GroupExtreme], ...] = ()
    strips: bool = False

    @staticmethod
    def of(changes: Sequence[Ranked], module: Module) -> Ranks:
        """What ``changes`` make of columns of ``module``; ``LookupError`` if one is not there."""
        return Ranks(tuple((c, _extreme(c, module)) for c in changes))

    @property
    def known(self) -> tuple[Expr, ...]:
        """What holds of rows behind the filters."""
        return tuple(_present(e) for _, e in self.found)

    @property
    def alike(self) -> Ranks:
        """What reads the second text in the same way."""
        return Ranks(strips=bool(self.found))

    def bare(self, plan: Plan) -> Plan:
        """``plan`` without the note that others read it, where ranks are looked for."""
        while (self.found or self.strips) and isinstance(plan, Shared):
            plan = plan.child
        return plan

    def changed(self, plan: Plan, made: Plan) -> Plan:
        """What stands for ``made``, which stood for ``plan`` of the first text."""
        for change, extreme in self.found:
            if isinstance(plan, Window) and isinstance(made, Window) and plan.span == extreme.window.span:
                (column,) = made.windows
                boundary = Boundary("window", None, extreme.call, 0)
                windows = (replace(column, running=change.order),)
                made = replace(made, windows=windows, boundary=boundary, facts=extreme.facts)
            if isinstance(plan, Filter) and isinstance(made, Filter) and plan.call == extreme.filter.call:
                rank = Compare("==", Col(extreme.name), Lit(1, INT32), "sql")
                parts = [c for c in made.conjuncts if c.span != change.condition]
                if len(parts) != len(made.conjuncts) - 1:
                    raise Different("the condition is not there")
                added = [Conjunct(e, NOWHERE) for e in (rank, _present(extreme))]
                made = replace(made, conjuncts=(*parts, *added))
        return made


NONE = Ranks()


def check(changes: Sequence[Ranked], found: Found, old: Context, new: Context) -> None:
    """``Different`` unless the order of each rank is written behind the window of the first text."""
    texts = {old.span(a): (a, b) for a, b in found.replaced}
    for change in changes:
        if change.value not in texts or change.condition not in texts:
            raise Different("the column or its condition is not there")
        if not _is_rank(*texts[change.value]):
            raise Different("the column is no rank over the same window")


def _is_rank(a: ast.expr, b: ast.expr) -> bool:
    """Whether ``b`` is a rank over the window of ``a`` with an order, which the plans show."""
    match a, b:
        case (
            ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Attribute(value=module)), attr="over"), args=[spec]),
            ast.Call(
                func=ast.Attribute(
                    value=ast.Call(func=ast.Attribute(value=same, attr="rank"), args=[], keywords=[]), attr="over"
                ),
                args=[ast.Call(func=ast.Attribute(value=window, attr="orderBy"), args=[_], keywords=[])],
                keywords=[],
            ),
        ):
            return ast.dump(module) == ast.dump(same) and ast.dump(spec) == ast.dump(window)
    return False


def _present(extreme: GroupExtreme) -> Expr:
    return Not(IsNull(Col(extreme.column)), "sql")


def _extreme(change: Ranked, module: Module) -> GroupExtreme:
    for extreme in module.extremes:
        if (extreme.call, extreme.function, extreme.value) == (change.call, change.operator, change.value):
            return extreme
    raise LookupError(f"no `{change.operator}` of a group at {change.value}")
