"""One file, scanned: its bytes in, a value of plain JSON out.

The value is what every engine gives, wherever it runs, and all that every report is made of: nobody who writes a report
needs the file again. It says nothing of the machine that made it, save for times.
"""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from headwater.engine.files import MAX_BYTES, TooLarge, Unreadable, decode_source, read_regular
from headwater.engine.json_report import error_line, file_json
from headwater.engine.jupyter import MAX_BYTES as MAX_NOTEBOOK_BYTES
from headwater.engine.jupyter import SUFFIX as NOTEBOOK
from headwater.engine.jupyter import decode_notebook, lines_of
from headwater.engine.options import Options
from headwater.engine.report import Report, SourceProblem
from headwater.engine.service import FileReport, analyse_text
from headwater.engine.solver import Solver, bounded, synthesis
from headwater.engine.verdicts import Verdicts
from headwater_ir.codec import dumps

from .shown import Shown, shown

__all__ = ["FileResult", "Problem", "content_of", "failed", "placed", "scan_content"]


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
    * ``lines``: of its text; ``seconds``: of wall time, reading not included.
    """

    file: dict[str, Any]
    shown: list[Shown]
    certificates: list[str | None]
    problem: Problem | None
    lines: int
    seconds: float


def scan_content(path: str, content: bytes, options: Options, verdicts: Path | None = None) -> FileResult:
    """Everything that can be said of a file named ``path`` that holds ``content``. Never raises.

    ``verdicts`` is a cache directory: what was proved before, in whatever file, is not proved again.
    """
    start = time.perf_counter()
    try:
        text = (decode_notebook if path.endswith(NOTEBOOK) else decode_source)(content).text
        result = _result(path, text, analyse_text(text, options, _solver(options, verdicts)))
    except Unreadable as error:
        result = failed(path, error.problem)
    except (RecursionError, MemoryError) as error:
        result = failed(path, SourceProblem(f"nested too deeply, or too large ({type(error).__name__})"))
    except Exception as error:
        line = (str(error).splitlines() or [""])[0]
        result = failed(path, SourceProblem(f"internal error: {type(error).__name__}: {line}"))
    result["seconds"] = round(time.perf_counter() - start, 3)
    return result


def failed(path: str, problem: SourceProblem) -> FileResult:
    """The result of a file that could not be read or analysed, ``problem`` says why."""
    return _result(path, "", Report(error=problem))


def placed(result: FileResult, path: str) -> FileResult:
    """The same content under another name."""
    problem = result["problem"]
    error = None if problem is None else error_line(path, SourceProblem(**problem))
    return {**result, "file": {**result["file"], "path": path, "error": error}}


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
    return {
        "file": file_json(FileReport(path, text, report), None),
        "shown": [shown(lines, text, o) for o in report.opportunities],
        "certificates": [None if o.certificate is None else dumps(o.certificate) for o in report.opportunities],
        "problem": _problem(report.error),
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
