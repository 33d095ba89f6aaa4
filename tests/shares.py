"""How much a run looks at of what is too much for every run. ``HEADWATER_REPLAY_SHARE=1``, as in ``make replay``, takes
all; ``pytest`` with the names of tests does so too (``conftest.py``)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def every(own: int) -> int:
    """Of how many things a run takes one, where it is one of ``own`` unless more are asked for."""
    return min(own, int(os.environ.get("HEADWATER_REPLAY_SHARE", own)))


def share(items: Iterable[T], own: int) -> list[T]:
    """One of ``own`` items, always the same, the first among them."""
    return list(items)[:: every(own)]


__all__ = ["every", "share"]
