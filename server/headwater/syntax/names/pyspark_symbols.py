"""What Spark's functions are, and what names PySpark binds, as of 4.3; older versions have fewer.

The table is closed: a function that it does not name may be anything. Each kind is measured, on the analysed plan of a
call and on its values (``tests/tables/spark_measure.py``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from .spark_functions import BY_KIND

Kind = Literal[
    "row", "column", "text", "aggregate", "window", "generator", "rows", "session", "partition", "random", "foreign",
    "raises", "unmeasured", "order", "partitioning", "udf", "frame",
]  # fmt: skip
"""What a function is:

row           a deterministic function of its arguments in the same row, which adds and drops no row
column        a column or a constant itself: ``col``, ``lit``
text          what its SQL text says: ``expr``
aggregate     of the rows of a group
window        of the rows of a window, and of no others
generator     makes several rows of one
rows          makes or drops rows without being a generator, or merges them: time windows and session windows
session       needs the clock, the user or the catalog of the session
partition     needs the place of the row: its file, its partition, its number
random        another value each time it is evaluated
foreign       runs a function that is registered under a name
raises        raises an error for the rows that it was measured on, so its values are not known
unmeasured    no call of it could be measured
order         an order, no value: ``asc``
partitioning  a transform of partitions, for writers only: ``years``
udf           constructs a user-defined function
frame         takes and returns a DataFrame
"""


@dataclass(frozen=True)
class SparkFunction:
    """One function. ``declaration``: its parameters, for ``Signature.of``."""

    name: str
    kind: Kind
    declaration: str


def _functions() -> dict[str, SparkFunction]:
    found: dict[str, SparkFunction] = {}
    for kind, text in BY_KIND.items():
        assert kind in get_args(Kind), kind
        for m in re.finditer(r"(\w+)\((?:[^()']|'[^']*')*\)", text):
            assert m[1] not in found, m[1]
            found[m[1]] = SparkFunction(m[1], cast(Kind, kind), m[0])
    return found


FUNCTIONS: Mapping[str, SparkFunction] = _functions()
"""By name."""

FUNCTION_NAMES = frozenset(FUNCTIONS) - frozenset(
    "bitwiseNOT chr random shiftLeft shiftRight shiftRightUnsigned toDegrees toRadians uuid".split()
)
"""What `from pyspark.sql.functions import *` binds, and so shadows."""

ALSO_STARRED = frozenset(
    """
    AnalyzeArgument AnalyzeResult Any ArrayType ArrowUDFType Callable Column DataFrame DataType Dict Iterable
    JVMView List Optional OrderingColumn PandasUDFType PartitioningColumn PySparkTypeError PySparkValueError
    SelectedColumn SkipRestOfInputTableException SparkContext StringType StructType TYPE_CHECKING Tuple Type
    Union UserDefinedFunction UserDefinedTableFunction ValuesView bitwiseNOT cast decimal functools
    get_active_spark_context has_numpy inspect np overload shiftLeft shiftRight shiftRightUnsigned sys toDegrees
    toRadians to_str try_remote_functions warnings
    """.split()
)
"""What else it binds in some version: that of Spark 3.5 has no ``__all__``, and so what it imports is bound as well."""


def _of(*kinds: Kind) -> frozenset[str]:
    return frozenset(name for name, f in FUNCTIONS.items() if f.kind in kinds)


ROW = _of("row")
VOLATILE = _of("random", "session", "partition")
"""Functions whose value depends on more than their arguments."""
FOREIGN = _of("foreign")
"""Functions that run another function, which may be any."""
ROW_CONTEXT = _of("window")
"""Functions that look at other rows."""

CALLING = frozenset(
    n for n, f in FUNCTIONS.items() if f.kind == "row" and re.search(r"[(, ](f|merge|comparator)[,=)]", f.declaration)
)
"""Functions that call a function of the user's on the driver, to see what expression it makes."""
_FUNCTION_MODULES = ("pyspark.sql.functions", "pyspark.sql.functions.builtin")


def function_of(origin: str) -> SparkFunction | None:
    """The function that the full name ``origin`` means; None if it is none of ``pyspark.sql.functions``, such as a
    module that this imports."""
    module, _, name = origin.rpartition(".")
    return FUNCTIONS.get(name) if module in _FUNCTION_MODULES else None


TYPES = frozenset(
    """
    ArrayType BinaryType BooleanType ByteType CalendarIntervalType CharType DataType DateType DayTimeIntervalType
    DecimalType DoubleType FloatType GeographyType GeometryType IntegerType LongType MapType NullType ShortType
    StringType StructField StructType TimeType TimestampNTZType TimestampType VarcharType VariantType
    YearMonthIntervalType
    """.split()
)
"""The classes of ``pyspark.sql.types`` whose call makes a data type, or a field of one, and does nothing else."""


def is_type(origin: str) -> bool:
    """Whether the full name ``origin`` means one of ``TYPES``."""
    module, _, name = origin.rpartition(".")
    return module == "pyspark.sql.types" and name in TYPES


_WINDOW_CLASSES = ("pyspark.sql.Window", "pyspark.sql.window.Window")
WINDOW_BOUNDS = frozenset("currentRow unboundedFollowing unboundedPreceding".split())
"""The attributes of ``Window`` that are numbers."""


def window_member(origin: str) -> str | None:
    """The attribute of the class ``Window`` that the full name ``origin`` means; None if it means none."""
    owner, _, name = origin.rpartition(".")
    return name if owner in _WINDOW_CLASSES else None


_NOT_ROW_IN_SQL = frozenset(
    """
    bitwiseNOT bitwise_not create_map negate shiftLeft shiftRight shiftRightUnsigned toDegrees toRadians
    timestamp_add timestamp_diff
    """.split()
)
"""Functions of the table that SQL does not have, or that are not row by row for every way to call them in SQL."""
_ROW_IN_SQL_ALONE = frozenset(
    """
    bigint binary boolean date decimal double float if int len luhn_check map mod smallint space string time
    timestamp tinyint
    """.split()
)
"""Functions of SQL that are row by row, and that ``pyspark.sql.functions`` has not."""
SQL_ROW = (ROW - _NOT_ROW_IN_SQL) | _ROW_IN_SQL_ALONE
"""The names of SQL's functions of their row."""
CLOCK_WORDS = frozenset("current_date current_time current_timestamp localtimestamp".split())
"""Functions of the clock that SQL calls without parentheses where there is no column of the name."""

_MOMENT = re.compile(r"\s*(epoch|now|today|tomorrow|yesterday)\b", re.IGNORECASE)


def names_the_clock(text: str) -> bool:
    """Whether ``text`` as a date or time is one of the moment: ``date 'today'``, ``cast('now' as timestamp)``."""
    return _MOMENT.match(text) is not None


FRAME_ATTRIBUTES = frozenset(
    """
    agg alias approxQuantile asTable cache checkpoint coalesce colRegex collect columns corr count cov
    createGlobalTempView createOrReplaceGlobalTempView createOrReplaceTempView createTempView crossJoin crosstab
    cube describe distinct drop dropDuplicates dropDuplicatesWithinWatermark drop_duplicates dropna dtypes
    exceptAll executionInfo exists explain fillna filter first foreach foreachPartition freqItems groupBy
    groupby groupingSets head hint inputFiles intersect intersectAll isEmpty isLocal isStreaming join
    lateralJoin limit localCheckpoint mapInArrow mapInPandas melt mergeInto metadataColumn na nearestByJoin
    observe offset orderBy pandas_api persist plot printSchema randomSplit rdd registerTempTable repartition
    repartitionById repartitionByRange replace rollup sameSemantics sample sampleBy scalar schema select
    selectExpr semanticHash show sort sortWithinPartitions sparkSession stat storageLevel subtract summary tail
    take to toArrow toDF toJSON toLocalIterator toPandas transform transpose union unionAll unionByName
    unpersist unpivot where withColumn withColumnRenamed withColumns withColumnsRenamed withMetadata
    withWatermark write writeStream writeTo zip zipWithIndex
    """.split()
)
"""Attributes of a DataFrame: `df.count` is this method, never a column."""
