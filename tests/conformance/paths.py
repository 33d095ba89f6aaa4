"""Every way of PySpark's by which a value travels from a Spark column into Python, and back: one function per API.

``INTO`` shows what Python sees of a column; ``OUT`` stores what Python returns as a column of a declared type. The
functions run in Spark's workers, so this module is pickled by value.
"""

from __future__ import annotations

import datetime as dt
import math
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

Seen = list[str]
"""For each column in order, what is seen of its values in one group, batch or collection."""


def ship_by_value() -> None:
    """Let Spark's workers run the functions of this module without importing it."""
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])


# --- how things look


def image(value: object) -> str:
    """A value as Python prints it, which tells its type too: ``1``, ``1.0``, ``True``, ``np.int8(1)``, ``<NA>``."""
    return repr(value).replace("datetime.", "").replace("zoneinfo.ZoneInfo", "ZoneInfo")


def listed(values: Any) -> str:
    """Values one after the other."""
    return ", ".join(image(v) for v in values)


def of_series(series: pd.Series[Any]) -> str:
    """A pandas column: its dtype, and its values as ``list`` and ``itertuples`` give them."""
    return f"{series.dtype}: {listed(series)}"


def of_array(array: Any) -> str:
    """An Arrow column: its type, and its values as ``to_pylist`` gives them."""
    return f"{array.type}: {listed(array.to_pylist())}"


def table_of(values: Sequence[str]) -> pa.Table:
    """One row of texts, as an Arrow table."""
    import pyarrow

    return pyarrow.table({f"c{i}": [v] for i, v in enumerate(values)})


def frame_of(values: Sequence[str]) -> pd.DataFrame:
    """One row of texts, as a pandas frame."""
    import pandas

    return pandas.DataFrame({f"c{i}": [v] for i, v in enumerate(values)})


def texts(frame: DataFrame) -> str:
    """A schema of texts, one for each column of ``frame``."""
    return ", ".join(f"{c} string" for c in frame.columns)


def by_column(rows: Sequence[Sequence[str]]) -> Seen:
    """From what is seen in each row to what is seen in each column."""
    return [", ".join(column) for column in zip(*rows, strict=True)]


# --- into Python


def _plain_udf(arrow: bool | None) -> Callable[[DataFrame], Seen]:
    def see(frame: DataFrame) -> Seen:
        from pyspark.sql import functions as F

        show = F.udf(image, "string", useArrow=arrow)
        return by_column(frame.select(*(show(c) for c in frame.columns)).collect())

    return see


def _series_udf(frame: DataFrame) -> Seen:
    import pandas
    from pyspark.sql import functions as F

    def show(s: Any) -> Any:
        return pandas.Series([of_series(s)] * len(s))

    made = F.pandas_udf(show, "string", F.PandasUDFType.SCALAR)
    return list(frame.select(*(made(c) for c in frame.columns)).collect()[0])


def _series_iterator_udf(frame: DataFrame) -> Seen:
    import pandas
    from pyspark.sql import functions as F

    def show(batches: Any) -> Any:
        for columns in batches:
            yield pandas.Series(["\n".join(map(of_series, columns))] * len(columns[0]))

    made = F.pandas_udf(show, "string", F.PandasUDFType.SCALAR_ITER)
    return str(frame.select(made(*frame.columns)).collect()[0][0]).split("\n")


def _series_aggregate(frame: DataFrame) -> Seen:
    from pyspark.sql import functions as F

    made = F.pandas_udf(of_series, "string", F.PandasUDFType.GROUPED_AGG)
    return list(frame.agg(*(made(c) for c in frame.columns)).collect()[0])


def _apply_in_pandas(frame: DataFrame) -> Seen:
    def show(group: Any) -> Any:
        return frame_of([of_series(group[c]) for c in group.columns])

    return list(frame.groupBy().applyInPandas(show, texts(frame)).collect()[0])


def _cogroup_in_pandas(frame: DataFrame) -> Seen:
    def show(left: Any, right: Any) -> Any:
        return frame_of([of_series(left[c]) for c in left.columns])

    grouped = frame.groupBy()
    return list(grouped.cogroup(frame.groupBy()).applyInPandas(show, texts(frame)).collect()[0])


def _map_in_pandas(frame: DataFrame) -> Seen:
    def show(batches: Any) -> Any:
        for batch in batches:
            yield frame_of([of_series(batch[c]) for c in batch.columns])

    return list(frame.mapInPandas(show, texts(frame)).collect()[0])


def _arrow_udf(frame: DataFrame) -> Seen:
    import pyarrow
    from pyspark.sql import functions as F

    def show(array: pa.Array) -> pa.Array:
        return pyarrow.array([of_array(array)] * len(array))

    show.__annotations__ = {"array": pyarrow.Array, "return": pyarrow.Array}
    made = F.arrow_udf(show, "string")
    return list(frame.select(*(made(c) for c in frame.columns)).collect()[0])


def _arrow_aggregate(frame: DataFrame) -> Seen:
    import pyarrow
    from pyspark.sql import functions as F

    def show(array: pa.Array) -> str:
        return of_array(array)

    show.__annotations__ = {"array": pyarrow.Array, "return": str}
    made = F.arrow_udf(show, "string")
    return list(frame.agg(*(made(c) for c in frame.columns)).collect()[0])


def _apply_in_arrow(frame: DataFrame) -> Seen:
    def show(group: Any) -> Any:
        return table_of([of_array(group[c]) for c in group.column_names])

    return list(frame.groupBy().applyInArrow(show, texts(frame)).collect()[0])


def _cogroup_in_arrow(frame: DataFrame) -> Seen:
    def show(left: Any, right: Any) -> Any:
        return table_of([of_array(left[c]) for c in left.column_names])

    grouped = frame.groupBy()
    return list(grouped.cogroup(frame.groupBy()).applyInArrow(show, texts(frame)).collect()[0])


def _map_in_arrow(frame: DataFrame) -> Seen:
    def show(batches: Any) -> Any:
        for batch in batches:
            yield table_of([of_array(c) for c in batch.columns]).to_batches()[0]

    return list(frame.mapInArrow(show, texts(frame)).collect()[0])


def _table_udtf(arrow: bool) -> Callable[[DataFrame], Seen]:
    def see(frame: DataFrame) -> Seen:
        from pyspark.sql.functions import udtf

        class Show:
            def eval(self, row: Any) -> Iterator[Any]:
                yield tuple(image(v) for v in row)

        made = udtf(Show, returnType=texts(frame), useArrow=arrow)
        return by_column(made(frame.asTable().withSinglePartition()).collect())

    return see


def _scalar_udtf(arrow: bool) -> Callable[[DataFrame], Seen]:
    """A UDTF given columns, laterally."""

    def see(frame: DataFrame) -> Seen:
        from pyspark.sql import functions as F

        class Show:
            def eval(self, *values: Any) -> Iterator[Any]:
                yield tuple(image(v) for v in values)

        returns = ", ".join(f"r{i} string" for i in range(len(frame.columns)))
        made = F.udtf(Show, returnType=returns, useArrow=arrow)
        session = frame.sparkSession
        session.udtf.register("show_scalars", made)
        frame.createOrReplaceTempView("shown")
        names = ", ".join(f"shown.{c}" for c in frame.columns)
        found = session.sql(f"select s.* from shown, lateral show_scalars({names}) s").collect()
        return by_column(found)

    return see


def _arrow_udtf(frame: DataFrame) -> Seen:
    from pyspark.sql.functions import arrow_udtf

    class Show:
        def eval(self, batch: pa.RecordBatch) -> Iterator[pa.Table]:
            yield table_of([of_array(c) for c in batch.columns])

    made = arrow_udtf(Show, returnType=texts(frame))
    return list(made(frame.asTable().withSinglePartition()).collect()[0])


def _rdd(frame: DataFrame) -> Seen:
    return by_column(frame.rdd.map(lambda r: [image(v) for v in r]).collect())


def _collect(frame: DataFrame) -> Seen:
    return by_column([[image(v) for v in row] for row in frame.collect()])


def _to_pandas(frame: DataFrame) -> Seen:
    found = frame.toPandas()
    return [of_series(found[c]) for c in found.columns]


def _to_arrow(frame: DataFrame) -> Seen:
    found = frame.toArrow()
    return [of_array(found[c]) for c in found.column_names]


INTO: dict[str, Callable[[DataFrame], Seen]] = {
    "udf": _plain_udf(None),
    "udf(useArrow=True)": _plain_udf(True),
    "udf(useArrow=False)": _plain_udf(False),
    "df.rdd": _rdd,
    "df.collect()": _collect,
    "udtf, table argument": _table_udtf(True),
    "udtf(useArrow=False), table argument": _table_udtf(False),
    "udtf, scalar arguments": _scalar_udtf(True),
    "udtf(useArrow=False), scalar arguments": _scalar_udtf(False),
    "pandas_udf, series to series": _series_udf,
    "pandas_udf, iterator of series": _series_iterator_udf,
    "pandas_udf, series to scalar": _series_aggregate,
    "applyInPandas": _apply_in_pandas,
    "cogroup().applyInPandas": _cogroup_in_pandas,
    "mapInPandas": _map_in_pandas,
    "df.toPandas()": _to_pandas,
    "arrow_udf, array to array": _arrow_udf,
    "arrow_udf, array to scalar": _arrow_aggregate,
    "applyInArrow": _apply_in_arrow,
    "cogroup().applyInArrow": _cogroup_in_arrow,
    "mapInArrow": _map_in_arrow,
    "arrow_udtf": _arrow_udtf,
    "df.toArrow()": _to_arrow,
}
"""By API, what Python sees of each column of a frame that is one group, partition and batch."""


# --- out of Python


def _single(spark: SparkSession) -> DataFrame:
    return spark.range(1).coalesce(1)


def declared(types: Sequence[str]) -> str:
    """A schema of these types."""
    return ", ".join(f"c{i} {t}" for i, t in enumerate(types))


Store = Callable[["SparkSession", Sequence[str], Sequence[Any]], Sequence[Any]]
"""The values that Spark stores of these returned ones, each in a column of its declared type."""


def _out_udf(arrow: bool | None) -> Store:
    def store(spark: SparkSession, types: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
        from pyspark.sql import functions as F

        made = [F.udf(lambda _, v=v: v, t, useArrow=arrow)("id") for t, v in zip(types, values, strict=True)]
        return list(_single(spark).select(*made).collect()[0])

    return store


def _out_series(kind: str) -> Store:
    def store(spark: SparkSession, types: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
        import pandas
        from pyspark.sql import functions as F

        def whole(v: Any) -> Any:
            return lambda s: pandas.Series([v] * len(s))

        def one(v: Any) -> Any:
            return lambda s: v

        frame, how = _single(spark), getattr(F.PandasUDFType, kind)
        make = one if kind == "GROUPED_AGG" else whole
        made = [F.pandas_udf(make(v), t, how)("id") for t, v in zip(types, values, strict=True)]
        found = frame.agg(*made) if kind == "GROUPED_AGG" else frame.select(*made)
        return list(found.collect()[0])

    return store


def _pandas_frame(values: Sequence[Any]) -> pd.DataFrame:
    import pandas

    return pandas.DataFrame({f"c{i}": [v] for i, v in enumerate(values)})


def _out_apply_in_pandas(spark: SparkSession, types: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
    frame = _single(spark).groupBy("id")
    return list(frame.applyInPandas(lambda _: _pandas_frame(values), declared(types)).collect()[0])


def _out_cogroup(spark: SparkSession, types: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
    def produce(left: Any, right: Any) -> Any:
        return _pandas_frame(values)

    both = _single(spark).groupBy("id").cogroup(_single(spark).groupBy("id"))
    return list(both.applyInPandas(produce, declared(types)).collect()[0])


def _out_map_in_pandas(spark: SparkSession, types: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
    def produce(batches: Any) -> Any:
        for _ in batches:
            yield _pandas_frame(values)

    return list(_single(spark).mapInPandas(produce, declared(types)).collect()[0])


def _out_udtf(arrow: bool) -> Store:
    def store(spark: SparkSession, types: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
        from pyspark.sql.functions import udtf

        class Give:
            def eval(self, row: Any) -> Iterator[Any]:
                yield tuple(values)

        made = udtf(Give, returnType=declared(types), useArrow=arrow)
        return list(made(_single(spark).asTable().withSinglePartition()).collect()[0])

    return store


def _arrow_table(values: Sequence[Any], types: Sequence[Any] | None) -> pa.Table:
    import pyarrow

    arrays = [pyarrow.array([v], None if types is None else types[i]) for i, v in enumerate(values)]
    return pyarrow.table(arrays, names=[f"c{i}" for i in range(len(arrays))])


def _out_arrow(typed: bool) -> Store:
    def store(spark: SparkSession, types: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
        import pyarrow

        known = {
            "long": pyarrow.int64(), "int": pyarrow.int32(), "double": pyarrow.float64(), "string": pyarrow.string(),
            "boolean": pyarrow.bool_(), "date": pyarrow.date32(), "timestamp": pyarrow.timestamp("us", tz="UTC"),
            "float": pyarrow.float32(), "decimal(10,2)": pyarrow.decimal128(10, 2),
        }  # fmt: skip
        given = [known[t] for t in types] if typed else None
        frame = _single(spark).groupBy("id")
        return list(frame.applyInArrow(lambda _: _arrow_table(values, given), declared(types)).collect()[0])

    return store


def _out_create(spark: SparkSession, types: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
    return list(spark.createDataFrame([tuple(values)], declared(types)).collect()[0])


def _out_rdd(spark: SparkSession, types: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
    made = _single(spark).rdd.map(lambda _: tuple(values))
    return list(spark.createDataFrame(made, declared(types)).collect()[0])


def _out_create_from_pandas(arrow: bool) -> Store:
    def store(spark: SparkSession, types: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
        name = "spark.sql.execution.arrow.pyspark.enabled"
        before = spark.conf.get(name)
        spark.conf.set(name, str(arrow).lower())
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return list(spark.createDataFrame(_pandas_frame(values), declared(types)).collect()[0])
        finally:
            spark.conf.set(name, before)

    return store


OUT: dict[str, Store] = {
    "udf": _out_udf(None),
    "udf(useArrow=True)": _out_udf(True),
    "udf(useArrow=False)": _out_udf(False),
    "pandas_udf, series to series": _out_series("SCALAR"),
    "pandas_udf, series to scalar": _out_series("GROUPED_AGG"),
    "applyInPandas": _out_apply_in_pandas,
    "cogroup().applyInPandas": _out_cogroup,
    "mapInPandas": _out_map_in_pandas,
    "udtf": _out_udtf(True),
    "udtf(useArrow=False)": _out_udtf(False),
    "applyInArrow, array(…)": _out_arrow(False),
    "applyInArrow, array(…, type)": _out_arrow(True),
    "createDataFrame of rows": _out_create,
    "createDataFrame of an RDD": _out_rdd,
    "createDataFrame of pandas": _out_create_from_pandas(False),
    "createDataFrame of pandas, with Arrow": _out_create_from_pandas(True),
}
"""By API, what Spark stores of a row of values that Python returns."""

Columns = Callable[["SparkSession", Sequence[str], Sequence[Sequence[Any]]], "DataFrame"]
"""The frame that Spark makes of whole pandas columns of these declared types."""


def _columns_frame(columns: Sequence[Sequence[Any]]) -> pd.DataFrame:
    import pandas

    return pandas.DataFrame({f"c{i}": column for i, column in enumerate(columns)})


def _columns_apply(spark: SparkSession, types: Sequence[str], columns: Sequence[Sequence[Any]]) -> DataFrame:
    return _single(spark).groupBy("id").applyInPandas(lambda _: _columns_frame(columns), declared(types))


def _columns_map(spark: SparkSession, types: Sequence[str], columns: Sequence[Sequence[Any]]) -> DataFrame:
    def produce(batches: Any) -> Any:
        for _ in batches:
            yield _columns_frame(columns)

    return _single(spark).mapInPandas(produce, declared(types))


def _columns_udf(spark: SparkSession, types: Sequence[str], columns: Sequence[Sequence[Any]]) -> DataFrame:
    import pandas
    from pyspark.sql import functions as F

    how = F.PandasUDFType.SCALAR
    made = [F.pandas_udf(lambda s, c=c: pandas.Series(c), t, how)("id") for t, c in zip(types, columns, strict=True)]
    return spark.range(len(columns[0])).coalesce(1).select(*made)


COLUMNS: dict[str, Columns] = {
    "pandas_udf, series to series": _columns_udf,
    "applyInPandas": _columns_apply,
    "mapInPandas": _columns_map,
}
"""By API, what Spark stores of pandas columns that mix values."""

NAMES: dict[str, Any] = {
    "nan": math.nan, "inf": math.inf, "date": dt.date, "datetime": dt.datetime, "UTC": dt.timezone.utc,
    "Decimal": Decimal,
}  # fmt: skip
"""What the texts of values in the tables may name."""
