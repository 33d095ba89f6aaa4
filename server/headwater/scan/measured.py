"""What event logs say of the findings of a scan, put into its results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.engine.files.jupyter import SUFFIX as NOTEBOOK
from headwater.engine.report.positions import Lines
from headwater.engine.report.report import Opportunity
from headwater.event_log.matching import Measured, Measurements
from headwater.event_log.model import Logs
from headwater.event_log.spark_calls import TO_THE_DRIVER, JobCalls, Place, job_calls
from headwater.event_log.words import in_words
from headwater_ir.change import OnePass

if TYPE_CHECKING:
    from .result import FileResult
    from .shown import Shown

LABEL = "cost"


def calls_of(path: str, lines: Lines, found: Sequence[Opportunity]) -> JobCalls:
    """The calls of a text that event logs name, and those whose jobs compute what the findings are about. None in a
    notebook: its cells run under names that are made up."""
    if path.endswith(NOTEBOOK):
        return JobCalls(of=((),) * len(found))
    return job_calls(lines.text, [_place(lines, o) for o in found])


def _place(lines: Lines, o: Opportunity) -> Place:
    jobs = o.change.replaced if isinstance(o.change, OnePass) else ()
    at = o.boundary_span if o.operator in TO_THE_DRIVER else o.filter_span  # what is asked of its rows starts no job
    return Place(_end(lines, at.end), tuple((_end(lines, s.start), _end(lines, s.end)) for s in jobs))


def _end(lines: Lines, offset: int) -> tuple[int, int]:
    line = lines.line_of(offset)
    return line + 1, len(lines.text[lines.starts[line] : offset].encode("utf-8", "replace"))


def with_costs(results: Sequence[FileResult], logs: Logs) -> list[FileResult]:
    """The results with what their findings cost, as far as ``logs`` know: in the report, and for people."""
    full = {r["file"]["path"]: _absolute(r["file"]["path"]) for r in results}
    measurements = Measurements(logs, full.values())
    return [with_cost(r, measurements, full[r["file"]["path"]]) for r in results]


def _absolute(path: str) -> str:
    return path if "://" in path else str(Path(path).absolute())


def with_cost(result: FileResult, measurements: Measurements, path: str) -> FileResult:
    """The result of one file, which ``measurements`` know by the name ``path``."""
    every = frozenset((method, line) for method, line in result["calls"])
    costs = [
        measurements.of(path, [(method, line) for method, line in shown["calls"]], every) for shown in result["shown"]
    ]
    found = [
        {**o, "measured": None if c is None else cost_json(c)}
        for o, c in zip(result["file"]["opportunities"], costs, strict=True)
    ]
    shown = [s if c is None else _told(s, c) for s, c in zip(result["shown"], costs, strict=True)]
    return {**result, "file": {**result["file"], "opportunities": found}, "shown": shown}


def _told(shown: Shown, measured: Measured) -> Shown:
    return {**shown, "details": [[LABEL, in_words(measured)], *shown["details"]]}


def cost_json(measured: Measured) -> dict[str, Any]:
    """``measured`` in the report."""
    return {
        "text": in_words(measured),
        "application": measured.application,
        "date": measured.day or None,
        "runs": measured.runs,
        **asdict(measured.cost),
    }


def seconds_of(opportunity: dict[str, Any]) -> float:
    """What a finding of a report cost, in seconds of wall time; -1 if nobody knows."""
    measured = opportunity.get("measured")
    return -1.0 if measured is None else float(measured["seconds"])
