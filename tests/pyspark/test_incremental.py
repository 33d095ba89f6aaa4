"""Reading a text again after an edit gives what reading it for the first time gives, in every part (issue 5)."""

from __future__ import annotations

import ast
import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

import pytest
from benchmarks.frontend.programs import file_of

from headwater.pyspark.api.api_context import ModuleAnalysis
from headwater.pyspark.driver.flow import Definition
from headwater.pyspark.reading import asking, incremental, passes, queries, relocation
from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import SourceError, read_module
from headwater.pyspark.reading.relocation import moving_fields
from headwater.pyspark.reading.segments import Segment
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.source import top_level
from headwater.syntax.source.ast_walk import methods_of
from headwater.syntax.source.top_level import parse
from headwater_ir import demand, plan
from headwater_ir.codec import dumps
from headwater_ir.span import Span
from tests.mdtest.cases import HERE, all_cases
from tests.shares import share

from .edits import EDITS

EXAMPLES = [path.read_text(encoding="utf-8") for path in sorted(Path("examples").glob("*.py"))]
STEPS = 8
MANY = int(os.environ.get("HEADWATER_EDITS", "1"))


def told(read: object, source: str) -> str:
    """All that ``read`` says of ``source``, as a text."""
    assert callable(read)
    try:
        return dumps(read(source))
    except SourceError as error:
        return f"{error.line0}:{error.character0}: {error.message}"


def histories(seed: int, text: str) -> Iterator[str]:
    """``text`` as it becomes by edits, some taken back; one that does not parse is mended by the next."""
    random, versions = Random(seed), [text]
    for _ in range(STEPS):
        yield text
        if ":" not in told(parse_only, text)[:12]:
            versions.append(text)
        text = random.choice(versions) if random.random() < 0.15 else random.choice(EDITS)(versions[-1], random)


def parse_only(source: str) -> str:
    """Nothing; SourceError if ``source`` does not parse."""
    try:
        parse(source)
    except (SyntaxError, ValueError):
        raise SourceError(0, 0, "") from None
    return ""


def differs(seed: int, text: str) -> list[str]:
    """The versions of ``text`` after which a document says something else than a first reading."""
    document = Document()
    return [version for version in histories(seed, text) if told(document.read, version) != told(read_module, version)]


@pytest.mark.parametrize("seed", share(range(6 * MANY), 3))
def test_generated_files(seed: int) -> None:
    assert not differs(seed, file_of(60, seed))


@pytest.mark.parametrize("seed", share(range(24 * MANY), 3))
def test_specifications_and_examples(seed: int) -> None:
    texts = [*EXAMPLES, *(case.source for case in all_cases())]
    assert not differs(seed, texts[seed * 7919 % len(texts)])


HELPERS = """\
import pandas as pd
from pyspark.sql import SparkSession, functions as F

LIMIT = 10
SCHEMA = "k string, m int"


def best(key, rows):
    top = 0
    for row in rows.itertuples():
        if row.x > top:
            top = row.x
    return pd.DataFrame([{"k": key[0], "m": top}])


def clean(df):
    return df.filter(F.col("x") > 1)


def first(spark):
    df = spark.read.schema("k string not null, x int not null").parquet("a")
    return clean(df).groupBy("k").applyInPandas(best, SCHEMA).filter(F.col("m") > LIMIT)


def second(spark):
    df = spark.read.schema("k string, x int").parquet("b")
    return df.groupBy("k").agg(F.max("x").alias("m")).filter("m > 5")


spark = SparkSession.builder.getOrCreate()
raw = spark.read.schema("k string, x int").parquet("c")
counts = raw.groupBy("k").agg(F.max("x").alias("m"))
out = counts.filter(F.col("m") >= 3)


def report():
    return out.count()


def later(kept=counts.filter("m > 40")):
    return kept


class Job:
    '''A class.'''

    frame = counts.filter("m > 41")

    def __init__(self, spark, kept=counts.filter("m > 42")):
        self.df = spark.table("t")

    def _tidy(self, df):
        return df.withColumnRenamed("m", "n")

    def run(self):
        self.df = self.df.groupBy("k").agg(F.max("x").alias("m"))
        self.df = self._tidy(self.df)
        self.df = self.df.filter("n > 43")
        return self.df

    after = counts.filter("m > 44")

    @property
    def other(self):
        return self.df.groupBy("k").agg(F.max("x").alias("m")).filter("m > 45")

    class Inner:
        def inside(self, df):
            return df.groupBy("k").agg(F.max("x").alias("m")).filter("m > 46")

    def last(self, df):
        return df.groupBy("k").agg(F.max("x").alias("m")).filter("m > 47")
"""
ELSEWHERE = [
    ("LIMIT = 10", "LIMIT = 20"),
    ("LIMIT = 10\n", "LIMIT = 10\nLIMIT += 1\n"),
    ('"k string, m int"', '"k string, m double"'),
    ("if row.x > top", "if row.x >= top"),
    ("return df.filter(F", "return df.distinct().filter(F"),
    ('F.col("x") > 1', 'F.col("x") > 100'),
    ("functions as F", "functions as G"),
    ("import pandas as pd", "import polars as pd"),
    ("return out.count()", "return counts.count()"),
    ("return out.count()", "F.max = F.min"),
    ("return out.count()", "spark.conf.set('spark.sql.ansi.enabled', 'false')"),
    ("return out.count()", "global LIMIT, out"),
    ("return out.count()", "exec('best = 1')"),
    ("return out.count()", "setattr(pd, 'DataFrame', dict)"),
    ("return out.count()", "return first(spark)"),
    ("return out.count()", "from pyspark.sql.functions import col as F"),
    ("return out.count()", "from util import *"),
    ("def report():", "def best():"),
    ("def report():", "class report(F.col('x').y):\n    def max():\n        pass\n\ndef LIMIT():"),
    ("def report():", "@best\ndef report(a=counts.filter('m > 4')):"),
    ("def report():", "def report(a=spark.table('t').groupBy('k').agg(F.max('x').alias('m')).filter('m > 4')):"),
    ("import pandas", "# headwater: ignore-file\nimport pandas"),
    ("import pandas", "# Databricks notebook source\n# MAGIC %run ./other\nimport pandas"),
    ("\n\ndef second", "\n# moved\n\n\n\ndef second"),
    ("m > 40", "m > 41"),
    ("(kept=counts", "(  kept=counts"),
    ("class Job:", "class Job(list):"),
    ("class Job:", "@best\nclass Job:"),
    ("class Job:", "x = 1\n\nclass Job:"),
    ("A class.", "A class, which\n    is longer now."),
    ("m > 41", "m > 410"),
    ("m > 44", "m > 440"),
    ("    def _tidy", "    limit = 5\n\n    def _tidy"),
    ('Renamed("m", "n")', 'Renamed("m", "n").distinct()'),
    ("def _tidy(self, df)", "def _tidy(self, df=None)"),
    ("self.df = self._tidy", "# moved\n        self.df = self._tidy"),
    ("    @property\n", ""),
    ("    @property\n", "    @property\n    # moved\n"),
    ("        return self.df\n\n    after", "        return self.df\n\n    x = 1\n    after"),
    ("m > 46", "m > 460"),
    ("m > 47", "m > 470"),
    ("    def last", "    def _tidy(self, df):\n        return df\n\n    def last"),
    ("    def last", "    def __setattr__(self, name, value):\n        pass\n\n    def last"),
    ("def best(key, rows):", "def _tidy(key, rows):"),
    ("    def last(self, df):\n", "    def last(self, df): x = 1\n\n    def last(self, df):\n"),
    ("    class Inner:\n", "    if LIMIT:\n"),
    ("spark", "session"),
]


@pytest.mark.parametrize(("old", "new"), ELSEWHERE)
def test_an_edit_elsewhere_and_taken_back(old: str, new: str) -> None:
    document, edited = Document(), HELPERS.replace(old, new)
    assert edited != HELPERS
    for text in (HELPERS, edited, HELPERS):
        assert told(document.read, text) == told(read_module, text)


ON_ONE_LINE = """\
from pyspark.sql import functions as F; LIMIT = 10

df = spark.table("t"); print()
counts = (
    df.groupBy("k").agg(F.max("x").alias("m"))
); out = counts.filter(F.col("m") >= LIMIT); print(out.count());
late = spark.table("u") \\

late.groupBy("k").agg(F.max("x").alias("m")).filter("m > 3").show(); n = late.count()  # rows
print(n);
"""
MOVED_ON_ONE_LINE = [
    ("LIMIT = 10", "LIMIT = 11"),
    ("; LIMIT", "\nLIMIT"),
    ("print()\n", "print(); print()\n"),
    ("; print()\n", "\n"),
    ("df.groupBy", "df.filter('x > 1').groupBy"),
    ("\n); out", "\n)\nout"),
    ("counts = (", "x = 1; counts = ("),
    (">= LIMIT", ">= 3"),
    ("print(out.count());", "print(out.count()); out = 1"),
    ("\\\n\nlate", "\\\n    .filter('x > 1')\nlate"),
    ("\\\n\n", "\n"),
    ("m > 3", "m > 4"),
    ("# rows", "; print(late.count())"),
    ("print(n);", "print(n)"),
    ("print(n);", "print(n);;"),
    ("from pyspark", "\nfrom pyspark"),
]


@pytest.mark.parametrize(("old", "new"), MOVED_ON_ONE_LINE)
def test_statements_on_one_line(old: str, new: str) -> None:
    document, edited = Document(), ON_ONE_LINE.replace(old, new)
    assert edited != ON_ONE_LINE
    assert parse(ON_ONE_LINE).statements is not None
    for text in (ON_ONE_LINE, edited, ON_ONE_LINE):
        assert told(document.read, text) == told(read_module, text)


@pytest.mark.parametrize("seed", share(range(4 * MANY), 3))
def test_random_edits_of_statements_on_one_line(seed: int) -> None:
    assert not differs(seed, ON_ONE_LINE + HELPERS)


WALLS = """\
from pyspark.sql import functions as F

df = spark.table("t")
rows = df.collect()
print(rows[0])
n = df.count()
m = df.filter("a > 1").count()
best = spark.table("u").dropDuplicates(["id"])
kept = spark.table("v").join(best, ["id"])
result = kept.select("name")


def helper():
    return 1


class Jobs:
    limit = 3

    def run(self, df):
        out = self.made()
        return out.collect()[0], self.rows(df)[0]

    def made(self):
        return spark.table("t")

    def rows(self, df):
        if df.count() > 0:
            return df.collect()
        self.kept = df.cache()
        return self.kept.count()
"""
BEHIND_WALLS = [
    ("return 1", "return rows"),
    ("return 1", "return [r.a for r in rows]"),
    ("return 1", "return lambda: rows[1]"),
    ("return 1", "return df.count()"),
    ("return 1", "return kept.dtypes"),
    ("return 1", "return kept"),
    ("return 1", "global rows; rows = 1"),
    ("limit = 3", "limit = 3\n\n    def test_a(self):\n        pass"),
    ("def made", "def test_made"),
    ("def run", "def test_run"),
    ("class Jobs:", "class Jobs(Case):"),
    ("return self.kept.count()", "return self.kept.count(), self.kept.show()"),
    ("    def run", "    def other(self):\n        return self.kept\n\n    def run"),
]


@pytest.mark.parametrize(("old", "new"), BEHIND_WALLS)
def test_an_edit_of_code_that_may_see_what_the_driver_is_handed(old: str, new: str) -> None:
    document, edited = Document(), WALLS.replace(old, new)
    assert edited != WALLS
    for text in (WALLS, edited, WALLS):
        assert told(document.read, text) == told(read_module, text)
        assert document.parsed is not None


def test_code_of_the_module_is_not_followed_again_for_names_that_it_does_not_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = Document()
    document.read(WALLS)
    followed: list[str | None] = []
    begin = passes.Passes.begin

    def noted(self: passes.Passes, node: Definition | Segment, *more: Any) -> passes.Begun:
        followed.append(None if isinstance(node, Segment) else node.name)
        return begin(self, node, *more)

    monkeypatch.setattr(passes.Passes, "begin", noted)
    document.read(WALLS.replace("return 1", "return 2"))
    assert followed == ["helper"]
    document.read(WALLS.replace("return 1", "return rows"))
    assert followed == ["helper", "helper", None]


def test_reuses_what_an_edit_does_not_concern(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document()
    document.read(HELPERS)
    followed: list[str | None] = []
    begin = passes.Passes.begin

    def noted(self: passes.Passes, node: Definition | Segment, *more: Any) -> passes.Begun:
        followed.append(None if isinstance(node, Segment) else node.name)
        return begin(self, node, *more)

    monkeypatch.setattr(passes.Passes, "begin", noted)
    document.read(HELPERS.replace('"m > 5"', '"m > 6"'))
    assert followed == ["second"]
    followed.clear()
    document.read(HELPERS.replace("row.x > top", "row.x >= top"))
    assert set(followed) == {"best", "first", "second"}  # one is taken back, and one calls the function
    document.read(HELPERS)
    followed.clear()
    document.read(HELPERS.replace("m > 47", "m > 471"))
    assert set(followed) == {"last", "Job"}
    followed.clear()
    document.read(HELPERS.replace('Renamed("m", "n")', 'Renamed("m", "n").cache()'))
    assert set(followed) == {"last", "_tidy", "run", "Job"}


SHARED = """
def shared(spark):
    df = spark.table("t").groupBy("k").agg(F.max("x").alias("m"))
    df.filter("m > 1").show()
    df.filter("m > 2").show()
    groups = spark.table("t").groupBy("k")
    groups.agg(F.max("x").alias("m")).filter("m > 3").show()
    return groups.agg(F.max("x").alias("n")).filter("n > 4")
"""


def again_and_not(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """What is said of ``texts`` by as many passes as they take, and by two wherever there is a boundary."""
    found = [told(read_module, text) for text in texts]
    monkeypatch.setattr(ModuleAnalysis, "may_differ_again", lambda self: True)
    return found, [told(read_module, text) for text in texts]


def test_a_second_pass_that_is_left_out_would_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*EXAMPLES, *(case.source for case in all_cases()), HELPERS + SHARED]
    once, twice = again_and_not(texts[-1 :: -max(40 // MANY, 1)], monkeypatch)
    assert once == twice


def test_notices_a_second_pass_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ModuleAnalysis, "may_differ_again", lambda self: False)
    once, twice = again_and_not([HELPERS + SHARED], monkeypatch)
    assert once != twice


def test_a_boundary_elsewhere_decides_how_often_the_rest_is_followed() -> None:
    boundary = 'df.groupBy("k").agg(F.max("x").alias("m"))'
    rest = """
def rest(df):
    groups = df.groupBy("k")
    groups.agg(g("x")).filter("x > 1").show()
    return groups.agg(h("x")).filter("x > 2")
"""
    text = f"from pyspark.sql import functions as F\n\ndef first(df):\n    return {boundary}\n{rest}"
    document = Document()
    for version in (text, text.replace(boundary, "df"), text):
        assert told(document.read, version) == told(read_module, version)


COUNTED = """
from pyspark.sql import functions as F

def report(spark, df):
    helped = tidy(df)
    counts = df.groupBy("k").agg(F.max("x").alias("m"))
    counts.filter("m > 1").show()
    groups = df.groupBy("k")
    groups.agg(F.max("x").alias("m")).filter("m > 2").show()
    pairs = df.rdd.map(lambda r: (r.k, r.x)).groupByKey()
    return helped.filter("m > 3")

def tidy(df):
    best = df.groupBy("k").agg(F.min("x").alias("m"))
    return best

out = spark.table("t").groupBy("k").agg(F.max("x").alias("m"))
out.filter("m > 4").show()
"""
COUNTED_OTHERWISE = [
    ('filter("m > 1")', 'filter("m > 5")'),
    ('counts.filter("m > 1").show()', 'counts.filter("m > 1").show(); counts.filter("m > 2").show()'),
    ("    counts.filter", "    other = counts\n    counts.filter"),
    ("    groups.agg", '    groups.agg(F.max("y").alias("n")).filter("n > 5").show()\n    groups.agg'),
    ("    groups = ", "    spare = df.groupBy('j')\n    groups = "),
    ("    return helped", "    pairs.mapValues(max).filter(lambda p: p[1] > 1)\n    return helped"),
    ("    return helped", "    helped.show()\n    return helped"),
    ("    return best", "    best.count()\n    return best"),
    ("    best =", "    first = df\n    best ="),
    ("    return best", "    return df"),
    ("    helped = tidy(df)", '    helped = tidy(df)\n    again = tidy(df.filter("k > 1"))'),
    ("out.filter", "out.show()\nout.filter"),
    ('F.max("x")', 'sum_of("x")'),
    ("counts.filter", "for _ in range(3):\n        counts.filter"),
]


@pytest.mark.parametrize("first", [0, 4])
def test_counts_of_the_version_before(first: int) -> None:
    """Each pair of edits, in both orders: what one adds to what is counted the other finds, or takes away."""
    for old, new in COUNTED_OTHERWISE:
        edited = COUNTED.replace(old, new)
        assert edited != COUNTED
        document = Document()
        for text in (edited, COUNTED, edited, *_with_another(edited)[first : first + 4], COUNTED):
            assert told(document.read, text) == told(read_module, text)


def _with_another(text: str) -> list[str]:
    return [text.replace(old, new) for old, new in COUNTED_OTHERWISE if old in text]


def test_notices_counts_that_are_not_those_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ModuleAnalysis, "was_counted", lambda self: True)
    with pytest.raises(AssertionError):
        test_counts_of_the_version_before(0)


TWICE = """
class Job:
    def tidy(self, df):
        return df.groupBy("k").agg(F.max("x").alias("m")).filter("m > 1")

    def run(self, df):
        df.cache()
        return self.tidy(df)
"""


@pytest.mark.parametrize("gone", ["", "    def run", "        df.cache()\n", '.filter("m > 1")'])
@pytest.mark.parametrize("first", [True, False])
def test_a_class_that_comes_to_stand_twice(gone: str, first: bool) -> None:
    """As it is, and without a part: what stands in one is at one place, and the other is at another."""
    head, other = "from pyspark.sql import functions as F\n", TWICE.replace(gone, "    def last" * ("def" in gone))
    texts = [TWICE, TWICE + other if first else other + TWICE, other + TWICE + other, other + other, TWICE]
    document = Document()
    for text in (head + t for t in texts):
        assert told(document.read, text) == told(read_module, text)


def copied(text: str, random: Random) -> str:
    """``text`` with a statement of the top level once more, or a method of a class in another class or again in its
    own, with or without the one that it is a copy of."""
    lines, body = text.splitlines(keepends=True), ast.parse(text).body
    classes = [s for s in body if isinstance(s, ast.ClassDef)]
    methods = [m for c in classes for m in methods_of(c)]
    source: ast.stmt = random.choice(methods) if methods and random.random() < 0.6 else random.choice(body)
    places = [m for m in methods if m is not source] if source in methods else [s for s in body if s is not source]
    place = top_level.first_line(random.choice(places or body))
    first, last = top_level.first_line(source), source.end_lineno or 0
    keeps = source not in methods or random.random() < 0.5
    anew = [*lines[:place], *lines[first:last], *lines[place:]]
    if not keeps:
        start = first + (last - first if place <= first else 0)
        del anew[start : start + last - first]
    edited = "".join(anew)
    return text if ":" in told(parse_only, edited)[:12] else edited


@pytest.mark.parametrize("seed", share(range(6 * MANY), 3))
def test_parts_that_are_copied_and_moved(seed: int) -> None:
    random, document, text = Random(seed), Document(), HELPERS + SHARED + TWICE
    for _ in range(STEPS):
        assert told(document.read, text) == told(read_module, text)
        text = copied(text, random)


def _as_one(self: incremental.Part, now: incremental.Part | None) -> Iterator[object]:
    yield self.start, self.first, None if now is None else (now.start, now.first)


def _any_text(node: ast.ClassDef, lines: list[str]) -> list[top_level.Statement]:
    return [top_level.Statement(m, 0, 0) for m in methods_of(node)]


PLANTED = {
    "answers are not asked again": (queries.Answer, "__ne__", lambda self, other: False),
    "places are not moved": (incremental.Followed, "moved", lambda self, moves, noted: self),
    "the heads of definitions are not seen": (incremental, "_shape", lambda statement, lines: type(statement.node)),
    "what stands between methods stays": (incremental.Part, "moved_to", _as_one),
    "methods are not the text's": (top_level, "_methods", _any_text),
}


@pytest.mark.parametrize("name", PLANTED)
def test_notices_a_planted_bug(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*PLANTED[name])
    first = told(read_module, HELPERS)
    for old, new in ELSEWHERE:
        document, edited = Document(), HELPERS.replace(old, new)
        if told(document.read, HELPERS) != first or told(document.read, edited) != told(read_module, edited):
            return
    pytest.fail("every history is read as without the bug")


@pytest.mark.parametrize("seed", share(range(30 * MANY), 3))
def test_a_tree_is_that_of_the_whole_text(seed: int) -> None:
    random, parsed = Random(seed), None
    text = file_of(40, seed) if seed % 2 else HELPERS
    for _ in range(10):
        edited = random.choice(EDITS)(text, random)
        try:
            parsed = parse(edited, parsed)
        except (SyntaxError, ValueError):
            continue
        text = edited
        assert ast.dump(parsed.readable.tree, include_attributes=True) == ast.dump(
            parse(text).readable.tree, include_attributes=True
        )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1 \\\n\ny = 2\n", "x = 1 \\\n+ 3\ny = 2\n"),
        ("if a:\n    b\n\nc\nd\n", "if a:\n    b\nelse:\n    c\nd\n"),
        ("def f():\n    a\n\nb\n", "def f():\n    a\n    b\nb\n"),
        ("a\nb\nc\n", "a\n@b\ndef c(): pass\nc\n"),
        ("a\n'''\nb\n'''\nc\n", "a\n'''\nb\nc\n'''\n"),
        ("a\nb\nc\n", "a\nb; d\nc\n"),
        ("try:\n    a\nfinally:\n    b\nc\n", "try:\n    a\nexcept E:\n    b\nc\n"),
        ("a\r\nb\rc\n", "a\r\nb\r\rc\n"),
        ("a = f'''{\nb}'''\nc\n", "\na = f'''{\nb}'''\nc\n"),
        ("@a\n# b\n@c\ndef d(): pass\ne\n", "\n@a\n# b\n@c\ndef d(): pass\ne\n"),
    ],
)
def test_statements_that_an_edit_joins_or_parts(before: str, after: str) -> None:
    parsed = parse(after, parse(before))
    assert ast.dump(parsed.readable.tree, include_attributes=True) == ast.dump(
        parse(after).readable.tree, include_attributes=True
    )


def test_of_every_part_of_a_plan_it_is_known_whether_it_holds_places() -> None:
    kinds = [k for k in vars(plan).values() if dataclasses.is_dataclass(k) and isinstance(k, type)]
    for kind in {*plan.PLAN_NODES, plan.Boundary, plan.Conjunct, plan.Way} & set(kinds):
        places = {name for name, _ in moving_fields(kind)}
        spans = {f.name for f in dataclasses.fields(kind) if "Span" in str(f.type) or f.name.endswith("_at")}
        assert spans <= places


def kinds_in(hint: object, known: set[type]) -> set[type]:
    """``known``, and the data classes that a value of the type ``hint`` may consist of."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if hint not in known:
            known.add(hint)
            for part in get_type_hints(hint).values():
                kinds_in(part, known)
    for part in get_args(hint):
        kinds_in(part, known)
    return known


@pytest.mark.parametrize(
    "kind", [plan.Filter, demand.Wall, demand.KeptFrame, demand.Job, demand.GroupExtreme, demand.PlainJoin]
)
def test_of_every_part_of_what_is_found_it_is_known_whether_it_holds_places(kind: type) -> None:
    for part in kinds_in(kind, set()) - {Span}:
        if part not in relocation._PLACELESS:
            moving_fields(part)
        else:
            assert Span not in kinds_in(part, set())


DEMAND = sorted(p.name for p in (HERE / "demand").glob("*.md"))


@pytest.mark.parametrize("file", DEMAND)
def test_a_line_more_is_read_in_parts(file: str) -> None:
    texts = [c.source for c in all_cases() if c.file == file]
    assert texts
    for text in texts:
        document, edited = Document(), f"# more\n{text}"
        document.read(text)
        in_parts = document.parsed is not None
        assert told(document.read, edited) == told(read_module, edited)
        assert (document.parsed is not None) == in_parts


def test_every_question_is_one_that_names_or_contexts_answer() -> None:
    names = Names(Context.of(HELPERS))
    for kind in queries.VALUES | queries.OF_NAMES:
        assert hasattr(names, kind)
    for kind in queries.OF_CONTEXT:
        assert hasattr(names.ctx, kind)


@pytest.mark.parametrize("look", ["source", "readable", "hidden", "_bindings", "no_such_question"])
def test_whoever_looks_at_more_depends_on_everything(look: str) -> None:
    log = queries.Log(queries.Answers(Names(Context.of(HELPERS))))
    names = asking.AskingNames(log)
    assert names.ctx.function("best") is not None
    assert not log.everything
    getattr(names.ctx, look, None)
    assert log.everything


def test_whoever_walks_the_tree_depends_on_everything() -> None:
    log = queries.Log(queries.Answers(Names(Context.of(HELPERS))))
    tree = asking.AskingNames(log).ctx.tree
    assert log.answers.names.ctx.tree.body[2] in tree.body
    assert not log.everything
    assert sum(1 for _ in ast.walk(tree)) == sum(1 for _ in ast.walk(ast.parse(HELPERS)))
    assert log.everything


def test_names_that_are_asked_for_are_joined_with_others() -> None:
    log = queries.Log(queries.Answers(Names(Context.of("import os\nglobal_ = 1\n"))))
    imported = asking.AskingNames(log).imported
    for joined in (imported | {"own"}, {"own"} | imported, frozenset({"own"}) | imported):
        assert "own" in joined
        assert "os" in joined
        assert "global_" not in joined
    assert not log.everything


USES_ALIKE = """\
from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.getOrCreate()


def load(spark):
    return spark.table("t")


rows = spark.table("events").filter(F.col("a") > 1)
print(rows.count(), rows.filter(F.col("b") > 2).count())
"""


@pytest.mark.parametrize(("new", "asked_again"), [('spark.table("u")', False), ("isinstance(spark, str)", True)])
def test_code_of_the_top_level_asks_what_is_done_with_a_variable(
    new: str, asked_again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = Document()
    document.read(USES_ALIKE)
    followed: list[object] = []
    begun = passes.Passes.begin

    def noted(self: passes.Passes, node: object, *more: object) -> object:
        followed.append(node)
        return begun(self, node, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(passes.Passes, "begin", noted)
    edited = USES_ALIKE.replace('spark.table("t")', new)
    assert document.read(edited) == read_module(edited)
    assert any(isinstance(node, Segment) for node in followed) == asked_again


def test_a_class_in_a_function_that_the_module_calls_is_read_once() -> None:
    source = (
        "def report(t):\n    class Counts:\n        def made(self, t):\n            n = t.filter('x > 1').count()\n"
        "            return n, t.filter('x > 2').count(), t.filter('x > 3').collect()\n"
        "    Counts().made(t)\n    return t\n\nt = spark.table('t')\nx = report(t)\n"
    )
    module = read_module(source)
    assert (len(module.jobs), len(module.walls)) == (2, 3)
    assert told(Document().read, source) == dumps(module)


@pytest.mark.parametrize("read", ["list(map(make, [1]))\n", "make(1)\n", "[make][0](1)\n", ""])
@pytest.mark.parametrize("made", ['spark.table("u").createOrReplaceTempView("v")\n', ""])
def test_a_view_that_a_function_registers(read: str, made: str) -> None:
    """Whoever calls the function, if anybody does."""
    schema = 'spark.read.schema("k string, x int").parquet("t")'
    query = 'spark.sql("select k, x from v").groupBy("k").agg(F.max("x").alias("m")).filter("m > 5").show()\n'
    head = "from pyspark.sql import functions as F\n"
    source = f'{head}def make(i):\n    {schema}.createOrReplaceTempView("v")\n{made}{read}{query}def g():\n    {query}'
    assert told(Document().read, source) == told(read_module, source)
