"""The rules on demand at a wall, in the order in which they are asked: the first that proposes something wins, so that
one wasted thing is one finding."""

from __future__ import annotations

from collections.abc import Callable

from headwater_ir.demand import Wall

from .emptiness import emptiness
from .first_rows import first_rows
from .protocol import Answer
from .unread_columns import unread_columns

RULES_OF_DEMAND: tuple[Callable[[Wall, str], Answer], ...] = (emptiness, first_rows, unread_columns)
