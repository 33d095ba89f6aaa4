"""The same condition as SQL text and as a Column is read as the same, and is the same on Spark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from headwater.pyspark.reading.module import FrontendOptions, read_module
from headwater_ir.expr import TRUE, Call, Expr, StringTest, conjoin, walk
from tests.shares import share

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DDL = "s string, t string, d date, at timestamp, x double, i int, xs array<int>"
HEAD = "from pyspark.sql import SparkSession\nfrom pyspark.sql import functions as F\n"
SAME: list[tuple[str, str]] = [
    ("upper(s) = 'A'", "F.upper('s') == 'A'"), ("ucase(s) = 'A'", "F.upper(F.col('s')) == 'A'"),
    ("lower(s) = 'a'", "F.lower('s') == 'a'"), ("lcase(s) <> 'a'", "F.lower('s') != 'a'"),
    ("length(s) > 2", "F.length('s') > 2"), ("char_length(s) > 2", "F.length('s') > 2"),
    ("trim(s) = 'a'", "F.trim('s') == 'a'"), ("ltrim(s) = 'a '", "F.ltrim('s') == 'a '"),
    ("rtrim(s) = ' a'", "F.rtrim('s') == ' a'"), ("trim(upper(s)) = 'A'", "F.trim(F.upper('s')) == 'A'"),
    ("concat(s, t) = 'ab'", "F.concat(F.col('s'), F.col('t')) == 'ab'"),
    ("substring(s, 1, 2) = 'ab'", "F.substring('s', 1, 2) == 'ab'"),
    ("substr(s, 1, 2) = 'ab'", "F.col('s').substr(1, 2) == 'ab'"),
    ("s LIKE 'a%'", "F.col('s').like('a%')"), ("s LIKE 'a%'", "F.col('s').startswith('a')"),
    ("s LIKE '%b'", "F.col('s').endswith('b')"), ("s LIKE '%b%'", "F.col('s').contains('b')"),
    ("s LIKE 'a_b'", "F.col('s').like('a_b')"), ("s LIKE 'a%b'", "F.col('s').like('a%b')"),
    ("s LIKE '%'", "F.col('s').like('%')"), ("s LIKE 'ab'", "F.col('s').like('ab')"),
    ("s NOT LIKE 'a%'", "~F.col('s').like('a%')"), ("s RLIKE '^a'", "F.col('s').rlike('^a')"),
    ("year(d) = 2024", "F.year('d') == 2024"), ("month(d) > 2", "F.month('d') > 2"),
    ("day(d) = 29", "F.dayofmonth('d') == 29"), ("dayofmonth(d) = 29", "F.dayofmonth('d') == 29"),
    ("dayofweek(d) = 5", "F.dayofweek('d') == 5"), ("dayofyear(d) = 60", "F.dayofyear('d') == 60"),
    ("weekofyear(d) = 9", "F.weekofyear('d') == 9"), ("weekday(d) = 3", "F.weekday('d') == 3"),
    ("quarter(d) = 1", "F.quarter('d') == 1"),
    ("last_day(d) = DATE'2024-02-29'", "F.last_day('d') == datetime.date(2024, 2, 29)"),
    ("year(at) = 2024", "F.year('at') == 2024"), ("hour(at) > 5", "F.hour('at') > 5"),
    ("minute(at) = 30", "F.minute('at') == 30"), ("second(at) = 0", "F.second('at') == 0"),
    ("isnull(s)", "F.isnull('s')"), ("isnotnull(s)", "F.col('s').isNotNull()"), ("isnan(x)", "F.isnan('x')"),
    ("abs(x) > 1D", "F.abs('x') > 1.0"), ("floor(x) = 1", "F.floor('x') == 1"), ("ceil(x) = 2", "F.ceil('x') == 2"),
    ("cast(i AS string) = '7'", "F.col('i').cast('string') == '7'"),
    ("cast(d AS string) > '2024'", "F.col('d').cast('string') > '2024'"),
    ("cast(at AS date) = DATE'2024-02-29'", "F.col('at').cast('date') == datetime.date(2024, 2, 29)"),
    ("cast(at AS bigint) > 0", "F.col('at').cast('long') > 0"),
    ("date_format(at, 'yyyy-MM') = '2024-02'", "F.date_format('at', 'yyyy-MM') == '2024-02'"),
    ("date_trunc('month', at) = '2024-02-01'", "F.date_trunc('month', 'at') == '2024-02-01'"),
    ("trunc(d, 'MM') = DATE'2024-02-01'", "F.trunc('d', 'MM') == '2024-02-01'"),
    ("date_add(d, 1) = DATE'2024-03-01'", "F.date_add('d', 1) == '2024-03-01'"),
    ("dateadd(d, -1) = DATE'2024-02-28'", "F.dateadd('d', F.lit(-1)) == '2024-02-28'"),
    ("date_sub(d, 1) = DATE'2024-02-28'", "F.date_sub('d', 1) == '2024-02-28'"),
    ("datediff(d, DATE'2024-01-01') > 5", "F.datediff('d', F.lit(datetime.date(2024, 1, 1))) > 5"),
    ("date_diff(d, DATE'2024-01-01') > 5", "F.date_diff('d', F.lit(datetime.date(2024, 1, 1))) > 5"),
    ("add_months(d, 1) = DATE'2024-03-29'", "F.add_months('d', 1) == '2024-03-29'"),
    ("unix_timestamp(at) > 5", "F.unix_timestamp('at') > 5"),
    ("to_unix_timestamp(at) > 5", "F.unix_timestamp('at') > 5"),
    ("year(to_date(at)) = 2024", "F.year(F.to_date('at')) == 2024"),
    ("lpad(s, 4, '0') > '00'", "F.lpad('s', 4, '0') > '00'"),
    ("greatest(i, 3, 4) = 4", "F.greatest('i', F.lit(3), F.lit(4)) == 4"),
    ("least(i, 3) < 3", "F.least('i', F.lit(3)) < 3"),
    ("left(s, 2) = 'ab'", "F.left('s', F.lit(2)) == 'ab'"),
    ("extract(MONTH FROM d) = 2", "F.month('d') == 2"), ("day(at) = 29", "F.day('at') == 29"),
    ("at > timestamp_seconds(5)", "F.col('at') > F.timestamp_seconds(F.lit(5))"),
    ("cast(s AS int) = 5", "F.col('s').cast('int') == 5"), ("int(x) = 1", "F.col('x').cast('int') == 1"),
    ("x::bigint = 1", "F.col('x').cast('bigint') == 1"), ("string(i) = '7'", "F.col('i').cast('string') == '7'"),
    ("date(at) = DATE'2024-02-29'", "F.col('at').cast('date') == datetime.date(2024, 2, 29)"),
    ("timestamp(d) > '2024-02-29'", "F.col('d').cast('timestamp') > '2024-02-29'"),
    ("double(i) > 1D", "F.col('i').cast('double') > 1.0"),
    ("cast(s AS date) > d", "F.col('s').cast('date') > F.col('d')"),
    ("round(x) = 2", "F.round('x') == 2"), ("round(x, 1) = 1.5D", "F.round('x', 1) == 1.5"),
    ("round(i, -1) = 10", "F.round('i', -1) == 10"), ("s || t = 'ab'", "F.concat(F.col('s'), F.col('t')) == 'ab'"),
    ("s || '-' || t = 'a-b'", "F.concat(F.col('s'), F.lit('-'), F.col('t')) == 'a-b'"),
    ("unix_date(d) > 5", "F.unix_date('d') > 5"), ("unix_seconds(at) > 5", "F.unix_seconds('at') > 5"),
    ("unix_millis(at) > 5", "F.unix_millis('at') > 5"), ("unix_micros(at) > 5", "F.unix_micros('at') > 5"),
    ("from_unixtime(i) > '1970'", "F.from_unixtime('i') > '1970'"),
    ("from_unixtime(i, 'yyyy') > '1970'", "F.from_unixtime('i', 'yyyy') > '1970'"),
    ("regexp_extract(s, '^(a)', 1) = 'a'", "F.regexp_extract('s', '^(a)', 1) == 'a'"),
    ("sqrt(x) > 1D", "F.sqrt('x') > 1.0"), ("size(xs) > 1", "F.size('xs') > 1"),
]  # fmt: skip
NOT_READ = [
    "trim(BOTH 'x' FROM s) = 'a'", "instr(s, 'b') > 0", "floor(x, 1) = 1", "s LIKE 'a!%' ESCAPE '!'", "s ILIKE 'A%'",
    "octet_length(s) = 2", "dateadd(DAY, 1, d) > DATE'2024-03-01'", "datediff(DAY, d, d) = 0",
    "to_date(s, 'yyyy') = DATE'2024-01-01'", "trunc(d) = d",
    "concat_ws('-', s, t) = 'a-b'", "cast(1.50 AS string) = s", "try_cast(x AS int) = 1", "round(1.5) = x",
    "try_cast(s AS date) = DATE'2024-01-01'", "cast(d AS string FORMAT 'yyyy') = '2024'", "i div i = 1", "x div 2 = 1",
]  # fmt: skip
"""Texts that have no reading yet, or have another meaning than the function of that node."""
ROWS = """
('ab', 'b', DATE'2024-02-29', TIMESTAMP'2024-02-29 06:30:00', 1.5D, 1, array(1, 2)),
(' a', '', DATE'2023-12-31', TIMESTAMP'2023-12-31 23:59:59', double('NaN'), 2, array()),
('a ', NULL, NULL, NULL, -0.0D, NULL, NULL),
(NULL, 'b', DATE'1582-10-15', TIMESTAMP'1970-01-01 00:00:00', NULL, 3, array(1)),
('', 'a', DATE'2024-01-01', TIMESTAMP'2024-01-01 00:00:00', double('Infinity'), 4, array(NULL)),
('a_b', 'b', DATE'2020-02-29', TIMESTAMP'2020-02-29 12:30:00', 1e300D, 5, array(1, 2, 3)),
('axb', 'A', DATE'9999-12-31', TIMESTAMP'2037-06-01 00:30:00', -1.5D, 6, array(1)),
('A', 'ß', DATE'0001-01-01', NULL, 4D, 7, NULL)
"""


def read(condition: str, registered: str | None = None) -> Expr | None:
    """The condition of a filter, or None if it has no reading. ``registered``: the file has a function of that name."""
    made = f"spark.udf.register({registered!r}, lambda *given: 'a')\n" if registered else ""
    head = f"{HEAD}import datetime\nspark = SparkSession.builder.getOrCreate()\n{made}"
    text = f"{head}spark.table('t').filter({condition})\n"
    (found,) = read_module(text, FrontendOptions(schemas=(("t", DDL),))).filters
    return None if found.unread is not None or not found.conjuncts else conjoin([c.condition for c in found.conjuncts])


@pytest.mark.parametrize(("text", "column"), SAME)
def test_one_meaning(text: str, column: str) -> None:
    found = read(repr(text))
    assert found is not None
    assert found == read(column)


NAMES = sorted({n.lower() for text, _ in SAME for n in re.findall(r"(\w+)\(", text)} | {
    "btrim", "regexp", "rlike", "like", "cardinality", "len", "character_length", "ceiling", "weekday", "isnull",
})  # fmt: skip
"""Functions of Spark's that SQL text calls, by every name that is read."""


@pytest.mark.parametrize("name", NAMES)
def test_a_function_that_the_file_registers_hides_that_of_spark(name: str) -> None:
    """Whatever name of Spark's it takes; of ``like(s, 'a%')`` there are two arguments, of most one."""
    found = read(f"'{name}(s, \\'a%\\')'", registered=name) if "like" in name or name == "regexp" else None
    for call in (f"{name}(s)", f"{name}(s) = 'a'"):
        found = found or read(repr(call), registered=name)
    called = [n for n in walk(found or TRUE) if isinstance(n, (Call, StringTest))]
    assert not any(isinstance(n, StringTest) or n.name.startswith("spark.") for n in called), called


@pytest.mark.parametrize("text", NOT_READ)
def test_not_read(text: str) -> None:
    assert read(repr(text)) is None


@pytest.mark.spark
def test_one_meaning_on_spark(spark: SparkSession) -> None:
    """Both give the same rows."""
    import datetime

    from pyspark.sql import functions as F

    names: dict[str, Any] = {"F": F, "datetime": datetime}
    frame = spark.sql(f"SELECT * FROM VALUES {ROWS} AS t(s, t, d, at, x, i, xs)")
    for text, column in share(SAME, 3):
        assert outcome(frame.filter(text)) == outcome(frame.filter(eval(column, names))), (text, column)


def outcome(frame: Any) -> Any:
    """The rows, or the class of the error: ``floor`` of infinity is one."""
    from pyspark.errors import PySparkException

    try:
        return sorted(map(repr, frame.collect()))
    except PySparkException as error:
        return error.getCondition()
