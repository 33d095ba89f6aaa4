"""Which conditions of a query come to its tables: by the nine rules, by Spark's optimizer, by what Headwater writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from benchmarks.magicpush.rules import reached
from benchmarks.magicpush.spark_alone import conjuncts
from tests.replay import NO_PUSHDOWN, setting

from headwater.engine.analysis.options import Options
from headwater.engine.analysis.reading import read
from headwater.rewrite.spell_sql import spell_sql
from headwater_ir.expr import Expr
from headwater_ir.plan import Scan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LAST = "rows = result.collect()\n"
"""How a query asks for its rows, but for those that have none in Spark: of no use for its plans."""
_LINE = re.compile(r"^[\s:+|*()\d-]*([A-Za-z]\w*)(.*)$")
_IDS = re.compile(r"#\d+L?")
_SOURCES = ("Relation", "FileScan")
_BETWEEN = ("ColumnarToRow", "InputAdapter", "WholeStageCodegen")
_LEAVING = ("collect", "toPandas", "toLocalIterator")
"""Methods that take rows out of Spark."""


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


def unmoved(spark: SparkSession, query: Path) -> tuple[str, ...]:
    """The conditions right above tables if Spark's optimizer moves no filter."""
    with setting(spark, NO_PUSHDOWN):
        return at_tables(spark, query)


def added(now: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    """What is new."""
    return tuple(c for c in now if c not in before)


def at_tables(spark: SparkSession, query: Path) -> tuple[str, ...]:
    """The conditions right above tables in Spark's plans of all frames of a query, those whose rows leave Spark's
    plans (to an RDD, to the driver) included."""
    spark.catalog.clearCache()
    kind = type(spark.range(0))
    with _kept(kind) as frames:
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(query.read_text(encoding="utf-8").removesuffix(LAST), names)
    frames += [v for v in names.values() if isinstance(v, kind)]
    plans = [f._jdf.queryExecution().optimizedPlan().toString() for f in frames]
    spark.catalog.clearCache()
    return tuple(dict.fromkeys(c for plan in plans for c in conditions(plan)))


@contextmanager
def _kept(kind: type) -> Iterator[list[Any]]:
    """The frames whose rows leave Spark's plans within the block."""
    frames: list[Any] = []

    def noted(call: Any) -> Any:
        def method(own: Any, *given: Any, **named: Any) -> Any:
            frames.append(own)
            return call(own, *given, **named)

        return method

    rdd: Any = vars(kind)["rdd"]
    with ExitStack() as patches:
        patches.enter_context(patch.object(kind, "rdd", property(noted(rdd.func))))
        for name in _LEAVING:
            patches.enter_context(patch.object(kind, name, noted(getattr(kind, name))))
        yield frames


def conditions(plan: str) -> tuple[str, ...]:
    """The conjuncts right above a table, but for those that only ask for a value."""
    lines = [m for line in plan.splitlines() if (m := _LINE.match(line))]
    found = []
    for i, m in enumerate(lines):
        below = next((n[1] for n in lines[i + 1 :] if n[1] not in _BETWEEN), "")
        if m[1] == "Filter" and below in _SOURCES:
            found += [c for c in conjuncts(_IDS.sub("", m[2].strip())) if not c.startswith("isnotnull(")]
    return tuple(found)
