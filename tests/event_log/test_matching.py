"""Issue 22, part 5: a cost belongs to a finding only if no other file and no other call can be meant."""

from __future__ import annotations

import ast

import pytest

from headwater.event_log.matching import Measured, Measurements
from headwater.event_log.model import Application, CallSite, Cost, Logs
from headwater.event_log.spark_calls import Call, JobCalls, Place, job_calls
from headwater.event_log.words import in_words

HERE = "/repo/etl/daily.py"
CALL = ("collect", 3)


def run(*paths: str, name: str = "app-1", started: int = 1, line: int = 3) -> Application:
    costs = {CallSite("collect", path, line): Cost(jobs=1, rows=i + 1) for i, path in enumerate(paths)}
    return Application(name, started, "2026-11-26", costs)


def rows(files: list[str], *runs: Application, calls: tuple[Call, ...] = (CALL,)) -> list[int]:
    measured = Measurements(Logs(runs), files)
    return [m.cost.rows if (m := measured.of(f, calls, {*calls, CALL})) else 0 for f in files]


def test_a_path_belongs_to_the_file_that_shares_most_of_its_end() -> None:
    for path in (HERE, "/opt/etl/daily.py", "/tmp/spark-1/daily.py", "daily.py", "C:\\jobs\\etl\\daily.py"):
        assert rows([HERE], run(path)) == [1], path
    for path in ("/opt/etl/other.py", "/repo/etl/Daily.py", "/opt/xdaily.py"):
        assert rows([HERE], run(path)) == [0], path
    assert rows([HERE, "/repo/web/daily.py"], run("/opt/etl/daily.py")) == [1, 0]
    assert rows(["/repo/./etl/daily.py"], run("/opt/etl/daily.py")) == [1]


def test_two_files_for_a_path_or_two_paths_for_a_file_are_none() -> None:
    assert rows([HERE, "/repo/web/daily.py"], run("/opt/daily.py")) == [0, 0]
    assert rows([HERE], run("/a/daily.py", "/b/daily.py")) == [0]
    assert rows([HERE], run("/a/etl/daily.py", "/b/daily.py")) == [1]
    assert rows([HERE, "/repo/web/daily.py"], run("/a/etl/daily.py", "/a/web/daily.py")) == [1, 2]


def test_other_logs_may_have_other_paths() -> None:
    measured = Measurements(Logs((run("/b/daily.py", name="new", started=9), run("/a/daily.py", name="old"))), [HERE])
    assert measured.of(HERE, [CALL], {CALL}) == Measured("new", "2026-11-26", 2, Cost(jobs=1, rows=1))


def test_a_run_of_another_text_is_none() -> None:
    moved = run(HERE, line=5)
    assert rows([HERE], moved) == [0]
    both = Application("a", 1, "", {**run(HERE).costs, **moved.costs})
    assert rows([HERE], both) == [0]
    assert Measurements(Logs((both,)), [HERE]).of(HERE, [CALL], {CALL, ("collect", 5)}) is not None


def test_several_calls_are_added() -> None:
    two = {CallSite("collect", HERE, line): Cost(1, 10, 2, 40, 0.5) for line in (3, 4)}
    found = Measurements(Logs((Application("a", 1, "", two),)), [HERE]).of(
        HERE, [CALL, ("collect", 4)], {CALL, ("collect", 4)}
    )
    assert found is not None
    assert found.cost == Cost(2, 20, 4, 80, 1.0)


def calls(text: str) -> JobCalls:
    """Those of the calls of ``here``, and of everything else that ends as they do."""
    ends = [
        (n.end_lineno or 0, n.end_col_offset or 0)
        for n in ast.walk(ast.parse(text))
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in ("filter", "collect")
    ]
    return job_calls(text, [Place(end) for end in ends[:1]])


def test_the_jobs_of_a_call_compute_what_stands_before_it_in_its_chain() -> None:
    assert calls("x = df.collect()").of == ((("collect", 1),),)
    assert calls("x = (df\n  .filter()\n  .toPandas(\n))").of == ((("toPandas", 1), ("toPandas", 3)),)
    assert calls("x = df.filter().count() + df.collect()[0]").of[0] in ((("count", 1),), (("collect", 1),))
    assert calls("é = 'é'; x = df.filter().collect()").of == ((("collect", 1),),)


COMPUTED = (
    "{}.collect()", "x = {}\ny = x.filter('a').rdd.map(f).collect()", "x = {}\ndef f():\n  return x.toPandas()",
    "x: D = {}\nz = x.select('a')\ny = z.join(o, 'k').take(5)",
    "x = {}\no.join(x.drop('b'), 'k').groupBy('a').agg(m).head()", "from a import *\nx = {}\nx.first()",
    "for i in j:\n  x = {}\n  x.na.drop().tail(3)", "{}.cache().collect()",
    "x = {}\nx.rdd.union(y).keyBy(f).countByKey()", "x = {}\nfor r in x.toLocalIterator(): pass",
    "x = {}\ny = o.unionByName(x, True)\ny.collect()", "x = {}.write\ny = {}\ny.collect()",
)  # fmt: skip
NOT_COMPUTED = (
    "f({}).collect()", "df.b({}).collect()", "x = {}\nx = y\nx.collect()", "x = {}\nx += y\nx.collect()",
    "x = {}\ndef f(x):\n  return x.collect()", "x, y = {}, 1\nx.collect()", "x = y = {}\nx.collect()",
    "{}.sparkSession.table('t').collect()", "{}.checkpoint().collect()", "{}.localCheckpoint().filter('a').collect()",
    "{}.transform(f).collect()", "{}[0].collect()", "{}.schema.collect()", "df.join(o, {}).collect()",
    "x = {}\nfrom a import *\nx.collect()", "x = {}\nfor x in y:\n  x.collect()", "x = {}\n[x.collect() for x in y]",
    "x = {}\nwith a as x:\n  x.collect()", "x = {}\nimport x\nx.collect()",
    "x = {}\ndef f():\n  global x\n  x = 1\nx.collect()", "x = {}\ndel x\nx.collect()", "x = {}\n(x := y).collect()",
    "x = {}\nclass x: pass\nx.collect()", "x = {}\ny.x.collect()", "x = x.collect({})", "x = [{}]\nx.collect()",
    "x = {} if a else b\nx.collect()", "x = {}\ntry: pass\nexcept E as x: x.collect()",
    "x = {}\nmatch y:\n  case [x, *_]: x.collect()", "x = {}\nlambda x: x.collect()", "x = {}\ny.filter(x).collect()",
    "x = x.select({})\nx.collect()",
)  # fmt: skip


def computed(text: str) -> tuple[Call, ...]:
    """The calls whose jobs compute the last ``df.filter()`` of a text."""
    text = text.replace("{}", "df.filter('here')")
    end = text.rindex("filter('here')") + len("filter('here')")
    line = text.count("\n", 0, end)
    (found,) = job_calls(text, [Place((line + 1, end - text.rfind("\n", 0, end) - 1))]).of
    return found


@pytest.mark.parametrize("text", COMPUTED)
def test_what_jobs_compute(text: str) -> None:
    assert len(computed(text)) == 1


@pytest.mark.parametrize("text", NOT_COMPUTED)
def test_what_jobs_do_not_compute_or_nobody_knows(text: str) -> None:
    ast.parse(text.replace("{}", "df.filter()"))
    assert computed(text) == ()


BUILT = "def build(s):\n  x = s\n  y = {}\n  return y.select('a')\n"
IN_THE_SCRIPT = {
    "{}.show()": "show", "{}.count()": "count", "x = {}\nx.isEmpty()": "isEmpty", "import os.path\n{}.show()": "show",
    "{}.write.mode('overwrite').parquet(p)": "parquet", "w = {}.write\nw.format('noop').save()": "save",
    "d = spark.read.schema(s).parquet(p)\n{}.write.parquet(q)": "parquet", "{}.write.saveAsTable('t')": "saveAsTable",
    "from pyspark.sql import functions as F\n{}.write.insertInto('t')": "insertInto",
    BUILT + "build(1).write.partitionBy('a').csv(p)": "csv", BUILT + "build(build(1)).show()": "show",
    BUILT + "def outer():\n  def inner():\n    return 1\n  return build(2)\nouter().write.json(p)": "json",
}  # fmt: skip
NOT_CERTAIN = (
    "import mine\n{}.show()", "from . import mine\n{}.show()", "from pyspark import pandas\n{}.show()",
    "import pyspark.ml\n{}.show()", "from pyspark.sql import *\n{}.show()", "exec(t)\n{}.show()",
    "{}.show()\ndf.show()", "{}.show()\nf = df.show", "{}.show()\ndf._jdf.showString(1)", "getattr(df, a)()\n{}.show()",
    "{}.write.csv(p)\nx = df.write\nx.csv(q)", "{}.write.csv(p)\nreader.csv(q)", "{}.read.csv(p)",
    "@udf\n" + BUILT + "build(1).show()", BUILT + "build = f\nbuild(1).show()", BUILT + "f(build(1)).show()",
    "def build():\n  if a:\n    return {}\n  return b\nbuild().show()",
    "def build():\n  yield 1\n  return {}\nbuild().show()",
    "def build():\n  def f():\n    return {}\n  f()\nbuild().show()",
    "class A:\n  def build(): return {}\nbuild().show()",
    "async def build(): return {}\nbuild().show()", "def build(): return {}\nx.build().show()",
)  # fmt: skip


@pytest.mark.parametrize("text", IN_THE_SCRIPT)
def test_what_jobs_of_the_jvm_compute(text: str) -> None:
    assert (IN_THE_SCRIPT[text], 0) in computed(text)


@pytest.mark.parametrize("text", NOT_CERTAIN)
def test_calls_of_the_jvm_that_may_be_others(text: str) -> None:
    ast.parse(text.replace("{}", "df.filter()"))
    assert computed(text) == ()


def test_calls_that_only_their_name_tells() -> None:
    text = "df.filter()\ndf.show()\ndf.show()\nspark.read.csv(p)\nx = df.write.json\ny = r.count()"
    place = Place((1, 11))
    here = {("count", 6), ("count", 0), ("show", 0), ("json", 0)}
    assert job_calls(text, [place]).all == here
    assert job_calls(text + "\nimport mine", [place]).all > here | {("parquet", 0), ("csv", 0)}


def test_variables_that_are_made_of_themselves() -> None:
    assert computed("x = y.join({}, 'k')\ny = x.select('a')\ny.collect()") == (("collect", 3),)
    assert computed("y = x.join({}, 'k')\nx = y.select('a')\nz.collect()") == ()


def test_calls_that_can_be_confused_are_left_out_and_known_of() -> None:
    found = calls("x = df.filter().collect() + other.collect()")
    assert found == JobCalls(frozenset({("collect", 1)}), ((),))
    assert calls("(df.filter()\n  .collect() + df\n  .collect())").of == ((),)


def test_a_text_that_does_not_parse_has_no_calls() -> None:
    for text in ("def f(:", "x = '\0'", "(" * 5000 + ")" * 5000):
        assert job_calls(text, [Place((1, 1))]) == JobCalls(frozenset(), ((),))


def test_jobs_that_are_made_one_are_those_within() -> None:
    text = "a = big.agg(m).collect()[0]\nb = big.agg(n).first()[0]\nc = big.agg(o).collect()\nd = big.agg(m).head()"
    within = (((1, 4), (1, 27)), ((2, 4), (2, 25)), ((4, 8), (4, 25)))
    (found,) = job_calls(text, [Place((1, 27), within)]).of
    assert found == (("collect", 1), ("first", 2))


def test_chains_that_are_too_long_are_left_alone() -> None:
    text = "x0 = df.filter(a)\n" + "".join(f"x{i} = x{i - 1}.select(a)\nx{i}.collect()\n" for i in range(1, 4000))
    assert job_calls(text, [Place((1, 17))]).of == ((),)
    (found,) = job_calls("\n".join(text.split("\n")[:101]), [Place((1, 17))]).of
    assert len(found) == 50


def test_words() -> None:
    def said(runs: int = 1, name: str = "app-1", day: str = "2026-11-25", **cost: float) -> str:
        return in_words(Measured(name, day, runs, Cost(**{"jobs": 1, **cost})))  # type: ignore[arg-type]

    assert said(bytes=1000, file_bytes=2_100_000_000_000, rows=4_000_000, seconds=2460) == (
        "its job read 4,000,000 rows of 2.1 TB in files in 41 min on 2026-11-25 (event log app-1)"
    )
    assert (
        said(file_bytes=999, seconds=0.04) == "its job read 999 bytes in files in 0.0 s on 2026-11-25 (event log app-1)"
    )
    assert said(bytes=5, rows=1, jobs=3, seconds=7201, runs=12) == (
        "its 3 jobs read 1 row in 2.0 h on 2026-11-25 (event log app-1, the last of 12 runs)"
    )
    assert said(name="", day="", seconds=100) == "its job took 100 s (event log)"
    assert said(bytes=10**19, seconds=1) == "its job read 10,000.0 PB in 1.0 s on 2026-11-25 (event log app-1)"
