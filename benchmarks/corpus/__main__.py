"""``make bench NAME=corpus ARGS='--root dir'``: what the tool makes of real PySpark, as figures.

Exit code 1 if a file crashes or hangs the analyser, something is executed, or a listed case is proved that must not be.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.synthesis import machine
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from . import cases, ladder, report, survey


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="holds one directory OWNER+NAME per repository")
    parser.add_argument("--cases", type=Path, help="JSON with a list `cases` of judged places")
    parser.add_argument("--timeout", type=float, default=10.0, help="processor seconds per filter (%(default)s)")
    parser.add_argument("--wall", type=float, default=120.0, help="wall seconds per file (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes (%(default)s)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write FILE (JSON) and a report beside it (.md)")
    parser.add_argument("--records", type=Path, metavar="FILE", help="write what is found of each filter: holds code")
    parser.add_argument("--revision", help="what the results call the code that was measured")
    return parser.parse_args()


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """The records of all files."""
    root = options.root.resolve()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("files", total=len(survey.files(root)))
        return survey.survey(root, options.timeout, options.wall, options.jobs, lambda: progress.advance(task))


def results(options: argparse.Namespace, records: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """The figures of a run: no foreign code, only counts and places."""
    listed = json.loads(options.cases.read_text(encoding="utf-8"))["cases"] if options.cases else []
    judged = cases.judged(listed, records, options.root)
    described = machine.describe()
    if options.revision:
        described |= {"revision": options.revision, "changed_since": False}
    return {
        "machine": described,
        "repositories": len({r["repo"] for r in records}),
        "seconds": round(seconds),
        "jobs": options.jobs,
        **ladder.figures(records),
        "case_counts": cases.count(judged),
        "cases": judged,
    }


def failed(found: dict[str, Any]) -> bool:
    """Whether the run shows what must never be."""
    files = found["files"]
    never = (files["crashed"], files["hung"], files["internal errors"], files["breaches"])
    return any(never) or any(c["outcome"] == "wrong" for c in found["cases"])


def main() -> int:
    """The exit code."""
    options = arguments()
    if not options.root.is_dir():
        print(f"{options.root} is no directory", file=sys.stderr)
        return 2
    start = time.perf_counter()
    records = measure(options)
    found = results(options, records, time.perf_counter() - start)
    if options.records:
        options.records.write_text(json.dumps(records), encoding="utf-8")
    text = report.markdown(found)
    if options.output:
        options.output.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        options.output.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)
    return 1 if failed(found) else 0


if __name__ == "__main__":
    sys.exit(main())
