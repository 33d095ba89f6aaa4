"""Many files, several processes. The answers come in the order of the files; a crash costs one file its answer."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from .cache import Cache
from .options import Options
from .report import Report, SourceProblem
from .service import FileReport, analyse_file

Progress = Callable[[FileReport], None]


def analyse_files(paths: Sequence[Path], options: Options, cache: Cache | None, jobs: int = 1) -> Iterator[FileReport]:
    """One report per path, in that order. With one job everything runs in this process."""
    if jobs <= 1 or len(paths) <= 1:
        for path in paths:
            yield analyse_file(path, options, cache)
        return
    done = 0
    while done < len(paths):
        for report in _until_crash(paths[done:], options, cache, min(jobs, len(paths) - done)):
            done += 1
            yield report
        if done < len(paths):  # a worker died, on this file or on one that ran beside it
            yield _alone(paths[done], options, cache)
            done += 1


def _until_crash(paths: Sequence[Path], options: Options, cache: Cache | None, jobs: int) -> Iterator[FileReport]:
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures: list[Future[FileReport]] = [pool.submit(analyse_file, p, options, cache) for p in paths]
        try:
            for future in futures:
                yield future.result()
        except BrokenProcessPool:
            return
        finally:
            for future in futures:
                future.cancel()


def _alone(path: Path, options: Options, cache: Cache | None) -> FileReport:
    """The answer for ``path`` from a process of its own, or the news that the process died."""
    for report in _until_crash([path], options, cache, 1):
        return report
    return FileReport(str(path), "", Report(error=SourceProblem("the analyser crashed on this file")))
