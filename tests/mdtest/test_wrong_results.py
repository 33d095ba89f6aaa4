"""All fifteen classes of wrong results that shipped in real engines are here, each by its number and its issues.

The files ``wrong_results_*.md`` hold them; ``test_mdtest.py`` asserts that each is refused with the obstruction that it
names, and that the wrong rewrite gives another result on Spark.
"""

from __future__ import annotations

import re
from typing import get_args

import pytest

from headwater_ir.verdict import Obstruction

from .cases import Case, all_cases

CLASSES: dict[int, tuple[str, str]] = {
    1: ("empty-input-row", "SPARK-22983 SPARK-17712 datafusion#220"),
    2: ("empty-input-row", "duckdb#4680"),
    3: ("attribute-capture", "polars#21439"),
    4: ("row-context", "polars#29456"),
    5: ("attribute-capture", "polars#28428"),
    6: ("join-on-clause", "SPARK-18597 SPARK-18614"),
    7: ("join-on-clause", "datafusion#10881 datafusion#13211"),
    8: ("null-supplying-side", "SPARK-16181 datafusion#1586 polars#19772"),
    9: ("null-supplying-side", "SPARK-16991 SPARK-17099 SPARK-17120"),
    10: ("null-supplying-side", "sqlglot#7964 sqlglot#7977 sqlglot#8278"),
    11: ("cardinality-barrier", "polars#26803 datafusion#21063 sqlglot#7901"),
    12: ("representative-choice", "duckdb#6061 duckdb#9241 datafusion#12942 polars#14595"),
    13: ("volatile", "SPARK-13473 SPARK-20246 SPARK-59434 datafusion#7876 duckdb#24207"),
    14: ("row-context", "polars#12102 polars#8661 polars#5950"),
    15: ("shared-subplan", "SPARK-58696 sqlglot#536 polars#27748"),
}
"""Of each class its obstruction and the issues where it shipped."""

_NUMBER = re.compile(r"(\d+)\. ")
CASES = [c for c in all_cases() if c.file.startswith("wrong_results_")]


def number_of(case: Case) -> int:
    """The number of its class."""
    found = _NUMBER.match(case.heading)
    assert found, f"{case.file}:{case.line}: the heading has no number: {case.heading}"
    return int(found[1])


def test_all_fifteen_are_here() -> None:
    assert sorted({number_of(c) for c in CASES}) == sorted(CLASSES) == list(range(1, 16))


@pytest.mark.parametrize("number", CLASSES)
def test_each_issue_has_a_program(number: int) -> None:
    obstruction, issues = CLASSES[number]
    programs = [c for c in CASES if number_of(c) == number]
    for case in programs:
        print(f"{case.heading}: {', '.join(' '.join(e.words) for e in case.expectations)}")
    missing = [i for i in issues.split() if not any(f" {i}:" in c.heading for c in programs)]
    assert not missing
    assert any(obstruction in e.words for c in programs for e in c.expectations)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_each_is_refused_for_a_reason_and_has_what_shows_it_wrong(case: Case) -> None:
    for expectation in case.expectations:
        assert expectation.verdict == "refused"
        assert expectation.words
        assert set(expectation.words) <= set(get_args(Obstruction)) - {"opaque", "no-prefilter", "time-out"}
    assert case.tables
    assert all(t.rows for t in case.tables)
    assert case.wrong or case.rewrites
