"""``bisect.bisect`` of a list of constants. Law: in a sorted list ``bisect_right`` is how many constants are not
greater than the value, ``bisect_left`` how many are less. NaN is less than nothing: it is behind all of them for the
one, and before all for the other. What does not compare raises. Reference: ``internal_bisect_right`` in CPython's
``Modules/_bisectmodule.c``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import choose
from headwater.python.values.scope import Env
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import Expr, Lit
from headwater_ir.types import INT

from .dispatch import builtin
from .named_containers import MAX_ROUNDS, constant_items, container_at

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@builtin("bisect.bisect", "bisect.bisect_left", "bisect.bisect_right", reads="scalars")
def place(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Expr | None:
    """``bisect(a, x)``."""
    given = bound.only("a", "x").arguments
    constants = constant_items(container_at(s, given["a"], env))
    values = [c.value for c in constants or () if isinstance(c, Lit)]
    if not constants or len(values) != len(constants) or len(values) > MAX_ROUNDS or not _sorted(values):
        raise Refusal("opaque", f"`{bound.name}` of something other than a sorted list of constants", node)
    x, right = s.value(given["x"], env), bound.name != "bisect_left"
    found: Expr = Lit(len(values) if right else 0, INT)
    for i, c in reversed([*enumerate(constants)]) if right else enumerate(constants, 1):
        assert isinstance(c, Lit)
        test = s.compare(node, "<", x, c) if right else s.compare(node, "<", c, x)
        found = choose(test, Lit(i, INT), found)
    return found


def _sorted(values: Sequence[object]) -> bool:
    """Whether the values are all numbers, or all texts, in order."""
    numbers = all(type(v) in (int, float) and v == v for v in values)
    return (numbers or all(type(v) is str for v in values)) and list(values) == sorted(values)  # type: ignore[type-var]
