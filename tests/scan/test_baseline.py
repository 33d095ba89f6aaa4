"""Issue 9: a check that fails on new findings only."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.engine.analysis.options import Options
from headwater.scan.baseline import BaselineEntry, BaselineError, new_only, read_baseline, write_baseline
from headwater.scan.result import FileResult, placed, scan_content
from tests.engine.pipelines import PEAKS


def test_what_is_written_is_known(results: list[FileResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "baseline.json"
    assert write_baseline(path, results) == 5
    known = read_baseline(path)
    compared = new_only(results, known)
    assert (compared.known, compared.gone) == (5, 0)
    assert not any(r["file"]["opportunities"] or r["shown"] or r["certificates"] for r in compared.results)
    assert [r["file"]["path"] for r in compared.results] == [r["file"]["path"] for r in results]
    assert new_only([], known).gone == 5
    assert new_only(results, []).results == results


def test_moved_is_known_and_copied_is_new(results: list[FileResult]) -> None:
    known = [BaselineEntry("peaks.py", "HW101", results[0]["file"]["opportunities"][0]["id"])]
    moved = scan_content("elsewhere.py", ("# line\n" * 3 + PEAKS).encode(), Options())
    assert new_only([moved], known).known == 1
    twice = new_only([moved, placed(moved, "copy.py")], known)
    assert [len(r["shown"]) for r in twice.results] == [0, 1]
    other = scan_content("peaks.py", PEAKS.replace("950_000", "9_000").encode(), Options())
    assert new_only([other], known).known == 0


def test_a_scan_of_a_part_keeps_the_rest(
    results: list[FileResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "sub" / "baseline.json"
    path.parent.mkdir()
    for name in ("peaks.py", "never.py"):
        (tmp_path / name).touch()
    write_baseline(path, results)
    before = read_baseline(path)
    assert {k.path for k in before} >= {"../peaks.py", "../never.py"}
    quiet = scan_content("peaks.py", b"", Options())
    write_baseline(path, [quiet], before)
    assert {k.path for k in read_baseline(path)} == {"../never.py"}  # the other files are gone


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"version": 2, "findings": []}', '{"version": 1, "findings": [1]}', "[" * 100_000, "\udc80"],
)
def test_no_baseline(tmp_path: Path, text: str) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BaselineError, match=r"b\.json is"):
        read_baseline(path)
    with pytest.raises(BaselineError, match="cannot be read"):
        read_baseline(tmp_path)
