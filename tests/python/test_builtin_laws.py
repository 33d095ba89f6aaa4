"""Every model of a builtin or library function has a case in which another value in its place is seen."""

from __future__ import annotations

import pytest

from . import builtin_laws

_BY_NAME = {" of ".join(entry): entry for entry in builtin_laws.entries()}
ENTRIES = list(_BY_NAME)


def seen(entry: str) -> bool:
    """Whether another value in place of that of the model is found beside CPython."""
    return builtin_laws.seen(_BY_NAME[entry])


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_wrong_law_is_seen(entry: str) -> None:
    assert seen(entry)
