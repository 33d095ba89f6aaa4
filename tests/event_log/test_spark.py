"""Issue 22, part 5: the event log of a program that runs on Spark, read back: the right lines, rows and bytes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from headwater.cli.app import app
from headwater.event_log.model import CallSite, Cost
from headwater.event_log.reading import read_logs
from headwater.event_log.spark_calls import METHODS

from .logs import simple

PROGRAM = Path(__file__).parent / "program.py"
ROWS = 20_000


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    table = pa.table({"id": range(ROWS), "k": [i % 7 for i in range(ROWS)], "s": list(map(str, range(ROWS)))})
    pq.write_table(table, data / "prices.parquet")
    (data / "lines.txt").write_text("".join(f"{i:>5}\n" for i in range(ROWS)))
    (data / "plain").write_bytes(simple() * 500)
    (data / "logs").mkdir()
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(data), str(data / "logs")], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return data


@pytest.fixture(scope="module")
def costs(data: Path) -> Mapping[CallSite, Cost]:
    logs = read_logs(data / "logs")
    assert logs.problems == ()
    (run,) = logs.applications
    assert run.name.startswith("local-")
    return run.costs


def line_of(text: str) -> int:
    (found,) = [n for n, line in enumerate(PROGRAM.read_text().splitlines(), 1) if text in line]
    return found


@pytest.mark.spark
def test_every_call_stands_at_its_line(costs: Mapping[CallSite, Cost]) -> None:
    lines = PROGRAM.read_text().splitlines()
    for site in costs:
        assert site.path == str(PROGRAM)
        assert f".{site.method}(" in lines[site.line - 1]
    assert {site.method for site in costs} == METHODS
    assert not [site for site in costs if site.line == line_of("prices.count()")]


@pytest.mark.spark
def test_rows_and_bytes(costs: Mapping[CallSite, Cost], data: Path) -> None:
    prices = (data / "prices.parquet").stat().st_size
    lines = (data / "lines.txt").stat().st_size

    def at(method: str, text: str) -> Cost:
        cost = costs[CallSite(method, str(PROGRAM), line_of(text))]
        assert 0 < cost.seconds < 60
        return cost

    whole = at("toPandas", "prices.toPandas()")
    assert (whole.jobs, whole.rows, whole.file_bytes) == (1, ROWS, prices)
    assert 0 < whole.bytes <= prices
    grouped = at("collect", "some = ")
    assert (grouped.rows, grouped.file_bytes) == (ROWS, prices)
    text = at("collect", "text = ")
    assert (text.jobs, text.rows, text.bytes, text.file_bytes) == (1, ROWS, lines, lines)
    thrice = at("take", "three jobs")
    assert (thrice.jobs, thrice.file_bytes) == (3, 3 * lines)
    assert 3 * 2 <= thrice.rows <= 3 * ROWS
    assert at("sum", "r.sum()").rows == 0
    for method, there in (("collect", "fills the cache"), ("collect", "reads it"), ("max", "of held")):
        assert at(method, there).rows == 0, "Spark counts batches"
    assert at("collect", "reads it").bytes > 0


@pytest.mark.spark
def test_the_finding_says_it(data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEADWATER_CACHE_DIR", str(tmp_path))
    said = CliRunner().invoke(app, ["scan", "--event-log", str(data / "logs"), str(PROGRAM)]).stdout.splitlines()
    (finding,) = [i for i, line in enumerate(said) if f"program.py:{line_of('prices.toPandas()')}:" in line]
    size = (data / "prices.parquet").stat().st_size / 1000
    assert f"cost     its job read {ROWS:,} rows of {size:.1f} kB in files in " in said[finding + 3]


@pytest.mark.spark
@pytest.mark.parametrize("codec", ["lz4", "snappy", "zstd"])
def test_what_spark_compresses_is_read(data: Path, codec: str) -> None:
    (run,) = read_logs(data / f"plain.{codec}").applications
    assert [(cost.jobs, cost.bytes) for cost in run.costs.values()] == [(1, 500 * 2_000_000)]
