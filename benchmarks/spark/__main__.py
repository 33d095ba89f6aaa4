"""``make bench NAME=spark``: pipelines of the suite and the examples on Spark, as they stand and as rewritten.

Each pipeline runs in a process of its own, and its result is written at once: one that fails does not stop the others,
and ``--resume`` goes on where a run has ended. Exit code 0 only if every pipeline ran and gave equal rows.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.synthesis.machine import ROOT, describe
from rich.console import Console

from headwater.bench.client import measured
from headwater.bench.job import Failed, Job, Measured
from headwater.engine.analysis.options import Options
from headwater.engine.files.fixing import Fixed, fix_text
from headwater.engine.files.service import analyse_text

from . import data, plot, report
from .pipelines import EVERY, Pipeline

RESULTS = Path(__file__).parent / "results"
TIMEOUT_SECONDS = 1800.0
"""For one pipeline; a machine on which one takes that long should take fewer rows."""
Record = dict[str, Any]


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark", description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000, help="rows per table (default: %(default)s)")
    parser.add_argument(
        "--runs", type=int, default=3, help="timed runs per version, alternating (default: %(default)s)"
    )
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="pipelines whose name has one of these in it")
    parser.add_argument("--all", action="store_true", help="also those that take many minutes")
    parser.add_argument("--resume", action="store_true", help="keep results of the same program, rows and runs")
    parser.add_argument("--output", type=Path, help="where results and report go, instead of into the repository")
    parser.add_argument("--data", type=Path, help="keep generated data there")
    parser.add_argument("--report", action="store_true", help="measure nothing: write the report of what is there")
    options = parser.parse_args()
    if options.rows < 1 or options.runs < 1:
        parser.error("--rows and --runs must be positive")
    options.pipelines = [
        p for p in EVERY if (any(t in p.name for t in options.only) if options.only else options.all or not p.slow)
    ]
    if not options.pipelines:
        parser.error("no such pipeline")
    return options


def rewritten(source: str) -> Fixed:
    """The tool's own rewrite of a program; Failed if it has none."""
    options = Options(timeout_seconds=120, show_all=True)
    fixed = fix_text(source, lambda text: analyse_text(text, options), accept_assumptions=True)
    if not fixed.applied:
        raise Failed("nothing is proved of this pipeline")
    return fixed


def identity(pipeline: Pipeline, fixed: Fixed, options: argparse.Namespace) -> Record:
    """What a result is of: the same identity, the same measurement."""
    return {
        "pipeline": pipeline.name,
        "rows": options.rows * pipeline.scale,
        "runs": options.runs,
        "data": data.VERSION,
        "before": pipeline.source(),
        "after": fixed.text,
    }


def one(pipeline: Pipeline, options: argparse.Namespace, results: Path, console: Console) -> Record:
    """The record of one pipeline, measured now or before."""
    start = time.perf_counter()
    try:
        fixed = rewritten(pipeline.source())
        about = identity(pipeline, fixed, options)
    except Failed as failed:
        return {"pipeline": pipeline.name, "error": str(failed), "details": failed.details}
    path = results / f"{pipeline.name.replace('/', '-').replace(':', '-')}.json"
    known = _load(path)
    if options.resume and known is not None and known["about"] == about:
        return known
    (o, *_) = fixed.applied
    record: Record = {
        "about": about,
        "pipeline": pipeline.name,
        "kind": o.kind,
        "operator": o.operator,
        "prefilter": o.prefilter_sql or o.prefilter_text or o.fix,
        "machine": describe(),
    }
    try:
        record["measured"] = _run(pipeline, fixed, options, console)
    except Failed as failed:
        record |= {"error": str(failed), "details": failed.details}
    record["wall"] = round(time.perf_counter() - start, 1)
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return record


def _load(path: Path) -> Record | None:
    try:
        record: Record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return record if "measured" in record else None


def _run(pipeline: Pipeline, fixed: Fixed, options: argparse.Namespace, console: Console) -> Measured:
    with (
        tempfile.TemporaryDirectory(prefix="headwater-spark-", dir=options.data) as scratch,
        console.status("") as status,
    ):
        status.update(f"{pipeline.name}: generating data")
        folder = pipeline.data(options.data or Path(scratch), options.rows)
        for name, text in (("before.py", pipeline.source()), ("after.py", fixed.text)):
            (Path(scratch) / name).write_text(text, encoding="utf-8")
        job: Job = {
            "before": str(Path(scratch) / "before.py"),
            "after": str(Path(scratch) / "after.py"),
            "name": str(pipeline.path),
            "arguments": [],
            "modules": [],
            "rows": options.rows,
            "runs": options.runs,
            "kept": 0.0,
            "tables": {pipeline.table: str(folder)},
            "schemas": {},
            "prefilters": [o.prefilter_sql for o in fixed.applied if o.prefilter_sql],
            "master": "local[*]",
            "conf": {},
            "scratch": scratch,
        }
        return measured(job, lambda step: status.update(f"{pipeline.name}: {step}"), TIMEOUT_SECONDS)


def main() -> int:
    """The exit code."""
    options = arguments()
    console = Console(width=None if sys.stdout.isatty() else 160)
    out: Path = options.output or RESULTS
    results = out / "pipelines" if options.output else out
    for folder in (results, *filter(None, [options.data])):
        folder.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    records: list[Record] = []
    if options.report:
        records = [r for r in (_load(p) for p in sorted(results.glob("*.json"))) if r is not None]
    else:
        for number, pipeline in enumerate(options.pipelines, 1):
            record = one(pipeline, options, results, console)
            records.append(record)
            console.print(
                f"{number:2} of {len(options.pipelines)}  {report.line(record)}", markup=False, highlight=False
            )
    seconds = time.perf_counter() - start
    console.print(report.table(records))
    console.print(report.kinds_table(records))
    done = [r for r in records if "measured" in r]
    if done and (options.output or not options.only):
        _write(options, done, records)
    console.print(f"{len(done)} of {len(records)} pipelines measured in {seconds:.0f} s", highlight=False)
    return 0 if done and all("measured" in r and r["measured"]["equal"] for r in records) else 1


def _write(options: argparse.Namespace, done: list[Record], records: list[Record]) -> None:
    """The report with its picture."""
    if options.output:
        text, picture = options.output / "spark.md", options.output / "spark.png"
    else:
        text, picture = ROOT / "docs/benchmarks/spark.md", ROOT / "docs/images/spark-benchmark.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    plot.draw(done, picture)
    shown = picture.name if options.output else f"../images/{picture.name}"
    text.write_text(report.markdown(records, shown), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
