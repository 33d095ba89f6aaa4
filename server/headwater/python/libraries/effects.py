"""All effect tables: what every listed function, method and attribute does besides computing its result."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping

from .builtins import BUILTINS
from .containers import CONTAINERS
from .datetimes import DATETIMES
from .entry import Entry
from .stdlib import STDLIB
from .text import TEXT

EFFECTS: Mapping[str, Entry] = ChainMap(BUILTINS, TEXT, CONTAINERS, DATETIMES, STDLIB)
"""By full name: of functions (``builtins.len``), and of methods by receiver kind (``list.append``)."""
