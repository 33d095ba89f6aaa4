"""Methods of ``pandas.Series`` and ``pandas.Index``."""

from __future__ import annotations

from .registry import register

register(
    "pandas.Series",
    "same rows",
    """
copy(deep: True = True)
""",
)
register(
    "pandas.Series",
    "per row",
    """
abs()
add(other, level: never = None, fill_value=None, axis: 0 = 0)
astype(dtype, copy: never = None, errors: "raise" = "raise")
between(left, right, inclusive: "both" | "neither" | "left" | "right" = "both")
bfill(*, axis: 0 = None, inplace: False = False, limit=None, **kwargs)
clip(lower=None, upper=None, *, axis: 0 = None, inplace: False = False, **kwargs)
cummax(axis: 0 = None, skipna: True | False = True, **kwargs)
cummin(axis: 0 = None, skipna: True | False = True, **kwargs)
cumprod(axis: 0 = None, skipna: True | False = True, **kwargs)
cumsum(axis: 0 = None, skipna: True | False = True, **kwargs)
diff(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1)
div(other, level: never = None, fill_value=None, axis: 0 = 0)
duplicated(keep: "first" | "last" | False = "first")
eq(other, level: never = None, fill_value=None, axis: 0 = 0)
ffill(*, axis: 0 = None, inplace: False = False, limit=None, **kwargs)
fillna(value=None, *, axis: 0 = None, inplace: False = False, **kwargs)
floordiv(other, level: never = None, fill_value=None, axis: 0 = 0)
ge(other, level: never = None, fill_value=None, axis: 0 = 0)
gt(other, level: never = None, fill_value=None, axis: 0 = 0)
isin(values)
isna()
isnull()
le(other, level: never = None, fill_value=None, axis: 0 = 0)
lt(other, level: never = None, fill_value=None, axis: 0 = 0)
map(arg, na_action: "ignore" | None = None)
mask(cond, other=..., *, inplace: False = False, axis: 0 = None, **kwargs)
mod(other, level: never = None, fill_value=None, axis: 0 = 0)
mul(other, level: never = None, fill_value=None, axis: 0 = 0)
notna()
notnull()
pct_change(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, fill_method: None = ..., limit=..., **kwargs)
pow(other, level: never = None, fill_value=None, axis: 0 = 0)
rank(axis: 0 = 0, method: "average" | "min" | "max" | "first" | "dense" = "average", numeric_only: True | False =
    False, na_option: "keep" | "top" | "bottom" = "keep", ascending=True, pct: True | False = False)
round(decimals=0, **kwargs)
shift(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, freq: never = None, axis: 0 = 0, **kwargs)
sub(other, level: never = None, fill_value=None, axis: 0 = 0)
truediv(other, level: never = None, fill_value=None, axis: 0 = 0)
where(cond, other=..., *, inplace: False = False, axis: 0 = None, **kwargs)
""",
)
register(
    "pandas.Series",
    "values",
    """
drop_duplicates(*, keep: "first" | "last" | False = "first", inplace: False = False, ignore_index: True | False =
    False) -> Series
dropna(*, axis: 0 = 0, inplace: False = False, how: "any" | "all" = None, ignore_index: True | False = False) ->
    Series
head(n=5) -> Series
nlargest(n=5, keep: "first" | "last" | "all" = "first") -> Series
nsmallest(n=5, keep: "first" | "last" | "all" = "first") -> Series
sort_index(*, axis: 0 = 0, ascending=True, inplace: False = False, kind: "quicksort" | "mergesort" | "heapsort" |
    "stable" = "quicksort", na_position: "first" | "last" = "last", sort_remaining: True = True, ignore_index: True |
    False = False, key=None, **kwargs) -> Series
sort_values(*, axis: 0 = 0, ascending=True, inplace: False = False, kind: "quicksort" | "mergesort" | "heapsort" |
    "stable" = "quicksort", na_position: "first" | "last" = "last", ignore_index: True | False = False, key=None) ->
    Series
tail(n=5) -> Series
""",
)
register(
    "pandas.Series",
    "values",
    """
to_list() -> "builtins.list"
to_numpy(**kwargs) -> "numpy.ndarray"
tolist() -> "builtins.list"
unique() -> "numpy.ndarray" | DatetimeArray | Categorical
""",
)
register(
    "pandas.Series",
    "plain",
    """
all(axis: 0 = 0, bool_only: False = False, skipna: True | False = True, **kwargs)
any(*, axis: 0 = 0, bool_only: False = False, skipna: True | False = True, **kwargs)
count()
kurt(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
max(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
mean(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
median(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
min(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
nunique(dropna: True | False = True)
prod(axis: 0 = None, skipna: True | False = True, numeric_only: True | False = False, min_count: 0 | 1 = 0, **kwargs)
sem(axis: 0 = None, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
skew(axis: 0 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
std(axis: 0 = None, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
sum(axis: 0 = None, skipna: True | False = True, numeric_only: True | False = False, min_count: 0 | 1 = 0, **kwargs)
var(axis: 0 = None, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
""",
)
register(
    "pandas.Series",
    "other",
    """
agg(func=None, **kwargs)
aggregate(func=None, **kwargs)
apply(func, **kwargs)
argmax(axis: 0 = None, skipna: True | False = True, **kwargs)
argmin(axis: 0 = None, skipna: True | False = True, **kwargs)
argsort(axis: 0 = 0, kind: "quicksort" | "mergesort" | "heapsort" | "stable" = "quicksort", **kwargs)
combine_first(other)
corr(other, method: "pearson" = "pearson", min_periods=None)
cov(other, min_periods=None, **kwargs)
describe(percentiles=None, **kwargs)
drop(labels=None, *, axis: 0 = 0, index=None, columns=None, inplace: False = False, errors: "raise" = "raise",
    **kwargs)
ewm(com=None, span=None, halflife: never = None, alpha: never = None, min_periods=0, adjust: never = True, ignore_na:
    never = False, axis: 0 = ..., **kwargs)
expanding(min_periods=1, axis: 0 = ..., **kwargs)
explode(ignore_index: True | False = False)
filter(items=None, like: never = None, regex: never = None, axis: 0 = None)
get(key, default=None)
groupby(by=None, axis: 0 = 0, level: never = None, as_index: True = True, sort: True | False = True, group_keys: True
    | False = True, observed: True | False = ..., dropna: True | False = True) -> SeriesGroupBy
idxmax(axis: 0 = 0, skipna: True | False = True, **kwargs)
idxmin(axis: 0 = 0, skipna: True | False = True, **kwargs)
interpolate(method: "linear" = "linear", *, axis: 0 = 0, limit=None, inplace: False = False, **kwargs)
item()
items()
keys()
mode(dropna: True | False = True)
ne(other, level: never = None, fill_value=None, axis: 0 = 0)
quantile(q=0.5, interpolation: "linear" | "lower" | "higher" | "midpoint" | "nearest" = "linear")
ravel(**kwargs)
reindex(index=None, *, axis: 0 = None, limit=None, **kwargs)
rename(index=None, *, axis: 0 = None, inplace: False = False, errors: "raise" = "ignore", **kwargs)
rename_axis(mapper=..., *, index=..., axis: 0 = 0, inplace: False = False, **kwargs)
repeat(repeats, **kwargs)
replace(to_replace=None, value=..., *, inplace: False = False, regex: True | False = False, **kwargs)
reset_index(*, drop: True | False = False, name=..., inplace: False = False, **kwargs)
rolling(window, min_periods=None, center: True | False = False, win_type: never = None, on: never = None, axis: 0 =
    ..., **kwargs)
searchsorted(value, side: "left" | "right" = "left", **kwargs)
squeeze(axis: 0 = None)
to_dict(**kwargs)
to_frame(name=...)
transform(func, axis: 0 = 0, **kwargs)
transpose(**kwargs)
value_counts(normalize: True | False = False, sort: True | False = True, ascending=False, bins=None, dropna: True |
    False = True)
""",
)
register(
    "pandas.Index",
    "other",
    """
all(**kwargs)
any(**kwargs)
argmax(axis: never = None, skipna: True | False = True, **kwargs)
argmin(axis: never = None, skipna: True | False = True, **kwargs)
argsort(**kwargs)
astype(dtype, **kwargs)
copy(name=None, deep: True = False)
diff(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1)
drop(labels, **kwargs)
drop_duplicates(*, keep: "first" | "last" | False = "first")
dropna(how: "any" | "all" = "any")
duplicated(keep: "first" | "last" | False = "first")
fillna(value=None, **kwargs)
isin(values, **kwargs)
isna()
isnull()
item()
max(axis: never = None, skipna: True | False = True, **kwargs)
min(axis: never = None, skipna: True | False = True, **kwargs)
notna()
notnull()
nunique(dropna: True | False = True)
ravel(**kwargs)
rename(name, *, inplace: False = False)
repeat(repeats, **kwargs)
round(decimals=0)
searchsorted(value, side: "left" | "right" = "left", **kwargs)
shift(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, **kwargs)
sort_values(*, ascending=True, na_position: "first" | "last" = "last", key=None, **kwargs)
to_frame(index=True, name=...)
to_list()
to_numpy(dtype=None, **kwargs)
tolist()
transpose(**kwargs)
unique(**kwargs)
value_counts(normalize: True | False = False, sort: True | False = True, ascending=False, bins=None, dropna: True |
    False = True)
where(cond, other=None)
""",
)
