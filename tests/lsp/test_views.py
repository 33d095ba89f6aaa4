"""What the views of an editor ask for: proofs in parts, edits by the name of a finding, scans of single files."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import attrs
import pytest
from lsprotocol import types

from headwater.engine.analysis.options import Options
from headwater.engine.files.service import analyse_text
from headwater.engine.files.settings import Settings
from headwater.lsp.configuration import Configuration
from headwater.lsp.proof_content import CONDITIONS

from .editor import FULL, Editor, applied, run
from .programs import BEST, NOTHING, TWO

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the processes of the tests are POSIX ones")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


async def _ask(e: Editor, method: str, params: dict[str, Any]) -> Any:
    """A request that is in no protocol; its answer as plain JSON."""
    return _plain(await e.client.protocol.send_request_async(f"headwater/{method}", params))


def _plain(value: Any) -> Any:
    """pygls makes named tuples of objects."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def test_a_proof_in_parts(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        text = BEST.format(90)
        uri = e.open("job.py", text)
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        answer = await _ask(e, "proof", {"uri": uri, "id": found.data["id"]})
        c = answer["content"]
        assert (c["code"], c["status"], c["stale"], c["applicable"]) == ("HW101", "verified", False, True)
        assert [(n["role"], n["text"], n["change"]) for n in c["pipeline"]] == [
            ("source", "scores", None),
            ("prefilter", 'F.col("score") > 90', "new"),
            ("boundary", "agg", None),
            ("filter", 'filter(F.col("best") > 90)', "gone"),
        ]
        for node in c["pipeline"]:
            assert node["location"]["uri"] == uri
            assert node["location"]["range"]["start"]["line"] == (5 if node["role"] == "filter" else 4)
        assert c["residual"] is None
        assert c["invariant"]["words"]
        assert c["invariant"]["formulas"]
        proved = {x["name"]: x for x in c["conditions"]}
        assert proved.keys() >= {"Init", "Sync", "Stutter", "Final"}
        assert all(x["status"] == "proved" and x["says"] == CONDITIONS[x["name"]] for x in c["conditions"])
        (hunk,) = c["diff"]
        before = [row for sign, row in hunk["rows"] if sign != "+"]
        first = int(hunk["line"]) - 1
        assert before == text.split("\n")[first : first + len(before)]
        assert next(row for sign, row in hunk["rows"] if sign == "+").startswith("best = scores.filter(")

    run(scenario, tmp_path, cache)


def test_a_proof_of_a_finding_that_was_edited_away_or_is_stale(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        text = BEST.format(90)
        uri = e.open("job.py", text)
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        asked = {"uri": uri, "id": found.data["id"]}
        e.change(uri, "# first\n" + text)  # asked in the middle of the check: the answer is of the new text
        moved = await _ask(e, "proof", asked)
        assert moved["content"]["stale"] is False
        assert moved["content"]["pipeline"][0]["location"]["range"]["start"]["line"] == 5
        end = text.count("\n") + 1
        await e.published(uri, "HW101")
        broken = types.TextDocumentContentChangePartial(
            types.Range(types.Position(end, 0), types.Position(end, 0)), "("
        )
        e.edit(uri, f"# first\n{text}(", [broken])
        stale = await _ask(e, "proof", asked)
        assert (stale["content"]["stale"], stale["content"]["diff"]) == (True, [])
        assert (await _ask(e, "fix", asked))["edit"] is None
        e.change(uri, NOTHING)
        assert await _ask(e, "proof", asked) is None
        assert (await _ask(e, "fix", asked))["edit"] is None

    run(scenario, tmp_path, cache)


def test_a_finding_that_is_not_proved_yet_is_proved_for_its_proof(tmp_path: Path, cache: Path) -> None:
    async def asked(e: Editor) -> None:
        uri = e.open("third.py", BEST.format(94))
        await e.published(uri, "HW190")
        id = _identity(94)
        assert await _ask(e, "proof", {"uri": uri, "id": id}) is None, "nothing is proved for a view that only follows"
        answer = await _ask(e, "proof", {"uri": uri, "id": id, "prove": True})
        assert (answer["content"]["code"], answer["content"]["status"]) == ("HW101", "verified")
        other = e.open("fourth.py", BEST.format(93))
        (maybe,) = await e.published(other, "HW190")
        e.save(other)
        under_its_old_name = await _ask(e, "proof", {"uri": other, "id": maybe.data["id"]})
        assert under_its_old_name["content"]["id"] == _identity(93) != maybe.data["id"]
        edit = (await _ask(e, "fix", {"uri": other, "id": _identity(93)}))["edit"]
        assert "scores.filter(" in _applied(BEST.format(93), edit, other)

    run(asked, tmp_path, cache)


def _identity(bound: int) -> str:
    """The name of the finding once it is proved."""
    (o,) = analyse_text(BEST.format(bound), Options(timeout_seconds=30)).opportunities
    return o.id


def test_fixing_by_name_and_whole_files(tmp_path: Path, cache: Path) -> None:
    async def scenario(e: Editor) -> None:
        text = TWO.format(90, 10)
        uri = e.open("job.py", text)
        e.save(uri)
        first, _ = await e.published(uri, "HW101", "HW101")
        one = await _ask(e, "fix", {"uri": uri, "id": first.data["id"]})
        fixed = _applied(text, one["edit"], uri)
        assert fixed.count("scores.filter(") == 1
        both = _applied(text, (await _ask(e, "fix", {"uri": uri}))["edit"], uri)
        assert both.count("scores.filter(") == 2
        e.change(uri, both)
        nothing = await _ask(e, "fix", {"uri": uri})
        assert (nothing["edit"], nothing["why"]) == (None, "there is nothing to apply")
        absent = await _ask(e, "fix", {"uri": uri + "x"})
        assert absent == {"edit": None, "why": "the document is not open", "assumptions": []}

    run(scenario, tmp_path, cache)


def _applied(text: str, edit: dict[str, Any], uri: str) -> str:
    (change,) = edit["documentChanges"]
    assert change["textDocument"]["uri"] == uri
    edits = [
        types.TextEdit(
            types.Range(
                *(types.Position(x["range"][end]["line"], x["range"][end]["character"]) for end in ("start", "end"))
            ),
            x["newText"],
        )
        for x in change["edits"]
    ]
    return applied(text, edits)


def test_the_hover_links_to_the_proof_where_the_client_says_that_it_can(tmp_path: Path, cache: Path) -> None:
    async def hover(e: Editor) -> tuple[str, types.Diagnostic, str]:
        uri = e.open("job.py", BEST.format(90))
        e.save(uri)
        (found,) = await e.published(uri, "HW101")
        asked = types.HoverParams(types.TextDocumentIdentifier(uri), found.range.start)
        answer = await e.client.text_document_hover_async(asked)
        assert answer is not None
        assert isinstance(answer.contents, types.MarkupContent)
        return uri, found, answer.contents.value

    async def able(e: Editor) -> None:
        uri, found, text = await hover(e)
        _, _, rest = text.partition("(command:headwater.showProof?")
        assert json.loads(unquote(rest[: rest.index(")")])) == [uri, found.data["id"]]

    async def unable(e: Editor) -> None:
        assert "command:" not in (await hover(e))[2]

    async def whole() -> None:
        e = Editor(tmp_path, cache)
        await e.start(FULL, {"showProof": True})
        try:
            await able(e)
        finally:
            await e.stop()

    asyncio.run(whole())
    run(unable, tmp_path, cache)


@pytest.mark.parametrize("able", [True, False])
def test_code_lenses_are_asked_for_again_when_they_are_others(tmp_path: Path, cache: Path, able: bool) -> None:
    asked: list[None] = []
    workspace = attrs.evolve(
        FULL.workspace or types.WorkspaceClientCapabilities(),
        code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=able),
    )

    async def whole() -> None:
        e = Editor(tmp_path, cache, {"codeLens": True})
        e.client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda params: asked.append(params))
        await e.start(attrs.evolve(FULL, workspace=workspace))
        try:
            uri = e.open("job.py", BEST.format(96 + able))  # no proof of it is known
            await e.published(uri, "HW190")
            before = len(asked)
            e.save(uri)
            await e.published(uri, "HW101")
            await e.idle()
            assert (len(asked) > before) is able
        finally:
            await e.stop()

    asyncio.run(whole())


def test_a_second_scan_of_some_files(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "job.py").write_text(BEST.format(90))
    (tmp_path / "other.py").write_text(BEST.format(91))
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "lib.py").write_text(BEST.format(92))

    async def scan(e: Editor, **asked: Any) -> tuple[Any, list[Any]]:
        e.progress.clear()
        answer = await _ask(e, "scanWorkspace", {"partialResultToken": "part", **asked})
        parts = [_plain(p.value) for p in e.progress]
        return answer, parts

    async def scenario(e: Editor) -> None:
        for _ in range(2):  # the second one remembers
            answer, parts = await scan(e)
            assert answer == {"files": 2, "spark_files": 2, "filters": 2, "opportunities": 2, "errors": 0}
        assert [(len(p["shown"]), p["severities"]) for p in parts] == [(1, [3])] * 2
        assert all(p["shown"][0]["message"].startswith("`score > 9") for p in parts)
        page = (await _ask(e, "report", {"format": "html"}))["text"]
        assert page.startswith("<!")
        assert "job.py" in page
        assert str(tmp_path) not in page
        listed = json.loads((await _ask(e, "report", {"format": "json"}))["text"])
        assert [f["path"] for f in listed["files"]] == ["job.py", "other.py"]
        assert await _ask(e, "report", {"format": "xml"}) is None
        (tmp_path / "job.py").write_text(NOTHING)
        uris = [(tmp_path / name).as_uri() for name in ("job.py", ".venv/lib.py", "notes.txt")]
        answer, parts = await scan(e, files=[*uris, Path("/elsewhere/x.py").as_uri()])
        assert answer == {"files": 1, "spark_files": 1, "filters": 1, "opportunities": 0, "errors": 0}
        assert [(p["uri"], p["opportunities"]) for p in parts] == [(uris[0], [])], "nothing is an answer too"
        uri = e.open("other.py", BEST.format(91))
        await e.published(uri, "HW101")
        assert not any(s.state == "proving" for s in e.status), "what a scan proved is known"

    run(scenario, tmp_path, cache, workers=0)


def test_settings_as_an_editor_sends_them_are_understood(tmp_path: Path, cache: Path) -> None:
    """Every setting of the manifest at its default value: none is a mistake, none hides a file."""
    properties = json.loads((Path(__file__).parents[2] / "package.json").read_text())["contributes"]["configuration"]
    defaults = {name.removeprefix("headwater."): p["default"] for name, p in properties["properties"].items()}
    (tmp_path / "job.py").write_text(BEST.format(90))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "job.py").write_text(BEST.format(90))

    async def scenario(e: Editor) -> None:
        assert (await _ask(e, "scanWorkspace", {}))["files"] == 2
        assert e.messages == []

    run(scenario, tmp_path, cache, **defaults)


@pytest.mark.parametrize(
    ("theirs", "own", "shown"),
    [(None, "", False), (False, "", False), (True, "", True), (False, "true", True), (True, "false", False)],
)
def test_the_workspace_and_then_the_user_say_whether_all_is_shown(
    tmp_path: Path, theirs: bool | None, own: str, shown: bool
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.headwater]\n{'showAll = ' if own else ''}{own}\n")
    configuration = Configuration()
    configuration.take(tmp_path.as_uri(), {"showAll": theirs})
    assert configuration.problems == []
    assert configuration.of(tmp_path.as_uri()).options.show_all is shown


@pytest.mark.parametrize(
    ("path", "wanted"),
    [("job.py", True), ("a/b/job.py", True), (".venv/x.py", False), ("a/.venv/b/x.py", False), ("job.txt", False)],
)
def test_patterns_as_editors_write_them(tmp_path: Path, path: str, wanted: bool) -> None:
    settings = Settings(root=tmp_path.resolve(), include=("**/*.py",), exclude=("**/.venv/**",))
    assert settings.wants(tmp_path / path) is wanted
