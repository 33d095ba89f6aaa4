"""The judge finds nothing wrong where nothing is; ``tests/planted`` sees to it that it finds what is."""

from __future__ import annotations

import pytest

from .planted import STRONGER, wrong


@pytest.mark.parametrize(("name", "condition"), [*STRONGER, ("grouped max and count", 'F.col("b") >= 1')])
def test_right_rewrites_are_right(name: str, condition: str) -> None:
    assert not wrong(name, condition)
