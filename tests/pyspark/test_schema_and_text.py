"""Schemas, suppressions, bad input, offsets."""

# A program per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

import pytest

from headwater.operators.move import Moved, move
from headwater.pyspark.frames.schema import parse_ddl
from headwater.pyspark.reading.module import FrontendOptions, SourceError, read_module
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.suppress import read_suppressions
from headwater_ir.types import DECIMAL, FLOAT, INT32, INT64, OPAQUE, STRING, list_of

from .render import HEAD, last, module, show


def test_ddl() -> None:
    schema = parse_ddl(
        "a int, `b c` STRING NOT NULL COMMENT 'x, y', d: array<bigint>, e decimal(10, 2), f map<string,int>"
    )
    assert [(f.name, f.type, f.nullable) for f in schema.fields] == [
        ("a", INT32, True), ("b c", STRING, False), ("d", list_of(INT64), True), ("e", DECIMAL, True), ("f", OPAQUE, True),
    ]  # fmt: skip


def test_ddl_of_a_struct() -> None:
    assert [f.name for f in parse_ddl("struct<a: int, b: struct<c: int>>").fields] == ["a", "b"]


@pytest.mark.parametrize("text", ["", "a", "a int,", "a int, A string"])
def test_no_ddl(text: str) -> None:
    with pytest.raises(Refusal):
        parse_ddl(text)


@pytest.mark.parametrize(
    "spelled",
    [
        'StructType([StructField("a", IntegerType(), False), StructField("b", DoubleType())])',
        'StructType().add("a", IntegerType(), False).add("b", "double")',
        '"a int not null, b double"',
    ],
)
def test_schema_of_created_data(spelled: str) -> None:
    found = {f[0]: f[2] for f in module(f"q = spark.createDataFrame([], {spelled})").frames}["q"]
    assert [(f.name, f.type, f.nullable) for f in found.fields] == [("a", INT32, False), ("b", FLOAT, True)]


@pytest.mark.parametrize(
    "code",
    [
        'q = spark.read.schema("a int not null").parquet("p")',
        'q = spark.read.csv("p", schema="a int not null")',
        'q = spark.createDataFrame(rows, "a int not null")',
        's = "a int not null"\nq = spark.read.format("orc").schema(s).load("p")',
    ],
)
def test_every_column_of_a_read_is_nullable(code: str) -> None:
    found = {f[0]: f[2] for f in module(code).frames}["q"]
    assert [(f.name, f.nullable) for f in found.fields] == [("a", True)]


def test_a_schema_that_something_changes_is_unknown() -> None:
    code = 's = StructType([StructField("a", IntegerType())])\ns.add("b", "int")\nq = spark.read.schema(s).csv("p")'
    assert not {f[0]: f[2] for f in module(code).frames}["q"].complete


def test_a_stated_schema_is_believed() -> None:
    options = FrontendOptions(schemas={"t": "k string, x int not null"})
    found = module('raw.groupBy("k").agg(F.max("x").alias("m")).filter("m > 1")', options).filters[0]
    moved = move(found)
    assert isinstance(moved, Moved)
    assert [show(f) for f in moved.problem.fold.facts] == ["!null(x)"]


FACTS = {
    'df.filter(F.col("x").isNotNull())': ["!null(x)"],
    'df.where("x is not null and k = \'a\'").orderBy("x")': ["!null(x)", "(k == 'a')"],
    'df.dropna()': ["!null(k)", "!null(x)"],
    'df.na.drop(subset=["x"])': ["!null(x)"],
    'raw.dropna(subset="x")': ["!null(x)", "!nan(x)"],
    'df.dropna(how="all")': [],
    'df.dropna(thresh=1)': [],
    'df.filter(F.col("x").isNotNull()).withColumn("x", F.lit(None))': [],
    'df.filter(F.col("x").isNotNull()).join(raw, "k")': [],
    'df.filter(F.col("x") > t)': [],
}  # fmt: skip


@pytest.mark.parametrize(("source", "facts"), FACTS.items(), ids=FACTS.keys())
def test_facts(source: str, facts: list[str]) -> None:
    if "lit(None)" in source:
        code = f't = z()\n{source}.groupBy("k").agg(F.count("x").alias("m")).filter("m > 1")'
    else:
        code = f't = z()\n{source}.groupBy("k").agg(F.max("x").alias("m")).filter("m > 1")'
    moved = move(last(code))
    assert isinstance(moved, Moved)
    assert [show(f) for f in moved.problem.fold.facts] == facts


def test_suppressions() -> None:
    text = 'a = "# headwater: ignore"\nb  # headwater: ignore\nc  # noqa # headwater:ignore[hw101, HW102]\nd  # headwater: ignored\n'
    assert read_suppressions(text) == (((1, ()), (2, ("HW101", "HW102"))), False)
    assert read_suppressions("x = (\n# headwater: ignore-file")[1] is True


@pytest.mark.parametrize(
    ("source", "line", "character"),
    [
        ("x = (", 0, 4),
        ("a\nb = = c\n", 1, 4),
        ("a\n\0", 1, 0),
        ("(" * 5000, 0, None),
        ("-" * 200_000 + "1", 0, None),
        ("print 'x'", 0, 0),
    ],
)
def test_bad_input(source: str, line: int, character: int | None) -> None:
    with pytest.raises(SourceError) as error:
        read_module(source)
    assert error.value.line0 == line
    assert character is None or error.value.character0 == character


INSERTIONS = {
    'df.groupBy("k").count().filter("count > 1")': 'df|.groupBy("k").count().filter("count > 1")',
    '(df).groupBy("k").count().filter("count > 1")': '(df)|.groupBy("k").count().filter("count > 1")',
    '(df  # all\n .groupBy("k")\n .count()\n .filter("count > 1"))': '(df|  # all\n .groupBy("k")\n .count()\n .filter("count > 1"))',
    'df \\\n .groupBy("k").count().filter("count > 1")': 'df| \\\n .groupBy("k").count().filter("count > 1")',
    'é = "ü"; df.where("s = \'é\'").groupBy("k").count().filter("count > 1")': 'é = "ü"; df.where("s = \'é\'")|.groupBy("k").count().filter("count > 1")',
    'g = df.groupBy("k")\ng.count().filter("count > 1")': 'g = df|.groupBy("k")\ng.count().filter("count > 1")',
    'df.agg(F.max("x").alias("m")).filter("m > 1")': 'df|.agg(F.max("x").alias("m")).filter("m > 1")',
}  # fmt: skip


@pytest.mark.parametrize(("code", "marked"), INSERTIONS.items())
def test_where_a_prefilter_goes(code: str, marked: str) -> None:
    moved = move(last(code))
    assert isinstance(moved, Moved)
    at = moved.boundary.boundary.insert_at - len(HEAD)
    assert code[:at] + "|" + code[at:] == marked
    call = moved.filters[0].call.text(HEAD + code)
    assert call == '.filter("count > 1")' or call == '.filter("m > 1")'
