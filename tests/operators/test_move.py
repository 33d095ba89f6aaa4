"""Moving filters through operators."""

# A program per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

import pytest

from headwater.operators.move import Moved, Stopped, move
from headwater_ir.expr import Col, Compare, Lit
from headwater_ir.plan import UNKNOWN_SCHEMA, Conjunct, Filter, Scan, Shared
from headwater_ir.span import Span
from headwater_ir.types import FLOAT, INT, NUMBER, Type
from tests.pyspark.render import last, outcome, show

AGG = 'df.groupBy("k").agg(F.max("y").alias("m"), F.min("x").alias("n"))'


MOVES = {
    "conjoined, the lower one first": (f'{AGG}.filter("m > 1").filter("n < 2")', "agg: ((m' > 1) & (n' < 2))"),
    "conjuncts of both": (f'{AGG}.filter("m > 1 and k = \'a\'").filter("n < 2")', "agg: ((m' > 1) & (k' == 'a') & (n' < 2))"),
    "explode": (f'{AGG}.withColumn("r", F.explode("m")).filter("r = 1")', "explode: (r' == 1)"),
    "union": (f'{AGG}.union({AGG}).filter("m > 1")', "agg: (m' > 1)"),
    "sort": (f'{AGG}.orderBy("m").filter("m > 1")', "agg: (m' > 1)"),
    "sort between filters": (f'{AGG}.filter("n < 2").sort(F.desc("m")).filter("m > 1")', "agg: ((n' < 2) & (m' > 1))"),
    "select keeps": (f'{AGG}.select("k", "m").filter("m > 1")', "agg: (m' > 1)"),
    "select swaps two names": (f'{AGG}.select(F.col("m").alias("n"), F.col("n").alias("m")).filter("m > 1")', "agg: (n' > 1)"),
    "rename": (f'{AGG}.withColumnRenamed("m", "q").filter("q > 1")', "agg: (m' > 1)"),
    "rename into a freed name": (f'{AGG}.drop("n").withColumnRenamed("m", "n").filter("n > 1")', "agg: (m' > 1)"),
    "a column overwritten": (f'{AGG}.withColumn("m", F.col("n")).filter("m > 1")', "agg: (n' > 1)"),
    "columns overwritten all at once": (f'{AGG}.withColumns({{"q": F.col("m"), "m": F.col("n")}}).filter("q > 1 and m < 2")', "agg: ((m' > 1) & (n' < 2))"),
    "a case": (f'{AGG}.withColumn("q", F.when(F.col("m") > 1, 1).otherwise(0)).filter("q = 1")', "agg: (if((m' > 1), 1, 0) == 1)"),
    "an unread computation": (f'{AGG}.withColumn("q", F.col("n") + 1).filter("m > 1")', "agg: (m' > 1)"),
    "alias of the frame": (f'{AGG}.alias("a").filter("m > 1")', "agg: (m' > 1)"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), MOVES.values(), ids=MOVES.keys())
def test_moves(code: str, expected: str) -> None:
    assert outcome(code) == expected


STOPS = {
    "a sum that may overflow": (f'{AGG}.withColumn("q", F.col("n") + 1).filter("q > 1")', "may-throw"),
    "a cast that may fail": (f'{AGG}.withColumn("q", F.col("k").cast("int")).filter("q > 1")', "may-throw"),
    "a dropped column": (f'{AGG}.drop("m").filter("m > 1")', "attribute-capture"),
    "a column not selected": (f'{AGG}.select("k").filter("m > 1")', "attribute-capture"),
    "no output of the boundary": (f'{AGG}.filter("x > 1")', "attribute-capture"),
    "a computed key": ('raw.groupBy((F.col("a") + 1).alias("a")).count().filter("a > 1")', "attribute-capture"),
    "a key under another name": ('raw.groupBy(F.col("b").alias("a")).count().filter("a > 1")', "attribute-capture"),
    "rollup": ('df.rollup("k").count().filter("count > 1")', "empty-input-row"),
    "cube": ('df.cube("k").count().filter("count > 1")', "empty-input-row"),
    "an output named like a key": ('df.groupBy("k").agg(F.max("x").alias("k")).filter("k IS NOT NULL")', "attribute-capture"),
    "names that differ in case": ('raw.groupBy("K").count().filter("k > 1")', "attribute-capture"),
    "no boundary": ('df.filter("x > 1")', "no boundary"),
    "no boundary under a sort": ('df.orderBy("x").select("x").filter("x > 1")', "no boundary"),
    "a window": (f'{AGG}.withColumn("r", F.row_number().over(w)).filter("r = 1")', "row-context"),
    "posexplode": (f'{AGG}.select("k", F.posexplode("m").alias("p", "r")).filter("p = 1")', "multiplicity"),
    "an explode of what stands elsewhere": (f'e = F.explode("m")\n{AGG}.withColumn("r", e).filter("r = 1")', "opaque"),
    "an explode of what is filtered": (f'{AGG}.withColumn("r", F.explode(F.filter("m", lambda x: x > 1))).filter("r = 1")', "multiplicity"),
    "a method without a model": (f'{AGG}.withMetadata("m", {{}}).filter("m > 1")', "opaque"),
    "limit fused into a chain": (f'{AGG}.orderBy("m").limit(5).select("m").filter("m > 1")', "cardinality-barrier"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), STOPS.values(), ids=STOPS.keys())
def test_stops(code: str, expected: str) -> None:
    assert outcome(code) == expected


def moved(code: str) -> Moved:
    found = move(last(code))
    assert isinstance(found, Moved), found
    return found


def test_all_filters_are_named_outermost_first() -> None:
    found = moved(f'{AGG}.filter("m > 1").orderBy("m").filter("n < 2")')
    assert [show(f.conjuncts[0].condition) for f in found.filters] == ["(n < 2)", "(m > 1)"]
    assert not found.renamed


@pytest.mark.parametrize(
    ("between", "renamed"),
    [('.select("k", "m")', False), ('.withColumnRenamed("n", "q")', True), (".drop('n')", False), ('.withColumn("m", F.col("m"))', False)],
)  # fmt: skip
def test_renamed(between: str, renamed: bool) -> None:
    assert moved(f'{AGG}{between}.filter("m > 1")').renamed is renamed


def test_key_conjuncts() -> None:
    assert [show(c) for c in moved(f"{AGG}.filter(\"m > 1 and k = 'a' and k > 'b'\")").key_only] == [
        "(k' == 'a')",
        "(k' > 'b')",
    ]
    assert moved('df.agg(F.max("x").alias("m")).filter("m > 1")').key_only == ()
    assert moved(f"{AGG}.filter(\"m > 1 or k = 'a'\")").key_only == ()


def test_a_row_function_passes_its_other_columns() -> None:
    found = moved(
        'f = F.udf(lambda a: 1 if a is None else 2, "int")\ndf.withColumn("c", f("x")).filter("c > 1 and y > 2 and x > 0")'
    )
    fold = found.problem.fold
    assert [(o.name, o.type.name, show(o.value)) for o in fold.outputs[1:]] == [("x", "int", "x"), ("y", "float", "y")]
    assert sorted(c.name for c in fold.columns) == ["x", "y"]
    assert [show(c) for c in found.key_only] == ["(y' > 2)", "(x' > 0)"]


def test_a_row_function_that_overwrites_its_argument() -> None:
    found = moved('f = F.udf(lambda a: 1 if a is None else 2, "int")\ndf.withColumn("x", f("x")).filter("x > 1")')
    assert [o.name for o in found.problem.fold.outputs] == ["x"]
    assert found.key_only == ()


def test_a_shared_scan_without_boundary_is_not_reported() -> None:
    scan, span = Scan("t", "table", UNKNOWN_SCHEMA, Span(0, 1)), Span(1, 2)
    condition = Compare(">", Col("x"), Lit(1, INT), "sql")
    found = move(Filter(Shared(scan, 2, span), (Conjunct(condition, span),), span, span, "column"))
    assert isinstance(found, Stopped)
    assert found.no_boundary


def test_types_that_do_not_agree_stop_the_filter() -> None:
    assert outcome('raw.groupBy("k").agg(F.max("x").alias("m")).filter("m > 1 and m > \'a\'")') == "opaque"


def test_a_variable_of_unknown_type_stops_the_filter() -> None:
    assert (
        outcome('def f(q, t):\n    return q.groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > t)') == "opaque"
    )


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('F.col("m") > limit', FLOAT), ('(F.col("m") > limit) & (F.col("m") < limit)', FLOAT), ('F.col("n") > limit', NUMBER),
        ('(F.col("m") > limit) & (F.col("n") > limit)', NUMBER), ('F.col("m") > F.lit(limit) + 1.5', NUMBER),
    ],
)  # fmt: skip
def test_a_variable_beside_doubles_is_one(condition: str, expected: Type) -> None:
    """Spark makes a double of what it compares with one, in the filter as in a pre-filter."""
    read = 'df = spark.read.schema("k string, x int, y double").parquet("p")'
    moved = move(last(f"def f(limit):\n    {read}\n    return {AGG}.filter({condition})"))
    assert isinstance(moved, Moved)
    assert [p.type for p in moved.problem.fold.params] == [expected]
