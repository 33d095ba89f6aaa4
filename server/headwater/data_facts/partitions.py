"""The types of partition columns, from the names of directories.

Law: Spark tries int, bigint, decimal, double, date, timestamp, and takes text if one value is none of these
(``PartitioningUtils.inferPartitionColumnValue``, ``spark.sql.sources.partitionColumnTypeInference.enabled`` is on).
Only what is surely an int, a bigint, a date or a text has a type here; ``__HIVE_DEFAULT_PARTITION__`` is NULL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .model import ColumnFacts

NULL = "__HIVE_DEFAULT_PARTITION__"
_WHOLE, _DAY = re.compile(r"-?\d{1,18}", re.ASCII), re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])", re.ASCII)
_WORD = re.compile(r"[A-Za-z_][\w .,+-]*", re.ASCII)
_NUMBERS = re.compile(r"nan|inf(inity)?|t\d.*|epoch|now|today|yesterday|tomorrow", re.IGNORECASE)


def partition_column(name: str, values: Iterable[str]) -> ColumnFacts:
    """What the directories ``name=value`` say of the column."""
    found = set(values)
    stated = found - {NULL}
    nulls = None if NULL in found else 0
    if stated and all(_WHOLE.fullmatch(v) for v in stated):
        small = all(-(2**31) <= int(v) < 2**31 for v in stated)
        return ColumnFacts(name, "int" if small else "bigint", nulls)
    if stated and all(_DAY.fullmatch(v) for v in stated):
        return ColumnFacts(name, "date", nulls)
    if any(_WORD.fullmatch(v) and not _NUMBERS.fullmatch(v) for v in stated):
        return ColumnFacts(name, "string", nulls)
    return ColumnFacts(name, "unknown", nulls)
