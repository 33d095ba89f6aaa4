"""The bench of MagicPush: its programs, its rules, its reading of Spark's plans, and its page; a wrong push is seen."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.magicpush import tables
from benchmarks.magicpush.__main__ import arguments, everything, main
from benchmarks.magicpush.cases import CASES
from benchmarks.magicpush.decide import decided, ruled
from benchmarks.magicpush.kinds import FUNCTIONS, OPERATORS
from benchmarks.magicpush.outcome import Outcome, Push, read, write
from benchmarks.magicpush.page import Results, page
from benchmarks.magicpush.soundness import on_small_tables, replayed, share
from benchmarks.magicpush.spark_alone import compared, conjuncts
from benchmarks.synthesis.machine import describe

from headwater.engine.analysis.options import Options
from tests.campaigns.fuzz.write import Program
from tests.small_spark import Inputs, run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DDL = "k string, x double, n bigint"
SMALL = ["--instances", str(len(OPERATORS)), "--functions", str(len(FUNCTIONS))]


def outcome(frame: str, test: str) -> Outcome:
    """What becomes of one filter."""
    text = f'from pyspark.sql import functions as F\n\nresult = spark.table("t"){frame}.filter({test})\n'
    return decided("cases", CASES[0].kind, 0, Program.of("case", text, DDL))


def test_the_generator_is_deterministic_and_varied() -> None:
    options = arguments(SMALL)
    one, other = ([p.source for *_, p in everything(options)] for _ in range(2))
    assert one == other
    assert len(one) == len(OPERATORS) + len(FUNCTIONS) + len(CASES)
    assert len(set(one)) > 0.98 * len(one)
    moved = [p.source for *_, p in everything(arguments([*SMALL, "--seed", "1000"]))]
    assert len({*moved} & {*one}) < 0.1 * len(one) + len(CASES)


def test_each_kind_is_written_and_named_once_in_its_part() -> None:
    for kinds in (OPERATORS, FUNCTIONS):
        assert len({k.name for k in kinds}) == len(kinds)
    for _, kind, _, program in everything(arguments(SMALL)):
        assert "filter(" in program.source or "where(" in program.source, kind.name


JOINED = '.join(spark.table("t").select("k", F.col("x").alias("o")), "k", "{}")'


@pytest.mark.parametrize(
    ("frame", "test", "push", "rules"),
    [
        ('.withColumnRenamed("x", "y")', 'F.col("y") > 1', "equal", (1,)),
        ('.withColumn("y", F.col("x") * 2 + 1)', 'F.col("y") > 1', "equal", (1,)),
        ('.withColumn("y", F.abs("x"))', 'F.col("y") > 1', "none", ()),
        ('.withColumn("y", F.abs("x"))', '(F.col("y") > 1) & (F.col("n") > 1)', "superset", (1,)),
        ('.groupBy("k").agg(F.max("x").alias("m"))', 'F.col("m") > 1', "equal", (2,)),
        ('.groupBy("k").agg(F.max("x").alias("m"))', 'F.col("m") < 1', "none", ()),
        ('.groupBy("k").agg(F.min("x").alias("m"))', 'F.col("m") <= 1', "equal", (2,)),
        ('.groupBy("k").agg(F.max("x").alias("m"), F.count("*").alias("c"))', 'F.col("m") > 1', "none", ()),
        ('.groupBy("k").agg(F.sum("x").alias("m"))', 'F.col("k") == "a"', "equal", (2,)),
        ('.agg(F.max("x").alias("m"))', 'F.col("m") > 1', "none", ()),
        (".distinct()", 'F.col("x") > 1', "equal", (2,)),
        ('.dropDuplicates(["k"])', '(F.col("k") > "a") & (F.col("x") > 1)', "superset", (2,)),
        ('.orderBy("x")', 'F.col("x") > 1', "equal", (3,)),
        ('.union(spark.table("t"))', 'F.col("x") > 1', "equal", (3,)),
        ('.intersect(spark.table("t"))', 'F.col("x") > 1', "equal", (3,)),
        ('.subtract(spark.table("t"))', 'F.col("x") > 1', "none", ()),
        (JOINED.format("inner"), '(F.col("x") > 1) & (F.col("o") > 2)', "equal", (1, 4)),
        (JOINED.format("inner"), 'F.col("x") > F.col("o")', "none", ()),
        (JOINED.format("inner"), "((F.col('x') > 1) & (F.col('o') > 2)) | ((F.col('x') > 3) & (F.col('o') > 4))",
         "superset", (1, 5)),
        (JOINED.format("left"), 'F.col("x") > 1', "equal", (6,)),
        (JOINED.format("left"), 'F.col("o") > 1', "none", ()),
        (JOINED.format("left"), 'F.col("k") > "a"', "equal", (1, 6)),
        (JOINED.format("full"), 'F.col("k") > "a"', "none", ()),
        (JOINED.format("left_semi"), 'F.col("x") > 1', "equal", (7,)),
        ('.groupBy("k").pivot("n", [1, 2]).agg(F.count("x"))', 'F.col("k") == "a"', "equal", (9,)),
        ('.groupBy("k").pivot("n", [1, 2]).agg(F.max("x"))', 'F.col("k") == "a"', "equal", (2,)),  # of a CASE each
        ('.unpivot(["k"], ["x"], "v", "a")', 'F.col("k") == "a"', "equal", (1, 9)),
        ('.unpivot(["k"], ["x"], "v", "a")', 'F.col("a") > 1', "none", ()),
        (".limit(3)", 'F.col("x") > 1', "none", ()),
    ],
)  # fmt: skip
def test_a_rule_pushes_what_the_paper_says(frame: str, test: str, push: Push, rules: tuple[int, ...]) -> None:
    text = f'from pyspark.sql import functions as F\n\nresult = spark.table("t"){frame}.filter({test})\n'
    program = Program.of("case", text, DDL)
    assert ruled(program, Options(schemas=program.schemas)) == (push, rules)


def test_conjuncts_of_a_printed_condition() -> None:
    assert conjuncts("((isnotnull(x) AND (x > 1)) AND NOT (y = 2))") == ["isnotnull(x)", "(x > 1)", "NOT (y = 2)"]
    assert conjuncts("((x > 1) OR ((y = 1) AND (z = 2)))") == ["((x > 1) OR ((y = 1) AND (z = 2)))"]


BARE = "Aggregate [k#1], [k#1, max(x#2) AS m#3]\n+- Relation [k#1,x#2]\n"


@pytest.mark.parametrize(
    ("filtered", "push"),
    [
        ("Aggregate [k#1]\n+- Filter (isnotnull(k#1) AND (k#1 = a))\n   +- Relation [k#1]\n", "equal"),
        ("Filter (m#3 > 1)\n+- Aggregate [k#1]\n   +- Relation [k#1]\n", "none"),
        ("Filter (m#3 > 1)\n+- Aggregate [k#1]\n   +- Filter (k#1 = a)\n      +- Relation [k#1]\n", "superset"),
        ("Filter (m#3 > 1)\n+- Aggregate [k#1]\n   +- Filter isnotnull(k#1)\n      +- Relation [k#1]\n", "none"),
        ("Aggregate [k#1]\n+- Filter pythonUDF0#4\n   +- Relation [k#1]\n", "none"),
    ],
)
def test_what_spark_pushes_is_read_off_two_plans(filtered: str, push: Push) -> None:
    assert compared(filtered, BARE, "Aggregate").push == push


def test_a_condition_that_becomes_a_part_of_a_join_is_not_below_it() -> None:
    bare = "Join Inner, (k#1 = k#2)\n:- Relation [k#1]\n+- Relation [k#2]\n"
    asked = "Join Inner, ((k#1 = k#2) AND (x#3 > y#4))\n:- Relation [k#1]\n+- Relation [k#2]\n"
    assert compared(asked, bare, "Join").push == "none"


def test_the_papers_examples_are_decided_as_it_says() -> None:
    """Where MagicPush pushes nothing, nothing may be pushed; where Spark is not known to, Headwater does."""
    for i, case in enumerate(CASES):
        found = decided("cases", case.kind, i, case.program)
        if case.expects == "none":
            assert found.headwater == "none", case.place
    whole = ("Figure 1 (1)", "Figure 1 (2)", "Figure 1 (3)", "Figure 1 (4)", "Listing 6")
    pushed = {c.place: decided("cases", c.kind, 0, c.program).headwater for c in CASES if c.place in whole}
    assert pushed == dict.fromkeys(whole, "equal")


def test_the_page_is_made_from_outcomes(tmp_path: Path) -> None:
    one = outcome('.groupBy("k").agg(F.max("x").alias("m"))', 'F.col("m") > 1')
    assert (one.rules, one.headwater, one.rewritten is not None) == ("equal", "equal", True)
    some = [
        replace(one, part="operators", kind="groupBy.agg", core="GroupBy", spark="none"),
        replace(one, part="operators", kind="groupBy.agg", core="GroupBy", spark="none", headwater="superset"),
        replace(one, part="operators", kind="orderBy", core="Reorder", spark="equal", headwater="none"),
        replace(one, part="operators", kind="orderBy", core="Reorder", spark="none", headwater="none"),
        replace(one, part="operators", kind="orderBy", core="Reorder", constant=True),
        replace(one, part="functions", kind="udf", rules="none", spark=None),
    ]
    write(some, tmp_path / "outcomes.jsonl")
    assert read(tmp_path / "outcomes.jsonl") == some
    cases = [replace(one, part="cases", spark="none") for _ in CASES]
    text = page(Results([*some, *cases], describe(), 0))
    assert "| groupBy.agg | GroupBy | 2 | 2 (2) | 0 (0) | 2 (1) | 2 (1) | 2 |" in text
    assert "| orderBy | Reorder | 2 | 2 (2) | 1 (1) | 0 (0) | 1 (1) | 2 |" in text
    assert "| udf |  | 1 | 0 (0) | 0 (0) | 1 (1) | 1 (1) | 1 |".replace("|  |", f"| {one.core} |") in text
    assert len(tables.missed(tables.told(some))) == 1
    assert "1 instances whose filter lets nothing pass" in text


def test_a_small_run_writes_a_page(tmp_path: Path) -> None:
    out = tmp_path / "page.md"
    assert main(["--instances", "4", "--functions", "3", "--spark", "0", "--output", str(out)]) == 0
    assert re.search(r"\| operators \| 4 \|", out.read_text(encoding="utf-8"))


def test_of_each_kind_in_turn_a_share_is_run() -> None:
    one = outcome('.groupBy("k").agg(F.max("x").alias("m"))', 'F.col("m") > 1')
    many = [replace(one, kind=kind, seed=i) for kind in ("a", "b") for i in range(3)]
    chosen = share([*many, replace(one, rewritten=None)], 4)
    assert [(o.kind, o.seed) for o in chosen] == [("a", 0), ("b", 0), ("a", 1), ("b", 1)]


def _planted() -> tuple[Outcome, Outcome, Outcome]:
    """A right rewrite, one that changes values, and one that loses rows."""
    right = outcome('.groupBy("k").agg(F.max("x").alias("m"))', 'F.col("m") > 1')
    lost = right.source.replace('.groupBy("k")', '.filter(F.col("x") > 2).groupBy("k")')
    return right, replace(right, rewritten=right.source.replace("F.max", "F.min")), replace(right, rewritten=lost)


def test_a_wrong_push_is_seen_on_small_tables() -> None:
    right, *wrong = _planted()
    assert right.rewritten is not None
    assert not on_small_tables([right]).differences
    for one in wrong:
        assert on_small_tables([one]).differences


def test_the_small_spark_reads_parts_of_dates_in_sql() -> None:
    """A generated function is written as such a text."""
    table: Inputs = {"t": [[(dt.date(2024, 3, 5),), (dt.date(2023, 12, 31),), (None,)]]}
    for part, value in (("year", 2024), ("month", 12), ("day", 5), ("dayofmonth", 31)):
        found = run(f'result = spark.table("t").filter("{part}(d) = {value}")\n', {"t": "d date"}, table)
        assert isinstance(found, Counter), found
        assert found.total() == 1


@pytest.mark.spark
def test_a_wrong_push_is_seen_on_spark(spark: SparkSession) -> None:
    right, wrong, _ = _planted()
    found = replayed(spark, [right, wrong])
    assert (found.programs, found.raised, len(found.wrong)) == (2, 0, 1)
    assert found.rows > 0
