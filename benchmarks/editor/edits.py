"""Edits as somebody makes them who writes: each leaves the text Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from random import Random

_NUMBER = re.compile(r"(?<![\w.'\"])\d+(?![\w.'\"])")
_NEW = "headwater_bench_{} = {}\n"
Edit = Callable[[str, Random], "str | None"]


def _lines(source: str) -> list[str]:
    return source.splitlines(keepends=True)


def in_function(source: str, chance: Random) -> str | None:
    """A line more or less, another number or a comment in a function."""
    nodes = [n for n in ast.walk(ast.parse(source)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return _changed(source, chance, [s for function in nodes for s in function.body if s.col_offset])


def at_top(source: str, chance: Random) -> str | None:
    """The same in a statement at the top level that is neither a definition nor an import."""
    apart = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    return _changed(source, chance, [s for s in ast.parse(source).body if not isinstance(s, apart)])


def _changed(source: str, chance: Random, statements: list[ast.stmt]) -> str | None:
    if not statements:
        return None
    s, lines = chance.choice(statements), _lines(source)
    first, last, indent = s.lineno - 1, s.end_lineno or s.lineno, " " * s.col_offset
    match chance.randrange(4):
        case 0:
            lines.insert(first, indent + _NEW.format(chance.randrange(100), chance.randrange(100)))
        case 1:
            lines[last - 1] = lines[last - 1].rstrip("\r\n") + "  # a comment\n"
        case 2 if last - first == 1:
            lines[first] = indent + "pass\n"
        case _:
            at = chance.randrange(first, last)
            lines[at] = _NUMBER.sub(str(chance.randrange(1000)), lines[at], count=1)
    return "".join(lines)


def above(source: str, chance: Random) -> str | None:
    """An empty line, a comment or a statement between two statements of the upper half."""
    body = ast.parse(source).body
    s, lines = body[chance.randrange(len(body) // 2)], _lines(source)
    new = chance.choice(["\n", "# a comment\n", _NEW.format(1, 2), "import json\n"])
    lines.insert(min([s.lineno, *(d.lineno for d in getattr(s, "decorator_list", []))]) - 1, new)
    return "".join(lines)


def renamed(source: str, chance: Random) -> str | None:
    """Another name for a variable, everywhere in the file."""
    names = {n.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    name = chance.choice(sorted(names - {"spark"}))
    return re.sub(rf"(?<![\w.'\"]){name}(?![\w'\"])(?!=[^=])", f"{name}_new", source)


EDITS: dict[str, Edit] = {"function": in_function, "top": at_top, "above": above, "rename": renamed}
