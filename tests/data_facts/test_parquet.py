"""The footers that Headwater reads give the types, null counts and rows that pyarrow and Spark read of the files."""

from __future__ import annotations

import datetime as dt
import decimal
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headwater.data_facts.bounds import Bounds, Known, of_parquet
from headwater.data_facts.footer import Footer
from headwater.data_facts.parquet import read_footer
from headwater.data_facts.thrift import Malformed, read_struct

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TYPES: dict[str, tuple[pa.DataType, Any]] = {
    "boolean": (pa.bool_(), True),
    "tinyint": (pa.int8(), 1),
    "smallint": (pa.int16(), 1),
    "int": (pa.int32(), 1),
    "bigint": (pa.int64(), 1),
    "float": (pa.float32(), 1.5),
    "double": (pa.float64(), float("nan")),
    "string": (pa.string(), "é"),
    "date": (pa.date32(), dt.date(2024, 2, 29)),
    "timestamp": (pa.timestamp("us", tz="UTC"), dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)),
    "decimal": (pa.decimal128(12, 2), decimal.Decimal("1.25")),
    "timestamp_ntz": (pa.timestamp("us"), dt.datetime(2024, 1, 1)),
    "binary": (pa.binary(), b"x"),
    "array": (pa.list_(pa.int64()), [1]),
    "struct": (pa.struct([("a", pa.int64()), ("b", pa.list_(pa.int64()))]), {"a": 1, "b": [2]}),
    "map": (pa.map_(pa.string(), pa.int64()), [("a", 1)]),
    "unsigned": (pa.uint8(), 1),
    "unsigned32": (pa.uint32(), 1),
}
SAID = {"unsigned": "smallint", "unsigned32": "bigint"} | dict.fromkeys(
    ("timestamp_ntz", "binary", "array", "struct", "map"), "unknown"
)


def footer(data: bytes) -> Footer:
    return read_footer(io.BytesIO(data), len(data))[0]


def written(table: pa.Table, **options: object) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def all_types(nulls: int = 1) -> pa.Table:
    return pa.table({name: pa.array([value] * 4 + [None] * nulls, t) for name, (t, value) in TYPES.items()})


@pytest.mark.parametrize("version", ["1.0", "2.4", "2.6"])
@pytest.mark.parametrize("nulls", [0, 3])
def test_types_and_nulls_are_those_of_the_file(version: str, nulls: int) -> None:
    table = all_types(nulls)
    if version == "1.0":  # it has no unsigned 32
        table = table.drop_columns(["unsigned32"])
    found = footer(written(table, version=version, row_group_size=2))
    assert found.rows == 4 + nulls
    assert [c.name for c in found.columns] == table.column_names
    for column in found.columns:
        assert column.ddl == SAID.get(column.name, column.name)
        assert column.nulls == (None if column.name in ("array", "struct", "map") else nulls)


def test_a_required_column_holds_no_null() -> None:
    schema = pa.schema([pa.field("a", pa.int64(), nullable=False)])
    found = footer(written(pa.table({"a": [1, 2]}, schema=schema), write_statistics=False))
    assert found.columns[0].nulls == 0


def test_without_statistics_nothing_is_said_of_nulls() -> None:
    found = footer(written(all_types(0), write_statistics=False))
    assert {c.nulls for c in found.columns} == {None}


def test_one_row_group_without_statistics_is_enough_to_say_nothing() -> None:
    found = footer(written(pa.table({"a": [1], "b": [2]}), write_statistics=["a"]))
    assert [c.nulls for c in found.columns] == [0, None]


def test_min_and_max_are_those_that_pyarrow_reads() -> None:
    """Of numbers, days and texts in UTF-8; of all others nothing, nor of columns without values."""
    table, values = all_types(), {"boolean", "decimal", "timestamp", "double"}
    found = footer(written(table, row_group_size=3))
    said = {c.name: [k.bounds for k in c.known] for c in found.columns}
    for name, (_, value) in TYPES.items():
        bounds = said[name]
        if SAID.get(name, name) == name and name not in values:
            assert bounds == [Bounds(value, value)] * 2, name
        else:
            assert not any(bounds), name
    assert [p.rows for p in found.parts()] == [3, 2]
    many = footer(written(pa.table({"a": [5, -7, None], "f": [-0.0, float("nan"), 2.5]})))
    assert many.columns[0].known == (Known(1, Bounds(-7, 5)),)
    assert many.columns[1].known == (Known(0, Bounds(-0.0, 2.5)),)


def test_different_values_are_those_that_the_writer_counts() -> None:
    """pyarrow counts none; DuckDB does, in field 4 of the statistics."""
    from headwater.data_facts.parquet import _known

    for said, wanted in (({}, None), ({4: 0}, None), ({4: 9}, 9)):
        assert _known("a", "bigint", {}, {3: [b"a"], 12: {3: 1} | said}, False) == Known(1, None, wanted)
    for wrong in (-1, b"x", True):
        with pytest.raises(Malformed):
            _known("a", "bigint", {}, {3: [b"a"], 12: {3: 1, 4: wrong}}, False)


@pytest.mark.parametrize("dictionary", [True, False])
def test_sizes_of_texts_are_those_of_their_values(dictionary: bool) -> None:
    texts = ["é", None, "", "aa", "aa", "\U0001f600"]
    data = written(pa.table({"s": texts, "n": [1] * 6}), row_group_size=4, use_dictionary=dictionary)
    texts_, numbers = footer(data).columns
    assert [k.text_bytes for k in texts_.known] == [4, 6]
    assert [k.text_bytes for k in numbers.known] == [None, None]


def test_min_and_max_of_no_known_order_or_no_values_are_left_alone() -> None:
    chunk = {5: b"\5\0\0\0", 6: b"\1\0\0\0"}
    assert of_parquet("int", {1: 1}, chunk) == Bounds(1, 5)
    assert of_parquet("int", {1: 1}, {1: chunk[5], 2: chunk[6]}) is None  # of a writer before there were orders
    assert of_parquet("int", {1: 1, 6: 13}, chunk) is None  # unsigned
    assert of_parquet("bigint", {1: 1}, chunk) is None
    assert of_parquet("int", {1: 1}, {5: chunk[6], 6: chunk[5]}) is None
    assert of_parquet("int", {1: 1}, {5: chunk[5]}) is None
    assert of_parquet("int", {1: 1}, {5: b"\5", 6: chunk[6]}) is None
    assert of_parquet("int", {1: 1}, {5: 5, 6: 1}) is None
    assert of_parquet("tinyint", {1: 1}, {5: b"\0\1\0\0", 6: chunk[6]}) is None
    assert of_parquet("timestamp", {1: 3}, {5: b"\1" * 12, 6: b"\0" * 12}) is None
    assert of_parquet("string", {1: 6}, {5: b"\xff", 6: b"a"}) is None
    assert of_parquet("date", {1: 1}, {5: b"\0\0\0\x7f", 6: chunk[6]}) is None
    assert of_parquet("date", {1: 1}, {5: chunk[5], 6: (-200_000).to_bytes(4, "little", signed=True)}) is None
    assert footer(written(pa.table({"a": pa.array([None], pa.int64())}))).columns[0].known == (Known(1, None),)
    assert footer(written(pa.table({"a": [1]}), write_statistics=False)).columns[0].known == (Known(None, None),)


def test_whatever_ends_early_or_is_changed_is_malformed_or_read() -> None:
    data = written(all_types())
    for cut in range(0, len(data), 7):
        with pytest.raises(Malformed):
            footer(data[:cut])
    for at in range(len(data) - 1, len(data) - 3000, -11):
        broken = bytearray(data)
        broken[at] ^= 0xFF
        try:
            footer(bytes(broken))
        except Malformed:
            continue


@pytest.mark.parametrize(
    "data",
    [b"", b"PAR1", b"PAR1" * 3, b"PAR1" + b"\xff" * 4 + b"PAR1", b"PARE" + b"\0" * 20 + b"PARE"],
)
def test_no_parquet_file(data: bytes) -> None:
    with pytest.raises(Malformed):
        footer(data)


def test_structures_of_thrift_are_bounded() -> None:
    for data in (b"\x1c" * 100_000, b"\x19\xfc\xff\xff\xff\x7f", b"\x18\xff\xff\xff\xff\x7f", b"\x16" + b"\xff" * 50):
        with pytest.raises(Malformed):
            read_struct(data)


@pytest.mark.spark
def test_spark_gives_the_same_types(spark: SparkSession, tmp_path: Path) -> None:
    """Of files of pyarrow, and of its own."""
    table = all_types()
    (tmp_path / "arrow.parquet").write_bytes(written(table))
    frame = spark.read.parquet(str(tmp_path / "arrow.parquet"))
    frame.coalesce(1).write.parquet(str(tmp_path / "spark"))
    (own,) = (tmp_path / "spark").glob("*.parquet")
    theirs = {f.name: f.dataType.simpleString() for f in frame.schema.fields}
    for path in (tmp_path / "arrow.parquet", own):
        for column in footer(path.read_bytes()).columns:
            if column.ddl != "unknown":
                assert theirs[column.name].partition("(")[0] == column.ddl, (path.name, column.name)
        assert {c.name for c in footer(path.read_bytes()).columns} == {*theirs}
        (texts,) = (c for c in footer(path.read_bytes()).columns if c.name == "string")
        values = [v for v in table["string"].to_pylist() if v is not None]
        assert sum(k.text_bytes or 0 for k in texts.known) == sum(len(v.encode()) for v in values) > 0
    assert sum(c.ddl == "unknown" for c in footer(own.read_bytes()).columns) == 5
