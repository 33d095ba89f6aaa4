"""Reductions of a column to one value: each law allocates slots of the fold.

Missing values are passed over (``skipna``). None of these steps raises: pandas raises on a row's value alone (None in
an ordered comparison), and then does so with and without the pre-filter that dropped other rows. The columns are those
of 64-bit numbers and times; a mask is a column of truth values that is computed of the row.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NAN, both, choose, either, is_boolean, negate
from headwater.python.rows.row_sequences import Series, require_row_local
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import TRUE, Arith, Compare, CompareOp, Expr, If, IsNaN, Lit
from headwater_ir.types import FLOAT

from ..column_reductions import ZERO
from ..masks import equal_to
from .model import FRAME, SERIES, Law, MethodCall, declare, method, refused
from .operands import constant

if TYPE_CHECKING:
    from ..values import PandasInterpreter


@dataclass(frozen=True)
class Counts(AbstractObject):
    """How often each value of a column occurs, by value."""

    series: Series


@dataclass(frozen=True)
class Aggregated(AbstractObject):
    """Reductions by name, as ``column.agg(["max"])`` and ``frame.agg({"x": "max"})`` give them."""

    values: tuple[tuple[str, Expr], ...]

    def value(self, name: object, node: ast.AST) -> Expr:
        """One of them. Refusal ("may-throw") for another name."""
        if name not in dict(self.values):
            raise Refusal("may-throw", "a reduction that was not asked for", node)
        return dict(self.values)[str(name)]


def _skips_missing(call: MethodCall) -> None:
    if constant(call.get("skipna")) not in (None, True):
        raise call.refusal("opaque", f"`{call.method}` that does not pass over what is missing")


@method(SERIES, "plain", "count()", needs="all rows")
def count(call: MethodCall) -> Expr:
    """The number of values that are not missing."""
    cells = call.run.reductions.cells(call)
    return call.run.reductions.count(f"count({cells.label})", cells.present)


@method(
    SERIES,
    "plain",
    """
max(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
min(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
""",
    needs="all rows",
    reads=("skipna",),
)
def extreme(call: MethodCall) -> Expr:
    """The largest, or smallest, value that is not missing; NaN, or NaT, where there is none. Of a mask of all rows,
    whether it holds in some, or in all."""
    _skips_missing(call)
    rows = call.run.reductions
    if is_boolean(call.series.element) and rows.mask_of(call) is not None and call.series.frame.mask == TRUE:
        return quantified(replace(call, bound=Bound("any" if call.method == "max" else "all", {})))
    cells = rows.cells(call, "int", "float", "number", "any", "timestamp")
    nothing = Lit(NAN.value, cells.type if cells.type.name == "timestamp" else FLOAT)
    op: CompareOp = ">" if call.method == "max" else "<"

    def make() -> Expr:
        best = rows.slot(f"{call.method}({cells.label})", nothing)
        better = either(IsNaN(best), Compare(op, cells.value, best, "python"))
        return rows.slots.define(best, choose(both(cells.present, better), cells.value, best))

    return rows.once((call.method, cells.value, cells.present), make)


@method(
    SERIES,
    "plain",
    """
sum(axis: 0 = None, skipna: True | False = True, numeric_only: True | False = False, min_count: 0 | 1 = 0, **kwargs)
mean(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
""",
    needs="all rows",
    reads=("skipna",),
)
def total(call: MethodCall) -> Expr:
    """The sum of what is not missing, or of a mask the number of rows where it holds; the mean is NaN of nothing."""
    _skips_missing(call)
    rows = call.run.reductions
    mask = rows.mask_of(call)
    if mask is not None:
        summed, n = rows.count("n", both(call.series.frame.mask, mask)), call.series.frame.mask
        return summed if call.method == "sum" else _quotient(summed, rows.count("n_rows", n))
    cells = rows.cells(call, "int", "float", "number", "any")
    rows.assume_sum(call.series)

    def make() -> Expr:
        slot = rows.slot(f"sum({cells.label})", ZERO)
        return rows.slots.define(slot, choose(cells.present, Arith("+", slot, cells.value, "python"), slot))

    summed = rows.once(("sum", cells.value, cells.present), make)
    return summed if call.method == "sum" else _quotient(summed, rows.count(f"count({cells.label})", cells.present))


def _quotient(summed: Expr, n: Expr) -> Expr:
    return If(Compare("==", n, ZERO, "python"), NAN, Arith("/", summed, n, "python"))


@method(
    SERIES,
    "plain",
    """
any(*, axis: 0 = 0, bool_only: False = False, skipna: True | False = True, **kwargs)
all(axis: 0 = 0, bool_only: False = False, skipna: True | False = True, **kwargs)
""",
    needs="all rows",
    reads=("skipna",),
)
def quantified(call: MethodCall) -> Expr:
    """Whether a mask holds in some row, or in all."""
    _skips_missing(call)
    rows, frame = call.run.reductions, call.series.frame.mask
    mask = rows.mask_of(call)
    if mask is None:
        raise call.refusal("opaque", f"`{call.method}()` of a column that is no mask")

    if call.method == "any":
        return rows.exists(both(frame, mask))

    def make() -> Expr:
        slot = rows.slot("all", TRUE)
        return rows.slots.define(slot, both(slot, either(negate(frame), mask)))

    return rows.once((call.method, mask, frame), make)


_LABELS: dict[str, tuple[type, ...]] = {"string": (str,), "int": (int, float), "float": (int, float)}
"""The types of constants that find a label among those of a type of columns."""
_NAMED: dict[object, Law] = {
    "count": count, "max": extreme, "min": extreme, "sum": total, "mean": total, "any": quantified, "all": quantified,
}  # fmt: skip


@method(
    SERIES,
    "other",
    """
agg(func=None, **kwargs)
aggregate(func=None, **kwargs)
""",
    needs="all rows",
    reads=("func",),
)
def named(call: MethodCall) -> Value:
    """``column.agg("max")`` is ``column.max()``. What a function in place of its name does depends on the version of
    pandas, so that is refused."""
    func = call.get("func")
    if isinstance(func, ast.List):
        return _several(call, {constant(n): (call.series, constant(n)) for n in func.elts})
    return _by_name(call, constant(func))


def _by_name(call: MethodCall, name: object) -> Expr:
    if name not in _NAMED:
        raise call.refusal("opaque", f"`{call.method}` of something other than the name of one reduction")
    found = _NAMED[name](replace(call, bound=Bound(str(name), {})))
    assert not isinstance(found, AbstractObject)
    return found


def _several(call: MethodCall, wanted: Mapping[object, tuple[Series, object]]) -> Aggregated:
    """Reductions side by side, in a column of one type: so several are of one type before."""
    types = {call.run.scope.type(s.element) for s, _ in wanted.values()}
    alike = len(types) == 1 and all(r in ("max", "min", "sum") and s.column for s, r in wanted.values())
    if not wanted or (len(wanted) > 1 and not alike) or not all(isinstance(n, str) for n in wanted):
        raise call.refusal("opaque", f"`{call.method}` of several reductions whose results are not of one type")
    return Aggregated(tuple((str(n), _by_name(replace(call, owner=s), r)) for n, (s, r) in wanted.items()))


@method(
    FRAME,
    "other",
    """
agg(func=None, **kwargs)
aggregate(func=None, **kwargs)
""",
    needs="all rows",
    reads=("func",),
)
def of_columns(call: MethodCall) -> Aggregated:
    """``frame.agg({"x": "max"})``: one reduction of each column that is named."""
    func = call.get("func")
    if not isinstance(func, ast.Dict) or not all(isinstance(constant(k), str) for k in func.keys):
        raise call.refusal("opaque", f"`{call.method}` of something other than one reduction for each column")
    named_ = {constant(k): constant(v) for k, v in zip(func.keys, func.values, strict=True)}
    return _several(call, {n: (call.run.group.series(call.frame, str(n)), r) for n, r in named_.items()})


@method(
    SERIES,
    "other",
    """
value_counts(normalize: True | False = False, sort: True | False = True, ascending=False, bins=None, dropna: True |
    False = True)
""",
    needs="all rows",
)
def counted(call: MethodCall) -> Counts:
    """How often each value occurs that is not missing; of a mask, how often it holds, and how often not."""
    require_row_local(call.series, call.node)
    if call.series.column is None and not is_boolean(call.series.element):
        raise call.refusal("opaque", f"`{call.method}` of a computed column")
    return Counts(call.series)


@method(SERIES, "other", "get(key, default=None)", needs="all rows", reads=("key", "default"))
def count_of(call: MethodCall) -> Expr:
    """``column.value_counts().get(constant, 0)``: the number of rows with this value."""
    if not isinstance(call.owner, Counts) or constant(call.get("default")) != 0:
        raise call.refusal("opaque", "`get` of something other than `value_counts`, or without the default 0")
    return occurrences(call.run, call.owner, call.needed("key"), call.node, call.env)


def condition_of(run: PandasInterpreter, owner: Counts, key: ast.expr, node: ast.AST, env: Env) -> Expr:
    """Which rows have the constant ``key``. A label is found by its type too: True is not 1."""
    series, wanted = owner.series, run.value(key, env)
    if series.column is None:
        if not isinstance(wanted, Lit) or type(wanted.value) is not bool:
            raise Refusal("opaque", "a count of a mask that is looked up by something other than True and False", node)
        return both(series.frame.mask, series.element if wanted.value else negate(series.element))
    if not isinstance(wanted, Lit) or type(wanted.value) not in _LABELS.get(run.group.type(series.column).name, ()):
        raise Refusal("opaque", "a count that is looked up by a label of another type", node)
    return equal_to(run, series, wanted, node)


def occurrences(run: PandasInterpreter, owner: Counts, key: ast.expr, node: ast.AST, env: Env) -> Expr:
    """How many rows have the constant ``key``."""
    where = condition_of(run, owner, key, node, env)
    return run.reductions.count(f"count({owner.series.column or 'mask'})", where)


def occurs(run: PandasInterpreter, owner: Counts, key: ast.expr, node: ast.AST, env: Env) -> Expr:
    """Whether some row has the constant ``key``."""
    return Compare(">", occurrences(run, owner, key, node, env), ZERO, "python")


refused(SERIES, "other", "item()", "may-throw", "`item()` raises unless there is exactly one row", needs="all rows")
declare(
    SERIES,
    "plain",
    """
kurt(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
median(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
nunique(dropna: True | False = True)
prod(axis: 0 = None, skipna: True | False = True, numeric_only: True | False = False, min_count: 0 | 1 = 0, **kwargs)
sem(axis: 0 = None, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
skew(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
std(axis: 0 = None, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
var(axis: 0 = None, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
""",
)
declare(
    SERIES,
    "other",
    """
argmax(axis: 0 = None, skipna: True | False = True, **kwargs)
argmin(axis: 0 = None, skipna: True | False = True, **kwargs)
corr(other, method: "pearson" = "pearson", min_periods=None)
cov(other, min_periods=None, **kwargs)
describe(percentiles=None, **kwargs)
mode(dropna: True | False = True)
quantile(q=0.5, interpolation: "linear" | "lower" | "higher" | "midpoint" | "nearest" = "linear")
""",
)
declare(
    FRAME,
    "other",
    """
all(axis: 0 | 1 = 0, bool_only: False = False, skipna: True | False = True, **kwargs)
any(*, axis: 0 | 1 = 0, bool_only: False = False, skipna: True | False = True, **kwargs)
corr(method: "pearson" = "pearson", min_periods=1, numeric_only: True | False = False)
count(axis: 0 | 1 = 0, numeric_only: True | False = False)
cov(min_periods=None, ddof: never = 1, numeric_only: True | False = False)
describe(percentiles=None, **kwargs)
idxmax(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False)
idxmin(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False)
kurt(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
max(axis: 0 | 1 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
mean(axis: 0 | 1 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
median(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
min(axis: 0 | 1 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
mode(axis: 0 | "index" = 0, numeric_only: True | False = False, dropna: True | False = True)
nunique(axis: 0 | "index" = 0, dropna: True | False = True)
prod(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False, min_count: 0 | 1 = 0,
    **kwargs)
quantile(q=0.5, axis: 0 | "index" = 0, numeric_only: True | False = False, interpolation: "linear" | "lower" |
    "higher" | "midpoint" | "nearest" = "linear", **kwargs)
sem(axis: 0 | "index" = 0, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
skew(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
std(axis: 0 | 1 = 0, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
sum(axis: 0 | 1 = 0, skipna: True | False = True, numeric_only: True | False = False, min_count: 0 | 1 = 0, **kwargs)
value_counts(subset=None, normalize: True | False = False, sort: True | False = True, ascending=False, dropna: True |
    False = True)
var(axis: 0 | "index" = 0, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
""",
)
