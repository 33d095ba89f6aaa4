"""Runs the text of a program on every small table, on the small Spark."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from tests.results import Failed, Result, bag
from tests.small_spark.frame import Parts
from tests.small_spark.grouped import remembering
from tests.small_spark.run import Session, namespace

from .programs import SCHEMAS

VALUES = (None, 0, 1)
Key = tuple[tuple[Any, ...], ...]
"""A table as the tuple of its rows."""

OTHER: Key = ((None, 0), (1, 1), (1, 1))
"""The rows of ``u``, which is only ever joined with."""


@cache
def tables(columns: int, rows: int) -> tuple[Key, ...]:
    """All tables of up to so many rows, in every order of the rows."""
    kinds = list(product(VALUES, repeat=columns))
    return tuple(t for n in range(rows + 1) for t in product(kinds, repeat=n))


class Reference:
    """All tables of up to ``rows`` rows. ``split``: tables of two rows also with each row in a partition of its own.

    What a part of a statement gives is remembered until ``forget``: statements over one plan begin alike. So is what
    functions make of a group, by the function's name: different functions have different names."""

    def __init__(self, table: str, rows: int, split: bool = False, given: tuple[Key, ...] | None = None) -> None:
        self.names = tuple(part.split()[0] for part in SCHEMAS[table].split(","))
        self.keys = given if given is not None else tables(len(self.names), rows)
        twice = [key for key in self.keys if len(key) == 2] if split else []
        parts: list[Parts] = [*([list(key)] for key in self.keys), *([[row] for row in key] for key in twice)]
        self.keys = (*self.keys, *twice)
        self._sessions = [Session(SCHEMAS, {table: p, "u": [list(OTHER)]}) for p in parts]
        self._groups: dict[Any, Any] = {}
        self._known: dict[str, list[Any]] = {}

    def run(self, source: str) -> dict[str, list[Result]]:
        """What each frame that the program binds holds on each table."""
        tree, names = ast.parse(source), namespace(None)
        frames = [s for s in tree.body if isinstance(s, ast.Assign) and _of_table(s.value)]
        tree.body = [s for s in tree.body if s not in frames]
        with remembering(self._groups):
            exec(compile(tree, "program", "exec"), names)
            return {ast.unparse(s.targets[0]): list(map(_rows, self._values(s.value, names))) for s in frames}

    def forget(self) -> None:
        """Let go of the frames derived so far."""
        self._known.clear()

    def _values(self, node: ast.expr, names: dict[str, Any]) -> Sequence[Any]:
        """The value of a part of a statement on each table."""
        if not _of_table(node):
            return [eval(compile(ast.Expression(node), "program", "eval"), names)] * len(self._sessions)
        text = ast.unparse(node)
        if text not in self._known:
            self._known[text] = self._computed(node, names)
        return self._known[text]

    def _computed(self, node: ast.expr, names: dict[str, Any]) -> list[Any]:
        if isinstance(node, ast.Name):
            return list(self._sessions)
        if isinstance(node, ast.Attribute):
            return [_or_failed(getattr, owner, node.attr) for owner in self._values(node.value, names)]
        assert isinstance(node, ast.Call)
        given = [self._values(a, names) for a in (node.func, *node.args)]
        named = {k.arg or "": self._values(k.value, names)[0] for k in node.keywords}
        return [_or_failed(function, *arguments, **named) for function, *arguments in zip(*given, strict=True)]


def _of_table(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Name) and n.id == "spark" for n in ast.walk(node))


def _or_failed(function: Any, *arguments: Any, **named: Any) -> Any:
    failed = next((v for v in (function, *arguments) if isinstance(v, Failed)), None)
    try:
        return failed or function(*arguments, **named)
    except Exception as error:
        return Failed.of(error)


def _rows(made: Any) -> Result:
    return made if isinstance(made, Failed) else bag(made.rows())
