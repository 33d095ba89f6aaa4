"""Walks over syntax trees, as those of ``ast`` and quicker: operators and contexts are left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

_LEFT_OUT = frozenset("ctx op ops id attr kind type_comment".split())
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}
_MIXED = frozenset({ast.arguments, ast.Dict, ast.Global, ast.MatchClass, ast.Nonlocal})
"""In whose lists stands what is no node."""
_NAMES: WeakKeyDictionary[ast.AST, frozenset[str]] = WeakKeyDictionary()
_SIZES: WeakKeyDictionary[ast.AST, int] = WeakKeyDictionary()


def children(node: ast.AST) -> list[ast.AST]:
    """As ``ast.iter_child_nodes``, in the same order."""
    if type(node) is ast.Name or type(node) is ast.Constant:  # trees are mostly made of these five
        return []
    if type(node) is ast.Attribute:
        return [node.value]
    if type(node) is ast.Call:
        return [node.func, *node.args, *node.keywords]
    if type(node) is ast.keyword:
        return [node.value]
    names = _FIELDS.get(type(node))
    if names is None:
        names = _FIELDS[type(node)] = tuple(n for n in node._fields if n not in _LEFT_OUT)
    found: list[ast.AST] = []
    held, mixed = node.__dict__, type(node) in _MIXED
    for name in names:
        child = held.get(name)
        if child is None:
            continue
        if type(child) is list:
            found += [c for c in child if isinstance(c, ast.AST)] if mixed else child
        elif isinstance(child, ast.AST):
            found.append(child)
        elif isinstance(child, list):  # one that notes who reads it
            found.extend(iter(child))
    return found


def walk(node: ast.AST, apart: Sequence[ast.AST] = ()) -> Iterator[ast.AST]:
    """As ``ast.walk``, in no order that anybody may rely on; without ``apart`` and what is below them."""
    todo, without = [node], {id(n) for n in apart}
    while todo:
        at = todo.pop()
        if without and id(at) in without:
            continue
        yield at
        todo += children(at)


def names_in(node: ast.expr) -> frozenset[str]:
    """The names of variables in ``node``, which nobody changes any more."""
    if isinstance(node, ast.Constant):
        return frozenset()
    known = _NAMES.get(node)
    if known is None:
        known = _NAMES[node] = frozenset(n.id for n in walk(node) if isinstance(n, ast.Name))
    return known


def methods_of(node: ast.stmt) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The methods in the body of ``node``, if it is a class."""
    body = node.body if isinstance(node, ast.ClassDef) else []
    return [s for s in body if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))]


def size(node: ast.AST) -> int:
    """How many nodes ``walk`` finds in ``node``, which nobody changes any more."""
    known = _SIZES.get(node)
    if known is None:
        known = _SIZES[node] = sum(1 for _ in walk(node))
    return known
