"""Loops over lists that stand in the file: what the loop's variables hold, one time after the other."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from headwater.pyspark.frames.constant_text import assigned, elements
from headwater.pyspark.frames.tracked_values import Binding, Unevaluated
from headwater.pyspark.walls.places import Places
from headwater.syntax.names.reflection import looks_at_scope
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.ast_walk import walk
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
    items = _items(loop.iter, names, lookup, partial(elements, names=names, lookup=lookup))
    if items is None or len(items) > _MOST_TIMES or any(isinstance(i, ast.List) for i in items):
        return None  # a list in a list may have other names
    found = [_bound(loop.target, item) for item in items]
    known = [f for f in found if f is not None]
    return known if len(known) == len(found) else None


def each_item(
    loop: ast.For | ast.AsyncFor | ast.While, names: Names, lookup: Callable[[str], Binding | None], places: Places
) -> dict[str, list[ast.expr]]:
    """What each of the loop's variables holds, one time after the other, as far as it stands in the file. ``places``:
    of the scope."""

    def of_list(node: ast.expr) -> list[ast.expr] | None:
        own = isinstance(node, ast.Name) and places.is_gone_through(node.id)
        bound = lookup(node.id) if isinstance(node, ast.Name) and own else None
        made = bound.value.node if bound is not None and isinstance(bound.value, Unevaluated) else None
        plain = bound is not None and isinstance(made, (ast.List, ast.Tuple)) and not bound.outdated(lookup)
        plain = plain and not any(isinstance(n, ast.Call) and looks_at_scope(n) for s in places.body for n in walk(s))
        return elements(made if made is not None and plain else node, names, lookup)

    items = _items(loop.iter, names, lookup, of_list) if isinstance(loop, ast.For) else None
    if items is None or not isinstance(loop, ast.For) or not 0 < len(items) <= _MOST_TIMES:
        return {}
    if isinstance(loop.target, ast.Name):
        return {loop.target.id: items}
    parts = loop.target.elts if isinstance(loop.target, (ast.Tuple, ast.List)) else []
    # A list in a list that has a name may have been changed by a loop over that.
    kinds = (ast.Tuple, ast.List) if isinstance(loop.iter, (ast.List, ast.Tuple)) else (ast.Tuple,)
    rows = [i.elts for i in items if isinstance(i, kinds) and len(i.elts) == len(parts)]
    targets = [t.id for t in parts if isinstance(t, ast.Name)]
    if len(rows) < len(items) or len({*targets}) < len(parts):
        return {}
    return dict(zip(targets, map(list, zip(*rows, strict=True)), strict=True))


def _items(
    node: ast.expr, names: Names, lookup: Callable[[str], Binding | None],
    of_list: Callable[[ast.expr], list[ast.expr] | None],
) -> list[ast.expr] | None:  # fmt: skip
    match node:
        case ast.Call(func=ast.Name(id="zip") as function, args=given, keywords=[]) if given:
            lists = [found for g in given if (found := of_list(g)) is not None]
            if len(lists) < len(given) or names.resolve(function) != "builtins.zip":
                return None
            return [ast.Tuple([*items], ast.Load()) for items in zip(*lists, strict=False)]
        case ast.Call(func=ast.Name(id="enumerate") as function, args=[over], keywords=[]):
            counted = of_list(over)
            if counted is None or names.resolve(function) != "builtins.enumerate":
                return None
            return [ast.Tuple([ast.Constant(i), item], ast.Load()) for i, item in enumerate(counted)]
        case ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[], keywords=[]):
            made = assigned(owner, names, lookup)
            if not isinstance(made, ast.Dict) or not _distinct(made.keys):
                return None
            pairs = zip(made.keys, made.values, strict=True)
            return [ast.Tuple([k, v], ast.Load()) for k, v in pairs if k is not None]
    return of_list(node)


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
