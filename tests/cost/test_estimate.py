"""The estimate beside what was measured."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from benchmarks.spark import figures

from headwater.cost.estimate import Estimate, estimate, in_words, of_first_rows, ratio
from headwater.cost.gains import GAINS, Gain, gain_of
from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.analysis.findings import Place
from headwater_ir.expr import Expr

pytestmark = pytest.mark.xdist_group("estimate")  # what is analysed for one is known to the others
RESULTS = Path(__file__).parents[2] / "benchmarks/spark/results"
ELEMENTS = "lambda"


def pipelines() -> list[dict[str, Any]]:
    """The measured pipelines in which a pre-filter removes some of the rows."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    return [r for r in found if r["measured"]["rows_kept"] is not None]


@cache
def worth(program: str, operator: str) -> Estimate:
    """What the tool says of the program, whose data it does not know."""
    told: list[Estimate] = []
    asked = Place.worth

    def noted(place: Place, pre_filter: Expr) -> Estimate | None:
        found = asked(place, pre_filter)
        if found is not None and place.moved.place.operator == operator:
            told.append(found)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Place, "worth", noted)
        analyse(program, Options(show_all=True))
    return told[0]


def function_of(record: dict[str, Any]) -> float:
    """Microseconds a row of its Python function, by its operations."""
    return worth(record["about"]["before"], record["operator"]).function


def spared(record: dict[str, Any]) -> float:
    """Microseconds for each row that did not come to the boundary, without those of its function."""
    m = record["measured"]
    seconds = figures.seconds(record, "before") - figures.seconds(record, "after")
    return 1e6 * seconds / (m["rows_in"] - m["rows_kept"]) - function_of(record)


def kind_of(record: dict[str, Any]) -> Gain:
    """As it is estimated: an aggregate by a Python function costs what a Python function of a group does."""
    aggregates = record["operator"] == "agg" and "pandas_udf" in record["about"]["before"]
    gain = gain_of("series" if aggregates else record["operator"], record["prefilter"].startswith(ELEMENTS))
    assert gain is not None
    return gain


def predicted(record: dict[str, Any], microseconds: float | None = None) -> float:
    """What the estimate says of a pipeline, told how many rows there are and how many are removed."""
    m = record["measured"]
    kind = kind_of(record)
    cost = kind.microseconds if microseconds is None else microseconds
    assert cost is not None
    return ratio(cost + function_of(record), 1 - m["rows_kept"] / m["rows_in"], m["rows_in"], kind.start)


def by_others() -> list[tuple[float, float]]:
    """What the estimate says of a pipeline if the cost of its kind is the median of the others, and what was measured;
    of the kinds with more than one pipeline."""
    records = pipelines()
    found = []
    for r in records:
        others = [spared(o) for o in records if o is not r and kind_of(o) == kind_of(r)]
        found += [(predicted(r, median(others)), figures.ratio(r))] if others else []
    return found


def ranks(values: list[float]) -> list[float]:
    """The place of each in their order, equal ones sharing theirs."""
    return [sum(w < v for w in values) + (sum(w == v for w in values) - 1) / 2 for v in values]


def correlation(a: list[float], b: list[float]) -> float:
    """Spearman's rank correlation."""
    x, y = ranks(a), ranks(b)
    mean = (len(x) - 1) / 2
    both = sum((p - mean) * (q - mean) for p, q in zip(x, y, strict=True))
    return both / float(sum((p - mean) ** 2 for p in x) * sum((q - mean) ** 2 for q in y)) ** 0.5


@pytest.mark.parametrize("gain", [g for g in GAINS if g.microseconds is not None], ids=lambda g: g.kind)
def test_the_costs_are_those_that_were_measured(gain: Any) -> None:
    """The median over the pipelines of the kind, to a tenth."""
    costs = [spared(r) for r in pipelines() if kind_of(r) == gain]
    assert costs
    assert gain.microseconds == pytest.approx(median(costs), rel=0.1)


def test_the_order_of_the_estimates_is_that_of_the_measured_gains() -> None:
    """Issue 22 asks for 0.8. The costs come from the same pipelines: how well they predict one of which they do not
    come, the next test says."""
    records = pipelines()
    assert len(records) >= 30
    assert correlation([predicted(r) for r in records], [figures.ratio(r) for r in records]) >= 0.8


def test_the_order_of_what_was_measured_on_others() -> None:
    """And half of them are told within a fifth. (One run of all tells the order of the next run to 0.82.)"""
    found = by_others()
    assert len(found) >= 20
    assert correlation([p for p, _ in found], [m for _, m in found]) >= 0.8
    assert median(max(p / m, m / p) for p, m in found) <= 1.2


def test_what_is_said_to_pay_pays() -> None:
    """No pipeline whose estimate is a gain of a fifth or more is slower after the rewrite."""
    assert all(figures.ratio(r) > 1 for r in pipelines() if predicted(r) >= 1.2)


@pytest.mark.parametrize("microseconds", sorted(g.microseconds for g in GAINS if g.microseconds is not None))
def test_removing_nothing_never_pays_and_removing_more_pays_more(microseconds: float) -> None:
    found = [ratio(microseconds, p / 10) for p in range(11)]
    assert found[0] < 1
    assert found == sorted(found)
    assert ratio(microseconds, 0.9, 10_000) < ratio(microseconds, 0.9, 10_000_000)


def test_no_estimate_without_a_measurement() -> None:
    assert estimate("explode", False) is None
    assert estimate("a boundary of tomorrow", False) is None
    assert in_words(None) == ()


def test_the_words_say_what_is_assumed() -> None:
    words = dict(in_words(estimate("applyInPandas", False)))
    assert float(words["estimated speed-up"]) > 2
    assert "assumed" in words


def test_first_rows_of_files() -> None:
    """Measured: 1.7 with a filter in front, which removes some of the rows that are handed over."""
    found = of_first_rows("toPandas", 5_000_000, 5)
    assert found is not None
    assert found.likely == 2.6
    assert "of the 5,000,000 rows that the data files have" in dict(in_words(found))["assumed"]
    assert of_first_rows("toPandas", None, 5) is None
    few = of_first_rows("collect", 3, 5)
    assert few is not None
    assert few.likely == 1
