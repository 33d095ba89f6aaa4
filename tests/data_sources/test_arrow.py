"""The model of pyarrow beside pyarrow: the same program, evaluated and run (issue 22)."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headwater.data_sources.columns import ALL, columns_of_ddl, rows
from headwater.data_sources.outside import Outer
from headwater.data_sources.world import SourceWorld
from headwater.validation.limits import Meter, NotEvaluated
from headwater.validation.program import Program

COLUMNS = columns_of_ddl("i BIGINT, d DOUBLE, s STRING, b BOOLEAN, t DATE, z STRUCT<x: BIGINT>")
ROWS = rows(COLUMNS, ALL)
HEAD = """
import datetime
import math
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from pyarrow.dataset import field
from datetime import date

nan = float("nan")
"""
OPERATORS = ["==", "!=", "<", "<=", ">", ">="]
LITERALS = ["1", "0", "10", "1.5", "0.0", "-0.0", "nan", "'a'", "'A'", "''", "'a%b'", "True", "False", "None",
            "date(2024, 1, 1)"]  # fmt: skip
SETS = ["[1]", "[1, None]", "[0.0]", "[-0.0]", "[nan]", "[1.5, nan]", "['a', 'A']", "['a', None]", "(1, 10)", "{1}",
        "[]", "[True]", "[None]", "pa.array([1, 10])", "pa.array(['a', None])",
        "pa.array([], pa.string())"]  # fmt: skip
FUNCTIONS = [
    "pc.starts_with(field('s'), 'a')", "pc.starts_with(field('s'), pattern='')", "pc.ends_with(field('s'), 'b')",
    "pc.starts_with(field('s'), 'A', ignore_case=True)", "pc.match_substring(field('s'), '%')",
    "pc.match_substring(field('s'), '')", "pc.match_substring(field('s'), 'B', ignore_case=True)",
    "pc.match_like(field('s'), 'a%')", "pc.match_like(field('s'), 'a_b')", "pc.match_like(field('s'), '%b%')",
    "pc.match_like(field('s'), '')", "pc.match_like(field('s'), 'A%', ignore_case=True)",
    "field('d').is_nan()", "field('d').is_null()", "field('d').is_null(nan_is_null=True)", "field('i').is_valid()",
    "field('z', 'x') == 1", "pc.field(('z', 'x')) == 1", "field('z', 'x').is_null()", "field('b')",
    "pc.equal(field('i'), 1)", "pc.not_equal(field('s'), 'a')", "pc.less(field('d'), 1.0)",
    "pc.less_equal(field('i'), 1)", "pc.greater(field('s'), 'a')", "pc.greater_equal(field('i'), 10)",
    "pc.and_kleene(field('b'), field('i') == 1)", "pc.or_kleene(field('b'), field('i') == 1)", "pc.invert(field('b'))",
    "pc.is_in(field('i'), value_set=pa.array([1, None]))", "pc.is_null(field('s'))", "pc.is_valid(field('s'))",
    "pc.is_nan(field('d'))", "field('i') == pa.scalar(1)", "field('i') == ds.scalar(1)", "field('i') == field('d')",
    "5 > field('i')", "pc.scalar(True)", "field('i') == field('i')",
]  # fmt: skip
FILTERS = [
    "[('i', '=', 1)]", "[('i', '==', 1), ('s', '!=', 'a')]", "[[('i', '=', 1)], [('s', '=', 'a'), ('b', '=', True)]]",
    "[('i', 'in', [1, None])]", "[('i', 'not in', [1])]", "[('i', 'in', {1, 10})]", "[('d', '>', 0.0)]",
    "[('d', '<=', nan)]", "[['i', '>=', 9]]", "field('i') > 1", "None", "[('i', '<', 5), ('d', '!=', 0.0)]",
]  # fmt: skip


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("arrow") / "rows.parquet"
    types = [pa.int64(), pa.float64(), pa.string(), pa.bool_(), pa.date32(), pa.struct([("x", pa.int64())])]
    schema = pa.schema(list(zip([c.name for c in COLUMNS], types, strict=True)))
    pq.write_table(pa.Table.from_pylist(ROWS, schema=schema), path)
    return path


def evaluated(body: str, path: Path) -> Any:
    """What the model makes of a program. NotEvaluated where it makes nothing of it."""
    program = Program(f"{HEAD}path = {str(path)!r}\ndef run():\n    {body}\n")
    world = SourceWorld(program, Meter(200_000))
    world.begin(Outer(COLUMNS, ROWS, "never"))
    return world.value(program.tree.body[-1])()


def run(body: str, path: Path) -> Any:
    names: dict[str, Any] = {}
    exec(f"{HEAD}path = {str(path)!r}\ndef run():\n    {body}\n", names)
    return names["run"]()


def same(body: str, path: Path) -> bool:
    """Whether the model has the program, which then comes to the same as with pyarrow."""
    try:
        made = evaluated(body, path)
    except NotEvaluated:
        return False
    assert shown(made) == shown(run(body, path)), body
    return True


def shown(value: Any) -> str:
    """A value in which NaN is like NaN, and -0.0 is not like 0.0."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else repr(value)
    if isinstance(value, list):
        return str([shown(v) for v in value])
    return str({k: shown(v) for k, v in value.items()}) if isinstance(value, dict) else repr(value)


def kept(condition: str) -> str:
    return f"return ds.dataset(path).to_table(filter={condition}).to_pylist()"


def test_comparisons(stored: Path) -> None:
    """Every comparison of every column with every constant, and its negation."""
    asked = [f"field('{c}') {op} {v}" for c, op, v in itertools.product("idsbt", OPERATORS, LITERALS)]
    assert sum(same(kept(a), stored) for a in asked) >= 140
    assert sum(same(kept(f"~({a})"), stored) for a in asked) >= 140


def test_sets(stored: Path) -> None:
    """``isin``, and its negation."""
    asked = [f"field('{c}').isin({v})" for c, v in itertools.product("idsbt", SETS)]
    assert sum(same(kept(a), stored) for a in asked) >= 18
    assert sum(same(kept(f"~{a}"), stored) for a in asked) >= 18


@pytest.mark.parametrize("condition", FUNCTIONS)
def test_functions(condition: str, stored: Path) -> None:
    """Each function, denied, and beside NULL in AND and OR."""
    for text in (condition, f"~({condition})", f"({condition}) & (field('i') > 0)", f"({condition}) | (field('i') > 0)",
                 f"~(({condition}) & field('b'))", f"~(({condition}) | field('b'))"):  # fmt: skip
        assert same(kept(text), stored), text


@pytest.mark.parametrize("filters", FILTERS)
def test_filters_of_files(filters: str, stored: Path) -> None:
    """``filters=`` of Parquet files."""
    assert same(f"return pq.read_table(path, filters={filters}).to_pylist()", stored)
    assert same(f"return pq.ParquetDataset(path, filters={filters}).read(columns=['i', 'd']).to_pylist()", stored)


@pytest.mark.parametrize(
    "body",
    [
        "return ds.dataset(path).to_table(columns=['s', 'i']).to_pylist()",
        "return ds.dataset(path, format='parquet').to_table(batch_size=2, use_threads=False).to_pylist()",
        "return [b.num_rows for b in ds.dataset(path).to_batches(batch_readahead=1, fragment_readahead=1)]",
        "return pq.read_table(path, columns=['i'], use_threads=False, memory_map=True).to_pylist()",
        "return ds.dataset(path).scanner(columns=['i'], filter=field('i') > 1).to_table().to_pylist()",
        "return [r for b in ds.dataset(path).to_batches(filter=field('i') > 1) for r in b.to_pylist()]",
        "return [r for b in ds.dataset(path).scanner().to_batches() for r in b.to_pylist()]",
        "return ds.dataset(path).filter(field('i') > 0).to_table(filter=field('s') == 'a').to_pylist()",
        "return [r for b in pq.ParquetFile(path).iter_batches(columns=['i']) for r in b.to_pylist()]",
        "return pq.ParquetFile(path).read(columns=['i']).to_pydict()",
        "return pq.read_table(path).filter(pc.field('i') > 1).select(['i']).to_pylist()",
        "t = pq.read_table(path); return t.filter(pc.equal(t['i'], 1)).to_pylist()",
        "t = pq.read_table(path); return t.filter(pc.invert(pc.is_in(t['i'], value_set=pa.array([1])))).to_pylist()",
        "t = pq.read_table(path); return t.filter(pc.and_(pc.is_null(t['i']), pc.equal(t['s'], 'ab'))).num_rows",
        "t = pq.read_table(path); return pc.or_(pc.equal(t['i'], 1), pc.is_valid(t['s'])).to_pylist()",
        "t = pq.read_table(path); return [v.as_py() for v in t.column('i')]",
        "return pa.table({'a': [1, None], 'b': ['x', 'y']}).to_pylist()",
        "return pa.table([pa.array([1]), pa.array(['x'])], names=['a', 'b']).to_pydict()",
        "return pa.table({'a': [1]}, schema=pa.schema([('a', pa.float64())])).to_pylist()",
        "return pa.Table.from_pylist([{'a': 1}, {'a': None, 'b': 2}]).to_pylist()",
        "s = pa.schema({'a': pa.int32(), 'b': pa.string()}); return pa.Table.from_pylist([{'a': 1}], s).num_columns",
        "return pa.RecordBatch.from_pydict({'b': [1.5], 'a': [1]}, schema=pa.schema([('a', pa.int64())])).to_pylist()",
        "return pa.RecordBatch.from_arrays([pa.array([1, 2])], names=['a']).filter(pc.field('a') > 1).to_pylist()",
        "return pa.record_batch({'a': [True, None]}).column(0).to_pylist()",
        "return pa.Table.from_batches([pa.record_batch({'a': [1]}), pa.record_batch({'a': [2]})]).column_names",
        "return [b.num_rows for b in pa.table({'a': [1, 2]}).to_batches()]",
        "return pa.schema([pa.field('a', pa.int64()), ('b', pa.date32())]).names",
        "return pa.array([1, None, 2]).null_count",
    ],
)
def test_tables(body: str, stored: Path) -> None:
    """What makes tables, and what is read of them."""
    assert same(body, stored)


@pytest.mark.parametrize(
    "body",
    [
        "return ds.dataset(path).head(1).to_pylist()",
        "return ds.dataset(path).to_table(columns={'i': field('i') + 1}).to_pylist()",
        "return pa.array([1, 'a']).to_pylist()",
        "return pa.array([300], pa.int8()).to_pylist()",
        "return pa.array([1], mask=None).to_pylist()",
        "return pa.table({'a': [1]}).sort_by('a').to_pylist()",
        kept("pc.match_like(field('s'), 'a\\\\%')"),
        kept("field('i') == '1'"),
        kept("field('i').isin(['1'])"),
        kept("field('i') == datetime.datetime(2024, 1, 1)"),
        "return pq.read_table(path, schema=None).to_pylist()",
        "return ds.dataset(path, format='csv').to_table().to_pylist()",
        "return ds.dataset(path, partitioning='hive').to_table().to_pylist()",
        "return pyarrow.feather.read_table(path).to_pylist()",
    ],
)
def test_not_modelled(body: str, stored: Path) -> None:
    """Nothing is said of what has no model."""
    with pytest.raises(NotEvaluated):
        evaluated(body, stored)
