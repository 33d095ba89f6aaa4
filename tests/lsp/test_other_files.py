"""An edit of one file changes what is found in another that imports from it."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from .editor import Editor, applied, run, text_edits
from .programs import HEAD

JOB = (
    HEAD.replace("\nspark", "from rules import best\n\nspark")
    + """scores = spark.read.schema("team string, score bigint").parquet("scores")
made = scores.groupBy("team").applyInPandas(best, "team string, best bigint")
good = made.filter("best > 90")
"""
)
RULES = """import pandas as pd


def best(g):
    return pd.DataFrame({"team": [g.team.iloc[0]], "best": [g.score.max()]})
"""
OTHER = RULES.replace("score.max()", "score.nunique()")


def _changed_on_disk(e: Editor, name: str, kind: types.FileChangeType) -> None:
    event = types.FileEvent((e.root / name).as_uri(), kind)
    e.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


def test_edits_of_the_other_file(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(RULES, encoding="utf-8")

    async def scenario(e: Editor) -> None:
        job = e.open("job.py", JOB)
        e.save(job)
        (found,) = await e.published(job, "HW101")
        assert found.range.start.line == 6
        (action, *_) = await e.actions(job, found)
        fixed = applied(JOB, text_edits(await e.resolved(action), job, 1))
        assert fixed == JOB.replace('scores.groupBy("team")', 'scores.filter("score > 90").groupBy("team")').replace(
            '.filter("best > 90")', ""
        ), "the import is still there"
        rules = e.open("rules.py", RULES)
        e.change(rules, OTHER)
        await e.published(job)
        e.change(rules, RULES)
        await e.published(job, "HW101")
        (tmp_path / "rules.py").write_text(OTHER, encoding="utf-8")
        e.save(rules)
        e.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(rules)))
        _changed_on_disk(e, "rules.py", types.FileChangeType.Changed)
        await e.published(job)
        (tmp_path / "rules.py").write_text(RULES, encoding="utf-8")
        _changed_on_disk(e, "rules.py", types.FileChangeType.Changed)
        await e.published(job, "HW101")

    run(scenario, tmp_path, tmp_path / "cache")


def test_a_text_that_is_never_stored(tmp_path: Path) -> None:
    """An editor may open what it has kept of an earlier session, and throw it away."""
    (tmp_path / "rules.py").write_text(RULES, encoding="utf-8")

    async def scenario(e: Editor) -> None:
        job = e.open("job.py", JOB)
        e.save(job)
        await e.published(job, "HW101")
        rules = e.open("rules.py", OTHER)
        await e.published(job)
        e.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(rules)))
        await e.published(job, "HW101")

    run(scenario, tmp_path, tmp_path / "cache")


def test_files_that_come_and_go(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        job = e.open("job.py", JOB)
        e.save(job)
        await e.settled(job)
        await e.published(job)
        (tmp_path / "rules.py").write_text(RULES, encoding="utf-8")
        _changed_on_disk(e, "rules.py", types.FileChangeType.Created)
        await e.published(job, "HW190")
        (tmp_path / "rules.py").unlink()
        _changed_on_disk(e, "rules.py", types.FileChangeType.Deleted)
        await e.published(job)

    run(scenario, tmp_path, tmp_path / "cache")


def test_the_other_files_are_watched(tmp_path: Path) -> None:
    async def scenario(e: Editor) -> None:
        await e.settled(e.open("job.py", JOB))
        (registration,) = await e.until(lambda: e.registered)
        options = registration.register_options
        assert any(w["globPattern"] == "**/*.py" for w in _watchers(options))

    run(scenario, tmp_path, tmp_path / "cache")


def _watchers(options: object) -> list[dict[str, str]]:
    watchers = options["watchers"] if isinstance(options, dict) else getattr(options, "watchers")  # noqa: B009
    return [w if isinstance(w, dict) else {"globPattern": w.glob_pattern} for w in watchers]
