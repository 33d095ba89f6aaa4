"""Which assignments between two jobs may stand in front of the first, so that one pass there may read what they bind.

Law: an assignment of a value that is computed of others, and of nothing else, may change places with the statements in
front of it if these bind and change nothing that it reads, none of them reads or binds its variable, and none of them
may end the program before it: an error of its own is raised earlier then, and in front of their output.
"""

from __future__ import annotations

import ast
from collections.abc import Container
from typing import Protocol

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns.determinism import METHODS
from headwater_ir import demand as ir

from .places import Places
from .pythons import Pythons
from .quiet import VIEWS
from .statements import CATCHES, if_caught

_VALUES = frozenset(
    "abs bool dict enumerate float int len list max min range round set sorted str sum tuple zip".split()
)
"""Python's functions that do nothing but compute a value."""


class Since(Protocol):
    """What has happened since the first job."""

    first: ast.stmt | ast.expr
    since: set[str]
    changed: bool
    behind: str
    left: list[frozenset[ir.Reading]]
    free: dict[str, ast.stmt]


class Assignment:
    """The statement ``s``, which does nothing but compute a value and bind it, if that is ``movable``."""

    def __init__(self, s: ast.stmt, scope: ApiContext, places: Places, jobs: Container[int]) -> None:
        self.s, self.name, self.read, self.movable = s, "", frozenset[str](), False
        match s:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                self.name, nodes = name, [*ast.walk(value), *ast.walk(getattr(s, "annotation", value))]
                self.read = frozenset(n.id for n in nodes if isinstance(n, ast.Name))
                self._named = places.named(name)
                self.movable = (
                    not any(id(n) in jobs for n in nodes)
                    and all(_is_value(n, scope) for n in nodes)
                    and self._is_bound_once(scope, places)
                    and not any(isinstance(n, CATCHES) for n in places.outward(s))
                    and not if_caught(s, places, scope)
                )

    def _is_bound_once(self, scope: ApiContext, places: Places) -> bool:
        """Whether nothing else binds the variable, and no other code may look at it before it is bound."""
        names = scope.names
        if self.name in names.rebound or names.reflective or names.ctx.binds_unseen:
            return False
        if names.ctx.bound_otherwise(self.name) or places.times_bound(self.name) != 1 or self.name in self.read:
            return False
        own = not any(isinstance(n.ctx, ast.Del) or places.is_in_a_function(n) for n in self._named)
        return own and names.resolve(ast.Name(self.name, ast.Load())) is None

    def may_stand_in_front(self, run: Since) -> bool:
        """Whether it may stand in front of the first statement of ``run``, behind those that may so far."""
        if not self.movable or run.changed or run.behind or run.left or not (self.read & run.since) <= run.free.keys():
            return False
        first, here = run.first.lineno, self.s.lineno
        return not any(isinstance(n.ctx, ast.Load) and first <= n.lineno < here for n in self._named)


def needed(read: set[str], run: Since) -> list[ast.stmt] | None:
    """The assignments that have to stand in front of ``run`` for what is ``read`` to be there; None if some may not."""
    todo, found = [*(read & run.since)], dict[str, ast.stmt]()
    while todo:
        name = todo.pop()
        if name not in run.free:
            return None
        if name not in found:
            s = found[name] = run.free[name]
            todo += {n.id for n in ast.walk(s) if isinstance(n, ast.Name)} & run.since - {name}
    return [*found.values()]


def _is_value(node: ast.AST, scope: ApiContext) -> bool:
    """Whether ``node``, once its parts are evaluated, does nothing but compute a value, at once."""
    match node:
        case ast.Call(func=ast.Attribute(attr=method)):
            return scope.names.function(node.func) is not None or method in METHODS | VIEWS
        case ast.Call(func=ast.Name(id=name)):
            builtin = name in _VALUES and Pythons(scope).resolve(node.func) == f"builtins.{name}"
            return builtin or scope.names.function(node.func) is not None
        case ast.Subscript(value=ast.Name(id=name)):
            bound = scope.lookup(name)
            return bound is not None and bound.is_frame  # a dict may add what is asked for
        case ast.Call() | ast.Subscript() | ast.Lambda() | ast.GeneratorExp() | ast.NamedExpr() | ast.Await():
            return False
    return not isinstance(node, (ast.Yield, ast.YieldFrom))
