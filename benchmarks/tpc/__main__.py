"""``make bench NAME=tpch`` and ``NAME=tpcds``: queries of both before and after ``headwater fix``, on local Spark.

Each query is written as a beginner would: all tables are joined first, conditions stand at the end, inside of Python
functions, behind pandas functions of groups, RDDs and caches. Both versions are run and compared with the answer that
DuckDB gives to the query in SQL. Writes docs/benchmarks/tpch.md or tpcds.md if all queries are run.
"""

from __future__ import annotations

import argparse
import json
import os
import runpy
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.demo import tool
from benchmarks.demo.measure import session
from benchmarks.spark.conditions import processor_seconds, processor_times
from benchmarks.synthesis import machine

from .at_tables import added, at_tables, by_rules, unmoved
from .data import KITS, Kit, alike
from .outcome import Outcome, Taken
from .page import page
from .predicates import fate, predicates

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[2]


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tpc", description=__doc__)
    parser.add_argument("kit", choices=KITS, help="the benchmark")
    parser.add_argument("--scale", type=float, default=1.0, help="its scale factor (default: %(default)s)")
    parser.add_argument(
        "--runs",
        type=int,
        default=3,
        help="timed runs of each version; 0 compares answers alone (default: %(default)s)",
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="queries, such as q07; the page is not written then")
    parser.add_argument("--page", type=Path, help="where to write the page (default: docs/benchmarks/KIT.md)")
    return parser.parse_args()


def prepared(kit: Kit, folder: Path) -> None:
    """Put the queries to ``folder``."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for query in kit.queries:
        shutil.copyfile(query, folder / query.name)


def timed(query: Path, spark: SparkSession) -> tuple[Taken, list[tuple[Any, ...]]]:
    """What a query takes, with nothing kept from before, and its ``rows``."""
    spark.catalog.clearCache()
    before, start = processor_times(), time.perf_counter()
    rows = [tuple(row) for row in runpy.run_path(str(query), run_name="__main__")["rows"]]
    return (time.perf_counter() - start, processor_seconds(before)), rows


def left(source: str, skipped: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The code of each filter that is not moved, and why."""
    lines = source.splitlines()
    for one in skipped:
        start, end = one["range"]["start"], one["range"]["end"]
        text = "\n".join(lines[start["line"] : end["line"] + 1])
        last = len(lines[end["line"]]) - end["character"]
        yield text[start["character"] : len(text) - last], one["reason"]


def one(kit: Kit, name: str, here: Path, spark: SparkSession, data: Path, runs: int) -> Outcome:
    """Run both versions of a query, the first time to warm up."""
    sides = [here / "before" / f"{name}.py", here / "after" / f"{name}.py"]
    source, number = sides[0].read_text(encoding="utf-8"), int(name[1:])
    report = json.loads(tool.report(sides[0], "--all"))["files"][0]
    findings = [(o["code"], (o["prefilter"] or {}).get("text") or o["name"]) for o in report["opportunities"]]
    schemas, expected = kit.schemas(data), kit.answer(data, number)
    written, now, after = unmoved(spark, sides[0]), at_tables(spark, sides[0]), at_tables(spark, sides[1])
    correct = True
    times: tuple[list[Taken], list[Taken]] = ([], [])
    for run in range(runs + 1):
        for side, taken in zip(sides, times, strict=True):
            took, rows = timed(side, spark)
            correct &= alike(rows, expected)
            taken += [took] * bool(run)
    tables = {column.split()[0]: path for path, ddl in schemas.items() for column in ddl.split(", ")}
    not_moved = tuple(dict.fromkeys(left(source, report["skipped"])))
    return Outcome(
        name,
        source.split('"""')[1],
        tuple(findings),
        correct,
        tuple(times[0]),
        tuple(times[1]),
        by_rules(source, schemas),
        added(now, written),
        added(after, now),
        tuple(fate(p, written, now, after, not_moved) for p in predicates(kit.database(), kit.sql(number), tables)),
        not_moved,
    )


def main() -> int:
    """0 if all answers are right."""
    options = arguments()
    kit, about = KITS[options.kit], machine.describe() | {"spark": version("pyspark"), "others": machine.others()}
    here = ROOT / "demo-out" / kit.name
    data = here / f"sf{options.scale:g}"
    kit.generate(data, options.scale)
    for side in ("before", "after"):
        prepared(kit, here / side)
    (here / kit.name).unlink(missing_ok=True)
    (here / kit.name).symlink_to(data)
    os.chdir(here)  # where the queries look for their tables
    tool.fix(here / "after", "--accept-assumptions")
    spark = session()
    outcomes = []
    try:
        for name in options.only or [q.stem for q in kit.queries]:
            found = one(kit, name, here, spark, data, options.runs)
            outcomes.append(found)
            print(f"{name}: {found.medians or ''} {'right' if found.correct else 'WRONG'}", flush=True)
    finally:
        spark.stop()
    (here / "outcomes.json").write_text(json.dumps([asdict(o) for o in outcomes], indent=1), encoding="utf-8")
    if not options.only:
        target = options.page or ROOT / "docs" / "benchmarks" / f"{kit.name}.md"
        target.write_text(page(kit, outcomes, about, options.scale, options.runs), encoding="utf-8")
    return 0 if all(o.correct for o in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
