"""The pure core, with real synthesis where it is fast and a stand-in solver where the verdict matters."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from headwater.engine.analysis import findings
from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.analysis.conditional import Fact, find_facts, in_words
from headwater.engine.analysis.solver import synthesis
from headwater.engine.files.service import analyse_text
from headwater.engine.report.report import Opportunity, Report
from headwater.rewrite.edit import apply_edits
from headwater_ir.assumptions import Assumption
from headwater_ir.codec import dumps
from headwater_ir.expr import Col, Compare, IsNull, Lit, Not, Out, Slot
from headwater_ir.problem import Column, Fold, FoldProblem, OutputColumn, StateSlot
from headwater_ir.types import FLOAT, INT, INT64
from headwater_ir.verdict import Bounded, Certificate, Proved, Refuted, Solution, Unknown, Unsupported, Verdict

from .pipelines import FIXED_PEAKS, KEYS, PEAKS, TOP2, UNGUARDED


def test_exact_pushdown() -> None:
    report = analyse(PEAKS)
    (found,) = report.opportunities
    assert (found.code, found.name, found.kind, found.status) == ("HW101", "exact-pushdown", "exact", "verified")
    assert (found.operator, found.function) == ("agg", None)
    assert (found.prefilter_text, found.prefilter_sql) == ('F.col("amount") >= 950000', "amount >= 950000")
    assert (found.residual_text, found.residual_sql) == (None, None)
    assert found.filter_text == 'filter(F.col("peak") >= 950_000)' == found.filter_span.text(PEAKS)
    assert apply_edits(PEAKS, found.edits) == FIXED_PEAKS
    assert found.certificate is not None
    assert found.message.startswith("`amount >= 950000` can run before `agg`: exact pushdown, proved for every input (")
    assert {c.status for c in found.conditions} == {"proved"}
    assert "both runs agree" in found.invariant_text


def test_applying_leaves_nothing_to_do() -> None:
    assert analyse(FIXED_PEAKS).opportunities == ()
    (found,) = analyse(TOP2).opportunities
    assert found.code == "HW102"
    assert analyse(apply_edits(TOP2, found.edits)).opportunities == ()
    assert analyse(apply_edits(TOP2, found.prefilter_edits)).opportunities == ()


def test_same_verdicts_same_report_byte_for_byte() -> None:
    verdict = synthesis(_peaks_problem(), 10)

    def run() -> str:
        return dumps(analyse(PEAKS, solve=lambda problem, seconds: verdict, clock=itertools.count().__next__))

    assert run() == run()


def _peaks_problem() -> FoldProblem:
    problems: list[FoldProblem] = []

    def note(problem: FoldProblem, seconds: float) -> Verdict:
        problems.append(problem)
        return Unknown("only asked")

    analyse(PEAKS, solve=note)
    return problems[0]


LEFT_EARLY = """\
import pandas as pd


def first_large(key, rows):
    found = 0
    for row in rows.itertuples():
        if row.amount > 10:
            found = row.amount
            break
    return pd.DataFrame([{"shop": key[0], "found": found}])


orders = spark.table("orders").groupBy("shop").applyInPandas(first_large, "shop string, found long")
result = orders.filter("found > 20")
"""


@pytest.mark.parametrize("source", [PEAKS, LEFT_EARLY], ids=["aggregates", "loops that are left early"])
def test_the_id_does_not_depend_on_the_place(source: str) -> None:
    (here,), (there,) = analyse(source).opportunities, analyse("# a line\n\n" + source).opportunities
    assert here.id == there.id
    assert here.filter_span != there.filter_span


def test_what_spark_does_itself_is_quiet() -> None:
    report = analyse(KEYS)
    assert report.opportunities == ()
    assert [s.reason for s in report.skipped] == ["Spark moves this filter itself"]


@pytest.mark.parametrize(
    ("comment", "count"),
    [("# headwater: ignore", 0), ("# headwater: ignore[HW101]", 0), ("# headwater: ignore[HW102]", 1)],
)
def test_suppression(comment: str, count: int) -> None:
    source = PEAKS.replace('parquet("peaks")\n', f'parquet("peaks")  {comment}\n')
    assert len(analyse(source).opportunities) == count


def test_suppression_of_a_file_and_of_a_code() -> None:
    assert analyse(PEAKS + "# headwater: ignore-file\n") == Report(filters=1)
    assert analyse(PEAKS, Options(severity={"HW101": "off"})).opportunities == ()


@pytest.mark.parametrize(
    ("verdict", "obstruction"),
    [
        (Unknown("no time"), "time-out"),
        (Unsupported("volatile", "rand"), "volatile"),
        (Refuted("no-prefilter", "none"), "no-prefilter"),
    ],
)
def test_verdicts_without_a_solution(verdict: Verdict, obstruction: str) -> None:
    report = analyse(PEAKS, solve=lambda problem, seconds: verdict)
    assert report.opportunities == ()
    assert [s.obstruction for s in report.skipped] == [obstruction]


def test_bounded_is_never_called_proved() -> None:
    report = analyse(PEAKS, solve=lambda problem, seconds: Bounded(2))
    (found,) = report.opportunities
    assert (found.code, found.status, found.edits, found.certificate) == ("HW190", "bounded", (), None)


def test_a_failing_solver_costs_one_opportunity() -> None:
    def crash(problem: FoldProblem, seconds: float) -> Verdict:
        raise ZeroDivisionError("oops")

    (skipped,) = analyse(PEAKS, solve=crash).skipped
    assert skipped.reason == "the solver failed: ZeroDivisionError: oops"


@pytest.mark.parametrize(
    ("source", "line", "character"),
    [("def f(:\n", 0, 6), ("x = '🦆' +* 1\n", 0, 10), ("a\0b", 0, 1), ("ok = 1\n\x00", 1, 0)],
)
def test_not_python(source: str, line: int, character: int) -> None:
    error = analyse(source).error
    assert error is not None
    assert (error.line, error.character) == (line, character)


def _problem() -> FoldProblem:
    columns = (Column("k", INT64, is_key=True), Column("x", FLOAT), Column("y", INT64))
    fold = Fold(
        "f", "test", columns, (StateSlot("m", FLOAT),), (Lit(None, FLOAT),),
        (Compare(">", Col("x"), Col("y"), "sql"),), (OutputColumn("m", FLOAT, Slot(0)),),
    )  # fmt: skip
    return FoldProblem(fold, Compare(">", Out("m"), Lit(1, INT), "sql"))


def test_conditional_names_a_minimal_set_of_facts() -> None:
    wanted = Not(IsNull(Col("y")))

    def solve(problem: FoldProblem) -> Verdict:
        if wanted not in problem.fold.facts:
            return Refuted("three-valued-logic", "NULL")
        solution = Solution("partial", Compare(">", Col("x"), Lit(1, INT), "sql"), problem.predicate, ())
        return Proved(Certificate(1, problem, solution, problem.fold.assumptions, ()), ())

    found = find_facts(_problem(), solve)
    assert found is not None
    assert found.facts == (Fact("y"),)
    assert in_words(found.facts) == ("`y` held no NULL",)
    assert found.verdict.certificate.assumptions == (Assumption("nulls", "`y` held no NULL (not known to be so)"),)
    assert find_facts(_problem(), lambda p: Refuted("no-prefilter", "none")) is None


def test_conditional_pushdown_is_reported_without_an_edit() -> None:
    def needs_fact(problem: FoldProblem, seconds: float) -> Verdict:
        if not problem.fold.facts:
            return Refuted("three-valued-logic", "a NULL changes the result")
        return synthesis(problem, seconds)

    (found,) = analyse(PEAKS, solve=needs_fact).opportunities
    assert (found.code, found.edits, found.prefilter_edits) == ("HW104", (), ())
    assert "if `amount` held no N" in found.message
    assert any("not known to be so" in a for a in found.assumptions)


def test_top2_without_a_guard_needs_a_column_without_missing_values() -> None:
    (found,) = analyse(UNGUARDED, Options(timeout_seconds=60)).opportunities
    assert (found.code, found.prefilter_sql, found.edits) == ("HW104", "score >= 90", ())
    assert found.message.startswith("`score >= 90` could run before `applyInPandas(top2)` if `score` held no N")


def test_the_bounded_check() -> None:
    (found,) = analyse(PEAKS, Options(bounded=True)).opportunities
    assert (found.code, found.status) == ("HW190", "bounded")
    assert analyse(KEYS, Options(bounded=True)).opportunities == ()


IMPORTED_LATE = """\
import pyspark.sql.functions

payments = spark.read.schema("account long, amount long").parquet("payments")
peaks = payments.groupBy("account").agg(pyspark.sql.functions.max("amount").alias("peak"))
from pyspark.sql.functions import col
peaks.filter(col("peak") >= 950_000).write.parquet("peaks")
"""


def test_the_bounded_check_does_not_report_what_cannot_be_edited() -> None:
    """A place in front of which nothing can be written is left out at once, and not after the proof."""
    report = analyse(IMPORTED_LATE, Options(bounded=True))
    assert report.opportunities == analyse(IMPORTED_LATE).opportunities == ()
    (skipped,) = report.skipped
    assert skipped.reason == "a pre-filter cannot be written here: `col` is not imported yet where the pre-filter goes"


def test_a_failure_at_one_boundary_does_not_cost_another(monkeypatch: pytest.MonkeyPatch) -> None:
    text = PEAKS.replace("peaks = ", "both = ", 1)
    frames = text[: text.index("peaks.filter")]
    other = frames[frames.index("both") :].replace("both", "others")
    both = frames + other + 'both.unionByName(others).filter(F.col("peak") >= 950_000).write.parquet("peaks")\n'
    assert len(analyse(both).opportunities) == 2
    proved, failing = findings.proved, iter([True, False])

    def fails_once(*arguments: Any) -> Opportunity:
        if next(failing):
            raise ZeroDivisionError("stand-in")
        return proved(*arguments)

    monkeypatch.setattr(findings, "proved", fails_once)
    report = analyse(both)
    assert len(report.opportunities) == 1
    assert "internal error: ZeroDivisionError: stand-in" in [s.reason for s in report.skipped]


def test_a_filter_of_elements_reaches_no_source() -> None:
    read = 'from pyspark.sql import functions as F\nt = spark.read.schema("k int, xs array<int>").parquet("p")\n'
    exploded = 't.withColumn("x", F.explode("xs")).filter("x > 5 AND k > 3")\n'
    (found,) = analyse(read + exploded, Options(show_all=True)).opportunities
    assert [(s.conjunct, s.use) for s in found.source] == [("k > 3", "inexact")]


def test_a_failure_on_one_constant_filter_costs_that_filter_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.operators import constant_filter

    def broken(filter_: object) -> None:
        raise KeyError("broken")

    monkeypatch.setattr(constant_filter, "never", broken)
    report = analyse(PEAKS + KEYS)
    assert [o.code for o in report.opportunities] == ["HW101"]
    assert any("internal error: KeyError" in s.reason for s in report.skipped)


def test_a_condition_of_a_join_needs_no_filter_beside_it() -> None:
    text = """from pyspark.sql import functions as F

best = spark.table("s").groupBy("team").agg(F.max("score").alias("best"))
result = best.join(spark.table("c"), (F.col("team") == F.col("home")) & (F.col("best") > 90))
"""
    options = Options(schemas={"s": "team string, score int", "c": "home string"})
    assert [o.prefilter_sql for o in analyse_text(text, options).opportunities] == ["score > 90"]
