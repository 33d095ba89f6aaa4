"""All effect tables: what every listed function, method and attribute does besides computing its result."""

from __future__ import annotations

import ast
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

EXCEPTIONS = frozenset(n for n, e in EFFECTS.items() if isinstance(e.result, ast.Name) and e.result.id == "exception")
"""Full names of the classes of exceptions whose construction does nothing else."""
