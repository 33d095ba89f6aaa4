"""The condition of seed 004 and its edges."""

from __future__ import annotations

import pytest

from headwater.cost.estimate import ASSUMED_OUTPUT_PER_INPUT, COST_PER_ROW, estimate, in_words


@pytest.mark.parametrize("boundary", COST_PER_ROW)
def test_removing_most_rows_pays_and_removing_none_does_not(boundary: str) -> None:
    assert estimate(boundary, 0.9).pays
    assert estimate(boundary, 0.9).ratio > 1.5
    assert estimate(boundary, 0.0).ratio <= 1
    assert not estimate(boundary, 0.0).pays or ASSUMED_OUTPUT_PER_INPUT[boundary] == 1


def test_a_row_function_pays_as_soon_as_anything_is_removed() -> None:
    """It has as many rows out as in, so the filter runs as often above as below."""
    assert estimate("RowUdf", 0.01).pays


def test_an_aggregate_does_not_pay_for_a_filter_that_removes_little() -> None:
    assert not estimate("Aggregate", 0.1).pays


def test_the_words_say_what_was_assumed() -> None:
    assert any("assumed" in name for name, _ in in_words(estimate("GroupMap")))
