"""``python -m tests.campaigns.ranges``: what HW201 writes for conditions on dates and moments, on every day.

Every day from 1890 to 2110 as a date, and as moments in six time zones: each hour, and the midnights of the clock with
a microsecond before and after; numbers near those that overflow. On Spark the condition and what HW201 writes for it
pass the same rows; of dates the model of ``proof.ranges`` says of each day what Spark says, where it is decided. Exit
code 1 if not. Some years: ``--years 2020 2024``.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from headwater.engine.analysis.analyse import analyse
from headwater.proof.ranges.calendar import number
from headwater.proof.ranges.meaning import column, truths
from headwater.pyspark.reading.module import read_module
from headwater.rewrite.edit import apply_edits
from headwater_ir.expr import Expr, conjoin
from headwater_ir.types import DATE
from tests.replay import setting

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HEAD = """\
import datetime
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
"""
YEARS = (1890, 2110)
ZONES = ("UTC", "America/Phoenix", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Apia", "America/Havana")
"""Apia left out a day in 2011 and had one twice in 1892; a midnight of Phoenix came twice in 1944, and one of Havana
does each year, as on 2020-11-01."""
ANCHORS = (1892, 1919, 1944, 1970, 2000, 2010, 2020, 2023, 2030)
AT_ONCE = 24
"""Conditions of one pass: more of them make code that is too long for Java to compile."""
_DATES = (
    "F.year({c}) == {y}", "F.year({c}) != {y}", "F.year({c}) >= {y}", "F.year({c}).isin({y}, {z})",
    "(F.year({c}) == {y}) & (F.month({c}) == 2)", "(F.year({c}) == {y}) & (F.quarter({c}) == 4)",
    "F.year({c}) * 100 + F.month({c}) >= {y}10", "(F.year({c}) == {y}) & (F.dayofyear({c}) > 59)",
    "(F.year({c}) == {y}) & (F.month({c}) == 3) & (F.dayofmonth({c}) <= 26)",
    "F.date_format({c}, 'yyyy-MM') == '{y}-02'", "F.date_format({c}, 'yyyyMMdd') >= '{y}1101'",
    "F.date_format({c}, 'yyyyMMdd').cast('int') == {y}0301", "F.date_format({c}, 'yyyy-MM-dd HH') < '{y}-12-31 12'",
    "F.col({c}).cast('string').startswith('{y}-0')", "F.substring(F.date_format({c}, 'yyyy-MM-dd'), 1, 7) == '{y}-11'",
    "F.trunc({c}, 'quarter') == datetime.date({y}, 10, 1)", "F.trunc({c}, 'week') >= {d}",
    "F.date_trunc('month', {c}) == datetime.date({y}, 11, 1)", "F.date_trunc('year', {c}) != datetime.date({y}, 1, 1)",
    "F.date_trunc('week', {c}) < {d}", "F.date_trunc('day', {c}) == datetime.date({y}, 11, 1)",
    "F.concat(F.year({c}), F.lit('-'), F.lpad(F.month({c}), 2, '0')) == '{y}-03'",
    "F.concat(F.year({c}), F.lpad(F.month({c}).cast('string'), 2, '0')) >= '{y}11'",
    "F.concat(F.year({c}), F.lpad(F.month({c}), 2, '0'), F.lpad(F.dayofmonth({c}), 2, '0')) < '{y}0229'",
    "F.greatest(F.year({c}), F.lit(1900)) > {y}", "F.round(F.year({c}), -1) == {y}",
    "F.year({c}).cast('string').startswith('{p}')",
    "F.date_trunc('day', {c}).isin({d}, datetime.date({y}, 12, 30))", "F.date_trunc('month', {c}) <= {d}",
)  # fmt: skip
_OF_DATES = (
    "F.unix_date({c}) > {u}", "F.unix_date({c}) + 30 <= {u}", "F.year(F.date_format({c}, 'yyyy-MM-dd HH')) == {y}",
    "F.date_add({c}, 60) > {d}", "F.date_sub({c}, 31) <= {d}", "F.datediff({c}, F.lit({d})) > 200",
    "F.add_months({c}, 1) > {d}", "F.add_months({c}, -13) <= {d}", "F.last_day({c}) == {d}", "F.last_day({c}) > {d}",
    "F.year(F.add_months({c}, 5)) == {y}", "F.col({c}) + 60 > {d}", "F.col({c}) - F.expr('INTERVAL 1 YEAR') <= {d}",
    "F.col({c}) + F.expr('INTERVAL 2 MONTHS') == datetime.date({y}, 4, 30)",
)  # fmt: skip
_OF_MOMENTS = (
    "F.unix_seconds({c}) < {u}", "F.unix_seconds({c}) == {u}", "F.unix_millis({c}) >= {u}000",
    "F.unix_millis({c}) > {u}000", "F.unix_micros({c}) > {u}000000", "F.year(F.col({c}).cast('string')) != {y}",
    "F.to_date(F.date_format({c}, 'yyyy-MM-dd')) == {d}",
    "F.to_date({c}).isin({d}, datetime.date({z}, 1, 1))", "F.year(F.to_date({c})) == {y}",
    "F.unix_timestamp({c}) >= {u}", "F.unix_timestamp({c}) == {u}",
    "F.col({c}).cast('long') < {u}", "F.col({c}).cast('string') >= '{y}-11-01'",
    "F.col({c}) + F.expr('INTERVAL 1 DAY') >= '{y}-11-01'", "F.col({c}) - F.expr('INTERVAL 3 DAYS') > '{y}-03-29'",
    "F.col({c}) + F.expr('INTERVAL 1 MONTH') < '{y}-12-31'", "F.col({c}) - F.expr('INTERVAL 36 HOURS') >= '{y}-01-01'",
    "F.col({c}) + F.expr('INTERVAL 90 MINUTES') <= '{y}-07-05'",
    "F.year(F.col({c}) + F.expr('INTERVAL 8 DAYS')) < {y}",
)  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """A condition and what HW201 writes for it, as Columns in text."""

    before: str
    after: str
    condition: Expr


@cache
def pairs(name: str, kind: str, anchors: tuple[int, ...]) -> tuple[Pair, ...]:
    """Of a column of that type, with the years ``anchors`` in the conditions."""
    return tuple(dict.fromkeys(_pairs(name, kind, anchors)))


def _pairs(name: str, kind: str, anchors: tuple[int, ...]) -> Iterator[Pair]:
    for template in (*_DATES, *(_OF_DATES if kind == "date" else _OF_MOMENTS)):
        for y in anchors:
            second = (y - 1970) * 31_557_600
            u = second // 86_400 if "unix_date" in template else second
            before = template.format(c=repr(name), y=y, z=y + 2, p=str(y)[:3], u=u, d=f"datetime.date({y}, 2, 28)")
            yield from _found(before, name, kind)


def _found(before: str, name: str, kind: str) -> Iterator[Pair]:
    text = f"{HEAD}result = spark.read.schema('{name} {kind}').parquet('rows').filter({before})\n"
    for found in (o for o in analyse(text).opportunities if o.code == "HW201"):
        after = apply_edits(text, found.edits).rpartition(".filter(")[2].rstrip()[:-1]
        condition = conjoin([c.condition for c in read_module(text).filters[0].conjuncts])
        yield Pair(before, after, condition)


def column_of(text: str) -> Any:
    """A condition in text as a Column."""
    from pyspark.sql import functions as F

    return eval(text, {"F": F, "datetime": dt})


def differing(frame: Any, found: Sequence[Pair]) -> list[str]:
    """The conditions that keep a row which their range does not, or the other way; few passes over the frame."""
    from pyspark.sql import functions as F

    def kept(text: str) -> Any:
        return F.coalesce(column_of(text), F.lit(False))

    counted = list[int]()
    for start in range(0, len(found), AT_ONCE):
        some = found[start : start + AT_ONCE]
        (row,) = frame.agg(
            *[F.count_if(kept(p.before) != kept(p.after)).alias(f"c{i}") for i, p in enumerate(some)]
        ).collect()
        counted += row
    return [f"{p.before}: {n} rows differ from {p.after}" for p, n in zip(found, counted, strict=True) if n]


def passing(frame: Any, found: Sequence[Pair]) -> list[set[int]]:
    """Of each condition the ``id``s of the rows that it keeps."""
    from pyspark.sql import functions as F

    kept = list[set[int]]()
    for start in range(0, len(found), AT_ONCE):
        some = found[start : start + AT_ONCE]
        sets = [F.collect_list(F.when(column_of(p.before), F.col("id"))).alias(f"c{i}") for i, p in enumerate(some)]
        kept += map(set, frame.agg(*sets).first())
    return kept


def of_dates(spark: SparkSession, years: tuple[int, int], anchors: tuple[int, ...] = ANCHORS) -> tuple[int, list[str]]:
    """How many conditions; those that differ on a day, on Spark or between Spark and the model."""
    found, (first, last) = pairs("c", "date", anchors), ends(years)
    frame = spark.range(first, last).selectExpr("date_from_unix_date(CAST(id AS int)) AS c", "id")
    wrong = differing(frame, found)
    for pair, passed in zip(found, passing(frame, found), strict=True):
        said = ((n in passed, truths(pair.condition, column(DATE, n, n))) for n in range(first, last))
        apart = sum(True not in of if kept else of == {True} for kept, of in said)
        if apart:
            wrong.append(f"{pair.before}: the model differs on {apart} days")
    return len(found), wrong


_NUMBERS = (
    "F.col({c}) * 2 > {n}", "F.col({c}) * -3 <= {n}", "-F.col({c}) < {n}", "F.col({c}) + 7 >= {n}",
    "100 - F.col({c}) > {n}", "F.abs({c}) < {n}", "F.abs(F.col({c}) - 77) > {n}", "F.col({c}) / 7 > {n}",
    "F.floor(F.col({c}) / 10) == {n}", "F.floor({c}) == {n}", "F.ceil({c}) > {n}", "F.round({c}) == {n}",
    "F.col({c}).cast('int') <= {n}", "F.round({c}, 1) < {n}.5", "(F.col({c}) * 2 + 1).between({n}, {n} + 20)",
    "~(F.col({c}) * 10 <= {n})", "(F.col({c}) + 3).isin({n}, 5)", "F.col({c}) * 0.7 < {n}",
    "F.from_unixtime({c}, 'yyyy-MM') == '2020-03'", "F.col({c}).cast('timestamp') >= '2020-03-01'",
    "F.greatest({c}, F.lit(7)) > {n}", "F.least({c}, F.lit(9), F.lit({n})) < {n}", "F.greatest({c}, F.lit({n})) == {n}",
    "~(F.least({c}, F.lit({n})) > 4)", "F.greatest(F.col({c}) * 2, F.lit(7)) >= {n}",
    "F.round({c}, -1) == {n}", "F.round({c}, -2) > {n}", "F.round(F.col({c}) + 1, -1).isin({n}, 10)",
    "F.lpad({c}, 5, '0') >= '{n}'", "F.lpad(F.col({c}).cast('string'), 3, '0') == '{z}'",
    "F.lpad({c}, 8, '0') < '20240101'", "F.concat(F.lit('x'), {c}) == 'x{n}'",
    "F.concat(F.lit('K-'), F.lpad({c}, 4, '0')) >= 'K-{z}'", "F.concat({c}, F.lit('')) < '{n}'",
    "F.col({c}).cast('string').startswith('{p}')", "F.substring(F.col({c}).cast('string'), 1, 2) >= '{p}'",
    "F.substring(F.col({c}).cast('string'), 1, 2).cast('int') > {n}", "F.col({c}).cast('string') <= '{n}'",
    "F.expr('c div 7') == {n}", "F.expr('c div 86400') > 18000", "F.to_date(F.from_unixtime({c})) == '2020-03-01'",
    "F.year(F.from_unixtime({c})) >= 1970", "F.to_date((F.col({c}) / 1000).cast('timestamp')) <= '1970-01-02'",
    "F.from_unixtime(F.col({c}) / 60, 'yyyy-MM') == '1970-01'",
    "F.to_date(F.col({c}).cast('timestamp')) < '1969-12-31'",
)  # fmt: skip
_OF_NUMBERS = {"tinyint": (-5, 6, 90), "int": (-77, 6, 100, 2**30), "bigint": (-77, 6, 2**31), "double": (-77, 6, 100)}


def of_numbers(spark: SparkSession) -> tuple[int, list[str]]:
    """Numbers around 0, around the powers of two, and near those that overflow; where ANSI is off, so that none is an
    error."""
    asked, wrong = 0, list[str]()
    near = "explode(sequence(-3L, 3L)) AS j"
    powers = f"SELECT s * CAST(shiftleft(1L, e) AS bigint) + j AS n FROM (SELECT *, {near} FROM p)"
    with setting(spark, {"spark.sql.ansi.enabled": "false"}):
        spark.range(64).selectExpr("CAST(id AS int) AS e", "explode(array(1L, -1L)) AS s").createOrReplaceTempView("p")
        divided = "SELECT CAST(n / d AS bigint) + j AS n FROM (SELECT *, explode(array(2, 3, 7, 10)) AS d FROM w)"
        spark.sql(powers).createOrReplaceTempView("w")
        whole = spark.range(-5000, 5000).toDF("n").unionAll(spark.table("w"))
        whole = whole.unionAll(spark.sql(f"SELECT * FROM ({divided.replace('+ j', '')})"))
        whole = whole.unionAll(spark.range(-100, 100).selectExpr("1583020800 + id * 3600"))
        doubles = whole.selectExpr("explode(array(CAST(n AS double), n + 0.5D, n / 3, n * 1e-3D, n * 1e300D)) AS c")
        special = spark.sql("SELECT explode(array(double('NaN'), double('inf'), double('-inf'), -0D, NULL)) AS c")
        for kind, constants in _OF_NUMBERS.items():
            of = doubles.unionAll(special) if kind == "double" else whole.selectExpr(f"CAST(n AS {kind}) AS c")
            conditions = (t.format(c="'c'", n=n, z=str(n).zfill(4), p=str(n)[:2]) for t in _NUMBERS for n in constants)
            found = tuple(dict.fromkeys(p for c in conditions for p in _found(c, "c", kind)))
            asked += len(found)
            wrong += [f"{kind}: {w}" for w in differing(of.distinct(), found)]
    return asked, wrong


def of_moments(
    spark: SparkSession, years: tuple[int, int], zone: str, anchors: tuple[int, ...] = ANCHORS
) -> tuple[int, list[str]]:
    """As ``of_dates``, in a time zone."""
    found, (first, last) = pairs("c", "timestamp", anchors), ends(years)
    with setting(spark, {"spark.sql.session.timeZone": zone}):
        hours = spark.range(first * 24, last * 24).selectExpr("timestamp_seconds(id * 3600) AS c")
        clock = "CAST(date_from_unix_date(CAST(id AS int)) AS timestamp)"
        near = spark.range(first, last).selectExpr(
            f"explode(array({clock}, {clock} - INTERVAL 1 MICROSECOND, {clock} + INTERVAL 1 MICROSECOND)) AS c"
        )
        return len(found), differing(hours.unionAll(near), found)


def ends(years: tuple[int, int]) -> tuple[int, int]:
    """The number of the first day, and the one behind the last."""
    return number(dt.date(years[0], 1, 1)), number(dt.date(years[1] + 1, 1, 1))


def main(spark: SparkSession, years: tuple[int, int]) -> bool:
    """Whether nothing differs; prints what was asked."""
    asked, wrong = of_dates(spark, years)
    print(f"dates: {asked} conditions, {ends(years)[1] - ends(years)[0]} days, {len(wrong)} wrong")
    asked, more = of_numbers(spark)
    print(f"numbers: {asked} conditions, {len(more)} wrong")
    wrong += more
    for zone in ZONES:
        asked, more = of_moments(spark, years, zone)
        print(f"{zone}: {asked} conditions, {len(more)} wrong")
        wrong += [f"{zone}: {w}" for w in more]
    print(*wrong, sep="\n")
    return not wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--years", nargs=2, type=int, default=YEARS)
    first_, last_ = parser.parse_args().years
    from tests.replay import session

    with session() as local:
        sys.exit(not main(local, (first_, last_)))
