"""Conditions on decimals: what is said to reach a source does on Spark, if the digits of the column have the constant;
HW201 computes nothing of them, for what Spark computes depends on digits that no type here has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.pyspark.reading.module import read_module
from headwater.source.classify import Classified, Source, classify
from headwater_ir.expr import conjoin
from headwater_ir.plan import Scan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HEAD = "from pyspark.sql import SparkSession, functions as F\nspark = SparkSession.builder.getOrCreate()\n"
ONLY_IF = "have the digits of the constant"
CONDITIONS = (
    "F.col('c') > 5", "F.col('c') > 100000", "F.col('c') == 3000000000", "F.col('c').isin(5, 7)", "F.col('c').isNull()",
    "~F.col('c').isin(5, 7)", "F.col('c') != 5", "F.col('c').eqNullSafe(5)", "F.expr('c between 1 and 2')",
    "F.col('c') > 1.5", "F.expr('c > 1.5')",
)  # fmt: skip
DIGITS = {"decimal(5,2)": 3, "decimal(10,2)": 8, "decimal(20,0)": 20, "decimal(38,10)": 28, "decimal(38,38)": 0}


def text(kind: str, condition: str, form: str = "parquet") -> str:
    return f"{HEAD}result = spark.read.schema('c {kind}').{form}('rows').filter({condition})\n"


def said(kind: str, condition: str) -> Classified:
    (found,) = read_module(text(kind, condition)).filters
    assert isinstance(found.child, Scan)
    return classify(conjoin([c.condition for c in found.conjuncts]), Source.of(found.child))


@pytest.mark.spark
@pytest.mark.parametrize("kind", DIGITS)
def test_what_reaches_the_source_does_on_spark(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    from pyspark.sql import functions as F

    spark.sql(f"SELECT CAST(id / 100000 AS {kind}) AS c FROM range(10)").write.parquet(str(tmp_path / "rows"))
    frame = spark.read.schema(f"c {kind}").parquet(str(tmp_path / "rows"))
    for condition in CONDITIONS:
        column = eval(condition, {"F": F})
        plan: Any = frame.filter(column)._jdf.queryExecution().executedPlan().toString()
        pushed = [p for p in re.findall(r"\w+\(", re.search(r"PushedFilters: \[(.*)", plan)[1]) if "IsNotNull" not in p]  # type: ignore[index]
        of = said(kind, condition)
        greatest = max((len(n) for n in re.findall(r"\d+", condition)), default=0)
        if of.kind != "unsupported" and (ONLY_IF not in of.why or greatest <= DIGITS[kind]):
            assert pushed, (condition, plan)
        assert (of.kind == "unsupported") == ("1.5" in condition), condition


@pytest.mark.parametrize("kind", DIGITS)
@pytest.mark.parametrize(
    "condition",
    [
        "F.coalesce(F.col('c'), F.lit(0)) > 5", "F.col('c') * 2 > 10", "F.floor('c') == 5", "F.round('c') == 5",
        "F.col('c').cast('int') > 5", "F.col('c') + 1 > 5", "F.abs('c') > 5", "-F.col('c') < 5",
        "F.col('c').cast('string') == '5'", "'c * 2 > 10.5'", "'nvl(c, 0) = 5'", "F.greatest('c', F.lit(3)) > 5",
        "F.round('c', -1) == 50", "F.lpad(F.col('c').cast('string'), 5, '0') >= '00100'", "'c DIV 2 = 5'",
    ],
)  # fmt: skip
def test_nothing_is_computed_of_decimals(kind: str, condition: str) -> None:
    assert [o.code for o in analyse(text(kind, condition)).opportunities if o.code == "HW201"] == []
