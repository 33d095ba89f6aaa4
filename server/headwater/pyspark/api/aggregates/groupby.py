"""Grouped frames: ``groupBy(keys)`` followed by native aggregates, ``applyInPandas`` or ``applyInArrow``."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.declared_schema import declared_schema
from headwater.pyspark.api.sources import in_order
from headwater.pyspark.api.user_functions.pandas_udf import SeriesUse, series_uses
from headwater.pyspark.columns import session_windows
from headwater.pyspark.columns.udf import plain_function
from headwater.pyspark.frames import call_spans, row_facts
from headwater.pyspark.frames.constant_text import given_items
from headwater.pyspark.frames.tracked_values import EVERYTHING, Grouped, TrackedFrame, Value
from headwater.syntax.names.pyspark_methods import GROUPED, bind
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import Col, Expr
from headwater_ir.plan import (
    UNKNOWN_SCHEMA,
    Aggregate,
    Boundary,
    Field,
    GroupingSets,
    GroupMap,
    Pivot,
    Schema,
    user_code,
)
from headwater_ir.problem import Fold
from headwater_ir.span import Span
from headwater_ir.struct_fields import path_of_column
from headwater_ir.walks import causes_below

from . import pivots
from .aggregate import fold_aggregates
from .aggregate_calls import Aggregates, read_aggregates, shorthand
from .grouping_sets import plan_of
from .unknown_keys import AGGREGATIONS, unnamed_keys


def group(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> Grouped:
    """``frame.groupBy(keys)``."""
    assert isinstance(call.func, ast.Attribute)
    end, refusal, unnamed = 0, None, None
    keys: tuple[str, ...] = ()
    try:
        end = call_spans.receiver_end(reader.names.ctx, call.func)
        keys = grouping_keys(frame, call, reader)
    except Refusal as r:
        refusal, unnamed = r, unnamed_keys(frame, call, reader) if end else None
    return Grouped(frame, keys, end, reader.snapshot(), call.func, refusal, unnamed=unnamed)


def grouping_sets(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> Grouped:
    """``frame.rollup(keys)``, ``cube``, ``groupingSets``."""
    assert isinstance(call.func, ast.Attribute)
    end, keys = 0, tuple[str, ...]()
    if call.func.attr in ("rollup", "cube"):
        try:
            end = call_spans.receiver_end(reader.names.ctx, call.func)
            keys = grouping_keys(frame, call, reader)
        except Refusal:
            keys = ()
    return Grouped(frame, keys, end, reader.snapshot(), call.func, special="grouping sets")


def grouping_keys(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> tuple[str, ...]:
    """The columns that a call names to group or partition by; Refusal if they are not plain columns."""
    args = given_items(call, reader.names, reader.lookup)
    if call.keywords or any(isinstance(a, ast.Starred) for a in args):
        raise Refusal("opaque", "the grouping keys are not written out", call)
    columns = reader.columns(frame)
    keys: list[str] = []
    for arg in args:
        term = columns.column(arg, text_is_name=True)
        if term.name is None or term.expr != Col(term.name):
            # `groupBy(a + 1 as a)`: the key has the name of a column but not its values.
            raise Refusal("attribute-capture", f"the grouping key `{reader.names.ctx.text(arg)}` is computed", arg)
        keys.append(term.name)
    if len(set(keys)) != len(keys):
        raise Refusal("attribute-capture", "the same grouping key twice", call)
    return tuple(keys)


def method(grouped: Grouped, call: ast.Call, reader: ApiContext) -> Value:
    """``grouped.method(…)``."""
    assert isinstance(call.func, ast.Attribute)
    span = reader.names.ctx.span(call)
    try:
        span = Span(call_spans.call_span(reader.names.ctx, _group_call(grouped)).start, span.end)
        if grouped.refusal is not None and not (grouped.unnamed and call.func.attr in AGGREGATIONS):
            raise grouped.refusal
        if grouped.special is not None:
            told = without_sessions(grouped, reader)
            if grouped.pivoted and (of_cases := pivots.aggregates(told, grouped.pivoted, call, reader)) is not None:
                place = Boundary(call.func.attr, None, span, grouped.insert_at)
                return aggregated(replace(told, special=None), of_cases, place, reader)
            plan = _special(grouped, grouped.special, call, span, reader)
            if isinstance(plan, Pivot):
                return reader.frame(plan, _keys_of(grouped), grouped.frame, kept=frozenset(grouped.keys))
            return reader.frame(plan, UNKNOWN_SCHEMA, grouped.frame, changed=EVERYTHING)
        name = call.func.attr
        if name not in ("applyInPandas", "applyInArrow"):  # those do not merge sessions
            grouped = without_sessions(grouped, reader)
        if name in reader.names.patches.methods:
            raise Refusal("opaque", f"the file replaces `{name}`", call)
        if name in GROUPED:
            bind(GROUPED[name], call)
        if name == "agg":
            return _agg(grouped, call, span, reader)
        if name in ("max", "min", "sum", "avg", "mean", "count"):
            found = shorthand(grouped.frame, name, call, reader)
            return aggregated(grouped, found, Boundary(name, None, span, grouped.insert_at), reader)
        if name in ("applyInPandas", "applyInArrow"):
            return _group_map(grouped, call, span, reader)
        if name == "pivot":
            listed = len(call.args) + len(call.keywords) > 1
            picked = pivots.pivoted(grouped.frame, call, reader) if listed and grouped.keys else None
            return replace(grouped, special="listed pivot" if listed else "pivot", pivoted=picked)
        return reader.opaque(grouped.frame, Refusal("opaque", f"`groupBy().{name}` has no model"), span)
    except Refusal as refusal:
        return reader.opaque(grouped.frame, refusal, span)


def without_sessions(grouped: Grouped, reader: ApiContext) -> Grouped:
    """``grouped``, with what is assumed for its keys to be functions of their rows; Refusal if one may be a session
    window, which an aggregation merges with those that it overlaps."""
    plan, outside = grouped.frame.plan, session_windows.from_outside(reader.names)
    unknown = []
    for key in grouped.keys or ((None,) if grouped.unnamed else ()):
        match session_windows.origin_of(plan, key, outside):
            case "session":
                why = f"{_the_key(key)} is not known to be a function of its row: a session window merges rows"
                raise Refusal("row-context", why)
            case "unknown":
                unknown.append(_the_key(key))
    if not unknown:
        return grouped
    return replace(grouped, assumptions=tuple(Assumption("keys", f"{key} is not a session window") for key in unknown))


def _the_key(key: str | None) -> str:
    return "a grouping key" if key is None else f"the grouping key `{key}`"


def _keys_of(grouped: Grouped) -> Schema:
    """The columns that a pivot has for certain: its keys, as they were."""
    source = grouped.frame
    known = [(k, source.schema.field(k)) for k in grouped.keys]
    return Schema(tuple(Field(k, f.type if f else source.rest(k)) for k, f in known), complete=False)


def _special(grouped: Grouped, special: str, call: ast.Call, span: Span, reader: ApiContext) -> GroupingSets | Pivot:
    if special == "grouping sets":
        return plan_of(grouped, call, span, reader)
    return Pivot(grouped.frame.plan, grouped.keys, special == "listed pivot", span)


def _group_call(grouped: Grouped) -> ast.Call:
    # Only the dot matters, and that stands before the name of the method.
    receiver = grouped.receiver
    return ast.Call(receiver, [], [], lineno=receiver.lineno, col_offset=receiver.col_offset,
                    end_lineno=receiver.end_lineno, end_col_offset=receiver.end_col_offset)  # fmt: skip


def global_aggregate(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> Value:
    """``frame.agg(…)``: one row, even for an empty input."""
    assert isinstance(call.func, ast.Attribute)
    end = call_spans.receiver_end(reader.names.ctx, call.func)
    grouped = Grouped(frame, (), end, reader.snapshot(), call.func)
    return _agg(grouped, call, call_spans.call_span(reader.names.ctx, call), reader)


def _agg(grouped: Grouped, call: ast.Call, span: Span, reader: ApiContext) -> TrackedFrame:
    uses = series_uses(grouped.frame, call, reader)
    if uses is not None and grouped.refusal is not None:
        raise grouped.refusal
    if uses is not None:
        return _series_aggregates(grouped, uses, span, reader)
    found = read_aggregates(grouped.frame, grouped.keys, call, reader)
    return aggregated(grouped, found, Boundary("agg", None, span, grouped.insert_at), reader)


def aggregated(grouped: Grouped, found: Aggregates, place: Boundary, reader: ApiContext) -> TrackedFrame:
    """``grouped`` with the outputs ``found``."""
    frame = grouped.frame
    for result in found.results:
        reader.names.spell(result.name)
    fold = fold_aggregates(
        "agg" if place.sql_where else place.operator, found.natives, found.results, keys=grouped.keys,
        source=frame.known_schema, facts=frame.facts, no_nulls=frame.no_nulls, grouped=_is_grouped(grouped),
        columns_facts=row_facts.present,
    )  # fmt: skip
    if grouped.unnamed:
        fold = replace(fold, assumptions=(*fold.assumptions, grouped.unnamed))
    return _result(Aggregate, grouped, fold, place, reader)


def _is_grouped(grouped: Grouped) -> bool:
    """``groupBy()`` without keys is a global aggregate."""
    return bool(grouped.keys) or grouped.unnamed is not None


def _result(
    node: type[Aggregate] | type[GroupMap], grouped: Grouped, fold: Fold, boundary: Boundary, reader: ApiContext
) -> TrackedFrame:
    check_input(node, grouped)
    fold = replace(fold, assumptions=(*fold.assumptions, *grouped.assumptions))
    reader.world.bound_at[boundary] = grouped.bound
    schema = Schema(
        tuple(Field(o.name, o.type) for o in fold.outputs if not path_of_column(o.name)),
        complete=grouped.unnamed is None,
    )
    plan = node(grouped.frame.plan, fold, boundary)
    if node is GroupMap:
        return reader.frame(plan, schema, grouped.frame, changed=EVERYTHING)
    return reader.frame(plan, schema, grouped.frame, kept=frozenset(grouped.keys))


def check_input(node: type[Aggregate] | type[GroupMap], grouped: Grouped) -> None:
    """Refuse groups of a stream, and those that may be made of what is made of them."""
    causes = causes_below(grouped.frame.plan)
    if "stream" in causes:
        # What an update-mode sink sees depends on which groups a batch touches, not only on their values.
        raise Refusal("opaque", "an aggregate over a stream keeps state between batches")
    if node is GroupMap and "loop" in causes:
        # Next time its input may be its own output, without the columns that a function reads from rows that come.
        raise Refusal("opaque", "the groups may be those of its own result: the frame is assigned in a loop")


# --- grouped pandas and Arrow functions


def _group_map(grouped: Grouped, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    from headwater.python.key_flow.group_functions import fold_group_frames

    operator = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    given = dict(zip(("func", "schema"), call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    function, declared = given.get("func"), given.get("schema")
    if function is None or declared is None:
        raise Refusal("opaque", f"`{operator}` without a function and a schema", call)
    output = declared_schema(declared, reader)
    definition = definition_of(function, reader.names)
    frame = grouped.frame
    known = known_facts(frame)
    fold, *of_keys = reader.world.all_folds(
        (operator, definition, frame.known_schema, grouped.keys, output, known),
        lambda: fold_group_frames(
            reader.names.ctx, definition, source=frame.known_schema, keys=grouped.keys, output=output,
            facts=known, assume_pure=reader.world.options.assume_pure, arrow=operator == "applyInArrow",
        ),
    )  # fmt: skip
    at = reader.names.ctx.span(definition)
    required = tuple(f.name for f in output.fields if not f.nullable)
    code = user_code(operator, at, frame.known_schema, ordered=in_order(frame), keys=grouped.keys, required=required)
    place = Boundary(operator, definition.name, span, grouped.insert_at, at, code=code)
    made = _result(GroupMap, grouped, fold, place, reader)
    if of_keys and isinstance(made.plan, GroupMap):
        whole = replace(of_keys[0], assumptions=(*of_keys[0].assumptions, *grouped.assumptions))
        return replace(made, plan=replace(made.plan, whole=whole))
    return made


def definition_of(node: ast.expr, names: Names) -> ast.FunctionDef:
    """The function of groups that ``node`` stands for; a lambda as the definition that it abbreviates."""
    if not isinstance(node, ast.Lambda):
        return plain_function(node, names)
    made = names.ctx.memo.get(f"lambda at {id(node)}")
    if not isinstance(made, ast.FunctionDef):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
        made = ast.copy_location(ast.FunctionDef("<lambda>", node.args, body, []), node)
        names.ctx.memo[f"lambda at {id(node)}"] = made
    return made


def _series_aggregates(grouped: Grouped, uses: list[SeriesUse], span: Span, reader: ApiContext) -> TrackedFrame:
    from headwater.python.pandas.udaf import SeriesCall, fold_series_aggregates

    for use in uses:
        reader.names.spell(use.label)
    frame = grouped.frame
    known = known_facts(frame)
    calls = [SeriesCall(u.udf.function, u.columns, Field(u.label, u.udf.return_type)) for u in uses]
    fold = reader.world.fold(
        (tuple((c.function, c.columns, c.output) for c in calls), frame.known_schema, grouped.keys, known),
        lambda: fold_series_aggregates(
            reader.names.ctx, calls, source=frame.known_schema, keys=grouped.keys, facts=known,
            assume_pure=reader.world.options.assume_pure,
        ),
    )  # fmt: skip
    name = ", ".join(u.udf.name for u in uses)
    span_of = reader.names.ctx.span
    code = tuple(
        c
        for u in uses
        for c in user_code(
            "series", span_of(u.udf.function), frame.known_schema, outputs=(u.label,), keys=grouped.keys,
            arguments=tuple(map(Col, u.columns)),
        )
    )  # fmt: skip
    place = Boundary("agg", name, span, grouped.insert_at, span_of(uses[0].udf.function), code=code)
    return _result(Aggregate, grouped, fold, place, reader)


def known_facts(frame: TrackedFrame) -> tuple[Expr, ...]:
    """The facts of a frame; those of a ``dropna()`` over every column, as far as the columns are known."""
    if not frame.no_nulls:
        return frame.facts
    every = (f for field in frame.schema.fields for f in row_facts.present(field.name, field.type))
    return tuple(dict.fromkeys((*frame.facts, *every)))
