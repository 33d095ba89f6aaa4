"""Issue 9: generated data is reproducible, has the shares that it is asked for, and holds the program's constants."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headwater.bench.columns import CHUNK, Draw, write
from headwater.bench.hints import hints, mentioned
from headwater.bench.invent import POOL, invent, pool

PROGRAM = """
LIMIT = 42
def f(key, pdf):
    for r in pdf.itertuples():
        if r.score >= 90.5 and LIMIT < r["level"] or r.kind in ("a", "b"):
            pass
df = df.filter((F.col("first") > -3) & df.town.isin("x", "y"))
df.where("price < 10 AND name = 'ann' OR day >= DATE '2024-01-31'")
"""


def draw(rows: int) -> Draw:
    return Draw(np.random.default_rng(1), 0, rows, rows)


def test_hints_are_constants_by_the_names_that_they_are_compared_with() -> None:
    found = hints(PROGRAM, ["score BETWEEN 1 AND 2 AND city IN ('p', 'q') AND score <> 7"])
    assert {name: set(found[name]) for name in ("score", "level", "kind", "first", "town")} == {
        "score": {90.5, 7}, "level": {42}, "kind": {"a", "b"}, "first": {-3}, "town": {"x", "y"},
    }  # fmt: skip
    assert {name: set(found[name]) for name in ("price", "name", "day", "city")} == {
        "price": {10}, "name": {"ann"}, "day": {"2024-01-31"}, "city": {"p", "q"},
    }  # fmt: skip


def test_columns_in_a_condition() -> None:
    assert mentioned("Score > 1 AND kind = 'team'", ["score", "team", "kind"]) == ("score", "kind")


def test_tables_are_the_same_each_time_and_complete(tmp_path: Path) -> None:
    schema = pa.schema([("k", pa.string()), ("t", pa.int64()), ("x", pa.float64())])

    def columns(d: Draw) -> dict[str, pa.Array]:
        return {
            "k": d.named("k", d.zipf(50), 0.1),
            "t": d.nullable(d.rising(100, 200), 0),
            "x": d.nullable(d.normal(0, 1), 0.2),
        }

    rows = 2 * CHUNK + 7
    for name in ("a", "b"):
        write(tmp_path / name, rows, columns, schema, [3])
    first, second = pq.read_table(tmp_path / "a"), pq.read_table(tmp_path / "b")
    assert first.equals(second)
    assert first.num_rows == rows
    assert abs(first["k"].null_count / rows - 0.1) < 0.01
    assert abs(first["x"].null_count / rows - 0.2) < 0.01
    times = first["t"].to_numpy()
    assert (times[1:] >= times[:-1]).all()
    assert times[0] == 100
    assert 198 <= times[-1] < 200
    frequent = first["k"].value_counts().to_pylist()
    counts = sorted((v["counts"] for v in frequent if v["values"] is not None), reverse=True)
    assert counts[0] > 5 * counts[-1]


@pytest.mark.parametrize("kept", [0.01, 0.5, 1.0])
def test_a_chosen_share_passes(kept: float) -> None:
    schema = pa.schema([("score", pa.float64())])
    made = pool(schema, {"score": [90]}, lambda t: np.nan_to_num(t["score"].to_numpy()) >= 90, kept)
    assert made.keeps.num_rows + made.drops.num_rows == POOL
    wider = pa.schema([("team", pa.string()), ("score", pa.float64())])
    found = invent(draw(20_000), wider, {"score": [90]}, [made])
    passing = np.nan_to_num(found["score"].to_numpy(zero_copy_only=False)) >= 90
    assert abs(passing.mean() - kept) < 0.02
    assert found["team"].null_count > 0


def test_a_pre_filter_that_no_row_passes_is_no_error() -> None:
    made = pool(pa.schema([("x", pa.int32())]), {}, lambda t: np.zeros(t.num_rows, bool), 0.5)
    assert made.draw(draw(10))["x"].type == pa.int32()


@pytest.mark.parametrize(
    "kind",
    [
        pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32(), pa.float64(), pa.bool_(), pa.string(), pa.date32(),
        pa.timestamp("us", "UTC"), pa.timestamp("us"), pa.decimal128(9, 2), pa.list_(pa.int64()), pa.binary(),
    ],
    ids=str,
)  # fmt: skip
def test_every_type_has_values(kind: pa.DataType, tmp_path: Path) -> None:
    schema = pa.schema([("x", kind)])
    constants = {"x": [1_000_000, "2024-01-31", "text", True]}
    for hinted in ({}, constants):
        write(tmp_path / str(len(hinted)), 500, partial(invent, schema=schema, hints=hinted), schema, [1])
        column = pq.read_table(tmp_path / str(len(hinted)))["x"]
        assert len(column) == 500
        assert column.null_count < 500 or kind == pa.binary()
