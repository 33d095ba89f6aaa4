"""Which outputs of a boundary anybody sees: the filter, and whatever its result is used for.

Two runs need not agree on what nobody sees. But what is hidden is still computed: where computing it may raise, the
output stays, stripped of its value, so that *Safe* (THEORY.md section 2) still speaks of it.

A projection does not hide a column from everything above it. Spark lets a filter or a sort reach through projections,
limits and ``distinct`` to a column further down (``ResolveReferences``: ``select("k").filter("a > 1")``); only an
aggregate, a join, a union or a view ends that. So every operator up to where the rows are written or collected is
looked at, and a name that is not a column where it is read makes everything seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    Explode,
    Filter,
    GroupingSets,
    GroupMap,
    Join,
    Limit,
    Pivot,
    Plan,
    Project,
    Sample,
    SetOperation,
    Shared,
    Sort,
    UnionAll,
    Way,
    Window,
)
from headwater_ir.problem import Fold, OutputColumn
from headwater_ir.unread import why_unread

_MAY_RAISE = (Arith, Neg, Call, Raise, Compare, StringTest)
_LEFT = Assumption(
    "program", "whoever is given the result neither filters nor sorts it by a column that was dropped from it"
)


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
        for node in operators:
            self._through(node)
            if len({name.lower() for name in self.columns}) < len(self.columns):
                raise _EverythingError  # to Spark they are one column, and which of them is not known
            if self.closed:
                self.columns = {}
                return

    def _through(self, node: Plan) -> None:
        match node:
            case Limit() | Sample(operator="sample") | Shared():
                pass
            case Cache():
                self._all()  # what is kept is computed, whoever reads it
            case Filter(unread=None):
                for c in node.conjuncts:
                    self.needed |= self._read(columns_of(c.condition))
            case Sort(by=tuple() as by):
                self.needed |= self._read(by)
            case Project():
                self.columns = self._passed(node) | {n: self._made_of(value) for n, value in node.columns}
            case Distinct() | DropDuplicates():
                self._all()
            case Window():
                self._all()
                made = {n: self._made_of(value) for n, value in node.columns}
                self.columns = self._passed(node) | made | {w.name: frozenset() for w in node.windows}
            case Explode():
                self._all()
                self.columns = self.columns | dict.fromkeys(node.made, frozenset[str]())
            case Aggregate():
                self.needed = self.needed.union(*(self._made_of(e) for e in _evaluated(node.fold)))
                if node.fold.grouped and not node.fold.keys:
                    raise _EverythingError  # keys that the file does not name may be any columns
                self.needed |= self._read(node.fold.keys)
                self.closed = True
            case Join() | UnionAll() | SetOperation() | GroupMap() | GroupingSets() | Pivot():
                self._all()
                self.closed = True
            case _:
                raise _EverythingError

    def _all(self) -> None:
        self.needed = self.needed.union(*self.columns.values())

    def _passed(self, node: Project | Window) -> dict[str, frozenset[str]]:
        dropped = node.dropped if isinstance(node, Project) else ()
        return {n: made_of for n, made_of in self.columns.items() if node.keeps_others and n not in dropped}

    def _made_of(self, value: Expr) -> frozenset[str]:
        return self._read(self.columns if why_unread(value) is not None else columns_of(value))

    def _read(self, names: Iterable[str]) -> frozenset[str]:
        found: frozenset[str] = frozenset()
        for name in names:
            if name not in self.columns:
                raise _EverythingError
            found |= self.columns[name]
        return found


def _evaluated(fold: Fold) -> Iterator[Expr]:
    yield from (*fold.init, *fold.step, *(fold.merge or ()), fold.emit, *(o.value for o in fold.outputs))


def _kept(output: OutputColumn, needed: frozenset[str]) -> OutputColumn | None:
    if output.name in needed:
        return output
    if not any(isinstance(n, _MAY_RAISE) for n in walk(output.value)):
        return None
    nothing = Lit(None, output.type)
    return replace(output, value=If(IsNull(output.value), nothing, nothing))
