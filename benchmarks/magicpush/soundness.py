"""Rewritten programs on local Spark, before and after: their rows on small tables, their time on larger ones."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.campaigns.fuzz.judge import Trial, judged
from tests.campaigns.fuzz.on_spark import Replay, Task, replay, task
from tests.campaigns.fuzz.rows import random_tables
from tests.campaigns.fuzz.tool import Answer
from tests.campaigns.fuzz.write import Program

from headwater.engine.report.report import Report

from .data import many_rows
from .outcome import Outcome

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BATCH = 20
TABLES = 24
"""Small tables for each rewritten program."""


def answer(outcome: Outcome) -> Answer:
    """An instance with its rewritten text, as the fuzzing campaign has them."""
    program = Program.of(outcome.kind, outcome.source, outcome.table)
    text = outcome.rewritten or outcome.source
    return Answer(program, text, (), Report(), outcome.headwater, outcome.reason, outcome.assumptions)


def on_small_tables(outcomes: Iterable[Outcome]) -> Trial:
    """Run both texts of each rewritten one on many small tables, on CPython with the tests' own small Spark."""
    found = Trial()
    for o in outcomes:
        if o.rewritten is not None:
            trial = judged(answer(o), o.seed, TABLES)
            found.compared += trial.compared
            found.failing += trial.failing
            found.rows += trial.rows
            found.differences += trial.differences
            for difference in trial.differences:
                print(
                    f"WRONG: {o.kind}, seed {o.seed}: {difference}\n{o.source}\n=== became\n{o.rewritten}", flush=True
                )
    return found


def replayed(spark: SparkSession, outcomes: Sequence[Outcome]) -> Replay:
    """Run both texts of each on small tables."""
    found = Replay()
    tasks = [_task(o) for o in outcomes]
    for at in range(0, len(tasks), BATCH):
        replay(spark, tasks[at : at + BATCH], found)
        print(f"{found.programs} programs on Spark, {len(found.wrong)} wrong", flush=True)
    return found


def _task(outcome: Outcome) -> Task:
    """With rows on which the program does not raise; where nobody knows them, with any."""
    found = answer(outcome)
    made = task(outcome.seed, found)
    if made.rows:
        return made
    tables = random_tables(found, outcome.seed, 6)
    return Task(outcome.seed, found, [row for table in tables for row in table["t"]])


def share(outcomes: Iterable[Outcome], count: int) -> list[Outcome]:
    """``count`` of the rewritten ones, of every kind in turn."""
    by_kind: dict[str, list[Outcome]] = {}
    for o in outcomes:
        if o.rewritten is not None:
            by_kind.setdefault(o.kind, []).append(o)
    found: list[Outcome] = []
    for turn in range(max(map(len, by_kind.values()), default=0)):
        found += [those[turn] for those in by_kind.values() if turn < len(those)]
    return found[:count]


@dataclass(frozen=True)
class Timed:
    """Median seconds of one instance before and after. ``raised``: it did not run on these rows."""

    kind: str
    mode: str
    before: float
    after: float
    source: str
    prefilter: str
    raised: bool = False

    @property
    def ratio(self) -> float:
        """How many times as fast it is afterwards."""
        return self.before / self.after


def timed(spark: SparkSession, outcomes: Sequence[Outcome], rows: int, runs: int, folder: Path) -> list[Timed]:
    """Each instance ``runs`` times before and after in turn, after one run to warm up, on a Parquet table."""
    found: list[Timed] = []
    for o in outcomes:
        program = Program.of(o.kind, o.source, o.table)
        (table,) = program.tables
        path = str(folder / f"{o.seed}-{len(found)}.parquet")
        given = many_rows(random.Random(o.seed), table.fields, rows)
        spark.createDataFrame(given, table.ddl).repartition(2).write.mode("overwrite").parquet(path)
        spark.read.schema(table.ddl).parquet(path).createOrReplaceTempView("t")
        taken: dict[str, list[float]] = {o.source: [], o.rewritten or "": []}
        try:
            for run in range(runs + 1):
                for text, seconds in taken.items():
                    second = _seconds(spark, text)
                    seconds += [second] if run else []
            before, after = (statistics.median(s) for s in taken.values())
            found.append(Timed(o.kind, o.mode, before, after, o.source, o.prefilter))
        except Exception:
            found.append(Timed(o.kind, o.mode, 1.0, 1.0, o.source, o.prefilter, raised=True))
        print(f"{len(found)} of {len(outcomes)} timed", flush=True)
    return found


def _seconds(spark: SparkSession, text: str) -> float:
    spark.catalog.clearCache()
    start = time.perf_counter()
    namespace: dict[str, Any] = {"spark": spark, "sc": spark.sparkContext, "__name__": "timed"}
    exec(compile(text, "<timed>", "exec", dont_inherit=True), namespace)
    made = namespace["result"]
    if hasattr(made, "write"):
        made.write.format("noop").mode("overwrite").save()
    else:
        made.count()
    return time.perf_counter() - start
