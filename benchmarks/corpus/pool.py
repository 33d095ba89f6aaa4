"""Workers with a wall limit for each file: a crash or a hang costs one file its record and is told as such."""

from __future__ import annotations

import json
import selectors
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]


class Worker:
    """One process of ``benchmarks.corpus.probe``, started anew after each crash or hang."""

    def __init__(self, root: Path, timeout: float, wall: float) -> None:
        self.command = [sys.executable, "-m", "benchmarks.corpus.probe", str(root), str(timeout)]
        self.wall = wall
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, path: Path) -> dict[str, Any]:
        """The record of ``path``."""
        child = self.process or subprocess.Popen(
            self.command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.process = child
        assert child.stdin
        assert child.stdout
        try:
            child.stdin.write(json.dumps(str(path)).encode() + b"\n")
            child.stdin.flush()
            with selectors.DefaultSelector() as waiting:
                waiting.register(child.stdout, selectors.EVENT_READ)
                answer = child.stdout.readline() if waiting.select(self.wall) else None
        except OSError:
            answer = b""
        if answer:
            found: dict[str, Any] = json.loads(answer)
            return found
        self.close()
        return {"error": "the analyser hung" if answer is None else "the analyser crashed", "filters": []}

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
        self.process = None


def probe_all(
    paths: Sequence[Path], root: Path, timeout: float, wall: float, jobs: int, done: Callable[[], None]
) -> list[dict[str, Any]]:
    """One record per path, in that order."""
    workers: SimpleQueue[Worker] = SimpleQueue()
    every = [Worker(root, timeout, wall) for _ in range(jobs)]
    for worker in every:
        workers.put(worker)

    def one(path: Path) -> dict[str, Any]:
        worker = workers.get()
        try:
            return worker.ask(path)
        finally:
            workers.put(worker)
            done()

    try:
        with ThreadPoolExecutor(jobs) as threads:
            return list(threads.map(one, paths))
    finally:
        for worker in every:
            worker.close()
