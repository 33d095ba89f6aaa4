"""Functions of groups over pandas frames: several methods in a row, each with parameters drawn from its real signature.

What a program returns is tried on a sample frame while it is written, so that its schema is the one that it declares.
"""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .program import Draw, Program
from .signatures import arguments

DOMAINS: dict[str, tuple[str, ...]] = {
    "keep": ('"first"', '"last"', "False"), "n": ("1", "2", "0", "-1", "5"), "axis": ("0", "1", '"index"', '"columns"'),
    "how": ('"any"', '"all"'), "thresh": ("1", "2", "5"), "subset": ('["v"]', '"v"', '["k"]', '["k", "v"]', '["n", "s"]'),
    "inplace": ("True", "False"), "ignore_index": ("True", "False"), "na_position": ('"first"', '"last"'),
    "ascending": ("True", "False"), "by": ('"v"', '["v"]', '"n"', '["k", "n"]'), "key": ("lambda s: s", "None"),
    "level": ("0", "None"), "periods": ("1", "-1", "0", "2"), "errors": ('"ignore"', '"raise"'), "copy": ("True", "False"),
    "deep": ("True", "False"), "limit": ("1", "2"), "value": ("0", "1.5", '{"v": 0.0}', '{"k": "a"}', '"a"'),
    "expr": ('"v > 1"', '"v == v"', '"n < 0"', '"k == k"', '"index >= 0"'), "columns": ('["s"]', '{"s": "t"}', '"g"', '["k"]'),
    "labels": ("0", "[0]", '["s"]', '"g"', '"k"'), "index": ("[0]", "{0: 1}", "[0, 1]", "None"), "mapper": ("str", '{"s": "t"}'),
    "drop": ("True", "False"), "frac": ("0.0", "0.5", "1.0"), "replace": ("True", "False"), "random_state": ("1", "None"),
    "weights": ("None",), "to_replace": ("0", "None", '"a"', '{"k": "a"}', '["a", "b"]'), "regex": ("True", "False"),
    "cond": ("{f}.v > 1", "{f}.notna()", "False"), "other": ("0", "None", "{f}"), "names": ('["i"]', "None"), "dtype": ('{"n": "float64"}', '"object"', '"str"'),
    "method": ('"first"', '"min"', '"ffill"', '"linear"'), "numeric_only": ("True", "False"), "pct": ("True", "False"), "items": ('["k", "v"]', '["v"]'),
    "like": ('"k"',), "before": ("0", "1"), "after": ("0", "1"), "q": ("0.5", "[0.5]"), "lower": ("0", "1"), "upper": ("1", "2"), "decimals": ("0", "1"),
    "sort_remaining": ("True",), "kind": ('"stable"', '"quicksort"'), "column": ('"s"', '["s"]', '"k"', '"w"'), "loc": ("0", "1"),
    "allow_duplicates": ("True", "False"), "indices": ("[0]", "[-1]", "[]", "[0, 0]"), "fill_value": ("0", "None", '"a"'), "freq": ("None",),
    "include": ('"number"', '["object"]', '["float64", "object", "int64"]'), "exclude": ('"bool"',), "verify_integrity": ("False", "True"),
    "col_level": ("0",), "col_fill": ('""',), "join": ('"left"', '"inner"', '"outer"'), "func": ("lambda c: c", '"first"', "lambda c: c.iloc[::-1]"),
    "convert_dtype": ("True",), "infer_objects": ("True",), "limit_area": ("None", '"inside"'), "limit_direction": ('"forward"', '"backward"'),
    "overwrite": ("True", "False"), "raw": ("False",), "result_type": ("None",), "skipna": ("True", "False"), "min_count": ("0", "1", "3"),
    "on": ('"k"', '["k"]', '"n"', '["k", "n"]'), "left_on": ('"k"',), "right_on": ('"s"', '"k"'), "right": ("{f}", "{f}.head(1)", '{f}[["k", "g"]]'),
    "sort": ("True", "False"), "suffixes": ('("", "_r")', '("_l", "")'), "indicator": ("False",), "validate": ("None", '"one_to_many"'),
    "id_vars": ('["k", "g", "n", "s"]',), "value_vars": ('["v"]',), "var_name": ('"s2"',), "value_name": ('"v"', '"k"'),
    "normalize": ("True", "False"), "dropna": ("True", "False"), "offset": ("1",), "fill_method": ("None",), "tolerance": ("None",),
    "lsuffix": ('""', '"_l"'), "rsuffix": ('"_r"',), "ignore_failures": ("False",), "keys": ('"n"', '["n"]'), "append": ("True", "False"),
    "group_keys": ("True", "False"), "as_index": ("True", "False"), "observed": ("True", "False"), "i": ("0",), "j": ("0",),
    "window": ("1", "2"), "min_periods": ("1", "0"), "center": ("True", "False"), "closed": ("None", '"left"'), "com": ("1",), "ddof": ("0", "1"),
    "interpolation": ('"linear"', '"lower"'), "na_option": ('"keep"', '"top"'), "values": ("[1.0]", '["a"]'), "filter_func": ("None",), "args": ("()",),
}  # fmt: skip
"""Values of parameters by their name; ``{f}`` is the frame that the method is called on."""
UNDERSTOOD = tuple(
    "head tail sort_values sort_index drop_duplicates dropna nlargest nsmallest query copy ffill bfill reset_index drop rename"
    " fillna astype assign merge insert pop".split()
)
"""Methods that an analysis of keys may model: the others are refused by name, and tried now and then."""
USUAL = tuple(
    """
    head tail sort_values sort_index drop_duplicates dropna nlargest nsmallest query copy ffill bfill reset_index
    drop rename
    fillna astype assign merge insert pop sample filter where mask replace clip shift diff explode reindex set_index
    take
    truncate round abs rank isin eq ge add mul join update combine_first melt select_dtypes convert_dtypes infer_objects
    set_axis rename_axis squeeze interpolate
    """.split()
)
_NEVER = {
    "to_",
    "plot",
    "hist",
    "boxplot",
    "eval",
    "pipe",
    "from_",
    "sparse",
    "style",
    "attrs",
    "flags",
    "xs",
    "swaplevel",
    "tz_",
    "asof",
}
ALL = tuple(
    n for n in dir(pd.DataFrame)
    if not n.startswith("_") and callable(getattr(pd.DataFrame, n)) and n != "info" and not n.startswith(tuple(_NEVER))
)  # fmt: skip
_CONDITIONS = (
    '"k = \'a\'"', '"k IS NULL"', '"k IS NULL OR k = \'a\'"', '"k IN (\'a\', \'b\')"', '"k >= \'b\'"', '"NOT k = \'a\'"', '"k IS NOT NULL"',
    'F.col("k") == "a"', 'F.col("k").isNull()', 'F.col("k").isin("a", "b")', '~(F.col("k") == "b")', 'F.coalesce(F.col("k"), F.lit("a")) == "a"',
)  # fmt: skip
GROUPS: tuple[list[tuple[Any, ...]], ...] = (
    [(1, 1.0, 1, "a"), (1, 1.0, 1, "a")],
    [(1, 1.0, 1, "a"), (2, 2.0, 2, "b"), (2, 2.0, 3, "b"), (3, math.nan, 3, "")],
    [(2, 0.5, 2, "b")],
    [(None, None, 5, None)],
    [(2, 3.0, 4, "a"), (1, 3.0, 4, None), (1, 2.0, 0, "b")],
)  # fmt: skip
"""Rows of one group, without its key: all alike, some alike, one, one of which nothing is known, and out of order."""
_NUMBERS = {"g": "int32", "n": "int64", "v": "float64"}
_SPARK = {"object": "string", "int64": "bigint", "float64": "double", "bool": "boolean", "int32": "int"}


def write(draw: Draw) -> Program:
    """A program that a sample frame can pass, or after some tries one that may raise."""
    keys = draw.one((TEXTS, NUMBERS, NUMBERS))
    for _ in range(8):
        body = _body(draw)
        schema = schema_of(body, keys)
        if schema is not None:
            break
    else:
        body, schema = ['out = pdf.drop_duplicates("v", keep=False)', "return out"], _ddl(keys).replace(" not null", "")
    lines = "\n".join(f"    {line}" for line in body)
    condition = keys.of(_condition(draw, schema))
    source = (
        "import numpy as np\nimport pandas as pd\nfrom pyspark.sql import functions as F\n\n\n"
        f"def f(pdf):\n{lines}\n\n\n"
        f'made = spark.table("t").groupBy("k").applyInPandas(f, "{schema}")\n'
        f"result = made.filter({condition})\n"
    )
    features = tuple(sorted({w for line in body for w in USUAL if f".{w}(" in line}))
    ddl = _ddl(keys)
    return Program("groups", source, {"t": ddl}, features, schemas={"t": ddl}, data=data(keys.values))


@dataclass(frozen=True)
class Keys:
    """The type of the groups' key, and its values in the place of "a", "b" and "c"."""

    type: str
    values: tuple[Any, ...]

    def of(self, text: str) -> str:
        """``text`` with the values of this type."""
        if self.type == "string":
            return text
        for letter, value in zip("abc", self.values, strict=True):
            text = text.replace(f"'{letter}'", str(value)).replace(f'"{letter}"', str(value))
        return text


TEXTS, NUMBERS = Keys("string", ("a", "b", "c")), Keys("int", (1, 2, 3))


def _ddl(keys: Keys) -> str:
    return f"k {keys.type}, g int, v double, n bigint not null, s string"


DDL_OF_TEXTS = _ddl(TEXTS)


def data(values: tuple[Any, ...] = TEXTS.values) -> tuple[dict[str, list[tuple[Any, ...]]], ...]:
    """Each group alone, so that one on which a function raises hides no other, and some together."""
    alone = [[(values[0], *row) for row in rows] for rows in GROUPS]
    together = [
        (key, *row) for key, rows in zip((values[0], values[1], None, values[2]), GROUPS, strict=False) for row in rows
    ]
    return tuple({"t": rows} for rows in (*alone, together, [(None, *row) for row in GROUPS[0]] + alone[1]))


def frame(rows: list[tuple[Any, ...]], key: Any = "a") -> pd.DataFrame:
    """A group as the function gets it."""
    made = pd.DataFrame([(key, *row) for row in rows], columns=["k", "g", "v", "n", "s"])
    types = {**_NUMBERS, **({"k": "int32"} if isinstance(key, int) else {})}
    return made.astype({c: t for c, t in types.items() if not made[c].isna().any() or t == "float64"})


def _condition(draw: Draw, schema: str) -> str:
    key = '"k IS NULL"' if draw.chance(0.45) else draw.one(_CONDITIONS)
    numbers = [
        c.split()[0] for c in schema.split(", ") if c.split()[1] in ("double", "bigint", "int") and c.split()[0] != "k"
    ]
    if numbers and draw.chance(0.25) and key.startswith('"'):
        return f'{key[:-1]} AND {draw.one(numbers)} > {draw.one(("0", "1", "2"))}"'
    return key


def _body(draw: Draw) -> list[str]:
    lines = [] if draw.chance(0.6) else ["out = pdf.copy()"]
    frame = "out" if lines else "pdf"
    for _ in range(draw.one((1, 1, 1, 2, 2, 3))):
        lines += step(draw, frame)
        frame = "out"
    if draw.chance(0.75):
        lines += _ending(draw, frame)
    if draw.chance(0.15):
        lines.append(f'{frame} = {frame}[["k", "v"]]')
    return [*lines, f"return {frame}"]


def step(draw: Draw, frame: str) -> list[str]:
    """A statement that calls a method of ``frame`` and binds ``out``."""
    while True:
        name = draw.one(UNDERSTOOD if draw.chance(0.8) else USUAL if draw.chance(0.75) else ALL)
        special = {
            "assign": ("z=1", "z=lambda d: d.v", "k=lambda d: d.k", "v=[1.0] * len({f})", "z=[1.0]", 'k="a"'), "insert": ('0, "z", 1', '0, "z", [1.0]'),
            "pop": ('"s"', '"g"'), "rename": ('columns={"s": "t"}', 'columns={"k": "s", "s": "k"}', 'columns=str.lower'),
        }.get(name)  # fmt: skip
        given = draw.one(special) if special else arguments(draw, getattr(pd.DataFrame, name), DOMAINS, {})
        if given is None:
            continue
        given = given.replace("{f}", frame)
        call = f"{frame}.{name}({given})"
        if "inplace=True" in given or name in ("insert", "update", "pop"):
            return [*([f"out = {frame}.copy()", call.replace(frame, "out", 1)] if frame != "out" else [call])]
        return [f"out = {call}"]


def _ending(draw: Draw, frame: str) -> list[str]:
    name = draw.one(("z", "v", "s"))
    values = draw.one((
        "[1.0]", "[1.0]", "[1.0]", "[1.0, 2.0]", "[1.0, 2.0, 3.0]", "[]", "np.array([1.0, 2.0])", "pdf.v", "pdf[\"v\"].iloc[::-1]", "pd.Series([1.0, 2.0])", "1.0", "np.array([1.0])", "range(len({f}))",
        "list(pdf.v)[: len({f})]", "{f}.v", "{f}.v.head(1)", "pd.Series([1.0], index=[7])",
    )).replace("{f}", frame)  # fmt: skip
    return draw.one((
        *([f'{frame}["{name}"] = {values}'] for _ in range(6)), [f'{frame}.loc[:, "{name}"] = {values}'],
        [f"{frame} = {frame}.assign({name}={values})"], [f"{frame}.loc[len({frame})] = list(pdf.iloc[0])"], [f"{frame} = pd.concat([{frame}, pdf.head(1)])"],
        [f"{frame} = pd.DataFrame({{\"k\": {frame}.k, \"v\": {values}}})"], [f'{frame} = pd.concat([{frame}, pd.DataFrame({{"v": {values}}})])'],
        [f'{frame}.insert(0, "w", {values})'],
    ))  # fmt: skip


def schema_of(body: list[str], keys: Keys) -> str | None:
    """The DDL of what the body returns of some group; None if it raises on all, or returns no key or what Spark has
    no type for."""
    namespace: dict[str, Any] = {"pd": pd, "np": np}
    try:
        exec("def f(pdf):\n" + "\n".join(f"    {line}" for line in body), namespace)
    except SyntaxError:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return next(
            (
                ddl
                for rows in GROUPS
                if (ddl := _returned(namespace["f"], frame(rows, keys.values[0]), keys)) is not None
            ),
            None,
        )


def _returned(f: Callable[[pd.DataFrame], Any], group: pd.DataFrame, keys: Keys) -> str | None:
    try:
        return ddl_of(f(group), keys)
    except Exception:
        return None


def ddl_of(found: Any, keys: Keys = TEXTS) -> str | None:
    """The DDL of a frame; None if it is none, has no row or no key, or holds what Spark has no type for."""
    try:
        if not isinstance(found, pd.DataFrame) or not len(found) or not all(isinstance(c, str) for c in found.columns):
            return None
        kinds = {str(c): _SPARK.get(str(found[c].dtype)) for c in found.columns}
    except Exception:
        return None
    if "k" not in kinds or None in kinds.values() or len(kinds) < len(found.columns):
        return None
    kinds["k"] = keys.type
    return ", ".join(f"{c} {kind}" for c, kind in kinds.items())
