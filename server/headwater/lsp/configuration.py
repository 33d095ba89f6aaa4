"""Settings: what the editor says for each folder, and ``[tool.headwater]`` of its ``pyproject.toml``, which wins.
They apply as soon as they change."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from lsprotocol import types
from pygls import uris

from headwater.engine.analysis.options import Options, Place
from headwater.engine.files.settings import Settings, SettingsError, load_settings, merged, settings_of
from headwater.engine.files.targets import STATING_FILES, Stated, targets_at
from headwater.syntax.names.spark_versions import ANY, Targets

if TYPE_CHECKING:
    from .server import HeadwaterServer

SECTION = "headwater"
VerifyOn = Literal["save", "manual", "edit"]
_ENGINE = frozenset(
    """schemas assumePure severity include exclude timeoutSeconds workers targetSpark eventLog showAll""".split()
)
_UNSET = {"workers": 0, "showAll": False}
"""An editor's settings always have a value; these stand for none."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Configured:
    """What holds in one folder."""

    settings: Settings = field(default_factory=Settings)
    verify_on: VerifyOn = "save"
    code_lens: bool = False
    targets: Targets = ANY

    @property
    def options(self) -> Options:
        """What the engine is asked with."""
        s = self.settings
        return Options(
            timeout_seconds=s.timeout_seconds or Options().timeout_seconds,
            schemas=s.schemas, assume_pure=s.assume_pure, severity=s.severity,
            show_all=s.show_all is True, targets=self.targets,
        )  # fmt: skip


class Configuration:
    """The settings of every folder of the workspace. A setting that is wrong is reported once, and left out."""

    def __init__(self) -> None:
        self._by_folder: dict[str, Configured] = {}
        self.problems: list[str] = []

    def of(self, uri: str) -> Configured:
        """What holds for a document: the settings of the innermost folder that holds it."""
        inside = [f for f in self._by_folder if uri == f or uri.startswith(f.rstrip("/") + "/")]
        return self._by_folder[max(inside, key=len)] if inside else self._by_folder.get("", Configured())

    def take(self, folder: str, values: Mapping[str, Any]) -> None:
        """What the editor says for ``folder`` (a uri; empty for documents outside of all folders)."""
        path = uris.to_fs_path(folder) if folder else None
        theirs, own = Settings(), Settings()
        known = {k: v for k, v in values.items() if k in _ENGINE and v not in (None, "", [], {})}
        known = {k: v for k, v in known.items() if v != _UNSET.get(k)}
        try:
            theirs = settings_of(known, Path(path or os.curdir))
        except SettingsError as error:
            self._problem(str(error))
        try:
            own = load_settings(Path(path)) if path else Settings()
        except SettingsError as error:
            self._problem(str(error))
        settings = merged(own, theirs)
        stated = targets_at(Path(path), settings) if path else Stated()
        for problem in stated.problems:
            self._problem(f"{problem}; every version of Spark is taken for a target")
        verify = values.get("verifyOn")
        self._by_folder[folder] = Configured(
            settings,
            verify if verify in ("save", "manual", "edit") else "save",
            values.get("codeLens") is True,
            stated.targets,
        )

    def forget(self, folder: str) -> None:
        """A folder was closed."""
        self._by_folder.pop(folder, None)

    def _problem(self, message: str) -> None:
        if message not in self.problems:
            self.problems.append(message)
            _log.warning("%s", message)


def of_file(options: Options, uri: str) -> Options:
    """``options`` for the document ``uri``, which may import from other files if it is one itself."""
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return options if path is None else replace(options, place=Place(path))


async def load(server: HeadwaterServer) -> None:
    """Ask the editor for the settings of every folder, and read the folders' own."""
    folders = ["", *server.folders]
    answers: list[Any] = [None] * len(folders)
    workspace = server.client_capabilities.workspace
    if workspace and workspace.configuration:
        items = [types.ConfigurationItem(scope_uri=f or None, section=SECTION) for f in folders]
        try:
            answers = list(await server.workspace_configuration_async(types.ConfigurationParams(items)))
        except Exception as error:
            _log.warning("the editor does not tell its settings: %s", error)
    said = len(server.configuration.problems)
    for folder, answer in zip(folders, answers, strict=False):
        server.configuration.take(folder, answer if isinstance(answer, dict) else server.initial_settings)
    for problem in server.configuration.problems[said:]:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"Headwater: {problem}"))
    server.costs.follow()


def register(server: HeadwaterServer) -> None:
    """Follow every change of the settings."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def changed(params: types.DidChangeConfigurationParams) -> None:
        if isinstance(params.settings, dict) and isinstance(params.settings.get(SECTION), dict):
            server.initial_settings = params.settings[SECTION]
        await load(server)
        server.session.again()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        for folder in params.event.removed:
            server.folders.pop(folder.uri, None)
            server.configuration.forget(folder.uri)
        server.folders.update((folder.uri, None) for folder in params.event.added)
        await load(server)
        server.session.again()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files(params: types.DidChangeWatchedFilesParams) -> None:
        code = [c for c in params.changes if c.uri.endswith(".py")]
        for change in code:
            came_or_went = change.type != types.FileChangeType.Changed
            server.session.changed_file(uris.to_fs_path(change.uri), came_or_went)
        if len(code) < len(params.changes):
            await load(server)
            server.session.again()


async def watch(server: HeadwaterServer) -> None:
    """Ask for a message when a file changes that settings or the versions of Spark are read off, or that others may
    import from."""
    workspace = server.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace else None
    if not (watched and watched.dynamic_registration):
        return
    patterns = [types.FileSystemWatcher(glob_pattern=f"**/{name}") for name in (*STATING_FILES, "*.py")]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers=patterns)
    registration = types.Registration("headwater-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await server.client_register_capability_async(types.RegistrationParams([registration]))
    except Exception as error:
        _log.warning("the editor does not watch files: %s", error)
