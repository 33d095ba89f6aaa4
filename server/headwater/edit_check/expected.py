"""The plans of a text after a rewrite, made of its plans before and of what was proved.

Law: where G was proved for a boundary, the frame that the boundary's method is called on is filtered by G, for whoever
reads it there; and R stands in the place of the filters of the proof, or they stand as they did. Nothing else changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from headwater_ir.change import Change
from headwater_ir.expr import TRUE, Col, Expr, Out, columns_of, conjuncts, transform
from headwater_ir.plan import (
    PLAN_NODES,
    Applied,
    Boundary,
    Conjunct,
    Explode,
    Filter,
    GroupMap,
    Opaque,
    Plan,
    Project,
    Scan,
    Sort,
)
from headwater_ir.span import Span
from headwater_ir.types import ANY
from headwater_ir.walks import below, boundary_of

from .caches import NONE, Removed
from .conditions import forms
from .equality import NOWHERE
from .extremes import NONE as NO_RANKS
from .extremes import Ranks
from .groups import NONE as NO_GROUPS
from .groups import Groups
from .matches import NONE as NO_MATCHES
from .matches import Matches
from .ranges import NONE as NO_RANGES
from .ranges import Ranges


@dataclass(frozen=True)
class Place:
    """A boundary of the text before, and what is to be done there. ``elements``: the part of G that is said of the
    elements of an array, inside the argument of the generator, or of elements of an RDD: no operator shows it."""

    change: Change
    node: Plan
    boundary: Boundary

    @property
    def elements(self) -> tuple[Expr, ...]:
        node, parts = self.node, conjuncts(self.change.pre_filter)
        if isinstance(node, Explode) and not node.arms:
            return tuple(p for p in parts if any(map(node.makes, columns_of(p))))
        return parts if self.of_rdd else ()

    @property
    def rows(self) -> tuple[Expr, ...]:
        """The part of G that is said of rows."""
        return tuple(p for p in conjuncts(self.change.pre_filter) if p not in self.elements)

    @property
    def in_text(self) -> tuple[Expr, ...]:
        """What a clause of SQL text says that was not there, if that is how G is written."""
        where = self.boundary.sql_where
        new = self.boundary.sql_argument is not None or (where is not None and where.start == where.end)
        return self.qualified if new else ()

    @property
    def qualified(self) -> tuple[Expr, ...]:
        """What G says of rows, in the words of a query that needs the tables of some columns."""
        tables = dict(self.boundary.sql_tables)

        def named(n: Expr) -> Expr | None:
            return Col(f"{tables[n.name]}.{n.name}") if isinstance(n, Col) and n.name in tables else None

        return tuple(transform(e, named) for e in self.rows)

    @property
    def of_rdd(self) -> bool:
        """Whether the pre-filter is one of the elements of an RDD, which are no columns of a frame."""
        child = getattr(self.node, "child", None)
        return isinstance(child, Scan) and child.format == "rdd"

    @property
    def shows_nothing(self) -> bool:
        """Whether a filter is added that no operator shows."""
        return bool(self.elements) and (self.of_rdd or (isinstance(self.node, Explode) and self.node.placed))

    @property
    def in_place(self) -> bool:
        """Whether G takes the place of a Python function in the filter itself."""
        return self.boundary.in_filter and self.change.residual is not None


class Expected:
    """The plans after what is done at ``places``, without the caches ``removed`` and with ``ranks``, ``matches``,
    ``ranges`` and ``groups``. ``understood``: without the conditions that have no model, which show that a boundary
    such as a cache is below them; ``sorts``: below how many of the sorts that a function adds to its argument the
    filter stands, which is called on the argument."""

    def __init__(
        self, places: Sequence[Place], sorts: int = 0, removed: Removed = NONE, ranks: Ranks = NO_RANKS,
        matches: Matches = NO_MATCHES, ranges: Ranges = NO_RANGES, understood: bool = False,
        groups: Groups = NO_GROUPS,
    ) -> None:  # fmt: skip
        self.groups, self.ranges, self.understood = groups, ranges, understood or bool(removed.caches)
        self.places, self.sorts, self.removed, self.ranks, self.matches = places, sorts, removed, ranks, matches
        self.replaced = {
            f: (p, n) for p in places if p.change.residual is not None for n, f in enumerate(p.change.filters)
        }
        self.conditions: set[Span] = set()
        self._made: dict[int, tuple[Plan, Plan]] = {}
        self._inserted: dict[tuple[int, int], tuple[Plan, Plan]] = {}

    def of(self, plan: Plan) -> Plan:
        """What becomes of ``plan``: of a filter that goes away, what is below it."""
        known = self._made.get(id(plan))
        if known is None:
            known = self._made[id(plan)] = plan, self._of(plan)
        return known[1]

    def inserted(self, place: Place) -> list[Filter]:
        """The filters of rows that are added for ``place``: each that has a model, perhaps in several plans."""
        if place.in_place or place.of_rdd:
            return []
        self.of(place.node)
        return [
            f
            for (key, _), (_, f) in self._inserted.items()
            if key in (id(place) * 4, id(place) * 4 + 1) and isinstance(f, Filter)
        ]

    def goes(self, filter_: Filter) -> bool:
        """Whether the filter is gone afterwards."""
        if self.matches.goes(filter_) or self._says_nothing(filter_):
            return True
        found = self.replaced.get(filter_.call)
        return found is not None and not found[0].in_place and not _residual(found[0].change, filter_)

    def _says_nothing(self, plan: Filter) -> bool:
        return self.understood and plan.native is None and all(c.condition == TRUE for c in plan.conjuncts)

    def _of(self, plan: Plan) -> Plan:
        without = self.matches.below(self.groups.bare(self.ranks.bare(self.removed.below(plan))))
        if without is not plan:
            return self.of(without)
        if isinstance(plan, Filter) and self._says_nothing(plan):
            return self.of(plan.child)
        if isinstance(plan, Opaque) and self.understood and plan.child is not None and "columns" not in plan.causes:
            return self.of(plan.child)
        changed: dict[str, Any] = {name: self.of(value) for name, value in _inputs(plan)}
        node = plan.native.child if isinstance(plan, Filter) and plan.native is not None else plan
        boundary = boundary_of(node)
        for place in self.places:
            if boundary is not None:
                changed |= self._at(place, plan, node, boundary, changed)
        if isinstance(plan, Filter) and plan.call in self.replaced:
            place, _ = self.replaced[plan.call]
            if self.goes(plan):
                return self.of(plan.child)
            changed |= self._kept(place, plan)
        elif isinstance(plan, Filter) and (clause := self._clause(plan)) is not None:
            told = (Conjunct(e, NOWHERE) for e in clause.qualified)
            changed["conjuncts"] = (*plan.conjuncts, *told)
        elif boundary is not None and boundary.code:
            changed["boundary"] = self._without_filters(boundary)
        if isinstance(plan, Filter) and plan is not node:
            changed.pop("boundary", None)
        made = replace(plan, **changed)
        made = self.groups.changed(plan, self.ranks.changed(plan, made))
        return self.ranges.changed(plan, self.matches.changed(plan, made))

    def _at(self, place: Place, plan: Plan, node: Plan, boundary: Boundary, changed: dict[str, Any]) -> dict[str, Any]:
        if boundary.insert_at != place.boundary.insert_at or boundary.sql_where != place.boundary.sql_where:
            return {}
        if place.of_rdd or place.in_place:
            return {}
        lower = (boundary_of(p) for _, child in _inputs(node) for p in below(child))
        if any(b is not None and b.insert_at == boundary.insert_at for b in lower):
            return {}  # both are made by one call: the filter stands below the lower one
        found: dict[str, Any] = {}
        if isinstance(place.node, Explode) and place.elements and isinstance(node, Explode):
            if node.placed or node.boundary == place.boundary:
                found |= {"boundary": None, "argument": None, "element": ANY, "outer": False, "placed": False}
        child = changed["child"]
        if plan is not node and isinstance(child, Opaque) and isinstance(plan, Filter) and child.span == plan.condition:
            below_ = None if child.child is None else self._inserted_at(place, child.child)
            found["child"] = replace(child, child=below_)  # which only stands for the condition
        else:
            found["child"] = self._inserted_at(place, child)
        if isinstance(node, GroupMap) and node.beside is not None and isinstance(place.node, GroupMap):
            names = dict(node.renamed)
            theirs = tuple(
                transform(e, lambda n: Col(names[n.name]) if isinstance(n, Col) else None) for e in place.rows
            )
            found["right"] = self._filtered(place, changed["right"], theirs, 1)
        return found

    def _inserted_at(self, place: Place, child: Plan) -> Plan:
        rows = place.rows
        if place.boundary.sql_where is not None:
            return self._in_where(place, child)
        if place.boundary.in_argument:
            return self._below_sorts(place, child, self.sorts)
        if isinstance(place.node, Explode) and place.node.placed and place.elements:
            child = self._filtered(place, child, (), 2)  # `exists(…)`, which has no model
        return self._filtered(place, child, rows, 0) if rows else child

    def _below_sorts(self, place: Place, child: Plan, sorts: int) -> Plan:
        if sorts and isinstance(child, Sort):
            return replace(child, child=self._below_sorts(place, child.child, sorts - 1))
        return self._filtered(place, child, place.rows, 0)

    def _filtered(self, place: Place, child: Plan, parts: Sequence[Expr], number: int) -> Filter:
        key = id(place) * 4 + number, id(child)
        if key not in self._inserted:
            told = tuple(Conjunct(e, NOWHERE) for e in parts)
            self._inserted[key] = child, Filter(child, told, NOWHERE, NOWHERE, "column")
        found = self._inserted[key][1]
        assert isinstance(found, Filter)
        return found

    def _in_where(self, place: Place, child: Plan) -> Plan:
        """With a clause that the query did not have, below the columns that it names by their tables."""
        where = place.boundary.sql_where
        if where is None or where.start < where.end:
            return child
        if isinstance(child, Project) and place.boundary.sql_tables:
            return replace(child, child=self._in_where(place, child.child))
        return self._filtered(place, child, place.qualified, 0)

    def _clause(self, plan: Filter) -> Place | None:
        """The place whose condition joins that of ``plan``, a clause in SQL text."""
        mine = (p for p in self.places if p.boundary.sql_where == plan.condition)
        return next((p for p in mine if plan.condition.start < plan.condition.end), None)

    def _kept(self, place: Place, plan: Filter) -> dict[str, Any]:
        if place.in_place:
            own = tuple(c for c in plan.conjuncts)
            told = (*own, *(Conjunct(e, NOWHERE) for e in place.rows))
            return {"conjuncts": told, "unread": None}
        return {"conjuncts": tuple(Conjunct(e, NOWHERE) for e in _residual(place.change, plan))}

    def _without_filters(self, boundary: Boundary) -> Boundary:
        """Without the steps that were filters of the proof and are gone."""
        gone = {s for p in self.places if p.change.residual == TRUE for s in p.change.conditions}
        code = tuple(replace(c, steps=tuple(s for s in c.steps if not _is_gone(s, gone))) for c in boundary.code)
        return replace(boundary, code=code)


def _is_gone(step: Applied, gone: set[Span]) -> bool:
    return step.method == "filter" and len(step.functions) == 1 and step.functions[0] in gone


def _residual(change: Change, plan: Filter) -> list[Expr]:
    """What of R is said by ``plan``, one of the filters of the proof: all if it is the only one, else its own part."""
    assert change.residual is not None
    wanted = [
        transform(c, lambda n: Col(n.name) if isinstance(n, Out) else None)
        for c in conjuncts(change.residual)
        if c != TRUE
    ]
    if len(change.filters) == 1:
        return wanted
    own = {f for c in plan.conjuncts for f in forms([c.condition])}
    return [w for w in wanted if {*forms([w])} <= own]


def _inputs(plan: Plan) -> Iterator[tuple[str, Plan]]:
    """The fields of ``plan`` that are plans below it."""
    for field in fields(plan):
        value = getattr(plan, field.name)
        if isinstance(value, PLAN_NODES) and field.name != "native":
            yield field.name, cast(Plan, value)


def places_of(filters: Sequence[Filter], changes: Sequence[Change]) -> list[Place]:
    """The boundaries that ``changes`` speak of; LookupError if one is not there."""
    found: list[Place] = []
    for change in changes:
        nodes = (n for f in filters for top in (f, *(() if f.native is None else (f.native,))) for n in below(top))
        for node in nodes:
            boundary = boundary_of(node)
            if boundary is not None and (boundary.span, boundary.operator) == (change.boundary, change.operator):
                found.append(Place(change, node, boundary))
                break
        else:
            raise LookupError(f"no boundary at {change.boundary}")
    return found
