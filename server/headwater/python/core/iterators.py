"""What a loop runs over, where a variable holds it only for that.

Law: ``items = e`` and, as the next statement, ``for x in items`` is ``for x in e`` if nothing else binds or reads
``items``: an iterator that nobody else reads from. Reference: the Python language reference, section 8.3.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Sequence

_BLOCKS = ("body", "orelse", "finalbody")


def in_loops(body: list[ast.stmt]) -> list[ast.stmt]:
    """``body`` of a function with such variables replaced by their values."""
    if not any(isinstance(n, ast.For) and isinstance(n.iter, ast.Name) for s in body for n in ast.walk(s)):
        return body
    uses: Counter[str] = Counter()
    for node in (n for s in body for n in ast.walk(s)):
        uses.update([node.id] if isinstance(node, ast.Name) else getattr(node, "names", ()) if _declares(node) else ())
    return _block(body, uses)


def _declares(node: ast.AST) -> bool:
    return isinstance(node, (ast.Global, ast.Nonlocal))


def _block(body: Sequence[ast.stmt], uses: Counter[str]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for s in body:
        match (found[-1] if found else None, s):
            case ast.Assign(targets=[ast.Name(id=name)], value=value), ast.For(iter=ast.Name(id=read)) if (
                name == read and uses[name] == 2
            ):
                s = copy.copy(s)
                s.iter = value
                found.pop()
        found.append(_inside(s, uses))
    return found


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
