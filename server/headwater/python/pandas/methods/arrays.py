"""Arrays of the values of a column (``column.values``, ``column.to_numpy()``), and functions of ``numpy`` on columns.

To an array NaN is a value like others, and what is missing among numbers is NaN: so where something is missing, a
reduction of numbers is NaN. Of a column, ``numpy`` calls the column's own method, which passes over what is missing. An
array of no rows has no maximum: that raises. ``np.where`` chooses between two values that are both computed, and none
of which raises. Not listed: what draws random numbers, reads or writes files, or changes an argument.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.python.exprs.simplify import NAN, choose, either
from headwater.python.rows.row_sequences import Series
from headwater.python.values.scope import AbstractObject, Value
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import FALSE, TRUE, Expr, Lit

from ..functions import Array
from .model import ARRAY, NUMPY, SERIES, Law, MethodCall, declare, method
from .operands import chosen, condition, part, text
from .reductions import extreme, quantified, total

if TYPE_CHECKING:
    from ..values import PandasInterpreter

_LAWS: dict[str, Law] = {
    "any": quantified, "all": quantified, "max": extreme, "min": extreme, "sum": total, "mean": total,
}  # fmt: skip
_HELD = ("string", "int", "float", "number")
"""Types of columns whose values an array holds as a column does."""


def array_of(run: PandasInterpreter, series: Series, node: ast.AST) -> Array:
    """``column.values``. Refusal ("opaque") for types that an array holds in its own way."""
    if series.listed or (series.column is not None and run.group.type(series.column).name not in _HELD):
        raise Refusal("opaque", "an array of the values of a column that is neither numeric nor of texts", node)
    return Array(series)


@method(
    SERIES,
    "values",
    """
to_numpy(**kwargs) -> "numpy.ndarray"
""",
    needs="all rows",
)
def array(call: MethodCall) -> Array:
    """The values as an array."""
    return array_of(call.run, call.series, call.node)


@method(
    SERIES,
    "values",
    """
unique() -> "numpy.ndarray" | DatetimeArray | Categorical
""",
    needs="all rows",
)
def distinct(call: MethodCall) -> Array:
    """Each value once, as an array."""
    return replace(array_of(call.run, call.series, call.node), distinct=True)


def _reduced(call: MethodCall, name: str, series: Series) -> Value:
    return _LAWS[name](replace(call, owner=series, bound=Bound(name, {})))


@method(
    ARRAY,
    "other",
    """
any(axis: 0 | 1 | None = None, **kwargs)
all(axis: 0 | 1 | None = None, **kwargs)
""",
    needs="all rows",
)
def quantified_array(call: MethodCall) -> Value:
    """Of a mask."""
    return _reduced(call, call.method, _whole(call))


@method(
    ARRAY,
    "other",
    """
max(axis: 0 | 1 | None = None, **kwargs)
min(axis: 0 | 1 | None = None, **kwargs)
""",
    needs="all rows",
)
@method(
    ARRAY,
    "other",
    """
sum(axis: 0 | 1 | None = None, dtype=None, **kwargs)
mean(axis: 0 | 1 | None = None, dtype=None, **kwargs)
""",
    needs="all rows",
)
def reduced_array(call: MethodCall) -> Value:
    """NaN where a value is missing."""
    series, rows = _whole(call), call.run.reductions
    if rows.mask_of(replace(call, owner=series)) is not None:
        return _reduced(call, call.method, series)
    value = _reduced(call, call.method, series)
    missing = rows.cells(replace(call, owner=series), *_HELD).missing
    if missing == FALSE:
        return value

    def make() -> Expr:
        slot = rows.slot("missing", FALSE)
        return rows.slots.define(slot, either(slot, missing))

    assert not isinstance(value, AbstractObject)
    return choose(rows.once(("missing", missing), make), NAN, value)


def _whole(call: MethodCall) -> Series:
    """The column that an array holds all values of. Refusal ("may-throw") where there may be none, and that raises."""
    owner = call.owner
    assert isinstance(owner, Array)
    if owner.distinct and call.method not in ("max", "min"):
        raise call.refusal("opaque", f"`{call.method}` of the distinct values of a column")
    if call.method in ("max", "min") and owner.series.frame.mask != TRUE:
        raise call.refusal("may-throw", f"`{call.method}` of an array that may be empty")
    return owner.series


@method(
    NUMPY,
    "other",
    """
all(a, axis: 0 | None = None, **kwargs)
amax(a, axis: 0 | None = None, **kwargs)
amin(a, axis: 0 | None = None, **kwargs)
any(a, axis: 0 | None = None, **kwargs)
count_nonzero(a, axis: 0 | None = None, **kwargs)
max(a, axis: 0 | None = None, **kwargs)
mean(a, axis: 0 | None = None, dtype=None, **kwargs)
min(a, axis: 0 | None = None, **kwargs)
sum(a, axis: 0 | None = None, dtype=None, **kwargs)
""",
    needs="all rows",
    reads=("a",),
)
def applied(call: MethodCall) -> Value:
    """Of a column its own method, of an array that of arrays."""
    name = {"amax": "max", "amin": "min", "count_nonzero": "sum"}.get(call.method, call.method)
    if isinstance(call.owner, Series):
        if call.method == "count_nonzero" and call.run.reductions.mask_of(call) is None:
            raise call.refusal("opaque", "`count_nonzero` of what is no mask")
        return _reduced(call, name, call.owner)
    return (quantified_array if name in ("any", "all") else reduced_array)(replace(call, bound=Bound(name, {})))


@method(
    NUMPY,
    "other",
    """
nanmax(a, axis: 0 | None = None, **kwargs)
nanmin(a, axis: 0 | None = None, **kwargs)
nansum(a, axis: 0 | None = None, dtype=None, **kwargs)
nanmean(a, axis: 0 | None = None, dtype=None, **kwargs)
""",
    needs="all rows",
    reads=("a",),
)
def without_nan(call: MethodCall) -> Value:
    """NaN is passed over, as by the method of a column; of no rows ``nanmax`` raises."""
    series = call.owner.series if isinstance(call.owner, Array) else call.series
    whole = replace(call, owner=Array(series), bound=Bound(call.method.removeprefix("nan"), {}))
    call.run.reductions.cells(replace(call, owner=series), *_HELD[1:])
    return _reduced(call, whole.method, _whole(whole))


@method(
    NUMPY,
    "other",
    """
array(object, dtype=None, *, copy: True = True, **kwargs)
asarray(a, dtype=None, **kwargs)
unique(ar, return_index: never = False, return_inverse: never = False, return_counts: never = False, axis: 0 = None,
    **kwargs)
""",
    needs="all rows",
    reads=("object", "a", "ar"),
)
def made(call: MethodCall) -> Array:
    """The values of a column or an array as an array; by ``unique`` each once, in order."""
    found = call.owner if isinstance(call.owner, Array) else array_of(call.run, call.series, call.node)
    if call.method == "unique" and call.run.scope.type(found.series.element).name == "string":
        raise call.refusal("may-throw", "`unique` of texts, which does not compare them with None")
    return replace(found, distinct=found.distinct or call.method == "unique")


@method(NUMPY, "other", "where(condition, x=None, y=None, /)", needs="its own row", reads=("condition", "x", "y"))
def where(call: MethodCall) -> Array:
    """The one value or the other, by a mask: of columns of floats and numbers, or of columns of texts and texts."""
    run, given = call.run, [call.needed(n) for n in ("condition", "x", "y")]
    like = next(s for s in (run.pandas(a, call.env) for a in given) if isinstance(s, Series))
    cond = condition(run, given[0], like, call.node, call.env)
    texts = [text(run, v, like, call.env) for v in given[1:]]
    if texts[0] is not None and texts[1] is not None:
        return Array(
            Series(like.frame, choose(cond, texts[0], texts[1]), present=all(isinstance(t, Lit) for t in texts))
        )
    a, b = (part(run, v, call.node, call.env) for v in given[1:])
    return Array(chosen(like, cond, a, b))


declare(
    ARRAY,
    "other",
    """
argmax(axis: 0 | 1 | None = None, **kwargs)
argmin(axis: 0 | 1 | None = None, **kwargs)
argsort(axis: 0 | 1 | None = -1, kind: "quicksort" | "mergesort" | "heapsort" | "stable" = None, **kwargs)
astype(dtype, order: never = "K", casting: never = "unsafe", subok: never = True, copy: True = True)
clip(min=None, max=None, **kwargs)
copy(**kwargs)
cumprod(axis: 0 | 1 | None = None, dtype=None, **kwargs)
cumsum(axis: 0 | 1 | None = None, dtype=None, **kwargs)
flatten(**kwargs)
item(*items)
prod(axis: 0 | 1 | None = None, dtype=None, **kwargs)
ravel(**kwargs)
repeat(repeats, /, axis: 0 | 1 | None = None)
reshape(*items, **kwargs)
round(decimals=0, **kwargs)
searchsorted(v, /, side: "left" | "right" = "left", **kwargs)
squeeze(axis: 0 | None = None)
std(axis: 0 | 1 | None = None, dtype=None, out: never = None, ddof=0, **kwargs)
tolist()
transpose(*items)
var(axis: 0 | 1 | None = None, dtype=None, out: never = None, ddof=0, **kwargs)
""",
)
declare(
    NUMPY,
    "other",
    """
abs(x, /, *, dtype=None, **kwargs)
absolute(x, /, *, dtype=None, **kwargs)
sqrt(x, /, *, dtype=None, **kwargs)
exp(x, /, *, dtype=None, **kwargs)
log(x, /, *, dtype=None, **kwargs)
log2(x, /, *, dtype=None, **kwargs)
log10(x, /, *, dtype=None, **kwargs)
log1p(x, /, *, dtype=None, **kwargs)
floor(x, /, *, dtype=None, **kwargs)
ceil(x, /, *, dtype=None, **kwargs)
sign(x, /, *, dtype=None, **kwargs)
isnan(x, /, **kwargs)
isfinite(x, /, **kwargs)
isinf(x, /, **kwargs)
sort(a, axis: 0 | None = -1, kind: "quicksort" | "stable" = None, **kwargs)
argsort(a, axis: 0 | None = -1, kind: "quicksort" | "stable" = None, **kwargs)
maximum(x1, x2, /, *, dtype=None, **kwargs)
minimum(x1, x2, /, *, dtype=None, **kwargs)
median(a, axis: 0 | None = None, **kwargs)
std(a, axis: 0 | None = None, dtype=None, out: never = None, ddof: 0 | 1 = 0, **kwargs)
var(a, axis: 0 | None = None, dtype=None, out: never = None, ddof: 0 | 1 = 0, **kwargs)
argmax(a, axis: 0 | None = None, **kwargs)
argmin(a, axis: 0 | None = None, **kwargs)
cumsum(a, axis: 0 | None = None, dtype=None, **kwargs)
diff(a, n: 1 | 2 = 1, axis: 0 = -1, **kwargs)
nanmedian(a, axis: 0 | None = None, **kwargs)
nanstd(a, axis: 0 | None = None, dtype=None, out: never = None, ddof: 0 | 1 = 0, **kwargs)
nanvar(a, axis: 0 | None = None, dtype=None, out: never = None, ddof: 0 | 1 = 0, **kwargs)
zeros(shape, dtype=None, **kwargs)
ones(shape, dtype=None, **kwargs)
full(shape, fill_value, dtype=None, **kwargs)
concatenate(arrays, /, axis: 0 = 0, *, dtype=None, **kwargs)
round(a, decimals=0, **kwargs)
power(x1, x2, /, *, dtype=None, **kwargs)
mod(x1, x2, /, *, dtype=None, **kwargs)
dot(a, b, **kwargs)
searchsorted(a, v, side: "left" | "right" = "left", **kwargs)
select(condlist, choicelist, default=0)
clip(a, a_min=..., a_max=..., **kwargs)
linspace(start, stop, num=50, endpoint: never = True, retstep: never = False, dtype=None, axis: 0 = 0, **kwargs)
arange(start_or_stop, /, stop=None, step=1, *, dtype=None, **kwargs)
interp(x, xp, fp, left=None, right=None, **kwargs)
percentile(a, q, axis: 0 | None = None, **kwargs)
quantile(a, q, axis: 0 | None = None, **kwargs)
polyfit(x, y, deg, **kwargs)
float64(value=0, /)
float32(value=0, /)
int64(value=0, /)
int32(value=0, /)
bool_(value=False, /)
timedelta64(value=0, /, **kwargs)
""",
)
