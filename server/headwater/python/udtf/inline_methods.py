"""Calls of methods for their effect on the attributes: ``self.offer(row["x"])`` becomes the method's body in place.

Law: parameters and local variables of the method get names of their own at each call, its other names mean the same
where it is called, arguments are evaluated first and in order, and a body without ``yield`` that returns no value does
the same wherever it stands. Other calls stay, and are refused if nothing else gives them a meaning.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from headwater.syntax.core.early_exits import run_through
from headwater.syntax.core.lower import lowered

_DEPTH = 4
_STAY = (
    ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal, ast.Lambda, ast.FunctionDef, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
"""What gives rows, or has names of its own."""


@dataclass
class Methods:
    """Methods by flattened name, without ``self``. ``taken``: names that those who call them bind."""

    known: dict[str, ast.FunctionDef]
    taken: set[str]
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def written_out(self, body: list[ast.stmt], depth: int = 0) -> list[ast.stmt]:
        """``body`` with such calls replaced."""
        found: list[ast.stmt] = []
        for s in body:
            called = self._called(s) if depth < _DEPTH else None
            if called is not None:
                found += self.written_out(self._in_place(*called), depth + 1)
                continue
            for name in ("body", "orelse"):
                if isinstance(getattr(s, name, None), list):
                    setattr(s, name, self.written_out(getattr(s, name), depth))
            found.append(s)
        return found

    def _called(self, s: ast.stmt) -> tuple[ast.FunctionDef, ast.Call] | None:
        call = s.value if isinstance(s, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return None
        method = self.known.get(call.func.id)
        if method is None or call.keywords or any(isinstance(a, ast.Starred) for a in call.args):
            return None
        nodes = [n for part in method.body for n in ast.walk(part)]
        free = {n.id for n in nodes if isinstance(n, ast.Name)} - _own_names(method)
        returns = any(isinstance(n, ast.Return) and n.value is not None for n in nodes)
        if returns or any(isinstance(n, _STAY) for n in nodes) or free & self.taken:
            return None
        return (method, call) if len(method.args.args) == len(call.args) else None

    def _in_place(self, method: ast.FunctionDef, call: ast.Call) -> list[ast.stmt]:
        renamed = _Renamed(f"{method.name}#{next(self._numbers)}.", _own_names(method))
        body = run_through([renamed.visit(copy.deepcopy(part)) for part in lowered(method.body)])
        names: list[ast.expr] = [
            ast.copy_location(ast.Name(renamed.prefix + a.arg, ast.Store()), call) for a in method.args.args
        ]
        if not names:
            return body
        target = ast.copy_location(ast.Tuple(names, ast.Store()), call)
        given = ast.copy_location(ast.Tuple(list(call.args), ast.Load()), call)
        return [ast.copy_location(ast.Assign([target], given), call), *body]


def _own_names(method: ast.FunctionDef) -> set[str]:
    """Parameters and local variables; attributes have a dot in their names."""
    nodes = [n for part in method.body for n in ast.walk(part)]
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return {n for n in (*bound, *(a.arg for a in method.args.args)) if "." not in n}


class _Renamed(ast.NodeTransformer):
    """Local names of one method → names that no other code has."""

    def __init__(self, prefix: str, own: set[str]) -> None:
        self.prefix, self.own = prefix, own

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """One name."""
        if node.id not in self.own:
            return node
        return ast.copy_location(ast.Name(self.prefix + node.id, node.ctx), node)
