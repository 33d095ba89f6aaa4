"""Issue 22: what the log of a Delta table says, as ``PROTOCOL.md`` has it, and of broken logs nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headwater.data_facts.bounds import Bounds, Known
from headwater.data_facts.model import DataFacts
from headwater.engine.analysis.options import Options
from headwater.engine.files.data import why_no_data, with_data

from .test_findings import TOP, found

TEXT = TOP.format(read='spark.read.format("delta").load("data/scores")')
FIELDS = [
    {"name": "team", "type": "string", "nullable": True, "metadata": {}},
    {"name": "score", "type": "long", "nullable": True, "metadata": {}},
    {"name": "key", "type": "integer", "nullable": False, "metadata": {}},
    {"name": "code", "type": "string", "nullable": True, "metadata": {"__CHAR_VARCHAR_TYPE_STRING": "char(3)"}},
    {"name": "inner", "type": {"type": "struct", "fields": []}, "nullable": True, "metadata": {}},
    {"name": "year", "type": "integer", "nullable": True, "metadata": {}},
]
START: list[dict[str, Any]] = [
    {"commitInfo": {}},
    {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}},
    {
        "metaData": {
            "id": "x",
            "schemaString": json.dumps({"type": "struct", "fields": FIELDS}),
            "partitionColumns": ["year"],
        }
    },
]


def add(path: str, rows: int = 50_000, nulls: int = 0, year: str | None = "2024", stats: bool = True) -> dict[str, Any]:
    said = {"numRecords": rows, "nullCount": {"team": 0, "score": nulls, "inner": {}}}
    file = {"path": path, "partitionValues": {"year": year}, "size": 1, "dataChange": True}
    return {"add": file | ({"stats": json.dumps(said)} if stats else {})}


def write(root: Path, *commits: list[dict[str, Any]]) -> Path:
    log = root / "data/scores/_delta_log"
    log.mkdir(parents=True)
    for i, actions in enumerate(commits):
        (log / f"{i:020}.json").write_text("\n".join(map(json.dumps, actions)) + "\n")
    return log


def facts(root: Path) -> DataFacts | None:
    data = with_data(TEXT, Options(data_root=str(root))).data
    return data[0] if data else None


def test_the_last_version_counts(tmp_path: Path) -> None:
    first = [*START, add("a"), add("b", nulls=3)]
    write(tmp_path, first, [{"remove": {"path": "b"}}, add("c", rows=10, year=None)], [{"txn": {}}])
    known = facts(tmp_path)
    assert known is not None
    assert (known.form, known.rows, known.partitions) == ("delta", 50_010, ("year",))
    assert known.source == "version 2 of the Delta table `data/scores` (2 files)"
    assert {c.name: (c.ddl, c.nulls) for c in known.columns} == {
        "team": ("string", 0), "score": ("bigint", 0), "key": ("int", 0), "code": ("unknown", None),
        "inner": ("unknown", None), "year": ("int", 10),
    }  # fmt: skip
    assert found(TEXT, tmp_path) == [("HW102", "assumed")]


@pytest.mark.parametrize("value", [None, ""])
def test_a_partition_value_of_no_text_is_null(tmp_path: Path, value: str | None) -> None:
    write(tmp_path, [*START, add("a"), add("b", year=value)])
    known = facts(tmp_path)
    assert known is not None
    assert [c.nulls for c in known.columns if c.name == "year"] == [50_000]


def test_a_file_without_statistics_says_nothing_of_nulls(tmp_path: Path) -> None:
    write(tmp_path, [*START, add("a"), add("b", stats=False)])
    known = facts(tmp_path)
    assert known is not None
    assert known.rows is None
    assert not any(map(known.not_null, known.columns))
    assert found(TEXT, tmp_path) != [("HW102", "assumed")]


def test_another_form_of_read_has_no_facts(tmp_path: Path) -> None:
    write(tmp_path, [*START, add("a")])
    assert found(TEXT.replace('format("delta")', 'format("parquet")'), tmp_path) == [("HW104", "assumed")]
    assert found(TEXT.replace(".load", '.option("versionAsOf", 0).load'), tmp_path) == [("HW104", "assumed")]


@pytest.mark.parametrize(
    ("commits", "why"),
    [
        ([[*START, add("a")], []], None),
        ([START[:2]], "no schema"),
        ([[{"protocol": {"minReaderVersion": 3}}, *START, add("a")]], "newer reader"),
        ([[*START, {"add": {}}]], "not whole"),
        ([[*START, add("a") | {"remove": 3}]], "not whole"),
        ([[{"metaData": {"schemaString": "{", "partitionColumns": []}}]], "not whole"),
        ([[{"metaData": {"schemaString": json.dumps({"fields": [3]}), "partitionColumns": []}}]], "not those"),
    ],
)
def test_a_log_that_is_wrong_says_nothing(tmp_path: Path, commits: list[list[dict[str, Any]]], why: str | None) -> None:
    write(tmp_path, *commits)
    said = why_no_data(TEXT, Options(data_root=str(tmp_path)))
    assert (facts(tmp_path) is None) == (why is not None)
    assert len(said) == (why is not None)
    assert why is None or why in said[0]


def test_a_gap_a_checkpoint_or_half_a_line_says_nothing(tmp_path: Path) -> None:
    log = write(tmp_path, [*START, add("a")], [add("b")], [add("c")])
    last = log / f"{2:020}.json"
    last.write_text(last.read_text()[:-10])
    assert facts(tmp_path) is None
    last.unlink()
    assert facts(tmp_path) is not None
    (log / f"{0:020}.json").rename(log / f"{5:020}.json")
    assert facts(tmp_path) is None


def test_what_the_program_may_write_has_no_facts(tmp_path: Path) -> None:
    write(tmp_path, [*START, add("a")])
    assert found(TEXT + 'out.write.format("delta").save("data/others")\n', tmp_path) == [("HW102", "assumed")]
    for more in (
        'df.write.mode("append").format("delta").save("data/scores")\n',
        'PLACE = "data/scores"\ndf.write.format("delta").save(PLACE)\n',
    ):
        assert [c for c, _ in found(TEXT + more, tmp_path)] == ["HW104"]
    named = TEXT.replace('load("data/scores")', "load(PLACE)").replace("df =", 'PLACE = "data/scores"\ndf =')
    assert found(named, tmp_path) == [("HW102", "assumed")]
    assert [c for c, _ in found(named + 'df.write.format("delta").save(PLACE)\n', tmp_path)] == ["HW104"]


def test_the_rows_of_the_files_are_those_of_the_estimate(tmp_path: Path) -> None:
    from .test_findings import look

    write(tmp_path, [*START, add("a", rows=2_000)])
    (o,) = look(TEXT, tmp_path).opportunities
    benefit = dict(o.benefit)
    assert benefit["assumed"] == "90% of the 2,000 rows that the data files have are removed"
    assert benefit["estimated speed-up"] == "1"


@pytest.mark.parametrize(
    ("low", "high", "bounds"),
    [
        ({"score": 3}, {"score": 9}, Bounds(3, 9)),
        ({"score": 9}, {"score": 3}, None),
        ({"score": "3"}, {"score": 9}, None),
        ({"score": True}, {"score": 9}, None),
        ({"score": 3}, {}, None),
        ({"score": 3.5}, {"score": 9}, None),
        ({"score": 3}, {"score": 2**63}, None),
        ({"score": None}, {"score": None}, None),
    ],
)
def test_min_and_max_of_a_file(tmp_path: Path, low: dict[str, Any], high: dict[str, Any], bounds: Any) -> None:
    file = add("a")
    file["add"]["stats"] = json.dumps({"numRecords": 5, "nullCount": {}, "minValues": low, "maxValues": high})
    write(tmp_path, [*START, file])
    known = facts(tmp_path)
    assert known is not None
    (part,) = known.parts
    assert part.rows == 5
    assert part.columns["score"].bounds == bounds
    assert part.columns["year"] == Known(0, Bounds(2024, 2024))


def test_texts_that_may_be_cut_off_are_no_bounds(tmp_path: Path) -> None:
    file = add("a")
    for length, whole in ((31, True), (32, False)):
        said = {"numRecords": 5, "minValues": {"team": "a"}, "maxValues": {"team": "b" * length}}
        file["add"]["stats"] = json.dumps(said)
        write(tmp_path / str(length), [*START, file])
        known = facts(tmp_path / str(length))
        assert known is not None
        assert (known.parts[0].columns["team"].bounds is not None) == whole


def with_reader(version: int, *features: str) -> list[dict[str, Any]]:
    protocol: dict[str, Any] = {"minReaderVersion": version, "minWriterVersion": 7}
    if version == 3:
        protocol["readerFeatures"] = [*features]
    return [{"protocol": protocol}, *(a for a in START if "protocol" not in a)]


@pytest.mark.parametrize(
    ("start", "why"),
    [
        (with_reader(2), None),
        (with_reader(3), None),
        (with_reader(3, "timestampNtz", "deletionVectors", "columnMapping", "v2Checkpoint"), None),
        (with_reader(3, "typeWidening"), "one that knows typeWidening"),
        (with_reader(4), "newer reader"),
        ([{"protocol": {"minReaderVersion": 3}}, *START[2:]], "newer reader"),
        ([{"protocol": {"minReaderVersion": 2, "readerFeatures": ["columnMapping"]}}, *START[2:]], "newer reader"),
    ],
)
def test_a_reader_knows_what_the_table_asks_of_it(tmp_path: Path, start: list[dict[str, Any]], why: str | None) -> None:
    write(tmp_path, [*start, add("a")])
    said = why_no_data(TEXT, Options(data_root=str(tmp_path)))
    assert (facts(tmp_path) is None) == (why is not None)
    assert why is None or why in said[0]


def vector(name: str) -> dict[str, Any]:
    return {
        "deletionVector": {"storageType": "u", "pathOrInlineDv": name, "offset": 1, "sizeInBytes": 40, "cardinality": 3}
    }


def test_a_file_with_a_deletion_vector_says_nothing_until_it_is_written_anew(tmp_path: Path) -> None:
    """Add and remove of one commit stand in any order."""
    start = [*with_reader(3, "deletionVectors"), add("a"), add("b")]
    deleted = {"add": add("a")["add"] | vector("x")}
    gone, gone_too = {"remove": {"path": "a"}}, {"remove": {"path": "a"} | vector("x")}
    more = {"add": add("a")["add"] | vector("y")}
    for i, (commits, rows) in enumerate(
        [
            ([[gone, deleted]], None),
            ([[deleted, gone]], None),
            ([[deleted, gone], [more, gone_too]], None),
            ([[deleted, gone], [gone_too, add("c", rows=7)]], 50_007),
            ([[deleted, gone], [add("c", rows=7), gone]], None),
            ([[deleted, gone], [gone_too]], 50_000),
        ]
    ):
        write(tmp_path / str(i), start, *commits)
        known = facts(tmp_path / str(i))
        assert (known and known.rows) == rows, i
        if rows is None:
            assert "deletion vectors" in why_no_data(TEXT, Options(data_root=str(tmp_path / str(i))))[0]


def test_counts_that_are_not_tight_are_none(tmp_path: Path) -> None:
    file = add("a")
    file["add"]["stats"] = json.dumps({"numRecords": 5, "tightBounds": False, "nullCount": {"score": 0}})
    write(tmp_path, [*START, file])
    known = facts(tmp_path)
    assert known is not None
    assert known.parts[0].columns["score"] == Known(None)


def mapped(mode: str, physical: dict[str, str]) -> list[dict[str, Any]]:
    fields = [
        {"name": name, "type": kind, "nullable": True, "metadata": meta}
        for i, (name, kind) in enumerate((("team", "string"), ("score", "long"), ("year", "integer")))
        if (meta := {"delta.columnMapping.id": i, "delta.columnMapping.physicalName": physical[name], "comment": "x"})
    ]
    meta = {
        "schemaString": json.dumps({"fields": fields}),
        "partitionColumns": ["year"],
        "configuration": {"delta.columnMapping.mode": mode},
    }
    return [{"protocol": {"minReaderVersion": 2}}, {"metaData": meta}]


@pytest.mark.parametrize("mode", ["name", "id"])
def test_columns_are_mapped_to_their_physical_names(tmp_path: Path, mode: str) -> None:
    """``score`` was renamed to ``team`` and back, so to say: the names that files have are other columns' names."""
    start = mapped(mode, {"team": "score", "score": "team", "year": "col-1"})
    file = {"path": "a", "partitionValues": {"col-1": "2024", "year": "1999"}}
    stats = {"numRecords": 5, "nullCount": {"team": 2, "score": 0}, "minValues": {"team": 1}, "maxValues": {"team": 9}}
    write(tmp_path, [*start, {"add": file | {"stats": json.dumps(stats)}}])
    known = facts(tmp_path)
    assert known is not None
    assert {c.name: (c.ddl, c.nulls) for c in known.columns} == {
        "team": ("string", 0), "score": ("bigint", 2), "year": ("int", 0),
    }  # fmt: skip
    assert known.parts[0].columns["score"].bounds == Bounds(1, 9)
    assert known.parts[0].columns["year"].bounds == Bounds(2024, 2024)


def test_columns_that_are_mapped_in_another_way_say_nothing(tmp_path: Path) -> None:
    names = {"team": "a", "score": "b", "year": "c"}
    write(tmp_path / "0", [*mapped("uuid", names), add("a")])
    lost = mapped("name", names)
    lost[1]["metaData"]["schemaString"] = lost[1]["metaData"]["schemaString"].replace("physicalName", "other")
    write(tmp_path / "1", [*lost, add("a")])
    assert facts(tmp_path / "0") is None
    assert facts(tmp_path / "1") is None


def in_version_2(root: Path, start: list[dict[str, Any]], version: int = 0) -> Path:
    """A log that begins with a checkpoint of version 2 in text, of version 0, and a commit behind it."""
    log = write(root, start, [add("b")])
    place = log / f"{0:020}.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json"
    (log / f"{0:020}.json").rename(place)
    with place.open("a") as out:
        out.write(json.dumps({"checkpointMetadata": {"version": version}}) + "\n")
    return place


def beside(log: Path, *files: dict[str, Any]) -> dict[str, Any]:
    """A file beside the checkpoint, and the action that names it."""
    rows = [{**f["add"], "partitionValues": [*f["add"]["partitionValues"].items()]} for f in files]
    fields = pa.struct([
        ("path", pa.string()), ("partitionValues", pa.map_(pa.string(), pa.string())), ("stats", pa.string()),
    ])  # fmt: skip
    path = log / "_sidecars" / "3a0d65cd-4056-49b8-937b-95f9e3ee90e5.parquet"
    path.parent.mkdir()
    pq.write_table(pa.table({"add": pa.array(rows, fields)}), path)
    return {"sidecar": {"path": path.name, "sizeInBytes": path.stat().st_size, "modificationTime": 1}}


def test_a_checkpoint_of_version_2(tmp_path: Path) -> None:
    place = in_version_2(tmp_path, [*START, add("a", rows=7, nulls=2)])
    known = facts(tmp_path)
    assert known is not None
    assert (known.rows, len(known.parts)) == (50_007, 2)
    (place.parent / "_last_checkpoint").write_text('{"version": 0, "size": 99}')
    assert facts(tmp_path) == known
    (place.parent / "_last_checkpoint").write_text('{"version": 9, "size": 4}')
    assert facts(tmp_path) is None


def test_files_beside_a_checkpoint(tmp_path: Path) -> None:
    place = in_version_2(tmp_path, [*START, add("a", rows=7)])
    named = beside(place.parent, add("c", rows=30, nulls=1), add("d", rows=3))
    text = place.read_text()
    place.write_text(text + json.dumps(named) + "\n")
    known = facts(tmp_path)
    assert known is not None
    assert (known.rows, len(known.parts)) == (50_040, 4)
    assert {c.name: c.nulls for c in known.columns}["score"] == 1
    (place.parent / "_last_checkpoint").write_text('{"version": 0, "size": 6}')
    assert facts(tmp_path) == known
    for wrong in (
        {"sidecar": {**named["sidecar"], "sizeInBytes": 3}},
        {"sidecar": {**named["sidecar"], "path": "other.parquet"}},
        {"sidecar": {**named["sidecar"], "path": "../_sidecars/" + named["sidecar"]["path"]}},
        {"sidecar": {"path": named["sidecar"]["path"]}},
    ):
        place.write_text(text + json.dumps(wrong) + "\n")
        assert facts(tmp_path) is None
        assert len(why_no_data(TEXT, Options(data_root=str(tmp_path)))) == 1


def test_a_checkpoint_of_another_version_says_nothing(tmp_path: Path) -> None:
    place = in_version_2(tmp_path, [*START, add("a")], version=3)
    assert facts(tmp_path) is None
    place.write_text(place.read_text().replace('{"checkpointMetadata": {"version": 3}}', ""))
    assert facts(tmp_path) is None
    place.write_text(place.read_text()[:-20])
    assert facts(tmp_path) is None
