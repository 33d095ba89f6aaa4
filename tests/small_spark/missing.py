"""``fillna``, ``replace`` and ``dropna`` (Spark, ``DataFrameNaFunctions``)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .column import Column, Row, Typed, col, pointwise
from .scalars import SparkError, checked, compare, is_nan

if TYPE_CHECKING:
    from .frame import DataFrame

_KINDS = {"int": "number", "bigint": "number", "double": "number", "string": "string", "boolean": "bool"}


def kind_of(value: Any) -> str:
    """Which columns a value goes into."""
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, (int, float)) else "string"


def _names(frame: DataFrame, subset: Any) -> Sequence[str]:
    return frame.columns if subset is None else [subset] if isinstance(subset, str) else list(subset)


def filled(frame: DataFrame, value: Any, subset: Any) -> DataFrame:
    """A number goes into columns of numbers, a text into such of texts; each value of a dict into its column."""
    each = value if isinstance(value, Mapping) else dict.fromkeys(_names(frame, subset), value)
    kinds = {f.name: f.type for f in frame.schema}
    for name, new in each.items():
        if name not in kinds:
            raise SparkError(f"no column {name}")
        if _KINDS.get(kinds[name]) == kind_of(new):
            frame = _with(frame, name, _filled(name, new))
        elif isinstance(value, Mapping):
            raise SparkError("a cast that is not known here")
    return frame


def _with(frame: DataFrame, name: str, column: Column) -> DataFrame:
    return frame.select(*(column.alias(n) if n == name else n for n in frame.columns))


def _filled(name: str, value: Any) -> Column:
    def resolve(schema: Any) -> Typed:
        typed = col(name).resolve(schema)
        new = _as(value, typed.type)

        def found(row: Row) -> Any:
            held = typed.value(row)
            return new if held is None or is_nan(held) else held

        return Typed(typed.type, found)

    return Column(resolve, name)


def _as(value: Any, kind: str) -> Any:
    if value is None or kind not in ("int", "bigint", "double"):
        return value
    if kind == "double":
        return float(value)
    if not math.isfinite(value):
        raise SparkError("CAST_OVERFLOW")
    return checked(int(value), kind)


def replaced(frame: DataFrame, given: Any, value: Any, subset: Any) -> DataFrame:
    """The first of each pair becomes the second, in columns of its kind."""
    if isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        sources = list(given) if isinstance(given, (list, tuple)) else [given]
        pairs = list(zip(sources, value if isinstance(value, (list, tuple)) else [value] * len(sources), strict=True))
    known = {kind_of(a) for a, _ in pairs} | {kind_of(b) for _, b in pairs if b is not None}
    if len(known) != 1:
        raise SparkError("values of several types")
    kinds = {f.name: f.type for f in frame.schema}
    for name in _names(frame, subset):
        if name not in kinds:
            raise SparkError(f"no column {name}")
        if {_KINDS.get(kinds[name])} == known:
            frame = _with(frame, name, _replaced(name, dict(pairs)))
    return frame


def _replaced(name: str, pairs: Mapping[Any, Any]) -> Column:
    def resolve(schema: Any) -> Typed:
        typed = col(name).resolve(schema)
        number = typed.type in ("int", "bigint", "double")

        def found(row: Row) -> Any:
            held = typed.value(row)
            for old, new in pairs.items():
                if compare("==", float(held) if number and held is not None else held, float(old) if number else old):
                    return _as(new, typed.type)
            return held

        return Typed(typed.type, found)

    return Column(resolve, name)


def dropped(frame: DataFrame, how: str, thresh: Any, subset: Any) -> DataFrame:
    """Rows of which enough columns hold something."""
    names = _names(frame, subset)
    least = thresh if thresh is not None else len(names) if how == "any" else 1
    return frame.filter(
        pointwise(lambda *v: sum(x is not None and not is_nan(x) for x in v) >= least, "boolean", *map(col, names))
    )
