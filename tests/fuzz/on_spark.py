"""The same programs on real Spark: many in one session, on a few small tables each."""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.engine.report import Report
from tests.mdtest import replay

from .campaign import Record
from .judge import Bag, bag
from .mini import Failed, run
from .rows import Rows, dealt, random_tables
from .tool import Answer
from .write import Program

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TABLES = 2
ORDERS = 40
_EXCLUDED = ",".join(
    f"org.apache.spark.sql.catalyst.optimizer.{rule}"
    for rule in ("PushDownPredicates", "PushPredicateThroughNonJoin", "PushPredicateThroughJoin")
)


@dataclass
class Replay:
    """``agreed``: inputs on which the small Spark of this package gave what Spark gave; ``ordered``: differences that
    only show that the program depends on the order of rows."""

    programs: int = 0
    inputs: int = 0
    rows: int = 0
    raised: int = 0
    agreed: int = 0
    ordered: int = 0
    disagreed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """The figures, as Markdown."""
        return "\n".join([
            f"- programs run on Spark before and after: {self.programs:,}, on {self.inputs:,} tables",
            f"- rows in the results: {self.rows:,}; tables on which the original raised on Spark: {self.raised:,}",
            f"- the small Spark gave what Spark gave: {self.agreed:,} of {self.inputs - self.raised:,}",
            f"- differences that are those of the original under another order of rows: {self.ordered:,}",
            f"- wrong: {len(self.wrong)}",
        ])  # fmt: skip


def replayed(records: Sequence[Record], log: Path) -> int:
    """Run the rewritten programs of ``records`` on Spark; how many were wrong. Details go to ``log``."""
    found, start = Replay(), time.monotonic()
    with session() as spark:
        for record in records:
            replay_one(spark, answer_of(record), record.seed, found)
            if found.programs % 50 == 0:
                print(
                    f"{found.programs} on Spark, {len(found.wrong)} wrong, {time.monotonic() - start:.0f} s", flush=True
                )
    log.write_text("\n\n".join([*found.wrong, *found.disagreed]), encoding="utf-8")
    print("\n".join(["", *found.wrong, found.summary]))
    return len(found.wrong)


def answer_of(record: Record) -> Answer:
    """What the tool said, from the record."""
    program = Program.of(record.shape, record.original or "", record.table)
    return Answer(program, record.rewritten or "", (), Report(), record.outcome, record.why)


def replay_one(spark: SparkSession, found: Answer, seed: int, into: Replay) -> None:
    """Compare one program before and after, on inputs on which the original does not raise."""
    tables = list(inputs(found, seed))
    into.programs += 1
    if not tables:
        return
    both = replay.run_both(
        spark, found.program.case, (found.program.source, found.text), [{"t": rows} for rows in tables]
    )
    for rows, (original, rewritten) in zip(tables, both, strict=True):
        into.inputs += 1
        if isinstance(original, replay.Failed):
            into.raised += 1
            continue
        into.rows += original.total()
        known = outcomes(found.program, rows, 1)
        if original in known or original in outcomes(found.program, rows, ORDERS):
            into.agreed += 1
        else:
            into.disagreed.append(_told("the small Spark differs", found, seed, rows, known, original))
        if original != rewritten:
            _differs(spark, found, seed, rows, original, rewritten, into)


def _differs(
    spark: SparkSession, found: Answer, seed: int, rows: Rows, original: Bag, rewritten: object, into: Replay
) -> None:
    """A rewrite may not add an error, nor show rows that the original shows in no order of its input."""
    if isinstance(rewritten, replay.Failed):
        with without_pushdown(spark):
            ((original_too, rewritten),) = replay.run_both(
                spark, found.program.case, (found.program.source, found.text), [{"t": rows}]
            )
        if isinstance(original_too, replay.Failed) or original_too == rewritten:
            into.raised += 1  # it was Spark that moved the error
            return
    possible = outcomes(found.program, rows, ORDERS)
    if len(possible) > 1 and rewritten in possible:
        into.ordered += 1
        return
    into.wrong.append(_told("WRONG on Spark", found, seed, rows, original, rewritten))


def inputs(found: Answer, seed: int) -> Iterator[Rows]:
    """Small tables on which the original does not raise, the more telling ones first."""
    usable: list[tuple[int, Rows]] = []
    for tables in random_tables(found, seed, 10):
        rows = tables["t"]
        result = bag(run(found.program.source, found.program.ddl, {"t": [rows]}))
        if not isinstance(result, Failed):
            usable.append((len(result), rows))
    usable.sort(key=lambda pair: -pair[0])
    yield from (rows for _, rows in usable[:TABLES])


def outcomes(program: Program, rows: Rows, orders: int) -> list[Bag]:
    """What the original may yield on these rows in some order and partitioning."""
    chance = random.Random(len(rows))
    found: list[Bag] = []
    for turn in range(orders):
        given = rows if turn == 0 else chance.sample(rows, len(rows))
        result = bag(run(program.source, program.ddl, {"t": [given] if turn == 0 else dealt(chance, given)}))
        if not isinstance(result, Failed) and result not in found:
            found.append(result)
    return found


def _told(what: str, found: Answer, seed: int, rows: Rows, expected: Any, got: Any) -> str:
    table = found.program.tables[0]
    return (
        f"{what}: seed {seed}, {table.ddl}{'' if table.stated else ' unstated'}, on {rows}: {expected} / {got}\n"
        f"{found.program.source}\n=== became\n{found.text}"
    )


@contextmanager
def session() -> Iterator[SparkSession]:
    """A local session with one shuffle partition."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[2]").appName("headwater-fuzz")
        .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "1")
        .config("spark.default.parallelism", "2").config("spark.sql.session.timeZone", "UTC")
        .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    )  # fmt: skip
    spark.sparkContext.setLogLevel("OFF")
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def without_pushdown(spark: SparkSession) -> Iterator[None]:
    """Spark itself pushes filters into places where they raise: without that it is an oracle for errors."""
    spark.conf.set("spark.sql.optimizer.excludedRules", _EXCLUDED)
    try:
        yield
    finally:
        spark.conf.unset("spark.sql.optimizer.excludedRules")


__all__ = ["Counter", "Replay", "replay_one", "replayed", "session"]
