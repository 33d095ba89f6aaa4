"""Edits of code at the top level, which is read in segments: reading it again gives what a first reading gives."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator
from random import Random

import pytest
from benchmarks.editor.files import SORTS, module_code

from headwater.pyspark.reading import incremental, passes, segments
from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import read_module
from headwater.pyspark.reading.segments import Segment
from tests.shares import share

from .edits import EDITS
from .test_incremental import told

MANY, STEPS = int(os.environ.get("HEADWATER_EDITS", "1")), 12
_MADE = (
    "{a} = spark.table('t')", "{a} = {b}", "{a} = 1", "{a} = {b}.filter('a > 1')", "{a} = {b}.join({c}, ['k'])",
    "for {a} in [1, 2]:\n    print({b})", "if {b}:\n    {a} = {c}", "with open({b}) as {a}:\n    pass",
    "{a}, {b} = {c}, {a}", "{a} += {b}", "print(({a} := {b}))", "del {a}", "n_{a} = {a}.count()", "{a}.cache()",
    "rows_{a} = {a}.collect()", "print({a}.count(), {b}.count())", "{a} = [c for c in {b}.columns]",
    "def {a}({b}):\n    return {b}.filter('a > 1')", "class {a}:\n    x = {b}", "{a} = {b}({c})",
    "def reads_{a}():\n    return {a}", "def sets_{a}():\n    global {a}\n    {a} = 1", "{a} = lambda {b}: {c}",
    "import {a}", "from util import {a}", "from util import *", "from pyspark.sql.functions import *",
    "from pyspark.sql.functions import {a}", "import pyspark.sql.functions as {a}", "print(globals())",
    "{a}.createOrReplaceTempView('{b}')", "{a}.createOrReplaceTempView('t')", "{a} = spark.sql('select * from {b}')",
    "{a} = spark.table('{b}')", "{a}.createOrReplaceTempView({b})", "{a} = 'select * from {b}'", "spark.sql({a})",
    "spark = {a}", "spark = spark.newSession()", "spark.count()", "F.count()", "F.max = {a}", "raise ValueError({a})",
    "assert {a}", "if {a}.count() == 0:\n    raise ValueError", "try:\n    {a} = {b}\nexcept Exception:\n    pass",
    "isinstance({a}, list)", "spark.conf.set('spark.sql.ansi.enabled', 'false')", "# %run ./other", "%run ./other",
    "def make(x):\n    x.createOrReplaceTempView('made')\n    return x.filter('a > 1')", "{a} = make({b})",
    "def of_t(x):\n    x.createOrReplaceTempView('t')\n    return spark.sql('select * from t')", "{a} = of_t({b})",
    "def of_of_t():\n    return of_t({a})", "for {a} in map(of_t, [{b}]):\n    {c} = {a}", "{a} = [of_of_t]",
    "@{a}\ndef decorated(x):\n    return of_t(x)", "class OfT:\n    {a} = of_t({b})",
    "{a} = spark.table('made').filter('b > 1')", "eval({a})", "x = 1", "\"\"\"A text.\"\"\"", "# a comment",
)  # fmt: skip
"""Statements that have to do with variables of other segments."""


def made(text: str, random: Random) -> str:
    """With a statement more in front of one of the top level."""
    names = sorted({n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}) or ["x"]
    a, b, c = (random.choice(names) for _ in range(3))
    lines = text.splitlines(keepends=True)
    at = random.choice([s.lineno - 1 for s in ast.parse(text).body] or [0])
    lines.insert(at, random.choice(_MADE).format(a=a, b=b, c=c) + "\n")
    return "".join(lines)


def without(text: str, random: Random) -> str:
    """Without one statement of the top level."""
    body, lines = ast.parse(text).body, text.splitlines(keepends=True)
    s = random.choice(body)
    return "".join([*lines[: s.lineno - 1], *lines[s.end_lineno or s.lineno :]])


def moved(text: str, random: Random) -> str:
    """With one statement of the top level elsewhere."""
    body, lines = ast.parse(text).body, text.splitlines(keepends=True)
    s, to = random.choice(body), random.choice(body).lineno - 1
    part, end = lines[s.lineno - 1 : s.end_lineno], s.end_lineno or s.lineno
    if s.lineno - 1 <= to < end:
        return text
    rest = [*lines[: s.lineno - 1], *lines[end:]]
    at = to if to < s.lineno else to - len(part)
    return "".join([*rest[:at], *part, *rest[at:]])


def in_text(text: str, random: Random) -> str:
    """With a character more in a string or a comment."""
    places = [m.start() + 1 for m in re.finditer(r"['\"#]", text)] or [0]
    at = random.choice(places)
    return f"{text[:at]}{random.choice('atk ')}{text[at:]}"


OWN: tuple[Callable[[str, Random], str], ...] = (made, made, made, without, moved, in_text)


def versions(text: str, seed: int) -> Iterator[str]:
    """``text`` as it becomes by edits, of which some are taken back; each can be parsed."""
    random, before = Random(seed), text
    for _ in range(STEPS):
        yield text
        for _ in range(20):
            edited = before if random.random() < 0.15 else random.choice([*OWN, *EDITS])(text, random)
            if parses(edited):
                before, text = text, edited
                break


def parses(text: str) -> bool:
    try:
        return bool(ast.parse(text).body)
    except (SyntaxError, ValueError):
        return False


def differs(text: str, seed: int) -> list[str]:
    """The versions of which something else is said after the version before than at first sight."""
    document = Document()
    return [v for v in versions(text, seed) if told(document.read, v) != told(read_module, v)]


@pytest.mark.parametrize("seed", share(range(5 * MANY), 3))
def test_random_edits_of_code_at_the_top_level(seed: int) -> None:
    assert not differs(module_code(90, seed), seed)


PART = """\
limit_{n} = {n}
best_{n} = spark.table("t").groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > limit_{n})
rows_{n} = best_{n}.collect()
print(rows_{n}[0])
"""


def test_an_edit_is_read_again_with_its_segment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    head = "from pyspark.sql import SparkSession, functions as F\n\nspark = SparkSession.builder.getOrCreate()\n"
    document, text = Document(), head + "".join(PART.format(n=n) for n in range(20))
    document.read(text)
    followed: list[object] = []
    begin = passes.Passes.begin
    monkeypatch.setattr(passes.Passes, "begin", lambda v, *node: followed.append(node[0]) or begin(v, *node))
    for version in (text.replace("limit_7 = 7", "limit_7 = 70"), text, text.replace("rows_9[0]", "rows_9[1]")):
        followed.clear()
        document.read(version)
        assert 0 < sum(s.last - s.first for s in followed if isinstance(s, Segment)) <= 8


TWO = """\
from pyspark.sql import functions as F

first = spark.table("t").groupBy("k").agg(F.max("x").alias("m"))
first.filter("m > 1").show()

second = spark.table("u").groupBy("k").agg(F.max("x").alias("m"))
second.filter("m > 2").show()
limit = 3
spark.table("s").groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > limit).show()
print(limit)
spark.table("r").groupBy("k").agg(F.max("x").alias("m")).filter(F.col("m") > limit).show()
spark.table("v").createOrReplaceTempView("w")
spark.table("w").filter("n > 1").show()
"""
ACROSS = [
    ('spark.table("u")', "first"),
    ("second.filter", "first.filter"),
    ('second.filter("m > 2").show()', 'first = second.filter("m > 2")\nfirst.show()'),
    ('spark.table("u")', 'spark.table("w")'),
    ("first.filter", "first = first.filter"),
    ("functions as F\n", "functions as F\nsecond = spark.table('t')\n"),
    ('second = spark.table("u")', 'first.createOrReplaceTempView("u")\nsecond = spark.table("u")'),
    ("limit = 3", "limit = 4"),
    ("limit = 3", "limit = 'a'"),
    ("second.filter", "print(first.count())\nsecond.filter"),
]


def head_of_anything(self: passes._Outside, head: list[ast.stmt]) -> None:
    """As ``begin``, of statements that make frames, too."""
    for s in head:
        self.statement(s)
    self.world.filters.clear()


PLANTED = {
    "segments have all variables in common": (
        (segments._Segments, "_is_common", lambda self, name: True), (passes._Outside, "begin", head_of_anything),
    ),
    "views are in no segment": ((segments._Segments, "_about_views", lambda self, views: []),),
    "nothing stands at the head": ((passes._Outside, "begin", lambda self, head: None),),
    "heads may be anything": ((incremental._Version, "_key", lambda self, s: tuple(self.shape[s.first : s.last])),),
}  # fmt: skip


def wrong_across() -> int:
    """How often something else is said of ``TWO`` after an edit than at first sight."""
    found = 0
    for old, new in ACROSS:
        document, edited = Document(), TWO.replace(old, new)
        assert edited != TWO
        found += sum(told(document.read, text) != told(read_module, text) for text in (TWO, edited, TWO))
    return found


def test_edits_that_join_segments() -> None:
    assert not wrong_across()


@pytest.mark.parametrize("name", share(PLANTED, 2))
def test_notices_a_planted_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for planted in PLANTED[name]:
        monkeypatch.setattr(*planted)
    assert wrong_across()


def test_parameters_of_lambdas_and_functions_of_modules_join_no_segments() -> None:
    document = Document()
    part = "t_{n} = spark.table('t').rdd.map(lambda r: [r.a for _ in r.b])\nn_{n} = itertools.count()\n"
    head = "import itertools\nfrom pyspark.sql import SparkSession\n\nspark = SparkSession.builder.getOrCreate()\n"
    document.read(head + "".join(part.format(n=n) for n in range(8)))
    assert document._version is not None
    assert max(s.last - s.first for s in document._version.segments) <= 4


@pytest.mark.parametrize(("given", "parts"), [("r=r", 2), ("r", 4)])
def test_a_default_of_a_lambda_is_read_outside_of_it(given: str, parts: int) -> None:
    document = Document()
    made = f"f = [lambda {given}: [r for _ in x] for x in [1]]"
    document.read(f"import pyspark\nr = 1 + 1\nprint(1)\n{made}\nspark.table('t')\n")
    assert document._version is not None
    assert len(document._version.segments) == parts


def test_a_frame_that_nobody_reads_is_not_taken_for_a_session() -> None:
    document = Document()
    head = "from pyspark.sql import SparkSession\n\nspark = SparkSession.builder.getOrCreate()\n"
    document.read(head + 'unread = spark.table("t").dropna()\nprint(1)\nunread = spark.table("u")\n')
    assert document._version is not None


@pytest.mark.parametrize("sort", SORTS)
def test_no_part_depends_on_the_whole_text(sort: str) -> None:
    """Else it is followed again after every edit, wherever that is."""
    document = Document()
    document.read(SORTS[sort](600))
    assert document._version is not None
    assert not [part for part in document._version.followed.values() if part.everything]
