"""What costs only itself where nothing reads it: each listed method and function raises on no column of numbers,
changes nothing, and gives what it is said to give. Those that raise on some column are seen."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from headwater.python.pandas.unknown import FUNCTIONS, TOTAL

ENTRIES = ("argmax", "idxmax", "idxmin", "item", "squeeze_to_item")
"""Methods that are not listed, for they raise where there is no row, or not exactly one."""


def _columns() -> Iterator[pd.Series]:
    values = [[], [0], [1, 2, 2, -3], [2**31 - 1, -(2**31)]]
    floats = [[], [np.nan], [0.0, -0.0, 1.5, np.nan, np.inf, -np.inf], [np.inf, -np.inf], [2.5, 2.5]]
    for dtype in ("int8", "int16", "int32", "int64"):
        for value in values[:3] if dtype in ("int8", "int16") else values:
            yield pd.Series(value, dtype=dtype)
            yield pd.Series(value, dtype=dtype)[lambda s: s > 0]
    for dtype in ("float32", "float64"):
        for value in floats:
            yield pd.Series(value, dtype=dtype)


def _calls(name: str) -> Iterator[Any]:
    """The method or function of this name with each argument that it may be given."""
    if name in FUNCTIONS:
        yield getattr(np, name.removeprefix("numpy."))
        return
    if name == "squeeze_to_item":
        yield lambda s: s.squeeze().item()
        return
    numbers = TOTAL[name][1] if name in TOTAL else None
    if name != "fillna":
        yield lambda s: getattr(s, name)()
    for number in (0, 1, -1, 127) if numbers else ():
        yield lambda s, number=number: getattr(s, name)(number)
    if numbers and float in numbers:
        yield lambda s: getattr(s, name)(1.5)


def complaints(name: str, kind: str) -> list[str]:
    """What is wrong with the entry ``name``."""
    found = []
    for call in _calls(name):
        for column in _columns():
            before = column.copy()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    result = call(column)
            except Exception as error:
                found.append(f"{name} of {column.tolist()} ({column.dtype}): {error!r}")
                continue
            if not column.equals(before) or column.dtype != before.dtype:
                found.append(f"{name} changes {before.tolist()}")
            numbers = isinstance(result, pd.Series) and result.dtype.kind in "if" and result.index.equals(column.index)
            if kind == "column" and not numbers:
                found.append(f"{name} of {column.tolist()} gives no column of numbers")
            if kind == "number" and not isinstance(result, np.number) and result == result:
                found.append(f"{name} of {column.tolist()} gives {type(result)}, which may raise where it is divided")
    return found


def seen(entry: str) -> bool:
    """Whether ``entry`` would be found out if it were listed."""
    return bool(complaints(entry, "other"))


@pytest.mark.parametrize("name", [*TOTAL, *FUNCTIONS])
def test_listed_methods_raise_nothing(name: str) -> None:
    assert not complaints(name, TOTAL[name][0] if name in TOTAL else FUNCTIONS[name])


@pytest.mark.parametrize("entry", ENTRIES)
def test_methods_that_raise_are_seen(entry: str) -> None:
    assert seen(entry)
