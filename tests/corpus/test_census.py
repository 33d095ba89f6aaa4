"""The census of benchmarks/corpus: which filters there are, and which boundaries stand before them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.corpus import cases, causes, ladder, texts
from benchmarks.corpus.census import sites
from benchmarks.corpus.probe import probe

from headwater.engine.analysis.options import Options

HEAD = "from pyspark.sql import functions as F\nfrom pyspark.sql.functions import udf\nimport numpy as np\n"


def only(code: str) -> tuple[str, ...]:
    """The boundaries upstream of the one filter of ``code``."""
    (site,) = sites(HEAD + code)
    return site.upstream


@pytest.mark.parametrize(
    ("code", "upstream"),
    [
        ("df.groupBy('k').agg(F.max('x').alias('m')).filter('m > 1')", ("aggregate",)),
        ("df.groupBy('k').count().where(F.col('count') > 1)", ("aggregate",)),
        ("df.withColumn('r', F.row_number().over(w)).filter(F.col('r') == 1)", ("window",)),
        ("df.join(other.distinct(), 'k').filter('a = 1')", ("join",)),
        ("df.withColumn('e', F.explode('xs')).filter('e > 1')", ("explode",)),
        ("df.selectExpr('k', 'explode(xs) as e').filter('e > 1')", ("explode",)),
        ("df.rdd.map(lambda x: (x, 1)).reduceByKey(add).filter(lambda p: p[1] > 1)", ("rdd", "rdd", "rdd")),
        ("u = udf(lambda x: x)\ndf.withColumn('y', u('x')).filter('y > 1')", ("udf",)),
        ("df = df.limit(3)\ndf = df.cache()\ndf.filter('y > 1')", ("cache", "limit")),
        ("df = a.distinct()\ndf = spark.table('t')\ndf.filter('y > 1')", ()),
        ("df = a.distinct()\nif c:\n    df = a.limit(1)\ndf.filter('y > 1')", ("limit", "distinct")),
        ("', '.join(xs)\nos.path.join(a, b)\ndf.filter('y > 1')", ()),
    ],
)
def test_boundaries_upstream(code: str, upstream: tuple[str, ...]) -> None:
    assert only(code) == upstream


@pytest.mark.parametrize(
    "code",
    ["np.where(a)", "F.filter('xs')", "df.filter(['a'])", "df.filter(like='a')", "a.where(b, c)", "filter(f, x)"],
)
def test_what_is_no_filter(code: str) -> None:
    assert sites(HEAD + code) == []


def test_scopes_are_apart() -> None:
    code = "def f(df):\n    df.distinct()\n    return df.filter('a')\ndef g(df):\n    return df.filter('b')\n"
    assert [(s.scope, s.upstream, s.root) for s in sites(code)] == [
        (("distinct",), (), "parameter"),
        ((), (), "parameter"),
    ]


def test_a_cell_that_does_not_parse_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    sources = [["import pyspark\n", "%time 1"], ["def ("], ["x = 1\n", "df.filter('a')"]]
    cells = [{"cell_type": "code", "source": s} for s in sources]
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    text = texts.load(path)
    (site,) = sites(text.text)
    assert (text.lost, text.place(site.line), text.line_in_cell(2, "df.filter('a')")) == (1, "cell 2:2", site.line)


def test_lines_of_a_databricks_notebook_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("import pyspark\n# COMMAND ----------\ndef (\n\n# COMMAND ----------\n\ndf.filter('a')\n")
    assert [s.line for s in sites(texts.load(path).text)] == [7]


def test_the_probe_and_the_census_mean_the_same_filter(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(
        HEAD + "é = 'ä'; df = spark.read.schema('k string, x int').parquet('p')\n"
        "df.groupBy('k').agg(F.max('x').alias('m')).select('k', 'm').filter(F.col('m') >= 3).write.parquet('ä')\n"
    )
    (seen,) = probe(path, Options())["filters"]
    (site,) = sites(path.read_text())
    assert tuple(seen["end"]) == site.end
    assert seen["call"] == site.call
    assert (seen["stage"], seen["code"]) == ("posed", "HW101")


@pytest.mark.parametrize(
    ("judged", "code", "kind", "outcome"),
    [
        ("none", "HW103", "partial", "wrong"),
        ("catalyst", "HW101", "exact", "wrong"),
        ("none", None, None, "equal"),
        ("exact", None, None, "missing"),
        ("exact", "HW103", "partial", "weaker"),
        ("split", "HW101", "exact", "better"),
        ("partial", "HW103", "partial", "equal"),
    ],
)
def test_outcomes(judged: str, code: str | None, kind: str | None, outcome: str) -> None:
    assert cases.outcome(judged, code, kind) == outcome


def test_stages_and_causes() -> None:
    site = {"upstream": ("join",), "scope": ("join",), "style": "column", "root": "parameter", "seen": None}
    record = {"state": "analysed", "notebook": False, "error": None}
    stopped = site | {"seen": {"stage": "stopped", "obstruction": "opaque", "reason": "no model covers `join`"}}
    known = site | {
        "seen": {"stage": "stopped", "obstruction": "cardinality-barrier", "reason": "`limit` keeps other rows"}
    }
    assert [ladder.stage(record, s) for s in (site, stopped, known)] == ["unseen", "opaque", "known"]
    left = {"stage": "no boundary", "obstruction": "opaque", "through": ["Join"]}
    moved = site | {"seen": left | {"reason": "Spark moves it"}}
    unread = site | {"seen": left | {"reason": "`x` is computed by what has no model: `f(x)`"}}
    lost = site | {"seen": left | {"reason": "no boundary", "through": []}}
    limit = site | {"seen": left | {"stage": "stopped", "reason": "a filter is not moved through `pivot` as yet"}}
    assert [ladder.stage(record, s) for s in (moved, unread, lost, limit)] == ["spark", "opaque", "lost", "known"]
    assert causes.of_site(record, stopped) == "boundary: join"
    assert causes.of_site(record | {"state": "error", "notebook": True}, site) == "file: notebook not read"
