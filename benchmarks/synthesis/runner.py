"""Runs problems in child processes, one process per mode, and kills what ignores its limit."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from .modes import SPACER

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ("-m", "benchmarks.synthesis.worker")
STARTUP_SECONDS = 120.0
Outcome = dict[str, Any]


class Child:
    """The process of one mode. It is started when it is first asked, and again after it was lost."""

    def __init__(self, mode: str, files: tuple[Path, ...], seconds: float) -> None:
        self.mode, self.files, self.seconds = mode, files, seconds
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()

    @property
    def hard_seconds(self) -> float:
        """Wall time after which the child is killed: the search counts processor time, on a machine that may be busy;
        Spacer counts wall time."""
        return self.seconds + 10 if self.mode == SPACER else 2 * self.seconds + 30

    def ask(self, problem: str, given: Any = None) -> Outcome:
        """The outcome of one problem; ``timeout`` or ``crash`` is set where the child had to go. ``given``: for
        ``spacer`` the solution of ``full``."""
        process = self._started()
        assert process.stdin is not None
        start = time.perf_counter()
        try:
            process.stdin.write(json.dumps({"problem": problem, "given": given}) + "\n")
            process.stdin.flush()
            outcome: Outcome = json.loads(self._line(self.hard_seconds))
            return outcome
        except (BrokenPipeError, _Lost):
            lost = "crash" if process.poll() is not None else "timeout"
            self.close()
            return {lost: f"exit code {process.returncode}", "wall": time.perf_counter() - start}

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = process = subprocess.Popen(
                [sys.executable, *COMMAND, self.mode, str(self.seconds), *map(str, self.files)], cwd=ROOT,
                env=os.environ | {"PYTHONHASHSEED": "0"}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
            self._lines = queue.Queue()
            assert process.stdout is not None
            self._pump = threading.Thread(target=_pump, args=(process.stdout, self._lines), daemon=True)
            self._pump.start()
            try:
                self._line(STARTUP_SECONDS)
            except _Lost:
                self.close()
                raise RuntimeError(f"the worker of mode {self.mode} did not start") from None
        return self._process

    def _line(self, seconds: float) -> str:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise _Lost from None
        if not line:
            if self._process is not None:
                self._process.wait()
            raise _Lost
        return line

    def close(self) -> None:
        """End the process."""
        if self._process is None:
            return
        process, self._process = self._process, None
        process.kill()
        process.wait()
        if process.stdin is not None:
            with suppress(BrokenPipeError):
                process.stdin.close()
        self._pump.join()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


class _Lost(Exception):
    """The child has ended, or does not answer."""


def _pump(source: IO[str], lines: queue.Queue[str]) -> None:
    """Every line, then an empty text at the end."""
    with source:
        for line in source:
            lines.put(line)
    lines.put("")
