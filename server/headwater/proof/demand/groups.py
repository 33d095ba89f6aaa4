"""Checks a ``GroupsCertificate``: one aggregate of a frame gives the rows of a join of several by the same keys.

Small-model argument. A group is the same rows on each side, if nothing that makes them varies, and what is computed of
it is any function of these: so the groups that a row of the join is made of determine it. Whether two groups meet
depends on their keys alone, so frames of up to two rows are looked at, and two keys of each role: those that must have
a value afterwards and the others. Values are of every kind that a comparison of Spark tells apart.

Spark's ``==`` in a join: NULL equals nothing, NaN equals itself, -0.0 equals 0.0; of groups, NULL equals NULL.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from headwater_ir import demand as ir

from .caches import varies
from .checker import VERSION, Malformed
from .matches import VALUES, Cell, value_of

Row = tuple[Cell, ...]
_FEW: tuple[Cell, ...] = (None, float("nan"), 1.0)
_MOST_ALIKE, MOST_ROWS = 2, 2


def check(certificate: ir.GroupsCertificate) -> tuple[str, ...]:
    """A frame on which the two differ, in words, or what else is wrong; empty if nothing is. ``Malformed`` if the
    certificate is none."""
    if certificate.version != VERSION:
        raise Malformed(f"version {certificate.version}, not {VERSION}")
    if not certificate.keys or certificate.sides < 2 or not certificate.below:
        raise Malformed("it speaks of no join of aggregates, or of no rows")
    if varying := [why for b in certificate.below if (why := varies(b)) is not None]:
        return (varying[0],)
    asked = [k in certificate.known_keys for k in certificate.keys]
    known = [role for role in (True, False) for _ in range(min(asked.count(role), _MOST_ALIKE))]
    values = VALUES if len(known) == 1 else _FEW
    for size in range(1, MOST_ROWS + 1):
        for rows in product(product(values, repeat=len(known)), repeat=size):
            before = sorted(joined(groups_of(rows), certificate.sides))
            after = sorted(kept(groups_of(rows), known, certificate.sides))
            if before != after:
                return (f"of {list(rows)}, the join makes {before}, and one aggregate {after}",)
    return ()


def groups_of(rows: tuple[Row, ...]) -> list[tuple[Row, tuple[int, ...]]]:
    """The key of each group, and the places of its rows."""
    found: dict[tuple[object, ...], tuple[Row, tuple[int, ...]]] = {}
    for place, row in enumerate(rows):
        key, places = found.get(alike := tuple(map(value_of, row)), (row, ()))
        found[alike] = key, (*places, place)
    return list(found.values())


def joined(groups: list[tuple[Row, tuple[int, ...]]], sides: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The groups of each row of an inner join of so many ``sides``."""
    for row in product(groups, repeat=sides):
        keys = [key for key, _ in row]
        if None not in keys[0] and all([*map(value_of, k)] == [*map(value_of, keys[0])] for k in keys):
            yield tuple(places for _, places in row)


def kept(
    groups: list[tuple[Row, tuple[int, ...]]], known: list[bool], sides: int
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The groups of each row of one aggregate whose ``known`` keys have a value."""
    for key, places in groups:
        if all(value is not None for value, asked in zip(key, known, strict=True) if asked):
            yield (places,) * sides
