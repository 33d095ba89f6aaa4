"""What following one piece of code gave, and its move to where the code stands in the next version of the text."""

from __future__ import annotations

from dataclasses import dataclass, replace

from headwater.pyspark.frames.identities import Counts
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import GroupExtreme, Job, KeptFrame, PlainJoin, Wall
from headwater_ir.plan import Schema
from headwater_ir.span import Span

from .module import Found
from .moves import Moves
from .queries import Answer, Question
from .relocation import Move
from .views_read import OfViews, ViewsRead

Variable = tuple[str, int, Schema, str]
BODY = "\0"
"""As a variable: here come those of the body of the statement with this number, of the segment or the class."""


@dataclass(frozen=True)
class Followed:
    """What following one piece of code gave, with all that it depends on besides its text: what it ``asked``, and of
    the class that it is in ``of_class``. ``trusted``: what the answers take for granted. ``everything``: it depends on
    the whole file. ``passes``: how often it was followed; ``boundary``: whether it has a boundary; ``doubtful``:
    whether it matters then that the file has one; ``reads``: how often each binding is read, if a second pass was told
    so; ``spent``: the syntax that was followed once more; ``spelled``: the columns that it spells, by their names in
    lower case; ``against``: those that were spelled in another way in front of it; ``reach``: the last offset that it
    speaks of."""

    filters: tuple[Found, ...]
    frames: tuple[Variable, ...]
    walls: tuple[Wall, ...]
    kept: tuple[KeptFrame, ...]
    jobs: tuple[Job, ...]
    best: tuple[GroupExtreme, ...]
    joins: tuple[PlainJoin, ...]
    handed_in: tuple[tuple[Span, str], ...]
    asked: dict[Question, Answer]
    of_class: dict[Question, Answer]
    trusted: tuple[Assumption, ...]
    everything: bool
    passes: int
    boundary: bool
    doubtful: bool
    reads: Counts
    spent: int
    spelled: dict[str, str]
    against: frozenset[str]
    reach: int = 10**12
    views: tuple[object, OfViews] | None = None
    """The views that it may read, with all that the file says of them."""

    def views_of(self, read: ViewsRead) -> OfViews:
        """The views that it may read. The texts that name them are of statements that it comes from."""
        if self.views is None or self.views[0] != read.key:
            found = read.of(self.walls, self.jobs, [f for f, _ in self.filters])
            object.__setattr__(self, "views", (read.key, found))
        assert self.views is not None
        return self.views[1]

    def moved(self, moves: Moves, noted: list[Move]) -> Followed:
        """The same, where the statements that it comes from stand elsewhere; what moves it is ``noted``."""
        if self.reach < moves.unmoved and all(f[1] < moves.unmoved_line for f in self.frames if f[0] != BODY):
            return self
        move, line = Move(moves.place), moves.line
        noted.append(move)
        found = tuple([(move(f), tuple([move(call) for call in calls])) for f, calls in self.filters])
        frames = tuple([f if f[0] == BODY else (f[0], line(f[1]), f[2], f[3]) for f in self.frames])
        walls = tuple([move(w) for w in self.walls])
        kept, jobs = tuple([move(k) for k in self.kept]), tuple([move(j) for j in self.jobs])
        best, joins = tuple([move(e) for e in self.best]), tuple([move(j) for j in self.joins])
        handed_in = tuple([(move(s), given) for s, given in self.handed_in])
        views = self.views and (self.views[0], self.views[1].moved(move))
        return replace(
            self, filters=found, frames=frames, walls=walls, kept=kept, jobs=jobs, best=best, joins=joins,
            handed_in=handed_in, views=views, reach=move.reach,
        )  # fmt: skip
