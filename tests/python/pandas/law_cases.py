# ruff: noqa: E501 - tables, one entry to a line
"""Programs that reach each law of a pandas method, made from what the law is declared for, and the rows to run them on.

A program is a receiver, a call of the method on it, and a way to see what the call yields. Those that pandas never
accepts, and those that the reader refuses, play no part; of the others the fold is compared with pandas.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
import math
import random
import warnings
from collections.abc import Iterator
from functools import cache
from unittest import mock

import pandas as pd

from headwater.python.exprs.simplify import both, is_boolean, negate
from headwater.python.pandas.functions import Array
from headwater.python.pandas.methods.best_rows import Best, BestRows, Sorted
from headwater.python.pandas.methods.groups import GroupBy, Reduced
from headwater.python.pandas.methods.model import (
    ARRAY,
    FRAME,
    FRAME_GROUPS,
    GROUPS,
    NUMPY,
    SERIES,
    TEXTS,
    MethodCall,
    laws,
)
from headwater.python.pandas.methods.reductions import Aggregated, Counts
from headwater.python.rows.row_sequences import RowSequence, RowValues, Series
from headwater.python.values.scope import AbstractObject, Value
from headwater.semantics.calls import EXACT
from headwater.semantics.interpreter import EvaluationError, run_fold
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Arith, Col, Compare, Lit, Scalar
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold
from headwater_ir.types import BOOL, FLOAT, INT
from tests.conformance.test_pandas_rows import differences, element

from ..functions import GroupMap, spark_frame, stored
from ..harness import ERROR, Case, Rows, run_module, same, schema

TYPES = ("long", "int", "double", "string", "boolean", "date", "timestamp")
"""Of the column ``x``; ``y`` is of doubles, and ``n`` has whole numbers and no NULL."""
FULLY = ("long", "double", "string")
"""Types that all views are tried on."""
VALUES: dict[str, list[Scalar]] = {
    "long": [0, 1, -3, 29, 2**31 - 1, 2**40], "int": [0, 1, -3, 29, 2**31 - 1],
    "double": [0.0, -0.0, 1.0, 2.5, 29.0, -1.0, math.inf, -math.inf, math.nan],
    "string": ["", "a", "b", "A b", " a", "ERROR"], "boolean": [True, False],
    "date": [dt.date(2024, 1, 1), dt.date(2023, 12, 31)],
    "timestamp": [dt.datetime(2024, 1, 1), dt.datetime(2023, 12, 31, 23, 59, 59)],
}  # fmt: skip
RECEIVERS: dict[str, list[tuple[str, str]]] = {
    SERIES: [
        *((t, 'pdf["x"]') for t in TYPES), *((t, 'pdf[pdf["n"] > 0]["x"]') for t in TYPES),
        ("double", '(pdf["x"] - pdf["y"])'), ("double", '(pdf["x"] > 1)'), ("long", '(pdf["x"] == 29)'), ("string", '(pdf["x"] == "a")'),
        ("string", '(pdf["x"] != "a")'), ("double", '(pdf[pdf["n"] > 0]["x"] > 1)'),
    ],
    FRAME: [(t, owner) for t in ("long", "double", "string") for owner in ("pdf", 'pdf[pdf["n"] > 0]')],
    TEXTS: [("string", 'pdf["x"].str'), ("string", 'pdf[pdf["n"] > 0]["x"].str')],
}  # fmt: skip
RECEIVERS[ARRAY] = [(t, f"{owner}.values") for t, owner in RECEIVERS[SERIES]]
RECEIVERS[NUMPY] = [*RECEIVERS[SERIES], ("double", 'pdf["x"].values'), ("long", '(pdf["x"] == 29).values')]
RECEIVERS[FRAME_GROUPS] = [(t, 'pdf.groupby("x")') for t in FULLY]
RECEIVERS[GROUPS] = [
    ("string", 'pdf.groupby("x")["y"]'), ("string", 'pdf[pdf["n"] > 0].groupby("x")["n"]'), ("long", 'pdf.groupby("x")["y"]'),
]  # fmt: skip
RECEIVERS["pandas.DataFrame.head"] = RECEIVERS["pandas.DataFrame.tail"] = [
    *((t, f'pdf.sort_values("x", ascending={up})') for t in ("long", "double") for up in (True, False)),
    ("long", 'pdf.sort_values("n")'), ("double", 'pdf.sort_values("n", ascending=False)'),
]  # fmt: skip
"""Receivers by kind, each with the type of the column ``x``."""
ARGUMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys("eq ne lt le gt ge".split(), ("1", "2.5", "'a'", "pdf['y']")),
    **dict.fromkeys("add sub mul".split(), ("1", "0.5", "pdf['y']")),
    **dict.fromkeys("mod floordiv".split(), ("3",)),
    **dict.fromkeys("where mask".split(), ("pdf['y'] > 1", "pdf['y'] > 1, 0.5")),
    **dict.fromkeys("startswith endswith".split(), ("'a'", "'a', na=False", "''")),
    "contains": ("'a'", "'a', na=False", "''", "'^a|b'", "'(a|x)c', na=False", "'.', regex=False"),
    **dict.fromkeys("match fullmatch".split(), ("'a'", "'a', na=False", "'a|b'", "'^[ab]', na=False")),
    "between": ("0, 2", "'a', 'b'"), "isin": ("[1, 29]", "['a', '']", "[1.0]"), "fillna": ("0.5", "'a'"), "pandas.DataFrame.fillna": ("{'x': 0.5}", "{'x': 'a'}", "{'y': 1, 'x': 2.5}"),
    **dict.fromkeys("agg aggregate".split(), ("'max'", "'any'", "'count'", "func='mean'", "['max', 'min']", "['count']")),
    **dict.fromkeys(
        ("pandas.DataFrame.agg", "pandas.DataFrame.aggregate"),
        ("{'x': 'max'}", "{'n': 'sum', 'x': 'max'}", "{'y': 'count'}", "{'x': 'min', 'y': 'max'}"),
    ),
    "pandas.Series.sort_values": ("", "ascending=False"), "astype": ("int", "'int64'"),
    **dict.fromkeys("pandas.Series.max pandas.Series.sum pandas.Series.all".split(), ("", "skipna=True")),
    "pandas.Series.get": ("29, 0", "'a', 0", "2.5, 0"), "numpy.where": (" > 1, pdf['y'], 0.5",),
    "clip": ("0, 2", "lower=1", "upper=1.5"), "map": ("{'a': 1, 'b': 2.5}", "lambda c: c == 'a'"),
    **dict.fromkeys("nlargest nsmallest".split(), ("1", "n=2")), "groupby": ("'x'", "['x']"),
    **dict.fromkeys(("pandas.DataFrame.nlargest", "pandas.DataFrame.nsmallest"), ("1, 'x'", "2, 'n'", "n=1, columns=['n']")),
    "head": ("1", "n=2"), "tail": ("1",),
    "apply": ("lambda c: c == 29", "lambda c: 1 if c == 'a' else 0", "lambda c: c > 1", "func=lambda c: 0 if c == 'a' else 1"), "dropna": ("", "subset=['x']", "subset='y'"),
    "sort_values": ("'x'", "'n', ascending=False"), "reset_index": ("drop=True",), "to_dict": ("'records'",),
    "query": (
        "'x > 0.5'", "'x == 29'", '"x == \'a\'"', "'y < 2 and n > 0'", "'n == 0 | y > 1 & n < 2'", "'not (n == 0)'", "'~(y >= 1)'", "'0 < n <= 2'",
        "'n in [1, 2]'", '"x not in [\'a\', \'b\']"', "'x != y'", "'x == True'",
    ),
    "eval": ("'x > 0.5'", '"x == \'a\'"', "'y < 2 and not n > 0'"),
    "assign": ("x=pdf['y']", "x=lambda d: d['y'] * 2"), "drop": ("columns=['n']", "'n', axis=1", "labels=['n'], axis='columns'"), "rename": ("columns={'x': 'n', 'n': 'x'}",),
}  # fmt: skip
"""Arguments by method; none for the others."""
VIEWS: dict[str, tuple[str, ...]] = {
    SERIES: ("v = CALL", "v = (CALL).sum()", "v = (CALL).any()", "v = (CALL).count()",
             "v = 0\n    for c in CALL:\n        v += 1 if c == 'a' else 2", "v = 0\n    for c in CALL:\n        v += 1 if c == 29 else 2"),
    FRAME: ("v = len(CALL)", "v = (CALL)['x'].sum()", "v = None\n    for r in (CALL).itertuples():\n        v = r.x", "v = None\n    for r in CALL:\n        v = r.x",
            "v = None\n    for i, r in CALL:\n        v = r['x']", "v = None\n    for r in CALL:\n        v = r['x']", "g = CALL\n    g = g.assign(m=g['x'])\n    v = g['m'].count()"),
}  # fmt: skip
"""What makes one value of the result, by kind of the receiver."""
VIEWS[TEXTS] = VIEWS[SERIES]
VIEWS[ARRAY] = VIEWS[NUMPY] = ("v = CALL",)
VIEWS["pandas.DataFrame.query"] = VIEWS[FRAME][:2]  # pandas takes milliseconds for each
for _name in ("array", "asarray", "unique"):
    VIEWS[f"numpy.{_name}"] = ("v = (CALL).max()", "v = (CALL).min()", "v = 29 in CALL", "v = 'a' in CALL")
VIEWS["numpy.where"] = ("g = pdf.assign(w=CALL)\n    v = g['w'].sum()",)
VIEWS["pandas.Series.to_numpy"] = (
    "v = (CALL).max()", "v = 29 in CALL", "v = 'a' in CALL", "v = ((CALL) > 1).sum()", "g = pdf[CALL > 0]\n    v = len(g)",
)  # fmt: skip
VIEWS["pandas.Series.unique"] = ("v = 29 in CALL", "v = 'a' not in CALL", "v = (CALL).max()")
VIEWS["pandas.Series.tolist"] = VIEWS["pandas.Series.to_list"] = (*VIEWS[SERIES], "v = 29 in CALL", "v = 'a' in CALL")
VIEWS["pandas.Series.value_counts"] = (
    "v = (CALL).get(29, 0)",
    "v = (CALL).get('a', 0)",
    "v = (CALL).get(1.0, 0)",
    "v = (CALL).get(True, 0)",
    "v = (CALL)[False]",
)
VIEWS["pandas.Series.sort_values"] = (
    "v = (CALL).iloc[0]",
    "v = (CALL).iloc[-1]",
    "v = (CALL).iloc[1]",
    "v = (CALL).values[-2]",
)
VIEWS["pandas.Series.get"] = ("v = CALL",)
VIEWS["pandas.Series.agg"] = VIEWS["pandas.Series.aggregate"] = (
    *VIEWS[SERIES], "v = (CALL)['max']", "v = (CALL).loc['min']", "v = (CALL)['count']",
)  # fmt: skip
VIEWS["pandas.DataFrame.agg"] = VIEWS["pandas.DataFrame.aggregate"] = (
    "v = (CALL)['x']", "v = (CALL).loc['n']", "v = (CALL)['y']",
)  # fmt: skip
VIEWS["pandas.Series.idxmax"] = VIEWS["pandas.Series.idxmin"] = (
    "v = pdf.loc[CALL, 'x']", "v = pdf.loc[CALL]['n']", "v = pdf['y'][CALL]", "v = pdf['n'].loc[CALL]", "v = pdf.at[CALL, 'y']",
)  # fmt: skip
VIEWS["pandas.DataFrame.nlargest"] = VIEWS["pandas.DataFrame.nsmallest"] = (
    "v = (CALL)['x'].iloc[0]", "v = (CALL)['n'].iloc[0]", "v = (CALL).iloc[0]['y']", "v = (CALL)['n'].iloc[-1]", "v = (CALL)['n'].min()",
    "v = (CALL)['n'].max()", "v = len((CALL)['n'].tolist())", "v = (CALL)['n'].iloc[1]", "v = (CALL)['n'].iloc[-2]", "v = (CALL)['y'].iloc[1]",
)  # fmt: skip
VIEWS["pandas.DataFrame.head"] = VIEWS["pandas.DataFrame.tail"] = (
    "v = (CALL)['x'].iloc[0]", "v = (CALL)['n'].iloc[-1]", "v = (CALL)['x'].max()", "v = (CALL)['n'].min()", "v = (CALL)['n'].iloc[1]",
)  # fmt: skip
VIEWS[FRAME_GROUPS] = ("v = (CALL).get('a', 0)", "v = 29 in (CALL)", "v = (CALL).loc[29]", "v = (CALL).get(1.0, 0)")
VIEWS["pandas.SeriesGroupBy.size"] = VIEWS[FRAME_GROUPS]
VIEWS[GROUPS] = ("v = (CALL).get('a', -1)", "v = (CALL)['a']", "v = (CALL).loc[29]", "v = (CALL).get(29, 0.5)")
VIEWS["pandas.Series.nlargest"] = VIEWS["pandas.Series.nsmallest"] = (
    "v = (CALL).iloc[0]", "v = (CALL).iloc[-1]", "v = (CALL).values[0]", "v = (CALL).max()", "v = (CALL).min()",
    "v = (CALL).iloc[1]", "v = (CALL).iloc[-2]",
)  # fmt: skip
VIEWS["pandas.DataFrame.groupby"] = (
    "v = (CALL).size().get('a', 0)", "v = 29 in (CALL).size()", "v = (CALL).size().loc[29]",
)  # fmt: skip
VIEWS["pandas.DataFrame.eval"] = VIEWS[SERIES][1:3]
RECEIVERS["pandas.Series.get"] = [(t, f"{owner}.value_counts()") for t, owner in RECEIVERS[SERIES]]
BODY = "\nimport pandas as pd\nimport numpy as np\n\ndef f(pdf):\n    {view}\n    return pd.DataFrame([{{'k': pdf['k'].iloc[0], 'v': v}}])\n"
OUTPUTS = {bool: "boolean", int: "long", float: "double", str: "string", dt.datetime: "timestamp", dt.date: "date"}


@cache
def rows_of(t: str) -> tuple[Rows, ...]:
    """Groups of rows: one and several, with and without NULL, with duplicates, and such of which no row has ``n > 0``."""
    found: list[Rows] = []
    for size, seed in itertools.product((2, 5), range(7)):
        chance = random.Random(f"{t}{size}{seed}")
        xs = VALUES[t] if seed % 2 else [None, None, *VALUES[t]]
        ys = VALUES["double"] if seed % 3 else [None, *VALUES["double"]]
        ns = [0] if seed == 6 else [0, 1, 2]
        found.append(
            [{"k": "g", "x": chance.choice(xs), "y": chance.choice(ys), "n": chance.choice(ns)} for _ in range(size)]
        )
    found += [[{"k": "g", "x": v, "y": 1.5, "n": i % 2}] for i, v in enumerate((None, *VALUES[t], None))]
    return tuple(found)


@cache
def frames_of(t: str) -> tuple[pd.DataFrame, ...]:
    """The groups as Spark hands them over, to be copied."""
    return tuple(spark_frame(rows, columns_of(t)) for rows in rows_of(t))


def programs(name: str) -> Iterator[tuple[str, str, str]]:
    """Programs for the law of this full name: the type of ``x``, the call, and the body of the function."""
    kind, _, method = name.rpartition(".")
    for (t, owner), arguments in itertools.product(
        RECEIVERS.get(name, RECEIVERS[kind]), ARGUMENTS.get(name, ARGUMENTS.get(method, ("",)))
    ):
        call = f"{owner}.{method}({arguments})"
        if kind == NUMPY:
            call = f"np.{method}({owner}{arguments})"
        views = VIEWS.get(name, VIEWS[kind])
        for view in views if t in FULLY else views[:3]:
            yield t, call, BODY.format(view=view.replace("CALL", call))


@cache
def output_of(body: str, t: str) -> str | None:
    """The Spark type of what the function with this body yields; None if pandas never accepts it."""
    f = run_module(body)["f"]
    for frame in frames_of(t)[::5]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = f(frame.copy())["v"].tolist()[0]
        except Exception:
            continue
        value = value.to_pydatetime() if hasattr(value, "to_pydatetime") else value
        if type(value) in OUTPUTS and value == value:
            return OUTPUTS[type(value)]
    return None


@cache
def columns_of(t: str) -> Schema:
    """The schema of the groups."""
    return schema(f"k string, x {t}, y double, n long not null")


@cache
def real(body: str, t: str, output: str) -> tuple[object, ...]:
    """What pandas makes of each of the groups, as Spark stores it."""
    f, out = run_module(body)["f"], schema(f"k string, v {output}")

    def one(frame: pd.DataFrame) -> object:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return stored(f(frame), out)
        except Exception:
            return ERROR

    def with_reason(rows: Rows, frame: pd.DataFrame) -> object:
        found = one(frame.copy())
        alone = found == ERROR and any(one(spark_frame([row], columns_of(t))) == ERROR for row in rows)
        return "error of one row" if alone else found

    return tuple(map(with_reason, rows_of(t), frames_of(t)))


def of_groups(name: str) -> tuple[list[str], int]:
    """Where the law of this full name differs from pandas in functions over groups, and how many programs reach it. An
    error that one row alone causes may be any value. Of a program, one difference."""
    found: list[str] = []
    reached = 0
    for t, call, body in programs(name):
        output = output_of(body, t)
        if output is None:
            continue
        case = GroupMap(body, f"k string, x {t}, y double, n long not null", f"k string, v {output}")
        try:
            fold = Case.fold.__wrapped__(case)  # type: ignore[attr-defined] # made anew: laws are replaced by wrong ones
        except Refusal:
            continue
        pairs = [
            (rows, e) for rows, e in zip(rows_of(t), real(body, t, output), strict=True) if e != "error of one row"
        ]
        reached += bool(pairs)
        for rows, expected in pairs:
            model = _computed(fold, _as_seen(name, call, t, rows))
            if not same(model, expected):
                found.append(f"{t}: {call}: {rows}: {model} is not {expected}: {body}")
                break
    return found, reached


def _computed(fold: Fold, rows: Rows) -> object:
    try:
        return run_fold(fold, rows)
    except EvaluationError:
        return ERROR


def of_rows(name: str) -> tuple[list[str], int]:
    """As ``of_groups``, in pandas UDFs over columns, which are given their rows in batches of every kind."""
    kind, _, method = name.rpartition(".")
    accessor = ".str" if kind == TEXTS else ""
    found: list[str] = []
    reached = 0
    for column, given in itertools.product(
        ("s",) if kind == TEXTS else ("i", "y", "s", "b", "(y - z)", "(y > 1)"), ARGUMENTS.get(method, ("",))
    ):
        text = f"{column}{accessor}.{method}(" + given.replace("pdf['y']", "z") + ")"
        for declared in ("double", "boolean", "bigint", "string"):
            try:
                e = element.__wrapped__(text, declared)
            except Refusal:
                continue
            wrong, compared = differences(text, e)
            reached += compared > 20
            found += wrong[:1]
    return found, reached


def complaints(name: str) -> list[str]:
    """What is wrong with the law of this full name: where it differs from pandas, or that no program reaches it."""
    kind, needs = name.rpartition(".")[0], laws()[name].needs
    with mock.patch.dict(EXACT, {f"str.{m}": getattr(str, m) for m in dir(str) if not m.startswith("_")}):
        groups, reached = of_groups(name)
        rows, also = of_rows(name) if kind in (SERIES, TEXTS) else ([], 0)
    silent = [] if reached or also else [f"{name}: no program reaches its law"]
    if also and needs != "its own row":
        silent.append(f"{name} is read in single rows")
    return [*silent, *groups, *rows]


def wrong(name: str) -> None:
    """Replaces the law of this full name by one with another value: planted to see that it is seen."""
    model = laws()[name]
    some = Compare(">", Col("n"), Lit(1, INT), "python")

    def law(call: MethodCall) -> Value:
        value = model.law(call)
        if isinstance(value, Series):
            other = negate(value.element) if is_boolean(value.element) else Lit(29.0, FLOAT)
            return Series(value.frame, other, present=True, listed=value.listed)
        if isinstance(value, Sorted):
            return dataclasses.replace(value, descending=not value.descending)
        if isinstance(value, (Best, BestRows)):
            return dataclasses.replace(value, greatest=not value.greatest)
        if isinstance(value, Aggregated):
            return Aggregated(tuple((n, Arith("+", v, Lit(1, INT), "python")) for n, v in value.values))
        if isinstance(value, Reduced):
            return dataclasses.replace(value, name="count" if value.name == "sum" else "sum")
        if isinstance(value, Counts):
            return Counts(call.run.group.series(value.series.frame, "n"))
        if isinstance(value, GroupBy):
            return GroupBy(Counts(call.run.group.series(value.counts.series.frame, "n")))
        if isinstance(value, Array):
            return Array(Series(value.series.frame, Lit(29.0, FLOAT), present=True), value.distinct)
        if isinstance(value, RowSequence):
            return dataclasses.replace(value, mask=both(value.mask, some))
        if isinstance(value, RowValues):
            return RowValues(dataclasses.replace(value.frame, mask=both(value.frame.mask, some)), value.row)
        if isinstance(value, AbstractObject) or call.run.scope.type(value) == BOOL:
            return negate(value)  # type: ignore[arg-type]
        return Arith("+", value, Lit(1, INT), "python")

    laws()[name] = dataclasses.replace(model, law=law)


def _as_seen(name: str, call: str, t: str, rows: Rows) -> Rows:
    """The rows in the order in which the function sees them: a fold is of the rows in that order."""
    if not name.endswith(".sort_values"):
        return rows
    order = eval(f"({call}).index.tolist()", {"pdf": spark_frame(rows, columns_of(t))})
    return [rows[i] for i in (*order, *(j for j in range(len(rows)) if j not in order))]


NAMES = sorted(laws())
