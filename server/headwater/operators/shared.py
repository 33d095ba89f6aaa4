"""Shared: a frame with several consumers.

Law: ``σ_P(d)`` and ``σ_Q(d)`` over one ``d`` allow what ``σ_{P ∨ Q}(d)`` allows, and both filters stay as they are.
Condition: every consumer of ``d`` is a filter, this one with nothing in between, and none of them may raise.
Why sound: where P is TRUE, so is P ∨ Q, whatever Q is; so ``σ_P(d) = σ_P(σ_{P ∨ Q}(d))``, and rows that ``σ_{P ∨ Q}``
drops are rows that nobody sees. With more than two consumers likewise.
Counterexample: ``big = agg.filter(x > 9); print(agg.count())``: a pre-filter below ``agg`` changes the count.
Reference: SPARK-58696, sqlglot#536, polars#27748; ANCHORS.md, item 15; THEORY.md section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from headwater_ir.expr import Expr, Or, conjoin
from headwater_ir.plan import Filter, Plan, Shared, Way

from .outcome import Stop, may_raise
from .protocol import Inputs, Operator, same_columns


def through(predicate: Expr, node: Shared, inputs: Inputs) -> NoReturn:
    """No filter passes alone; all of them may ``together``."""
    raise _stop(node)


def together(node: Shared, between: Sequence[Plan]) -> tuple[Expr, list[Filter]]:
    """What all consumers of the frame ask for together, and their filters; Stop unless all are filters. ``between``:
    what stands between the filter and the frame."""
    if node.filters is None or between:
        raise _stop(node)
    wanted = tuple(dict.fromkeys(conjoin(tuple(c.condition for c in f.conjuncts)) for f in node.filters))
    if any(map(may_raise, wanted)):
        raise Stop("may-throw", "a frame is shared, and a filter on it may raise")
    return wanted[0] if len(wanted) == 1 else Or(wanted), list(node.filters)


def ways(filters: Sequence[Filter]) -> tuple[Way, ...] | None:
    """Every way that the rows of a frame take whose consumers are ``filters``; None if not all are known."""
    found = [f.ways for f in filters]
    return tuple(w for of_one in found if of_one is not None for w in of_one) if None not in found else None


def _stop(node: Shared) -> Stop:
    reason = f"the frame below the filter has {node.consumers} consumers, and the others need every row"
    return Stop("shared-subplan", reason)


OPERATOR = Operator(Shared, "shared", through, same_columns, renames=lambda _: False, rows_of_input=True)
