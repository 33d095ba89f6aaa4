"""Many calls, several workers. The answers come in the order of the calls; a crash costs one call its answer."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from headwater.engine.analysis.options import Options
from headwater.engine.files.cache import Cache
from headwater.engine.files.service import FileReport, analyse_file
from headwater.engine.report.report import Report, SourceProblem

from .isolated import Worker, WorkerLost

T = TypeVar("T")


def analyse_files(
    paths: Sequence[Path], options: Options, cache: Cache | None, jobs: int = 1, seconds: float | None = None
) -> Iterator[FileReport]:
    """One report per path, in that order; ``seconds`` of wall time for each."""
    calls = [(path.absolute(), options, cache) for path in paths]
    answers = run(analyse_file, calls, jobs, options.file_seconds if seconds is None else seconds)
    for path, answer in zip(paths, answers, strict=True):
        if isinstance(answer, WorkerLost):
            yield FileReport(str(path), "", Report(error=SourceProblem(str(answer))))
        else:
            yield replace(answer, path=str(path))


def run(
    function: Callable[..., T], calls: Sequence[tuple[Any, ...]], jobs: int, seconds: float
) -> Iterator[T | WorkerLost]:
    """``function(*call)`` for every call, at most ``jobs`` at a time, each within ``seconds``."""
    workers = [Worker() for _ in range(max(1, min(jobs, len(calls))))]
    idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def one(call: tuple[Any, ...]) -> T | WorkerLost:
        worker = idle.get()
        try:
            return worker.call(seconds, function, *call)
        except WorkerLost as lost:
            return lost
        finally:
            idle.put(worker)

    threads = ThreadPoolExecutor(len(workers))
    try:
        yield from threads.map(one, calls)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.stop()
        threads.shutdown()
        for worker in workers:
            worker.close()
