"""What Spark finds of itself, and what a source skips by the form that HW201 gives a condition (issue 22)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.rewrite.edit import apply_edits
from tests.replay import PLANNED_ONCE
from tests.shares import share
from tests.source.cells import DDL, TOTAL, frames, measured

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HEAD = """\
import datetime
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
"""
BY_SPARK = (
    "F.to_date('t') == datetime.date(2021, 1, 10)", "F.to_date('t') >= datetime.date(2021, 1, 10)",
    "F.col('t').cast('date') == datetime.date(2021, 1, 10)", "F.to_date('dt') == datetime.date(2021, 1, 10)",
    "F.to_date('t').isin(datetime.date(2021, 1, 10))",
    "F.to_date('t').between(datetime.date(2021, 1, 10), datetime.date(2021, 1, 11))",
    "F.when(F.col('s').isNotNull(), 1).otherwise(0) == 0", "F.when(F.col('i').isNotNull(), 'a').otherwise('b') != 'a'",
    "F.when(F.col('s').isNull(), 1).otherwise(0).isin(1)", "F.when(F.col('i').isNotNull(), 1).isNull()",
    "'CASE WHEN s IS NULL THEN 1 ELSE 0 END > 0'",
)  # fmt: skip
"""Conditions that Spark itself makes tests of the bare column of."""
HIDDEN = (
    "F.year('dt') == 2021", "F.year('dt') != 2021",
    "F.year('dt') > 2020", "F.year('dt') >= 2021", "F.year('dt') < 2021",
    "F.year('dt') <= 2020", "2021 == F.year('dt')", "F.year('dt').isin(2021, 2022)", "F.year('dt').between(2021, 2022)",
    "~(F.year('dt') == 2020)", "~(F.year('dt') > 2020)", "F.year('dt') + 1 == 2022", "F.year('dt') * 100 > 202000",
    "F.year('t') == 2021", "F.year('t') >= 2021", "F.year('t') < 2021", "F.year('t') != 2021",
    "F.year(F.to_date('t')) == 2021", "F.year(F.col('t').cast('date')) > 2020",
    "F.year('dt') * 100 + F.month('dt') >= 202110", "F.year('dt') * 100 + F.month('dt') == 202102",
    "F.year('dt') * 12 + F.month('dt') > 24260", "F.year('t') * 100 + F.month('t') >= 202110",
    "(F.year('dt') == 2020) & (F.month('dt') == 7)", "(F.year('dt') == 2020) & (F.quarter('dt') == 4)",
    "(F.year('dt') == 2021) & (F.dayofyear('dt') < 50)", "(F.year('t') == 2021) & (F.month('t') <= 2)",
    "(F.year('dt') > 2020) | ((F.year('dt') == 2020) & (F.month('dt') >= 12))",
    "(F.year('dt') == 2021) & (F.month('dt') == 2) & (F.dayofmonth('dt') <= 15)",
    "F.date_add('dt', 3) > datetime.date(2021, 9, 1)", "F.date_add('dt', -3) < datetime.date(2020, 7, 1)",
    "F.date_sub('dt', 30) >= datetime.date(2021, 8, 1)", "F.date_add('dt', 1) == datetime.date(2021, 2, 28)",
    "F.datediff('dt', F.lit(datetime.date(2021, 1, 1))) > 200",
    "F.datediff('dt', F.lit(datetime.date(2020, 6, 1))) <= 30",
    "F.datediff('dt', F.lit(datetime.date(2021, 1, 1))).between(0, 6)",
    "F.add_months('dt', 1) > datetime.date(2021, 9, 30)", "F.add_months('dt', -12) >= datetime.date(2020, 8, 1)",
    "F.last_day('dt') == datetime.date(2021, 2, 28)", "F.last_day('dt') >= datetime.date(2021, 9, 30)",
    "F.last_day('dt') < datetime.date(2020, 8, 1)", "F.year(F.add_months('dt', 3)) == 2020",
    "F.year(F.date_sub('dt', 10)) == 2021", "F.year(F.last_day('dt')) > 2020",
    "F.substring('s', 1, 2) == 'n4'", "F.substring('s', 1, 2).isin('n0', 'n1')", "F.substring('s', 1, 9) == 'n077'",
    "F.substring('s', 0, 3) == 'n12'", "F.col('s').substr(1, 3) == 'n50'",
    "F.coalesce(F.col('i'), F.lit(0)) > 400", "F.coalesce(F.col('i'), F.lit(0)) == 77",
    "F.coalesce(F.col('s'), F.lit('')) >= 'n450'", "F.coalesce(F.col('l'), F.lit(-1)) < 500",
    "F.col('i').cast('string') == '77'",
    "F.col('l').cast('string') == '770'", "F.col('i').cast('string').isin('5', '77')",
    "F.to_date('t').isin(datetime.date(2021, 1, 10), datetime.date(2021, 1, 11))",
    "F.greatest('i', F.lit(3)) > 400", "F.least('i', F.lit(900)) < 77", "F.round('i', -1) == 50",
    "F.lpad('i', 5, '0') >= '00400'", "F.concat(F.lit('x'), F.col('i')) == 'x77'",
    "F.substring(F.col('i').cast('string'), 1, 2) == '77'",
    "F.lpad(F.col('i').cast('string'), 4, '0').startswith('01')",
    "F.concat(F.year('dt'), F.lit('-'), F.lpad(F.month('dt'), 2, '0')) == '2021-02'",
    "F.concat(F.year('t'), F.lpad(F.month('t'), 2, '0')) == '202102'",
    "F.date_format('dt', 'yyyy-MM') == '2021-02'", "F.date_format('t', 'yyyyMM') == '202102'",
    "F.date_format('dt', 'yyyyMMdd') >= '20210801'", "F.date_format('dt', 'yyyy-MM-dd') < '2020-08-01'",
    "F.date_format('t', 'yyyyMMdd') >= '20210801'", "F.date_format('t', 'yyyyMM').cast('int') == 202102",
    "F.date_format('t', 'yyyy').isin('2021', '2022')", "F.col('dt').cast('string') == '2021-02-03'",
    "F.col('dt').cast('string') > '2021-02-03'", "F.col('t').cast('string').startswith('2021-02')",
    "F.substring(F.col('dt').cast('string'), 1, 7) == '2021-02'", "F.col('t').cast('string') >= '2021-08-01'",
    "F.trunc('dt', 'MM') == '2021-02-01'", "F.trunc('t', 'quarter') == datetime.date(2021, 1, 1)",
    "F.trunc('dt', 'week').isin(datetime.date(2021, 2, 1), datetime.date(2021, 2, 8))",
    "F.date_trunc('month', 't') == '2021-02-01'", "F.date_trunc('day', 't') == '2021-02-01'",
    "F.date_trunc('year', 'dt') == datetime.date(2021, 1, 1)", "F.date_trunc('week', 't') >= '2021-08-02'",
    "F.unix_timestamp('t') >= 1627776000", "F.unix_timestamp('t').between(1612137600, 1612223999)",
    "F.col('t').cast('long') < 1596240000", "F.left('s', F.lit(2)) == 'n4'", "F.col('i') + 1 > 400",
    "F.when(F.col('i') > 400, 'a').otherwise('b') == 'a'", "F.when(F.col('n') < 350, 1).otherwise(0) == 1",
    "F.when(F.year('dt') == 2021, 1).otherwise(0) == 1", "F.col('l') - (-1) > 4000",
    "'date_format(dt, \"yyyy-MM\") = \"2021-02\"'", '"date_trunc(\'month\', t) = \'2021-02-01\'"',
    '"trunc(dt, \'MM\') = DATE\'2021-02-01\'"', '"date_add(dt, 3) > DATE\'2021-08-01\'"',
    '"date_sub(dt, 3) < DATE\'2020-08-01\'"', '"datediff(dt, DATE\'2021-01-01\') > 200"',
    '"add_months(dt, 1) > DATE\'2021-09-01\'"', "'unix_timestamp(t) > 1627776000'", '"left(s, 2) = \'n4\'"',
    "'cast(t AS bigint) > 1627776000'", "'extract(YEAR FROM dt) = 2021'", "'CASE WHEN i > 400 THEN 1 ELSE 0 END = 1'",
    "'year(dt) = 2021'", "'year(dt) * 100 + month(dt) >= 202110'", "'year(t) BETWEEN 2021 AND 2022'",
    "'NOT (year(dt) = 2020) AND i > 0'", '"last_day(dt) = DATE\'2021-02-28\'"', "'coalesce(i, 0) > 400'",
    "'nvl(l, 0) > 4000'", '"cast(i AS string) = \'77\'"', '"substring(s, 1, 2) = \'n4\'"',
    "'year(cast(t AS date)) = 2021'", "F.expr('year(dt) = 2021')", "F.expr('year(dt)') == 2021",
    "F.col('i') * 2 > 800", "-F.col('i') < -400", "'-l >= -500'", "F.col('l') * 100 <= 50000",
    "(F.col('i') + 5) * 2 < 100", "F.abs('i') < 50", "'abs(i - 77) <= 3'", "F.abs(F.col('i') - 400) < 10",
    "F.col('i') / 100 >= 4", "F.floor('d') == 77", "F.floor(F.col('i') / 100) == 4",
    "(F.col('i') / 100).cast('int') == 4", "F.ceil('d') > 400", "F.round('d') == 77", "F.ceil('f') >= 450",
    "F.col('d').cast('int') == 77", "F.abs('d') < 5.5", "-F.col('d') < -400.5", "F.col('d') * 2 < 100",
    "(F.col('i') + 1).isin(5, 77)", "~(F.col('i') * 2 <= 800)", "F.col('l').cast('int') > 4000",
    "F.round('d', 1) == 77.5", "(F.col('i') * 2).between(100, 120)", "(F.col('i') * 2 > 900) | (F.col('i') / 2 < 10)",
    "F.col('d') / 2 <= 20", '"t + INTERVAL 1 DAY > TIMESTAMP\'2021-08-01 12:00:00\'"',
    "F.col('t') + F.expr('INTERVAL 1 DAY') >= '2021-08-01'", '"dt + INTERVAL 7 DAYS > DATE\'2021-08-01\'"',
    "F.col('dt') + 7 > '2021-08-01'", "F.col('dt') - 7 < '2020-07-01'",
    "F.col('dt') + F.expr('INTERVAL 1 MONTH') > '2021-08-01'", '"t - INTERVAL 12 HOURS >= \'2021-08-01\'"',
    "F.timestamp_seconds(F.col('l') * 1000) >= '1970-02-15'",
    "F.col('s').rlike('^n07')", '"s RLIKE \'^n07.*\'"', "F.col('s').rlike('^n4[0-9]+')", "F.col('s').like('n4_7')",
    "F.split('s', '0')[0] == 'n'", "F.substring_index('s', '-', 1) == 'n077'", "F.instr('s', 'n4') == 1",
    "F.concat(F.col('s'), F.lit('-x')) == 'n077-x'", "F.substring('s', 1, 2) > 'n3'", "F.rtrim('s') == 'n077'",
    "F.unix_date('dt') > 18800", "'unix_date(dt) = 18700'", "F.unix_seconds('t') >= 1627776000",
    "'unix_millis(t) < 1596240000000'", "'unix_micros(t) > 1627776000000000'", "F.unix_millis('t') > 1627776000001",
    "F.to_date(F.from_unixtime(F.col('l') * 1000)) >= '1970-02-15'", "'i div 100 = 4'", "'l div 10 >= 400'",
    '"date(from_unixtime(l * 1000)) = DATE\'1970-02-01\'"', "F.year(F.date_format('t', 'yyyy-MM-dd')) == 2021",
    "'cast(d AS int) = 77'", "'round(d, 1) = 77.5D'", "'int(d) > 400'", "F.col('s').rlike('^n07|^n4[0-3]')",
    "F.col('s').rlike('^(n07|n40)')", "F.regexp_extract('s', '^(n.)', 1) == 'n4'", '"s || \'-x\' = \'n077-x\'"',
    "F.split_part(F.col('s'), F.lit('-'), F.lit(1)) == 'n077'", "F.substring('s', 1, 3).startswith('n4')",
    "F.to_date(F.from_utc_timestamp('t', 'Asia/Tokyo')) == datetime.date(2021, 2, 1)",
    "F.to_utc_timestamp('t', 'Europe/Berlin') >= '2021-08-01'", "F.col('t').startswith('2021-02')",
    "F.timestamp_millis(F.col('l') * 1000000) >= '1970-02-15'",
    "F.date_format('dt', 'yyyyMMdd').cast('bigint') >= 20210801", "F.substring('t', 1, 7) == '2021-02'",
    '"t LIKE \'2021-02-%\'"', '"year(t) = 2021 AND month(t) = 2 AND day(t) = 3"',
)  # fmt: skip


def source(condition: str) -> str:
    return f"{HEAD}result = spark.read.schema({DDL!r}).parquet('rows').filter({condition})\n"


def rewritten(condition: str) -> str | None:
    """The condition, a Column or SQL text, as HW201 writes it; None if it says nothing."""
    found = [o for o in analyse(source(condition)).opportunities if o.code == "HW201"]
    if not found:
        return None
    return apply_edits(source(condition), found[0].edits).rpartition(".filter(")[2].rstrip()[:-1]


@pytest.mark.parametrize("condition", BY_SPARK)
def test_nothing_is_said_of_what_spark_finds(condition: str) -> None:
    assert rewritten(condition) is None


def test_there_are_enough() -> None:
    assert len({*HIDDEN}) >= 100


@pytest.mark.parametrize("condition", HIDDEN)
def test_each_is_found(condition: str) -> None:
    assert rewritten(condition) not in (None, condition)


def test_a_long_list_is_one_range() -> None:
    """In little time: between the least and the greatest of its constants nothing is looked for."""
    years = ", ".join(map(str, range(1990, 2021)))
    assert rewritten(f"F.year('dt').isin({years})") == "(F.col('dt') >= '1990-01-01') & (F.col('dt') < '2021-01-01')"
    found = rewritten(f"(F.col('i') * 10).isin({years}, None)")
    assert found is not None
    assert "(F.col('i') >= 199) & (F.col('i') <= 202)" in found
    assert rewritten(f"F.year('dt').isin({', '.join(['None'] * 30)})") is None


@pytest.mark.spark
def test_fewer_rows_leave_a_parquet_file(spark: SparkSession) -> None:
    """The same rows pass, and fewer leave the scan, where all did; what Spark finds is skipped by as it is."""
    import datetime

    from pyspark.sql import functions as F

    names: dict[str, Any] = {"F": F, "datetime": datetime}
    with frames(spark, PLANNED_ONCE) as found:
        frame = found("parquet")
        for condition in BY_SPARK:
            assert left(measured(frame, eval(condition, names))) < TOTAL, condition
        for condition in share(HIDDEN, 8):
            after = rewritten(condition)
            assert after is not None
            before_cell, after_cell = (measured(frame, eval(c, names)) for c in (condition, after))
            assert before_cell.split("/")[0] == after_cell.split("/")[0], (condition, after)
            assert left(before_cell) == TOTAL > left(after_cell), (condition, after)


@pytest.mark.spark
def test_fewer_rows_are_read_below_joins_and_groups(spark: SparkSession) -> None:
    """Spark moves the range to the source there, too."""
    from pyspark.sql import functions as F

    ways = (
        "frame.join(other, 'i').filter({c})", "frame.join(other, 'i', 'left').filter({c})",
        "other.join(frame, 'i', 'left').filter({c})", "frame.join(other, 'i', 'left_anti').filter({c})",
        "frame.groupBy('dt').count().filter({c})", "frame.distinct().filter({c})",
        "frame.dropDuplicates(['dt']).filter({c})", "frame.withColumnRenamed('l', 'm').filter({c})",
    )  # fmt: skip
    before, after = "F.year('dt') == 2020", rewritten("F.year('dt') == 2020")
    assert after is not None
    with frames(spark) as found:
        names = {"F": F, "frame": found("parquet"), "other": spark.range(100).selectExpr("CAST(id AS int) AS i")}
        for way in ways:
            seen = list[tuple[int, int]]()
            for condition in (before, after):
                result = eval(way.format(c=condition), names)
                rows = len(result.collect())
                plan = result._jdf.queryExecution().executedPlan().toString()
                seen.append((rows, plan.count("GreaterThanOrEqual(dt")))
            assert seen[0][0] == seen[1][0], way
            assert seen[0][1] == 0 < seen[1][1], way


@pytest.mark.spark
def test_a_share_of_the_campaign(spark: SparkSession) -> None:
    """Every day of two years, in a zone where a clock was set; ``make campaign NAME=ranges`` takes 221 and five."""
    from tests.campaigns.ranges import of_dates, of_moments

    for asked, wrong in (
        of_dates(spark, (2023, 2024), (2023,)), of_moments(spark, (2010, 2011), "Pacific/Apia", (2010,)),
    ):  # fmt: skip
        assert asked >= 10
        assert not wrong


def left(cell: str) -> int:
    """The rows that left the scan."""
    return int(cell.split("/")[1])
