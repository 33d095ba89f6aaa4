"""Where the expressions of one scope stand: what is around each of them, and where a variable is read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from headwater.syntax.source.ast_walk import children
from headwater.syntax.source.bindings import bound_names, parameters

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Places:
    """The syntax of one module or function body, from the inside out."""

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        self._around: dict[int, ast.AST] = {}
        self._names: dict[str, list[ast.Name]] = {}
        todo: list[ast.AST] = list(body)
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Name):
                self._names.setdefault(node.id, []).append(node)
            for child in children(node):
                self._around[id(child)] = node
                todo.append(child)
        self._body = body

    def around(self, node: ast.AST) -> ast.AST | None:
        """What ``node`` is a part of; None for a statement of the body itself."""
        return self._around.get(id(node))

    def outward(self, node: ast.AST) -> Iterator[ast.AST]:
        """What is around ``node``, the nearest first."""
        at = self.around(node)
        while at is not None:
            yield at
            at = self.around(at)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The statement that ``node`` is a part of."""
        return next((n for n in (node, *self.outward(node)) if isinstance(n, ast.stmt)), None)

    def reads_of(self, name: str) -> tuple[ast.Name, ...] | None:
        """Every place where the scope may read its variable ``name``; None if another scope may, or an assignment reads
        what it assigns to."""
        found = []
        for node in self._names.get(name, ()):
            inner = self._scope_of(node)
            if inner is not None:
                if self._binds(inner, name):
                    continue
                if not isinstance(inner, _COMPREHENSIONS):
                    return None  # when that runs is not known
            if isinstance(self.around(node), ast.AugAssign) and not isinstance(node.ctx, ast.Load):
                return None
            if isinstance(node.ctx, ast.Load):
                found.append(node)
        return tuple(sorted(found, key=lambda n: (n.lineno, n.col_offset)))

    def reads_in(self, inner: ast.AST, name: str) -> tuple[ast.Name, ...] | None:
        """Every place in the comprehension ``inner`` that reads its variable ``name``; None if that is not known."""
        found = []
        for node in ast.walk(inner):
            if node is not inner and isinstance(node, (*_COMPREHENSIONS, *_FUNCTIONS)) and self._binds(node, name):
                return None
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                if isinstance(self._scope_of(node), _FUNCTIONS):
                    return None
                found.append(node)
        return tuple(found)

    def _scope_of(self, node: ast.AST) -> ast.AST | None:
        """The function, class or comprehension of this scope that evaluates ``node``; None if the scope itself does."""
        inside = node
        for outer in self.outward(node):
            if isinstance(outer, _COMPREHENSIONS):
                first = outer.generators[0]
                if inside is not first or not self._within(node, first.iter):
                    return outer
            elif isinstance(outer, (*_FUNCTIONS, ast.ClassDef)):
                return outer
            inside = outer
        return None

    def _within(self, node: ast.AST, whole: ast.AST) -> bool:
        return node is whole or any(n is whole for n in self.outward(node))

    def _binds(self, inner: ast.AST, name: str) -> bool:
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return name in bound_names(inner.body) or any(a.arg == name for a in parameters(inner))
        if isinstance(inner, ast.Lambda):
            return any(a.arg == name for a in parameters(inner))
        if isinstance(inner, _COMPREHENSIONS):
            targets = (n for g in inner.generators for n in ast.walk(g.target))
            return any(isinstance(n, ast.Name) and n.id == name for n in targets)
        return False
