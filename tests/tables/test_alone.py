"""What has no model but is made of its row alone is so in pandas: the value in a row is the same whichever rows stand
beside it, also where a NULL among them gives a column another type. What is refused would be seen."""

# ruff: noqa: E501 - tables, many cases to a line
from __future__ import annotations

import ast
import itertools
import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from headwater.python.pandas.apply_in_pandas import fold_group_rows_alone
from headwater.python.pandas.unknown import ALONE, FUNCTIONS, TEXTS_ALONE, TOTAL
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater_ir import types as ty
from headwater_ir.plan import Field, Schema
from headwater_ir.problem import Fold

TYPES = {"h": "int16", "i": "int32", "n": "int64", "y": "float64", "z": "float64", "f": "float32"}
SOURCE = Schema(
    (
        Field("k", ty.STRING), Field("h", ty.INT16), Field("i", ty.INT32), Field("n", ty.INT64),
        Field("y", ty.FLOAT), Field("z", ty.FLOAT), Field("f", ty.FLOAT32), Field("s", ty.STRING), Field("t", ty.STRING),
        Field("c", ty.INT32, nullable=False),
    )
)  # fmt: skip
VALUES: dict[str, tuple[Any, ...]] = {
    "h": (None, 0, 3, -4), "i": (None, 0, 1, -3, 2**31 - 1), "n": (None, 0, 5, -(2**40)), "c": (0, 2, -5),
    "y": (None, math.nan, 0.0, -0.0, 0.125, 1e300, math.inf, -math.inf, 2.675), "z": (None, 0.0, 3.0, -1.5),
    "f": (None, 0.1, -2.5), "s": (None, "", "a", " Ab "), "t": (None, "x", "aa"),
}  # fmt: skip
ALONE_TEXTS = (
    *(f"pdf['y'].{n}()" for n in sorted(ALONE & TOTAL.keys() - {"fillna"})),
    *(f"np.{n.removeprefix('numpy.')}(pdf.y)" for n in sorted(ALONE & FUNCTIONS.keys())),
    *(f"pdf['s'].str.{n}()" for n in sorted(TEXTS_ALONE - {"replace", "zfill", "slice"})),
    "pdf['y'].round(2)", "pdf['y'] / pdf['z']", "pdf['y'] / pdf['i']", "pdf['i'] / 2", "pdf['n'] / pdf['i']", "pdf['i'] * 2.5",
    "pdf['n'] + pdf['y']", "pdf['f'] * 2", "pdf['f'] / pdf['y']", "pdf['y'] * pdf['z'] / 3", "1 / pdf['y']", "(pdf['y'] + 1) / (pdf['z'] - 1)",
    "pdf['y'].abs() / 2", "pdf['y'].fillna(0) / pdf['z'].clip(0, 1)", "pdf['i'].astype(float)", "pdf['i'].astype('float64') + 0.5",
    "pdf['y'].astype(str)", "pdf['s'].astype(str)", "pdf['s'] + '_x'", "'<' + pdf['s'] + pdf['t']", "pdf['s'].str.upper() + pdf['t']",
    "pdf['s'].str.replace('a', 'b')", "pdf['s'].str.slice(0, 1)", "pdf['s'].str.zfill(4)", "pdf['c'] + 1", "pdf['c'].abs()", "pdf['c'].astype(str)",
    "pdf['i'] + 1", "pdf['n'] * 3", "pdf['i'] + 1 - pdf['n']", "(pdf['i'] + 1) / 2", "pdf['n'].fillna(0)", "pdf['i'].fillna(1.5)",
)  # fmt: skip
OTHERS = (
    "pdf['y'] - pdf['y'].mean()", "pdf['y'].rank()", "pdf['y'].cumsum()", "pdf['y'].shift(1)", "pdf['y'].diff()", "pdf['y'].ffill()",
    "pdf['y'].cummax()", "pdf['y'] / pdf['y'].sum()", "pdf['i'].astype(str)", "pdf['n'].astype('str')", "(pdf['i'] + 1).astype(str)",
    "np.sqrt(pdf['h'])", "pdf['h'] / 2 + np.sqrt(pdf['h'])", "pdf['y'].fillna(pdf['y'].max())", "np.max(pdf['y'])", "pdf['y'].max() > 1", "len(pdf)",
    "pdf['s'] + str(len(pdf))", "pdf['y'].interpolate()", "pdf['s'].duplicated()", "pdf.index", "str(pdf['i'].dtype)", "pdf['i'].mask(pdf['i'] > 0).astype(str)",
    "pdf['n'] * pdf['i']", "pdf['i'] * -1", "pdf['i'] * 0",
)  # fmt: skip
"""What looks at other rows, or shows the type of a whole column."""


def read(text: str) -> Fold | None:
    """The fold of a function that sets a column to this; None if it has none of single rows."""
    ctx = Context.of(
        f"import numpy as np\nimport pandas as pd\n\n\ndef f(pdf):\n    pdf['v'] = {text}\n    return pdf\n"
    )
    function = ctx.tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    for declared in (ty.FLOAT, ty.INT64, ty.STRING, ty.BOOL):
        output = Schema((Field("s", ty.STRING), Field("v", declared)))
        try:
            return fold_group_rows_alone(ctx, function, source=SOURCE, keys=("k",), output=output)
        except Refusal:
            continue
    return None


def frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """The rows as Spark shows a group."""

    def column(name: str) -> pd.Series:
        values = [r[name] for r in rows]
        whole = TYPES.get(name, "int32" if name == "c" else "object")
        floats = whole.startswith("int") and None in values
        return pd.Series(values, dtype="float64" if floats else whole)

    return pd.DataFrame({n: column(n) for n in VALUES})


def groups() -> Iterator[list[dict[str, Any]]]:
    """Rows together, those without a NULL, and in pairs with one that changes types."""
    every = [dict(zip(VALUES, r, strict=True)) for r in itertools.product(*VALUES.values())]
    rows = every[:: len(every) // 97]
    nothing = {**dict.fromkeys(VALUES), "c": 0}
    yield rows
    yield [r for r in every if None not in r.values()][::211][:40]
    for row in rows[::5]:
        yield [row, nothing]


def shown(value: Any) -> str:
    """A value as Spark stores it, whole numbers and floats alike."""
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return "NULL"
    return repr(float(value)) if isinstance(value, (int, float, np.number)) else repr(value)


def differences(text: str) -> Iterator[str]:
    """Rows in which the value is another one where the row stands alone."""
    code = compile(text, text, "eval")

    def values(rows: list[dict[str, Any]]) -> list[Any] | None:
        pdf = frame(rows)
        try:
            pdf["v"] = eval(code, {"pd": pd, "np": np, "pdf": pdf, "len": len, "str": str})
        except (TypeError, AttributeError, ValueError, OverflowError):
            return None
        return list(pdf["v"])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for rows in groups():
            together = values(rows)
            if together is None:
                continue
            for row, value in list(zip(rows, together, strict=True))[:30]:
                alone = values([row])
                if alone is None or shown(alone[0]) != shown(value):
                    yield f"{text}: {row}: {value!r} among others, {alone!r} alone"


@pytest.mark.parametrize("text", ALONE_TEXTS)
def test_made_of_its_row_alone(text: str) -> None:
    assert read(text) is not None
    wraps = {"pdf['i'] + 1", "pdf['i'] + 1 - pdf['n']", "(pdf['i'] + 1) / 2"}
    found = [d for d in differences(text) if text not in wraps or "2147483647" not in d]
    assert not found


@pytest.mark.parametrize("text", OTHERS)
def test_what_looks_at_other_rows_is_refused(text: str) -> None:
    assert read(text) is None


def test_wrapped_numbers_are_assumed_away() -> None:
    for text in ("pdf['i'] + 1", "(pdf['i'] + 1) / 2"):
        fold = read(text)
        assert fold is not None
        assert any(a.kind == "range" and "width" in a.text for a in fold.assumptions)
        assert any(differences(text))


def test_the_test_sees_other_rows() -> None:
    assert sum(any(differences(text)) for text in OTHERS) >= len(OTHERS) - 3
