"""What a rule on demand answers about a wall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from headwater.rewrite.edit import Edit
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import Claim, Wall
from headwater_ir.span import Span

DemandCode = Literal["HW401", "HW402", "HW403"]


@dataclass(frozen=True)
class Proposal:
    """A smaller demand at a wall.

    ``shown``: the squiggle. ``said``: what takes the place of what, in the spelling of the edit (``head(1)`` for
    ``collect()``). ``replaced``: the expression that the edits change, all of them inside it. ``claims``: what is to be
    proved, one for each reader. ``assumptions``: what the file does not state.
    """

    code: DemandCode
    wall: Wall
    shown: Span
    said: str
    instead_of: str
    why: str
    replaced: Span
    edits: tuple[Edit, ...]
    claims: tuple[Claim, ...]
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True)
class NotWorth:
    """A smaller demand is possible, and why it is not proposed; or why it is not possible."""

    reason: str


Answer = Union[Proposal, NotWorth, None]
