"""Pandas UDFs from series to series, over batches of all rows of a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from .column import ROWS, Column, Row, Schema, Typed
from .scalars import SparkError
from .transfer import pandas_value, series

BATCH = 3


def columnwise(function: Callable[..., Any], kind: str, columns: tuple[Column, ...], iterates: bool) -> Column:
    """``f(*columns)``; ``iterates``: over all batches in one call."""

    def resolve(schema: Schema) -> Typed:
        typed = [c.resolve(schema) for c in columns]

        def batches(rows: list[Row]) -> Iterator[tuple[Any, ...]]:
            for at in range(0, len(rows), BATCH):
                yield tuple(series([t.value(r) for r in rows[at : at + BATCH]], t.type) for t in typed)

        def computed(rows: list[Row]) -> dict[int, Any]:
            if iterates:
                results = list(function(b[0] if len(b) == 1 else b for b in batches(rows)))
            else:
                results = [function(*b) for b in batches(rows)]
            found = [pandas_value(v, kind) for r in results for v in pd.Series(r).tolist()]
            if len(found) != len(rows):
                raise SparkError("another number of rows")
            return dict(zip(map(id, rows), found, strict=True))

        def value(row: Row) -> Any:
            known = row[ROWS].computed
            if id(typed) not in known:
                known[id(typed)] = computed(row[ROWS])
            return known[id(typed)][id(row)]

        return Typed(kind, value)

    return Column(resolve)
