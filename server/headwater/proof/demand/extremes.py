"""Checks an ``ExtremeCertificate``: rows that equal their group's extreme are the rows of rank 1, if a value is there.

Small-model argument. Whether a row is kept depends on how its value compares with those of the others of its group, and
on which are NULL, on both sides: the greatest of a group is one of its values, and a rank counts the rows that come
before. So a row that one side alone keeps is so in a group of itself and one other row: the one that is greater, or
comes before. Groups of up to three rows are looked at, over values of every kind that a comparison of Spark tells
apart: NULL, NaN, both zeros, and numbers; text and times are ordered like numbers.

Where the extremes of the groups are joined to the rows, a row meets that of its own group and no other, if nothing that
makes the rows varies; but in a group that a NULL tells apart it meets none, and nothing is kept there on either side.

A window that is ordered by the column itself shows each row the rows up to its own and its peers, so that its extreme
is that of the group if the extreme comes first.

That a value is as great as the greatest says that it equals it, for none is greater.

Spark's order: NaN is greater than every number, and equal to itself; -0.0 equals 0.0. ``max`` and ``min`` leave out
NULL.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Union

from headwater_ir import demand as ir
from headwater_ir.parts import Order

from .caches import varies
from .checker import VERSION, Malformed

Cell = Union[float, None]
VALUES: tuple[Cell, ...] = (None, float("nan"), -0.0, 0.0, 1.0, 2.0)
MOST_ROWS = 3


def check(certificate: ir.ExtremeCertificate) -> tuple[str, ...]:
    """A group on which the two differ, in words; empty if there is none. ``Malformed`` if the certificate is none."""
    if certificate.version != VERSION:
        raise Malformed(f"version {certificate.version}, not {VERSION}")
    orders = [certificate.order, *([] if certificate.running is None else [certificate.running])]
    if certificate.operator not in ("max", "min") or any(o.column != certificate.column for o in orders):
        raise Malformed("it speaks of no extreme, or of the order of another column")
    varying = [why for b in certificate.below if (why := varies(b)) is not None]
    if varying:
        return (varying[0],)
    unknown = sorted({*certificate.keys} - {*certificate.known_keys})
    if unknown:
        return (f"where `{unknown[0]}` is NULL the program keeps no rows, and the order does",)
    if certificate.keys and (not certificate.below or certificate.running is not None):
        raise Malformed("it does not say of which rows the extremes are joined")
    for size in range(1, MOST_ROWS + 1):
        for group in product(VALUES, repeat=size):
            before = equal_to_extreme(group, certificate.operator, certificate.running)
            after = of_rank(group, certificate.order, certificate.rank, present=certificate.present)
            if before != after:
                return (f"of {list(group)}, the program keeps the rows {before}, and the order {after}",)
    return ()


def equal_to_extreme(group: Sequence[Cell], function: str, running: Order | None = None) -> list[int]:
    """The places of the rows for which ``x = max(x)`` is TRUE; of the rows up to each and its peers, if ``running``."""
    found = list[int]()
    for i, x in enumerate(group):
        seen = group if running is None else [y for y in group if not _is_before(x, y, running)]
        there = [y for y in seen if y is not None]
        if x is not None and _key(x) == _key(max(there, key=_key) if function == "max" else min(there, key=_key)):
            found.append(i)
    return found


def of_rank(group: Sequence[Cell], order: Order, rank: int, *, present: bool) -> list[int]:
    """The places of the rows with this rank; if ``present``, only where there is a value."""
    ranks = [1 + sum(_is_before(y, x, order) for y in group) for x in group]
    return [
        i for i, (x, r) in enumerate(zip(group, ranks, strict=True)) if r == rank and (x is not None or not present)
    ]


def _is_before(a: Cell, b: Cell, order: Order) -> bool:
    """Whether ``a`` comes before ``b`` in ``order``; peers do not."""
    if a is None or b is None:
        return a is not b and (a is None) == order.nulls_first
    return _key(a) > _key(b) if order.descending else _key(a) < _key(b)


def _key(x: float) -> tuple[bool, float]:
    return (True, 0.0) if x != x else (False, x)
