"""Constants that a function reads from its module: literals bound once and never changed."""

from __future__ import annotations

import ast
import math

from headwater.libraries import models
from headwater.python.effects.containers_read import Containers
from headwater.python.exprs.simplify import NAN, literal
from headwater.python.values.dict_tables import Table, table
from headwater.python.values.scope import AbstractObject, Items, Pattern, Scope, Value
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import ArithOp, Expr, Lit
from headwater_ir.types import FLOAT, INT

ARITHMETIC: dict[type[ast.operator], ArithOp] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"
}  # fmt: skip
_LARGEST_BASE, _LARGEST_EXPONENT = 1000, 64
_ATTRIBUTES: dict[str, Expr] = {
    "math.inf": Lit(math.inf, FLOAT), "numpy.inf": Lit(math.inf, FLOAT), "math.nan": NAN, "numpy.nan": NAN,
    "math.pi": Lit(math.pi, FLOAT), "math.e": Lit(math.e, FLOAT), "math.tau": Lit(math.tau, FLOAT),
    "sys.maxsize": Lit(2**63 - 1, INT),
}  # fmt: skip


def attribute(scope: Scope, node: ast.expr) -> Expr | None:
    """``math.inf`` and its kin."""
    return _ATTRIBUTES.get(scope.origin(node) or "")


def module_constant(scope: Scope, node: ast.Name) -> Value:
    """The value of a module-level name."""
    imported = attribute(scope, node)
    if imported is not None:
        return imported
    bound = scope.ctx.constant(node.id)
    if bound is None or scope.shadowed(node.id):
        raise Refusal("opaque", f"the value of `{node.id}` is not known", node)
    return kept(scope, node, constant_of(scope, bound))


def kept(scope: Scope, node: ast.Name, found: Value | None) -> Value:
    """``found``, the constant that is read by the name ``node``. Refusal if it is none, or may be changed."""
    if found is None:
        raise Refusal("opaque", f"`{node.id}` is not a constant", node)
    objects = any(isinstance(x, AbstractObject) and not isinstance(x, Pattern) for x in getattr(found, "items", ()))
    if _is_changeable(found) and not Containers.of(scope.names).only_read((node.id, objects)):
        raise Refusal("side-effect", f"`{node.id}` may be changed elsewhere in the file", node)
    return found


def _is_changeable(value: Value) -> bool:
    """Whether it, or something in it, can be changed: ``(["a"], ["b"])[0].append("c")``."""
    if isinstance(value, Items):
        return value.mutable or any(map(_is_changeable, value.items))
    return isinstance(value, Table)


def constant_of(scope: Scope, node: ast.expr) -> Value | None:
    """The constant that ``node`` is written as; None if it is none."""
    if isinstance(node, ast.Constant):
        return literal(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = constant_of(scope, node.operand)
        if isinstance(inner, Lit) and isinstance(inner.value, (int, float)) and not isinstance(inner.value, bool):
            return Lit(-inner.value, inner.type)
        return None
    if isinstance(node, ast.BinOp):
        left, right = constant_of(scope, node.left), constant_of(scope, node.right)
        if isinstance(left, Lit) and isinstance(right, Lit) and type(left.value) is int and type(right.value) is int:
            made = whole(ARITHMETIC.get(type(node.op)), left.value, right.value)
            return None if made is None else Lit(made, INT)
        return None
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        items = [constant_of(scope, e) for e in node.elts]
        known = tuple(i for i in items if i is not None)
        of_set = isinstance(node, ast.Set)
        return Items(known, not isinstance(node, ast.Tuple), unique=of_set) if len(known) == len(items) else None
    if isinstance(node, ast.Dict):
        return table(node, lambda part: constant_of(scope, part))
    if isinstance(node, ast.Call):
        return float_constant(scope, node) or pattern_constant(scope, node) or _copied(scope, node)
    return attribute(scope, node) if isinstance(node, ast.Attribute) else None


def _copied(scope: Scope, node: ast.Call) -> Items | None:
    """``frozenset(items)``, ``set(items)``, ``tuple(items)`` or ``list(items)`` of a display of constants."""
    name = scope.origin(node.func)
    if name not in _COPYING or len(node.args) != 1 or node.keywords:
        return None
    of = constant_of(scope, node.args[0])
    if not isinstance(of, Items) or (of.unique and name in ("builtins.tuple", "builtins.list")):
        return None
    mutable, unique = _COPYING[name]
    return Items(of.items, mutable, unique=unique)


_COPYING = {
    "builtins.frozenset": (False, True), "builtins.set": (True, True),
    "builtins.tuple": (False, False), "builtins.list": (True, False),
}  # fmt: skip
"""Whether what they make can be changed, and is a set."""
MAKING = frozenset({*_COPYING, "re.compile"})
"""The functions whose calls are constants that have parts or methods."""


def whole(op: ArithOp | None, a: int, b: int) -> int | None:
    """The whole number that CPython computes of two; None where it raises, is a fraction or takes long."""
    if op in ("//", "%"):
        return None if b == 0 else a // b if op == "//" else a % b
    if op == "**":
        return a**b if 0 <= b <= _LARGEST_EXPONENT and abs(a) <= _LARGEST_BASE else None
    return {"+": a + b, "-": a - b, "*": a * b}.get(op or "")


def float_constant(scope: Scope, node: ast.Call) -> Expr | None:
    """``float("inf")`` and other conversions of a literal."""
    if scope.origin(node.func) != "builtins.float":
        return None
    argument = models.bind("builtins.float", node).get("x")
    if not (isinstance(argument, ast.Constant) and isinstance(argument.value, (str, int, float))):
        return None
    try:
        value = float(argument.value)
    except (ValueError, OverflowError):
        return None
    return NAN if math.isnan(value) else Lit(value, FLOAT)


def pattern_constant(scope: Scope, node: ast.Call) -> Pattern | None:
    """``re.compile("a|b")``: a literal without flags."""
    if scope.origin(node.func) != "re.compile":
        return None
    match models.bind("re.compile", node).arguments:
        case {"pattern": ast.Constant(value=str() as text), **rest} if not rest:
            return Pattern(text)
    return None
