"""The manifests of an Iceberg table that pyiceberg 0.12.0 wrote (a delete, a column added, an int made a long), and of
tables written here by a small writer of Avro, broken and whole."""

from __future__ import annotations

import datetime as dt
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headwater.data_facts import avro, manifests
from headwater.data_facts.avro import read_records
from headwater.data_facts.bounds import Bounds, Known
from headwater.data_facts.listing import Budget, Unclear
from headwater.data_facts.thrift import Malformed

from .test_findings import TOP, found
from .test_tables import copied, looked

HERE = "file:///tmp/warehouse/db/files/metadata/"
BUDGET = Budget(lambda: 0.0, 60, 10**9)
"""Its clock stands still: tests run long after this module is imported."""


def moved(said: object, root: Path) -> Path | None:
    assert isinstance(said, str)
    assert said.startswith(HERE)
    return root / "data/t/metadata" / said.removeprefix(HERE)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(manifests, "_local", moved)
    return copied(tmp_path, "iceberg_files")


def test_the_files_of_a_table_that_pyiceberg_wrote(table: Path, tmp_path: Path) -> None:
    known, why = looked(tmp_path, "iceberg")
    assert known is not None, why
    assert (known.rows, known.partitions) == (18, ("year",))
    assert {c.name: (c.ddl, c.nulls) for c in known.columns} == {
        "id": ("bigint", 0), "team": ("string", 0), "score": ("double", 0), "day": ("date", 0), "n": ("bigint", 0),
        "year": ("int", 0), "late": ("bigint", None),
    }  # fmt: skip
    by_rows = {part.rows: part.columns for part in known.parts}
    assert sorted(by_rows) == [4, 6, 8]
    assert by_rows[8]["id"] == Known(0, Bounds(2, 9))
    assert by_rows[8]["year"] == Known(0, Bounds(2023, 2023))
    assert by_rows[8]["day"] == Known(0, Bounds(dt.date(2023, 1, 5), dt.date(2023, 1, 12)))
    assert by_rows[4]["n"] == Known(0, Bounds(-1, 2))  # of four bytes, when it was an int
    assert by_rows[6]["n"] == Known(0, Bounds(-1, 4))
    assert by_rows[4]["late"] == Known(None, None)
    assert by_rows[6]["late"] == Known(0, Bounds(7, 7))
    assert by_rows[4]["team"].bounds == Bounds("a team of a long", "a team of a lonh")


@pytest.mark.parametrize("bad", ["gone", "cut", "byte", "rows", "files", "more than one"])
def test_a_table_whose_manifests_are_not_whole_says_nothing(table: Path, tmp_path: Path, bad: str) -> None:
    folder = table / "metadata"
    (listed,) = folder.glob("snap-*.avro")
    manifest = next(p for p in folder.glob("*-m0.avro"))
    match bad:
        case "gone":
            manifest.unlink()
        case "cut":
            manifest.write_bytes(manifest.read_bytes()[:-20])
        case "byte":
            data = bytearray(manifest.read_bytes())
            data[-30] ^= 0xFF
            manifest.write_bytes(bytes(data))
        case "rows":
            file = folder / "v5.metadata.json"
            file.write_text(file.read_text().replace('"total-records":"18"', '"total-records":"17"'))
        case "files":
            other = next(p for p in folder.glob("*-m1.avro"))
            manifest.write_bytes(other.read_bytes())
        case "more than one":
            listed.write_bytes(listed.read_bytes() + b"\2\2\2")
    known, why = looked(tmp_path, "iceberg")
    assert known is None
    assert why.startswith("nothing is taken from `data/t`")


def test_any_byte_of_a_manifest_list_changed_is_refused_or_read(table: Path, tmp_path: Path) -> None:
    (listed,) = (table / "metadata").glob("snap-*.avro")
    data = listed.read_bytes()
    for at in range(0, len(data), 97):
        broken = bytearray(data)
        broken[at] ^= 0xFF
        listed.write_bytes(bytes(broken))
        known, said = looked(tmp_path, "iceberg")
        assert (known is None) == bool(said)


def test_manifests_elsewhere_are_not_opened(tmp_path: Path) -> None:
    copied(tmp_path, "iceberg_files")
    known, why = looked(tmp_path, "iceberg")
    assert known is not None, why
    assert known.rows == 18
    assert [p.columns for p in known.parts] == [{"id": Known(0)}]
    inside = tmp_path / "a.avro"
    inside.touch()
    root = tmp_path.resolve()
    for said, wanted in (
        (f"file://{root}/a.avro", root / "a.avro"),
        (f"file:{root}/a.avro", root / "a.avro"),
        (f"{root}/a.avro", root / "a.avro"),
        ("file:///etc/passwd", None),
        (f"{root}/../../../etc/passwd", None),
        (f"{root}/a%20b", None),
        ("s3://bucket/a.avro", None),
        ("file://host/a.avro", None),
        ("a.avro", None),
        (None, None),
    ):
        assert manifests._local(said, root) == wanted, said


# --- tables that are written here ---


def long(n: int) -> bytes:
    n = (n << 1) ^ (n >> 63)
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes([*out, n])


def text(data: bytes | str) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return long(len(data)) + data


def pairs(entries: dict[int, Any], value: Callable[[Any], bytes]) -> bytes:
    return long(len(entries)) + b"".join(long(k) + value(v) for k, v in entries.items()) + long(0) if entries else b"\0"


def file_of(schema: object, blocks: list[tuple[int, bytes]], codec: str = "null", **header: str) -> bytes:
    entries = {"avro.schema": json.dumps(schema), "avro.codec": codec} | {
        k.replace("_", "-"): v for k, v in header.items()
    }
    head = long(len(entries)) + b"".join(text(k) + text(v) for k, v in entries.items()) + long(0)
    sync = b"s" * 16
    packed = []
    for count, data in blocks:
        if codec == "deflate":
            packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
            data = packer.compress(data) + packer.flush()
        packed.append(long(count) + text(data) + sync)
    return b"Obj\1" + head + sync + b"".join(packed)


def record(*fields: tuple[str, int, object]) -> dict[str, object]:
    return {"type": "record", "name": "r", "fields": [{"name": n, "field-id": i, "type": t} for n, i, t in fields]}


LISTED = record(
    ("manifest_path", 500, "string"), ("manifest_length", 501, "long"), ("content", 517, "int"),
    ("added_files_count", 504, "int"), ("existing_files_count", 505, "int"),
)  # fmt: skip


def counted(name: str, number: int, of: str) -> tuple[str, int, object]:
    pair = {
        "type": "record",
        "name": name[:3],
        "fields": [{"name": "key", "type": "int"}, {"name": "value", "type": of}],
    }
    return name, number, {"type": "array", "logicalType": "map", "items": pair}


ENTRY = record(
    ("status", 0, "int"),
    (
        "data_file", 2, record(
            ("content", 134, "int"), ("partition", 102, record(("team", 1000, ["null", "string"]))),
            ("record_count", 103, "long"), counted("nulls", 110, "long"), counted("lows", 125, "bytes"),
            counted("highs", 128, "bytes"),
        ),
    ),
)  # fmt: skip
SPEC = '[{"source-id": 1, "field-id": 1000, "transform": "identity", "name": "team"}]'
Entry = dict[str, Any]


def entry(e: Entry) -> bytes:
    team = e.get("team", "a")
    return b"".join(
        [
            long(e.get("status", 1)),
            long(e.get("content", 0)),
            long(0) if team is None else long(1) + text(team),
            long(e.get("rows", 10)),
            pairs(e.get("nulls", {2: 0}), long),
            pairs({k: v[0] for k, v in e.get("bounds", {}).items()}, text),
            pairs({k: v[1] for k, v in e.get("bounds", {}).items()}, text),
        ]
    )


def build(root: Path, entries: list[Entry], content: int = 0, total: int | None = None, kind: str = "long") -> None:
    folder = root / "data/t/metadata"
    folder.mkdir(parents=True, exist_ok=True)
    live = [e for e in entries if e.get("status", 1) != 2]
    data = file_of(ENTRY, [(len(entries), b"".join(map(entry, entries)))], partition_spec=SPEC)
    (folder / "m.avro").write_bytes(data)
    row = text(f"file://{folder}/m.avro") + long(len(data)) + long(content) + long(len(live)) + long(0)
    (folder / "snap.avro").write_bytes(file_of(LISTED, [(1, row)], codec="deflate"))
    fields = [
        {"id": 1, "name": "team", "type": "string", "required": False},
        {"id": 2, "name": "score", "type": kind, "required": False},
    ]
    rows = sum(e.get("rows", 10) for e in live) if total is None else total
    table = {
        "format-version": 2,
        "schemas": [{"schema-id": 0, "fields": fields}],
        "current-schema-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": json.loads(SPEC)}],
        "current-snapshot-id": 1,
        "snapshots": [
            {
                "snapshot-id": 1,
                "manifest-list": f"file://{folder}/snap.avro",
                "summary": {"total-records": str(rows), "total-delete-files": "0"},
            }
        ],
    }
    (folder / "v1.metadata.json").write_text(json.dumps(table))


def scores(root: Path) -> list[Known]:
    known, why = looked(root, "iceberg")
    assert known is not None, why
    return [part.columns["score"] for part in known.parts]


def test_what_is_deleted_is_not_counted_and_partitions_are_values(tmp_path: Path) -> None:
    build(tmp_path, [{"rows": 4}, {"status": 2, "rows": 9}, {"status": 1, "rows": 3, "team": None}])
    known, why = looked(tmp_path, "iceberg")
    assert known is not None, why
    assert [(p.rows, p.columns["team"]) for p in known.parts] == [(4, Known(0, Bounds("a", "a"))), (3, Known(3))]
    assert {c.name: c.nulls for c in known.columns} == {"team": 3, "score": 0}


@pytest.mark.parametrize(
    ("kind", "low", "high", "wanted"),
    [
        ("long", struct.pack("<q", -5), struct.pack("<q", 5), Bounds(-5, 5)),
        ("long", struct.pack("<i", -5), struct.pack("<q", 5), Bounds(-5, 5)),
        ("long", struct.pack("<q", 5), struct.pack("<q", -5), None),
        ("long", b"\1\2", struct.pack("<q", 5), None),
        ("int", struct.pack("<q", 1), struct.pack("<q", 5), None),
        ("double", struct.pack("<d", float("nan")), struct.pack("<d", 5), None),
        ("double", struct.pack("<d", 1), struct.pack("<d", float("nan")), None),
        ("double", struct.pack("<f", 1), struct.pack("<f", 2), Bounds(1.0, 2.0)),
        ("string", b"a", b"\xff", None),
        ("string", b"a", b"b", Bounds("a", "b")),
        ("date", struct.pack("<i", -700_000), struct.pack("<i", 5), None),
        ("decimal(9, 2)", b"\1", b"\2", None),
        ("timestamp", struct.pack("<q", 1), struct.pack("<q", 2), None),
    ],
)
def test_bounds_are_of_the_type_or_none(
    tmp_path: Path, kind: str, low: bytes, high: bytes, wanted: Bounds | None
) -> None:
    build(tmp_path, [{"bounds": {2: (low, high)}}], kind=kind)
    assert scores(tmp_path) == [Known(0, wanted)]


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({}, 7),
        ({"snapshot-id": 2}, None),
        ({"blob-metadata": []}, None),
        ({"blob-metadata": [{"fields": [2], "properties": {}}]}, None),
        ({"blob-metadata": [{"fields": [1, 2], "properties": {"ndv": "7"}}]}, None),
        ({"blob-metadata": [{"fields": [2], "properties": {"ndv": "0"}}]}, None),
        ({"blob-metadata": [{"fields": [9], "properties": {"ndv": "3"}}]}, None),
    ],
)
def test_different_values_are_those_that_the_sketches_of_the_snapshot_count(
    tmp_path: Path, changes: dict[str, Any], wanted: int | None
) -> None:
    build(tmp_path, [{}])
    file = tmp_path / "data/t/metadata/v1.metadata.json"
    blob = {"type": "apache-datasketches-theta-v1", "fields": [2], "properties": {"ndv": "7"}}
    said = {"snapshot-id": 1, "statistics-path": "s3://x", "blob-metadata": [blob]} | changes
    file.write_text(json.dumps(json.loads(file.read_text()) | {"statistics": [said]}))
    assert scores(tmp_path) == [Known(0, None, wanted)]


def test_a_column_that_is_not_counted_is_not_known(tmp_path: Path) -> None:
    build(tmp_path, [{}, {"nulls": {}}])
    assert scores(tmp_path) == [Known(0), Known(None)]


@pytest.mark.parametrize(
    ("entries", "total", "why"),
    [
        ([{"rows": -1}], 0, "kind"),
        ([{"status": 3}], None, "kind"),
        ([{"content": 1}], None, "kind"),
        ([{"nulls": {2: 11}}], None, "more NULL"),
        ([{"nulls": {2: -1}}], None, "more NULL"),
        ([{}], 11, "another number of rows"),
    ],
)
def test_manifests_that_contradict_themselves_say_nothing(
    tmp_path: Path, entries: list[Entry], total: int | None, why: str
) -> None:
    build(tmp_path, entries, total=5 if total == 0 else total)
    known, said = looked(tmp_path, "iceberg")
    assert known is None
    assert why in said


def test_manifests_of_deletes_and_too_many_say_nothing_of_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, [{}], content=1)
    known, _ = looked(tmp_path, "iceberg")
    assert known is not None
    assert [p.columns for p in known.parts] == [{}]
    build(tmp_path, [{}])
    assert scores(tmp_path) == [Known(0)]
    for limit in ("MOST_MANIFESTS", "MOST_TOGETHER"):
        with monkeypatch.context() as patched:
            patched.setattr(manifests, limit, 0)
            known, why = looked(tmp_path, "iceberg")
            assert known is not None, why
            assert (known.rows, [p.columns for p in known.parts]) == (10, [{}])


def test_null_counts_are_the_fact_that_a_proof_lacks(tmp_path: Path) -> None:
    program = TOP.format(read='spark.read.format("iceberg").load("data/t")')
    for nulls in (0, 1):
        build(tmp_path, [{"nulls": {2: nulls}}])
        assert found(program, tmp_path) == [("HW104" if nulls else "HW102", "assumed")]


def test_records_of_avro_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    ints = {"type": "record", "name": "a", "fields": [{"name": "x", "type": {"type": "array", "items": "int"}}]}
    assert read_records(file_of(ints, [(1, long(2) + b"\2\4" + b"\0")]), BUDGET)[1] == [{"x": [1, 2]}]
    assert read_records(file_of(ints, [(1, long(-2) + long(2) + b"\2\4" + b"\0")]), BUDGET)[1] == [{"x": [1, 2]}]
    itself = {"type": "record", "name": "a", "fields": [{"name": "x", "type": "a"}]}
    doubled: Any = "null"
    for depth in range(40):
        fields = [{"name": "x", "type": doubled}, {"name": "y", "type": f"r{depth - 1}" if depth else "null"}]
        doubled = {"type": "record", "name": f"r{depth}", "fields": fields}
    monkeypatch.setattr(avro, "MOST_VALUES", 10_000)
    many = file_of(ints, [(1, long(1_000_000_000) + b"\2")])
    for data in (
        many,
        file_of(ints, [(5, b"\0")]),
        file_of(ints, [(1, b"\0\0")]),
        file_of(itself, [(1, b"\0")]),
        file_of(doubled, [(1, b"\0")]),
        file_of("unheard of", [(1, b"\0")]),
        file_of(["null", "int"], [(1, b"\x08")]),
        file_of(ints, [(1, b"\0")])[:-1],
        file_of(ints, [(1, b"\0")])[:3],
        b"Obj\1\0",
        b"",
    ):
        with pytest.raises(Malformed):
            read_records(data, BUDGET)
    with pytest.raises(Unclear, match="bzip2"):
        read_records(file_of(ints, [], codec="bzip2"), BUDGET)
    monkeypatch.setattr(avro, "MOST_UNPACKED", 100)
    with pytest.raises(Malformed):
        read_records(file_of(ints, [(1, b"\0" * 5000)], codec="deflate"), BUDGET)
