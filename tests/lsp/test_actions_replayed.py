"""Each offered rewrite, applied as an editor applies it: nothing more is offered there, and Spark gives the same rows.

A sample of the specifications, each in a folder of its own with its schemas, and of the examples. ``make replay`` takes
a larger one.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.demo.pipelines import PIPELINES, Pipeline, build
from lsprotocol import types

from tests.mdtest.cases import Case
from tests.mdtest.replay import given, run_both
from tests.mdtest.tables import random_inputs
from tests.mdtest.test_mdtest import HIDDEN, REPLAYED
from tests.results import Failed
from tests.shares import share

from .editor import Editor, applied, text_edits

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CASES = share([c for c in REPLAYED if c not in HIDDEN][::14], 16)
EXAMPLES = share(PIPELINES[::2], 16)
REWRITES = {"HW101", "HW102", "HW103", "HW105", "HW201", "HW401", "HW402", "HW403", "HW404", "HW407"}


@dataclass(frozen=True)
class Applied:
    """A program, the title of an action that was offered in it, and the program after it."""

    name: str
    title: str
    before: str
    after: str


async def reported(e: Editor, uri: str) -> list[types.Diagnostic]:
    """What is proved of a document."""
    e.save(uri)
    await e.settled(uri)
    await e.until(lambda: uri in e.diagnostics)
    assert not any((d.data or {}).get("stale") for d in e.diagnostics[uri].diagnostics)
    return [d for d in e.diagnostics[uri].diagnostics if d.code in REWRITES]


def said(d: types.Diagnostic) -> str:
    """What a finding moves, and before what: beside a filter that can be read now, an exact move may become a split."""
    without_time = d.message.split(" (")[0]
    return without_time.split("`: ")[0]


async def apply_all(e: Editor, name: str, text: str) -> list[Applied]:
    """Apply every action of every finding, one at a time; each must leave nothing more to do where it was."""
    uri = e.open(f"{name}/job.py", text)
    found = await reported(e, uri)
    done: list[Applied] = []
    for d in found:
        for action in await e.actions(uri, d):
            assert action.diagnostics, action.title
            after = applied(text, text_edits(await e.resolved(action), uri, 1))
            compile(after, action.title, "exec")
            other = e.open(f"{name}/after{len(done)}_{found.index(d)}.py", after)
            left = Counter(map(said, await reported(e, other)))
            more = left - Counter(map(said, found))
            assert not more, f"{action.title} makes new work: {more}\n{after}"
            assert left[said(d)] < Counter(map(said, found))[said(d)], f"{action.title} is offered again\n{after}"
            if " ignore " not in action.title:
                done.append(Applied(name, action.title, text, after))
    return done


async def in_folders(root: Path, programs: dict[str, tuple[str, dict[str, str]]]) -> list[Applied]:
    """All programs in one editor; each by its name with its text and its schemas."""
    e = Editor(root, root / "cache")
    await e.start()
    folders = []
    for name, (_, schemas) in programs.items():
        (root / name).mkdir()
        lines = "".join(f"{json.dumps(k)} = {json.dumps(v)}\n" for k, v in schemas.items())
        (root / name / "pyproject.toml").write_text(f"[tool.headwater.schemas]\n{lines}", encoding="utf-8")
        folders.append(types.WorkspaceFolder((root / name).as_uri(), name))
    event = types.WorkspaceFoldersChangeEvent(folders, [])
    e.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    found: list[Applied] = []
    for name, (text, _) in programs.items():
        mine = await apply_all(e, name, text)
        assert mine, f"nothing is offered in {name}: {e.diagnostics}"
        found += mine
    await e.stop()
    return found


@pytest.fixture(scope="module")
def actions(tmp_path_factory: pytest.TempPathFactory) -> list[Applied]:
    programs = {f"case{i}": (c.source, dict(c.schemas)) for i, c in enumerate(CASES)}
    programs |= {p.name: (p.path.read_text(encoding="utf-8"), dict[str, str]()) for p in EXAMPLES}
    return asyncio.run(in_folders(tmp_path_factory.mktemp("folders"), programs))


@pytest.mark.spark
def test_nothing_more_is_offered_where_an_action_was_applied(actions: list[Applied]) -> None:
    assert len({a.name for a in actions}) == len(CASES) + len(EXAMPLES)
    assert any("only add the pre-filter" in a.title for a in actions)


@pytest.mark.spark
@pytest.mark.parametrize("number", range(len(CASES)), ids=[c.name for c in CASES])
def test_specifications_give_the_same_rows(number: int, actions: list[Applied], spark: SparkSession) -> None:
    case: Case = CASES[number]
    inputs = [given(case), *random_inputs(case, 1)]
    for action in (a for a in actions if a.name == f"case{number}"):
        for tables, (old, new) in zip(
            inputs, run_both(spark, case, (action.before, action.after), inputs), strict=True
        ):
            assert tables is not inputs[0] or not isinstance(old, Failed), old
            assert isinstance(old, Failed) or old == new, f"{action.title} on {tables}\n{action.after}"


@pytest.mark.spark
@pytest.mark.parametrize("pipeline", EXAMPLES, ids=lambda p: p.name)
def test_examples_give_the_same_rows(
    pipeline: Pipeline, actions: list[Applied], spark: SparkSession, tmp_path: Path
) -> None:
    from benchmarks.demo.data import generate
    from benchmarks.demo.measure import same_rows

    generate(pipeline.dataset, tmp_path, 2000)
    before = build(pipeline.path, spark, tmp_path)
    for i, action in enumerate(a for a in actions if a.name == pipeline.name):
        path = tmp_path / f"after{i}.py"
        path.write_text(action.after, encoding="utf-8")
        assert same_rows(before, build(path, spark, tmp_path)), action.title
