"""What a source can do with a condition: how the classes of parts are composed. ``test_cells`` measures the table."""

from __future__ import annotations

import pytest

from headwater.source.classify import Source, classify
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
PARQUET: list[tuple[Expr, str]] = [
    (OVER, "inexact"),
    (sql("<", lit(100), WHOLE), "inexact"),
    (sql("!=", WHOLE, lit(5)), "inexact"),
    (ir.Same(WHOLE, lit(5)), "inexact"),
    (ir.Not(ir.IsNull(WHOLE)), "inexact"),
    (ir.IsNull(WHOLE), "inexact"),
    (ir.In(WHOLE, (lit(1), lit(2)), "sql"), "inexact"),
    (ir.StringTest("startswith", TEXT, lit("a"), "sql"), "inexact"),
    (ir.Or((OVER, sql("==", TEXT, lit("x")))), "inexact"),
    (ir.And((OVER, NAN)), "inexact"),
    (NAN, "unsupported"),
    (ir.Or((sql(">", FRACTION, lit(1.5)), NAN)), "unsupported"),
    (sql(">", ir.Arith("*", FRACTION, lit(0.9), "sql"), lit(1.5)), "unsupported"),
    (sql(">", WHOLE, ir.Col("j")), "unsupported"),
]


PLAIN = Source("parquet")


@pytest.mark.parametrize(("condition", "kind"), PARQUET, ids=lambda v: v if isinstance(v, str) else None)
def test_parquet(condition: Expr, kind: str) -> None:
    assert classify(condition, PLAIN).kind == kind


@pytest.mark.parametrize("condition", [c for c, kind in PARQUET if kind != "unsupported"])
@pytest.mark.parametrize("name", ["memory", "unknown", "rdd", "text", "avro", "table", "pickles"])
def test_a_source_without_filters_supports_nothing(condition: Expr, name: str) -> None:
    assert classify(condition, Source(name)).kind == "unsupported"


def test_a_disjunction_is_as_weak_as_its_weakest_branch() -> None:
    jdbc = Source("jdbc")
    assert classify(ir.Or((OVER, NAN)), jdbc).kind == "unsupported"
    assert classify(ir.Or((OVER, ir.And((OVER, NAN)))), jdbc).kind == "unsupported"
    assert classify(ir.Or((OVER, sql("==", TEXT, lit("x")))), jdbc).kind == "exact"


def test_a_conjunction_names_what_goes_down_and_what_stays() -> None:
    found = classify(ir.And((OVER, ir.And((NAN, sql("==", TEXT, lit("x")))))), Source("jdbc"))
    assert found.kind == "inexact"
    assert found.go_down == (OVER, sql("==", TEXT, lit("x")))
    assert found.stay == (NAN,)
    assert classify(ir.And((OVER, OVER)), Source("jdbc")).kind == "exact"
    assert classify(ir.And((NAN, NAN)), Source("jdbc")).kind == "unsupported"


def test_a_negation_is_of_what_it_denies() -> None:
    """Of a part that the source leaves out only some rows for, the negation leaves out others: none may be inferred."""
    assert classify(ir.Not(ir.And((OVER, NAN))), Source("jdbc")).kind == "unsupported"
    assert classify(ir.Not(ir.Or((OVER, NAN))), Source("jdbc")).kind == "inexact"
    assert classify(ir.Not(ir.Not(OVER)), Source("jdbc")).kind == "exact"


def test_a_constant_of_another_type_is_compared_with_a_cast() -> None:
    text = Source("parquet", {"i": ty.STRING})
    assert classify(OVER, text).kind == "unsupported"
    assert classify(OVER, Source("parquet", {"i": ty.OPAQUE})).kind == "unsupported"
    assert classify(OVER, Source("csv", rest=ty.STRING)).kind == "unsupported"
    assert "if the column" in classify(OVER, PLAIN).why


def test_a_function_of_the_user_does_not_select_partitions() -> None:
    mine = ir.Compare("==", ir.Call("mine", (WHOLE,), ty.INT32), lit(1), "sql")
    source = Source("parquet", partitions=frozenset({"i"}))
    assert classify(mine, source).kind == "unsupported"
    assert classify(sql("==", ir.Call("spark.month", (WHOLE,), ty.INT32), lit(1)), source).kind == "exact"
    assert classify(sql("==", ir.Arith("+", WHOLE, ir.Col("j"), "sql"), lit(1)), source).kind == "unsupported"


@pytest.mark.parametrize("partitions", [frozenset[str](), frozenset({"p"})])
@pytest.mark.parametrize("constant", [ir.TRUE, ir.FALSE, lit(True), ir.Not(ir.TRUE), ir.And((ir.FALSE,))])
def test_a_constant_condition_is_no_matter_of_the_source(constant: Expr, partitions: frozenset[str]) -> None:
    assert classify(constant, Source("parquet", partitions=partitions)).kind == "unsupported"
