"""HW301: marked pre-filters. The specification is tests/mdtest/driver/marked.md; here, what it has no words for."""

from __future__ import annotations

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.analysis.unsound_prefilter import marked_lines
from headwater.engine.report.report import Opportunity

from .pipelines import PEAKS


def marked(condition: str, more: str = "") -> str:
    text = PEAKS.replace("payments.groupBy", f"payments.filter({condition}){more}.groupBy")
    return text.replace('alias("peak"))\n', 'alias("peak"))  # headwater: prefilter\n')


def found(text: str, options: Options | None = None) -> list[Opportunity]:
    return [o for o in analyse(text, options).opportunities if o.code == "HW301"]


@pytest.mark.parametrize("limit", [0, 949_999, 950_000, 950_001, 2_000_000])
def test_only_a_filter_that_drops_a_peak_is_reported(limit: int) -> None:
    assert bool(found(marked(f"F.col('amount') >= {limit}"))) == (limit > 950_000)


def test_what_is_said() -> None:
    (o,) = found(marked("F.col('amount') > 950_000"))
    assert o.message == (
        "`amount > 950000` is marked as a pre-filter of `agg`, but the filter after it does not imply it: "
        "dropping a row with amount = 950000 from a group of 1 changes what passes"
    )
    assert (o.status, o.edits, o.certificate) == ("verified", (), None)
    assert o.filter_text == "filter(F.col('amount') > 950_000)"


def test_the_quick_check_and_the_settings_keep_it_quiet() -> None:
    text = marked("F.col('amount') > 950_000")
    assert not found(text, Options(bounded=True))
    assert not found(text, Options(severity={"HW301": "off"}))
    assert not found(text.replace("# headwater: prefilter", "# headwater: prefilter # headwater: ignore"))
    assert not found(text.replace("# headwater: prefilter", ""))


def test_its_id_stays_when_lines_move() -> None:
    text = marked("F.col('amount') > 950_000")
    assert [o.id for o in found(text)] == [o.id for o in found("# a line\n\n" + text)]


def test_a_filter_that_is_taken_out_leaves_everything_in_its_place() -> None:
    text = marked("\n    F.col('amount')\n    > 950_000\n").replace("# headwater: prefilter", "")
    text = text.replace("> 950_000\n", "> 950_000  # headwater: prefilter\n")
    (o,) = found(text)
    assert text[o.boundary_span.start : o.boundary_span.end].startswith(".groupBy")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x = 1  # headwater: prefilter\n", {0}),
        ("# HEADWATER:prefilter because\ny = '# headwater: prefilter'\n", {0}),
        ("x = 1  # headwater: prefilters\n# headwater: prefilter-x\n", set()),
        ("x = (  # headwater: prefilter\n", {0}),
        ("'''# headwater: prefilter\n", set()),
    ],
)
def test_marks_are_comments(text: str, lines: set[int]) -> None:
    assert marked_lines(text) == lines
