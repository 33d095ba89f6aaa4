"""Issue 22: tables as other programs write them: a Delta log with a checkpoint (``deltalake`` 1.6.6), the metadata of
an Iceberg table (``pyiceberg`` 0.12.0, under the name that a read by path looks for); and the same, broken."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headwater.data_facts.bounds import Bounds, Known
from headwater.data_facts.model import DataFacts
from headwater.engine.analysis.options import Options
from headwater.engine.files.data import why_no_data, with_data

from .test_findings import HEAD, TOP, found

TABLES = Path(__file__).parent / "tables"
CHECKPOINT, LAST = "00000000000000000002.checkpoint.parquet", "_last_checkpoint"


def copied(root: Path, name: str, place: str = "data/t") -> Path:
    shutil.copytree(TABLES / name, root / place)
    return root / place


def looked(root: Path, form: str, place: str = "data/t") -> tuple[DataFacts | None, str]:
    text = f'{HEAD}spark.read.format("{form}").load("{place}").show()\n'
    options = Options(data_root=str(root))
    found, lines = with_data(text, options).data, why_no_data(text, options)
    return (found[0] if found else None), "".join(lines)


def test_a_checkpoint_and_the_commits_behind_it(tmp_path: Path) -> None:
    copied(tmp_path, "delta")
    known, why = looked(tmp_path, "delta")
    assert known is not None, why
    assert (known.form, known.rows, known.partitions) == ("delta", 32, ("year",))
    assert known.source == "version 4 of the Delta table `data/t` (4 files)"
    assert {c.name: (c.ddl, c.nulls) for c in known.columns} == {
        "id": ("bigint", 0), "team": ("string", 0), "score": ("double", 3), "day": ("date", 0), "year": ("int", 0),
    }  # fmt: skip
    by_year = {p.columns["year"].bounds.low: p for p in known.parts if p.columns["year"].bounds is not None}
    assert {year: part.rows for year, part in by_year.items()} == {2022: 10, 2023: 10, 2024: 10, 2025: 2}
    assert by_year[2025].columns["id"] == Known(0, Bounds(103, 104))


def in_parts(log: Path, of: int) -> list[Path]:
    """The checkpoint, cut into so many files, as Spark writes great ones."""
    table = pq.read_table(log / CHECKPOINT)
    (log / CHECKPOINT).unlink()
    size = -(-table.num_rows // of)
    paths = [log / f"{2:020}.checkpoint.{i:010}.{of:010}.parquet" for i in range(1, of + 1)]
    for i, path in enumerate(paths):
        pq.write_table(table.slice(i * size, size), path)
    return paths


@pytest.mark.parametrize("of", [1, 2, 3])
def test_a_checkpoint_in_parts(tmp_path: Path, of: int) -> None:
    whole, _ = looked(tmp_path, "delta", copied(tmp_path, "delta", "data/whole").relative_to(tmp_path).as_posix())
    in_parts(copied(tmp_path, "delta") / "_delta_log", of)
    known, why = looked(tmp_path, "delta")
    assert known is not None, why
    assert whole is not None
    assert (known.rows, known.columns, known.parts) == (whole.rows, whole.columns, whole.parts)


@pytest.mark.parametrize("bad", ["gone", "number", "great", "twice"])
def test_a_checkpoint_that_lacks_a_part_says_nothing(tmp_path: Path, bad: str) -> None:
    log = copied(tmp_path, "delta") / "_delta_log"
    paths = in_parts(log, 2)
    match bad:
        case "gone":
            paths[0].unlink()
        case "number":
            paths[0].rename(log / f"{2:020}.checkpoint.{0:010}.{2:010}.parquet")
        case "great":
            paths[1].rename(log / f"{2:020}.checkpoint.{9_999_999_999}.{9_999_999_999}.parquet")
        case "twice":
            shutil.copy(paths[0], paths[1])
    known, said = looked(tmp_path, "delta")
    assert known is None
    assert "whole checkpoint" in said or "not the one that its log tells of" in said


def test_commits_from_the_first_on_need_no_checkpoint(tmp_path: Path) -> None:
    log = copied(tmp_path, "delta") / "_delta_log"
    for number, path in enumerate(sorted(log.glob("*.json"))):
        path.rename(log / f"{number:020}.json")
    (log / f"{0:020}.json").write_text(
        json.dumps({"protocol": {"minReaderVersion": 1}})
        + "\n"
        + json.dumps({"metaData": {"schemaString": json.dumps({"fields": []}), "partitionColumns": []}})
    )
    (log / CHECKPOINT).rename(log / f"{1:020}.checkpoint.parquet")
    known, why = looked(tmp_path, "delta")
    assert known is not None, why
    assert known.columns == ()


def rewritten(log: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    table = pq.read_table(log / CHECKPOINT)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, table.schema), log / CHECKPOINT)


def with_vector(rows: list[dict[str, Any]]) -> None:
    file = next(r["add"] for r in rows if r["add"])
    file["deletionVector"] = {"storageType": "u", "pathOrInlineDv": "x", "sizeInBytes": 1, "cardinality": 3}


def with_reader(rows: list[dict[str, Any]]) -> None:
    next(r["protocol"] for r in rows if r["protocol"])["minReaderVersion"] = 3


def with_sidecar(rows: list[dict[str, Any]]) -> None:
    rows[-1]["sidecar"] = {"path": "x", "sizeInBytes": 1, "modificationTime": 1}


def without(kind: str) -> Callable[[list[dict[str, Any]]], object]:
    def change(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row[kind] = None

    return change


def test_what_a_checkpoint_says_of_features_and_names_is_read(tmp_path: Path) -> None:
    """A struct of the protocol and a map of the metadata, which a writer may leave out."""
    log = copied(tmp_path, "delta") / "_delta_log"
    table = pq.read_table(log / CHECKPOINT)
    for configuration, wanted in (({"delta.columnMapping.mode": "uuid"}, False), ({"a": "b"}, True), (None, True)):
        rows = table.to_pylist()
        next(r["metaData"] for r in rows if r["metaData"])["configuration"] = [*(configuration or {}).items()]
        pq.write_table(pa.Table.from_pylist(rows, table.schema), log / CHECKPOINT)
        known, why = looked(tmp_path, "delta")
        assert (known is not None) == wanted, why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (with_vector, "deletion vectors"),
        (with_reader, "newer reader"),
        (with_sidecar, "does not say that it is of its version"),
        (without("protocol"), "which reader it needs"),
        (without("metaData"), "no schema"),
        (lambda rows: rows.pop(), "not the one that its log tells of"),
    ],
)
def test_a_checkpoint_that_is_not_understood_says_nothing(
    tmp_path: Path, change: Callable[[list[dict[str, Any]]], object], why: str
) -> None:
    log = copied(tmp_path, "delta") / "_delta_log"
    rewritten(log, change)
    known, said = looked(tmp_path, "delta")
    assert known is None
    assert why in said


@pytest.mark.parametrize("bad", ["cut", "text", "gap", "parts", "v2", "later", "no size", "outside"])
def test_a_log_with_a_checkpoint_that_is_not_whole_says_nothing(tmp_path: Path, bad: str) -> None:
    log = copied(tmp_path / "work", "delta") / "_delta_log"
    checkpoint = log / CHECKPOINT
    match bad:
        case "cut":
            checkpoint.write_bytes(checkpoint.read_bytes()[:-9])
        case "text":
            checkpoint.write_text("PAR1")
        case "gap":
            (log / f"{3:020}.json").unlink()
        case "parts":
            checkpoint.rename(log / f"{2:020}.checkpoint.0000000001.0000000002.parquet")
        case "v2":
            checkpoint.rename(log / f"{2:020}.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.parquet")
        case "later":
            (log / LAST).write_text('{"version": 9, "size": 5}')
        case "no size":
            (log / LAST).write_text("{")
        case "outside":
            checkpoint.rename(tmp_path / "elsewhere")
            checkpoint.symlink_to(tmp_path / "elsewhere")
    known, said = looked(tmp_path / "work", "delta")
    assert known is None
    assert said.startswith("nothing is taken from `data/t`")


def test_bytes_of_a_checkpoint_changed_at_random_are_read_or_refused(tmp_path: Path) -> None:
    checkpoint = copied(tmp_path, "delta") / "_delta_log" / CHECKPOINT
    data = checkpoint.read_bytes()
    for offset in range(4, len(data), 397):
        broken = bytearray(data)
        broken[offset] ^= 0xFF
        checkpoint.write_bytes(bytes(broken))
        known, said = looked(tmp_path, "delta")
        assert (known is None) == bool(said)


def test_a_checkpoint_is_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from headwater.data_facts import checkpoint

    copied(tmp_path, "delta")
    for limit in ("MOST_BYTES", "MOST_UNPACKED", "MOST_ACTIONS"):
        with monkeypatch.context() as patched:
            patched.setattr(checkpoint, limit, 2)
            assert "too long" in looked(tmp_path, "delta")[1]


def test_without_pyarrow_a_checkpoint_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    import time

    from headwater.data_facts.checkpoint import actions_of
    from headwater.data_facts.listing import Budget, Unclear

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Unclear, match="where pyarrow is installed"):
        list(actions_of(io.BytesIO(b""), Budget(time.monotonic, 9, 9)))


def test_the_metadata_of_an_iceberg_table(tmp_path: Path) -> None:
    copied(tmp_path, "iceberg")
    known, why = looked(tmp_path, "iceberg")
    assert known is not None, why
    assert (known.form, known.rows, known.partitions) == ("iceberg", 20, ("year",))
    assert known.source == "version 3 of the Iceberg table `data/t`"
    assert {c.name: (c.ddl, c.nulls) for c in known.columns} == {
        "id": ("bigint", 0), "team": ("string", None), "ts": ("timestamp", None), "year": ("int", None),
    }  # fmt: skip


def edited(folder: Path, version: int, **changes: Any) -> None:
    table = json.loads((TABLES / "iceberg/metadata/v3.metadata.json").read_text())
    (folder / f"v{version}.metadata.json").write_text(json.dumps(table | changes))


def test_the_version_is_the_one_that_a_read_of_the_path_finds(tmp_path: Path) -> None:
    folder = copied(tmp_path, "iceberg") / "metadata"
    for number in (4, 5, 7, 10):
        edited(folder, number)

    def version() -> str:
        known, why = looked(tmp_path, "iceberg")
        return why if known is None else known.source.split()[1]

    assert version() == "10"
    for hint, wanted in (("3", "5"), ("7\n", "7"), ("not a number", "10")):
        (folder / "version-hint.text").write_text(hint)
        assert version() == wanted
    (folder / "version-hint.text").write_text("6")
    assert "not there" in version()


def test_rows_where_files_have_deletes_are_not_known(tmp_path: Path) -> None:
    folder = copied(tmp_path, "iceberg") / "metadata"
    table = json.loads((folder / "v3.metadata.json").read_text())
    good = table["snapshots"][-1]["summary"]
    for version, (changes, rows) in enumerate(
        [
            ({"total-delete-files": "1"}, None),
            ({"total-delete-files": None}, None),
            ({"total-records": "-5"}, None),
            ({"total-records": "12"}, 12),
        ],
        start=4,
    ):
        table["snapshots"][-1]["summary"] = good | changes
        (folder / f"v{version}.metadata.json").write_text(json.dumps(table))
        known, why = looked(tmp_path, "iceberg")
        assert known is not None, why
        assert known.rows == rows
    edited(folder, 8, **{"current-snapshot-id": None})
    assert (known := looked(tmp_path, "iceberg")[0]) is not None
    assert known.rows == 0


def test_partitions_are_columns_that_every_file_is_cut_by(tmp_path: Path) -> None:
    folder = copied(tmp_path, "iceberg") / "metadata"
    year = {"name": "year", "transform": "identity", "source-id": 4, "field-id": 1000}
    day = {"name": "ts_day", "transform": "day", "source-id": 3, "field-id": 1001}
    bucket = {"name": "id_bucket", "transform": "bucket[16]", "source-id": 1, "field-id": 1002}
    gone = year | {"transform": "void"}
    for version, (specs, wanted) in enumerate(
        [
            ([[year, day, bucket]], ("year",)),
            ([[day, bucket]], ()),
            ([[gone]], ()),
            ([[year], [year, day]], ()),
        ],
        start=4,
    ):
        edited(folder, version, **{"partition-specs": [{"spec-id": i, "fields": s} for i, s in enumerate(specs)]})
        known, why = looked(tmp_path, "iceberg")
        assert known is not None, why
        assert known.partitions == wanted


def test_metadata_of_version_1(tmp_path: Path) -> None:
    folder = copied(tmp_path, "iceberg") / "metadata"
    table = json.loads((folder / "v3.metadata.json").read_text()) | {"format-version": 1}
    table["schema"] = table.pop("schemas")[0]
    table["partition-spec"] = table.pop("partition-specs")[0]["fields"]
    (folder / "v4.metadata.json").write_text(json.dumps(table))
    known, why = looked(tmp_path, "iceberg")
    assert known is not None, why
    assert (len(known.columns), known.partitions, known.rows) == (4, ("year",), 20)


@pytest.mark.parametrize(
    "changes",
    [
        {"format-version": 3},
        {"format-version": "2"},
        {"current-schema-id": 7},
        {"schemas": [{}]},
        {"schemas": 3},
        {"current-snapshot-id": 5},
        {"snapshots": None},
        {"partition-specs": [{"fields": [{"transform": "identity", "source-id": 99}]}]},
        {"schemas": [{"schema-id": 0, "fields": [{"id": 1, "name": "a", "type": "long"}]}]},
    ],
)
def test_metadata_that_are_not_understood_say_nothing(tmp_path: Path, changes: dict[str, Any]) -> None:
    folder = copied(tmp_path, "iceberg") / "metadata"
    edited(folder, 4, **changes)
    known, said = looked(tmp_path, "iceberg")
    assert known is None
    assert said.startswith("nothing is taken")


@pytest.mark.parametrize("bad", ["cut", "packed", "uuid", "outside", "list"])
def test_broken_or_other_metadata_say_nothing(tmp_path: Path, bad: str) -> None:
    folder = copied(tmp_path / "work", "iceberg") / "metadata"
    file = folder / "v3.metadata.json"
    match bad:
        case "cut":
            file.write_text(file.read_text()[:-30])
        case "packed":
            file.rename(folder / "v3.gz.metadata.json")
            (folder / "version-hint.text").write_text("3")
        case "uuid":  # of a catalog: a read of the path does not find it
            file.rename(folder / "00002-71e45018-974b-428e-b90a-f81a866c240a.metadata.json")
        case "outside":
            file.rename(tmp_path / "v3")
            file.symlink_to(tmp_path / "v3")
        case "list":
            file.write_text("[]")
    known, said = looked(tmp_path / "work", "iceberg")
    assert known is None
    assert said.startswith("nothing is taken")


def test_a_name_without_a_slash_may_be_one_of_a_catalog(tmp_path: Path) -> None:
    copied(tmp_path, "iceberg", "db.t")
    assert looked(tmp_path, "iceberg", "db.t")[0] is None
    assert looked(tmp_path, "iceberg", "./db.t")[0] is not None


def test_a_required_column_is_the_fact_that_a_proof_lacks(tmp_path: Path) -> None:
    folder = copied(tmp_path, "iceberg") / "metadata"
    text = TOP.format(read='spark.read.format("iceberg").load("data/t")')
    fields = [{"id": 1, "name": "team", "type": "string", "required": False}]
    for version, required in ((4, False), (5, True)):
        score = {"id": 2, "name": "score", "type": "long", "required": required}
        edited(
            folder,
            version,
            schemas=[{"schema-id": 0, "fields": [*fields, score]}],
            **{"partition-specs": [{"fields": []}]},
        )
        assert found(text, tmp_path) == [("HW102" if required else "HW104", "assumed")]
