"""What the analysis of one version of a text keeps for the next: most filters of a text are what they were.

Plans and problems cannot change, and the front end gives back the same objects for what an edit did not concern. So
what is known of one is kept by its identity. Nothing in here changes an answer, only the time that it takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater_ir.assumptions import Assumption
from headwater_ir.plan import Filter
from headwater_ir.problem import FoldProblem

from .conditional import WithAll
from .identity_cache import ByIdentity

if TYPE_CHECKING:
    from headwater.operators.constant_filter import Claim, Mover
    from headwater.operators.move import Moved, Stopped
    from headwater.rewrite.edits import Editable
    from headwater.syntax.names.module_scope import Context


class Memory:
    """``ends``: where a filter comes down to. ``not_constant``: filters of which it need not be asked whether they are
    constant; of others the ``claims`` that they are. ``bare``: filters of which no condition hides a column from a
    source. ``passed``: filters on frames that others use too, of which it does not seem that nothing passes them.
    ``assuming``: problems with what a reading of their file took for granted; one object still, they have a digest
    already. ``stated``: what that is of a moved filter, and the facts of the file that it rests on. ``editable``: moved
    filters in front of whose boundaries a pre-filter can be written. ``with_all``: problems under all facts that may be
    lacking. ``context``: the last text, as the front end read it."""

    def __init__(self) -> None:
        self.ends = ByIdentity[Filter, "tuple[Moved | Stopped, ...]"](4000)
        self.not_constant = ByIdentity[Filter, bool](8000)
        self.claims: ByIdentity[Filter, tuple[Claim, ...]] = ByIdentity(4000)
        self.bare = ByIdentity[Filter, bool](8000)
        self.passed = ByIdentity[Filter, bool](8000)
        self.assuming = ByIdentity[FoldProblem, tuple[tuple[Assumption, ...], FoldProblem]](4000)
        self.stated = ByIdentity["Moved", tuple[object, tuple[Assumption, ...]]](4000)
        self.editable: ByIdentity[Moved, Editable] = ByIdentity(4000)
        self.with_all = ByIdentity[FoldProblem, WithAll](4000)
        self.context: Context | None = None

    def moves(self, top: Filter) -> tuple[Moved | Stopped, ...]:
        """Every boundary that ``top`` reaches, or what stops it."""
        from headwater.operators.move import moves

        return self.ends.get(top) or self.ends.put(top, moves(top))

    def carry(self, old: Filter, new: Filter, move: Mover) -> None:
        """``new`` is ``old`` where its text stands elsewhere, and ``move`` takes each place in it there: so it does
        with what is known of ``old``, for no operator looks at places. LookupError or TypeError for a place that no
        plan has: then the ends are found anew."""
        for known in (self.not_constant, self.passed, self.bare):
            if known.take(old):
                known.put(new, True)
        claims = self.claims.take(old)
        if claims is not None:
            placed = self.claims.put(new, tuple(c.placed(new, move) for c in claims))
            for claim, now in zip(claims, placed, strict=True):
                self.stated.carry(claim.moved, now.moved)
        ends = self.ends.take(old)
        if ends is not None:
            moved = self.ends.put(new, tuple(map(move, ends)))
            for end, at in zip(ends, moved, strict=True):
                self.stated.carry(end, at)
                self.editable.carry(end, at)
