"""``make bench NAME=places ARGS='--root dir'``: the judged places of smaller demand beside what the tool says.

Smaller demands (HW401 to HW407), filters of the driver's and data sources are looked at, by the engine's own analysis
of each file with a second for each filter; those that are left out by default (HW405, HW406) as if asked for.
Nothing of ``dir`` is run. Exit code 1 if something is.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from headwater.engine.analysis.analyse import analyse_module
from headwater.engine.analysis.memory import Memory
from headwater.engine.analysis.options import Options
from headwater.engine.analysis.reading import SourceFailure, read
from headwater.engine.analysis.solver import synthesis
from headwater.engine.files.discovery import Unreadable, read_source
from headwater.engine.files.jupyter import lines_of
from headwater.engine.report.positions import Lines
from headwater_ir.span import Span

from . import guard, survey, texts

Record = dict[str, Any]
CODES = {
    "unread-columns": "HW401", "first-rows": "HW402", "emptiness": "HW403", "repeated-scan": "HW404",
    "semi-or-anti-join": "HW405", "group-extreme": "HW406", "single-use-cache": "HW407", "driver-filter": "HW103",
    "dishonest-source": "HW203",
}  # fmt: skip
"""The classes of places that a rule looks for, and the rule."""
_LEFT_OUT = ("HW405", "HW406")
"""Findings that are shown if all are asked for."""
_NEAR = 1
_breaches: list[str] = []


def watched(root: Path) -> None:
    """Prepare a worker process."""
    global _breaches
    import z3  # noqa: F401  (loaded before anything is watched)

    read("from pyspark.sql import functions as F\nspark.table('t').collect()[0]\n", Options())
    _breaches = guard.watch(root)


def examined(path: Path) -> Record:
    """What the tool says of one file. ``findings``: code, place, and the lines (in the tool's text) from the frame to
    the end of what reads it; ``quiet``: the calls about which a rule says why it proposes nothing."""
    found: Record = {"spark": False, "error": None, "findings": [], "quiet": [], "walls": 0}
    try:
        text = read_source(path).text
        if "spark" not in text.lower():
            return found
        found["spark"] = texts.load(path).is_pyspark
        module = read(text, Options())
    except (Unreadable, SourceFailure, ValueError) as error:
        return found | {"error": f"{type(error).__name__}: {error}"}
    except Exception as error:
        return found | {"error": f"internal error: {type(error).__name__}: {error}"}
    short = Options(timeout_seconds=1)  # for filters
    report = analyse_module(text, module, short, synthesis, time.process_time, None, False, Memory())
    shown = [*report.opportunities]
    if module.joins or module.extremes:
        every = replace(short, show_all=True)
        hidden = analyse_module(text, module, every, synthesis, time.process_time, None, False, Memory())
        shown += [o for o in hidden.opportunities if o.code in _LEFT_OUT]
    lines = lines_of(str(path), text)
    found["walls"] = len(module.walls)
    for o in shown:
        span = Span(o.boundary_span.start, max(o.boundary_span.end, o.filter_span.end))
        found["findings"].append(_said(lines, span) | {"code": o.code, "status": o.status, "message": o.message})
    found["quiet"] = [
        _said(lines, s.span) | {"reason": s.reason} for s in report.skipped if s.obstruction != "time-out"
    ]
    return found | {"breaches": _breaches[:]}


def _said(lines: Lines, span: Span) -> Record:
    first, last = lines.position(span.start), lines.position(span.end)
    return {"cell": first.cell, "first": first.line + 1, "last": last.line + 1}


def outcome(place: Record, record: Record | None) -> str:
    """What became of a judged place: ``reported``, ``quiet: reason``, ``no call is seen`` or ``no file``."""
    if record is None:
        return "no file"
    said = [f for f in record["findings"] if f["code"] == CODES[place["class"]] and _meets(place["line"], f)]
    if said:
        return "reported"
    quiet = [q["reason"] for q in record["quiet"] if _meets(place["line"], q)]
    return f"quiet: {quiet[0]}" if quiet else "quiet"


def _meets(line: str, said: Record) -> bool:
    cell, _, number = line.removeprefix("cell ").rpartition(":")
    if said["cell"] != (int(cell) if cell else None):
        return False
    return bool(said["first"] - _NEAR <= int(number) <= said["last"] + _NEAR)


def judged(listed: list[Record], records: dict[tuple[str, str], Record]) -> list[Record]:
    """The places of classes that a rule looks for, each with its outcome."""
    kept = ("repo", "path", "line", "class", "verdict", "value")
    return [
        {k: p[k] for k in kept} | {"outcome": outcome(p, records.get((p["repo"], p["path"])))}
        for p in listed
        if p["class"] in CODES
    ]


def unlisted(listed: list[Record], records: dict[tuple[str, str], Record]) -> Iterator[Record]:
    """The findings at places that nobody has judged."""
    for (repo, path), record in sorted(records.items()):
        here = [p for p in listed if (p["repo"], p["path"]) == (repo, path)]
        for found in record["findings"]:
            if not any(_meets(p["line"], found) and CODES.get(p["class"]) == found["code"] for p in here):
                at = f"cell {found['cell']}:{found['first']}" if found["cell"] is not None else str(found["first"])
                yield {"repo": repo, "path": path, "line": at, "last": found["last"], "code": found["code"]}


def figures(places: list[Record], records: dict[tuple[str, str], Record]) -> Record:
    """Counts: of each class how many true places are found and how many traps are reported, and the findings."""
    spark = sum(r["spark"] for r in records.values())
    classes: Record = {}
    for name in CODES:
        here = [p for p in places if p["class"] == name and p["outcome"] != "no file"]
        classes[name] = {
            v: {"reported": sum(p["outcome"] == "reported" for p in here if p["verdict"] == v),
                "of": sum(p["verdict"] == v for p in here)}
            for v in ("true", "trap", "unclear")
        }  # fmt: skip
    found = Counter(f["code"] for r in records.values() for f in r["findings"])
    return {
        "files": len(records), "pyspark_files": spark, "errors": sum(r["error"] is not None for r in records.values()),
        "breaches": sum(len(r.get("breaches", ())) for r in records.values()),
        "walls": sum(r["walls"] for r in records.values()), "classes": classes, "findings": dict(sorted(found.items())),
        "per_100_pyspark_files": round(100 * sum(found.values()) / max(spark, 1), 1),
        "places_without_file": sum(p["outcome"] == "no file" for p in places),
    }  # fmt: skip


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus.places", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="holds one directory OWNER+NAME per repository")
    parser.add_argument("--places", type=Path, default=Path(__file__).with_name("places.jsonl"))
    parser.add_argument("--jobs", type=int, default=2, help="worker processes (%(default)s)")
    parser.add_argument("--judged-files", action="store_true", help="look at no file without a judged place")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write figures and places to FILE (JSON)")
    parser.add_argument("--records", type=Path, metavar="FILE", help="write all that is said of each file")
    options = parser.parse_args()
    root = options.root.resolve()
    listed = [json.loads(line) for line in options.places.read_text(encoding="utf-8").splitlines()]
    names = {root / p["repo"].replace("/", "+") / p["path"] for p in listed}
    paths = [p for p in survey.files(root) if not options.judged_files or p in names]
    with ProcessPoolExecutor(options.jobs, initializer=watched, initargs=(root,)) as pool:
        answers = list(pool.map(examined, paths, chunksize=8))
    records = {_key(p.relative_to(root)): a for p, a in zip(paths, answers, strict=True)}
    places = judged(listed, records)
    found = figures(places, records)
    if options.records:
        every = [{"repo": r, "path": p} | a for (r, p), a in records.items()]
        options.records.write_text(json.dumps(every, indent=1), encoding="utf-8")
    if options.output:
        whole = found | {"places": places, "not judged": list(unlisted(listed, records))}
        options.output.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))
    return 1 if found["breaches"] else 0


def _key(name: Path) -> tuple[str, str]:
    return name.parts[0].replace("+", "/", 1), str(Path(*name.parts[1:]))


if __name__ == "__main__":
    sys.exit(main())
