"""Where a pre-filter of the rows of an RDD goes: right before ``.rdd``, as one of the frame."""

from __future__ import annotations

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.tracked_values import ONE_OF_EACH_NAME, Rdd, TrackedFrame, below
from headwater.syntax.refusal import Refusal
from headwater_ir.plan import Boundary
from headwater_ir.problem import Fold
from headwater_ir.span import Span


def check_columns(frame: TrackedFrame) -> None:
    """Refuse a frame in which two columns may have one name."""
    if not frame.schema.complete and not all(isinstance(p, ONE_OF_EACH_NAME) for p in below(frame.plan)):
        # `r.id` of a join is the first column of that name; in a filter of the frame the name is ambiguous.
        raise Refusal("attribute-capture", "which columns the frame has is not known: two may have one name")


def place_of(fold: Fold, span: Span, rdd: Rdd, reader: ApiContext) -> Boundary:
    """The boundary that ``fold`` is, at ``span``."""
    ctx = reader.names.ctx
    definition = None if fold.name == "<lambda>" else ctx.function(fold.name)
    place = Boundary(
        fold.api, fold.name if definition else None, span, rdd.insert_at, ctx.span(definition) if definition else None
    )
    reader.world.bound_at[place] = rdd.bound
    return place
