"""Every wrong crossing is refused."""

from __future__ import annotations

import pytest

from .planted import ALL, is_refused


@pytest.mark.parametrize("what", ALL)
def test_a_wrong_crossing_is_refused(what: str) -> None:
    assert is_refused(*ALL[what])
