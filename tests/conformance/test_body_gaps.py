"""The programs of ``body_gaps`` against CPython, pandas and pyarrow."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from headwater.operators.move import Moved
from headwater.semantics.interpreter import EvaluationError, run_fold
from tests.python.arrow import test_arrow
from tests.python.harness import ERROR, same
from tests.python.rdd import test_rdd
from tests.python.test_conformance import groups

from .body_gaps import ARROW, CHAINS, PANDAS


@pytest.mark.parametrize("name", sorted(PANDAS))
def test_pandas(name: str) -> None:
    case = PANDAS[name]
    outcomes = set()
    for rows in groups(case):
        real, model = case.real(rows), case.model(rows)
        outcomes.add("error" if real == ERROR else "row")
        assert same(model, real), (rows, model, real)
    assert "row" in outcomes, "the case never runs"


@pytest.mark.parametrize("name", sorted(ARROW))
def test_arrow_tables(name: str) -> None:
    case = ARROW[name]
    for rows in test_arrow.groups(case):
        assert same(case.model(rows), case.real(rows)), rows


@pytest.mark.parametrize("name", sorted(CHAINS))
def test_chains(name: str) -> None:
    """One partition: what the chain yields for a key is what the fold does."""
    moved = test_rdd.moved(CHAINS[name])
    assert isinstance(moved, Moved)
    stores: tuple[Any, ...] = ("a", None)
    for store, numbers in itertools.product(stores, itertools.product((-1, 0, 2, 3), repeat=2)):
        rows = [(store, 2024, float(n), n, "a", None, True) for n in numbers]
        real = test_rdd.in_python(CHAINS[name], [rows])
        given = [dict(zip(test_rdd.NAMES, row, strict=True)) for row in rows]
        try:
            found = run_fold(moved.problem.fold, given)
        except EvaluationError:
            continue
        assert found is not None
        assert {test_rdd.image(found.values())} >= set(real)
