"""``headwater/scanWorkspace``: every file of the workspace, as a request that reports progress and can be cancelled.

Not a command: pygls does not stop a command that the editor cancels. Partial results are the findings of one file each,
in the form of ``headwater scan --format json``.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls import uris

from headwater.engine.cache import Cache
from headwater.engine.files import discover
from headwater.engine.isolated import WorkerLost
from headwater.engine.json_report import file_json
from headwater.engine.report import Report, SourceProblem
from headwater.engine.service import FileReport, analyse_file
from headwater.engine.slots import Slots

if TYPE_CHECKING:
    from .server import HeadwaterServer

METHOD = "headwater/scanWorkspace"


def register(server: HeadwaterServer) -> None:
    """Answer with the summary."""

    @server.feature(METHOD)
    async def scan(params: Any) -> dict[str, int]:
        progress = _Progress(
            server, getattr(params, "workDoneToken", None), getattr(params, "partialResultToken", None)
        )
        slots = Slots(server.workers)
        found = files = 0
        try:
            listed = await asyncio.to_thread(_files, server)
            progress.begin(len(listed))
            async for report in _reports(server, slots, listed):
                files += 1
                found += len(report.report.opportunities)
                progress.file(files, len(listed), report)
            return {"files": files, "opportunities": found}
        finally:
            slots.close()
            progress.end(f"{files} files, {found} findings")


def _files(server: HeadwaterServer) -> list[tuple[Path, str]]:
    """The files to look at, each with its folder."""
    listed = []
    for folder in server.folders:
        root = uris.to_fs_path(folder)
        if root:
            settings = server.configuration.of(folder).settings
            listed += [(path, folder) for path in discover([Path(root)]) if settings.wants(path)]
    return listed


async def _reports(server: HeadwaterServer, slots: Slots, listed: list[tuple[Path, str]]) -> AsyncIterator[FileReport]:
    """One report per file, as they come."""

    async def one(path: Path, folder: str) -> FileReport:
        options = server.configuration.of(folder).options
        try:
            return await slots.call(options.file_seconds, analyse_file, path, options, Cache())
        except WorkerLost as lost:
            return FileReport(str(path), "", Report(error=SourceProblem(str(lost))))

    waiting = iter(listed)
    running: set[asyncio.Task[FileReport]] = set()
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
        self._certificates = Cache().directory / "certificates"

    def begin(self, total: int) -> None:
        if self._work is not None:
            value = types.WorkDoneProgressBegin("Headwater", cancellable=True, message=f"{total} files", percentage=0)
            self._server.progress(types.ProgressParams(self._work, value))

    def file(self, done: int, total: int, report: FileReport) -> None:
        if self._work is not None:
            at = os.path.basename(report.path)  # noqa: PTH119
            value = types.WorkDoneProgressReport(message=f"{done} of {total}: {at}", percentage=100 * done // total)
            self._server.progress(types.ProgressParams(self._work, value))
        if self._partial is not None and (report.report.opportunities or report.report.error):
            found = {**file_json(report, self._certificates), "uri": uris.from_fs_path(report.path)}
            self._server.progress(types.ProgressParams(self._partial, found))

    def end(self, message: str) -> None:
        if self._work is not None:
            with suppress(Exception):
                self._server.progress(types.ProgressParams(self._work, types.WorkDoneProgressEnd(message=message)))
