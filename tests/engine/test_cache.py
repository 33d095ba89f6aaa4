"""The cache gives back what was stored, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.files import cache as cache_module
from headwater.engine.files.cache import Cache, default_directory, write_atomically
from headwater.engine.files.service import analyse_file
from headwater.engine.report.report import Report, Skipped
from headwater_ir.span import Span

from .pipelines import PEAKS


def entries(directory: Path) -> list[Path]:
    return [p for p in directory.rglob("*") if p.is_file()]


def test_round_trip_of_a_whole_report(tmp_path: Path) -> None:
    cache, options = Cache(tmp_path), Options()
    report = analyse(PEAKS)
    assert report.opportunities
    cache.store(PEAKS, options, report)
    assert cache.load(PEAKS, options) == report
    assert cache.load(PEAKS + "\n", options) is None
    assert cache.load(PEAKS, replace(options, timeout_seconds=3)) is None
    assert cache.load(PEAKS, replace(options, schemas={"payments": "amount int"})) is None


@pytest.mark.parametrize("content", [b"", b"{", b"null", b'{"$": "Report"}', b"\xff\xfe", b"[" * 100_000])
def test_corrupt_entries_are_dropped(tmp_path: Path, content: bytes) -> None:
    cache = Cache(tmp_path)
    cache.store("x", Options(), Report())
    (entry,) = entries(tmp_path)
    entry.write_bytes(content)
    assert cache.load("x", Options()) is None
    assert entries(tmp_path) == []
    cache.store("x", Options(), Report())
    assert cache.load("x", Options()) == Report()


def test_an_entry_that_still_decodes_after_damage_is_dropped(tmp_path: Path) -> None:
    """A pre-filter with another constant would otherwise come back as proved."""
    cache, options, report = Cache(tmp_path), Options(), analyse(PEAKS)
    cache.store(PEAKS, options, report)
    (entry,) = entries(tmp_path)
    shown = report.opportunities[0].prefilter_text
    damaged = shown.replace(">=", "<=")
    text = entry.read_text("ascii")
    assert shown != damaged
    assert ">= " in text
    entry.write_text(text.replace(">= ", "<= "), "ascii")
    assert cache.load(PEAKS, options) is None
    assert not entry.exists()


def test_time_outs_are_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store("x", Options(), Report(skipped=(Skipped(Span(0, 1), "time-out", "slow"),)))
    assert entries(tmp_path) == []


def test_an_unusable_directory_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    cache = Cache(blocked)
    cache.store("x", Options(), Report())
    assert cache.load("x", Options()) is None


def test_another_build_of_the_tool_is_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    cache.store("x", Options(), Report())
    monkeypatch.setattr(cache_module, "fingerprint", lambda: "other")
    assert cache.load("x", Options()) is None


def test_second_analysis_comes_from_the_cache(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(PEAKS)
    first = analyse_file(path, Options(), Cache(tmp_path / "cache"))
    second = analyse_file(path, Options(), Cache(tmp_path / "cache"))
    assert (first.cached, second.cached) == (False, True)
    assert first.report == second.report


def test_environment_names_the_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEADWATER_CACHE_DIR", str(tmp_path))
    assert default_directory() == tmp_path
    monkeypatch.delenv("HEADWATER_CACHE_DIR")
    assert default_directory().name == "headwater"


def test_a_failed_write_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    def refuse(self: Path, target: Path) -> Path:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_text() == "old"
    assert entries(tmp_path) == [path]
