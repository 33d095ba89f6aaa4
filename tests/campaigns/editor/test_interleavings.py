"""Random edits, saves and requests, interleaved: nothing stale is shown as current, nothing is lost, nothing breaks."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.editor import Editor
from tests.lsp.programs import BEST

from .interleavings import edited, judge, whole

STEPS = 60


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")
def test_random_interleavings(tmp_path: Path) -> None:
    done = asyncio.run(whole(tmp_path, STEPS, STEPS, 0.02))
    assert done["edits"] > STEPS / 3
    assert done["hovers answered"]


def test_the_judge_notices_what_is_shown_of_another_text(tmp_path: Path) -> None:
    e = Editor(tmp_path, tmp_path)
    text = BEST.format(90)
    e.texts["u", 1], e.texts["u", 2] = text, "# moved\n" + text
    at = types.Range(types.Position(5, 12), types.Position(5, 38))
    shown = types.Diagnostic(at, "", code="HW101", data={"version": 1, "stale": False})
    e.history = [types.PublishDiagnosticsParams("u", [shown], 1)]
    assert judge(e)["diagnostics current"] == 1
    shown.data["version"] = 2
    e.history = [types.PublishDiagnosticsParams("u", [shown], 2)]
    with pytest.raises(AssertionError):
        judge(e)
    shown.data["stale"] = True
    assert judge(e)["diagnostics marked stale"] == 1
    e.history.append(types.PublishDiagnosticsParams("u", [], 1))
    with pytest.raises(AssertionError, match="an older version"):
        judge(e)


def test_edits_are_what_an_editor_makes_of_them() -> None:
    from headwater.engine.documents.text_document import TextDocument
    from headwater.lsp.documents import changes_of

    chance = random.Random(sys.maxsize)
    text = BEST.format(90)
    for version in range(300):
        new, change = edited(chance, text)
        assert TextDocument("u", version, text).changed(changes_of([change]), version + 1)[0].text == new
        text = new
