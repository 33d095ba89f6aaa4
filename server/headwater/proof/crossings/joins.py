"""Joins, unions and set operations: operators with two inputs, of which a predicate enters one.

Law: ``σ_P(op(A, B)) = σ_P(op(σ_Q(A), B))`` if each output row that passes needs no row of A that ``Q`` drops: none of
the row that it is made of, and none whose absence makes it or unmakes it.
Small tables: one row of A and one of B for a join; for a set operation one row and one that is equal to it. Why that
suffices (MagicPush, section 4.2, the pre-condition of a join): an output row of a join is made of one pair, or of one
row and of the absence of partners; a pair with a dropped row is one of these two. So two results differ in a pair, in a
row that has lost its last partner, or in one that had a partner. Equal rows of a set operation are counted, whatever
their number.
Where it does not hold: nothing is known of an ON clause but what the node says of rows that meet.
The filter always stays: rows come from the other input as well.
"""

from __future__ import annotations

import z3

from headwater_ir.crossing import PassesClause, PassesJoin, PassesSetOperation, PassesUnion
from headwater_ir.parts import JoinSide, JoinType
from headwater_ir.types import ANY

from ...semantics.symbolic import compare
from ...semantics.values import is_true
from .encoding import Cell, OutOfReach, Row, equal
from .meaning import Claims, Meaning

_ALONE: dict[JoinSide, frozenset[JoinType]] = {
    "left": frozenset({"left", "full", "anti"}),
    "right": frozenset({"right", "full"}),
}
"""The joins that show rows of a side without partner."""


def union(m: Meaning, node: PassesUnion) -> Claims:
    """A row of one side is a row of the union. A value of another type is another value there."""
    if node.may_miss:
        raise OutOfReach("a column may be missing from one input")
    names = _named(node.names, m)
    row = m.row("r", m.wanted | {own for own, _ in names.values()}, m.below)
    output = m.output({n: row[own] for n, (own, _) in names.items() if own in _unchanged(names, m)})
    yield from m.needs("needed", output, row)
    yield from m.errors(output, row)


def set_operation(m: Meaning, node: PassesSetOperation) -> Claims:
    """A row of the result stands for all rows of both sides that are equal to it: it needs each of them."""
    if node.operator not in ("intersect", "intersectAll", "subtract", "exceptAll", "except", "minus"):
        raise OutOfReach(f"`{node.operator}` is no set operation")
    names = _named(node.names, m)
    row = m.row("r", m.wanted | {own for own, _ in names.values()}, m.below)
    output = {
        n: m.rows.fresh(f"made.{n}", m.below.get(names[n][0], ANY) if n in names else ANY) for n in sorted(m.read)
    }
    known = [n for n in sorted(names) if names[n][0] in _unchanged(names, m)]
    yield from m.needs("needed", output, row, *(equal(output[n], row[names[n][0]]) for n in known))
    yield from m.total(row)


def _named(names: tuple[tuple[str, str, str], ...], m: Meaning) -> dict[str, tuple[str, str]]:
    """For each column that P reads, what the side that is entered and the other side call it."""
    found = {n: (own, other) for n, own, other in names}
    if any(len(set(column)) < len(names) for column in zip(*names, strict=True)):
        raise OutOfReach("a column has two places")
    return {n: pair for n, pair in found.items() if n in m.read}


def _unchanged(names: dict[str, tuple[str, str]], m: Meaning) -> set[str]:
    """Columns of the side that is entered whose type is that of the other side's, so that they have it in both."""
    return {own for own, other in names.values() if m.alike(m.below.get(own), m.beside.get(other))}


def join(m: Meaning, node: PassesJoin) -> Claims:
    """Pairs, rows without partner, and rows of the other side that would be without: each needs the row of this side
    that it is made of, or that it meets."""
    sides = {n: _side_of(n, node) for n in sorted(m.read)}
    here, there = _rows(m, node, sides)
    left, right = (here, there) if node.side == "left" else (there, here)
    on = _known(m, node, left, right)
    shown = [("a pair", left, right, on)]  # of a semi join its left row; an anti join needs no more of one than below
    nothing = {n: m.rows.null(c) for n, c in here.items()}, {n: m.rows.null(c) for n, c in there.items()}
    other: JoinSide = "right" if node.side == "left" else "left"
    if node.how in _ALONE[node.side]:
        shown.append(("without a partner", *_placed(node.side, here, nothing[1]), ()))
    if node.how in _ALONE[other]:
        shown.append(("a partner that is left alone", *_placed(other, there, nothing[0]), on))
    for part, a, b, given in shown:
        yield from m.needs(part, m.output(_output(m, node, sides, a, b), part), here, *given)
    yield from m.total(here)


def _placed(side: JoinSide, row: Row, other: Row) -> tuple[Row, Row]:
    return (row, other) if side == "left" else (other, row)


def _rows(m: Meaning, node: PassesJoin, sides: dict[str, tuple[str, JoinSide | None]]) -> tuple[Row, Row]:
    """A row of the side that is entered, and one of the other side."""
    read: dict[JoinSide, set[str]] = {"left": set(node.using), "right": set(node.using)}
    for a, b in (*node.equal, *((a, b) for a, _, b in node.ordered)):
        read["left"].add(a)
        read["right"].add(b)
    for own, side in sides.values():
        if side is not None:
            read[side].add(own)
    read[node.side] |= m.wanted
    other: JoinSide = "right" if node.side == "left" else "left"
    return m.row(node.side, read[node.side], m.below), m.row(other, read[other], m.beside)


def _known(m: Meaning, node: PassesJoin, left: Row, right: Row) -> tuple[z3.BoolRef, ...]:
    """What is certain of two rows that meet. Of columns of different types nothing is."""
    types = (m.below, m.beside) if node.side == "left" else (m.beside, m.below)
    found = []
    for a, b in (*((k, k) for k in node.using), *node.equal):
        if m.alike(types[0].get(a), types[1].get(b)):
            found.append(equal(left[a], right[b]))
    for a, op, b in node.ordered:
        if m.alike(types[0].get(a), types[1].get(b)):
            found.append(is_true(compare(op, left[a].value, right[b].value, "sql")[0]))
    return tuple(found)


def _side_of(name: str, node: PassesJoin) -> tuple[str, JoinSide | None]:
    """The column that ``name`` is of one side; no side if it is a key of both, or that is not known."""
    if node.how in ("semi", "anti"):
        return name, "left"
    alias, dot, own = name.partition(".")
    told = next(((side, plain) for a, side, plain in node.called if dot and a == alias), None)
    if told is not None:
        return own if told[1] else name, told[0]
    if name in node.using:
        return name, None
    low = name.lower()
    left, right = (
        None if c is None else low in {n.lower() for n in c} for c in (node.left_columns, node.right_columns)
    )
    if left is False or right is False:
        return name, "left" if left is not False else "right" if right is not False else None
    sure = [s for s, has in (("left", node.left_has), ("right", node.right_has)) if name in has]
    return name, sure[0] if len(sure) == 1 and not (left and right) and not dot else None  # type: ignore[return-value]


def _output(m: Meaning, node: PassesJoin, sides: dict[str, tuple[str, JoinSide | None]], left: Row, right: Row) -> Row:
    """What is known of the row that a join makes of two. A key by name is that of the side that surely has one; of a
    full join, that of the side that there is."""
    found: dict[str, Cell] = {}
    for name, (own, side) in sides.items():
        if side is not None:
            found[name] = (left if side == "left" else right)[own]
        elif name in node.using and node.how != "full":
            found[name] = right[name] if node.how == "right" else left[name]
        elif name in node.using and m.alike(m.below.get(name), m.beside.get(name)):
            found[name] = m.rows.first(left[name], right[name])
    return found


def clause(m: Meaning, node: PassesClause) -> Claims:
    """A conjunct P of the ON clause, of one side: rows of that side that meet a partner satisfy it. So what is dropped
    has no partner, and must not be shown without one: by no join that shows such rows, nor by an anti join."""
    if node.how in _ALONE[node.side]:
        raise OutOfReach(f"the {node.how} join shows rows of its {node.side} side that satisfy no clause")
    row = m.row("r", m.wanted | m.read, m.below)
    yield from m.needs("a pair", m.output(row), row)
    yield from m.total(row)
