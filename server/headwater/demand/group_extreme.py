"""HW406: rows that equal the greatest or least value of their group, which a window computes for every row.

Law: ``proof.demand.extremes``. Where a filter asks for ``rank() = 1``, Spark keeps of each group the first rows alone
while it sorts (its window group limit).
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.rewrite.edit import Edit
from headwater_ir.demand import ExtremeCertificate, GroupExtreme
from headwater_ir.expr import Col, Compare, columns_of
from headwater_ir.parts import Conjunct, Order
from headwater_ir.span import Span

from .protocol import NotWorth
from .writing import column_list

DIRECTIONS = {"max": ("desc", True), "min": ("asc_nulls_last", False)}
"""What orders by a column so that its extreme comes first and NULL last, and whether that is descending."""


@dataclass(frozen=True)
class Ranking:
    """A rank that finds the same rows. ``shown``: the squiggle; ``said``: what the column becomes."""

    extreme: GroupExtreme
    shown: Span
    said: str
    condition: Span
    edits: tuple[Edit, ...]
    certificate: ExtremeCertificate


def group_extreme(extreme: GroupExtreme, version: int, source: str) -> Ranking | NotWorth:
    """The rank for ``extreme``, or why there is none."""
    filter_, name, column = extreme.filter, extreme.name, extreme.column
    if filter_.unread is not None or filter_.style != "column":
        return NotWorth("the condition is not read in full")
    if name.lower() == column.lower() or not _is_plain(name) or not _is_plain(column):
        return NotWorth("the columns are not told apart by plain names")
    mine = [c for c in filter_.conjuncts if _compares(c, name, column)]
    others = [c for c in filter_.conjuncts if c not in mine]
    if len(mine) != 1 or any(name.lower() in {n.lower() for n in columns_of(c.condition)} for c in others):
        return NotWorth("the extreme is asked for something else than which rows equal it")
    place = mine[0].span
    function, descending = DIRECTIONS[extreme.function]
    f, spec = extreme.module, extreme.spec.text(source)
    said = f"{f}.rank().over({spec}.orderBy({f}.{function}({column_list((column,), source)})))"
    test = f"({f}.col({column_list((name,), source)}) == 1) & {f}.col({column_list((column,), source)}).isNotNull()"
    enclosed = source[: place.start].endswith("(") and source[place.end :].startswith(")")
    if len(filter_.conjuncts) > 1 and not enclosed:
        test = f"({test})"
    if any("#" in s.text(source) or "\n" in s.text(source) for s in (extreme.value, place)):
        return NotWorth("the column or the condition is written over several lines")
    order = Order(column, descending, False)
    certificate = ExtremeCertificate(version, extreme.function, column, order, 1, True)
    edits = (Edit(extreme.value, said), Edit(place, test))
    return Ranking(extreme, filter_.call, said, place, edits, certificate)


def _is_plain(name: str) -> bool:
    return name.isidentifier() and name.isascii()


def _compares(conjunct: Conjunct, name: str, column: str) -> bool:
    match conjunct.condition:
        case Compare(op="==", left=Col(left), right=Col(right)):
            return {left, right} == {name, column}
    return False
