"""What the core language has no node for: the one place that says so."""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from headwater.syntax.refusal import Refusal
from headwater_ir.verdict import Obstruction

_NO_NODE: dict[type[ast.stmt], tuple[Obstruction, str]] = {
    ast.Break: ("opaque", "`break` makes the result depend on where the loop stops"),
    ast.With: ("side-effect", "a `with` block"),
    ast.AsyncFunctionDef: ("opaque", "a nested function"),
    ast.ClassDef: ("opaque", "a nested class"),
    ast.Global: ("side-effect", "`global`"),
    ast.Nonlocal: ("side-effect", "`nonlocal`"),
    ast.Delete: ("opaque", "`del`"),
}
_WITHOUT_RULE: WeakKeyDictionary[ast.stmt, Refusal] = WeakKeyDictionary()
"""Statements that no rule makes simpler, and why; a syntax tree does not change once it is read."""


def note(node: ast.stmt, why: Refusal) -> None:
    """Remember that ``node`` stays as it is, because of ``why``."""
    _WITHOUT_RULE[node] = why


def check(node: ast.stmt) -> None:
    """Refuse a statement that a rule should have made simpler, and could not."""
    why = _WITHOUT_RULE.get(node)
    if why is not None:
        raise Refusal(why.obstruction, why.reason, why.node or node)


def unknown(node: ast.stmt) -> Refusal:
    """The refusal of a statement of a kind that the core language does not have."""
    obstruction, reason = _NO_NODE.get(type(node), ("opaque", f"a `{type(node).__name__}` statement"))
    return Refusal(obstruction, reason, node)
