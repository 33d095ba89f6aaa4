"""No construct is without a conformance case: fails, by name, while one is."""

from __future__ import annotations

import pytest

from . import transfer
from .covered import Family, families
from .paths import INTO, OUT

pytestmark = pytest.mark.xdist_group("complete")  # all ask one table, which takes seconds to make
FAMILIES = ("expressions", "plans", "columns", "SQL", "aggregates", "frames", "Python")
SHAPES = {
    "applyInPandas": ("applyInPandas", "applyInPandas"),
    "applyInArrow": ("applyInArrow", "applyInArrow, array(…, type)"),
    "agg": ("pandas_udf, series to scalar", "pandas_udf, series to scalar"),
    "udf": ("udf", "udf"),
    "udtf": ("udtf, table argument", "udtf"),
    "rdd": ("df.rdd", "createDataFrame of an RDD"),
}
"""Boundaries with Python functions → their columns in the tables into and out of Python."""


@pytest.mark.parametrize("name", FAMILIES)
def test_every_construct_has_a_case(name: str) -> None:
    assert not families()[name].missing


@pytest.mark.parametrize("name", FAMILIES)
def test_no_excuse_is_stale(name: str) -> None:
    assert not families()[name].stale


def test_all_families_are_checked() -> None:
    assert set(families()) == set(FAMILIES)
    assert all(len(f.there) >= 9 for f in families().values())


def test_an_uncovered_construct_is_named() -> None:
    assert Family(frozenset("ab"), frozenset("a")).missing == ["b"]
    assert Family(frozenset("ab"), frozenset("a"), {"b": "…", "c": "…"}).stale == ["c"]


def test_every_boundary_of_python_is_measured() -> None:
    for way_in, way_out in SHAPES.values():
        assert way_in in INTO
        assert way_out in OUT
        assert way_in in transfer.documented("into")
        assert way_out in transfer.documented("out")
