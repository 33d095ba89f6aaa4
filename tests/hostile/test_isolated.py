"""Issue 4, hostile input: whatever happens in a worker costs one call."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from headwater.engine.analysis.options import Options
from headwater.engine.workers import isolated, pool
from headwater.engine.workers.isolated import Worker, WorkerLost

from .inputs import PEAKS
from .planted import analyse_or_die

ROOT = Path(__file__).parents[2]


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("function", "arguments", "reason"),
    [
        (os.abort, (), r"crashed \(signal 6\)"),
        (os.kill, ("self", signal.SIGSEGV), r"crashed \(signal 11\)"),
        (os._exit, (3,), r"crashed \(exit code 3\)"),
        (time.sleep, (100,), "took longer than 2 s"),
        (eval, ("[0 for i in iter(int, 1)]",), "took longer than 2 s"),
        (bytearray, (1 << 40,), "out of memory"),
        (eval, ("len(bytearray(1 << 33))",), "out of memory"),
        (ast.parse, ("(" * 150 + "1" + ")" * 150,), None),
        (threading.Lock, (), "internal error: TypeError: cannot pickle"),
        (sys.exit, (1,), r"crashed \(exit code 1\)"),
        (int, ("x",), "internal error: ValueError"),
        (os.write, (2, b"noise\n" * 100_000), None),
        (print, ("noise",), None),
    ],
)
def test_a_lost_call_is_an_error_and_the_next_one_is_answered(
    worker: Worker, function: Callable[..., Any], arguments: tuple[Any, ...], reason: str | None
) -> None:
    if "self" in arguments:
        arguments = (worker.call(20, os.getpid), *arguments[1:])
    start = time.perf_counter()
    if reason is None:
        worker.call(20, function, *arguments)
    else:
        worker.call(20, os.getpid)  # what follows is not the time that it takes to start
        with pytest.raises(WorkerLost, match=reason):
            worker.call(2 if "longer" in reason else 20, function, *arguments)
    assert worker.call(20, abs, -1) == 1
    assert time.perf_counter() - start < 30


def test_stop_from_another_thread(worker: Worker) -> None:
    worker.call(20, abs, -1)
    threading.Timer(0.2, worker.stop, ("the document changed",)).start()
    with pytest.raises(WorkerLost, match="the document changed"):
        worker.call(60, time.sleep, 50)
    assert worker.call(20, abs, -1) == 1


def test_it_sees_nothing_of_the_workspace(worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    assert worker.call(20, eval, "__import__('sys').flags.isolated") == 1
    path = worker.call(20, eval, "__import__('sys').path")
    assert not {"", str(tmp_path), os.fspath(tmp_path)} & set(path)
    assert Path(worker.call(20, os.getcwd)) == Path(isolated.__file__).parent


def test_no_worker_outlives_its_parent(tmp_path: Path) -> None:
    """The parent is killed in the middle of a call: nobody is left to clean up."""
    code = (
        "import os, sys, threading, time; from headwater.engine.workers.isolated import Worker; w = Worker()\n"
        "print(w.call(20, os.getpid), flush=True); w.call(100, time.sleep, 90)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 10
    while _alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _alive(child)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_crash_costs_its_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(isolated, "trusted", lambda: [*sys.path, str(ROOT)])
    monkeypatch.setattr(pool, "analyse_file", analyse_or_die)
    names = ["a.py", "crash.py", "b.py", "eat.py", *(["hang.py"] if jobs > 1 else ["eat.py"]), "c.py"]
    for name in names:
        (tmp_path / name).write_text(PEAKS)
    reports = list(pool.analyse_files([tmp_path / n for n in names], Options(), None, jobs, seconds=15))
    assert [Path(r.path).name for r in reports] == names
    errors = [r.report.error and r.report.error.message for r in reports]
    assert errors[0::2] == [None, None, "took longer than 15 s" if jobs > 1 else "out of memory"]
    assert errors[1::2] == ["the analyser crashed (signal 6)", "out of memory", None]
    found = [[o.id for o in r.report.opportunities] for r in reports if r.report.error is None]
    assert len(found[0]) == 1
    assert found == [found[0]] * 3


def test_a_reader_that_stops_early_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PEAKS)
    before = _children()
    for _ in pool.analyse_files([tmp_path / "a.py"] * 20, Options(), None, 2):
        break
    assert _children() == before


def _children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())
