"""Loops over lists that stand in the file: what the loop's variables hold, one time after the other."""

from __future__ import annotations

import ast
from collections.abc import Callable

from headwater.pyspark.frames.constant_text import assigned, elements
from headwater.pyspark.frames.tracked_values import Binding
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.bindings import own_nodes

_MOST_TIMES = 100
_LEAVES = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Await)
Constants = dict[str, ast.Constant]


def each_time(
    loop: ast.For | ast.AsyncFor | ast.While, names: Names, lookup: Callable[[str], Binding | None]
) -> list[Constants] | None:
    """The values of the loop's variables each time that its body runs, whole; None if that is not plain to see."""
    if not isinstance(loop, ast.For) or loop.orelse or any(isinstance(n, _LEAVES) for n in own_nodes(loop)):
        return None
    items = _items(loop.iter, names, lookup)
    if items is None or len(items) > _MOST_TIMES or any(isinstance(i, ast.List) for i in items):
        return None  # a list in a list may have other names
    found = [_bound(loop.target, item) for item in items]
    known = [f for f in found if f is not None]
    return known if len(known) == len(found) else None


def _items(node: ast.expr, names: Names, lookup: Callable[[str], Binding | None]) -> list[ast.expr] | None:
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[], keywords=[]):
            given = assigned(owner, names, lookup)
            if not isinstance(given, ast.Dict) or not _distinct(given.keys):
                return None
            pairs = zip(given.keys, given.values, strict=True)
            return [ast.Tuple([k, v], ast.Load()) for k, v in pairs if k is not None]
    return elements(node, names, lookup)


def _distinct(keys: list[ast.expr | None]) -> bool:
    values = [k.value for k in keys if isinstance(k, ast.Constant)]
    return len(set(values)) == len(keys)


def _bound(target: ast.expr, item: ast.expr) -> Constants | None:
    if isinstance(target, ast.Name):
        return {target.id: item} if isinstance(item, ast.Constant) else None
    if not isinstance(target, (ast.Tuple, ast.List)) or not isinstance(item, (ast.Tuple, ast.List)):
        return None
    pairs = list(zip(target.elts, item.elts, strict=False))
    plain = {t.id: i for t, i in pairs if isinstance(t, ast.Name) and isinstance(i, ast.Constant)}
    return plain if len(plain) == len(target.elts) == len(item.elts) else None
