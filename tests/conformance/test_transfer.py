"""How PySpark 4.3 moves values into and out of Python, by ``applyInPandas`` and plain ``udf``: the tables of
``docs/semantics.md``."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark
pyspark = pytest.importorskip("pyspark", minversion="4.3")

BIG, DAY, NOON = 2**53 + 1, dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 12)
RAISES = "raises"

# type: a value; what a pandas group without NULL shows for it; what a group with NULL shows for (NULL, the value)
INTO_PANDAS: dict[str, tuple[Any, str, tuple[str, str]]] = {
    "int": (1, "int 1", ("float nan", "float 1.0")),
    "bigint": (BIG, f"int {BIG}", ("float nan", "float 9007199254740992.0")),
    "double": (1.5, "float 1.5", ("float nan", "float 1.5")),
    "float": (1.5, "float 1.5", ("float nan", "float 1.5")),
    "string": ("a", "str 'a'", ("NoneType None", "str 'a'")),
    "boolean": (True, "bool True", ("NoneType None", "bool True")),
    "date": (DAY, f"date {DAY!r}", ("NoneType None", f"date {DAY!r}")),
    "decimal(10,2)": (Decimal("1.50"), "Decimal Decimal('1.50')", ("NoneType None", "Decimal Decimal('1.50')")),
    "timestamp": (NOON, f"Timestamp Timestamp('{NOON}')", ("NaTType NaT", f"Timestamp Timestamp('{NOON}')")),
    "timestamp_ntz": (NOON, f"Timestamp Timestamp('{NOON}')", ("NaTType NaT", f"Timestamp Timestamp('{NOON}')")),
}
INTO_UDF = {
    "int": (1, "int 1"), "bigint": (BIG, f"int {BIG}"), "double": (1.5, "float 1.5"), "string": ("a", "str 'a'"),
    "boolean": (True, "bool True"), "date": (DAY, f"date {DAY!r}"), "timestamp": (NOON, f"datetime {NOON!r}"),
    "decimal(10,2)": (Decimal("1.50"), "Decimal Decimal('1.50')"), "timestamp_ntz": (NOON, f"datetime {NOON!r}"),
}  # fmt: skip
# declared type, returned value, what applyInPandas makes of it, what a plain udf makes of it
OUT: list[tuple[str, Any, Any, Any]] = [
    ("long", 90.0, 90, 90), ("long", math.nan, None, RAISES), ("long", None, None, None), ("long", 90.5, RAISES, 90),
    ("long", True, 1, RAISES), ("long", "7", 7, 7), ("long", 2**63, RAISES, RAISES), ("int", 2**31, RAISES, RAISES),
    ("double", math.nan, None, math.nan), ("double", None, None, None), ("double", 1, 1.0, 1.0),
    ("double", "1.5", 1.5, 1.5), ("double", math.inf, math.inf, math.inf), ("double", -0.0, -0.0, -0.0),
    ("string", None, None, None), ("string", 5, RAISES, "5"), ("string", math.nan, RAISES, "nan"),
    ("string", True, RAISES, "true"), ("boolean", math.nan, None, True), ("boolean", 1, True, True),
    ("boolean", 0.0, False, False), ("boolean", "true", True, True), ("date", None, None, None),
    ("date", math.nan, RAISES, RAISES), ("date", DAY, DAY, DAY), ("timestamp", None, None, None),
]  # fmt: skip


def image(value: object) -> str:
    return f"{type(value).__name__} {value!r}"


def wide(spark: SparkSession, values: dict[str, Any]) -> DataFrame:
    """One column per type; group ``full`` holds each value, group ``null`` NULL and then the value."""
    some, none = list(values.values()), [None] * len(values)
    schema = ", ".join(["g string", *(f"c{i} {t}" for i, t in enumerate(values))])
    return spark.createDataFrame([("full", *some), ("null", *none), ("null", *some)], schema).coalesce(1)


def test_into_apply_in_pandas(spark: SparkSession) -> None:
    """NULL becomes NaN (numbers), NaT (timestamps) or None (the rest), and turns the ints beside it into floats."""
    import pandas

    def show(group: pd.DataFrame) -> pd.DataFrame:
        columns = [c for c in group.columns if c != "g"]
        seen = [";".join(f"{type(v).__name__} {v!r}" for v in row) for row in group[columns].itertuples(index=False)]
        return pandas.DataFrame({"g": group["g"], "seen": seen})

    groups = wide(spark, {t: v for t, (v, _, _) in INTO_PANDAS.items()}).groupBy("g")
    got = groups.applyInPandas(show, "g string, seen string")
    full, *null = (r["seen"].split(";") for r in sorted(got.collect(), key=lambda r: str(r["g"])))
    assert full == [one for _, one, _ in INTO_PANDAS.values()]
    assert list(zip(*null, strict=True)) == [two for _, _, two in INTO_PANDAS.values()]


def test_into_udf(spark: SparkSession) -> None:
    """NULL is None whatever the type, and a NaN stays a NaN."""
    from pyspark.sql import functions as F

    show = F.udf(lambda v: f"{type(v).__name__} {v!r}", "string")
    frame = wide(spark, {t: v for t, (v, _) in INTO_UDF.items()})
    full, null, _ = frame.select(*(show(c) for c in frame.columns if c != "g")).collect()
    assert list(full) == [one for _, one in INTO_UDF.values()]
    assert set(null) == {"NoneType None"}
    nan = spark.createDataFrame([(math.nan,)], "v double").select(show("v")).collect()
    assert nan[0][0] == "float nan"


def through_pandas(spark: SparkSession, types: list[str], values: list[Any]) -> list[Any]:
    import pandas

    def produce(group: pd.DataFrame) -> pd.DataFrame:
        return pandas.DataFrame({f"r{i}": [v] for i, v in enumerate(values)})

    schema = ", ".join(f"r{i} {t}" for i, t in enumerate(types))
    return list(spark.range(1).groupBy("id").applyInPandas(produce, schema).collect()[0])


def through_udf(spark: SparkSession, types: list[str], values: list[Any]) -> list[Any]:
    from pyspark.sql import functions as F

    columns = [F.udf(lambda _, v=v: v, t)("id") for t, v in zip(types, values, strict=True)]
    return list(spark.range(1).select(*columns).collect()[0])


@pytest.mark.parametrize("path", [through_pandas, through_udf])
def test_out_of_python(spark: SparkSession, path: Any) -> None:
    from pyspark.errors import PythonException

    cases = [(t, v, by_pandas if path is through_pandas else by_udf) for t, v, by_pandas, by_udf in OUT]
    good = [c for c in cases if c[2] is not RAISES]
    got = path(spark, [t for t, _, _ in good], [v for _, v, _ in good])
    assert [*map(image, got)] == [image(expected) for _, _, expected in good]
    for t, v, expected in cases:
        if expected is RAISES:
            with pytest.raises(PythonException):
                path(spark, [t], [v])
