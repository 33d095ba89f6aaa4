"""The calls that hand the rows of a frame to the driver, each with what is looked at behind it."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from typing import NamedTuple

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.frames.call_spans import receiver_end
from headwater.pyspark.frames.tracked_values import Rdd, TrackedFrame, Value
from headwater.python.effects.scoped_program import effect
from headwater.syntax.refusal import Refusal
from headwater_ir import demand as ir
from headwater_ir.span import Span

from .column_choice import ColumnChoice, own_function
from .kinds import Frame, Kind
from .literals import number, text
from .pandas_frames.mask_shapes import MaskShapes
from .places import Places
from .pythons import Pythons
from .readers import Readers
from .statements import if_caught


class Action(NamedTuple):
    """What a call without arguments gives, and the steps that it takes."""

    kind: Kind
    steps: ir.Reading = ()


_ACTIONS = {
    "collect": Action("rows"),
    "toLocalIterator": Action("iterator"),
    "toPandas": Action("frame"),
    "count": Action("number", (ir.Size(),)),
    "isEmpty": Action("flag", (ir.Empty(),)),
}
_OF_RDDS = ("collect", "count", "isEmpty", "take")
_OF_MADE = ("collect", "take")
_MAKES_ELEMENTS = ("map", "flatMap", "filter", "mapValues", "keys", "values")
"""Methods of an RDD that make each element of one."""
_ENDS_OF_RDDS = frozenset(
    """
    collect collectAsMap count countByValue foreach histogram max mean min reduce saveAsTextFile stats stdev sum
    takeOrdered toLocalIterator top variance
    """.split()
)
"""Methods of an RDD that give none, and are handed every element."""
_BOUNDED = ("take", "head")
"""They take a number, and give so many rows."""
_WRITTEN = ("head", "take", "limit", "select", "isEmpty")
"""Methods that rewrites call: nothing is looked at in a file that replaces one."""
_OF_PYTHON = ("IndexError", "KeyError", "StopIteration")
"""Exceptions that the rows and columns of a frame never raise when they are handed to the driver."""
_ALWAYS_IN_PYTHON = ("bool", "int", "float", "string")
"""Types of which Python has all values: of dates, it has no year above 9999."""
WALLS = frozenset({*_ACTIONS, *_BOUNDED, *ir.BY_ROW})
"""The methods that are looked at."""


def noted(
    node: ast.Call, receiver: Value, scope: ApiContext, places: Places, *, repeated: bool, attributes: bool,
    function: ast.FunctionDef | ast.AsyncFunctionDef | None = None,
) -> ir.Wall | None:  # fmt: skip
    """The wall that the call ``node`` of a method of ``receiver`` is; None if it is none that is understood.
    ``attributes``: the variables of the scope are attributes of a class, which other code reads; ``function``: it is
    the scope of one."""
    assert isinstance(node.func, ast.Attribute)
    name, of = node.func.attr, node.func.value
    action = _action(node, places, scope)
    if action is None or places.shows_its_text(node) or {name, *_WRITTEN} & scope.names.patches.methods:
        return None
    rdd = isinstance(receiver, Rdd)
    made = isinstance(receiver, Rdd) and name in _OF_MADE and _is_made_of_rows(receiver, scope)
    if isinstance(receiver, Rdd) and made:
        frame = receiver.frame
    elif isinstance(receiver, Rdd):
        known = name in (*_OF_RDDS, *ir.BY_ROW)
        if receiver.calls or receiver.plan is not None or receiver.source is not None or not known:
            return None
        if not isinstance(of, ast.Attribute) or of.attr != "rdd":
            return None
        frame, of = receiver.frame, of.value
    elif isinstance(receiver, TrackedFrame) and name not in ir.BY_ROW:
        frame = receiver
    else:
        return None
    ctx = scope.names.ctx
    schema = frame.known_schema
    choice = ColumnChoice(node, scope, places, function, attributes=attributes)
    masks = MaskShapes(places, choice)
    pythons = Pythons(scope)
    patched = frozenset(c.rpartition(".")[2] for c in scope.names.patches.of_libraries)
    of_frame = Frame(lambda column: schema.field(column) is not None, pythons, choice, masks, patched)
    names = scope.names
    found = Readers(
        places, ctx.span, lambda n: attributes or n in names.declared or names.may_be_looked_up(n), of_frame
    )  # fmt: skip
    of_rows = _function_of_rows(node, scope)
    if isinstance(of_rows, ast.FunctionDef):  # what its variables hold is a matter of another scope
        no_variables = ColumnChoice(node, scope, places, None, attributes=True)
        inside = of_frame._replace(choice=no_variables)
        found = Readers(Places([of_rows]), ctx.span, lambda n: n in names.rebound or names.reflective, inside)
    kind = "values" if made else action.kind
    readers = found.of(node, kind) if of_rows is None else found.of_function(node, of_rows)
    if readers is None:
        return None
    by_variable = {s.variable for r in readers for s in r.reading if isinstance(s, ir.ColumnBy)}
    base, above = (of, ()) if made else _above(of, by_variable)
    try:
        ends = [receiver_end(ctx, _attribute_on(n, node)) for n in (of, base)]
    except Refusal:
        return None
    start = ctx.span(of).start
    plain = name != "toPandas" and schema.complete and all(f.type.name in _ALWAYS_IN_PYTHON for f in schema.fields)
    caught = if_caught(node, places, scope, (*_OF_PYTHON, *(["ValueError"] if plain else [])))
    return ir.Wall(
        name, ctx.span(node), Span(start, ends[0]), Span(ctx.span(base).start, ends[1]), frame.plan, schema, readers,
        (*above, *action.steps), repeated, rdd, places.is_used_again(node),
        isinstance(of, ast.Name) and bool({"cache", "persist"} & places.attributes_of(of.id)),
        (*pythons.assumed(), *caught),
        or_lists=frozenset(v for v in by_variable if name == "toPandas" and not choice.is_one_text(v)),
    )  # fmt: skip


def _is_made_of_rows(rdd: Rdd, scope: ApiContext) -> bool:
    """Whether the elements of ``rdd`` are made of rows, each of one, by functions that do nothing else: it does not
    matter then how many of them are made."""
    if not rdd.calls or rdd.plan is not None or rdd.source is not None or rdd.refusal is not None:
        return False
    pure = scope.world.options.assume_pure
    for call in rdd.calls:
        given = [own_function(a, scope) if isinstance(a, ast.Name) else a for a in call.arguments]
        if call.method not in _MAKES_ELEMENTS or len(given) > 1:
            return False
        for function in given:
            if (
                not isinstance(function, (ast.Lambda, ast.FunctionDef))
                or effect(scope.names, pure, function) is not None
            ):
                return False
    return True


def _action(node: ast.Call, places: Places, scope: ApiContext) -> Action | None:
    assert isinstance(node.func, ast.Attribute)
    name = node.func.attr
    if not node.args and not node.keywords:
        return _ACTIONS.get(name)
    if name in ir.BY_ROW:
        known = _function_of_rows(node, scope) is not None
        return Action("iterator") if known and _is_at_an_end(node, places) else None
    count = number(node.args[0]) if name in _BOUNDED and len(node.args) == 1 and not node.keywords else None
    return Action("rows", (ir.Limited(count),)) if count is not None and count >= 0 else None


def _is_at_an_end(node: ast.Call, places: Places) -> bool:
    """Whether what a function makes of the rows is no RDD any more, or read as texts: further methods of the RDD may be
    read as a fold, whose own finding comes first."""
    method = places.around(node)
    if isinstance(method, ast.Attribute) and method.value is node:
        return method.attr in _ENDS_OF_RDDS
    match method:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="read"), attr="json" | "csv"), args=[first, *_]):
            return first is node
    return False


def _function_of_rows(node: ast.Call, scope: ApiContext) -> ast.Lambda | ast.FunctionDef | None:
    """The function that an RDD's method hands each row to, if it takes nothing else: a lambda, or one that the file
    defines once at its top level."""
    assert isinstance(node.func, ast.Attribute)
    if node.func.attr not in ir.BY_ROW or node.keywords or len(node.args) != 1:
        return None
    function: ast.expr | ast.FunctionDef | None = node.args[0]
    if isinstance(function, ast.Name):
        function = own_function(function, scope)
    if not isinstance(function, (ast.Lambda, ast.FunctionDef)):
        return None
    given = function.args
    others = (*given.posonlyargs, *given.kwonlyargs, *given.defaults, given.vararg, given.kwarg)
    return function if len(given.args) == 1 and not any(others) else None


def _above(of: ast.expr, variables: Collection[str]) -> tuple[ast.expr, ir.Reading]:
    """The frame below the calls of ``limit`` and ``select`` that ``of`` ends with, and what these do. ``variables``:
    those that hold the names of columns."""
    steps: ir.Reading = ()
    while isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute):
        step = _step(of, of.func.attr, variables)
        if step is None:
            break
        of, steps = of.func.value, (step, *steps)
    return of, steps


def _step(call: ast.Call, name: str, variables: Collection[str]) -> ir.Step | None:
    if call.keywords or not call.args:
        return None
    if name == "limit":
        count = number(call.args[0]) if len(call.args) == 1 else None
        return None if count is None or count < 0 else ir.Limited(count)
    if name == "select":
        given = call.args[0].elts if len(call.args) == 1 and isinstance(call.args[0], ast.List) else call.args
        names = [n for a in given if (n := _column(a)) is not None]
        return ir.Selected(tuple(names)) if len({*names}) == len(given) else _by_variables(call.args, variables)
    return None


def _by_variables(given: list[ast.expr], variables: Collection[str]) -> ir.Step | None:
    """``select(name)``, ``select("a", name)``, and ``select(*{"a", name})`` of different columns."""
    parts = given
    match given:
        case [ast.List(elts=parts)]:
            pass
        case [ast.Starred(value=ast.Set(elts=parts))]:
            pass
    held = [p.id for p in parts if isinstance(p, ast.Name) and p.id in variables]
    names = [n for p in parts if (n := _column(p)) is not None]
    return ir.SelectedBy(tuple(names), tuple(held)) if len({*held}) + len({*names}) == len(parts) and held else None


def _column(node: ast.expr) -> str | None:
    """The column that an argument of ``select`` names, if it is a plain one."""
    found = re.fullmatch(r"\w+|`[^`]+`", text(node) or "")
    return found[0].strip("`") if found else None


def _attribute_on(value: ast.expr, within: ast.expr) -> ast.Attribute:
    """The attribute of ``value`` that ``within`` reads."""
    for n in ast.walk(within):
        if isinstance(n, ast.Attribute) and n.value is value:
            return n
    raise Refusal("opaque", "no method of it is called", value)
