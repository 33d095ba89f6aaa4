"""What becomes of the plans of a text where a join of aggregates of one frame becomes one aggregate.

Law: all sides of the inner joins are aggregates of one frame by the columns that are joined on, of which columns may
have been chosen and renamed, and they stand in the function of the join. In its place stands one aggregate of the
variable that holds that frame, by these columns, of what the sides compute, and a filter for rows that have a value in
each of them. The text there is compared word for word; what is read above the join is compared above the frame.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater_ir.change import OneAggregate
from headwater_ir.expr import Col, IsNull, Not
from headwater_ir.module import Module
from headwater_ir.plan import Aggregate, Filter, Join, Opaque, Plan, Project, Shared
from headwater_ir.span import Span

from .equality import NOWHERE, Different, Equality
from .syntax import Found

_SHORTHANDS = {"mean": "avg"}


@dataclass(frozen=True)
class Groups:
    """The joins that became aggregates, by where their calls end: in the first text, or as ``ends`` says in the
    second."""

    found: tuple[tuple[OneAggregate, Join], ...] = ()
    ends: tuple[int, ...] = ()

    @staticmethod
    def of(changes: Sequence[OneAggregate], module: Module) -> Groups:
        """What ``changes`` make of joins of ``module``; ``LookupError`` if one is not there, ``Different`` if it is
        another one."""
        joins = {j.call: j for j in module.joins}
        found = [(c, joins[c.call]) for c in changes]
        for change, join in found:
            sides = _sides(join.join, {*change.keys})
            if join.same_rows != change.frame or join.join.using != change.keys:
                raise Different("the join is another one")
            if tuple(a.boundary.span for a in sides) != change.sides:
                raise Different("the aggregates are others")
            if any(_bare(a.child) is not _bare(sides[0].child) for a in sides):
                raise Different("the aggregates are of several frames")
        return Groups(tuple((c, j.join) for c, j in found))

    def at(self, ends: Sequence[int]) -> Groups:
        """For the second text."""
        return Groups(self.found, tuple(ends))

    def bare(self, plan: Plan) -> Plan:
        """``plan`` without the note that others read it: fewer do."""
        return _bare(plan) if self.found else plan

    def changed(self, plan: Plan, made: Plan) -> Plan:
        """What stands for ``made``, which stood for ``plan``, where that is the join or the aggregate."""
        for number, (change, _) in enumerate(self.found):
            if self.ends and isinstance(made, Filter) and made.call.end == self.ends[number]:
                if isinstance(made.child, Aggregate) and _keeps(made, change.keys):
                    return _one(made.child.child)
            if not self.ends and isinstance(plan, Join) and plan.span.end == change.call.end:
                return _one(_sides(made, {*change.keys})[0].child)
        return made

    def written(self, found: Found, old: Context, new: Context) -> list[Span]:
        """Where the aggregates stand in the second text."""
        calls = {old.span(a): b for a, b in found.replaced}
        return [new.span(calls[c.call]) for c, _ in self.found]

    def check(self, found: Found, after: Module, old: Context, new: Context) -> None:
        """``Different`` unless each aggregate is written as it was proved, of the frame that the sides are of."""
        texts = {old.span(a): b for a, b in found.replaced}
        names = Names.of(new)
        for change, join in self.found:
            b = texts.get(change.call)
            if b is None:
                raise Different("the join is not there")
            if not all(_is_inner(s, join, old) for s in change.gone):
                raise Different("a statement is gone that does more than join the sides")
            _check_text(change, join, b, old, names)
            end = new.span(b).end
            kept = next((f for f in after.filters if f.call.end == end), None)
            if kept is None or not isinstance(kept.child, Aggregate) or not _keeps(kept, change.keys):
                raise Different("the rows whose keys have a value are not asked for")
            now, were = kept.child, _sides(join, {*change.keys})
            if {*now.fold.keys} != {*change.keys}:
                raise Different("the groups are others")
            Equality(old.source, new.source, apart=True).check(_bare(were[0].child), _bare(now.child))


NONE = Groups()


def _one(frame: Plan) -> Plan:
    return Opaque(frame, "opaque", "one aggregate", NOWHERE)


def _bare(plan: Plan) -> Plan:
    while isinstance(plan, Shared):
        plan = plan.child
    return plan


def _sides(plan: Plan, keys: set[str]) -> list[Aggregate]:
    """The aggregates that ``plan`` joins on ``keys``, in order."""
    if isinstance(plan, Join):
        if plan.how != "inner" or {*plan.using} != keys or plan.equal or plan.ordered or plan.called:
            raise Different("the join is another one")
        return [*_sides(plan.left, keys), *_sides(plan.right, keys)]
    while isinstance(plan, (Project, Shared)):
        plan = plan.child
    if not isinstance(plan, Aggregate) or {*plan.fold.keys} != keys:
        raise Different("what is joined is no aggregate by the keys")
    return [plan]


def _is_inner(gone: Span, join: Join, old: Context) -> bool:
    """Whether the statement ``gone`` gives a variable an inner join of some sides of ``join``, and does no more."""
    inner, ends = join.left, set[int]()
    while isinstance(inner, Join):
        ends.add(inner.span.end)
        inner = inner.left
    made = (n for n in ast.walk(old.tree) if isinstance(n, ast.Assign) and old.span(n) == gone)
    return any(isinstance(n.targets[0], ast.Name) and old.span(n.value).end in ends for n in made)


def _keeps(filter_: Filter, keys: tuple[str, ...]) -> bool:
    """Whether ``filter_`` keeps the rows in which each of ``keys`` has a value, and all of them."""
    asked = [c.condition for c in filter_.conjuncts]
    return filter_.unread is None and len(asked) == len(keys) and all(Not(IsNull(Col(k)), "sql") in asked for k in keys)


def _check_text(change: OneAggregate, join: Join, b: ast.expr, old: Context, names: Names) -> None:
    """``Different`` unless ``b`` groups the frame by the keys and computes what the sides do."""
    match b:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(
                    func=ast.Attribute(
                        value=ast.Call(
                            func=ast.Attribute(value=ast.Name(id=frame), attr="groupBy"), args=keys, keywords=[]
                        ),
                        attr="agg",
                    ),
                    args=measures,
                    keywords=[],
                ),
                attr="filter",
            ),
            args=[_],
            keywords=[],
        ) if frame == change.frame and [k.value if isinstance(k, ast.Constant) else 0 for k in keys] == [*change.keys]:
            pass
        case _:
            raise Different("no aggregate stands in the place of the join")
    wanted = [w for side in _tops(join) for w in _wanted(side, old)]
    if len(wanted) != len(measures) or not all(map(lambda w, m: _is_measure(w, m, names), wanted, measures)):
        raise Different("something else is computed of the groups")


def _tops(plan: Plan) -> list[Plan]:
    return [*_tops(plan.left), plan.right] if isinstance(plan, Join) else [plan]


_Wanted = tuple[str, str, "ast.expr | tuple[str, str]"]
"""What a column of the join is called, what the aggregate calls it, and what is computed: an expression, or a function
of Spark's and the column that it is given."""


def _wanted(top: Plan, old: Context) -> list[_Wanted]:
    """What one side computes, in the order of its columns."""
    at, chain = top, [top]
    while isinstance(at, (Project, Shared)):
        at = at.child
        chain.append(at)
    assert isinstance(at, Aggregate)
    end = at.boundary.span.end
    call = next(n for n in ast.walk(old.tree) if isinstance(n, ast.Call) and old.span(n).end == end)
    outputs = [o.name for o in at.fold.outputs if o.name not in at.fold.keys]
    columns: list[tuple[str, str]] = [*((k, k) for k in at.fold.keys), *zip(outputs, outputs, strict=True)]
    for plan in reversed(chain):
        if isinstance(plan, Project):
            columns = _projected(plan, columns)
    computed = dict(zip(outputs, _computed(call), strict=True))
    return [(name, of, computed[of]) for name, of in columns if of in computed]


def _projected(plan: Project, columns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """``columns``, names and what the aggregate calls them, as ``plan`` has them."""
    of = dict(columns)
    values = {n: e.name for n, e in plan.columns if isinstance(e, Col)}
    if len(values) < len(plan.columns) or not {*values.values()} <= {*of}:
        raise Different("a side computes more than aggregates")
    if not plan.keeps_others:
        return [(n, of[c]) for n, c in values.items()]
    became = {c: n for n, c in values.items()}
    if len(became) < len(values) or not {*became} <= {*plan.dropped} or {*values} & {*of}:
        raise Different("a side has a copy of a column")
    return [(became.get(n, n), c) for n, c in columns if n in became or n not in plan.dropped]


def _computed(call: ast.Call) -> list[ast.expr | tuple[str, str]]:
    assert isinstance(call.func, ast.Attribute)
    method, given = call.func.attr, call.args
    if method == "count":
        return [("count", "*")]
    if method == "agg" and len(given) == 1 and isinstance(given[0], ast.Dict):
        (column,), (function,) = given[0].keys, given[0].values  # of several, Spark has another order
        return [_of_column(_constant(function), _constant(column))]
    return [*given] if method == "agg" else [_of_column(method, _constant(a)) for a in given]


def _of_column(function: str, column: str) -> tuple[str, str]:
    return _SHORTHANDS.get(function, function), column


def _constant(node: ast.expr | None) -> str:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        raise Different("what is computed of the groups is not written out")
    return node.value


def _is_measure(wanted: _Wanted, measure: ast.expr, names: Names) -> bool:
    """Whether ``measure`` computes what is wanted, and is called as it is."""
    name, own, computed = wanted
    plain = _is_computed(computed, measure, names)
    if plain and name == own and computed != ("count", "*"):
        return True
    match measure:
        case ast.Call(func=ast.Attribute(value=inner, attr="alias"), args=[ast.Constant(value=label)], keywords=[]):
            return label == name and _is_computed(computed, inner, names)
    return False


def _is_computed(computed: ast.expr | tuple[str, str], node: ast.expr, names: Names) -> bool:
    if isinstance(computed, ast.expr):
        return ast.dump(computed) == ast.dump(node)
    match node:
        case ast.Call(func=function, args=[ast.Constant(value=column)], keywords=[]):
            return (names.function(function), column) == computed
    return False
