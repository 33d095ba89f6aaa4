"""A frame with two consumers of which one is a filter, and every way by which a column, the frame or its view gets
from one to the other."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

from .program import Draw, Program

DDL = "k string, v int"
ROWS = [("a", 1), ("a", 5), ("b", 2), ("c", 7), (None, 3), ("b", None)]
_MADE = (
    't.groupBy("k").agg(F.max("v").alias("m"))',
    't.groupBy("k").agg(F.max("v").alias("m"), F.count("*").alias("n"))',
    '(\n    t.groupBy("k")\n    .agg(F.max("v").alias("m"))\n)',
    't.groupBy("k").agg(F.max("v").alias("m")).withColumn("n", F.lit(1))',
    't.groupBy("k").applyInPandas(best, "k string, m int")',
    't.groupBy("k").agg(F.min("v").alias("m")).withColumnRenamed("m", "m")',
    'spark.table("t").groupBy("k").agg(F.max("v").alias("m"))',
    't.select("k", "v").groupBy("k").agg(F.max(F.col("v")).alias("m"))',
)
_CONSUMED = (
    "g.show()",
    "g.count()",
    "print(g.count())",
    "other = g.select('k')\nother.show()",
    "g.printSchema()",
    "x = g.collect()",
    "g.write.format('noop').mode('overwrite').save()",
    "g.cache()",
    "n = g.first()",
)
COLUMN = (
    "g.m",
    'g["m"]',
    'F.col("m")',
    "g.m + 0",
    "g.m > 2",
    'getattr(g, "m")',
    'g["m"].alias("m2")',
    "g.select('m').m",
    'g.__getitem__("m")',
    'g.alias("q")["m"]',
    "g.k",
)
_INERT = ("1", '"m"', 'F.col("m")', "F.lit(2)", 'F.col("m") + 1', 'F.col("m").desc()', 'F.expr("m")')
"""What does not belong to the frame."""
_SIMPLE = (
    ("c = {v}", "c"),
    ("c = {v}", "c"),
    ("l = [{v}]", "l[0]"),
    ("(a, c) = (1, {v})", "c"),
    ("read = lambda: {v}", "read()"),
    ("d = dict(c={v})", "d['c']"),
)
"""Stores that an analysis is most likely to follow."""
STORES: tuple[tuple[str, str], ...] = (
    ("c = {v}", "c"),
    ("d = {{}}\nd['c'] = {v}", "d['c']"),
    ("d = {{}}\ne = d\ne['c'] = {v}", "d['c']"),
    ("l = []\nl.append({v})", "l[0]"),
    ("l = []\nadd = l.append\nadd({v})", "l[0]"),
    ("l = [{v}]", "l[-1]"),
    ("(a, c) = (1, {v})", "c"),
    ("a, *rest = 1, {v}", "rest[0]"),
    ("def put(d, x):\n    d['c'] = x\n\n\nd = {{}}\nput(d, {v})", "d['c']"),
    ("def put(d, x):\n    d.append(x)\n\n\nl = []\nfn = put\nfn(l, {v})", "l[0]"),
    ("import operator\nd = {{}}\noperator.setitem(d, 'c', {v})", "d['c']"),
    ("class S:\n    pass\n\n\nS.c = {v}", "S.c"),
    ("class S:\n    pass\n\n\ns = S()\ns.c = {v}", "s.c"),
    ("class S:\n    pass\n\n\ns = S()\nsetattr(s, 'c', {v})", "getattr(s, 'c')"),
    ("class S:\n    def __init__(self, x):\n        self.c = x\n\n\ns = S({v})", "s.c"),
    (
        "class S:\n    def keep(self, x):\n        self.c = x\n\n    def give(self):\n        return self.c\n\n\ns = S()\ns.keep({v})",
        "s.give()",
    ),
    (
        "class S:\n    kept = []\n\n    def select(self, x):\n        self.kept.append(x)\n\n\ns = S()\ns.select({v})",
        "S.kept[0]",
    ),
    ("def read(x={v}):\n    return x\n", "read()"),
    ("def make(x):\n    def inner():\n        return x\n    return inner\n\n\nread = make({v})", "read()"),
    ("read = lambda: {v}", "read()"),
    ("def read():\n    return {v}\n", "read()"),
    ("from functools import partial\nread = partial(lambda x: x, {v})", "read()"),
    ("l = list(map(lambda x: x, [{v}]))", "l[0]"),
    ("l = []\nlist(map(l.append, [{v}]))", "l[0]"),
    ("l = [x for x in ({v},)]", "l[0]"),
    ("it = iter([{v}])", "next(it)"),
    ("def gen():\n    yield {v}\n\n\nit = gen()", "next(it)"),
    ("import threading\nl = []\nth = threading.Thread(target=lambda: l.append({v}))\nth.start()\nth.join()", "l[0]"),
    ("globals()['c'] = {v}", "globals()['c']"),
    ("def fill():\n    global c\n    c = {v}\n\n\nfill()", "c"),
    ("exec('c = {v}')", "c"),
    ("c = eval('''{v}''')", "c"),
    ("from types import SimpleNamespace\ns = SimpleNamespace(c={v})", "s.c"),
    ("from collections import namedtuple\nN = namedtuple('N', 'c')\ns = N({v})", "s.c"),
    ("from collections import deque\nq = deque()\nq.append({v})", "q[0]"),
    ("import builtins\nbuiltins.kept = {v}", "builtins.kept"),
    ("d = dict(c={v})", "d['c']"),
    ("d = {{}}\nd.update(c={v})", "d['c']"),
    ("d = {{}}\nd.setdefault('c', {v})", "d['c']"),
    ("d = {{}}\nd |= {{'c': {v}}}", "d.get('c')"),
    ("l = []\nl += [{v}]", "l[0]"),
    ("l = [None]\nl[0] = {v}", "l[0]"),
    ("l = [None]\nl[:] = [{v}]", "l[0]"),
    ("for c in [{v}]:\n    pass", "c"),
    ("with open('/dev/null') as fh:\n    c = {v}", "c"),
    ("if (c := {v}) is not None:\n    pass", "c"),
    ("try:\n    c = {v}\nfinally:\n    pass", "c"),
    ("def keep(*a, **kw):\n    keep.c = kw['c']\n\n\nkeep(c={v})", "keep.c"),
    ("def decorate(f):\n    f.c = {v}\n    return f\n\n\n@decorate\ndef some():\n    pass\n", "some.c"),
    ("l = [[]]\nl[0].append({v})", "l[0][0]"),
    ("m = (d := {{}})\nm['c'] = {v}", "d['c']"),
    ("d = {{'x': {{}}}}\nd['x']['c'] = {v}", "d['x']['c']"),
    ("class P:\n    @property\n    def c(self):\n        return {v}\n\n\ns = P()", "s.c"),
    ("import heapq\nl = []\nheapq.heappush(l, (1, 'x', [{v}]))", "l[0][2][0]"),
    ("l = list.__new__(list)\nlist.append(l, {v})", "l[0]"),
    ("from contextlib import nullcontext\nwith nullcontext({v}) as c:\n    pass", "c"),
    ("match {v}:\n    case c:\n        pass", "c"),
    ("import copy\nd = {{'c': {v}}}\ne = copy.copy(d)", "e['c']"),
    ("import weakref\nkept = {v}\nr = weakref.ref(kept)", "r()"),
    ("async def co():\n    return {v}\n\n\nimport asyncio\nc = asyncio.run(co())", "c"),
    ("vars()['c'] = {v}", "c"),
    ("import sys\nsys.kept = {v}", "sys.kept"),
    ("spark.kept = {v}", "spark.kept"),
    ("t.kept = {v}", "t.kept"),
    ("F.kept = {v}", "F.kept"),
)
"""How a value is kept, and how it is read back; in between stand the copy and what is made of it."""
VIEWS: tuple[tuple[str, str], ...] = (
    ("g.createOrReplaceTempView('gv')", "spark.table('gv')"),
    ("g.createTempView('gv')", "spark.sql('select * from gv')"),
    ("view = g.createOrReplaceTempView\nview('gv')", "spark.table('gv')"),
    ("g.createOrReplaceGlobalTempView('gv')", "spark.table('global_temp.gv')"),
    ("getattr(g, 'createOrReplaceTempView')('gv')", "spark.table('gv')"),
    ("g.registerTempTable('gv')", "spark.table('gv')"),
    ("x = g", "x"),
    ("x = g.alias('q')", "x"),
    ("x = g.select('*')", "x"),
    ("x = g.limit(100)", "x"),
    ("x = g.filter('k = \"a\"')", "x"),
)
USES = (
    "h.select({c})",
    "h.drop({c})",
    "h.filter({c} > 2)",
    "h.orderBy({c})",
    "h.withColumn('z', {c})",
    "h.select('k', {c})",
    "h.groupBy('k').agg(F.max({c}))",
    "h.where({c} == h.m)",
    "h.select(h.k, {c} + 1)",
    "h.sort({c}.desc())",
    "h.dropDuplicates().select({c})",
    "h.filter({c}.isNotNull())",
)
FRAME_USES = (
    "h.join({f}, 'k')",
    "h.drop({f}['m'])",
    "h.drop({f}.m)",
    "h.select({f}['m'])",
    "h.union({f})",
    "{f}.join(h, h.k == {f}.k)",
    "h.join({f}, h.m == {f}.m)",
    "h.filter({f}.m > 2)",
    "h.subtract({f})",
    "h.unionByName({f})",
    "h.join({f}, 'k').select({f}.m)",
    "h.join({f}, 'k', 'left_anti')",
)
_FILTER = (
    'g.filter(F.col("m") > 2)',
    'g.filter("m > 2")',
    'g.where(F.col("m") >= 5)',
    "g.filter(g.m > 2)",
    'g.filter(F.col("m") > 2).select("k", "m")',
    'g.filter(F.col("k") == "a")',
)


def write(draw: Draw) -> Program:
    """A frame that is kept, shown or viewed, then filtered, then met again."""
    whole = draw.chance(0.3)
    made = draw.one(_MADE)
    lines = ["from pyspark.sql import functions as F", ""]
    lines += (
        ["", "def best(pdf):", '    return pdf.groupby("k", dropna=False).v.max().reset_index(name="m")', "", ""]
        if "best" in made
        else []
    )
    lines += ['t = spark.table("t")', f"g = {made}"]
    store, read = draw.one((*VIEWS, *STORES)) if whole else draw.one(STORES)
    value = "g" if whole else draw.one(COLUMN)
    if not whole and draw.chance(0.75):
        (store, read), value = draw.one(_SIMPLE), draw.one(_INERT) if draw.chance(0.75) else draw.one(COLUMN)
    kept = store.replace("{{", "{").replace("}}", "}").replace("{v}", value)
    consumed, filtered = draw.one(_CONSUMED), f"h = {draw.one(_FILTER)}"
    used = f"result = {draw.one(FRAME_USES).replace('{f}', read) if whole else draw.one(USES).replace('{c}', read)}"
    order = draw.one(
        (
            (kept, consumed, filtered),
            (consumed, kept, filtered),
            (kept, filtered, consumed),
            (kept, filtered),
            (consumed, filtered, kept),
            (consumed, filtered),
        )
    )
    if kept not in order:
        order = (*order[:-1], kept, order[-1]) if draw.chance(0.5) else (kept, *order)
    parts = [*order, used]
    if draw.chance(0.25):
        start = lines.index('t = spark.table("t")')
        inner = [line for part in (*lines[start:], *parts) for line in part.split("\n")]
        if not any(line.startswith(("globals", "exec", "vars", "def fill", "c = eval")) for line in inner):
            body = ["    " + line if line else "" for line in inner]
            body[-1] = body[-1].replace("result =", "return")
            return _program(
                [*lines[:start], "", "def main(spark):", *body, "", "", "result = main(spark)"], value, store
            )
    return _program([*lines, *parts], value, store)


def _program(lines: list[str], value: str, store: str) -> Program:
    schemas = {"t": DDL}
    return Program(
        "consumers",
        "\n".join(lines) + "\n",
        {"t": DDL},
        ("frame" if value == "g" else "column", store.split("\n")[-1][:24]),
        False,
        schemas,
        ({"t": ROWS},),
    )
