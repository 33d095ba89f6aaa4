"""Window functions, row by row: each finds its partition among all rows of the frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .column import GROUP, ROWS, Column, Row, Schema, Typed, as_column, col
from .order import arranged, keys, place
from .scalars import SparkError, is_nan

PARTITION, HERE, ENDS = "\0partition", "\0here", "\0ends"
"""Where a ranking finds the rows of its partition in their order, its own place, and the keys of that order."""


@dataclass(frozen=True)
class WindowSpec:
    """``Window.partitionBy(…).orderBy(…)``; ``frame`` as ``rowsBetween`` takes it."""

    partition: tuple[Column, ...] = ()
    order: tuple[Column, ...] = ()
    frame: tuple[int, int] | None = None

    def partitionBy(self, *columns: Any) -> WindowSpec:
        return replace(self, partition=tuple(map(_column, columns)))

    def orderBy(self, *columns: Any) -> WindowSpec:
        return replace(self, order=tuple(map(_column, columns)))

    def rowsBetween(self, start: int, end: int) -> WindowSpec:
        return replace(self, frame=(start, end))


class Window:
    """What ``pyspark.sql.Window`` offers."""

    partitionBy = staticmethod(WindowSpec().partitionBy)
    orderBy = staticmethod(WindowSpec().orderBy)
    unboundedPreceding, unboundedFollowing, currentRow = -(2**31), 2**31, 0


def _column(value: Any) -> Column:
    return col(value) if isinstance(value, str) else as_column(value)


def over(function: Column, window: WindowSpec) -> Column:
    """``function.over(window)``."""

    def resolve(schema: Schema) -> Typed:
        inner, by = function.resolve(schema), keys(window.order, schema)
        parts = [c.resolve(schema) for c in window.partition]

        def value(row: Row) -> Any:
            mine = _values(parts, row)
            rows = arranged([r for r in row[ROWS] if _values(parts, r) == mine], by)
            here = next(i for i, r in enumerate(rows) if r is row)
            ends = [place(r, by) for r in rows]
            frame = rows[_start(window, here) : _end(window, here, ends)]
            return inner.value({**row, GROUP: frame, PARTITION: rows, HERE: here, ENDS: ends})

        return Typed(inner.type, value)

    return Column(resolve)


def _values(parts: Sequence[Typed], row: Row) -> tuple[Any, ...]:
    values = (t.value(row) for t in parts)
    return tuple("nan" if is_nan(v) else v for v in values)


def _start(window: WindowSpec, here: int) -> int:
    return max(0, here + window.frame[0]) if window.frame else 0


def _end(window: WindowSpec, here: int, ends: list[Any]) -> int:
    if window.frame:
        return max(0, here + window.frame[1] + 1)
    return max(i for i, end in enumerate(ends) if end == ends[here]) + 1 if window.order else len(ends)


def _ranking(result: Callable[[int, list[Any]], int]) -> Column:
    def value(row: Row) -> int:
        if HERE not in row:
            raise SparkError("a ranking without a window")
        return result(row[HERE], row[ENDS])

    return Column(lambda _: Typed("int", value))


def row_number() -> Column:
    return _ranking(lambda here, _: here + 1)


def rank() -> Column:
    return _ranking(lambda here, ends: ends.index(ends[here]) + 1)


def dense_rank() -> Column:
    return _ranking(lambda here, ends: len(dict.fromkeys(ends[: here + 1])))


def lag(value: Any, offset: int = 1) -> Column:
    """The value so many rows before, or NULL."""
    shown = _column(value)

    def resolve(schema: Schema) -> Typed:
        typed = shown.resolve(schema)

        def found(row: Row) -> Any:
            at = row[HERE] - offset
            return typed.value(row[PARTITION][at]) if 0 <= at < len(row[PARTITION]) else None

        return Typed(typed.type, found)

    return Column(resolve)


def lead(value: Any, offset: int = 1) -> Column:
    return lag(value, -offset)
