"""What each step of a reading gives, on a table of rows that stand for any rows.

Rows are told apart by their place and cells by their row and column; nothing else is known of a cell. ``evaluate`` is
the whole meaning of the steps: pandas' and Python's rules for places, lengths and truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Union

from headwater_ir import demand as ir


class Fails(Exception):
    """The step raises an error in the program."""


_KINDS = "how many different {}"
"""The function of a bag of rows that counts the different ones in some columns."""
Truth = Literal["TRUE", "FALSE", "NULL"]


@dataclass(frozen=True)
class Row:
    """The row at ``place`` of the table. ``columns``: those that it has, in order; None for all of the table's, of
    which the places are not known, as they are not if it is not ``ordered``. ``truths``: what each condition is on it;
    ``names``: what each variable holds."""

    place: int
    columns: tuple[str, ...] | None = None
    truths: Mapping[str, Truth] = field(default_factory=dict, compare=False)
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    ordered: bool = True

    def passes(self, conditions: tuple[str, ...]) -> bool:
        """Whether each of ``conditions`` is TRUE; TypeError for one of which nothing is said."""
        if not {*conditions} <= self.truths.keys():
            raise TypeError(f"nothing is said of {conditions}")
        return all(self.truths[c] == "TRUE" for c in conditions)

    def cell(self, name: str) -> Cell:
        """The value in the column ``name``."""
        if self.columns is not None and name not in self.columns:
            raise Fails(name)
        return Cell(self.place, name)

    def cell_by(self, variable: str) -> Cell:
        """The value in the column whose name ``variable`` holds; TypeError if nothing is said of it."""
        if variable not in self.names:
            raise TypeError(f"nothing is said of {variable}")
        return self.cell(self.names[variable])

    def cell_at(self, index: int) -> Cell:
        """The value in the column at the place ``index``; TypeError if the columns are in no order."""
        if not self.ordered:
            raise TypeError("the places of the columns are not known")
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


@dataclass(frozen=True)
class Folded:
    """What the function that is spelled ``text`` gives of the rows at ``places``; of it nothing else is known."""

    text: str
    places: tuple[int, ...]


@dataclass(frozen=True)
class Different:
    """The different rows in ``columns`` of those at ``places``; of them nothing else is known."""

    columns: tuple[str, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Measured:
    """A row of the measures of some rows. ``names``: those of its columns; None if nobody looks at them."""

    values: tuple[Value, ...]
    names: tuple[str, ...] | None = None


Value = Union[Row, Cell, Rows, Many, Folded, Different, Measured, int, bool]


def table(size: int, truths: Sequence[Mapping[str, Truth]] = (), names: Mapping[str, str] | None = None) -> Rows:
    """A table of ``size`` rows. ``truths``: what the conditions are on each; ``names``: what the variables hold."""
    return Rows(tuple(Row(i, truths=truths[i] if truths else {}, names=names or {}) for i in range(size)))


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
            return Rows(tuple(replace(row, columns=columns, ordered=True) for row in rows))
        case ir.SelectedBy(columns, variables), Rows(rows):
            return Rows(tuple(_chosen(row, columns, variables) for row in rows))
        case ir.Limited(count), Many(values) if count >= 0:
            return Many(values[:count])
        case ir.Item(index), Rows(several) | Many(several):
            if not -len(several) <= index < len(several):
                raise Fails(str(index))
            return several[index]
        case ir.Column(name), Row():
            return at.cell(name)
        case ir.Column(name), Rows(rows):
            return Many(tuple(row.cell(name) for row in rows))
        case ir.ColumnBy(variable), Row():
            return at.cell_by(variable)
        case ir.ColumnBy(variable), Rows(rows):
            return Many(tuple(row.cell_by(variable) for row in rows))
        case ir.ColumnAt(index), Row():
            return at.cell_at(index)
        case ir.Size(), Rows(rows):
            return len(rows)
        case ir.Empty(), Rows(rows):
            return not rows
        case ir.Where(conditions), Rows(rows):
            return Rows(tuple(row for row in rows if row.passes(conditions)))
        case ir.AnyOf(alternatives), Rows(rows):
            return Rows(tuple(row for row in rows if any(row.passes(a) for a in alternatives)))
        case ir.Different(columns), Rows(rows):
            return Different(columns, tuple(row.place for row in rows))
        case ir.Size(), Different():
            return Folded(_KINDS.format(at.columns), at.places)
        case ir.Measured(measures, names), Rows(rows):
            return Measured(tuple(_measured(measure, rows) for measure in measures), names)
        case ir.Item(0), Measured():
            return at
        case ir.ColumnAt(index), Measured(values):
            if not 0 <= index < len(values):
                raise Fails(str(index))
            return values[index]
        case ir.Truth(), Rows(rows):
            return bool(rows)
        case ir.Truth(), int() if not isinstance(at, bool):
            return at != 0
        case ir.Not(), bool():
            return not at
        case ir.Test(op, of), int() if not isinstance(at, bool):
            return {"==": at == of, "!=": at != of, "<": at < of, "<=": at <= of, ">": at > of, ">=": at >= of}[op]
    raise TypeError(f"{step} of {type(at).__name__}")


def _chosen(row: Row, columns: tuple[str, ...], variables: tuple[str, ...]) -> Row:
    cells = [*(row.cell(c) for c in columns), *(row.cell_by(v) for v in variables)]
    names = sorted({str(c.column) for c in cells})
    return replace(row, columns=tuple(names), ordered=len(names) < 2)


def _measured(measure: ir.Measure, rows: Sequence[Row]) -> Value:
    match measure:
        case ir.Counted(conditions):
            return sum(row.passes(conditions) for row in rows)
        case ir.Folded(text, conditions):
            return Folded(text, tuple(row.place for row in rows if row.passes(conditions)))
        case ir.Kinds(columns, conditions):
            return Folded(_KINDS.format(columns), tuple(row.place for row in rows if row.passes(conditions)))
        case ir.AsRow(measures, names):
            return Measured(tuple(_measured(m, rows) for m in measures), names)
    raise TypeError(f"{measure} is no measure")


def _assert_rows(at: Value, step: ir.Step) -> None:
    """TypeError unless ``at`` are rows."""
    if not isinstance(at, Rows):
        raise TypeError(f"{step} of {type(at).__name__}")


__all__ = [
    "Cell",
    "Different",
    "Fails",
    "Folded",
    "Many",
    "Measured",
    "Row",
    "Rows",
    "Truth",
    "Value",
    "evaluate",
    "table",
]
