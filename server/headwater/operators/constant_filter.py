"""A filter seen by itself, with the filters that its rows have passed: can any row pass it, does every row?

Law: if ``facts ⟹ ¬P`` on every row, ``σ_P(d)`` is empty; if ``facts ⟹ P``, it is ``d``.
Condition: the facts hold of every row of d: they are conjuncts of filters below, and nothing between makes rows or
changes the columns that they speak of. None reads a driver variable, which may have changed since. Where the type of a
column is not known, both hold for every type (``every_type``).
Why sound: operators that only drop, repeat or order rows keep what is TRUE of each; a projection keeps it of the
columns that it passes on.
Counterexample across a projection that overwrites: ``filter(x > 5).withColumn("x", -x).filter(x < 3)`` passes rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from headwater_ir.expr import (
    TRUE,
    Col,
    Compare,
    Expr,
    IsNaN,
    IsTrue,
    Lit,
    Not,
    columns_of,
    conjoin,
    conjuncts,
    params_of,
    walk,
)
from headwater_ir.plan import Boundary, Filter, Plan, Project, RowUdf
from headwater_ir.problem import Column, Fold, FoldProblem, OutputColumn
from headwater_ir.span import Span
from headwater_ir.walks import inputs

from .boundary import over_outputs, with_parameters
from .columns import type_of_column
from .every_type import EveryType, NoMeaning
from .outcome import Moved, Stop
from .registry import operator_of
from .type_inference import refine

_NEAREST = 24
"""How many conditions of filters below are looked at: the time that a proof takes grows with them."""


_T = TypeVar("_T")


class Mover(Protocol):
    """What takes places, and what holds some, to where they stand in another text."""

    def __call__(self, value: _T, /) -> _T: ...


@dataclass(frozen=True)
class Part:
    """One conjunct of a filter. ``sql``: it is written in SQL; ``own``: of the filter that is asked about, not of one
    below."""

    condition: Expr
    span: Span
    sql: bool
    own: bool


@dataclass(frozen=True)
class Claim:
    """That no row passes the filter ``top``, or, with ``always``, that every row does: what has to be proved of
    ``parts``."""

    top: Filter
    parts: tuple[Part, ...]
    moved: Moved
    always: bool

    def without(self, part: Part) -> Claim | None:
        """The same claim from all parts but ``part``; None if it cannot be made."""
        return _claim(self.top, tuple(p for p in self.parts if p is not part), self.always)

    def placed(self, top: Filter, move: Mover) -> Claim:
        """The same claim about ``top``, which is its filter where ``move`` takes it."""
        parts = tuple(replace(p, span=move(p.span)) for p in self.parts)
        return Claim(top, parts, move(self.moved), self.always)


def never(top: Filter) -> Claim | None:
    """The claim that no row can pass ``top``; None if it need not be made."""
    own_parts = _own(top)
    parts = (*own_parts, *_relevant(own_parts, _facts(top.child)))
    compared = Counter(name for c in dict.fromkeys(p.condition for p in parts) for name in columns_of(c))
    own = [p.condition for p in parts if p.own]
    worth = any(compared[name] > 1 for c in own for name in columns_of(c)) or any(map(_compares_with_null, own))
    return _claim(top, parts, always=False) if worth else None


def always(top: Filter) -> Claim | None:
    """The claim that every row passes ``top``; None if it need not be made."""
    own = _own(top)
    facts = _relevant(own, _facts(top.child))
    known = {name for f in facts for name in columns_of(f.condition)}
    if top.unread is not None or not all(columns_of(p.condition) and columns_of(p.condition) <= known for p in own):
        return None
    return _claim(top, (*own, *facts), always=True) if own else None


def _own(top: Filter) -> tuple[Part, ...]:
    return tuple(p for p in _parts(top, own=True) if p.condition != TRUE)


def _parts(filter_: Filter, *, own: bool) -> list[Part]:
    found = [(p, c.span) for c in filter_.conjuncts for p in conjuncts(c.condition)]
    if filter_.call == filter_.condition:  # `dropna`: of a column that may hold texts it does not drop 'NaN'
        found = [(p, span) for p, span in found if not _asks_for_nan(p, filter_)]
    return [Part(condition, span, filter_.style == "sql", own) for condition, span in found]


def _asks_for_nan(e: Expr, filter_: Filter) -> bool:
    asked = (n.operand for n in walk(e) if isinstance(n, IsNaN))
    return any(type_of_column(filter_.child, name).name != "float" for o in asked for name in columns_of(o))


def _compares_with_null(e: Expr) -> bool:
    operands = (o for n in walk(e) if isinstance(n, Compare) for o in (n.left, n.right))
    return any(isinstance(o, Lit) and o.value is None for o in operands)


def _facts(plan: Plan) -> tuple[Part, ...]:
    """What the filters below say of the columns of ``plan``."""
    found: dict[tuple[Expr, bool], Part] = {}
    changed: set[str] = set()
    while True:
        if isinstance(plan, Filter):
            for part in _parts(plan, own=False):
                e = part.condition
                if not params_of(e) and not columns_of(e) & changed and e != TRUE:
                    found.setdefault((e, part.sql), part)
        elif isinstance(plan, Project) and plan.keeps_others:
            changed |= {name for name, value in plan.columns if value != Col(name)} | set(plan.dropped)
        elif not operator_of(plan).rows_of_input:
            return tuple(found.values())
        (plan,) = inputs(plan)


def _relevant(own: Sequence[Part], facts: Sequence[Part]) -> tuple[Part, ...]:
    """Of ``facts``, nearest first, those that share a column with ``own`` or with another such: some of the nearest."""
    columns, found = {n for p in own for n in columns_of(p.condition)}, list[Part]()
    waiting = list(facts[:_NEAREST])
    while met := [p for p in waiting if columns_of(p.condition) & columns]:
        found += met
        columns |= {n for p in met for n in columns_of(p.condition)}
        waiting = [p for p in waiting if p not in met]
    return tuple(found)


def _claim(top: Filter, parts: Sequence[Part], always: bool) -> Claim | None:
    names = sorted({n for p in parts for n in columns_of(p.condition)})
    every = EveryType({n: type_of_column(top.child, n) for n in names})
    own, facts = list[Expr](), list[Expr]()
    for part in parts:
        try:
            (own if part.own else facts).append(every.condition(part.condition, sql=part.sql))
        except NoMeaning:
            if part.own and always:  # each conjunct has to hold
                return None
    if not own:
        return None
    predicate = Not(IsTrue(conjoin(own))) if always else conjoin(own)
    columns = tuple(Column(n, t) for n, t in sorted(every.columns.items()))
    outputs = tuple(OutputColumn(c.name, c.type, Col(c.name)) for c in columns)
    fold = Fold("filter", "filter", columns, (), (), (), outputs, rows="one", facts=(*facts, *every.facts))
    boundary = Boundary("filter", None, top.call, top.call.start)
    try:
        asked = over_outputs(predicate, fold)
        fold = refine(with_parameters(fold, asked), asked)
    except Stop:
        return None
    if any(a.limits for a in fold.assumptions):
        return None
    moved = Moved(RowUdf(top.child, fold, boundary), (top,), FoldProblem(fold, asked), False, ())
    return Claim(top, tuple(parts), moved, always)
