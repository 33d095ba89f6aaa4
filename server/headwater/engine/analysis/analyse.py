"""The pure core: a source text in, a report out. No I/O, no globals; the solver and the clock are passed in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from headwater.engine.report.positions import Lines
from headwater.engine.report.report import Opportunity, Report, Skipped
from headwater.syntax.names.spark_versions import text_of
from headwater_ir.change import OnePass
from headwater_ir.module import Module
from headwater_ir.span import Span

from .attempts import attempted, internal_error
from .judging import Judge
from .memory import Memory
from .options import Options
from .reading import Reader, SourceFailure, read
from .solver import Clock, Solver, bounded, guarded, synthesis
from .suppressions import Suppressions

__all__ = ["Options", "Report", "analyse"]


def analyse(
    source: str,
    options: Options | None = None,
    solve: Solver | None = None,
    clock: Clock = time.process_time,
    with_facts: Solver | None = None,
    reader: Reader | None = None,
    apart: bool = True,
    memory: Memory | None = None,
) -> Report:
    """Everything that can be said of ``source``. A text that does not parse is a report with an error.

    ``solve`` is by default what ``options`` ask for: full synthesis, or the bounded check. ``with_facts`` is asked what
    would be proved if some fact held; by default ``solve`` is, and nobody where ``options`` ask for the bounded check.
    ``reader`` reads the text as the front end does, perhaps quicker. ``apart``: filters on frames that others use too
    are tried in branches of their own, each a text to be read; else the report names those that nobody tried.
    ``memory``: what the analysis of an earlier version of the text left.
    """
    options = options or Options()
    solve = solve or (bounded if options.bounded else synthesis)
    with_facts = with_facts or (None if options.bounded else solve)
    try:
        module = read(source, options, reader)
    except SourceFailure as error:
        return Report(error=error.problem)
    return analyse_module(source, module, options, solve, clock, with_facts, apart, memory or Memory())


def analyse_module(
    source: str, module: Module, options: Options, solve: Solver, clock: Clock, with_facts: Solver | None, apart: bool,
    memory: Memory,
) -> Report:  # fmt: skip
    """The report of a text that the front end has read; see ``analyse``."""
    if module.ignore_file:
        return Report(filters=len(module.filters))
    suppressions = Suppressions(Lines(source), module.ignored_lines, options.severity)
    judge = Judge(
        source, module, options, guarded(solve), clock, with_facts and guarded(with_facts), suppressions, memory, apart
    )
    found: list[Opportunity] = []
    skipped = [Skipped(span, "opaque", why) for span, why in module.hidden]
    settled: set[Span] = set()
    start = clock()
    for filter_ in module.filters:
        if filter_.call in settled:
            continue
        judge.at = filter_.call
        if options.bounded:
            suppressions.unsettle(judge.at)
        if clock() - start < options.budget_seconds:
            outcome = attempted(judge, filter_)
            found += outcome.found
            skipped += outcome.skipped
            settled |= outcome.settled
        else:
            reason = f"the filters before it took more than {options.budget_seconds:g} s"
            skipped.append(Skipped(filter_.call, "time-out", reason))
            suppressions.unsettle(filter_.call)
    _look_at_walls(judge, found, skipped)
    _look_at_caches(judge, found, skipped)
    _look_at_extremes(judge, found, skipped)
    _look_at_joins(judge, found, skipped)
    if not options.bounded:
        _check_marks(judge, found, skipped)
    return Report(
        tuple(sorted(found, key=lambda o: (o.filter_span, o.id))),
        tuple(sorted(set(skipped), key=lambda s: (s.span, s.reason, s.obstruction))),
        unused=() if module.hidden else suppressions.unused(skipped),  # what is hidden may hold filters
        untried=tuple(judge.untried),
        filters=len(module.filters),
        spark=tuple(map(text_of, options.targets.versions)),
    )


def _look_at_walls(judge: Judge, found: list[Opportunity], skipped: list[Skipped]) -> None:
    """Report the calls that ask a frame for more than is looked at (HW401 to HW404)."""
    if not judge.module.walls and not judge.module.jobs:
        return
    from .demand import demanded, in_one_pass

    together, why_not = in_one_pass(judge)
    found += together
    skipped += why_not
    merged = [s for o in together if isinstance(o.change, OnePass) for s in o.change.replaced]
    apart = [w for w in judge.module.walls if not any(s.start <= w.call.start and w.call.end <= s.end for s in merged)]
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
    """Report the joins of which only the match is used (HW405)."""
    if judge.module.joins:
        from .matches import matched

        _look_at_each(judge, judge.module.joins, matched, lambda join: join.join.span, found, skipped)


_T = TypeVar("_T")


def _look_at_each(
    judge: Judge, things: Iterable[_T], answered: Callable[[Judge, _T], tuple[Opportunity, ...] | Skipped],
    place: Callable[[_T], Span], found: list[Opportunity], skipped: list[Skipped],
) -> None:  # fmt: skip
    """Report what is ``answered`` of each of ``things``. An error of ours is said of its ``place``."""
    for thing in things:
        try:
            answer = answered(judge, thing)
        except Exception as error:
            judge.suppressions.unsettle(place(thing))
            reason = f"internal error: {type(error).__name__}: {error}".splitlines()[0]
            skipped.append(Skipped(place(thing), "opaque", reason))
            continue
        if isinstance(answer, Skipped):
            skipped.append(answer)
        else:
            found += answer


def _check_marks(judge: Judge, found: list[Opportunity], skipped: list[Skipped]) -> None:
    """Report the filters that are marked as pre-filters and change a result (HW301)."""
    from . import findings
    from .unsound_prefilter import in_words, marked_below, refuted, without

    for marked in marked_below(judge.module, judge.readable):
        start = judge.clock()
        try:
            wrong = refuted(marked, read(without(judge.source, marked), judge.options))
            if wrong is not None:
                witness = in_words(wrong, marked.condition)
                place = judge.place(wrong.moved)
                found += judge.shown(findings.unsound(place, marked, witness, judge.ms(start)))
        except Exception as error:
            skipped.append(internal_error(judge, marked.filter, error))
