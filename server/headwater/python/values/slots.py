"""The accumulators of a fold while it is built: allocation, types, pruning."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from headwater.python.exprs.facts import Facts
from headwater.python.exprs.intervals import slot_ranges
from headwater_ir.expr import FALSE, TRUE, Expr, Lit, Slot, slots_of, transform
from headwater_ir.problem import StateSlot
from headwater_ir.types import BOOL, join_types

from .scope import Scope

_LINE = re.compile(r" of line \d+")


@dataclass
class Slots:
    """Slots by index; ``init`` and ``step`` grow as loops and reductions are met."""

    scope: Scope
    names: list[str] = field(default_factory=list)
    init: list[Expr] = field(default_factory=list)
    step: list[Expr] = field(default_factory=list)

    def allocate(self, name: str, init: Expr) -> Slot:
        """A new slot that keeps its value until ``step`` is set."""
        index = len(self.names)
        init = Lit(init == TRUE, BOOL) if init in (TRUE, FALSE) else init
        while name in self.names:
            name += "'"
        slot = Slot(index)
        self.names.append(name)
        self.init.append(init)
        self.step.append(slot)
        self.scope.slots[index] = self.scope.type(init)
        self.scope.flows[index] = self.scope.sources(init)
        self.scope.slot_missing[index] = self.scope.missing(init, self._known)
        return slot

    @property
    def _known(self) -> Facts:
        return Facts((f, True) for f in self.scope.facts)

    def release(self, slot: Slot) -> None:
        """Give up a slot and its name."""
        self.names[slot.index] = ""
        self.step[slot.index] = slot

    def forget(self, slot: Slot) -> None:
        """Take back the slot that was allocated last."""
        assert slot.index == len(self.names) - 1
        for column in (self.names, self.init, self.step):
            column.pop()
        del self.scope.slots[slot.index], self.scope.flows[slot.index], self.scope.slot_missing[slot.index]

    def retype(self) -> bool:
        """Widen types, flows and what may be missing by what the steps yield; whether anything changed."""
        changed, known = False, self._known
        for i, e in enumerate(self.step):
            t = join_types(self.scope.slots[i], self.scope.type(e))
            flow = self.scope.flows[i] | self.scope.sources(e)
            missing = self.scope.slot_missing[i] | self.scope.missing(e, known)
            old = self.scope.slots[i], self.scope.flows[i], self.scope.slot_missing[i]
            changed |= (t, flow, missing) != old
            self.scope.slots[i], self.scope.flows[i], self.scope.slot_missing[i] = t, flow, missing
        return changed

    def define(self, slot: Slot, step: Expr) -> Slot:
        """Set the step of ``slot``."""
        self.step[slot.index] = step
        self.scope.slot_ranges = slot_ranges(self.init, self.step, self.scope.columns)
        while self.retype():
            pass
        return slot

    def live(self, roots: list[Expr]) -> list[int]:
        """The slots that ``roots`` depend on, directly or through steps."""
        found: set[int] = set()
        todo = {i for e in roots for i in slots_of(e)}
        while todo:
            i = todo.pop()
            found.add(i)
            todo |= slots_of(self.step[i]) - found
        return sorted(found)

    def state(self, kept: list[int]) -> tuple[StateSlot, ...]:
        """The kept slots, as the fold declares them. Variables that the front end makes are distinguished by their
        lines; a fold is the same one where its text stands elsewhere in the file."""
        names: list[str] = []
        for i in kept:
            name = _LINE.sub("", self.names[i]) if self.names[i].startswith("<") else self.names[i]
            while name in names:
                name += "'"
            names.append(name)
        return tuple(StateSlot(name, self.scope.slots[i]) for name, i in zip(names, kept, strict=True))


def renumber(e: Expr, kept: list[int]) -> Expr:
    """``e`` with slots numbered by their place in ``kept``."""
    place = {old: new for new, old in enumerate(kept)}
    return transform(e, lambda n: Slot(place[n.index]) if isinstance(n, Slot) else None)
