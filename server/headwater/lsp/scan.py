"""``headwater/scanWorkspace``: every file of the workspace, as a request that reports progress and can be cancelled.

Not a command: pygls does not stop a command that the editor cancels. Partial results are the findings of one file each,
in the form of ``headwater scan --format json``, with what people read of them and as diagnostics.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls import uris

from headwater.engine.documents.on_demand import warm
from headwater.engine.files.cache import default_directory
from headwater.engine.files.discovery import discover
from headwater.engine.report.report import SourceProblem
from headwater.engine.workers.async_pool import AsyncPool
from headwater.engine.workers.isolated import WorkerLost
from headwater.scan.measured import with_cost
from headwater.scan.result import FileResult, failed

from .diagnostics import severity_of
from .scan_file import scan_file

if TYPE_CHECKING:
    from .server import HeadwaterServer

METHOD = "headwater/scanWorkspace"
Listed = list[tuple[Path, str]]
"""Files to look at, each with its folder."""


class Scanned:
    """What the scans of this session found, by uri."""

    def __init__(self) -> None:
        self.results: dict[str, FileResult] = {}
        self.seconds = 0.0

    def take(self, uri: str, result: FileResult) -> None:
        """The newest result of a file. Certificates stay with the proofs, which the cache has."""
        self.results[uri] = {**result, "certificates": [None] * len(result["certificates"])}


def register(server: HeadwaterServer) -> None:
    """Answer with the summary. With ``files`` (uris) only those are looked at again, and each has a partial result."""

    @server.feature(METHOD)
    async def scan(params: Any) -> dict[str, int]:
        progress = _Progress(
            server, getattr(params, "workDoneToken", None), getattr(params, "partialResultToken", None)
        )
        asked = getattr(params, "files", None)
        pool, start = AsyncPool(server.workers, warm), time.perf_counter()
        found = files = errors = spark_files = filters = 0
        try:
            if asked is None:
                server.scanned.results.clear()
                listed = await asyncio.to_thread(_files, server)
            else:
                listed = await _wanted(server, map(str, asked))
            progress.begin(len(listed))
            async for folder, result in _results(server, pool, listed):
                files += 1
                found += len(result["file"]["opportunities"])
                errors += result["problem"] is not None
                spark_files += result["spark"]
                filters += result["filters"]
                progress.file(files, len(listed), folder, result, asked is not None)
            seen = {"files": files, "spark_files": spark_files, "filters": filters}
            return {**seen, "opportunities": found, "errors": errors}
        finally:
            if asked is None:
                server.scanned.seconds = time.perf_counter() - start
            pool.close()
            progress.end(f"{files} files, {found} findings")


def _files(server: HeadwaterServer) -> Listed:
    listed = []
    for folder in list(server.folders):
        root = uris.to_fs_path(folder)
        if root:
            settings = server.configuration.of(folder).settings
            found = discover([Path(root)], settings.gitignore is not False, settings.enters)
            listed += [(path, folder) for path in found if settings.wants(path)]
    return listed


async def _wanted(server: HeadwaterServer, asked: Iterable[str]) -> Listed:
    """Those of the uris that a scan of the workspace looks at. The folders are searched only for names that are new."""
    paths = {Path(name): uri for uri in asked if (name := uris.to_fs_path(uri))}
    known = all(uri in server.scanned.results for uri in paths.values())
    if not known:
        return [(path, folder) for path, folder in await asyncio.to_thread(_files, server) if path in paths]
    folders = sorted(server.folders, key=len, reverse=True)
    return [
        (path, next((f for f in folders if uri.startswith(f.rstrip("/") + "/")), "")) for path, uri in paths.items()
    ]


async def _results(server: HeadwaterServer, pool: AsyncPool, listed: Listed) -> AsyncIterator[tuple[str, FileResult]]:
    """One result per file, as they come."""

    async def one(path: Path, folder: str) -> tuple[str, FileResult]:
        options = server.configuration.of(folder).options
        try:
            result = await pool.call(options.file_seconds, scan_file, path, options, default_directory())
        except WorkerLost as lost:
            result = failed(str(path), SourceProblem(str(lost)))
        return folder, result

    waiting = iter(listed)
    running: set[asyncio.Task[tuple[str, FileResult]]] = set()
    try:
        while True:
            while len(running) < server.workers and (next_ := next(waiting, None)):
                running.add(asyncio.create_task(one(*next_)))
            if not running:
                return
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in running:
            task.cancel()


class _Progress:
    """Work-done progress and partial results, for whoever gave a token for them."""

    def __init__(self, server: HeadwaterServer, work: Any, partial: Any) -> None:
        self._server, self._work, self._partial = server, work, partial

    def begin(self, total: int) -> None:
        if self._work is not None:
            value = types.WorkDoneProgressBegin("Headwater", cancellable=True, message=f"{total} files", percentage=0)
            self._server.progress(types.ProgressParams(self._work, value))

    def file(self, done: int, total: int, folder: str, result: FileResult, always: bool) -> None:
        costs = self._server.costs.in_folder(folder)
        if costs is not None:
            result = with_cost(result, costs, result["file"]["path"])
        path, found = result["file"]["path"], result["file"]["opportunities"]
        uri = uris.from_fs_path(path) or path
        self._server.scanned.take(uri, result)
        if self._work is not None:
            at = os.path.basename(path)  # noqa: PTH119
            value = types.WorkDoneProgressReport(message=f"{done} of {total}: {at}", percentage=100 * done // total)
            self._server.progress(types.ProgressParams(self._work, value))
        if self._partial is not None and (found or result["problem"] or always):
            severity = self._server.configuration.of(folder).settings.severity
            part = {
                **result["file"],
                "uri": uri,
                "shown": result["shown"],
                "severities": [severity_of(o["code"], severity).value for o in found],
            }
            self._server.progress(types.ProgressParams(self._partial, part))

    def end(self, message: str) -> None:
        if self._work is not None:
            with suppress(Exception):
                self._server.progress(types.ProgressParams(self._work, types.WorkDoneProgressEnd(message=message)))
