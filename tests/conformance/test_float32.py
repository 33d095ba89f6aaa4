"""32-bit floats beside whole numbers: without ANSI mode Spark rounds the number to 32 bits, so the front end reads only
comparisons that are exact either way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.syntax.refusal import Refusal
from tests.python.arrow.arrow_cases import ArrowCase

from .test_columns import NotTranslated, read

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXACT = 2**24


@pytest.mark.parametrize("text", [f"df.f >= {EXACT + 1}", "df.f == df.i", "df.n < df.f", f"df.f.isin({EXACT + 1})"])
def test_refused_in_columns(text: str) -> None:
    with pytest.raises(NotTranslated):
        read(text)


@pytest.mark.parametrize("text", [f"df.f >= {EXACT}", f"df.f >= {EXACT + 1}.0", "df.f == df.y"])
def test_read_in_columns(text: str) -> None:
    assert read(text)


@pytest.mark.parametrize(("number", "refused"), [(EXACT, False), (-EXACT - 1, True), (f"{EXACT + 1}.0", False)])
def test_python(number: object, refused: bool) -> None:
    source = f"""
def f(key, table):
    n = 0
    for r in table.to_pylist():
        if r["x"] is not None and r["x"] >= {number}:
            n += 1
    return pa.Table.from_pylist([{{"k": key[0].as_py(), "n": n}}], schema=pa.schema([("k", pa.string()), ("n", pa.int64())]))
"""  # noqa: E501
    case = ArrowCase(source, "k string, x float", "k string, n long")
    if refused:
        with pytest.raises(Refusal, match="32-bit float"):
            case.fold()
    else:
        case.fold()


@pytest.mark.spark
def test_spark(spark: SparkSession) -> None:
    """Both modes agree up to 2**24, and not beyond."""
    name, compared = "spark.sql.ansi.enabled", f"f = {EXACT}, f < {EXACT}, f = {EXACT + 1}, f = {EXACT + 1}D"
    found = []
    for ansi in ("true", "false"):
        spark.conf.set(name, ansi)
        found.append(
            tuple(spark.sql(f"select cast({EXACT} as float) f").selectExpr(*compared.split(", ")).first() or ())
        )
    spark.conf.set(name, "true")
    assert found == [(True, False, False, False), (True, False, True, False)]
