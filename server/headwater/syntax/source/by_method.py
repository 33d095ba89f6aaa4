"""What is found by walking a statement of the top level, kept with it: nobody changes one any more.

Of a class, the methods are walked one by one: most edits leave most of them alone, and another class may get them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar, cast

from .ast_walk import methods_of

_T = TypeVar("_T")
Find = Callable[[ast.stmt, Sequence[ast.stmt], Iterable[_T]], _T]
"""What is found in a statement, by walking it without its methods, and by what was found in each of these."""


class ByMethod(Generic[_T]):
    """Finds something in statements, each of which is walked once. ``memo``: the attribute of a statement that keeps
    it, for a table would keep the tree, of which it speaks; ``in_class``: what is found in a method, if that is
    something else than in a function."""

    def __init__(self, memo: str, find: Find[_T], in_class: Callable[[ast.stmt], _T] | None = None) -> None:
        self._memo, self._find, self._in_class = memo, find, in_class

    def __call__(self, statement: ast.stmt) -> _T:
        """What is found in ``statement``."""
        return self._kept(statement, self._memo, self._found)

    def of_method(self, method: ast.stmt) -> _T:
        """What is found in ``method`` of a class of the top level."""
        if self._in_class is None:
            return self(method)
        return self._kept(method, f"{self._memo}_of_method", self._in_class)

    def _found(self, statement: ast.stmt) -> _T:
        methods = methods_of(statement)
        return self._find(statement, methods, map(self.of_method, methods))

    def _kept(self, statement: ast.stmt, memo: str, find: Callable[[ast.stmt], _T]) -> _T:
        if memo not in statement.__dict__:
            setattr(statement, memo, find(statement))
        return cast(_T, statement.__dict__[memo])
