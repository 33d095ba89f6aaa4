"""A table as a catalog describes it, and the DDL text that ``headwater.schemas`` keeps of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

UNKNOWN = "unknown"
"""The type of a column of which the export does not say how Spark sees it."""


class NotAnExport(Exception):
    """A text is no export that can be read, or does not say enough; the message has the reason, without the path."""


@dataclass(frozen=True)
class Column:
    """``type`` is a type of Spark as DDL spells it, or ``UNKNOWN``; ``required``: the catalog refuses NULL."""

    name: str
    type: str
    required: bool = False


@dataclass(frozen=True)
class Table:
    """``name`` is the catalog (or none), the schema and the table; ``columns`` are all that it has, in their order;
    ``rows`` how many rows the catalog counted, None if it did not. ``problem``: why nothing is to be taken of it."""

    name: tuple[str, ...]
    columns: tuple[Column, ...]
    partitions: tuple[str, ...] = ()
    rows: int | None = None
    problem: str = ""

    def names(self) -> tuple[str, ...]:
        """How code names it, whatever database is in use: with its catalog and with its schema alone."""
        parts = tuple(p for p in self.name if p)
        return tuple(".".join(parts[i:]) for i in range(max(1, len(parts) - 1)))

    def ddl(self) -> str:
        """The text for ``headwater.schemas``. Raises ``NotAnExport`` if a column has a name that DDL cannot spell."""
        if self.problem or not self.columns:
            raise NotAnExport(self.problem or "it has no columns")
        text = ", ".join(_column(c) for c in self.columns)
        if self.partitions and all(re.fullmatch(r"[\w$ ]+", p) for p in self.partitions):
            text += f" PARTITIONED BY ({', '.join(map(_name, self.partitions))})"
        return text if self.rows is None else f"{text} TBLPROPERTIES ('numRows' = '{self.rows}')"


def _column(column: Column) -> str:
    return f"{_name(column.name)} {' '.join(column.type.split())}{' NOT NULL' if column.required else ''}"


def _name(name: str) -> str:
    if not name or "`" in name or not name.isprintable():
        raise NotAnExport(f"the name {name!r} cannot be written in DDL")
    return name if re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) else f"`{name}`"


def count_of(value: object) -> int | None:
    """A number of rows, from a number or its text; None for anything else."""
    text = str(int(value)) if isinstance(value, (int, float)) and value == value and abs(value) < 2**63 else value
    return int(text) if isinstance(text, str) and re.fullmatch(r"\d{1,18}", text) else None
