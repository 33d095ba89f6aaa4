"""The data that the models are measured on: receivers of every kind and values for every covered parameter."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from headwater.libraries.entry import Entry
from headwater.syntax.signatures import Parameter

NAN = float("nan")
COLUMNS: dict[str, list[object]] = {
    "k": [7, 7, 7, 7, 7, 7],
    "v": [1.5, NAN, -0.0, 2.5, 2.5, float("inf")],
    "i": [3, 1, 2, 2, -4, 0],
    "s": ["b", None, "a", "A1 ", "", "b"],
    "d": [dt.datetime(2024, 1, 5), None, dt.datetime(2023, 12, 31, 23, 59), *[dt.datetime(2024, 1, 5)] * 3],
    "b": [True, False, True, True, False, False],
    "row": [0, 1, 2, 3, 4, 5],
}
NUMBERS = ("k", "v", "i", "row")
"""Columns of the frames that reductions take."""


def _frame(names: tuple[str, ...], rows: int, index: tuple[int, ...] | None = None) -> pd.DataFrame:
    return _made(names, rows, index).copy()


@functools.cache
def _made(names: tuple[str, ...], rows: int, index: tuple[int, ...] | None) -> pd.DataFrame:
    """The frame whose copies the calls get: to copy one costs a fifth of making it, and 30,000 are asked for."""
    frame = pd.DataFrame({n: COLUMNS[n][:rows] for n in names})
    if "d" in names:
        frame["d"] = pd.to_datetime(frame["d"])
    if "s" in names:
        frame["s"] = frame["s"].astype(object)
    if index is not None:
        frame.index = pd.Index(index)
    return frame


def _timed() -> pd.DataFrame:
    return _frame(NUMBERS, 6).set_index(pd.date_range("2024-01-01", periods=6))


def _missing() -> pd.DataFrame:
    return pd.DataFrame({"k": [7, 7], "v": [NAN, NAN], "i": [1, 2], "row": [0, 1]})


def _listed() -> pd.DataFrame:
    return pd.DataFrame({"k": [7, 7], "v": [[1, 2], []], "row": [0, 1]})


FRAMES: list[Callable[[], object]] = [
    *(functools.partial(_frame, tuple(COLUMNS), n) for n in (6, 1, 0)),
    functools.partial(_frame, tuple(COLUMNS), 6, (5, 4, 3, 2, 1, 0)),
    functools.partial(_frame, tuple(COLUMNS), 6, (1, 1, 2, 2, 3, 3)),
    *(functools.partial(_frame, NUMBERS, n) for n in (6, 2, 1, 0)),
    _timed,
    _listed,
    _missing,
]
TYPES = {
    "k": "int64 float64 float32".split(), "v": ["float64", "float32"], "i": ["int64", "int8"],
    "s": ["object"], "d": ["datetime64[ns]"], "b": ["bool", "object"],
}  # fmt: skip


def _series(name: str, dtype: str, rows: int, index: list[int] | None) -> pd.Series:  # type: ignore[type-arg]
    return pd.Series(COLUMNS[name][:rows], dtype=dtype, name=name, index=None if index is None else index[:rows])


SERIES: list[Callable[[], object]] = [
    functools.partial(_series, name, dtype, rows, index)
    for name, dtypes in TYPES.items()
    for dtype in dtypes
    for rows, index in (((6, (5, 4, 3, 2, 1, 0)), (6, None), (0, None)) if dtype == dtypes[0] else ((6, None),))
] + [functools.partial(_series, "v", "float64", 6, (1, 1, 2, 2, 3, 3))]
SERIES += [lambda: pd.Series([1.5], name="v"), lambda: pd.Series([[1, 2], [], None], name="l"), lambda: _timed()["v"]]
ARROW = pa.schema(
    [("k", pa.int64()), ("v", pa.float64()), ("i", pa.int32()), ("s", pa.string()), ("d", pa.timestamp("us")),
     ("b", pa.bool_()), ("row", pa.int64())]
)  # fmt: skip


def _table(rows: int) -> pa.Table:
    parts = [pa.table({n: v[:rows] for n, v in COLUMNS.items()}, schema=ARROW)]
    if rows > 3:
        parts = [parts[0].slice(0, 2), parts[0].slice(2)]
    return pa.concat_tables(parts)


TABLES: list[Callable[[], object]] = [functools.partial(_table, n) for n in (6, 1, 0)]
TABLES += [lambda: pa.table({"k": [7], "v": pa.array([None], pa.float64()), "row": [0]})]
CHUNKED: list[Callable[[], object]] = [
    (lambda name=name, rows=rows: _table(rows)[name]) for name in COLUMNS for rows in (6, 1, 0)
]
GROUPED = [FRAMES[i] for i in (0, 4, 5, 8)]
"""All types, labels that repeat, numbers alone, and no rows."""
RECEIVERS: dict[str, list[Callable[[], object]]] = {
    "pandas.DataFrame": FRAMES,
    "pandas.Series": SERIES,
    "pandas.Series.str": SERIES,
    "pandas.Series.dt": [*SERIES, lambda: pd.to_timedelta(pd.Series([1, None, 10**15]))],
    "pandas.Index": [
        lambda: pd.Index([3, 1, 2]), lambda: pd.Index([3]),
        lambda: pd.Index(["a", "b", "b"], name="n"), lambda: pd.Index([]),
        lambda: pd.RangeIndex(3), lambda: pd.Index([1.5, NAN]), lambda: pd.date_range("2024-01-01", periods=3),
        lambda: pd.MultiIndex.from_tuples([(1, "a"), (2, "b")], names=["k", "v"]),
    ],
    "pandas.DataFrameGroupBy": [
        *((lambda f=f: f().groupby("i")) for f in GROUPED),
        *((lambda f=f: f().groupby("i")[["v", "k"]]) for f in GROUPED)
    ],
    "pandas.SeriesGroupBy": [
        (lambda f=f, c=c: f().groupby("i")[c]) for f in GROUPED for c in ("v", "k", "s", "d", "b") if c in f()
    ],
    "pandas.Rolling": [lambda: _frame(NUMBERS, 6).rolling(2), lambda: _frame(NUMBERS, 6)["v"].rolling(2)],
    "pandas.Expanding": [lambda: _frame(NUMBERS, 6).expanding(), lambda: _frame(NUMBERS, 6)["v"].expanding()],
    "pandas.ExponentialMovingWindow": [lambda: _frame(NUMBERS, 6).ewm(1), lambda: _frame(NUMBERS, 6)["v"].ewm(1)],
    "numpy.ndarray": [
        lambda: np.array([3, 1, 2, 2]), lambda: np.array([1.5, NAN, -0.0, 2.5]), lambda: np.array([], dtype=float),
        lambda: np.array([[1, 2], [3, 4]]), lambda: np.array([True, False]),
        lambda: np.array(["b", "a", None], dtype=object),
        lambda: np.array([5]),
    ],
    "pyarrow.Table": TABLES,
    "pyarrow.ChunkedArray": CHUNKED,
    "pyarrow.Array": [
        (lambda name=name, rows=rows: _table(rows)[name].combine_chunks()) for name in COLUMNS for rows in (6, 0)
    ],
    "pyarrow.Schema": [lambda: ARROW], "pyarrow.TableGroupBy": [lambda: _table(6).group_by("i")],
    "pyarrow.Scalar": [lambda: pa.scalar(1), lambda: pa.scalar(None, pa.int64()), lambda: pa.scalar("a")],
}  # fmt: skip
EXAMPLES: dict[str, list[str]] = {
    "a": ["array", "series", "[3, 1]"],
    "assign.columns": ["w=1", "w=lambda f: f['v'] * 2"],
    "parts": ["days=1, hours=2"],
    "aggfunc": ["'sum'", "'count'"],
    "alpha": ["0.5"],
    "append": ["True"],
    "arg": ["{'a': 1.0}", "lambda v: v", "series", "['2024-01-05']", "'2024-01-05'"],
    "array": ["column", "words", "flags", "whole"],
    "arrays": ["[column]"],
    "ascending": ["True", "False"],
    "base": ["column", "2.0"],
    "bins": ["[0, 1, 2]", "2"],
    "by": ["'v'", "['v', 'k']"],
    "center": ["True", "False"],
    "choicelist": ["[array]"],
    "column": ["'v'"],
    "columns": ["'v'", "['v', 'k']"],
    "com": ["1"],
    "cond": ["x > 1", "x.isna()"],
    "condition": ["array > 1", "series > 1"],
    "condlist": ["[array > 1]"],
    "data": ["[1.5, 2.5]", "series", "array"],
    "ddof": ["0", "1"],
    "decimals": ["0", "1", "-1"],
    "default": ["0", "None"],
    "deg": ["1"],
    "dtype": ["float", "'float64'", "str", "'object'"],
    "encoding": ["'utf-8'"],
    "end": ["2", "'2024-01-05'"],
    "exponent": ["2.0"],
    "expr": ["'v > 1'", "'v > 100'", "'k == 7 and v < 2'"],
    "fill_value": ["0.0"],
    "fillchar": ["'*'"],
    "format": ["'%Y-%m-%d'"],
    "fp": ["[1.0, 2.0]"],
    "freq": ["'D'"],
    "func": ["'sum'", "lambda v: v", "lambda v: v.max()", "numpy.sum"],
    "i": ["0", "1", "'v'"],
    "id_vars": ["'k'"],
    "include": ["'number'"],
    "exclude": ["'number'"],
    "index": ["'i'", "[0, 1]", "{0: 9}"],
    "indices": ["[0, 0]"],
    "items": ["['v']", "[0]"],
    "key": ["lambda s: s"],
    "get.key": ["'v'", "'absent'", "0"],
    "keys": ["'v'", "['v', 'k']"],
    "labels": ["'v'", "[0]", "0"],
    "cut.labels": ["['low', 'high']", "False"],
    "left": ["0", "frame", "column"],
    "left_on": ["'k'"],
    "level": ["0"],
    "like": ["'v'"],
    "limit": ["1"],
    "lower": ["0", "1.5"],
    "lsuffix": ["'_l'"],
    "mapper": ["str", "{'v': 'w'}", "'n'"],
    "min_periods": ["1"],
    "n": ["0", "1", "2", "-1", "9"],
    "name": ["None", "'Row'", "'n'"],
    "names": ["['n']", "['a', 'b', 'c']"],
    "obj": ["series", "frame", "1.5", "None", "[1, None]"],
    "object": ["[1, 2]", "series"],
    "objs": ["[frame, frame]", "[series, series]"],
    "on": ["'k'", "['k', 'row']"],
    "other": ["1", "2.5", "'a'", "x"],
    "pat": ["'a'", "'a.'"],
    "percentiles": ["[0.5]"],
    "pattern": ["'a'"],
    "prefix": ["'a'"],
    "q": ["0.5", "[0.1, 0.9]"],
    "qcut.q": ["2"],
    "regex": ["'v'"],
    "repeats": ["2"],
    "repl": ["'b'", "lambda m: 'c'"],
    "right": ["frame", "column", "3"],
    "right_on": ["'k'"],
    "rsuffix": ["'_r'"],
    "sep": ["'-'", "'|'"],
    "others": ["x"],
    "na_rep": ["'-'"],
    "shape": ["3", "(2, 2)"],
    "span": ["2"],
    "start": ["0", "1", "'2024-01-01'"],
    "stop": ["2"],
    "step": ["1"],
    "sub": ["'a'"],
    "subset": ["'v'", "['v', 'k']", "'k'"],
    "suffix": ["'a'"],
    "suffixes": ["('_l', '_r')"],
    "thresh": ["1", "2"],
    "to_replace": ["{7: 8}", "'b'", "2"],
    "to_strip": ["'a'"],
    "upper": ["2", "2.5"],
    "v": ["1", "[1, 2]"],
    "validate": ["'many_to_many'"],
    "value": ["0", "'x'", "{'v': 0.0}", "1.5"],
    "value_name": ["'n'"],
    "value_vars": ["'v'", "['v']"],
    "values": ["[1.5, 2.5]", "'v'", "column", "words", "flags", "times", "['a']"],
    "var_name": ["'n'"],
    "width": ["4"],
    "window": ["2"],
    "x": ["array", "series", "column", "1.5"],
    "x1": ["array", "series", "1"],
    "x2": ["array", "2.0"],
    "xp": ["[0.0, 1.0]"],
    "y": ["array", "column", "1.0"],
    "min": ["1"],
    "periods": ["3"],
    "Categorical.values": ["['a', 'b']"],
    "year": ["1"],
    "month": ["5"],
    "day": ["1"],
    "hour": ["1"],
    "minute": ["1"],
    "second": ["1"],
    "microsecond": ["1"],
    "extract.pat": ["'(a)'"],
    "polyfit.x": ["[1.0, 2.0, 3.0]"],
    "polyfit.y": ["[1.0, 2.0, 3.0]"],
    "b": ["array"],
    "between.left": ["0"],
    "between.right": ["3"],
    "pivot_table.data": ["numbers"],
    "Timestamp.ts_input": ["2024"],
    "Rolling.apply.func": ["lambda v: v.max()"],
    "Expanding.apply.func": ["lambda v: v.max()"],
    "drop_duplicates.subset": ["'k'", "'v'", "['v', 'k']"],
    "from_pylist.mapping": ["[{'a': 1}]"],
    "Series.groupby.by": ["x.tolist()"],
    "corr.other": ["x"],
    "cov.other": ["x"],
    "DataFrame.join.other": ["numbers[['v']].add_prefix('o_')"],
    "DataFrame.rename.columns": ["{'v': 'w'}"],
    "to_timedelta.arg": ["[1, 2]"],
    "table.data": ["[column]"],
    "table.names": ["['a']"],
    "item": ["'v'", "0"],
    "loc": ["0"],
    "insert.column": ["'w'"],
    "update.other": ["x * 2", "numbers + 1"],
    "Table.filter.mask": ["pc.not_equal(x['s'], 'b')", "pc.equal(x['row'], 99)", "pc.equal(x, x)", "pc.is_null(x)"],
    "filter.mask": ["pc.if_else(pc.is_valid(x), pa.scalar(None, pa.bool_()), True)", "pc.is_null(x)"],
    "cast.arr": ["whole"],
    "compute.fill_null.fill_value": ["0.5"],
    "if_else.left": ["column"],
    "if_else.right": ["0.5"],
    "take.indices": ["[0, 0]", "pa.array([0, None])"],
    "rename_columns.names": ["['a', 'b', 'c', 'd', 'e', 'f', 'row']"],
    "field_": ["'v'"],
    "set_column.column": ["x['row']"],
    "append_column.field_": ["'w'"],
    "append_column.column": ["x['row']"],
    "add_column.field_": ["'w'"],
    "add_column.column": ["x['row']"],
    "Table.select.columns": ["['row', 'v']"],
    "sorting": ["'v'", "[('i', 'descending')]"],
    "drop.columns": ["['v']", "'v'"],
    "offset": ["0", "1", "9"],
    "length": ["1", "0"],
    "right_table": ["pa.table({'k': [7], 'w': [1]})"],
    "join.keys": ["'k'"],
    "left_suffix": ["'_l'"],
    "right_suffix": ["'_r'"],
    "right_keys": ["'k'"],
    "target_schema": ["x.schema"],
    "target_type": ["pa.string()"],
    "fill_null.fill_value": ["0.0", "0", "'a'", "True"],
    "group_by.keys": ["'k'"],
    "aggregations": ["[('v', 'sum')]"],
    "eval.expr": ["'v = 1'"],
    "kth": ["1"],
    "new_shape": ["(1,)"],
    "out": ["array"],
    "dst": ["array"],
    "src": ["1.0"],
    "ind": ["[0]"],
    "a_min": ["0"],
    "a_max": ["2"],
    "ar": ["array", "series"],
    "num": ["3"],
    "start_or_stop": ["3"],
    "precision": ["1"],
    "scale": ["1"],
    "tz": ["None"],
    "value_type": ["pa.int64()"],
    "list_size": ["-1"],
    "fields": ["[('a', pa.int64())]"],
    "mapping": ["{'a': [1]}", "[{'a': 1}]"],
    "schema": ["None", "pa.schema([('a', pa.int64())])"],
    "type": ["pa.float64()", "pa.int64()", "None"],
    "tables": ["[table, table]"],
    "value_set": ["pa.array([1.5])", "pa.array(['a'])"],
    "input": ["column", "table"],
    "sort_keys": ["'ascending'", "[('v', 'ascending')]"],
    "selection_filter": ["flags"],
    "replacement": ["'b'"],
    "max_replacements": ["1"],
    "strings": ["words"],
    "timestamps": ["times"],
    "ndigits": ["0", "1"],
    "arr": ["whole"],
    "dividend": ["column"],
    "divisor": ["2.0"],
    "max_element_wise.items": ["column"],
    "min_element_wise.items": ["column"],
    "coalesce.values": ["column"],
    "cases": ["column"],
    "case_when.cond": ["pa.array([{'a': True}] * 6)"],
    "if_else.cond": ["flags"],
    "name_or_index": ["'a'"],
    "ts_input": ["'2024-01-05'"],
    "reshape.items": ["(-1,)", "-1"],
    "transpose.items": ["0"],
    "ndarray.item.items": ["0"],
    "unit": ["'s'", "'ns'"],
    "categories": ["['a']"],
    "df": ["frame"],
    "left_by": ["'k'"],
    "right_by": ["'k'"],
    "tolerance": ["1"],
    "merge_asof.on": ["'row'"],
    "merge_asof.left": ["frame"],
    "merge_ordered.left": ["frame"],
    "and_.x": ["flags"],
    "and_.y": ["flags"],
    "obj2": [],
    "any.array": ["flags"],
    "all.array": ["flags"],
    "and_kleene.x": ["flags"],
    "and_kleene.y": ["flags"],
    "or_.x": ["flags"],
    "or_.y": ["flags"],
    "or_kleene.x": ["flags"],
    "or_kleene.y": ["flags"],
    "xor.x": ["flags"],
    "xor.y": ["flags"],
    "array.obj": ["[1, None]", "[1.5]"],
    "compute.scalar.value": ["1", "'a'"],
    "max": ["2"],
    "transform.func": ["'cumsum'", "lambda v: v"],
    "Series.where.cond": ["x.isna()", "x > 1"],
    "exclude_": [],
}
"""Values by parameter, or by the name of a function and a parameter."""


TOGETHER: dict[str, dict[str, str]] = {
    "pandas.merge": {"left": "frame", "right": "frame", "on": "'k'"},
    "pandas.merge_asof": {"left": "numbers", "right": "numbers", "on": "'row'"},
    "pandas.merge_ordered": {"left": "numbers", "right": "numbers", "on": "'row'"},
    "pandas.pivot_table": {"data": "numbers", "index": "'i'", "values": "'v'"},
    "pandas.to_datetime": {"arg": "'2024-01-05'"},
    "pandas.to_timedelta": {"arg": "[1, 2]"},
    "pandas.to_numeric": {"arg": "[1, 2]"},
    "pandas.date_range": {"start": "'2024-01-01'", "periods": "3"},
    "pandas.Series.groupby": {"by": "x.tolist()"},
    "replace": {"to_replace": "2", "value": "0"},
    "pandas.Timestamp": {"ts_input": "2024", "year": "1", "month": "5"},
    "numpy.where": {"condition": "array > 1", "x": "array", "y": "0.0"},
    "numpy.clip": {"a": "array", "a_min": "0", "a_max": "2"},
    "pyarrow.table": {"data": "[column]", "names": "['a']"},
    "pyarrow.compute.cast": {"arr": "whole", "target_type": "pa.string()"},
    "pyarrow.compute.fill_null": {"values": "column", "fill_value": "0.5"},
    "pyarrow.field": {"name": "'a'", "type": "pa.int64()"},
    "pyarrow.Table.from_arrays": {"arrays": "[column]", "names": "['a']"},
    "pandas.Index": {"data": "[1, 2]"},
    "DataFrame.drop": {},
    "pivot": {"columns": "'row'"},
    "drop": {"columns": "['v']"},
    "groupby": {"by": "'v'"},
    "ewm": {"com": "1"},
    "fillna": {"value": "0"},
    "filter": {"items": "['v']"},
    "join": {"other": "numbers[['v']].add_prefix('o_')"},
    "rename": {"columns": "{'v': 'w'}"},
    "merge": {"right": "frame", "on": "'k'"},
    "select_dtypes": {"include": "'number'"},
}
"""Arguments without which a call raises, by method."""
WITH: dict[str, tuple[dict[str, str], str]] = {
    "left_on": ({"right_on": "'row'", "left_on": "'row'"}, "on"),
    "right_on": ({"right_on": "'row'", "left_on": "'row'"}, "on"),
    "left_index": ({"left_index": "True", "right_index": "True"}, "on"),
    "right_index": ({"left_index": "True", "right_index": "True"}, "on"),
    "left_by": ({"left_by": "'k'", "right_by": "'k'"}, ""),
    "right_by": ({"left_by": "'k'", "right_by": "'k'"}, ""),
    "span": ({}, "com"),
    "exclude": ({}, "include"),
    "alpha": ({}, "com"),
    "labels": ({}, "columns"),
}
"""What else a call is given together with a parameter, and which of the arguments of ``TOGETHER`` it is not given."""
DATA: dict[str, Callable[[], object]] = {
    "frame": lambda: _frame(tuple(COLUMNS), 6), "numbers": lambda: _frame(NUMBERS, 6),
    "series": lambda: _frame(NUMBERS, 6)["v"], "texts": lambda: _frame(("s",), 6)["s"],
    "array": lambda: np.array([1.5, NAN, -0.0, 2.5, 2.5, 3.0]), "table": lambda: _table(6),
    "column": lambda: _table(6)["v"], "words": lambda: _table(6)["s"], "flags": lambda: _table(6)["b"],
    "times": lambda: _table(6)["d"], "whole": lambda: _table(6)["i"],
}  # fmt: skip
"""The names that the texts of arguments may use for data."""
MODULES = {"pd": pd, "np": np, "pa": pa, "pc": pc, "pandas": pd, "numpy": np, "pyarrow": pa, "dt": dt}


def receivers_of(entry: Entry) -> list[Callable[[], object] | None]:
    """Makers of the receivers of a method; one None for a function."""
    found = RECEIVERS.get(entry.kind, [None])
    few = entry.yields == "other" and entry.kind in ("pandas.DataFrame", "pandas.Series")
    return (
        [*found[:4], *found[5:7], *found[10:]]
        if few and entry.kind == "pandas.DataFrame"
        else [*found[::4]]
        if few
        else [*found]
    )


def arguments_of(entry: Entry, parameter: Parameter) -> list[str]:
    """Texts of the values for a parameter."""
    if parameter.values is not None:
        return [repr(v) for v in parameter.values]
    method = entry.name.rpartition(".")[2]
    long = entry.name.removeprefix("pandas.").removeprefix("pyarrow.").removeprefix("numpy.")
    for name in (
        f"{long}.{parameter.name}",
        f"{method}.{parameter.name}",
        parameter.name,
    ):
        if name in EXAMPLES:
            return EXAMPLES[name]
    return []
