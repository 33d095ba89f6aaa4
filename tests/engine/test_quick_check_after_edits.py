"""The quick check of an edited text reports the same as a fresh quick check of the resulting text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import count
from random import Random

import pytest
from benchmarks.editor.edits import EDITS as OF_BENCHMARK
from benchmarks.editor.files import SORTS
from benchmarks.frontend.programs import file_of

from headwater.demand import nodes_around
from headwater.engine.analysis.options import Options
from headwater.engine.documents import on_demand
from headwater.engine.documents.on_demand import Seen
from headwater.pyspark.reading import asking, followed, queries
from headwater.pyspark.reading.views_read import OfViews, ViewsRead
from headwater.pyspark.sql_text.views import Uses, Views
from headwater.syntax.names.module_scope import Context
from headwater.syntax.source import ast_walk
from headwater.syntax.source.top_level import Parsed, parse
from tests.mdtest.cases import HERE, cases_of
from tests.pyspark.edits import EDITS

SHOWN, ALL = Options(), Options(show_all=True)
STEPS = 8
_numbers = count()


def demands() -> list[str]:
    """The specifications of smaller demands and of conditions that a source can use."""
    folders = (HERE / "demand", HERE / "source")
    return [case.source for folder in folders for path in sorted(folder.glob("*.md")) for case in cases_of(path)]


def in_one(texts: list[str]) -> str:
    """One text of several, each as a function, and the first and the last as code of the top level."""
    made = [texts[0]]
    for number, text in enumerate(texts[1:-1]):
        body = "\n".join(f"    {line}" for line in text.splitlines())
        made.append(f"def job_{number}(spark):\n{body}\n    return result\n\njob_{number}(spark)\n")
    return "\n\n".join([*made, texts[-1]])


def said(uri: str, text: str, options: Options) -> Seen:
    """What the quick check says, without the time that it took."""
    seen = on_demand.look(uri, text, options, None)
    found = tuple(replace(o, ms=0.0) for o in seen.report.opportunities)
    return replace(seen, report=replace(seen.report, opportunities=found))


def versions(text: str, seed: int) -> Iterator[str]:
    """``text`` as it becomes by edits, of which some are taken back."""
    random, before = Random(seed), text
    for _ in range(STEPS):
        yield text
        before, text = text, before if random.random() < 0.2 else random.choice(EDITS)(text, random)


def differs(text: str, seed: int, options: Options) -> list[str]:
    """The versions of ``text`` of which something else is said after the version before than at first sight."""
    uri = f"edited {next(_numbers)}"
    every = list(versions(text, seed))
    return [v for v in every if said(uri, v, options) != said(f"new {next(_numbers)}", v, options)]


@pytest.mark.parametrize("seed", range(8))
def test_demands(seed: int) -> None:
    texts = Random(seed).sample(demands(), 9)
    assert not differs(in_one(texts), seed, ALL if seed % 2 else SHOWN)


@pytest.mark.parametrize("seed", range(2))
def test_generated_files(seed: int) -> None:
    assert not differs(file_of(80, seed), seed, SHOWN)


@pytest.mark.parametrize("sort", SORTS)
def test_large_files_of_every_sort(sort: str) -> None:
    """As people write: the edits of the benchmark, each taken back as well."""
    text, random, uri = SORTS[sort](250), Random(1), f"edited {next(_numbers)}"
    edited = [e for edit in OF_BENCHMARK.values() if (e := edit(text, random)) is not None]
    every = [text, *(v for e in edited for v in (e, text))]
    assert not [v for v in every if said(uri, v, SHOWN) != said(f"new {next(_numbers)}", v, SHOWN)]


VIEWS = """\
from pyspark.sql import functions as F

days = spark.read.schema("k string not null, n int").parquet("days")
days.groupBy("k").agg(F.max("n").alias("n")).createOrReplaceTempView("best")
result = spark.sql("select * from best").filter("n > 3")


def other():
    return 1
"""
ABOUT_VIEWS = [
    "return spark.sql('select k from best')",
    "return spark.table('best')",
    "spark.catalog.dropTempView('best')",
    "days.createOrReplaceTempView('best')",
    "return 'best'",
    "return spark.table",
    "import json",
    "global days, result; days = result = None",
    "from pyspark.sql.functions import max as F",
]


BEHIND_EFFECTS = """\
from pyspark.sql.functions import udf


@udf("int")
def loud(x):
    print(x)
    return x


def job():
    days = spark.table("best")
    rows = days.collect()
    assert days.count() == 3
    print(rows[0])
    return spark.table("best").groupBy("k").agg({"n": "max"}).filter("k > 3")


def other():
    return 1
"""
"""Of views it matters what makes them: something in the file does more than to compute rows."""


@pytest.mark.parametrize("code", ABOUT_VIEWS)
@pytest.mark.parametrize("views", [VIEWS, BEHIND_EFFECTS])
def test_an_edit_of_code_that_may_touch_a_view_or_a_name(code: str, views: str) -> None:
    uri, edited = f"edited {next(_numbers)}", views.replace("return 1", code)
    for text in (views, edited, f"# moved\n{edited}", views):
        assert said(uri, text, ALL) == said(f"new {next(_numbers)}", text, ALL)


_views_of = followed.Followed.views_of


def _first_views(part: followed.Followed, read: ViewsRead) -> OfViews:
    return part.views[1] if part.views else _views_of(part, read)


PLANTED = {
    "views stay as they were": (Views, "uses", lambda self, name: Uses((), (), ())),
    "a view is that of the text before": (queries.Answer, "__ne__", lambda self, other: False),
    "the views that code may read are those of the text before": (
        followed.Followed,
        "views_of",
        lambda self, read: _first_views(self, read),
    ),
    "names are never imported": (asking._AskingSet, "__contains__", lambda self, name: False),
}


@pytest.mark.parametrize("name", PLANTED)
def test_notices_a_planted_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [(views, views.replace("return 1", code)) for code in ABOUT_VIEWS for views in (VIEWS, BEHIND_EFFECTS)]
    texts += [(text, text.replace("import", "# a comment\nimport", 1)) for text in (file_of(120, 5), file_of(120, 6))]
    fresh = {t: said(f"new {next(_numbers)}", t, ALL) for history in texts for t in history}
    monkeypatch.setattr(*PLANTED[name])
    uris = {f"edited {next(_numbers)}": history for history in texts}
    assert any(said(uri, t, ALL) != fresh[t] for uri, history in uris.items() for t in (*history, history[0]))


ALIKE = "def job(df):\n    print(df.a)\n    assert df.b\n    return df.c\n"


def around_names(parsed: Parsed) -> list[list[str]]:
    """What is around each variable of a text."""
    ctx = Context.read(parsed.source, parsed.lines, parsed.readable)
    names = sorted(ctx.span(n) for n in ast.walk(ctx.tree) if isinstance(n, ast.Name))
    return [[ast.dump(n) for n in nodes_around.nodes_around(ctx, span)] for span in names]


def around_names_differs() -> bool:
    """Whether something else is around a name after it has moved by as much as its neighbours are away."""
    moved = [f"#{'x' * n}\n{ALIKE}" for n in range(20)]
    parsed, found = parse(ALIKE), False
    for text in (ALIKE, *moved):
        parsed = parse(text, parsed)
        found |= around_names(parsed) != around_names(parse(text))
    return found


def test_what_is_around_a_place_moves_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not around_names_differs()
    monkeypatch.setattr(nodes_around, "_within", lambda statement, context, span: (span.start, span.end))
    assert around_names_differs()


def test_the_texts_have_findings() -> None:
    texts = [in_one(Random(seed).sample(demands(), 9)) for seed in range(12)]
    assert sum(len(said(f"new {next(_numbers)}", t, ALL).report.opportunities) for t in texts) > 20


YEAR = """\
from pyspark.sql import functions as F

days = spark.read.schema("d date, n int").parquet("days")
result = days.filter(F.year("d") == 2020)
"""


def test_what_takes_long_to_confirm_is_left_for_a_pause() -> None:
    quick = on_demand.look("year", YEAR, SHOWN, None).report
    assert not quick.opportunities
    assert quick.untried == (YEAR.index(" == 2020") + len(" == 2020"),)
    (found,) = on_demand.check("year", YEAR, SHOWN, None, apart=True).opportunities
    assert (found.code, found.confirmed) == ("HW201", True)
    assert found.filter_span.end in quick.untried


FUNCTION = """

def job_{n}(spark):
    first = spark.table("t_{n}").filter("x > {n}").collect()[0]
    pdf = spark.table("u_{n}").toPandas()
    rows = [r.a for r in spark.table("v_{n}").collect() if r.a > {n}]
    return first.a, pdf["a"].sum(), rows
"""


def test_code_that_an_edit_does_not_concern_is_not_walked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of a whole file is noted of each statement: a search of all of them would take most of the time."""
    text = "import datetime\n" + "".join(FUNCTION.format(n=n) for n in range(40))
    nodes = sum(1 for _ in ast.walk(ast.parse(text)))
    said("walked", text, SHOWN)
    walked: list[ast.AST] = []

    def noting(real: Callable[[ast.AST], Iterable[ast.AST]]) -> Callable[[ast.AST], Iterable[ast.AST]]:
        def noted(node: ast.AST) -> Iterable[ast.AST]:
            walked.append(node)
            return real(node)

        return noted

    monkeypatch.setattr(ast, "iter_child_nodes", noting(ast.iter_child_nodes))
    monkeypatch.setattr(ast_walk, "children", noting(ast_walk.children))
    for version in (text.replace("t_7", "t_70"), text, text.replace("r.a > 9", "r.a > 90")):
        walked.clear()
        said("walked", version, SHOWN)
        assert 0 < len(walked) < nodes
