"""Which columns of ``toPandas`` have the same type and values when rows that a mask does not take are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.python.pandas.frame_masks import SHOWN_ALIKE
from headwater_ir.types import BOOL, DATE, FLOAT, FLOAT32, INT, STRING, Type
from tests.driver_values import canonical

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
pytest.importorskip("pyspark", minversion="4.3")

VALUES: dict[str, tuple[Type, str]] = {
    "string": (STRING, "'a'"), "double": (FLOAT, "1.5D"), "float": (FLOAT32, "1.5F"), "date": (DATE, "current_date()"),
    "decimal(10,2)": (Type("decimal"), "1.50BD"), "boolean": (BOOL, "true"), "tinyint": (INT, "1Y"),
    "smallint": (INT, "1S"), "int": (INT, "1"), "bigint": (INT, "1L"),
}  # fmt: skip
TABLES = [(["NULL", "v"], [1]), (["NULL", "v"], []), (["v", "v"], []), (["NULL", "v"], [0]), (["v", "v"], [1]),
          (["NULL", "NULL"], [1]), ([], [])]  # fmt: skip
"""The values of a column, and the rows that a mask takes."""


@pytest.mark.parametrize("arrow", ["true", "false"])
@pytest.mark.parametrize("name", VALUES)
def test_types_that_are_shown_alike(spark: SparkSession, name: str, arrow: str) -> None:
    setting = "spark.sql.execution.arrow.pyspark.enabled"
    before = spark.conf.get(setting)
    spark.conf.set(setting, arrow)
    try:
        same = [_is_same(spark, name, values, taken) for values, taken in TABLES]
    finally:
        spark.conf.set(setting, before or "true")
    assert all(same) == (VALUES[name][0].name in SHOWN_ALIKE)
    assert all(s for s, (values, _) in zip(same, TABLES, strict=True) if "NULL" not in values)


def _is_same(spark: SparkSession, name: str, values: list[str], taken: list[int]) -> bool:
    texts = [VALUES[name][1] if v == "v" else v for v in values]
    rows = " UNION ALL ".join(f"SELECT {i} i, CAST({t} AS {name}) c" for i, t in enumerate(texts))
    frame = spark.sql(rows or f"SELECT 0 i, CAST(NULL AS {name}) c WHERE false").orderBy("i")
    whole, part = frame.toPandas(), frame.filter(f"i in ({','.join(map(str, taken)) or '-1'})").toPandas()
    masked = whole[whole["i"].isin(taken)].reset_index(drop=True)
    return canonical(masked["c"]) == canonical(part["c"])
