"""Where the functions of a program stand is no matter: what is found in one file is found if another defines them."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.linking.linked import link
from headwater.engine.report.report import Report
from headwater.pyspark.reading.incremental import Document
from headwater.pyspark.reading.module import read_module
from headwater.syntax.source.linked import own_end
from tests.mdtest.cases import Case, all_cases

from .split import MODULE, is_the_same_program, lines_of_functions, split

CASES = {
    c.name: c
    for c in all_cases()
    if split(c.source) is not None and any(e.verdict not in ("none", "HW901") for e in c.expectations)
}


def linked(case: Case, folder: Path) -> tuple[str, str]:
    """The file that is left of the case, and what is analysed of it."""
    parts = split(case.source)
    assert parts is not None
    (folder / f"{MODULE}.py").write_text(parts[1], encoding="utf-8")
    return parts[0], link(parts[0], folder / "main.py", lambda path: path.read_text(encoding="utf-8")).text


def findings(report: Report, text: str, moved: Set[int] = frozenset()) -> list[tuple[str, ...]]:
    """What is found, without findings, boundaries and edits on the lines that are ``moved`` to the other file."""
    assert report.error is None

    def line(at: int) -> int:
        return text.count("\n", 0, at)

    return sorted(
        (str(line(o.filter_span.start)), o.code, o.status, o.prefilter_text, str(o.residual_text), o.fix)
        for o in report.opportunities
        if moved.isdisjoint(
            line(s.start) for s in (o.filter_span, o.boundary_span, o.prefilter_span, *(e.span for e in o.edits))
        )
    )


@pytest.mark.parametrize("name", CASES)
def test_the_same_is_found(name: str, tmp_path: Path) -> None:
    """As much, where all functions are understood, and never more; what other code may do is an assumption."""
    case = CASES[name]
    options = Options(timeout_seconds=30, schemas=case.schemas, show_all=True)
    report, moved = analyse(case.source, options), lines_of_functions(case.source)
    main, text = linked(case, tmp_path)
    assert text[: own_end(text)].count("\n") == main.count("\n")
    found = findings(analyse(text, options), main)
    if f"from {MODULE} import" not in text:
        assert [f for f in findings(report, case.source, moved) if f not in found] == []
    if is_the_same_program(case.source):
        whole = findings(report, case.source)
        assert [f for f in found if f[2] != "assumed" and f not in whole] == []
    document = Document()
    document.read(main)
    assert document.read(text) == read_module(text), "the definitions came with an edit"


def test_most_are_understood(tmp_path: Path) -> None:
    cases = [*CASES.values()][::20]
    assert sum(is_the_same_program(c.source) for c in cases) > 0.7 * len(cases)
    assert sum(f"from {MODULE} import" not in linked(c, tmp_path)[1] for c in cases) > 0.7 * len(cases)
