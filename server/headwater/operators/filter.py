"""Filter: ``σ_P(σ_Q(d)) = σ_{P ∧ Q}(d)``.

Condition: both conditions are deterministic (the front end makes any other ``Opaque``).
Why sound: a row passes both filters iff P and Q are TRUE on it, and a conjunction is TRUE iff both are; so P ∧ Q may be
moved as one. Evaluating P where Q is not TRUE may raise where the original did not: the verification condition
*Safe* is
about P ∧ Q with Q first, left to right.
Without determinism: ``σ_{x > 0.5}`` over ``σ_{rand() > 0.5}`` draws again.
Reference: DataFusion, ``push_down_filter``; THEORY.md section 5.
"""

from __future__ import annotations

from headwater_ir.expr import Expr, conjoin, conjuncts
from headwater_ir.plan import Filter


def condition(node: Filter) -> Expr:
    """The condition of a filter, as one expression."""
    return conjoin(tuple(c.condition for c in node.conjuncts))


def through(predicate: Expr, node: Filter) -> Expr:
    """``predicate`` after ``node``, as one predicate below it; the lower filter is evaluated first."""
    return conjoin((*conjuncts(condition(node)), *conjuncts(predicate)))
