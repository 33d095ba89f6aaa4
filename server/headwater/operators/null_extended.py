"""Filters that reject the rows that an outer join makes up: all columns of one side NULL.

Law: ``σ_P(a ⟕ b) = σ_P(a ⟕ σ_P(b))`` for a P over columns of b that is not TRUE where they all are NULL.
Why sound: a row of a that finds no partner any more is shown with NULLs, which P drops, and before it was shown with
partners that P dropped. Spark makes an inner join of such a one.
"""

from __future__ import annotations

from headwater.semantics.interpreter import Env, EvaluationError, holds
from headwater_ir.expr import Call, Col, Compare, Expr, In, Param, StringTest, columns_of, conjuncts, walk


def rejects_nulls(predicate: Expr, nulls: frozenset[str] | None = None) -> bool:
    """Whether ``predicate`` is not TRUE, whatever the driver variables in it, where the columns ``nulls`` are NULL: all
    that it reads, if none are given."""
    return any(_rejects(part, columns_of(part) if nulls is None else nulls) for part in conjuncts(predicate))


def _rejects(part: Expr, nulls: frozenset[str]) -> bool:
    match part:
        case Compare(left=left, right=right, dialect="sql"):
            if any(isinstance(side, Col) and side.name in nulls for side in (left, right)):
                return True
        case In(operand=Col(name), dialect="sql") | StringTest(text=Col(name), dialect="sql") if name in nulls:
            return True
    if not columns_of(part) <= nulls or any(isinstance(n, (Param, Call)) for n in walk(part)):
        return False
    try:
        return bool(columns_of(part)) and not holds(part, Env(row=dict.fromkeys(columns_of(part), None)))
    except EvaluationError:
        return False
