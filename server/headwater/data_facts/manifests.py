"""The data files of a snapshot of an Iceberg table, as its manifests say: rows, null counts, and bounds of columns.

Law: live are the entries of status 0 and 1. A partition value of an identity transform is that of the column, for the
spec that the manifest has in its own header; a column that the counts do not name (it came later, or is not counted)
says nothing. Least and greatest are of the type that the column had then: an int that is a long now has four bytes.
Nothing is taken of a snapshot with delete files: its rows are fewer. Reference: the Iceberg table spec, sections
"Manifests", "Manifest Lists" and appendix D. Errors: ``Unclear``.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from .avro import read_records
from .bounds import Bounds, Known, Part, between
from .listing import Budget, Unclear, inside
from .thrift import Malformed

MOST_MANIFESTS, MOST_MANIFEST, MOST_TOGETHER = 200, 8_000_000, 16_000_000
_STATUS, _FILE, _ROWS, _PARTITION, _NULLS, _LOWS, _HIGHS = 0, 2, 103, 102, 110, 125, 128
_PATH, _LENGTH, _CONTENT, _ADDED, _EXISTING = 500, 501, 517, 504, 505
_CONTENT_OF_FILE = 134
_WRONG = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError)
_UNPACKED = {
    ("int", 4): "<i", ("bigint", 4): "<i", ("bigint", 8): "<q", ("date", 4): "<i", ("float", 4): "<f",
    ("double", 4): "<f", ("double", 8): "<d",
}  # fmt: skip
Columns = Mapping[int, tuple[str, str]]
"""Of a field's number, the name and the type of the column."""


def parts_of(
    listed: object, columns: Columns, root: Path, opened: Callable[[Path], BinaryIO], budget: Budget
) -> tuple[Part, ...] | None:
    """The data files below the manifest list at ``listed``; None if that is not said, or lies elsewhere."""
    path = _local(listed, root)
    if path is None:
        return None
    _, entries = _read(path, opened, budget)
    try:
        if any(e.get(_CONTENT, 0) != 0 for e in entries) or len(entries) > MOST_MANIFESTS:
            return None
        paths = [_local(e[_PATH], root) for e in entries]
        if None in paths or sum(e[_LENGTH] for e in entries) > MOST_TOGETHER:
            return None
        found = list[Part]()
        for manifest, entry in zip(paths, entries, strict=True):
            live = list(_live(manifest, columns, opened, budget)) if manifest is not None else []
            said = [entry.get(_ADDED), entry.get(_EXISTING)]
            if None not in said and sum(said) != len(live):
                raise Unclear("a manifest has another number of files than its snapshot says")
            found += live
        return tuple(found)
    except _WRONG:
        raise Unclear("its manifests are not those of an Iceberg table") from None


def _live(path: Path, columns: Columns, opened: Callable[[Path], BinaryIO], budget: Budget) -> Iterator[Part]:
    header, entries = _read(path, opened, budget)
    spec = json.loads(header.get("partition-spec", b"[]"))
    values = {f["field-id"]: f["source-id"] for f in spec if f["transform"] == "identity" and "field-id" in f}
    for entry in entries:
        if entry[_STATUS] == 2:
            continue
        file = entry[_FILE]
        rows = file[_ROWS]
        if entry[_STATUS] not in (0, 1) or file.get(_CONTENT_OF_FILE, 0) != 0 or rows < 0:
            raise Unclear("a manifest has entries of a kind that is not known")
        parted = {source: file[_PARTITION][number] for number, source in values.items()}
        yield Part(rows, {name: _known(n, ddl, file, parted, rows) for n, (name, ddl) in columns.items()})


def _known(number: int, ddl: str, file: dict[int, Any], parted: Mapping[int, Any], rows: int) -> Known:
    if number in parted:
        value = parted[number]
        return Known(rows) if value is None else Known(0, between(ddl, value, value))
    nulls = (file.get(_NULLS) or {}).get(number)
    if nulls is not None and not 0 <= nulls <= rows:
        raise Unclear("a manifest counts more NULL than there are rows")
    ends = [(file.get(which) or {}).get(number) for which in (_LOWS, _HIGHS)]
    return Known(nulls, _bounds(ddl, *ends))


def _bounds(ddl: str, low: bytes | None, high: bytes | None) -> Bounds | None:
    return None if low is None or high is None else between(ddl, _decoded(ddl, low), _decoded(ddl, high))


def _decoded(ddl: str, data: bytes) -> object:
    if ddl == "string":
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return None
    form = _UNPACKED.get((ddl, len(data)))
    return None if form is None else struct.unpack(form, data)[0]


def _local(said: object, root: Path) -> Path | None:
    """The file of the workspace that a location names; None if it is elsewhere, or does not say."""
    if not isinstance(said, str) or "%" in said:
        return None
    path = said.removeprefix("file://").removeprefix("file:")
    if not path.startswith("/") or path.startswith("//"):
        return None
    try:
        return inside(Path(path), root)
    except Unclear:
        return None


def _read(path: Path, opened: Callable[[Path], BinaryIO], budget: Budget) -> tuple[dict[str, bytes], list[Any]]:
    with opened(path) as stream:
        data = stream.read(MOST_MANIFEST + 1)
    budget.spend(bytes=len(data), files=1)
    if len(data) > MOST_MANIFEST:
        raise Unclear("a manifest of it is too long")
    try:
        return read_records(data, budget)
    except (Malformed, Unclear) as why:
        raise Unclear(f"`{path.name}`: {why}") from None
