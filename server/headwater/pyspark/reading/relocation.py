"""Plans of one text as plans of another, in which the statements that they come from stand elsewhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from headwater_ir.assumptions import Assumption
from headwater_ir.crossing import Path
from headwater_ir.demand import (
    Asked,
    Clause,
    FrameUses,
    FunctionOf,
    GroupExtreme,
    InTurns,
    Job,
    KeptFrame,
    KeyPair,
    Measure,
    NullTest,
    Part,
    PlainJoin,
    Reader,
    Step,
    Turns,
    UnlistedUse,
    Wall,
)
from headwater_ir.expr import Expr
from headwater_ir.plan import (
    Applied,
    Boundary,
    Conjunct,
    Filter,
    Order,
    Plan,
    Scan,
    Schema,
    Shared,
    UserCode,
    Way,
    WindowColumn,
)
from headwater_ir.problem import Fold, FoldProblem
from headwater_ir.span import Span
from headwater_ir.types import Type

Place = Callable[[int], int]
"""The offset in the new text of an offset in the old one."""
_T = TypeVar("_T")
_Mover = Callable[[Any], Any]
_PLACES = {(Boundary, "insert_at")}
"""Offsets that are plain numbers."""
_COUNTS = {(Shared, "consumers"), (Scan, "rows"), (KeptFrame, "actions"), (GroupExtreme, "held")}
_FIELDS: dict[type, tuple[tuple[str, bool], ...]] = {}
_PARTS = (
    Applied, Asked, Boundary, Clause, Conjunct, FunctionOf, GroupExtreme, InTurns, Job, KeptFrame, NullTest, Part,
    PlainJoin, Reader, Turns, UserCode, Wall, Way,
)  # fmt: skip
_PLACELESS = (
    Assumption,
    str,
    bool,
    type(None),
    Fold,
    FrameUses,
    FoldProblem,
    KeyPair,
    Order,
    Path,
    UnlistedUse,
    Schema,
    Type,
    WindowColumn,
    *get_args(Expr),
    *get_args(Measure),
    *get_args(Step),
)


class Move:
    """``place`` applied to every place in what it is called with. What was one object stays one object."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.reach = -1
        """The last of the new places."""
        self._known: dict[int, tuple[Any, Any]] = {}
        self.filters: list[tuple[Filter, Filter]] = []
        """Every filter that was moved, before and after."""

    def __call__(self, value: _T) -> _T:
        """``value``, a filter, plan or span, at its new place."""
        return self._moved(value)  # type: ignore[no-any-return]

    def _moved(self, value: Any) -> Any:
        kind = type(value)
        if kind is Span:
            end = self.place(value.end)
            if end > self.reach:
                self.reach = end
            return _made(Span, {"start": self.place(value.start), "end": end})
        known = self._known.get(id(value))
        if known is None:
            held, names = value.__dict__, kind.__dataclass_fields__
            fields = held.copy() if len(held) == len(names) else {name: held[name] for name in names}
            for name, is_offset in _FIELDS.get(kind) or moving_fields(kind):
                part = fields[name]
                if is_offset:
                    fields[name] = self._noted(part)
                elif type(part) is tuple:
                    fields[name] = tuple([self._moved(p) for p in part])
                elif part is not None:
                    fields[name] = self._moved(part)
            known = self._known[id(value)] = value, _made(kind, fields)
            if kind is Filter:
                self.filters.append(known)
        return known[1]

    def _noted(self, at: int) -> int:
        new = self.place(at)
        self.reach = max(self.reach, new)
        return new


def _made(kind: type, fields: dict[str, object]) -> Any:
    """An instance of a frozen dataclass; what was valid elsewhere is so here."""
    made: Any = object.__new__(kind)
    object.__setattr__(made, "__dict__", fields)
    return made


def moving_fields(kind: type) -> tuple[tuple[str, bool], ...]:
    """The fields of ``kind``, a class of plans or of their parts, that hold places, and whether as plain offsets.
    TypeError for a class or a field of which that is not known."""
    if kind not in _FIELDS:
        hints = get_type_hints(kind)
        found = []
        for field in dataclasses.fields(kind):
            offset = (kind, field.name) in _PLACES
            if offset or ((kind, field.name) not in _COUNTS and _holds_places(hints[field.name])):
                found.append((field.name, offset))
        _FIELDS[kind] = tuple(found)
    return _FIELDS[kind]


def _holds_places(hint: Any) -> bool:
    if get_origin(hint) in (Union, UnionType, tuple, frozenset):
        return any(_holds_places(part) for part in get_args(hint) if part is not Ellipsis)
    if get_origin(hint) is Literal or hint in _PLACELESS:
        return False
    if hint is Span or hint in get_args(Plan) or hint in _PARTS or hint is Filter:
        return True
    raise TypeError(f"whether {hint} holds places is not known")
