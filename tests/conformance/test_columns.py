"""Column expressions and SQL texts mean in Spark what the front end reads in them: each case is read, interpreted, and
run as it stands, on rows of adversarial values."""

from __future__ import annotations

import ast
import datetime as dt
import math
import random
from functools import cache
from typing import TYPE_CHECKING

import pytest

from headwater.pyspark.columns.column_calls import NAMES_OF_COLUMNS, TEXTS
from headwater.pyspark.columns.spark_functions import PURE
from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater_ir import expr as ir
from headwater_ir.plan import Project
from headwater_ir.types import FLOAT32, STRING, Type
from tests.pyspark.render import last
from tests.strategies import ADVERSARIAL

from .column_cases import COLUMNS, METHODS, OPAQUE, SCHEMA, SQL, SQL_OPAQUE, TEXTS_FIRST

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

HEAD = f"""
from pyspark.sql import functions as F, SparkSession
import datetime
spark = SparkSession.builder.getOrCreate()
df = spark.read.schema("{SCHEMA}").parquet("p")
"""
NAMES = [c.split()[0] for c in SCHEMA.split(", ")]
Row = dict[str, ir.Scalar]
ERROR = object()


class NotTranslated(Exception):
    """The front end gives it no meaning."""


@cache
def read(text: str) -> ir.Expr:
    """What the front end reads in a column expression."""
    found = last(f'df.withColumn("zz", {text}).filter(F.col("zz").isNotNull())', HEAD).child
    value = found.columns[0][1] if isinstance(found, Project) else None
    if value is None or (isinstance(value, ir.Call) and value.kind == "unread"):
        raise NotTranslated(text)
    return value


def in_sql(text: str) -> str:
    """A SQL text as a column expression."""
    return f"F.expr({text!r})"


@cache
def table(small: bool) -> tuple[Row, ...]:
    """Rows of adversarial values, each value of each column in some. ``small``: integers whose sums and products stay
    within 32 bits, for an integer of that size overflows on an unknown predicate (``semantics.arithmetic``)."""
    chance = random.Random(7)
    ints = (0, 1, -1, 2, 90) if small else (0, 1, -1, 2, 90, 2**31 - 1, -(2**31))
    pools: dict[str, tuple[ir.Scalar, ...]] = {
        "i": ints, "n": ints if small else ADVERSARIAL["int"], "y": ADVERSARIAL["float"],
        "f": (0.0, -0.0, 0.10000000149011612, 1.5, 90.0, math.nan, math.inf, 2.0**24),
        "s": ADVERSARIAL["string"], "d": ADVERSARIAL["date"], "b": (True, False),
    }  # fmt: skip
    size = 60
    columns = {}
    for name, pool in pools.items():
        values = [*pool, *(chance.choice((*pool, None)) for _ in range(size - len(pool)))]
        chance.shuffle(values)
        columns[name] = values
    return tuple({name: columns[name][i] for name in pools} for i in range(size))


def by_us(e: ir.Expr, row: Row) -> object:
    """What the interpreter makes of it."""
    try:
        return evaluate(e, Env(row))
    except EvaluationError:
        return ERROR


def alike(ours: object, theirs: object) -> bool:
    """Equal, NaN and the sign of zero included; an int may stand for a double, as in ``when(c, 1).otherwise(y)``."""
    if type(ours) is int and isinstance(theirs, float):
        ours = float(ours)
    return (type(ours), repr(ours)) == (type(theirs), repr(theirs))


def frame(spark: SparkSession, rows: tuple[Row, ...]) -> DataFrame:
    """The rows, numbered."""
    data = [(i, *(row[n] for n in NAMES)) for i, row in enumerate(rows)]
    return spark.createDataFrame(data, f"id int, {SCHEMA}").coalesce(1)


def computes(e: ir.Expr) -> bool:
    """Whether something in it may overflow."""
    return any(isinstance(n, (ir.Arith, ir.Neg)) for n in ir.walk(e))


@pytest.mark.parametrize("text", [*COLUMNS, *map(in_sql, SQL)])
def test_the_meaning_is_known(text: str) -> None:
    assert not any(isinstance(n, ir.Call) for n in ir.walk(read(text)))


@pytest.mark.spark
@pytest.mark.parametrize("small", [True, False])
def test_spark_agrees(spark: SparkSession, small: bool) -> None:
    """All cases are columns of one query, each asked for where the interpreter finds a value."""
    import pyspark.sql.functions as F

    cases = [t for t in (*COLUMNS, *map(in_sql, SQL)) if computes(read(t)) <= small]
    rows, df = table(small), frame(spark, table(small))
    ours = [[by_us(read(t), row) for row in rows] for t in cases]
    columns = []
    for n, text in enumerate(cases):
        column = eval(text, {"F": F, "df": df, "datetime": dt})
        undefined = [i for i, v in enumerate(ours[n]) if v is ERROR]
        assert len(undefined) < len(rows) / 2
        guarded = F.when(~F.col("id").isin(undefined), column) if undefined else column
        columns.append(guarded.alias(f"r{n}"))
    for found in df.select("id", *columns).collect():
        for n, text in enumerate(cases):
            expected, value = ours[n][found["id"]], found[f"r{n}"]
            assert expected is ERROR or alike(expected, value), (text, rows[found["id"]], expected, value)


@pytest.mark.spark
def test_conjuncts_of_sql_filters(spark: SparkSession) -> None:
    """A SQL filter keeps the rows for which each of its conjuncts is TRUE."""
    rows, df = table(True), frame(spark, table(True))
    texts = [t for t in SQL if isinstance(read(in_sql(t)), (ir.Compare, ir.And, ir.Or, ir.Not, ir.In, ir.IsNull))]
    texts += ["b AND (i > 1 OR y < 0) AND s = 'a'", "i between 0 and 2 and n > 0", "case when b and i > 0 then true end and n > 0"]  # fmt: skip # noqa: E501
    kept = {t: {r["id"] for r in df.filter(t).select("id").collect()} for t in texts[-3:]}
    flags = df.selectExpr("id", *(f"({t}) is true r{n}" for n, t in enumerate(texts[:-3]))).collect()
    kept |= {t: {r["id"] for r in flags if r[f"r{n}"]} for n, t in enumerate(texts[:-3])}
    for text in texts:
        parts = [c.condition for c in last(f"df.filter({text!r})", HEAD).conjuncts]
        assert kept[text] == {i for i, row in enumerate(rows) if all(by_us(p, row) is True for p in parts)}, text


def calls() -> dict[str, str]:
    """By function of ``PURE``, the expression that calls it."""
    return {name: f"F.{name}({given})" for name, given in OPAQUE.items() if given}


def test_opaque_calls_are_read_as_such() -> None:
    for name, text in calls().items():
        found = read(text)
        assert isinstance(found, ir.Call)
        assert (found.name, found.type) == (f"spark.{name}", PURE[name][0])
        assert found.total >= PURE[name][1]


def test_other_opaque_calls() -> None:
    assert all(isinstance(read(text), ir.Call) for text in METHODS)
    for text, column in SQL_OPAQUE.items():
        assert read(in_sql(text)) == read(column)


def test_functions_of_a_plain_text_are_not_read() -> None:
    """No text is known that ``concat_ws(df.s, …)`` puts between."""
    for text in (*TEXTS_FIRST, *(f'F.{n}("s", "a")' for n, given in OPAQUE.items() if not given)):
        with pytest.raises(NotTranslated):
            read(text)


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ('F.date_trunc("d", df.d)', (ir.Lit("d", STRING), ir.Col("d"))),
        ('F.date_format("s", "d")', (ir.Col("s"), ir.Lit("d", STRING))),
        ('F.trunc("d", "d")', (ir.Col("d"), ir.Lit("d", STRING))),
    ],
)
def test_a_pattern_is_no_column(text: str, args: tuple[ir.Expr, ...]) -> None:
    """``date_trunc("d", …)`` is no function of a column ``d``, and ``date_format(…, "d")`` neither."""
    found = read(text)
    assert isinstance(found, ir.Call)
    assert found.args == args


def string_places() -> list[tuple[str, int, bool]]:
    """Of each function the places of arguments in which the front end reads a string, and whether it is a name."""
    return [
        (text, place, place not in TEXTS.get(name, ()))
        for name, text in {**calls(), **SEVERAL_NAMES}.items()
        for place in range(len(arguments(text)))
        if place in (0, *TEXTS.get(name, ())) or name in NAMES_OF_COLUMNS
    ]


SEVERAL_NAMES = {
    "coalesce": "F.coalesce(df.i, df.n)",
    "nvl": "F.nvl(df.i, df.n)",
    "ifnull": "F.ifnull(df.i, df.n)",
    "date_diff": "F.date_diff(df.d, df.d)",
    "dateadd": "F.dateadd(df.d, 1)",
    "extract": "F.extract(F.lit('year'), df.d)",
    "date_part": "F.date_part(F.lit('year'), df.d)",
    "datepart": "F.datepart(F.lit('year'), df.d)",
}


def arguments(text: str) -> list[str]:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    return [ast.unparse(a) for a in call.args]


@pytest.mark.spark
def test_what_a_string_argument_is(spark: SparkSession) -> None:
    """Spark looks for a column of its name where the front end takes it for one, and nowhere else."""
    import pyspark.sql.functions as F
    from pyspark.errors import AnalysisException

    df = frame(spark, table(True))
    assert NAMES_OF_COLUMNS | TEXTS.keys() <= {text.split("(")[0][2:] for text, _, _ in string_places()}
    for text, place, is_name in string_places():
        given = arguments(text)
        given[place] = "'zz_none'"
        column = eval(f"{text.split('(')[0]}({', '.join(given)})", {"F": F, "df": df})
        missing = False
        try:
            df.select(column)
        except AnalysisException as error:
            missing = "UNRESOLVED_COLUMN" in (error.getCondition() or "")
        assert missing == is_name, (text, place)


@pytest.mark.spark
def test_claims_on_opaque_functions(spark: SparkSession) -> None:
    """Of an uninterpreted function its type is claimed, that equal rows give equal results, and of some that they never
    raise: these run on every row, the others on small numbers."""
    import pyspark.sql.functions as F

    for small in (True, False):
        chosen = {n: t for n, t in calls().items() if small != is_total(t)}
        df = frame(spark, table(small))
        twice = df.unionAll(df).orderBy("id").coalesce(1)
        asked = [eval(t, {"F": F, "df": twice}).alias(n) for n, t in chosen.items()]
        result = twice.select("id", *asked)
        for field in result.schema.fields[1:]:
            assert of_type(field.dataType.simpleString(), PURE[field.name][0]), field
        # as texts: some of these dates are beyond what Python holds
        rows = result.select("id", *(F.col(n).cast("string") for n in chosen)).collect()
        assert [repr(r) for r in rows[::2]] == [repr(r) for r in rows[1::2]]


def is_total(text: str) -> bool:
    """Whether it is claimed that the call never raises, of columns of these types."""
    found = read(text)
    assert isinstance(found, ir.Call)
    return found.total


def of_type(spark_type: str, claimed: Type) -> bool:
    """Whether a Spark type is the one that is claimed."""
    exact = {"string": "string", "bool": "boolean", "date": "date", "timestamp": "timestamp"}
    if claimed.name == "int":
        return spark_type == {8: "tinyint", 16: "smallint", 32: "int", 64: "bigint"}.get(claimed.bits or 0)
    if claimed.name == "list" and claimed.elem is not None:
        return spark_type.startswith("array<") and of_type(spark_type[6:-1], claimed.elem)
    if claimed.name in exact:
        return spark_type == exact[claimed.name]
    if claimed.name == "float":
        return spark_type == ("float" if claimed == FLOAT32 else "double")
    return claimed.name == "any" or spark_type in ("int", "bigint", "float", "double")
