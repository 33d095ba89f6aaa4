"""Conversions that do nothing to a value of the right type: ``float(x)`` of a float, ``int(n)`` of a whole number,
``str(s)`` of a string; and ``int(flag)``. They raise where Python does."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.exprs.intervals import range_of
from headwater.python.exprs.simplify import choose, is_missing, is_null, truthy
from headwater.python.values.scope import Env
from headwater.syntax.signatures import Bound
from headwater_ir.expr import Expr, Lit, Raise
from headwater_ir.types import BOOL, INT, STRING

from .dispatch import builtin

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@builtin("builtins.float", "builtins.int", "builtins.str", scalars=True)
def conversion(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Expr | None:
    """``float(x)``, ``int(x)`` and ``str(object)`` if that is an identity on values of this type; None if it is not."""
    given = models.in_order(f"builtins.{bound.name}", node)
    if len(given) != 1:
        return None
    name, value = bound.name, s.value(given[0], env)
    t = s.scope.type(value)
    if name == "float" and t.name == "float":
        return choose(is_null(value), Raise("float(None)"), value)
    if name == "int" and t == BOOL:
        one, none = Lit(1, INT), Lit(0, INT)
        return choose(is_null(value), Raise("int() of a missing value"), choose(truthy(value), one, none))
    if name == "int" and t.name in ("int", "float"):
        whole = range_of(value, s.scope.columns, s.scope.slot_ranges)
        if whole is not None and not whole.infinite:
            return choose(is_missing(value), Raise("int() of a missing value"), value)
    if name == "str" and t == STRING:
        return choose(is_null(value), Lit("None", STRING), value)
    return None
