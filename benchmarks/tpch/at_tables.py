"""Which conditions of a query come to its tables: by the nine rules, by Spark's optimizer, by what Headwater writes."""

from __future__ import annotations

import re
import runpy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pyarrow.parquet as pq
from benchmarks.magicpush.rules import reached
from benchmarks.magicpush.spark_alone import conjuncts
from tests.replay import NO_PUSHDOWN, setting

from headwater.engine.analysis.options import Options
from headwater.engine.analysis.reading import read
from headwater.rewrite.spell_sql import spell_sql
from headwater_ir.expr import Expr
from headwater_ir.plan import Scan

from .data import TABLES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LINE = re.compile(r"^[\s:+|*()\d-]*([A-Za-z]\w*)(.*)$")
_IDS = re.compile(r"#\d+L?")
_SOURCES = ("Relation", "FileScan")
_BETWEEN = ("ColumnarToRow", "InputAdapter", "WholeStageCodegen")
_DDL = {"int64": "bigint", "int32": "int", "double": "double", "string": "string", "date32[day]": "date"}


def schemas(data: Path) -> dict[str, str]:
    """The paths as the queries read them, with the schemas of the files in ``data``."""
    found = {}
    for name in TABLES:
        schema = pq.read_schema(data / f"{name}.parquet")
        found[f"tpch/{name}.parquet"] = ", ".join(f"{f.name} {_DDL[str(f.type)]}" for f in schema)
    return found


def by_rules(source: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """The conditions that the nine rules move to a table, past more than filters."""
    found: dict[str, None] = {}
    for filter_ in read(source, Options(schemas=dict(known))).filters:
        for at in reached([c.condition for c in filter_.conjuncts], filter_.child)[0]:
            if at.crossed and isinstance(at.place, Scan):
                found[_spelled(at.condition)] = None
    return tuple(found)


def _spelled(condition: Expr) -> str:
    return spell_sql(condition) or "a condition that has no SQL"


def by_spark(spark: SparkSession, query: Path) -> tuple[str, ...]:
    """The conditions that Spark's optimizer moves to a table: those it does not have there if it moves no filter."""
    with setting(spark, NO_PUSHDOWN):
        written = at_tables(spark, query)
    return added(at_tables(spark, query), written)


def added(now: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    """What is new."""
    return tuple(c for c in now if c not in before)


def at_tables(spark: SparkSession, query: Path) -> tuple[str, ...]:
    """The conditions right above tables in Spark's plans of all frames of a query, those that it makes RDDs of
    included: they are in no plan of the result."""
    spark.catalog.clearCache()
    frame = type(spark.range(0))
    rdd: Any = vars(frame)["rdd"]
    frames: list[Any] = []

    def kept(own: Any) -> Any:
        frames.append(own)
        return rdd.func(own)

    with patch.object(frame, "rdd", property(kept)):
        names: dict[str, Any] = runpy.run_path(str(query), run_name="__main__")
    frames += [v for v in names.values() if hasattr(v, "_jdf")]
    plans = [f._jdf.queryExecution().optimizedPlan().toString() for f in frames]
    spark.catalog.clearCache()
    return tuple(dict.fromkeys(c for plan in plans for c in conditions(plan)))


def conditions(plan: str) -> tuple[str, ...]:
    """The conjuncts right above a table, but for those that only ask for a value."""
    lines = [m for line in plan.splitlines() if (m := _LINE.match(line))]
    found = []
    for i, m in enumerate(lines):
        below = next((n[1] for n in lines[i + 1 :] if n[1] not in _BETWEEN), "")
        if m[1] == "Filter" and below in _SOURCES:
            found += [c for c in conjuncts(_IDS.sub("", m[2].strip())) if not c.startswith("isnotnull(")]
    return tuple(found)
