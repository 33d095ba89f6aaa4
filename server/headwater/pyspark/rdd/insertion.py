"""Where a pre-filter of the rows of an RDD goes: right before ``.rdd``, as one of the frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import in_order
from headwater.pyspark.frames.tracked_values import ONE_OF_EACH_NAME, Rdd, TrackedFrame, below
from headwater.python.rdd.method_calls import Call
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import Applied, Boundary, Join, UserCode
from headwater_ir.problem import Fold
from headwater_ir.span import Span

from .effects_below import pure_below


def check_columns(frame: TrackedFrame) -> None:
    """Refuse a join in which two columns may have one name: a row has the first of them."""
    if not _names_differ(frame) and any(isinstance(p, Join) for p in below(frame.plan)):
        # `r.id` of a join is the first column of that name; in a filter of the frame the name is ambiguous.
        raise Refusal("attribute-capture", "which columns the frame has is not known: two may have one name")


def _names_differ(frame: TrackedFrame) -> bool:
    """Whether the program says that no two columns of ``frame`` have one name."""
    return frame.schema.complete or all(isinstance(p, ONE_OF_EACH_NAME) for p in below(frame.plan))


def one_of_each(frame: TrackedFrame, fold: Fold) -> tuple[Assumption, ...]:
    """That the columns that conditions read are the only ones of their names, where the program does not say so."""
    if not _names_differ(frame):
        said = " ".join(a.text for a in fold.assumptions)
        columns = [f"`{c.name}`" for c in fold.columns if not c.ghost]
        names = [n for n in columns if f"no two columns are called {n}" not in said]
        text = f"the frame has one column of each of the names {', '.join(names)}"
        return (Assumption("names", text),) if names else ()
    return ()


def of_rows(fold: Fold, frame: TrackedFrame, reader: ApiContext) -> Fold:
    """``fold`` with what has to be true of the ``frame`` whose rows it is of."""
    assumed = (*one_of_each(frame, fold), *pure_below(frame, reader))
    return replace(fold, assumptions=(*fold.assumptions, *assumed))


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
