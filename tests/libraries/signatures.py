"""Holds declarations against the signatures of the installed libraries."""

from __future__ import annotations

import datetime as dt
import inspect
from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from headwater.libraries.entry import Entry
from headwater.syntax.signatures import Parameter

_FRAME = pd.DataFrame({"a": [1], "b": [2.0]})
CLASSES: dict[str, tuple[object, ...]] = {
    "pandas": (pd,), "numpy": (np,), "pyarrow": (pa,), "pyarrow.compute": (pc,),
    "pandas.DataFrame": (pd.DataFrame,), "pandas.Series": (pd.Series,), "pandas.Index": (pd.Index,),
    "pandas.Series.str": (type(pd.Series(["a"]).str),),
    "pandas.DataFrameGroupBy": (type(_FRAME.groupby("a")),), "pandas.SeriesGroupBy": (type(_FRAME.groupby("a")["b"]),),
    "pandas.Rolling": (type(_FRAME.rolling(2)),), "pandas.Expanding": (type(_FRAME.expanding()),),
    "pandas.ExponentialMovingWindow": (type(_FRAME.ewm(1)),), "numpy.ndarray": (np.ndarray,),
    "pyarrow.Table": (pa.Table,), "pyarrow.ChunkedArray": (pa.ChunkedArray,), "pyarrow.Array": (pa.Array,),
    "pyarrow.Scalar": (pa.Scalar,), "pyarrow.TableGroupBy": (pa.TableGroupBy,), "pyarrow.Schema": (pa.Schema,),
    "builtins.list": (list,), "builtins.dict": (dict,), "builtins.set": (set,),
    "python.value": (
        str, bytes, int, float, bool, list, dict, tuple, set, frozenset, dt.date, dt.datetime, dt.timedelta,
    ),
}  # fmt: skip
"""The classes and modules that a kind stands for."""
_KINDS: dict[object, str] = {
    inspect.Parameter.POSITIONAL_ONLY: "positional", inspect.Parameter.POSITIONAL_OR_KEYWORD: "either",
    inspect.Parameter.KEYWORD_ONLY: "keyword", inspect.Parameter.VAR_POSITIONAL: "star",
}  # fmt: skip


def complaints(entry: Entry) -> list[str]:
    """Where the declaration of ``entry`` is not the head of the real signature."""
    owner = CLASSES[entry.kind][0]
    method = entry.method
    if entry.kind == "python.value" or not entry.pure:
        owners = CLASSES[entry.kind]
        return [] if any(hasattr(o, method) for o in owners) else [f"{entry.name} does not exist"]
    real: Callable[..., object] | None = getattr(owner, method, None)
    if real is None:
        return [f"{entry.name} does not exist"]
    parameters = [p for p in inspect.signature(real).parameters.values() if p.name != "self"]
    return [f"{entry.name}: {what}" for what in _differences(entry, parameters)]


def _differences(entry: Entry, real: list[inspect.Parameter]) -> list[str]:
    found: list[str] = []
    by_place = [p for p in real if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    declared = [p for p in entry.parameters if p.kind in ("positional", "either")]
    for p, q in zip(declared, by_place, strict=False):
        found += _difference(p, q)
    named = {p.name: p for p in real}
    for p in entry.parameters:
        if p.kind in ("keyword", "star") and p.name not in named and p.kind != "star":
            found.append(f"there is no parameter `{p.name}`")
        elif p.kind == "keyword":
            found += _difference(p, named[p.name])
    if len(declared) > len(by_place):
        found.append(f"there is no parameter `{declared[len(by_place)].name}`")
    covered = {p.name for p in entry.parameters} | {"items"}
    missing = [
        p.name for p in real if p.name not in covered
        and not (p.kind == p.VAR_POSITIONAL and "items" in covered)
        and not (p.kind == p.VAR_KEYWORD and any(q.kind == "names" for q in entry.parameters))
    ]  # fmt: skip
    if missing and not entry.open:
        found.append(f"`{missing[0]}` is not declared, nor `**kwargs`")
    return found


def _difference(declared: Parameter, real: inspect.Parameter) -> list[str]:
    if declared.name != real.name:
        return [f"`{declared.name}` is called `{real.name}`"]
    found = []
    if declared.kind != _KINDS[real.kind]:
        found.append(f"`{declared.name}` is {real.kind.description}")
    if declared.required != (real.default is real.empty):
        found.append(f"`{declared.name}` is {'not ' if declared.required else ''}required")
    return found
