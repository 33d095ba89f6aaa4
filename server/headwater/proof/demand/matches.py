"""Checks a ``MatchCertificate``: a semi or anti join gives the rows of a join of which only the match is used.

Small-model argument. How often a row of the left side is kept depends on the rows of the right side that match it, and
on nothing else: so one row of the left side is enough. On both sides of the claim it is kept once for each match, once
if there is any, or once if there is none; so a right side on which they differ has a part of at most two rows on which
they differ. Columns of keys act alike, so two of each role are enough: those that ``unique`` names and those that it
does not. Values are of every kind that a comparison of Spark tells apart: NULL, NaN, both zeros, and numbers.

Where one of each row is kept further on, and all between is done to each row by itself, copies of a row are one.

Spark's ``==`` in a condition: NULL equals nothing, NaN equals itself, -0.0 equals 0.0. Where rows are told apart
(``distinct``, ``dropDuplicates``, ``groupBy``), NULL equals NULL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product
from typing import Union

from headwater_ir import demand as ir

from .checker import VERSION, Malformed

Cell = Union[float, None]
Row = Mapping[str, Cell]
VALUES: tuple[Cell, ...] = (None, float("nan"), -0.0, 0.0, 1.0)
_FEW: tuple[Cell, ...] = (None, 0.0, 1.0)
MOST_ROWS, _MOST_ALIKE = 2, 2


def check(certificate: ir.MatchCertificate) -> tuple[str, ...]:
    """A table on which the two joins differ, in words, or what else is wrong; empty if nothing is. ``Malformed`` if the
    certificate is none."""
    if certificate.version != VERSION:
        raise Malformed(f"version {certificate.version}, not {VERSION}")
    if certificate.operator not in ("semi", "anti") or not certificate.keys:
        raise Malformed("it speaks of no semi or anti join, or of no keys")
    if (certificate.operator == "anti") != (certificate.tested is not None):
        raise Malformed("an anti join, and no other, is made of a test for NULL")
    if certificate.read:
        return (f"the result has no column `{certificate.read[0]}` any more, which is read",)
    keys = _enough(certificate)
    for left in _rows(keys, one=len(keys) == 1):
        for right in _tables(certificate, keys):
            before = kept_before(left, right, keys, certificate)
            after = kept_after(left, right, keys, certificate.operator)
            if before != after:
                return (
                    f"of {dict(left)} beside {[dict(r) for r in right]}, {before} rows are kept, and {after} after",
                )
    return ()


def kept_before(left: Row, right: tuple[Row, ...], keys: tuple[str, ...], certificate: ir.MatchCertificate) -> int:
    """How many rows with ``left`` the program makes: of an inner join, or of a left join with a test for NULL."""
    matches = [r for r in right if _matches(left, r, keys)]
    if certificate.operator == "semi":
        return min(len(matches), 1) if certificate.forgiving else len(matches)
    assert certificate.tested is not None
    return sum(r[certificate.tested] is None for r in matches) if matches else 1


def kept_after(left: Row, right: tuple[Row, ...], keys: tuple[str, ...], operator: str) -> int:
    """How many rows with ``left`` a semi or anti join makes."""
    return int(any(_matches(left, r, keys) for r in right) == (operator == "semi"))


def _enough(certificate: ir.MatchCertificate) -> tuple[str, ...]:
    """Keys of each role; the one that is tested among them."""
    first = sorted(certificate.keys, key=lambda k: k != certificate.tested)
    named = [k for k in first if k in certificate.unique][:_MOST_ALIKE]
    return (*named, *[k for k in first if k not in certificate.unique][:_MOST_ALIKE])


def _tables(certificate: ir.MatchCertificate, keys: tuple[str, ...]) -> Iterator[tuple[Row, ...]]:
    """The right sides of at most two rows that are as the certificate says."""
    tested = () if certificate.tested is None else (certificate.tested,)
    others = tuple(c for c in certificate.unique if c not in certificate.keys)[:_MOST_ALIKE]
    rows = list(_rows(tuple(dict.fromkeys((*keys, *others, *tested))), one=len(keys) == 1 and not others))
    if certificate.never_null and tested:
        rows = [r for r in rows if r[tested[0]] is not None]
    told_apart = tuple(c for c in certificate.unique if c in keys or c in others)
    for size in range(MOST_ROWS + 1):
        for table in combinations_with_replacement(rows, size):
            if size < MOST_ROWS or not certificate.unique or not _alike(table[0], table[1], told_apart):
                yield table


def _rows(columns: tuple[str, ...], *, one: bool) -> Iterator[Row]:
    for values in product(VALUES if one else _FEW, repeat=len(columns)):
        yield dict(zip(columns, values, strict=True))


def _matches(left: Row, right: Row, keys: tuple[str, ...]) -> bool:
    return all(left[k] is not None and right[k] is not None and _alike(left, right, (k,)) for k in keys)


def _alike(a: Row, b: Row, columns: tuple[str, ...]) -> bool:
    return all(value_of(a[c]) == value_of(b[c]) for c in columns)


def value_of(cell: Cell) -> tuple[str, float]:
    if cell is None:
        return "null", 0.0
    return ("nan", 0.0) if cell != cell else ("number", cell)
