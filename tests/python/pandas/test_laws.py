"""Every law of a pandas method beside pandas, on programs and rows that are made from its entry."""

from __future__ import annotations

import pytest

from headwater.python.pandas.methods.model import laws

from .law_cases import complaints, wrong

REFUSING = frozenset(name for name, model in laws().items() if model.refuses)
"""Methods whose law is a refusal with a reason of its own."""
ENTRIES = sorted(laws().keys() - REFUSING)


def seen(entry: str) -> bool:
    """Whether another law in place of that of ``entry`` is found."""
    right = laws()[entry]
    try:
        wrong(entry)
        return any("no program reaches" not in c for c in complaints(entry))
    finally:
        laws()[entry] = right


@pytest.mark.parametrize("name", ENTRIES)
def test_law_is_what_pandas_does(name: str) -> None:
    assert not complaints(name)


@pytest.mark.parametrize("name", sorted(REFUSING))
def test_a_law_that_refuses_is_reached_by_nothing(name: str) -> None:
    assert complaints(name) == [f"{name}: no program reaches its law"]


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_wrong_law_is_seen(entry: str) -> None:
    assert seen(entry)
