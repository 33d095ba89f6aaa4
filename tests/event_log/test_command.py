"""Issue 22, part 5: ``headwater scan --event-log``: findings by what their jobs took, in every report."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import Result
from typer.testing import CliRunner

from headwater.cli.app import app

from .logs import DAY, SECRET, job, job_end, simple, task, text

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text())
PROGRAM = """\
from pyspark.sql import SparkSession
df = SparkSession.builder.getOrCreate().read.parquet("prices")
cheap = df.{first}()
print([r.id for r in cheap])
dear = df.toPandas()
print(dear["id"].max())
"""
SAID = "its job read 1,000 rows of 5.0 MB in files in 41 min on 2026-11-26 (event log app-1)"


@pytest.fixture(autouse=True)
def _workspace(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "event-log-cache"))
    monkeypatch.chdir(tmp_path)
    Path("etl").mkdir()
    Path("etl/daily.py").write_text(PROGRAM.format(first="collect"))
    Path("logs").mkdir()
    Path("logs/app-1").write_bytes(simple("toPandas at /jobs/etl/daily.py:5"))


def scan(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["scan", "--jobs", "1", *arguments])


def found(*arguments: str) -> list[dict[str, object]]:
    report = json.loads(scan("--format", "json", *arguments).stdout)
    jsonschema.validate(report, SCHEMA, cls=jsonschema.Draft202012Validator)
    return [o for f in report["files"] for o in f["opportunities"]]


def test_the_costly_finding_comes_first_and_says_what_it_cost() -> None:
    lines = scan("--event-log", "logs").stdout.splitlines()
    places = [line.split(" ")[0] for line in lines if line.startswith("etl/")]
    assert places == ["etl/daily.py:5:11", "etl/daily.py:3:12"]
    assert [line for line in lines if "event log" in line] == [f"  │ cost     {SAID}"]
    assert [line.split(" ")[0] for line in scan().stdout.splitlines() if line.startswith("etl/")] == places[::-1]


def test_the_json_report() -> None:
    first, second = found("--event-log", "logs")
    assert first["measured"] is None
    assert second["measured"] == {
        "text": SAID, "application": "app-1", "date": "2026-11-26", "runs": 1, "jobs": 1, "bytes": 2_000_000,
        "rows": 1000, "file_bytes": 5_000_000, "seconds": 2460.0,
    }  # fmt: skip
    assert all("measured" not in o for o in found())


def test_sarif_and_html() -> None:
    sarif = json.loads(scan("--event-log", "logs", "--format", "sarif").stdout)
    first, second = sarif["runs"][0]["results"]
    assert SAID not in first["message"]["text"]
    assert second["message"]["text"].endswith(f"; {SAID}")
    assert second["properties"]["measured"]["seconds"] == 2460
    page = scan("--event-log", "logs", "--format", "html").stdout
    assert (
        page.index("daily.py:5") < page.index("daily.py:3")
        if "daily.py:5" in page
        else page.index(":5:11") < page.index(":3:12")
    )
    assert SAID in page
    assert "Seconds (measured)" in page
    assert "Seconds (measured)" not in scan("--format", "html").stdout


def test_no_credentials_anywhere() -> None:
    for form in ("text", "json", "sarif", "html"):
        result = scan("--event-log", "logs", "--format", form)
        assert result.exit_code == 1
        assert "hunter2" in SECRET
        assert "hunter2" not in result.output


def test_mistakes_are_one_line() -> None:
    result = scan("--event-log", "nowhere")
    assert (result.exit_code, result.stderr) == (2, f"Error: {Path.cwd() / 'nowhere'}: No such file or directory\n")
    Path("logs/app-2").write_bytes(b"ZV\1")
    result = scan("--event-log", "logs")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Warning: {Path.cwd()}/logs/app-2: LZF is not read")
    assert result.stderr.count("\n") == 1
    for i in range(20):
        Path(f"logs/bad-{i}").write_bytes(b"ZV\1")
    assert scan("--event-log", "logs").stderr.splitlines()[-1] == "Warning: 11 more event logs have problems"


def test_the_setting() -> None:
    Path("pyproject.toml").write_text('[tool.headwater]\neventLog = "logs"\n')
    assert SAID in scan().stdout
    Path("pyproject.toml").write_text('[tool.headwater]\neventLog = "../logs"\n')
    result = scan()
    assert (result.exit_code, "eventLog must be a file of the workspace" in result.stderr) == (2, True)


def test_a_known_result_has_its_calls_too() -> None:
    assert SAID in scan("--event-log", "logs").stdout
    assert SAID in scan("--event-log", "logs").stdout


def test_a_filter_of_rows_on_the_driver_cost_what_brought_them() -> None:
    for made in (
        'low = [r for r in df.collect() if r["v"] > 3]',
        'rows = df.collect()\nlow = [r for r in rows if r["v"] > 3]',
    ):
        Path("etl/daily.py").write_text(f"{PROGRAM[: PROGRAM.index('cheap')]}{made}\nprint(low)\n")
        Path("logs/app-1").write_bytes(simple("collect at /jobs/etl/daily.py:3"))
        (o,) = found("--event-log", "logs")
        assert (o["code"], o["measured"] and o["measured"]["text"]) == ("HW103", SAID), made  # type: ignore[index]


def test_several_jobs_in_one_pass_cost_what_they_cost_together() -> None:
    Path("etl/daily.py").write_text(
        PROGRAM[: PROGRAM.index("cheap")]
        + 'by = df.groupBy("k").agg({"v": "sum"})\n'
        + 'low = by.agg({"k": "min"}).collect()[0][0]\nhigh = by.agg({"k": "max"}).first()[0]\nprint(low, high)\n'
    )
    log = simple("collect at /jobs/etl/daily.py:4") + text(
        job(7, [7], site="first at /jobs/etl/daily.py:5"), task(7, 5, 500), job_end(7, DAY + 60_000)
    )
    Path("logs/app-1").write_bytes(log)
    said = "its 2 jobs read 1,500 rows of 5.0 MB in files in 42 min on 2026-11-26 (event log app-1)"
    assert [(o["code"], o["measured"] and o["measured"]["text"]) for o in found("--event-log", "logs")] == [
        ("HW404", said)
    ]  # type: ignore[index]


def test_another_text_has_no_cost() -> None:
    Path("etl/daily.py").write_text("\n" + PROGRAM.format(first="collect"))
    assert "event log" not in scan("--event-log", "logs").stdout
    Path("etl/daily.py").write_text(PROGRAM.format(first="take"))
    log = simple("toPandas at /jobs/etl/daily.py:5") + text(job(7, [7], site="collect at /jobs/etl/daily.py:3"))
    Path("logs/app-1").write_bytes(log)
    assert "event log" not in scan("--event-log", "logs").stdout
