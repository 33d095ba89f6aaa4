"""The laws of the crossings, once for all predicates: that what is proved of a crossing makes the rewrite right.

A lemma is a small symbolic table (two of them, for an operator with two inputs) of which each row may be there or not,
and whose values, predicates ``P`` and ``Q`` and ON clause are any; equal rows are allowed. It says: if the claims of
the operator (``row_by_row``, ``joins``, ``groups``) hold of these rows, ``σ_P(op(T))`` and ``σ_P(op(σ_Q(T)))`` have
each row equally often; if the claim *no more* holds as well, so do ``σ_P(op(T))`` and ``op(σ_Q(T))``.
NULL, NaN and errors are in the predicates: what they make of a row is any truth value, and ``Q`` is asked alone
of errors (claim *errors*): if it raises, ``P`` has raised.

Lifting (MagicPush, section 4.2): the modules of the claims say why tables of this size suffice. In short, an output row
depends on one input row, on one pair, on whether a row has a partner, or on one group, and both sides of a law depend
on the rest of the tables in the same way. A counterexample in large tables holds one in small ones: drop all rows that
the differing output row does not depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import get_args

import z3

from headwater_ir.parts import JoinSide, JoinType

Bits = Sequence[z3.BoolRef]
ROWS = 3
"""In a table by itself; each of two has two."""
SIDES: tuple[JoinSide, ...] = get_args(JoinSide)


@dataclass(frozen=True)
class Lemma:
    """``premises`` by the name of the claim that they are instances of, and what follows from all of them."""

    name: str
    premises: dict[str, tuple[z3.BoolRef, ...]]
    conclusion: z3.BoolRef

    def assertions(self, without: str = "") -> list[z3.BoolRef]:
        """What has no model if the lemma is right. ``without``: a claim that is left out."""
        given = [p for name, instances in self.premises.items() if name != without for p in instances]
        return [*given, z3.Not(self.conclusion)]


def lemmas() -> Iterator[Lemma]:
    """All of them, of filters that stay and, where they may go, of those that go."""
    for stays in (True, False):
        word = "stays" if stays else "goes"
        yield _one_row(f"a row for a row, the filter {word}", stays)
        yield _filters(f"two filters, the upper one {word}", stays)
        yield _expand(f"several rows for a row, the filter {word}", stays)
        yield _groups(f"groups, the filter {word}", stays)
        yield _window(f"partitions, the filter {word}", stays)
    yield _shared("two consumers of a frame")
    yield _prefix("a prefix of an order")
    for stays in (True, False):
        yield _limit(f"the first of an order, the filter {'stays' if stays else 'goes'}", stays)
    yield _union("one side of a union")
    for operator, side in product(("intersect", "intersectAll", "subtract", "exceptAll"), SIDES):
        yield _set_operation(operator, side)
    for how, side in product(get_args(JoinType), SIDES):
        yield _join(how, side)
    for how, side in CLAUSES:
        yield _clause(how, side)


def _table(name: str, rows: int) -> tuple[list[z3.BoolRef], list[z3.ExprRef]]:
    """Which rows there are, and what they are."""
    there = [z3.Bool(f"{name}{i}.there") for i in range(rows)]
    return there, [z3.Const(f"{name}{i}", _row()) for i in range(rows)]


def _row() -> z3.SortRef:
    """Sorts and predicates are made anew for each lemma: they belong to the solver's current context."""
    return z3.DeclareSort("Row")


def _out() -> z3.SortRef:
    return z3.DeclareSort("Out")


def _key() -> z3.SortRef:
    return z3.DeclareSort("Key")


def P(row: z3.ExprRef) -> z3.BoolRef:
    """``P`` is TRUE of an output row."""
    return z3.Function("P", _out(), z3.BoolSort())(row)


def Q(row: z3.ExprRef) -> z3.BoolRef:
    """``Q`` is TRUE of an input row."""
    return z3.Function("Q", _row(), z3.BoolSort())(row)


def _count(rows: Sequence[tuple[z3.BoolRef, z3.ExprRef]], seen: z3.ExprRef) -> z3.ArithRef:
    """How often ``seen`` is among ``rows``."""
    return z3.Sum([z3.If(z3.And(there, row == seen), 1, 0) for there, row in rows])


def _equal_bags(
    name: str, premises: dict[str, list[z3.BoolRef]], before: Sequence[tuple[z3.BoolRef, z3.ExprRef]],
    after: Sequence[tuple[z3.BoolRef, z3.ExprRef]], stays: bool = True,
) -> Lemma:  # fmt: skip
    """Any row that passes is equally often in both outputs; ``stays``: in the second it must pass as well."""
    seen = z3.Const("seen", _out())
    first = _count([(z3.And(there, P(row)), row) for there, row in before], seen)
    second = _count([(z3.And(there, P(row)) if stays else there, row) for there, row in after], seen)
    return Lemma(name, {n: tuple(p) for n, p in premises.items()}, first == second)


def _claims(stays: bool, **premises: list[z3.BoolRef]) -> dict[str, list[z3.BoolRef]]:
    return {n.replace("_", " "): p for n, p in premises.items() if n != "no_more" or not stays}


def _one_row(name: str, stays: bool) -> Lemma:
    there, rows = _table("r", ROWS)
    out = z3.Function("out", _row(), _out())
    claims = _claims(
        stays, needed=[z3.Implies(P(out(r)), Q(r)) for r in rows], no_more=[z3.Implies(Q(r), P(out(r))) for r in rows]
    )
    before = [(t, out(r)) for t, r in zip(there, rows, strict=True)]
    after = [(z3.And(t, Q(r)), out(r)) for t, r in zip(there, rows, strict=True)]
    return _equal_bags(name, claims, before, after, stays)


def _filters(name: str, stays: bool) -> Lemma:
    """Merged: the lower filter is in Q, and is there still if the upper one stays."""
    there, rows = _table("r", ROWS)
    out, lower = z3.Function("out", _row(), _out()), z3.Function("lower", _row(), z3.BoolSort())
    both = [z3.And(lower(r), P(out(r))) for r in rows]
    claims = _claims(
        stays, needed=[z3.Implies(b, Q(r)) for b, r in zip(both, rows, strict=True)],
        no_more=[z3.Implies(Q(r), b) for b, r in zip(both, rows, strict=True)],
    )  # fmt: skip
    before = [(z3.And(t, lower(r)), out(r)) for t, r in zip(there, rows, strict=True)]
    after = [(z3.And(t, Q(r), lower(r) if stays else True), out(r)) for t, r in zip(there, rows, strict=True)]
    return _equal_bags(name, claims, before, after, stays)


def _expand(name: str, stays: bool) -> Lemma:
    """Each row makes two rows, or fewer."""
    there, rows = _table("r", 2)
    out = [z3.Function(f"out{i}", _row(), _out()) for i in range(2)]
    made = [z3.Function(f"made{i}", _row(), z3.BoolSort()) for i in range(2)]
    needed = [z3.Implies(P(f(r)), Q(r)) for f in out for r in rows]
    claims = _claims(stays, needed=needed, no_more=[z3.Implies(Q(r), P(f(r))) for f in out for r in rows])
    all_rows = [(t, r, f, m) for t, r in zip(there, rows, strict=True) for f, m in zip(out, made, strict=True)]
    before = [(z3.And(t, m(r)), f(r)) for t, r, f, m in all_rows]
    after = [(z3.And(t, Q(r), m(r)), f(r)) for t, r, f, m in all_rows]
    return _equal_bags(name, claims, before, after, stays)


def _shared(name: str) -> Lemma:
    """A second filter reads the frame; of what it gives, too, nothing changes."""
    there, rows = _table("r", ROWS)
    out, second = z3.Function("out", _row(), _out()), z3.Function("second", _out(), z3.BoolSort())
    seen = z3.Const("seen", _out())
    before = [(t, out(r)) for t, r in zip(there, rows, strict=True)]
    after = [(z3.And(t, Q(r)), out(r)) for t, r in zip(there, rows, strict=True)]
    consumers: list[tuple[str, Callable[[z3.ExprRef], z3.BoolRef]]] = [("consumer 1", P), ("consumer 2", second)]
    claims = {n: tuple(z3.Implies(wanted(out(r)), Q(r)) for r in rows) for n, wanted in consumers}
    counts = [
        [_count([(z3.And(t, wanted(o)), o) for t, o in which], seen) for which in (before, after)]
        for _, wanted in consumers
    ]
    return Lemma(name, claims, z3.And(*(a == b for a, b in counts)))


def _group_rows(
    rows: list[z3.ExprRef], there: Bits, out: z3.FuncDeclRef, key: z3.FuncDeclRef
) -> list[tuple[z3.BoolRef, z3.ExprRef]]:
    """One row for each group, made of its key and of which rows are in it. The key is that of the first row."""
    found = []
    for i, r in enumerate(rows):
        inside = [z3.And(t, key(s) == key(r)) for t, s in zip(there, rows, strict=True)]
        first = z3.And(there[i], *(z3.Not(b) for b in inside[:i]))
        found.append((first, out(key(r), *inside)))
    return found


def _groups(name: str, stays: bool) -> Lemma:
    """P is any of what a group makes; Q must be the same in the whole group only where P goes: else a group of which
    rows are dropped gives nothing that passes."""
    there, rows = _table("r", ROWS)
    key = z3.Function("key", _row(), _key())
    out = z3.Function("out", _key(), *[z3.BoolSort()] * ROWS, _out())
    kept = [z3.And(t, Q(r)) for t, r in zip(there, rows, strict=True)]
    before, after = (_group_rows(rows, bits, out, key) for bits in (there, kept))
    outputs = [row for _, row in (*before, *after)]
    owners = [*rows, *rows]
    pairs = [(o, owner, r) for o, owner in zip(outputs, owners, strict=True) for r in rows]
    claims = _claims(
        stays, needed=[z3.Implies(z3.And(P(o), key(owner) == key(r)), Q(r)) for o, owner, r in pairs],
        no_more=[z3.Implies(z3.And(Q(r), key(owner) == key(r)), P(o)) for o, owner, r in pairs],
    )  # fmt: skip
    return _equal_bags(name, claims, before, after, stays)


def _window(name: str, stays: bool) -> Lemma:
    """Each row with a value that is made of all rows of its partition."""
    there, rows = _table("r", ROWS)
    key = z3.Function("key", _row(), _key())
    out = z3.Function("out", _row(), *[z3.BoolSort()] * ROWS, _out())
    kept = [z3.And(t, Q(r)) for t, r in zip(there, rows, strict=True)]

    def outputs(bits: Bits) -> list[z3.ExprRef]:
        return [out(r, *(z3.And(t, key(s) == key(r)) for t, s in zip(bits, rows, strict=True))) for r in rows]

    before, after = outputs(there), outputs(kept)
    pairs = [(o, owner, r) for outs in (before, after) for o, owner in zip(outs, rows, strict=True) for r in rows]
    claims = _claims(
        stays, needed=[z3.Implies(z3.And(P(o), key(owner) == key(r)), Q(r)) for o, owner, r in pairs],
        no_more=[z3.Implies(Q(owner), P(o)) for o, owner, _ in pairs],
    )  # fmt: skip
    return _equal_bags(name, claims, list(zip(there, before, strict=True)), list(zip(kept, after, strict=True)), stays)


def _prefix(name: str) -> Lemma:
    """The value of a row is made of the rows of its partition that stand before it or beside it, in a total order."""
    there, rows = _table("r", ROWS)
    key, place = z3.Function("key", _row(), _key()), z3.Function("place", _row(), z3.IntSort())
    out = z3.Function("out", _row(), *[z3.BoolSort()] * ROWS, _out())
    kept = [z3.And(t, Q(r)) for t, r in zip(there, rows, strict=True)]

    def outputs(bits: Bits) -> list[z3.ExprRef]:
        seen = [
            [z3.And(t, key(s) == key(r), place(s) <= place(r)) for t, s in zip(bits, rows, strict=True)] for r in rows
        ]
        return [out(r, *inside) for r, inside in zip(rows, seen, strict=True)]

    before, after = outputs(there), outputs(kept)
    claims = {
        "needed": [z3.Implies(P(o), Q(r)) for outs in (before, after) for o, r in zip(outs, rows, strict=True)],
        "a prefix": [z3.Implies(z3.And(place(s) <= place(r), Q(r)), Q(s)) for s, r in product(rows, rows)],
    }
    return _equal_bags(name, claims, list(zip(there, before, strict=True)), list(zip(kept, after, strict=True)))


def _limit(name: str, stays: bool) -> Lemma:
    """Rows in any order, of which equal ones have places one after the other; those are shown of which as many stand
    before them as ``shown`` says: any numbers, for ``offset`` drops the first and ``limit`` those behind them."""
    there, rows = _table("r", ROWS)
    out, rank = z3.Function("out", _row(), _out()), z3.Function("rank", _row(), z3.IntSort())
    shown = z3.Function("shown", z3.IntSort(), z3.BoolSort())
    turns = [z3.Int(f"r{i}.turn") for i in range(ROWS)]

    def outputs(bits: Bits) -> list[tuple[z3.BoolRef, z3.ExprRef]]:
        found = []
        for i, r in enumerate(rows):
            ahead = [
                z3.And(t, z3.Or(rank(s) < rank(r), z3.And(rank(s) == rank(r), turns[j] < turns[i])))
                for j, (t, s) in enumerate(zip(bits, rows, strict=True))
            ]
            found.append((z3.And(bits[i], shown(z3.Sum([z3.If(a, 1, 0) for a in ahead]))), out(r)))
        return found

    claims = _claims(
        stays, needed=[z3.Implies(P(out(r)), Q(r)) for r in rows], no_more=[z3.Implies(Q(r), P(out(r))) for r in rows],
        a_prefix=[z3.Implies(z3.And(rank(s) <= rank(r), Q(r)), Q(s)) for s, r in product(rows, rows)],
    )  # fmt: skip
    kept = [z3.And(t, Q(r)) for t, r in zip(there, rows, strict=True)]
    return _equal_bags(name, claims, outputs(there), outputs(kept), stays)


def _union(name: str) -> Lemma:
    there, rows = _table("r", 2)
    others, other_rows = _table("s", 2)
    ours, theirs = z3.Function("ours", _row(), _out()), z3.Function("theirs", _row(), _out())
    beside = [(t, theirs(s)) for t, s in zip(others, other_rows, strict=True)]
    before = [(t, ours(r)) for t, r in zip(there, rows, strict=True)]
    after = [(z3.And(t, Q(r)), ours(r)) for t, r in zip(there, rows, strict=True)]
    claims = {"needed": [z3.Implies(P(ours(r)), Q(r)) for r in rows]}
    return _equal_bags(name, claims, [*before, *beside], [*after, *beside])


def _set_operation(operator: str, side: JoinSide) -> Lemma:
    """Rows of two tables of two rows by their class; an output row is that of its class, as often as the operator says.
    ``P`` is of the class: one row of it stands for all."""
    tables = {"left": _table("l", 2), "right": _table("r", 2)}
    key, out = z3.Function("key", _row(), _key()), z3.Function("out", _key(), _out())
    seen = z3.Const("class", _key())

    def result(dropping: bool) -> z3.ArithRef:
        counts = []
        for name, (there, rows) in tables.items():
            drops = dropping and name == side
            bits = [z3.And(t, key(r) == seen, Q(r) if drops else True) for t, r in zip(there, rows, strict=True)]
            counts.append(z3.Sum([z3.If(b, 1, 0) for b in bits]))
        a, b = counts
        match operator:
            case "intersectAll":
                return z3.If(a < b, a, b)
            case "intersect":
                return z3.If(z3.And(a > 0, b > 0), 1, 0)
            case "exceptAll":
                return z3.If(a > b, a - b, 0)
        return z3.If(z3.And(a > 0, b == 0), 1, 0)

    rows = tables[side][1]
    claims = {"needed": tuple(z3.Implies(z3.And(P(out(seen)), key(r) == seen), Q(r)) for r in rows)}
    return Lemma(f"{operator}, its {side} side", claims, z3.Implies(P(out(seen)), result(False) == result(True)))


PAIRED: tuple[JoinType, ...] = ("inner", "left", "right", "full")


def _join(how: JoinType, side: JoinSide) -> Lemma:
    """Two tables of two rows, and any relation between them; predicates of a side are any too."""
    (left_there, left), (right_there, right) = _table("l", 2), _table("r", 2)
    on = z3.Function("on", _row(), _row(), z3.BoolSort())
    pair, only_left, only_right = (
        z3.Function(n, *[_row()] * k, _out()) for n, k in (("pair", 2), ("left", 1), ("right", 1))
    )

    def outputs(ls: Bits, rs: Bits) -> list[tuple[z3.BoolRef, z3.ExprRef]]:
        found = []
        sides = [(t, r) for t, r in zip(rs, right, strict=True)]
        for t, a in zip(ls, left, strict=True):
            met = [z3.And(u, on(a, r)) for u, r in sides]
            if how in PAIRED:
                found += [(z3.And(t, m), pair(a, r)) for m, r in zip(met, right, strict=True)]
            if how in ("left", "full", "anti"):
                found.append((z3.And(t, z3.Not(z3.Or(*met))), only_left(a)))
            if how == "semi":
                found.append((z3.And(t, z3.Or(*met)), only_left(a)))
        if how in ("right", "full"):
            for u, r in sides:
                met = [z3.And(t, on(a, r)) for t, a in zip(ls, left, strict=True)]
                found.append((z3.And(u, z3.Not(z3.Or(*met))), only_right(r)))
        return found

    claims: dict[str, list[z3.BoolRef]] = {}
    pairs = list(product(left, right))

    def needs(part: str, shown: z3.ExprRef, a: z3.ExprRef, r: z3.ExprRef, meets: bool) -> None:
        row = a if side == "left" else r
        given = z3.And(P(shown), on(a, r)) if meets else P(shown)
        claims.setdefault(part, []).append(z3.Implies(given, Q(row)))

    own, other = (only_left, only_right) if side == "left" else (only_right, only_left)
    shows = {"left": ("left", "full", "anti"), "right": ("right", "full")}
    other_side: JoinSide = "right" if side == "left" else "left"
    for a, r in pairs:
        here, there = (a, r) if side == "left" else (r, a)
        if how in PAIRED:
            needs("a pair", pair(a, r), a, r, True)
        if how == "semi":
            needs("a pair", only_left(a), a, r, True)
        if how in shows[side]:
            needs("without a partner", own(here), a, r, False)
        if how in shows[other_side]:
            needs("a partner that is left alone", other(there), a, r, True)
    ls = [z3.And(t, Q(a)) if side == "left" else t for t, a in zip(left_there, left, strict=True)]
    rs = [z3.And(t, Q(r)) if side == "right" else t for t, r in zip(right_there, right, strict=True)]
    return _equal_bags(f"a {how} join, its {side} side", claims, outputs(left_there, right_there), outputs(ls, rs))


CLAUSES: tuple[tuple[JoinType, JoinSide], ...] = (
    ("inner", "left"), ("inner", "right"), ("semi", "left"), ("semi", "right"), ("left", "right"), ("anti", "right"),
    ("right", "left"),
)  # fmt: skip
"""The joins that show nothing of a row of that side which no ON clause holds of."""


def _clause(how: JoinType, side: JoinSide) -> Lemma:
    """A part of the ON clause reads one side, and implies ``Q`` there; no filter stands above."""
    (left_there, left), (right_there, right) = _table("l", 2), _table("r", 2)
    on, part = z3.Function("on", _row(), _row(), z3.BoolSort()), z3.Function("part", _row(), z3.BoolSort())
    pair, alone = z3.Function("pair", _row(), _row(), _out()), z3.Function("alone", _row(), _out())
    seen = z3.Const("seen", _out())

    def outputs(drops: bool) -> list[tuple[z3.BoolRef, z3.ExprRef]]:
        ls = [z3.And(t, Q(a)) if drops and side == "left" else t for t, a in zip(left_there, left, strict=True)]
        rs = [z3.And(t, Q(r)) if drops and side == "right" else t for t, r in zip(right_there, right, strict=True)]

        def meets(a: z3.ExprRef, r: z3.ExprRef) -> z3.BoolRef:
            return z3.And(on(a, r), part(a if side == "left" else r))

        found = []
        if how in PAIRED:
            found += [
                (z3.And(ls[i], rs[j], meets(left[i], right[j])), pair(left[i], right[j]))
                for i in (0, 1)
                for j in (0, 1)
            ]
        shown, bits, others, other_bits = (right, rs, left, ls) if how == "right" else (left, ls, right, rs)
        if how != "inner":
            for row, t in zip(shown, bits, strict=True):
                met = z3.Or(
                    *(
                        z3.And(u, meets(*((o, row) if how == "right" else (row, o))))
                        for o, u in zip(others, other_bits, strict=True)
                    )
                )
                found.append((z3.And(t, met if how == "semi" else z3.Not(met)), alone(row)))
        return found

    rows = left if side == "left" else right
    claims = {"a pair": tuple(z3.Implies(part(r), Q(r)) for r in rows)}
    same = _count(outputs(False), seen) == _count(outputs(True), seen)
    return Lemma(f"the ON clause of a {how} join, its {side} side", claims, same)
