"""The pure core: a source text in, a report out. No I/O, no globals; the solver and the clock are passed in."""

from __future__ import annotations

import time
from dataclasses import replace

from headwater.engine.report.own_part import of_file
from headwater.engine.report.positions import Lines
from headwater.engine.report.report import Opportunity, Report, Skipped
from headwater.syntax.names.spark_versions import text_of
from headwater.syntax.source.linked import own_end
from headwater_ir.module import Module
from headwater_ir.span import Span

from .attempts import attempted, internal_error
from .data.together import together
from .demand import look_for_smaller_demands
from .hidden_from_source import look_for_hidden_conditions
from .judging import Judge
from .memory import Memory
from .options import Options
from .reading import Reader, SourceFailure, read
from .solver import Clock, Solver, bounded, guarded, synthesis
from .suppressions import Suppressions

__all__ = ["Options", "Report", "analyse"]

QUICK_SECONDS = 3.0
"""What the filters of one file may take before somebody who types is answered; those that are left are tried when
nobody does."""


def analyse(
    source: str,
    options: Options | None = None,
    solve: Solver | None = None,
    clock: Clock = time.process_time,
    with_facts: Solver | None = None,
    reader: Reader | None = None,
    apart: bool = True,
    memory: Memory | None = None,
    rereads: bool = True,
) -> Report:
    """Everything that can be said of ``source``. A text that does not parse is a report with an error.

    ``solve`` is by default what ``options`` ask for: full synthesis, or the bounded check. ``with_facts`` is asked what
    would be proved if some fact held; by default ``solve`` is, and nobody where ``options`` ask for the bounded check.
    ``reader`` reads the text as the front end does, perhaps quicker. ``apart``: filters on frames that others use too
    are tried in branches of their own, each a text to be read; else the report names those that nobody tried,
    and those for which the time of an answer to a keystroke was not enough.
    ``memory``: what the analysis of an earlier version of the text left. ``rereads``: the text after each edit is read
    again and compared with what was proved; not so with ``options.bounded``.
    """
    options = options or Options()
    solve = solve or (bounded if options.bounded else synthesis)
    with_facts = with_facts or (None if options.bounded else solve)
    if options.data:
        alone = analyse(source, replace(options, data=()), solve, clock, with_facts, reader, apart, memory, rereads)
        if alone.error:
            return alone
        module = read(source, options)
        known = analyse_module(source, module, options, solve, clock, with_facts, apart, Memory(), rereads)
        return together(alone, known, options.show_all)
    try:
        module = read(source, options, reader)
    except SourceFailure as error:
        return Report(error=error.problem)
    return analyse_module(source, module, options, solve, clock, with_facts, apart, memory or Memory(), rereads)


def analyse_module(
    source: str, module: Module, options: Options, solve: Solver, clock: Clock, with_facts: Solver | None, apart: bool,
    memory: Memory, rereads: bool = True,
) -> Report:  # fmt: skip
    """The report of a text that the front end has read; see ``analyse``."""
    if module.ignore_file:
        return Report(filters=len(module.filters))
    suppressions = Suppressions(Lines(source), module.ignored_lines, options.severity)
    judge = Judge(
        source,
        module,
        options,
        guarded(solve),
        clock,
        with_facts and guarded(with_facts),
        suppressions,
        memory,
        apart,
        rereads and not options.bounded,
    )
    found: list[Opportunity] = []
    skipped = [Skipped(span, "opaque", why) for span, why in module.hidden]
    settled: set[Span] = set()
    judge.started = clock()
    for filter_ in module.filters:
        if filter_.call in settled:
            continue
        judge.at = filter_.call
        if options.bounded:
            suppressions.unsettle(judge.at)
        if not apart and clock() - judge.started > QUICK_SECONDS:
            judge.untried.append(filter_.call.end)
            suppressions.unsettle(filter_.call)
            continue
        late = judge.out_of_time(filter_.call)
        if late is not None:
            skipped.append(late)
            continue
        outcome = attempted(judge, filter_)
        found += outcome.found
        skipped += outcome.skipped
        settled |= outcome.settled
    judge.started = clock()
    look_for_smaller_demands(judge, found, skipped)
    judge.started = clock()
    look_for_hidden_conditions(judge, found, skipped)
    if not options.bounded:
        _check_marks(judge, found, skipped)
        _check_data_sources(judge, found, skipped)
    whole = Report(
        tuple(sorted(found, key=lambda o: (o.filter_span, o.id))),
        tuple(sorted({*skipped, *judge.left_out}, key=lambda s: (s.span, s.reason, s.obstruction))),
        unused=() if module.hidden else suppressions.unused(skipped),  # what is hidden may hold filters
        untried=tuple(judge.untried),
        filters=len(module.filters),
        spark=tuple(map(text_of, options.targets.versions)),
    )
    end = own_end(source)
    return whole if end == len(source) else of_file(whole, source, [f.call for f in module.filters])


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


def _check_data_sources(judge: Judge, found: list[Opportunity], skipped: list[Skipped]) -> None:
    """Report the data sources that keep filters which they do not apply (HW203)."""
    if "pushFilters" not in judge.readable:
        return
    from .data_sources import dishonest

    try:
        found += dishonest(judge)
    except Exception as error:
        at = judge.readable.index("pushFilters")
        reason = f"internal error: {type(error).__name__}: {error}".splitlines()[0]
        skipped.append(Skipped(Span(at, at + len("pushFilters")), "opaque", reason))
