"""Records that the file declares: ``NamedTuple``, ``namedtuple`` and data classes that hold fields and nothing else.

Law: a call binds its arguments to the fields in their order; a field that is not given has its constant default.
``_replace`` and ``dataclasses.replace`` give a new record. Refused: classes with methods, other bases or decorators,
defaults that are made anew, and records that are compared or read by position. Reference: the Python library reference,
``collections.namedtuple``, ``typing.NamedTuple`` and ``dataclasses``.
"""

from __future__ import annotations

import ast
import keyword
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwater.python.values.scope import Env, Value
from headwater.python.values.structures import RecordValue, is_mutable
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Parameter, Signature

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured

_TUPLES = ("typing.NamedTuple", "collections.namedtuple")
_DATA_CLASS = "dataclasses.dataclass"
_KINDS = frozenset(
    [f"builtins.{n}" for n in "bool bytes dict float frozenset int list object set str tuple".split()]
    + [f"typing.{n}" for n in "Any Dict FrozenSet List Literal Optional Set Tuple Union".split()]
    + ["datetime.date", "datetime.datetime", "datetime.timedelta", "decimal.Decimal"]
)
"""What the annotation of a field may be made of. Others make it no field (``ClassVar``, ``InitVar``, ``KW_ONLY``)."""


@dataclass(frozen=True)
class Declared:
    """The fields of a class, and the constants that some have by default; ``mutable``: they can be assigned."""

    defaults: tuple[tuple[str, ast.expr | None], ...]
    mutable: bool


def made(s: Structured, node: ast.Call, env: Env) -> Value | None:
    """The record that a call makes, as its class or from another record; None if it is no such call."""
    if isinstance(node.func, ast.Attribute) and node.func.attr == "_replace":
        return _replaced(s, node, node.func.value, env, mutable=False)
    if s.scope.origin(node.func) == "dataclasses.replace" and len(node.args) == 1:
        return _replaced(s, node, node.args[0], env, mutable=True)
    if not isinstance(node.func, ast.Name) or node.func.id in env or node.func.id in s.scope.local_names:
        return None
    found = _declared(s, node.func.id)
    if found is None:
        return None
    parameters = tuple(Parameter(n, "either", required=d is None) for n, d in found.defaults)
    bound = Signature(node.func.id, parameters).bind(node)
    parts = [bound.get(n) or d for n, d in found.defaults]
    values = tuple(s.any_value(p, env) for p in parts if p is not None)
    if any(map(is_mutable, values)):
        raise Refusal("opaque", "a record that holds a list, set or dict", node)
    names = tuple(n for n, _ in found.defaults)
    return RecordValue(names, values, "attribute", found.mutable, s.solid(values), closed=True)


def _replaced(s: Structured, node: ast.Call, of: ast.expr, env: Env, *, mutable: bool) -> Value | None:
    owner = env.get(of.id) if isinstance(of, ast.Name) else s.any_value(of, env)
    if not isinstance(owner, RecordValue) or owner.access != "attribute" or owner.mutable is not mutable:
        return None
    changed = {k.arg: s.any_value(k.value, env) for k in node.keywords if k.arg is not None}
    if len(changed) != len(node.keywords) or not set(changed) <= set(owner.names) or not owner.closed:
        raise Refusal("opaque", f"`{s.scope.ctx.text(node)}`", node)
    if any(map(is_mutable, changed.values())):
        raise Refusal("opaque", "a record that holds a list, set or dict", node)
    values = tuple(changed.get(n, v) for n, v in zip(owner.names, owner.values, strict=True))
    return replace(owner, values=values, solid=s.solid(values))


def _declared(s: Structured, name: str) -> Declared | None:
    """The fields of the class ``name`` of the file; None if it is no class of records."""
    ctx = s.scope.ctx
    if s.scope.shadowed(name) or s.scope.names.reflective or not s.scope.names.only_called(name):
        return None
    bound = ctx.constant(name)
    if isinstance(bound, ast.Call) and s.scope.outer_origin(bound.func) in _TUPLES:
        return _of_call(bound)
    definition = ctx.class_definition(name)
    if definition is None or not ctx.at_top(definition) or definition.keywords:
        return None
    bases = [s.scope.outer_origin(b) for b in definition.bases]
    decorators = [(d.func, d.keywords) if isinstance(d, ast.Call) else (d, []) for d in definition.decorator_list]
    given = {k.arg: k.value for _, keywords in decorators for k in keywords}
    plain = all(isinstance(v, ast.Constant) and isinstance(v.value, bool) for v in given.values())
    fields = _fields(s, definition.body)
    if fields is None or not plain:
        return None
    if bases == ["typing.NamedTuple"] and not decorators:
        return Declared(fields, mutable=False)
    known = {s.scope.outer_origin(d) for d, _ in decorators} == {_DATA_CLASS} and set(given) <= {"frozen", "slots"}
    frozen = given.get("frozen")
    if known and not bases and len(decorators) == 1:
        return Declared(fields, mutable=not (isinstance(frozen, ast.Constant) and frozen.value is True))
    return None


def _of_call(call: ast.Call) -> Declared | None:
    """``namedtuple("P", "x y")`` and ``NamedTuple("P", [("x", int), …])``."""
    if len(call.args) != 2 or call.keywords:
        return None
    listed = call.args[1]
    if isinstance(listed, ast.Constant) and isinstance(listed.value, str):
        names = listed.value.replace(",", " ").split()
    elif isinstance(listed, (ast.List, ast.Tuple)):
        first = [e.elts[0] if isinstance(e, ast.Tuple) and e.elts else e for e in listed.elts]
        names = [str(e.value) for e in first if isinstance(e, ast.Constant) and isinstance(e.value, str)]
        if len(names) != len(first):
            return None
    else:
        return None
    fine = all(n.isidentifier() and not n.startswith("_") and not keyword.iskeyword(n) for n in names)
    return (
        Declared(tuple((n, None) for n in names), False) if fine and names and len(set(names)) == len(names) else None
    )


def _is_kind(s: Structured, node: ast.expr) -> bool:
    """Whether an annotation is made of types of ``_KINDS``; one in quotes is not looked into."""
    match node:
        case ast.Constant(value=value):
            return value is None
        case ast.Name() | ast.Attribute():
            return s.scope.outer_origin(node) in _KINDS
        case ast.Subscript(value=of, slice=index):
            if s.scope.outer_origin(of) == "typing.Literal":
                return True
            return _is_kind(s, of) and all(
                _is_kind(s, n) for n in (index.elts if isinstance(index, ast.Tuple) else [index])
            )
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_kind(s, left) and _is_kind(s, right)
    return False


def _fields(s: Structured, body: list[ast.stmt]) -> tuple[tuple[str, ast.expr | None], ...] | None:
    """The annotated names of a class body that holds nothing else, with constants for defaults."""
    found: dict[str, ast.expr | None] = {}
    for node in body:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=default) if not name.startswith(
                "_"
            ) and _is_kind(s, kind):
                if name in found or (default is not None and not isinstance(default, ast.Constant)):
                    return None
                found[name] = default
            case _:
                return None
    return tuple(found.items()) or None
