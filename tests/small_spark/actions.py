"""What frames and RDDs hand to the driver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .transfer import pandas_frame

if TYPE_CHECKING:
    from .frame import DataFrame


def to_pandas(frame: DataFrame) -> Any:
    """``toPandas()``."""
    return pandas_frame(frame.rows(), frame.schema)


def is_empty(made: Any) -> bool:
    """``isEmpty()``."""
    return not made.rows()


def to_local_iterator(frame: DataFrame) -> Iterator[Any]:
    """``toLocalIterator()``."""
    return iter(frame.collect())


def take(made: Any, num: int) -> list[Any]:
    """``take(num)``, ``head(num)``."""
    rows: list[Any] = made.collect()
    return rows[:num]


def head(frame: DataFrame, num: int | None = None) -> Any:
    """``head()``, ``head(num)``."""
    return first(frame) if num is None else take(frame, num)


def first(frame: DataFrame) -> Any:
    """``first()``."""
    return next(iter(frame.collect()), None)
