"""What the tool makes of one file: the report of the command line's own call, and how far each filter came.

``python -m benchmarks.corpus.probe ROOT`` is a worker: a path per line in, a JSON record per line out.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from typing import Any

from headwater.engine.analysis.options import Options
from headwater.engine.analysis.reading import SourceFailure, read
from headwater.engine.files.discovery import Unreadable, read_source
from headwater.engine.files.service import analyse_file
from headwater.engine.report.report import Report
from headwater.operators.move import Moved, move
from headwater_ir.module import Module
from headwater_ir.plan import (
    Aggregate,
    Filter,
    GroupMap,
    Opaque,
    Plan,
    Project,
    RowUdf,
    Scan,
    Shared,
    Sort,
)
from headwater_ir.walks import below

from . import guard

Record = dict[str, Any]
Place = Callable[[int], tuple[int, int]]
_PLAIN = (Scan, Filter, Project, Sort, Shared, Opaque)
_WARM = "from pyspark.sql import functions as F\ndf = spark.table('t').groupBy('k').agg(F.max('x').alias('m'))\n"


def probe(path: Path, options: Options) -> Record:
    """One record. ``filters``: each filter that the front end sees, by the place where its call ends."""
    start = time.perf_counter()
    report = analyse_file(path, options, None)
    found: Record = {"seconds": round(time.perf_counter() - start, 4), "error": None, "filters": []}
    if report.report.error is not None:
        found["error"] = report.report.error.message
    try:
        text = read_source(path).text
        begin = time.process_time()
        module = read(text, options)
    except (Unreadable, SourceFailure):
        return found
    except Exception as error:
        return found | {"error": f"internal error: {type(error).__name__}: {error}"}
    found["frontend_ms"] = round((time.process_time() - begin) * 1000, 2)
    found["lines"] = text.count("\n") + 1
    found["filters"] = filters(module, report.report, text)
    return found


def filters(module: Module, report: Report, text: str) -> list[Record]:
    """Each filter of the module: where it ends, its text, how far it came, and what became of it."""
    place = places(text)
    verdicts = {o.filter_span.end: o.code for o in report.opportunities}
    refused = {s.span.end: (s.obstruction, s.reason) for s in report.skipped}
    by_end: dict[int, Record] = {}
    settled: dict[int, int] = {}
    for top in module.filters:
        found = by_end[top.call.end] = _filter(top)
        if found["stage"] == "posed" and top.call.end not in settled:
            for inner in found.pop("with"):
                settled.setdefault(inner, top.call.end)
        found.pop("with", None)
    kinds = {o.filter_span.end: o.kind for o in report.opportunities}
    calls = {f.call.end: f.call for f in module.filters}
    for end, found in by_end.items():
        at = settled.get(end, end)
        found["end"] = place(end)
        found["call"] = "".join(calls[end].text(text).lstrip(".\\ \t\r\n").split())
        if at in verdicts:
            found |= {"code": verdicts[at], "kind": kinds[at]}
        elif at in refused and found["stage"] == "posed":
            found |= {"obstruction": refused[at][0], "reason": refused[at][1]}
    return list(by_end.values())


def _filter(top: Filter) -> Record:
    opaque, bottom = _below(top)
    found: Record = {"opaque": opaque, "bottom": bottom}
    try:
        moved = move(top)
    except Exception as error:
        return found | {"stage": "crash", "obstruction": "opaque", "reason": f"{type(error).__name__}: {error}"}
    if isinstance(moved, Moved):
        boundary = moved.boundary.boundary.operator if moved.boundary.boundary else type(moved.boundary).__name__
        return found | {"stage": "posed", "boundary": boundary, "with": [f.call.end for f in moved.filters]}
    stage = "no boundary" if moved.no_boundary else "stopped"
    found["through"] = sorted({type(p).__name__ for p in below(top.child) if not isinstance(p, _PLAIN)})
    return found | {"stage": stage, "obstruction": moved.obstruction, "reason": moved.reason}


def _below(top: Filter) -> tuple[list[tuple[str, str]], str]:
    """Everything without a model between ``top`` and the first boundary, and what stands there."""
    opaque: list[tuple[str, str]] = []
    at: Plan | None = top.child
    while at is not None:
        if isinstance(at, (RowUdf, Aggregate, GroupMap)):
            return opaque, at.boundary.operator
        if isinstance(at, Scan):
            return opaque, "source" if at.format != "unknown" else at.origin.split(" ")[0]
        if isinstance(at, Opaque):
            opaque.append((at.obstruction, at.reason))
        if isinstance(at, Shared):
            opaque.append(("shared-subplan", "read more than once"))
        at = getattr(at, "child", None)  # an operator over several frames ends the trail
    return opaque, "unknown"


def places(text: str) -> Place:
    """From an offset in code points to a line (from 1) and a UTF-8 column, as ``ast`` counts."""
    starts = [0, *(m.end() for m in re.finditer(r"\r\n?|\n", text))]

    def place(offset: int) -> tuple[int, int]:
        line = bisect_right(starts, offset)
        return line, len(text[starts[line - 1] : offset].encode("utf-8", "surrogatepass"))

    return place


def main() -> None:
    """Serve until standard input ends."""
    root, timeout = Path(sys.argv[1]), float(sys.argv[2])
    options = Options(timeout_seconds=timeout)
    import z3  # noqa: F401  (what is loaded once is no part of a file's time)

    read(_WARM, options)
    breaches = guard.watch(root)
    for line in sys.stdin:
        found = probe(Path(json.loads(line)), options)
        found["breaches"] = breaches[:]
        breaches.clear()
        found["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
