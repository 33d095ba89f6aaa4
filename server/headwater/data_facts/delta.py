"""The log of a Delta table: columns, types, rows and null counts of the files that its last version has.

Only ``_delta_log/*.json`` is read, from version 0 without a gap; a table whose beginning is in a checkpoint says
nothing, nor one that needs a newer reader than version 1 (columns by other names, deletion vectors). Law: a column of
the schema that is not nullable holds no NULL, for Delta checks that when it writes; else the ``stats`` of every file
must say how many. Reference: ``PROTOCOL.md`` of delta-io/delta. Errors: ``Unclear``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from .bounds import Known, Part, between, of_text
from .listing import Budget, Unclear, inside
from .model import ColumnFacts, DataFacts
from .parquet import type_of_spark

LOG = "_delta_log"
MOST_COMMIT = 16_000_000
CUT_OFF = 32
"""Texts of so many characters may have been cut off, which writers have not always rounded up."""
_COMMIT = re.compile(r"(\d{20})\.json")


def read_log(table: Path, root: Path, opened: Callable[[Path], BinaryIO], budget: Budget) -> tuple[Log, int]:
    """The log of the table at ``table``, and its last version."""
    state = Log()
    commits = _commits(table / LOG, root, budget)
    for path in commits:
        with opened(inside(path, root)) as stream:
            data = stream.read(MOST_COMMIT + 1)
        budget.spend(bytes=len(data), files=1)
        if len(data) > MOST_COMMIT:
            raise Unclear("a file of its log is too long")
        try:
            for line in data.splitlines():
                if line.strip():
                    state.take(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise Unclear(f"`{path.name}` of its log is not whole") from None
    return state, len(commits) - 1


def _commits(log: Path, root: Path, budget: Budget) -> list[Path]:
    found = []
    for path in inside(log, root).iterdir():
        budget.spend(entries=1)
        if match := _COMMIT.fullmatch(path.name):
            found.append((int(match[1]), path))
    found.sort()
    if not found or [number for number, _ in found] != list(range(len(found))):
        raise Unclear("its log does not begin with version 0, or has a gap; checkpoints are not read")
    return [path for _, path in found]


class Log:
    """What the actions of a log, taken in one after the other, come to: ``files`` by path, and the last schema."""

    def __init__(self) -> None:
        self.files: dict[str, dict[str, Any]] = {}
        self.schema: list[dict[str, Any]] | None = None
        self.partitions: tuple[str, ...] = ()

    def take(self, action: dict[str, Any]) -> None:
        """Take in one line of a commit."""
        if (protocol := action.get("protocol")) is not None and protocol["minReaderVersion"] != 1:
            raise Unclear("it needs a newer reader than version 1 of Delta's protocol")
        if (meta := action.get("metaData")) is not None:
            self.schema = json.loads(meta["schemaString"])["fields"]
            self.partitions = tuple(meta["partitionColumns"])
        if (removed := action.get("remove")) is not None:
            self.files.pop(removed["path"], None)
        if (added := action.get("add")) is not None:
            self.files[added["path"]] = added

    def facts(self, place: str, source: str) -> DataFacts:
        """What is known of the table; ``Unclear`` if its parts are not those of one."""
        if self.schema is None:
            raise Unclear("its log has no schema")
        try:
            return self._facts(self.schema, place, source)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise Unclear("its schema or its statistics are not those of a Delta table") from None

    def _facts(self, schema: list[dict[str, Any]], place: str, source: str) -> DataFacts:
        fields = [(str(f["name"]), type_of_spark(f), f["nullable"] is not False) for f in schema]
        files = [(f["partitionValues"], json.loads(f["stats"]) if f.get("stats") else {}) for f in self.files.values()]
        known = [{name: self._known(name, ddl, values, stats) for name, ddl, _ in fields} for values, stats in files]
        columns = tuple(
            ColumnFacts(name, ddl, _sum([k[name].nulls for k in known]) if nullable else 0)
            for name, ddl, nullable in fields
        )
        counts = [_count(stats.get("numRecords")) for _, stats in files]
        rows = _sum(counts)
        parts = () if rows is None else tuple(Part(n or 0, k) for n, k in zip(counts, known, strict=True))
        return DataFacts(place, "delta", columns, self.partitions, rows, source, parts=parts)

    def _known(self, name: str, ddl: str, values: dict[str, Any], stats: dict[str, Any]) -> Known:
        """What is known of a column in one file; of a partition column it is the value, of which "" is NULL."""
        if name in self.partitions:
            value, rows = values.get(name), _count(stats.get("numRecords"))
            return Known(0, of_text(ddl, value)) if value else Known(rows)
        low, high = (stats.get(which, {}).get(name) for which in ("minValues", "maxValues"))
        whole = not isinstance(high, str) or len(high) < CUT_OFF
        return Known(_count(stats.get("nullCount", {}).get(name)), between(ddl, low, high) if whole else None)


def _count(said: object) -> int | None:
    return said if isinstance(said, int) and not isinstance(said, bool) and said >= 0 else None


def _sum(counts: list[int | None]) -> int | None:
    return None if None in counts else sum(n or 0 for n in counts)
