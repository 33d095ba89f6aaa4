"""Generators that nobody keeps: those that are given, where they are made, to a function of Python's that takes their
values before it returns, such as ``all(… for x in xs)`` and ``", ".join(… for x in xs)``."""

from __future__ import annotations

import ast
from collections.abc import Iterable

RUN_THROUGH = frozenset("all any dict frozenset list max min set sorted sum tuple".split())
"""Python's functions that take all values of a generator, or leave it and let nobody else have it."""


def taken_at_once(call: ast.Call) -> tuple[str, ast.GeneratorExp] | None:
    """The generator that is given to ``call``, which keeps it for nobody if what it calls is Python's function of the
    name, or the method of a text where that is empty; None if it is no such call."""
    match call:
        case ast.Call(func=ast.Name(id=name), args=[ast.GeneratorExp() as given]) if name in RUN_THROUGH:
            return name, given
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str()), attr="join"), args=[ast.GeneratorExp() as given]
        ):
            return "", given
    return None


def puts_off(late: Iterable[ast.AST], calls: Iterable[ast.Call]) -> tuple[bool, set[str]]:
    """Whether one of ``late``, what makes generators, makes one that is kept, and by which of Python's functions the
    others are not."""
    taken = [t for call in calls if (t := taken_at_once(call)) is not None]
    gone = {id(generator) for _, generator in taken}
    return any(id(n) not in gone for n in late), {name for name, _ in taken if name}
