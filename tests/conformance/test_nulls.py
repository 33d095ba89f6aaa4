"""``fillna``, ``replace`` and ``dropna`` do in Spark what the front end reads in them, on values of every type."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING

import pytest

from headwater.semantics.interpreter import Env, evaluate
from headwater_ir.expr import Scalar
from headwater_ir.plan import Filter, Project
from headwater_ir.unread import why_unread
from tests.pyspark.render import last

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = "b boolean, y tinyint, i int, n bigint, f float, x double, s string, d date"
NAMES = [c.split()[0] for c in SCHEMA.split(", ")]
HEAD = f'from pyspark.sql import functions as F\ndf = spark.read.schema("{SCHEMA}").parquet("p")\n'
Row = dict[str, Scalar]
ROWS: tuple[Row, ...] = tuple(
    dict(zip(NAMES, values, strict=True))
    for values in (
        (None,) * 8,
        (True, 1, 1, 1, 1.0, 1.0, "a", dt.date(2024, 2, 29)),
        (False, 0, 0, 0, 0.0, 0.0, "", None),
        (None, 5, 2**31 - 1, 2**53 + 1, math.nan, math.nan, "1", None),
        (True, None, 1, -1, -0.0, -0.0, "b", None),
        (None, 7, None, 2**53, 0.10000000149011612, 0.1, None, None),
        (False, -1, -1, None, None, math.inf, "NaN", None),
    )
)
CHANGES = [
    "fillna(0)", "fillna(1.5)", "fillna(-1)", "fillna('none')", "fillna(True)", "fillna(7, subset=['i', 's'])",
    "fillna('z', 's')", "fillna(0.1)", "fillna(300)", "fillna(2 ** 53 + 1)", "fillna({'x': 1, 's': 'q'})",
    "fillna({'n': 2.5})", "fillna({'s': 1})", "fillna({'f': 0.5, 'i': 3, 'b': False})", "na.fill(9, ['n', 'x'])",
    "replace(1, 2)", "replace(1, None)", "replace([1, 0], [0, 1])", "replace(0.0, 5)", "replace(0.1, 1.0)",
    "replace(float('nan'), 0.0)", "replace('a', 'b')", "replace('a', None, 's')", "replace({'a': 'b', 'b': 'a'})",
    "replace(True, False)", "replace(1.5, 3)", "replace(2 ** 53, 0)", "na.replace([1, -1], 9, ['i', 'x'])",
    "replace(1, 300)", "replace(1, 0.1)", "replace([1, 1.5], 2, ['f', 'n'])", "replace('a', 'b', ['i', 's'])",
]  # fmt: skip
DROPS = [
    "dropna()", "dropna('all')", "dropna(how='all', subset=['x', 's'])", "dropna(subset=['x'])", "dropna(subset='s')",
    "na.drop(how='any', subset=['f', 'n'])", "na.drop('all', subset=['f', 'b'])", "dropna(subset=['f'])",
]  # fmt: skip


def by_us(text: str) -> list[Row] | None:
    """The rows that are left, as the front end reads ``text``; a column of which it knows nothing is left out."""
    plan = last(f'df.{text}.filter("b IS NULL OR NOT b OR b")', HEAD).child
    found = []
    for row in ROWS:
        if isinstance(plan, Filter):
            assert plan.conjuncts
            if all(evaluate(c.condition, Env(row=row)) is True for c in plan.conjuncts):
                found.append(row)
            continue
        if not isinstance(plan, Project):
            return None
        known = {n: e for n, e in plan.columns if why_unread(e) is None}
        unknown = {n for n, _ in plan.columns} - known.keys()
        whole = row | {n: evaluate(e, Env(row=row)) for n, e in known.items()}
        found.append({n: v for n, v in whole.items() if n not in unknown})
    return found


def told(rows: list[Row], names: set[str]) -> list[str]:
    """``rows`` in an order of their own, of these columns; NaN as a text, for it differs from itself."""
    return sorted(repr({n: repr(row[n]) for n in NAMES if n in names}) for row in rows)


@pytest.mark.spark
@pytest.mark.parametrize("text", [*CHANGES, *DROPS])
def test_against_spark(text: str, spark: SparkSession) -> None:
    from pyspark.errors import PySparkException

    ours = by_us(text)
    if ours is None:
        pytest.skip("has no model")
    frame = spark.createDataFrame([tuple(row.values()) for row in ROWS], SCHEMA)
    try:
        theirs = [row.asDict() for row in eval(f"frame.{text}", {"frame": frame}).collect()]
    except PySparkException:
        assert len(ours[0]) < len(NAMES)  # it says nothing of a value that does not fit
        return
    names = set(ours[0])
    assert told(ours, names) == told(theirs, names)


def test_most_have_a_meaning() -> None:
    meant = [len(found[0]) for text in CHANGES if (found := by_us(text)) is not None]
    assert len(meant) >= len(CHANGES) - 2
    assert sum(meant) / len(meant) > len(NAMES) - 1
    assert all(by_us(text) for text in DROPS)
