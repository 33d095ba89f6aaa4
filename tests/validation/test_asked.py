"""Conditions on results that are read wrongly, which translation validation must see, and the columns that they are."""

from __future__ import annotations

import math

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.python.builtins import slice_tests
from headwater.python.row_udf import asked_results
from headwater_ir.asked import asked_column, condition_of, in_asked_columns
from headwater_ir.expr import TRUE, And, Call, Col, Compare, Expr, In, IsNull, Lit, Not, Out, StringTest
from headwater_ir.types import BOOL, FLOAT, INT, STRING

PROGRAM = """
from pyspark.sql import functions as F
f = F.udf(lambda v: {body}, "{result}")
spark.table("t").withColumn("y", f("v")).filter({condition!r}).show()
"""
Y, WORD = Col("y"), Lit("a`)\n\U0001f600", STRING)
CONDITIONS: tuple[Expr, ...] = (
    Compare("==", Y, WORD, "sql"),
    Compare("==", Y, Lit(1, INT), "sql"),
    Compare("==", Y, Lit(1.0, FLOAT), "sql"),
    Compare("==", Y, Lit(True, BOOL), "sql"),
    Compare("==", Y, Lit(math.nan, FLOAT), "sql"),
    Compare("!=", Y, WORD, "sql"),
    In(Y, (WORD, Lit("b", STRING)), "sql"),
    In(Y, (Lit("b", STRING), WORD), "sql"),
    StringTest("startswith", Y, WORD, "sql"),
    IsNull(Y),
    IsNull(Col("z")),
)


def reasons(body: str, result: str, condition: str, column: str) -> list[str]:
    """Why nothing is found in a program."""
    source = PROGRAM.format(body=body, result=result, condition=condition)
    report = analyse(source, Options(timeout_seconds=30.0, schemas={"t": f"v {column}"}))
    assert report.error is None
    return [s.reason for s in report.skipped]


def test_a_year_that_begins_late_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """``y > 1995`` without the first day of 1996."""
    assert not reasons("v.year", "int", "y > 1995", "date")
    law = slice_tests._year

    def late(op: str, day: Expr, year: int) -> Expr | None:
        found = law(">=", day, year + 1)
        assert isinstance(found, Compare)
        return Compare(">", found.left, found.right, "python")

    monkeypatch.setattr(slice_tests, "_year", late)
    (why,) = reasons("v.year", "int", "y > 1995", "date")
    assert "the reading of `lambda` is not what it does" in why


def test_a_missing_result_that_passes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result that is None, taken for one of the texts."""
    body, condition = "v[:2] if v is not None else None", "y = 'ab'"
    assert not reasons(body, "string", condition, "string")
    plain = asked_results._as_it_is

    def passing(e: Expr, column: str, value: Expr) -> Expr:
        return TRUE if isinstance(value, Lit) and value.value is None else plain(e, column, value)

    monkeypatch.setattr(asked_results, "_as_it_is", passing)
    (why,) = reasons(body, "string", condition, "string")
    assert "the reading of `lambda` is not what it does" in why


@pytest.mark.parametrize("condition", CONDITIONS, ids=repr)
def test_the_name_of_a_condition_says_which_it_is(condition: Expr) -> None:
    name = asked_column(condition)
    assert repr(condition_of(name)) == repr(condition)
    assert [c for c in CONDITIONS if asked_column(c) == name] == [condition]
    assert condition_of("y") is None


def test_only_conditions_that_are_known_become_columns() -> None:
    one, other, *_ = CONDITIONS
    known = {asked_column(one)}
    assert in_asked_columns(And((Not(one), other)), known) == And((Not(Col(asked_column(one))), other))
    of_outputs = Compare("==", Out("y"), WORD, "sql")
    assert in_asked_columns(of_outputs, known) == Out(asked_column(one))
    assert in_asked_columns(Call("f", (Y,), BOOL), known) == Call("f", (Y,), BOOL)
