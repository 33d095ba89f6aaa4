"""Smaller demands (HW401 to HW407): what a program asks of frames and does not look at."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import TypeVar

from headwater.engine.analysis.judging import Judge
from headwater.engine.report.report import Opportunity, Skipped
from headwater_ir.change import OnePass, Ranked
from headwater_ir.plan import Join
from headwater_ir.span import Span
from headwater_ir.walks import below

_T = TypeVar("_T")


def look_for_smaller_demands(judge: Judge, found: list[Opportunity], skipped: list[Skipped]) -> None:
    """Add to ``found`` the smaller demands of the text, and to ``skipped`` why others are none."""
    _look_at_walls(judge, found, skipped)
    _look_at_caches(judge, found, skipped)
    _look_at_extremes(judge, found, skipped)
    _look_at_joins(judge, found, skipped)


def _look_at_walls(judge: Judge, found: list[Opportunity], skipped: list[Skipped]) -> None:
    """Report the calls that ask a frame for more than is looked at (HW401 to HW404)."""
    if not judge.module.walls and not judge.module.jobs:
        return
    from .walls import demanded, in_one_pass

    together, why_not = in_one_pass(judge)
    found += together
    skipped += why_not
    merged = sorted(s for o in together if isinstance(o.change, OnePass) for s in o.change.replaced)
    ends = [0, *accumulate((s.end for s in merged), max)]  # of those that begin up to each
    starts = [s.start for s in merged]
    apart = [w for w in judge.module.walls if w.call.end > ends[bisect_right(starts, w.call.start)]]
    _look_at_each(judge, apart, demanded, lambda wall: wall.call, found, skipped)  # one wasted thing is one finding


def _look_at_caches(judge: Judge, found: list[Opportunity], skipped: list[Skipped]) -> None:
    """Report the frames that are kept for one reader (HW407)."""
    if judge.module.kept:
        from .caches import uncached

        _look_at_each(judge, judge.module.kept, uncached, lambda kept: kept.call, found, skipped)


def _look_at_extremes(judge: Judge, found: list[Opportunity], skipped: list[Skipped]) -> None:
    """Report the extremes of groups that a rank finds (HW406)."""
    if judge.module.extremes:
        from .extremes import ranked

        _look_at_each(judge, judge.module.extremes, ranked, lambda extreme: extreme.filter.call, found, skipped)


def _look_at_joins(judge: Judge, found: list[Opportunity], skipped: list[Skipped]) -> None:
    """Report the joins of aggregates of one frame (HW404), those that keep the extremes of groups (HW406), and others
    of which only the match is used (HW405)."""
    if judge.module.joins:
        from .extremes import joined
        from .groups import in_one_aggregate
        from .matches import matched

        alike = [j for j in judge.module.joins if j.same_rows is not None]
        inner = {p.span for j in alike for p in below(j.join.left) if isinstance(p, Join)}
        outer = [j for j in alike if j.join.span not in inner]  # which take them in
        _look_at_each(judge, outer, in_one_aggregate, lambda join: join.join.span, found, skipped)

        back = [j for j in judge.module.joins if j.below]
        known = len(found)
        _look_at_each(judge, back, joined, lambda join: join.join.span, found, skipped)
        told = {o.change.call for o in found[known:] if isinstance(o.change, Ranked)}
        others = [j for j in judge.module.joins if j.call not in told]
        _look_at_each(judge, others, matched, lambda join: join.join.span, found, skipped)


def _look_at_each(
    judge: Judge, things: Iterable[_T], answered: Callable[[Judge, _T], tuple[Opportunity, ...] | Skipped],
    place: Callable[[_T], Span], found: list[Opportunity], skipped: list[Skipped],
) -> None:  # fmt: skip
    """Report what is ``answered`` of each of ``things``. An error of ours is said of its ``place``."""
    for thing in things:
        try:
            answer = judge.out_of_time(place(thing)) or answered(judge, thing)
        except Exception as error:
            judge.suppressions.unsettle(place(thing))
            reason = f"internal error: {type(error).__name__}: {error}".splitlines()[0]
            skipped.append(Skipped(place(thing), "opaque", reason))
            continue
        if isinstance(answer, Skipped):
            skipped.append(answer)
        else:
            found += answer
