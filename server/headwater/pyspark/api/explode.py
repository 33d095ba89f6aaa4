"""Columns of which one row makes several rows: ``F.explode("xs")``, ``F.posexplode("xs").alias("at", "x")``."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.pyspark.columns.determinism import is_rowwise, is_rowwise_of_given
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.python.values.native_parts import is_registered
from headwater.syntax.refusal import Refusal
from headwater_ir.native import FUNCTIONS
from headwater_ir.plan import Boundary, Explode, Field
from headwater_ir.span import Span
from headwater_ir.types import ANY, DATE, STRING, Type

from .api_context import ApiContext, without_facts_on
from .stack import stack_of, stacked

_GENERATORS = frozenset(
    "explode explode_outer posexplode posexplode_outer inline inline_outer stack json_tuple".split()
)

_ONE_BY_ONE = ("explode", "explode_outer", "posexplode", "posexplode_outer")
_ARRAYS = (
    "split",
    "array",
    "sequence",
    "filter",
    "array_distinct",
    "array_sort",
    "sort_array",
    "map_keys",
    "map_values",
)
"""Functions that make arrays."""


def generator_labels(node: ast.expr, reader: ApiContext) -> tuple[str, ...] | None:
    """The names that ``node`` gives to the columns that it generates, if it does; none if it leaves them to Spark."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="alias" | "name"), args=labels, keywords=[]):
            if generator_labels(inner, reader) is None:
                return None
            names = [label.value for label in labels if isinstance(label, ast.Constant)]
            return tuple(n for n in names if isinstance(n, str)) if len(names) == len(labels) else ()
        case ast.Call(func=func):
            if (found := stack_of(node, reader)) is not None:
                return found.names
            return () if reader.names.function(func) in _GENERATORS else None
    return None


def default_labels(node: ast.expr, frame: TrackedFrame, reader: ApiContext) -> tuple[str, ...]:
    """What Spark calls the columns that ``node`` makes of an array and gives no names to; none if it is not known to be
    one (of a map they are ``key`` and ``value``)."""
    operator = reader.names.function(node.func) if isinstance(node, ast.Call) else None
    if operator not in _ONE_BY_ONE or not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return ()
    array = node.args[0]
    made = reader.names.function(array.func) if isinstance(array, ast.Call) else None
    try:
        known = made in _ARRAYS or reader.columns(frame).column(array, text_is_name=True).type.name == "list"
    except Refusal:
        known = False
    return (("pos",) if operator.startswith("pos") else ()) + ("col",) if known else ()


def _generator(node: ast.expr) -> ast.Call:
    """The call of the generator itself, below the names that are given to what it makes."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("alias", "name"):
        node = node.func.value
    assert isinstance(node, ast.Call)
    return node


def exploded(
    frame: TrackedFrame, made: tuple[str, ...], node: ast.expr, call: ast.Call, span: Span, reader: ApiContext
) -> TrackedFrame:
    """``frame`` with the columns ``made`` that the generator ``node`` makes beside its own; ``call``: of the method."""
    if not made:
        raise Refusal("opaque", "the generated columns have no names here")
    for name in made:
        reader.names.spell(name)
    if (found := stack_of(_generator(node), reader)) is not None:
        return beside(frame, *stacked(frame, made, found, call, span, reader), reader)
    arguments = [*_generator(node).args, *(k.value for k in _generator(node).keywords)]
    plan = _as_boundary(Explode(frame.plan, made, span), frame, _generator(node), call, reader)
    if not all(is_rowwise(a, reader.names, reader.lookup) for a in arguments):
        if not all(is_rowwise_of_given(a, reader.names, reader.lookup) for a in arguments):
            raise Refusal("opaque", "what is taken apart is not known to be a deterministic function of the row")
        plan = replace(plan, varies=True)
    return beside(frame, plan, tuple(ANY for _ in made), reader)


def beside(frame: TrackedFrame, plan: Explode, types: tuple[Type, ...], reader: ApiContext) -> TrackedFrame:
    """``frame`` with the columns that ``plan`` makes, of these types."""
    made = plan.made
    new = (Field(name, kind) for name, kind in zip(made, types, strict=True))
    fields = (*(f for f in frame.schema.fields if f.name not in made), *new)
    schema = type(frame.schema)(fields, frame.schema.complete)
    return reader.frame(plan, schema, frame, changed=made, facts=without_facts_on(frame, made))


def _as_boundary(
    plan: Explode, frame: TrackedFrame, generator: ast.Call, call: ast.Call, reader: ApiContext
) -> Explode:
    """``plan`` with its place in the text, if a filter of its elements can be written there. One column is made of an
    array, two of a map; ``posexplode`` makes one more. Of an argument that is a ``filter`` itself nothing more is
    asked, nor of an array behind ``filter(exists(…))``."""
    operator = reader.names.function(generator.func)
    argument = generator.args[0] if len(generator.args) == 1 and not generator.keywords else None
    if operator not in _ONE_BY_ONE or argument is None or isinstance(argument, ast.Starred):
        return plan
    inner = reader.names.function(argument.func) if isinstance(argument, ast.Call) else None
    if len(plan.made) > 2 or inner in ("filter", "map_filter") or not isinstance(call.func, ast.Attribute):
        return plan
    placed = operator.startswith("pos")
    if placed and (len(plan.made) != 2 or _is_behind_exists(call.func.value, reader)):
        return plan
    if all(part is not generator for part in ast.walk(call)):
        return plan  # it stands in a list that others may use as well
    end = call_spans.receiver_end(reader.names.ctx, call.func)
    boundary = Boundary(operator, None, reader.names.ctx.span(generator), end)
    reader.world.bound_at[boundary] = reader.snapshot()
    place, outer = reader.names.ctx.span(argument), operator.endswith("_outer")
    element = _element(argument, inner, frame, reader)
    if any(is_registered(reader.names, f) for f in FUNCTIONS):
        element = ANY  # what Spark computes of an element is not asked, for the file may say what that is
    return replace(plan, boundary=boundary, argument=place, element=element, outer=outer, placed=placed)


def _is_behind_exists(node: ast.expr, reader: ApiContext) -> bool:
    """Whether ``node`` ends in filters, one of which asks of an array whether some element satisfies something."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("filter", "where"):
        condition = node.args[0] if node.args else None
        if isinstance(condition, ast.Call) and reader.names.function(condition.func) == "exists":
            return True
        node = node.func.value
    return False


def _element(array: ast.expr, function: str | None, frame: TrackedFrame, reader: ApiContext) -> Type:
    """The type of the elements of ``array``, which may be a call of ``function``; ANY where it is not known."""
    if function == "split":
        return STRING
    if function == "sequence" and isinstance(array, ast.Call) and not array.keywords:
        if array.args and all(_is_date(a, reader) for a in array.args[:2]):
            return DATE
    columns = reader.columns(frame, joins=True)
    try:
        if function == "array" and isinstance(array, ast.Call):
            types = {columns.column(item, text_is_name=True).type for item in array.args}
            return types.pop() if len(types) == 1 else ANY
        return columns.column(array, text_is_name=True).type.elem or ANY
    except Refusal:
        return ANY


def _is_date(node: ast.expr, reader: ApiContext) -> bool:
    return isinstance(node, ast.Call) and reader.names.function(node.func) in ("to_date", "last_day", "make_date")
