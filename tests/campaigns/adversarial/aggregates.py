"""Aggregates of groups that are functions over pandas Series, with every parameter of the methods of a Series."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import pandas as pd

from . import state
from .groups import TEXTS, data
from .program import Draw, Program
from .signatures import arguments

DDL = "k string, g int, v double, n bigint not null, s string"
REDUCERS = "max min sum mean median std var prod count nunique any all quantile sem first_valid_index idxmax".split()
USUAL = ("max", "min", "sum", "count", "max", "min")
STEPS = "dropna fillna head tail nlargest nsmallest drop_duplicates sort_values abs clip shift round where mask replace ffill bfill cummax diff rank sample iloc".split()
DOMAINS: dict[str, tuple[str, ...]] = {
    "skipna": ("True", "False"), "min_count": ("0", "1", "3"), "numeric_only": ("False",), "ddof": ("0", "1"), "axis": ("0",), "q": ("0.5", "0.0", "1.0"), "interpolation": ('"lower"', '"linear"'),
    "dropna": ("True", "False"), "n": ("1", "2", "0", "-1"), "keep": ('"first"', '"last"', "False"), "ascending": ("True", "False"), "na_position": ('"first"', '"last"'), "ignore_index": ("True", "False"), "bool_only": ("False",),
    "value": ("0", "1.5", "-1"), "lower": ("0", "1", "None"), "upper": ("2", "None"), "periods": ("1", "-1", "0"), "fill_value": ("0", "None"), "decimals": ("0", "1"), "cond": ("{v} > 1", "{v}.notna()"), "other": ("0", "None"),
    "to_replace": ("0", "1.0"), "limit": ("1", "None"), "method": ('"min"', '"first"'), "pct": ("True", "False"), "frac": ("0.5", "1.0"), "random_state": ("1",), "inplace": ("False",), "replace": ("True", "False"), "kind": ('"stable"',),
}  # fmt: skip
_WRITTEN = (
    ("int", "return int(({v} > 1).sum())"), ("int", "return int(({v} > 1).any())"), ("int", "return len({v})"), ("int", "return int({v}.notna().sum())"), ("int", "return int((({v} > 1) & ({v} < 3)).sum())"),
    ("int", "return sum(1 for x in {v} if x > 1)"), ("int", "n = 0\n    for y in {v}:\n        if y > 1:\n            n += 1\n    return n"), ("double", "best = None\n    for y in {v}:\n        if best is None or y > best:\n            best = y\n    return best"),
    ("double", "best = 0.0\n    for y in {v}:\n        best = max(best, y)\n    return best"), ("double", "return max({v})"), ("double", "return float({v}.iloc[0])"), ("double", "return {v}[{v} > 1].max()"), ("double", "return {v}.loc[{v} > 1].min()"),
    ("double", "return float(np.max({v}))"), ("double", "return np.nanmax({v})"), ("double", "return {v}.max() - {v}.min()"), ("double", "return {v}.max() if len({v}) > 1 else 0.0"), ("boolean", "return bool(({v} > 1).any())"), ("boolean", "return bool(({v} > 1).all())"),
)  # fmt: skip
"""Bodies that are written out, with the type of what they return."""
_UNDERSTOOD = (
    ("double", "return {v}.max()"), ("double", "return {v}.max(skipna={b})"), ("double", "return {v}.min(skipna={b})"), ("double", "return {v}[{v} > {c}].max()"), ("double", "return {v}.dropna().max()"), ("double", "return {v}.max(numeric_only={b})"),
    ("boolean", "return bool(({v} > {c}).any())"), ("boolean", "return bool(({v} > {c}).any(skipna={b}))"), ("int", "return int(({v} > {c}).sum())"), ("int", "return int(({v} > {c}).sum(min_count={c}))"), ("double", "return max({v})"), ("double", "return {v}.nlargest({c}, keep='last').max()"),
    ("double", "best = 0.0\n    for y in {v}:\n        if y > best:\n            best = y\n    return best"), ("double", "best = None\n    for y in {v}:\n        if y is not None and (best is None or y > best):\n            best = y\n    return best"),
    ("int", "n = 0\n    for y in {v}:\n        if y > {c}:\n            n += 1\n    return n"), ("double", "best = -1.0\n    for i, y in enumerate({v}):\n        if y > best:\n            best = y\n    return best"),
)  # fmt: skip
"""Bodies most of which have a pre-filter where the filter asks for much."""
_MUCH = ("m > 1", "m >= 2", "m > 0", "m >= 1", "m > 1 AND k = 'a'", "m > 2 AND m IS NOT NULL")
_RETURNED = {"double": "float", "int": "int", "boolean": "bool"}
_CONDITIONS = (
    "m > 1",
    "m >= 2",
    "m IS NOT NULL",
    "m < 2",
    "m = 0",
    "m > 0",
    "k = 'a'",
    "k IS NULL",
    "m > 1 AND k = 'a'",
    "m <> 1",
    "NOT m > 1",
    "m > 1 AND m < 5",
)
_MADE = ('t.groupBy("k").agg({a})', 't.groupBy("k", "g").agg({a})', 't.groupBy("k").agg({a}, F.max("n").alias("o"))', "t.agg({a})", 't.select("k", "g", "v", "n").groupBy("k").agg({a})')  # fmt: skip


def write(draw: Draw) -> Program:
    """One function of a column, and a filter of what it gives or of the key."""
    column = draw.one(("v", "v", "n"))
    understood = draw.chance(0.5)
    setup, kind, body, feature, changes = _body(draw, understood)
    lines = ["import numpy as np", "import pandas as pd", "from pyspark.sql import functions as F", "from pyspark.sql.functions import pandas_udf", "", *setup]  # fmt: skip
    lines += [f'@pandas_udf("{kind}")', f"def total(x: pd.Series) -> {_RETURNED[kind]}:"]  # fmt: skip
    lines += [f"    {body.replace('{v}', 'x')}", "", "", 't = spark.table("t")']
    made = draw.one(_MADE).replace("{a}", f'total("{column}").alias("m")')
    keyed = "k" if "groupBy" in made else ""
    conditions = ("m", "NOT m") if kind == "boolean" else tuple(c for c in _CONDITIONS if keyed or "k " not in c)
    if understood and kind != "boolean":
        conditions = tuple(c for c in _MUCH if keyed or "k " not in c)
    elif keyed and draw.chance(0.3):
        conditions = tuple(c for c in _CONDITIONS if c.startswith("k"))
    lines.append(f'result = {made}.filter("{draw.one(conditions)}")')
    return Program("aggregates", "\n".join(lines) + "\n", {"t": DDL}, (feature,), changes, {"t": DDL}, data(TEXTS.values))  # fmt: skip


def _body(draw: Draw, understood: bool) -> tuple[list[str], str, str, str, bool]:
    """The lines above the function, its type, its body, what is in it, and whether it differs from run to run."""
    if understood:
        kind, body = draw.one(_UNDERSTOOD)
        body = body.replace("{b}", draw.one(("True", "False"))).replace("{c}", draw.one(("0", "1", "2")))
        return [""], kind, body, body.split("\n")[0][:30], False
    if draw.chance(0.3):
        thing = draw.one(state.THINGS)
        use = state.filled(draw.one(thing.uses), "len(x)")
        body = draw.one((f"return len(str({use})) + {{v}}.max()", f"found = {use}\n    return {{v}}.max()"))
        return [f"{thing.setup}\n", ""], "double", body, thing.name, thing.changes
    if draw.chance(0.5):
        kind, body = draw.one(_WRITTEN)
        return [""], kind, body, body.split("\n")[0][:30], False
    steps = ""
    for _ in range(draw.one((0, 0, 1, 1, 2))):
        steps += _call(draw, "{v}" + steps, draw.one(STEPS))
    reducer = draw.one(USUAL) if draw.chance(0.6) else draw.one(REDUCERS)
    return [""], "double", f"return float({{v}}{steps}{_call(draw, '{v}', reducer)})" if draw.chance(0.3) else f"return {{v}}{steps}{_call(draw, '{v}', reducer)}", reducer, False  # fmt: skip


def _call(draw: Draw, owner: str, name: str) -> str:
    if name == "iloc":
        return draw.one((".iloc[:2]", ".iloc[::-1]", ".iloc[1:]", ".iloc[[0]]"))
    given = arguments(draw, getattr(pd.Series, name), DOMAINS, {}) or ""
    return f".{name}({given})".replace("{v}", owner)
