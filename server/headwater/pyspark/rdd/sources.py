"""RDDs that are not made of a frame (``sc.textFile``, ``sc.parallelize``, a parameter), and filters of keys.

There is no frame in front of which a pre-filter could go. Above an aggregation by key it is a filter of the RDD right
before that, a Python function of the pairs; how the pairs were made is of no consequence, and so is who else uses them.
Below every aggregation nothing is said: Python runs such steps one after the other on each element, so that a filter
moved below a ``map`` would save what the ``map`` costs, and cost it.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.pyspark.api.aggregates.groupby import known_facts
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import in_order, resolve_literal
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.session_names import reads_as
from headwater.pyspark.frames.tracked_values import Rdd, Source, Unevaluated, Unknown, Value
from headwater.python.rdd.element_steps import alike
from headwater.python.rdd.key_filters import fold_keys
from headwater.python.rdd.method_calls import AGGREGATORS
from headwater.python.rdd.row_filters import Tests
from headwater.python.rdd.row_objects import Columns, RddRow
from headwater.python.rdd.value_filters import fold_values
from headwater.python.values.scope import Items, Unreadable
from headwater.python.values.scope import Value as Element
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE, Col
from headwater_ir.plan import UNKNOWN_SCHEMA, Boundary, Conjunct, Filter, GroupMap, Opaque, RowUdf, Scan, Schema
from headwater_ir.problem import Fold
from headwater_ir.span import Span
from headwater_ir.types import BOOL, FLOAT, INT, STRING, Type

from .methods import read_call

_SOURCES = frozenset("textFile parallelize wholeTextFiles sequenceFile pickleFile binaryFiles emptyRDD union".split())
_ONLY_RDDS = frozenset(
    """
    flatMap flatMapValues mapValues mapPartitions keyBy reduceByKey aggregateByKey combineByKey foldByKey groupByKey
    sortByKey
    """.split()
)
_UNKNOWN = Unreadable("opaque", "what the elements of the RDD are is not known")


def made(receiver: Value, node: ast.Call, reader: ApiContext) -> Rdd | None:
    """The RDD that a method call on something that is no frame makes; None if it is no such call."""
    if not isinstance(node.func, ast.Attribute) or not reader.names.uses_pyspark:
        return None
    if not isinstance(receiver, (Unevaluated, Unknown)):
        return None
    method = node.func.attr
    if method in _SOURCES and reads_as(node.func.value, "context", reader.names, reader.lookup):
        return _rdd(node, _source(method, node, reader), reader)
    if method in _ONLY_RDDS or (method == "map" and _is_function(node)):
        try:
            return replace(_rdd(node.func.value, Source(_UNKNOWN), reader), calls=(read_call(method, node, reader),))
        except Refusal:
            return None
    return None


def _is_function(node: ast.Call) -> bool:
    return len(node.args) == 1 and not node.keywords and isinstance(node.args[0], (ast.Lambda, ast.Name))


def _rdd(node: ast.expr, source: Source, reader: ApiContext) -> Rdd:
    span = reader.names.ctx.span(node)
    frame = reader.frame(Scan("an RDD", "rdd", UNKNOWN_SCHEMA, span), UNKNOWN_SCHEMA)
    return Rdd(frame, span.end, span.end, {}, span.end, source=source)


def _source(method: str, node: ast.Call, reader: ApiContext) -> Source:
    """What the elements of a source are."""
    if method == "textFile" and not any(k.arg == "use_unicode" for k in node.keywords) and len(node.args) < 3:
        return Source(_of("str"), _TYPES, plain=True)
    if method == "wholeTextFiles" and not any(k.arg == "use_unicode" for k in node.keywords) and len(node.args) < 3:
        return Source(Items((_of("str"), _of("str")), mutable=False), _TYPES, plain=True)
    if method == "parallelize" and node.args:
        listed = _listed(node.args[0], reader)
        if isinstance(listed, (ast.List, ast.Tuple)) and listed.elts:
            return Source(alike([_shape(e) for e in listed.elts]), _TYPES, _is_plain(listed))
    return Source(_UNKNOWN)


def _listed(node: ast.expr, reader: ApiContext) -> ast.expr:
    """The list that is handed over, perhaps by a variable that nothing else reads."""
    if isinstance(node, ast.Name) and reader.names.loads(node.id) == 1 and node.id not in reader.names.mutated:
        bound = reader.lookup(node.id)
        if (
            bound is not None
            and isinstance(bound.value, Unevaluated)
            and not bound.meets
            and not reader.names.reflective
        ):
            return bound.value.node
    return resolve_literal(node, reader)


_TYPES: dict[str, Type] = {"some str": STRING, "some int": INT, "some float": FLOAT, "some bool": BOOL}


_DISPLAYS = (
    ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp, ast.UAdd, ast.USub, ast.expr_context,
)  # fmt: skip


def _is_plain(node: ast.expr) -> bool:
    """Whether nothing but constants stands in a list."""
    return all(isinstance(n, _DISPLAYS) for n in ast.walk(node))


def _of(kind: str) -> Element:
    return Col(f"some {kind}")


def _shape(node: ast.expr) -> Element:
    """What is known of a constant: its type, and that it is not None."""
    if isinstance(node, ast.Constant) and f"some {type(node.value).__name__}" in _TYPES:
        return _of(type(node.value).__name__)
    if isinstance(node, (ast.Tuple, ast.List)) and not any(isinstance(e, ast.Starred) for e in node.elts):
        return Items(tuple(map(_shape, node.elts)), isinstance(node, ast.List))
    return _UNKNOWN


# --- filters


def key_filter(rdd: Rdd, call: ast.Call, reader: ApiContext) -> Rdd:
    """``rdd`` after a filter of keys, which is noted; Refusal if it asks for more than the key."""
    ctx = reader.names.ctx
    calls = (*rdd.calls, read_call("filter", call, reader))
    at = max(i for i, c in enumerate(calls) if c.method in AGGREGATORS)
    if rdd.shared > at:
        raise Refusal("shared-subplan", "the result of the aggregation, or what is made of it, is used more than once")
    reader.names.settings.check()
    rows = Columns(rdd.frame.known_schema, in_order(rdd.frame))
    fold, tests, _ = fold_keys(
        ctx, reader.names, calls, rdd.source.element if rdd.source else RddRow(),
        columns=rows if rdd.source is None else Columns(Schema(()), ordered=False),
        types=rdd.source.types if rdd.source else {}, plain=rdd.source is None or rdd.source.plain,
        given=known_facts(rdd.frame), assume_pure=reader.world.options.assume_pure,
    )  # fmt: skip
    plan: GroupMap | Filter = _above_pairs(fold, calls[at].node, reader)
    for test in tests:
        plan = filter_above(plan, test, reader)
    assert isinstance(plan, Filter)
    reader.world.filters.append(plan)
    return replace(rdd, calls=calls)


def _above_pairs(fold: Fold, node: ast.Call, reader: ApiContext) -> GroupMap:
    """The aggregation ``node`` of the pairs that it is called on."""
    ctx = reader.names.ctx
    assert isinstance(node.func, ast.Attribute)
    if node.func.attr == "groupBy":
        raise Refusal("opaque", "`groupBy` makes its pairs itself: there is no place in front of them", node)
    place = Boundary(fold.api, None, call_spans.call_span(ctx, node), call_spans.receiver_end(ctx, node.func))
    reader.world.bound_at[place] = {}
    before = Span(ctx.span(node).start, place.insert_at)
    return GroupMap(Scan("the pairs of an RDD", "rdd", UNKNOWN_SCHEMA, before), fold, place)


def folded_values(rdd: Rdd, predicate: ast.expr, reader: ApiContext) -> Rdd:
    """``rdd`` with its last aggregation by key, and what follows it, as a fold of the pairs; Refusal if its meaning is
    not known. ``predicate``: the filter that comes next."""
    at = max(i for i, c in enumerate(rdd.calls) if c.method in AGGREGATORS)
    if rdd.refusal is not None:
        raise rdd.refusal
    if rdd.shared > at:
        raise Refusal("shared-subplan", "the result of the aggregation, or what is made of it, is used more than once")
    reader.names.settings.check()
    rows = Columns(rdd.frame.known_schema, in_order(rdd.frame))
    fold, elements, at = fold_values(
        reader.names.ctx, reader.names, rdd.calls, rdd.source.element if rdd.source else RddRow(),
        columns=rows if rdd.source is None else Columns(Schema(()), ordered=False),
        types=rdd.source.types if rdd.source else {}, given=known_facts(rdd.frame),
        assume_pure=reader.world.options.assume_pure, predicate=predicate,
    )  # fmt: skip
    return replace(rdd, plan=_above_pairs(fold, rdd.calls[at].node, reader), elements=elements, calls=())


def filter_above(plan: GroupMap | RowUdf | Filter, tests: Tests, reader: ApiContext) -> Filter:
    """One filter of a chain above ``plan``."""
    ctx, node = reader.names.ctx, tests.call.node
    condition = ctx.span(node.args[0] if node.args else node.keywords[0].value)
    conjuncts = tuple(Conjunct(Col(name), condition) for name in tests.outputs)
    return Filter(plan, conjuncts, call_spans.call_span(ctx, node), condition, "python", tests.unread)


def refused(rdd: Rdd, call: ast.Call, refusal: Refusal, reader: ApiContext) -> None:
    """Note a filter that stays where it is."""
    ctx = reader.names.ctx
    span = call_spans.call_span(ctx, call)
    condition = ctx.span(call.args[0]) if call.args else span
    plan = Opaque(rdd.frame.plan, refusal.obstruction, refusal.reason, condition)
    reader.world.filters.append(Filter(plan, (Conjunct(TRUE, condition),), span, condition, "python"))
