"""Whether an edited text keeps the frames that it kept before, but for those that were proved to need no keeping.

Law: the receiver of the call stands in its place, or the statement is gone that was nothing but the call; so are those
that free what was kept. A plan is the
same without the node of the cache; a variable that a statement read which is gone has one reader less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwater_ir.change import Uncached
from headwater_ir.demand import KeptFrame
from headwater_ir.module import Module
from headwater_ir.plan import Cache, Plan, Shared
from headwater_ir.span import Span

from .equality import Different


@dataclass(frozen=True)
class Removed:
    """The caches that are gone. ``caches``: their nodes; ``fewer``: the frames that a statement read which is gone,
    each with how many readers it had; 0 for what was kept, which is known by its place."""

    caches: tuple[Cache, ...] = ()
    fewer: tuple[tuple[Plan, int], ...] = ()

    @staticmethod
    def of(changes: Sequence[Uncached], module: Module) -> Removed:
        """What ``changes`` take from the plans of ``module``; ``LookupError`` if one is not there."""
        found = [(c, _kept(c, module)) for c in changes]
        gone = (
            (
                *[_frame(k.plan.child)] * ((c.gone is not None) + len({*c.freed} & {*k.freed_below})),
                *[(k.plan, 0)] * len({*c.freed} & {*k.freed}),
            )
            for c, k in found
        )
        return Removed(tuple(k.plan for _, k in found), tuple(f for frames in gone for f in frames))

    def below(self, plan: Plan) -> Plan:
        """What stands for ``plan``: what is below it, if it is gone."""
        if isinstance(plan, Cache) and any(plan.span == c.span for c in self.caches):
            return plan.child
        if isinstance(plan, Shared):
            kept = plan.child.span if isinstance(plan.child, Cache) else None
            gone = sum(
                (plan.child, plan.consumers) == f or (f[1] == 0 and isinstance(f[0], Cache) and f[0].span == kept)
                for f in self.fewer
            )
            left = plan.consumers - gone
            return plan if not gone else replace(plan, consumers=left) if left > 1 else plan.child
        return plan


NONE = Removed()


def hole(change: Uncached) -> Span:
    """The text that goes away."""
    return change.gone or Span(change.receiver.end, change.call.end)


def check(changes: Sequence[Uncached], before: Module, after: Module) -> None:
    """``Different`` unless ``after`` keeps what ``before`` does, without ``changes``."""
    mine = {c.call for c in changes}
    kept = [k for k in before.kept if k.call not in mine]
    if [k.plan.operator for k in kept] != [k.plan.operator for k in after.kept]:
        raise Different("another frame is kept")
    if len(kept) + len(mine) != len(before.kept):
        raise Different("a call that is not there")


def _kept(change: Uncached, module: Module) -> KeptFrame:
    for kept in module.kept:
        if (kept.call, kept.plan.operator, kept.receiver) == (change.call, change.operator, change.receiver):
            if {*change.freed} not in (set(), {*kept.freed, *kept.freed_below}):
                raise LookupError(f"not all that frees what is kept at {change.call}")
            return kept
    raise LookupError(f"no call of `{change.operator}` at {change.call}")


def _frame(plan: Plan) -> tuple[Plan, int]:
    """The frame, and how many read it."""
    readers = 1
    while isinstance(plan, Shared):
        readers = plan.consumers
        plan = plan.child
    return plan, readers
