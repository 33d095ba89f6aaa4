"""The group folds against real Spark: what the frame looks like inside the function, and what becomes of the result.

Each group has a key of its own. Rows inside a group have no order: Spark's result must be that of some permutation."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from headwater_ir.expr import Scalar

from .body_cases import BODIES
from .cases import CASES
from .harness import ERROR, Case, Rows, run_module, same, schema
from .test_conformance import groups

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAMES = [
    "top2 long", "top2 double", "top2 date", "top2 timestamp", "top2 infinite long", "trades", "events", "max guarded",
    "column max", "column max long", "column sum", "column mean", "mask combined", "builtin any", "first row string",
    "early return", "zipped", "masked", "sorted",
]  # fmt: skip

BODY_NAMES = [
    "list max default", "list sorted end", "set flags", "top append", "top ascending pop", "heap push pop",
    "tuple argmax", "row kept", "dict state", "pooling", "mask tested", "generator max",
    "top of times", "unknown schema",
]  # fmt: skip


def usable(case: Case) -> list[tuple[Scalar, Rows]]:
    """Groups of up to three rows whose function raises in no order, each with its own key."""
    key = schema(case.columns).fields[0]
    found: list[tuple[Scalar, Rows]] = []
    for rows in groups(case):
        own: Scalar = None if not found else f"k{len(found)}" if key.type.name == "string" else len(found)
        renamed = [{**row, case.key: own} for row in rows]
        if len(rows) <= 3 and all(case.real(list(p)) != ERROR for p in itertools.permutations(renamed)):
            found.append((own, renamed))
    return found


@pytest.mark.spark
@pytest.mark.parametrize("name", [*NAMES, *BODY_NAMES])
def test_spark_agrees(name: str, spark: SparkSession) -> None:
    case = CASES.get(name) or BODIES[name]
    given = usable(case)
    assert len(given) > 5
    rows = [tuple(row[f.name] for f in schema(case.columns).fields) for _, group in given for row in group]
    frame = spark.createDataFrame(rows, case.columns.replace(" ", ": ").replace(",:", ","))
    function: Any = run_module(case.source)["f"]
    output = case.output
    result = frame.groupBy(case.key).applyInPandas(function, output).collect()
    found: dict[Scalar, Mapping[str, Scalar]] = {row[0]: row.asDict() for row in result}
    for key, group in given:
        expected = [case.model(list(p)) for p in itertools.permutations(group)]
        assert any(same(found.get(key), e) for e in expected), (group, found.get(key), expected)
