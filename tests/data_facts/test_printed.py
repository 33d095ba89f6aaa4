"""A schema that the program has printed is that of one call, or of none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from headwater.cli.app import app
from headwater.data_facts.model import Output
from headwater.data_facts.printed_tree import columns_of
from headwater.engine.analysis.options import Options
from headwater.engine.files.data import with_data
from headwater.engine.files.discovery import read_source
from headwater.engine.files.printed import printed_facts
from headwater.engine.files.service import analyse_file
from headwater.pyspark.frames.known_data import evidence
from headwater.pyspark.frames.schema import parse_type
from headwater_ir.types import OPAQUE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TREE = "root\n |-- ts: timestamp (nullable = true)\n |-- n: long (nullable = false)\n\n"
OTHER = "root\n |-- ts: date (nullable = true)\n\n"
HEAD = "from pyspark.sql import SparkSession, functions as F\nspark = SparkSession.builder.getOrCreate()"
READ = 'spark.read.parquet("s3://lake/events")'
FILTER = "events.filter(F.year('ts') == 2023).write.parquet('out')"


def lines(tree: str) -> list[str]:
    return [line.strip() for line in tree.split("\n") if line.strip()][1:]


def test_a_tree() -> None:
    found = columns_of(
        lines("""root
 |-- a: b: integer (nullable = false)
 |-- s: struct (nullable = true)
 |    |-- x: array (nullable = true)
 |    |    |-- element: long (containsNull = true)
 |    |-- y: date (nullable = false)
 |-- m: map (nullable = true)
 |    |-- key: string
 |    |-- value: array (valueContainsNull = true)
 |    |    |-- element: double (containsNull = false)
 |-- l: array (nullable = true)
 |    |-- element: array (containsNull = true)
 |    |    |-- element: decimal(10,2) (containsNull = true)
 |-- c: char(5) (nullable = true)
 |-- v: varchar(5) (nullable = true)
 |-- empty: struct (nullable = true)
""")
    )
    assert found is not None
    assert [(c.name, c.ddl, c.nulls) for c in found] == [
        ("a: b", "integer", 0), ("s", "unknown", None), ("m", "unknown", None),
        ("l", "array<array<decimal>>", None), ("c", "unknown", None), ("v", "string", None), ("empty", "unknown", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "tree",
    [
        "", "|-- a: long", "|-- a: long (nullable = True)", "|-- a: Long (nullable = true)",
        "-- a: long (nullable = true)",
        "|-- a: longer (nullable = true)", "|-- a: array (nullable = true)", "|-- a: map (nullable = true)",
        "|    |-- a: long (nullable = true)", "|-- a: long (nullable = true)\n|    |-- b: long (nullable = true)",
        "|-- a: array (nullable = true)\n|    |-- element: long (nullable = true)",
        "|-- a: array (nullable = true)\n|-- element: long (containsNull = true)",
        "|-- a: map (nullable = true)\n|    |-- value: long (valueContainsNull = true)\n|    |-- key: long",
        "|-- a: long (nullable = true)\n...", "|-- a: long (nullable = true)\n|-- A: date (nullable = true)",
        "|-- a: long (nullable = true)\n|-- b: string (nullable = t", "|-- : long (nullable = true)",
        "|-- a`b: long (nullable = true)", "|-- a\x1b[31m: long (nullable = true)",
        "|-- a: decimal (nullable = true)", "|-- a: long(3) (nullable = true)",
        "|-- a: struct<b:int> (nullable = true)",
    ],
)  # fmt: skip
def test_a_line_that_is_not_understood_spoils_the_tree(tree: str) -> None:
    assert columns_of(tree.split("\n") if tree else []) is None


DDL = """a boolean, b tinyint, c smallint, d int not null, e bigint, f float, g double, h string, i date, j timestamp,
    k timestamp_ntz, l binary, m decimal(12, 3), n array<string>, o array<array<int>>, p struct<x: int, y: array<date>>,
    q map<string, struct<z: double>>, `a: long (nullable = true)` date, `b c` bigint, `ü` int, r void, s variant,
    t array<decimal(5, 0)>, u map<int, array<map<string, date>>>, v interval day to second, w char(5), x varchar(7)"""


@pytest.mark.spark
def test_what_spark_prints(spark: SparkSession) -> None:
    """Every type alone, so that one that is not read says nothing of the others; then all that are read together."""
    from pyspark.sql import types as T

    def printed(*fields: T.StructField) -> list[str]:
        stored = T.StructType([*fields]).json()
        tree: str = spark._jvm.org.apache.spark.sql.types.DataType.fromJson(stored).treeString()
        assert tree.startswith("root\n |-- ")
        return lines(tree)

    read, others = [], set()
    for field in T.StructType.fromDDL(DDL):
        found = columns_of(printed(field))
        if found is None:
            others.add(field.name)
            continue
        (column,) = found
        assert (column.name, column.nulls == 0) == (field.name, not field.nullable)
        known, of_ddl = parse_type(column.ddl), parse_type(field.dataType.simpleString())
        assert known == of_ddl or (known == OPAQUE and field.name in "pquw"), field
        read.append(field)
    assert others == {"v"}
    assert [c.name for c in columns_of(printed(*read)) or ()] == [f.name for f in read]


def comment(tree: str) -> str:
    return "".join(f"# {line}\n" for line in tree.strip("\n").split("\n"))


def of(text: str, *outputs: Output) -> list[tuple[str, int]]:
    """The call and the number of columns of each fact."""
    return [(facts.place, len(facts.columns)) for facts in printed_facts(text, outputs)]


COMMENTS = (
    "events = {}\nevents.printSchema()\n#T",
    "events = {}\n#Tevents.printSchema()\n",
    "events = {}\nother = 1\nevents.printSchema()  # see below\n#Tprint(events)\nevents = events.filter('a')\n",
    "if a:\n    events = 1\nevents = {}\ndef f():\n    events = 2\nevents.printSchema()\n#T",
    "events = {}\r\nevents.printSchema()\r\n#T",
)
NOT_IN_COMMENTS = (
    "events = {}\nevents.printSchema()\n\n#T", "events = {}\nevents.printSchema()\n# the schema\n#T",
    "events = {}\nevents.printSchema(1)\n#T", "events = {}\nevents.cache().printSchema()\n#T",
    "events = {}\nif a:\n    events.printSchema()\n    #T", "events = {}\nevents = 1\nevents.printSchema()\n#T",
    "events = {}\nfor events in x: pass\nevents.printSchema()\n#T", "events = x = {}\nevents.printSchema()\n#T",
    "events = {}\nif a:\n    events = 1\nevents.printSchema()\n#T", "events, x = {}\nevents.printSchema()\n#T",
    "events = {}\ndef f():\n    global events\n    events = 1\nf()\nevents.printSchema()\n#T",
    "events = {}\nevents.printSchema()\n#Tother.printSchema()\n", "other.printSchema()\n#Tevents = {}\n",
    "events = {}\nx = {}\nevents.printSchema()\n#T", "events = {}\nexec(t)\nevents.printSchema()\n#T",
    "events = {}\nlocals()['events'] = x\nevents.printSchema()\n#T",
    "events = {}\nvars()['events'] = x\nevents.printSchema()\n#T", "events = {}\neval(t)\nevents.printSchema()\n#T",
    "import sys\nevents = {}\nsetattr(sys.modules[__name__], 'events', x)\nevents.printSchema()\n#T",

    "events = {}\nx = 1; events.printSchema()\n#T", "events = {}\nevents.printSchema(); events = 1\n#T",
    "events = {}\nevents.printSchema()\n#Tx = 1\nevents.printSchema()\n#O",
    "events = {}\nevents.printSchema()\nx = '''\n#T'''",
    "# Databricks notebook source\nevents = {}\n\n# COMMAND ----------\n\n# MAGIC %run ./other\n\n"
    "# COMMAND ----------\n\nevents.printSchema()\n#T", "events = {}.cache()\nx.printSchema()\n#T",
    "events = [{}]\nevents.printSchema()\n#T",
)  # fmt: skip


def program(text: str) -> str:
    return text.replace("{}", READ).replace("#T", comment(TREE)).replace("#O", comment(OTHER))


@pytest.mark.parametrize("text", COMMENTS)
def test_comments(text: str) -> None:
    assert of(program(text)) == [(READ, 2)]


@pytest.mark.parametrize("text", NOT_IN_COMMENTS)
def test_comments_that_may_be_of_another_frame(text: str) -> None:
    assert of(program(text)) == []


def cell(source: str, printed: str = "", turn: int | None = None, **more: Any) -> dict[str, Any]:
    streams = [{"output_type": "stream", "name": "stdout", "text": printed.splitlines(True)}] if printed else []
    said: dict[str, Any] = {
        "cell_type": "code",
        "metadata": {},
        "execution_count": turn,
        "outputs": streams,
        "source": source,
    }
    return {**said, **more}


def notebook(path: Path, *cells: dict[str, Any]) -> Path:
    metadata = {"language_info": {"name": "python"}}
    path.write_text(json.dumps({"cells": [cell(HEAD), *cells], "metadata": metadata, "nbformat": 4}))
    return path


def known(path: Path, *cells: dict[str, Any]) -> list[tuple[str, int]]:
    source = read_source(notebook(path / "a.ipynb", *cells))
    return of(source.text, *source.outputs())


SHOWN = "+---+\n|n  |\n+---+\n|7  |\n+---+\n\n"
ASK = "events.printSchema()"


def test_the_output_of_a_cell(tmp_path: Path) -> None:
    bound = f"events = {READ}"
    here = [(READ, 2)]
    assert known(tmp_path, cell(f"{bound}\n{ASK}", TREE)) == here
    assert known(tmp_path, cell(f"%matplotlib inline\n{bound}"), cell(f"events.show()\n{ASK}", SHOWN + TREE)) == here
    assert known(tmp_path, cell(bound), cell(ASK, TREE.rstrip("\n"))) == here
    assert known(tmp_path, cell(bound), cell(f"{ASK}\nx = {READ[:-1]}, a)\nx.printSchema()", TREE + OTHER)) == [
        (READ, 2), (f"{READ[:-1]}, a)", 1),
    ]  # fmt: skip
    other = {"output_type": "stream", "name": "stderr", "text": TREE}
    livy = {
        "output_type": "display_data",
        "data": {"application/vnd.livy.statement-meta+json": {"execution_start_time": "2021-03-15T08:40:06.71Z"}},
    }
    result = {"output_type": "execute_result", "data": {"text/plain": TREE}}
    error = {"output_type": "error", "ename": "E", "evalue": "", "traceback": []}
    assert known(tmp_path, cell(bound), cell(ASK, outputs=[livy, result])) == here
    assert known(tmp_path, cell(bound), cell(ASK, outputs=[other])) == []
    assert known(tmp_path, cell(bound), cell(ASK, outputs=[result, error])) == []
    for source, printed in (
        (f"{ASK}\n{ASK}", TREE), (ASK, TREE + OTHER), (ASK, "root\n"), (f"f()\n{ASK}\ng = df.printSchema", TREE),
        (f"for i in a:\n    {ASK}", TREE), (ASK, TREE.replace("long", "what")), (ASK, TREE.replace("\n\n", "\n...\n")),
        (f"print({ASK})", TREE + "None\n"), ("events = 1\n" + ASK, TREE), (f"print('root')\n{ASK}", "root\n" + TREE),
        (f"# printSchema twice\n{ASK}", TREE),
    ):  # fmt: skip
        assert known(tmp_path, cell(bound), cell(source, printed)) == [], source
    assert known(tmp_path, cell(bound), cell("%run ./other"), cell(ASK, TREE)) == []
    assert known(tmp_path, cell(bound), cell("events = oops("), cell(ASK, TREE)) == []
    assert known(tmp_path, cell(bound), cell(ASK, TREE), cell("x = 1\nevents.printSchema()", OTHER)) == []


def test_cells_that_were_run_in_another_order(tmp_path: Path) -> None:
    def turns(bound: int | None, asked: int | None, again: int | None) -> bool:
        later = cell("events = events.filter('n > 3')", turn=again)
        return bool(known(tmp_path, cell(f"events = {READ}", turn=bound), cell(ASK, TREE, asked), later))

    for good in ((1, 2, 3), (1, 2, None), (2, 3, 1), (None, None, None), (4, 9, 12)):
        assert turns(*good), good
    for bad in ((1, 3, 2), (2, 1, 3), (None, 2, 3), (1, None, 3), (5, 9, 7)):
        assert not turns(*bad), bad
    whole = cell(f"events = {READ}\n{ASK}", TREE, 3)
    assert known(tmp_path, whole, cell("events = 1", turn=2)) == [(READ, 2)]


def test_the_day_on_which_a_cell_was_run(tmp_path: Path) -> None:
    def said(metadata: object) -> str:
        asked = cell(f"events = {READ}\n{ASK}", TREE, metadata=metadata)
        source = read_source(notebook(tmp_path / "a.ipynb", asked))
        (facts,) = printed_facts(source.text, source.outputs())
        return evidence(facts)

    text = "the schema of `events`, as printed in the output of cell 2, "
    assert said({"execution": {"iopub.execute_input": "2023-05-01T10:00:00Z"}}) == f"{text}on 2023-05-01"
    assert said({"executionInfo": {"timestamp": 1_682_935_200_000}}) == f"{text}on 2023-05-01"
    for unknown in ({}, None, {"execution": {"iopub.execute_input": "today"}}, {"executionInfo": {"timestamp": -1}}):
        assert said(unknown) == f"{text}on an unknown day"


def findings(path: Path, options: Options) -> list[tuple[str, str, tuple[str, ...]]]:
    report = analyse_file(path, options, None).report
    assert report.error is None
    return [(o.code, o.filter_text, o.assumptions) for o in report.opportunities]


def test_a_finding_names_what_was_printed_and_one_of_another_type_goes(tmp_path: Path) -> None:
    text = TREE.replace("n: long (nullable = false)", "day: string (nullable = true)")
    bound = cell(f"events = {READ}\n{ASK}", text)
    path = notebook(tmp_path / "a.ipynb", bound, cell(FILTER), cell(FILTER.replace("'ts'", "'day'")))
    plain = [a for _, _, (a,) in findings(path, Options())]
    assert plain == [f"`{c}` is a date or a timestamp (schema unknown)" for c in ("ts", "day")]
    ((code, _, assumed),) = findings(path, Options(data_root=str(tmp_path)))
    assert (code, assumed) == (
        "HW201",
        ("`ts` (timestamp) matches the schema of `events`, as printed in the output of cell 2, on an unknown day",),
    )
    for off in (Options(bounded=True, data_root=str(tmp_path)), Options()):
        source = read_source(path)
        assert with_data(source.text, off).data == ()
        assert {a for _, _, (a,) in findings(path, off)} == set(plain)


def test_what_else_says_of_the_read_counts_more(tmp_path: Path) -> None:
    asked = cell(f"events = {READ.replace('read', 'read.schema(S)')}\n{ASK}", TREE)
    path = notebook(tmp_path / "a.ipynb", cell("S = 'ts date, n bigint'"), asked, cell(FILTER))
    assert [a for _, _, a in findings(path, Options(data_root=str(tmp_path)))] == [()]
    path = notebook(tmp_path / "a.ipynb", cell(f"events = {READ}\n{ASK}", TREE), cell(FILTER))
    stated = Options(data_root=str(tmp_path), schemas={"s3://lake/events": "ts date, n bigint"})
    assert [a for _, _, a in findings(path, stated)] == [()]


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered of a scan is of one way to look at data."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEADWATER_CACHE_DIR", str(tmp_path / "cache"))
    notebook(tmp_path / "a.ipynb", cell(f"events = {READ}\n{ASK}", TREE), cell(FILTER))
    for _ in range(2):
        for option, said in (([], "as printed in the output of cell 2"), (["--no-data"], "(schema unknown)")):
            shown = CliRunner().invoke(app, ["scan", "--jobs", "1", *option, "a.ipynb"]).stdout
            assert said in shown
    fixed = CliRunner().invoke(app, ["fix", "--accept-assumptions", "a.ipynb"])
    assert fixed.exit_code == 0, fixed.stdout
    assert "2024-01-01" in (tmp_path / "a.ipynb").read_text()


def test_deep_and_broken_texts_say_nothing() -> None:
    ask = f"events = {READ}\nevents.printSchema()\n"
    for text in ("x = " + "(" * 3000 + ")" * 3000 + "\n", "def f(:\n", "x = '\0'\n", "x = 1" + "+1" * 20_000 + "\n"):
        assert of(text + ask + comment(TREE)) in ([], [(READ, 2)])


def test_nothing_is_loaded_or_read_for_texts_that_print_no_schema() -> None:
    """The gate costs a search; the parser of notebooks is not asked."""
    code = (
        "import headwater.engine.files.printed as p\n"
        "def asked(text): raise AssertionError(text)\n"
        "p.parse = asked\n"
        "assert p.printed_facts('spark.table(1)\\n' * 1000) == ()\n"
        "assert p.printed_facts('df.printSchema()\\n' * 1000) == ()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
