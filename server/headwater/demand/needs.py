"""What a reading demands: how many rows from the front, and which columns.

One law for each step. Limit and projection pushdown are two readings of the same list: a step that keeps some rows
bounds how many are needed, a step that takes a value of a column names it, and a reading that ends before such a step
needs everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from headwater_ir import demand as ir
from headwater_ir.expr import CompareOp
from headwater_ir.plan import Filter, Opaque

_UP_TO: dict[CompareOp, int] = {"==": 1, "!=": 1, "<=": 1, ">": 1, "<": 0, ">=": 0}
"""How many rows more than the number it is compared with decide a comparison of a size."""


class Names(NamedTuple):
    """Columns of these names, and those whose names ``variables`` hold."""

    columns: tuple[str, ...]
    variables: tuple[str, ...] = ()


def rows_needed(reading: ir.Reading) -> int | None:
    """How many rows from the front decide what ``reading`` gives; None for all of them."""
    skipped = 0
    for number, step in enumerate(reading):
        match step:
            case ir.Limited(count):
                return skipped + count
            case ir.Item(index):
                return skipped + index + 1
            case ir.Skipped(start):
                skipped += start
            case ir.Empty() | ir.Truth():
                return skipped + 1
            case ir.Size():
                following = reading[number + 1] if number + 1 < len(reading) else None
                if isinstance(following, ir.Test):
                    return max(skipped + following.of + _UP_TO[following.op], 0)
                return skipped + 1 if isinstance(following, ir.Truth) else None
            case ir.Selected() | ir.SelectedBy() | ir.Column() | ir.ColumnBy():
                continue
            case _:
                return None
    return None


def most_rows(readers: Iterable[ir.Reader]) -> int | None:
    """How many rows from the front all ``readers`` need together; None for all of them, or if there is no reader."""
    found = [rows_needed(r.reading) for r in readers]
    if not found or None in found:
        return None
    return max(n for n in found if n is not None)


def names_needed(reading: ir.Reading) -> Names | None:
    """The columns that decide what ``reading`` gives, by their names and by the variables that hold these; None for all
    of them."""
    for step in reading:
        match step:
            case ir.ColumnBy(variable):
                return Names((), (variable,))
            case ir.SelectedBy(columns, variables):
                return Names(columns, variables)
            case ir.Column(name):
                return Names((name,))
            case ir.Selected(columns):
                return Names(columns)
            case ir.Size() | ir.Empty() | ir.Truth():
                return Names(())
            case ir.ColumnAt():
                return None
    return None


def columns_needed(reading: ir.Reading) -> tuple[str, ...] | None:
    """The columns that decide what ``reading`` gives; None for all of them, and where a variable names one."""
    found = names_needed(reading)
    return None if found is None or found.variables else found.columns


def all_names(readers: Iterable[ir.Reader]) -> Names | None:
    """The columns that all ``readers`` need together, in the order of their reading; None for all of them."""
    columns, variables = dict[str, None](), dict[str, None]()
    for reader in readers:
        found = names_needed(reader.reading)
        if found is None:
            return None
        columns.update(dict.fromkeys(found.columns))
        variables.update(dict.fromkeys(found.variables))
    return Names(tuple(columns), tuple(variables))


def all_columns(readers: Iterable[ir.Reader]) -> tuple[str, ...] | None:
    """As ``all_names``; None also where a variable names one."""
    found = all_names(readers)
    return None if found is None or found.variables else found.columns


def asks_for_any(reading: ir.Reading) -> bool:
    """Whether ``reading`` gives a flag that tells an empty frame from one with a row, and nothing else."""
    return any(isinstance(s, (ir.Empty, ir.Truth, ir.Test)) for s in reading) and rows_needed(reading) == 1


def flag_of(reading: ir.Reading, size: int) -> bool:
    """The flag that ``reading``, which asks for any row, gives of a frame of ``size`` rows."""
    value: int | bool = size
    for step in reading:
        match step:
            case ir.Empty():
                value = value == 0
            case ir.Truth():
                value = value != 0
            case ir.Not():
                value = not value
            case ir.Test(op, of):
                value = {
                    "==": value == of, "!=": value != of, "<": value < of,
                    "<=": value <= of, ">": value > of, ">=": value >= of,
                }[op]  # fmt: skip
    return bool(value)


def looks_for_none(wall: ir.Wall) -> bool:
    """Whether ``wall`` is a check that there are no rows, for which all of them are looked for when it holds. What is
    noted to be true when a filter keeps no row is a check."""
    filtered = isinstance(wall.plan, Filter) or (isinstance(wall.plan, Opaque) and "filter" in wall.plan.causes)
    for reader in wall.readers:
        flags = [flag_of((*wall.steps, *reader.reading), size) for size in (0, 1)]
        holds = reader.role == "assert" or (reader.role == "noted" and filtered)
        if (holds and flags[0]) or (reader.role == "raise" and flags[1]):
            return True
    return False
