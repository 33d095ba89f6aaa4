"""Errors of single rows that the folds of functions over Arrow tables leave out."""

from __future__ import annotations

import itertools

import pytest

from tests.python.harness import ERROR

from .arrow_cases import CASES


@pytest.mark.parametrize("name", [n for n, c in CASES.items() if c.drops_errors])
def test_errors_that_are_passed_over_are_in_every_larger_group(name: str) -> None:
    case = CASES[name]
    for rows in case.groups():
        if case.real(rows) == ERROR:
            continue
        for n in range(1, len(rows)):
            for part in itertools.combinations(rows, n):
                assert case.real(part) != ERROR or case.model(part) == ERROR, (name, rows, part)
