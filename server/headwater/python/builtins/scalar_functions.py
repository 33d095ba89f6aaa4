"""Functions of one scalar whose whole meaning is expressible for some arguments: ``abs``, ``bool``, ``isinstance``,
conversions that do nothing to a value of the right type, the tests for missing values and infinities, and ``bisect``.

Law: ``pd.isna`` is True for None, NaN and NaT; ``math.isnan``, ``np.isnan``, ``math.isfinite`` and ``math.isinf``
raise on None. ``bisect_right`` of a sorted list of constants is how many of them are not greater than the value,
``bisect_left`` how many are less; NaN is less than nothing, so that it is behind all of them for the one, and before
all for the other (``Modules/_bisectmodule.c``). Where the arguments have no model, the function has no model
(``effects.purity``), or is refused.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.exprs.facts import MISSING
from headwater.python.exprs.intervals import range_of
from headwater.python.exprs.simplify import choose, either, is_missing, is_nan, is_null, negate, truthy
from headwater.python.values.scope import Env
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import FALSE, Compare, Expr, If, Lit, Neg, Raise, slots_of, walk
from headwater_ir.types import BOOL, FLOAT, INT, NULL, NUMBER, STRING

from .dispatch import builtin
from .named_containers import MAX_ROUNDS, constant_items, container_at

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured

_CLASSES = {
    "string": {"builtins.str"}, "int": {"builtins.int"}, "float": {"builtins.float"},
    "bool": {"builtins.bool", "builtins.int"}, "date": {"datetime.date"},
}  # fmt: skip
_ALL_CLASSES = {*set[str]().union(*_CLASSES.values()), "datetime.datetime", "decimal.Decimal"}
"""Classes of which it is known whether the values of a column are of them."""


@builtin("pandas.isna", "pandas.isnull", "pandas.notna", "pandas.notnull", reads="scalars")
def missing(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Expr:
    """``pd.isna(obj)`` and ``pd.notna(obj)``."""
    tested = s.value(bound.arguments["obj"], env)
    found = s.scope.tested(tested, is_missing(tested), MISSING)
    return negate(found) if bound.name.startswith("not") else found


@builtin("math.isnan", "numpy.isnan", reads="scalars")
def isnan(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Expr:
    """``math.isnan(x)`` and ``np.isnan(x)``."""
    value = s.value(bound.arguments["x"], env)
    s.scope.hint(value, NUMBER)
    if s.scope.type(value).name not in ("int", "float", "number", "bool", "any", "null"):
        raise Refusal("may-throw", f"`isnan` of a {s.scope.type(value)}", node)
    return choose(is_null(value), Raise("isnan(None)"), is_nan(value))


@builtin("math.isfinite", "math.isinf", reads="scalars")
def is_infinite(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Expr | None:
    """``math.isfinite(x)`` and ``math.isinf(x)`` of a float."""
    value = s.value(bound.arguments["x"], env)
    if s.scope.type(value).name != "float":
        return None
    ends = either(*(Compare("==", value, Lit(end, FLOAT), "python") for end in (math.inf, -math.inf)))
    found = ends if bound.name == "isinf" else negate(either(is_nan(value), ends))
    return choose(is_null(value), Raise(f"math.{bound.name}(None)"), found)


@builtin("builtins.abs", reads="scalars")
def absolute(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Expr:
    """``abs(x)`` of a number."""
    number = s.numeric(bound.arguments["x"], env)
    return choose(s.compare(node, "<", number, Lit(0, INT)), Neg(number, "python"), number)


@builtin("builtins.bool", reads="scalars")
def truth(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Expr | None:
    """``bool(object)``."""
    return s.truth_of(s.value(bound.arguments["object"], env)) if bound.arguments else None


@builtin("builtins.isinstance", reads="scalars")
def is_instance(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Expr | None:
    """``isinstance(obj, class)``. Of values of one Python type, or None, the type alone decides. That a column is of
    the type that its uses need is not known enough: such code asks because it may not be."""
    tested, classes = models.in_order("builtins.isinstance", node)
    listed = classes.elts if isinstance(classes, ast.Tuple) else [classes]
    asked = {s.scope.origin(c) for c in listed}
    value = s.value(tested, env)
    own = _CLASSES.get(s.scope.type(value).name)
    believed = s.scope.sources(value) & s.scope.assumed_types.keys()
    if own is None or believed or not asked <= _ALL_CLASSES or not s.scope.exact_numbers:
        return None
    if _of_several_types(s, value):
        return None
    return negate(is_null(value)) if asked & own else choose(is_null(value), FALSE, FALSE)


def _of_several_types(s: Structured, value: Expr) -> bool:
    """Whether ``value`` may be a number of one type or of another, which have a type in common."""
    if slots_of(value) and s.scope.type(value).name == "float":
        return True
    branches = [(s.scope.type(e.then), s.scope.type(e.otherwise)) for e in walk(value) if isinstance(e, If)]
    return any(a.name != b.name and NULL not in (a, b) for a, b in branches)


@builtin("builtins.float", "builtins.int", "builtins.str", reads="scalars")
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
