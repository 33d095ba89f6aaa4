"""``python -m tests.campaigns.ranges``: what HW201 writes for conditions on dates and moments, on every day.

Every day from 1890 to 2110 as a date, and as moments in five time zones: each hour, and the midnights of the clock with
a microsecond before and after. On Spark the condition and what HW201 writes for it pass the same rows; of dates the
model of ``proof.ranges`` says of each day what Spark says. Exit code 1 if not. ``--years 2020 2024`` takes some years.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from headwater.engine.analysis.analyse import analyse
from headwater.proof.ranges.calendar import number
from headwater.proof.ranges.meaning import column, truths
from headwater.pyspark.reading.module import read_module
from headwater.rewrite.edit import apply_edits
from headwater_ir.expr import Expr, conjoin
from headwater_ir.types import DATE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HEAD = """\
import datetime
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
"""
YEARS = (1890, 2110)
ZONES = ("UTC", "America/Phoenix", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Apia")
"""Apia left out a day in 2011 and had one twice in 1892; a midnight of Phoenix came twice in 1944."""
ANCHORS = (1892, 1919, 1944, 1970, 2000, 2010, 2023, 2030)
_DATES = (
    "F.year({c}) == {y}", "F.year({c}) != {y}", "F.year({c}) >= {y}", "F.year({c}).isin({y}, {z})",
    "(F.year({c}) == {y}) & (F.month({c}) == 2)", "(F.year({c}) == {y}) & (F.quarter({c}) == 4)",
    "F.year({c}) * 100 + F.month({c}) >= {y}10", "(F.year({c}) == {y}) & (F.dayofyear({c}) > 59)",
    "(F.year({c}) == {y}) & (F.month({c}) == 3) & (F.dayofmonth({c}) <= 26)",
)  # fmt: skip
_OF_DATES = (
    "F.date_add({c}, 60) > {d}", "F.date_sub({c}, 31) <= {d}", "F.datediff({c}, F.lit({d})) > 200",
    "F.add_months({c}, 1) > {d}", "F.add_months({c}, -13) <= {d}", "F.last_day({c}) == {d}", "F.last_day({c}) > {d}",
    "F.year(F.add_months({c}, 5)) == {y}",
)  # fmt: skip
_OF_MOMENTS = ("F.to_date({c}).isin({d}, datetime.date({z}, 1, 1))", "F.year(F.to_date({c})) == {y}")


@dataclass(frozen=True)
class Pair:
    """A condition and what HW201 writes for it, as Columns in text."""

    before: str
    after: str
    condition: Expr


def pairs(name: str, kind: str, anchors: Sequence[int]) -> Iterator[Pair]:
    """Of a column of that type, with the years ``anchors`` in the conditions."""
    for template in (*_DATES, *(_OF_DATES if kind == "date" else _OF_MOMENTS)):
        for y in anchors:
            before = template.format(c=repr(name), y=y, z=y + 2, d=f"datetime.date({y}, 2, 28)")
            text = f"{HEAD}result = spark.read.schema('{name} {kind}').parquet('rows').filter({before})\n"
            condition = conjoin([c.condition for c in read_module(text).filters[0].conjuncts])
            for found in (o for o in analyse(text).opportunities if o.code == "HW201"):
                after = apply_edits(text, found.edits).rpartition(".filter(")[2].rstrip()[:-1]
                yield Pair(before, after, condition)


def column_of(text: str) -> Any:
    """A condition in text as a Column."""
    from pyspark.sql import functions as F

    return eval(text, {"F": F, "datetime": dt})


def differing(frame: Any, found: Sequence[Pair]) -> list[str]:
    """The conditions that keep a row which their range does not, or the other way; one pass over the frame."""
    from pyspark.sql import functions as F

    def kept(text: str) -> Any:
        return F.coalesce(column_of(text), F.lit(False))

    apart = [F.count_if(kept(p.before) != kept(p.after)).alias(f"c{i}") for i, p in enumerate(found)]
    (row,) = frame.agg(*apart).collect()
    return [f"{p.before}: {n} rows differ from {p.after}" for p, n in zip(found, row, strict=True) if n]


def of_dates(spark: SparkSession, years: tuple[int, int], anchors: Sequence[int] = ANCHORS) -> tuple[int, list[str]]:
    """How many conditions; those that differ on a day, on Spark or between Spark and the model."""
    found, (first, last) = list(pairs("c", "date", anchors)), ends(years)
    frame = spark.range(first, last).selectExpr("date_from_unix_date(CAST(id AS int)) AS c", "id")
    wrong = differing(frame, found)
    for pair in found:
        passed = {row.id for row in frame.filter(column_of(pair.before)).select("id").collect()}
        said = {n for n in range(first, last) if truths(pair.condition, column(DATE, n, n)) == {True}}
        if said != passed:
            wrong.append(f"{pair.before}: the model differs on {len(said ^ passed)} days")
    return len(found), wrong


def of_moments(
    spark: SparkSession, years: tuple[int, int], zone: str, anchors: Sequence[int] = ANCHORS
) -> tuple[int, list[str]]:
    """As ``of_dates``, in a time zone."""
    found, (first, last) = list(pairs("c", "timestamp", anchors)), ends(years)
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        hours = spark.range(first * 24, last * 24).selectExpr("timestamp_seconds(id * 3600) AS c")
        clock = "CAST(date_from_unix_date(CAST(id AS int)) AS timestamp)"
        near = spark.range(first, last).selectExpr(
            f"explode(array({clock}, {clock} - INTERVAL 1 MICROSECOND, {clock} + INTERVAL 1 MICROSECOND)) AS c"
        )
        return len(found), differing(hours.unionAll(near), found)
    finally:
        spark.conf.unset("spark.sql.session.timeZone")


def ends(years: tuple[int, int]) -> tuple[int, int]:
    """The number of the first day, and the one behind the last."""
    return number(dt.date(years[0], 1, 1)), number(dt.date(years[1] + 1, 1, 1))


def main(spark: SparkSession, years: tuple[int, int]) -> bool:
    """Whether nothing differs; prints what was asked."""
    asked, wrong = of_dates(spark, years)
    print(f"dates: {asked} conditions, {ends(years)[1] - ends(years)[0]} days, {len(wrong)} wrong")
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
