"""Methods of a DataFrame → plan nodes. A method without an entry here gives ``Opaque`` or, if it returns no
frame, nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.columns.sql import sql_readable
from headwater.pyspark.columns.sql_templates import is_rowwise_template, template
from headwater.pyspark.frames import call_spans, row_facts
from headwater.pyspark.frames.constant_text import assigned, elements, text_of
from headwater.pyspark.frames.tracked_values import TrackedFrame, Unknown, Value, is_plain_source
from headwater.syntax.names.pyspark_methods import FRAME, NA, bind
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE
from headwater_ir.plan import Cause, Conjunct, Filter, Opaque, Plan, Sort
from headwater_ir.span import Span

from . import (
    extremes,
    joins_and_unions,
    nulls,
    partitioning,
    plain_columns,
    plain_joins,
    rename,
    row_by_row,
    row_subsets,
    select,
)
from .aggregates import groupby
from .api_context import ApiContext
from .columns_read import certain_columns
from .select_expr import select_expr
from .sort import first_order, sorted_by
from .unpivot import unpivot
from .user_functions import map_batches, udtf
from .user_functions.python_in_filter import Calls

_NO_EFFECT = frozenset[Cause](("row by row", "pure functions"))
"""What is known of calls without a model that have no side effect."""
_OTHER_COLUMNS = frozenset(
    """
    selectExpr withColumnsRenamed toDF
    transform describe summary withWatermark crosstab freqItems transpose to withMetadata
    """.split()
)
_FEW_ROWS = frozenset("describe summary freqItems".split())
"""Those of them that make a few rows of all."""

RECOGNISE = frozenset(
    """
    filter where select selectExpr groupBy agg withColumn withColumns withColumnRenamed withColumnsRenamed orderBy sort
    drop dropna distinct dropDuplicates crossJoin unionByName exceptAll asTable rdd toPandas toLocalIterator isEmpty
    mapInPandas mapInArrow
    """.split()
)
"""Methods that show that a value of unknown origin is a DataFrame, in a file that uses PySpark."""

TAKES_A_FRAME = frozenset({*joins_and_unions.HANDLERS})
"""Methods whose first argument is a DataFrame."""


def joins_frames(call: ast.Call) -> bool:
    """Whether ``call`` shows that its receiver is a DataFrame: ``x.join(y, "k")``. A text joins one thing."""
    named = isinstance(call.func, ast.Attribute) and call.func.attr == "join"
    return named and (len(call.args) > 1 or bool(call.args and {k.arg for k in call.keywords} & {"on", "how"}))


def method(frame: TrackedFrame, call: ast.Call, reader: ApiContext, given: Sequence[Value] = ()) -> Value:
    """``frame.method(…)``; ``given``: what its arguments are, positional ones first."""
    assert isinstance(call.func, ast.Attribute)
    name = call.func.attr
    span = reader.names.ctx.span(call)
    try:
        span = call_spans.call_span(reader.names.ctx, call)
        if name in reader.names.patches.methods:
            raise Refusal("opaque", f"the file replaces `{name}`", call)
        if name in FRAME and not (name in ("filter", "where") and _only_argument(call, "condition") is None):
            bind(FRAME[name], call)
        if name in _HANDLERS:
            return _HANDLERS[name](frame, call, span, reader)
        if name in joins_and_unions.HANDLERS:
            return joins_and_unions.HANDLERS[name](frame, call, span, reader, given)
    except Refusal as refusal:
        known, chosen = row_by_row.causes(call, reader), select.chosen_by(call, reader)
        return reader.opaque(frame, refusal, span, makes=select.made_by(call, reader), known=known, chosen=chosen)
    if name in _OTHER_COLUMNS:
        known = frozenset[Cause]({"few rows"} if name in _FEW_ROWS else ())
        return reader.opaque(frame, Refusal("opaque", f"no model covers `{name}`"), span, known=known)
    # Among them `observe`: a filter above it may leave it out of the plan, and then its metrics never come.
    return Unknown(f"the result of `{name}`", never_frame=True)


def na_method(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> Value:
    """``frame.na.drop(…)``, ``frame.na.fill(…)``, ``frame.na.replace(…)``."""
    assert isinstance(call.func, ast.Attribute)
    span, handler = reader.names.ctx.span(call), nulls.UNDER_NA.get(call.func.attr)
    if handler is None or call.func.attr in reader.names.patches.methods:
        return reader.opaque(frame, Refusal("opaque", f"`na.{call.func.attr}` has no model"), span)
    try:
        bind(NA[call.func.attr], call)
        return handler(frame, call, span, reader)
    except Refusal as refusal:
        values_alone = frozenset[Cause]({"row by row", "filter"} if call.func.attr == "drop" else {"row by row"})
        return reader.opaque(frame, refusal, span, makes=frozenset(), known=values_alone)


# --- filters


def _filter(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    node = _only_argument(call, "condition")
    if isinstance(node, ast.Lambda) or node is None:
        return Unknown("a filtered collection", never_frame=True)
    made = _filtered(frame, call, node, span, reader)
    plain_joins.note_test(frame, node, call, made, reader)
    extremes.note_asked(frame, node, made, reader)
    return made


def _filtered(frame: TrackedFrame, call: ast.Call, node: ast.expr, span: Span, reader: ApiContext) -> TrackedFrame:
    text = _sql_text(node, reader)
    plan = Filter(frame.plan, (), span, reader.names.ctx.span(node), "column" if text is None else "sql")
    python = Calls(frame, reader)
    try:
        reader.names.settings.check()
        columns = reader.columns(frame, joins=True)
        columns.qualified = True
        conjuncts, unread = _conjuncts(node, text, columns, python)
        reader.check_variables(frame.plan, columns.used)
    except Refusal as refusal:
        known = row_by_row.causes(call, reader)
        return _untranslated(frame, refusal, plan, (node, text), reader, told=python.met, known=known)
    if python.folds:
        native = _native(frame, call, node, text, replace(plan, unread=unread.reason if unread else None), reader)
        if python.unread:
            why = next(iter(python.unread.values()))
            return _untranslated(frame, why, replace(plan, native=native), (node, text), reader, told=True)
        conjuncts = tuple(c for c in conjuncts if python.calls_none(c.condition))
        unread = unread or Refusal("opaque", "part of it is a Python function")
        plan = replace(plan, native=native)
    plan = replace(plan, conjuncts=conjuncts, unread=unread.reason if unread else None)
    if unread is not None and not conjuncts and plan.native is None:
        _untranslated(frame, unread, plan, (node, text), reader)  # for the report; what follows may still pass it
    else:
        reader.world.filters.append(plan)
    return reader.same_rows(frame, plan, row_facts.of_filter(conjuncts))


def of_subscript(frame: TrackedFrame, node: ast.Subscript, reader: ApiContext) -> Value | None:
    """``frame[condition]``, which is ``frame.filter(condition)``, and ``frame[["a", "b"]]``, which is
    ``frame.select("a", "b")``; None for any other subscript.

    Reference: ``DataFrame.__getitem__``. What compares, or joins conditions, is no name of a column; any other
    expression is taken for a condition if all of it is read as one.
    """
    if reader.names.patches.methods & {"filter", "select", "__getitem__"}:
        return None
    match node.slice:
        case ast.Compare() | ast.UnaryOp(op=ast.Invert()) | ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            pass
        case ast.Call():
            try:
                columns = reader.columns(frame, joins=True)
                columns.qualified = True
                if columns.readable(node.slice)[1] is not None:
                    return None
            except Refusal:
                return None
        case _:
            names = elements(node.slice, reader.names, reader.lookup) or ()
            known = [text_of(n, reader.names, reader.lookup) for n in names]
            if not known or not {None, "*"}.isdisjoint(known):
                return None
            return _subscript(frame, node, "select", [*names], reader)
    return _subscript(frame, node, "filter", [node.slice], reader)


def _subscript(
    frame: TrackedFrame, node: ast.Subscript, method: Literal["filter", "select"], given: list[ast.expr],
    reader: ApiContext,
) -> Value | None:  # fmt: skip
    """What the subscript ``node`` is a short form of: ``method`` of what is ``given``."""
    ctx = reader.names.ctx
    whole, start = ctx.span(node), ctx.span(node.value).end
    between, bracket, _ = ctx.text(node)[start - whole.start :].partition("[")
    if not bracket or between.strip(" \t)"):
        return None
    call = ast.copy_location(ast.Call(ast.Attribute(node.value, method), given, []), node)
    try:
        return _HANDLERS[method](frame, call, Span(start + len(between), whole.end), reader)
    except Refusal:
        return None


def _conjuncts(
    node: ast.expr, text: str | None, columns: ColumnReader, python: Calls
) -> tuple[tuple[Conjunct, ...], Refusal | None]:
    columns.python = python
    made = template(assigned(node, columns.names, columns.lookup)) if text is None else None
    if made is not None:
        why = Refusal("opaque", f"`{columns.ctx.text(node)}` is SQL text of which a part is not known", node)
        if plain_columns.makes_udfs(columns.names) or not is_rowwise_template(made, columns.names):
            raise why
        return (), why
    return columns.readable(node) if text is None else sql_readable(node, text, columns)


def _native(
    frame: TrackedFrame, call: ast.Call, node: ast.expr, text: str | None, plan: Filter, reader: ApiContext
) -> Filter | None:
    """The filter above its Python functions. It is read anew: what is put in front of it, or in its place, must be
    able to name each column by its bare name."""
    columns, python = reader.columns(frame), Calls(frame, reader)
    try:
        return python.filter(call, plan, _conjuncts(node, text, columns, python)[0])
    except Refusal:
        return None


def _untranslated(
    frame: TrackedFrame,
    why: Refusal,
    plan: Filter,
    said: tuple[ast.expr, str | None],
    reader: ApiContext,
    *,
    told: bool = False,
    known: frozenset[Cause] = frozenset(),
) -> TrackedFrame:
    """A filter whose condition has no model: reported with the reason, if there is a boundary that it
    could pass, or if it is to be ``told``. Above what has none itself that is the reason to tell, if it says no less:
    it is why the types of the columns are not known. ``known``: what is known of it all the same."""
    unclear = why.obstruction == "opaque" and not told and not isinstance(frame.plan, Opaque)
    if unclear:
        reads = certain_columns(*said, frame, reader)
        reader.world.filters.append(replace(plan, conjuncts=(), unread=why.reason, reads=reads))
    hidden: Plan = frame.plan
    may_say_less = isinstance(hidden, Opaque) and hidden.causes & {*_NO_EFFECT, "other functions"}
    if told or not isinstance(hidden, Opaque) or (may_say_less and not hidden.causes & known & _NO_EFFECT):
        hidden = Opaque(frame.plan, why.obstruction, why.reason, plan.condition, known)
    if told or not is_plain_source(frame.plan):
        always = Conjunct(TRUE, plan.condition)
        hidden = replace(plan, child=hidden, conjuncts=(always,), unread=None)
        if not unclear:
            reader.world.filters.append(hidden)
    return reader.same_rows(frame, hidden)


def _only_argument(call: ast.Call, keyword: str) -> ast.expr | None:
    if len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred):
        return call.args[0]
    if not call.args and len(call.keywords) == 1 and call.keywords[0].arg == keyword:
        return call.keywords[0].value
    return None


def _sql_text(node: ast.expr, reader: ApiContext) -> str | None:
    return text_of(node, reader.names, reader.lookup)


# --- others


def _sort(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    by, order = sorted_by(frame, call, reader), first_order(frame, call, reader)
    return reader.same_rows(frame, Sort(frame.plan, span, by, order))


def _group(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    return groupby.group(frame, call, reader)


def _as_table(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    return udtf.as_table(frame, call, reader)


def _agg(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    return groupby.global_aggregate(frame, call, reader)


def _grouping_sets(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    return groupby.grouping_sets(frame, call, reader)


def _lateral_join(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    raise Refusal("opaque", "no model covers what `lateralJoin` evaluates for each row of another frame")


_HANDLERS: dict[str, Callable[[TrackedFrame, ast.Call, Span, ApiContext], Value]] = {
    "filter": _filter,
    "where": _filter,
    "groupBy": _group,
    "groupby": _group,
    "rollup": _grouping_sets,
    "cube": _grouping_sets,
    "groupingSets": _grouping_sets,
    "agg": _agg,
    "asTable": _as_table,
    "orderBy": _sort,
    "sort": _sort,
    **partitioning.HANDLERS,
    **select.HANDLERS,
    **rename.HANDLERS,
    **map_batches.HANDLERS,
    **nulls.HANDLERS,
    **row_subsets.HANDLERS,
    "selectExpr": select_expr,
    "unpivot": unpivot,
    "melt": unpivot,
    "lateralJoin": _lateral_join,
}
