"""``re.search``, ``re.match`` and ``re.fullmatch``: of patterns that are made of plain texts tests of the text
(``exprs.patterns``), of others an uninterpreted function.

Law: what is found is an object that is true, and None where nothing is. Of what was found nothing else has a model.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.exprs.patterns import finds
from headwater.python.exprs.simplify import NONE, choose
from headwater.python.values.scope import Env, Pattern
from headwater.python.values.structures import OptionalValue, RecordValue
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import TRUE, Call, Expr, Lit
from headwater_ir.types import BOOL, STRING

from .calls import value_of
from .dispatch import MethodCall, builtin, method

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured

_PART = "what was found"
"""The one part of a match, by a name that no attribute has."""


@builtin("re.search", "re.match", "re.fullmatch")
def found_in(s: Structured, node: ast.Call, bound: Bound, env: Env) -> OptionalValue:
    """``re.search(pattern, string)`` and its kin, without flags."""
    given = bound.only("pattern", "string").arguments
    pattern = s.any_value(given["pattern"], env)
    text = pattern.value if isinstance(pattern, Lit) else pattern.text if isinstance(pattern, Pattern) else None
    if not isinstance(text, str):
        raise Refusal("opaque", "a pattern that is not a constant", node)
    return _match(s, node, bound.name, text, s.value(given["string"], env))


@builtin("re.compile")
def compiled(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Pattern:
    """``re.compile(pattern)``, without flags."""
    pattern = s.any_value(bound.only("pattern").arguments["pattern"], env)
    if not isinstance(pattern, Lit) or not isinstance(pattern.value, str):
        raise Refusal("opaque", "a pattern that is not a constant", node)
    return Pattern(pattern.value)


@method("re.Pattern.search", "re.Pattern.match", "re.Pattern.fullmatch")
def found_by(c: MethodCall) -> OptionalValue | None:
    """``pattern.search(string)`` and its kin."""
    if len(c.given) != 1 or not isinstance(c.owner, Pattern) or not isinstance(c.node.func, ast.Attribute):
        return None
    return _match(c.s, c.node, c.node.func.attr, c.owner.text, c.s.value(c.given[0], c.env))


def _match(s: Structured, node: ast.Call, function: str, pattern: str, text: Expr) -> OptionalValue:
    s.text_test("contains", node, text, Lit(pattern, STRING))  # refuses what is no text
    found = finds(function, pattern, text)
    there = value_of(Call(f"re.{function}", (Lit(pattern, STRING), text), BOOL)) if found is None else found
    match = RecordValue((_PART,), (choose(there, TRUE, NONE),), access="match", mutable=False)
    return OptionalValue(match, there, frozenset({0}))
