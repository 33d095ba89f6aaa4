"""Pandas UDFs from series to one value: the shape of their folds, and how Spark runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from headwater.python.pandas.udaf import SeriesCall, fold_series_aggregates
from headwater.semantics.interpreter import run_fold
from headwater.syntax.names.module_scope import Context
from headwater_ir.plan import Field

from .functions import Series
from .harness import TYPES, schema
from .series_cases import CASES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_shape_of_the_fold() -> None:
    fold = CASES["max"].fold()
    assert fold.merge is None
    assert fold.grouped
    assert [o.name for o in fold.outputs] == ["k", "o"]
    assert [s.name for s in fold.slots] == ["max(v)"]


def test_functions_side_by_side() -> None:
    ctx = Context.of(Series.prelude + "def f(v):\n    return v.max()\n\ndef g(v, w):\n    return len(w)\n")
    first, second = ctx.function("f"), ctx.function("g")
    assert first is not None
    assert second is not None
    calls = [
        SeriesCall(first, ("v",), Field("top", TYPES["double"])),
        SeriesCall(second, ("v", "w"), Field("n", TYPES["long"])),
    ]
    fold = fold_series_aggregates(ctx, calls, source=schema("k string, v double, w long"), keys=())
    assert fold.grouped, "df.agg(…) of a pandas UDF has no row over nothing"
    assert run_fold(fold, []) is None
    assert run_fold(fold, [{"v": 1.0, "w": 1}, {"v": None, "w": None}]) == {"top": 1.0, "n": 2}


@pytest.mark.spark
def test_how_spark_runs_them(spark: SparkSession) -> None:
    """No row over nothing, not even without keys; generated names; native aggregates beside them are refused."""
    from pyspark.errors import AnalysisException
    from pyspark.sql import functions as F

    def length(v: pd.Series) -> int:
        return len(v)

    udf: Any = F.pandas_udf(length, "long")
    frame = spark.createDataFrame([("a", 1.0), ("a", None)], "k string, v double")
    nothing = frame.filter("v > 5")
    for empty in (nothing, spark.createDataFrame([], "k string, v double")):
        assert empty.agg(udf("v")).collect() == []
        assert empty.groupBy().agg(udf("v")).collect() == []
        assert empty.groupBy("k").agg(udf("v")).collect() == []
    assert frame.agg(udf(frame.v)).columns == ["length(v)"]
    assert frame.groupBy("k").agg(udf("v")).collect()[0]["length(v)"] == 2
    with pytest.raises(AnalysisException, match="INVALID_PANDAS_UDF_PLACEMENT"):
        frame.groupBy("k").agg(udf("v"), F.count("*")).collect()


@pytest.mark.spark
def test_what_the_hints_say(spark: SparkSession) -> None:
    """The kinds that ``pyspark.api.user_functions.pandas_udf`` tells apart are Spark's."""
    from pyspark.sql.functions import PandasUDFType, pandas_udf

    def hinted(v: pd.Series) -> float:
        return 0.0

    def mapping(v: pd.Series) -> pd.Series:
        return v

    def plain(v):  # type: ignore[no-untyped-def]
        return 0.0

    kinds = [
        pandas_udf(hinted, "double"), pandas_udf(mapping, "double"), pandas_udf(plain, "double"),
        pandas_udf(plain, "double", PandasUDFType.GROUPED_AGG), pandas_udf("double", PandasUDFType.GROUPED_AGG)(plain),
        pandas_udf(returnType="double")(hinted),
    ]  # fmt: skip
    aggregate, scalar = PandasUDFType.GROUPED_AGG, PandasUDFType.SCALAR
    assert [k.evalType for k in kinds] == [aggregate, scalar, scalar, aggregate, aggregate, aggregate]
