"""What is said of planted data sources, and whether Spark shows it (issue 22)."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from headwater.data_sources.filters import BINARY, UNARY
from headwater.data_sources.verdict import judged
from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.report.report import Opportunity
from headwater.rewrite.edit import apply_edits

from .specifications import Specification, specifications

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ALL = specifications()
_ENABLED = "spark.sql.python.filterPushdown.enabled"
_CLASSES = {*UNARY, *BINARY, *(f"Not({k})" for k in BINARY)}


def each(some: list[Specification]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("spec", some, ids=[s.name for s in some])


def findings(source: str) -> list[Opportunity]:
    report = analyse(source, Options())
    assert report.error is None
    assert not [s for s in report.skipped if "internal error" in s.reason]
    return [o for o in report.opportunities if o.code == "HW203"]


def test_there_are_enough() -> None:
    """Ten honest sources and fifteen others."""
    assert sum(s.honest for s in ALL) >= 10
    assert sum(not s.honest for s in ALL) >= 15


@each(ALL)
def test_verdict(spec: Specification) -> None:
    """The finding is on the line of ``pushFilters``, says what it must, and its edit leaves none."""
    found = findings(spec.source)
    if spec.honest:
        assert not found, found[0].message
        return
    (o,) = found
    line = spec.source.splitlines()[spec.source.count("\n", 0, o.filter_span.start)]
    assert "# expect: HW203" in line
    kinds = {w.kind for v in judged(spec.source) for w in v.wrong}
    words = {*spec.expected[1:]} - {"fix", "assumed"}
    assert words == {"all"} or kinds == words, kinds
    assert words != {"all"} or kinds >= {"EqualTo", "IsNull", "In", "StringContains", "Not(In)"}
    assert kinds <= _CLASSES
    assert bool(o.edits) == ("fix" in spec.expected), o.message
    assert (o.status == "assumed") == ("assumed" in spec.expected)
    if o.edits:
        assert o.confirmed
        assert not findings(apply_edits(spec.source, o.edits))


@pytest.mark.spark
@each([s for s in ALL if s.where])
def test_on_spark(spec: Specification, spark: SparkSession, tmp_path: Path) -> None:
    """With the filters pushed, Spark gives the rows that pass where nothing is found; where something is, it does not,
    and does so after the fix."""
    options = spec.options(tmp_path)
    spark.conf.set(_ENABLED, "true")
    for condition in spec.where:
        wanted, given = both(spark, spec.source, options, condition)
        assert (wanted == given) == spec.honest, condition
        edits = [] if spec.honest else findings(spec.source)[0].edits
        if edits:
            fixed = both(spark, apply_edits(spec.source, edits), options, condition)
            assert fixed == (wanted, wanted), condition


def both(spark: SparkSession, source: str, options: Any, condition: str) -> tuple[Any, Any]:
    """The rows that pass, of all rows of the source; and what the source gives with the condition pushed, or None where
    it fails."""
    from pyspark.errors import PySparkException
    from pyspark.sql.datasource import DataSource

    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, "data_source", "exec"), namespace)
    (made,) = (
        v for v in namespace.values() if isinstance(v, type) and issubclass(v, DataSource) and v is not DataSource
    )
    spark.dataSource.register(made)
    frame = spark.read.format(made.name()).options(**options).load()
    rows = frame.collect()
    wanted = spark.createDataFrame(rows, frame.schema).filter(condition).collect()
    given = None
    with suppress(PySparkException):
        given = frame.filter(condition).collect()
    return Counter(map(repr, wanted)), None if given is None else Counter(map(repr, given))
