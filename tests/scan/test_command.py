"""Issue 9: ``headwater scan`` as a whole: which files, which findings, which document, which exit code."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from headwater.cli.app import app
from tests.engine.pipelines import KEYS, PEAKS


@pytest.fixture(autouse=True)
def _workspace(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path_factory.getbasetemp() / "command-cache"
    monkeypatch.setenv("HEADWATER_CACHE_DIR", str(cache))
    monkeypatch.chdir(tmp_path)


def scan(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["scan", "--jobs", "1", *arguments])


def paths(*arguments: str) -> list[str]:
    return [f["path"] for f in json.loads(scan("--format", "json", *arguments).stdout)["files"]]


def test_which_files() -> None:
    for name in ("a.py", "gen/b.py", "gen/deep/c.py", "ignored.py"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("x = 1\n")
    Path(".gitignore").write_text("ignored.py\n")
    assert paths() == ["a.py", "gen/b.py", "gen/deep/c.py"]
    assert paths("--no-gitignore")[-1] == "ignored.py"
    assert paths("--exclude", "gen/*") == ["a.py"]
    assert paths("--exclude", "gen/*", "--exclude", "a.py") == []
    assert paths("--include", "**/c.py") == ["gen/deep/c.py"]
    assert paths("--exclude", "*", "a.py") == ["a.py"]
    assert paths("--exclude", "*", "--force-exclude", "a.py") == []
    Path("pyproject.toml").write_text("[tool.headwater]\ngitignore = false\nexclude = ['gen/**']\n")
    assert paths() == ["a.py", "ignored.py"]
    assert paths("--gitignore") == ["a.py"]


def test_since_and_its_mistakes() -> None:
    Path("a.py").write_text("x = 1\n")
    assert scan("--since", "HEAD").exit_code == 2
    for command in ("init -q", "add .", "-c user.name=x -c user.email=x commit -qm one"):
        subprocess.run(["git", *command.split()], check=True)
    assert paths("--since", "HEAD") == []
    Path("b.py").write_text("x = 2\n")
    assert paths("--since", "HEAD") == ["b.py"]
    done = scan("--since", "nowhere")
    assert (done.exit_code, done.stderr.startswith("Error: git in ")) == (2, True)


def test_a_baseline_lets_only_new_findings_fail() -> None:
    Path("peaks.py").write_text(PEAKS)
    missing = scan("--baseline", "known.json")
    assert (missing.exit_code, "known.json cannot be read" in missing.stderr) == (2, True)
    assert scan("--update-baseline").exit_code == 2
    written = scan("--baseline", "known.json", "--update-baseline")
    assert (written.exit_code, written.stderr) == (0, "known.json: 1 findings are the baseline now.\n")
    Path("peaks.py").write_text("# a comment\n" + PEAKS)
    assert scan().exit_code == 1
    again = scan("--baseline", "known.json")
    assert again.exit_code == 0
    assert "(1 more in the baseline)" in again.stdout
    Path("pyproject.toml").write_text("[tool.headwater]\nbaseline = 'known.json'\n")
    assert scan().exit_code == 0
    Path("new.py").write_text(PEAKS.replace("950_000", "9_000"))
    new = scan()
    assert new.exit_code == 1
    assert "new.py:5:7 HW101" in new.stdout
    assert "peaks.py" not in new.stdout
    Path("pyproject.toml").write_text("[tool.headwater]\nbaseline = '../known.json'\n")
    outside = scan()
    assert (outside.exit_code, "baseline must be a file of the workspace" in outside.stderr) == (2, True)


def test_documents_and_bad_files() -> None:
    Path("peaks.py").write_text(PEAKS)
    Path("keys.py").write_text(KEYS)
    Path("bad.py").write_text("def f(:  # PySpark\n")
    page = scan("--format", "html", "--output", "report.html")
    assert (page.exit_code, page.stdout) == (2, "")
    assert page.stderr.startswith("bad.py:1:7: syntax error")
    HTMLParser().feed(Path("report.html").read_text("utf-8"))
    assert "bad.py:1:7" in Path("report.html").read_text("utf-8")
    log = scan("--format", "sarif")
    assert (log.exit_code, log.stderr) == (2, "")
    (run,) = json.loads(log.stdout)["runs"]
    assert [r["ruleId"] for r in run["results"]] == ["HW101"]
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 1


def test_bounded_by_settings() -> None:
    Path("peaks.py").write_text(PEAKS)
    Path("pyproject.toml").write_text("[tool.headwater]\nbounded = true\nfileMemoryMegabytes = 900\n")
    assert "peaks.py:5:7 HW190" in scan().stdout


@pytest.mark.parametrize("terminal", [True, False])
def test_a_progress_bar_on_a_terminal_only(terminal: bool) -> None:
    for i in range(3):
        Path(f"{i}.py").write_text("x = 1\n")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from headwater.cli import main; main()", "scan"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs if terminal else subprocess.PIPE, env=environment, check=True
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 10_000):
            shown += piece
    except OSError:  # nobody holds the other end
        pass
    os.close(ours)
    assert done.stdout.startswith(b"Nothing found in 3 files")
    assert (b"Scanning" in shown, b"3/3" in shown) == (terminal, terminal)
    assert not done.stderr
