"""What data files, or a schema that was printed, say of the rows that a read gives."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from .bounds import Part

PRINTED = "printed"
"""The form of what is known of a read by the schema that was printed of it: its place is the text of the call."""


@dataclass(frozen=True)
class Output:
    """What the cell number ``cell`` of a notebook has printed, empty if no schema is in it; ``turn``: the number that
    the cell got when it was run last, 0 for none; ``day``: on which that was, empty if it is not stored."""

    cell: int
    text: str
    turn: int = 0
    day: str = ""


@dataclass(frozen=True)
class ColumnFacts:
    """A column: ``ddl`` is the name of its type in DDL, ``unknown`` for one without a model; ``nulls`` how many of its
    values are NULL, None if that is not said."""

    name: str
    ddl: str
    nulls: int | None = None


@dataclass(frozen=True)
class DataFacts:
    """What the files of ``place``, the path as the program writes it, say: ``form`` of the files, ``rows`` together.
    ``source`` says what was read (``3 Parquet files of `data/scores` ``), ``day`` when; ``parts``: all these rows, with
    the statistics of row groups or files, none if ``rows`` is not known."""

    place: str
    form: str
    columns: tuple[ColumnFacts, ...]
    partitions: tuple[str, ...]
    rows: int | None
    source: str
    day: str = field(default="", compare=False)
    parts: tuple[Part, ...] = field(default=(), repr=False)

    def not_null(self, column: ColumnFacts) -> bool:
        """Whether the statistics say that ``column`` holds no NULL, of no rows they say nothing worth having, or the
        printed schema does."""
        return column.nulls == 0 and (bool(self.rows) or self.form == PRINTED)

    def key(self) -> str:
        """A text that is equal where the same was read, whenever that was."""
        parts = hashlib.sha256(repr(self.parts).encode("utf-8", "surrogatepass")).hexdigest()
        return repr((self.place, self.form, self.columns, self.partitions, self.rows, self.source, parts))
