"""Every feature of the protocol, against a real server."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from headwater.engine.report.positions import utf16_length

from .editor import Editor, applied, run, text_edits
from .programs import BEST, HEAD, NOTHING, TWO

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the processes of the tests are POSIX ones")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def test_from_opening_to_the_fixed_text(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        text = BEST.format(90)
        uri = e.open("job.py", text)
        (maybe,) = await e.published(uri, "HW190")
        assert maybe.severity == types.DiagnosticSeverity.Hint
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        assert found.severity == types.DiagnosticSeverity.Information
        assert found.source == "headwater"
        assert found.code_description is not None
        assert found.code_description.href.endswith("/HW101.md")
        assert "`score > 90` can run before" in found.message
        assert [r.location.range.start.line for r in found.related_information or ()] == [4, 4]
        line = text.splitlines()[found.range.start.line]
        assert line[found.range.start.character : found.range.end.character] == 'filter(F.col("best") > 90)'
        apply, smaller, ignore = await e.actions(uri, found)
        assert apply.edit is None, "edits are made when they are asked for"
        assert apply.is_preferred
        edits = text_edits(await e.resolved(apply), uri, 1)
        fixed = applied(text, edits)
        assert 'scores.filter(F.col("score") > 90).groupBy' in fixed
        both = applied(text, text_edits(await e.resolved(smaller), uri, 1))
        assert both.count(" > 90)") == 2
        quiet = applied(text, text_edits(await e.resolved(ignore), uri, 1))
        assert quiet == text.replace('F.col("best") > 90)\n', 'F.col("best") > 90)  # headwater: ignore[HW101]\n')
        for after in (fixed, both, quiet):
            e.change(uri, after)
            e.save(uri)
            await e.published(uri)

    run(scenario, tmp_path, cache)


def test_what_is_proved_once_is_known_at_the_next_opening(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        uri = e.open("other.py", "# another file\n" + BEST.format(91))
        await e.published(uri, "HW190")
        e.save(uri)
        await e.published(uri, "HW101")

    async def again(e: Editor) -> None:
        uri = e.open("third.py", "# a third file\n\n" + BEST.format(91))
        await e.published(uri, "HW101")
        assert not any(s.state == "proving" for s in e.status)

    run(scenario, tmp_path, cache)
    run(again, tmp_path, cache)


def test_a_branch_of_its_own_stays_until_it_has_been_tried_again(tmp_path: Path, cache: Path) -> None:
    text = BEST.format(90).replace(".filter(", "\nbest.show()\ntop = best.filter(")

    async def scenario(e: Editor) -> None:
        uri = e.open("shown.py", text)
        await e.published(uri)
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        assert "in a branch of its own" in found.message
        seen = len(e.history)
        top = types.Position(0, 0)
        line = types.TextDocumentContentChangePartial(types.Range(top, top), "# a line\n")
        e.edit(uri, "# a line\n" + text, [line])
        await e.published(uri, "HW101")
        later = [p for p in e.history[seen:] if p.uri == uri]
        assert len(later) > 2, "carried, kept by the quick check, tried again"
        assert [[(d.code, d.data["stale"]) for d in p.diagnostics] for p in later] == [
            *[[("HW101", True)]] * (len(later) - 1),
            [("HW101", False)],
        ]
        e.change(uri, NOTHING)
        await e.published(uri)

    run(scenario, tmp_path, cache)


def test_findings_are_carried_through_edits_and_marked(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        text = BEST.format(90)
        uri = e.open("job.py", text)
        e.save(uri)
        (before,) = await e.published(uri, "HW101")
        e.edit(uri, "# 😀\n" + text, [_insertion(0, 0, "# 😀\n")])
        stale = await e.until(lambda: next((p for p in e.history if p.version == 2), None))
        assert [d.range.start.line for d in stale.diagnostics] == [before.range.start.line + 1]
        assert stale.diagnostics[0].data["stale"] is True
        assert "before the last edit" in stale.diagnostics[0].message
        (fresh,) = await e.published(uri, "HW101")
        assert fresh.message.startswith("`score > 90` can run before")
        # an edit of the filter itself takes the finding away at once
        line = fresh.range.start.line
        e.edit(uri, "# 😀\n" + BEST.format("9"), [_insertion(line, fresh.range.end.character - 2, "", 1)])
        gone = await e.until(lambda: next((p for p in e.history if p.version == 3), None))
        assert gone.diagnostics == () or not any(d.code == "HW101" for d in gone.diagnostics)
        await e.published(uri, "HW190")

    run(scenario, tmp_path, cache)


def _insertion(line: int, character: int, text: str, deleted: int = 0) -> types.TextDocumentContentChangePartial:
    start, end = types.Position(line, character), types.Position(line, character + deleted)
    return types.TextDocumentContentChangePartial(types.Range(start, end), text)


def test_a_text_that_does_not_parse_keeps_what_was_known(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        text = BEST.format(90)
        uri = e.open("job.py", text)
        e.save(uri)
        await e.published(uri, "HW101")
        e.change(uri, text + "def f(:\n")  # the whole text: nothing can be carried through that
        await e.until(lambda: e.status[-1].state == "error")
        assert "syntax error" in e.status[-1].message
        e.change(uri, text + "def f(): pass\n")
        await e.published(uri, "HW101")
        end = text.count("\n")
        e.edit(uri, text + "def f(): pass\n(", [_insertion(end + 1, 0, "(")])
        await e.until(lambda: e.status[-1].state == "error")
        assert [d.data["stale"] for d in e.diagnostics[uri].diagnostics] == [True]
        action = await e.actions(uri, e.diagnostics[uri].diagnostics[0])
        assert action == [], "nothing is offered for what is stale"

    run(scenario, tmp_path, cache)


def test_characters_beyond_the_basic_plane_and_odd_line_ends(tmp_path: Path, cache: Path) -> None:
    odd = "# \f form feed \u2028 separator \x85\r\nx = '😀😀'; "

    async def scenario(e: Editor) -> None:
        text = BEST.format(90).replace("good = ", odd + "good = ")
        uri = e.open("job.py", text)
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        lines = text.replace("\r\n", "\n").split("\n")
        line = lines[found.range.start.line]
        prefix = line[: line.index("filter(")]
        assert found.range.start.character == utf16_length(prefix) == len(prefix) + 2
        apply, *_ = await e.actions(uri, found)
        fixed = applied(text, text_edits(await e.resolved(apply), uri, 1))
        assert fixed.count('.filter(F.col("score") > 90)') == 1
        assert odd in fixed

    run(scenario, tmp_path, cache)


def test_hover(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        uri = e.open("job.py", BEST.format(90))
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        for place in (found.range.start, types.Position(4, 20)):
            hover = await e.client.text_document_hover_async(
                types.HoverParams(types.TextDocumentIdentifier(uri), place)
            )
            assert hover is not None
            assert isinstance(hover.contents, types.MarkupContent)
            for words in ("HW101", "Why it is safe", "Sync (proved", "At the source", "Benefit", "⟹"):
                assert words in hover.contents.value
        nowhere = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 0))
        assert await e.client.text_document_hover_async(nowhere) is None
        other = e.open("none.py", NOTHING)
        await e.idle()
        skipped = types.HoverParams(types.TextDocumentIdentifier(other), types.Position(5, 15))
        await e.until(lambda: other in e.diagnostics)
        hover = await e.client.text_document_hover_async(skipped)
        assert hover is not None
        assert "stays where it is (`no-prefilter`)" in str(hover.contents)

    run(scenario, tmp_path, cache)


def test_fix_all_and_the_kinds_that_are_asked_for(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        text = TWO.format(90, 10)
        uri = e.open("job.py", text)
        e.save(uri)
        first, _ = await e.published(uri, "HW101", "HW101")
        assert [a.kind for a in await e.actions(uri, first)] == ["quickfix"] * 3
        assert await e.actions(uri, first, ["refactor"]) == []
        (every,) = await e.actions(uri, first, ["source.fixAll"])
        fixed = applied(text, text_edits(await e.resolved(every), uri, 1))
        assert 'filter(F.col("score") > 90)' in fixed
        assert 'filter(F.col("score") < 10)' in fixed or 'filter("score < 10")' in fixed
        e.change(uri, text + "# edited\n")
        late = await e.resolved(every)
        assert late.edit is None
        assert late.disabled is not None

    run(scenario, tmp_path, cache)


def test_a_client_that_can_do_little(tmp_path: Path, cache: Path) -> None:
    async def scenario() -> None:
        e = Editor(tmp_path, cache)
        await e.start(types.ClientCapabilities())
        uri = e.open("job.py", BEST.format(90))
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        apply, *_ = await e.actions(uri, found)
        assert apply.edit is not None
        assert apply.edit.changes is not None
        fixed = applied(BEST.format(90), list(apply.edit.changes[uri]))
        assert 'scores.filter(F.col("score") > 90)' in fixed
        await e.stop()

    asyncio.run(scenario())


def test_settings_apply_as_soon_as_they_change(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        uri = e.open("job.py", BEST.format(90))
        e.save(uri)
        await e.published(uri, "HW101")
        lenses = types.CodeLensParams(types.TextDocumentIdentifier(uri))
        assert not await e.client.text_document_code_lens_async(lenses)
        e.settings |= {"severity": {"HW101": "error"}, "codeLens": True}
        e.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
        await e.until(lambda: any(d.severity == 1 for d in e.diagnostics[uri].diagnostics))
        (lens,) = await e.client.text_document_code_lens_async(lenses) or ()
        assert lens.command is not None
        assert lens.command.title == 'F.col("score") > 90 can run before agg'
        (tmp_path / "pyproject.toml").write_text('[tool.headwater.severity]\nHW101 = "off"\n')
        watched = types.FileEvent((tmp_path / "pyproject.toml").as_uri(), types.FileChangeType.Created)
        e.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([watched]))
        await e.published(uri)
        (tmp_path / "pyproject.toml").write_text("[tool.headwater]\nworkers = 'many'\n")
        e.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([watched]))
        await e.published(uri, "HW101")
        assert any("workers must be a positive number" in m for m in e.messages)
        assert [r.method for r in e.registered] == [types.WORKSPACE_DID_CHANGE_WATCHED_FILES]

    run(scenario, tmp_path, cache)


@pytest.mark.parametrize("mode", ["manual", "edit"])
def test_when_proofs_are_made(tmp_path: Path, mode: str) -> None:
    async def scenario(e: Editor) -> None:
        uri = e.open("job.py", BEST.format(90))
        await e.published(uri, "HW190")
        if mode == "manual":
            e.save(uri)
            await e.idle()
            await e.published(uri, "HW190")
            e.client.protocol.notify("headwater/verify", {"uri": uri})
        else:
            e.change(uri, BEST.format(93))
        await e.published(uri, "HW101")

    run(scenario, tmp_path, tmp_path / "cache", verifyOn=mode)


def test_proof(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        uri = e.open("job.py", BEST.format(90))
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        asked = {"uri": uri, "id": found.data["id"]}
        proof = await e.client.protocol.send_request_async("headwater/proof", asked)
        assert "(check-sat)" in proof.markdown
        assert json.loads(proof.certificate)["$"] == "Certificate"
        assert await e.client.protocol.send_request_async("headwater/proof", asked | {"id": "?"}) is None

    run(scenario, tmp_path, cache)


def test_scanning_the_workspace(tmp_path: Path, cache: Path) -> None:
    for i in range(3):
        (tmp_path / f"job{i}.py").write_text(BEST.format(90 + i))
    (tmp_path / "none.py").write_text(NOTHING)
    (tmp_path / "broken.py").write_text("filter(  # pyspark")

    async def scenario(e: Editor) -> None:
        asked = {"workDoneToken": "work", "partialResultToken": "part"}
        answer = await e.client.protocol.send_request_async("headwater/scanWorkspace", asked)
        assert (answer.files, answer.opportunities) == (5, 3)
        kinds = [_field(p.value, "kind") for p in e.progress if p.token == "work"]
        assert (kinds[0], kinds[-1]) == ("begin", "end")
        parts = [p.value for p in e.progress if p.token == "part"]
        assert sorted(Path(_field(p, "path")).name for p in parts) == ["broken.py", "job0.py", "job1.py", "job2.py"]

    run(scenario, tmp_path, cache)


def test_a_scan_that_is_cancelled_leaves_nothing_behind(tmp_path: Path) -> None:
    for i in range(30):
        (tmp_path / f"job{i}.py").write_text(TWO.format(i, i))

    async def scenario(e: Editor) -> None:
        request = e.client.protocol.send_request_async("headwater/scanWorkspace", {"workDoneToken": "work"})
        task = asyncio.ensure_future(request)
        await e.until(lambda: any(_field(p.value, "kind") == "report" for p in e.progress))
        (message,) = [k for k, f in e.client.protocol._request_futures.items() if not f.done()]
        e.client.cancel_request(types.CancelParams(message))
        await e.until(lambda: any(_field(p.value, "kind") == "end" for p in e.progress))
        task.cancel()
        uri = e.open("new.py", BEST.format(5))
        await e.published(uri, "HW190")

    run(scenario, tmp_path, tmp_path / "cache")


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def test_a_notebook_is_one_program_and_each_finding_is_in_its_cell(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        notebook = (tmp_path / "book.ipynb").as_uri()
        first, second, note = (f"{notebook}#cell{i}" for i in range(3))
        cells = {first: HEAD + BEST.format(90)[len(HEAD) :].splitlines()[0] + "\n", note: "# *notes*"}
        cells[second] = "\n".join(BEST.format(90)[len(HEAD) :].splitlines()[1:]) + "\n"
        kinds = {
            first: types.NotebookCellKind.Code,
            note: types.NotebookCellKind.Markup,
            second: types.NotebookCellKind.Code,
        }
        book = types.NotebookDocument(
            notebook, "jupyter-notebook", 1, [types.NotebookCell(kinds[u], u) for u in (first, note, second)]
        )
        items = [
            types.TextDocumentItem(u, "markdown" if u == note else "python", 1, cells[u]) for u in (first, note, second)
        ]
        e.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(book, items))
        named = types.NotebookDocumentIdentifier(notebook)
        e.client.notebook_document_did_save(types.DidSaveNotebookDocumentParams(named))
        (found,) = await e.published(second, "HW101")
        assert found.range.start.line == 1
        apply, *_ = await e.actions(second, found)
        edits = text_edits(await e.resolved(apply), second, 1)
        assert 'scores.filter(F.col("score") > 90)' in applied(cells[second], edits)
        # a line more in the first cell moves nothing in the second
        text = types.NotebookDocumentCellContentChanges(
            types.VersionedTextDocumentIdentifier(2, first), [_insertion(0, 0, "# 😀\n")]
        )
        change = types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(text_content=[text]))
        version = types.VersionedNotebookDocumentIdentifier(version=2, uri=notebook)
        e.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(version, change))
        seen = len(e.history)
        await e.until(lambda: len(e.history) > seen + 1)
        (again,) = await e.published(second, "HW101")
        assert again.range == found.range
        # the second cell goes, and with it its finding
        structure = types.NotebookDocumentCellChangeStructure(
            types.NotebookCellArrayChange(start=2, delete_count=1, cells=[]),
            did_close=[types.TextDocumentIdentifier(second)],
        )
        change = types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(structure=structure))
        version = types.VersionedNotebookDocumentIdentifier(version=3, uri=notebook)
        e.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(version, change))
        await e.published(first)
        await e.published(second)

    run(scenario, tmp_path, cache)
