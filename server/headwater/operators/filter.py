"""Filter: ``σ_P(σ_Q(d)) = σ_{P ∧ Q}(d)``.

Condition: both conditions are deterministic (the front end makes any other ``Opaque``).
Why sound: a row passes both filters iff P and Q are TRUE on it, and a conjunction is TRUE iff both are; so P ∧ Q may be
moved as one. Evaluating P where Q is not TRUE may raise where the original did not: the verification condition
*Safe* is
about P ∧ Q with Q first, left to right.
A condition of which some conjuncts have no model, Q', keeps rows by P ∧ Q': P moves alone, and the whole filter
stays as it is. Evaluating P on a row that Q' would have dropped before must not raise: the proof excuses what follows
an error of the original, and here the original may raise none.
Without determinism: ``σ_{x > 0.5}`` over ``σ_{rand() > 0.5}`` draws again.
Reference: DataFusion, ``push_down_filter``; THEORY.md section 5.
"""

from __future__ import annotations

from headwater_ir.expr import Expr, columns_of, conjoin, conjuncts
from headwater_ir.plan import Filter

from .outcome import Stop, may_raise
from .protocol import UNKNOWN, Columns, Inputs, Operator, Reads


def condition(node: Filter) -> Expr:
    """The condition of a filter, as one expression; Stop if nothing of it has a meaning."""
    found = conjoin(tuple(c.condition for c in node.conjuncts))
    if node.unread is not None and not node.conjuncts:
        raise Stop("opaque", node.unread)
    return _beside_unread(found, node)


def through(predicate: Expr, node: Filter, inputs: Inputs) -> Expr:
    """``predicate`` after ``node``, as one predicate below it; the lower filter is evaluated first."""
    own = (c for part in node.conjuncts for c in conjuncts(part.condition))
    return _beside_unread(conjoin((*own, *conjuncts(predicate))), node)


def past(predicate: Expr) -> Expr:
    """``predicate`` below a filter that it leaves alone: unchanged, if it cannot raise on rows which that one drops."""
    if may_raise(predicate):
        raise Stop("may-throw", "the filter may raise on rows that another filter drops")
    return predicate


def _beside_unread(predicate: Expr, node: Filter) -> Expr:
    if node.unread is not None and may_raise(predicate):
        raise Stop("may-throw", f"the filter may raise on rows that another condition drops: {node.unread}")
    return predicate


def columns(node: Filter) -> Columns:
    """Those of the input, of which the condition names some; a Python function may name what there is not."""
    return Columns({}, node.child, read=_named(node) if node.style not in ("python", "driver") else frozenset())


def reads(node: Filter) -> Reads | None:
    """The columns of the condition, if all of it has a meaning."""
    return Reads(_named(node)) if node.unread is None else UNKNOWN


def _named(node: Filter) -> frozenset[str]:
    return frozenset[str]().union(*(columns_of(c.condition) for c in node.conjuncts))


OPERATOR = Operator(Filter, "filter", through, columns, reads, renames=lambda _: False, rows_of_input=True)
