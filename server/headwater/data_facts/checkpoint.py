"""The actions in the checkpoint of a Delta log: what all commits up to its version come to.

Those in Parquet files are read, whole or in parts, by pyarrow where it is installed. One of version 2, which may be
text like a commit, names files of Parquet beside it (``sidecars``), and the version that it is of. Reference:
``PROTOCOL.md`` of delta-io/delta. Errors: ``Unclear``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from .listing import Budget, Unclear, inside

MOST_BYTES, MOST_UNPACKED, MOST_ACTIONS, BATCH = 16_000_000, 64_000_000, 100_000, 500
_READ = (
    "protocol.minReaderVersion", "protocol.readerFeatures", "metaData.schemaString", "metaData.partitionColumns",
    "metaData.configuration", "add.path",
    "add.partitionValues", "add.stats", "add.deletionVector", "sidecar.path", "sidecar.sizeInBytes",
    "checkpointMetadata.version",
)  # fmt: skip
"""Columns, of which a writer may leave out some."""


def actions_of(stream: BinaryIO, budget: Budget) -> Iterator[dict[str, Any]]:
    """Each action, as a line of a commit has it."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise Unclear("its log begins with a checkpoint, which is read where pyarrow is installed") from None
    size = stream.seek(0, 2)
    budget.spend(bytes=size, files=1)
    stream.seek(0)
    try:
        file = parquet.ParquetFile(stream)
        groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        unpacked = sum(group.total_byte_size for group in groups)
        if size > MOST_BYTES or unpacked > MOST_UNPACKED or file.metadata.num_rows > MOST_ACTIONS:
            raise Unclear("the checkpoint of its log is too long")
        for batch in file.iter_batches(batch_size=BATCH, columns=list(_READ)):
            budget.spend()
            yield from map(_action, batch.to_pylist())
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, TypeError, AttributeError, NotImplementedError):
        raise Unclear("the checkpoint of its log is not whole") from None


def _action(row: dict[str, Any]) -> dict[str, Any]:
    added, meta = row.get("add"), row.get("metaData")
    return {
        **row,
        "add": added and {**added, "partitionValues": dict(added["partitionValues"])},
        "metaData": meta and {**meta, "configuration": dict(meta.get("configuration") or ())},
    }


_SIDECAR = re.compile(r"[\w-][\w.-]*\.parquet", re.ASCII)


class SecondVersion:
    """What the actions of a checkpoint say of itself: the version that it is of, and the files beside it."""

    def __init__(self) -> None:
        self.versions: list[int] = []
        self.named: list[tuple[str, int]] = []

    def took(self, action: dict[str, Any]) -> bool:
        """Whether ``action`` is about the checkpoint, and not about the table."""
        meta, sidecar = action.get("checkpointMetadata"), action.get("sidecar")
        if meta is not None:
            self.versions.append(meta["version"])
        if sidecar is not None:
            self.named.append((sidecar["path"], sidecar["sizeInBytes"]))
        return meta is not None or sidecar is not None

    def sidecars(
        self, log: Path, version: int, root: Path, opened: Callable[[Path], BinaryIO], budget: Budget
    ) -> Iterator[dict[str, Any]]:
        """The actions in the files beside it, each of the size that it has by the checkpoint."""
        if self.versions != [version]:
            raise Unclear("the checkpoint of its log does not say that it is of its version")
        for name, size in self.named:
            if _SIDECAR.fullmatch(name) is None:
                raise Unclear("the checkpoint of its log names files that are elsewhere")
            with opened(inside(log / "_sidecars" / name, root)) as stream:
                if stream.seek(0, 2) != size:
                    raise Unclear(f"`{name}` beside the checkpoint of its log is not whole")
                yield from actions_of(stream, budget)
