"""One file, scanned: its bytes in, a value of plain JSON out.

The value is what every engine gives, wherever it runs, and all that every report is made of: nobody who writes a report
needs the file again. It says nothing of the machine that made it, save for times.
"""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from headwater.engine.analysis.options import Options
from headwater.engine.analysis.solver import Solver, bounded, synthesis
from headwater.engine.documents.verdicts import Verdicts
from headwater.engine.files.data import with_outputs
from headwater.engine.files.discovery import MAX_BYTES, Unreadable, decode_source
from headwater.engine.files.jupyter import MAX_BYTES as MAX_NOTEBOOK_BYTES
from headwater.engine.files.jupyter import SUFFIX as NOTEBOOK
from headwater.engine.files.jupyter import decode_notebook, lines_of
from headwater.engine.files.regular_file import TooLarge, read_regular
from headwater.engine.files.service import FileReport, analyse_text
from headwater.engine.files.unreadable import concerns_spark, file_concerns_spark, mentions_spark
from headwater.engine.report.report import Report, SourceProblem
from headwater_ir.codec import dumps

from .json_report import error_line, file_json
from .measured import calls_of
from .shown import Shown, shown

__all__ = ["FileResult", "Problem", "content_of", "failed", "placed", "scan_content", "unreadable"]


class Problem(TypedDict):
    """Why there is no result; zero-based position, ``character`` in UTF-16 units."""

    message: str
    line: int
    character: int


class FileResult(TypedDict):
    """What is known of one file.

    * ``file``: its entry in the JSON report, docs/report.schema.json, without paths of certificates;
    * ``shown``: of each opportunity, in the same order, what people read;
    * ``certificates``: of each opportunity, in the same order, the certificate's text;
    * ``problem``: why the file could not be analysed; then there are no opportunities;
    * ``unread``: whether it could not be read and is no error, for it does not mention Spark; then it has no
      ``problem``;
    * ``spark``: whether it mentions Spark and was read; ``filters``: how many filters of PySpark code it has;
    * ``calls``: of its text, those that event logs name, each a method and a line from one, if there are opportunities;
    * ``lines``: of its text; ``seconds``: of wall time, reading not included.
    """

    file: dict[str, Any]
    shown: list[Shown]
    certificates: list[str | None]
    problem: Problem | None
    unread: bool
    spark: bool
    filters: int
    calls: list[list[Any]]
    lines: int
    seconds: float


def scan_content(path: str, content: bytes, options: Options, verdicts: Path | None = None) -> FileResult:
    """Everything that can be said of a file named ``path`` that holds ``content``. Never raises.

    ``verdicts`` is a cache directory: what was proved before, in whatever file, is not proved again.
    """
    start = time.perf_counter()
    try:
        source = (decode_notebook if path.endswith(NOTEBOOK) else decode_source)(content)
        text = source.text
        report = analyse_text(text, with_outputs(source, options), _solver(options, verdicts))
        result = failed(path, report.error, content) if report.error else _result(path, text, report)
    except Unreadable as error:
        result = failed(path, error.problem, content)
    except (RecursionError, MemoryError) as error:
        result = failed(path, SourceProblem(f"nested too deeply, or too large ({type(error).__name__})"), content)
    except Exception as error:
        line = (str(error).splitlines() or [""])[0]
        result = failed(path, SourceProblem(f"internal error: {type(error).__name__}: {line}"))
    result["seconds"] = round(time.perf_counter() - start, 3)
    return result


def failed(path: str, problem: SourceProblem, content: bytes | None = None) -> FileResult:
    """The result of a file that could not be read or analysed, ``problem`` says why. It is no error of the scan where
    ``content``, if that is known, is none of its business."""
    if content is None or concerns_spark(content, problem):
        return _result(path, "", Report(error=problem))
    return {**_result(path, "", Report()), "unread": True}


def placed(result: FileResult, path: str) -> FileResult:
    """The same content under another name."""
    problem = result["problem"]
    error = None if problem is None else error_line(path, SourceProblem(**problem))
    return {**result, "file": {**result["file"], "path": path, "error": error}}


def unreadable(path: Path, problem: SourceProblem) -> FileResult:
    """The result of a file whose bytes could not be had, ``problem`` says why."""
    return failed(str(path), problem, None if file_concerns_spark(path, problem) else b"")


def content_of(path: Path) -> bytes | SourceProblem:
    """The bytes of a file, or why there are none."""
    try:
        return read_regular(path, MAX_NOTEBOOK_BYTES if path.suffix == NOTEBOOK else MAX_BYTES)
    except TooLarge as error:
        return SourceProblem(f"the file is too large ({error})")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return SourceProblem(f"cannot be read: {reason or error}")


def _result(path: str, text: str, report: Report) -> FileResult:
    lines = lines_of(path, text)
    calls = calls_of(path, lines, report.opportunities)
    return {
        "file": file_json(FileReport(path, text, report), None),
        "shown": [shown(lines, text, o, c) for o, c in zip(report.opportunities, calls.of, strict=True)],
        "certificates": [None if o.certificate is None else dumps(o.certificate) for o in report.opportunities],
        "problem": _problem(report.error),
        "unread": False,
        "spark": bool(text) and mentions_spark(text.encode("utf-8", "replace")),
        "filters": report.filters,
        "calls": sorted(map(list, calls.all)),
        "lines": len(lines) if text else 0,
        "seconds": 0.0,
    }


def _problem(error: SourceProblem | None) -> Problem | None:
    return None if error is None else {"message": error.message, "line": error.line, "character": error.character}


def _solver(options: Options, verdicts: Path | None) -> Solver:
    if options.bounded:
        return bounded
    return synthesis if verdicts is None else _known(verdicts, options.timeout_seconds).solving(synthesis)


@cache
def _known(directory: Path, seconds: float) -> Verdicts:
    return Verdicts(directory, seconds)
