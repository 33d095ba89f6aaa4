"""Probes of Python UDFs: how arguments arrive, and what is stored of a result that is not of the declared type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.replay import setting

from .probes import ARROW, Probe, values

MODES: dict[str, dict[str, str]] = {"": {ARROW: "false"}, ", Arrow": {ARROW: "true"}}
RESULTS = {
    "int": ("1.0", "1.5", "float('nan')", "'1'", "'x'", "True", "None", "2**31", "Decimal('1')", "np.int64(1)",
            "np.float64(1.5)", "dt.date(2020, 1, 1)", "[1]"),
    "bigint": ("1.0", "'1'", "2**63", "np.int64(1)", "np.int32(1)"),
    "double": ("1", "True", "'1.5'", "None", "Decimal('1.5')", "np.float64(1.5)", "np.float32(1.5)", "10**400"),
    "float": ("0.1", "1e300", "1"),
    "string": ("1", "1.0", "True", "None", "dt.date(2020, 1, 1)", "Decimal('1.50')", "[1]", "b'a'", "np.str_('a')",
               "np.int64(1)", "(1, 2)"),
    "boolean": ("1", "0", "1.5", "'true'", "None", "np.bool_(True)", "[]"),
    "date": ("dt.datetime(2020, 1, 1, 5)", "'2020-01-01'", "1", "None"),
    "timestamp": ("dt.date(2020, 1, 1)", "'2020-01-01'", "dt.datetime(2020, 1, 1, 5)"),
    "decimal(10,2)": ("1", "1.5", "Decimal('1.555')", "'1.5'", "Decimal('1e20')"),
    "array<int>": ("(1, 2)", "[1.0]", "['1']", "None", "np.array([1])"),
}  # fmt: skip
ARGUMENTS = {
    "int": "cast(1 as int)",
    "NULL int": "if(id = 0, 1, cast(null as int))", "NULL bigint": "if(id = 0, 1L, cast(null as bigint))",
    "NULL double": "if(id = 0, 1D, cast(null as double))", "NaN": "double('nan')", "NULL date": "if(id = 0, date'2020-01-01', null)", "float": "float(0.1)",
    "boolean": "true", "NULL boolean": "if(id = 0, true, cast(null as boolean))", "NULL string": "if(id = 0, 'a', cast(null as string))",
    "date": "date'2020-01-01'", "timestamp": "timestamp'2020-01-01 05:00:00'",
    "timestamp_ntz": "timestamp_ntz'2020-01-01 05:00:00'", "decimal": "cast(1.50 as decimal(10,2))",
    "binary": "cast('a' as binary)", "array": "array(1, null)", "struct": "named_struct('a', 1)",
    "map": "map('a', 1)", "interval": "interval '1' day",
}  # fmt: skip


def probes() -> Iterator[Probe]:
    for declared, expressions in RESULTS.items():
        for expression in expressions:
            for mode, settings in MODES.items():
                yield _result(declared, expression, mode, settings)
    for name, argument in ARGUMENTS.items():
        for mode, settings in MODES.items():
            yield _argument(name, argument, mode, settings)
    yield Probe("UDF", "is Arrow on by default", lambda spark: str(spark.conf.get(ARROW)))
    for mode, settings in MODES.items():
        yield Probe("UDF", f"time zone of a timestamp{mode}", lambda spark, s=settings: _zone(spark, s))


def _result(declared: str, expression: str, mode: str, settings: dict[str, str]) -> Probe:
    def ask(spark: Any) -> str:
        from pyspark.sql import functions as F

        names: dict[str, Any] = {}
        exec("import datetime as dt\nimport numpy as np\nfrom decimal import Decimal\n", names)
        function = eval(f"lambda i: {expression}", names)
        with setting(spark, settings):
            return values(spark.range(1).select(F.udf(function, declared)("id").alias("r")))

    return Probe("UDF result", f"{expression} as {declared}{mode}", ask)


def _argument(name: str, argument: str, mode: str, settings: dict[str, str]) -> Probe:
    def ask(spark: Any) -> str:
        from pyspark.sql import functions as F

        with setting(spark, settings):  # until 4.1 it is read where the function is made
            shown = F.udf(lambda v: f"{type(v).__name__} {v!r}", "string")
            return values(spark.sql(f"select {argument} as v from range(2)").coalesce(1).select(shown("v")))

    return Probe("UDF argument", f"{name}{mode}", ask)


def _zone(spark: Any, settings: dict[str, str]) -> str:
    from pyspark.sql import functions as F

    with setting(spark, {**settings, "spark.sql.session.timeZone": "America/New_York"}):
        hour = F.udf(lambda v: v.hour, "int")
        return values(spark.sql("select timestamp'2020-01-01 05:00:00' as v from range(1)").select(hour("v")))
