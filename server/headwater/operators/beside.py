"""A filter seen by itself, with the filters that its rows have passed: can any row pass it, does every row?

Law: if ``facts ⟹ ¬P`` on every row, ``σ_P(d)`` is empty; if ``facts ⟹ P``, it is ``d``.
Condition: the facts hold of every row of d: they are conjuncts of filters below, and nothing between makes rows or
changes the columns that they speak of. None reads a driver variable, which may have changed since.
Why sound: operators that only drop, repeat or order rows keep what is TRUE of each; a projection keeps it of the
columns that it passes on.
Counterexample across a projection that overwrites: ``filter(x > 5).withColumn("x", -x).filter(x < 3)`` passes rows.
"""

from __future__ import annotations

from collections import Counter

from headwater_ir.expr import (
    TRUE,
    Col,
    Compare,
    Expr,
    IsTrue,
    Lit,
    Not,
    columns_of,
    conjoin,
    conjuncts,
    params_of,
    walk,
)
from headwater_ir.plan import (
    Boundary,
    Cache,
    Distinct,
    DropDuplicates,
    Filter,
    Limit,
    Plan,
    Project,
    RowUdf,
    Sample,
    Shared,
    Sort,
)
from headwater_ir.problem import Column, Fold, FoldProblem, OutputColumn

from .boundary import over_outputs, with_parameters
from .columns import type_of_column
from .outcome import Moved, Stop
from .refine import refine

_SAME_ROWS = (Sort, Limit, Sample, Distinct, DropDuplicates, Cache, Shared)


def never(top: Filter) -> Moved | None:
    """Whether a row can pass ``top``, as a problem whose pre-filter is FALSE if none can; None if it need not be
    asked."""
    own, facts = _own(top), _facts(top.child)
    compared = Counter(name for c in dict.fromkeys((*own, *facts)) for name in columns_of(c))
    asked = any(compared[name] > 1 for c in own for name in columns_of(c)) or any(map(_compares_with_null, own))
    return _problem(top, conjoin(own), facts) if asked and own else None


def always(top: Filter) -> Moved | None:
    """Whether every row passes ``top``, as the problem of its negation; None if it need not be asked."""
    own, facts = _own(top), _facts(top.child)
    known = {name for f in facts for name in columns_of(f)}
    if top.unread is not None or not own or not all(columns_of(c) <= known and columns_of(c) for c in own):
        return None
    return _problem(top, Not(IsTrue(conjoin(own))), facts)


def _own(top: Filter) -> tuple[Expr, ...]:
    return tuple(p for c in top.conjuncts for p in conjuncts(c.condition) if c.condition != TRUE)


def _compares_with_null(e: Expr) -> bool:
    operands = (o for n in walk(e) if isinstance(n, Compare) for o in (n.left, n.right))
    return any(isinstance(o, Lit) and o.value is None for o in operands)


def _facts(plan: Plan) -> tuple[Expr, ...]:
    """What the filters below say of the columns of ``plan``."""
    found: list[Expr] = []
    changed: set[str] = set()
    while True:
        if isinstance(plan, Filter):
            said = (p for c in plan.conjuncts for p in conjuncts(c.condition))
            found += [p for p in said if not params_of(p) and not columns_of(p) & changed and p != TRUE]
        elif isinstance(plan, Project) and plan.keeps_others:
            changed |= {name for name, value in plan.columns if value != Col(name)} | set(plan.dropped)
        elif not isinstance(plan, _SAME_ROWS):
            return tuple(dict.fromkeys(found))
        plan = plan.child


def _problem(top: Filter, predicate: Expr, facts: tuple[Expr, ...]) -> Moved | None:
    names = sorted({n for e in (predicate, *facts) for n in columns_of(e)})
    types = {n: type_of_column(top.child, n) for n in names}
    columns = tuple(Column(n, t) for n, t in types.items())
    outputs = tuple(OutputColumn(n, t, Col(n)) for n, t in types.items())
    fold = Fold("filter", "filter", columns, (), (), (), outputs, rows="one", facts=facts)
    boundary = Boundary("filter", None, top.call, top.call.start)
    try:
        asked = over_outputs(predicate, fold)
        fold = refine(with_parameters(fold, asked), asked)
    except Stop:
        return None
    return Moved(RowUdf(top.child, fold, boundary), (top,), FoldProblem(fold, asked), False, ())
