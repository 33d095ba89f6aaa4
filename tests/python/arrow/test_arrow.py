"""Errors that folds over Arrow tables and over lists of rows leave out."""

from __future__ import annotations

import itertools

import pytest

from tests.python.harness import ERROR, Case
from tests.python.row_list_cases import ARROW, PANDAS

from .arrow_cases import CASES

DROPPING: dict[str, Case] = {
    f"{kind}{name}": case
    for kind, table in {"": CASES, "lists, ": ARROW, "pandas, ": PANDAS}.items()
    for name, case in table.items()
    if case.drops_errors
}


@pytest.mark.parametrize("name", DROPPING)
def test_errors_that_are_passed_over_are_in_every_larger_group(name: str) -> None:
    case = DROPPING[name]
    for rows in case.groups():
        if case.real(rows) == ERROR:
            continue
        for n in range(1, len(rows)):
            for part in itertools.combinations(rows, n):
                assert case.real(part) != ERROR or case.model(part) == ERROR, (name, rows, part)
