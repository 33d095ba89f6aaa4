"""What rests on assumptions is offered apart from what is verified: never preferred, never by "fix all", confirmed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.engine.pipelines import FIXED_PEAKS, KEYS_ARE_THERE, PEAKS, VERIFIED_AND_ASSUMED

from .editor import FULL, Editor, applied, run, text_edits

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the processes of the tests are POSIX ones")
TEXT = VERIFIED_AND_ASSUMED
"""Of two findings, the second rests on an assumption."""
CONFIRMING = types.ClientCapabilities(
    text_document=FULL.text_document,
    workspace=types.WorkspaceClientCapabilities(
        configuration=True,
        workspace_edit=types.WorkspaceEditClientCapabilities(
            document_changes=True, change_annotation_support=types.ChangeAnnotationsSupportOptions()
        ),
    ),
)
"""An editor that asks before it applies what needs confirmation."""


async def _findings(e: Editor) -> tuple[str, list[types.Diagnostic]]:
    uri = e.open("both.py", TEXT)
    e.save(uri)
    return uri, await e.published(uri, "HW101", "HW101")


def test_only_the_verified_fix_is_preferred_and_the_title_of_the_other_names_its_assumption(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        uri, (verified, assumed) = await _findings(e)
        assert "proved for every input" in verified.message
        assert f"proved if {KEYS_ARE_THERE}" in assumed.message
        first, smaller, _ = await e.actions(uri, verified)
        assert (first.is_preferred, "assuming" in first.title, "assuming" in smaller.title) == (True, False, False)
        second, smaller, _ = await e.actions(uri, assumed)
        assert not second.is_preferred
        assert second.title.endswith(f", assuming {KEYS_ARE_THERE}")
        assert smaller.title.endswith(f", assuming {KEYS_ARE_THERE}")
        edit = (await e.resolved(second)).edit
        assert edit is not None
        assert edit.change_annotations is None, "this client cannot ask for a confirmation"
        hover = await e.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), assumed.range.start)
        )
        assert hover is not None
        assert "**Assumed** (proved for the inputs of which the assumptions are true)" in str(hover.contents)
        assert "**Assuming**" in str(hover.contents)

    run(scenario, tmp_path, tmp_path / "cache")


def test_an_edit_that_rests_on_an_assumption_needs_confirmation(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        uri, (verified, assumed) = await _findings(e)
        plain = (await e.resolved((await e.actions(uri, verified))[0])).edit
        assert plain is not None
        assert plain.change_annotations is None
        for action in (await e.actions(uri, assumed))[:2]:
            _is_asked_about((await e.resolved(action)).edit)
        answer: Any = await e.client.protocol.send_request_async(
            "headwater/fix", {"uri": uri, "id": assumed.data["id"]}
        )
        assert answer.assumptions == [KEYS_ARE_THERE]
        assert "needsConfirmation" in str(answer.edit)

    run(scenario, tmp_path, tmp_path / "cache", CONFIRMING)


def _is_asked_about(edit: types.WorkspaceEdit | None) -> None:
    assert edit is not None
    assert edit.change_annotations is not None
    ((id, annotation),) = edit.change_annotations.items()
    assert annotation.needs_confirmation
    assert annotation.description == KEYS_ARE_THERE
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        assert all(isinstance(e, types.AnnotatedTextEdit) and e.annotation_id == id for e in change.edits)


def test_fix_all_applies_what_is_verified(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        uri, (verified, _) = await _findings(e)
        (everything,) = await e.actions(uri, verified, [types.CodeActionKind.SourceFixAll])
        after = applied(TEXT, text_edits(await e.resolved(everything), uri, 1))
        assert after == TEXT.replace(PEAKS, FIXED_PEAKS)
        e.change(uri, after)
        e.save(uri)
        (assumed,) = await e.published(uri, "HW101")
        assert await e.actions(uri, assumed, [types.CodeActionKind.SourceFixAll]) == []

    run(scenario, tmp_path, tmp_path / "cache")
