"""Functions that have no meaning to the tool."""

from __future__ import annotations

from typing import Any

from .column import Column, as_column, col, pointwise
from .scalars import SparkError, printed

_CODES = "01230127022455012623017202"


def _column(value: Any) -> Column:
    return col(value) if isinstance(value, str) else as_column(value)


def broadcast(frame: Any) -> Any:
    """A hint."""
    return frame


def octet_length(value: Any) -> Column:
    return pointwise(lambda v: None if v is None else len(v.encode()), "int", _column(value))


def format_string(form: str, *values: Any) -> Column:
    def found(*given: Any) -> str:
        return form % tuple("null" if v is None else printed(v) for v in given)

    return pointwise(found, "string", *map(_column, values))


def pmod(value: Any, by: Any) -> Column:
    return pointwise(lambda v, n: None if v is None else v % n, "bigint", _column(value), _column(by))


def levenshtein(left: Any, right: Any) -> Column:
    return pointwise(_distance, "int", _column(left), _column(right))


def _distance(a: Any, b: Any) -> int | None:
    if a is None or b is None:
        return None
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def soundex(value: Any) -> Column:
    return pointwise(_sound, "string", _column(value))


def _sound(text: Any) -> Any:
    if not text:
        return text
    if not isinstance(text, str):
        raise SparkError("soundex of another type")
    letters = [c.upper() if c.isascii() and c.isalpha() else "" for c in text]
    if not letters[0]:
        return text
    found, last = letters[0], _CODES[ord(letters[0]) - 65]
    for c in letters[1:]:
        code = _CODES[ord(c) - 65] if c else "0"
        if code == "7":
            continue
        if code not in ("0", last):
            found += code
        last = code
    return f"{found}000"[:4]
