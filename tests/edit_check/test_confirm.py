"""Issue 20: what an edit makes of a text is what was proved. Wrong edits: ``planted``; right ones: a sample of the
specifications, examples and problems; ``HEADWATER_EDITS=all`` takes every one."""

from __future__ import annotations

import os

import pytest

from headwater.edit_check.conditions import form, forms
from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.documents import on_demand
from headwater.engine.files import fixing
from headwater.engine.files.fixing import fix_text
from headwater.rewrite import edits as rewrite_edits
from headwater.rewrite import removal
from headwater.rewrite import residual as residual_edits
from headwater.rewrite.edit import Edit, apply_edits
from headwater_ir.expr import FALSE, And, Call, Col, Compare, Expr, IsNaN, IsNull, Lit, Not, Or
from headwater_ir.span import Span
from headwater_ir.types import ANY, INT, STRING
from tests.engine.test_fixed_point import ROOT
from tests.mdtest.cases import all_cases

from .planted import (
    AGGREGATE,
    BRANCH,
    COPIED,
    EXPLODE,
    PROGRAMS,
    is_refused,
    is_refused_as_a_branch,
    options,
    rewritten,
)

EVERY = 1 if os.environ.get("HEADWATER_EDITS") == "all" else 60
PROVED = ("HW101", "HW102", "HW103", "HW105")


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_right_edit_passes(name: str) -> None:
    program = PROGRAMS[name]
    found, after = rewritten(program)
    assert found.confirmed
    assert not (is_refused_as_a_branch(COPIED) if program == BRANCH else is_refused(program, after))


def texts() -> list[tuple[str, str, dict[str, str]]]:
    cases = [c for c in all_cases() if any(e.verdict in PROVED for e in c.expectations)]
    files = [*sorted((ROOT / "examples").glob("*.py")), *sorted((ROOT / "benchmarks/suite").glob("*/*.py"))]
    found = [(c.name, c.source, c.schemas) for c in cases]
    return [*found, *((str(p.relative_to(ROOT)), p.read_text(encoding="utf-8"), {}) for p in files)][7::EVERY]


@pytest.mark.parametrize(("name", "text", "schemas"), [pytest.param(*t, id=t[0]) for t in texts()])
def test_every_edit_passes(name: str, text: str, schemas: dict[str, str]) -> None:
    report = analyse(text, Options(timeout_seconds=30, schemas=schemas, show_all=True))
    assert [s.reason for s in report.skipped if s.reason.startswith("internal error")] == []
    assert all(o.confirmed for o in report.opportunities if o.edits)


# --- a wrong edit of the product's own is an internal error, and nothing is offered


def at_another_place(_tokens: object, at: int, call: str, in_argument: bool = False) -> Edit:
    return Edit(Span(AGGREGATE.index(".orderBy"), AGGREGATE.index(".orderBy")), f".{call}")


def test_nothing_is_offered_that_is_not_what_was_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewrite_edits, "insert_call", at_another_place)
    report = analyse(AGGREGATE, options(AGGREGATE))
    reasons = [s.reason for s in report.skipped]
    assert report.opportunities == ()
    assert all(r.startswith("internal error: WrongEdit: ") for r in reasons)
    assert all("edits [(" in r for r in reasons)  # with the text, all that is needed to see it again


def test_a_filter_that_should_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    removed = removal.remove_call
    monkeypatch.setattr(
        residual_edits, "remove_filter", lambda _, tokens, call, **how: removed(tokens, Span(call.start - 1, call.end))
    )
    assert analyse(AGGREGATE, options(AGGREGATE)).opportunities == ()


# --- where an edit is asked for


def test_the_quick_check_leaves_it_and_asking_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    proved = {o.id: o for o in analyse(EXPLODE, options(EXPLODE)).opportunities}
    (found,) = proved.values()
    assert on_demand.why_wrong("a.py", EXPLODE, options(EXPLODE), found, found.edits) is None
    assert on_demand.why_wrong("a.py", EXPLODE, options(EXPLODE), found, found.prefilter_edits) is None
    wrong = tuple(Edit(e.span, e.text.replace("5", "4")) for e in found.edits)
    why = on_demand.why_wrong("a.py", EXPLODE, options(EXPLODE), found, wrong)
    assert why is not None
    assert why.startswith("internal error: ")


TWO = AGGREGATE.replace('high.write.parquet("out")', "high.show()")


def test_fix_compares_what_several_rewrites_do_together(monkeypatch: pytest.MonkeyPatch) -> None:
    fixed = fix_text(TWO, lambda text: analyse(text, options(TWO)))
    assert len(fixed.applied) == 2
    monkeypatch.setattr(fixing, "apply_edits", lambda text, edits: apply_edits(text, edits).replace("u.", "t."))
    monkeypatch.setattr("headwater.engine.analysis.confirming.apply_edits", fixing.apply_edits)
    monkeypatch.setattr("headwater.engine.analysis.confirming.confirmed", lambda by, found: found)
    wrong = fix_text(TWO, lambda text: analyse(text, options(TWO)))
    assert (wrong.text, wrong.applied) == (TWO, ())
    assert wrong.report.error is not None
    assert wrong.report.error.message.startswith("internal error: Changed: ")


# --- conditions

X, FIVE = Col("x"), Lit(5, INT)
ABOVE = Compare(">", X, FIVE, "sql")
SAME: list[tuple[Expr, Expr]] = [
    (Or((Or((ABOVE, IsNull(X))), IsNaN(Col("y")))), Or((ABOVE, IsNull(X), IsNaN(Col("y"))))),
    (Or((ABOVE, IsNaN(X))), ABOVE),
    (
        Compare(">", Col("size(`a`)"), FIVE, "sql"),
        Compare(">", Call("spark.cardinality", (Col("a"),), INT), FIVE, "sql"),
    ),
    (IsNull(Col("lower(`s`)")), IsNull(Col("s"))),
    (Col("lower(`s`)"), Call("spark.lower", (Col("s"),), STRING)),
    (Col("field(`s`.`f`)"), Call("getField", (Col("s"), Lit("f", STRING)), ANY)),
]
OTHER: list[tuple[Expr, Expr]] = [
    (Or((Compare("<", X, FIVE, "sql"), IsNaN(X))), Compare("<", X, FIVE, "sql")),
    (Or((Compare(">", X, FIVE, "python"), IsNaN(X))), Compare(">", X, FIVE, "python")),
    (Or((ABOVE, IsNaN(Col("y")))), ABOVE),
    (And((Or((ABOVE, IsNull(X))), ABOVE)), Or((ABOVE, IsNull(X)))),
    (Lit(1, INT), Lit(True, INT)),
    (Lit(0.0, INT), Lit(-0.0, INT)),
    (Lit(5, INT), Lit("5", STRING)),
    (Not(ABOVE), Not(ABOVE, "python")),
    (IsNull(Col("size(`s`)")), IsNull(Col("s"))),
    (Or((ABOVE,)), FALSE),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_one_condition_in_two_spellings(a: Expr, b: Expr) -> None:
    assert form(a) == form(b)


@pytest.mark.parametrize(("a", "b"), OTHER)
def test_two_conditions(a: Expr, b: Expr) -> None:
    assert form(a) != form(b)
    assert forms([a]) != forms([b])
