"""Dicts from keys that are not constant to what their elements come to: ``Counter``, ``defaultdict``, ``n[k] += 1``.

Such a dict is never built: it is the history of what was added under which key, and what is read of it under a constant
key is a fold over that history (``builtins/tallies.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from headwater_ir.expr import Expr

from .append_only import AppendOnly, merged_append_only
from .scope import AbstractObject, Items

Kind = Literal["Counter", "numbers", "list", "set", "dict"]


@dataclass(frozen=True)
class Tally(AbstractObject):
    """``history``: the additions; an empty list before there are any. ``paired``: of a key and what is added under it;
    otherwise of keys alone, each of which counts 1. ``kind``: ``numbers`` and ``list`` are a ``defaultdict`` of these,
    a ``dict`` has no default."""

    history: AppendOnly | Items
    kind: Kind
    paired: bool = True

    @property
    def collects(self) -> bool:
        """It can be changed in place."""
        return True


def merged_tallies(cond: Expr, a: Tally, b: Tally) -> Tally | None:
    """``a`` where ``cond`` holds, else ``b``."""
    if a == b:
        return a
    if not isinstance(a.history, AppendOnly) or not isinstance(b.history, AppendOnly) or a.kind != b.kind:
        return None
    history = merged_append_only(cond, a.history, b.history)
    return None if history is None or a.paired != b.paired else replace(a, history=history)
