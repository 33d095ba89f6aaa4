"""Calls in scalar expressions: exact meanings where there is one, opaque pure functions where the callee is known."""

from __future__ import annotations

import ast
import datetime as dt
import re
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.libraries.refused import refuse_call
from headwater.python.effects.purity import NUMERIC_CALLS, STRING_METHODS, TEXT_CALLS
from headwater.python.exprs import rounding
from headwater.python.exprs.simplify import either, truthy
from headwater.python.interpreter import constants
from headwater.python.values.scope import AbstractObject, Env, Items
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import by_place
from headwater_ir.assumptions import purity_of
from headwater_ir.expr import Call, Col, Expr, Lit, StringOp
from headwater_ir.types import ANY, BOOL, DATE, INT, INT8, INT32, NUMBER, STRING, TIMESTAMP, Type, is_numeric

if TYPE_CHECKING:
    from headwater.python.interpreter.scalars import Scalars

_ISO = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d)?")
_CLASSES = {
    "string": {"builtins.str"}, "int": {"builtins.int"}, "float": {"builtins.float"},
    "bool": {"builtins.bool", "builtins.int"}, "date": {"datetime.date"},
}  # fmt: skip
_DATES = {"datetime.datetime": (dt.datetime, TIMESTAMP), "datetime.date": (dt.date, DATE)}


def call(s: Scalars, node: ast.Call, env: Env) -> Expr:
    """The value of a call."""
    if isinstance(node.func, ast.Lambda) or any(isinstance(a, ast.Starred) for a in node.args):
        raise Refusal("opaque", "a call with unpacked arguments or of a lambda", node)
    known = constants.float_constant(s.scope, node)
    if known is not None:
        return known
    name = s.scope.origin(node.func)
    time = constant_call(name, node)
    if time is not None:
        return time
    modelled = s.of_scalars(node, env)
    if modelled is not None:
        return s.plain(node, modelled)
    bound = env.get(node.func.id) if isinstance(node.func, ast.Name) else None
    if isinstance(bound, AbstractObject):
        found = s.local_call(bound, node, env)
        if found is not None:
            return found
    if name is None and isinstance(node.func, ast.Name) and node.func.id not in env:
        inlined = s.inline(node.func.id, node, env)
        if inlined is not None:
            return inlined
    written = s.scope.ctx.text(node.func)
    for candidate in (name, written):
        if candidate and s.scope.is_assumed_pure(candidate):
            return _opaque(s, node, candidate, ANY, env, exact=False)
    if name in NUMERIC_CALLS:
        return _numeric(s, node, name, env)
    if name in TEXT_CALLS:
        return _opaque(s, node, name, TEXT_CALLS[name], env, exact=False)
    if name is None and isinstance(node.func, ast.Attribute):
        return _method(s, node, node.func, env)
    raise refuse_call(s.scope.ctx, name, node)


def constant_call(name: str | None, node: ast.Call) -> Expr | None:
    """The point in time that a call of the function ``name`` makes of constants; None for other functions."""
    if name in _DATES:
        return _date(node, name)
    return _timestamp(name, node) if name in ("pandas.Timestamp", "pandas.to_datetime") else None


def _date(node: ast.Call, name: str) -> Expr:
    make, t = _DATES[name]
    given = models.bind(name, node).arguments
    parts = {n: a.value for n, a in given.items() if isinstance(a, ast.Constant) and type(a.value) is int}
    if len(parts) != len(given):
        raise Refusal("opaque", "a date that is not a constant", node)
    try:
        return Lit(make(**parts), t)
    except (ValueError, TypeError, OverflowError) as error:
        raise Refusal("may-throw", f"not a date: {error}", node) from None


def _timestamp(name: str, node: ast.Call) -> Expr:
    given = [*models.bind(name, node).only("ts_input", "arg").arguments.values(), None][0]
    text = given.value if isinstance(given, ast.Constant) else None
    if not isinstance(text, str) or not _ISO.fullmatch(text):
        raise Refusal("opaque", "a timestamp that is not a plain constant", node)
    try:
        return Lit(dt.datetime.fromisoformat(text), TIMESTAMP)
    except ValueError as error:
        raise Refusal("may-throw", f"not a timestamp: {error}", node) from None


def _numeric(s: Scalars, node: ast.Call, name: str, env: Env) -> Expr:
    t = NUMERIC_CALLS[name]
    args = tuple(s.value(a, env) for a in models.in_order(name, node))
    if name in ("builtins.abs", "builtins.round"):
        for a in args:
            s.scope.hint(a, NUMBER)
        first = s.scope.type(args[0]) if args else ANY
        t = first if is_numeric(first) else ANY
        t = Type("int") if t.name == "int" or (name == "builtins.round" and len(args) == 1) else t
    return _opaque(s, node, name, t, env, exact=True)


def _opaque(s: Scalars, node: ast.Call, name: str, t: Type, env: Env, *, exact: bool) -> Expr:
    """An uninterpreted function. ``exact``: it gives equal results for 1 and 1.0, 0.0 and -0.0."""
    modelled = models.signature_of(name) is not None
    args = tuple(s.value(a, env) for a in (models.in_order(name, node) if modelled else by_place(name, node)))
    if not exact:
        printable(s, node, args)
    said = name.removeprefix("builtins.")
    if said not in (*rounding.NAMES, "str"):
        s.scope.assume(purity_of(said), "note")
    plain = said == "str" and all(isinstance(a, Col) for a in args)  # Python refuses it of a long computed number
    return value_of(Call(said, args, t, total=plain)) if modelled else Call(said, args, t)


def value_of(call: Call) -> Expr:
    """What a function of Python's own yields: of one that yields True or False, never None."""
    return truthy(call) if call.type == BOOL else call


def printable(s: Scalars, node: ast.AST, args: tuple[Expr, ...]) -> None:
    """Refuse numbers out of a pandas frame: whether they are ints or floats depends on the rest of the group."""
    if s.scope.exact_numbers:
        return
    for a in args:
        if not isinstance(a, Lit) and s.scope.type(a).name not in ("string", "date"):
            raise Refusal("opaque", "how a number prints depends on whether its pandas column holds a NULL", node)


def _method(s: Scalars, node: ast.Call, function: ast.Attribute, env: Env) -> Expr:
    owner = s.any_value(function.value, env) if _readable(s, function.value, env) else None
    if owner is None or isinstance(owner, AbstractObject):
        raise refuse_call(s.scope.ctx, None, node)
    t = s.scope.type(owner)
    if t == DATE and function.attr in ("weekday", "isoweekday"):
        models.bind(f"datetime.date.{function.attr}", node)
        return Call(f"date.{function.attr}", (owner,), INT8)
    if t.name not in ("string", "any") or function.attr not in ("startswith", "endswith", "join", *STRING_METHODS):
        raise refuse_call(s.scope.ctx, None, node)
    given = models.in_order(f"builtins.str.{function.attr}", node)
    if function.attr in ("startswith", "endswith") and len(given) == 1:
        found = _any_of(s, node, function.attr, owner, given[0], env)
        if found is not None:
            return found
    if function.attr == "join" and isinstance(owner, Lit) and isinstance(owner.value, str):
        return _joined(s, node, owner.value, given[0], env)
    args = [s.value(a, env) for a in given]
    if function.attr in ("startswith", "endswith") and len(args) == 1:
        return s.text_test("startswith" if function.attr == "startswith" else "endswith", node, owner, args[0])
    if function.attr not in STRING_METHODS:
        raise refuse_call(s.scope.ctx, None, node)
    s.scope.hint(owner, STRING)
    result = STRING_METHODS[function.attr]
    if result == INT and isinstance(owner, Col):
        result = INT32  # a text of Spark's has fewer bytes than that, so that no place in it is beyond
    return value_of(Call(f"str.{function.attr}", (owner, *args), result))


def _joined(s: Scalars, node: ast.Call, between: str, parts: ast.expr, env: Env) -> Expr:
    """``between.join(parts)`` of a tuple or list of constants."""
    listed = s.any_value(parts, env)
    texts = [i.value for i in listed.items if isinstance(i, Lit)] if isinstance(listed, Items) else None
    if not isinstance(listed, Items) or listed.unique or texts is None or len(texts) != len(listed.items):
        raise refuse_call(s.scope.ctx, None, node)
    if not all(isinstance(t, str) for t in texts):
        raise Refusal("may-throw", "a text joined from what is no text", node)
    return Lit(between.join(map(str, texts)), STRING)


def _any_of(s: Scalars, node: ast.Call, method: str, text: Expr, options: ast.expr, env: Env) -> Expr | None:
    """``text.startswith((…, …))``; None for one text."""
    listed = s.any_value(options, env) if isinstance(options, (ast.Tuple, ast.Name, ast.Call)) else None
    if not isinstance(listed, Items):
        return None
    texts = [o for o in listed.items if isinstance(o, Lit) and isinstance(o.value, str)]
    if listed.mutable or not texts or len(texts) != len(listed.items):
        raise Refusal("opaque", f"`{method}` of something other than texts", node)
    op: StringOp = "startswith" if method == "startswith" else "endswith"
    return either(*(s.text_test(op, node, text, o) for o in texts))


def _readable(s: Scalars, node: ast.expr, env: Env) -> bool:
    """Whether the owner of a method is a value of ours, rather than a module or an unknown object."""
    if isinstance(node, ast.Name):
        return node.id in env or s.scope.ctx.constant(node.id) is not None
    return s.scope.origin(node) is None


def formatted(s: Scalars, node: ast.JoinedStr, env: Env) -> Expr:
    """An f-string: an opaque function, named by its text, of the values in it."""
    args: list[Expr] = []
    template = ""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            if part.format_spec is not None:
                raise Refusal("opaque", "an f-string with a format", node)
            args.append(s.value(part.value, env))
            template += "{" + (chr(part.conversion) if part.conversion > 0 else "") + "}"
        elif isinstance(part, ast.Constant):
            template += str(part.value).replace("{", "{{").replace("}", "}}")
    printable(s, node, tuple(args))
    return Call(f"format:{template}", tuple(args), STRING)


def sliced(s: Scalars, node: ast.Subscript, env: Env) -> Expr:
    """``text[i]`` and ``text[i:j]`` with constant bounds, and the first or last part of a text that is split."""
    bounds = node.slice
    part = _part(s, node, env)
    if part is not None:
        return part
    text = s.value(node.value, env)
    parts = [bounds.lower, bounds.upper, bounds.step] if isinstance(bounds, ast.Slice) else [bounds]
    if s.scope.type(text) != STRING or not all(p is None or _whole(p) for p in parts):
        raise Refusal("opaque", f"the subscript `{s.scope.ctx.text(node)}`", node)
    return Call(f"str[{ast.unparse(bounds)}]", (text,), STRING)


_SPLITTING = {
    ("split", "0"): "first", ("partition", "0"): "first", ("split", "-1"): "last", ("rsplit", "-1"): "last",
    ("rpartition", "-1"): "last", ("rpartition", "2"): "last",
}  # fmt: skip
"""By method and index, which part of a text it is."""


def _part(s: Scalars, node: ast.Subscript, env: Env) -> Expr | None:
    """``text.split(",")[0]`` and its kin, for a separator of one character; None for anything else."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    part, at_most_one = _SPLITTING.get((call.func.attr, ast.unparse(node.slice))), call.func.attr != "split"
    if part is None or not _readable(s, call.func.value, env):
        return None
    given = models.in_order(f"builtins.str.{call.func.attr}", call)
    separator, *most = (s.any_value(a, env) for a in given) if given else (None,)
    text = s.any_value(call.func.value, env)
    if not isinstance(separator, Lit) or not isinstance(separator.value, str) or len(separator.value) != 1:
        return None
    if isinstance(text, AbstractObject) or s.scope.type(text) != STRING:
        return None
    if most and not (most == [Lit(1, INT)] and (at_most_one or part == "first")):
        return None
    return Call(f"str.{part}", (text, separator), STRING)


def _whole(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(inner, ast.Constant) and type(inner.value) is int
