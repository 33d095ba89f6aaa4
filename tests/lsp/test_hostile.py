"""Clients that send nonsense, clients that can do nothing, and workspaces that mean harm: the next request works."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from .books import Book
from .editor import Editor, applied, run
from .programs import BEST, HEAD

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the processes of the tests are POSIX ones")
BARE = types.ClientCapabilities()


def partial(a: tuple[int, int], b: tuple[int, int], text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(types.Range(types.Position(*a), types.Position(*b)), text)


async def answered(asked: Any) -> object:
    """The answer, or the error; but no silence."""
    try:
        return await asyncio.wait_for(asked, 20)
    except (asyncio.TimeoutError, TimeoutError):
        raise AssertionError("no answer") from None
    except Exception as error:
        return error


def test_requests_that_make_no_sense(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        protocol, client = e.client.protocol, e.client
        uri = e.open("job.py", BEST.format(90))
        e.save(uri)
        await e.published(uri, "HW101")
        nowhere = types.TextDocumentIdentifier("file:///nowhere.py")
        far = types.Position(2**31 - 1, 2**31 - 1)
        for place in (far, types.Position(0, 2**31 - 1)):
            await answered(
                client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), place))
            )
            assert await client.text_document_hover_async(types.HoverParams(nowhere, place)) is None
        odd: list[Any] = [None, 7, "text", [1], {"uri": uri}, {"uri": 5, "id": [], "version": "x", "what": {}}]
        odd += [{"uri": uri, "version": 1, "id": "?", "what": w} for w in ("apply", "unused", "all?", None)]
        for data in odd:
            action = types.CodeAction("odd", data=data)
            resolved = await answered(client.code_action_resolve_async(action))
            assert isinstance(resolved, types.CodeAction)
            assert resolved.edit is None
            assert resolved.disabled is not None
        nonsense: list[Any] = [None, {}, {"uri": 3, "id": {}}]
        for method in ("headwater/proof", "headwater/scanWorkspace", "headwater/none"):
            for params in nonsense:
                await answered(protocol.send_request_async(method, params))
        command = types.ExecuteCommandParams("headwater.none", [{"uri": uri}])
        assert isinstance(await answered(client.workspace_execute_command_async(command)), Exception)
        verified: list[Any] = [None, {}, {"uri": []}, {"uri": "file:///nowhere.py"}]
        for params in verified:
            protocol.notify("headwater/verify", params)
        bad = {"headwater": {"workers": "many", "severity": 4, "schemas": [1]}}
        said: list[Any] = [None, 5, {"headwater": []}, bad]
        for settings in said:
            client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=settings))
        e.change(uri, BEST.format(91))
        await e.published(uri, "HW190")

    run(scenario, tmp_path, tmp_path / "cache")


def test_documents_that_are_not_what_they_should_be(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        client = e.client
        ghost = types.VersionedTextDocumentIdentifier(3, "file:///ghost.py")
        client.text_document_did_change(types.DidChangeTextDocumentParams(ghost, [partial((0, 0), (0, 1), "x")]))
        unopened = types.TextDocumentIdentifier(ghost.uri)
        client.text_document_did_save(types.DidSaveTextDocumentParams(unopened))
        client.text_document_did_close(types.DidCloseTextDocumentParams(unopened))
        uri = e.open("job.py", BEST.format(1))
        e.open("job.py", BEST.format(2))  # once more, without having been closed
        text = BEST.format(2) + "y = 1\n"
        lines = text.count("\n")
        e.edit(uri, text, [partial((10**6, 0), (10**6, 5), "y = 1\n")])  # beyond the end is the end
        e.edit(uri, "# a\n" + text, [partial((0, 0), (0, 0), "# a\n")])
        e.edit(uri, text, [partial((1, 0), (0, 0), "")])  # from behind
        e.edit(uri, text, [])
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        assert found.range.start.line == lines - 2
        for other in ("java", "markdown", ""):
            item = types.TextDocumentItem(f"file:///x.{other}", other, 1, BEST.format(3))
            client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        huge = e.open("huge.py", "x = [\n" + "    1,\n" * 150_000 + "]\n" + BEST.format(4))
        deep = e.open("deep.py", "x = " + "(" * 5000 + ")" * 5000 + "\nspark.table('t').filter('a')\n")
        await e.published(deep)
        await e.until(lambda: huge in e.diagnostics)
        e.change(uri, BEST.format(5))
        await e.published(uri, "HW190")
        assert not any(u.startswith("file:///x.") for u in e.diagnostics)

    run(scenario, tmp_path, tmp_path / "cache")


@pytest.mark.parametrize(
    "initialize",
    [
        lambda root: types.InitializeParams(BARE),
        lambda root: types.InitializeParams(BARE, root_uri=None, workspace_folders=[]),
        lambda root: types.InitializeParams(BARE, root_uri=root.as_uri(), initialization_options=[1, 2]),
        lambda root: types.InitializeParams(BARE, root_uri="untitled:x", initialization_options={"verifyOn": "edit"}),
    ],
)
def test_clients_that_say_next_to_nothing(tmp_path: Path, initialize: Callable[[Path], types.InitializeParams]) -> None:
    """No folders, no settings, no lazy edits, no versions in edits; files and notebooks all the same."""

    async def scenario() -> None:
        e = Editor(tmp_path, tmp_path / "cache")
        env = {**os.environ, "HEADWATER_CACHE_DIR": str(e.cache)}
        await e.client.start_io(sys.executable, "-I", "-m", "headwater", "lsp", cwd=str(tmp_path), env=env)
        await e.client.initialize_async(initialize(tmp_path))
        e.client.initialized(types.InitializedParams())
        text = BEST.format(90)
        uri = e.open("job.py", text)
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        actions = await e.actions(uri, found)
        assert all(a.edit is not None and a.edit.changes is not None for a in actions)
        edit = actions[0].edit
        assert edit is not None
        assert edit.changes is not None
        assert 'scores.filter(F.col("score") > 90)' in applied(text, list(edit.changes[uri]))
        book = Book(e).open(HEAD, text.removeprefix(HEAD))
        await e.published(book.cells[1], "HW101")
        answer = await e.client.protocol.send_request_async("headwater/scanWorkspace", {})
        assert answer.files == 0
        await e.stop()

    asyncio.run(scenario())


def test_a_workspace_whose_settings_are_traps(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "dir.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "latin.py").write_bytes(b"# \xff\nspark.filter")
    (tmp_path / "zeros.py").write_bytes(b"\0" * 1000 + b"filter")
    settings = [
        "[tool.headwater]\nschemas = 'pipe.json'\n",
        "[tool.headwater]\nschemas = '/dev/zero'\n",
        "[tool.headwater]\nschemas = 'loop'\n",
        "[tool.headwater",
        "[tool.headwater]\nworkers = 100000\ntimeoutSeconds = 1e300\n",
        "[tool.headwater]\nschemas = {other = 'a b c d e'}\n",
        "a" + ".b" * 20_000 + " = 1\n[tool.headwater]\n",
    ]
    (tmp_path / "pyproject.toml").write_text(settings[0])

    async def scenario(e: Editor) -> None:
        uri = e.open("job.py", BEST.format(90))
        e.save(uri)
        await e.published(uri, "HW101")
        event = types.FileEvent((tmp_path / "pyproject.toml").as_uri(), types.FileChangeType.Changed)
        for number, text in enumerate(settings):
            (tmp_path / "pyproject.toml").write_text(text)
            e.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
            e.change(uri, BEST.format(number))
            await e.published(uri, "HW190")
        assert len(e.messages) >= 4, e.messages
        (tmp_path / "pyproject.toml").unlink()
        answer = await e.client.protocol.send_request_async("headwater/scanWorkspace", {"partialResultToken": 1})
        assert answer.files >= 2
        e.save(uri)
        await e.published(uri, "HW101")

    run(scenario, tmp_path, tmp_path / "cache")
