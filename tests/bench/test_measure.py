"""Issue 9: what a pipeline leaves is found and compared in full; a rewrite that loses a row is noticed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from headwater.bench import client
from headwater.bench.job import Failed, Job
from headwater.cli.app import app

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

START = "from pyspark.sql import SparkSession, functions as F\nspark = SparkSession.builder.getOrCreate()\n"
READ = 'df = spark.read.schema("k string, x int").parquet("/nowhere/t")\n'
PEAKS = 'df.groupBy("k").agg(F.max("x").alias("x")).filter("x > 10")'


def job(scratch: Path, text: str, **more: Any) -> Job:
    (scratch / "before.py").write_text(text)
    return {
        "before": str(scratch / "before.py"), "after": str(scratch / "before.py"), "name": "/home/me/job.py",
        "arguments": [], "modules": [], "rows": 300, "runs": 1, "kept": 0.1, "tables": {}, "schemas": {},
        "prefilters": ["x > 10"], "master": "local[1]", "conf": {}, "scratch": str(scratch), **more,
    }  # type: ignore[typeddict-item, return-value]  # fmt: skip


@pytest.fixture
def outputs(spark: SparkSession, tmp_path: Path) -> Iterator[Any]:
    from headwater.bench.run import _outputs
    from headwater.bench.sources import Sources

    rows = {"k": ["a", "a", "b", None], "x": pa.array([9, 12, 3, 40], pa.int32())}
    pq.write_table(pa.table(rows), tmp_path / "t.parquet")

    def of(text: str, **more: Any) -> list[Any]:
        asked = job(tmp_path, text, **{"tables": dict.fromkeys(["t", "db.t"], str(tmp_path / "t.parquet")), **more})
        return _outputs(spark, asked, Sources(spark, asked), "before")

    yield of
    assert "headwater" not in repr(type(spark.read).load)  # nothing stays patched


@pytest.mark.spark
@pytest.mark.parametrize(
    "end",
    [
        PEAKS,
        f"{PEAKS}.show()",
        f"{PEAKS}.write.mode('overwrite').parquet('/nowhere/out')",
        f"import sys\n{PEAKS}.write.saveAsTable(sys.argv[2])\nspark.stop()",
        f"if __name__ == '__main__':\n    {PEAKS}.writeTo('a.b').createOrReplace()",
        f"df = spark.read.format('orc').schema('k string, x int').load('s3://t')\n{PEAKS}",
        f"df = spark.table('db.t')\n{PEAKS}",
    ],
)
def test_the_output_of_a_program(outputs: Any, end: str) -> None:
    (frame,) = outputs(START + READ + end, schemas={"db.t": "k string, x int"})
    assert frame.columns == ["k", "x"]


@pytest.mark.spark
def test_tables_are_made_when_they_are_asked_for(outputs: Any) -> None:
    (frame,) = outputs(START + READ + PEAKS, tables={})
    assert 0 < frame.count() <= 300


@pytest.mark.spark
def test_rows_are_compared_in_full(spark: SparkSession, outputs: Any) -> None:
    from headwater.bench.measure import as_frame, compute, differences

    (frame,) = outputs(START + READ + "df")
    (rdd,) = outputs(START + READ + "df.rdd.map(lambda r: (r.k, 1)).reduceByKey(lambda a, b: a + b)")
    compute(rdd)
    rows = as_frame(spark, frame)
    assert not differences(rows, rows.orderBy("c1"))
    assert {d.partition(":")[0] for d in differences(rows, rows.union(rows))} == {"only after"}  # a bag, not a set
    lost = differences(as_frame(spark, rdd), as_frame(spark, rdd.filter(lambda record: record[0] == "a")))
    assert len(lost) == 2
    assert all(line.startswith("only before") for line in lost)


@pytest.mark.spark
def test_what_cannot_be_run_is_said(outputs: Any) -> None:
    with pytest.raises(Failed, match=r"the columns of '/nowhere/t' are not known: give --schema '/nowhere/t="):
        outputs(START + "spark.read.parquet('/nowhere/t').show()", tables={})
    with pytest.raises(Failed, match="does not end with a frame"):
        outputs(START + READ + "x = 1")
    with pytest.raises(ZeroDivisionError):
        outputs(START + "1 / 0")


def start(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(client, "_BOOT", code)


def test_the_process_answers_or_has_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked, steps = job(tmp_path, ""), list[str]()
    start(monkeypatch, """print('{"step": "one"}'); print('{"result": {"rows_in": 1}}')""")
    assert client.measured(asked, steps.append) == {"rows_in": 1}
    assert steps == ["one"]
    start(monkeypatch, """print('{"failure": ["no", "where"]}')""")
    with pytest.raises(Failed, match="no") as failed:
        client.measured(asked, steps.append)
    assert failed.value.details == "where"
    start(monkeypatch, "import os; os.write(2, b'last words'); os.abort()")
    with pytest.raises(Failed, match="ended without an answer") as failed:
        client.measured(asked, steps.append)
    assert failed.value.details == "last words"
    start(monkeypatch, "import time; time.sleep(60)")
    with pytest.raises(Failed, match=r"took longer than 0\.5 s"):
        client.measured(asked, steps.append, 0.5)


@pytest.mark.parametrize(
    ("text", "said"),
    [("x = 1\n", "nothing to measure"), ("def f(:\n", "syntax error")],
)
def test_there_is_nothing_to_run(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "job.py").write_text(text)
    done = CliRunner().invoke(app, ["bench", str(tmp_path / "job.py"), "--no-cache"])
    assert done.exit_code == 2
    assert said in done.stderr


def test_without_pyspark_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "find_spec", lambda name: None if name == "pyspark" else sys)
    done = CliRunner().invoke(app, ["bench", __file__])
    assert (done.exit_code, done.stderr) == (2, "Error: bench needs pyspark: pip install 'headwater[spark]'\n")
