"""Methods of an RDD made of a frame (``df.rdd``), and the filters among them.

What the functions mean is asked when there is a filter. Above a fold by key, the fold becomes a boundary whose outputs
are the parts of the element (``kv[0]``, ``kv[1][0]``, …), and the filter a condition on them. Below every fold, the
chain becomes a row function (``row_chain``). A pre-filter goes right before ``.rdd``, where it is one of the frame.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from headwater.pyspark.api.aggregates.groupby import known_facts
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import in_order
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.tracked_values import Rdd, TrackedFrame, Unknown, Value
from headwater.python.exprs.to_sql import can_raise, conditions
from headwater.python.exprs.value_tags import ColumnValues
from headwater.python.rdd.fold_by_key import fold_pairs
from headwater.python.rdd.group_by_key import KeyValuesInterpreter
from headwater.python.rdd.method_calls import AGGREGATORS, Call, Elements
from headwater.python.rdd.row_filters import fold_rows
from headwater.python.rdd.row_objects import Columns
from headwater.python.values.scope import Scope
from headwater.python.values.slots import Slots
from headwater.semantics.interpreter import Env, EvaluationError, holds
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, TRUE, And, Col, Expr, If, IsTrue, columns_of
from headwater_ir.plan import Conjunct, Filter, GroupMap, Opaque, Plan, RowUdf, Schema
from headwater_ir.span import Span

from .insertion import check_columns, of_rows, place_of
from .methods import KNOWN, function_of, read_call, read_calls
from .sources import filter_above, folded_values, key_filter, refused
from .to_frame import to_frame


def of_frame(frame: TrackedFrame, node: ast.Attribute, reader: ApiContext) -> Value:
    """``frame.rdd``."""
    try:
        end = call_spans.receiver_end(reader.names.ctx, node)
        start = call_spans.dot_before(reader.names.ctx, node)
    except Refusal:
        return Unknown("an RDD", never_frame=True)
    return Rdd(frame, start, end, reader.snapshot(), reader.names.ctx.span(node).end)


def method(rdd: Rdd, call: ast.Call, reader: ApiContext) -> Value:
    """``rdd.method(…)``."""
    assert isinstance(call.func, ast.Attribute)
    name = call.func.attr
    if name == "filter":
        return _filtered(rdd, call, reader)
    if name == "toDF":
        return to_frame(rdd, call, reader)
    if name not in KNOWN:
        return Unknown(f"the result of `{name}`", never_frame=True)
    try:
        made = read_calls(name, call, reader) if rdd.source is None else (read_call(name, call, reader),)
        return replace(rdd, calls=(*rdd.calls, *made))
    except Refusal as refusal:
        # Kept, so that a filter further up can say why it stays; where there is none, nothing is said.
        return replace(rdd, calls=(*rdd.calls, Call(name, (), call)), refusal=rdd.refusal or refusal)


# --- filters


def _filtered(rdd: Rdd, call: ast.Call, reader: ApiContext) -> Value:
    """``rdd.filter(…)``."""
    if rdd.plan is not None:
        return _filter(rdd, call, reader)
    last = max((i for i, c in enumerate(rdd.calls) if c.method in AGGREGATORS), default=None)
    if last is None:
        return _row_filter(rdd, call, reader)
    if rdd.source is None and not any(c.method == "filter" for c in rdd.calls[last:]):
        return _filter(rdd, call, reader)
    try:
        return _of_values(rdd, call, reader) or _by_key(rdd, call, reader)
    except Refusal as refusal:
        return _stays(rdd, call, refusal, reader)


def _stays(rdd: Rdd, call: ast.Call, refusal: Refusal, reader: ApiContext) -> Rdd:
    """``rdd`` after a filter that does not move."""
    refused(rdd, call, refusal, reader)
    return replace(rdd, calls=(*rdd.calls, Call("filter", tuple(call.args[:1]), call)))


# --- filters of elements that are made row by row


def _row_filter(rdd: Rdd, call: ast.Call, reader: ApiContext) -> Value:
    """A filter below every fold; the RDD goes on with it as one of its calls."""
    try:
        if rdd.refusal is not None:
            raise rdd.refusal
        if rdd.source is not None:
            raise Refusal("no-prefilter", "no aggregation stands below it, and no frame that could be filtered")
        calls = (*rdd.calls, read_call("filter", call, reader))
        reader.names.settings.check()
        reader.world.filters.append(_rows(rdd, calls, reader))
    except Refusal as refusal:
        return _stays(rdd, call, refusal, reader)
    return replace(rdd, calls=calls)


def _rows(rdd: Rdd, calls: tuple[Call, ...], reader: ApiContext) -> Filter:
    """The filters of ``calls``, the last of which is one, above a row function."""
    names, frame, ctx = reader.names, rdd.frame, reader.names.ctx
    check_columns(frame)
    fold, tests = fold_rows(
        ctx, names, calls, columns=Columns(frame.known_schema, in_order(frame)), facts=known_facts(frame),
        assume_pure=reader.world.options.assume_pure,
    )  # fmt: skip
    fold = of_rows(fold, frame, reader)
    last = next((ctx.span(c.node).end for c in reversed(calls) if c.method != "filter"), rdd.end)
    unread = any(test.unread for test in tests)
    place = place_of(fold, Span(rdd.start, last), rdd, calls, reader, "some tests" if unread else "tests")
    plan: RowUdf | Filter = RowUdf(frame.plan, fold, place)
    for test in tests:
        plan = filter_above(plan, test, reader)
    assert isinstance(plan, Filter)
    return plan


# --- filters above a fold

_TELLING = ("side-effect", "volatile", "shared-subplan")


def _filter(rdd: Rdd, call: ast.Call, reader: ApiContext) -> Value:
    ctx = reader.names.ctx
    span = call_spans.call_span(ctx, call)
    node = call.args[0] if len(call.args) == 1 and not call.keywords else None
    whole = rdd
    try:
        if node is None or isinstance(node, ast.Starred):
            raise Refusal("opaque", "`filter` without a function", call)
        if rdd.refusal is not None:
            raise rdd.refusal
        reader.names.settings.check()
        function = function_of(node, reader)
        rdd = _folded(rdd, function, span, reader)
        assert rdd.plan is not None
        conjuncts = _conjuncts(rdd, function, ctx.span(node), reader)
        if whole.plan is None and _asks_computed_keys(rdd.plan, conjuncts):
            raise Refusal("opaque", "the key is computed, and no condition on the rows determines it")
        plan = Filter(rdd.plan, conjuncts, span, ctx.span(node), "python")
    except Refusal as refusal:
        if whole.plan is None:
            try:
                return _of_values(whole, call, reader) or _by_key(whole, call, reader)
            except Refusal as other:
                refusal = other if other.obstruction in _TELLING else refusal
        condition = ctx.span(node) if node is not None else span
        opaque: Plan = Opaque(rdd.frame.plan, refusal.obstruction, refusal.reason, condition)
        plan = Filter(opaque, (Conjunct(TRUE, condition),), span, condition, "python")
        rdd = replace(rdd, refusal=refusal)
    reader.world.filters.append(plan)
    return replace(rdd, plan=plan)


def _of_values(rdd: Rdd, call: ast.Call, reader: ApiContext) -> Rdd | None:
    """``rdd`` after a filter of what is made of the values of the pairs; None if it has no model."""
    ctx = reader.names.ctx
    node = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if node is None or isinstance(node, ast.Starred):
        return None
    try:
        function = function_of(node, reader)
        folded = folded_values(rdd, function, reader)
        assert folded.plan is not None
        conjuncts = _conjuncts(folded, function, ctx.span(node), reader)
    except Refusal:
        return None
    plan = Filter(folded.plan, conjuncts, call_spans.call_span(ctx, call), ctx.span(node), "python")
    reader.world.filters.append(plan)
    return replace(folded, plan=plan)


def _asks_computed_keys(plan: Plan, conjuncts: tuple[Conjunct, ...]) -> bool:
    """Whether a filter asks for nothing but keys that are no columns of the frame, but may be asked of the pairs."""
    assert isinstance(plan, GroupMap)
    ghosts = {c.name for c in plan.fold.columns if c.ghost}
    computed = {o.name for o in plan.fold.outputs if isinstance(o.value, Col) and o.value.name in ghosts}
    asked = {name for c in conjuncts for name in columns_of(c.condition)}
    return bool(asked) and asked <= computed


def _by_key(rdd: Rdd, call: ast.Call, reader: ApiContext) -> Rdd:
    """``rdd`` after a filter of keys alone: as one of the rows, or of the pairs right before the fold; Refusal if it is
    none."""
    if rdd.source is None and rdd.refusal is None:
        try:
            calls = (*rdd.calls, read_call("filter", call, reader))
            reader.names.settings.check()
            reader.world.filters.append(_rows(rdd, calls, reader))
            return replace(rdd, calls=calls)
        except Refusal:
            pass
    return key_filter(rdd, call, reader)


def _folded(rdd: Rdd, predicate: ast.expr, filter_: Span, reader: ApiContext) -> Rdd:
    """``rdd`` with its calls turned into a fold below, or applied to the elements that there are."""
    if rdd.elements is not None:
        return replace(rdd, elements=_transformed(rdd.elements, rdd.calls, reader), calls=())
    names, frame = reader.names, rdd.frame
    check_columns(frame)
    fold, elements = fold_pairs(
        names.ctx, names, rdd.calls, columns=Columns(frame.known_schema, in_order(frame)), facts=known_facts(frame),
        assume_pure=reader.world.options.assume_pure, predicate=predicate,
    )  # fmt: skip
    fold = of_rows(fold, frame, reader)
    place = place_of(fold, Span(rdd.start, names.ctx.span(rdd.calls[-1].node).end), rdd, rdd.calls, reader)
    return replace(rdd, plan=GroupMap(frame.plan, fold, place), elements=elements, calls=())


def _interpreter(elements: Elements, reader: ApiContext) -> KeyValuesInterpreter:
    scope = Scope(reader.names.ctx, reader.names, reader.world.options.assume_pure, columns=dict(elements.types))
    return KeyValuesInterpreter(scope, Slots(scope), Columns(Schema(()), ordered=False))


def _transformed(elements: Elements, calls: Sequence[Call], reader: ApiContext) -> Elements:
    """The elements after ``map`` and the like above a filter."""
    run = _interpreter(elements, reader)
    element = elements.element
    for call in calls:
        if call.method != "map" or len(call.arguments) != 1:
            raise Refusal("opaque", f"`{call.method}` above a filter has no model", call.node)
        element = run.apply(run.function(call.arguments[0]), [element])
    if run.scope.assumptions:
        raise Refusal("opaque", "an opaque function above a filter")
    return replace(elements, element=element)


def _conjuncts(rdd: Rdd, function: ast.expr, span: Span, reader: ApiContext) -> tuple[Conjunct, ...]:
    """The filter's function as conditions on the outputs of the fold."""
    elements = rdd.elements
    assert elements is not None
    run = _interpreter(elements, reader)
    truth = run.truth(run.function(function), elements.element)
    parts = conditions(truth, ColumnValues(elements.tags))
    if run.scope.assumptions:
        raise Refusal("opaque", "the filter calls an opaque function")
    _check_one_type(elements, parts)
    if isinstance(rdd.plan, Filter) and any(map(can_raise, parts)):
        earlier: Expr = IsTrue(And(tuple(c.condition for c in rdd.plan.conjuncts)))
        parts = [If(earlier, p, FALSE) if can_raise(p) else p for p in parts]
    return tuple(Conjunct(p, span) for p in parts)


def _check_one_type(elements: Elements, parts: Sequence[Expr]) -> None:
    """Refuse outputs that may hold a number both as an int and as a float: to the proof they are the same, to whoever
    prints them they are not. Harmless where the filter drops those numbers anyway."""
    for name, values in elements.ambiguous.items():
        own = [p for p in parts if columns_of(p) == {name}]
        if values is None or any(_passes(v, name, own) for v in values):
            raise Refusal("opaque", f"`{name}` may be an int or a float of the same value, depending on the rows")


def _passes(value: float, name: str, parts: Sequence[Expr]) -> bool:
    try:
        return all(holds(p, Env(row={name: value})) for p in parts)
    except EvaluationError:
        return False
