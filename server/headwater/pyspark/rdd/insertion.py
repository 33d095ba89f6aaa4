"""Where a pre-filter of the rows of an RDD goes: right before ``.rdd``, as one of the frame."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import in_order
from headwater.pyspark.frames.tracked_values import ONE_OF_EACH_NAME, Rdd, TrackedFrame, below
from headwater.python.rdd.method_calls import Call
from headwater.syntax.refusal import Refusal
from headwater_ir.plan import Applied, Boundary, UserCode
from headwater_ir.problem import Fold
from headwater_ir.span import Span


def check_columns(frame: TrackedFrame) -> None:
    """Refuse a frame in which two columns may have one name."""
    if not frame.schema.complete and not all(isinstance(p, ONE_OF_EACH_NAME) for p in below(frame.plan)):
        # `r.id` of a join is the first column of that name; in a filter of the frame the name is ambiguous.
        raise Refusal("attribute-capture", "which columns the frame has is not known: two may have one name")


def place_of(
    fold: Fold, span: Span, rdd: Rdd, calls: Sequence[Call], reader: ApiContext, how: str = "rdd",
    outputs: tuple[str, ...] = (),
) -> Boundary:  # fmt: skip
    """The boundary that ``fold`` is, at ``span``, made of ``calls``. ``outputs``: the parts of an element by name, if
    they have other names than the fold's."""
    ctx = reader.names.ctx
    definition = None if fold.name == "<lambda>" else ctx.function(fold.name)
    at = ctx.span(definition) if definition else None
    steps = tuple(Applied(c.method, tuple(map(ctx.span, c.arguments))) for c in calls)
    code = UserCode(how, steps, rdd.frame.known_schema, in_order(rdd.frame), outputs=outputs)
    place = Boundary(fold.api, fold.name if definition else None, span, rdd.insert_at, at, code=(code,))
    reader.world.bound_at[place] = rdd.bound
    return place
