"""What becomes of the plans of a text where a join of rows with the extremes of their own groups becomes a rank.

Law: the right side of the join is an aggregate, of which columns may have been chosen and renamed, that makes the
extreme of one column and nothing else, of groups by the columns that are compared beside it; what it is made of and the
left side are one frame but for columns that were chosen, renamed or added, these columns not among them. The join is an
inner one, or a semi join, and compares nothing else. In the place of the join stand its left side and a column that is
the rank in the order that was proved, over what the join compares beside the extreme. Where the join itself keeps the
rows that equal the extreme, a filter for those of rank 1 that have a value in each of these columns stands there too,
and the rank is dropped; otherwise that is what the conjunct asks for that compared with the extreme. The text there is
compared word for word.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater_ir.change import Ranked
from headwater_ir.demand import PlainJoin
from headwater_ir.expr import TRUE, Col, Compare, CompareOp, Expr, If, IsNull, Lit, Not, Or, Slot
from headwater_ir.module import Module
from headwater_ir.parts import Boundary, Conjunct, WindowColumn
from headwater_ir.plan import Aggregate, Cache, Filter, Join, Plan, Project, Shared, Window
from headwater_ir.problem import Fold
from headwater_ir.span import Span
from headwater_ir.types import INT32

from .equality import NOWHERE, Different
from .syntax import Found

ORDERS = {"desc": (True, False), "asc_nulls_last": (False, False)}
"""Whether the greatest come first, and whether NULL does."""
_CLASSES = ("pyspark.sql.window.Window", "pyspark.sql.Window")


@dataclass(frozen=True)
class JoinedExtreme:
    """What a join has on its right side: the extreme of ``column`` in each group of the left side's rows by ``keys``.
    ``rank``: what the rank is called; ``itself``: the join keeps the rows that equal the extreme."""

    column: str
    keys: tuple[str, ...]
    rank: str
    itself: bool


@dataclass(frozen=True)
class JoinedRanks:
    """The joins that became ranks."""

    found: tuple[tuple[Ranked, JoinedExtreme, Filter | None], ...] = ()

    @staticmethod
    def of(changes: Sequence[Ranked], module: Module) -> JoinedRanks:
        """What ``changes`` make of joins of ``module``; ``LookupError`` if one is not there, ``Different`` if it is
        another one."""
        joins = {j.call: j for j in module.joins}
        found = list[tuple[Ranked, JoinedExtreme, Filter | None]]()
        for change in changes:
            join = joins[change.call]
            extreme = _extreme(change, join)
            if extreme is None:
                raise Different("the join is not one of rows with the extremes of their groups")
            found.append((change, extreme, None if extreme.itself else join.reader))
        return JoinedRanks(tuple(found))

    @property
    def known(self) -> tuple[Expr, ...]:
        """What holds of rows behind the filters."""
        return tuple(e for _, extreme, _ in self.found for e in _present(extreme))

    def changed(self, plan: Plan, made: Plan) -> Plan:
        """What stands for ``made``, which stood for ``plan`` of the first text."""
        for change, extreme, filter_ in self.found:
            if isinstance(plan, Join) and isinstance(made, Join) and plan.span.end == change.call.end:
                made = _ranked(change, extreme, made.left)
            if filter_ is not None and isinstance(plan, Filter) and isinstance(made, Filter):
                if plan.call == filter_.call:
                    parts = [c for c in made.conjuncts if not _compares(c, change.condition, extreme)]
                    if len(parts) != len(made.conjuncts) - 1:
                        raise Different("the condition is not there")
                    made = replace(made, conjuncts=(*parts, *_first(extreme)))
        return made

    def written(self, found: Found, old: Context, new: Context) -> list[Span]:
        """What stands behind the left side of each join."""
        calls = {old.span(a): b for a, b in found.replaced}
        return [
            Span(new.span(_frame(b)).end, new.span(b).end)
            for change, _, _ in self.found
            if (b := calls.get(change.call)) is not None
        ]

    def check(self, found: Found, old: Context, names: Names) -> None:
        """``Different`` unless each rank is written as it was proved, behind the left side of the join."""
        texts = {old.span(a): (a, b) for a, b in found.replaced}
        in_text = [place for place, _ in found.texts]
        for change, extreme, filter_ in self.found:
            a, b = texts.get(change.call, (None, None))
            if not isinstance(a, ast.Call) or not isinstance(a.func, ast.Attribute) or b is None:
                raise Different("the join is not there")
            if change.condition is not None and change.condition not in (in_text if change.in_text else texts):
                raise Different("the condition is not there")
            if (change.condition is None) != (filter_ is None):
                raise Different("what asks for the extreme is another call")
            if extreme.itself:
                b = _without_filter(extreme, b, names)
            if not _is_rank(change, extreme, a.func.value, b, names):
                raise Different("the join has not become a rank over what it compares")


NO_JOINS = JoinedRanks()
_COMPARED: dict[str, CompareOp] = {"max": ">", "min": "<"}


def _extreme(change: Ranked, join: PlainJoin) -> JoinedExtreme | None:
    """What ``join`` has on its right side, if that is what ``change`` says of the left side's own groups."""
    plan, column = join.join, change.order.column
    *_, aggregate = _chain(plan.right)
    if not join.whole or not isinstance(aggregate, Aggregate) or change.joined is None:
        return None
    groups = aggregate.fold.keys
    of_left = {_name_at(aggregate, plan.right, k.right): k.left for k in join.keys}
    others = {o.name for o in aggregate.fold.outputs} - {*groups}
    (made,) = others if len(others) == 1 else ("",)
    itself = made in of_left
    if {*of_left} != {*groups, *([made] if itself else ())} or len(of_left) != len(join.keys):
        return None
    if plan.how != "inner" and not (plan.how == "semi" and itself):
        return None
    if itself and of_left[made] != column:
        return None
    if not itself and (join.reader is None or join.reader.child != plan):
        return None
    if not itself and change.joined != _name_of(made, aggregate, plan):
        return None
    shared = next((p for p in _chain(aggregate.child) if any(p is q for q in _chain(plan.left))), None)
    if shared is None:
        return None
    there = {c.name: _name_at(shared, aggregate.child, c.name) for c in aggregate.fold.columns}
    here = {k: _name_at(shared, plan.left, of_left[k]) for k in groups}
    if None in here.values() or any(there.get(k) != name for k, name in here.items()):
        return None
    mine = _name_at(shared, plan.left, column)
    if not any(name == mine and _makes(aggregate.fold, change.operator, c, made) for c, name in there.items() if mine):
        return None
    return JoinedExtreme(column, tuple(of_left[k] for k in groups), change.joined, itself)


def _name_of(made: str, aggregate: Aggregate, plan: Join) -> str | None:
    """What the right side of ``plan`` calls the column ``made`` of ``aggregate``."""
    return next((c for c in plan.right_columns or () if _name_at(aggregate, plan.right, c) == made), None)


def _chain(plan: Plan) -> Iterator[Plan]:
    """``plan`` and the frames below it whose rows it has, one made of each of theirs."""
    yield plan
    while isinstance(plan, (Project, Shared, Cache)):
        plan = plan.child
        yield plan


def _name_at(source: Plan, plan: Plan, name: str) -> str | None:
    """What the column ``name`` of ``plan`` is called in ``source``, of its chain; None if it is not one of that."""
    here: Expr | None = Col(name)
    for at in _chain(plan):
        if at is source or not isinstance(here, Col):
            break
        if isinstance(at, Project):
            values = dict(at.columns)
            passes = at.keeps_others and here.name not in at.dropped
            here = values.get(here.name, here if passes else None)
    return here.name if isinstance(here, Col) else None


def _makes(fold: Fold, function: str, column: str, name: str) -> bool:
    """Whether ``fold`` makes its keys and ``name``, the ``function`` of ``column`` of each group."""
    slot, value = Slot(0), Col(column)
    better = Or((IsNull(slot), Compare(_COMPARED[function], value, slot, "sql")), "sql")
    step = If(IsNull(value), slot, If(better, value, slot))
    made = {o.name: o.value for o in fold.outputs}
    wanted = {k: Col(k) for k in fold.keys} | {name: slot}
    whole = fold.grouped and fold.rows == "many" and fold.emit == TRUE and not fold.assumptions and bool(fold.keys)
    return whole and made == wanted and fold.step == (step,)


def _frame(node: ast.expr) -> ast.expr:
    """The frame that the calls behind a join's left side are made on."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        last = node.func.attr == "withColumn"
        node = node.func.value
        if last:
            break
    return node


def _ranked(change: Ranked, extreme: JoinedExtreme, left: Plan) -> Plan:
    column = WindowColumn(extreme.rank, tuple(sorted({*extreme.keys})), change.order)
    boundary = Boundary("window", None, NOWHERE, 0)
    plan: Plan = Window(left, (column,), (), True, NOWHERE, boundary)
    if not extreme.itself:
        return plan
    plan = Filter(plan, tuple(_first(extreme)), NOWHERE, NOWHERE, "column")
    return Project(plan, (), True, (extreme.rank,), NOWHERE)


def _first(extreme: JoinedExtreme) -> list[Conjunct]:
    rank = Compare("==", Col(extreme.rank), Lit(1, INT32), "sql")
    return [Conjunct(e, NOWHERE) for e in (rank, *_present(extreme))]


def _compares(conjunct: Conjunct, place: Span | None, extreme: JoinedExtreme) -> bool:
    """Whether ``conjunct``, at ``place``, asks for the rows that equal the extreme."""
    match conjunct.condition:
        case Compare(op="==", left=Col(a), right=Col(b)):
            return conjunct.span == place and {a, b} == {extreme.rank, extreme.column} and a != b
    return False


def _present(extreme: JoinedExtreme) -> list[Expr]:
    return [Not(IsNull(Col(c)), "sql") for c in (extreme.column, *extreme.keys)]


def _without_filter(extreme: JoinedExtreme, node: ast.expr, names: Names) -> ast.expr:
    """``node`` without a filter for the first rows and without the call that drops the rank behind that."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(func=ast.Attribute(value=made, attr="filter"), args=[condition], keywords=[]),
                attr="drop",
            ),
            args=[ast.Constant(value=dropped)],
            keywords=[],
        ) if dropped == extreme.rank and _conditions(condition, names) == {
            (extreme.rank, "first"),
            *((c, "present") for c in (extreme.column, *extreme.keys)),
        }:
            return made
    raise Different("the rows of rank 1 are not asked for in the place of the join")


def _conditions(node: ast.expr, names: Names) -> set[tuple[object, str]]:
    """What each part of ``node`` says of a column, if all are of the two kinds that are wanted."""
    match node:
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return _conditions(left, names) | _conditions(right, names)
        case ast.Compare(left=column, ops=[ast.Eq()], comparators=[ast.Constant(value=1)]):
            return {(_column(column, names), "first")}
        case ast.Call(func=ast.Attribute(value=column, attr="isNotNull"), args=[], keywords=[]):
            return {(_column(column, names), "present")}
    return {(None, "")}


def _column(node: ast.expr, names: Names) -> object:
    match node:
        case ast.Call(func=function, args=[ast.Constant(value=name)], keywords=[]):
            return name if names.function(function) == "col" else None
    return None


def _is_rank(change: Ranked, extreme: JoinedExtreme, frame: ast.expr, b: ast.expr, names: Names) -> bool:
    """Whether ``b`` adds to ``frame`` the rank in the order by the column, over the keys."""
    match b:
        case ast.Call(
            func=ast.Attribute(value=same, attr="withColumn"),
            args=[
                ast.Constant(value=name),
                ast.Call(
                    func=ast.Attribute(value=ast.Call(func=rank, args=[], keywords=[]), attr="over"),
                    args=[
                        ast.Call(
                            func=ast.Attribute(
                                value=ast.Call(
                                    func=ast.Attribute(value=window, attr="partitionBy"), args=keys, keywords=[]
                                ),
                                attr="orderBy",
                            ),
                            args=[ast.Call(func=by, args=[ast.Constant(value=column)], keywords=[])],
                            keywords=[],
                        )
                    ],
                    keywords=[],
                ),
            ],
            keywords=[],
        ):
            order = ORDERS.get(names.function(by) or "")
            return (
                ast.dump(same) == ast.dump(frame)
                and (name, column) == (extreme.rank, extreme.column)
                and [k.value if isinstance(k, ast.Constant) else None for k in keys] == [*extreme.keys]
                and (change.order.column, order)
                == (extreme.column, (change.order.descending, change.order.nulls_first))
                and names.function(rank) == "rank"
                and names.resolve(window) in _CLASSES
            )
    return False
