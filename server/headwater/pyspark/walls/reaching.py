"""Which reads of a variable may see what one statement binds to it.

The statements of a scope are followed in their order, branches both ways and loops until nothing new comes: a later
assignment of the whole variable ends what an earlier one is seen by. Whatever may be left in its middle by an error (a
``try``, or a ``with``, which may swallow it) is taken to be left anywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from headwater.syntax.source import ast_walk

BINDING = (ast.If, ast.While, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Assert)
"""Statements of which it is known where a variable is live that ``:=`` binds in their own expressions."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_MEMO = "_named"


def reached(body: Sequence[ast.stmt], name: str, origin: ast.stmt, reads: Iterable[ast.Name]) -> frozenset[int]:
    """The identities of those of ``reads``, the reads of ``name`` in ``body``, that may see what ``origin`` binds."""
    follow = _Follow(name, origin, frozenset(map(id, reads)))
    follow.block(body, live=False)
    return frozenset(follow.seen)


class _Follow:
    """``live``: whether the variable may hold what ``origin`` bound."""

    def __init__(self, name: str, origin: ast.stmt, reads: frozenset[int]) -> None:
        self._name, self._origin, self._reads = name, origin, reads
        self.seen: set[int] = set()
        named = (n.target.id for n in ast_walk.walk(origin) if isinstance(n, ast.NamedExpr))
        self._is_within = isinstance(origin, BINDING) and name in named
        """Whether an expression of ``origin`` may bind it, and not the statement itself at its end."""
        self._left: list[list[bool]] = []
        """Of each loop around: whether the variable is live where it is left, and where its next turn begins."""
        self._ever = False
        """Whether the variable was live anywhere since this was last set to False."""
        self._passes = name in _named(origin).names
        """Whether a statement that does not name the variable cannot hold ``origin``."""

    def block(self, statements: Sequence[ast.stmt], *, live: bool) -> bool:
        """Whether it is live behind ``statements``; False as well where nothing comes behind them."""
        for statement in statements:
            live = self._statement(statement, live=live)
            self._ever |= live
        return live

    def _statement(self, node: ast.stmt, *, live: bool) -> bool:
        live |= node is self._origin and self._is_within
        self._ever |= live
        if self._passes and self._name not in (named := _named(node)).names and not (live and named.leaves):
            return live
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                self._read(test, live=live)
                return self.block(body, live=live) | self.block(orelse, live=live)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(node, live=live)
            case ast.Try() | ast.With() | ast.AsyncWith():
                return self._left_anywhere(node, live=live)
            case ast.Match(subject=subject, cases=cases):
                self._read(subject, live=live)
                behind = live
                for case_ in cases:
                    self._read(case_.pattern, live=live)
                    if case_.guard is not None:
                        self._read(case_.guard, live=live)
                    behind |= self.block(case_.body, live=live)
                return behind
            case ast.Break() | ast.Continue():
                if self._left:
                    self._left[-1][isinstance(node, ast.Continue)] |= live
                return False
        if hasattr(ast, "TryStar") and isinstance(node, ast.TryStar):
            return self._left_anywhere(node, live=live)
        self._read(node, live=live)
        if isinstance(node, (ast.Return, ast.Raise)):
            return False
        return self._bound(node, live=live)

    def _bound(self, node: ast.stmt, *, live: bool) -> bool:
        if node is self._origin:
            return True
        match node:
            case ast.Assign(targets=targets) if any(self._is_it(t) for t in targets):
                return False
            case ast.AnnAssign(target=target, value=ast.expr()) if self._is_it(target):
                return False
        return live

    def _is_it(self, target: ast.expr) -> bool:
        return isinstance(target, ast.Name) and target.id == self._name

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, *, live: bool) -> bool:
        self._read(node.test if isinstance(node, ast.While) else node.iter, live=live)
        self._left.append([False, False])
        out = enter = live
        before = None
        while before != enter:  # it becomes live at most once
            before = inside = enter
            if isinstance(node, ast.While):
                self._read(node.test, live=enter)
            elif node is self._origin:
                inside = True
            elif self._is_it(node.target):
                inside = False
            else:
                self._read(node.target, live=enter)
            self._ever |= inside
            end = self.block(node.body, live=inside)
            enter |= end | self._left[-1][1]
            out |= enter
        broken, _ = self._left.pop()
        return self.block(node.orelse, live=out) | broken

    def _left_anywhere(self, node: ast.stmt, *, live: bool) -> bool:
        """All parts of ``node``, in any order and left anywhere."""
        before, self._ever = self._ever, live
        behind = live
        start = None
        while start != self._ever:
            start = self._ever
            for part in ast.iter_child_nodes(node):
                if isinstance(part, (ast.expr, ast.withitem)):
                    self._read(part, live=self._ever)
            for block in _blocks(node):
                behind |= self.block(block, live=self._ever)
        behind |= self._ever
        self._ever = before | behind
        return behind

    def _read(self, node: ast.AST, *, live: bool) -> None:
        if live:
            self.seen |= self._reads.intersection(_named(node).names.get(self._name, ()))


class _Named(NamedTuple):
    """``names``: the identities of the names in a node, by what they name; ``leaves``: whether code in it may leave its
    block other than at the end."""

    names: dict[str, list[int]]
    leaves: bool


def _named(node: ast.AST) -> _Named:
    """What stands in ``node``, which nobody changes any more."""
    known = getattr(node, _MEMO, None)
    if known is None:
        names, leaves = dict[str, list[int]](), False
        for inner in ast_walk.walk(node):
            leaves |= isinstance(inner, _LEAVES)
            if isinstance(inner, ast.Name):
                names.setdefault(inner.id, []).append(id(inner))
        known = _Named(names, leaves)
        setattr(node, _MEMO, known)
    return cast("_Named", known)


def _blocks(node: ast.stmt) -> list[list[ast.stmt]]:
    blocks = [getattr(node, part) for part in ("body", "orelse", "finalbody") if getattr(node, part, None)]
    return [*blocks[:1], *(h.body for h in getattr(node, "handlers", ())), *blocks[1:]]
