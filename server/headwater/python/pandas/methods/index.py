"""Methods of ``pandas.Index``: none has a law."""

from __future__ import annotations

from .model import declare

declare(
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
