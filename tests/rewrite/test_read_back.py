"""What a rewrite spells in SQL is read back as the same condition: else it would be proposed again, and again."""

from __future__ import annotations

import pytest

from headwater.pyspark.reading.module import read_module
from headwater.rewrite.spell_sql import spell_sql
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Expr

X, S, D = ir.Col("x"), ir.Col("s"), ir.Col("d")
FIVE, TEXT, HALF = ir.Lit(5, ty.INT), ir.Lit("it's", ty.STRING), ir.Lit(0.5, ty.FLOAT)
ORDERS: tuple[ir.CompareOp, ...] = ("==", "!=", "<", "<=", ">", ">=")
TESTS: tuple[ir.StringOp, ...] = ("startswith", "endswith", "contains")
CONDITIONS: list[Expr] = [
    *(ir.Compare(op, X, FIVE, "sql") for op in ORDERS),
    *(ir.StringTest(op, S, TEXT, "sql") for op in TESTS),
    ir.IsNull(X),
    ir.Not(ir.IsNull(S)),
    ir.IsNaN(D),
    ir.In(S, (TEXT, ir.Lit("b", ty.STRING)), "sql"),
    ir.Not(ir.StringTest("contains", S, TEXT, "sql")),
    ir.And((ir.Compare(">", D, HALF, "sql"), ir.Not(ir.IsNaN(D)))),
    ir.Or((ir.Compare("<", X, FIVE, "sql"), ir.IsNull(X))),
    ir.Same(X, FIVE),
]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_a_condition_is_read_back(condition: Expr) -> None:
    text = spell_sql(condition)
    assert text is not None
    source = f't = spark.read.schema("x int, s string, d double").parquet("p")\nt.filter({text!r}).count()\n'
    (filter_,) = read_module(source).filters
    found = ir.conjoin([c.condition for c in filter_.conjuncts])
    assert ir.conjuncts(found) == ir.conjuncts(condition)
