"""Issue 9: the scan as a Spark job says what the local one says, of every file, whatever the file does."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from headwater.cli.app import app
from headwater.engine.analysis.options import Options
from headwater.engine.files.discovery import discover
from headwater.engine.report.report import SourceProblem
from headwater.scan import local
from headwater.scan.documents import Scan, json_text
from headwater.scan.limits import Limits
from headwater.scan.result import FileResult
from headwater.scan.spark import balance, session, sources
from headwater.scan.spark.engine import _reason
from headwater.scan.spark.job import Job, Listed
from headwater.scan.spark.session import CannotStart
from headwater.scan.spark.task import Task

from .test_local import without_times
from .trees import hostile

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXAMPLES = Path(__file__).parents[2] / "examples"
OPTIONS = Options(bounded=True)
LIMITS = Limits(60)
TASK = Task(OPTIONS, LIMITS, cached=False)


def document(results: Sequence[FileResult]) -> str:
    """The JSON report but for its times."""
    return json.dumps(without_times(json.loads(json_text(Scan(results, 0)))), indent=2)


def ordered(found: dict[int, FileResult]) -> list[FileResult]:
    return [found[i] for i in sorted(found)]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    shutil.copytree(EXAMPLES, root / "examples")
    hostile(root)
    return root


@pytest.fixture(scope="module")
def paths(tree: Path) -> list[Path]:
    return [*discover([tree]), tree / "nowhere.py", tree / "directory.py"]


@pytest.fixture(scope="module")
def expected(paths: list[Path]) -> list[FileResult]:
    return ordered(dict(local.scan_files(paths, OPTIONS, None, 1, LIMITS)))


@pytest.mark.spark
def test_both_engines_say_the_same(spark: SparkSession, paths: list[Path], expected: list[FileResult]) -> None:
    found = dict(Job(spark, TASK).listed(sources.local(paths), sources.read_local))
    assert sorted(found) == list(range(len(paths)))
    assert document(ordered(found)) == document(expected)
    assert len(paths) > 30
    assert sum(bool(r["problem"]) for r in expected) >= 8
    assert sum(bool(r["shown"]) for r in expected) >= 15


def test_the_comparison_sees_a_difference() -> None:
    two = [EXAMPLES / "top_scores.py", EXAMPLES / "discounts.py"]
    expected = ordered(dict(local.scan_files(two, OPTIONS, None, 1, LIMITS)))
    other = json.loads(json.dumps(expected))
    next(r for r in other if r["file"]["opportunities"])["file"]["opportunities"][0]["id"] += "x"
    assert document(other) != document(expected)
    assert document(expected[1:]) != document(expected)


@pytest.mark.spark
def test_what_spark_reads_and_what_is_sent(paths: list[Path]) -> None:
    """The list is the other way round where Spark would read nothing, or another file."""
    sent = {Path(f.name).name for f in sources.local(paths) if f.place is None}
    assert {"__init__.py", "_hidden_from_spark.py", "[a-z]*{b}.py", "colon:name.py", "pipe.py", "huge.py"} <= sent
    assert {"new\nline.py", "percent%20.py", "nowhere.py", "directory.py"} <= sent
    assert not {"peaks.py", "link.py", "top_scores.py", "inner.py"} & sent


@pytest.mark.spark
def test_a_uri_has_the_files_of_its_directory(spark: SparkSession, tree: Path) -> None:
    wanted = ["peak_payments.py", "top_scores.py", "ünï#%?.py"]
    uris = [f"file://{tree}/examples", f"file:{tree}/sub dir"]
    files = sources.under(spark, uris, lambda name: name in wanted)
    found = dict(Job(spark, TASK).listed(files, sources.reader_of(spark)))
    assert [r["file"]["path"].rpartition("/")[2] for r in ordered(found)] == wanted
    assert all(r["shown"] and r["problem"] is None for r in found.values())
    with pytest.raises(CannotStart, match="cannot be listed"):
        sources.under(spark, ["file:/no/such/place"], lambda name: True)


@pytest.mark.spark
def test_a_table_of_contents(spark: SparkSession, tmp_path: Path) -> None:
    texts = {name: (EXAMPLES / name).read_text() for name in ("top_scores.py", "discounts.py", "peak_payments.py")}
    pq.write_table(pa.table({"path": list(texts), "content": list(texts.values())}), tmp_path / "table")
    frame = sources.table(spark, f"parquet:{tmp_path}/table")
    found = dict(Job(spark, TASK, str(tmp_path / "rows")).table(frame))
    assert [r["file"]["path"] for r in ordered(found)] == sorted(texts)
    assert all(r["shown"] for r in found.values())
    written = spark.read.parquet(str(tmp_path / "rows")).selectExpr("path", "explode(opportunities) AS o")
    assert {(row.path, row.o.line) for row in written.collect()} == {
        (r["file"]["path"], o["filter"]["range"]["start"]["line"] + 1)
        for r in found.values()
        for o in r["file"]["opportunities"]
    }
    with pytest.raises(CannotStart, match="needs the columns"):
        sources.table(spark, f"parquet:{tmp_path}/rows")


@pytest.mark.spark
def test_files_that_go_missing_and_files_that_take_too_long(spark: SparkSession, tmp_path: Path) -> None:
    """Each is a line; the rest is there, and so are the rows, each once."""
    names = ["categories.py", "discounts.py", "__init__.py"]
    for name in names:
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes() if name != "__init__.py" else b"")
    files = sources.local([tmp_path / name for name in names])
    (tmp_path / "discounts.py").unlink()
    place = str(tmp_path / "rows.json")
    found = dict(Job(spark, TASK, place).listed(files, sources.read_local))
    problems = [r["problem"] and r["problem"]["message"] for r in ordered(found)]
    assert problems == [None, "cannot be read: No such file or directory", None]
    assert sorted(row["index"] for row in spark.read.json(place).collect()) == [0, 2]
    hurried = Task(OPTIONS, Limits(0.001), cached=False)
    late = dict(Job(spark, hurried).listed(files[:1], sources.read_local))
    assert late[0]["problem"] == {"message": "took longer than 0.001 s", "line": 0, "character": 0}


def test_what_never_comes_back_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Job, "_results", lambda self, frame: iter(()))
    monkeypatch.setattr(Job, "_sent", lambda self, files: None)
    job = Job(None, TASK)  # type: ignore[arg-type]
    found = dict(job.listed([Listed(0, "a.py", None, 1), Listed(1, "b.py", None, 1)], _read_some))
    assert [r["problem"] and r["problem"]["message"] for r in ordered(found)] == [
        "cannot be read: no result came back from Spark", "gone",
    ]  # fmt: skip


def _read_some(file: Listed) -> bytes | SourceProblem:
    return b"" if file.index == 0 else SourceProblem("gone")


def test_partitions_have_about_the_same_size() -> None:
    draw = random.Random(9)
    sizes = [int(draw.lognormvariate(8, 2)) for _ in range(2000)]
    parts = balance.partitions(sizes, 16)
    loads = [sum(s + balance.PER_FILE for s, p in zip(sizes, parts, strict=True) if p == part) for part in range(16)]
    assert max(loads) - min(loads) <= max(sizes) + balance.PER_FILE
    assert max(loads) < 1.05 * sum(loads) / 16 + max(sizes)
    assert balance.partitions([5], 3) == [0]


@pytest.mark.spark
def test_each_key_has_a_partition_of_its_own(spark: SparkSession) -> None:
    from pyspark.sql import functions as F

    count = 7
    rows = [(number,) for number in balance.keys(spark, count)]
    frame = spark.createDataFrame(rows, "key bigint").repartition(count, "key")
    assert [row.part for row in frame.select("key", F.spark_partition_id().alias("part")).sort("part").collect()] == [
        *range(count)
    ]


def test_without_pyspark_there_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("")
    monkeypatch.setattr(session, "find_spec", lambda name: None)
    done = CliRunner().invoke(app, ["scan", "--engine", "spark", str(tmp_path)])
    assert done.exit_code == 2
    assert done.stderr == "Error: --engine spark needs pyspark, pandas, pyarrow: pip install 'headwater[spark]'\n"


@pytest.mark.parametrize("extra", [["--master", "local"], ["--rows", "x"], ["--table", "t"], ["hdfs://host/x"]])
def test_options_of_spark_need_spark(extra: list[str]) -> None:
    done = CliRunner().invoke(app, ["scan", *extra])
    assert done.exit_code == 2
    assert "only with --engine spark" in done.stderr


def test_the_reason_of_a_failed_job_is_the_line_that_says_it() -> None:
    text = "Job aborted\nTraceback\n  File x\nModuleNotFoundError: No module named 'headwater'\n\tat org.apache"
    assert _reason(RuntimeError(text)).startswith("ModuleNotFoundError: No module named 'headwater': install")
    assert _reason(RuntimeError("first\nsecond")) == "first"
