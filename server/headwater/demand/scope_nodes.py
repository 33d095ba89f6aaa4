"""What stands in each scope of a file: its calls, and what gives its variables a value. Collected once per statement of
the top level, and kept with it, so that an edit elsewhere costs nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from headwater.pyspark.frames.placed import called_name
from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.ast_walk import walk
from headwater.syntax.source.bindings import own_nodes

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MEMO = "_scope_nodes"


@dataclass
class ScopeNodes:
    """The ``calls`` of a scope by the last names of what they call, in order, and its assignments and targets of other
    kinds by the names in them; ``function``: whose scope it is, None for the top level."""

    function: Function | None
    calls: dict[str, list[ast.Call]] = field(default_factory=dict)
    bound: dict[str, list[ast.Assign | ast.Name]] = field(default_factory=dict)

    def add(self, nodes: Iterator[ast.AST]) -> ScopeNodes:
        """With what is in ``nodes``."""
        for node in nodes:
            if isinstance(node, ast.Call):
                self.calls.setdefault(called_name(node), []).append(node)
            elif isinstance(node, ast.Assign):
                for name in {n.id for t in node.targets for n in walk(t) if isinstance(n, ast.Name)}:
                    self.bound.setdefault(name, []).append(node)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.bound.setdefault(node.id, []).append(node)
        return self

    def join(self, others: ScopeNodes) -> None:
        """Put what is in ``others`` to these."""
        for name, calls in others.calls.items():
            self.calls.setdefault(name, []).extend(calls)
        for name, nodes in others.bound.items():
            self.bound.setdefault(name, []).extend(nodes)


class Scopes:
    """The scopes of a file: the top level, and every function."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree

    @staticmethod
    def of_file(context: Context) -> Scopes:
        """Those of a file."""
        found = context.memo.get(_MEMO)
        if not isinstance(found, Scopes):
            found = context.memo[_MEMO] = Scopes(context.tree)
        return found

    @cached_property
    def every(self) -> list[ScopeNodes]:
        """All of them, the top level first."""
        top, functions = ScopeNodes(None), list[ScopeNodes]()
        for statement in self._tree.body:
            its, inner = _of_statement(statement)
            top.join(its)
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
