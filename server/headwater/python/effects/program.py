"""What the effect analysis has to know of the program around a piece of code."""

from __future__ import annotations

import ast
from typing import Protocol


class Program(Protocol):
    """One module. Names are looked up as the module's: those of the analysed code itself are not asked for."""

    def is_assumed_pure(self, *names: str | None) -> bool:
        """Whether the user has stated that a function of one of these names, full or as it is spelled, is pure."""

    def text(self, node: ast.AST) -> str:
        """The source text of ``node``."""

    def origin(self, node: ast.expr) -> str | None:
        """The full dotted name of an imported or built-in object; None if it is none for sure."""

    def function(self, name: str) -> ast.FunctionDef | None:
        """The function that ``name`` can only mean, wherever it is read."""

    def constant(self, name: str) -> ast.expr | None:
        """The expression of the only assignment that binds ``name`` in the whole file."""

    def is_bound(self, name: str) -> bool:
        """Whether anything in the file binds ``name``, in any scope. That star imports do not is taken on trust."""

    def is_replaced(self, method: str) -> bool:
        """Whether the file replaces ``method`` in a class of PySpark, or in one that is not known."""

    def only_read(self, name: str, nested: bool) -> bool:
        """Whether nothing in the file can change the container that ``name`` is bound to, or keep another name for it;
        ``nested``: or the containers in it."""

    def is_parameter(self, name: str) -> bool:
        """Whether ``name`` can only be a parameter of the code around."""

    def assume(self, sentence: str) -> None:
        """Take something on trust, for the certificate."""
