"""What becomes of the plans of a text where a condition becomes a test of a bare column.

Law: the conjunct that computes something of a column of the source, and of no other, is that test, or stands beside it;
other conjuncts, which the proof may speak of as well, stay. The column is there under its name where the filter stands.
All else is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwater_ir.change import Ranged
from headwater_ir.expr import And, Col, Expr, columns_of, conjuncts
from headwater_ir.module import Module
from headwater_ir.parts import Conjunct
from headwater_ir.plan import Filter, Plan
from headwater_ir.ranges import AtScan, at_scan
from headwater_ir.span import Span

from .equality import NOWHERE, Different


@dataclass(frozen=True)
class Ranges:
    """The conditions that became tests of bare columns."""

    found: tuple[Ranged, ...] = ()

    @staticmethod
    def of(changes: Sequence[Ranged], module: Module) -> Ranges:
        """Those of ``module`` that ``changes`` speak of; ``LookupError`` if one is not there."""
        for change in changes:
            of_it = [f for f in module.filters if f.call == change.filter]
            if not of_it or not all(_is_there(change, f) for f in of_it):
                raise LookupError(f"no such condition at {change.call}")
        return Ranges(tuple(changes))

    @property
    def places(self) -> frozenset[Span]:
        """Where the conditions stood."""
        return frozenset(c.call for c in self.found)

    @property
    def known(self) -> tuple[Expr, ...]:
        """What holds of rows behind the filters."""
        return tuple(e for c in self.found for e in conjuncts(c.after))

    def changed(self, plan: Plan, made: Plan) -> Plan:
        """What stands for ``made``, which stood for ``plan`` of the first text."""
        for change in self.found:
            if isinstance(plan, Filter) and isinstance(made, Filter) and plan.call == change.filter:
                kept = [c for c in made.conjuncts if change.beside or c.span != change.call]
                if len(kept) != len(made.conjuncts) - (not change.beside):
                    raise Different("the condition is not there")
                made = replace(made, conjuncts=(*kept, *(Conjunct(e, NOWHERE) for e in conjuncts(change.after))))
        return made


def _is_there(change: Ranged, filter_: Filter) -> bool:
    mine = [c for c in filter_.conjuncts if c.span == change.call]
    (name,) = columns_of(change.after)
    found = at_scan(filter_.child, mine[0].condition) if len(mine) == 1 else None
    said, shown = (at_scan(filter_.child, e) for e in (change.before, Col(name)))
    if found is None or said is None or shown is None or not isinstance(shown.condition, Col):
        return False
    if columns_of(change.before) != {name} or not found.same_place(said) or not found.same_place(shown):
        return False
    return said.condition == found.condition or _is_among_others(found, said.condition, filter_)


def _is_among_others(mine: AtScan, said: Expr, filter_: Filter) -> bool:
    """Whether ``said`` is the conjunct ``mine`` and others of the filter."""
    told = [at_scan(filter_.child, c.condition) for c in filter_.conjuncts]
    there = [at.condition for at in told if at is not None and at.same_place(mine)]
    return isinstance(said, And) and said.operands[:1] == (mine.condition,) and {*said.operands} <= {*there}


NONE = Ranges()
