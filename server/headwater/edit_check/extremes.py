"""What becomes of the plans of a text where the extreme of a group is found by its rank.

Law: the column is a rank in the order that was proved, over the same partition; the conjunct that compared with it asks
whether that is 1 and whether there is a value, or the column itself says so. That others read frames above a window
with an order is noted in plans (``Shared``), and above one without an order it is not: so these notes are left out on
both sides. The tree is the same.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater_ir.change import Ranked
from headwater_ir.demand import GroupExtreme
from headwater_ir.expr import Col, Compare, Expr, IsNull, Lit, Not
from headwater_ir.module import Module
from headwater_ir.parts import Boundary, Conjunct, Order
from headwater_ir.plan import Filter, Plan, Shared, Window
from headwater_ir.span import Span
from headwater_ir.types import INT32

from .equality import NOWHERE, Different
from .joined_extremes import NO_JOINS, ORDERS, JoinedRanks
from .syntax import Found


@dataclass(frozen=True)
class Ranks:
    """The extremes that became ranks."""

    found: tuple[tuple[Ranked, GroupExtreme], ...] = ()
    joined: JoinedRanks = NO_JOINS
    strips: bool = False

    @staticmethod
    def of(changes: Sequence[Ranked], module: Module) -> Ranks:
        """What ``changes`` make of columns of ``module``; ``LookupError`` if one is not there."""
        found = tuple((c, _extreme(c, module)) for c in changes if c.joined is None)
        return Ranks(found, JoinedRanks.of([c for c in changes if c.joined is not None], module))

    @property
    def known(self) -> tuple[Expr, ...]:
        """What holds of rows behind the filters."""
        return (*(_present(e) for c, e in self.found if c.condition is not None and not e.told), *self.joined.known)

    @property
    def alike(self) -> Ranks:
        """What reads the second text in the same way."""
        return Ranks(strips=self.are_there)

    @property
    def are_there(self) -> bool:
        """Whether anything becomes a rank."""
        return bool(self.found or self.joined.found)

    def bare(self, plan: Plan) -> Plan:
        """``plan`` without the note that others read it, where ranks are looked for."""
        while (self.are_there or self.strips) and isinstance(plan, Shared):
            plan = plan.child
        return plan

    @property
    def places(self) -> frozenset[Span]:
        """Where conditions in SQL text stood."""
        every = (*(c for c, _ in self.found), *(c for c, _, _ in self.joined.found))
        return frozenset(c.condition for c in every if c.condition is not None and c.in_text)

    def changed(self, plan: Plan, made: Plan) -> Plan:
        """What stands for ``made``, which stood for ``plan`` of the first text."""
        for change, extreme in self.found:
            is_window = isinstance(plan, Window) and plan.span == extreme.window.span
            if is_window and isinstance(made, Window) and extreme.rank is not None:
                made = replace(made, windows=(extreme.rank,))
            if change.condition is None:
                continue
            if is_window and isinstance(made, Window) and extreme.rank is None:
                (column,) = made.windows
                boundary = Boundary("window", None, extreme.call, 0)
                windows = (replace(column, running=change.order),)
                made = replace(made, windows=windows, boundary=boundary, facts=extreme.facts)
            if isinstance(plan, Filter) and isinstance(made, Filter) and plan.call == extreme.filter.call:
                rank = Compare("==", Col(extreme.name), Lit(1, INT32), "sql")
                parts = [c for c in made.conjuncts if c.span != change.condition]
                if len(parts) != len(made.conjuncts) - (not extreme.told):
                    raise Different("the condition is not there")
                # a column that the file does not tell the name of has no model
                added = [Conjunct(e, NOWHERE) for e in (rank, *([] if extreme.told else [_present(extreme)]))]
                made = replace(made, conjuncts=(*parts, *added))
        return self.joined.changed(plan, made)


NONE = Ranks()


def check(changes: Sequence[Ranked], ranks: Ranks, found: Found, old: Context, new: Context) -> None:
    """``Different`` unless the order of each rank is written behind the window of the first text, or the rank in the
    place of a join."""
    ranks.joined.check(found, old, Names.of(new))
    texts = {old.span(a): (a, b) for a, b in found.replaced}
    in_text, names = [place for place, _ in found.texts], Names.of(new)
    for change, extreme in ranks.found:
        if change.value not in texts:
            raise Different("the column is not there")
        if change.condition is not None and change.condition not in (in_text if change.in_text else texts):
            raise Different("the condition is not there")
        a, b = texts[change.value]
        if change.condition is None:
            a, b = _flags(a, b, extreme, old)
        if not _is_rank(a, b, change.order, names):
            raise Different("the column is no rank over the same window")


def _flags(a: ast.expr, b: ast.expr, extreme: GroupExtreme, old: Context) -> tuple[ast.expr, ast.expr]:
    """The extreme that ``a`` compares with a column, and the rank that ``b`` asks to be 1 where the column has a
    value."""
    match a, b:
        case (
            ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]),
            ast.BinOp(
                left=ast.Compare(left=rank, ops=[ast.Eq()], comparators=[ast.Constant(value=1)]),
                op=ast.BitAnd(),
                right=ast.Call(func=ast.Attribute(value=column, attr="isNotNull"), args=[], keywords=[]),
            ),
        ):
            beside, value = (left, right) if old.span(left) == extreme.beside else (right, left)
            if old.span(beside) == extreme.beside and ast.dump(beside) == ast.dump(column):
                return value, rank
    raise Different("the column does not say whether the rank is 1")


def _is_rank(a: ast.expr, b: ast.expr, order: Order, names: Names) -> bool:
    """Whether ``b`` is a rank over the window of ``a``, ordered by its argument."""
    match a, b:
        case (
            ast.Call(func=ast.Attribute(value=ast.Call(args=[given]), attr="over"), args=[spec]),
            ast.Call(
                func=ast.Attribute(value=ast.Call(func=rank, args=[], keywords=[]), attr="over"),
                args=[
                    ast.Call(
                        func=ast.Attribute(value=window, attr="orderBy"),
                        args=[ast.Call(func=by, args=[same], keywords=[])],
                        keywords=[],
                    )
                ],
                keywords=[],
            ),
        ):
            alike = ast.dump(spec) == ast.dump(window) and ast.dump(given) == ast.dump(same)
            known = ORDERS.get(names.function(by) or "") == (order.descending, order.nulls_first)
            return alike and known and names.function(rank) == "rank"
    return False


def _present(extreme: GroupExtreme) -> Expr:
    return Not(IsNull(Col(extreme.column)), "sql")


def _extreme(change: Ranked, module: Module) -> GroupExtreme:
    for extreme in module.extremes:
        value = extreme.flag or extreme.value
        if (extreme.call, extreme.function, value) == (change.call, change.operator, change.value):
            return extreme
    raise LookupError(f"no `{change.operator}` of a group at {change.value}")
