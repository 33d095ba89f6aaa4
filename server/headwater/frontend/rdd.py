"""Methods of an RDD made of a frame (``df.rdd``): folds by key, and the filters above them.

What the functions mean is asked when a filter stands above a fold; then the fold becomes a boundary whose outputs are
the parts of the element (``kv[0]``, ``kv[1][0]``, …), and the filter a condition on them. A pre-filter goes right
before ``.rdd``, where it is a filter of the frame.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from headwater.semantics.interpreter import Env, EvaluationError, holds
from headwater_ir.expr import FALSE, TRUE, And, Expr, If, IsTrue, columns_of
from headwater_ir.plan import Boundary, Conjunct, Filter, GroupMap, Opaque, Plan, Schema
from headwater_ir.span import Span

from . import geometry
from .context import Refusal
from .functions.key_values import KeyValuesInterpreter
from .functions.pairs import AGGREGATORS, Call, Elements, fold_pairs
from .functions.records import Columns
from .functions.scope import Scope
from .functions.slots import Slots
from .functions.tags import Analysis
from .functions.truths import can_raise, conditions
from .groupby import known_facts
from .sources import in_order, resolve_literal
from .values import ONE_OF_EACH_NAME, Frame, Rdd, Unknown, Value, below
from .world import Reader

_PARAMETERS: dict[str, tuple[str, ...]] = {
    "map": ("f",), "keyBy": ("f",), "mapValues": ("f",), "filter": ("f",), "values": (), "keys": (), "groupByKey": (),
    "aggregateByKey": ("zeroValue", "seqFunc", "combFunc"), "foldByKey": ("zeroValue", "func"),
    "reduceByKey": ("func",), "combineByKey": ("createCombiner", "mergeValue", "mergeCombiners"),
}  # fmt: skip
"""Methods with a meaning here, and what of their parameters matters."""
_OTHERS = frozenset(
    """
    cache persist unpersist checkpoint localCheckpoint coalesce repartition repartitionAndSortWithinPartitions
    partitionBy sortBy sortByKey distinct union intersection subtract subtractByKey cartesian join leftOuterJoin
    rightOuterJoin fullOuterJoin cogroup groupWith groupBy flatMap flatMapValues mapPartitions
    mapPartitionsWithIndex glom zip zipWithIndex zipWithUniqueId sample sampleByKey setName pipe barrier
    withResources
    """.split()
)
"""Methods that give another RDD, without a meaning here. All others give something else."""
_UNIMPORTANT = frozenset({"numPartitions", "preservesPartitioning"})


def of_frame(frame: Frame, node: ast.Attribute, reader: Reader) -> Value:
    """``frame.rdd``."""
    try:
        end = geometry.receiver_end(reader.names.ctx, node)
        start = geometry.dot_before(reader.names.ctx, node)
    except Refusal:
        return Unknown("an RDD", never_frame=True)
    return Rdd(frame, start, end, reader.snapshot())


def method(rdd: Rdd, call: ast.Call, reader: Reader) -> Value:
    """``rdd.method(…)``."""
    assert isinstance(call.func, ast.Attribute)
    name = call.func.attr
    if name == "filter" and (rdd.plan is not None or any(c.method in AGGREGATORS for c in rdd.calls)):
        return _filter(rdd, call, reader)
    if name not in _PARAMETERS and name not in _OTHERS:
        return Unknown(f"the result of `{name}`", never_frame=True)
    try:
        return replace(rdd, calls=(*rdd.calls, _call(name, call, reader)))
    except Refusal as refusal:
        # Kept, so that a filter further up can say why it stays; where there is none, nothing is said.
        return replace(rdd, calls=(*rdd.calls, Call(name, (), call)), refusal=rdd.refusal or refusal)


def _call(name: str, call: ast.Call, reader: Reader) -> Call:
    if name not in _PARAMETERS:
        raise Refusal("opaque", f"`{name}` of an RDD has no meaning here", call)
    wanted = _PARAMETERS[name]
    if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        raise Refusal("opaque", "unpacked arguments", call)
    given = dict(zip((*wanted, "numPartitions"), call.args, strict=False)) | {
        str(k.arg): k.value for k in call.keywords
    }
    if len(call.args) > len(wanted) + 1 or set(given) - set(wanted) - _UNIMPORTANT or not set(wanted) <= set(given):
        raise Refusal("opaque", f"`{name}` with other arguments than are understood", call)
    return Call(name, tuple(_function(given[w], reader) for w in wanted), call)


def _function(node: ast.expr, reader: Reader) -> ast.expr:
    """A function or zero value that a variable holds, where nothing can have changed it."""
    found = resolve_literal(node, reader)
    return found if isinstance(found, (ast.Lambda, ast.Constant, ast.Tuple, ast.List, ast.UnaryOp)) else node


# --- filters


def _filter(rdd: Rdd, call: ast.Call, reader: Reader) -> Value:
    ctx = reader.names.ctx
    span = geometry.call_span(ctx, call)
    node = call.args[0] if len(call.args) == 1 and not call.keywords else None
    try:
        if node is None or isinstance(node, ast.Starred):
            raise Refusal("opaque", "`filter` without a function", call)
        if rdd.refusal is not None:
            raise rdd.refusal
        reader.names.settings.check()
        function = _function(node, reader)
        rdd = _folded(rdd, function, span, reader)
        assert rdd.plan is not None
        conjuncts = _conjuncts(rdd, function, ctx.span(node), reader)
        plan = Filter(rdd.plan, conjuncts, span, ctx.span(node), "python")
    except Refusal as refusal:
        condition = ctx.span(node) if node is not None else span
        opaque: Plan = Opaque(rdd.frame.plan, refusal.obstruction, refusal.reason, condition)
        plan = Filter(opaque, (Conjunct(TRUE, condition),), span, condition, "python")
        rdd = replace(rdd, refusal=refusal)
    reader.world.filters.append(plan)
    return replace(rdd, plan=plan)


def _folded(rdd: Rdd, predicate: ast.expr, filter_: Span, reader: Reader) -> Rdd:
    """``rdd`` with its calls turned into a fold below, or applied to the elements that there are."""
    if rdd.elements is not None:
        return replace(rdd, elements=_transformed(rdd.elements, rdd.calls, reader), calls=())
    names, frame = reader.names, rdd.frame
    if not frame.schema.complete and not all(isinstance(p, ONE_OF_EACH_NAME) for p in below(frame.plan)):
        # `r.id` of a join is the first column of that name; in a filter of the frame the name is ambiguous.
        raise Refusal("attribute-capture", "which columns the frame has is not known: two may have one name")
    fold, elements = fold_pairs(
        names.ctx, names, rdd.calls, columns=Columns(frame.schema, in_order(frame)), facts=known_facts(frame),
        assume_pure=reader.world.options.assume_pure, predicate=predicate,
    )  # fmt: skip
    last = rdd.calls[-1].node
    span = Span(rdd.start, names.ctx.span(last).end)
    definition = None
    if fold.name != "<lambda>":
        definition = names.ctx.function(fold.name)
    place = Boundary(
        fold.api, fold.name if definition else None, span, rdd.insert_at,
        names.ctx.span(definition) if definition else None,
    )  # fmt: skip
    reader.world.bound_at[place] = rdd.bound
    return replace(rdd, plan=GroupMap(frame.plan, fold, place), elements=elements, calls=())


def _interpreter(elements: Elements, reader: Reader) -> KeyValuesInterpreter:
    scope = Scope(reader.names.ctx, reader.names, reader.world.options.assume_pure, columns=dict(elements.types))
    return KeyValuesInterpreter(scope, Slots(scope), Columns(Schema(()), ordered=False), {})


def _transformed(elements: Elements, calls: Sequence[Call], reader: Reader) -> Elements:
    """The elements after ``map`` and the like above a filter."""
    run = _interpreter(elements, reader)
    element = elements.element
    for call in calls:
        if call.method != "map" or len(call.arguments) != 1:
            raise Refusal("opaque", f"`{call.method}` above a filter has no meaning here", call.node)
        element = run.apply(run.function(call.arguments[0]), [element])
    if run.scope.assumptions:
        raise Refusal("opaque", "an opaque function above a filter")
    return replace(elements, element=element)


def _conjuncts(rdd: Rdd, function: ast.expr, span: Span, reader: Reader) -> tuple[Conjunct, ...]:
    """The filter's function as conditions on the outputs of the fold."""
    elements = rdd.elements
    assert elements is not None
    run = _interpreter(elements, reader)
    truth = run.truth(run.function(function), elements.element)
    parts = conditions(truth, Analysis(elements.tags))
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
