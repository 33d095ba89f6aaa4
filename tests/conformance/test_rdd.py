"""What PySpark's key-value RDDs do, as far as ``python/rdd/fold_by_key.py`` and ``row_objects.py`` rely on it."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from tests.python.rdd.rdd_cases import CHAINS, SCHEMA
from tests.python.rdd.test_rdd import image, in_python, leaves, tables
from tests.results import Failed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
pytest.importorskip("pyspark", minversion="4.3")

DAY = dt.date(2024, 2, 29)
OF_TYPE: dict[str, tuple[Any, str]] = {
    "int": (1, "int 1"), "bigint": (2**53 + 1, f"int {2**53 + 1}"), "tinyint": (1, "int 1"),
    "double": (1.5, "float 1.5"),
    "float": (0.1, "float 0.10000000149011612"), "string": ("a", "str 'a'"), "boolean": (True, "bool True"),
    "date": (DAY, f"date {DAY!r}"), "decimal(10,2)": (Decimal("1.5"), "Decimal Decimal('1.50')"),
}  # fmt: skip


def test_rows(spark: SparkSession) -> None:
    """Values are Python's own, NULL is None whatever the type, NaN stays; 32-bit floats are widened."""
    schema = ", ".join(f"c{i} {t}" for i, t in enumerate(OF_TYPE))
    values = tuple(v for v, _ in OF_TYPE.values())
    frame = spark.createDataFrame([values, (None,) * len(values)], schema).coalesce(1)
    some, none = frame.rdd.map(lambda r: [f"{type(v).__name__} {v!r}" for v in r]).collect()
    assert some == [expected for _, expected in OF_TYPE.values()]
    assert set(none) == {"NoneType None"}
    nan = (
        spark.createDataFrame([(math.nan, -0.0)], "a double, b double").rdd.map(lambda r: repr((r.a, r["b"]))).collect()
    )
    assert nan == ["(nan, -0.0)"]


def test_names(spark: SparkSession) -> None:
    """``r.name`` and ``r["name"]`` need the exact case; ``r.count`` is a method; ``r[0]`` goes by position."""
    frame = spark.createDataFrame([(7, 8)], "count int, Amount int")
    assert frame.rdd.map(lambda r: (callable(r.count), r["count"], r[1], r.Amount)).collect() == [(True, 7, 8, 8)]
    for wrong in (lambda r: r.amount, lambda r: r["amount"]):
        with pytest.raises(Exception, match="amount"):
            frame.rdd.map(wrong).collect()


def test_zero_values(spark: SparkSession) -> None:
    """Each key of each partition starts from a deep copy of the zero value; ``comb`` sees only what is there."""
    pairs = spark.sparkContext.parallelize([("a", 1), ("a", 2), ("b", 3), ("a", 4)], 4)

    def add(state: list[list[int]], v: int) -> list[list[int]]:
        state[0].append(v)
        return state

    added = pairs.aggregateByKey(10, lambda a, v: a + v, lambda a, b: a + b)
    assert sorted(added.collect()) == [("a", 37), ("b", 13)]
    assert sorted(pairs.foldByKey(100, lambda a, b: a + b).collect()) == [("a", 307), ("b", 103)]
    kept = pairs.coalesce(1).aggregateByKey([[]], add, lambda a, b: [a[0] + b[0]])
    assert sorted(kept.collect()) == [("a", [[1, 2, 4]]), ("b", [[3]])]


def test_keys(spark: SparkSession) -> None:
    """Equality of keys is Python's: None is a key, 1, 1.0 and True are one, each NaN is its own."""
    keys = [None, None, 1, 1.0, True, math.nan, math.nan, ("a", None), ("a", None)]
    counted = spark.sparkContext.parallelize([(k, 1) for k in keys], 3).reduceByKey(lambda a, b: a + b).collect()
    one = next(k for k, _ in counted if k == 1)
    assert sorted(map(repr, counted)) == sorted(
        ["(None, 2)", f"({one!r}, 3)", "(nan, 1)", "(nan, 1)", "(('a', None), 2)"]
    )


def test_values_of_a_key(spark: SparkSession) -> None:
    """They can be gone through again, have a length, and no subscript; there is always one."""
    groups = spark.sparkContext.parallelize([("a", 1), ("a", 2), ("b", 3)], 2).groupByKey()
    shown = groups.mapValues(lambda vs: (len(vs), sorted(vs), sorted(vs), bool(vs), hasattr(vs, "__getitem__")))
    assert sorted(shown.collect()) == [("a", (2, [1, 2], [1, 2], True, False)), ("b", (1, [3], [3], True, False))]


def test_truth_decides(spark: SparkSession) -> None:
    values = [0, 1, None, "", "a", 0.0, math.nan, (), (0,), False, True]
    kept = spark.sparkContext.parallelize(values, 1).filter(lambda v: v).collect()
    assert [repr(v) for v in kept] == ["1", "'a'", "nan", "(0,)", "True"]


@pytest.mark.parametrize("number", [0, 4, 7])
def test_chains(spark: SparkSession, number: int) -> None:
    """The small Spark does what Spark does, on the same partitions: all chains that do not raise, in one job."""
    table = list(tables("chains", 8))[number]
    rows = [
        (*r[:2], abs(r[2]) if r[2] is not None and math.isfinite(r[2]) else 1.0, *r[3:]) for part in table for r in part
    ]
    assert rows
    frame = spark.createDataFrame(rows, SCHEMA).repartition(3).cache()
    partitions = [[tuple(r) for r in p] for p in frame.rdd.glom().collect()]
    expected = {n: made for n, chain in CHAINS.items() if not isinstance(made := in_python(chain, partitions), Failed)}
    assert len(expected) > 5
    made = []
    for name in expected:
        namespace: dict[str, Any] = {"sales": frame, "__name__": "rdd_chain"}
        exec(CHAINS[name], namespace)
        made.append(namespace["result"].map(lambda x, name=name: (name, x)))
    got: dict[str, list[Any]] = {name: [] for name in expected}
    for name, x in spark.sparkContext.union(made).collect():
        got[name].append(image(leaves(x)))
    frame.unpersist()
    assert {name: sorted(found) for name, found in got.items()} == expected, partitions


def test_pairs_are_tuples(spark: SparkSession) -> None:
    """Whatever two things a method takes for a pair, it yields a tuple: of such, ``kv[0]`` is the key."""
    pairs = spark.sparkContext.parallelize([["a", 1], ["a", 2]], 2)
    made = {
        "keyBy": pairs.keyBy(len), "mapValues": pairs.mapValues(str), "flatMapValues": pairs.flatMapValues(range),
        "reduceByKey": pairs.reduceByKey(max), "foldByKey": pairs.foldByKey(0, max), "groupByKey": pairs.groupByKey(),
        "aggregateByKey": pairs.aggregateByKey(0, max, max), "groupBy": pairs.groupBy(len),
        "combineByKey": pairs.combineByKey(str, min, min), "join": pairs.join(pairs), "cogroup": pairs.cogroup(pairs),
        "leftOuterJoin": pairs.leftOuterJoin(pairs), "zipWithIndex": pairs.zipWithIndex(),
    }  # fmt: skip
    kinds = [rdd.map(lambda kv, n=name: (n, type(kv).__name__, len(kv))) for name, rdd in made.items()]
    assert set(spark.sparkContext.union(kinds).collect()) == {(name, "tuple", 2) for name in made}
    halves = spark.sparkContext.parallelize([{"a", "b"}], 1).reduceByKey(max)  # no pair that has a `[0]`
    assert sorted(x for kv in halves.collect() for x in kv) == ["a", "b"]


def test_steps_interleave(spark: SparkSession) -> None:
    """Steps without a shuffle run one after the other on each element: moving a filter below a ``map`` spares the
    elements that it drops the ``map``, and changes the order of nothing else."""
    log: list[str] = []

    def noted(name: str, x: int) -> int:
        log.append(f"{name}{x}")
        return x

    steps = spark.sparkContext.parallelize(range(3), 1).map(lambda x: noted("m", x)).filter(lambda x: noted("f", x))
    assert steps.map(lambda _: " ".join(log)).collect()[-1] == "m0 f0 m1 f1 m2 f2"
