"""What a rule on demand answers about a wall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from headwater.rewrite.edit import Edit
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import Claim, Job, Wall
from headwater_ir.span import Span

DemandCode = Literal["HW401", "HW402", "HW403"]


@dataclass(frozen=True)
class Proposal:
    """A smaller demand at a wall.

    ``shown``: the squiggle. ``said``: what takes the place of what, in the spelling of the edit (``head(1)`` for
    ``collect()``). ``replaced``: the expression that the edits change, all of them inside it. ``claims``: what is to be
    proved, one for each reader. ``assumptions``: what the file does not state; ``notes``: what limits nothing.
    ``rows``: how many are handed over then; None if all are.
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
    notes: tuple[str, ...] = ()
    rows: int | None = None


@dataclass(frozen=True)
class OnePassProposal:
    """One statement in front of the ``first`` of several ``jobs``, of which they take their values; or they take the
    value of ``first``, which is given a name in its place.

    ``slow_if_large``: why that may be slower where there are many rows; empty where it is not.
    ``said``: that statement; ``claims``: what is to be proved, one for each job. ``times``, ``lines``: how often the
    frame is computed as it is written, and where, counted from 1. ``assumptions``: what the file does not state.
    ``moved``: the statements that go in front of it.
    """

    code: Literal["HW404"]
    first: Job
    jobs: tuple[Job, ...]
    said: str
    edits: tuple[Edit, ...]
    claims: tuple[Claim, ...]
    times: int
    lines: tuple[int, ...]
    assumptions: tuple[Assumption, ...] = ()
    slow_if_large: str = ""
    moved: tuple[Span, ...] = ()


@dataclass(frozen=True)
class NotWorth:
    """A smaller demand is possible, and why it is not proposed; or why it is not possible. ``where``: the job that it
    is said of, if it is not said of a wall."""

    reason: str
    where: Span | None = None


Answer = Union[Proposal, NotWorth, None]
