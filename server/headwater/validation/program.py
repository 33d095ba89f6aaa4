"""The text of a program as a syntax tree: what stands at a place, and what binds a name in a scope."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Union

Function = Union[ast.FunctionDef, ast.Lambda]
_Scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_Comprehensions = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_CHANGING = frozenset(
    """
    append appendleft add clear discard extend extendleft insert pop popleft popitem remove reverse setdefault sort
    update
    """.split()
)


@dataclass(frozen=True, eq=False)
class Binding:
    """``value``: what the name is bound to, where that is known: the expression, the function or class, or the full
    name of what is imported; None for anything else (a loop's target, a parameter, a ``del``)."""

    value: ast.expr | ast.FunctionDef | ast.ClassDef | str | None


Bindings = dict[str, list[Binding]]
Chain = tuple[ast.AST, ...]
"""The functions around a node, innermost first."""


class Program:
    """One text. SyntaxError if it does not parse."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self._text = text
        self.chains: dict[int, Chain] = {}
        self._at: dict[tuple[int, int, int, int], ast.AST] = {}
        self.rebound: set[str] = set()
        """Names that are declared global or nonlocal somewhere, and those of containers that are changed in place
        outside of functions."""
        self._bindings: dict[int, Bindings] = {}
        self._read(self.tree, ())
        self._starts = _line_starts(text)

    def _read(self, node: ast.AST, chain: Chain) -> None:
        todo: list[tuple[ast.AST, Chain]] = [(node, chain)]
        while todo:
            at, chain = todo.pop()
            if isinstance(at, (ast.expr, ast.FunctionDef, ast.ClassDef)):
                place = at.lineno, at.col_offset, at.end_lineno or 0, at.end_col_offset or 0
                self._at.setdefault(place, at)
            if isinstance(at, ast.Global):
                self.rebound |= {*at.names}
            elif not chain:
                self._note_change(at)
            if isinstance(at, _Scopes):
                self.chains[id(at)] = chain
                if not isinstance(at, ast.ClassDef):
                    chain = (at, *chain)
            todo += [(child, chain) for child in ast.iter_child_nodes(at)]

    def _note_change(self, node: ast.AST) -> None:
        """Note a container of the module that a statement outside of functions changes."""
        target: ast.expr | None = None
        if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            target = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
            target = node.func.value
        if isinstance(target, ast.Name):
            self.rebound.add(target.id)

    def at(self, start: int, end: int) -> ast.AST | None:
        """The expression, function or class that stands between two offsets."""
        return self._at.get((*self._place(start), *self._place(end)))

    def _place(self, offset: int) -> tuple[int, int]:
        low, high = 0, len(self._starts) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._starts[middle] <= offset else (low, middle - 1)
        return low + 1, len(self._text[self._starts[low] : offset].encode("utf-8", "surrogatepass"))

    def bindings(self, scope: ast.AST) -> Bindings:
        """What binds which name in a module or a function."""
        known = self._bindings.get(id(scope))
        if known is None:
            known = self._bindings[id(scope)] = bindings_of(scope)
        return known


def _line_starts(text: str) -> list[int]:
    """Where lines begin as Python's parser counts them."""
    starts, i = [0], 0
    while i < len(text):
        if text[i] == "\n" or (text[i] == "\r" and text[i + 1 : i + 2] != "\n"):
            starts.append(i + 1)
        i += 1
    return starts


def parameters(arguments: ast.arguments) -> Iterator[str]:
    """The names of all parameters."""
    for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        yield a.arg
    for star in (arguments.vararg, arguments.kwarg):
        if star is not None:
            yield star.arg


def bindings_of(scope: ast.AST) -> Bindings:
    """What binds which name in a module, class or function."""
    found: Bindings = {}

    def bind(name: str, value: ast.expr | ast.FunctionDef | ast.ClassDef | str | None) -> None:
        found.setdefault(name, []).append(Binding(value))

    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        for name in parameters(scope.args):
            bind(name, None)
    body = scope.body if isinstance(scope, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else []
    todo: list[ast.AST] = [*reversed(body)]
    if isinstance(scope, ast.Lambda):
        todo = [scope.body]
    while todo:
        node = todo.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                bind(name, node)
                continue
            case ast.AsyncFunctionDef(name=name):
                bind(name, None)
                continue
            case ast.Lambda():
                todo += node.args.defaults
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bind(name, value)
                todo.append(value)
                continue
            case ast.AnnAssign(target=ast.Name(id=name), value=annotated):
                if annotated is not None:
                    bind(name, annotated)
                    todo.append(annotated)
                continue
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bind(name, None)
            case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                bind(name, None)
            case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                bind(name, None)
            case ast.Import(names=names):
                for a in names:
                    bind(a.asname or a.name.partition(".")[0], a.name if a.asname else a.name.partition(".")[0])
            case ast.ImportFrom(module=str() as module, names=names, level=0):
                for a in names:
                    bind(a.asname or a.name, f"{module}.{a.name}")
            case ast.ImportFrom(names=names):  # a relative import
                for a in names:
                    bind(a.asname or a.name, None)
        if isinstance(node, _Comprehensions):
            todo += _parts_of_comprehension(node)
        else:
            todo += reversed([*ast.iter_child_nodes(node)])
    return found


def _parts_of_comprehension(node: ast.AST) -> list[ast.AST]:
    """What of a comprehension may bind a name outside of it: assignment expressions."""
    return [n for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]


__all__ = ["Binding", "Bindings", "Chain", "Function", "Program", "bindings_of", "parameters"]
