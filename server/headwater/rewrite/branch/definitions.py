"""Where a variable got the value that it has at some place, and what may have been bound since."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from headwater.syntax.names.module_scope import Context, star_may_bind
from headwater.syntax.source.bindings import NESTED, binds, own_nodes

from ..tokens import Tokens

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_ELSEWHERE = (ast.AsyncFunctionDef, ast.ClassDef)
_MEMO = "scopes of branches"
_SUSPENDS = (ast.Yield, ast.YieldFrom, ast.Await)


class NoBranch(Exception):
    """A branch of its own cannot be made; the message says why."""


@dataclass(frozen=True)
class Place:
    """A statement: for each block that it stands in, innermost first, the block and where in it the way leads on."""

    levels: tuple[tuple[list[ast.stmt], int], ...]

    @property
    def statement(self) -> ast.stmt:
        """The statement itself."""
        block, at = self.levels[0]
        return block[at]


@dataclass(frozen=True)
class Definition:
    """``name = value`` at ``place``: what the variable holds wherever nothing else was bound to it since."""

    value: ast.expr
    place: Place


class Scopes:
    """The statements of one module, and what stands around each; found once for all of its filters."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.parents = {child: node for node in ast.walk(context.tree) for child in ast.iter_child_nodes(node)}

    @staticmethod
    def of(context: Context) -> Scopes:
        """Those of ``context``, which keeps them."""
        if _MEMO not in context.memo:
            context.memo[_MEMO] = Scopes(context)
        return cast("Scopes", context.memo[_MEMO])

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens of the text as it is read; ``CannotEdit`` if it has none."""
        return Tokens(self.context.readable)

    @cached_property
    def calls(self) -> dict[int, list[ast.Call]]:
        """The calls of methods by where they end, outer ones first."""
        found = defaultdict[int, list[ast.Call]](list)
        for node in self.parents:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and hasattr(node, "lineno"):
                found[self.context.span(node).end].append(node)
        return found

    def place_of(self, node: ast.AST) -> Place:
        """Where ``node`` is evaluated, once each time that its statement is run; NoBranch if that is not so."""
        levels: list[tuple[list[ast.stmt], int]] = []
        while not isinstance(node, ast.Module):
            around = self.parents[node]
            if isinstance(node, (*NESTED, ast.JoinedStr)) and not isinstance(node, ast.FunctionDef):
                raise NoBranch("the filter stands in a function, a loop or a text inside an expression")
            if isinstance(node, ast.stmt):
                block = _block_of(around, node)
                levels.append((block, next(i for i, s in enumerate(block) if s is node)))
                if isinstance(around, _ELSEWHERE) or (isinstance(node, ast.FunctionDef) and len(levels) == 1):
                    raise NoBranch("the filter stands in a class or a coroutine, or in the head of a function")
                if isinstance(around, ast.FunctionDef):
                    node = around
                    break
            node = around
        if any(isinstance(n, _SUSPENDS) for n in own_nodes(node)):
            raise NoBranch("other code may run between the statements of a generator")
        return Place(tuple(levels))

    def definition(self, name: str, place: Place) -> Definition:
        """The assignment that ``name`` has its value from at ``place``; NoBranch if that is not one for certain."""
        for depth, (block, at) in enumerate(place.levels):
            if _may_bind(_around(place, depth), name):
                raise NoBranch(f"`{name}` is bound in a branch or a loop")
            for i in reversed(range(at)):
                if _may_bind(set(_bound(block[i], None)), name):
                    value = _assigned(block[i], name)
                    if value is None:
                        raise NoBranch(f"`{name}` is bound in a branch, a loop or not on its own")
                    return Definition(value, Place(((block, i), *place.levels[depth + 1 :])))
        raise NoBranch(f"where `{name}` is made cannot be seen")

    def holds(self, name: str, since: Place, until: Place) -> bool:
        """Whether nothing binds ``name`` from the statement ``since`` on until ``until`` is evaluated, in the scope of
        both. (Code of other scopes: ``Names.rebound``.)"""
        block, start = since.levels[0]
        depth = next((d for d, (b, _) in enumerate(until.levels) if b is block), None)
        if depth is None:
            return False
        end = until.levels[depth][1]
        between = {b for s in block[start:end] for b in _bound(s, None)}
        return not _may_bind(between | _around(until, depth), name)


def _block_of(around: ast.AST, statement: ast.stmt) -> list[ast.stmt]:
    blocks = (getattr(around, name, ()) for name in ("body", "orelse", "finalbody"))
    return next(b for b in blocks if isinstance(b, list) and any(s is statement for s in b))


def _assigned(statement: ast.stmt, name: str) -> ast.expr | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            return value
        case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if target == name:
            return value
    return None


def _around(place: Place, depth: int) -> set[str]:
    """What the statement around ``place`` at ``depth`` may have bound by the time that the place is evaluated: all that
    it binds anywhere, but for the place itself, which only a loop comes back to."""
    ways = [block[at] for block, at in place.levels[: depth + 1]]
    # The head of a loop over items is evaluated once; that of a `while` is not.
    loops = any(isinstance(s, _LOOPS) for s in ways[1:]) or isinstance(ways[0], ast.While)
    return set(_bound(ways[-1], None if loops else ways[0]))


def _bound(node: ast.AST, skip: ast.AST | None) -> Iterator[str]:
    """What ``node`` may bind in its scope, without what ``skip`` does; ``*m`` for all that the module ``m`` has."""
    if node is skip:
        return
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        yield from (f"*{module}" if a.name == "*" else a.asname or a.name for a in node.names)
        return
    yield from binds(node)
    if not isinstance(node, (*_ELSEWHERE, ast.FunctionDef, ast.Lambda)):
        for child in ast.iter_child_nodes(node):
            yield from _bound(child, skip)


def _may_bind(bound: set[str], name: str) -> bool:
    return name in bound or any(b[0] == "*" and star_may_bind(b[1:], name) for b in bound if b)
