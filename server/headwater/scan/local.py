"""The scan on this machine: worker processes, one file each at a time, and what earlier scans know."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from headwater.engine.analysis.options import Options
from headwater.engine.files.data import names_data
from headwater.engine.files.imports import placed, together_content
from headwater.engine.report.report import SourceProblem
from headwater.engine.workers.isolated import Worker, WorkerLost

from .limits import Limits, scan_within
from .result import FileResult, content_of, failed, unreadable
from .store import Store

AHEAD = 4
"""Files handed out for each worker, so that none waits for this process."""


def scan_files(
    paths: Sequence[Path], options: Options, store: Store | None, jobs: int, limits: Limits
) -> Iterator[tuple[int, FileResult]]:
    """The result of every path with its index, known ones first and then as they come; a crash costs one file.

    Large files come first, so that none is left for the end. When the caller stops, so do the workers, at once.
    """
    left = []
    for index, path in enumerate(paths):
        content = content_of(path)
        if isinstance(content, SourceProblem):
            yield index, unreadable(path, content)
        elif not names_data(content, options) and (
            known := store and store.load(str(path), together_content(path, content, options), options)
        ):
            yield index, known
        else:
            left.append((len(content), index))
    if left:
        order = [index for _, index in sorted(left, key=lambda item: (-item[0], item[1]))]
        pool = _Pool(options, store, min(jobs, len(order)), limits)
        try:
            yield from pool.run([(index, paths[index]) for index in order])
        finally:
            pool.close()


class _Pool:
    def __init__(self, options: Options, store: Store | None, jobs: int, limits: Limits) -> None:
        self._options, self._store, self._limits, self._jobs = options, store, limits, max(1, jobs)
        self._workers = [Worker() for _ in range(self._jobs)]
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(self._jobs, "headwater-scan")
        self._running: dict[Future[FileResult], int] = {}
        self._closed = False

    def run(self, files: Sequence[tuple[int, Path]]) -> Iterator[tuple[int, FileResult]]:
        waiting, running = iter(files), self._running
        while True:
            while len(running) < self._jobs * AHEAD and (file := next(waiting, None)):
                running[self._threads.submit(self._one, file[1])] = file[0]
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()

    def _one(self, path: Path) -> FileResult:
        name, content = str(path), content_of(path)  # again, for nobody keeps all of them
        if isinstance(content, SourceProblem):
            return unreadable(path, content)
        worker = self._idle.get()
        verdicts = self._store and self._store.directory
        try:
            if self._closed:
                raise WorkerLost("stopped")
            limits = self._limits
            options, before = placed(path, self._options), together_content(path, content, self._options)
            result, worn = worker.call(limits.seconds, scan_within, limits.memory, name, content, options, verdicts)
            if worn:
                worker.close()
        except WorkerLost as lost:
            return failed(name, SourceProblem(str(lost)), content)
        except Exception as error:  # no process to be had, an answer that cannot be read
            return failed(
                name, SourceProblem(f"internal error: {type(error).__name__}: {error}".splitlines()[0]), content
            )
        finally:
            self._idle.put(worker)
        if self._store is not None and not names_data(content, self._options):
            whole = together_content(path, content, self._options)
            if whole == before:  # what it imports has not changed meanwhile
                self._store.store(name, whole, self._options, result)
        return result

    def close(self) -> None:
        """End all workers, whatever they do."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        while True:
            for worker in self._workers:
                worker.stop()
            if not wait(self._running, timeout=0.1).not_done:  # one may just have started its worker anew
                break
        for worker in self._workers:
            worker.close()
