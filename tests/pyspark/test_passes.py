"""How often a piece of code is followed after an edit: once, if the edit leaves how often variables are read."""

from __future__ import annotations

from collections import Counter

import pytest

from headwater.pyspark.frames.options import FrontendOptions
from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import read_module
from headwater.pyspark.reading.passes import Passes

SHARED = """\
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()


def helper(df):
    best = df.groupBy("k").agg(F.max("x").alias("m"))
    other = best.filter("m > 1")
    return other.join(best, "k")


def plain(df):
    return df.filter("k > 1")


def pipeline():
    source = spark.table("t")
    first = source.groupBy("k").agg(F.max("x").alias("m"))
    low, high = first.filter("m < 1"), first.filter("m > 5")
    for limit in (1, 2):
        joined = helper(low).filter("m > 3")
    once = spark.table("u").groupBy("k").agg(F.max("x").alias("m"))
    return joined.union(high).union(once.filter("m > 7"))


class Job:
    def run(self, df):
        best = self.made(df)
        return best.filter("m > 1").union(best.filter("m > 2"))

    def made(self, df):
        grouped = df.groupBy("k").agg(F.max("x").alias("m"))
        return grouped


top = spark.table("w").groupBy("k").agg(F.max("x").alias("m"))
low_top, high_top = top.filter("m < 1"), top.filter("m > 5")
"""

EDITS = {
    "another variable in a function": ("    source = spark", "    another = 1\n    source = spark"),
    "another variable in a helper": ("    best = df.group", "    another = 1\n    best = df.group"),
    "a variable less": ("    once = spark", "    spark"),
    "another loop": ("    for limit in (1, 2):", "    for n in (1, 2):\n        print(n)\n    for limit in (1, 2):"),
    "another call that is followed": ("    once = spark", "    more = plain(plain(source))\n    once = spark"),
    "another name in a function": ("first", "renamed"),
    "another name in a helper": ("other", "renamed"),
    "another name of a parameter": ("(df)", "(renamed)"),
    "another variable in a method": ("        grouped = df", "        another = 1\n        grouped = df"),
    "another name in a method": ("grouped", "renamed"),
    "another variable of the module": ("top = spark", "another = 1\ntop = spark"),
    "another name in the module": ("high_top", "renamed"),
    "another name of what is shared": ("top", "renamed"),
}


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Counter[object]:
    """How often pieces of code are followed."""
    found = Counter[object]()
    run = Passes._run

    def counted(self: Passes, node: object, *rest: object) -> None:
        found[node] += 1
        run(self, node, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Passes, "_run", counted)
    return found


@pytest.mark.parametrize("edit", EDITS)
def test_one_pass_is_enough_after_an_edit(edit: str, passes: Counter[object]) -> None:
    old, new = EDITS[edit]
    document, edited = Document(), SHARED.replace(old, new)
    assert edited != SHARED
    document.read(SHARED)
    assert max(passes.values()) == 2  # so that counts matter in this text
    for text in (edited, SHARED):
        passes.clear()
        assert document.read(text) == read_module(text, FrontendOptions())
        assert max(passes.values()) == 1, f"{edit}: {passes}"


def test_another_read_takes_another_pass(passes: Counter[object]) -> None:
    edited = SHARED.replace('once.filter("m > 7")', 'once.filter("m > 7").union(once)')
    document = Document()
    document.read(SHARED)
    passes.clear()
    assert document.read(edited) == read_module(edited, FrontendOptions())
    assert max(passes.values()) == 2
