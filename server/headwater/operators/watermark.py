"""Watermark: ``withWatermark(column, delay)``, how long a stream waits for late rows.

Law: ``σ_P(ω(d)) = ω(σ_P(d))``.
Condition: d is known to be no stream: all of its sources are files that ``spark.read`` reads, or rows that the program
makes. A table may be a view of a stream, and an operator without a model may bring one in.
Why sound: of anything but a stream a watermark keeps every row as it is; Spark takes it out of the plan.
Counterexample without the condition: over a stream the watermark is the greatest time seen less the delay, and rows
behind it are dropped by aggregates above. Of ``12:00 x = 1``, ``13:00 x = 1`` and then ``10:00 x = 9`` the last is too
late for a delay of an hour; with ``x > 5`` first it is the first row seen, and is counted.
Reference: Spark ``EliminateEventTimeWatermark``; ``PushPredicateThroughNonJoin``, which moves conditions on other
columns than the time below a watermark, of streams too; facts, section C *m21*, *m21b*.
"""

from __future__ import annotations

from headwater_ir.expr import Expr
from headwater_ir.plan import Opaque, Plan, Scan, Watermark
from headwater_ir.walks import below, inputs

from .outcome import Stop
from .protocol import Inputs, Operator, Reads, same_columns

_MAY_STREAM = frozenset({"unknown", "table"})
"""Formats of sources that may be streams."""


def through(predicate: Expr, node: Watermark, _: Inputs) -> Expr:
    """``predicate`` below ``node``: unchanged, if no source is a stream."""
    if not all(map(_is_batch, below(node.child))):
        raise Stop("opaque", "the frame may be a stream, and what passes `withWatermark` moves its watermark")
    return predicate


def _is_batch(plan: Plan) -> bool:
    """Whether ``plan`` itself brings in no stream; an operator without a model may have inputs of its own."""
    if isinstance(plan, Scan):
        return plan.format not in _MAY_STREAM
    return bool(inputs(plan)) and not isinstance(plan, Opaque)


OPERATOR = Operator(
    Watermark, "watermark", through, same_columns, lambda node: Reads(frozenset({node.column})),
    renames=lambda _: False, rows_of_input=True,
)  # fmt: skip
