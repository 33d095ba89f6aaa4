"""Methods of ``pandas.DataFrame``."""

from __future__ import annotations

from .registry import Constants, known, register


def _always(given: Constants) -> bool:
    return True


def _first_rows(given: Constants) -> bool:
    """Of ``head`` and ``tail``: a positive number of rows; a negative one leaves that many out."""
    n = known(given, "n", 5)
    return type(n) is int and n > 0


def _keeps_one(given: Constants) -> bool:
    """Of ``drop_duplicates``: one of each set of equal rows is kept."""
    return known(given, "keep", "first") in ("first", "last")


register(
    "pandas.DataFrame",
    "same rows",
    """
copy(deep: True = True)
""",
)
register(
    "pandas.DataFrame",
    "rows",
    """
head(n=5)
tail(n=5)
""",
    leaves=_first_rows,
)
register(
    "pandas.DataFrame",
    "rows",
    """
sort_index(*, axis: 0 | "index" = 0, ascending=True, inplace: False = False, kind: "quicksort" | "mergesort" |
    "heapsort" | "stable" = "quicksort", na_position: "first" | "last" = "last", sort_remaining: True = True,
    ignore_index: True | False = False, key=None, **kwargs)
sort_values(by, *, axis: 0 | "index" = 0, ascending=True, inplace: False = False, kind: "quicksort" | "mergesort" |
    "heapsort" | "stable" = "quicksort", na_position: "first" | "last" = "last", ignore_index: True | False = False,
    key=None)
""",
    leaves=_always,
)
register(
    "pandas.DataFrame",
    "rows",
    """
drop_duplicates(subset=None, *, keep: "first" | "last" | False = "first", inplace: False = False, ignore_index: True |
    False = False)
""",
    leaves=_keeps_one,
)
register(
    "pandas.DataFrame",
    "rows",
    """
dropna(*, axis: 0 | "index" = 0, how: "any" | "all" = ..., thresh=..., subset=None, inplace: False = False,
    ignore_index: True | False = False)
nlargest(n, columns, keep: "first" | "last" | "all" = "first")
nsmallest(n, columns, keep: "first" | "last" | "all" = "first")
query(expr, *, inplace: False = False, **kwargs)
""",
)
register(
    "pandas.DataFrame",
    "other",
    """
abs()
add(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
agg(func=None, **kwargs)
aggregate(func=None, **kwargs)
all(axis: 0 | 1 = 0, bool_only: False = False, skipna: True | False = True, **kwargs)
any(*, axis: 0 | 1 = 0, bool_only: False = False, skipna: True | False = True, **kwargs)
apply(func, axis: 0 | 1 | "index" | "columns" = 0, raw: True | False = False, result_type: "expand" | "reduce" |
    "broadcast" | None = None, **kwargs)
assign(**columns)
astype(dtype, copy: never = None, errors: "raise" = "raise")
bfill(*, axis: 0 | "index" = None, inplace: False = False, limit=None, **kwargs)
clip(lower=None, upper=None, *, axis: 0 | "index" = None, inplace: False = False, **kwargs)
combine_first(other)
corr(method: "pearson" = "pearson", min_periods=1, numeric_only: True | False = False)
count(axis: 0 | 1 = 0, numeric_only: True | False = False)
cov(min_periods=None, ddof: never = 1, numeric_only: True | False = False)
cummax(axis: 0 | "index" = None, skipna: True | False = True, **kwargs)
cummin(axis: 0 | "index" = None, skipna: True | False = True, **kwargs)
cumprod(axis: 0 | "index" = None, skipna: True | False = True, **kwargs)
cumsum(axis: 0 | "index" = None, skipna: True | False = True, **kwargs)
describe(percentiles=None, **kwargs)
diff(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, axis: 0 | "index" = 0)
div(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
drop(labels=None, *, axis: 0 | 1 | "index" | "columns" = 0, index=None, columns=None, inplace: False = False, errors:
    "raise" | "ignore" = "raise", **kwargs)
duplicated(subset=None, keep: "first" | "last" | False = "first")
eq(other, axis: 0 | "index" = "columns", **kwargs)
ewm(com=None, span=None, halflife: never = None, alpha: never = None, min_periods=0, adjust: never = True, ignore_na:
    never = False, axis: 0 | "index" = ..., **kwargs)
expanding(min_periods=1, axis: 0 | "index" = ..., **kwargs)
explode(column, ignore_index: True | False = False)
ffill(*, axis: 0 | "index" = None, inplace: False = False, limit=None, **kwargs)
fillna(value=None, *, axis: 0 | "index" = None, inplace: False = False, **kwargs)
filter(items=None, like: never = None, regex: never = None, axis: 0 | "index" = None)
floordiv(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
ge(other, axis: 0 | "index" = "columns", **kwargs)
get(key, default=None)
groupby(by=None, axis: 0 | "index" = ..., level: never = None, as_index: True | False = True, sort: True | False =
    True, group_keys: True | False = True, observed: True | False = ..., dropna: True | False = True) ->
    DataFrameGroupBy
gt(other, axis: 0 | "index" = "columns", **kwargs)
idxmax(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False)
idxmin(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False)
interpolate(method: "linear" = "linear", *, axis: 0 | "index" = 0, limit=None, inplace: False = False, **kwargs)
isin(values)
isna()
isnull()
items()
iterrows()
itertuples(index: True | False = True, name="Pandas")
join(other, on=None, how: "inner" | "left" | "right" | "outer" = "left", lsuffix="", rsuffix="", sort: True | False =
    False, **kwargs)
keys()
kurt(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
le(other, axis: 0 | "index" = "columns", **kwargs)
lt(other, axis: 0 | "index" = "columns", **kwargs)
map(func, na_action: "ignore" | None = None, **kwargs)
mask(cond, other=..., *, inplace: False = False, axis: 0 | "index" = None, **kwargs)
max(axis: 0 | 1 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
mean(axis: 0 | 1 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
median(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
melt(id_vars=None, value_vars=None, var_name=None, value_name="value", col_level: never = None, ignore_index: True |
    False = True)
merge(right, how: "inner" | "left" | "right" | "outer" = "inner", on=None, left_on=None, right_on=None, left_index:
    never = False, right_index: never = False, sort: True | False = False, suffixes=..., copy: never = None,
    indicator: True | False = False, validate=None)
min(axis: 0 | 1 = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
mod(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
mode(axis: 0 | "index" = 0, numeric_only: True | False = False, dropna: True | False = True)
mul(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
ne(other, axis: 0 | "index" = "columns", **kwargs)
notna()
notnull()
nunique(axis: 0 | "index" = 0, dropna: True | False = True)
pct_change(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, fill_method: None = ..., limit=..., **kwargs)
pivot(*, columns, index=..., values=...)
pivot_table(values=None, index=None, columns=None, aggfunc="mean", fill_value: never = None, margins: False = False,
    dropna: True | False = True, margins_name: never = "All", observed: True | False = ..., sort: True | False = True)
pow(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
prod(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False, min_count: 0 | 1 = 0,
    **kwargs)
quantile(q=0.5, axis: 0 | "index" = 0, numeric_only: True | False = False, interpolation: "linear" | "lower" |
    "higher" | "midpoint" | "nearest" = "linear", **kwargs)
rank(axis: 0 | "index" = 0, method: "average" | "min" | "max" | "first" | "dense" = "average", numeric_only: True |
    False = False, na_option: "keep" | "top" | "bottom" = "keep", ascending=True, pct: True | False = False)
reindex(labels=None, *, index=None, columns=None, axis: 0 | "index" = None, limit=None, **kwargs)
rename(*, columns=None, inplace: False = False, errors: "raise" = "ignore", **kwargs)
rename_axis(mapper=..., *, index=..., columns=..., axis: 0 | "index" = 0, inplace: False = False, **kwargs)
replace(to_replace=None, value=..., *, inplace: False = False, regex: True | False = False, **kwargs)
reset_index(*, drop: True | False = False, inplace: False = False, **kwargs)
rolling(window, min_periods=None, center: True | False = False, win_type: never = None, on=None, axis: 0 | "index" =
    ..., **kwargs)
round(decimals=0, **kwargs)
select_dtypes(include=None, exclude=None)
sem(axis: 0 | "index" = 0, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
set_index(keys, *, drop: True | False = True, append: True | False = False, inplace: False = False, verify_integrity:
    False = False)
shift(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, freq: never = None, axis: 0 | "index" = 0, **kwargs)
skew(axis: 0 | "index" = 0, skipna: True | False = True, numeric_only: True | False = False, **kwargs)
squeeze(axis: 0 | "index" = None)
stack(level: never = -1, dropna: True | False = ..., sort: True | False = ..., future_stack: False = False)
std(axis: 0 | 1 = 0, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
sub(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
sum(axis: 0 | 1 = 0, skipna: True | False = True, numeric_only: True | False = False, min_count: 0 | 1 = 0, **kwargs)
to_dict(orient: "dict" | "list" | "records" | "index" | "series" | "split" = "dict", **kwargs)
to_numpy(dtype=None, **kwargs)
transform(func, axis: 0 = 0, **kwargs)
transpose(**kwargs)
truediv(other, axis: 0 | "index" = "columns", level: never = None, fill_value=None)
unstack(level: never = -1, fill_value: never = None, sort: True | False = True)
value_counts(subset=None, normalize: True | False = False, sort: True | False = True, ascending=False, dropna: True |
    False = True)
var(axis: 0 | "index" = 0, skipna: True | False = True, ddof=1, numeric_only: True | False = False, **kwargs)
where(cond, other=..., *, inplace: False = False, axis: 0 | "index" = None, **kwargs)
""",
)
