"""The variables of one loop over rows: the slots that stand for them, and what they hold before and after it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from headwater.python.interpreter.outcomes import Effect
from headwater.python.values import short_lists
from headwater.python.values.append_only import AppendOnly, Collection, Trace
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Items, Unreadable, Value
from headwater.python.values.slots import Slots
from headwater.python.values.structures import (
    BitMask,
    BoundedList,
    OptionalValue,
    RecordValue,
    labels,
    leaves,
    rebuilt,
)
from headwater.python.values.tallies import Tally
from headwater_ir.expr import Expr, Slot


@dataclass
class Loop:
    """One loop: the slots of its variables, and what its body evaluates for its errors."""

    slots: dict[str, Slot]
    """All slots that the body changes, by label."""
    state: dict[str, Value] = field(default_factory=dict)
    """Each variable as an iteration finds it."""
    inits: dict[str, Value] = field(default_factory=dict)
    """Each variable, bags aside, before the loop."""
    owners: dict[str, str] = field(default_factory=dict)
    """Label of a slot → its variable."""
    bags: dict[str, Collection] = field(default_factory=dict)
    logs: dict[str, Trace] = field(default_factory=dict)
    unset: set[int] = field(default_factory=set)
    """Slots of variables that were not set before the loop: to be read only after the body has set them."""
    partial: set[str] = field(default_factory=set)
    """Those of them that the body sets on some paths only, or to something that is no scalar."""
    effects: list[Effect] = field(default_factory=list)

    def fill(self, allocator: Slots, name: str) -> None:
        """Slots for the leaves of the variable ``name``."""
        for label in [n for n, owner in self.owners.items() if owner == name]:
            allocator.release(self.slots.pop(label))
            del self.owners[label]
        init = self.inits[name]
        slots: list[Expr] = []
        for label, leaf in zip(labels(init), leaves(init), strict=True):
            slot = allocator.allocate(f"{name}{label}", leaf)
            slots.append(slot)
            self.slots[f"{name}{label}"] = slot
            self.owners[f"{name}{label}"] = name
        self.state[name] = rebuilt(init, iter(slots))


@dataclass(frozen=True)
class LastSeen(AbstractObject):
    """What a variable of a loop has after it: ``value``, of the last row."""

    value: Value


KINDS = (Items, RecordValue, OptionalValue, BoundedList, AppendOnly, BitMask, Rows, Tally)


def placed(value: Value) -> Value:
    """``value`` with every short list in its final form."""
    if isinstance(value, BoundedList):
        return short_lists.placed(value)
    if isinstance(value, Items):
        return replace(value, items=tuple(map(placed, value.items)))
    return replace(value, values=tuple(map(placed, value.values))) if isinstance(value, RecordValue) else value


def not_set(name: str) -> Unreadable:
    return Unreadable("may-throw", f"`{name}` may be read before it is set")
