"""One file, analysed: reading, cache and the pure core put together."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.memory import Memory
from headwater.engine.analysis.options import Options
from headwater.engine.analysis.reading import Reader, SourceFailure, read
from headwater.engine.analysis.solver import Solver
from headwater.engine.report.report import Report, SourceProblem
from headwater_ir.plan import Schema

from .cache import Cache
from .data import why_no_data, with_data, with_outputs
from .discovery import Unreadable, read_source
from .imports import placed, together

_LOOKED_AT = (
    "filter", "where", "join", "having",
    "collect", "topandas", "tolocaliterator", "count", "isempty", "first", "head", "take", "rdd", "cache", "persist",
    "groupby", "agg(", "inpandas", "inarrow", "udf", "explode", "window", "limit(", "offset(",
)  # fmt: skip
"""Where conditions stand, the ON clause of a join among them, and the calls that hand rows to the driver or a function
of an RDD. The last ones are what a filter may stand behind that no word names: ``frame[condition]``."""


@dataclass(frozen=True)
class FileReport:
    """A file's text as it was analysed (empty if it could not be read) and what was found in it."""

    path: str
    text: str
    report: Report
    seconds: float = 0.0
    cached: bool = False


@dataclass(frozen=True)
class Frames:
    """The frames of a file as ``Module.frames`` has them; ``notes``: a line for each place whose data say nothing."""

    frames: tuple[tuple[str, int, Schema, str], ...]
    notes: tuple[str, ...]


def analyse_file(path: Path, options: Options, cache: Cache | None, solve: Solver | None = None) -> FileReport:
    """The report of one file; whatever is wrong with the file is in the report."""
    start = time.perf_counter()
    try:
        source = read_source(path)
    except Unreadable as error:
        return FileReport(str(path), "", Report(error=error.problem), time.perf_counter() - start)
    text = source.text
    report, cached = analyse_cached(text, placed(path, with_outputs(source, options)), cache, solve)
    return FileReport(str(path), text, report, time.perf_counter() - start, cached)


def read_frames(path: Path, options: Options) -> Frames | SourceProblem:
    """What ``Module.frames`` says of the file, and why data files that it names say nothing."""
    try:
        source = read_source(path)
        options = with_outputs(source, options)
        text = together(source.text, placed(path, options))
        return Frames(read(text, with_data(text, options)).frames, why_no_data(text, options))
    except (Unreadable, SourceFailure) as error:
        return error.problem


def analyse_cached(
    text: str, options: Options, cache: Cache | None, solve: Solver | None = None
) -> tuple[Report, bool]:
    """The report of ``text``, and whether it was known already."""
    if cache is None or not may_hold_findings(text):
        return analyse_text(text, options, solve), False
    text, options = together(text, options), replace(with_data(text, options), place=None)
    known = cache.load(text, options)
    if known is not None:
        return known, True
    report = analyse_text(text, options, solve)
    cache.store(text, options, report)
    return report, False


def analyse_text(
    text: str,
    options: Options,
    solve: Solver | None = None,
    with_facts: Solver | None = None,
    reader: Reader | None = None,
    apart: bool = True,
    memory: Memory | None = None,
    rereads: bool = True,
) -> Report:
    """The report of ``text``; the analyser's own failure on the whole file is an error of the report."""
    if not may_hold_findings(text):
        return _syntax_only(text)
    own, text = text, together(text, options)
    options = replace(with_data(own, options), place=None)
    try:
        report = analyse(
            text, options, solve, with_facts=with_facts, reader=reader, apart=apart, memory=memory, rereads=rereads
        )
        return report if report.error is None or text == own else analyse(own, options, solve)
    except (RecursionError, MemoryError) as error:
        return Report(error=SourceProblem(f"nested too deeply, or too large ({type(error).__name__})"))
    except Exception as error:
        line = (str(error).splitlines() or [""])[0]
        return Report(error=SourceProblem(f"internal error: {type(error).__name__}: {line}"))


def may_hold_findings(text: str) -> bool:
    """A cheap gate: without one of these words no rule has anything to look at, and nothing heavy is loaded."""
    small = text.lower()
    return ("spark" in small and any(word in small for word in _LOOKED_AT)) or "headwater:" in small


def _syntax_only(text: str) -> Report:
    """A file without filters still has to be Python."""
    from headwater.engine.analysis.reading import null_byte, source_problem
    from headwater.syntax.source.notebook import parse

    if "\0" in text:
        return Report(error=null_byte(text))
    try:
        parse(text)
    except SyntaxError as error:
        at = (error.lineno or 1) - 1, (error.offset or 1) - 1
        return Report(error=source_problem(text, f"syntax error: {error.msg}", *at))
    except (RecursionError, MemoryError) as error:
        return Report(error=SourceProblem(f"nested too deeply, or too large ({type(error).__name__})"))
    except ValueError as error:
        return Report(error=SourceProblem(f"cannot be parsed: {error}"))
    return Report()
