"""The log of a Delta table: columns, types, rows and null counts of the files that its last version has.

Of ``_delta_log`` the commits are read from version 0 without a gap; if the first ones are gone, the last checkpoint, in
one file, in all of its parts or with files beside it, and the commits behind it (``checkpoint``). A table says nothing
that needs a reader with features that are not known here (``_FEATURES``), or of which a file has a deletion vector: its
rows are fewer. A file is its path and its vector, so that one and the same path comes and goes with another vector.
Statistics and partition values have the columns by their physical names where the table maps them. Law: a column of the
schema that is not nullable holds no NULL, for Delta checks that when it writes; else the ``stats`` of every file must
say how many.
Reference: ``PROTOCOL.md`` of delta-io/delta. Errors: ``Unclear``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from .bounds import Known, Part, between, of_text
from .checkpoint import SecondVersion, actions_of
from .listing import Budget, Unclear, inside
from .model import ColumnFacts, DataFacts
from .parquet import type_of_spark

LOG = "_delta_log"
MOST_COMMIT = 16_000_000
CUT_OFF = 32
"""Texts of so many characters may have been cut off, which writers have not always rounded up."""
_COMMIT = re.compile(r"(\d{20})\.json", re.ASCII)
_CHECKPOINT = re.compile(r"(\d{20})\.checkpoint(?:\.(\d{10})\.(\d{10}))?\.parquet", re.ASCII)
_LAST = "_last_checkpoint"
_FEATURES = frozenset({"columnMapping", "deletionVectors", "timestampNtz", "vacuumProtocolCheck", "v2Checkpoint"})
_V2 = re.compile(r"(\d{20})\.checkpoint\.[0-9a-fA-F-]{36}\.(json|parquet)", re.ASCII)
_PHYSICAL, _MODE = "delta.columnMapping.physicalName", "delta.columnMapping.mode"
_WRONG = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


def read_log(table: Path, root: Path, opened: Callable[[Path], BinaryIO], budget: Budget) -> tuple[Log, int]:
    """The log of the table at ``table``, and its last version."""
    state = Log()
    log = table / LOG
    checkpoint, commits, last = _versions(log, root, budget)
    taken, of_itself = 0, SecondVersion()
    try:
        for path in checkpoint:
            with opened(inside(path, root)) as stream:
                for action in _lines(stream, budget) if path.suffix == ".json" else actions_of(stream, budget):
                    if not of_itself.took(action):
                        state.take(action)
                    taken += 1
        second = of_itself.versions or of_itself.named or any(_V2.fullmatch(path.name) for path in checkpoint)
        if second:
            for action in of_itself.sidecars(log, commits.start - 1, root, opened, budget):
                state.take(action)
        if checkpoint:
            _compare(log / _LAST, commits.start - 1, None if second else taken, root, opened)
    except _WRONG:
        raise Unclear("the checkpoint of its log is not whole") from None
    for number in commits:
        path = log / f"{number:020}.json"
        try:
            with opened(inside(path, root)) as stream:
                for action in _lines(stream, budget):
                    state.take(action)
        except _WRONG:
            raise Unclear(f"`{path.name}` of its log is not whole") from None
    return state, last


def _lines(stream: BinaryIO, budget: Budget) -> Iterator[dict[str, Any]]:
    data = stream.read(MOST_COMMIT + 1)
    budget.spend(bytes=len(data), files=1)
    if len(data) > MOST_COMMIT:
        raise Unclear("a file of its log is too long")
    yield from (json.loads(line) for line in data.splitlines() if line.strip())


def _versions(log: Path, root: Path, budget: Budget) -> tuple[list[Path], range, int]:
    """The files of the checkpoint to begin with, none if there is none; the commits to be read then, and the last
    version."""
    commits, parts, second = set[int](), dict[tuple[int, int], dict[int, Path]](), dict[int, list[Path]]()
    for path in inside(log, root).iterdir():
        budget.spend(entries=1)
        if match := _COMMIT.fullmatch(path.name):
            commits.add(int(match[1]))
        elif match := _CHECKPOINT.fullmatch(path.name):
            of, number = int(match[3] or 1), int(match[2] or 1)
            parts.setdefault((int(match[1]), of), {})[number] = path
        elif match := _V2.fullmatch(path.name):
            second.setdefault(int(match[1]), []).append(path)
    checkpoints = {version: [min(paths)] for version, paths in second.items()}
    for (version, of), found in parts.items():
        if len(found) == of == max(found) and min(found) == 1:
            checkpoints[version] = [path for _, path in sorted(found.items())]
    last = max(commits | {version for version, _ in parts} | {*second}, default=-1)
    if last >= 0 and commits == set(range(last + 1)):
        return [], range(last + 1), last
    begin = max(checkpoints, default=None)
    if begin is None or not commits >= {*range(begin + 1, last + 1)}:
        raise Unclear("its log does not begin with version 0 or a whole checkpoint, or has a gap")
    return checkpoints[begin], range(begin + 1, last + 1), last


def _compare(path: Path, version: int, taken: int | None, root: Path, opened: Callable[[Path], BinaryIO]) -> None:
    """``Unclear`` if the note on the last checkpoint tells of a later one, or of another number of actions than
    ``taken``; of version 2 writers do not count them alike."""
    if not path.exists():
        return
    with opened(inside(path, root)) as stream:
        said = json.loads(stream.read(100_000))
    if said["version"] > version or (said["version"] == version and taken is not None and said["size"] != taken):
        raise Unclear("the checkpoint of its log is not the one that its log tells of")


class Log:
    """What the actions of a log, taken in one after the other, come to: ``files`` by path and deletion vector, and the
    last schema."""

    def __init__(self) -> None:
        self.files: dict[tuple[str, str], dict[str, Any]] = {}
        self.schema: list[dict[str, Any]] | None = None
        self.partitions: tuple[str, ...] = ()
        self.mapped = False
        self.protocol = False

    def take(self, action: dict[str, Any]) -> None:
        """Take in one line of a commit."""
        if (protocol := action.get("protocol")) is not None:
            self.protocol = True
            _understood(protocol)
        if (meta := action.get("metaData")) is not None:
            self.schema = json.loads(meta["schemaString"])["fields"]
            self.partitions = tuple(meta["partitionColumns"])
            mode = (meta.get("configuration") or {}).get(_MODE, "none")
            if mode not in ("none", "name", "id"):
                raise Unclear("it maps columns in a way that is not known")
            self.mapped = mode != "none"
        if (removed := action.get("remove")) is not None:
            self.files.pop((removed["path"], _vector(removed)), None)
        if (added := action.get("add")) is not None:
            self.files[added["path"], _vector(added)] = added

    def facts(self, place: str, source: str) -> DataFacts:
        """What is known of the table; ``Unclear`` if its parts are not those of one."""
        if self.schema is None:
            raise Unclear("its log has no schema")
        try:
            found = self._facts(self.schema, place, source)
        except _WRONG:
            raise Unclear("its schema or its statistics are not those of a Delta table") from None
        if not self.protocol:
            raise Unclear("its log does not say which reader it needs")
        if any(vector for _, vector in self.files):
            raise Unclear("rows are deleted in its files by deletion vectors")
        return found

    def _facts(self, schema: list[dict[str, Any]], place: str, source: str) -> DataFacts:
        fields = [(str(f["name"]), type_of_spark(f), f["nullable"] is not False) for f in schema]
        files = [(f["partitionValues"], json.loads(f["stats"]) if f.get("stats") else {}) for f in self.files.values()]
        stored = [(_stored(f, self.mapped), str(f["name"])) for f in schema]
        known = [
            {name: self._known(name, own, ddl, *file) for (own, name), (_, ddl, _) in zip(stored, fields, strict=True)}
            for file in files
        ]
        columns = tuple(
            ColumnFacts(name, ddl, _sum([k[name].nulls for k in known]) if nullable else 0)
            for name, ddl, nullable in fields
        )
        counts = [_count(stats.get("numRecords")) for _, stats in files]
        rows = _sum(counts)
        parts = () if rows is None else tuple(Part(n or 0, k) for n, k in zip(counts, known, strict=True))
        return DataFacts(place, "delta", columns, self.partitions, rows, source, parts=parts)

    def _known(self, name: str, stored: str, ddl: str, values: dict[str, Any], stats: dict[str, Any]) -> Known:
        """What is known of a column in one file; of a partition column it is the value, of which "" is NULL."""
        if name in self.partitions:
            value, rows = values.get(stored), _count(stats.get("numRecords"))
            return Known(0, of_text(ddl, value)) if value else Known(rows)
        low, high = (stats.get(which, {}).get(stored) for which in ("minValues", "maxValues"))
        whole = not isinstance(high, str) or len(high) < CUT_OFF
        nulls = None if stats.get("tightBounds") is False else _count(stats.get("nullCount", {}).get(stored))
        return Known(nulls, between(ddl, low, high) if whole else None)


def _understood(protocol: dict[str, Any]) -> None:
    """``Unclear`` for a table that needs a reader which knows more than is known here."""
    version, features = protocol["minReaderVersion"], protocol.get("readerFeatures")
    unknown = sorted({*(features or ())} - _FEATURES)
    if unknown:
        raise Unclear(f"it needs a newer reader of Delta's protocol: one that knows {', '.join(unknown)}")
    if version not in (1, 2, 3) or (version == 3) != (features is not None):
        raise Unclear("it needs a newer reader of Delta's protocol")


def _vector(file: dict[str, Any]) -> str:
    """What tells the deletion vector of a file from others; empty if it has none."""
    said = file.get("deletionVector")
    return "" if said is None else f"{said['storageType']}{said['pathOrInlineDv']}@{said.get('offset')}"


def _stored(field: dict[str, Any], mapped: bool) -> str:
    """The name of a column in statistics and partition values."""
    return str(field["metadata"][_PHYSICAL] if mapped else field["name"])


def _count(said: object) -> int | None:
    return said if isinstance(said, int) and not isinstance(said, bool) and said >= 0 else None


def _sum(counts: list[int | None]) -> int | None:
    return None if None in counts else sum(n or 0 for n in counts)
