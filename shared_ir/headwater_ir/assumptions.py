"""What a verdict rests on beside its proof: assumptions, which limit it, and notes, which do not.

An *assumption* is a fact that the program itself does not guarantee. A verdict that rests on one holds only for inputs
of which the fact is true: it is ``assumed``, and no rewrite of it is applied unless the user accepts the assumption. A
*note* is worth knowing but limits nothing: the original program guarantees it for every input that it runs on, or it
concerns only errors that the rewritten program no longer raises.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

AssumptionKind = Literal[
    "type",  # the type of a column or of a driver variable, which no schema states
    "data",  # data files, or a catalog, are as their statistics say
    "nulls",  # a column holds no NULL or no NaN
    "range",  # numbers stay within a width
    "names",  # a column or field of that name exists once
    "keys",  # there is at least one key
    "setting",  # a setting of Spark that the file does not set
    "clock",  # no time falls into an hour that a time zone repeats or skips
    "rounding",  # the order of additions of floats does not change a result
    "purity",  # a function that is not analysed depends on its arguments alone and has no side effects
    "program",  # other code, which is not analysed, does not replace or change what this file uses
    "other",
    "note",
]


@dataclass(frozen=True, order=True)
class Assumption:
    """``text`` states the fact in one clause without a full stop; ``kind`` says what it is about."""

    kind: AssumptionKind
    text: str

    @property
    def limits(self) -> bool:
        """Whether the verdict holds only where the fact is true."""
        return self.kind != "note"


def note(text: str) -> Assumption:
    """A fact that limits no verdict."""
    return Assumption("note", text)


def purity_of(function: str) -> str:
    """The text that states that a function is pure."""
    return f"`{function}` is pure: its result depends on its arguments alone"


def texts(stated: Iterable[Assumption], *, notes: bool = False) -> tuple[str, ...]:
    """The texts of the assumptions in ``stated``, or of the notes, each once, in their order."""
    return tuple(dict.fromkeys(a.text for a in stated if a.limits != notes))
