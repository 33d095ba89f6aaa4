"""Which outputs of a boundary anybody sees: the filter, and whatever its result is used for.

Two runs need not agree on what nobody sees. But what is hidden is still computed: where computing it may raise, the
output stays, stripped of its value, so that *Safe* (THEORY.md section 2) still speaks of it.

A projection does not hide a column from everything above it. Spark lets a filter or a sort reach through projections,
limits and ``distinct`` to a column further down (``ResolveReferences``: ``select("k").filter("a > 1")``); only an
aggregate, a join, a union or a view ends that. So every operator up to where the rows are written or collected is
looked at, and a name that is not a column where it is read makes everything seen. An aggregate ends it but for the
filters and sorts right behind it: an aggregate function in these is one of its input (``ResolveAggregateFunctions``:
``groupBy("k").count().orderBy(F.max("a"))``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from headwater_ir.assumptions import Assumption
from headwater_ir.expr import (
    Arith,
    Call,
    Compare,
    Expr,
    If,
    IsNull,
    Lit,
    Neg,
    Raise,
    StringTest,
    columns_of,
    outputs_of,
    walk,
)
from headwater_ir.plan import (
    Aggregate,
    Cache,
    Distinct,
    DropDuplicates,
    Filter,
    Limit,
    Opaque,
    Plan,
    Shared,
    Sort,
    Way,
)
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.types import Type
from headwater_ir.unread import why_unread

from .registry import operator_of

_MAY_RAISE = (Arith, Neg, Call, Raise, Compare, StringTest)
_LEFT = Assumption(
    "program", "whoever is given the result neither filters nor sorts it by a column that was dropped from it"
)
"""Said of rows that leave the file, for Spark lets both reach through a projection."""


def visible(fold: Fold, predicate: Expr, above: Sequence[Plan], ways: Sequence[Way] | None) -> Fold:
    """``fold`` without the values of outputs that nobody sees; ``above``: the operators between the filter and the
    boundary, outermost first; ``ways``: what becomes of the filter's result."""
    if ways is None or fold.rows == "one":
        return fold
    needed = outputs_of(predicate)
    leaves = False
    try:
        below = _Seen({o.name: frozenset((o.name,)) for o in fold.outputs})
        below.through(reversed(above))
        for way in ways:
            seen = _Seen(below.columns)
            seen.through(way.operators)
            needed = needed.union(below.needed, seen.needed, *seen.columns.values())
            leaves |= way.leaves and not seen.closed
    except _EverythingError:
        return fold
    outputs = tuple(kept for o in fold.outputs if (kept := _kept(o, needed)) is not None)
    if outputs == fold.outputs or not leaves:
        return replace(fold, outputs=outputs)
    return replace(fold, outputs=outputs, assumptions=(*fold.assumptions, _LEFT))


def unread(name: str, ways: Sequence[Way]) -> tuple[Assumption, ...] | None:
    """What has to be true for nobody to see the column ``name`` of a frame, of which ``ways`` are all that becomes;
    None if somebody may see it."""
    assumed = list[Assumption]()
    for way in ways:
        there = reached = True
        for i, node in enumerate(way.operators):
            if isinstance(node, Opaque) and node.chosen_by:
                if name.lower() in _parts(node.chosen):
                    return None
                there = False
                shown = " and ".join(f"`{v}`" for v in node.chosen_by)
                assumed.append(Assumption("names", f"{shown} {_NAME[len(node.chosen_by) > 1]} than `{name}`"))
                continue
            if _sees(node, name, there=there):
                return None
            columns = operator_of(node).columns(node)
            reads = operator_of(node).reads(node)
            if columns is None or reads is None:
                return None
            made = {n.lower() for n in columns.made}
            there = there and columns.keeps and name.lower() not in {*made, *(d.lower() for d in columns.dropped)}
            if reads.ends and not _ends(node, way.operators[i + 1 :]):
                return None
            if reads.ends or name.lower() in made:
                reached = False
                break
        if there and reached:
            return None
        assumed += [_LEFT] if way.leaves and reached else []
    return tuple(dict.fromkeys(assumed))


def _ends(node: Plan, above: Sequence[Plan]) -> bool:
    """Whether none of the operators ``above`` reaches the input of ``node``, to which no plain name does."""
    columns = operator_of(node).columns(node) if isinstance(node, Aggregate) else None
    if columns is None:
        return not isinstance(node, Aggregate)
    for at in above:
        if not isinstance(at, (Filter, Opaque, Sort, *_BETWEEN)):
            return True
        reads = operator_of(at).reads(at)
        if isinstance(at, (Filter, Opaque, Sort)) and (
            reads is None or reads.all or not reads.names <= {*columns.made}
        ):
            return False
    return True


_BETWEEN = (Cache, Distinct, DropDuplicates, Limit, Shared)
"""Operators that hand on the columns of an aggregate as they are."""
_NAME = ("names another column", "name other columns")


def _sees(node: Plan, name: str, *, there: bool) -> bool:
    """Whether ``node`` may read the column ``name``, which is ``there`` or was dropped below it."""
    reads, columns = operator_of(node).reads(node), operator_of(node).columns(node)
    if reads is None or columns is None or (reads.all and there):
        return True
    values = [v for v in columns.made.values() if not isinstance(v, Type)]
    read = {*reads.names, *columns.read, *(c for v in values for c in columns_of(v))}
    return name.lower() in _parts(read) or any(why_unread(v) is not None for v in values)


def _parts(names: Iterable[str]) -> frozenset[str]:
    """What ``names`` may name: ``a.b`` is a field of the column ``a``, or the column ``b`` of the frame ``a``."""
    return frozenset(part.strip("`") for n in names for part in n.lower().split("."))


class _EverythingError(Exception):
    """Any output may be seen."""


class _Seen:
    """Going up: for each column the outputs that it is made of, and those ``needed`` so far. ``closed``: no filter or
    sort further up reaches what is below."""

    def __init__(self, columns: dict[str, frozenset[str]]) -> None:
        self.columns = columns
        self.needed: frozenset[str] = frozenset()
        self.closed = False

    def through(self, operators: Iterable[Plan]) -> None:
        """Go up through ``operators``, lowest first; _EverythingError if one of them may see anything."""
        going = [*operators]
        for i, node in enumerate(going):
            self._through(node)
            if self.closed and not _ends(node, going[i + 1 :]):
                raise _EverythingError
            if len({name.lower() for name in self.columns}) < len(self.columns):
                raise _EverythingError  # to Spark they are one column, and which of them is not known
            if self.closed:
                self.columns = {}
                return

    def _through(self, node: Plan) -> None:
        operator = operator_of(node)
        reads, columns = operator.reads(node), operator.columns(node)
        if reads is None:
            raise _EverythingError
        self.needed |= self._read((*reads.names, *(self.columns if reads.all else ())))
        if reads.ends:
            self.closed = True
            return
        if columns is None:
            raise _EverythingError
        kept = {n: of for n, of in self.columns.items() if columns.keeps and n not in columns.dropped}
        self.columns = kept | {n: self._made_of(value) for n, value in columns.made.items()}

    def _made_of(self, value: Expr | Type) -> frozenset[str]:
        if isinstance(value, Type):
            return frozenset()
        return self._read(self.columns if why_unread(value) is not None else columns_of(value))

    def _read(self, names: Iterable[str]) -> frozenset[str]:
        found: frozenset[str] = frozenset()
        for name in names:
            if name not in self.columns:
                raise _EverythingError
            found |= self.columns[name]
        return found


def _kept(output: OutputColumn, needed: frozenset[str]) -> OutputColumn | None:
    if output.name in needed:
        return output
    if not any(isinstance(n, _MAY_RAISE) for n in walk(output.value)):
        return None
    nothing = Lit(None, output.type)
    return replace(output, value=If(IsNull(output.value), nothing, nothing))
