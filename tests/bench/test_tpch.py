"""The bench of TPC-H: which conditions come to tables, and the page that says so."""

from __future__ import annotations

from benchmarks.tpch.__main__ import QUERIES, Outcome, page
from benchmarks.tpch.at_tables import added, by_rules, conditions

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


def test_the_page_counts_conditions_by_who_moves_them() -> None:
    one = Outcome(
        "q04", "Orders.", (("HW101", "x > 1"),), ("no",), True, (2.0,), (1.0,), ("a = 1",), ("(a = 1)", "(b = 2)"), ()
    )
    text = page([one], 0.01, 1)
    assert "| q04 | HW101 | 2.00 | 1.00 | 2.00 | right | 1 | 2 | 0 |" in text
    assert "- Spark moves: `(a = 1)`, `(b = 2)`" in text
    assert "after the rewrite only:" not in text


def test_there_are_22_queries() -> None:
    assert [q.stem for q in QUERIES] == [f"q{i:02}" for i in range(1, 23)]
