# ruff: noqa: E501 - programs, one to a line
"""Every reader of function bodies refuses every call that the model of the function does not cover.

The programs are made from the models: of each modelled function or method a call is sought that a reader understands,
in a place where its result counts. That call is then given what its model does not cover: an unknown keyword, ``*``,
``**``, one argument too many, and for each optional parameter a value that nobody knows. All of these must be refused.
A new model takes part by itself.
"""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest

from headwater.libraries import models, registry
from headwater.libraries.registry import EFFECTS
from headwater.operators.move import Moved, move
from headwater.pyspark.reading.module import FrontendOptions, read_module
from headwater.python.arrow.apply_in_arrow import fold_group_arrow
from headwater.python.key_flow.boundary import fold_group_rows
from headwater.python.pandas.apply_in_pandas import fold_group_map
from headwater.python.pandas.map_in_pandas import fold_frame_rows
from headwater.python.pandas.series_udf import fold_series_rows
from headwater.python.pandas.values import PandasInterpreter
from headwater.python.row_udf.row_udf import fold_row_udf
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Parameter, Signature
from headwater_ir.expr import Col
from headwater_ir.plan import Field, Schema
from headwater_ir.types import FLOAT, INT32, STRING

SOURCE = Schema(
    (
        Field("k", STRING),
        Field("x", FLOAT, nullable=False),
        Field("n", INT32, nullable=False),
        Field("s", STRING, nullable=False),
    )
)
OUTPUT = Schema((Field("k", STRING), Field("v", FLOAT)))
HEADER = "import pandas as pd, pandas, numpy, pyarrow, pyarrow as pa, math, datetime, heapq, bisect, operator\n"
PANDAS = "return pd.DataFrame([{'k': pdf['k'].iloc[0], 'v': v}])"
ARROW = "return pa.Table.from_pylist([{'k': rows[0]['k'], 'v': float(v)}], pa.schema([('k', pa.string()), ('v', pa.float64())]))"


def _group(ctx: Context, f: Any) -> None:
    fold_group_map(ctx, f, source=SOURCE, keys=("k",), output=OUTPUT)


def _keys(ctx: Context, f: Any) -> None:
    fold_group_rows(ctx, f, source=SOURCE, keys=("k",), output=OUTPUT, why=Refusal("opaque", ""))


def _arrow_keys(ctx: Context, f: Any) -> None:
    fold_group_rows(ctx, f, source=SOURCE, keys=("k",), output=OUTPUT, why=Refusal("opaque", ""), arrow=True)


def _arrow(ctx: Context, f: Any) -> None:
    fold_group_arrow(ctx, f, source=SOURCE, keys=("k",), output=OUTPUT)


def _row(ctx: Context, f: Any) -> None:
    fold_row_udf(
        ctx, f, arguments=(Col("x"), Col("n"), Col("s")), source=SOURCE, return_type=FLOAT, output_name="v", facts=(),
        assume_pure=frozenset(),
    )  # fmt: skip


def _series(ctx: Context, f: Any) -> None:
    fold_series_rows(ctx, f, columns=("x", "n", "s"), iterator=False, source=SOURCE, return_type=FLOAT, output_name="v")


def _batches(ctx: Context, f: Any) -> None:
    fold_frame_rows(ctx, f, operator="mapInPandas", source=SOURCE, output=OUTPUT)


def _rdd(ctx: Context, f: Any) -> None:
    module = read_module(ctx.source, FrontendOptions({"sales": "store string, amount double, kind string"}))
    if not isinstance(move(module.filters[-1]), Moved):
        raise Refusal("opaque", "", f)


@dataclass(frozen=True)
class Reader:
    """A way to read a function body. ``receivers``: objects by class, ``values``: arguments by name of a parameter, and
    those for any other; ``places``: bodies in which ``CALL`` counts."""

    read: Callable[[Context, Any], None]
    head: str
    receivers: Mapping[str, str]
    values: tuple[str, ...]
    places: tuple[str, ...]
    tail: str = ""
    modules: tuple[str, ...] = ("builtins", "math", "datetime", "heapq", "numpy", "pandas")


_SCALAR = {
    "builtins.str": "str(s)",
    "builtins.list": "xs",
    "builtins.dict": "{'a': 1.0}",
    "builtins.set": "{1.0, 2.0}",
    "datetime.date": "datetime.date(2024, 1, 5)",
}
_NUMBERS = ("x", "'a'", "xs", "[1.0, 2.0]", "(1.0, 2.0)", "lambda r: r", "float", "'v'")
READERS = {
    "pandas group": Reader(
        _group, "def f(pdf):", {**_SCALAR, "pandas.DataFrame": "pdf", "pandas.Series": "pdf['x']", "pandas.Series.str": "pdf['s'].str"},
        ("pdf['x']", "pdf['x'] > 1", *_NUMBERS, "{'a': 1.0}"),
        (
            f"v = CALL\n    {PANDAS}", f"v = (CALL).max()\n    {PANDAS}", f"v = (CALL).sum()\n    {PANDAS}",
            f"p = CALL\n    v = p['x'].max()\n    {PANDAS}",
            f"v = 0.0\n    for r in CALL:\n        v = max(v, r.x)\n    {PANDAS}",
            f"v = 0.0\n    for i, r in CALL:\n        v = max(v, r['x'])\n    {PANDAS}",
            f"v = 0.0\n    for r in CALL:\n        v = max(v, r['x'])\n    {PANDAS}",
            f"v = 0.0\n    for r in pdf.itertuples():\n        x, s = r.x, r.s\n        xs = [2.0, x]\n        if CALL:\n            v = v + r.x\n    {PANDAS}",
            f"v = 0.0\n    for r in pdf.itertuples():\n        x, s = r.x, r.s\n        xs = [2.0, x]\n        CALL\n        v = v + xs[0]\n    {PANDAS}",
            "return CALL",
        ),
    ),
    "keys of a group": Reader(
        _keys, "def f(pdf):", {**_SCALAR, "pandas.DataFrame": "pdf", "pandas.Series": "pdf['x']", "pandas.Series.str": "pdf['s'].str", "pandas.Series.dt": "pdf['x'].dt"},
        ("pdf['x']", "'x'", "1", "pdf", "'k'", "lambda r: r", "{'x': 'y'}", "[1.0, 2.0]"),
        ("p = pdf.copy()\n    p['y'] = CALL\n    return p", "return CALL"),
    ),
    "keys of an arrow group": Reader(
        _arrow_keys, "def f(table):", {"pyarrow.Table": "table", "pyarrow.ChunkedArray": "table['x']", "pyarrow.TableGroupBy": "table.group_by('k')"},
        ("table['x']", "'x'", "1", "table", "'k'", "[('x', 'sum')]", "[1.0, 2.0]", "pyarrow.compute.is_valid(table['x'])"),
        ("return table.append_column('y', CALL)", "return CALL", "return table.filter(CALL)"),
        modules=("builtins", "math", "pyarrow", "pyarrow.Table", "pyarrow.compute"),
    ),
    "arrow group": Reader(
        _arrow, "def f(table):\n    rows = table.to_pylist()\n    x = rows[0]['x']\n    s = 'a'",
        {**_SCALAR, "pyarrow.Table": "table", "pyarrow.ChunkedArray": "table['x']", "builtins.dict": "rows[0]", "pyarrow.Schema": "table.schema", "builtins.list": "rows"},
        ("rows", "[r['x'] for r in rows]", "'x'", "x", "[1.0, 2.0]", "lambda r: r['n']", "[{'k': rows[0]['k'], 'v': x}]", "{'k': [rows[0]['k']], 'v': [x]}"),
        (
            f"v = CALL\n    {ARROW}", f"v = (CALL)['x']\n    {ARROW}", f"v = 0.0\n    for r in CALL:\n        v = max(v, r['x'])\n    {ARROW}",
            f"v = 0.0\n    for r in CALL:\n        v = max(v, r)\n    {ARROW}", f"v = max(r['x'] for r in (CALL).to_pylist())\n    {ARROW}",
            f"v = len(CALL)\n    {ARROW}", "return CALL",
        ),
        modules=("builtins", "math", "pyarrow", "pyarrow.Table"),
    ),
    "row": Reader(
        _row, "def f(x, n, s):\n    xs = [x, 2.0]", _SCALAR, _NUMBERS,
        ("return CALL", "return x if CALL else 0.0", "return float(len(CALL))", "CALL\n    return xs[0]", "return (CALL)[0]", "return x if datetime.date(2024, 1, 5) < CALL else 0.0"),
    ),
    "columns": Reader(
        _series, "def f(x, n, s):", {"pandas.Series": "x", "pandas.Series.str": "s.str"},
        ("1.0", "x > 1", "x", "2.0", "'a'", "[1.0, 2.0]", "{'a': 1.0}"),
        ("return CALL", "return x.where(CALL, 0.0)", "return s.map({'a': 1.0}).where(CALL)", "return pd.Series(CALL)"),
    ),
    "batches": Reader(
        _batches, "def f(batches):\n    for pdf in batches:", {"pandas.DataFrame": "pdf", "pandas.Series": "pdf['x']", "pandas.Series.str": "pdf['s'].str"},
        ("pdf['x']", "pdf['x'] > 1", "1.0", "'a'", "'k'", "{'x': 'v'}", "[1.0, 2.0]"),
        (
            "    pdf['v'] = CALL\n        yield pdf[['k', 'v']]", "    p = pdf[CALL].copy()\n        p['v'] = p['x']\n        yield p[['k', 'v']]",
            "    p = CALL\n        p['v'] = p['x']\n        yield p[['k', 'v']]", "    p = pdf[['k', 'x']]\n        p = p.rename(columns={'x': 'v'})\n        yield CALL",
        ),
    ),
    "values of an RDD": Reader(
        _rdd, "def f(v):", {**_SCALAR, "builtins.list": "[a for a in v]"}, ("v", "[a for a in v]", "1.5", "'a'", "lambda a: a"),
        ("return CALL", "return len(CALL)", "x = 0.0\n    for x in CALL:\n        pass\n    return x"),
        '\nsales = spark.table("sales")\nr = sales.rdd.map(lambda r: (r.store, r.amount)).groupByKey().mapValues(f).filter(lambda kv: kv[1] > 1)\n',
        ("builtins", "heapq"),
    ),
    "elements of an RDD": Reader(
        _rdd, "def f(r):\n    x, s = r.amount, r.kind\n    xs = [1.0, x]", _SCALAR, ("x", "s", "'a'", "[1.0, x]", "lambda a: a"),
        ("return (r.store, CALL)", "return (r.store, float(len(CALL)))", "return (r.store, (CALL)[0])", "return (r.store, 2 if CALL else 0)"),
        '\nsales = spark.table("sales")\nr = sales.rdd.map(f).filter(lambda kv: kv[1] > 1)\n',
        ("builtins", "heapq"),
    ),
}  # fmt: skip
_BY_NAME = {
    "n": "2", "axis": "0", "start": "0", "class_or_tuple": "float", "columns": "{'x': 'v'}", "drop": "True", "orient": "'records'", "subset": "'x'", "sorting": "'x'",
    "iterable": "xs", "year": "2024", "month": "5", "day": "1", "i": "'x'", "key": "'a'",
}  # fmt: skip
"""Further values for parameters, by their names."""
FEW, MANY = 9, 60
"""How many calls of a function are tried."""
_OF_WITHOUT = ("drop", "rename", "dropna", "reset_index", "to_dict", "clip")
"""Methods that say nothing without one of their optional parameters."""


def understood(reader: Reader, call: str, place: str) -> bool:
    """Whether the reader gives a meaning to the function with ``call`` in ``place``."""
    ctx = Context.of(f"{HEADER}{reader.head}\n    {place.replace('CALL', call)}\n{reader.tail}")
    function = ctx.function("f")
    assert function is not None
    try:
        reader.read(ctx, function)
    except Refusal:
        return False
    return True


def _heads(reader: Reader, name: str) -> Iterator[str]:
    kind, _, method = name.rpartition(".")
    if kind in reader.receivers:
        yield f"{reader.receivers[kind]}.{method}"
    elif kind in reader.modules:
        yield method if kind == "builtins" else name


def _calls(reader: Reader, name: str, signature: Signature) -> Iterator[tuple[str, list[str]]]:
    """Calls that the model covers, as their heads and arguments."""
    required = [p for p in signature.parameters if p.required or p.kind == "star"]
    method = name.rpartition(".")[2]
    if method in _OF_WITHOUT:
        required += [p for p in signature.parameters if p.name in ("columns", "drop", "orient", "subset", "lower")]
    pools = [
        [f"{p.name}={v}" if p.kind in ("either", "keyword") and not p.required else v for v in _values(reader, p)]
        for p in required
    ]
    if any(p.kind == "names" for p in signature.parameters):
        pools.append(["hours=1", "v=1.0"])
    for head in _heads(reader, name):
        for given in itertools.islice(itertools.product(*pools), 40):
            yield head, list(given)


def _values(reader: Reader, p: Parameter) -> list[str]:
    if p.values is not None:
        return [repr(v) for v in p.values]
    return [_BY_NAME[p.name], *reader.values] if p.name in _BY_NAME else list(reader.values)


def _spoiled(head: str, given: list[str], signature: Signature) -> Iterator[str]:
    """The call with what its model does not cover."""
    text = ", ".join(given)
    kinds = {p.kind for p in signature.parameters}
    if "names" not in kinds:
        yield f"{head}({', '.join([*given, 'unknown_parameter=1'])})"
    yield f"{head}({', '.join([*given, '**more'])})"
    by_place = [g for g in given if "=" not in g.partition("(")[0] or g.startswith(("'", "lambda"))]
    if "star" not in kinds:
        places = sum(p.kind in ("positional", "either") for p in signature.parameters)
        yield f"{head}({', '.join([*by_place, *['None'] * (places + 1 - len(by_place))])})"
    yield f"{head}(*more{', ' + text if text else ''})"
    for p in signature.parameters:
        if p.kind in ("either", "keyword") and not p.required and not any(g.startswith(f"{p.name}=") for g in given):
            yield f"{head}({', '.join([*given, f'{p.name}=nobody_knows()'])})"


def walk(names: Iterable[str], readers: Mapping[str, Reader]) -> tuple[dict[str, str], list[str]]:
    """The calls that are understood, by reader and name, and those that are although no model covers them."""
    found: dict[str, str] = {}
    complaints: list[str] = []
    for name, (title, reader) in itertools.product(names, readers.items()):
        signature = models.signature_of(name)
        known = None if signature is None else _understood_call(reader, name, signature)
        if signature is None or known is None:
            continue
        head, given, place = known
        found[f"{title}: {name}"] = f"{head}({', '.join(given)})"
        spoiled = _spoiled(head, given, signature)
        accepted = [call for call in spoiled if understood(reader, call, place)]
        complaints += [f"{title}: {c}" for c in accepted if not (title == "keys of a group" and _has_namesake(name, c))]
    return found, complaints


def _has_namesake(name: str, call: str) -> bool:
    """Whether the model of a method of that name, of another class of Python's own, covers the call: what class a value
    is of is not known to the reader of keys."""
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    try:
        models.require_method(node)
    except (Refusal, AssertionError):
        return False
    return name in EFFECTS


def _understood_call(reader: Reader, name: str, signature: Signature) -> tuple[str, list[str], str] | None:
    """A call that the model covers and the reader understands, and where. Few are tried of a function about whose
    arguments the reader does not ask."""
    asked: list[str] = []
    bind = models.bind
    models.bind = lambda name, *rest: [asked.append(name), bind(name, *rest)][1]  # type: ignore[assignment, func-returns-value]
    try:
        calls = enumerate(_calls(reader, name, signature))
        tried = sorted(
            ((i + j, head, given, place) for i, (head, given) in calls for j, place in enumerate(reader.places)),
            key=lambda t: t[0],
        )
        for n, (_, head, given, place) in enumerate(tried):
            if n >= (MANY if name in asked else FEW):
                return None
            if understood(reader, f"{head}({', '.join(given)})", place):
                return head, given, place
    finally:
        models.bind = bind
    return None


NAMES = sorted({*registry.entries(), *EFFECTS})
LEAST = {"pandas group": 100, "keys of a group": 380, "keys of an arrow group": 100, "arrow group": 70, "row": 80, "values of an RDD": 10, "elements of an RDD": 10, "columns": 20, "batches": 25}  # fmt: skip
"""How many functions each reader understands in these programs, at the least."""


@pytest.mark.parametrize("title", READERS)
def test_no_reader_understands_what_no_model_covers(title: str) -> None:
    found, complaints = walk(NAMES, {title: READERS[title]})
    assert not complaints
    assert len(found) >= LEAST[title], sorted(found)


@pytest.mark.parametrize("name", ["pandas.Series.max", "pandas.DataFrame.sort_values"])
def test_a_reader_that_ignores_keywords_is_seen(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    real = PandasInterpreter._method

    def ignorant(self: PandasInterpreter, node: ast.Call, *rest: Any) -> Any:
        return real(self, ast.copy_location(ast.Call(node.func, node.args, []), node), *rest)

    monkeypatch.setattr(PandasInterpreter, "_method", ignorant)
    assert walk([name], {"pandas group": READERS["pandas group"]})[1]


def test_a_batch_makes_lists_as_a_table_does() -> None:
    """``RecordBatch.to_pylist`` is bound to the model of ``Table.to_pylist``."""
    assert inspect.signature(pa.RecordBatch.to_pylist) == inspect.signature(pa.Table.to_pylist)
