"""The recorded answers of every version: complete, those of the installed one, and each that differs is handled."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest

from headwater.engine.analysis.analyse import analyse
from headwater.engine.analysis.options import Options
from headwater.rewrite import spell_column
from headwater.syntax.names.pyspark_symbols import ALSO_STARRED, FUNCTION_NAMES, TYPES
from headwater.syntax.names.spark_conf import SAFE_PANDAS
from headwater.syntax.names.spark_versions import (
    ANSI_BY_DEFAULT,
    ARROW_BY_DEFAULT,
    ARROW_KEEPS_NULL,
    ARROW_UDTF_CASTS,
    FEATURES,
    MEASURED,
    PANDAS_OVERFLOW_FAILS,
    TRANSPILES,
    text_of,
)
from headwater_ir import native
from tests.conformance.test_catalyst import PUSHED
from tests.shares import every

from . import page, udfs
from .environments import ENVIRONMENTS, Environment
from .matrix import recorded
from .probes import all_probes, answer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MATRIX = recorded()
SHARE = 24 * every(2)


def installed() -> Environment | None:
    """The environment of the matrix that has the installed versions of Spark and pandas."""
    there = {f"{p}=={metadata.version(p)}" for p in ("pyspark", "pandas")}
    return next((e for e in ENVIRONMENTS if there <= set(e.packages)), None)


def test_every_probe_was_asked_of_every_version() -> None:
    assert list(MATRIX) == [p.id for p in all_probes()]
    for name, answers in MATRIX.items():
        family = name.partition(": ")[0]
        assert list(answers) == [e.name for e in ENVIRONMENTS if not e.families or family in e.families]
    assert [v for e in ENVIRONMENTS if e.name == (v := e.spark)] == list(map(text_of, MEASURED))


@pytest.mark.spark
def test_some_answers_of_the_installed_version(spark: SparkSession) -> None:
    """A share of those that need a job, and all that do not; `make campaign NAME=versions` asks all of every version."""
    environment = installed()
    if environment is None:
        pytest.skip("the installed Spark is none of the measured ones")
    free = ("default", "names", "member")
    asked = [p for p in all_probes() if p.family in free or crc32(p.id.encode()) % SHARE == 0]
    assert len(asked) > 100
    found = {p.id: answer(p, spark) for p in asked}
    assert found == {name: MATRIX[name][environment.name] for name in found}


def test_the_page_is_fresh() -> None:
    assert page.DOCUMENT.read_text("utf-8") == page.document(), (
        f"make it anew: {page.COMMAND.replace('matrix', 'page')}"
    )


def test_every_row_that_differs_is_handled_and_no_other_is_named() -> None:
    rows = page.differing(MATRIX)
    assert len(rows) >= 80
    assert all(map(page.handled, rows))
    assert set(page.ROWS) <= rows.keys()


def versions_with(probe: str, *answers: str) -> frozenset[tuple[int, int]]:
    return frozenset(v for v in MEASURED if MATRIX[probe][text_of(v)] in answers)


@pytest.mark.parametrize(
    ("feature", "probe", "answers"),
    [
        (ANSI_BY_DEFAULT, "default: spark.sql.ansi.enabled", ("true",)),
        (ARROW_BY_DEFAULT, "UDF: is Arrow on by default", ("true",)),
        (ARROW_KEEPS_NULL, "UDF argument: NULL int, Arrow", ("'NoneType None', 'int 1'",)),
        (PANDAS_OVERFLOW_FAILS, f"default: {SAFE_PANDAS}", ("true",)),
        (PANDAS_OVERFLOW_FAILS, "applyInPandas result: too large an int", ("error PythonException",)),
        (ARROW_UDTF_CASTS, "default: spark.sql.execution.pythonUDTF.arrow.enabled", ("true",)),
        (TRANSPILES, "default: spark.sql.experimental.optimizer.transpilePyUDFs", ("false", "true")),
    ],
)
def test_the_table_of_features_is_what_was_measured(feature: str, probe: str, answers: tuple[str, ...]) -> None:
    assert FEATURES[feature] == versions_with(probe, *answers)


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature_is_measured(feature: str) -> None:
    (measured,) = test_the_table_of_features_is_what_was_measured.pytestmark[:1]  # type: ignore[attr-defined]
    assert feature in {case[0] for case in measured.args[1]}


def test_names_that_import_star_binds_in_any_version_are_known() -> None:
    bound = " ".join(MATRIX["names: bound by `from pyspark.sql.functions import *`, not a function"].values()).split()
    assert set(bound) <= ALSO_STARRED
    assert not ALSO_STARRED & FUNCTION_NAMES
    assert {"StringType", "ArrayType"} <= TYPES


@pytest.mark.parametrize("declared", udfs.RESULTS)
def test_no_result_is_read_that_versions_store_differently(declared: str) -> None:
    """A filter on it stays, and one on the same function inside of the filter does too."""
    for expression in udfs.RESULTS[declared]:
        name = f"UDF result: {expression} as {declared}"
        if name in page.differing(MATRIX) or f"{name}, Arrow" in page.differing(MATRIX):
            source = PROGRAM.format(expression=expression, declared=declared)
            report = analyse(source, Options(schemas={"t": "id bigint"}, show_all=True))
            assert report.error is None
            assert not report.opportunities, (name, report.opportunities[0].message)
            assert report.skipped, name


def test_no_finding_rests_on_an_expression_that_versions_compute_differently() -> None:
    """Unless it says so: an overflow is an assumption."""
    asked = [name.partition(": ")[2] for name in page.differing(MATRIX) if name.startswith("SQL expression: ")]
    assert len(asked) > 40
    for expression in asked:
        for condition in (f"({expression}) IS NULL", f"({expression}) = 3"):
            text = condition.replace('"', "'")
            source = NATIVE.format(condition=text)
            report = analyse(source, Options(schemas={"t": COLUMNS}, show_all=True))
            assert report.error is None
            assert [o.status for o in report.opportunities if o.status != "assumed"] == [], text


COLUMNS = """g int, i int, s string, a array<int>, m map<string,int>, most int, huge bigint, least int, nan double,
none array<int>, far double, b boolean, d date, n string""".replace("\n", " ")
NATIVE = """
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
result = spark.table("t").groupBy("g").agg(F.expr("bool_or({condition})").alias("z")).filter("z")
"""
PROGRAM = """
import datetime as dt
import numpy as np
from decimal import Decimal
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
made = F.udf(lambda i: {expression}, "{declared}")
result = spark.table("t").withColumn("r", made("id")).filter("r IS NULL")
"""


def test_spark_moves_the_same_filters_in_every_version() -> None:
    """So what is not reported since Spark does it holds on every target."""
    assert not {f"optimizer: {name}" for name in PUSHED} & page.differing(MATRIX).keys()


def test_rewrites_call_functions_of_every_version() -> None:
    spelled = "".join(p.read_text("utf-8") for p in Path(spell_column.__file__).parent.glob("*.py"))
    called = {*re.findall(r"function\([\"'](\w+)[\"']", spelled), *native.FUNCTIONS, "exists", "expr"}
    assert {"col", "lit", "isnan", "size", "upper"} <= called
    missing = MATRIX["names: functions that Headwater knows, missing"]
    assert not called & set(" ".join(missing.values()).split())
