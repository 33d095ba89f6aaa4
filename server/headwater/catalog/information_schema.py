"""Rows of ``information_schema.columns`` of Databricks, each as an object.

Source: Databricks SQL reference, ``INFORMATION_SCHEMA.COLUMNS``. The rows of other databases have no
``full_data_type``, and their types are not those that Spark gives a table. A list that was cut off in the middle of a
table shows nothing of that; one of which a part is missing does, by the numbers of its columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from .model import Column, NotAnExport, Table, count_of


def tables(rows: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """The tables of such rows, whatever their order. Raises ``NotAnExport`` for rows of another database."""
    found = [{str(k).lower(): v for k, v in row.items()} for row in rows]
    if any(not isinstance(r.get("full_data_type"), str) for r in found):
        raise NotAnExport("the rows have no full_data_type: their types are those of another database than Spark")
    keys = ("table_catalog", "table_schema", "table_name")
    for name, group in groupby(sorted(found, key=lambda r: _of(r, *keys)), key=lambda r: _of(r, *keys)):
        columns = sorted(group, key=lambda r: _place(r, "ordinal_position"))
        parts = sorted(
            (r for r in columns if r.get("partition_index") is not None), key=lambda r: _place(r, "partition_index")
        )
        places = [_place(r, "ordinal_position") for r in columns]
        whole = places == [*range(places[0], places[0] + len(places))] and places[0] in (0, 1)
        yield Table(
            name,
            tuple(Column(str(r.get("column_name") or ""), str(r["full_data_type"]), _is_required(r)) for r in columns),
            tuple(_of(r, "column_name")[0] for r in parts),
            problem="" if whole else "its columns are not numbered one by one: some are missing, or there twice",
        )


def _of(row: Mapping[str, Any], *keys: str) -> tuple[str, ...]:
    return tuple(str(row.get(key) or "") for key in keys)


def _is_required(row: Mapping[str, Any]) -> bool:
    return str(row.get("is_nullable")).upper() == "NO"


def _place(row: Mapping[str, Any], key: str) -> int:
    place = count_of(row.get(key))
    if place is None:
        raise NotAnExport(f"a row has no {key}")
    return place
