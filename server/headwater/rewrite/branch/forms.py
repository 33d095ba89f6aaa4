"""What may be called while a frame waits for a copy of its expression: by kind of receiver, with what the call gives.

Law: a call that is listed here changes nothing that a second evaluation of an expression could notice (no setting of
the session, no view, table or registered function, no file, no variable, no object in place), runs no code that is not
listed either, and gives what the table says. Nothing else is known: a method that no table names, or a receiver of no
known kind, means that no copy is made.
Why sound: each entry is measured against Spark and CPython, with what it changes and what it gives, and so is what each
of the refused neighbours would change (``tests/tables/test_branch_world.py``).
Reference: ``pyspark.sql`` 3.5 to 4.3; the Python Standard Library.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from headwater.syntax.names.pyspark_symbols import FUNCTION_NAMES

Kind = Literal[
    "frame", "groups", "column", "columns", "window", "rdd", "na", "reader", "writer", "table writer", "session",
    "scalar", "data", "pandas", "function", "unset", "unknown",
]  # fmt: skip
"""``columns``: a container with columns in it; ``scalar``: an immutable number, text or None; ``data``: a container of
such, rows included, or an immutable object of a listed class; ``function``: one that is handed over, not called;
``unset``: no value was seen yet. The other names are those of PySpark's classes."""


def _each(kind: Kind, names: str) -> dict[str, Kind]:
    return dict.fromkeys(names.split(), kind)


ACTIONS: Mapping[str, Kind] = {
    **_each("scalar", "show count isEmpty printSchema explain"),
    **_each("data", "collect take head tail first"),
    "toPandas": "pandas",
}
"""Methods of a DataFrame whose result holds no column of it."""
TWO_FRAMES = frozenset("join crossJoin union unionAll unionByName intersect intersectAll subtract exceptAll".split())
"""Methods of a DataFrame whose first argument is another."""
METHODS: Mapping[Kind, Mapping[str, Kind]] = {
    "frame": {
        **ACTIONS,
        **_each(
            "frame",
            """
            select selectExpr withColumn withColumns withColumnRenamed withColumnsRenamed drop filter where agg orderBy
            sort sortWithinPartitions distinct dropDuplicates drop_duplicates dropna fillna replace alias hint
            repartition coalesce unpivot melt limit sample toDF describe summary
            """,
        ),
        **_each("frame", " ".join(TWO_FRAMES)),
        **_each("groups", "groupBy groupby rollup cube"),
    },
    "groups": {**_each("frame", "agg count sum min max avg mean"), "pivot": "groups"},
    "na": _each("frame", "drop fill replace"),
    "rdd": {
        **_each("scalar", "count isEmpty getNumPartitions"),
        **_each("data", "collect take first countByValue"),
    },
    "column": _each(
        "column",
        """
        alias asc asc_nulls_first asc_nulls_last astype between bitwiseAND bitwiseOR bitwiseXOR cast contains desc
        desc_nulls_first desc_nulls_last dropFields endswith eqNullSafe getField getItem ilike isNaN isNotNull isNull
        isin like name otherwise over rlike startswith substr when withField
        """,
    ),
    "window": _each("window", "partitionBy orderBy rowsBetween rangeBetween"),
    "session": _each("frame", "table range createDataFrame"),
    "reader": {
        **_each("reader", "format option options schema"),
        **_each("frame", "load parquet csv json orc text table"),
    },
    "scalar": {
        **_each(
            "scalar",
            """
            capitalize casefold center endswith find format index isalpha isdigit islower isupper join ljust lower
            lstrip removeprefix removesuffix replace rfind rjust rstrip startswith strip title upper zfill isoformat
            strftime is_integer total_seconds
            """,
        ),
        **_each("data", "split rsplit splitlines partition"),
    },
    "data": {
        **_each("data", "items keys values get copy asDict"),
        **_each("scalar", "index count"),
    },
    "pandas": {**_each("pandas", "head tail describe"), **_each("scalar", "to_string")},
}
"""Methods by kind of receiver, each with the kind of its result."""
WRITES: Mapping[Kind, Mapping[str, Kind]] = {
    "writer": {
        **_each("writer", "mode format option options partitionBy bucketBy sortBy"),
        **_each("scalar", "save parquet csv json orc text saveAsTable insertInto"),
    },
    "table writer": {
        **_each("table writer", "using option options tableProperty partitionedBy"),
        **_each("scalar", "create replace createOrReplace append overwritePartitions"),
    },
    "frame": _each("table writer", "writeTo"),
}
"""Methods that change files and tables, or lead there: they keep no column of the frame, and are listed only for where
nothing is evaluated a second time afterwards."""
ATTRIBUTES: Mapping[Kind, Mapping[str, Kind]] = {
    "frame": {**_each("data", "columns schema dtypes"), "isStreaming": "scalar", "rdd": "rdd", "na": "na"},
    "session": {"read": "reader", "version": "scalar"},
    "pandas": {**_each("data", "shape columns"), "empty": "scalar"},
}
"""Attributes that are no methods. (Any other of a frame or of a column is a column, unless its class has it.)"""
WRITING_ATTRIBUTES: Mapping[Kind, Mapping[str, Kind]] = {"frame": {"write": "writer"}}
BUILTINS: Mapping[str, Kind] = {
    **_each("scalar", "print len str int float bool round abs sum any all repr"),
    **_each("data", "range list tuple set dict sorted enumerate zip min max reversed"),
}
"""Functions of the language: given plain data they do nothing but make other data, and ``print`` writes to the
screen."""
FUNCTIONS: Mapping[str, Kind] = {
    **_each("scalar", "time.time time.perf_counter time.monotonic math.sqrt math.floor math.ceil math.log math.exp"),
    **_each("scalar", "datetime.date datetime.datetime datetime.timedelta datetime.date.today datetime.datetime.now"),
    **_each("data", "collections.Counter collections.OrderedDict"),
}
"""Functions of the standard library, by full name."""
MODULES = frozenset(
    """
    math datetime time collections typing decimal re string json functools itertools pyspark.sql.functions
    pyspark.sql.types pyspark.sql.window
    """.split()
)
"""Modules whose import runs no code that is not theirs, and binds names only."""
IMPORTS: Mapping[str, frozenset[str]] = {
    "pyspark.sql": frozenset("functions types window Window Row SparkSession DataFrame Column".split())
}
"""What may be imported from a package that has other modules as well."""
NO_COLUMN_FUNCTIONS = frozenset(
    """
    udf pandas_udf udtf arrow_udf arrow_udtf call_udf call_function reflect try_reflect java_method broadcast expr
    transform filter exists forall aggregate reduce zip_with transform_keys transform_values map_filter map_zip_with
    array_sort
    """.split()
)
"""Functions of ``pyspark.sql.functions`` that call Python or Java functions, or may, or read a text."""
COLUMN_FUNCTIONS = FUNCTION_NAMES - NO_COLUMN_FUNCTIONS
"""Functions of ``pyspark.sql.functions`` that make a column of columns and plain data, and do nothing else."""
