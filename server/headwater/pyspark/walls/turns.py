"""Loops whose turns are known to go through different names or numbers, which one pass in front of them can go through
as well.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from headwater.pyspark.frames.tracked_values import Binding, Unevaluated, Unknown
from headwater_ir import demand as ir

from .reads import number

if TYPE_CHECKING:
    from headwater.syntax.names.resolve import Names

MOST = 100
"""A loop is not written a second time where what it goes through is a longer text."""
MOST_NUMBERS = 50
"""Of the numbers of a ``range``, each of which is an aggregate."""


class Scope(Protocol):
    """What is asked of the code around a loop."""

    @property
    def names(self) -> Names:
        """The names of the module."""

    def lookup(self, name: str) -> Binding | None:
        """What the variable ``name`` holds."""


class Kind(NamedTuple):
    """What the elements of a list are, of one of unknown value what they have to be. ``some``: whether there surely are
    two at least."""

    is_number: bool
    some: bool


class Inside:
    """The scope of a comprehension, in which ``targets`` are variables of its own."""

    owner = None

    def __init__(self, scope: Scope, targets: frozenset[str]) -> None:
        self.names, self._scope, self._targets = scope.names, scope, targets

    def attribute(self, node: ast.AST) -> str | None:
        """None: an attribute of an object is read outside."""
        return None

    def lookup(self, name: str) -> Binding | None:
        """What the variable ``name`` holds."""
        return Binding(name, -1, Unknown(name)) if name in self._targets else self._scope.lookup(name)


def turns_of(
    target: ast.expr, over: ast.expr, frame: str, scope: Scope, untouched: Callable[[str], bool]
) -> ir.Turns | None:
    """The turns of ``for target in over``; None if it is not known that these are over texts or numbers, and that going
    through them twice does nothing else. ``frame``: a variable that surely holds a frame; ``untouched``: whether the
    list that a variable was bound to is surely as it was made."""
    of = over
    match target, over:
        case ast.Tuple(elts=[ast.Name(), ast.Name() as key]), ast.Call(func=function, args=[inner], keywords=[]):
            if scope.names.resolve(function) != "builtins.enumerate":
                return None
            of = inner
        case ast.Tuple(elts=[ast.Name() as key, ast.Name()]), ast.Attribute(value=ast.Name(), attr="dtypes"):
            of = ast.copy_location(ast.Attribute(over.value, "columns", ast.Load()), over)
        case ast.Name() as key, _:
            pass
        case _:
            return None
    kind, text = _kind(of, frame, scope, untouched), ast.unparse(of)
    if kind is None or len(text) > MOST or targets(target) & scope.names.rebound:
        return None
    at = (
        scope.names.ctx.span(of)
        if of.end_lineno == of.lineno and ast.unparse(over) in (text, f"enumerate({text})")
        else None
    )
    return ir.Turns(key.id, text, kind.is_number, kind.some, at)


def targets(target: ast.expr) -> frozenset[str]:
    """The variables that ``target`` binds."""
    return frozenset(n.id for n in ast.walk(target) if isinstance(n, ast.Name))


def _kind(of: ast.expr, frame: str, scope: Scope, untouched: Callable[[str], bool]) -> Kind | None:
    match of:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if len(elements) > 1:
            values = [e.value if isinstance(e, ast.Constant) else None for e in elements]
            for type_ in (str, int):
                if all(type(v) is type_ for v in values):
                    return Kind(type_ is int, some=True)
        case ast.Call(func=function, args=args, keywords=[]) if scope.names.resolve(function) == "builtins.range":
            bounds = [n for a in args if (n := number(a)) is not None]
            some = 0 < len(args) == len(bounds) and 1 < _numbers(bounds) <= MOST_NUMBERS
            return Kind(is_number=True, some=True) if some else None
        case ast.Attribute(value=ast.Name() | ast.Attribute() as owner, attr="columns"):
            name = ast.unparse(owner)
            bound = scope.lookup(name)
            known = name == frame or (bound is not None and bound.is_frame)
            return Kind(is_number=False, some=False) if known else None
        case ast.Name(id=name) if name not in scope.names.rebound:
            bound = scope.lookup(name)
            held = bound.value if bound is not None else None
            if isinstance(held, Unknown) and held.why is None and name not in scope.names.mutated:
                return Kind(is_number=False, some=False)
            if isinstance(held, Unevaluated) and not isinstance(held.node, ast.Name):
                if scope.names.never_changed(name) or untouched(name):
                    return _kind(held.node, frame, scope, untouched)
    return None


def _numbers(bounds: list[int]) -> int:
    """How many numbers ``range`` of these has, 0 if there is none."""
    return len(range(*bounds)) if len(bounds) < 4 and 0 not in bounds[2:] else 0
