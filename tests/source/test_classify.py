"""What a source can do with a condition, the table and the real Parquet reader side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.rewrite.spell_sql import spell_sql
from headwater.source.classify import classify
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Expr

WHOLE, FRACTION, TEXT = ir.Col("i"), ir.Col("d"), ir.Col("s")


def lit(v: ir.Scalar) -> ir.Lit:
    t = ty.STRING if isinstance(v, str) else ty.FLOAT if isinstance(v, float) else ty.INT
    return ir.Lit(v, t)


def sql(op: ir.CompareOp, a: Expr, b: Expr) -> Expr:
    return ir.Compare(op, a, b, "sql")


OVER = sql(">", WHOLE, lit(100))
NAN = ir.IsNaN(FRACTION)
PARQUET: list[tuple[Expr, str, str]] = [
    (OVER, "inexact", "GreaterThan(i,100)"),
    (sql("<", lit(100), WHOLE), "inexact", "GreaterThan(i,100)"),
    (sql("!=", WHOLE, lit(5)), "inexact", "Not(EqualTo(i,5))"),
    (ir.Same(WHOLE, lit(5)), "inexact", "EqualNullSafe(i,5)"),
    (ir.Not(ir.IsNull(WHOLE)), "inexact", "IsNotNull(i)"),
    (ir.IsNull(WHOLE), "inexact", "IsNull(i)"),
    (ir.In(WHOLE, (lit(1), lit(2)), "sql"), "inexact", "In(i, [1,2])"),
    (ir.StringTest("startswith", TEXT, lit("a"), "sql"), "inexact", "StringStartsWith(s,a)"),
    (ir.Or((OVER, sql("==", TEXT, lit("x")))), "inexact", "Or(GreaterThan(i,100),EqualTo(s,x))"),
    (ir.And((OVER, NAN)), "inexact", "GreaterThan(i,100)"),
    (NAN, "unsupported", ""),
    (ir.Or((sql(">", FRACTION, lit(1.5)), NAN)), "unsupported", ""),
    (sql(">", ir.Arith("*", FRACTION, lit(0.9), "sql"), lit(1.5)), "unsupported", ""),
    (sql(">", WHOLE, ir.Col("j")), "unsupported", ""),
]


@pytest.mark.parametrize(("condition", "kind", "_"), PARQUET, ids=lambda v: v if isinstance(v, str) else None)
def test_parquet(condition: Expr, kind: str, _: str) -> None:
    assert classify(condition, "parquet").kind == kind


@pytest.mark.parametrize("condition", [c for c, kind, _ in PARQUET if kind != "unsupported"])
def test_a_source_without_filters_supports_nothing(condition: Expr) -> None:
    assert classify(condition, "memory").kind == "unsupported"
    assert classify(condition, "unknown").kind == "unsupported"


def test_a_disjunction_is_as_weak_as_its_weakest_branch_and_a_conjunction_as_strong_as_its_strongest() -> None:
    assert classify(ir.Or((OVER, NAN)), "jdbc").kind == "unsupported"
    assert classify(ir.And((OVER, NAN)), "jdbc").kind == "exact"


@pytest.mark.spark
def test_spark_hands_down_what_the_table_says(spark: object, tmp_path: Path) -> None:
    """The pushed filters of the physical plan; a leaf that is unsupported must not be among them."""
    path = str(tmp_path / "t")
    frame = spark.sql("select 1 as i, 2 as j, 1.5D as d, 'a' as s")  # type: ignore[attr-defined]
    frame.write.parquet(path)
    for condition, kind, pushed in PARQUET:
        text = spell_sql(condition)
        plan = spark.read.parquet(path).filter(text)._jdf.queryExecution().executedPlan().toString()  # type: ignore[attr-defined]
        handed = plan.split("PushedFilters: [", 1)[1].split("], ReadSchema")[0]
        if kind == "unsupported":
            assert not any(word in handed for word in ("Than", "Equal", "In(", "Or(")), (text, handed)
        else:
            assert pushed in handed, (text, handed)
