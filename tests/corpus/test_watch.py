"""What benchmarks/corpus promises of a run: crashes and hangs are told, and nothing is executed unseen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.corpus.pool import PROJECT, Worker


def ask(tmp_path: Path, command: list[str], wall: float) -> str:
    worker = Worker(tmp_path, 10, wall)
    worker.command = command
    try:
        return str(worker.ask(tmp_path / "a.py")["error"])
    finally:
        worker.close()


@pytest.mark.parametrize(
    ("code", "wall", "error"),
    [
        ("import time; time.sleep(60)", 0.2, "the analyser hung"),
        ("pass", 30, "the analyser crashed"),
        ("input(); import os; os.abort()", 30, "the analyser crashed"),
        ("input(); print('{\"error\": null}')", 30, "None"),
    ],
)
def test_a_worker_that_fails_costs_one_record(tmp_path: Path, code: str, wall: float, error: str) -> None:
    assert ask(tmp_path, [sys.executable, "-c", code], wall) == error


@pytest.mark.parametrize(
    ("act", "breach"),
    [
        ("sys.path.insert(0, sys.argv[1]); import evil", "ran "),
        ("open(sys.argv[1] + '/out', 'w')", "opened "),
        ("import subprocess; subprocess.run(['true'])", "subprocess.Popen"),
        ("import socket; socket.socket().connect_ex(('127.0.0.1', 9))", "socket.connect"),
        ("open(sys.argv[1] + '/evil.py').read()", ""),
    ],
)
def test_what_an_analyser_must_not_do_is_noted(tmp_path: Path, act: str, breach: str) -> None:
    (tmp_path / "evil.py").write_text("x = 1\n")
    code = (
        "import sys, pathlib, subprocess, socket; from benchmarks.corpus.guard import watch\n"
        f"b = watch(pathlib.Path(sys.argv[1])); sys.dont_write_bytecode = True\n{act}\nprint(b[:1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"['{breach}" if breach else "[]")
