"""Functions of the file that make a Column of Columns, called where conditions, projections and aggregates stand; and
what may have such a name mean something else by then."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

from .program import Draw, Program
from .small_table import DATA, DDL

IMPORTS = (
    "import pandas as pd",
    "from pyspark.sql import functions as F",
    "from pyspark.sql.functions import col, lit",
    "",
)
_TYPES = dict(column.split() for column in DDL.split(", "))
_LITERALS: dict[str, tuple[str, ...]] = {
    "n": ("0", "1", "90", "-1", "2"), "x": ("0.0", "90.0", "-1.0", "2.5", "1"), "s": ("'a'", "'b'", "''", "'ab'"),     "b": ("True", "False"), "day": ("F.lit('2024-01-01').cast('date')", "F.lit('2025-06-01').cast('date')"),
}  # fmt: skip
_OF_ANY = (
    "{c} >= {l}", "{c} > {l}", "{c} < {l}", "{c} <= {l}", "{c} == {l}", "{c} != {l}", "{l} <= {c}", "{c}.isNull()", "{c}.isNotNull()", "{c}.between({l}, {m})", "{c}.eqNullSafe({l})", "{c}.isin({l}, {m})",
    "F.coalesce({c}, F.lit({l})) >= {m}", "F.when({c} >= {l}, True)", "F.when({c} >= {l}, F.lit(True)).otherwise({c} < {m})", "F.when({c}.isNull(), {c} == {l}).otherwise({c} > {m})", "F.isnull({c})", "{c}.isin([{l}])",
)  # fmt: skip
_OF_TYPE: dict[str, tuple[str, ...]] = {
    "n": ("{c}.cast('double') >= {l}", "{c}.cast('bigint') > {l}", "{c} % 2 == 0", "-{c} <= {l}", "{c}.cast('string') == '90'", "{c} >= {l} / 2", "{c} > 90 // 4", "{c} > -7 % 3", "{c}.isin(1, None)"),
    "x": ("F.isnan({c})", "{c}.isNaN()", "-{c} <= {l}", "{c}.cast('double') >= {l}", "{c} != {c}"),
    "s": ("{c}.startswith('a')", "{c}.contains('b')", "F.lower({c}) == {l}", "F.length({c}) > 1", "{c}.isin('a', None)"),
    "b": ("{c}", "~{c}", "{c} == True", "{c} & True"),
    "day": ("F.year({c}) == 2024", "F.year({c}) >= 2024", "F.month({c}) == 12"),
}  # fmt: skip
_JOINED = (
    "{p}",
    "{p}",
    "~({p})",
    "({p}) & ({q})",
    "({p}) | ({q})",
    "~(({p}) & ({q}))",
    "({p}) & ~({q})",
    "~(({p}) | ({q}))",
)
OTHER = "lambda {c}: {c}.isNull()"
"""What the name of the function stands for where it is another one."""
_HEADS = (
    "def {g}({c}):",
    "def {g}({c}):",
    "def {g}({c}, low={l}):",
    "def {g}({c}, low):",
    "def {g}({c}, /, low):",
    "def {g}({c}, *, low={l}):",
    "def {g}(low, {c}):",
)
_BODIES = (
    "    return {p}", "    return {p}", '    """What counts."""\n    return {p}', "    made = {p}\n    return made", "    made = {p}\n    made = made & ({q})\n    return made",
    "    return inner({c}) & ({p})", "    return inner({c})", "    low_ = {l}\n    return {c} > low_", "    {c} = F.coalesce({c}, {c})\n    return {p}", "    return {c} >= limit",
)  # fmt: skip
_CHANGED = (
    "def swap():\n    global {g}\n    {g} = {o}\n\n\nswap()", "{g}.__code__ = ({o}).__code__", "globals()['{g}'] = {o}", "def swap(f):\n    f.__code__ = ({o}).__code__\n\n\nswap({g})", "{g}, other = {o}, {g}",
    "for {g} in ({o},):\n    pass", "{g} = F.udf(lambda v: v is None, 'boolean')", "class {g}:\n    def __new__(cls, c, *a, **k):\n        return c.isNull()\n", "if ({g} := {o}):\n    pass", "def {g}({c}, *a, **k):\n    return {c}.isNull()\n",
    "{g}.__defaults__ = ({l},) if {g}.__defaults__ else None", "setattr(F, 'coalesce', lambda *c: F.lit(None))", "F.isnull, F.when = F.isnotnull, F.when", "inner.__code__ = (lambda v: v.isNull()).__code__", "def swap():\n    global inner\n    inner = lambda v: v.isNull()\n\n\nswap()",
    "import builtins\nbuiltins.setattr({g}, '__code__', ({o}).__code__)", "try:\n    raise ValueError\nexcept ValueError as {g}:\n    pass\n{g} = {o}", "from functools import partial\n{g} = partial(lambda d, c, *a, **k: d, F.lit(False))",
)  # fmt: skip
_LOCAL = (
    "def use(frame, {g}):\n    return frame.filter({call})\n\n\nresult = use(made, {o_any})", "def use(frame):\n    {g} = {o_any}\n    return frame.filter({call})\n\n\nresult = use(made)",
    "def use(frame):\n    def {g}({c}, *a, **k):\n        return {c}.isNull()\n\n    return frame.filter({call})\n\n\nresult = use(made)", "result = (lambda {g}: made.filter({call}))({o_any})",
    "def use(frame):\n    for {g} in ({o_any},):\n        frame = frame.filter({call})\n    return frame\n\n\nresult = use(made)", "def use(frame, inner=lambda v: v.isNull()):\n    return frame.filter({call})\n\n\nresult = use(made)",
    "def use(frame):\n    class F:\n        col = staticmethod(col)\n        isnull = staticmethod(lambda v: v.isNotNull())\n        coalesce = staticmethod(lambda *v: v[0])\n\n    return frame.filter({call})\n\n\nresult = use(made)",
    "def use(frame, low={l}):\n    return frame.filter({call})\n\n\nresult = use(made)", "def use(frame, limit={l}):\n    return frame.filter({call})\n\n\nresult = use(made)", "def use(frame):\n    limit = {l}\n    return frame.filter({call})\n\n\nresult = use(made)", "def use(frame):\n    return frame.filter({call})\n\n\nresult = use(made)", "result = [made.filter({call}) for {g} in ({o_any},)][0]", "with_condition = {call}\nresult = made.filter(with_condition)", "result = made.transform(lambda frame: frame.filter({call}))",
)  # fmt: skip
_FRAMES = (
    't.groupBy("k").agg(F.max("{v}").alias("{v}"))', 't.groupBy("k").agg(F.min("{v}").alias("{v}"))', 't.groupBy("k").agg(F.max("{v}").alias("{v}"))',
    't.groupBy("{v}").applyInPandas(lambda pdf: pdf[["{v}"]], "{v} {t}")', 't.mapInPandas(same, schema)', 't.mapInPandas(same, schema)', 't.withColumn("y", u("k"))', 't.groupBy("{v}", "k").agg(F.collect_list("s").alias("all"))',
)  # fmt: skip
_COMPUTED = (
    't.groupBy("k").agg(F.max(F.when({call}, F.col("n"))).alias("top")).filter("top >= 1")', 't.groupBy("k").agg(F.sum(F.when({call}, 1).otherwise(0)).alias("top")).filter("top > 0")', 't.groupBy("k").agg(F.count(F.when({call}, 1)).alias("top")).filter(F.col("top") >= 1)',
    't.withColumn("ok", {call}).groupBy("k").agg(F.max("ok").alias("hit")).filter("hit")', 't.select("k", "n", {call}.alias("ok")).groupBy("k", "ok").agg(F.max("n").alias("top")).filter(F.col("top") > 1)', 't.filter({call}).groupBy("k").agg(F.max("n").alias("top")).filter("top >= 90")',
    't.withColumn("ok", {call}).mapInPandas(lambda frames: frames, schema + ", ok boolean").filter("ok")',
)  # fmt: skip


def condition(draw: Draw, column: str, parameter: str) -> str:
    """A condition on ``parameter``, which stands for a column of the type of ``column``."""

    def one() -> str:
        options = _OF_TYPE[column] if draw.chance(0.4) else _OF_ANY
        text = draw.one(options)
        for mark in "lm":
            text = text.replace(f"{{{mark}}}", draw.one(_LITERALS[column]))
        return text.replace("{c}", parameter)

    joined = draw.one(_JOINED)
    return joined.replace("{p}", one()).replace("{q}", one())


def function(draw: Draw, name: str, column: str) -> tuple[list[str], str]:
    """The definition of a function that makes a condition of a Column, and a call of it."""
    parameter = draw.one(("c", "c", "value", column, "s", "F_", "best"))
    low = draw.one(_LITERALS[column])
    head = draw.one(_HEADS)
    p, q = condition(draw, column, parameter), condition(draw, column, parameter)
    if "low" in head and not head.startswith("def {g}(low"):
        p = draw.one((f"{parameter} >= low", f"({p}) & ({parameter} != low)", f"({parameter} > low) | ({q})"))
    elif "low" in head:
        p = f"({parameter} >= low) & ({p})"
    text = head + "\n" + draw.one(_BODIES)
    for mark, value in (("{g}", name), ("{c}", parameter), ("{l}", low), ("{p}", p), ("{q}", q)):
        text = text.replace(mark, value)
    limit = f"limit = {draw.one(_LITERALS[column])}\n\n\n" if "limit" in text else ""
    inner = f"def inner(v):\n    return {condition(draw, column, 'v')}\n\n\n" if "inner(" in text else ""
    given = draw.one((f'F.col("{column}")', f'col("{column}")', f'F.col("{column}")', f'F.expr("{column}")'))
    if head.startswith("def {g}(low"):
        call = draw.one((f"{name}({low}, {given})", f"{name}({parameter}={given}, low={low})"))
    elif "low" not in head or ("=" in head and draw.chance(0.4)):
        call = draw.one((f"{name}({given})", f"{name}({parameter}={given})"))
    else:
        call = f"{name}({given}, {'low=' if '*' in head or draw.chance(0.4) else ''}{draw.one(_LITERALS[column])})"
    if "/" in head:
        call = call.replace(f"{parameter}=", "")
    return [*f"{limit}{inner}{text}".split("\n"), "", ""], call


def write(draw: Draw) -> Program:
    """A function, perhaps another of its name, and a frame that it is asked of."""
    column = draw.one([name for name in _TYPES if name != "k"])
    name = draw.one(("is_high", "g", "wanted", "check", "inner_"))
    lines, call = function(draw, name, column)
    parameter = "c"
    other = f"lambda {parameter}, *a, **k: {parameter}.isNull()"
    marks = {
        "{g}": name, "{o_any}": other, "{o}": other, "{call}": call, "{c}": parameter, "{l}": draw.one(_LITERALS[column]), "{v}": column, "{t}": _TYPES[column]
    }  # fmt: skip
    head = [*IMPORTS, f'schema = "{DDL}"', "", *_HELPERS, *lines]
    change = draw.one(_CHANGED) if draw.chance(0.2) else ""
    shape = "computed" if draw.chance(0.3) else "frame"
    local = draw.one(_LOCAL) if shape == "frame" and draw.chance(0.35) else "result = made.filter({call})"
    if draw.chance(0.3):
        local = local.replace(
            "{call}", draw.one(("~{call}", '({call}) & (F.col("k") == "a")', '{call} | (F.col("{v}") == {l})'))
        )
    frame = draw.one(_FRAMES)
    if "def use(frame" in local and draw.chance(0.7):  # what a function is given, nothing is known of
        local = (
            local.replace("use(made", "use(")
            .replace("use(, ", "use(")
            .replace("def use(frame, ", "def use(")
            .replace("def use(frame", "def use(")
        )
        made_inside = frame.replace("t.", 'spark.table("t").', 1)
        local = local.replace("):\n", f"):\n    frame = {made_inside}\n", 1)
    end = [f"result = {draw.one(_COMPUTED)}"] if shape == "computed" else [f"made = {frame}", *local.split("\n")]
    late = bool(change) and draw.chance(0.3)
    text = "\n".join(
        [*head, *([] if late else [change, ""]), 't = spark.table("t")', *end, *([change] if late else [])]
    )
    for mark, value in marks.items():
        text = text.replace(mark, value)
    for mark, value in marks.items():  # of what was put in
        text = text.replace(mark, value)
    return Program(
        "column_functions",
        text.rstrip() + "\n",
        {"t": DDL},
        (change.split("\n")[0][:24] or local[:24], shape),
        False,
        {"t": DDL} if draw.chance(0.8) else {},
        DATA,
    )


_HELPERS = ("def same(frames):", "    yield from frames", "", "", 'u = F.udf(lambda v: len(v or ""), "int")', "", "")
