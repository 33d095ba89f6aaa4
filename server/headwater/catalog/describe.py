"""What ``DESCRIBE TABLE EXTENDED`` of Spark gives: as JSON (Spark 4.0), or its rows, each as an object.

Source: Spark 4.3, measured (``tests/catalog``). The JSON calls a CHAR column a ``string``, of which comparisons mean
something else, so that columns of text have no type there; the rows name it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .model import UNKNOWN, Column, NotAnExport, Table, count_of

_TYPES = frozenset(
    "boolean tinyint smallint int bigint float double date timestamp_ltz timestamp_ntz binary void".split()
)
_PARTITIONS, _DETAILS = "# Partition Information", "# Detailed Table Information"


def of_json(described: Mapping[str, Any]) -> Table:
    """The table of a ``DESCRIBE TABLE EXTENDED … AS JSON``."""
    name, columns, space = described.get("table_name"), described.get("columns"), described.get("namespace")
    if not isinstance(name, str) or not isinstance(columns, list) or not isinstance(space, list):
        raise NotAnExport("table_name, namespace or columns are missing")
    statistics = described.get("statistics")
    partitions = described.get("partition_columns") or []
    return Table(
        (str(described.get("catalog_name") or ""), *map(str, space), name),
        tuple(_column(c) for c in columns),
        tuple(map(str, partitions)),
        count_of(statistics.get("num_rows")) if isinstance(statistics, dict) else None,
    )


def _column(described: object) -> Column:
    found = described if isinstance(described, dict) else {}
    type_ = found.get("type")
    if not isinstance(found.get("name"), str) or not isinstance(type_, dict):
        raise NotAnExport("a column has no name or no type")
    return Column(found["name"], _type(type_), found.get("nullable") is False)


def _type(described: Mapping[str, Any]) -> str:
    name = described.get("name")
    if name == "decimal" and {int} == {type(described.get(k)) for k in ("precision", "scale")}:
        return f"decimal({described['precision']},{described['scale']})"
    element = described.get("element_type")
    if name == "array" and isinstance(element, dict) and (inner := _type(element)) != UNKNOWN:
        return f"array<{inner}>"
    return name if isinstance(name, str) and name in _TYPES else UNKNOWN


def of_rows(rows: Sequence[Mapping[str, Any]]) -> Table:
    """The table of the rows (``col_name``, ``data_type``, ``comment``) of a ``DESCRIBE TABLE EXTENDED``."""
    pairs = [(str(r.get("col_name") or ""), str(r.get("data_type") or "")) for r in rows]
    heads = [i for i, (name, type_) in enumerate(pairs) if name.startswith("#") and not type_]
    sections = {pairs[i][0]: pairs[i + 1 : end] for i, end in zip(heads, [*heads[1:], len(pairs)], strict=False)}
    details = dict(reversed([p for p in sections.get(_DETAILS, []) if p[0]]))
    name = tuple(details.get(k, "") for k in ("Catalog", "Database", "Table"))
    if not name[-1]:
        raise NotAnExport("the rows of DESCRIBE do not name the table; use DESCRIBE TABLE EXTENDED")
    columns = [(n, t) for n, t in pairs[: heads[0] if heads else len(pairs)] if n]
    parts = [n for n, _ in sections.get(_PARTITIONS, []) if n and not n.startswith("#")]
    rows_counted = re.search(r"(\d+) rows", details.get("Statistics", ""))
    return Table(
        name,
        tuple(Column(n, t) for n, t in columns),
        tuple(parts),
        count_of(rows_counted.group(1)) if rows_counted else None,
    )
