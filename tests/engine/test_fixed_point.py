"""Issue 17: ``fix`` reaches a fixed point in a few rounds: what it has written it does not write again.

A sample of the specifications, the examples and the suite; ``HEADWATER_FIXED_POINTS=all`` takes every one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.files.fixing import MAX_ROUNDS, fix_text
from headwater.engine.report.report import Report
from tests.mdtest.cases import all_cases

ROOT = Path(__file__).parents[2]
EVERY = 1 if os.environ.get("HEADWATER_FIXED_POINTS") == "all" else 40
"""One of so many texts is in the sample."""
PROVED = ("HW101", "HW102", "HW103", "HW105")


@dataclass
class Counting:
    """The analysis of a text with all findings, and how often it was asked for."""

    options: Options
    calls: int = 0

    def __call__(self, text: str) -> Report:
        self.calls += 1
        return analyse(text, self.options)


def texts() -> list[tuple[str, str, dict[str, str]]]:
    cases = [c for c in all_cases() if any(e.verdict in PROVED for e in c.expectations)]
    files = [*sorted((ROOT / "examples").glob("*.py")), *sorted((ROOT / "benchmarks/suite").glob("*/*.py"))]
    found = [(c.name, c.source, c.schemas) for c in cases]
    found += [(str(p.relative_to(ROOT)), p.read_text(encoding="utf-8"), {}) for p in files]
    return found[::EVERY]


def check_fixed_point(text: str, analysis: Callable[[str], Report]) -> int:
    """Fix ``text`` and what comes out; the answer is how many rewrites were applied."""
    first = fix_text(text, analysis, accept_assumptions=True)
    second = fix_text(first.text, analysis, accept_assumptions=True)
    assert (second.text, second.applied) == (first.text, ())
    return len(first.applied)


@pytest.mark.parametrize(("name", "text", "schemas"), [pytest.param(*t, id=t[0]) for t in texts()])
def test_fix_again_changes_nothing(name: str, text: str, schemas: dict[str, str]) -> None:
    analysis = Counting(Options(timeout_seconds=30, schemas=schemas, show_all=True))
    check_fixed_point(text, analysis)
    assert analysis.calls <= MAX_ROUNDS, "too many rounds"


BATCHES = """\
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()


def doubled(batches):
    for batch in batches:
        batch["y"] = batch["x"] * 2
        yield batch


shape = "k string, x double, y double"
t = spark.read.schema(shape).parquet("t").mapInPandas(doubled, shape)
{}
"""


@pytest.mark.parametrize(
    "end",
    [
        't.replace(float("nan"), 9.0).filter(F.col("x") > 5).show()',
        't.replace(float("nan"), 9.0).where("x > 5").show()',
        't.na.replace(float("nan"), 9.0).where("x > 5 AND k = \'a\'").show()',
        "t.where(\"x = double('Infinity') OR x = double('-Infinity')\").show()",
        't.fillna(9.0).where("x > 5").show()',
    ],
)
def test_conditions_with_nan_are_read_back(end: str) -> None:
    assert check_fixed_point(BATCHES.format(end), analyse) == 1


def test_a_rewrite_that_cannot_be_read_back_is_withheld(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the front end did not read what the rewrite writes, each run would write it once more."""
    from headwater.pyspark.columns import sql

    monkeypatch.setattr(sql, "_NOT_FINITE", ())
    text = BATCHES.format('t.replace(float("nan"), 9.0).where("x > 5").show()')
    assert check_fixed_point(text, analyse) == 0


TWICE = """\
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()
t = spark.read.schema("k string, x int").parquet("t")
best = t.groupBy("k").agg(F.max("x").alias("x")).groupBy("k").agg(F.max("x").alias("x"))
best.filter(F.col("x") > 5).show()
"""


def test_the_same_boundary_twice_is_passed_twice() -> None:
    """The second rewrite has the words of the first, at another place."""
    first = fix_text(TWICE, analyse)
    assert len(first.applied) == 2
    assert first.text.index("filter") < first.text.index("groupBy")


NESTED = """\
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()
t = spark.read.schema("k string, x int, y int, day date").parquet("t")
{}
"""


@pytest.mark.parametrize(
    ("use", "codes"),
    [
        ("print(t.rdd.map(lambda row: row.k.strip()).collect()[0])", {"HW401", "HW402"}),
        ('print([r.k for r in t.filter(F.year("day") == 2024).collect()])', {"HW201", "HW401"}),
        ('print(t.filter(F.coalesce("x", F.lit(0)) > 5).toPandas().head(3))', {"HW201", "HW402"}),
        (
            'a = t.groupBy("k").agg(F.max("x").alias("x"), F.max("y").alias("y")).filter("x > 5 AND y > 5")\n'
            'print([r.k for r in t.groupBy("k").agg(F.max("x").alias("x")).filter("x > 5").collect()])',
            {"HW101", "HW401"},
        ),
    ],
)
def test_rewrites_inside_one_another_go_one_by_one(use: str, codes: set[str]) -> None:
    """What is proved of the outer one speaks of the text of the inner one."""
    fixed = fix_text(NESTED.format(use), Counting(Options(show_all=True)), accept_assumptions=True)
    assert fixed.report.error is None
    assert codes <= {o.code for o in fixed.applied}
