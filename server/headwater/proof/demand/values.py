"""What each step of a reading gives, on a table of rows that stand for any rows.

Rows are told apart by their place and cells by their row and column; nothing else is known of a cell. ``evaluate`` is
the whole meaning of the steps: pandas' and Python's rules for places, lengths and truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Union

from headwater_ir import demand as ir


class Fails(Exception):
    """The step raises an error in the program."""


@dataclass(frozen=True)
class Row:
    """The row at ``place`` of the table. ``columns``: those that it has, in order; None for all of the table's, of
    which the places are not known."""

    place: int
    columns: tuple[str, ...] | None = None

    def cell(self, name: str) -> Cell:
        """The value in the column ``name``."""
        if self.columns is not None and name not in self.columns:
            raise Fails(name)
        return Cell(self.place, name)

    def cell_at(self, index: int) -> Cell:
        """The value in the column at the place ``index``."""
        if self.columns is None:
            return Cell(self.place, index)
        if not -len(self.columns) <= index < len(self.columns):
            raise Fails(str(index))
        return Cell(self.place, self.columns[index])


@dataclass(frozen=True)
class Cell:
    """Any value. ``column``: its name, or its place in a row of which the columns are not known."""

    place: int
    column: str | int


@dataclass(frozen=True)
class Rows:
    """Some rows, in order."""

    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Many:
    """A value for each of some rows, in order."""

    values: tuple[Value, ...]


Value = Union[Row, Cell, Rows, Many, int, bool]


def table(size: int) -> Rows:
    """A table of ``size`` rows."""
    return Rows(tuple(Row(i) for i in range(size)))


def evaluate(reading: Sequence[ir.Step], at: Value) -> Value:
    """The value that ``reading`` reaches from ``at``; ``Fails`` where the program has an error, TypeError where the
    step is none of such a value."""
    for number, step in enumerate(reading):
        if isinstance(step, ir.Each):
            _assert_rows(at, step)
            assert isinstance(at, Rows)
            return Many(tuple(evaluate(reading[number + 1 :], row) for row in at.rows))
        at = _after(step, at)
    return at


def _after(step: ir.Step, at: Value) -> Value:
    match step, at:
        case ir.Limited(count), Rows(rows) if count >= 0:
            return Rows(rows[:count])
        case ir.Skipped(start), Rows(rows) if start >= 0:
            return Rows(rows[start:])
        case ir.Selected(columns), Rows(rows):
            for row in rows:
                for name in columns:
                    row.cell(name)
            return Rows(tuple(replace(row, columns=columns) for row in rows))
        case ir.Item(index), Rows(rows):
            if not -len(rows) <= index < len(rows):
                raise Fails(str(index))
            return rows[index]
        case ir.Column(name), Row():
            return at.cell(name)
        case ir.Column(name), Rows(rows):
            return Many(tuple(row.cell(name) for row in rows))
        case ir.ColumnAt(index), Row():
            return at.cell_at(index)
        case ir.Size(), Rows(rows):
            return len(rows)
        case ir.Empty(), Rows(rows):
            return not rows
        case ir.Truth(), Rows(rows):
            return bool(rows)
        case ir.Truth(), int() if not isinstance(at, bool):
            return at != 0
        case ir.Not(), bool():
            return not at
        case ir.Test(op, of), int() if not isinstance(at, bool):
            return {"==": at == of, "!=": at != of, "<": at < of, "<=": at <= of, ">": at > of, ">=": at >= of}[op]
    raise TypeError(f"{step} of {type(at).__name__}")


def _assert_rows(at: Value, step: ir.Step) -> None:
    """TypeError unless ``at`` are rows."""
    if not isinstance(at, Rows):
        raise TypeError(f"{step} of {type(at).__name__}")


__all__ = ["Cell", "Fails", "Many", "Row", "Rows", "Value", "evaluate", "table"]
