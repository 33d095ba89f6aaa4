"""What a value lies between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

Kind = Literal["int", "float", "nan", "date", "time", "midnight", "inside", "text"]
"""``time``: moments, by the day that the clock of the session shows; ``midnight``: those that begin their day,
``inside``: those that do not. ``float``: doubles that are numbers."""
Ordered = Union[int, float, str]


class NoRange(Exception):
    """Of the value nothing is known."""


@dataclass(frozen=True)
class Range:
    """All values from ``low`` to ``high``, of one kind, and NULL or an error beside them if it is ``or_null``. Whole
    numbers and doubles have so many ``bits``. Texts that Spark reads as dates are ``spelled`` from days as these; those
    of ``width`` have all so many characters."""

    kind: Kind
    low: Ordered
    high: Ordered
    bits: int = 32
    or_null: bool = False
    spelled: tuple[int, int] | None = None
    width: int | None = None

    @property
    def one(self) -> bool:
        """Whether it is one value; of moments, of one day."""
        return self.low == self.high and not self.or_null


def days(r: Range) -> tuple[int, int]:
    """The first and the last day of dates or moments; ``NoRange`` for anything else."""
    if (
        r.kind not in ("date", "time", "midnight", "inside")
        or not isinstance(r.low, int)
        or not isinstance(r.high, int)
    ):
        raise NoRange("no date")
    return r.low, r.high


def dates(r: Range) -> tuple[int, int]:
    """As ``days``, of dates alone: what Spark makes of a moment in their place is not spoken of."""
    if r.kind != "date":
        raise NoRange("no date")
    return days(r)
