"""The folds of functions over Arrow tables against CPython, pyarrow and the conversions of Spark's own worker."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from headwater_ir.expr import Scalar
from headwater_ir.types import Type

from .arrow_cases import CASES, ArrowCase, schema
from .harness import ERROR, Rows, same
from .test_conformance import VALUES


def groups(case: ArrowCase) -> Iterator[Rows]:
    """Groups of one to five rows; the key is the same in each."""
    fields = schema(case.columns).fields
    for key in [v for v in VALUES[fields[0].type.name] if v != ""][:3]:
        for size, seed in itertools.product((1, 2, 3, 5), range(12)):
            chance = random.Random(f"{key}{size}{seed}")
            yield [
                {fields[0].name: key, **{f.name: chance.choice(_pool(f.type, seed)) for f in fields[1:]}}
                for _ in range(size)
            ]


def _pool(t: Type, seed: int) -> list[Scalar]:
    """A third of the groups has no None."""
    values = VALUES[t.name]
    return values[1:] if seed % 3 == 0 else values


@pytest.mark.parametrize("name", sorted(CASES))
def test_fold_is_the_function(name: str) -> None:
    case = CASES[name]
    outcomes = set()
    for rows in groups(case):
        real = case.real(rows)
        outcomes.add("error" if real == ERROR else "none" if real is None else "row")
        model = case.model(_ordered(name, rows))
        assert same(model, real) or (real == ERROR and passed_over(name)), (name, rows, model, real)
    assert outcomes != {"error"}, "the case never runs"


def passed_over(name: str) -> bool:
    """Whether the case has errors of single rows that the fold leaves out: the rows raise with and without others."""
    return name.startswith(("max", "min", "chosen", "inferred", "sum", "sorted"))


@pytest.mark.parametrize("name", [n for n in sorted(CASES) if passed_over(n)])
def test_errors_that_are_passed_over_are_in_every_larger_group(name: str) -> None:
    case = CASES[name]
    for rows in groups(case):
        if case.real(rows) == ERROR or not passed_over(name):
            continue
        for n in range(1, len(rows)):
            for part in itertools.combinations(rows, n):
                assert case.real(part) != ERROR or case.model(part) == ERROR, (name, rows, part)


def _ordered(name: str, rows: Rows) -> Rows:
    """The rows in the order in which the function sees them."""
    return sorted(rows, key=lambda r: (r["n"] is None, r["n"] or 0)) if name == "sorted" else rows
