"""Function bodies in the core language, in which what can be written in two ways is written in one.

The core language is a subset of Python's syntax trees: a body in it is code that Python runs to the same result, with
the same errors and effects in the same order, and each node has the location of the text that it stands for. Gone are
``match`` (``match_case``), ``:=`` (``walrus``) and variables that only the next statement reads
(``passing_variables``); what has no rule stays, and ``subset`` refuses it. A loop that is left early stays too, until a
reader knows what it runs over: ``early_exits`` then makes it one that runs to its end.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

from headwater.syntax.refusal import Refusal

from . import match_case, passing_variables, subset, walrus

Rule = Callable[[ast.stmt], list[ast.stmt] | None]
"""Statements that do what one does, in simpler terms; None if the rule is about others, Refusal where it has none."""
RULES: tuple[Rule, ...] = (match_case.as_ifs, walrus.in_front)

_BODIES: WeakKeyDictionary[ast.AST, list[ast.stmt]] = WeakKeyDictionary()
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def body_of(function: ast.FunctionDef | ast.Lambda) -> list[ast.stmt]:
    """The body of ``function`` in the core language; that of a lambda returns its value."""
    known = _BODIES.get(function)
    if known is None:
        own = function.body
        body = own if isinstance(own, list) else [ast.copy_location(ast.Return(own), own)]
        known = _BODIES[function] = passing_variables.without_them(lowered(body))
    return known


def lowered(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """A list of statements in the core language."""
    return [made for node in body for made in _statement(node)]


def _statement(node: ast.stmt) -> list[ast.stmt]:
    for rule in RULES:
        try:
            made = rule(node)
        except Refusal as why:
            subset.note(node, why)
            return [node]
        if made is not None:
            return lowered(made)
    return [node if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else _inside(node)]


def _inside(node: ast.stmt) -> ast.stmt:
    """A statement with the statements inside it in the core language; the same one if nothing changes."""
    made = node
    for name in _BLOCKS:
        block = getattr(node, name, None)
        if not isinstance(block, list) or not block:
            continue
        if isinstance(block[0], ast.stmt):
            new: list[ast.stmt] | list[ast.AST] = lowered(block)
        else:
            new = [_inside(part) for part in block]
        if any(a is not b for a, b in zip(block, new, strict=False)) or len(block) != len(new):
            made = copy.copy(node) if made is node else made
            setattr(made, name, new)
    return made
