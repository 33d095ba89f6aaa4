"""Every Markdown file of this folder is a specification; here it is put to the test.

The analysis must say of each line what the file says; on Spark, the rewritten snippet must give what the original
gives, and a rewrite that the file calls wrong must be seen to be wrong.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

import pytest

from headwater.cost.gains import gains
from tests.replay import Run, results
from tests.results import Failed
from tests.shares import every

from .cases import Case, Expectation, all_cases
from .replay import given, run_all, run_both, run_of
from .tables import random_inputs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from headwater.engine.report.report import Opportunity, Report
    from headwater_ir.span import Span

CASES = all_cases()
DEMAND = ("HW401", "HW402", "HW403", "HW404", "HW407")
REWRITTEN = ("HW101", "HW102", "HW103", "HW105", "HW201", "HW405", "HW406", *DEMAND)
MOVED = [c for c in CASES if any(e.verdict in REWRITTEN for e in c.expectations)]
CONSTANT = [c for c in CASES if any(e.verdict == "HW302" for e in c.expectations)]
NEVER = [c for c in CONSTANT if any(e.verdict == "HW302" and not e.words for e in c.expectations)]
ALWAYS = [c for c in CONSTANT if c not in NEVER]
REPLAYED = [c for c in MOVED if c.tables and not c.breaks_the_assumption]
HIDDEN = [c for c in CASES if any(e.hidden for e in c.expectations)]
WRONG = [c for c in CASES if c.wrong or c.rewrites]
FAILING = [c for c in CASES if c.failing]
RANDOM_TABLES = int(os.environ.get("HEADWATER_MDTEST_TABLES", "4" if every(2) == 1 else "2"))
"""Fewer where only a share of the cases is replayed."""
TIMEOUT_SECONDS = 30.0


def each(cases: list[Case]) -> pytest.MarkDecorator:
    """All tests of one case in one process, which analyses it once."""
    together = [pytest.param(c, id=c.name, marks=pytest.mark.xdist_group(c.name)) for c in cases]
    return pytest.mark.parametrize("case", together)


@cache
def report_of(source: str, schemas: tuple[tuple[str, str], ...]) -> Report:
    from headwater.engine.analysis.analyse import Options, analyse
    from headwater.engine.files.data import said_facts

    stated = dict(schemas)
    options = Options(timeout_seconds=TIMEOUT_SECONDS, schemas=stated, data=said_facts(source), show_all=True)
    return analyse(source, options)


def analysed(case: Case, source: str | None = None) -> Report:
    report = report_of(source or case.source, tuple(case.schemas.items()))
    assert report.error is None, report.error
    assert not [s.reason for s in report.skipped if s.reason.startswith("internal error")], case.name
    return report


def lines_of(source: str, start: int, end: int) -> range:
    """The zero-based lines that a span of ``source`` touches."""
    return range(source.count("\n", 0, start), source.count("\n", 0, max(start, end - 1)) + 1)


def on_line(case: Case, line: int, span: Span) -> bool:
    return line in lines_of(case.source, span.start, span.end)


def found_on(case: Case, line: int) -> list[Opportunity]:
    return [o for o in analysed(case).opportunities if on_line(case, line, o.filter_span)]


def squeezed(text: str | None) -> str | None:
    return text if text is None else " ".join(text.split())


def described(case: Case) -> str:
    report = analysed(case)
    said = [
        f"{o.code} {o.kind} prefilter={o.prefilter_sql or o.prefilter_text!r}"
        f" residual={o.residual_sql or o.residual_text!r} assuming {o.assumptions} {o.fix}"
        for o in report.opportunities
    ]
    said += [f"skipped ({s.obstruction}): {s.reason}" for s in report.skipped]
    return f"{case.file}:{case.line}: the analysis says:\n  " + "\n  ".join(said or ["nothing"])


@each(CASES)
def test_analysis(case: Case) -> None:
    """The verdict of each line is the expected one, and no other line has one. A finding is left out by default only
    where the specification says so."""
    expected_lines = {e.line for e in case.expectations}
    for o in analysed(case).opportunities:
        lines = lines_of(case.source, o.filter_span.start, o.filter_span.end)
        assert expected_lines & set(lines), "unexpected finding\n" + described(case)
        elements = o.code != "HW302" and o.certificate is not None and o.prefilter_text.startswith("lambda")
        shown = o.code in ("HW201", "HW301", "HW302", *DEMAND) or gains(o.operator, elements)
        assert shown or case in HIDDEN, "hidden by default\n" + described(case)
    for expectation in case.expectations:
        check(case, expectation)


@each(HIDDEN)
def test_default_policy(case: Case) -> None:
    """By default every finding is reported but those that are said to be hidden, and each of these is skipped with the
    reason."""
    from headwater.engine.analysis.analyse import Options, analyse
    from headwater.engine.files.data import said_facts

    data = said_facts(case.source)
    shown = analyse(case.source, Options(timeout_seconds=TIMEOUT_SECONDS, schemas=case.schemas, data=data))
    left_out = [s for s in shown.skipped if "--all" in s.reason]
    for e in case.expectations:
        if e.verdict.startswith("HW"):
            reported = [o for o in shown.opportunities if on_line(case, e.line, o.filter_span)]
            assert len(reported) == sum(x.line == e.line and not x.hidden for x in case.expectations), described(case)
            assert any(on_line(case, e.line, s.span) for s in left_out) or not e.hidden, described(case)


def check(case: Case, e: Expectation) -> None:
    found = found_on(case, e.line)
    if e.verdict in ("nothing", "refused"):
        assert not found, described(case)
        skipped = [s for s in analysed(case).skipped if e.line in lines_of(case.source, s.span.start, s.span.end)]
        assert not e.words or {s.obstruction for s in skipped} & set(e.words), described(case)
        return
    beside = [x for x in case.expectations if x.line == e.line]
    assert sorted(o.code for o in found) == sorted(x.verdict for x in beside), described(case)
    # One filter may reach several boundaries; then the pre-filter tells which of the findings is meant.
    o = next((o for o in found if e.prefilter in (o.prefilter_sql, o.prefilter_text)), found[0])
    if e.verdict == "HW104":
        text = " ".join((o.message, *o.assumptions))
        assert all(word in text for word in e.words), described(case)
        return
    wanted = () if e.assuming in (None, "nothing") else tuple(e.assuming.split("; "))
    assert o.status == ("assumed" if wanted else "verified"), described(case)
    assert all(any(w in a for a in o.assumptions) for w in wanted), described(case)
    assert all(any(w in a for w in wanted) for a in o.assumptions), described(case)
    if e.verdict == "HW302":
        assert ("always" in o.message) == ("always" in e.words), described(case)
        return
    assert not e.words or o.kind in e.words, described(case)
    said = o.fix if '"' in (e.writes or "") else o.fix.replace('"', "'")
    wanted_text = f"write `{e.writes}` for ".split("…` for ")[0]
    assert e.writes is None or said.startswith(wanted_text), described(case)
    prefilters, residuals = (o.prefilter_sql, o.prefilter_text), (o.residual_sql, o.residual_text)
    assert e.prefilter is None or e.prefilter in map(squeezed, prefilters), described(case)
    assert e.residual is None or e.residual in map(squeezed, residuals), described(case)


def rewritten(case: Case) -> str:
    from headwater.rewrite.edits import apply_edits

    edits = [edit for o in analysed(case).opportunities for edit in o.edits]
    assert edits, "nothing to apply: " + described(case)
    return apply_edits(case.source, tuple(edits))


@each(MOVED)
def test_applying_once_is_enough(case: Case) -> None:
    """What was rewritten parses and has nothing more to move at the same places. How a source can use what is there now
    (HW201), a join whose readers became one that takes no notice of copies (HW405), and a cache that a join or jobs ask
    twice, and a rank or one job asks once (HW407), are other questions."""
    source = rewritten(case)
    compile(source, case.name, "exec")
    assert source != case.source
    others = {"HW104", "HW201", "HW302", "HW405"}
    if any(e.verdict in ("HW404", "HW406") for e in case.expectations):
        others.add("HW407")
    left = [o.message for o in analysed(case, source).opportunities if o.code not in others]
    assert not left, f"{left}\n{source}"


@each([*MOVED, *CONSTANT])
@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_every_certificate_passes_both_solvers(case: Case, solver: str) -> None:
    """After a trip through JSON, as ``headwater verify`` reads it."""
    from headwater.proof.checker import accepted
    from headwater.proof.checker import check as prove
    from headwater.proof.demand.caches import check as check_cache
    from headwater.proof.demand.checker import check as check_demand
    from headwater.proof.demand.extremes import check as check_extreme
    from headwater.proof.demand.groups import check as check_groups
    from headwater.proof.demand.matches import check as check_match
    from headwater.proof.ranges.checker import check as check_range
    from headwater_ir.codec import from_json, to_json
    from headwater_ir.demand import (
        CacheCertificate,
        DemandCertificate,
        ExtremeCertificate,
        GroupsCertificate,
        MatchCertificate,
    )
    from headwater_ir.ranges import RangeCertificate
    from headwater_ir.verdict import Certificate

    for o in analysed(case).opportunities:
        if o.code == "HW301":  # it has a witness
            continue
        assert o.certificate is not None
        if isinstance(o.certificate, DemandCertificate):
            assert not check_demand(from_json(to_json(o.certificate), DemandCertificate))
            continue
        if isinstance(o.certificate, ExtremeCertificate):
            assert not check_extreme(from_json(to_json(o.certificate), ExtremeCertificate))
            continue
        if isinstance(o.certificate, MatchCertificate):
            assert not check_match(from_json(to_json(o.certificate), MatchCertificate))
            continue
        if isinstance(o.certificate, GroupsCertificate):
            assert not check_groups(from_json(to_json(o.certificate), GroupsCertificate))
            continue
        if isinstance(o.certificate, RangeCertificate):
            assert not check_range(from_json(to_json(o.certificate), RangeCertificate))
            continue
        if isinstance(o.certificate, CacheCertificate):
            assert not check_cache(from_json(to_json(o.certificate), CacheCertificate))
            continue
        assert accepted(prove(from_json(to_json(o.certificate), Certificate), solver))  # type: ignore[arg-type]


@pytest.mark.spark
@each(REPLAYED)
def test_rewrite_gives_the_same_rows(spark: SparkSession, case: Case) -> None:
    """On the given rows and on random ones. A rewrite may remove an error, never add one."""
    inputs = [given(case), *random_inputs(case, RANDOM_TABLES)]
    source = rewritten(case)
    pairs = run_both(spark, case, (case.source, source), inputs)
    assert not isinstance(pairs[0][0], Failed), f"the snippet fails on its own rows: {pairs[0][0]}"
    for tables, (original, new) in zip(inputs, pairs, strict=True):
        if not isinstance(original, Failed):
            assert original == new, f"on {tables}\n{source}"


@pytest.mark.spark
@each(NEVER)
def test_nothing_passes_a_constant_filter(spark: SparkSession, case: Case) -> None:
    inputs = [given(case), *random_inputs(case, RANDOM_TABLES)]
    assert not any(bag for bag in run_all(spark, case, case.source, inputs) if not isinstance(bag, Failed))


@pytest.mark.spark
@each(ALWAYS)
def test_a_filter_that_is_always_true_can_go(spark: SparkSession, case: Case) -> None:
    source = case.source
    for at in sorted((o.filter_span for o in analysed(case).opportunities), reverse=True):
        source = source[: at.start].rstrip().removesuffix(".") + source[at.end :]
    assert source != case.source
    inputs = [given(case), *random_inputs(case, RANDOM_TABLES)]
    pairs = run_both(spark, case, (case.source, source), inputs)
    assert not isinstance(pairs[0][0], Failed), pairs[0][0]
    assert all(old == new for old, new in pairs if not isinstance(old, Failed)), source


@pytest.mark.spark
@each(WRONG)
def test_wrong_rewrite_is_wrong(spark: SparkSession, case: Case) -> None:
    """The naive pre-filter, or the program that is said to be wrong, changes the result on the given rows: it does
    so by itself, and not because the original gives another result each time."""

    def run(source: str, only: dict[str, str]) -> Run:
        return run_of(case, source, given(case), only)

    filtered = {w.condition: run(case.source, {w.table or case.tables[0].name: w.condition}) for w in case.wrong}
    variants = filtered | {source: run(source, {}) for source in case.rewrites}
    runs = [run(case.source, {}), *variants.values(), run(case.source, {})]
    found = results(spark, runs)
    if found[0] != found[-1]:
        found = results(spark, runs, alone=True)
    first, *others, last = found
    assert not isinstance(first, Failed), first
    assert first == last, "the snippet gives another result each time"
    for name, other in zip(variants, others, strict=True):
        assert other != first, f"{name} does no harm here"
        assert name in filtered or not isinstance(other, Failed), other


@pytest.mark.spark
@each(FAILING)
def test_failing_rewrite_fails(spark: SparkSession, case: Case) -> None:
    """The program that is said to fail does so on the given rows, and the snippet does not."""
    first, *others = results(spark, [run_of(case, s, given(case)) for s in (case.source, *case.failing)], alone=True)
    assert not isinstance(first, Failed), first
    for source, other in zip(case.failing, others, strict=True):
        assert isinstance(other, Failed), f"{source}\ngives {other}"
        assert "AnalysisException" in other.reason, other
