"""The sql dialect means what Spark does: each expression is a column of one query over all pairs of adversarial values.

A column is asked for only on the rows where the interpreter finds a value; on a sample of the others Spark must raise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater_ir import expr as ir
from headwater_ir import types as ty
from tests.conformance.cases import LEAVES, PAIRS, expressions, rows
from tests.conformance.render import SQL_TYPES, sql
from tests.strategies import BASIC_TYPES, Scope, exprs, scalars

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
Row = dict[str, ir.Scalar]
ERROR = object()


def by_us(e: ir.Expr, row: Row) -> object:
    """What the interpreter makes of it."""
    try:
        return evaluate(e, Env(row, params=row, outs=row))
    except EvaluationError:
        return ERROR


def frame(spark: SparkSession, columns: Sequence[tuple[str, ty.Type]], table: Sequence[Row]) -> Any:
    """The rows as a DataFrame, numbered by ``id``."""
    schema = ", ".join(["id int", *(f"{name} {SQL_TYPES[t.name]}" for name, t in columns)])
    return spark.createDataFrame([(i, *(row[name] for name, _ in columns)) for i, row in enumerate(table)], schema)


def guarded(e: ir.Expr, defined: Sequence[int]) -> str:
    """``e`` on the rows where it is defined, NULL elsewhere: under ANSI mode one error ends the whole query."""
    return f"CASE WHEN id IN ({', '.join(map(str, defined)) or '-1'}) THEN {sql(e)} END"


def shown(value: object) -> tuple[str, str]:
    """A comparable image: type, value, NaN and the sign of zero."""
    return type(value).__name__, repr(value)


def alike(e: ir.Expr, ours: object, theirs: object) -> bool:
    """Identical; but ``power`` of Java's and C's libraries may differ in the last digit."""
    power = isinstance(e, ir.Arith) and e.op == "**"
    return shown(ours) == shown(theirs) or (power and ours == pytest.approx(theirs, rel=1e-14))


def assert_agree(
    spark: SparkSession, columns: Sequence[tuple[str, ty.Type]], table: Sequence[Row], found: Sequence[ir.Expr]
) -> int:
    """Both give the same on each row; returns the number of comparisons."""
    ours = [[by_us(e, row) for row in table] for e in found]
    defined = [[i for i, v in enumerate(column) if v is not ERROR] for column in ours]
    texts = [guarded(e, ids) for e, ids in zip(found, defined, strict=True)]
    result = frame(spark, columns, table).selectExpr("id", *(f"{t} AS r{i}" for i, t in enumerate(texts))).collect()
    compared = 0
    for row in result:
        for n, e in enumerate(found):
            if ours[n][row["id"]] is not ERROR:
                assert alike(e, ours[n][row["id"]], row[f"r{n}"]), f"{sql(e)} on {table[row['id']]}"
                compared += 1
    return compared


@pytest.mark.parametrize("types", PAIRS, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def test_every_node(spark: SparkSession, types: tuple[ty.Type, ty.Type]) -> None:
    columns = (("a", types[0]), ("b", types[1]))
    assert assert_agree(spark, columns, rows(*types), expressions(*types, "sql"))


@pytest.mark.parametrize("t", [ty.INT64, ty.FLOAT], ids=str)
def test_what_raises_here_raises_there(spark: SparkSession, t: ty.Type) -> None:
    from pyspark.errors import PySparkException

    for e in expressions(t, t, "sql"):
        wrong = [row for row in rows(t, t) if by_us(e, row) is ERROR]
        for row in wrong[:: max(1, len(wrong) // 2)]:
            with pytest.raises(PySparkException, match=r"OVERFLOW|BY_ZERO"):
                frame(spark, (("a", t), ("b", t)), [row]).selectExpr(sql(e)).collect()


def test_raise(spark: SparkSession) -> None:
    from pyspark.errors import PySparkException

    with pytest.raises(PySparkException, match="no way"):
        spark.range(1).selectExpr(sql(ir.Raise("no way"))).collect()


def test_empty_in(spark: SparkSession) -> None:
    """``isin()`` of nothing is false, for NULL too."""
    from pyspark.sql import functions as F

    got = frame(spark, (("a", ty.INT64),), [{"a": None}, {"a": 1}]).select(F.col("a").isin([]).alias("r")).collect()
    ours = [by_us(ir.In(ir.Col("a"), (), "sql"), {"a": v}) for v in (None, 1)]
    assert [r["r"] for r in got] == ours == [False, False]


def test_leaves(spark: SparkSession) -> None:
    """Columns, parameters, outputs and slots are plain values."""
    row: Row = {"a": 1, "b": None}
    env = Env(row, ((7,), None, None), {"b": 2.5}, {"b": "p"})
    *present, absent = LEAVES
    assert [evaluate(e, env) for e in present] == [1, 7, 2.5, "p", True, False]
    with pytest.raises(EvaluationError):
        evaluate(absent, env)


COLUMNS = tuple((f"c{i}", t) for i, t in enumerate((*BASIC_TYPES, ty.INT64, ty.FLOAT)))
SQL = Scope(COLUMNS, dialects=("sql",), opaque=False)
TYPED = st.sampled_from(BASIC_TYPES).flatmap(lambda t: exprs(t, SQL, 3))


def speakable(e: ir.Expr) -> bool:
    """Whether Spark SQL can say it."""
    return not any(isinstance(n, ir.Truthy) for n in ir.walk(e))


@settings(max_examples=3)
@given(
    st.lists(TYPED.filter(speakable), min_size=60, max_size=60),
    st.lists(st.fixed_dictionaries({name: scalars(t) for name, t in COLUMNS}), min_size=30, max_size=30),
)
def test_random_expressions(spark: SparkSession, found: list[ir.Expr], table: list[Row]) -> None:
    assert assert_agree(spark, COLUMNS, table, found)
