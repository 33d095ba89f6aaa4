"""Runs snippets on Spark and compares results as bags of rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from .cases import Case
from .tables import Rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SETTINGS: dict[int, dict[str, str]] = {}
"""The configuration of each session before the first snippet."""
Bag = Counter[tuple[Any, ...]]


@dataclass(frozen=True)
class Failed:
    """The pipeline raised."""

    reason: str


def given(case: Case) -> dict[str, Rows]:
    """The rows that the file states."""
    return {t.name: list(t.rows) for t in case.tables}


def run_all(
    spark: SparkSession, case: Case, source: str, inputs: Sequence[dict[str, Rows]], only: dict[str, str] | None = None
) -> list[Bag | Failed]:
    """The result of ``source`` on each input, in one job if none raises. ``only``: what inputs are filtered by."""
    return _run([_build(spark, case, source, tables, only or {}) for tables in inputs])


def run_both(
    spark: SparkSession, case: Case, sources: tuple[str, str], inputs: Sequence[dict[str, Rows]]
) -> list[tuple[Bag | Failed, Bag | Failed]]:
    """The results of two sources on each input, all in one job if none raises."""
    found = _run([_build(spark, case, source, tables, {}) for source in sources for tables in inputs])
    return list(zip(found[: len(inputs)], found[len(inputs) :], strict=True))


def run_variants(
    spark: SparkSession, case: Case, variants: Sequence[tuple[str, dict[str, str]]], *, alone: bool = False
) -> list[Bag | Failed]:
    """The results of several sources on the given rows, each with inputs filtered by its conditions: in one job, or
    each ``alone``, for what ``sample`` draws depends on where in a job it stands."""
    built = [_build(spark, case, source, given(case), only) for source, only in variants]
    return [b if isinstance(b, Failed) else _collect(b) for b in built] if alone else _run(built)


def _run(built: list[DataFrame | Failed]) -> list[Bag | Failed]:
    if any(_is_rdd(result) for result in built):
        return [result if isinstance(result, Failed) else _collect(result) for result in built]
    frames = [(i, frame) for i, frame in enumerate(built) if not isinstance(frame, Failed)]
    try:
        together = _collect_together(frames)
    except Exception:  # one input raises: find out which
        return [frame if isinstance(frame, Failed) else _collect(frame) for frame in built]
    return [frame if isinstance(frame, Failed) else together[i] for i, frame in enumerate(built)]


def _set_back(spark: SparkSession) -> None:
    """What snippets have set is set for the session, and would hold for the next one."""
    before = _SETTINGS.setdefault(id(spark), dict(spark.conf.getAll))
    for key, value in dict(spark.conf.getAll).items():
        if before.get(key) != value:
            if key in before:
                spark.conf.set(key, before[key])
            else:
                spark.conf.unset(key)


def _build(
    spark: SparkSession, case: Case, source: str, tables: dict[str, Rows], only: dict[str, str]
) -> DataFrame | Failed:
    _set_back(spark)
    for table in case.tables:
        # One partition: the order of rows inside a group is then the same in both runs.
        frame = spark.createDataFrame(tables[table.name], table.ddl).coalesce(1)
        frame.filter(only.get(table.name, "true")).createOrReplaceTempView(table.name)
    provided = {"spark": spark, "sc": spark.sparkContext}  # what a notebook binds
    namespace: dict[str, Any] = {**provided, "__name__": "mdtest_snippet"}
    try:
        exec(compile(source, case.name, "exec", dont_inherit=True), namespace)
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}")
    result: DataFrame = namespace["result"]
    return result


def _collect_together(frames: list[tuple[int, DataFrame]]) -> dict[int, Bag]:
    from pyspark.sql import functions as F

    bags: dict[int, Bag] = {i: Counter() for i, _ in frames}
    marked = [frame.select(F.lit(i).alias("__input"), *(frame[c] for c in frame.columns)) for i, frame in frames]
    for number, *row in reduce(lambda a, b: a.unionAll(b), marked).collect() if marked else []:
        bags[number][tuple(map(comparable, row))] += 1
    return bags


def _is_rdd(result: object) -> bool:
    from pyspark import RDD

    return isinstance(result, RDD)


def _collect(result: DataFrame) -> Bag | Failed:
    """The rows of a frame, or the elements of an RDD, as a bag."""
    try:
        return Counter(tuple(map(comparable, row if isinstance(row, tuple) else (row,))) for row in result.collect())
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}")


def comparable(value: Any) -> Any:
    """NaN equals NaN, -0.0 equals 0.0, and 1 differs from 1.0 and True."""
    if isinstance(value, float):
        return ("float", "nan") if math.isnan(value) else ("float", value + 0.0)
    if isinstance(value, (list, tuple)):
        return tuple(map(comparable, value))
    if isinstance(value, dict):
        return tuple(sorted((repr(k), comparable(v)) for k, v in value.items()))
    return (type(value).__name__, value)
