"""State that is more than scalars, against CPython: None, NaN, -0.0, infinities, duplicates, one row, several."""

from __future__ import annotations

import pytest

from .body_cases import BODIES
from .harness import ERROR, same
from .test_conformance import groups


@pytest.mark.parametrize("name", sorted(BODIES))
def test_fold_is_the_function(name: str) -> None:
    case = BODIES[name]
    outcomes = set()
    for rows in groups(case):
        real, model = case.real(rows), case.model(rows)
        outcomes.add("error" if real == ERROR else "row")
        assert same(model, real), (rows, model, real)
    assert "row" in outcomes, "the case never runs"
