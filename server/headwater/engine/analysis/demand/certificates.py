"""Certificates of smaller demands, each of which is checked once."""

from __future__ import annotations

import hashlib
import pickle
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

_C = TypeVar("_C")
_MOST = 4000
_HOLDS: OrderedDict[bytes, None] = OrderedDict()
"""The certificates that were checked last and hold, by their pickles: a check takes longer than all else that a finding
takes after a keystroke. Equal bytes are identical values, of one class, which one function checks."""


class NotProved(Exception):
    """A smaller demand whose claims do not hold: an error of ours."""


def wrong_claims(certificate: _C, check: Callable[[_C], tuple[str, ...]]) -> tuple[str, ...]:
    """What ``check`` finds wrong with ``certificate``, or raises."""
    key = hashlib.sha256(pickle.dumps(certificate, pickle.HIGHEST_PROTOCOL)).digest()
    wrong = () if key in _HOLDS else check(certificate)
    if not wrong:
        _HOLDS[key] = None
        _HOLDS.move_to_end(key)
        if len(_HOLDS) > _MOST:
            _HOLDS.popitem(last=False)
    return wrong
