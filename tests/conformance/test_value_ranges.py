"""Issue 17: what is said of the results of Spark's functions, measured on Spark at the edges of their arguments."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from headwater.pyspark.columns.value_ranges import RANGES, WHOLE_NUMBERS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Bounds = Mapping[str, tuple["int | None", "int | None"]]
TEXTS = ["", " ", "a", "a  ", "é", "😀", "x" * 5_000, "\0", None]
ARRAYS = [[], [1], [None], list(range(1_000)), None]
TIMES = [
    dt.datetime(1, 1, 1), dt.datetime(1582, 10, 4, 23, 59), dt.datetime(1582, 10, 15), dt.datetime(1969, 12, 31, 23),
    dt.datetime(2000, 2, 29, 12, 30, 30), dt.datetime(2016, 12, 31, 23, 59, 59, 999_999), dt.datetime(2021, 1, 3),
    dt.datetime(9999, 12, 31, 23, 59, 59, 999_999), None,
]  # fmt: skip
DAYS = [dt.datetime(2023, 12, 25) + dt.timedelta(days=n, hours=n, minutes=n, seconds=n) for n in range(740)]
ARGUMENTS: dict[str, tuple[str, list[Any]]] = {"length": ("string", TEXTS), "size": ("array<int>", ARRAYS)}


def results(spark: SparkSession) -> dict[str, set[int | None]]:
    """What each function of the table yields."""
    found: dict[str, set[int | None]] = {}
    for legacy in ("true", "false"):
        spark.conf.set("spark.sql.legacy.sizeOfNull", legacy)
        spark.conf.set("spark.sql.ansi.enabled", "false" if legacy == "true" else "true")
        try:
            for name in RANGES:
                kind, values = ARGUMENTS.get(name, ("timestamp", [*TIMES, *DAYS]))
                rows = spark.createDataFrame([(v,) for v in values], f"x {kind}").selectExpr(f"{name}(x)").distinct()
                found.setdefault(name, set()).update(r[0] for r in rows.collect())
        finally:
            spark.conf.unset("spark.sql.legacy.sizeOfNull")
            spark.conf.unset("spark.sql.ansi.enabled")
    return found


def complaints(table: Bounds, found: Mapping[str, set[int | None]]) -> list[str]:
    """The entries that a measured value contradicts."""
    return [
        f"{name} yields {value}"
        for name, (low, high) in table.items()
        for value in sorted(v for v in found[name] if v is not None)
        if (low is not None and value < low) or (high is not None and value > high)
    ]


@pytest.mark.spark
def test_no_result_is_out_of_its_range(spark: SparkSession) -> None:
    found = results(spark)
    assert complaints(RANGES, found) == []
    for name, (low, high) in RANGES.items():  # and a narrower range is seen to be wrong
        assert low is None or complaints({name: (low + 1, high)}, found), f"{name} was never {low}"
        assert high is None or complaints({name: (low, high - 1)}, found), f"{name} was never {high}"


CALLS = {
    "date_diff": ("x", "x"), "datediff": ("x", "x"), "instr": ("x", "'a'"), "levenshtein": ("x", "'a'"),
    "locate": ("'a'", "x"), "position": ("'a'", "x"),
}  # fmt: skip


@pytest.mark.spark
def test_whole_numbers_are_32_bit_integers(spark: SparkSession) -> None:
    """For every type of the argument that Spark takes."""
    from pyspark.errors import AnalysisException

    types = (
        "string",
        "binary",
        "date",
        "timestamp",
        "int",
        "bigint",
        "double",
        "decimal(20,4)",
        "boolean",
        "array<int>",
    )
    for name in sorted(WHOLE_NUMBERS):
        taken = set()
        for kind in types:
            frame = spark.createDataFrame([], f"x {kind}")
            try:
                taken.add(frame.selectExpr(f"{name}({', '.join(CALLS.get(name, ('x',)))})").dtypes[0][1])
            except AnalysisException:
                continue
        assert taken == {"int"}, name
