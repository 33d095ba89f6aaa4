"""Fold problems: THEORY.md section 1 as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NoReturn

from .assumptions import Assumption
from .expr import TRUE, Expr, columns_of
from .types import Type

CACHE = "cache"
"""The ``api`` of a boundary below a cache that a filter passes: Spark moves none of its conditions there."""


@dataclass(frozen=True)
class Column:
    """A column of the input row.

    Every column may hold NULL, and NaN where its type allows; what is known beyond that stands in ``Fold.facts``.
    ``is_key``: constant inside a group (a grouping key). ``ghost``: not a real column but a free choice of the engine's
    (such as whether pandas shows a NULL of an unknown type as None or as NaN); no pre-filter may read it.
    """

    name: str
    type: Type
    is_key: bool = False
    ghost: bool = False


@dataclass(frozen=True)
class Parameter:
    """A driver variable that is kept symbolic."""

    name: str
    type: Type


@dataclass(frozen=True)
class StateSlot:
    """One component of the accumulator. It may be NULL, and NaN where its type allows."""

    name: str
    type: Type


@dataclass(frozen=True)
class OutputColumn:
    """One column of the fold's output row: ``value`` reads slots (side 0) and key columns, or the row if ``rows`` is
    ``"one"``."""

    name: str
    type: Type
    value: Expr


@dataclass(frozen=True)
class Fold:
    """A boundary as a left fold over the rows of a group.

    * ``init``: one expression per slot, over key columns and parameters.
    * ``step``: one expression per slot, over side-0 slots and columns; all slots change at once.
    * ``merge``: one expression per slot over sides 1 (left) and 2 (right), or None where the engine never merges.
    * ``emit``: over side-0 slots and keys; the group has an output row only where it is TRUE.
    * ``grouped``: an absent group has no output row; a global fold (False) has one row even for an empty input.
    * ``rows``: ``"one"`` for a row function: each row is a group of its own and ``outputs`` read the row directly; it
      has no slots.
    * ``facts``: conditions (sql dialect, over columns) that are TRUE on every input row; they read no others.
    * ``assumptions``: what was taken on trust to build this fold, and notes, for the certificate.
    """

    name: str
    api: str
    columns: tuple[Column, ...]
    slots: tuple[StateSlot, ...]
    init: tuple[Expr, ...]
    step: tuple[Expr, ...]
    outputs: tuple[OutputColumn, ...]
    merge: tuple[Expr, ...] | None = None
    emit: Expr = TRUE
    grouped: bool = True
    rows: Literal["many", "one"] = "many"
    params: tuple[Parameter, ...] = ()
    facts: tuple[Expr, ...] = ()
    assumptions: tuple[Assumption, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.slots) == len(self.init) == len(self.step):
            raise ValueError("slots, init and step differ in length")
        if self.merge is not None and len(self.merge) != len(self.slots):
            raise ValueError("merge and slots differ in length")
        if self.rows == "one" and (self.slots or not self.grouped):
            raise ValueError("a row function has no slots and is grouped by row")
        unknown = {name for fact in self.facts for name in columns_of(fact)} - {c.name for c in self.columns}
        if unknown:
            raise ValueError(f"a fact reads {', '.join(sorted(unknown))}, which no column of the fold is")

    def column(self, name: str) -> Column:
        """The column ``name``; KeyError if there is none."""
        return next((c for c in self.columns if c.name == name), None) or _missing(name)

    def output(self, name: str) -> OutputColumn:
        """The output column ``name``; KeyError if there is none."""
        return next((o for o in self.outputs if o.name == name), None) or _missing(name)

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the key columns."""
        return tuple(c.name for c in self.columns if c.is_key)


def _missing(name: str) -> NoReturn:
    raise KeyError(name)


@dataclass(frozen=True)
class FoldProblem:
    """A fold followed by a filter: ``predicate`` is ``P``, over ``Out`` and ``Param``, sql dialect."""

    fold: Fold
    predicate: Expr
