"""``manifest.json`` and ``catalog.json``, which dbt writes to ``target/``.

The types of a catalog are those of the database that the manifest names, so that it is read beside its manifest, and
only where that database is Spark. A manifest alone has the columns that somebody has written down; they are all, and
of the types that are written, where its contract is enforced. Its ``not_null`` is enforced for tables of Delta alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .model import Column, NotAnExport, Table, count_of

_OF_SPARK = frozenset({"spark", "databricks"})
Node = Mapping[str, Any]


def tables(manifest: Node, catalog: Node | None) -> Iterator[Table]:
    """The tables of a project: of its catalog, and of the contracts of its manifest."""
    adapter = _map(manifest, "metadata").get("adapter_type")
    if adapter not in _OF_SPARK:
        raise NotAnExport(f"its tables are those of {adapter or 'a database that is not named'}, and not of Spark")
    described = {**_map(catalog or {}, "nodes"), **_map(catalog or {}, "sources")}
    for key, node in sorted({**_map(manifest, "nodes"), **_map(manifest, "sources")}.items()):
        if not isinstance(node, dict):
            continue
        stated = {str(n).lower(): c for n, c in _map(node, "columns").items() if isinstance(c, dict)}
        enforced = _map(_map(node, "config"), "contract").get("enforced") is True
        form = _map(node, "config").get("file_format") or ("delta" if adapter == "databricks" else None)
        required = {n for n, c in stated.items() if enforced and form == "delta" and _refuses_null(c)}
        if isinstance(found := described.get(key), dict):
            yield _of_catalog(found, required)
        elif enforced and stated and all(isinstance(c.get("data_type"), str) for c in stated.values()):
            columns = (Column(str(c.get("name") or n), c["data_type"], n in required) for n, c in stated.items())
            yield Table(_name(node, str(node.get("alias") or node.get("identifier") or node.get("name"))), (*columns,))


def _of_catalog(found: Node, required: set[str]) -> Table:
    columns = [c for c in _map(found, "columns").values() if isinstance(c, dict)]
    ordered = sorted(columns, key=lambda c: count_of(c.get("index")) or 0)
    metadata, stats = _map(found, "metadata"), _map(found, "stats")
    return Table(
        _name(metadata, str(metadata.get("name") or "")),
        tuple(Column(n := str(c.get("name")), str(c.get("type")), n.lower() in required) for c in ordered),
        rows=count_of(_map(stats, "rows").get("value")),
    )


def _refuses_null(column: Node) -> bool:
    constraints = column.get("constraints") or []
    return any(isinstance(c, dict) and c.get("type") == "not_null" for c in constraints)


def _name(node: Node, name: str) -> tuple[str, ...]:
    return (str(node.get("database") or ""), str(node.get("schema") or ""), name)


def _map(node: Node, key: str) -> Node:
    found = node.get(key)
    return found if isinstance(found, dict) else {}
