"""What stands in each scope of a file: its calls, and what gives its variables a value. Collected once per statement of
the top level, and kept with it, so that an edit elsewhere costs nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from headwater.syntax.source.ast_walk import walk
from headwater.syntax.source.bindings import own_nodes

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MEMO = "_scope_nodes"


@dataclass
class ScopeNodes:
    """The ``calls`` of a scope in order, and its assignments and targets of other kinds; ``function``: whose scope it
    is, None for the top level."""

    function: Function | None
    calls: list[ast.Call] = field(default_factory=list)
    bound: list[ast.Assign | ast.Name] = field(default_factory=list)

    def add(self, nodes: Iterator[ast.AST]) -> ScopeNodes:
        """With what is in ``nodes``."""
        for node in nodes:
            if isinstance(node, ast.Call):
                self.calls.append(node)
            elif isinstance(node, ast.Assign) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)):
                self.bound.append(node)
        return self


class Scopes:
    """The scopes of a file: the top level, and every function."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree

    @cached_property
    def every(self) -> list[ScopeNodes]:
        """All of them, the top level first."""
        top, functions = ScopeNodes(None), list[ScopeNodes]()
        for statement in self._tree.body:
            its, inner = _of_statement(statement)
            top.calls += its.calls
            top.bound += its.bound
            functions += inner
        return [top, *functions]

    @cached_property
    def _by_function(self) -> dict[ast.AST, ScopeNodes]:
        return {s.function or self._tree: s for s in self.every}

    def of(self, scope: ast.AST) -> ScopeNodes:
        """That of a function, or of the module."""
        return self._by_function[scope]


def _of_statement(statement: ast.stmt) -> tuple[ScopeNodes, list[ScopeNodes]]:
    """What ``statement`` has of the top level, and the functions in it."""
    known = getattr(statement, _MEMO, None)
    if not isinstance(known, tuple):
        functions = [n for n in walk(statement) if isinstance(n, FUNCTIONS)]
        own = own_nodes(ast.Module([statement], []))
        known = ScopeNodes(None).add(own), [ScopeNodes(f).add(own_nodes(f)) for f in functions]
        setattr(statement, _MEMO, known)  # a table would keep the tree, which it speaks of
    return known
