"""The bench of TPC-H and TPC-DS: which conditions come to tables, what became of predicates, and the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.tpc.at_tables import added, at_tables, by_rules, conditions
from benchmarks.tpc.data import KITS, Kit
from benchmarks.tpc.outcome import Outcome
from benchmarks.tpc.page import is_quiet, page
from benchmarks.tpc.predicates import Fate, Predicate, fate, predicates

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMAS = {
    "tpch/orders.parquet": "o_orderkey bigint, o_custkey bigint, o_orderstatus string, o_orderdate date",
    "tpch/lineitem.parquet": "l_orderkey bigint, l_quantity double",
}
SOURCE = """\
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet("tpch/orders.parquet")
lines = spark.read.parquet("tpch/lineitem.parquet").filter("l_quantity > 7")
{}
"""
JOINED = 'orders.join(lines, F.col("o_orderkey") == F.col("l_orderkey"))'


def test_the_rules_move_conditions_past_joins_and_groups_to_tables() -> None:
    text = SOURCE.format(
        f'{JOINED}.groupBy("o_custkey").agg(F.sum("l_quantity").alias("q")).filter("o_custkey = 3 AND q > 1").show()'
    )
    assert by_rules(text, SCHEMAS) == ("o_custkey = 3",)


def test_no_rule_moves_a_condition_past_a_cache_or_a_function() -> None:
    cached = SOURCE.format(f'{JOINED}.cache().filter("o_custkey = 3").show()')
    mapped = SOURCE.format(f'{JOINED}.mapInPandas(lambda b: b, "o_custkey long").filter("o_custkey = 3").show()')
    assert by_rules(cached, SCHEMAS) == by_rules(mapped, SCHEMAS) == ()


PLAN = """\
Filter (n#1 > 2)
+- Join Inner, (a#1 = b#2)
   :- Project [a#1]
   :  +- Filter (isnotnull(a#1) AND (a#1 = 3))
   :     +- Relation [a#1] parquet
   +- InMemoryRelation [b#2], StorageLevel(disk, memory, deserialized, 1 replicas)
         +- *(1) Filter (b#2 > 1)
            +- *(1) ColumnarToRow
               +- FileScan parquet [b#2] Batched: true
"""


def test_conditions_right_above_tables_are_read_off_a_plan() -> None:
    assert conditions(PLAN) == ("(a = 3)", "(b > 1)")
    assert added(("(a = 3)", "(b > 1)"), ("(b > 1)",)) == ("(a = 3)",)


@pytest.mark.spark
def test_plans_of_frames_that_leave_spark_count_and_columns_are_no_frames(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(9).write.parquet(str(tmp_path / "t"))
    query = tmp_path / "q.py"
    query.write_text(
        f"t = __import__('pyspark.sql').sql.SparkSession.active().read.parquet({str(tmp_path / 't')!r})\n"
        "column = t.id > 5\nlist = t.filter(column).collect()\nfew = t.filter('id < 3').toPandas()\n"
        "result = t.filter('id = 4')\nrows = result.collect()\n"
    )
    assert at_tables(spark, query) == ("(id > 5)", "(id < 3)", "(id = 4)")


TABLES = {"a": "t", "b": "t", "k": "t", "c": "u", "j": "u"}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT 1 FROM t, u WHERE k = j AND a > 1 AND c IN (2, 3)", [("(a > 1)", True), ("(c IN (2, 3))", True)]),
        ("SELECT 1 FROM t JOIN u ON k = j AND c LIKE 'x%'", [("(c ~~ 'x%')", True)]),
        ("SELECT 1 FROM t, u WHERE a < c", [("(a < c)", False)]),
        ("SELECT 1 FROM t, u WHERE a = 1 OR c = 2", [("((a = 1) OR (c = 2))", True)]),
        ("SELECT 1 FROM t x, t y WHERE x.a <> y.a AND x.a < x.b", [("(x.a != y.a)", False), ("(x.a < x.b)", True)]),
        ("SELECT sum(a) FROM t GROUP BY k HAVING sum(a) > 3", [("(sum(a) > 3)", False)]),
        ("SELECT * FROM (SELECT sum(a) AS n FROM t WHERE b = 4) WHERE n > 5", [("(n > 5)", False), ("(b = 4)", True)]),
    ],
)
def test_predicates_are_read_off_the_sql(sql: str, expected: Sequence[tuple[str, bool]]) -> None:
    found = predicates(KITS["tpch"].database(), sql, TABLES)
    assert sorted((p.text, p.moves) for p in found) == sorted(expected)


@pytest.mark.parametrize(
    ("written", "spark", "after", "expected"),
    [
        (["(a > 1)"], ["(a > 1)"], ["(a > 1)"], Fate("a > 1", "written at the table", ("(a > 1)",))),
        (["(b > 1)"], ["(a > 1)"], ["(a > 1)"], Fate("a > 1", "Spark", ("(a > 1)",))),
        ([], ["(aa > 1)"], ["(a > 1)"], Fate("a > 1", "Headwater", ("(a > 1)",))),
        ([], [], [], Fate("a > 1", "not moved", (), ("why",))),
    ],
)
def test_what_became_of_a_predicate(
    written: Sequence[str], spark: Sequence[str], after: Sequence[str], expected: Fate
) -> None:
    reasons = [("filter(b)", "another"), ("filter(a)", "why")]
    assert fate(Predicate("a > 1", frozenset("a"), True), written, spark, after, reasons) == expected


ONE = Outcome(
    "q04", "Orders.", (("HW101", "x > 1"),), True, ((2.0, 3.0),), ((1.0, 1.0),), ("a = 1",), ("(a = 1)", "(b = 2)"), (),
    (Fate("a = 1 | 2", "Spark", ("(a = 1)",)), Fate("c", "not moved", (), ("no",))), (("filter(c)", "no"),),
)  # fmt: skip
MACHINE = dict.fromkeys(("cpu", "cores", "memory_gb", "system", "python", "spark", "revision", "date"), "?")


def test_the_page_counts_conditions_by_who_moves_them_and_lists_every_predicate() -> None:
    text = page(KITS["tpch"], [ONE], {**MACHINE, "others": 0.1}, 0.01, 1)
    assert "| q04 | HW101 | 2.00 (3.00) | 1.00 (1.00) | 2.00 (3.00) | right | 1 | 2 | 0 |" in text
    assert "Spark 1, not moved 1." in text
    assert "| `a = 1 \\| 2` | Spark | `(a = 1)` |" in text
    assert "| `c` | not moved | no |" in text
    assert "- not moved: `filter(c)`: no" in text


def test_the_page_says_of_a_busy_machine_that_its_times_are_no_figures() -> None:
    busy = {**MACHINE, "others": 1.5}
    assert not is_quiet(busy)
    assert "no figures" in page(KITS["tpcds"], [ONE], busy, 0.01, 1)
    assert "**wrong**" in page(KITS["tpcds"], [replace(ONE, correct=False)], busy, 0.01, 1)


@pytest.mark.parametrize(
    ("kit", "numbers"),
    [("tpch", list(range(1, 23))), ("tpcds", [7, 15, 34, 42, 48, 55, 67, 89, 96, 98])],
)
def test_the_queries(kit: str, numbers: list[int]) -> None:
    chosen: Kit = KITS[kit]
    assert [q.stem for q in chosen.queries] == [f"q{n:02}" for n in numbers]
