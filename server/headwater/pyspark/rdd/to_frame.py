"""RDDs that become frames: ``rdd.toDF("a long, b string")``, ``spark.createDataFrame(rdd, schema)``.

The chain below is a boundary whose outputs are the columns; a pre-filter of them goes right before ``.rdd``. Why, and
why only where the schema says the types: ``python/rdd/to_frame.py``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from headwater.pyspark.api.aggregates.groupby import known_facts
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.declared_schema import declared_schema
from headwater.pyspark.api.sources import in_order, resolve_literal
from headwater.pyspark.frames.tracked_values import EVERYTHING, Rdd, TrackedFrame, Unevaluated, Value
from headwater.python.rdd.fold_by_key import fold_pairs
from headwater.python.rdd.method_calls import AGGREGATORS
from headwater.python.rdd.row_objects import Columns
from headwater.python.rdd.to_frame import fold_elements, typed_fold
from headwater.python.values.scope import Scope
from headwater.syntax.refusal import Refusal
from headwater_ir.plan import Field, GroupMap, Schema
from headwater_ir.span import Span

from .insertion import check_columns, of_rows, place_of


def to_frame(rdd: Rdd, call: ast.Call, reader: ApiContext) -> Value:
    """``rdd.toDF(schema)``."""
    return _made(rdd, call, call.args, reader)


def created(call: ast.Call, given: Sequence[Value], reader: ApiContext) -> TrackedFrame | None:
    """``spark.createDataFrame(rdd, schema)``; None if it makes a frame of something else."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "createDataFrame" or not call.args:
        return None
    rdd = given[0]
    made = _made(rdd, call, call.args[1:], reader) if isinstance(rdd, Rdd) else None
    return made if isinstance(made, TrackedFrame) else None


def _made(rdd: Rdd, call: ast.Call, arguments: Sequence[ast.expr], reader: ApiContext) -> Value:
    if rdd.source is not None:
        return Unevaluated(call)  # which shows itself as a frame, of unknown columns, where it is used as one
    span = Span(rdd.start, reader.names.ctx.span(call).end)
    try:
        return _typed(rdd, call, _schema(call, arguments, reader), reader)
    except Refusal as refusal:
        return reader.opaque(rdd.frame, refusal, span)


def _schema(call: ast.Call, arguments: Sequence[ast.expr], reader: ApiContext) -> Schema:
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr in reader.names.patches.methods:
        raise Refusal("opaque", f"the file replaces `{call.func.attr}`", call)
    given = [*arguments, *(k.value for k in call.keywords if k.arg == "schema")]
    if len(given) > 1 or len(given) < len(arguments) + len(call.keywords):
        raise Refusal("opaque", f"`{call.func.attr}` with other arguments than a schema", call)
    node = resolve_literal(given[0], reader) if given else None
    if node is None or isinstance(node, (ast.List, ast.Tuple)):
        raise Refusal("may-throw", "without types a schema is inferred, of which an emptied RDD has none", call)
    if isinstance(node, ast.Constant) and re.search(r"\bchar\s*\(|\bvarchar\s*\(", str(node.value).lower()):
        raise Refusal("opaque", "what becomes of a text of limited length", call)
    return declared_schema(node, reader)


def _typed(rdd: Rdd, call: ast.Call, schema: Schema, reader: ApiContext) -> TrackedFrame:
    names, frame, ctx = reader.names, rdd.frame, reader.names.ctx
    if rdd.refusal is not None:
        raise rdd.refusal
    if rdd.plan is not None:
        raise Refusal("opaque", "a filter of the elements stands between the aggregation and the frame", call)
    names.settings.check()
    check_columns(frame)
    columns, facts, pure = (
        Columns(frame.known_schema, in_order(frame)),
        known_facts(frame),
        reader.world.options.assume_pure,
    )
    if any(c.method in AGGREGATORS for c in rdd.calls):
        fold, elements = fold_pairs(
            ctx, names, rdd.calls, columns=columns, facts=facts, assume_pure=pure, declared=schema
        )  # fmt: skip
        fold = typed_fold(Scope(ctx, names, pure), fold, elements, schema)
    else:
        fold = fold_elements(ctx, names, rdd.calls, schema, columns=columns, facts=facts, assume_pure=pure)
    fold = of_rows(fold, frame, reader)
    last = ctx.span(rdd.calls[-1].node).end if rdd.calls else rdd.end
    place = place_of(fold, Span(rdd.start, last), rdd, rdd.calls, reader, outputs=tuple(f.name for f in schema.fields))
    made = Schema(tuple(Field(f.name, f.type) for f in schema.fields))
    return reader.frame(GroupMap(frame.plan, fold, place), made, frame, changed=EVERYTHING)
