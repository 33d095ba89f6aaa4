"""Functions of ``pandas`` that compute from what they are given. Not listed: what reads the clock or files."""

from __future__ import annotations

from .registry import register

register(
    "pandas",
    "other",
    """
Series(data=None, index=None, dtype=None, name=None, **kwargs)
DataFrame(data=None, index=None, columns=None, dtype=None, **kwargs)
Index(data=None, dtype=None, copy: never = False, name=None, **kwargs)
concat(objs, *, axis: 0 | 1 | "index" | "columns" = 0, join: "inner" | "outer" = "outer", ignore_index: True | False =
    False, keys=None, verify_integrity: False = False, sort: True | False = False, **kwargs)
merge(left, right, how: "inner" | "left" | "right" | "outer" = "inner", on=None, left_on=None, right_on=None,
    left_index: True | False = False, right_index: True | False = False, sort: True | False = False, suffixes=...,
    copy: never = None, indicator: True | False = False, validate=None)
merge_asof(left, right, on=None, left_on=None, right_on=None, left_index: True | False = False, right_index: True |
    False = False, by=None, left_by=None, right_by=None, suffixes=..., tolerance=None, allow_exact_matches: True |
    False = True, direction: "backward" | "forward" | "nearest" = "backward")
merge_ordered(left, right, on=None, left_on=None, right_on=None, left_by: never = None, right_by: never = None,
    fill_method: "ffill" | None = None, suffixes=..., how: "inner" | "left" | "right" | "outer" = "outer")
to_datetime(arg, errors: "raise" | "coerce" | "ignore" = "raise", dayfirst: True | False = False, yearfirst: True |
    False = False, utc: True | False = False, format=None, exact: never = ..., unit=None, **kwargs)
to_numeric(arg, errors: "raise" | "coerce" | "ignore" = "raise", downcast: "integer" | "signed" | "unsigned" | "float"
    = None, **kwargs)
to_timedelta(arg, unit=None, errors: "raise" | "coerce" | "ignore" = "raise")
date_range(start=None, end=None, periods=None, freq=None, tz: never = None, normalize: True | False = False,
    name=None, inclusive: "both" | "neither" | "left" | "right" = "both", *, unit=None, **kwargs)
cut(x, bins, right: True | False = True, labels=None, retbins: never = False, precision=3, include_lowest: True |
    False = False, duplicates: "raise" | "drop" = "raise", ordered: True = True)
qcut(x, q, labels: never = None, retbins: never = False, precision=3, duplicates: "raise" | "drop" = "raise")
get_dummies(data, prefix=None, prefix_sep: never = "_", dummy_na: True | False = False, columns=None, sparse: never =
    False, drop_first: True | False = False, dtype=None)
pivot_table(data, values=None, index=None, columns=None, aggfunc="mean", fill_value: never = None, margins: never =
    False, dropna: True | False = True, margins_name: never = "All", observed: True | False = ..., sort: True | False
    = True)
crosstab(index, columns, **kwargs)
unique(values)
factorize(values, sort: True | False = False, use_na_sentinel: True | False = True, **kwargs)
Categorical(values, categories=None, ordered: True | False = None, **kwargs)
Timestamp(ts_input=..., year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None,
    **kwargs)
Timedelta(value=..., unit: never = None, **parts)
""",
)
register(
    "pandas",
    "per row",
    """
isna(obj)
isnull(obj)
notna(obj)
notnull(obj)
""",
)
