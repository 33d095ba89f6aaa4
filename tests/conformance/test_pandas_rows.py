"""Operators on columns mean in pandas what the front end reads in them, row by row, however the rows are cut into
batches; and what is said to pass a key through does, on groups of every kind."""

# ruff: noqa: E501 - tables, many cases to a line
from __future__ import annotations

import ast
import itertools
import math
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater.syntax.refusal import Refusal
from headwater_ir import expr as ir
from headwater_ir.plan import GroupMap, RowUdf
from tests.pyspark.render import last

pd = pytest.importorskip("pandas")
np = pytest.importorskip("numpy")
HEAD = """
from pyspark.sql import functions as F, SparkSession
import pandas as pd
import numpy as np
spark = SparkSession.builder.getOrCreate()
df = spark.read.schema("i int, y double, z double, s string, b boolean").parquet("p")
"""
COLUMNS: dict[str, list[Any]] = {
    "i": [None, 0, 1, -1, 3, 2**31 - 1],
    "y": [None, math.nan, 0.0, -0.0, 1.5, math.inf, -math.inf, 1e308, 3.0],
    "z": [None, math.nan, 2.0, -math.inf, 0.1],
    "s": [None, "", "a", "b"],
    "b": [None, True, False],
}
ELEMENTS = {
    "double": (
        "y * 2", "y + 1.5", "y - z", "y * z", "1 - y", "(y + z) * 0.5", "i * 2.5", "i + y", "y.fillna(0)",
        "y.where(y > 1, 0)", "y.where(y > 1)", "y.mask(z < 3, -1.5)", "(y + z).where(i > 0, y)", "y.where(y.isna(), z) * 2",
        "pd.Series(np.where(y > 1, y, z))", "pd.Series(np.where(s == 'a', 1, 0.5))", "s.map({'a': 1, 'b': 2.5})",
        "s.map({'': -1.0})", "i % 3 + y", "y.mask(y > 1).fillna(7)",
        "y.fillna(0) + z", "y.abs()", "(y - z).abs()", "y.clip(0, 1)", "y.clip(lower=-1.5)", "y.clip(None, 2)",
        "(y * 2).clip(upper=-3)", "y.add(z)", "y.sub(1).mul(z)", "i.mod(3).add(y)",
        "(y * 2).fillna(-1.0)", "y.fillna(1).fillna(2)", "(y + z).fillna(0) - 1.5", "y.copy()",
    ),
    "boolean": (
        "y > 3", "~(y > 3)", "y != 3", "y == z", "y <= z", "i > 1", "i != 1", "~(i == 1)", "i < y", "s == 'a'", "s != 'a'",
        "y.isna()", "i.notna()", "s.isnull()", "~s.notnull()", "i.isin([1, 3])", "s.isin(['a', ''])", "~y.isin([1.5])",
        "i % 3 == 1", "i // 2 > 0", "i % 127 != 5", "s.str.startswith('a')", "s.str.endswith('b', na=False)",
        "s.str.contains('a')", "s.str.contains('a|b')", "s.str.match('a|^b')", "s.str.fullmatch('[ab]')", "~s.str.contains('.', regex=False, na=False)", "y.between(0, 2)", "i.between(1, 3)",
        "~y.between(-1, 1.5)", "s.str.len() > 0", "s.str.len() == 1", "y.where(i > 0) > 1",
        "(y > 1) & (z < 3)", "(y > 1) | s.isin(['b'])", "~((y > 1) & ~(i > 0))", "y * 2 > 3", "y.fillna(0) >= 0",
        "y.gt(1)", "~y.le(z)", "i.ne(1)", "s.eq('a')", "s.fillna('a') == 'a'", "y.clip(0, 1) == 1",
    ),
    "int": ("i", "i.copy()", "i % 3", "i // 2"),
    "string": ("s", "s.copy()", "s.str.lower()", "s.str.strip()", "s.fillna('none')"),
}  # fmt: skip
BETWEEN_ROWS = (
    "y.cumsum()", "y.rank()", "y.shift(1)", "y.diff()", "y - y.mean()", "y - y.max()", "y[y > 1]", "y.sort_values()",
    "y.ffill()", "y.bfill()", "y.head(1)", "y.astype(str)", "i.astype(str)", "i * 2", "i + i", "y / z", "y // 2", "y * len(y)",
    "y > max(y)", "y == y.iloc[0]", "y.interpolate()", "y.fillna(y.mean())", "y.duplicated()", "y.where(y > 1, y.shift())", "y.where(y.shift() > 1)", "np.where(y > 1, y, z)", "i % 200", "i % 0", "i % z", "y % 3", "s.str.contains('a+b')", "s.str.contains('a$')", "s.str.contains('.')", "s.map({'a': 'b'})", "y.between(z, 3)[1:]", "~s.str.startswith('a')", "i // -1", "-y",
    "y.round()", "s + s", "y.map(str)", "y.clip(1, 0)", "y.clip(z)", "i.clip(0, 1)", "y.clip(0, axis=0)", "y.fillna('a')", "i.fillna('a')", "y.gt(1, fill_value=0)", "y.isin(z)", "y + y.values", "~b", "y.values",
)  # fmt: skip


@cache
def element(text: str, declared: str) -> ir.Expr:
    """What the front end reads in an expression over columns; Refusal if it has no meaning."""
    names = [n for n in "iyzsb" if n in _names(text)]
    source = HEAD + f"f = F.pandas_udf(lambda {', '.join(names)}: {text}, {declared!r})\n"
    plan = last(f"df.withColumn('out', f({', '.join(map(repr, names))})).filter(F.col('y').isNull())", source).child
    if not isinstance(plan, RowUdf):
        raise Refusal("opaque", text)
    return plan.fold.outputs[0].value


def _names(text: str) -> set[str]:
    return {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}


def series(name: str, values: list[Any]) -> Any:
    """A column as Spark shows it to a pandas UDF."""
    missing = None in values
    if name == "i":
        return pd.Series(values, dtype="float64" if missing else "int32")
    return pd.Series(values, dtype="float64" if name in "yz" else object)


def batches() -> Iterator[list[dict[str, Any]]]:
    """Rows alone, in pairs with one that may change how all look, and together."""
    rows = [dict(zip(COLUMNS, r, strict=True)) for r in itertools.product(*COLUMNS.values())][::19]
    nothing = dict.fromkeys(COLUMNS)
    yield rows
    yield [r for r in rows if r["i"] is not None]
    for row in rows[:40]:
        yield [row]
        yield [row, nothing]


def stored(value: Any) -> Any:
    """What Spark stores of a value in a pandas column."""
    return None if value is None or value != value else value.item() if hasattr(value, "item") else value


def differences(text: str, e: ir.Expr) -> tuple[list[str], int]:
    """Where an expression over columns yields something else than ``e``, and in how many rows they were compared."""
    code = compile(text, text, "eval")
    found: list[str] = []
    compared = 0
    for rows in batches():
        columns = {n: series(n, [r[n] for r in rows]) for n in COLUMNS}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = eval(code, {"pd": pd, "np": np}, columns).tolist()
        except (TypeError, AttributeError):  # such a batch fails, with and without the rows that a pre-filter drops
            continue
        if len(made) != len(rows):
            return [f"{text} has not one value for each row"], compared
        for row, value in zip(rows, made, strict=True):
            try:
                expected = evaluate(e, Env(row=row))
            except EvaluationError:
                continue
            compared += 1
            if stored(value) != expected:
                found.append(f"{text}: {row}: {value}, not {expected}")
    return found, compared


@pytest.mark.parametrize(("declared", "text"), [(d, t) for d, texts in ELEMENTS.items() for t in texts])
def test_elements(declared: str, text: str) -> None:
    found, compared = differences(text, element(text, declared))
    assert not found
    assert compared > 100


@pytest.mark.parametrize("text", BETWEEN_ROWS)
def test_what_has_no_meaning_for_one_row(text: str) -> None:
    for declared in ("double", "boolean", "string", "bigint"):
        with pytest.raises(Refusal):
            element(text, declared)


KEPT = (
    "return pdf[pdf.y > 1]", "return pdf.head(1)", "return pdf.tail(2)", "return pdf.iloc[[0]]", "return pdf.iloc[1:]",
    "return pdf.nlargest(2, 'y')", "return pdf.nsmallest(1, 'y')", "return pdf.loc[pdf.y > 1, ['k', 'y']]", "return pdf.loc[pdf.y > 1]",
    "return pdf.sort_values('y', ascending=False)", "return pdf.drop_duplicates(subset=['y'])", "return pdf.dropna()", "return pdf.copy()",
    "return pdf.query('y > 1 or y == 0')", "return pdf.reset_index()", "return pdf.sort_values('y').reset_index(drop=True)", "return pdf.ffill()", "return pdf.bfill()",
    "return pdf.rename(columns={'y': 'w'})", "return pdf.drop(columns=['y'])", "return pdf.drop('y', axis=1)", "return pdf.drop(pdf[pdf.y > 1].index)",
    "return pdf.fillna({'y': 0})", "return pdf.astype({'y': 'float32'})", "return pdf.assign(w=1, v=lambda d: d.y * 2)", "return pdf[['k', 'y']]",
    "pdf = pdf[pdf.y > 1]\n    pdf['w'] = pdf['y'].rank()\n    return pdf", "pdf = pdf[pdf.y > 1]\n    pdf['w'] = 'x'\n    return pdf",
    "pdf['w'] = list(range(len(pdf)))\n    return pdf", "pdf.loc[pdf.y > 1, 'y'] = 0\n    return pdf", "pdf.loc[:, 'y'] = 0.0\n    return pdf",
    "pdf.insert(0, 'w', pdf['y'].diff())\n    return pdf", "pdf.dropna(inplace=True)\n    pdf['w'] = 1\n    return pdf", "pdf['y'] += 1\n    return pdf",
    "pdf['w'] = pdf['y'].to_numpy()\n    return pdf", "return pdf.assign(w=pdf.ndim)", "pdf['w'] = pdf['y'].astype(str).str.upper()\n    return pdf",
    "pdf['w'] = pd.to_datetime(pdf['y']).dt.year\n    return pdf",
    "return pd.DataFrame({'k': pdf['k'].iloc[0], 'w': pdf['y']})", "return pd.DataFrame({'k': pdf['k'], 'w': pdf['y'] * 2})",
    "return pd.DataFrame({'k': [pdf['k'].values[0]], 'w': [pdf['y'].max()]})", "return pd.DataFrame({'k': [pdf.k.unique()[0]] * 2, 'w': [1, 2]})",
    "return pd.DataFrame([[pdf['k'].iloc[0], 1]], columns=['k', 'w'])", "return pd.DataFrame([{'k': pdf['k'].iat[0], 'w': w} for w in pdf['y']])",
    "if pdf['y'].max() > 1:\n        pdf = pdf[pdf.y > 1]\n    else:\n        pdf = pd.DataFrame(columns=['k', 'y'])\n    return pdf",
    "rows = []\n    for y in pdf['y']:\n        rows.append((pdf['k'].iloc[0], y))\n    return pd.DataFrame(rows, columns=['k', 'w'])",
    "while len(pdf) > 2:\n        pdf = pdf.iloc[1:]\n    return pdf", "return pdf[pdf.k.isin([1, 2])]", "return pdf[pdf['y'].between(0, 2)]",
)  # fmt: skip
LOST = (
    "return pdf.fillna(0)", "return pdf[pdf > 1]", "return pdf.shift(1)", "return pdf.replace(1, 2)", "return pdf.where(pdf.y > 1)",
    "return pdf.reindex([0, 7])", "pdf.loc[len(pdf), 'y'] = 1\n    return pdf", "pdf.loc[9] = 1\n    return pdf", "return pdf.apply(lambda c: c * 2)",
    "w = pdf[pdf.y > 9]\n    w['w'] = pdf['y']\n    return w", "w = pdf[pdf.y > 9]\n    w['w'] = [1]\n    return w", "return pdf[pdf.y > 9].assign(w=pdf.y)",
    "return pdf.assign(k=1)", "pdf['k'] = pdf['k'] + 1\n    return pdf", "return pdf.rename(columns={'y': 'k', 'k': 'y'})", "return pdf.rename(columns=str.upper)",
    "return pd.DataFrame({'k': pdf[pdf.y > 1]['k'], 'w': pdf['y']})", "return pd.DataFrame({'k': [1, 2]})", "return pd.DataFrame({'k': pdf['k']}, index=[0, 9])",
    "return pd.DataFrame([[pdf['k'].iloc[0]], [5]], columns=['k'])", "return pdf.agg('sum').to_frame().T", "return pdf.groupby('k').sum().reset_index()",
    "return pd.concat([pdf, pd.DataFrame({'k': [9]})])", "return pdf.cumsum()", "return pdf * 2", "pdf['k'].values[:] = 0\n    return pdf", "pdf.fillna(0, inplace=True)\n    return pdf",
    "w = pdf\n    w['k'] = 9\n    return pdf", "pdf.k += 1\n    return pdf", "pdf['k'] += 1\n    return pdf", "pdf.columns = ['y', 'k']\n    return pdf", "k = pdf['k']\n    k += 1\n    return pdf",
    "return pdf.mask(pdf.y > 1, 0)", "return pdf.set_index('y').reset_index()", "return pdf.drop(columns='k').reset_index().rename(columns={'index': 'k'})", "return pdf.sample(1)",
    "return pdf.round(0)", "return pdf.astype(str)", "pdf.update(pdf * 2)\n    return pdf", "return pdf.query('k = 1')", "return pdf.eval('k = 1')",
)  # fmt: skip


@cache
def passes(body: str) -> bool:
    """Whether the front end says that the function with this body passes the key through."""
    source = HEAD.replace("i int", "k int") + f"\ndef g(pdf):\n    {body}\n"
    plan = last("df.groupBy('k').applyInPandas(g, 'k int, w double').filter('k = 1')", source).child
    return isinstance(plan, GroupMap) and any(n == ir.Col("k") for n in ir.walk(plan.fold.output("k").value))


def groups() -> Iterator[Any]:
    """Groups of one key, with and without rows that pass what the functions ask."""
    keys: tuple[Any, ...] = (1, 2, None)
    values: tuple[list[Any], ...] = ([5.0], [0.0], [None], [5.0, 0.0, 2.0], [0.0, 0.0], [None, 3.0])
    for k, ys in itertools.product(keys, values):
        dtype = "float64" if k is None else "int32"
        yield k, pd.DataFrame({"k": pd.Series([k] * len(ys), dtype=dtype), "y": pd.Series(ys, dtype="float64")})


def keeps(body: str) -> bool:
    """Whether every row that the function returns holds its group's key."""
    namespace: dict[str, Any] = {"pd": pd}
    exec(f"def g(pdf):\n    {body}", namespace)
    for k, pdf in groups():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = namespace["g"](pdf)
        except Exception:  # such a group fails
            continue
        if "k" not in found or any(stored(v) != k for v in found["k"].tolist()):
            return False
    return True


@pytest.mark.parametrize("body", KEPT)
def test_passes_the_key_through(body: str) -> None:
    assert passes(body)
    assert keeps(body)


@pytest.mark.parametrize("body", LOST)
def test_may_lose_the_key(body: str) -> None:
    assert not passes(body)


def test_the_test_tells_a_lost_key() -> None:
    assert sum(not keeps(body) for body in LOST) > 20
