# ruff: noqa: E501 - programs and tables, one to a line
"""The folds against CPython and real pandas, on adversarial rows: None, NaN, infinities, -0.0, duplicates, one row."""

from __future__ import annotations

import datetime as dt
import itertools
import math
import random
from collections.abc import Iterator

import pytest

from headwater.semantics.interpreter import EvaluationError, run_fold
from headwater_ir.expr import Scalar
from headwater_ir.types import Type

from .cases import CASES
from .harness import ERROR, Case, Rows, row_fold, run_module, same, schema

VALUES: dict[str, list[Scalar]] = {
    "int": [None, 0, 1, 2, 6, 7, -3, 2**31 - 1],
    "float": [None, math.nan, 0.0, -0.0, 1.0, 2.5, 6.0, -1.0, math.inf, -math.inf],
    "string": [None, "", "a", "b", "time", "place", "premium"],
    "bool": [None, True, False],
    "date": [None, dt.date(2024, 1, 1), dt.date(2023, 12, 31)],
    "timestamp": [None, dt.datetime(2024, 1, 1), dt.datetime(2023, 12, 31, 23, 59, 59)],
}


def groups(case: Case) -> Iterator[Rows]:
    """Groups of one to five rows; the key is the same in each."""
    fields = schema(case.columns).fields
    for key in [v for v in VALUES[fields[0].type.name] if v != ""][:3]:
        for size, seed in itertools.product((1, 2, 3, 5), range(12)):
            chance = random.Random(f"{key}{size}{seed}")
            yield [
                {fields[0].name: key, **{f.name: chance.choice(_pool(f.type, seed)) for f in fields[1:]}}
                for _ in range(size)
            ]


def _pool(t: Type, seed: int) -> list[Scalar]:
    """A third of the groups has no None."""
    values = VALUES[t.name]
    return values[1:] if seed % 3 == 0 else values


@pytest.mark.parametrize("name", sorted(CASES))
def test_fold_is_the_function(name: str) -> None:
    case = CASES[name]
    outcomes = set()
    for rows in groups(case):
        real = case.real(rows)
        outcomes.add("error" if real == ERROR else "none" if real is None else "row")
        for none in (False,):
            model = case.model(_ordered(name, rows), none)
            assert same(model, real), (name, rows, model, real)
    assert outcomes != {"error"}, "the case never runs"


def _ordered(name: str, rows: Rows) -> Rows:
    """The rows in the order in which the function sees them."""
    if name != "sorted":
        return rows
    return sorted(rows, key=lambda r: (r["x"] is None or r["x"] != r["x"], r["x"] or 0.0))


ROWS = {
    "discount": ('def f(price, category):\n    return price * 0.9 if category == "premium" else price', "double, string", "double"),
    "category": (
        "def f(s):\n"
        + "".join(f"    if {c!r} in s:\n        return {c.lower()!r}\n" for c in "ABCDEFGHIJKLMN")
        + "    return 'other'",
        "string",
        "string",
    ),
    "elif": ("def f(x):\n    if x is None or x != x:\n        return 'none'\n    elif x > 2:\n        return 'high'\n    return 'low'", "double", "string"),
    "none result": ("def f(x):\n    if x is not None and x > 1:\n        return x", "long", "long"),
    "flag": ("def f(x, y):\n    return not x and y == 'a'", "boolean, string", "boolean"),
    "modulo": ("def f(x):\n    return x % 3 == 1", "long", "boolean"),
    "floor": ("def f(x, y):\n    return x // y > 0 if y else False", "long, long", "boolean"),
    "divide": ("def f(x, y):\n    return x / y", "double, double", "double"),
    "chain": ("def f(x):\n    return 0 <= x < 2.5", "double", "boolean"),
    "in none": ("def f(x):\n    return x in ('a', None)", "string", "boolean"),
    "not in": ("def f(x):\n    return x not in {1, 2}", "double", "boolean"),
    "isnan": ("def f(x):\n    return math.isnan(x)", "double", "boolean"),
    "isna": ("def f(x):\n    return pd.isna(x)", "double", "boolean"),
    "minmax": ("def f(x, y):\n    return min(max(x, 0.0), y)", "double, double", "double"),
    "starts": ("def f(s):\n    return s is not None and (s.startswith('p') or s.endswith('e'))", "string", "boolean"),
    "negative": ("def f(x):\n    y = -x\n    return y", "double", "double"),
    "small": ("def f(x):\n    return 1 if x else 0", "string", "int"),
    "raise": ("def f(x):\n    if x is None:\n        raise ValueError('x')\n    assert x != 1\n    return True", "long", "boolean"),
    "str of str": ("def f(x):\n    return str(x)", "string", "string"),
    "unbound": ("def f(x):\n    if x == 'a':\n        y = 1\n    return y > 0", "string", "boolean"),
    "date": ("def f(d):\n    return d is not None and d >= datetime.date(2024, 1, 1)", "date", "boolean"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(ROWS))
def test_row_function(name: str) -> None:
    source, types, returns = ROWS[name]
    columns = ", ".join(f"c{i} {t.strip()}" for i, t in enumerate(types.split(",")))
    fold = row_fold("import datetime\n" + source, columns, returns)
    function = run_module(source)["f"]
    fields = schema(columns).fields
    pools = [[*VALUES[f.type.name], "xAy", "N"] if f.type.name == "string" else VALUES[f.type.name] for f in fields]
    for values in itertools.product(*pools):
        try:
            real: object = {"out": function(*values)}
        except Exception:
            real = ERROR
        try:
            model: object = run_fold(fold, [{f.name: v for f, v in zip(fields, values, strict=True)}])
        except EvaluationError:
            model = ERROR
        assert same(model, real), (values, model, real)
