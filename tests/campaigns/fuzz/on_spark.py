"""The same programs on real Spark: many in one job, on one small table each."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.engine.report.report import Report
from tests.replay import Run, campaign_session, result, results, without_pushdown
from tests.results import Bag, Failed, Result, comparable
from tests.small_spark import run
from tests.small_spark.exchange import unordered

from .examine import Record
from .rows import Rows, dealt, random_tables
from .tool import Answer
from .write import Program

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BATCH = 20
DRAWN = 10
"""Tables that are drawn for a program; those on which it does not raise are put together."""
ORDERS = 40


@dataclass(frozen=True)
class Task:
    """A rewritten program and the rows to run it on."""

    seed: int
    found: Answer
    rows: Rows

    @property
    def texts(self) -> tuple[str, str]:
        """Before and after."""
        return self.found.program.source, self.found.text

    def run(self, text: str) -> Run:
        """One of them, on two partitions."""
        return Run(text, {"t": self.found.program.ddl["t"]}, {"t": self.rows}, partitions=2)


@dataclass
class Replay:
    """``agreed``: programs of which the small Spark of this package gave what Spark gave; ``ordered``: differences that
    only show that the program depends on the order of rows."""

    programs: int = 0
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
            f"- programs run on Spark before and after: {self.programs:,}; on {self.raised:,} the original raised",
            f"- rows in the results: {self.rows:,}",
            f"- the small Spark gave what Spark gave: {self.agreed:,} of {self.programs - self.raised:,}",
            f"- differences that are those of the original under another order of rows: {self.ordered:,}",
            f"- wrong: {len(self.wrong)}",
        ])  # fmt: skip


def replayed(records: Sequence[Record], log: Path) -> int:
    """Run the rewritten programs of ``records`` on Spark; how many were wrong. Details go to ``log``."""
    found, start = Replay(), time.monotonic()
    with campaign_session() as spark:
        for at in range(0, len(records), BATCH):
            replay(spark, [task(r.seed, answer_of(r)) for r in records[at : at + BATCH]], found)
            print(f"{found.programs} on Spark, {len(found.wrong)} wrong, {time.monotonic() - start:.0f} s", flush=True)
            log.write_text("\n\n".join([*found.wrong, *found.disagreed]), encoding="utf-8")
    print("\n".join(["", *found.wrong, found.summary]))
    return len(found.wrong)


def answer_of(record: Record) -> Answer:
    """What the tool said, from the record."""
    program = Program.of(record.shape, record.original or "", record.table)
    return Answer(program, record.rewritten or "", (), Report(), record.outcome, record.why, tuple(record.assumptions))


def task(seed: int, found: Answer) -> Task:
    """The program with all rows of its random tables, as long as it does not raise on them."""
    rows: Rows = []
    for tables in random_tables(found, seed, DRAWN):
        more = [*rows, *tables["t"]]
        if not isinstance(run(found.program.source, found.program.ddl, {"t": [more]}), Failed):
            rows = more
    return Task(seed, found, rows)


def replay(spark: SparkSession, tasks: Sequence[Task], into: Replay) -> None:
    """Compare programs before and after, all in one job if none raises."""
    found = results(spark, [t.run(text) for t in tasks for text in t.texts])
    for at, t in enumerate(tasks):
        original, rewritten = found[2 * at : 2 * at + 2]
        into.programs += 1
        if isinstance(original, Failed):
            into.raised += 1
            into.disagreed.append(_told("Spark raises, the small one does not", t, original, None))
            continue
        into.rows += original.total()
        known = outcomes(t.found.program, t.rows, 1)
        if original in known or _possible(t, original):
            into.agreed += 1
        else:
            into.disagreed.append(_told("the small Spark differs", t, known, original))
        if original != rewritten:
            _differs(spark, t, original, rewritten, into)


def _differs(spark: SparkSession, t: Task, original: Bag, rewritten: Result, into: Replay) -> None:
    """A rewrite may not add an error, nor show rows that the original shows in no order of its input."""
    if isinstance(rewritten, Failed):
        with without_pushdown(spark):
            again, rewritten = (result(spark, t.run(text)) for text in t.texts)
        if isinstance(again, Failed) or again == rewritten:
            into.raised += 1  # it was Spark that moved the error
            return
    if not isinstance(rewritten, Failed) and _possible(t, rewritten):
        into.ordered += 1
        return
    into.wrong.append(_told("WRONG on Spark", t, original, rewritten))


def _possible(t: Task, shown: Bag) -> bool:
    """Whether the original may show this in some order of its input."""
    program = t.found.program
    return shown in outcomes(program, t.rows, ORDERS) or group_by_group(program, t.rows, shown)


def outcomes(program: Program, rows: Rows, orders: int) -> list[Bag]:
    """What the original may yield on these rows in some order and partitioning."""
    chance = random.Random(len(rows))
    found: list[Bag] = []
    for turn in range(orders):
        given = rows if turn == 0 else chance.sample(rows, len(rows))
        with unordered(chance) if turn else nullcontext():
            shown = run(program.source, program.ddl, {"t": [given] if turn == 0 else dealt(chance, given)})
        if not isinstance(shown, Failed) and shown not in found:
            found.append(shown)
    return found


def group_by_group(program: Program, rows: Rows, shown: Bag) -> bool:
    """Whether ``shown`` is, for each value of the first column, what the original may yield on the rows with that
    value alone: more orders than anybody can try for all groups at once."""
    left = Counter(shown)
    taken: set[Any] = set()
    for key in dict.fromkeys(comparable(row[0]) for row in rows):
        possible = outcomes(program, [row for row in rows if comparable(row[0]) == key], ORDERS)
        its = {row for bag_ in possible for row in bag_}
        mine = Counter({row: n for row, n in left.items() if row in its})
        if taken & its or mine not in possible:
            return False
        taken |= its
        left -= mine
    return not left


def _told(what: str, t: Task, expected: Any, got: Any) -> str:
    program = t.found.program
    return (
        f"{what}: seed {t.seed}, {program.spelled}, on {t.rows}: {expected} / {got}\n"
        f"{program.source}\n=== became\n{t.found.text}"
    )
