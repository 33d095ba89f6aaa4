"""Every operator that exists, as PySpark source text over a frame whose columns are known.

The first column of a frame plays the key, the last the value. Functions are named after what they do to which columns,
so that equal names mean equal functions.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["long", "double", "boolean", "array"]
Shape = tuple[tuple[str, Kind], ...]
"""Names and types of a frame's columns."""
SCAN: Shape = (("k", "long"), ("v", "long"))
WIDE: Shape = (("k", "long"), ("v", "long"), ("w", "long"))
Sort = Literal["row", "boundary", "opaque"]


@dataclass(frozen=True)
class Operator:
    """``before + frame + after``. ``functions``: the definitions that the text needs; ``element``: types of the parts
    ``kv[0]``, ``kv[1]`` if the result is an RDD; ``rows``: tables of how many rows it takes to tell it from others."""

    name: str
    sort: Sort
    after: str
    shape: Shape
    functions: tuple[str, ...] = ()
    before: str = ""
    rdd: bool = False
    rows: int = 2
    wide: bool = False

    def over(self, frame: str) -> str:
        """The text of the operator applied to ``frame``."""
        return f"{self.before}{frame}{self.after}"


def operators(shape: Shape, made: str) -> Iterator[Operator]:
    """All operators over a frame of that shape; ``made`` names the column that an aggregate makes."""
    yield from _row_operators(shape)
    yield from _row_functions(shape)
    yield from _aggregates(shape, made)
    yield from _group_functions(shape, made)
    yield from _tables_and_rdds(shape, made)
    yield from _opaque(shape)


def wide_operators(made: str) -> Iterator[Operator]:
    """The operators that take a key and two values."""
    shape: Shape = (("k", "long"), (made, "long"))
    for f in ("max_by", "min_by"):
        yield Operator(
            f"grouped {f}", "boundary", f'.groupBy("k").agg(F.{f}("v", "w").alias("{made}"))', shape, wide=True
        )
    both: Shape = (("k", "long"), (made, "long"), ("b", "long"))
    text = f'.groupBy("k").agg(F.max_by("v", "w").alias("{made}"), F.max("w").alias("b"))'
    yield Operator("grouped max_by and max", "boundary", text, both, wide=True)


def _numeric(kind: Kind) -> bool:
    return kind in ("long", "double")


# --- rows


def _row_operators(shape: Shape) -> Iterator[Operator]:
    (k, kind_k), (v, kind_v) = shape[0], shape[-1]

    def op(name: str, after: str, to: Shape = shape) -> Operator:
        return Operator(name, "row", after, to)

    yield op("filter v not null", f'.filter(F.col("{v}").isNotNull())')
    yield op("filter v null", f'.filter(F.col("{v}").isNull())')
    if _numeric(kind_v):
        yield op("filter v > 0", f'.filter(F.col("{v}") > 0)')
        first = f'"{k}", ' if k != v else ""
        yield op("select negated", f'.select({first}(-F.col("{v}")).alias("{v}"))', (*shape[: k != v], shape[-1]))
        yield op("withColumn positive", f'.withColumn("p", F.col("{v}") > 0)', (*shape, ("p", "boolean")))
        yield op("withColumn coalesced", f'.withColumn("{v}", F.coalesce(F.col("{v}"), F.lit(0)))')
        case = f'F.when(F.col("{v}") > 0, 1).otherwise(0)'
        yield op("withColumn case", f'.withColumn("{v}", {case})', (*shape[:-1], (v, "long")))
    if _numeric(kind_k) and k != v:
        yield op("filter k = 1", f'.filter(F.col("{k}") == 1)')
        yield op("filter k <=> NULL", f'.filter(F.col("{k}").eqNullSafe(F.lit(None)))')
    yield op("dropna", f'.dropna(subset=["{v}"])')
    yield op("withColumn copied", f'.withColumn("c", F.col("{v}"))', (*shape, ("c", kind_v)))
    yield op("renamed", f'.withColumnRenamed("{v}", "z")', (*shape[:-1], ("z", kind_v)))
    yield op("sorted", f'.orderBy("{v}")')
    if k != v:
        swapped = ((k, kind_v), (v, kind_k))
        yield op("select swapped", f'.select(F.col("{v}").alias("{k}"), F.col("{k}").alias("{v}"))', swapped)
        yield op("drop k", f'.drop("{k}")', shape[1:])
        yield op("drop v", f'.drop("{v}")', shape[:-1])


_ROW_FUNCTIONS = {
    "sign": ("long", "1 if x is not None and x > 0 else 0"),
    "same": ("long", "x"),
    "truthy": ("long", "x if x else None"),
    "more": ("long", "x + 1"),
    "missing": ("boolean", "x is None"),
}


def _row_functions(shape: Shape) -> Iterator[Operator]:
    v, kind = shape[-1]
    if kind != "long":
        return
    for name, (result, body) in _ROW_FUNCTIONS.items():
        text = f'def {name}(x):\n    return {body}\n\n\nu_{name} = F.udf({name}, "{result}")\n'
        kind_of: Kind = "boolean" if result == "boolean" else "long"
        yield Operator(
            f"udf {name}", "boundary", f'.withColumn("u", u_{name}(F.col("{v}")))', (*shape, ("u", kind_of)), (text,)
        )


# --- native aggregates

_NATIVE: dict[str, tuple[str, Kind]] = {
    "max": ('F.max("{v}")', "long"), "min": ('F.min("{v}")', "long"), "sum": ('F.sum("{v}")', "long"),
    "avg": ('F.avg("{v}")', "double"), "count": ('F.count("{v}")', "long"), "count *": ('F.count("*")', "long"),
    "count_if": ('F.count_if(F.col("{v}") > 0)', "long"), "bool_or": ('F.bool_or(F.col("{v}") > 0)', "boolean"),
    "bool_and": ('F.bool_and(F.col("{v}") > 0)', "boolean"), "first": ('F.first("{v}")', "long"),
    "first non-null": ('F.first("{v}", ignorenulls=True)', "long"), "last": ('F.last("{v}")', "long"),
    "last non-null": ('F.last("{v}", ignorenulls=True)', "long"), "max_by": ('F.max_by("{k}", "{v}")', "long"),
    "min_by": ('F.min_by("{v}", "{k}")', "long"), "count distinct": ('F.countDistinct("{v}")', "long"),
    "size of set": ('F.size(F.collect_set("{v}"))', "long"),
    "set contains": ('F.array_contains(F.collect_set("{v}"), 1)', "boolean"),
    "collect_set": ('F.collect_set("{v}")', "array"),
    "max of case": ('F.max(F.when(F.col("{v}") > 0, 1).otherwise(0))', "long"),
    "sum of case": ('F.sum(F.when(F.col("{v}") > 0, 1).otherwise(0))', "long"),
}  # fmt: skip
_SAME_KIND = {"max", "min", "sum", "first", "first non-null", "last", "last non-null", "min_by"}
_PAIRS = (("max", "min"), ("max", "count"), ("max", "count *"), ("count", "sum"))


def _aggregates(shape: Shape, made: str) -> Iterator[Operator]:
    (k, kind_k), (v, kind_v) = shape[0], shape[-1]
    if not (_numeric(kind_k) and _numeric(kind_v)):
        return
    for name, (call, kind) in _NATIVE.items():
        if name == "set contains" and kind_v != "long":
            continue
        text = call.replace("{v}", v).replace("{k}", k) + f'.alias("{made}")'
        result = kind_v if name in _SAME_KIND else kind_k if name == "max_by" else kind
        yield Operator(f"global {name}", "boundary", f".agg({text})", ((made, result),))
        if k != v and name not in ("max_by", "min_by"):
            yield Operator(f"grouped {name}", "boundary", f'.groupBy("{k}").agg({text})', (shape[0], (made, result)))
    for a, b in _PAIRS if k != v else ():
        one, other = (_NATIVE[x][0].replace("{v}", v) for x in (a, b))
        text = f'{one}.alias("{made}"), {other}.alias("b")'
        kinds: Shape = ((made, kind_v if a in _SAME_KIND else "long"), ("b", kind_v if b in _SAME_KIND else "long"))
        yield Operator(f"global {a} and {b}", "boundary", f".agg({text})", kinds)
        yield Operator(f"grouped {a} and {b}", "boundary", f'.groupBy("{k}").agg({text})', (shape[0], *kinds))


# --- functions of a group

_FOLDS: dict[str, tuple[str, str, str]] = {
    # name: (initial, loop body, result)
    "max": ("best = None", "if best is None or x > best:\n    best = x", "best"),
    "min": ("best = None", "if best is None or x < best:\n    best = x", "best"),
    "count": ("n = 0", "n += 1", "n"),
    "sum": ("s = 0", "s += x", "s"),
    "count_if": ("n = 0", "if x > 0:\n    n += 1", "n"),
    "first": ("found = None", "if found is None:\n    found = x", "found"),
    "last": ("found = None", "found = x", "found"),
    "any": ("found = False", "if x > 0:\n    found = True", "found"),
    "all": ("found = True", "if not x > 0:\n    found = False", "found"),
    "top2": (
        "a = None\nb = None",
        "if a is None or x > a:\n    b = a\n    a = x\nelif b is None or x > b:\n    b = x",
        "a, b",
    ),
}
_REDUCTIONS = {"max": 'rows["{v}"].max()', "sum": 'rows["{v}"].sum()', "len": "len(rows)"}


def _group_functions(shape: Shape, made: str) -> Iterator[Operator]:
    (k, kind_k), (v, kind_v) = shape[0], shape[-1]
    if k == v or kind_k != "long" or not _numeric(kind_v):
        return
    names = f"{k}_{v}_{made}"
    for fold in _FOLDS:
        for guarded in (False, True):
            name = f"{fold}{'_known' if guarded else ''}_{names}"
            flag: Kind = "boolean" if fold in ("any", "all") else "long" if "count" in fold else kind_v
            outputs: Shape = ((made, flag), ("b", flag)) if fold == "top2" else ((made, flag),)
            text = _loop(name, fold, guarded, k, v, outputs)
            ddl = ", ".join(f"{n} {t}" for n, t in ((k, kind_k), *outputs))
            yield Operator(
                f"applyInPandas {fold}{' guarded' if guarded else ''}", "boundary",
                f'.groupBy("{k}").applyInPandas({name}, "{ddl}")', ((k, kind_k), *outputs), (text,),
                rows=3 if fold == "top2" else 2,
            )  # fmt: skip
    for reduction, value in _REDUCTIONS.items():
        name = f"{reduction}_of_series_{names}"
        row = f'{{"{k}": key[0], "{made}": {value.replace("{v}", v)}}}'
        text = f"def {name}(key, rows):\n    return pd.DataFrame([{row}])\n"
        out: Shape = ((k, kind_k), (made, "long" if reduction == "len" else kind_v))
        ddl = ", ".join(f"{n} {t}" for n, t in out)
        call = f'.groupBy("{k}").applyInPandas({name}, "{ddl}")'
        yield Operator(f"applyInPandas {reduction} of series", "boundary", call, out, (text,))
    yield from _arrow_and_series(shape, made)


def _loop(name: str, fold: str, guarded: bool, k: str, v: str, outputs: Shape) -> str:
    initial, step, result = _FOLDS[fold]
    body = f"x = row.{v}\n" + ("if not pd.isna(x):\n" + textwrap.indent(step, "    ") if guarded else step)
    pairs = ", ".join(f'"{n}": {r}' for (n, _), r in zip(outputs, result.split(", "), strict=True))
    lines = [initial, "for row in rows.itertuples():", textwrap.indent(body, "    ")]
    lines.append(f'return pd.DataFrame([{{"{k}": key[0], {pairs}}}])')
    return f"def {name}(key, rows):\n" + textwrap.indent("\n".join(lines), "    ") + "\n"


def _arrow_and_series(shape: Shape, made: str) -> Iterator[Operator]:
    (k, kind_k), (v, kind_v) = shape[0], shape[-1]
    if kind_v != "long":
        return
    out: Shape = ((k, kind_k), (made, kind_v))
    for fold in ("max", "count"):
        initial, step, result = _FOLDS[fold]
        name = f"{fold}_arrow_{k}_{v}_{made}"
        body = textwrap.indent(f'x = row["{v}"]\nif x is not None:\n' + textwrap.indent(step, "    "), "    ")
        fields = ", ".join(f'("{n}", pa.int64())' for n, _ in out)
        row = f'{{"{k}": key[0].as_py(), "{made}": {result}}}'
        ending = f"return pa.Table.from_pylist([{row}], schema=pa.schema([{fields}]))"
        lines = [initial, "for row in table.to_pylist():", body, ending]
        text = f"def {name}(key, table):\n" + textwrap.indent("\n".join(lines), "    ") + "\n"
        call = f'.groupBy("{k}").applyInArrow({name}, "{k} long, {made} long")'
        yield Operator(f"applyInArrow {fold}", "boundary", call, out, (text,))
    for reduction in ("max", "sum", "count"):
        name = f"{reduction}_series"
        text = f'@F.pandas_udf("long")\ndef {name}(x: pd.Series) -> int:\n    return x.{reduction}()\n'
        call = f'{name}(F.col("{v}")).alias("{made}")'
        yield Operator(f"grouped pandas_udf {reduction}", "boundary", f'.groupBy("{k}").agg({call})', out, (text,))
        yield Operator(f"global pandas_udf {reduction}", "boundary", f".agg({call})", out[1:], (text,))


# --- table functions and RDDs

_UDTFS = {
    "max": (
        "self.best = None",
        "if x is not None and (self.best is None or x > self.best):\n    self.best = x",
        "self.best",
    ),
    "count": ("self.n = 0", "self.n += 1", "self.n"),
}
_RDDS = {
    "reduceByKey max": ".reduceByKey(max)",
    "aggregateByKey max": '.aggregateByKey(float("-inf"), max, max)',
    "aggregateByKey max from 0": ".aggregateByKey(0, max, max)",
    "aggregateByKey count": ".aggregateByKey(0, lambda n, x: n + 1, lambda a, b: a + b)",
    "aggregateByKey count from 1": ".aggregateByKey(1, lambda n, x: n + 1, lambda a, b: a + b)",
    "aggregateByKey any": ".aggregateByKey(False, lambda a, x: a or x == 1, lambda a, b: a or b)",
    "groupByKey max": ".groupByKey().mapValues(lambda xs: max(xs))",
    "groupByKey len": ".groupByKey().mapValues(lambda xs: len(xs))",
}


def _tables_and_rdds(shape: Shape, made: str) -> Iterator[Operator]:
    (k, kind_k), (v, kind_v) = shape[0], shape[-1]
    if k == v or not kind_k == kind_v == "long":
        return
    for fold, (initial, step, result) in _UDTFS.items():
        name = f"{fold.capitalize()}_{k}_{v}_{made}"
        methods = [
            "def __init__(self):", f"    self.key = None\n    {initial}",
            "def eval(self, row: Row):", textwrap.indent(f'self.key = row["{k}"]\nx = row["{v}"]\n{step}', "    "),
            "def terminate(self):", f"    yield self.key, {result}",
        ]  # fmt: skip
        head = f'@F.udtf(returnType="{k} long, {made} long")\nclass {name}:\n'
        text = head + textwrap.indent("\n".join(methods), "    ")
        out: Shape = ((k, "long"), (made, "long"))
        yield Operator(
            f"udtf {fold}", "boundary", f'.asTable().partitionBy("{k}"))', out, (text + "\n",), before=f"{name}("
        )
    for name, call in _RDDS.items():
        kind: Kind = "boolean" if "any" in name else "long"
        text = f".rdd.map(lambda r: (r.{k}, r.{v})){call}"
        yield Operator(f"rdd {name}", "boundary", text, (("0", "long"), ("1", kind)), rdd=True)


def _opaque(shape: Shape) -> Iterator[Operator]:
    (k, kind_k), (v, kind_v) = shape[0], shape[-1]

    def op(name: str, after: str, to: Shape = shape) -> Operator:
        return Operator(name, "opaque", after, to)

    if kind_v != "array":
        yield op("dropDuplicates", f'.dropDuplicates(["{k}"])')
        yield op("distinct", ".distinct()")
    yield op("limit", ".limit(1)")
    yield op("cache", ".cache()")
    if _numeric(kind_v):
        window = f'Window.partitionBy("{k}").orderBy("{v}")' if k != v else f'Window.partitionBy().orderBy("{v}")'
        yield op("row_number", f'.withColumn("n", F.row_number().over({window}))', (*shape, ("n", "long")))
        if k != v:
            over = f'F.max("{v}").over(Window.partitionBy("{k}"))'
            yield op("window max", f'.withColumn("n", {over})', (*shape, ("n", kind_v)))
        if {kind_k, kind_v} == {"long"}:
            yield op("fillna", ".fillna(0)")
    if [kind for _, kind in shape] == ["long", "long"]:
        yield op("union", '.union(spark.table("t"))')
    if k == "k" and kind_k == "long" and all(n != "q" for n, _ in shape):
        for how in ("inner", "left"):
            yield op(f"{how} join", f'.join(spark.table("u"), "k", "{how}")', (*shape, ("q", "long")))
