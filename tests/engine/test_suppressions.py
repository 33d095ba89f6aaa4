"""Comments that hide nothing are said to, where that is settled; taking them away changes no finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options
from headwater.engine.documents.on_demand import check, prove
from headwater.engine.files.service import analyse_text
from headwater.engine.report.report import Report
from headwater.rewrite.edit import apply_edits
from headwater.syntax.source.suppress import read_suppressions
from headwater_ir.verdict import Unknown
from tests.lsp.programs import BEST, HEAD, NOTHING

GOOD = BEST.format(90).rstrip("\n")
NONE = NOTHING.rstrip("\n")


def without(text: str, report: Report) -> str:
    return apply_edits(text, [u.edit for u in report.unused])


@pytest.mark.parametrize(
    ("text", "shown", "after"),
    [
        (GOOD + "  # headwater: ignore", [], None),
        (GOOD + "  # headwater: ignore[HW101]", [], None),
        (GOOD + "  # headwater: ignore[HW190]", [], None),  # it hides what is shown between an edit and its proof
        (GOOD + "  # headwater: ignore[HW102]", ["ignore[HW102]"], GOOD),
        (GOOD + "  # headwater: ignore[HW101, hw102]", ["`HW102`"], GOOD + "  # headwater: ignore[HW101]"),
        (GOOD + "  # headwater: ignore[]", ["ignore"], GOOD),
        (GOOD + "  # headwater: ignore[HW901]", ["ignore[HW901]"], GOOD),
        (GOOD + "  # headwater: ignore[HW102]  # noqa: E501", ["ignore[HW102]"], GOOD + "  # noqa: E501"),
        (GOOD + "  # noqa: E501  # headwater: ignore[HW102]", ["ignore[HW102]"], GOOD + "  # noqa: E501"),
        (GOOD + "  # headwater: ignore[HW102] as agreed", ["ignore[HW102]"], GOOD + "  # as agreed"),
        (NONE + "  # headwater: ignore", ["ignore"], NONE),
        (NONE + "  # headwater: ignore[HW901]", [], None),  # somebody may have switched it on
        (HEAD + "x = 1  # headwater: ignore", ["ignore"], HEAD + "x = 1"),
        ("x = 1  # headwater: ignore\n", ["ignore"], "x = 1\n"),
        (GOOD + "\nx = '# headwater: ignore'", [], None),
        (GOOD + "\nx = '# headwater: ignore'  # headwater: ignore", ["ignore"], GOOD + "\nx = '# headwater: ignore'"),
        (GOOD + "\n# headwater: ignore-file", [], None),
    ],
)
def test_what_hides_nothing(text: str, shown: list[str], after: str | None) -> None:
    report = analyse_text(text, Options())
    assert len(report.unused) == len(shown)
    for unused, words in zip(report.unused, shown, strict=True):
        assert words in unused.message
        assert unused.span.text(text) in unused.edit.span.text(text)
    fixed = without(text, report)
    assert fixed == (text if after is None else after)
    again = analyse_text(fixed, Options())
    assert again.unused == ()
    assert [o.code for o in again.opportunities] == [o.code for o in report.opportunities]


def test_what_is_shown_or_off_by_the_settings_decides() -> None:
    text = NONE + "  # headwater: ignore"
    assert analyse(text, Options(severity={"HW901": "hint"})).unused == ()
    assert analyse(text, Options(severity={"HW902": "off"})).unused == ()
    off = Options(severity={"HW101": "off"})
    assert analyse(GOOD + "  # headwater: ignore[HW101]", off).unused == (), "it would be of use again"


def test_nothing_is_said_before_the_proof(tmp_path: Path) -> None:
    text = GOOD + "  # headwater: ignore[HW102]"
    elsewhere = "\nx = 1  # headwater: ignore\n"
    (only,) = check("a.py", text + elsewhere, Options(), tmp_path).unused
    assert only.span.start > len(text), "nothing can come to be shown there"
    assert analyse(text, Options(bounded=True)).unused == ()
    assert len(prove(text + elsewhere, Options(), tmp_path).unused) == 2
    assert len(check("a.py", text + elsewhere, Options(), tmp_path).unused) == 2


def test_nothing_is_said_where_time_ran_out_or_something_broke(monkeypatch: pytest.MonkeyPatch) -> None:
    text = GOOD + "  # headwater: ignore[HW102]"
    assert analyse(text, solve=lambda problem, seconds: Unknown("out of time")).unused == ()
    assert analyse(text, Options(timeout_seconds=0)).unused == ()

    def broken(*_: object) -> None:
        raise ValueError("planted")

    monkeypatch.setattr("headwater.operators.move.moves", broken)
    report = analyse(text)
    assert "planted" in report.skipped[0].reason
    assert report.unused == ()


def test_a_filter_that_another_one_settles_for_the_moment_may_still_speak(tmp_path: Path) -> None:
    chain = GOOD.replace("good =", "good = (") + "  # headwater: ignore[HW102]\n    .filter('best > 91')\n)\n"
    assert check("a.py", chain, Options(), tmp_path).unused == ()
    assert len(prove(chain, Options(), tmp_path).unused) == 1


def test_only_the_comment_goes() -> None:
    text = "\r\n".join(
        [*GOOD.split("\n"), "y = '''", "# headwater: ignore", "'''", "z = 2 # 😀 # headwater: ignore", ""]
    )
    report = analyse_text(text, Options())
    assert len(report.unused) == 1
    fixed = without(text, report)
    assert fixed == text.replace("2 # 😀 # headwater: ignore", "2 # 😀")
    assert read_suppressions(fixed) == ((), False)


def test_nothing_is_said_where_part_of_the_text_is_hidden() -> None:
    cells = "# Databricks notebook source\n{}\n# COMMAND ----------\nx = 1  # headwater: ignore\n"
    assert len(analyse_text(cells.format("y = 2"), Options()).unused) == 1
    assert analyse_text(cells.format("y = (\n"), Options()).unused == ()


def test_nothing_is_said_where_the_front_end_broke(monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.pyspark.api import dataframe

    def broken(*_: object) -> None:
        raise ValueError("planted")

    monkeypatch.setattr(dataframe, "method", broken)
    inside = "\n".join("    " + line for line in GOOD.removeprefix(HEAD).split("\n"))
    report = analyse_text(f"{HEAD}def f():\n{inside}  # headwater: ignore[HW102]\n", Options())
    assert [s.reason for s in report.skipped] == ["internal error: ValueError: planted"]
    assert report.unused == ()
