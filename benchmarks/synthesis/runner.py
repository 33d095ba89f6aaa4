"""Runs modes over the suite in child processes, and kills what ignores its limit."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from .modes import SPACER

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ("-m", "benchmarks.synthesis.worker")
STARTUP_SECONDS = 60.0
Outcome = dict[str, Any]
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Task:
    """``problems``: name → what the worker is given for it (``spacer``: the solution of ``full``; else None)."""

    mode: str
    files: tuple[Path, ...]
    problems: Mapping[str, Any]
    seconds: float

    @property
    def hard_seconds(self) -> float:
        """Wall time after which the child is killed: the search counts processor time, on a machine that may be busy;
        Spacer counts wall time."""
        return self.seconds + 10 if self.mode == SPACER else 2 * self.seconds + 30


def run(task: Task, progress: Progress) -> dict[str, Outcome]:
    """The outcome of every problem; ``timeout`` or ``crash`` is set where the child had to go."""
    outcomes: dict[str, Outcome] = {}
    left = dict(task.problems)
    while left:
        before = len(left)
        lost = _child(task, left, outcomes, progress)
        if lost is not None:
            name, outcome = lost
            outcomes[name] = outcome
            progress(name)
        left = {n: g for n, g in left.items() if n not in outcomes}
        if len(left) == before:
            raise RuntimeError(f"the worker of mode {task.mode} ended without an outcome")
    return outcomes


def _child(
    task: Task, wanted: dict[str, Any], outcomes: dict[str, Outcome], progress: Progress
) -> tuple[str, Outcome] | None:
    """One child until it is done or lost; what was lost with it."""
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    child = subprocess.Popen(
        [sys.executable, *COMMAND], cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None
    assert child.stdout is not None
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_pump, args=(child.stdout, lines), daemon=True).start()
    files = [str(f) for f in task.files]
    asked = {"mode": task.mode, "seconds": task.seconds, "files": files, "problems": wanted}
    with child.stdin:
        child.stdin.write(json.dumps(asked))
    running: str | None = None
    started = time.perf_counter()
    try:
        while True:
            limit = task.hard_seconds if running else STARTUP_SECONDS
            try:
                line = lines.get(timeout=max(0.1, started + limit - time.perf_counter()))
            except queue.Empty:
                return _lost(running, {"timeout": True, "wall": time.perf_counter() - started})
            if not line:
                return _lost(running, {"crash": f"exit code {child.wait()}", "wall": time.perf_counter() - started})
            message = json.loads(line)
            started = time.perf_counter()
            running = message.get("start")
            if running is None:
                name = message.pop("done")
                outcomes[name] = message
                progress(name)
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def _lost(running: str | None, outcome: Outcome) -> tuple[str, Outcome] | None:
    return None if running is None else (running, outcome)


def _pump(source: IO[str], lines: queue.Queue[str]) -> None:
    """Every line, then an empty text at the end."""
    try:
        for line in source:
            lines.put(line)
    except ValueError:  # closed by the parent
        pass
    lines.put("")
