"""Constants that are broadcast, and what may make them, or the name that holds them, something else."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

from .program import Draw, Program
from .small_table import DATA, DDL

_LISTED: dict[str, tuple[str, ...]] = {
    "k": ("{'a', 'b'}", "['a', 'b']", "('a', '')", "frozenset(['a'])", "['a', None]", "{'a': 1, 'b': 2}", "{'a': 1, None: 0}", "[]", "{1, 'a'}", "'ab'"),
    "n": ("{1, 2}", "[90]", "(0, 1, None)", "{1.0, 90.0}", "{True}", "[1, 1.5]", "{1: 'a', 2: None}", "{0: 1, 1: 0, 90: 2}", "{-1}", "range(3)", "{2**53, 1}"),
    "x": ("{1.0, 2.5}", "[0]", "{0.0}", "[-0.0]", "[float('nan')]", "[float('inf'), 90]", "{1: 'a', 2.5: 'b'}", "(True,)", "['1.0']"),
    "s": ("{'ab', ''}", "['a', 'ab']", "('é', 'b')", "{'': 0, 'ab': 1}", "['A', ' a']"), "b": ("[True]", "{1}", "{0, None}", "{True: 'a'}", "(False, 'a')"),
}  # fmt: skip
_SINGLE: dict[str, tuple[str, ...]] = {
    "k": ("'a'", "''"),
    "n": ("1", "90", "1.0", "True", "None", "0"),
    "x": ("1.0", "0.0", "-0.0", "float('nan')", "2"),
    "s": ("'ab'", "'b'"),
    "b": ("True", "1", "False"),
}
_OF_MANY = (
    "{v} in wanted.value", "{v} in wanted.value", "{v} not in wanted.value", "not {v} in wanted.value", "{v} in list(wanted.value)", "{v} in set(wanted.value)", "{v} in wanted.value and {v} is not None", "{v} is None or {v} in wanted.value", "any({v} == w for w in wanted.value)", "len(wanted.value) > 1 and {v} in wanted.value", "{v} in tuple(wanted.value)", "{v} in (wanted.value or [])", "bool(wanted.value) and {v} in wanted.value",
    "{v} in [w for w in wanted.value]", "{v} in {{w for w in wanted.value if w}}", "{v} in sorted(wanted.value)", "{v} == max(wanted.value)", "{v} in wanted.value if {v} else False", "True if {v} in wanted.value else None", "{v} in (lambda w: w.value)(wanted)",
)  # fmt: skip
_OF_DICT = (
    "{v} in wanted.value.keys()",
    "wanted.value.get({v}) == 1",
    "wanted.value.get({v}, 0) == 1",
    "wanted.value.get({v}) is None",
    "wanted.value[{v}] == 1",
    "{v} in wanted.value and wanted.value[{v}] == 1",
    "{v} in wanted.value.values()",
    "wanted.value.get({v}, 0) != 1",
    "({v}, 1) in wanted.value.items()",
    "bool(wanted.value.get({v}))",
)
_OF_ONE = (
    "{v} == wanted.value",
    "{v} is not None and {v} >= wanted.value",
    "{v} != wanted.value",
    "{v} is not None and {v} < wanted.value",
    "not {v} == wanted.value",
    "{v} is not None and {v} == wanted.value",
    "{v} in (wanted.value,)",
)
_MADE = (
    "wanted = spark.sparkContext.broadcast({l})", "wanted = spark.sparkContext.broadcast({l})", "wanted = spark.sparkContext.broadcast({l})", "WANTED = {l}\nwanted = spark.sparkContext.broadcast(WANTED)", "context = spark.sparkContext\nwanted = context.broadcast({l})",
    "wanted = spark.sparkContext.broadcast(value={l})", "wanted = other = spark.sparkContext.broadcast({l})", "first = spark.sparkContext.broadcast({l})\nwanted = first", "wanted = None\nwanted = spark.sparkContext.broadcast({l})", "WANTED = {l}\nBASE = WANTED\nwanted = spark.sparkContext.broadcast(BASE)",
)  # fmt: skip
_HARMLESS = (
    "pass",
    "wanted.unpersist()",
    "print(len(str(wanted.value)))",
    "known = wanted.value",
    "n = len(str(wanted.value))",
    "wanted2 = spark.sparkContext.broadcast({m})",
    "def unused(w):\n    w.value.clear()\n",
    "names = str(wanted.value)",
)
_CHANGES = (
    "WANTED.clear()", "WANTED.__init__({m})", "BASE = WANTED\nBASE.clear()", "wanted = spark.sparkContext.broadcast({m})", "for wanted in [spark.sparkContext.broadcast({m})]:\n    pass", "def swap():\n    global wanted\n    wanted = spark.sparkContext.broadcast({m})\n\n\nswap()", "globals()['wanted'] = spark.sparkContext.broadcast({m})",
    "from types import SimpleNamespace\nwanted = SimpleNamespace(value={m})", "class Held:\n    value = {m}\n\n\nwanted = Held()", "if known:\n    wanted = spark.sparkContext.broadcast({m})", "try:\n    raise ValueError\nexcept ValueError:\n    wanted = spark.sparkContext.broadcast({m})", "(wanted := spark.sparkContext.broadcast({m}))",
    'exec("wanted = spark.sparkContext.broadcast({m})", globals())', "def change(w):\n    w.clear()\n\n\nchange(WANTED)", "def change(x=WANTED):\n    x.clear()\n\n\nchange()", "[w.clear() for w in [WANTED]]", "import operator\noperator.methodcaller('clear')(WANTED)", "(lambda w: w.clear())(WANTED)", "x = {'c': WANTED}\nx['c'].clear()", "vars()['WANTED'].clear()", "WANTED = {m}", "del WANTED", "WANTED += WANTED",
)  # fmt: skip
_IN_FUNCTION = (
    "wanted.value.clear()", "w = wanted.value\n    w.clear()", "[w.clear() for w in [wanted.value]]", "for w in (wanted.value,):\n        w.clear()", "wanted.value.pop() if len(wanted.value) > 1 else 0", "def change(w):\n        w.clear()\n\n    change(wanted.value)", "(lambda w: w.value.clear())(wanted)", "w = wanted\n    w.value.clear()",
    "getattr(wanted, 'value').clear()", "w = (wanted.value or [])\n    w.clear()", "x = {'w': wanted.value}\n    x['w'].clear()", "wanted.value.__init__({m})", "w = dict(v=wanted.value)['v']\n    w.clear()", "w = wanted.value\n    w |= {m}", "import operator\n    operator.methodcaller('clear')(wanted.value)",
)  # fmt: skip
"""What a worker changes for the rows that it sees later: nothing of it may be passed over."""
_HARMLESS_INSIDE = (
    "w = list(wanted.value)\n    w.clear()",
    "n = len(str(wanted.value))",
    "w = wanted.value",
    "other = str(wanted.value)",
)
_SHADOWED = (
    "def use(t, wanted):\n    f = F.udf(lambda {v}: {body}, 'boolean')\n    return t.filter(f('{a}'))\n\n\nresult = use(t, spark.sparkContext.broadcast({m}))", "def use(t):\n    wanted = spark.sparkContext.broadcast({m})\n    f = F.udf(lambda {v}: {body}, 'boolean')\n    return t.filter(f('{a}'))\n\n\nresult = use(t)",
    "def use(t):\n    f = F.udf(lambda {v}: {body}, 'boolean')\n    wanted = spark.sparkContext.broadcast({m})\n    return t.filter(f('{a}'))\n\n\nresult = use(t)", "def use(t):\n    for wanted in [spark.sparkContext.broadcast({m})]:\n        f = F.udf(lambda {v}: {body}, 'boolean')\n        t = t.filter(f('{a}'))\n    return t\n\n\nresult = use(t)",
    "f = F.udf(lambda {v}, wanted=spark.sparkContext.broadcast({m}): {body}, 'boolean')\nresult = t.filter(f('{a}'))", "def make(wanted):\n    return lambda {v}: {body}\n\n\nf = F.udf(make(spark.sparkContext.broadcast({m})), 'boolean')\nresult = t.filter(f('{a}'))", "def make():\n    wanted = spark.sparkContext.broadcast({m})\n\n    def inner({v}):\n        return {body}\n\n    return inner\n\n\nf = F.udf(make(), 'boolean')\nresult = t.filter(f('{a}'))",
    "def use(t):\n    wanted = spark.sparkContext.broadcast({m})\n    f = F.udf(lambda {v}: {body}, 'boolean')\n    wanted = spark.sparkContext.broadcast({l})\n    return t.filter(f('{a}'))\n\n\nresult = use(t)", "class Fake:\n    value = {m}\n\n    def broadcast(self, value):\n        return self\n\n\nsc = Fake()\nwanted = sc.broadcast({l})\nf = F.udf(lambda {v}: {body}, 'boolean')\nresult = t.filter(f('{a}'))",
    "result = [t.filter(F.udf(lambda {v}: {body}, 'boolean')('{a}')) for wanted in [spark.sparkContext.broadcast({m})]][0]", "def use(t, wanted=spark.sparkContext.broadcast({m})):\n    f = F.udf(lambda {v}: {body}, 'boolean')\n    return t.filter(f('{a}'))\n\n\nresult = use(t)",
)  # fmt: skip
_WAYS = (
    't.filter(f("{a}"))', 't.filter(f("{a}"))', 't.withColumn("y", f("{a}")).filter("y")', 't.withColumn("y", f("{a}")).filter(~F.col("y"))', 't.filter(~f("{a}"))', 't.rdd.filter(lambda r: inner(r.{a}))', 't.rdd.map(lambda r: (r.k, r.{a})).filter(lambda p: inner(p[1]))', 't.withColumn("y", f("{a}")).filter("NOT y OR y IS NULL")',
    't.filter(f("{a}") & (F.col("n") > 1))', 't.withColumn("y", f("{a}")).groupBy("y").agg(F.max("n").alias("top")).filter("y AND top > 1")', 't.mapInPandas(chosen, "{all}")', 't.filter(g("{a}"))',
)  # fmt: skip


def write(draw: Draw) -> Program:
    """A broadcast, what becomes of it, and a function that reads it."""
    a = draw.one(tuple(_LISTED))
    one = draw.chance(0.2)
    literal, other = (draw.one((_SINGLE if one else _LISTED)[a]) for _ in "lm")
    is_dict = literal.startswith("{") and ":" in literal
    of = _OF_ONE if one else _OF_DICT if is_dict and draw.chance(0.7) else _OF_MANY
    v = draw.one((a, "v", "code", "t", "value"))
    body, made = (
        draw.one(of).replace("{v}", v).replace("{{", "{").replace("}}", "}"),
        draw.one(_MADE[:5] if draw.chance(0.8) else _MADE),
    )
    kind = draw.one(("plain",) * 5 + ("harmless", "change", "change", "inside", "inside", "shadowed", "shadowed"))
    inside = draw.one(_IN_FUNCTION) if kind == "inside" else draw.one(_HARMLESS_INSIDE) if draw.chance(0.05) else ""
    change = draw.one(_CHANGES) if kind == "change" else draw.one(_HARMLESS) if kind == "harmless" else ""
    lines = [
        "import pandas as pd",
        "from pyspark.sql import functions as F",
        "from pyspark.sql.functions import pandas_udf",
        "",
        made,
    ]
    if "WANTED" in change and "WANTED" not in made:
        lines[-1] = "WANTED = {l}\nwanted = spark.sparkContext.broadcast(WANTED)"
    function = f"def inner({v}):\n" + (f"    {inside}\n" if inside else "") + f"    return {body}\n\n"
    way = draw.one(_WAYS[:6] if draw.chance(0.4) else _WAYS)
    end = ["f = F.udf(inner, 'boolean')"]
    if "g(" in way:
        end = ["\n@pandas_udf('boolean')\ndef g(v: pd.Series) -> pd.Series:\n    return v.isin(list(wanted.value))\n\n"]
    if "chosen" in way:
        end = [
            f"\ndef chosen(frames):\n    for pdf in frames:\n        yield pdf[pdf.{a}.isin(list(wanted.value))]\n\n"
        ]
    if draw.chance(0.2) and "inner" not in way and not inside:
        function, end = "", [f"f = F.udf(lambda {v}: {body}, 'boolean')"] if "f(" in way else end
    table, result = ['t = spark.table("t")'], [f"result = {way}"]
    if kind == "shadowed":
        result = [draw.one(_SHADOWED)]
    order = draw.one(
        (
            [change, function, *end, *table, *result],
            [function, change, *end, *table, *result],
            [function, *end, *table, change, *result],
            [function, *end, *table, *result, change],
        )
    )
    text = "\n".join([*lines, "", *[part for part in order if part]])
    for mark, value in (("{v}", v), ("{body}", body), ("{l}", literal), ("{m}", other), ("{a}", a), ("{all}", DDL)):
        text = text.replace(mark, value)
    return Program(
        "broadcasts",
        text + "\n",
        {"t": DDL},
        (kind, (inside or change or way).split("\n")[0][:24]),
        False,
        {"t": DDL} if draw.chance(0.85) else {},
        DATA,
    )
