"""Between which values those of a column lie, as the statistics of a file say.

Law: each value that is neither NULL nor NaN lies between ``low`` and ``high``, which need not be values themselves:
writers cut texts off, and then round. Statistics say nothing where they are of an unknown order, of a type that is not
the column's, in the wrong order, NaN, or of days before 1582-10-15, which old writers count by another calendar.
"""

from __future__ import annotations

import datetime as dt
import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Union

Value = Union[int, float, str, dt.date]
_WIDTHS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
_INT32, _INT64, _FLOAT, _DOUBLE, _BYTES = 1, 2, 4, 5, 6
_PHYSICAL = {
    "tinyint": _INT32, "smallint": _INT32, "int": _INT32, "bigint": _INT64, "date": _INT32, "float": _FLOAT,
    "double": _DOUBLE, "string": _BYTES,
}  # fmt: skip
_EPOCH, _GREGORIAN = dt.date(1970, 1, 1), dt.date(1582, 10, 15)
_WHOLE = re.compile(r"-?\d{1,19}", re.ASCII)
_UNPACKED = {_INT32: "<i", _INT64: "<q", _FLOAT: "<f", _DOUBLE: "<d"}


@dataclass(frozen=True)
class Bounds:
    """The values lie between ``low`` and ``high``, or are equal to one of them."""

    low: Value
    high: Value


@dataclass(frozen=True)
class Known:
    """Of the values of one column in one part of the data: how many are NULL, between what the others lie, how many
    different ones there are, about, and how many bytes they have as texts."""

    nulls: int | None = None
    bounds: Bounds | None = None
    distinct: int | None = None
    text_bytes: int | None = None


@dataclass(frozen=True)
class Part:
    """Rows that have statistics of their own: those of a row group or of a file."""

    rows: int
    columns: Mapping[str, Known]


def between(ddl: str, low: object, high: object) -> Bounds | None:
    """The bounds of a column of the type ``ddl``; None if the two are none."""
    first, last = _value(ddl, low), _value(ddl, high)
    if first is None or last is None or type(first) is not type(last) or first > last:  # type: ignore[operator]
        return None
    return Bounds(first, last)


def of_parquet(ddl: str, element: Mapping[int, Any], statistics: Mapping[int, Any]) -> Bounds | None:
    """The bounds in the ``Statistics`` of a column chunk, of which the order is known to be that of its type."""
    physical = element.get(1, -1)
    unsigned = element.get(6) in (11, 12, 13, 14) or (element.get(10) or {}).get(10, {}).get(2) is False
    if unsigned or physical != _PHYSICAL.get(ddl):
        return None
    return between(ddl, _decoded(physical, statistics.get(6)), _decoded(physical, statistics.get(5)))


def of_text(ddl: str, text: str) -> Bounds | None:
    """The bounds of a partition column that has the value ``text`` everywhere."""
    whole = ddl in _WIDTHS
    if whole and not _WHOLE.fullmatch(text):
        return None
    value = int(text) if whole else text
    return between(ddl, value, value) if whole or ddl in ("date", "string") else None


def _decoded(physical: int, data: object) -> object:
    if not isinstance(data, bytes):
        return None
    try:
        if physical == _BYTES:
            return data.decode("utf-8")
        return struct.unpack(_UNPACKED[physical], data)[0]
    except (struct.error, UnicodeDecodeError):
        return None


def _value(ddl: str, said: object) -> Value | None:
    """``said`` as a value of the type ``ddl``; days are a number since 1970 or a text."""
    if isinstance(said, bool):
        return None
    if ddl in _WIDTHS:
        return said if isinstance(said, int) and -(2 ** (_WIDTHS[ddl] - 1)) <= said < 2 ** (_WIDTHS[ddl] - 1) else None
    if ddl in ("float", "double"):
        try:
            number = float(said) if isinstance(said, (int, float)) else math.nan
        except OverflowError:
            return None
        return None if math.isnan(number) else number
    if ddl == "string":
        return said if isinstance(said, str) else None
    return _day(said) if ddl == "date" else None


def _day(said: object) -> dt.date | None:
    try:
        day = _EPOCH + dt.timedelta(said) if isinstance(said, int) else dt.date.fromisoformat(str(said))
    except (ValueError, OverflowError):
        return None
    return day if day >= _GREGORIAN and (isinstance(said, int) or said == day.isoformat()) else None
