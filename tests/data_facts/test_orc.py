"""The footers of ORC files give the types, null counts, rows and bounds that Spark and pyarrow read of the values."""

from __future__ import annotations

import datetime as dt
import decimal
import io
import math
import random
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.orc as po
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.data_facts.bounds import Bounds, Known
from headwater.data_facts.footer import Footer
from headwater.data_facts.listing import Budget, Unclear
from headwater.data_facts.orc import read_footer
from headwater.data_facts.protobuf import read_message
from headwater.data_facts.reading import facts_of
from headwater.data_facts.thrift import Malformed
from headwater.data_facts.unpack import unpacked

from .test_findings import TOP, found

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TYPES: dict[str, tuple[pa.DataType, Any]] = {
    "boolean": (pa.bool_(), True),
    "tinyint": (pa.int8(), -3),
    "smallint": (pa.int16(), 1),
    "int": (pa.int32(), -(2**31)),
    "bigint": (pa.int64(), 2**63 - 1),
    "float": (pa.float32(), 1.5),
    "double": (pa.float64(), -2.5),
    "string": (pa.string(), "é"),
    "date": (pa.date32(), dt.date(2024, 2, 29)),
    "timestamp": (pa.timestamp("us"), dt.datetime(2024, 1, 1)),
    "decimal": (pa.decimal128(12, 2), decimal.Decimal("1.25")),
    "binary": (pa.binary(), b"x"),
    "array": (pa.list_(pa.int64()), [1]),
    "struct": (pa.struct([("a", pa.int64()), ("b", pa.list_(pa.int64()))]), {"a": 1, "b": [2]}),
    "map": (pa.map_(pa.string(), pa.int64()), [("a", 1)]),
}
UNKNOWN = ("binary", "array", "struct", "map")
BOUNDED = ("tinyint", "smallint", "int", "bigint", "float", "double", "string", "date")


def written(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    po.write_table(table, sink, **options)
    return sink.getvalue()


def footer(data: bytes) -> Footer:
    return read_footer(io.BytesIO(data), len(data))[0]


def all_types(values: int = 4, nulls: int = 1) -> pa.Table:
    return pa.table({name: pa.array([v] * values + [None] * nulls, t) for name, (t, v) in TYPES.items()})


@pytest.mark.parametrize("compression", ["uncompressed", "zlib", "snappy", "zstd", "lz4"])
@pytest.mark.parametrize("nulls", [0, 3])
def test_types_nulls_and_bounds_are_those_of_the_values(compression: str, nulls: int) -> None:
    said = footer(written(all_types(nulls=nulls), compression=compression))
    assert (said.rows, said.groups) == (4 + nulls, (4 + nulls,))
    assert [c.name for c in said.columns] == [*TYPES]
    for column in said.columns:
        value = TYPES[column.name][1]
        assert column.ddl == ("unknown" if column.name in UNKNOWN else column.name)
        assert column.nulls == nulls, column.name
        bounds = Bounds(value, value) if column.name in BOUNDED else None
        size = 4 * len("é".encode()) if column.name == "string" else None
        assert column.known == (Known(nulls, bounds, text_bytes=size),), column.name


def test_each_stripe_has_its_own_statistics() -> None:
    some = random.Random(1)
    values = [None if i % 1000 == 0 else some.randrange(-(2**62), 2**62) for i in range(50_000)]
    table = pa.table({"n": pa.array(values, pa.int64())})
    said = footer(written(table, stripe_size=64 * 1024, batch_size=1024, compression="zstd"))
    assert len(said.groups) > 2
    at = 0
    for part in said.parts():
        mine = [v for v in table["n"][at : at + part.rows].to_pylist() if v is not None]
        assert part.columns["n"] == Known(part.rows - len(mine), Bounds(min(mine), max(mine)))
        at += part.rows
    assert at == 50_000


def test_nan_bounds_nothing_and_is_in_no_bounds() -> None:
    first = footer(written(pa.table({"d": [math.nan, 1.0, 2.0]}))).columns[0]
    assert first.known in ((Known(0, None),), (Known(0, Bounds(1.0, 2.0)),))
    assert footer(written(pa.table({"d": [math.nan] * 3}))).columns[0].known[0].bounds is None
    later = footer(written(pa.table({"d": [1.0, math.nan, 2.0]}))).columns[0]
    assert later.known[0].bounds in (None, Bounds(1.0, 2.0))
    assert footer(written(pa.table({"n": pa.array([None] * 3, pa.int64())}))).columns[0].known == (Known(3, None),)


def test_sizes_of_texts_are_those_of_their_values() -> None:
    texts, numbers = footer(written(pa.table({"s": ["é", None, "", "aa", "aa", "\U0001f600"], "n": [1] * 6}))).columns
    assert [k.text_bytes for k in texts.known] == [10]
    assert [k.text_bytes for k in numbers.known] == [None]


def test_no_rows_have_columns() -> None:
    said = footer(written(all_types(0, 0)))
    assert (said.rows, [c.name for c in said.columns]) == (0, [*TYPES])


def test_a_file_that_is_changed_or_cut_off_is_refused_or_read() -> None:
    for compression in ("uncompressed", "zlib"):
        data = written(all_types(), compression=compression)
        for cut in range(0, len(data), 7):
            with pytest.raises((Malformed, Unclear)):
                footer(data[:cut])
        for at in range(len(data) - 700, len(data)):
            broken = bytearray(data)
            broken[at] ^= 0xFF
            try:
                footer(bytes(broken))
            except (Malformed, Unclear):
                continue


def test_other_codecs_and_what_has_no_names_are_left_alone() -> None:
    whole = written(all_types(), compression="lz4")
    end = len(whole) - 1 - whole[-1]
    known = whole.index(b"\x10\x04", end)  # field 2 of the postscript
    with pytest.raises(Unclear, match="codec"):
        footer(whole[: known + 1] + b"\x06" + whole[known + 2 :])
    with pytest.raises(Unclear, match="by their place"):
        footer(written(pa.table({"_col0": [1], "_col1": [2]})))


BLOCKS = st.lists(st.tuples(st.binary(max_size=40), st.integers(0, 400)), max_size=30).map(
    lambda parts: b"".join(data * count for data, count in parts)[:100_000]
)


@given(BLOCKS)
def test_blocks_of_lz4(data: bytes) -> None:
    packed = pa.Codec("lz4_raw").compress(data, asbytes=True)
    assert unpacked("lz4", packed, len(data)) == data
    if data:
        with pytest.raises(Malformed):
            unpacked("lz4", packed, len(data) - 1)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_block_or_none(data: bytes) -> None:
    for codec in ("lz4", "lzo"):
        with suppress(Malformed):
            assert len(unpacked(codec, data, 1000)) <= 1000


@pytest.mark.spark
def test_blocks_of_lzo(spark: SparkSession) -> None:
    """As the compressor makes them that Spark's ORC files are written with: each way to say a length and a distance."""
    jvm = spark._jvm
    compressor = jvm.io.airlift.compress.lzo.LzoCompressor()
    chance = random.Random(7)
    noise = chance.randbytes(60_000)
    blocks = [b"", b"a", b"abc", b"abcd" * 3, b"\0" * 70_000, noise, noise + noise[:50_000], noise[:20_000] * 2 + noise]
    for _ in range(150):
        parts = [noise[: chance.choice((1, 2, 3, 5, 17, 240, 2_060))] for _ in range(chance.randrange(30))]
        parts += [noise[(at := chance.randrange(50_000)) : at + chance.choice((1, 3, 9, 300))] for _ in range(30)]
        chance.shuffle(parts)
        blocks.append(b"".join(parts) * chance.choice((1, 1, 2)))
    for block in blocks:
        out = jvm.java.nio.ByteBuffer.allocate(compressor.maxCompressedLength(len(block)))
        compressor.compress(jvm.java.nio.ByteBuffer.wrap(block), out)
        packed = bytes(out.array())[: out.position()]
        if packed:  # of nothing it makes nothing
            assert unpacked("lzo", packed, len(block)) == block
            with pytest.raises(Malformed):
                unpacked("lzo", packed[:-1], len(block))


def test_what_is_unpacked_is_bounded() -> None:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    bomb = packer.compress(b"\0" * 1_000_000) + packer.flush()
    assert len(unpacked("deflate", bomb, 1_000_000)) == 1_000_000
    for codec, data in (
        ("deflate", bomb),
        ("deflate", bomb[:-4]),
        ("zstd", pa.Codec("zstd").compress(b"\0" * 1_000_000, asbytes=True)),
        ("snappy", pa.Codec("snappy").compress(b"\0" * 1_000_000, asbytes=True)),
        ("lz4", pa.Codec("lz4_raw").compress(b"\0" * 1_000_000, asbytes=True)),
        ("lz4", pa.Codec("lz4_raw").compress(b"\0" * 999, asbytes=True)[:-1]),
        ("lz4", b""),
        ("lz4", b"\x0f\1\0"),
        ("lz4", b"\x10a\2\0\0"),
        ("lz4", b"\x10a\0\0\0"),
        ("lz4", b"\xf0" + b"\xff" * 9),
        ("lzo", b""),
        ("lzo", b"\x12a"),
        ("lzo", b"\x12a\x11\0\0\0"),
        ("lzo", b"\x12a\x12\0\0"),
        ("lzo", b"\x12a\x40\x01"),
        ("lzo", b"\0" * 9),
        ("lzo", b"\0" * 9_000 + b"\1"),
        ("lzo", b"\x12a\x20" + b"\0" * 9_000 + b"\1\0\0\x11\0\0"),
        ("snappy", b"\xff" * 9),
        ("zstd", b"\1\2\3"),
    ):
        with pytest.raises(Malformed):
            unpacked(codec, data, 999_999)


def test_messages_are_bounded_by_their_bytes() -> None:
    for data in (b"\x0a\xff\xff\xff\xff\x0f", b"\x0a", b"\x08" + b"\xff" * 11, b"\x0b", b"\x09\0"):
        with pytest.raises(Malformed):
            read_message(data)


def facts(root: Path) -> Any:
    return facts_of("data/t", root.resolve(), lambda p: p.open("rb"), Budget(time.monotonic, 9, 10**8))


def test_files_below_partitions(tmp_path: Path) -> None:
    for year in (2023, 2024):
        (tmp_path / f"data/t/year={year}").mkdir(parents=True)
        po.write_table(pa.table({"id": [year, year + 10]}), tmp_path / f"data/t/year={year}/a.orc", compression="zlib")
    said = facts(tmp_path)
    assert (said.form, said.rows, said.partitions) == ("orc", 4, ("year",))
    assert said.source == "2 ORC files of `data/t`"
    assert [p.columns["id"].bounds for p in said.parts] == [Bounds(2023, 2033), Bounds(2024, 2034)]
    assert [p.columns["year"].bounds for p in said.parts] == [Bounds(2023, 2023), Bounds(2024, 2024)]


@pytest.mark.parametrize(
    ("second", "why"), [("parquet", "others of ORC"), ("other", "same columns"), ("cut", "`b.orc`")]
)
def test_files_that_do_not_go_together_say_nothing(tmp_path: Path, second: str, why: str) -> None:
    (tmp_path / "data/t").mkdir(parents=True)
    po.write_table(pa.table({"id": [1]}), tmp_path / "data/t/a.orc")
    match second:
        case "parquet":
            pq.write_table(pa.table({"id": [1]}), tmp_path / "data/t/b.parquet")
        case "other":
            po.write_table(pa.table({"id": ["1"]}), tmp_path / "data/t/b.orc")
        case "cut":
            (tmp_path / "data/t/b.orc").write_bytes(written(pa.table({"id": [1]}))[:-1])
    with pytest.raises(Unclear, match=why):
        facts(tmp_path)


@pytest.mark.parametrize("null", [False, True])
def test_a_column_without_null_is_the_fact_that_a_proof_lacks(tmp_path: Path, null: bool) -> None:
    (tmp_path / "data/scores").mkdir(parents=True)
    scores = pa.array([1, 2, None if null else 3], pa.int64())
    po.write_table(pa.table({"team": ["a", "b", "c"], "score": scores}), tmp_path / "data/scores/a.orc")
    wanted = [("HW104" if null else "HW102", "assumed")]
    assert found(TOP.format(read='spark.read.orc("data/scores")'), tmp_path) == wanted
    assert found(TOP.format(read='spark.read.format("orc").load("data/scores")'), tmp_path) == wanted
    assert found(TOP.format(read='spark.read.parquet("data/scores")'), tmp_path) != [("HW102", "assumed")]


@pytest.mark.spark
def test_spark_gives_the_same_types_and_its_files_say_the_same(spark: SparkSession, tmp_path: Path) -> None:
    table = all_types(nulls=2)
    (tmp_path / "arrow").mkdir()
    po.write_table(table, tmp_path / "arrow/a.orc")
    frame = spark.read.orc(str(tmp_path / "arrow/a.orc"))
    types = dict(frame.dtypes)
    for codec in ("none", "snappy", "zlib", "zstd", "lz4", "lzo"):
        place = tmp_path / codec
        frame.coalesce(1).write.orc(str(place), compression=codec)
        (own,) = place.glob("*.orc")
        for data in (own.read_bytes(), (tmp_path / "arrow/a.orc").read_bytes()):
            said = footer(data)
            assert said.rows == 6
            for column in said.columns:
                spoken = types[column.name].split("(")[0]
                assert column.ddl == spoken or (column.ddl == "unknown" and column.name in UNKNOWN), column
                assert column.nulls == 2
                if column.name in BOUNDED:
                    value = TYPES[column.name][1]
                    size = 4 * len("é".encode()) if column.name == "string" else None
                    assert column.known == (Known(2, Bounds(value, value), text_bytes=size),), column
    ntz = spark.sql("SELECT CAST('2024-01-01 00:00:00' AS timestamp_ntz) AS t, CAST('a' AS char(3)) AS c")
    ntz.coalesce(1).write.orc(str(tmp_path / "ntz"))
    (own,) = (tmp_path / "ntz").glob("*.orc")
    assert {c.ddl for c in footer(own.read_bytes()).columns} <= {"unknown", "string"}
    assert footer(own.read_bytes()).columns[0].ddl == "unknown"
