"""Operators of two frames, and those that make other rows: joins, unions, distinct, unpivot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from .column import GROUP, Column, Field, col, lit
from .exchange import exchanged
from .scalars import SparkError, is_nan, same, wider

if TYPE_CHECKING:
    from .frame import DataFrame

Tuple = tuple[Any, ...]
_HOW = {"outer": "full", "fullouter": "full", "leftouter": "left", "rightouter": "right", "leftsemi": "semi",
        "leftanti": "anti", "cross": "inner"}  # fmt: skip


def joined(left: DataFrame, right: DataFrame, on: Any, how: str) -> DataFrame:
    """``left.join(right, on, how)``: every row of one against every row of the other."""
    kind = _HOW.get(how.replace("_", ""), how.replace("_", ""))
    names = [on] if isinstance(on, str) else on if isinstance(on, list) and isinstance(on[0], str) else None
    meets = _by_names(left, right, names) if names else _by_condition(left, right, on)
    pairs = [(a, b) for a in range(len(left.rows())) for b in range(len(right.rows())) if meets(a, b)]
    if kind in ("semi", "anti"):
        found = {a for a, _ in pairs}
        rows = [r for i, r in enumerate(left.rows()) if (i in found) == (kind == "semi")]
        places = [n for name in names or [] for n, f in enumerate(left.schema) if f.name == name]
        places += [n for n in range(len(left.schema)) if n not in places]  # the keys come first
        return left.of(tuple(left.schema[n] for n in places), [[tuple(r[n] for n in places) for r in rows]])
    shown: list[tuple[int | None, int | None]] = list(pairs)
    if kind in ("left", "full"):
        shown += [(a, None) for a in range(len(left.rows())) if a not in {x for x, _ in pairs}]
    if kind in ("right", "full"):
        shown += [(None, b) for b in range(len(right.rows())) if b not in {y for _, y in pairs}]
    return _shown(left, right, names or [], exchanged(shown))


def _by_names(left: DataFrame, right: DataFrame, names: list[str]) -> Any:
    a, b = left.dicts(left.rows()), right.dicts(right.rows())

    def meets(i: int, j: int) -> bool:
        return all(_equal(a[i][n], b[j][n]) for n in names)

    return meets


def _equal(x: Any, y: Any) -> bool:
    return x is not None and y is not None and (x == y or (is_nan(x) and is_nan(y)))


def _by_condition(left: DataFrame, right: DataFrame, on: Any) -> Any:
    schema = (*left.schema, *right.schema)
    conditions: Sequence[Column] = on if isinstance(on, list) else [on]
    test = reduce(lambda x, y: x & y, conditions).resolve(schema) if on is not None else None
    a, b = left.dicts(left.rows()), right.dicts(right.rows())
    return lambda i, j: test is None or test.value({**b[j], **a[i]}) is True


def _shown(
    left: DataFrame, right: DataFrame, names: list[str], pairs: list[tuple[int | None, int | None]]
) -> DataFrame:
    a, b = left.dicts(left.rows()), right.dicts(right.rows())
    others = [[n for n, f in enumerate(frame.schema) if f.name not in names] for frame in (left, right)]
    empty = [(None,) * len(frame.schema) for frame in (left, right)]
    rows = []
    for i, j in pairs:
        side = a[i] if i is not None else b[j] if j is not None else {}
        key = [side[n] for n in names]
        x = left.rows()[i] if i is not None else empty[0]
        y = right.rows()[j] if j is not None else empty[1]
        rows.append((*key, *(x[n] for n in others[0]), *(y[n] for n in others[1])))
    kinds = {f.name: f.type for f in left.schema}
    sides = zip((left, right), others, strict=True)
    beside = (Field(f.name, f.type, label=f.label) for frame, at in sides for f in map(frame.schema.__getitem__, at))
    return left.of((*(Field(n, kinds[n]) for n in names), *beside), [rows])


def together(left: DataFrame, right: DataFrame) -> DataFrame:
    """Rows of both, column by column in the wider type."""
    if len(left.schema) != len(right.schema):
        raise SparkError("another number of columns")
    kinds = [wider(f.type, g.type) for f, g in zip(left.schema, right.schema, strict=True)]
    parts = [[_as(row, kinds) for row in part] for part in (*left.parts, *right.parts)]
    return left.of(tuple(Field(f.name, k) for f, k in zip(left.schema, kinds, strict=True)), parts)


def by_name(left: DataFrame, right: DataFrame, may_miss: bool) -> DataFrame:
    """``left.unionByName(right)``; ``may_miss``: NULL in the columns that one side has not."""
    if not may_miss:
        if set(left.columns) != set(right.columns):
            raise SparkError("other columns")
        return together(left, right.select(*left.columns))
    names = list(dict.fromkeys((*left.columns, *right.columns)))
    sides = [frame.select(*(n if n in frame.columns else lit(None).alias(n) for n in names)) for frame in (left, right)]
    return together(*sides)


def counted(left: DataFrame, right: DataFrame, number: Callable[[int, int], int]) -> DataFrame:
    """As many of each row as ``number`` makes of how many both sides have; NaN is NaN, and NULL is NULL."""
    if len(left.schema) != len(right.schema):
        raise SparkError("another number of columns")
    kinds = [wider(f.type, g.type) for f, g in zip(left.schema, right.schema, strict=True)]
    sides = [[_as(row, kinds) for row in frame.rows()] for frame in (left, right)]
    keys = [Counter(tuple("nan" if is_nan(v) else v for v in row) for row in side) for side in sides]
    found: dict[Tuple, Tuple] = {}
    for row in exchanged(sides[0]):
        found.setdefault(tuple("nan" if is_nan(v) else v for v in row), row)
    rows = [row for key, row in found.items() for _ in range(number(keys[0][key], keys[1][key]))]
    return left.of(tuple(Field(f.name, k) for f, k in zip(left.schema, kinds, strict=True)), [rows])


def _as(row: Tuple, kinds: Sequence[str]) -> Tuple:
    return tuple(float(v) if k == "double" and v is not None else v for v, k in zip(row, kinds, strict=True))


def representatives(frame: DataFrame, names: Sequence[str] | None) -> DataFrame:
    """One row for each value of ``names``, or of all columns; whichever comes first."""
    chosen = list(names or frame.columns)
    rows = exchanged(list(zip(frame.rows(), frame.dicts(frame.rows()), strict=True)))
    found: dict[Tuple, Tuple] = {}
    for row, named in rows:
        found.setdefault(tuple("nan" if is_nan(named[n]) else named[n] for n in chosen), row)
    return frame.of(frame.schema, [list(found.values())])


def unpivoted(frame: DataFrame, ids: Any, values: Any, variable: str, value: str) -> DataFrame:
    """``frame.unpivot(…)``."""
    kept = [ids] if isinstance(ids, str) else list(ids)
    melted = [values] if isinstance(values, str) else list(values)
    types = {f.name: f.type for f in frame.schema}
    kind = reduce(wider, (types[n] for n in melted))
    schema = (*(Field(n, types[n]) for n in kept), Field(variable, "string"), Field(value, kind))

    def rows(part: list[Tuple]) -> list[Tuple]:
        return [
            (*(named[k] for k in kept), n, *_as((named[n],), (kind,))) for named in frame.dicts(part) for n in melted
        ]

    return frame.of(schema, [rows(part) for part in frame.parts])


def pivoted(groups: Any, column: str, values: Sequence[Any], wanted: Column) -> DataFrame:
    """``groups.pivot(column, values).agg(wanted)``."""
    frame: DataFrame = groups.frame
    kind = wanted.resolve(frame.schema)
    rows = []
    for key, members in groups.groups():
        shown = []
        for v in values:
            its = [d for d in frame.dicts(members) if same(col(column).resolve(frame.schema).value(d), v)]
            shown.append(kind.value({GROUP: its}) if its else None)
        rows.append((*key, *shown))
    names = [Field(c.name or "", t.type) for c, t in zip(groups.keys, groups.typed, strict=True)]
    return frame.of((*names, *(Field("null" if v is None else str(v), kind.type) for v in values)), [rows])
