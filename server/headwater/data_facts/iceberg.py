"""The metadata of an Iceberg table that is read by its path: columns, partitions and files of its last version.

Of ``metadata/vN.metadata.json`` that one is read that a read of the path finds: the one that ``version-hint.text``
names, else the last one, and on from there as long as there is a next one. Of its snapshot the manifests are read
(``manifests``) if they lie in the workspace, and nothing is known of the values if not. Law: a required column holds no
NULL; the number of rows is the snapshot's ``total-records`` where nothing is deleted from files. Reference: the Iceberg
table spec, versions 1 and 2; ``HadoopTableOperations`` of Iceberg. Errors: ``Unclear``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from .bounds import Known, Part
from .listing import MOST_ENTRIES, Budget, Unclear, inside
from .manifests import parts_of
from .model import ColumnFacts, DataFacts

METADATA, HINT = "metadata", "version-hint.text"
MOST_METADATA = 8_000_000
_VERSION = re.compile(r"v([1-9]\d{0,8})\.metadata\.json", re.ASCII)
_PACKED = re.compile(r"v\d+(\.gz\.metadata\.json|\.metadata\.json\.gz)", re.ASCII)
_TYPES = {
    "boolean": "boolean", "int": "int", "long": "bigint", "float": "float", "double": "double", "date": "date",
    "string": "string", "timestamptz": "timestamp",
}  # fmt: skip
_WRONG = (ValueError, TypeError, KeyError, AttributeError, IndexError, StopIteration, RecursionError)


def is_iceberg(table: Path) -> bool:
    """Whether there is metadata of an Iceberg table."""
    folder = table / METADATA
    if not folder.is_dir():
        return False
    names = (p.name for p in islice(folder.iterdir(), MOST_ENTRIES))
    return (folder / HINT).exists() or any(_VERSION.fullmatch(name) for name in names)


def read_metadata(place: str, root: Path, opened: Callable[[Path], BinaryIO], budget: Budget) -> DataFacts:
    """What is known of the table at ``place``."""
    if "/" not in place:
        raise Unclear("a catalog may have an Iceberg table of that name")
    folder = root / place / METADATA
    version = _version(folder, root, opened, budget)
    data = _read(folder / f"v{version}.metadata.json", root, opened, budget)
    try:
        table = json.loads(data)
        parts = _parts(table, root, opened, budget)
        return _facts(table, parts, place, f"version {version} of the Iceberg table `{place}`")
    except _WRONG:
        raise Unclear(f"`v{version}.metadata.json` is not that of an Iceberg table") from None


def _version(folder: Path, root: Path, opened: Callable[[Path], BinaryIO], budget: Budget) -> int:
    found = set()
    for path in inside(folder, root).iterdir():
        budget.spend(entries=1)
        if _PACKED.fullmatch(path.name):
            raise Unclear("its metadata are compressed")
        if match := _VERSION.fullmatch(path.name):
            found.add(int(match[1]))
    if not found:
        raise Unclear("it has no version that a read of its path finds")
    if not (folder / HINT).exists():
        return max(found)
    said = _read(folder / HINT, root, opened, budget).strip()
    version = int(said) if said.isdigit() and len(said) < 10 else max(found)
    if version not in found:
        raise Unclear("the version that its hint names is not there")
    while version + 1 in found:
        version += 1
    return version


def _read(path: Path, root: Path, opened: Callable[[Path], BinaryIO], budget: Budget) -> bytes:
    with opened(inside(path, root)) as stream:
        data = stream.read(MOST_METADATA + 1)
    budget.spend(bytes=len(data), files=1)
    if len(data) > MOST_METADATA:
        raise Unclear("its metadata are too long")
    return data


def _parts(
    table: dict[str, Any], root: Path, opened: Callable[[Path], BinaryIO], budget: Budget
) -> tuple[Part, ...] | None:
    """The files of the last snapshot; None if they are not known, or rows are deleted from them."""
    rows = _rows(table)
    if not rows or table["format-version"] not in (1, 2):
        return None
    columns = {f["id"]: (str(f["name"]), _type(f["type"])) for f in _schema(table)["fields"]}
    parts = parts_of(_snapshot(table).get("manifest-list"), columns, root, opened, budget)
    if parts is not None and sum(part.rows for part in parts) != rows:
        raise Unclear("its manifests have another number of rows than its snapshot says")
    different = _distinct(table)
    named = {columns[number][0]: n for number, n in different.items() if number in columns}
    return parts and tuple(
        replace(part, columns={name: replace(k, distinct=named.get(name)) for name, k in part.columns.items()})
        for part in parts
    )


def _distinct(table: dict[str, Any]) -> dict[int, int]:
    """How many different values a column has, by its number, as the sketches of the last snapshot are said to say."""
    found = dict[int, int]()
    for file in table.get("statistics") or ():
        if file["snapshot-id"] == table["current-snapshot-id"]:
            for blob in file["blob-metadata"]:
                said = (blob.get("properties") or {}).get("ndv", "")
                if len(blob["fields"]) == 1 and re.fullmatch(r"[1-9]\d{0,17}", said, re.ASCII):
                    found[blob["fields"][0]] = int(said)
    return found


def _schema(table: dict[str, Any]) -> dict[str, Any]:
    if "schemas" in table:
        found: dict[str, Any] = next(s for s in table["schemas"] if s["schema-id"] == table["current-schema-id"])
        return found
    of_version_1: dict[str, Any] = table["schema"]
    return of_version_1


def _facts(table: dict[str, Any], files: tuple[Part, ...] | None, place: str, source: str) -> DataFacts:
    if table["format-version"] not in (1, 2):
        raise Unclear("it has another format than versions 1 and 2 of Iceberg")
    fields = [(str(f["name"]), f["type"], f["required"] is True, f["id"]) for f in _schema(table)["fields"]]
    nulls = {name: 0 if required else _nulls(name, files) for name, _, required, _ in fields}
    columns = tuple(ColumnFacts(name, _type(said), nulls[name]) for name, said, _, _ in fields)
    rows = _rows(table)
    known = {c.name: Known(c.nulls) for c in columns if c.nulls == 0}
    parts = files if files is not None else () if rows is None else (Part(rows, known),)
    names = {number: name for name, _, _, number in fields}
    return DataFacts(place, "iceberg", columns, _partitions(table, names), rows, source, parts=parts)


def _nulls(name: str, files: tuple[Part, ...] | None) -> int | None:
    counts = [None] if files is None else [part.columns[name].nulls for part in files]
    return None if None in counts else sum(n or 0 for n in counts)


def _type(said: object) -> str:
    if not isinstance(said, str):
        return "unknown"
    return "decimal" if said.startswith("decimal(") else _TYPES.get(said, "unknown")


def _partitions(table: dict[str, Any], names: dict[int, str]) -> tuple[str, ...]:
    """The columns that are partitions by themselves in every file; none if files may have been written by two specs."""
    specs = table.get("partition-specs") or [{"fields": table.get("partition-spec") or []}]
    if len(specs) != 1:
        return ()
    return tuple(names[f["source-id"]] for f in specs[0]["fields"] if f["transform"] == "identity")


def _snapshot(table: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(s for s in table["snapshots"] if s["snapshot-id"] == table["current-snapshot-id"])
    return found


def _rows(table: dict[str, Any]) -> int | None:
    if table.get("current-snapshot-id") in (None, -1):
        return 0
    summary = _snapshot(table).get("summary") or {}
    if table["format-version"] > 1 and summary.get("total-delete-files") != "0":
        return None
    said = summary.get("total-records", "")
    return int(said) if re.fullmatch(r"\d{1,18}", said, re.ASCII) else None
