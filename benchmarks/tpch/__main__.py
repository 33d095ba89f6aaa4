"""``make bench NAME=tpch``: the 22 queries of TPC-H before and after ``headwater fix``, on local Spark.

Each query is written as a beginner would: all tables are joined first, conditions stand at the end, inside of Python
functions, behind pandas functions of groups, RDDs and caches. Both versions are run and compared with the answer that
DuckDB gives to the query in SQL. Writes docs/benchmarks/tpch.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import runpy
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.demo import tool
from benchmarks.demo.measure import session

from .at_tables import added, at_tables, by_rules, by_spark, schemas
from .data import alike, answer, generate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[2]
QUERIES = sorted((Path(__file__).parent / "queries").glob("q*.py"))
PAGE, OUT = ROOT / "docs" / "benchmarks" / "tpch.md", ROOT / "demo-out" / "tpch"


@dataclass(frozen=True)
class Outcome:
    """One query. ``findings``: codes and pre-filters; ``refused``: why others are not moved; ``correct``: both versions
    give the answer; ``before`` and ``after``: the seconds of each run. ``by_rules``, ``by_spark``, ``by_headwater``:
    the conditions that the nine rules of the paper on MagicPush move to a table, that Spark's optimizer does, and that
    are there after the rewrite only."""

    name: str
    what: str
    findings: tuple[tuple[str, str], ...]
    refused: tuple[str, ...]
    correct: bool
    before: tuple[float, ...]
    after: tuple[float, ...]
    by_rules: tuple[str, ...] = ()
    by_spark: tuple[str, ...] = ()
    by_headwater: tuple[str, ...] = ()

    @property
    def ratio(self) -> float:
        """How many times as fast the query is afterwards."""
        return statistics.median(self.before) / statistics.median(self.after)


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tpch", description=__doc__)
    names = [q.stem for q in QUERIES]
    parser.add_argument("--scale", type=float, default=1.0, help="scale factor of TPC-H (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="timed runs of each version (default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    return parser.parse_args()


def prepared(folder: Path) -> None:
    """Put the queries to ``folder``."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for query in QUERIES:
        shutil.copyfile(query, folder / query.name)


def timed(query: Path, spark: SparkSession) -> tuple[float, list[tuple[Any, ...]]]:
    """Seconds that a query takes, with nothing kept from before, and the rows of its ``result``."""
    spark.catalog.clearCache()
    start = time.perf_counter()
    rows = [tuple(row) for row in runpy.run_path(str(query), run_name="__main__")["result"].collect()]
    return time.perf_counter() - start, rows


def one(name: str, before: Path, after: Path, spark: SparkSession, data: Path, runs: int) -> Outcome:
    """Run both versions of a query, the first time to warm up."""
    report = json.loads(tool.report(before / f"{name}.py", "--all"))["files"][0]
    findings = [(o["code"], str((o["prefilter"] or {}).get("text") or o["fix"] or "")) for o in report["opportunities"]]
    expected = answer(data, int(name[1:]))
    sides = [before / f"{name}.py", after / f"{name}.py"]
    first = [alike(timed(side, spark)[1], expected) for side in sides]
    correct = all(first)
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for side, taken in zip(sides, times, strict=True):
            seconds, rows = timed(side, spark)
            taken.append(seconds)
            correct &= alike(rows, expected)
    what = (before / f"{name}.py").read_text(encoding="utf-8").split('"""')[1]
    refused = tuple(dict.fromkeys(s["reason"] for s in report["skipped"]))
    rules = by_rules(sides[0].read_text(encoding="utf-8"), schemas(data))
    spark_alone, more = by_spark(spark, sides[0]), added(at_tables(spark, sides[1]), at_tables(spark, sides[0]))
    seconds = tuple(times[0]), tuple(times[1])
    return Outcome(name, what, tuple(findings), refused, correct, *seconds, rules, spark_alone, more)


def page(outcomes: Iterable[Outcome], scale: float, runs: int) -> str:
    """The page with the table."""
    revision = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, check=False)
    day = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    lines = [
        "# TPC-H with Python functions", "",
        "The 22 queries as PySpark programs with their conditions written late: in Python functions, in and behind "
        "pandas functions of groups, in RDDs, behind caches (`benchmarks/tpch/queries`). "
        "`headwater fix --accept-assumptions` rewrites them; both versions are compared with the answer that DuckDB "
        "gives to the query in SQL. A query without a finding is run all the same: its ratio is noise.", "",
        f"Scale factor {scale:g}, {runs} runs of each version in turn after one to warm up, median seconds; "
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, "
        f"load {os.getloadavg()[0]:.1f} at the end; revision {revision.stdout.strip()}, {day}. "
        "From `make bench NAME=tpch`.", "",
        "The last three columns count conditions that come to a table: by the nine rules that the paper on MagicPush "
        "takes for its baseline ([magicpush](magicpush.md)), by Spark's optimizer alone, and those that are there "
        "after the rewrite only. The rules know no function of Python, no group function, RDD or cache, and keys that "
        "are computed in `groupBy` are not in the plan that they see. The paper moves filters of the plain queries by "
        "hand and has them moved back in 18 of 18, by the rules and by MagicPush.", "",
        "| query | findings | before | after | times as fast | answer | nine rules | Spark alone | Headwater adds |",
        "| --- | --- | --- | --- | --- | --- | ---: | ---: | ---: |",
    ]  # fmt: skip
    notes = ["", "## What is moved, and what is not", ""]
    for o in outcomes:
        codes = ", ".join(code for code, _ in o.findings)
        before, after = statistics.median(o.before), statistics.median(o.after)
        said = "right" if o.correct else "**wrong**"
        moved = " | ".join(str(len(c)) for c in (o.by_rules, o.by_spark, o.by_headwater))
        lines.append(f"| {o.name} | {codes} | {before:.2f} | {after:.2f} | {o.ratio:.2f} | {said} | {moved} |")
        notes.append(f"**{o.name}.** {o.what}")
        notes += [f"- {code}: `{text}`" for code, text in o.findings]
        notes += [f"- not moved: {reason}" for reason in o.refused]
        for who, conditions in (
            ("the nine rules move", o.by_rules),
            ("Spark moves", o.by_spark),
            ("at a table after the rewrite only", o.by_headwater),
        ):
            notes += [f"- {who}: {', '.join(f'`{c}`' for c in conditions)}"] * bool(conditions)
        notes.append("")
    return "\n".join([*lines, *notes]).rstrip() + "\n"


def main() -> int:
    """0 if all answers are right."""
    options = arguments()
    data = OUT / f"sf{options.scale:g}"
    generate(data, options.scale)
    before, after = OUT / "before", OUT / "after"
    prepared(before)
    prepared(after)
    (OUT / "tpch").unlink(missing_ok=True)
    (OUT / "tpch").symlink_to(data)
    os.chdir(OUT)  # where the queries look for their tables
    tool.fix(after, "--accept-assumptions")
    spark = session()
    outcomes = []
    try:
        for name in options.only:
            found = one(name, before, after, spark, data, options.runs)
            outcomes.append(found)
            print(f"{name}: {found.ratio:.2f} times as fast, {'right' if found.correct else 'WRONG'}", flush=True)
    finally:
        spark.stop()
    (OUT / "outcomes.json").write_text(json.dumps([asdict(o) for o in outcomes], indent=1), encoding="utf-8")
    if options.only == [q.stem for q in QUERIES]:
        PAGE.write_text(page(outcomes, options.scale, options.runs), encoding="utf-8")
    return 0 if all(o.correct for o in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
