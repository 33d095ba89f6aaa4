"""Issue 4: scanning executes nothing of the workspace and opens no socket. An audit hook watches, also in workers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .inputs import PEAKS

ROOT = Path(__file__).parents[2]
AUDITED = Path(__file__).parent / "audited.py"

STANDARD = (
    "ast json re os io abc typing enum types queue pickle socket signal struct threading tokenize tomllib".split()
)
OWN = "z3 libcst sqlglot typer rich click headwater headwater_ir platformdirs cvc5 pyspark pandas numpy".split()
BEFORE_US = (
    "headwater headwater_ir encodings codecs os io abc types enum typing re struct sitecustomize usercustomize".split()
)
"""What ``python -m`` and ``-c`` themselves import from the current directory before any code of ours runs."""
STARTUP = "sitecustomize usercustomize conftest setup __init__ __main__ encodings codecs".split()

EVIL = """\
import os
open({canary!r}, "a").write({name!r})
for victim in ("victim.txt",):
    os.remove(victim)
raise SystemExit("run")
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which whatever gets run or loaded leaves a mark. What was proved once need not be proved again."""
    top = tmp_path_factory.mktemp("hostile") / "work"
    top.mkdir()
    canary = top.parent / "canary"
    for name in {*STANDARD, *OWN, *STARTUP}:
        (top / f"{name}.py").write_text(EVIL.format(canary=str(canary), name=name))
    for name in ("z3", "headwater", "libz3.so", "encodings"):
        (top / "lib" / name).mkdir(parents=True)
        (top / "lib" / name / "__init__.py").write_text(EVIL.format(canary=str(canary), name=name))
    (top / "libz3.so").write_bytes(b"\x7fELF")
    (top / "evil.pth").write_text(f"import os; open({str(canary)!r}, 'a')\n")
    (top / ".env").write_text("PYTHONSTARTUP=evil.py\nPYTHONPATH=.\n")
    (top / "victim.txt").touch()
    (top / "peaks.py").write_text(PEAKS)
    (top / "cells.py").write_text(
        f"# Databricks notebook source\n%pip install evil\n# COMMAND ----------\n!touch {canary}\n"
        f"# COMMAND ----------\n%run ./evil\n# COMMAND ----------\n__import__('os').system('touch {canary}')\n" + PEAKS
    )
    cell = {"cell_type": "code", "source": [f"!touch {canary}\n", f"open({str(canary)!r}, 'a')\n"], "outputs": []}
    peaks = {"cell_type": "code", "source": PEAKS, "outputs": []}
    book = {"cells": [cell, peaks], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}
    (top / "book.ipynb").write_text(json.dumps(book))
    (top / "removes.py").write_text(
        "import os\nos.remove('victim.txt')\n" + PEAKS + f"\nopen({str(canary)!r}, 'a')\n"
        "@(lambda f: os.remove('victim.txt'))\ndef f(x=os.remove('victim.txt')): pass\n"
    )
    (top / "pyproject.toml").write_text(
        '[tool.headwater]\nworkers = 100000\ntimeoutSeconds = 1e300\nassumePure = ["os.system"]\n'
        '[build-system]\nrequires = ["evil"]\nbackend-path = ["."]\n[tool.pytest.ini_options]\naddopts = "-p evil"\n'
    )
    return top


def unharmed(workspace: Path) -> None:
    canary = workspace.parent / "canary"
    assert (canary.read_text() if canary.exists() else "") == ""
    assert (workspace / "victim.txt").exists()


def audited(workspace: Path, mode: str, *arguments: str) -> tuple[int, str, list[str]]:
    """Exit code, standard output and error, violations."""
    log = workspace.parent / "log"
    log.write_text("")
    done = start(
        [sys.executable, "-I", str(AUDITED), str(log), str(workspace), str(cache(workspace)), mode, *arguments],
        workspace,
    )
    return done.returncode, done.stdout + done.stderr, log.read_text().splitlines()


def cache(workspace: Path) -> Path:
    return workspace.parent / "cache"


def start(command: list[str], workspace: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=workspace,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "HEADWATER_CACHE_DIR": str(cache(workspace)), **environment},
    )


def test_the_hook_sees_what_it_must_see(workspace: Path) -> None:
    _, said, violations = audited(workspace, "plant")
    seen = {line.split()[1] for line in violations}
    assert seen >= {
        *"socket.__new__ socket.getaddrinfo os.system subprocess.Popen exec open os.rename os.remove import".split(),
        *"ctypes.dlopen pickle.find_class urllib.Request".split(),
    }, said
    assert any(line.endswith("exec <string>") for line in violations)
    assert sum("subprocess.Popen" in line for line in violations) >= 2
    assert any(line.startswith("worker os.system") for line in violations)


@pytest.mark.parametrize("more", [["-j", "1"], ["-j", "2", "--no-cache"]])
def test_a_scan_runs_nothing(workspace: Path, more: list[str]) -> None:
    code, said, violations = audited(workspace, "main", "scan", ".", "book.ipynb", *more)
    assert violations == []
    unharmed(workspace)
    assert code == 1, said
    for line in ("peaks.py:5:7 HW101", "removes.py:7:7 HW101", "cells.py:13:7 HW101", "book.ipynb:cell 2:5:7 HW101"):
        assert line in said


@pytest.mark.parametrize(
    "arguments", [["explain", "removes.py:7"], ["schema", "removes.py"], ["fix", "--diff", "."], ["scan", "-f", "json"]]
)
def test_the_other_commands_run_nothing(workspace: Path, arguments: list[str]) -> None:
    code, said, violations = audited(workspace, "main", *arguments)
    assert violations == []
    unharmed(workspace)
    assert code in (0, 1), said


def test_fix_writes_only_what_it_fixes(workspace: Path) -> None:
    before = (workspace / "removes.py").read_text()
    code, said, violations = audited(workspace, "main", "fix", "removes.py")
    after = (workspace / "removes.py").read_text()
    (workspace / "removes.py").write_text(before)
    assert {line.split()[1] for line in violations} >= {"open", "os.rename"}, said  # so the hook is awake
    assert [v for v in violations if ".removes.py." not in v] == []
    unharmed(workspace)
    assert code == 0
    assert "payments.filter" in after


HEADWATER = str(Path(sys.executable).parent / "headwater")


@pytest.mark.parametrize("command", [[HEADWATER], [sys.executable, "-I", "-m", "headwater"]])
def test_started_in_the_workspace(workspace: Path, command: list[str]) -> None:
    done = start([*command, "scan", "."], workspace)
    unharmed(workspace)
    assert "peaks.py:5:7 HW101" in done.stdout, done.stderr


@pytest.mark.parametrize("how", ["-m", "-c", "PYTHONPATH"])
def test_where_python_itself_looks_into_the_workspace_first(workspace: Path, tmp_path: Path, how: str) -> None:
    """What Python imports before our first line is beyond us; from there on nothing comes from the workspace."""
    for name in ({*STANDARD, *OWN, *STARTUP} - {*BEFORE_US}) - (set(STANDARD) if how == "PYTHONPATH" else set()):
        (tmp_path / f"{name}.py").write_text((workspace / f"{name}.py").read_text())
    (tmp_path / "json.py").write_text((workspace / "json.py").read_text())
    (tmp_path / "peaks.py").write_text(PEAKS)
    command, environment = {
        "-m": ([sys.executable, "-m", "headwater"], {}),
        "-c": ([sys.executable, "-c", "from headwater.cli import main; main()"], {}),
        "PYTHONPATH": ([HEADWATER], {"PYTHONPATH": str(tmp_path)}),
    }[how]
    done = subprocess.run(
        [*command, "scan", ".", "--no-cache"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **environment},
    )
    unharmed(workspace)
    assert "peaks.py:5:7 HW101" in done.stdout, done.stderr


@pytest.mark.skipif(
    not shutil.which("unshare") or subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode != 0,
    reason="no permission to take the network away",
)
def test_without_a_network(workspace: Path) -> None:
    done = start(["unshare", "-rn", HEADWATER, "scan", "peaks.py", "--no-cache"], workspace)
    assert done.returncode == 1
    assert "peaks.py:5:7 HW101" in done.stdout
