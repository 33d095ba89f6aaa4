"""What the reader of each format makes of a test of one column with constants, measured on Spark 4.3.

The table is closed: a format or form that it does not name is handed nothing. ``tests/source/test_cells.py`` runs every
entry on Spark, except those of ``DOCUMENTED``, whose readers are packages of their own: these follow the documentation
of the formats, and only where it leaves no doubt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Class = Literal["exact", "inexact", "unsupported"]
Form = Literal[
    "order", "equal", "differ", "not same", "in", "not in", "in with NULL", "null", "not null", "prefix", "not prefix",
    "part", "not part",
]  # fmt: skip
"""A test of one bare column: ``differ`` is ``!=``, ``not same`` the negation of ``<=>``, ``part`` is ``contains`` or
``endswith``."""


@dataclass(frozen=True)
class Answer:
    """The class of a form at a format, and why, in words. ``handed``: Spark hands the test to the reader at all, which
    a disjunction needs of each of its branches, even of those that the reader then makes nothing of."""

    kind: Class
    why: str
    handed: bool = True


_MINMAX = Answer("inexact", "skips row groups by their minimum and maximum; Spark applies it again")
_LIST = Answer(
    "inexact", "skips row groups by their minimum and maximum, and a list of more than 10 values as one range"
)
_SINGLE = Answer("inexact", "skips only row groups that hold one single value")
_NULLS = Answer("inexact", "skips row groups without NULLs")
_ALL_NULL = Answer("inexact", "skips row groups that hold nothing but NULLs")
_DICTIONARY = Answer("inexact", "skips only row groups whose values, few distinct ones, all stand in a dictionary")
_NO_STATISTICS = Answer("unsupported", "the reader of the format skips nothing by it")
_FAILS = Answer("unsupported", "Spark 4.3 hands the NULL on, and the reader fails")
_PARQUET: dict[Form, Answer] = {
    "order": _MINMAX, "equal": _MINMAX, "in": _LIST, "differ": _SINGLE, "not same": _SINGLE, "not in": _SINGLE,
    "in with NULL": Answer("inexact", "skips row groups by their minimum and maximum, but none that holds a NULL"),
    "null": _NULLS, "not null": _ALL_NULL, "prefix": _MINMAX, "not prefix": _SINGLE, "part": _DICTIONARY,
    "not part": _DICTIONARY,
}  # fmt: skip
_ORC: dict[Form, Answer] = {
    "order": _MINMAX, "equal": _MINMAX, "in": _MINMAX, "differ": _SINGLE, "not same": _NO_STATISTICS, "not in": _SINGLE,
    "in with NULL": _FAILS, "null": _NULLS, "not null": _ALL_NULL, "prefix": _NO_STATISTICS,
    "not prefix": _NO_STATISTICS, "part": _NO_STATISTICS, "not part": _NO_STATISTICS,
}  # fmt: skip
_EVERY: tuple[Form, ...] = tuple(_PARQUET)
_CSV = dict.fromkeys(_EVERY, Answer("exact", "the csv reader drops the rows while it parses them"))
_JSON = dict.fromkeys(
    _EVERY,
    Answer("inexact", "the json reader drops records while it parses them, but none that lacks the field"),
) | {"not null": Answer("unsupported", "the json reader hands on records that lack the field")}
_JDBC = dict.fromkeys(_EVERY, Answer("exact", "the database evaluates it, and Spark does not again")) | {
    "in with NULL": _FAILS
}
_FILES = Answer("inexact", "skips files by the minima and maxima of the table's metadata; Spark applies it again")
_TABLE: dict[Form, Answer] = {
    form: _FILES if form in ("order", "equal", "in", "null", "not null", "prefix") else
    Answer("unsupported", "that files can be skipped by it is not documented")
    for form in _EVERY
}  # fmt: skip
FORMATS: Mapping[str, Mapping[Form, Answer]] = {
    "parquet": _PARQUET, "orc": _ORC, "csv": _CSV, "json": _JSON, "jdbc": _JDBC, "delta": _TABLE, "iceberg": _TABLE,
}  # fmt: skip
DOCUMENTED = frozenset({"delta", "iceberg"})
"""Formats whose rows follow documentation alone."""
PARTITIONED = frozenset({"parquet", "orc", "csv", "json", "text", "avro", "xml", "delta", "iceberg", "table"})
"""Formats whose files may lie in directories that are named after values of a column."""
NESTED = frozenset({"parquet", "orc"})
"""``spark.sql.optimizer.nestedPredicatePushdown.supportedFileSources``: their readers test fields of structs."""
WITHOUT: Mapping[str, str] = {
    "memory": "rows in memory are all read",
    "rdd": "the rows of an RDD are all computed",
    "text": "the text reader evaluates no filters",
    "avro": "what the avro reader, a package of its own, makes of filters has not been measured",
    "xml": "the xml reader evaluates no filters",
    "table": "the format of the table is not known",
}
"""Formats that evaluate no filter on a column that is in their files, and why."""
