"""Which statements of the top level a name stands in."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from headwater.pyspark.frames.placed import placed
from headwater.syntax.source.ast_walk import walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Naming:
    """The statements of the top level by the names that stand in them, in their order."""

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        self._body = body

    @cached_property
    def _by_name(self) -> dict[str, list[ast.stmt]]:
        found: dict[str, list[ast.stmt]] = {}
        for statement in self._body:
            for name in placed(statement).names:
                found.setdefault(name, []).append(statement)
        return found

    def of(self, name: str) -> Sequence[ast.stmt]:
        """Those in which ``name`` stands."""
        return self._by_name.get(name, ())

    def kept(self, name: str) -> tuple[object, ...]:
        """The same as they stay through edits elsewhere: of a class the methods, which another one may get."""
        return tuple(part for s in self.of(name) for part in _kept(s, name))


def _kept(statement: ast.stmt, name: str) -> list[object]:
    if not isinstance(statement, ast.ClassDef):
        return [statement]
    head = [*statement.decorator_list, *statement.bases, *statement.keywords]
    found: list[object] = [ast.dump(n) for n in head if any(isinstance(m, ast.Name) and m.id == name for m in walk(n))]
    named = (s for s in statement.body if name in placed(s).names)
    return [*found, *(s if isinstance(s, _FUNCTIONS) else ast.dump(s) for s in named)]
