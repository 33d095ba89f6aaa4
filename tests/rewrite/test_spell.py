"""Expressions as Column code and as SQL text. Every Column text must also mean what it says: it is parsed back."""

from __future__ import annotations

import datetime as dt
import math

import pytest

from headwater.rewrite.python_text import prevailing_quote, string_literal
from headwater.rewrite.spell_column import ColumnSpeller
from headwater.rewrite.spell_sql import CannotSpell, spell_sql
from headwater_ir.expr import (
    FALSE,
    TRUE,
    And,
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    In,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Neg,
    Not,
    Or,
    Param,
    Raise,
    Same,
    Slot,
    StringTest,
    Truthy,
)
from headwater_ir.plan import Spelling
from headwater_ir.types import ANY, BOOL, DATE, FLOAT, INT, STRING, TIMESTAMP

A, B = Col("a"), Col("b")
ONE = Lit(1, INT)
A_GT_1 = Compare(">", A, ONE, "sql")
B_THERE = Not(IsNull(B))

TABLE: list[tuple[Expr, str, str | None]] = [
    (A_GT_1, 'F.col("a") > 1', "a > 1"),
    (Compare("==", A, Lit("it's", STRING), "sql"), """F.col("a") == "it's\"""", "a = 'it\\'s'"),
    (Compare("<", ONE, A, "sql"), 'F.col("a") > 1', "1 < a"),
    (And((A_GT_1, B_THERE)), '(F.col("a") > 1) & F.col("b").isNotNull()', "a > 1 AND b IS NOT NULL"),
    (
        Or((And((A_GT_1, B_THERE)), IsNull(A))),
        '((F.col("a") > 1) & F.col("b").isNotNull()) | F.col("a").isNull()',
        "(a > 1 AND b IS NOT NULL) OR a IS NULL",
    ),
    (And((Or((A_GT_1, B_THERE)), A)), '((F.col("a") > 1) | F.col("b").isNotNull()) & F.col("a")',
     "(a > 1 OR b IS NOT NULL) AND a"),
    (Not(A_GT_1), '~(F.col("a") > 1)', "NOT (a > 1)"),
    (Not(Or((A, B))), '~(F.col("a") | F.col("b"))', "NOT (a OR b)"),
    (Not(IsNaN(A)), '~F.isnan("a")', "NOT isnan(a)"),
    (IsNaN(Arith("+", A, ONE, "sql")), 'F.isnan(F.col("a") + 1)', "isnan(a + 1)"),
    (In(A, (ONE, Lit("x", STRING)), "sql"), 'F.col("a").isin(1, "x")', "a IN (1, 'x')"),
    (Not(In(A, (ONE,), "sql")), '~F.col("a").isin(1)', "a NOT IN (1)"),
    (In(A, (), "sql"), "F.lit(False)", "false"),
    (StringTest("contains", A, Lit("x", STRING), "sql"), 'F.col("a").contains("x")', "contains(a, 'x')"),
    (Same(A, Lit(None, ANY)), 'F.col("a").eqNullSafe(F.lit(None))', "a <=> NULL"),
    (Same(ONE, A), 'F.col("a").eqNullSafe(1)', "1 <=> a"),
    (Compare("==", A, Lit(True, BOOL), "sql"), 'F.col("a") == F.lit(True)', "a = true"),
    (Compare(">", A, Lit(-1, INT), "sql"), 'F.col("a") > -1', "a > -1"),
    (Compare("<", A, Lit(math.inf, FLOAT), "sql"), 'F.col("a") < F.lit(float("inf"))', "a < double('Infinity')"),
    (Compare("<", A, Lit(math.nan, FLOAT), "sql"), 'F.col("a") < F.lit(float("nan"))', "a < double('NaN')"),
    (Compare(">", A, Lit(0.5, FLOAT), "sql"), 'F.col("a") > 0.5', "a > 0.5"),
    (
        Compare(">=", A, Lit(dt.date(2024, 1, 2), DATE), "sql"),
        'F.col("a") >= F.lit("2024-01-02").cast("date")', "a >= DATE '2024-01-02'",
    ),
    (
        Compare(">=", A, Lit(dt.datetime(2024, 1, 2, 3, 4), TIMESTAMP), "sql"),
        'F.col("a") >= F.lit("2024-01-02 03:04:00").cast("timestamp")', "a >= TIMESTAMP '2024-01-02 03:04:00'",
    ),
    (
        Compare(">", Arith("*", Arith("+", A, B, "sql"), ONE, "sql"), ONE, "sql"),
        '(F.col("a") + F.col("b")) * 1 > 1', "(a + b) * 1 > 1",
    ),
    (Arith("-", A, Arith("-", B, ONE, "sql"), "sql"), 'F.col("a") - (F.col("b") - 1)', "a - (b - 1)"),
    (Arith("-", ONE, A, "sql"), '1 - F.col("a")', "1 - a"),
    (Arith("*", A, Lit(1.1, FLOAT), "sql"), 'F.col("a") * 1.1', "a * 1.1D"),
    (Arith("+", Lit(-1.5, FLOAT), A, "sql"), '-1.5 + F.col("a")', "-1.5D + a"),
    (Arith("+", ONE, ONE, "sql"), "F.lit(1) + 1", "1 + 1"),
    (Neg(A, "sql"), '-F.col("a")', "-a"),
    (
        Compare("==", If(A_GT_1, ONE, Lit("x", STRING)), ONE, "sql"),
        'F.when(F.col("a") > 1, 1).otherwise("x") == 1', "CASE WHEN a > 1 THEN 1 ELSE 'x' END = 1",
    ),
    (Not(IsTrue(A_GT_1)), '~(F.col("a") > 1).eqNullSafe(True)', "NOT ((a > 1) <=> true)"),
    (And((IsTrue(A_GT_1), IsTrue(B))), '(F.col("a") > 1) & F.col("b")', "(a > 1) <=> true AND b <=> true"),
    (TRUE, "F.lit(True)", "true"),
    (FALSE, "F.lit(False)", "false"),
    (IsNull(Col("my col")), 'F.col("my col").isNull()', "`my col` IS NULL"),
    (IsNull(Col("order")), 'F.col("order").isNull()', "`order` IS NULL"),
    (Compare("<", A, Param("top"), "sql"), 'F.col("a") < top', None),
    (Compare("<", Param("top"), A, "sql"), 'F.col("a") > top', None),
    (In(A, (Param("x"), ONE), "sql"), 'F.col("a").isin(x, 1)', None),
]  # fmt: skip


@pytest.mark.parametrize(("e", "column", "sql"), TABLE, ids=[str(i) for i in range(len(TABLE))])
def test_spelling(e: Expr, column: str, sql: str | None) -> None:
    assert ColumnSpeller(Spelling("F", None)).condition(e) == column
    assert spell_sql(e) == sql


@pytest.mark.parametrize(
    "e",
    [
        Slot(0),
        Truthy(A),
        Raise("no"),
        Call("f", (A,), ANY),
        Compare("<", A, ONE, "python"),
        And((A, B), "python"),
        Not(A, "python"),
        In(A, (ONE,), "python"),
        Arith("//", A, ONE, "sql"),
        Arith("**", A, ONE, "sql"),
    ],
)
def test_no_spelling(e: Expr) -> None:
    with pytest.raises(CannotSpell):
        ColumnSpeller(Spelling("F", None)).condition(e)
    assert spell_sql(e) is None


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**30])
def test_no_spelling_of_whole_numbers_beyond_64_bits(value: int) -> None:
    """``F.col("x") > 2**63`` is a ``Py4JError`` (PySpark 4.3): an error that the original does not have."""
    with pytest.raises(CannotSpell):
        ColumnSpeller(Spelling("F", None)).condition(Compare(">", A, Lit(value, INT), "sql"))


def test_names_as_imported() -> None:
    e = And((IsNaN(A), Compare("<", A, Lit(None, ANY), "sql")))
    speller = ColumnSpeller(Spelling(None, "c", (("isnan", "nan"),)), "'")
    assert speller.condition(e) == "nan('a') & (c('a') < F.lit(None))"
    assert speller.needs_import
    assert speller.names == {"nan", "c", "F"}
    both = ColumnSpeller(Spelling("f", "col", (("lit", "lit"),)), prefer_bare=True)
    assert both.condition(e) == 'f.isnan("a") & (col("a") < lit(None))'
    assert not both.needs_import


def test_sql_literals_parse_back() -> None:
    import sqlglot

    for e, _, sql in TABLE:
        if sql is not None:
            assert sqlglot.parse_one(f"SELECT * FROM t WHERE {sql}", dialect="spark") is not None, e


@pytest.mark.parametrize("value", ["a", "it's", 'say "x"', "\\", "'\"", "a\nb", "", "\\\"'\\", "é\u2028\0🦆"])
@pytest.mark.parametrize("quote", ['"', "'"])
def test_string_literals_mean_the_value(value: str, quote: str) -> None:
    import ast

    assert ast.literal_eval(string_literal(value, quote)) == value  # type: ignore[arg-type]


def test_prevailing_quote() -> None:
    assert prevailing_quote("a = 'x'\nb = 'y'\nc = \"z\"\n") == "'"
    assert prevailing_quote('"""It\'s"""\nb = "y"\n') == '"'
    assert prevailing_quote("b = '") == '"'
