"""What the findings of a folder cost in the runs whose event logs the setting ``eventLog`` names.

The logs are read in a worker process, once the settings of a folder are known and whenever they change, while the
editor goes on: until then, and where they cannot be read, nothing is said of cost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls import uris

from headwater.engine.documents.session import OpenDocument
from headwater.engine.files.discovery import discover
from headwater.engine.files.settings import Settings
from headwater.engine.report.report import Opportunity
from headwater.engine.workers.async_pool import AsyncPool
from headwater.engine.workers.isolated import WorkerLost
from headwater.event_log.limits import LIMITS
from headwater.event_log.matching import Measured, Measurements
from headwater.event_log.model import Logs
from headwater.event_log.reading import read_or_problem
from headwater.scan.measured import calls_of

from .places import Places

if TYPE_CHECKING:
    from .server import HeadwaterServer

_log = logging.getLogger(__name__)
Read = tuple[Logs, Sequence[str]]
"""What the logs say, and the files of the folder that may be meant."""


def read(place: Path, root: Path, settings: Settings) -> Read | str:
    """The event logs, and the files of a folder that have a name that is in them; why there are no logs."""
    logs = read_or_problem(place)
    if isinstance(logs, str):
        return logs
    names = {site.path.replace("\\", "/").rpartition("/")[2] for run in logs.applications for site in run.costs}
    found = discover([root], settings.gitignore is not False, settings.enters) if names else []
    return logs, [str(path) for path in found if path.name in names]


def _ready() -> None:
    """What a worker does first: nothing."""


class Costs:
    """The costs of every folder of the workspace."""

    def __init__(self, server: HeadwaterServer) -> None:
        self._server = server
        self._known: dict[str, Measurements] = {}
        self._last: tuple[object, dict[str, Measured | None]] = (None, {})
        self._tasks: dict[str, tuple[Settings, asyncio.Task[None]]] = {}

    def follow(self) -> None:
        """Read what the settings of each folder name, if they are others than before."""
        folders = list(self._server.folders)
        for folder in [f for f in self._tasks if f not in folders]:
            self._drop(folder)
        for folder in folders:
            settings = self._server.configuration.of(folder).settings
            if folder in self._tasks and self._tasks[folder][0] == settings:
                continue
            self._drop(folder)
            root = uris.to_fs_path(folder)
            if root and settings.event_log:
                reading = asyncio.create_task(self._read(folder, settings.event_log, Path(root), settings))
                self._tasks[folder] = (settings, reading)

    def _drop(self, folder: str) -> None:
        self._known.pop(folder, None)
        if folder in self._tasks:
            self._tasks.pop(folder)[1].cancel()

    async def _read(self, folder: str, place: Path, root: Path, settings: Settings) -> None:
        pool = AsyncPool(1, _ready)
        try:
            found = await pool.call(3 * LIMITS.seconds, read, place, root, settings)
        except WorkerLost as lost:
            found = f"{place}: the event logs cannot be read: {lost}"
        finally:
            pool.close()
        if isinstance(found, str):
            self._warn(found)
            return
        logs, files = found
        for problem in logs.problems:
            _log.warning("%s", problem)
        self._known[folder] = Measurements(logs, files)

    def _warn(self, problem: str) -> None:
        _log.warning("%s", problem)
        message = types.ShowMessageParams(types.MessageType.Warning, f"Headwater: {problem}")
        self._server.window_show_message(message)

    def close(self) -> None:
        """Stop reading."""
        for folder in list(self._tasks):
            self._drop(folder)

    def in_folder(self, folder: str) -> Measurements | None:
        """The costs of a folder, by its uri."""
        return self._known.get(folder)

    def of(self, opened: OpenDocument, places: Places, o: Opportunity) -> Measured | None:
        """What a finding of the current text cost."""
        path = uris.to_fs_path(opened.uri)
        inside = [f for f in self._known if opened.uri.startswith(f.rstrip("/") + "/")]
        if not path or not inside:
            return None
        known = self._known[max(inside, key=len)]
        if not known.know(path):
            return None
        found = [s.opportunity for s in opened.shown if not s.stale]
        asked = (known, places, [f.id for f in found])
        if self._last[0] != asked:  # a large text takes its time
            calls = calls_of(path, places.lines, found)
            costs = {f.id: known.of(path, of, calls.all) for f, of in zip(found, calls.of, strict=True)}
            self._last = (asked, costs)
        return self._last[1].get(o.id)
