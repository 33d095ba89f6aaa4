"""``make demo``: finds, proves and applies the rewrite of every example, then runs both versions on local Spark.

Exit code 0 only if every example was rewritten with a proof that verifies and every pair of results has equal rows.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from . import tool
from .data import VERSION, generate
from .measure import STEPS_BESIDE_RUNS, Measurement, measure, session
from .pipelines import EXAMPLES, PIPELINES, Pipeline
from .report import results_table, show_finding

OUT = Path(__file__).resolve().parents[2] / "demo-out"
STEPS_BESIDE_MEASURING = 2
"""Data and rewrite."""


@dataclass(frozen=True)
class Outcome:
    """One line of the final table. ``finding`` is the JSON report's opportunity; None: nothing proved."""

    pipeline: Pipeline
    finding: dict[str, Any] | None
    verified: bool = False
    measurement: Measurement | None = None

    @property
    def good(self) -> bool:
        """Found, proved again from its certificate, and the same rows."""
        return self.verified and self.measurement is not None and self.measurement.equal


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.demo", description=__doc__)
    names = [p.name for p in PIPELINES]
    parser.add_argument("--rows", type=int, default=4_000_000, help="rows per data set (default: %(default)s)")
    parser.add_argument(
        "--runs", type=int, default=2, help="timed runs per version, alternating (default: %(default)s)"
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=names, default=names, help=", ".join(names))
    parser.add_argument("--output", type=Path, help="also write the results to this JSON file")
    options = parser.parse_args()
    if options.rows < 1 or options.runs < 1:
        parser.error("--rows and --runs must be positive")
    return options


def rewrite(pipeline: Pipeline, folder: Path) -> Path:
    """A copy of the example in ``folder``, fixed."""
    copy = folder / pipeline.path.name
    shutil.copyfile(pipeline.path, copy)
    tool.fix(copy)
    return copy


def run(options: argparse.Namespace, console: Console, scratch: Path) -> list[Outcome]:
    """Scans once, then takes the examples one by one."""
    chosen = [p for p in PIPELINES if p.name in options.only]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    steps = STEPS_BESIDE_MEASURING + STEPS_BESIDE_RUNS + 2 * options.runs
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("headwater scan examples/", total=1 + steps * len(chosen))
        started = time.perf_counter()
        findings = tool.scan(EXAMPLES)
        found = sum(map(len, findings.values()))
        console.print(f"headwater scan examples/: {found} findings in {time.perf_counter() - started:.1f} s")
        progress.update(task, description="starting Spark", advance=1)
        spark = session()
        try:
            outcomes = []
            for number, pipeline in enumerate(chosen):
                progress.update(task, completed=1 + number * steps)

                def step(what: str, name: str = pipeline.name) -> None:
                    progress.update(task, description=f"{name}: {what}", advance=1)

                outcomes.append(demonstrate(pipeline, findings, spark, options, console, scratch, step))
            return outcomes
        finally:
            spark.stop()


def demonstrate(
    pipeline: Pipeline,
    findings: dict[Path, list[dict[str, Any]]],
    spark: Any,
    options: argparse.Namespace,
    console: Console,
    scratch: Path,
    step: Any,
) -> Outcome:
    """One example from finding to measurement."""
    proved = [o for o in findings.get(pipeline.path, []) if o["status"] == "verified"]
    console.rule(f"examples/{pipeline.path.name}", align="left")
    if not proved:
        console.print("nothing proved here", style="red")
        return Outcome(pipeline, None)
    step("rewriting")
    # The rewrite of the filter that moves; with several proved filters in one file all of them are applied.
    finding = proved[0]
    failure = tool.verify([o["certificate"] for o in proved if o["certificate"]])
    show_finding(console, finding, tool.diff(pipeline.path), failure)
    rewritten = rewrite(pipeline, scratch)
    step("generating data")
    rows = options.rows * pipeline.scale
    data = OUT / f"data-v{VERSION}-{rows}"
    generate(pipeline.dataset, data, rows)
    result = measure(spark, pipeline, rewritten, data, scratch, finding["prefilter"], options.runs, step)
    console.print(f"rows {'equal' if result.equal else '[red]DIFFER[/red]'}, ratio {result.ratio:.1f}")
    return Outcome(pipeline, finding, failure is None, result)


def as_json(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    """The results for a machine."""
    return [
        {
            "pipeline": o.pipeline.name,
            "kind": o.finding["kind"] if o.finding else None,
            "verified": o.verified,
            "ratio": o.measurement.ratio if o.measurement else None,
            **(asdict(o.measurement) if o.measurement else {}),
        }
        for o in outcomes
    ]


def main() -> int:
    """The exit code."""
    options = arguments()
    console = Console(width=None if sys.stdout.isatty() else 150)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="headwater-demo-") as scratch:
        try:
            outcomes = run(options, console, Path(scratch))
        except tool.ToolError as error:
            console.print(str(error), style="red", markup=False)
            return 1
    console.print(results_table(outcomes))
    console.print(f"{time.perf_counter() - started:.0f} s in all")
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(as_json(outcomes), indent=1) + "\n", encoding="utf-8")
    return 0 if all(o.good for o in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
