"""``sum`` and ``math.fsum``. Law: CPython adds the elements to ``start`` one after the other.

A None raises. It is passed over in a list of rows that the function surely adds up: the rows that a pre-filter leaves
then hold one only if it raised without. Elsewhere the state keeps whether there was one.
``fsum`` rounds once, so that it is the sum of whole numbers within 2**53 alone; of other numbers it is refused.
Fractions: CPython 3.12 and later carry what rounding loses.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import choose
from headwater.python.values import append_only
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import Expr, Lit, Raise
from headwater_ir.types import FLOAT

from .comprehensions import listed, sequence
from .dispatch import builtin
from .named_containers import elements_of

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@builtin("builtins.sum")
def total(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``sum(iterable, start=0)``."""
    of = sequence(s, bound.arguments["iterable"], env, whole=True)
    if of is None:
        return None
    bag = listed(s, node, of)
    if bag.of.unique:
        raise Refusal("opaque", "the sum of a set", node)
    return _added(s, node, bag, s.value(bound.arguments["start"], env) if "start" in bound else None)


@builtin("math.fsum")
def rounded_total(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Value | None:
    """``math.fsum(seq)`` of whole numbers and truth values."""
    of = sequence(s, bound.arguments["seq"], env, whole=True)
    if of is None:
        return None
    bag = listed(s, node, of)
    for element in elements_of(bag):
        if isinstance(element, AbstractObject) or s.scope.type(element).name not in ("int", "bool"):
            raise Refusal("opaque", "`fsum` of something other than whole numbers", node)
    if bag.of.unique:
        raise Refusal("opaque", "the sum of a set", node)
    s.scope.assume("the whole numbers that `fsum` adds, and their sum, stay within 2**53", "range")
    return s.arithmetic(node, ast.Add(), _added(s, node, bag, None), Lit(0.0, FLOAT))


def _added(s: Structured, node: ast.Call, bag: AppendOnly, start: Expr | None) -> Expr:
    for element in elements_of(bag):
        if isinstance(element, AbstractObject):
            raise Refusal("opaque", "`sum` of tuples", node)
        s.require_number(node, element)
        if s.scope.type(element).name not in ("int", "bool"):
            s.scope.assume(
                "`sum` adds fractions one after the other (CPython 3.12 and later carry what rounding loses)",
                "rounding",
            )
    passed = bag.of_rows and bag.of.rows is not None and s.surely_run(bag.of.rows)
    parts = s.observe(bag, append_only.total(nones=bag.of.holds_none, passed=passed))
    found = parts[0] if start is None else s.arithmetic(node, ast.Add(), start, parts[0])
    return found if len(parts) == 1 else choose(parts[1], Raise("a sum with None"), found)
