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

from .listing import Budget, Unclear, inside
from .model import ColumnFacts
from .parquet import type_of_spark

LOG = "_delta_log"
MOST_COMMIT = 16_000_000
_COMMIT = re.compile(r"(\d{20})\.json")


def read_log(
    table: Path, root: Path, opened: Callable[[Path], BinaryIO], budget: Budget
) -> tuple[tuple[ColumnFacts, ...], tuple[str, ...], int | None, int, int]:
    """Columns, partition columns, rows, number of files and version of the table at ``table``."""
    state = _Log()
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
    try:
        columns, rows = state.columns()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise Unclear("its schema or its statistics are not those of a Delta table") from None
    return columns, state.partitions, rows, len(state.files), len(commits) - 1


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


class _Log:
    def __init__(self) -> None:
        self.files: dict[str, dict[str, Any]] = {}
        self.schema: list[dict[str, Any]] | None = None
        self.partitions: tuple[str, ...] = ()

    def take(self, action: dict[str, Any]) -> None:
        """Take in one line of a commit."""
        if (protocol := action.get("protocol")) is not None:
            if protocol["minReaderVersion"] != 1:
                raise Unclear("it needs a newer reader than version 1 of Delta's protocol")
        if (meta := action.get("metaData")) is not None:
            self.schema = json.loads(meta["schemaString"])["fields"]
            self.partitions = tuple(meta["partitionColumns"])
        if (removed := action.get("remove")) is not None:
            self.files.pop(removed["path"], None)
        if (added := action.get("add")) is not None:
            self.files[added["path"]] = added

    def columns(self) -> tuple[tuple[ColumnFacts, ...], int | None]:
        """The columns, and how many rows all files have together."""
        if self.schema is None:
            raise Unclear("its log has no schema")
        stats = [json.loads(f["stats"]) if f.get("stats") else {} for f in self.files.values()]
        rows = _sum([s.get("numRecords") for s in stats])
        found = []
        for field in self.schema:
            name = str(field["name"])
            if name in self.partitions:
                nulls: int | None = sum(not f["partitionValues"].get(name) for f in self.files.values())  # "" is NULL
            else:
                nulls = _sum([s.get("nullCount", {}).get(name) for s in stats])
            found.append(ColumnFacts(name, type_of_spark(field), 0 if field["nullable"] is False else nulls))
        return tuple(found), rows


def _sum(numbers: list[object]) -> int | None:
    counts = [n for n in numbers if isinstance(n, int) and not isinstance(n, bool) and n >= 0]
    return sum(counts) if len(counts) == len(numbers) else None
