"""Where a mutant stands: its function, which can be changed in a running process, and the lines that reach it."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .operators import Mutant

Functions = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Place:
    """A function outside any other function, as ``name`` or ``class.name``, and the first to the last line of a
    statement in its body."""

    function: str
    lines: range


def place_of(mutant: Mutant) -> Place | None:
    """Where ``mutant`` changes the body of a function; None for what runs when the module is imported."""
    child = getattr(mutant.site.holder, mutant.site.field)
    if mutant.site.index is not None:
        child = child[mutant.site.index]
    return _places(mutant.tree).get(child)


def apply(function: str, module: ModuleType, code: CodeType) -> None:
    """Give ``function`` its code in the changed module, in place: whoever has imported it has the changed one."""
    found: Any = module
    for name in function.split("."):
        owner, found = found, vars(found)[name]
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)
    found = getattr(found, "fget", None) or found
    assert isinstance(found, FunctionType), function
    if len(code.co_freevars) == len(found.__code__.co_freevars):
        found.__code__ = code
    else:  # a method that says `super()` no more
        changed = FunctionType(code, found.__globals__, name, found.__defaults__)
        changed.__kwdefaults__ = found.__kwdefaults__
        setattr(owner, name, changed)


@functools.lru_cache(maxsize=16)
def _places(tree: ast.Module) -> dict[ast.AST, Place]:
    found: dict[ast.AST, Place] = {}
    for top in tree.body:
        for prefix, node in [("", top)] + [(f"{top.name}.", n) for n in getattr(top, "body", ()) if _is_class(top)]:  # type: ignore[attr-defined]
            if isinstance(node, Functions):
                for statement in node.body:
                    _fill(statement, f"{prefix}{node.name}", _lines(statement), found)
    return found


def _is_class(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef)


def _fill(node: ast.AST, function: str, lines: range, found: dict[ast.AST, Place]) -> None:
    if isinstance(node, ast.stmt):
        lines = _lines(node)
    found[node] = Place(function, lines)
    for child in ast.iter_child_nodes(node):
        _fill(child, function, lines, found)


def _lines(statement: ast.stmt) -> range:
    """Those of a simple statement, or of the head of one that holds others."""
    inner = [*getattr(statement, "body", ()), *getattr(statement, "cases", ())]
    first = [getattr(n, "lineno", None) or n.pattern.lineno for n in inner]
    last = max(statement.lineno, min(first) - 1) if first else statement.end_lineno or statement.lineno
    return range(statement.lineno, last + 1)
