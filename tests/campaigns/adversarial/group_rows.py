"""Functions of groups that return the rows of their group, most of them row by row, some with what the group says; the
filter behind them reads any column."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import math

from . import groups
from .program import Draw, Program

ALONE = (
    '{f}["z"] = {f}["v"] * 2', '{f}["z"] = {f}.v + {f}.g', '{f}["z"] = {f}["v"] / {f}["n"]', '{f}["z"] = {f}["g"] / 2', '{f}["z"] = {f}["g"] + 1', '{f}["z"] = {f}["n"] * 3', '{f}["z"] = {f}["g"] // 2', '{f}["z"] = {f}["n"] % 3', '{f}["z"] = {f}["v"].round(1)',
    '{f}["z"] = {f}["v"].fillna(0.0)', '{f}["z"] = {f}["v"].clip(0, 2)', '{f}["z"] = np.sqrt({f}["v"])', '{f}["z"] = np.log1p({f}["v"])', '{f}["z"] = {f}["v"].abs() - 1', '{f}["z"] = np.where({f}["v"] > 1, "hi", "lo")', '{f}["z"] = np.where({f}["s"] == "a", {f}["s"], "lo")', '{f}["z"] = np.where({f}["v"] > 1, 1.0, 0.0)',
    '{f}["z"] = {f}["s"] + "_x"', '{f}["z"] = "_" + {f}["s"] + {f}["s"]', '{f}["z"] = {f}["s"].str.upper()', '{f}["z"] = {f}["s"].str.len()', '{f}["z"] = {f}["s"].str.replace("a", "b")', '{f}["z"] = {f}["s"].str.slice(0, 1)', '{f}["z"] = {f}["s"].map({{"a": 1.0, "b": 2.0}})', '{f}["z"] = {f}["s"].fillna("none")',
    '{f}["z"] = {f}["g"].astype(str)', '{f}["z"] = {f}["n"].astype(str)', '{f}["z"] = {f}["v"].astype(str)', '{f}["z"] = {f}["s"].astype(str)', '{f}["z"] = {f}["g"].astype(float)', '{f}["z"] = {f}["n"].astype("float64") + 0.5', '{f}["z"] = {f}["g"].astype("int64")', '{f}["z"] = ({f}["v"] > 1).astype(int)', '{f}["z"] = {f}["g"] > 1', '{f}["z"] = {f}["g"].isna()', '{f}["z"] = ~({f}["g"] > 1)',
    '{f}["z"] = {f}["s"].isin(["a"])', '{f}["z"] = {f}["v"].apply(lambda t: t * 2)', '{f}["z"] = {f}["g"].fillna(0)', '{f}["z"] = {f}["g"] * {f}["n"]', '{f}["z"] = {f}["v"].where({f}["v"] > 1)', '{f}["z"] = {f}["v"].mask({f}["g"] > 1, -1.0)', '{f}["z"] = None', '{f}["z"] = "new"', '{f}["z"] = 7',
    '{f}["v"] = {f}["v"] - 1', '{f}["g"] = {f}["g"] + {f}["n"]', '{f}["s"] = {f}["s"].str.strip()', '{f}["z"] = {f}["v"] * 0.5 + {f}["g"] * 0.25', 'm = {f}["v"] > 1\n{f} = {f}[m]', 'z = {f}["v"] / 3\n{f}["z"] = z', '{f}["y"] = {f}["v"] / 3\n{f}["z"] = {f}["y"] + 1', '{f}["y"] = {f}["g"] + 1\n{f}["z"] = {f}["y"].astype(str)', '{f}["y"] = {f}["g"] + 1\n{f}["z"] = {f}["y"] / 2',
    '{f} = {f}.assign(z={f}.v + 1)', '{f} = {f}.assign(z=lambda d: d.v * d.v, y=lambda d: d.z + 1)', '{f} = {f}.assign(z=lambda d: d["v"] / d["g"])', '{f} = {f}.assign(z={f}["s"].str.lower())', "{f} = {f}[{f}.v > 1]", "{f} = {f}[({f}.v > 0) & ({f}.s != 'b')]", "{f} = {f}[~({f}['g'] > 1)]", "{f} = {f}[{f}['g'].notna()]", '{f} = {f}.loc[{f}["v"] >= 1, ["k", "v", "s"]]',
    '{f} = {f}.loc[{f}["n"] > 1]', "{f} = {f}.dropna(subset=['g'])", "{f} = {f}.dropna()", "{f} = {f}.query('v > 1')", "{f} = {f}.sort_values('v')", "{f} = {f}.sort_values(['s', 'n'], ascending=False)", "{f} = {f}.reset_index(drop=True)", "{f} = {f}[['k', 'v', 'g']]", "{f} = {f}[['k', 's', 'n']]", "{f} = {f}.drop(columns=['s'])", "{f} = {f}.drop('g', axis=1)", "{f} = {f}.drop(columns='n')",
    '{f} = {f}.rename(columns={{"s": "z"}})', '{f} = {f}.rename(columns={{"v": "g", "g": "v"}})', "{f} = {f}.copy()", "if {f}.empty:\n    return {f}", '{f} = {f}.fillna({{"v": 0.0}})', '{f} = {f}.fillna({{"g": 0}})', '{f}.loc[{f}["v"] > 1, "v"] = 0.0', '{f}["z"] = 0.0\n{f}.loc[{f}["g"] > 1, "z"] = 1.0', '{f}["v"] *= 2', '{f} = pd.DataFrame({{"k": {f}["k"], "z": {f}["v"] * 2}})',
)  # fmt: skip
"""What makes each row of one row."""
TOGETHER = (
    '{f}["z"] = {f}["v"] / {f}["v"].sum()', '{f}["z"] = {f}["v"] - {f}["v"].mean()', '{f}["z"] = {f}["v"].rank()', '{f}["z"] = {f}["v"].cumsum()', '{f}["z"] = {f}["v"].shift(1)', '{f}["z"] = {f}["v"].diff()', '{f}["z"] = len({f})', '{f}["z"] = {f}["n"].max()', '{f}["z"] = {f}["v"].cummax()', '{f}["z"] = range(len({f}))', '{f}["z"] = {f}.index', '{f}["z"] = {f}["s"].iloc[0]',
    "{f} = {f}[{f}.v > {f}.v.mean()]", "{f} = {f}[{f}.v == {f}.v.max()]", "{f} = {f}.head(1)", "{f} = {f}.sort_values('v').head(1)", "{f} = {f}.nlargest(1, 'v')", "{f} = {f}.drop_duplicates()", "{f} = {f}.drop_duplicates('s')", "if len({f}) < 2:\n    return {f}", '{f}["z"] = {f}["v"].fillna({f}["v"].mean())', '{f}["z"] = {f}["v"].transform(lambda t: t - t.mean())', '{f} = {f}.reset_index()\n{f} = {f}.rename(columns={{"index": "z"}})',
    '{f}["z"] = {f}["s"].duplicated()', '{f}["z"] = np.where({f}["v"] > {f}["v"].mean(), 1.0, 0.0)', '{f}["z"] = {f}["v"].interpolate()', '{f}["z"] = {f}["v"].ffill()', '{f}["z"] = {f}.groupby("s")["v"].transform("max")', '{f}["z"] = {f}["v"].quantile(0.5)', '{f}["z"] = {f}["v"].max() > 1', '{f}["z"] = {f}["g"].dtype == "int32"', '{f}["z"] = str({f}["g"].dtype)', '{f}["z"] = {f}["v"] * {f}["n"].values[0]',
)  # fmt: skip
"""What looks at other rows of the group."""
CONDITIONS = (
    "v > 1", "v <= 1", "v IS NULL", "v IS NOT NULL", "g > 1", "g = 1", "g IS NULL", "n > 1", "n < 3", "n = 4", "s = 'a'", "s <> 'b'", "s IN ('a', '')", "s IS NULL", "k = 'a'", "k IS NULL", "k = 'a' AND v > 1", "k <> 'b' AND s = 'a'", "v > 1 AND n > 1", "v > 1 OR g = 1", "NOT (v > 1)", "NOT (g = 1)", "upper(s) = 'A'", "coalesce(g, 0) = 0", "g + n > 3",
)  # fmt: skip
OF_NEW = {
    "double": ("z > 1", "z IS NULL", "NOT z > 1", "z = 1"), "bigint": ("z > 1", "z = 1", "z IS NULL"), "int": ("z > 1", "z = 2"), "boolean": ("z", "NOT z", "z IS NULL"),
    "string": ("z = 'a'", "z = 'hi'", "z IS NULL", "z <> 'lo'", "z = '1'"),
}  # fmt: skip
_MOST, _LARGE = 2**31 - 1, 2**53 + 1
EDGES: tuple[list[tuple[str | None, int | None, float | None, int, str | None]], ...] = (
    [("a", _MOST, 1.0, _LARGE, "a"), ("a", None, 5.0, 1, None), ("b", -_MOST - 1, -0.0, -_LARGE, "")],
    [("a", 1, math.nan, 1, "a"), ("a", None, math.inf, 2, None), ("a", 0, -math.inf, 0, "b"), ("a", -3, None, -4, " a ")],
    [(None, None, None, 1, None), (None, 3, 2.5, 2, "a"), ("b", 2, 2.5, 3, "é"), ("b", 2, 2.5, 3, "é")],
)  # fmt: skip
"""Whole numbers at their ends beside a NULL, what is no number, and equal rows."""


def write(draw: Draw) -> Program:
    """A program of which the function passes a sample group."""
    for _ in range(12):
        body = _body(draw)
        schema = groups.schema_of(body, groups.TEXTS)
        if schema is not None:
            break
    else:
        body, schema = ["return pdf"], groups.DDL_OF_TEXTS.replace(" not null", "")
    kinds = dict(c.split()[:2] for c in schema.split(", "))
    asked = [c for c in CONDITIONS if set("kgvns") & set(c.split()) <= kinds.keys() and _fits(c, kinds)]
    asked += OF_NEW.get(kinds.get("z", ""), ()) * 2
    lines = [f"    {line}" for part in body for line in part.split("\n")]
    parameters = "key, pdf" if draw.chance(0.1) else "pdf"
    source = (
        "import numpy as np\nimport pandas as pd\nfrom pyspark.sql import functions as F\n\n\n"
        f"def f({parameters}):\n" + "\n".join(lines) + "\n\n\n"
        f'made = spark.table("t").groupBy("k").applyInPandas(f, "{schema}")\n'
        f'result = made.filter("{draw.one(asked)}")\n'
    )
    ddl = groups.DDL_OF_TEXTS
    together = any(line.format(f=f) in "\n".join(body) for line in TOGETHER for f in ("pdf", "out"))
    data = (*({"t": rows} for rows in EDGES), *groups.data())
    feature = "other rows" if together else "alone"
    return Program("group rows", source, {"t": ddl}, (feature,), schemas={"t": ddl}, data=data)


def _fits(condition: str, kinds: dict[str, str]) -> bool:
    """Whether columns have the types that the condition asks of them."""
    wanted = {"v": ("double", "bigint", "int"), "g": ("double", "bigint", "int"), "n": ("bigint",), "s": ("string",)}
    read = set(condition.replace("(", " ").replace(")", " ").replace(",", " ").split())
    return all(kinds[n] in types for n, types in wanted.items() if n in read and n in kinds) and all(
        n in kinds for n in wanted if n in read
    )


def _body(draw: Draw) -> list[str]:
    lines = [] if draw.chance(0.5) else [draw.one(("out = pdf.copy()", "out = pdf", "out = pdf[pdf.n > 0]"))]
    frame = "out" if lines else "pdf"
    for _ in range(draw.one((1, 1, 2, 2, 3))):
        lines.append(draw.one(ALONE if draw.chance(0.85) else TOGETHER).format(f=frame))
    if frame == "out" and draw.chance(0.1):
        frame = "pdf"
    return [*lines, f"return {frame}"]
