"""``mapInPandas`` and ``mapInArrow``: a Python generator over batches of rows."""

from __future__ import annotations

import ast
from collections.abc import Callable

from headwater.pyspark.api.aggregates.groupby import known_facts
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.declared_schema import declared_schema
from headwater.pyspark.api.sources import in_order
from headwater.pyspark.columns.udf import plain_function
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.tracked_values import EVERYTHING, TrackedFrame, Value
from headwater.syntax.refusal import Refusal
from headwater_ir.plan import Boundary, Field, GroupMap, Schema, user_code
from headwater_ir.span import Span


def _map(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    from headwater.python.pandas.map_in_pandas import fold_frame_rows

    assert isinstance(call.func, ast.Attribute)
    operator, ctx = call.func.attr, reader.names.ctx
    given = dict(zip(("func", "schema"), call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    if set(given) != {"func", "schema"} or len(call.args) > 2:
        raise Refusal("opaque", f"`{operator}` with other arguments than a function and a schema", call)
    reader.names.settings.check()
    output = declared_schema(given["schema"], reader)
    if operator == "mapInArrow" and not (
        in_order(frame) and [f.name for f in frame.schema.fields] == [f.name for f in output.fields]
    ):
        raise Refusal("opaque", "whether the columns of a batch stand where they are declared is not known", call)
    definition, known = plain_function(given["func"], reader.names), known_facts(frame)
    fold = reader.world.fold(
        (operator, definition, frame.known_schema, output, known),
        lambda: fold_frame_rows(
            ctx, definition, operator=operator, source=frame.known_schema, output=output, facts=known,
            assume_pure=reader.world.options.assume_pure,
        ),
    )  # fmt: skip
    at = ctx.span(definition)
    code = user_code(operator, at, frame.known_schema, ordered=in_order(frame))
    place = Boundary(operator, definition.name, span, call_spans.receiver_end(ctx, call.func), at, code=code)
    reader.world.bound_at[place] = reader.snapshot()
    schema = Schema(tuple(Field(o.name, o.type) for o in fold.outputs))
    return reader.frame(GroupMap(frame.plan, fold, place), schema, frame, changed=EVERYTHING)


HANDLERS: dict[str, Callable[[TrackedFrame, ast.Call, Span, ApiContext], Value]] = {
    "mapInPandas": _map,
    "mapInArrow": _map,
}
