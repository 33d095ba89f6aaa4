"""What the footer of one data file says, whatever the format."""

from __future__ import annotations

from dataclasses import dataclass

from .bounds import Known, Part


@dataclass(frozen=True)
class Column:
    """A top-level column of one file; ``nulls``: of its values, None if not every row group says how many are NULL;
    ``known``: what each row group says, nothing of nested columns."""

    name: str
    ddl: str
    nulls: int | None
    known: tuple[Known, ...] = ()


@dataclass(frozen=True)
class Footer:
    """What one file says of itself; ``groups``: rows of each row group."""

    columns: tuple[Column, ...]
    rows: int
    groups: tuple[int, ...] = ()

    def parts(self) -> tuple[Part, ...]:
        """The row groups with their statistics."""
        known = [c for c in self.columns if c.known]
        return tuple(Part(rows, {c.name: c.known[i] for c in known}) for i, rows in enumerate(self.groups))
