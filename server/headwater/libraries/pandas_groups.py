"""Methods of groups and windows of frames and columns."""

from __future__ import annotations

from .registry import not_covered, register

register(
    "pandas.DataFrameGroupBy pandas.SeriesGroupBy",
    "other",
    """
agg(func=None, **kwargs)
aggregate(func=None, **kwargs)
all(skipna: True | False = True)
any(skipna: True | False = True)
bfill(limit=None)
cumcount(ascending=True)
cummax(axis: never = ..., numeric_only: True | False = False, **kwargs)
cummin(axis: never = ..., numeric_only: True | False = False, **kwargs)
cumprod(**kwargs)
cumsum(**kwargs)
describe(percentiles=None, **kwargs)
diff(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, **kwargs)
ffill(limit=None)
fillna(value=None, method: never = None, axis: never = ..., inplace: False = False, **kwargs)
filter(func, dropna: True | False = True, **kwargs)
first(numeric_only: True | False = False, min_count: 0 | 1 = -1, skipna: True | False = True)
head(n=5)
last(numeric_only: True | False = False, min_count: 0 | 1 = -1, skipna: True | False = True)
mean(numeric_only: True | False = False, **kwargs)
median(numeric_only: True | False = False)
ngroup(ascending=True)
nunique(dropna: True | False = True)
pct_change(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, fill_method: None = ..., limit=..., **kwargs)
prod(numeric_only: True | False = False, min_count: 0 | 1 = 0)
quantile(q=0.5, interpolation: "linear" | "lower" | "higher" | "midpoint" | "nearest" = "linear", numeric_only: True |
    False = False)
rank(method: "average" | "min" | "max" | "first" | "dense" = "average", ascending=True, na_option: "keep" | "top" |
    "bottom" = "keep", pct: True | False = False, **kwargs)
sem(ddof=1, numeric_only: True | False = False)
shift(periods: -2 | -1 | 0 | 1 | 2 | 3 | 7 = 1, **kwargs)
skew(axis: never = ..., skipna: True | False = True, numeric_only: True | False = False, **kwargs)
std(ddof=1, engine: never = None, engine_kwargs: never = None, numeric_only: True | False = False)
tail(n=5)
transform(func, **kwargs)
var(ddof=1, engine: never = None, engine_kwargs: never = None, numeric_only: True | False = False)
""",
)
register(
    "pandas.DataFrameGroupBy",
    "other",
    """
count()
max(numeric_only: True | False = False, min_count: 0 | 1 = -1, **kwargs)
min(numeric_only: True | False = False, min_count: 0 | 1 = -1, **kwargs)
sum(numeric_only: True | False = False, min_count: 0 | 1 = 0, **kwargs)
apply(func, *, include_groups: True | False = True, **kwargs)
corr(method: "pearson" = "pearson", min_periods=1, numeric_only: True | False = False)
cov(min_periods=None, ddof: never = 1, numeric_only: True | False = False)
idxmax(axis: never = ..., skipna: True | False = True, numeric_only: True | False = False)
idxmin(axis: never = ..., skipna: True | False = True, numeric_only: True | False = False)
value_counts(subset=None, normalize: True | False = False, sort: True | False = True, ascending=False, dropna: True |
    False = True)
""",
)
register(
    "pandas.SeriesGroupBy",
    "other",
    """
apply(func, **kwargs)
corr(other, method: "pearson" = "pearson", min_periods=None)
cov(other, min_periods=None, **kwargs)
idxmax(axis: never = ..., skipna: True | False = True)
idxmin(axis: never = ..., skipna: True | False = True)
nlargest(n=5, keep: "first" | "last" | False = "first")
nsmallest(n=5, keep: "first" | "last" | False = "first")
unique()
value_counts(normalize: True | False = False, sort: True | False = True, ascending=False, bins=None, dropna: True |
    False = True)
""",
)
register(
    "pandas.Rolling pandas.Expanding",
    "other",
    """
agg(func, **kwargs)
aggregate(func, **kwargs)
apply(func, raw: True | False = False, **kwargs)
corr(other: never = None, pairwise: never = None, ddof=1, numeric_only: True | False = False)
count(numeric_only: True | False = False)
cov(other: never = None, pairwise: never = None, ddof: never = 1, numeric_only: True | False = False)
kurt(numeric_only: True | False = False)
max(numeric_only: True | False = False, **kwargs)
mean(numeric_only: True | False = False, **kwargs)
median(numeric_only: True | False = False, **kwargs)
min(numeric_only: True | False = False, **kwargs)
quantile(q, interpolation: "linear" | "lower" | "higher" | "midpoint" | "nearest" = "linear", numeric_only: True |
    False = False)
rank(method: "average" | "min" | "max" = "average", ascending=True, pct: True | False = False, numeric_only: True |
    False = False)
sem(ddof=1, numeric_only: True | False = False)
skew(numeric_only: True | False = False)
std(ddof=1, numeric_only: True | False = False, **kwargs)
sum(numeric_only: True | False = False, **kwargs)
var(ddof=1, numeric_only: True | False = False, **kwargs)
""",
)
register(
    "pandas.ExponentialMovingWindow",
    "other",
    """
agg(func, **kwargs)
aggregate(func, **kwargs)
corr(other: never = None, pairwise: never = None, numeric_only: True | False = False)
cov(other: never = None, pairwise: never = None, bias: never = False, numeric_only: True | False = False)
mean(numeric_only: True | False = False, **kwargs)
std(bias: never = False, numeric_only: True | False = False)
sum(numeric_only: True | False = False, **kwargs)
var(bias: never = False, numeric_only: True | False = False)
""",
)
for kind in ("pandas.DataFrameGroupBy", "pandas.SeriesGroupBy"):
    not_covered(kind, "ewm expanding rolling take")
