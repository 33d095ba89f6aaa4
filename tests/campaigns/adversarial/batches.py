"""Generators over batches (``mapInPandas``, ``mapInArrow``): methods with every parameter, and all that a generator may
carry from one batch to the next."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from . import arrow, groups, state
from .program import Draw, Program
from .signatures import arguments

DDL = "k string, g int, v double, n bigint not null, s string"
_STEPS = (
    "out = {f}", "out = {f}.assign(z={f}.v * 2)", "out = {f}.assign(z={f}.v + {f}.n)", "out = {f}[{f}.v > 1]", '{f}["z"] = {f}["v"].fillna(0)\nout = {f}', "out = {f}.loc[{f}.v.notna()]", 'out = {f}.dropna(subset=["v"])', "out = {f}[~({f}.v > 1)]", "out = {f}.query('v > 1')",
    'out = {f}.assign(z={f}.s.str.upper())', 'out = {f}.rename(columns={"s": "t"})', 'out = {f}[["k", "v", "n"]]', "out = {f}.drop(columns=['s'])", "out = {f}.assign(z={f}.v.abs())", "out = {f}.assign(z=1)", 'out = {f}[({f}.k == "a") | {f}.v.isna()]', "out = {f}.copy()", "out = {f}.reset_index(drop=True)",
    "out = {f}.assign(z={f}.v.max())", "out = {f}.assign(z={f}.v.cumsum())", "out = {f}.assign(z=len({f}))", "out = {f}.assign(z={f}.v.shift(1))", "out = {f}.assign(z=range(len({f})))", "out = {f}.assign(z={f}.index)", "out = {f}.head(1)", "out = {f}.drop_duplicates()", "out = {f}.sort_values('v')", "out = {f}.assign(z={f}.v.rank())", "out = {f}.assign(v={f}.v.clip(lower=1))",
    "out = {f}.assign(v={f}.v.round())", "out = {f}.assign(z={f}.n > 2)", "out = {f}.assign(z=np.where({f}.v > 1, 1.0, 0.0))",
)  # fmt: skip
_BY_ROW = tuple(step for step in _STEPS[: _STEPS.index("out = {f}.assign(z={f}.v.max())")] if "query" not in step)
"""Those that make each row of one row."""
_FRAMES = (
    "for pdf in batches:\n{b}\n    yield out", "for pdf in batches:\n{b}\n    yield out", "for pdf in batches:\n{b}\n    yield out", "for pdf in batches:\n{b}\n    yield out", "for pdf in batches:\n{b}\n    yield out",
    "for i, pdf in enumerate(batches):\n{b}\n    yield out", "seen = 0\nfor pdf in batches:\n    seen += len(pdf)\n{b}\n    yield out.assign(s=str(seen))", "done = False\nfor pdf in batches:\n{b}\n    if not done:\n        yield out\n    done = True", "for pdf in batches:\n{b}\n    if len(pdf) > 1:\n        yield out",
    "last = None\nfor pdf in batches:\n{b}\n    if last is not None:\n        yield last\n    last = out\nif last is not None:\n    yield last", "pdf = next(batches)\n{n}\nyield out\nyield from batches", "for pdf in batches:\n{b}\n    yield out\n    yield out.head(0)", "for pdf in list(batches):\n{b}\n    yield out", "for pdf in batches:\n{b}\n    yield out\n    break",
    "for pdf in batches:\n{b}\n    yield out\n    yield out", "kept = []\nfor pdf in batches:\n{b}\n    kept.append(out)\nyield from kept", "kept = []\nfor pdf in batches:\n    kept.append(pdf)\npdf = pd.concat(kept)\n{n}\nyield out", "for pdf in batches:\n    try:\n    {b}\n    except ValueError:\n        continue\n    yield out", "for pdf in batches:\n    if pdf.empty:\n        continue\n{b}\n    yield out",
    "def one(pdf):\n{b}\n    return out\nyield from map(one, batches)", "def one(pdf):\n{b}\n    return out\nfor pdf in batches:\n    yield one(pdf)", "def one(pdf):\n{b}\n    return out\nfor pdf in batches:\n    for out in (one(pdf),):\n        yield out", "for pdf in reversed(list(batches)):\n{b}\n    yield out", "for a, pdf in zip(range(1), batches):\n{b}\n    yield out",
)  # fmt: skip
"""Where the body stands (``{b}``, a level deeper; ``{n}``, on the level of the function)."""
_PLAIN = _FRAMES[:5]
METHODS = "filter slice take select drop_null sort_by rename_columns set_column append_column add_column remove_column cast replace_schema_metadata equals".split()
_ARROW = (
    "out = batch", "out = batch.filter(pc.greater(batch['v'], 1.0))", "out = batch.filter(pc.is_valid(batch['v']))", "out = batch.slice(0)", "out = batch.filter(pc.equal(batch['k'], 'a'), null_selection_behavior='emit_null')", "out = batch.take(pa.array([0, None]))", "out = batch.filter(pc.invert(pc.is_null(batch['s'])))", "out = batch.filter(pc.greater(batch['n'], 1))", "out = batch.filter(pc.less(batch['v'], pc.max(batch['v'])))",
)  # fmt: skip
_CONDITIONS = ("k = 'a'", "k IS NULL", "k <> 'b'", "k IN ('a', 'c')", "k = 'a' OR k IS NULL", "k > 'a'", "NOT k = 'a'", "v > 1", "v IS NULL", "n > 1", "n < 3", "v <= 1", "s = 'a'", "v = 1 AND k = 'a'", "n = 1", "v IS NOT NULL", "z > 1", "z IS NULL", "NOT v > 1")  # fmt: skip
_CHANGES = ("enumerate", "seen", "done", "last", "next(", "break", "kept", "zip(", "reversed")


def write(draw: Draw) -> Program:
    """A generator, and a filter of what comes out."""
    tables = draw.chance(0.2)
    for _ in range(12):
        body = _arrow(draw) if tables else _pandas(draw)
        ddl = _declared(body, tables)
        if ddl is not None and len(ddl.split(", ")) >= 2:
            break
    else:
        body, ddl, tables = ["out = pdf"], DDL.replace(" not null", ""), False
    thing = draw.one(state.THINGS) if draw.chance(0.15) else None
    if thing:
        body = [f"found = {state.filled(draw.one(thing.uses), '1')}", *body]
    around = draw.one(_FRAMES) if draw.chance(0.3) else draw.one(_PLAIN)
    deep = "\n".join(f"    {line}" for line in body)
    if "try:" in around:
        deep = deep.replace("\n", "\n    ")
    text = around.replace("{b}", deep).replace("{n}", "\n".join(body))
    if tables:
        text = text.replace("pdf.empty", "pdf.num_rows == 0").replace("pdf", "batch").replace(".assign(s=str(seen))", ".slice(0, seen)").replace("out.head(0)", "out.slice(0, 0)").replace("batch = pd.concat(kept)", "batch = kept[0]").replace("len(batch)", "batch.num_rows")  # fmt: skip
    names = {c.split()[0] for c in ddl.split(", ")}
    conditions = [c for c in _CONDITIONS if set(c.replace("NOT ", "").split()) & {"k", "v", "n", "s", "z"} <= names and _fits(c, ddl)]  # fmt: skip
    lines = ["import numpy as np", "import pandas as pd", "import pyarrow as pa", "import pyarrow.compute as pc", "from pyspark.sql import functions as F", ""]  # fmt: skip
    lines += [thing.setup, ""] if thing else []
    lines += ["", "def f(batches):", *(f"    {line}" for line in text.split("\n")), "", "", 't = spark.table("t")']
    method = "mapInArrow" if tables else "mapInPandas"
    lines.append(f'result = t.{method}(f, "{ddl}").filter("{draw.one(conditions)}")')
    feature = thing.name if thing else next((w for w in _CHANGES if w in around), "plain")
    return Program("batches", "\n".join(lines) + "\n", {"t": DDL}, (method, feature), thing is not None and thing.changes, {"t": DDL}, groups.data())  # fmt: skip


def _fits(condition: str, ddl: str) -> bool:
    """Whether numbers are compared with numbers."""
    kinds = dict(c.split()[:2] for c in ddl.split(", "))
    return all(
        kinds[n] in ("double", "bigint", "int") for n in "vnz" if n in condition.replace("NOT", "").replace("IN", "").split() and n in kinds
    )  # fmt: skip


def _pandas(draw: Draw) -> list[str]:
    lines: list[str] = []
    frame = "pdf"
    for _ in range(draw.one((1, 1, 2))):
        steps = _BY_ROW if draw.chance(0.65) else _STEPS
        made = draw.one(steps).replace("{f}", frame).split("\n") if draw.chance(0.75) else groups.step(draw, frame)
        lines, frame = lines + made, "out"
    return lines


def _arrow(draw: Draw) -> list[str]:
    if draw.chance(0.6):
        return [draw.one(_ARROW)]
    while True:
        name = draw.one(METHODS)
        function = getattr(pa.RecordBatch, name, None)
        given = arguments(draw, function, arrow.DOMAINS, {}) if function is not None else None
        if given is not None:
            return [f"out = batch.{name}({given})".replace("table", "batch")]


def _declared(body: list[str], tables: bool) -> str | None:
    """The DDL of what the body makes of some sample rows."""
    if not tables:
        return groups.schema_of([*body, "return out"], groups.TEXTS)
    namespace: dict[str, Any] = {"pa": pa, "pc": pc}
    try:
        exec("def f(batch):\n" + "\n".join(f"    {line}" for line in (*body, "return out")), namespace)
    except SyntaxError:
        return None
    for rows in groups.GROUPS:
        try:
            return arrow.ddl_of(pa.Table.from_batches([namespace["f"](arrow.table(rows).to_batches()[0])]))
        except Exception:
            continue
    return None
