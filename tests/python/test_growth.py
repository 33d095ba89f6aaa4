"""Expressions that double at each step are refused where they are built, before anything walks them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from headwater.python.exprs import simplify
from headwater_ir import expr
from headwater_ir.expr import Expr, children
from headwater_ir.plan import Opaque
from tests.pyspark.render import last

HEAD = """
from pyspark.sql import functions as F, SparkSession
df = SparkSession.builder.getOrCreate().read.schema("x int").parquet("p")
"""


def nested(depth: int, step: str) -> str:
    e = "x"
    for _ in range(depth):
        e = step.replace("_", e)
    return e


@pytest.mark.parametrize(
    ("step", "depth"),
    [("abs(_)", 22), ("((_ or 0) or 1)", 22), ("max(_, x)", 22), ("max(max(_, 1), x)", 22)],
)
def test_a_doubling_term_is_refused(step: str, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    visited = 0

    def counted(e: Expr) -> Iterator[Expr]:
        nonlocal visited
        visited += 1
        yield e
        for child in children(e):
            yield from counted(child)

    monkeypatch.setattr(expr, "walk", counted)
    monkeypatch.setattr(simplify, "walk", counted)
    code = f'@F.udf("int")\ndef f(x):\n    return {nested(depth, step)}\n'
    below = last(code + 'a = df.withColumn("z", f("x"))\na.filter("z > 5")', HEAD).child
    assert isinstance(below, Opaque), below
    assert (below.obstruction, below.reason) == ("time-out", "the function has too many paths")
    assert visited < 500_000
