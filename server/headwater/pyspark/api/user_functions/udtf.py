"""Table arguments and Python UDTF classes: ``Top2(df.asTable().partitionBy("k"))``.

``@udtf(returnType=…) class Top2``, ``top2 = udtf(Top2, returnType=…)`` and ``udtf(Top2, returnType=…)(table)``.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.pyspark.api.aggregates import groupby
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import resolve_literal
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.schema import read_schema
from headwater.pyspark.frames.tracked_values import (
    EVERYTHING,
    TableArgument,
    TrackedFrame,
    Unevaluated,
    Unknown,
    Value,
    below,
)
from headwater.python.udtf.udtf import Call, fold_table_function
from headwater.syntax.names.resolve import Names
from headwater.syntax.names.spark_conf import ADAPTIVE
from headwater.syntax.names.spark_versions import ARROW_UDTF_CASTS
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import Boundary, Field, Filter, GroupMap, Plan, Project, RowUdf, Scan, Schema, View, user_code
from headwater_ir.span import Span
from headwater_ir.walks import causes_below


def as_table(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> TableArgument:
    """``frame.asTable()``."""
    assert isinstance(call.func, ast.Attribute)
    end, refusal = 0, None
    try:
        end = call_spans.receiver_end(reader.names.ctx, call.func)
        if call.args or call.keywords:
            raise Refusal("opaque", "`asTable` with arguments", call)
    except Refusal as r:
        refusal = r
    return TableArgument(frame, (), end, reader.snapshot(), call.func, refusal)


def method(table: TableArgument, call: ast.Call, reader: ApiContext) -> Value:
    """``table.partitionBy(…)``, ``.orderBy(…)``, ``.withSinglePartition()``."""
    assert isinstance(call.func, ast.Attribute)
    match call.func.attr:
        case "partitionBy":
            try:
                return replace(table, keys=(*table.keys, *groupby.grouping_keys(table.frame, call, reader)))
            except Refusal as refusal:
                return replace(table, refusal=table.refusal or refusal)
        case "withSinglePartition":
            return replace(table, single=True)
        case "orderBy":
            return table  # what holds for every order of the rows holds for this one
    return Unknown(f"the result of `{call.func.attr}`", never_frame=True)


def call_with_table(table: TableArgument, call: ast.Call, reader: ApiContext) -> TrackedFrame:
    """What a call with a table argument yields."""
    ctx = reader.names.ctx
    span = ctx.span(call)
    try:
        receiver = table.receiver
        span = Span(call_spans.call_span(ctx, _whole(receiver)).start, span.end)
        if table.refusal is not None:
            raise table.refusal
        return _boundary(table, call, span, reader)
    except Refusal as refusal:
        return reader.opaque(table.frame, refusal, span)


def _whole(receiver: ast.expr) -> ast.Call:
    return ast.copy_location(ast.Call(receiver, [], []), receiver)


def _boundary(table: TableArgument, call: ast.Call, span: Span, reader: ApiContext) -> TrackedFrame:
    if len(call.args) + len(call.keywords) != 1:
        raise Refusal("opaque", "a table function with arguments beside the table", call)
    if not (table.keys or table.single):
        raise Refusal("opaque", "without `partitionBy` or `withSinglePartition` each task has rows of its own", call)
    if table.keys and table.single:
        raise Refusal("may-throw", "`partitionBy` with `withSinglePartition`", call)
    frame = table.frame
    if "stream" in causes_below(frame.plan):
        raise Refusal("opaque", "a table function over a stream")
    made, given = definition(call.func, reader)
    place = place_of(made, frame, span, table.insert_at, reader)
    reader.world.bound_at[place] = table.bound
    return applied(frame, made, use_of(frame, table.keys, given, reader), place, reader)


def place_of(made: ast.ClassDef, frame: TrackedFrame, span: Span, insert_at: int, reader: ApiContext) -> Boundary:
    """The place of a call of the class ``made`` with the rows of ``frame``."""
    at = reader.names.ctx.span(made)
    return Boundary("udtf", made.name, span, insert_at, at, code=user_code("udtf", at, frame.known_schema))


def use_of(frame: TrackedFrame, keys: tuple[str, ...], given: dict[str, ast.expr], reader: ApiContext) -> Call:
    """How a class is called with the rows of ``frame``, partitioned by ``keys``; ``given``: how it was made a UDTF."""
    output = _return_type(given.get("returnType"), reader)
    for f in output.fields:
        reader.names.spell(f.name)
    arrow = _arrow(given.get("useArrow"), reader.names)
    return Call(
        keys, frame.known_schema, output, arrow, _no_empty_task(frame.plan, reader.names),
        groupby.known_facts(frame), reader.world.options.assume_pure,
    )  # fmt: skip


def applied(
    frame: TrackedFrame, made: ast.ClassDef, use: Call, place: Boundary, reader: ApiContext,
    assumptions: tuple[Assumption, ...] = (),
) -> TrackedFrame:  # fmt: skip
    """What the class ``made`` yields, called so. ``assumptions``: what the call rests on besides its fold."""
    fold = reader.world.fold((made, use), lambda: fold_table_function(reader.names.ctx, made, use))
    fold = replace(fold, assumptions=(*fold.assumptions, *assumptions)) if assumptions else fold
    schema = Schema(tuple(Field(o.name, o.type) for o in fold.outputs))
    return reader.frame(GroupMap(frame.plan, fold, place), schema, frame, changed=EVERYTHING)


def _no_empty_task(plan: Plan, names: Names) -> Assumption | None:
    """What to assume for Spark to run no task without rows: it must shuffle right above ``plan``. None where a join or
    an aggregate may have placed the rows already, so that it does not."""
    parts = list(below(plan))
    source = parts[-1]
    plain = all(isinstance(p, (Scan, Filter, Project, RowUdf, View)) for p in parts)
    if not plain or not isinstance(source, Scan) or source.format == "unknown":
        return None
    if names.settings.may_be(ADAPTIVE, "false"):
        return None
    set_here = names.settings.may_be(ADAPTIVE, "true")
    adaptive = "Spark runs no task on an empty partition: adaptive execution is on, as it is by default"
    placed = ", and the table is not bucketed by the partitioning columns, nor a view shuffled by them"
    if source.format == "table":
        return Assumption("setting", adaptive + placed)
    return Assumption("note" if set_here else "setting", adaptive)


def definition(node: ast.expr, reader: ApiContext) -> tuple[ast.ClassDef, dict[str, ast.expr]]:
    """The class that ``node`` calls, and how it was made a UDTF."""
    ctx = reader.names.ctx
    if isinstance(node, ast.Name):
        bound = reader.lookup(node.id)
        if bound is not None and isinstance(bound.value, Unevaluated) and node.id not in reader.names.rebound:
            return definition(bound.value.node, reader)
        decorated = _class(node, reader)
        marks = [d for d in decorated.decorator_list if _is_udtf(d, reader)]
        if len(decorated.decorator_list) != 1 or not marks or not isinstance(marks[0], ast.Call):
            raise Refusal("opaque", f"`{decorated.name}` is not declared as a UDTF with a return type", decorated)
        return decorated, _keywords(marks[0])
    if isinstance(node, ast.Call) and _is_udtf(node, reader):
        given = _keywords(node)
        if node.args:
            given["cls"] = node.args[0]
        target = given.get("cls")
        if target is None or not isinstance(target, ast.Name):
            raise Refusal("opaque", f"`{ctx.text(node)}` names no class of this file", node)
        plain = _class(target, reader)
        if plain.decorator_list:
            raise Refusal("opaque", f"`{plain.name}` is decorated", plain)
        return plain, given
    raise Refusal("opaque", f"`{ctx.text(node)}` is not a UDTF class of this file", node)


def _class(node: ast.Name, reader: ApiContext) -> ast.ClassDef:
    found = reader.names.ctx.class_definition(node.id)
    if found is None or node.id in reader.names.imported | reader.names.rebound | reader.names.mutated:
        raise Refusal("opaque", f"`{node.id}` is not one class of this file", node)
    return found


def _is_udtf(node: ast.expr, reader: ApiContext) -> bool:
    return reader.names.function(node.func if isinstance(node, ast.Call) else node) == "udtf"


def _keywords(call: ast.Call) -> dict[str, ast.expr]:
    given = {k.arg: k.value for k in call.keywords if k.arg}
    if not set(given) <= {"cls", "returnType", "useArrow"} or len(given) != len(call.keywords) or len(call.args) > 1:
        raise Refusal("opaque", "a UDTF made with arguments that are not known", call)
    return given


def _return_type(node: ast.expr | None, reader: ApiContext) -> Schema:
    if node is None:
        raise Refusal("opaque", "a UDTF without a return type")
    if isinstance(node, ast.Name) and reader.names.resolve(node) is None:
        constant = reader.names.ctx.constant(node.id)
        unchanged = node.id not in reader.names.mutated | reader.names.rebound
        node = constant if constant is not None and unchanged else node
    return read_schema(resolve_literal(node, reader), reader.names.resolve)


def _arrow(node: ast.expr | None, names: Names) -> bool | None:
    """Whether results are cast as Arrow does; None if that is not known, or depends on the version."""
    if not names.settings.targets.all_have(ARROW_UDTF_CASTS):
        return None
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None
