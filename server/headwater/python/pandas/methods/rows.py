"""Which rows there are, and in what order: sorting, some of the rows, labels, and loops over rows."""

from __future__ import annotations

import ast

from headwater.libraries.entry import Columns, Constants, known
from headwater.python.rows.row_sequences import Row, RowSequence, RowValues, Series

from .model import FRAME, SERIES, MethodCall, declare, method
from .operands import constant, names_of


def _always(given: Constants) -> bool:
    return True


def _keeps_one(given: Constants) -> bool:
    """Of ``drop_duplicates``: one of each set of equal rows is kept."""
    return known(given, "keep", "first") in ("first", "last")


def _columns_of_reset(given: Constants) -> Columns:
    """Of ``reset_index``: the index becomes a column, unless it is dropped."""
    gone = () if known(given, "drop", False) is True else ("index", "level_0")
    return Columns(gone=gone, positions=False, rows="another index")


@method(SERIES, "same rows", "copy(deep: True = True)", needs="its own row", reads=("deep",))
def copied_values(call: MethodCall) -> Series:
    """The same values."""
    return call.series


@method(FRAME, "same rows", "copy(deep: True = True)", needs="its own row", reads=("deep",))
def copied(call: MethodCall) -> RowSequence:
    """The same rows, in another object."""
    return call.run.copied(call.frame)


@method(
    FRAME,
    "rows",
    """
sort_values(by, *, axis: 0 | "index" = 0, ascending=True, inplace: False = False, kind: "quicksort" | "mergesort" |
    "heapsort" | "stable" = "quicksort", na_position: "first" | "last" = "last", ignore_index: True | False = False,
    key=None)
""",
    needs="its own row",
    reads=("by", "axis", "ascending", "inplace", "kind", "na_position", "ignore_index"),
    leaves=_always,
)
def ordered(call: MethodCall) -> RowSequence:
    """The same rows in another order, which is known by what they are sorted by."""
    given = call.bound.arguments
    if any(isinstance(n, (ast.Name, ast.Attribute, ast.Call)) for e in given.values() for n in ast.walk(e)):
        raise call.refusal("opaque", "what the rows are sorted by is not written out")
    names = names_of(call.needed("by")) or []
    up = True if "ascending" not in given else constant(given["ascending"])
    by = (names[0], up) if len(names) == 1 and isinstance(up, bool) and set(given) <= {"by", "ascending"} else None
    return call.run.sorted_by(call.frame, sorted((name, ast.unparse(v)) for name, v in given.items()), by)


@method(
    FRAME,
    "other",
    """
reset_index(*, drop: True | False = False, inplace: False = False, **kwargs)
""",
    needs="its own row",
    reads=("drop",),
    columns=_columns_of_reset,
)
def relabelled(call: MethodCall) -> RowSequence:
    """The same rows, numbered anew."""
    if constant(call.get("drop")) is not True:
        raise call.refusal("opaque", "`reset_index` that keeps the index as a column")
    return call.run.relabelled(call.frame)


@method(FRAME, "other", 'itertuples(index: True | False = True, name="Pandas")', needs="all rows", reads=("index",))
def named_tuples(call: MethodCall) -> RowValues:
    """The rows one by one, as named tuples."""
    return RowValues(call.frame, Row("attribute"))


@method(FRAME, "other", "iterrows()", needs="all rows")
def labelled_series(call: MethodCall) -> RowValues:
    """The rows one by one, each with its label."""
    return RowValues(call.frame, Row("both"))


@method(
    FRAME,
    "other",
    """
to_dict(orient: "dict" | "list" | "records" | "index" | "series" | "split" = "dict", **kwargs)
""",
    needs="all rows",
    reads=("orient",),
)
def dicts(call: MethodCall) -> RowValues:
    """A list of a dict for each row."""
    if constant(call.get("orient")) != "records":
        raise call.refusal("opaque", "`to_dict` of something other than records")
    return RowValues(call.frame, Row("item"))


declare(
    SERIES,
    "values",
    """
drop_duplicates(*, keep: "first" | "last" | False = "first", inplace: False = False, ignore_index: True | False =
    False) -> Series
head(n=5) -> Series
sort_index(*, axis: 0 = 0, ascending=True, inplace: False = False, kind: "quicksort" | "mergesort" | "heapsort" |
    "stable" = "quicksort", na_position: "first" | "last" = "last", sort_remaining: True = True, ignore_index: True |
    False = False, key=None, **kwargs) -> Series
tail(n=5) -> Series
""",
)
declare(
    SERIES,
    "other",
    """
explode(ignore_index: True | False = False)
items()
reindex(index=None, *, axis: 0 = None, limit=None, **kwargs)
repeat(repeats, **kwargs)
reset_index(*, drop: True | False = False, name=..., inplace: False = False, **kwargs)
squeeze(axis: 0 = None)
to_dict(**kwargs)
""",
)
declare(
    FRAME,
    "rows",
    """
sort_index(*, axis: 0 | "index" = 0, ascending=True, inplace: False = False, kind: "quicksort" | "mergesort" |
    "heapsort" | "stable" = "quicksort", na_position: "first" | "last" = "last", sort_remaining: True = True,
    ignore_index: True | False = False, key=None, **kwargs)
""",
    leaves=_always,
)
declare(
    FRAME,
    "rows",
    """
drop_duplicates(subset=None, *, keep: "first" | "last" | False = "first", inplace: False = False, ignore_index: True |
    False = False)
""",
    leaves=_keeps_one,
)
declare(
    FRAME,
    "other",
    """
explode(column, ignore_index: True | False = False)
items()
reindex(labels=None, *, index=None, columns=None, axis: 0 | "index" = None, limit=None, **kwargs)
set_index(keys, *, drop: True | False = True, append: True | False = False, inplace: False = False, verify_integrity:
    False = False)
squeeze(axis: 0 | "index" = None)
""",
)
