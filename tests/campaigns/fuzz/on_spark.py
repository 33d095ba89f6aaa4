"""The same programs on real Spark: many in one job, on one small table each."""

from __future__ import annotations

import datetime as dt
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.engine.report.report import Report
from tests.mdtest.replay import comparable

from .examine import Record
from .judge import Bag, bag
from .mini import Failed, run
from .mini.exchange import unordered
from .rows import Rows, dealt, random_tables
from .tool import Answer
from .write import Program

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import DataFrame, SparkSession

BATCH = 20
DRAWN = 10
"""Tables that are drawn for a program; those on which it does not raise are put together."""
ORDERS = 40
_EXCLUDED = ",".join(
    f"org.apache.spark.sql.catalyst.optimizer.{rule}"
    for rule in ("PushDownPredicates", "PushPredicateThroughNonJoin", "PushPredicateThroughJoin")
)
_MOMENTS = "yyyy-MM-dd'T'HH:mm:ss.SSSSSS"
_WORDS = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}


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
    with session() as spark:
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
    both = [(t, text) for t in tasks for text in t.texts]
    results = collected(spark, both)
    for at, t in enumerate(tasks):
        original, rewritten = results[2 * at : 2 * at + 2]
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


def _differs(spark: SparkSession, t: Task, original: Bag, rewritten: Bag | Failed, into: Replay) -> None:
    """A rewrite may not add an error, nor show rows that the original shows in no order of its input."""
    if isinstance(rewritten, Failed):
        with without_pushdown(spark):
            again, rewritten = (one(build(spark, t, text)) for text in t.texts)
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


# --- running


def collected(spark: SparkSession, programs: Sequence[tuple[Task, str]]) -> list[Bag | Failed]:
    """The result of each program text."""
    built = [build(spark, t, text) for t, text in programs]
    found: list[Bag | Failed] = [b if isinstance(b, Failed) else Counter() for b in built]
    frames = [(i, b) for i, b in enumerate(built) if hasattr(b, "sparkSession")]
    rdds = [(i, b) for i, b in enumerate(built) if not hasattr(b, "sparkSession") and not isinstance(b, Failed)]
    for group, together in ((frames, _frames_together), (rdds, _rdds_together)):
        try:
            for i, row in together(spark, group) if group else ():
                found[i][row] += 1  # type: ignore[index]
        except Exception:  # one of them raises: find out which
            for i, b in group:
                found[i] = one(b)
    return found


def build(spark: SparkSession, t: Task, text: str) -> DataFrame | RDD[Any] | Failed:
    """What the text leaves in ``result``."""
    rows = spark.sparkContext.parallelize(t.rows, 2)
    spark.createDataFrame(rows, t.found.program.ddl["t"]).createOrReplaceTempView("t")
    namespace: dict[str, Any] = {"spark": spark, "__name__": "fuzzed"}
    try:
        exec(compile(text, "<fuzzed>", "exec"), namespace)
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}")
    result: DataFrame | RDD[Any] = namespace["result"]
    return result


def one(built: Any) -> Bag | Failed:
    """The result of one program alone."""
    try:
        return built if isinstance(built, Failed) else bag(map(tuple_of, built.collect()))
    except Exception as error:
        return Failed(f"{type(error).__name__}: {str(error)[:300]}")


def tuple_of(row: Any) -> Any:
    """A row as a plain tuple."""
    return tuple(row) if isinstance(row, tuple) else row


def _frames_together(spark: SparkSession, frames: Sequence[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Rows of all frames, each as JSON: their types differ."""
    from pyspark.sql import functions as F

    def marked(i: int, frame: DataFrame) -> DataFrame:
        row = F.struct(*(frame[c].alias(f"c{n}") for n, c in enumerate(frame.columns)))
        return frame.select(F.lit(i), F.to_json(row, {"ignoreNullFields": "false", "timestampFormat": _MOMENTS}))

    kinds = {i: [t for _, t in frame.dtypes] for i, frame in frames}
    for i, text in reduce(lambda a, b: a.unionAll(b), (marked(i, f) for i, f in frames)).collect():
        values = json.loads(text).values()
        yield i, comparable(tuple(_value(v, kind) for v, kind in zip(values, kinds[i], strict=True)))


def _value(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind.startswith("array<"):
        return [_value(v, kind[6:-1]) for v in value]
    if kind == "double":
        return float(_WORDS.get(value, value))
    if kind in ("date", "timestamp"):
        found = dt.datetime.fromisoformat(value)
        return found if kind == "timestamp" else found.date()
    return value


def _rdds_together(spark: SparkSession, rdds: Sequence[tuple[int, Any]]) -> Iterable[tuple[int, Any]]:
    tagged = [rdd.map(lambda x, i=i: (i, x)) for i, rdd in rdds]
    return [(i, comparable(tuple_of(x))) for i, x in spark.sparkContext.union(tagged).collect()]


def outcomes(program: Program, rows: Rows, orders: int) -> list[Bag]:
    """What the original may yield on these rows in some order and partitioning."""
    chance = random.Random(len(rows))
    found: list[Bag] = []
    for turn in range(orders):
        given = rows if turn == 0 else chance.sample(rows, len(rows))
        with unordered(chance) if turn else nullcontext():
            result = bag(run(program.source, program.ddl, {"t": [given] if turn == 0 else dealt(chance, given)}))
        if not isinstance(result, Failed) and result not in found:
            found.append(result)
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


@contextmanager
def session(more: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """A local session with one shuffle partition; ``more``: other settings."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    # whatever is compiled is run once: interpreting it is faster
    settings = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.session.timeZone": "UTC",
        "spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.shuffle.partitions": "1", "spark.default.parallelism": "2",
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", **(more or {}),
    }  # fmt: skip
    builder = SparkSession.builder.master("local[2]").appName("headwater-fuzz")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    try:
        with tempfile.TemporaryDirectory() as folder:
            spark.sparkContext.setCheckpointDir(folder)
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
