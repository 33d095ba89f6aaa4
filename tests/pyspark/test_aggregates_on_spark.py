"""What the folds of aggregates yield is what Spark yields, group by group: without values, with ties, NaN and both
zeros. Places of arrays are tried beyond both ends: what has no model is refused, and what has one is right."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from headwater.operators.move import Moved, move
from headwater.semantics.interpreter import run_fold
from headwater.semantics.scalars import EvaluationError
from headwater_ir.expr import Call, Expr, walk
from headwater_ir.problem import Fold
from headwater_ir.types import ANY

from .render import last
from .test_aggregate import LISTS, VALUES, same

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAN, INF = math.nan, math.inf
GROUPS: dict[str, list[tuple[int | None, float | None]]] = {
    "some": [(1, 1.0), (None, NAN), (3, None), (2, -INF)],
    "none": [(None, None), (None, None)],
    "ties": [(2, -0.0), (2, 0.0), (2, 5.0), (2, 5.0)],
    "one": [(3, 3.0)],
    "partly": [(None, 2.0), (5, None), (4, INF)],
}
_SORTED = (
    "F.sort_array(F.collect_list({}))", "F.sort_array(F.collect_set({}), False)", "F.array_sort(F.collect_list({}))",
    "F.reverse(F.array_sort(F.collect_set({})))", "F.collect_list({})",
)  # fmt: skip
_TAKEN = ("F.element_at({}, {})", "F.try_element_at({}, F.lit({}))", "F.get({}, F.lit({}))", "{}[{}]", "{}.getItem({})")
PLACES = [
    taken.format(array.format(column), place)
    for column in ('"x"', '"y"', 'F.struct("x", "y")')
    for array in _SORTED
    for taken in _TAKEN
    for place in (-2, -1, 0, 1, 2)
    if not (place == 0 and "element_at" in taken)  # Spark refuses it
]
OTHERS = [
    *(f'F.{extreme}(F.struct({fields}))["{field}"]' for extreme in ("max", "min") for fields, field in (
        ('"x", "y"', "y"), ('"y", "x"', "x"), ('"y", "x"', "y"), ('F.col("x").alias("z"), "y"', "z"))),
    'F.size(F.filter(F.collect_list("y"), lambda e: e > 1))', 'F.size(F.filter(F.collect_set("x"), lambda e: e > 1))',
    'F.array_max(F.filter(F.collect_list("y"), lambda e: e < 4))', 'F.array_contains(F.collect_list("y"), 0.0)',
    'F.arrays_overlap(F.collect_list("x"), F.array(F.lit(3), F.lit(7)))', 'F.greatest(F.max("y"), F.min("y"))',
    'F.least(F.max("y"), F.min("y"), F.lit(2.0))', 'F.nvl(F.max("x"), F.lit(-1))',
    'F.size(F.collect_list(F.struct("x")))', 'F.exists(F.collect_list("x"), lambda e: e > 2)',
    'F.forall(F.collect_list("x"), lambda e: e > 2)', 'F.array_max(F.array_distinct(F.collect_list("x")))',
    'F.size(F.array_compact(F.collect_list("y")))', 'F.array_size(F.collect_list("x"))',
    'F.cardinality(F.collect_list("x"))', 'F.expr("exists(collect_list(x), e -> e = 3)")',
]  # fmt: skip


def fold(expression: str) -> Fold | None:
    """The fold of an aggregate; None if it has no model, or is a function of which nothing is known."""
    frame = 'df = spark.createDataFrame(rows, "k string, x int, y double")\n'
    moved = move(last(f'{frame}df.groupBy("k").agg(({expression}).alias("o")).filter(F.col("k") == "a")'))
    if not isinstance(moved, Moved):
        return None
    found = moved.problem.fold
    calls = [n for o in found.outputs for n in walk(o.value) if isinstance(n, Call)]
    known = (n.name.startswith("collected:") or n == _missing(n.args[0]) for n in calls)
    return found if all(known) else None


def _missing(element: Expr) -> Call:
    """The error, or the NULL, of a place that an array does not have."""
    return Call("spark.element_at", (element,), ANY)


@pytest.mark.spark
def test_folds_yield_what_spark_yields(spark: SparkSession) -> None:
    from pyspark.sql import functions as F

    expressions = [*PLACES, *OTHERS, *(v[1] for v in VALUES), *(v[0] for v in LISTS)]
    folds = {e: f for e in expressions if (f := fold(e)) is not None}
    assert len(folds) > len(VALUES) + len(LISTS) + len(OTHERS)  # those and some places
    rows = [(k, x, y) for k, values in GROUPS.items() for x, y in values]
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", "false")  # a place that is not there is NULL, and no error
    try:
        columns = [eval(e, {"F": F}).alias(f"o{i}") for i, e in enumerate(folds)]
        frame = spark.createDataFrame(rows, "k string, x int, y double").coalesce(1)
        found = {r["k"]: r for r in frame.groupBy("k").agg(*columns).collect()}
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before or "true")
    wrong = []
    for number, (expression, made) in enumerate(folds.items()):
        for k, values in GROUPS.items():
            theirs = found[k][f"o{number}"]
            try:
                outputs = run_fold(made, [{"k": k, "x": x, "y": y} for x, y in values])
                ours = None if outputs is None else outputs["o"]
            except EvaluationError:  # under ANSI mode, for a place that is not there
                ours = None
            if isinstance(theirs, (int, float, str, bool, type(None))) and not _alike(ours, theirs):
                wrong.append((expression, k, ours, theirs))
    assert wrong == []


def _alike(ours: object, theirs: object) -> bool:
    return same(ours, theirs) or (type(ours) in (int, float) and ours == theirs)
