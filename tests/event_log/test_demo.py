"""What the demo's examples cost, read back from the log of a run: each submitted as a user would, on local Spark."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from benchmarks.demo.data import generate
from benchmarks.demo.pipelines import EXAMPLES, PIPELINES, Pipeline
from typer.testing import CliRunner

from headwater.cli.app import app
from headwater.event_log.model import CallSite
from headwater.event_log.reading import read_logs
from headwater.event_log.submitted import METHODS, TAKE_A_VALUE, TAKE_NONE
from tests.shares import share

PROGRAM = Path(__file__).parent / "submitted_program.py"
SUBMIT = Path(sys.executable).with_name("spark-submit")
ROWS = 4_000
pytestmark = pytest.mark.spark


def submit(script: Path, folder: Path, *arguments: Path) -> list[dict[str, Any]]:
    """The events of a run of ``script``, whose log is in ``folder``."""
    logs = folder / "logs"
    logs.mkdir()
    settings = {
        "spark.eventLog.enabled": "true", "spark.eventLog.dir": logs.as_uri(), "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": (folder / "warehouse").as_uri(),
    }  # fmt: skip
    options = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    here = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(
        [str(SUBMIT), "--master", "local[1]", *options, str(script), *map(str, arguments)],
        capture_output=True, text=True, timeout=300, cwd=folder, env={**os.environ, **here},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    (log,) = logs.iterdir()
    return [json.loads(line) for line in log.read_text().splitlines()]


@pytest.mark.parametrize("pipeline", share(PIPELINES, 8), ids=lambda p: p.name)
def test_the_cost_of_an_example(pipeline: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = generate(pipeline.dataset, tmp_path, ROWS)
    events = submit(pipeline.path, tmp_path, tmp_path, tmp_path / "out")
    monkeypatch.setenv("HEADWATER_CACHE_DIR", str(tmp_path / "cache"))
    said = CliRunner().invoke(
        app, ["scan", "--jobs", "1", "--event-log", str(tmp_path / "logs"), "--format", "json", str(EXAMPLES)]
    )
    report = {Path(f["path"]).name: f["opportunities"] for f in json.loads(said.stdout)["files"]}
    measured = [o["measured"] for found in report.values() for o in found if o["measured"]]
    assert measured
    assert measured == [o["measured"] for o in report[pipeline.path.name]], "of this file all, of others none"
    ends = [e for e in events if e["Event"] == "SparkListenerTaskEnd"]
    for cost in measured:
        assert cost["jobs"] == sum(e["Event"] == "SparkListenerJobStart" for e in events)
        assert cost["rows"] == ROWS == sum(e["Task Metrics"]["Input Metrics"]["Records Read"] for e in ends)
        assert cost["file_bytes"] == sum(part.stat().st_size for part in files.iterdir())
        assert cost["bytes"] == sum(e["Task Metrics"]["Input Metrics"]["Bytes Read"] for e in ends)
        assert 0 < cost["seconds"] < 300


def test_every_action_of_the_jvm(tmp_path: Path) -> None:
    (tmp_path / "prices").mkdir()
    pq.write_table(pa.table({"id": range(ROWS), "s": list(map(str, range(ROWS)))}), tmp_path / "prices" / "a.parquet")
    (tmp_path / "lines.csv").write_text("a,b\n1,2\n")
    (tmp_path / "lines.json").write_text('{"a": 1}\n')
    submit(PROGRAM, tmp_path, tmp_path)
    (run,) = read_logs(tmp_path / "logs").applications
    assert run.costs.keys() == {CallSite(method, str(PROGRAM), 0) for method in METHODS}
    size = (tmp_path / "prices" / "a.parquet").stat().st_size
    for site, cost in run.costs.items():
        assert cost.file_bytes == size, site
        assert cost.rows == ROWS or site.method in ("show", "isEmpty"), site


def test_the_options_of_spark_submit() -> None:
    done = subprocess.run([str(SUBMIT), "--help"], capture_output=True, text=True, timeout=120)
    shown = re.findall(r"^ +(--[\w-]+)(?:, (-\w))?( [A-Z_=]+\b)?", done.stdout + done.stderr, re.MULTILINE)
    assert len(shown) > 30
    other = {"--help", "-h", "--version", "--kill", "--status"}
    assert {name for *names, _ in shown for name in names if name} - other == TAKE_A_VALUE | TAKE_NONE
    assert {name for *names, value in shown for name in names if name and value.strip()} - other <= TAKE_A_VALUE
