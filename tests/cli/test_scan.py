"""``headwater scan``: exit codes, bad input, formats."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from headwater.cli.app import app
from headwater.cli.render import console_for, show_file
from headwater.engine.report.report import Report, Skipped
from headwater.scan.json_report import FileReport, file_json
from headwater_ir.span import Span
from tests.engine.pipelines import KEYS, PEAKS

from .conftest import Run

BAD = {
    "syntax.py": (b"x = 1\ndef f(:\n", "syntax.py:2:7: syntax error"),
    "binary.py": (b"ok = 1\n\xff\xfe\n", "binary.py:2:1: not UTF-8: byte 0xff at offset 7"),
    "null.py": (b"ok = 1\nx = '\0'\n", "null.py:2:6: the file holds a null byte"),
    "coding.py": (b"# coding: klingon\n", "coding.py:1:1: unknown encoding"),
    "huge.py": (b"#" * 5_000_001, "huge.py:1:1: the file is too large"),
}
UNRELATED = dict(BAD)
BAD = {name: (data + b"# of PySpark\n", message) for name, (data, message) in UNRELATED.items()}


def test_nothing_found(run: Run) -> None:
    Path("empty.py").touch()
    Path("keys.py").write_text(KEYS)
    done = run("scan", ".")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Nothing found in 2 files, ")


def test_an_empty_directory_and_no_argument(run: Run) -> None:
    assert run("scan").returncode == 0
    assert run("scan").stdout.startswith("Nothing found in 0 files")


def test_text(run_cold: Run) -> None:
    Path("peaks.py").write_text(PEAKS)
    done = run_cold("scan", "peaks.py")
    assert done.returncode == 1
    first, line, squiggle, before, after, why, *_ = done.stdout.splitlines()
    assert first.startswith("peaks.py:5:7 HW101 `amount >= 950000` can run before `agg`: exact pushdown, proved")
    assert line == '5 │ peaks.filter(F.col("peak") >= 950_000).write.parquet("peaks")'
    assert squiggle == "  │       " + "~" * len('filter(F.col("peak") >= 950_000)')
    assert 'F.col("amount") >= 950000   (line 4, in front of agg)' in before
    assert after.endswith("nothing")
    assert "both runs agree" in why
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_an_error_of_our_own_has_one_line_in_each_file() -> None:
    """Nothing is found there, and whoever reads the report should know it."""
    text = "x = 1\nfor row in rows:\n    print(row)\n"
    report = Report(
        skipped=(
            Skipped(Span(6, 9), "opaque", "internal error: WrongEdit: the plans differ"),
            Skipped(Span(6, 9), "opaque", "no model covers `rows`"),
            Skipped(Span(10, 13), "opaque", "internal error: KeyError: 'x'"),
        )
    )
    one: Any = {"file": file_json(FileReport("job.py", text, report), None), "shown": []}
    stream = io.StringIO()
    show_file(console_for(stream), one)
    line = "job.py:2:1 left as it is: internal error: WrongEdit: the plans differ; 1 more place in this file\n"
    assert stream.getvalue() == line


def test_bad_files_never_stop_the_rest(run: Run) -> None:
    Path("peaks.py").write_text(PEAKS)
    for name, (data, _) in BAD.items():
        Path(name).write_bytes(data)
    done = run("scan", ".")
    assert done.returncode == 2
    assert "peaks.py:5:7 HW101" in done.stdout
    assert len(done.stderr.splitlines()) == len(BAD)
    for _, message in BAD.values():
        assert message in done.stderr


def test_bad_files_without_spark_are_no_errors(run: Run) -> None:
    for name, (data, _) in UNRELATED.items():
        Path(name).write_bytes(data)
    done = run("scan", ".")
    assert (done.returncode, done.stderr) == (0, "")
    line = "Nothing found in 5 files, 0 of them PySpark with 0 filters, 5 files without Spark not readable, "
    assert done.stdout.startswith(line)
    document = json.loads(run("scan", "--format", "json", ".").stdout)
    assert [f["error"] for f in document["files"]] == [None] * 5


ODD = {
    "python2.py": 'print "hello"\ntry:\n    f()\nexcept ValueError, e:\n    pass\n',
    "python2_spark.py": 'from pyspark import SparkContext\nprint "hello"\n',
    "jinja.py": "from pyspark.sql import SparkSession\n{% if cookiecutter.streaming %}\nx = 1\n{% endif %}\n",
    "cookiecutter.py": "import pyspark\nfrom {{ cookiecutter.package }} import jobs\n",
    "broken_beside_a_format.py": 'import pyspark\nx = "{{ name }}"\ndef f(:\n',
}


@pytest.mark.parametrize(
    ("name", "code"),
    [("python2.py", 0), ("python2_spark.py", 2), ("jinja.py", 0), ("cookiecutter.py", 0),
     ("broken_beside_a_format.py", 2)],
)  # fmt: skip
@pytest.mark.parametrize("command", ["scan", "fix"])
def test_which_unreadable_files_are_errors(run: Run, name: str, code: int, command: str) -> None:
    Path(name).write_text(ODD[name])
    done = run(command, ".")
    assert done.returncode == code
    assert (name in done.stderr) == (code == 2)
    assert ("1 file without Spark not readable" in done.stdout) == (code == 0)


def test_what_was_seen_is_counted(run: Run) -> None:
    Path("peaks.py").write_text(PEAKS)
    Path("other.py").write_text("x = [n for n in filter(None, range(9))]\n")
    seen = "2 files, 1 of them PySpark with 1 filter"
    assert run("scan", ".").stdout.splitlines()[-1].startswith(f"1 opportunity in {seen}, ")
    summary = json.loads(run("scan", "--format", "json", ".").stdout)["summary"]
    assert (summary["files"], summary["spark_files"], summary["filters"]) == (2, 1, 1)
    assert seen in run("fix", "--diff", ".").stderr
    assert run("fix", ".").stdout.splitlines()[-1] == f"{seen}."


EXPLODED = """\
from pyspark.sql import SparkSession, functions as F

items = SparkSession.builder.getOrCreate().table("sales").select("store", F.explode("items").alias("item"))
items.filter(F.col("item") > "a").show()
"""


def test_kinds_without_a_measured_gain_on_request(run: Run) -> None:
    Path("items.py").write_text(EXPLODED)
    assert run("scan", ".").returncode == 0
    assert "items.py:4:7 HW101" in run("scan", "--all", ".").stdout
    assert run("fix", ".").returncode == 0
    Path("pyproject.toml").write_text("[tool.headwater]\nshowAll = true\n")
    assert "items.py:4:7 HW101" in run("scan", ".").stdout
    assert run("fix", ".").returncode == 0
    assert Path("items.py").read_text() == EXPLODED


def test_bad_files_in_json(run: Run) -> None:
    for name, (data, _) in BAD.items():
        Path(name).write_bytes(data)
    done = run("scan", "--format", "json", ".")
    assert (done.returncode, done.stderr) == (2, "")
    errors = {f["path"]: f["error"] for f in json.loads(done.stdout)["files"]}
    assert errors.keys() == BAD.keys()
    for name, (_, message) in BAD.items():
        assert message in errors[name]


@pytest.mark.parametrize(
    "arguments",
    [
        ["scan", "missing.py"],
        ["scan", "--nonsense"],
        ["scan", "--format", "yaml"],
        ["scan", "--jobs", "many"],
        ["scan", "--timeout", "0"],
        ["nonsense"],
        ["fix", "missing.py"],
        ["verify", "missing.json"],
        ["verify"],
        ["schema", "missing.py"],
        ["explain", "missing.py:1"],
        ["explain", "nowhere"],
    ],
)
def test_usage_errors(arguments: list[str]) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert "Usage:" in done.stderr


def test_json_with_certificates_beside_the_output(run: Run) -> None:
    Path("peaks.py").write_text(PEAKS)
    done = run("scan", "peaks.py", "--format", "json", "--output", "report.json")
    assert (done.returncode, done.stdout) == (1, "")
    (found,) = json.loads(Path("report.json").read_text())["files"][0]["opportunities"]
    certificate = Path(found["certificate"])
    assert certificate.parent == Path.cwd() / "report-certificates"
    verified = run("verify", str(certificate))
    assert verified.returncode == 0
    assert "z3: proved (Init proved" in verified.stdout


def test_output_needs_a_directory(run: Run) -> None:
    done = run("scan", "--output", "nowhere/report.txt")
    assert done.returncode == 2
    assert "the directory of nowhere/report.txt does not exist" in done.stderr


def test_processes_give_the_same_report(run: Run) -> None:
    for i in range(3):
        Path(f"peaks{i}.py").write_text(PEAKS.replace("950", f"95{i}"))
    one, two = (json.loads(run("scan", "-f", "json", "-j", jobs).stdout) for jobs in ("1", "2"))
    assert one["files"] == two["files"]
    assert one["summary"]["opportunities"] == 3


def test_settings_of_the_workspace(run: Run) -> None:
    Path("peaks.py").write_text(PEAKS)
    Path("pyproject.toml").write_text('[tool.headwater]\nexclude = ["peaks.py"]\n')
    assert run("scan", ".").returncode == 0
    assert run("scan", "peaks.py").returncode == 1
    Path("pyproject.toml").write_text("[tool.headwater]\nspeed = 1\n")
    broken = run("scan", ".")
    assert broken.returncode == 2
    assert "speed is no setting" in broken.stderr


def test_nothing_heavy_is_imported_for_help() -> None:
    import subprocess
    import sys

    code = (
        "import sys, headwater.cli.app as a\n"
        "print([m for m in ('z3', 'libcst', 'sqlglot', 'cvc5', 'rich.progress') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_names_and_terminals_that_are_not_utf8(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    name = os.fsdecode(b"b\xff.py")
    Path(name).write_text("def f(:  # PySpark\n")
    Path("peaks.py").write_text(PEAKS)
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    text = run("scan", ".")
    assert text.returncode == 2
    assert ".py:1:7: syntax error" in text.stderr
    assert "peaks.py:5:7 HW101" in text.stdout
    assert run("scan", ".", "-f", "json", "-o", "out.json").returncode == 2
    assert [f["path"] for f in json.loads(Path("out.json").read_text())["files"]] == [name, "peaks.py"]


def test_bounded(run: Run) -> None:
    Path("peaks.py").write_text(PEAKS)
    done = run("scan", "--bounded", ".")
    assert done.returncode == 1
    assert "peaks.py:5:7 HW190 part of this filter may be able to run before `agg`" in done.stdout
    assert run("fix", "--diff", ".").stdout.startswith("--- a/peaks.py")
