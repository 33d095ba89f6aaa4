"""The actions in the checkpoint of a Delta log: what all commits up to its version come to.

Only checkpoints in Parquet files are read, whole or in parts, by pyarrow where it is installed, and none
that refers to files beside it. Reference: ``PROTOCOL.md`` of delta-io/delta. Errors: ``Unclear``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from .listing import Budget, Unclear

MOST_BYTES, MOST_UNPACKED, MOST_ACTIONS, BATCH = 16_000_000, 64_000_000, 100_000, 500
_READ = (
    "protocol.minReaderVersion", "protocol.readerFeatures", "metaData.schemaString", "metaData.partitionColumns",
    "metaData.configuration", "add.path",
    "add.partitionValues", "add.stats", "add.deletionVector", "sidecar.path",
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
    if row.get("sidecar") is not None:
        raise Unclear("the checkpoint of its log has files beside it, which are not read")
    added, meta = row.get("add"), row.get("metaData")
    return {
        **row,
        "add": added and {**added, "partitionValues": dict(added["partitionValues"])},
        "metaData": meta and {**meta, "configuration": dict(meta.get("configuration") or ())},
    }
