"""A project of twelve files: what is found in each, from the command line and in an editor, and what an edit of one
changes in the others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from headwater.engine.analysis.options import Options
from headwater.scan.limits import Limits
from headwater.scan.local import scan_files
from headwater.scan.store import Store
from tests.lsp.editor import Editor, run
from tests.shares import share

SOURCE = Path(__file__).parent / "workspace"
FOUND = {
    "jobs/daily.py": ["price > 100 AND NOT isnan(price)", "price > 900 AND NOT isnan(price)"],
    "jobs/weekly.py": ["tier IN ('gold', 'silver')", "price < 3"],
    "jobs/report.py": ["", "price < 10"],
    "notebooks/explore.py": ["days > 10"],
}
IMPORTS = {
    "jobs/daily.py": ["shared/groups.py", "shared/limits.py", "shared/rules.py"],
    "jobs/weekly.py": ["shared/limits.py", "shared/rules.py", "src/lib_udfs.py"],
    "jobs/report.py": ["shared/frames.py", "shared/tables.py"],
    "notebooks/explore.py": ["common.py"],
}
EDITS = {
    "shared/limits.py": (
        "100", "250", {"jobs/daily.py": ["price > 250 AND NOT isnan(price)", FOUND["jobs/daily.py"][1]]},
    ),
    "shared/rules.py": ("price > LARGE", "price in LARGE", {"jobs/daily.py": [FOUND["jobs/daily.py"][1]]}),
    "src/lib_udfs.py": ("LOW = 3", "LOW = 4", {"jobs/weekly.py": [FOUND["jobs/weekly.py"][0], "price < 4"]}),
    "shared/tables.py": ("row.price < self", "row.price > self", {"jobs/report.py": [""]}),
    "shared/frames.py": ('"id", "team", "price"', '"price"', {"jobs/report.py": ["price < 10"]}),
    "notebooks/common.py": ("LIMIT = 10", "LIMIT = 20", {"notebooks/explore.py": ["days > 20"]}),
}  # fmt: skip


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOURCE, tmp_path / "workspace"))


def scanned(workspace: Path, cache: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What is found in each file, as the SQL text of its pre-filter, and what the file imports."""
    paths = sorted(workspace.rglob("*.py"))
    found: dict[str, list[str]] = {}
    imports: dict[str, list[str]] = {}
    for index, result in scan_files(paths, Options(timeout_seconds=30), Store(cache), 2, Limits(120)):
        assert result["problem"] is None
        name = paths[index].relative_to(workspace).as_posix()
        if result["file"]["opportunities"]:
            found[name] = [(o["prefilter"] or {}).get("sql") or "" for o in result["file"]["opportunities"]]
        if result["file"]["imports"]:
            imports[name] = result["file"]["imports"]
    return found, imports


def test_a_scan(workspace: Path, tmp_path: Path) -> None:
    assert len([*workspace.rglob("*.py")]) >= 12
    assert scanned(workspace, tmp_path / "cache") == (FOUND, IMPORTS)


def test_an_edit_of_one_file_is_seen_in_those_that_import_it(workspace: Path, tmp_path: Path) -> None:
    """Though the results of the scan before are still known."""
    scanned(workspace, tmp_path / "cache")
    for name, (old, new, changed) in share(EDITS.items(), 3):
        path = workspace / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        assert scanned(workspace, tmp_path / "cache")[0] == {**FOUND, **changed}, name
        path.write_text(text, encoding="utf-8")
    assert scanned(workspace, tmp_path / "cache")[0] == FOUND


def test_in_an_editor(workspace: Path, tmp_path: Path) -> None:
    """As much is found as by a scan, and an edit that nobody has saved changes it."""
    rules = (workspace / "shared/rules.py").read_text(encoding="utf-8")

    async def scenario(e: Editor) -> None:
        daily = e.open("jobs/daily.py", (workspace / "jobs/daily.py").read_text(encoding="utf-8"))
        weekly = e.open("jobs/weekly.py", (workspace / "jobs/weekly.py").read_text(encoding="utf-8"))
        shared = e.open("shared/rules.py", rules)
        for uri in (daily, weekly):
            e.save(uri)
        await e.published(daily, "HW101", "HW101")
        await e.published(weekly, "HW101", "HW105")
        e.change(shared, rules.replace("price > LARGE", "price in LARGE").replace("tier in TIERS", "tier is TIERS"))
        await e.published(daily, "HW101")
        await e.published(weekly, "HW101")
        e.change(shared, rules)
        await e.published(daily, "HW101", "HW101")
        await e.published(weekly, "HW101", "HW105")

    run(scenario, workspace, tmp_path / "cache")
