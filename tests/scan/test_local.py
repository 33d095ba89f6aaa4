"""Issue 9: a scan on this machine loses no file, whatever happens, and knows what it did before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.workers import isolated
from headwater.scan import local
from headwater.scan.limits import Limits
from headwater.scan.result import FileResult
from headwater.scan.store import Store
from tests.engine.pipelines import PEAKS

from .planted import scan_or_die

ROOT = Path(__file__).parents[2]
BOUNDED = Options(bounded=True)


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in ("ms", "seconds", "message")}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def scan(paths: list[Path], store: Store | None = None, jobs: int = 2, **limits: Any) -> list[FileResult]:
    found = dict(local.scan_files(paths, BOUNDED, store, jobs, Limits(**{"seconds": 60, **limits})))
    assert sorted(found) == list(range(len(paths)))
    return [found[i] for i in range(len(paths))]


def tree(directory: Path, names: list[str]) -> list[Path]:
    for i, name in enumerate(names):
        (directory / name).write_text(PEAKS + "#" * i)
    return [directory / name for name in names]


def test_a_crash_costs_its_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "trusted", lambda: [*sys.path, str(ROOT)])
    monkeypatch.setattr(local, "scan_within", scan_or_die)
    paths = tree(tmp_path, ["a.py", "crash.py", "hang.py", "eat.py", "b.py"])
    (tmp_path / "pipe.py").mkdir()
    store = Store(tmp_path / "cache")
    results = scan([*paths, tmp_path / "pipe.py"], store, seconds=8, memory=1 << 30)
    assert [Path(r["file"]["path"]).name for r in results] == [
        "a.py",
        "crash.py",
        "hang.py",
        "eat.py",
        "b.py",
        "pipe.py",
    ]
    messages = [r["problem"] and r["problem"]["message"] for r in results]
    assert messages == [
        None, "the analyser crashed (signal 6)", "took longer than 8 s", "out of memory", None,
        "cannot be read: not a regular file",
    ]  # fmt: skip
    assert [len(r["shown"]) for r in results] == [1, 0, 0, 0, 1, 0]
    assert [store.load("x.py", p.read_bytes(), BOUNDED) is None for p in paths] == [False, True, True, True, False]


def test_a_second_scan_starts_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = tree(tmp_path, ["a.py", "b.py", "c.py"])
    (tmp_path / "c.py").write_text("def f(:\n")
    store = Store(tmp_path / "cache")
    first = scan(paths, store)

    def nobody(*arguments: object) -> None:
        raise AssertionError("a worker was wanted")

    monkeypatch.setattr(local, "Worker", nobody)
    assert scan(paths, store) == first
    moved = tmp_path / "moved.py"
    (tmp_path / "a.py").rename(moved)
    assert [r["file"]["path"] for r in scan([moved], store)] == [str(moved)]
    (tmp_path / "b.py").write_text(PEAKS.replace("950", "951"))
    with pytest.raises(AssertionError, match="a worker was wanted"):
        scan(paths, store)


def test_no_process_to_be_had_is_a_line_for_each_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = tree(tmp_path, ["a.py", "b.py"])

    def refuse(*arguments: object, **options: object) -> None:
        raise OSError("Resource temporarily unavailable")

    monkeypatch.setattr(isolated.subprocess, "Popen", refuse)
    errors = [r["file"]["error"] for r in scan(paths)]
    assert errors == [f"{p}:1:1: internal error: OSError: Resource temporarily unavailable" for p in paths]


def test_jobs_do_not_change_results(tmp_path: Path) -> None:
    paths = tree(tmp_path, [f"{c}.py" for c in "cba"])
    assert without_times(scan(paths, jobs=1)) == without_times(scan(paths, jobs=2))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_scan_reports_what_is_done_and_leaves_nobody(tmp_path: Path, number: signal.Signals) -> None:
    """In a process group of its own, as a terminal has it; a planted worker hangs at the last file.

    A shell lets its background jobs ignore SIGINT, this test run perhaps and then all that it starts.
    """
    tree(tmp_path, ["a.py", "b.py", "hang.py"])
    (tmp_path / "hang.py").write_text("filter" + "#" * 10)
    code = (
        "import signal, sys; from headwater.engine.workers import isolated; from headwater.scan import local\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"sys.path.append({str(ROOT)!r}); isolated.trusted = lambda: [*sys.path, {str(ROOT)!r}]\n"
        "from tests.scan.planted import scan_or_die; local.scan_within = scan_or_die\n"
        "from headwater.cli.app import app; app()"
    )
    command = [sys.executable, "-c", code, "scan", "--bounded", "--no-cache", "--jobs", "1", "--file-timeout", "200"]
    with subprocess.Popen(
        [*command, str(tmp_path), "--format", "json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        children = _wait_for_a_sleeping_child(process.pid)
        start = time.monotonic()
        os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        out, said = process.communicate(timeout=30)
    assert time.monotonic() - start < 5
    assert process.returncode == 130
    assert said.splitlines()[-1] == "Interrupted: 2 of 3 files were scanned."
    assert '"files": 2' in out
    assert not any(_alive(child) for child in children)


def _wait_for_a_sleeping_child(parent: int) -> list[int]:
    """The children once one of them has been idle for a second: it hangs."""
    idle, before = 0, -1
    for _ in range(600):
        time.sleep(0.1)
        children = [int(c) for c in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
        children += [int(c) for t in Path(f"/proc/{parent}/task").iterdir() if t.name != str(parent)
                     for c in (t / "children").read_text().split()]  # fmt: skip
        ticks = sum(_ticks(c) for c in children)
        idle = idle + 1 if ticks == before and ticks > 20 else 0
        before = ticks
        if idle == 15:
            return children
    raise AssertionError("no worker hangs")


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
