"""Edits inside one function, as somebody makes them who writes: a line more or less, another number, a comment."""

from __future__ import annotations

import ast
import random
import re

_NUMBER = re.compile(r"(?<![\w.'\"])\d+(?![\w.'\"])")
_NEW = "headwater_bench_{} = {}"


def inside_function(source: str, chance: random.Random) -> str | None:
    """``source`` with an edit in a function that leaves it Python; None if there is no function."""
    lines = source.splitlines(keepends=True)
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None  # a notebook with magics
    nodes = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    statements = [s for function in nodes for s in function.body if s.col_offset]
    for _ in range(50):
        if not statements:
            return None
        statement = chance.choice(statements)
        edited = _edit(lines[:], statement, chance)
        try:
            ast.parse(edited)
        except SyntaxError:
            continue
        return edited
    return None


def _edit(lines: list[str], statement: ast.stmt, chance: random.Random) -> str:
    first, last = statement.lineno - 1, statement.end_lineno or statement.lineno
    indent = " " * statement.col_offset
    match chance.randrange(4):
        case 0:
            lines.insert(first, indent + _NEW.format(chance.randrange(100), chance.randrange(100)) + "\n")
        case 1:
            lines[last - 1] = lines[last - 1].rstrip("\r\n") + "  # a comment\n"
        case 2:
            del lines[first:last]
        case _:
            at = chance.randrange(first, last)
            lines[at] = _NUMBER.sub(str(chance.randrange(1000)), lines[at], count=1)
    return "".join(lines)
