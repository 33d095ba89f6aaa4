"""Whether what is changed inside a list or dict was made for it: ``found[0][1] = …`` changes the first element of
``found``, which may be what another variable holds.

The world is closed: what is put into it so deep is a display, or the change may be seen elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from headwater.pyspark.walls.places import Places

_LOOKS = ("get", "items", "keys", "values")


def holds_its_own(nodes: Sequence[ast.Name], inside: Collection[int], places: Places) -> bool:
    """Whether no element that is changed of what a variable holds, of which ``nodes`` are all names, is held elsewhere.
    ``inside``: by identity, the nodes by which something is changed."""
    stores = [_element(n, places) for n in nodes if id(n) in inside]
    deep = max((at for at, outer in stores if _is_store(outer)), default=0)
    return deep < 2 or all(_puts_its_own(n, deep, places) for n in nodes)


def _element(node: ast.Name, places: Places) -> tuple[int, ast.AST]:
    """The outermost element of ``node`` that is spelled there, and how deep in it that is."""
    deep = 0
    at: ast.AST = node
    while isinstance(outer := places.around(at), ast.Subscript) and outer.value is at:
        deep, at = deep + 1, outer
    return deep, at


def _is_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)


def _puts_its_own(node: ast.Name, deep: int, places: Places) -> bool:
    """Whether ``node`` puts nothing into what it holds that is held elsewhere and may be changed: up to so ``deep``."""
    level, at = _element(node, places)
    match outer := places.around(at):
        case ast.Attribute(attr=method):
            call = places.around(outer)
            if method == "append" and isinstance(call, ast.Call) and call.func is outer:
                return all(_is_new(a, deep - level - 1) for a in call.args)
            return method in _LOOKS
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value) if (
            target is at
        ):
            return _is_new(value, deep - level)
    return isinstance(getattr(at, "ctx", None), ast.Load)


def _is_new(value: ast.expr, deep: int) -> bool:
    """Whether ``value``, and what it holds up to so ``deep``, is made there."""
    match value:
        case _ if deep <= 0:
            return True
        case ast.Constant():
            return True
        case ast.List(elts=parts) | ast.Dict(values=parts):
            none = isinstance(value, ast.Dict) and None in value.keys
            return not none and all(_is_new(p, deep - 1) for p in parts)
    return False
