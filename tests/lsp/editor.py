"""An editor for tests: drives a real server over standard input and output, and holds it to the protocol.

Every diagnostic that arrives is kept with the version it names; ``published`` waits for a state of affairs.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.warm import COMMAND, Warm

T = TypeVar("T")
SECONDS = 25.0
FULL = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        configuration=True,
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
    ),
    text_document=types.TextDocumentClientCapabilities(
        code_action=types.CodeActionClientCapabilities(
            resolve_support=types.ClientCodeActionResolveOptions(properties=["edit"]), data_support=True
        )
    ),
)


class _Forked:
    """What ``asyncio`` knows of a process, of one that was forked."""

    def __init__(self, process: Warm, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader) -> None:
        self.stdin, self.stdout, self.pid = stdin, stdout, process.pid
        self.returncode: int | None = None
        self._end = asyncio.ensure_future(self._ended(process))

    async def _ended(self, process: Warm) -> int:
        self.returncode = await process.ended()
        self.stdin.close()
        return self.returncode

    async def wait(self) -> int:
        return await asyncio.shield(self._end)


async def _forked(*command: str, cwd: str, env: dict[str, str], **pipes: int) -> _Forked:
    """A server, as ``create_subprocess_exec`` starts one."""
    (calls, stdin), (stdout, answers) = os.pipe(), os.pipe()
    with Path(os.devnull).open("wb") as nothing:
        process = Warm(COMMAND, ["lsp"], [calls, answers, nothing.fileno()], cwd, env)
    os.close(calls)
    os.close(answers)
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(stdout, "rb"))
    transport, flow = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(stdin, "wb"))
    return _Forked(process, asyncio.StreamWriter(transport, flow, None, loop), reader)


class Editor:
    """One client and its server."""

    warm = sys.platform == "linux"
    """Whether the server and its workers are forked, or started as an editor does."""

    def __init__(self, root: Path, cache: Path, settings: dict[str, Any] | None = None) -> None:
        self.root, self.cache = root, cache
        self.settings: dict[str, Any] = {"timeoutSeconds": 30} | (settings or {})
        self.client = LanguageClient("tests", "1")
        self.diagnostics: dict[str, types.PublishDiagnosticsParams] = {}
        self.history: list[types.PublishDiagnosticsParams] = []
        self.status: list[Any] = []
        self.messages: list[str] = []
        self.progress: list[Any] = []
        self.registered: list[types.Registration] = []
        self.versions: dict[str, int] = {}
        self.texts: dict[tuple[str, int], str] = {}
        self._changed = asyncio.Event()
        self._listen()

    def _listen(self) -> None:
        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = params
            self.history.append(params)
            self._changed.set()

        @self.client.feature("headwater/status")
        def status(params: Any) -> None:
            self.status.append(params)
            self._changed.set()

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

        @self.client.feature(types.WORKSPACE_CONFIGURATION)
        def configuration(params: types.ConfigurationParams) -> list[Any]:
            return [self.settings for _ in params.items]

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered.extend(params.registrations)
            self._changed.set()

        @self.client.feature(types.PROGRESS)
        def progress(params: types.ProgressParams) -> None:
            self.progress.append(params)
            self._changed.set()

    async def start(
        self, capabilities: types.ClientCapabilities = FULL, options: dict[str, Any] | None = None
    ) -> types.InitializeResult:
        """Start a server in the workspace, as the extension does, and shake hands."""
        env = {**os.environ, "HEADWATER_CACHE_DIR": str(self.cache), "PYTHONUNBUFFERED": "1"}
        with pytest.MonkeyPatch.context() as patch:
            if self.warm:
                patch.setattr(asyncio, "create_subprocess_exec", _forked)
            await self.client.start_io(sys.executable, "-I", "-m", "headwater", "lsp", cwd=str(self.root), env=env)
        result = await self.client.initialize_async(
            types.InitializeParams(
                capabilities, process_id=os.getpid(), root_uri=self.root.as_uri(),
                workspace_folders=[types.WorkspaceFolder(self.root.as_uri(), "root")], initialization_options=options,
            )
        )  # fmt: skip
        self.client.initialized(types.InitializedParams())
        return result

    @property
    def process(self) -> int:
        """The server's process id."""
        server = self.client._server
        assert server is not None
        return server.pid

    async def stop(self) -> None:
        """End the server as an editor does."""
        await asyncio.wait_for(self.client.shutdown_async(None), SECONDS)
        self.client.exit(None)
        await asyncio.wait_for(self.client.stop(), SECONDS)

    def open(self, name: str, text: str) -> str:
        """Open a document; the answer is its uri."""
        uri = (self.root / name).as_uri()
        self.versions[uri] = 1
        self.texts[uri, 1] = text
        item = types.TextDocumentItem(uri, "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str) -> None:
        """Replace a document's whole text."""
        self.edit(uri, text, [types.TextDocumentContentChangeWholeDocument(text)])

    def edit(self, uri: str, text: str, changes: list[types.TextDocumentContentChangeEvent]) -> None:
        """Send ``changes``, which lead to ``text``."""
        self.versions[uri] += 1
        self.texts[uri, self.versions[uri]] = text
        named = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, changes))

    def save(self, uri: str) -> None:
        """Tell of a save."""
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def until(self, holds: Callable[[], T | None]) -> T:
        """Wait until ``holds`` answers with something."""

        async def wait() -> T:
            while not (found := holds()):
                self._changed.clear()
                await self._changed.wait()
            return found

        try:
            return await asyncio.wait_for(wait(), SECONDS)
        except (asyncio.TimeoutError, TimeoutError):
            shown = {u: (p.version, [(d.code, d.data) for d in p.diagnostics]) for u, p in self.diagnostics.items()}
            raise AssertionError(f"waited in vain: {self.versions} {shown} {self.status[-3:]}") from None

    async def published(self, uri: str, *codes: str) -> list[types.Diagnostic]:
        """The diagnostics of the current version once these are their codes and none is stale."""

        def holds() -> tuple[list[types.Diagnostic]] | None:
            found = self.diagnostics.get(uri)
            if found is None or found.version != self.versions.get(uri, found.version):
                return None
            fresh = all(not (d.data or {}).get("stale") for d in found.diagnostics)
            right = sorted(str(d.code) for d in found.diagnostics) == sorted(codes)
            return (list(found.diagnostics),) if fresh and right else None

        return (await self.until(holds))[0]

    async def idle(self) -> None:
        """Wait until the server says that it has nothing to do."""
        await self.until(lambda: self.status and self.status[-1].state in ("idle", "error"))

    async def settled(self, uri: str) -> None:
        """Wait until all that was sent has been taken in, which an answer to a request shows, and nothing is left to
        do for it."""
        asked = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 0))
        await self.client.text_document_hover_async(asked)
        await self.idle()

    async def actions(self, uri: str, d: types.Diagnostic, only: list[str] | None = None) -> list[types.CodeAction]:
        """What is offered on a diagnostic."""
        context = types.CodeActionContext([d], only=only)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(types.TextDocumentIdentifier(uri), d.range, context)
        )
        return [a for a in found or [] if isinstance(a, types.CodeAction)]

    async def resolved(self, action: types.CodeAction) -> types.CodeAction:
        """The action with its edit."""
        return await self.client.code_action_resolve_async(action)


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """What an editor makes of ``text``, by UTF-16 units."""
    from headwater.engine.report.positions import Lines, Position

    lines = Lines(text)
    spans = []
    for e in edits:
        start, end = (lines.offset(Position(p.line, p.character)) for p in (e.range.start, e.range.end))
        spans.append((start, end, e.new_text))
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def text_edits(action: types.CodeAction, uri: str, version: int) -> list[types.TextEdit]:
    """The edits of an action, which must be for exactly this version."""
    assert action.edit is not None, action.disabled
    assert action.edit.document_changes is not None
    (change,) = action.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    assert (change.text_document.uri, change.text_document.version) == (uri, version)
    return [e for e in change.edits if isinstance(e, types.TextEdit)]


def run(
    scenario: Callable[[Editor], Awaitable[None]],
    root: Path,
    cache: Path,
    capabilities: types.ClientCapabilities = FULL,
    **settings: Any,
) -> Editor:
    """Run a scenario against a server of its own, from the first message to the last."""

    async def whole() -> Editor:
        editor = Editor(root, cache, settings)
        await editor.start(capabilities)
        try:
            await scenario(editor)
        finally:
            await editor.stop()
        return editor

    return asyncio.run(whole())
