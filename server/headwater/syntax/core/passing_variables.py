"""Variables that hold a value only until the next statement.

Law: ``items = e`` and, as the next statement, ``for x in items``, ``y = items`` or ``return items`` is that statement
of ``e`` if nothing else binds or reads ``items``. So an iterator stands where it is read, which nobody else reads from,
and a list has one name. Reference: the Python language reference, sections 7.2 and 8.3.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Sequence

from headwater.syntax.source import ast_walk

_BLOCKS = ("body", "orelse", "finalbody")


def without_them(body: list[ast.stmt]) -> list[ast.stmt]:
    """``body`` of a function with such variables replaced by their values."""
    if not any(_read(n) for s in body for n in ast_walk.walk(s)):
        return body
    uses: Counter[str] = Counter()
    for node in (n for s in body for n in ast_walk.walk(s)):
        uses.update([node.id] if isinstance(node, ast.Name) else getattr(node, "names", ()) if _declares(node) else ())
    return _block(body, uses)


def _declares(node: ast.AST) -> bool:
    return isinstance(node, (ast.Global, ast.Nonlocal))


def _block(body: Sequence[ast.stmt], uses: Counter[str]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for s in body:
        before, place = found[-1] if found else None, _read(s)
        match before:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if place and uses[name] == 2:
                if getattr(getattr(s, place), "id", "") == name:
                    s = copy.copy(s)
                    setattr(s, place, value)
                    found.pop()
        found.append(_inside(s, uses))
    return found


def _read(s: ast.AST) -> str | None:
    """The part of a statement that is evaluated first, if it is a name."""
    match s:
        case ast.For(iter=ast.Name()):
            return "iter"
        case ast.Return(value=ast.Name()) | ast.Assign(targets=[ast.Name() | ast.Attribute()], value=ast.Name()):
            return "value"
    return None


def _inside(s: ast.stmt, uses: Counter[str]) -> ast.stmt:
    made = s
    if isinstance(s, (ast.FunctionDef, ast.ClassDef)):
        return s
    for name in _BLOCKS:
        block = getattr(s, name, None)
        if block and isinstance(block, list):
            new = _block(block, uses)
            if len(new) != len(block) or any(a is not b for a, b in zip(block, new, strict=True)):
                made = copy.copy(s) if made is s else made
                setattr(made, name, new)
    return made
