"""What a sort before a grouping promises: nothing. Seeds 1185 and 1186 of the campaign of 2026-11-21 took the small
Spark's order for Spark's; 2800 and 2801 had more groups than orders could be tried for all at once."""

from __future__ import annotations

from collections import Counter

from tests.results import Bag

from .on_spark import group_by_group, outcomes
from .write import Program

SOURCE = """import pandas as pd
def f(pdf):
    last = None
    for r in pdf.itertuples():
        last = r.n
    return pd.DataFrame({"k": [pdf["k"].iloc[0]], "m": [last]})
result = spark.table("t").sort("n").groupBy("k").applyInPandas(f, "k long, m long")
"""
PROGRAM = Program.of("applyInPandas", SOURCE, "k bigint, n bigint")
ROWS = [(1, 5), (1, 7), (1, 6), (2, 3)]


def shown(*rows: tuple[int, int]) -> Bag:
    return Counter((("int", a), ("int", b)) for a, b in rows)


def test_a_sort_before_a_grouping_orders_nothing() -> None:
    found = outcomes(PROGRAM, ROWS, 40)
    assert len(found) == 3
    for last in (5, 6, 7):
        assert shown((1, last), (2, 3)) in found
    assert outcomes(PROGRAM, ROWS, 1) == [shown((1, 7), (2, 3))]


def test_groups_are_judged_one_by_one() -> None:
    for last in (5, 6, 7):
        assert group_by_group(PROGRAM, ROWS, shown((1, last), (2, 3)))
    for wrong in (shown((1, 4), (2, 3)), shown((1, 5)), shown((1, 5), (2, 3), (2, 3)), shown((1, 5), (1, 6), (2, 3)),
                  shown((1, 5), (2, 3), (9, 9)), shown((1, 5), (2, 5)), shown()):  # fmt: skip
        assert not group_by_group(PROGRAM, ROWS, wrong)
