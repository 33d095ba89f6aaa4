"""Comments that hide nothing, as an editor sees them: faded, removable, and never told of too early."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from .editor import Editor, applied, run, text_edits
from .programs import BEST


def test_a_comment_that_hides_nothing(tmp_path: Path) -> None:
    text = BEST.format(90).replace("90)\n", "90)  # headwater: ignore[HW101, HW102]\nx = 1  # headwater: ignore\n")

    async def scenario(e: Editor) -> None:
        uri = e.open("job.py", text)
        (other,) = await e.published(uri, "HW902")
        assert other.range.start.line == 6, "of the filter nothing is proved yet"
        assert other.tags == (types.DiagnosticTag.Unnecessary,)
        assert other.severity == types.DiagnosticSeverity.Hint
        assert other.code_description is not None
        assert other.code_description.href.endswith("/HW902.md")
        e.save(uri)
        one, other = await e.published(uri, "HW902", "HW902")
        assert "`HW102`" in one.message
        line = text.splitlines()[5]
        assert line[one.range.start.character : one.range.end.character] == "HW101, HW102"
        (change,) = await e.actions(uri, one)
        assert (change.title, change.kind) == ("Headwater: remove HW102 from the comment", "quickfix")
        assert [d.message for d in change.diagnostics or ()] == [one.message]
        fixed = applied(text, text_edits(await e.resolved(change), uri, 1))
        assert fixed == text.replace("HW101, HW102", "HW101")
        # an edit elsewhere keeps it, as stale, with nothing offered
        insertion = types.TextDocumentContentChangePartial(
            types.Range(types.Position(0, 0), types.Position(0, 0)), "# note\n"
        )
        e.edit(uri, "# note\n" + text, [insertion])
        stale = await e.until(lambda: next((p for p in e.history if p.version == 2), None))
        assert [(d.range.start.line, d.data["stale"]) for d in stale.diagnostics] == [(6, True), (7, True)]
        _, other = await e.published(uri, "HW902", "HW902")
        assert (await e.resolved(change)).disabled is not None
        (remove,) = await e.actions(uri, other)
        again = applied("# note\n" + text, text_edits(await e.resolved(remove), uri, 2))
        assert again.endswith("x = 1\n")
        e.change(uri, again.replace("HW101, HW102", "HW101"))
        e.save(uri)
        await e.published(uri)

    run(scenario, tmp_path, tmp_path / "cache")


def test_hints_can_be_switched_off(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        uri = e.open("job.py", "x = 1  # headwater: ignore\n")
        await e.idle()
        await e.published(uri)

    run(scenario, tmp_path, tmp_path / "cache", severity={"HW902": "off"})
