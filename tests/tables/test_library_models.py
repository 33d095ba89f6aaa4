"""Planted faults: a claim that is false of a variant of a call, put into its entry, is seen by the measurement.

Each id is the full name of a function, the declaration that lets the variant in, and the claim.
"""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

import headwater.python.effects.library_calls  # noqa: F401  (it registers all models)
from headwater.libraries.entry import Columns, Entry, Yields
from headwater.syntax.signatures import Signature
from tests.libraries import measure

_ROWS: dict[str, list[str]] = {
    "pandas.DataFrame": [
        "sort_index(*, axis: 1 = 1)", "reindex(labels=None, *, index=None)", "shift(periods: 1 | -1 = 1)",
        "explode(column)", "fillna(value=None)", "ffill()", "where(cond)", "mask(cond)",
        "replace(to_replace=None, value=0)",
        "transpose()", "cumsum()", "rank()", "reset_index()", "set_index(keys)", "drop(labels=None, *, columns=None)",
        "astype(dtype)", "rename(mapper=None, *, columns=None)", "clip(lower=None, upper=None)", "round(decimals=0)",
        "describe()", "melt(id_vars=None)", 'sample(*, replace: True = True, n: 3 = 3, random_state: 1 = 1)',
        "assign(*, v: 1 = 1)", "sum()", "select_dtypes(include=None)",
        "merge(right, how: 'outer' | 'right' = 'outer', on=None)",
    ],
    "pyarrow.Table": [
        'filter(mask, null_selection_behavior: "emit_null" = "emit_null")', "take(indices)", "rename_columns(names)",
        "select(columns)", "remove_column(i)", "set_column(i, field_, column)",
    ],
}  # fmt: skip
_PURE: dict[str, list[str]] = {
    "pandas.DataFrame": [
        "pop(item)", "insert(loc, column, value)", "update(other)", "fillna(value=None, *, inplace: True = True)",
        "drop_duplicates(subset, *, inplace: True)", "sort_values(by, *, inplace: True = True)",
        "dropna(*, inplace: True = True)", "rename(mapper=None, *, columns=None, inplace: True = True)",
        "set_index(keys, *, inplace: True = True)", "sample(n=None)", "isetitem(loc, value)",
        "reset_index(*, inplace: True = True)", "clip(lower, *, inplace: True)",
        "eval(expr, *, inplace: True = True)",
    ],
    "pandas.Series": ["pop(item)", "update(other)", "fillna(value=None, *, inplace: True = True)", "sample(n=None)"],
    "numpy.ndarray": ["sort()", "fill(value)", "put(indices, v)", "partition(kth)"],
    "numpy": ["sqrt(x, /, out)", "cumsum(a, *, out)", "copyto(dst, src)", "put(a, ind, v)"],
    "pandas": ['to_datetime(arg: "now" | "today")'],
}  # fmt: skip
_LEAVES: dict[str, list[str]] = {
    "pandas.DataFrame": [
        "drop_duplicates(subset, *, keep: False)", "head(n: 0 | -1 = 0)", "tail(n: 0 | -1 = 0)",
        "dropna()", "query(expr)", "nlargest(n: 0, columns)", "nsmallest(n: 0, columns)",
        "filter(items=None, *, axis: 0 = 0)",
    ],
    "pyarrow.Table": ["filter(mask)", "slice(offset=0, length=None)", "drop_null()"],
}  # fmt: skip
_PER_ROW: dict[str, list[str]] = {
    "pandas.Series": [
        "head(n=5)", "dropna()", "sort_values()", "drop_duplicates()", "explode()", "value_counts()", "unique()",
        "max()",
        "reset_index(*, drop: True = True)", "repeat(repeats)", "nsmallest(n=5)", "reindex(index=None)", "mode()",
        "nlargest(n=5)", "describe()", "sort_index(*, ascending: False = False)",
    ],
    "pandas.Series.str": ["extract(pat)", "split(pat=None, *, expand: True = True)", "get_dummies()", "cat()"],
}  # fmt: skip
_VALUES: dict[str, list[str]] = {
    "pandas.Series": ["fillna(value=None)", "cumsum()", "shift()", "rank()", "astype(dtype)", "add(other)", "isna()",
    "abs()"],
    "pyarrow.ChunkedArray": [
        'filter(mask, null_selection_behavior: "emit_null" = "emit_null")', "take(indices)", "fill_null(fill_value)",
        "is_null()", "value_counts()",
    ],
}  # fmt: skip
_PLAIN: dict[str, list[str]] = {
    "pandas.Series": ["mode()", "unique()", "quantile(q=0.5)", "value_counts()", "cumsum()"]
}
_SAME_ROWS: dict[str, list[str]] = {"pandas.DataFrame": ["head(n=5)", "sort_values(by)", "reset_index()", "ffill()"]}
_COLUMNS: dict[str, list[str]] = {
    "pandas.DataFrame": [
        "fillna(value=None)", "astype(dtype)", "drop(labels=None, *, index=None)", "reset_index()", "transpose()",
        "shift(periods: 1 | -1 = 1)", "round(decimals=0)", "clip(lower=None, upper=None)",
        "set_index(keys)", "head(n=5)",
    ],
    "pyarrow.Table": ["set_column(i, field_, column)", "rename_columns(names)", "slice(offset=0, length=None)"],
}  # fmt: skip
"""All columns are there, and hold what they held."""
_CLAIMS: dict[str, tuple[dict[str, list[str]], Yields]] = {
    "rows": (_ROWS, "rows"), "pure": (_PURE, "other"), "leaves a row": (_LEAVES, "rows"),
    "per row": (_PER_ROW, "per row"),
    "keeps all columns": (_COLUMNS, "other"),
    "values": (_VALUES, "values"), "plain": (_PLAIN, "plain"), "same rows": (_SAME_ROWS, "same rows"),
}  # fmt: skip
ENTRIES = [
    f"{kind}: {declaration}: {claim}"
    for claim, (table, _) in _CLAIMS.items()
    for kind, declarations in table.items()
    for declaration in declarations
]
"""Claims that are false, and that no entry makes."""


def seen(entry: str) -> bool:
    """Whether measuring finds that the claim is false, for another reason than that no data reaches it."""
    kind, rest = entry.split(": ", 1)
    declaration, claim = rest.rsplit(": ", 1)
    name = declaration.partition("(")[0]
    flipped = Entry(f"{kind}.{name}", Signature.of(declaration), yields=_CLAIMS[claim][1])
    if claim == "leaves a row":
        flipped = replace(flipped, leaves=lambda given: True)
    if claim == "keeps all columns":
        flipped = replace(flipped, columns=lambda given: Columns())
    return any(": no run reaches" not in c for c in measure.complaints(flipped))


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_false_claim_is_seen(entry: str) -> None:
    ast.parse(f"def {entry.split(': ', 1)[1].rsplit(': ', 1)[0]}: ...")
    assert seen(entry)
