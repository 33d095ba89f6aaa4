"""Which reads of a name mean the module's own name, where functions of the file have variables of that name as well.

``from pyspark.sql.functions import count`` and, in some function, ``count = df.count()``: everywhere else ``count`` is
Spark's. Python decides that by the text alone: a name that a function binds anywhere is local in all of it, and in all
that is nested in it (https://docs.python.org/3/reference/executionmodel.html#resolution-of-names). A class counts as
such a function, which refuses more than Python does; imports do not count as bindings: they are what is asked about.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .bindings import NESTED, binds, own_nodes


def outer_reads(tree: ast.Module, names: frozenset[str]) -> dict[str, frozenset[int]]:
    """For each of ``names`` the ``ast.Name`` nodes, by identity, that read it where no assignment but an import can
    have bound it."""
    everywhere = frozenset(n for node in ast.walk(tree) for n in _bound_further_out(node)) & names
    found: dict[str, set[int]] = {name: set() for name in names}
    _visit(tree, names, everywhere, found)
    return {name: frozenset(reads) for name, reads in found.items()}


def _visit(scope: ast.AST, names: frozenset[str], hidden: frozenset[str], found: dict[str, set[int]]) -> None:
    own = list(own_nodes(scope))
    hidden |= names & {n for node in own for n in _assigned(node)}
    if hidden == names:
        return
    for node in own:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names - hidden:
            found[node.id].add(id(node))
        elif isinstance(node, (*NESTED, ast.ClassDef)):
            _visit(node, names, hidden, found)


def _assigned(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.arg):
        yield node.arg
    elif not isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from binds(node)


def _bound_further_out(node: ast.AST) -> tuple[str, ...]:
    """Names that a statement or ``:=`` may bind in a scope around its own."""
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return tuple(node.names)
    return (node.target.id,) if isinstance(node, ast.NamedExpr) else ()
