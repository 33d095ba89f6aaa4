"""Which reads of a name no function hides that has a variable of that name as well.

``from pyspark.sql.functions import count`` and, in some function, ``count = df.count()``: everywhere else ``count`` is
Spark's. Python decides that by the text alone: a name that a function binds anywhere is local in all of it, and in all
that is nested in it (https://docs.python.org/3/reference/executionmodel.html#resolution-of-names). A class counts as
such a function, which refuses more than Python does; imports do not count as bindings: they are what is asked about.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from headwater.syntax.source.ast_walk import walk
from headwater.syntax.source.bindings import NESTED, binds, own_nodes

_FOUND: WeakKeyDictionary[ast.FunctionDef, tuple[frozenset[str], frozenset[int]]] = WeakKeyDictionary()


def visible_reads(statement: ast.stmt) -> frozenset[int]:
    """The ``ast.Name`` nodes in ``statement``, by identity, that read what the module, or an import, binds to the name,
    unless ``global``, ``nonlocal`` or ``:=`` do."""
    found: set[int] = set()
    _visit(ast.Module([statement], []), None, found)
    return frozenset(found)


def assigned_names(statement: ast.stmt) -> frozenset[str]:
    """Names that ``statement`` binds in its own scope, other than by an import."""
    return frozenset[str]().union(*map(_assigned, own_nodes(ast.Module([statement], []))))


def _visit(scope: ast.AST, around: frozenset[str] | None, found: set[int]) -> None:
    own, outside = list(own_nodes(scope)), {id(n) for e in _evaluated_outside(scope) for n in walk(e)}
    inside = frozenset() if around is None else around.union(*map(_assigned, own))
    for node in own:
        hidden = around if around is not None and id(node) in outside else inside
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in hidden:
            found.add(id(node))
        elif isinstance(node, ast.FunctionDef):
            found |= _inside(node, hidden)
        elif isinstance(node, (*NESTED, ast.ClassDef)):
            _visit(node, hidden, found)


def _evaluated_outside(scope: ast.AST) -> list[ast.expr]:
    """What stands in the function ``scope`` and is evaluated where it is defined."""
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return []
    decorators = [] if isinstance(scope, ast.Lambda) else scope.decorator_list
    return [*scope.args.defaults, *(d for d in scope.args.kw_defaults if d is not None), *decorators]


def _inside(function: ast.FunctionDef, hidden: frozenset[str]) -> frozenset[int]:
    """What ``_visit`` finds in ``function``: asked again when the class around it is parsed anew."""
    known = _FOUND.get(function)
    if known is None or known[0] != hidden:
        found: set[int] = set()
        _visit(function, hidden, found)
        known = _FOUND[function] = hidden, frozenset(found)
    return known[1]


def _assigned(node: ast.AST) -> Iterable[str]:
    if isinstance(node, ast.arg):
        return (node.arg,)
    return () if isinstance(node, (ast.Import, ast.ImportFrom)) else binds(node)
