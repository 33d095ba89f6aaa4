"""Functions of ``pyarrow.compute`` on columns of the group's table: masks, and what is computed of them by row.

Law: a comparison with null is null; a reduction passes over null, and is null where there is nothing else. A NaN is
less than nothing and equal to nothing; ``max`` and ``min`` pass over it unless there is nothing else. A filter keeps
the rows where its mask is true. None of these raises on a column of the right type, whatever rows it has (measured:
pyarrow 26, ``tests/python/arrow/compute_cases.py``). A result is an Arrow scalar: only ``as_py()`` makes a value of
Python of it, and ``bool`` of it is something else. Reference: the Arrow C++ compute functions.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.exprs.intervals import of_type
from headwater.python.exprs.simplify import NONE, both, choose, either, is_boolean, is_nan, is_null, negate, truthy
from headwater.python.values import append_only
from headwater.python.values.scope import Env, Items, Value
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import FALSE, CompareOp, Expr, If, Lit, StringOp
from headwater_ir.types import BOOL, INT64, STRING, Type

from .table import Chunked, Field, GroupTable
from .types import read_arrow_type

if TYPE_CHECKING:
    from .values import ArrowInterpreter


@dataclass(frozen=True)
class Call:
    """A call whose arguments are bound to the declared parameters."""

    run: ArrowInterpreter
    node: ast.Call
    bound: Bound
    env: Env

    def refusal(self, reason: str) -> Refusal:
        """A refusal at this call."""
        return Refusal("opaque", f"`{self.bound.name}` of {reason}", self.node)

    def column(self, name: str) -> Chunked:
        """The argument ``name``, a column."""
        found = self.run.arrow(self.bound.arguments[name], self.env)
        if not isinstance(found, Chunked):
            raise self.refusal("something other than a column")
        return found

    def mask(self, name: str) -> Chunked:
        """The argument ``name``, a column of truth values."""
        found = self.column(name)
        if found.type != BOOL:
            raise self.refusal("a column that holds no truth values")
        return found

    def whole(self, name: str) -> Chunked:
        """The argument ``name``, a column that is gone through, which is done once for the group."""
        found = self.column(name)
        if self.run.in_a_pass() or isinstance(found, Field):
            raise self.refusal("a column, for each of the rows")
        return found


Law = Callable[[Call], Value]
_LAWS: dict[str, tuple[Law, tuple[str, ...]]] = {}


def laws() -> dict[str, tuple[Law, tuple[str, ...]]]:
    """The laws of functions by full name, and the parameters that they read."""
    return _LAWS


def function(names: str, *reads: str) -> Callable[[Law], Law]:
    """Give the functions of ``pyarrow.compute`` of these names a law that reads these parameters."""

    def give(law: Law) -> Law:
        for name in names.split():
            _LAWS[f"pyarrow.compute.{name}"] = law, reads
        return law

    return give


def call(run: ArrowInterpreter, node: ast.Call, name: str, env: Env) -> Value | None:
    """The value of a call of ``pyarrow.compute``; None if the function has no law."""
    if name not in _LAWS:
        return None
    law, reads = _LAWS[name]
    return law(Call(run, node, models.bind(name, node).only(*reads), env))


# --- masks


def null_of(run: ArrowInterpreter, e: Expr) -> Expr:
    """Where a value is null."""
    return is_null(e) if "none" in run.missing(e) else FALSE


def flags(run: ArrowInterpreter, column: Chunked) -> tuple[Expr, Expr]:
    """Where a column of truth values is null, and where it is true."""
    e = column.element
    if is_boolean(e):
        return FALSE, e
    if isinstance(e, If) and e.then == NONE and is_boolean(e.otherwise):
        return e.cond, both(negate(e.cond), e.otherwise)
    null = null_of(run, e)
    return null, both(negate(null), truthy(e))


def mask_like(column: Chunked, null: Expr, holds: Expr) -> Chunked:
    """A column of truth values of the same rows."""
    return replace(column, element=holds if null == FALSE else If(null, NONE, holds), type=BOOL)


def compared(run: ArrowInterpreter, node: ast.AST, op: CompareOp, a: Value, b: Value) -> Chunked:
    """``a op b`` of columns of the same rows, or of one and a constant."""
    like = next((v for v in (a, b) if isinstance(v, Chunked)), None)
    types = [v.type if isinstance(v, Chunked) else run.scope.type(v) for v in (a, b) if _operand(v)]  # type: ignore[arg-type]  # no object is an operand
    if like is None or len(types) != 2:
        raise Refusal("opaque", "a comparison of something other than columns and constants", node)
    parts: list[Expr] = []
    for this, other in ((a, types[1]), (b, types[0])):
        if isinstance(this, Chunked):
            if (type(this), this.mask, this.order) != (type(like), like.mask, like.order):
                raise Refusal("opaque", "columns of different rows are compared", node)
            parts.append(this.element)
        else:
            assert isinstance(this, Lit)
            if not _exact(this, other):
                raise Refusal("opaque", "a comparison for which Arrow converts a number inexactly", node)
            parts.append(this)
    names = {t.name for t in types}
    widths = {t.bits for t in types if t.name == "int"}
    if not (len(names) == 1 or names == {"int", "float"}) or (len(names) == 2 and 64 in widths and _columns(a, b)):
        raise Refusal("opaque", "a comparison of columns of other types", node)
    if names & {"decimal", "timestamp", "date", "list", "opaque", "any", "number"} or any(
        t.name == "float" and t.bits == 32 for t in types
    ):
        raise Refusal("opaque", "a comparison of columns of such types", node)
    null = either(*(null_of(run, p) for p in parts))
    with run.knowing(null, False):
        found = run.compare(node, op, parts[0], parts[1])
    return mask_like(like, null, both(negate(null), found))


def _columns(a: Value, b: Value) -> bool:
    return isinstance(a, Chunked) and isinstance(b, Chunked)


def _operand(value: Value) -> bool:
    return isinstance(value, Chunked) or (isinstance(value, Lit) and value.value is not None and is_nan(value) == FALSE)


def _exact(constant: Lit, other: Type) -> bool:
    """Whether Arrow compares a column of type ``other`` with the number itself."""
    number = constant.value
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return True
    if isinstance(number, float):
        return other.name == "float" or (other.name == "int" and other.bits is not None and other.bits <= 32)
    return abs(number) <= 2**53 if other.name == "float" else abs(number) < 2**63


_COMPARISONS: dict[str, CompareOp] = {
    "equal": "==", "not_equal": "!=", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=",
}  # fmt: skip


@function(" ".join(_COMPARISONS), "x", "y")
def comparison(call: Call) -> Chunked:
    """Null where a side is null."""
    sides = [_side(call, call.bound.arguments[n]) for n in ("x", "y")]
    return compared(call.run, call.node, _COMPARISONS[call.bound.name], *sides)


def _side(call: Call, node: ast.expr) -> Value:
    """A column, or a constant, also as ``pa.scalar(constant)``."""
    if isinstance(node, ast.Call) and call.run.scope.origin(node.func) == "pyarrow.scalar":
        node = models.bind("pyarrow.scalar", node).only("value").arguments["value"]
    return call.run.any_value(node, call.env)


def joined(run: ArrowInterpreter, a: Chunked, b: Chunked, *, conjunction: bool, kleene: bool) -> Chunked:
    """``a and b`` or ``a or b``. With ``kleene``, null beside what decides is no null."""
    (n1, h1), (n2, h2) = flags(run, a), flags(run, b)
    holds = both(h1, h2) if conjunction else either(h1, h2)
    if not kleene:
        null = either(n1, n2)
        return mask_like(a, null, both(negate(null), holds))
    no1, no2 = (both(negate(n), negate(h)) for n, h in ((n1, h1), (n2, h2)))
    fails = either(no1, no2) if conjunction else both(no1, no2)
    return mask_like(a, FALSE if n1 == n2 == FALSE else both(negate(holds), negate(fails)), holds)


@function("and_ or_ and_kleene or_kleene", "x", "y")
def connective(call: Call) -> Chunked:
    """Null where a side is null, but for the Kleene kind."""
    a, b = call.mask("x"), call.mask("y")
    if (type(a), a.mask, a.order) != (type(b), b.mask, b.order):
        raise call.refusal("columns of different rows")
    name = call.bound.name
    return joined(call.run, a, b, conjunction=name.startswith("and"), kleene=name.endswith("kleene"))


@function("invert", "values")
def inverted(call: Call) -> Chunked:
    """Null where it was null."""
    return negated(call.run, call.mask("values"))


def negated(run: ArrowInterpreter, column: Chunked) -> Chunked:
    """``not`` of a mask."""
    null, holds = flags(run, column)
    return mask_like(column, null, both(negate(null), negate(holds)))


@function("is_null is_valid", "values")
def validity(call: Call) -> Chunked:
    """Never null; a NaN is no null."""
    column = call.column("values")
    null = null_of(call.run, column.element)
    return mask_like(column, FALSE, null if call.bound.name == "is_null" else negate(null))


@function("is_in", "values", "value_set")
def membership(call: Call) -> Chunked:
    """Whether a whole number or text is one of ``pa.array([…])``; a null is none of them."""
    column, given = call.column("values"), call.bound.arguments["value_set"]
    if isinstance(given, ast.Call) and call.run.scope.origin(given.func) == "pyarrow.array":
        given = models.bind("pyarrow.array", given).only("obj", "type").arguments["obj"]
    return one_of(call.run, call.node, column, given, call.env)


def one_of(run: ArrowInterpreter, node: ast.AST, column: Chunked, given: ast.expr, env: Env) -> Chunked:
    """Whether a value of ``column`` is one of the constants ``given``. To a set -0.0 is not 0.0: no floats."""
    options = run.any_value(given, env)
    items = options.items if isinstance(options, Items) and not options.unique else ()
    values = [i for i in items if isinstance(i, Lit) and i.type.name == column.type.name]
    width = of_type(column.type)
    fits = width is None or all(width.low <= v.value <= width.high for v in values)  # type: ignore[operator]  # a width is one of whole numbers, as is then the column
    if not values or len(values) != len(items) or column.type.name not in ("int", "string") or not fits:
        raise Refusal("opaque", "`is_in` of something other than whole numbers or texts of one type", node)
    null = null_of(run, column.element)
    with run.knowing(null, False):
        found = either(*(run.compare(node, "==", column.element, v) for v in values))
    return mask_like(column, FALSE, both(negate(null), found))


_TEXTS: dict[str, StringOp] = {"match_substring": "contains", "starts_with": "startswith", "ends_with": "endswith"}


@function(" ".join(_TEXTS), "strings", "pattern")
def text_test(call: Call) -> Chunked:
    """Null where the text is null."""
    column = call.column("strings")
    pattern = call.run.value(call.bound.arguments["pattern"], call.env)
    if column.type != STRING or not isinstance(pattern, Lit) or not isinstance(pattern.value, str):
        raise call.refusal("something other than texts and a constant")
    null = null_of(call.run, column.element)
    with call.run.knowing(null, False):
        found = call.run.text_test(_TEXTS[call.bound.name], call.node, column.element, pattern)
    return mask_like(column, null, both(negate(null), found))


@function("if_else", "cond", "left", "right")
def choice(call: Call) -> Chunked:
    """One whole number or the other, null where the mask is."""
    mask, values = call.mask("cond"), [call.run.value(call.bound.arguments[n], call.env) for n in ("left", "right")]
    if any(not isinstance(v, Lit) or type(v.value) is not int or abs(v.value) >= 2**31 for v in values):
        raise call.refusal("something other than whole constants")
    return _numbers(call.run, mask, values[0], values[1], INT64)


@function("cast", "arr", "target_type")
def cast(call: Call) -> Chunked:
    """A mask as 1 and 0."""
    return as_numbers(call.run, call.node, call.column("arr"), call.bound.get("target_type"))


def as_numbers(run: ArrowInterpreter, node: ast.AST, column: Chunked, target: ast.expr | None) -> Chunked:
    """A mask as 1 and 0 of the Arrow type ``target``."""
    t = None if target is None else read_arrow_type(target, run.scope.origin)
    if t is None or t.name != "int" or column.type != BOOL:
        raise Refusal("opaque", "a cast of something other than a mask, or to another type than whole numbers", node)
    return _numbers(run, column, append_only.ONE, append_only.ZERO, t)


def _numbers(run: ArrowInterpreter, mask: Chunked, yes: Expr, no: Expr, t: Type) -> Chunked:
    null, holds = flags(run, mask)
    number = choose(holds, yes, no)
    return replace(mask, element=number if null == FALSE else If(null, NONE, number), type=t)


@function("filter", "input", "selection_filter")
def filtered(call: Call) -> GroupTable | Chunked:
    """The rows where the mask is true."""
    of = call.run.arrow(call.bound.arguments["input"], call.env)
    if not isinstance(of, (GroupTable, Chunked)):
        raise call.refusal("something other than a table or column")
    return restricted(call.run, call.node, of, call.bound.arguments["selection_filter"], call.env)


def restricted(
    run: ArrowInterpreter, node: ast.AST, of: GroupTable | Chunked, given: ast.expr, env: Env
) -> GroupTable | Chunked:
    """``of`` without the rows where the mask ``given`` is false or null."""
    mask = run.arrow(given, env)
    if not isinstance(mask, Chunked) or mask.type != BOOL or isinstance(of, Field):
        raise Refusal("opaque", "a filter by something other than a mask", node)
    alike = (mask.mask, mask.order) == (of.mask, of.order)
    if not (alike or (isinstance(mask, Field) and isinstance(of, GroupTable))):
        raise Refusal("opaque", "a filter by a mask of other rows", node)
    return replace(of, mask=both(of.mask, flags(run, mask)[1]))
