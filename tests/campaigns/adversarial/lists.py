"""Lists of names that something changes before, or while, they are used."""

# ruff: noqa: E501 (tables of program texts, one entry a line or many)

from __future__ import annotations

from typing import Any

from .groups import GROUPS
from .program import Draw, Program

DDL = "k string, s string, v double"
CHANGES: tuple[str, ...] = (
    "def prepare(columns):\n    columns.reverse()\n\n\nprepare(columns=COLS)",
    "def prepare(*, by):\n    by.reverse()\n\n\nprepare(by=COLS)",
    "def prepare(subset=None):\n    subset.sort(reverse=True)\n\n\nprepare(subset=COLS)",
    "def prepare(**kw):\n    kw['columns'].reverse()\n\n\nprepare(columns=COLS)",
    "def prepare(columns):\n    other = columns\n    other[0], other[1] = other[1], other[0]\n\n\nprepare(columns=COLS)",
    "def prepare(x):\n    x.reverse()\n\n\nprepare(COLS)",
    "names = COLS\nnames.reverse()",
    "for names in [COLS]:\n    names.reverse()",
    "def prepare(columns=COLS):\n    columns.reverse()\n\n\nprepare()",
    "(lambda columns: columns.reverse())(columns=COLS)",
    "class P:\n    def __init__(self, columns):\n        columns.reverse()\n\n\nP(columns=COLS)",
    "class P:\n    def __init__(self, columns):\n        self.columns = columns\n\n\np = P(columns=COLS)\np.columns.reverse()",
    "from functools import partial\npartial(list.reverse)(COLS)",
    "list.reverse(COLS)",
    "from types import SimpleNamespace\nns = SimpleNamespace(columns=COLS)\nns.columns.reverse()",
    "d = dict(columns=COLS)\nd['columns'].reverse()",
    "d = {'columns': COLS}\nd['columns'].reverse()",
    "import random\nrandom.Random(3).shuffle(x=COLS)",
    "COLS[:] = COLS[::-1]",
    "COLS[0], COLS[1] = COLS[1], COLS[0]",
    "getattr(COLS, 'reverse')()",
    "rev = COLS.reverse\nrev()",
    "import operator\noperator.methodcaller('reverse')(COLS)",
    "list(map(list.reverse, [COLS]))",
    "if (names := COLS):\n    names.reverse()",
    "match COLS:\n    case names:\n        names.reverse()",
    "exec('COLS.reverse()')",
    "globals()['COLS'].reverse()",
    "def prepare():\n    COLS.reverse()\n\n\nprepare()",
    "COLS.sort(reverse=True)",
    "COLS.insert(0, COLS.pop())",
    "import threading\nth = threading.Thread(target=COLS.reverse)\nth.start()\nth.join()",
    "def prepare(columns):\n    yield columns.reverse()\n\n\nlist(prepare(columns=COLS))",
    "from contextlib import suppress\nwith suppress(Exception):\n    COLS.reverse()",
    "a, names = 1, COLS\nnames.reverse()",
    "def keep(by):\n    return by\n\n\nkeep(by=COLS).reverse()",
    "x = (COLS,)\nx[0].reverse()",
    "import copy\ncopy.copy(COLS).reverse()",
    "pass",
    "print(COLS)",
    "sorted(COLS)",
    "len(COLS)",
    "names = list(COLS)\nnames.reverse()",
)
"""The last ones leave ``COLS`` as it is."""
_READ_BACK = (
    "dict(columns=COLS)['columns']", "dict([('c', COLS)])['c']", "{'c': COLS}.get('c')", "{'c': COLS}.setdefault('c', 1)",
    "{'c': COLS}.pop('c')", "{**{'c': COLS}}['c']", "list({'c': COLS}.values())[0]", "list([COLS])[0]",
    "tuple([COLS])[0]", "[*[COLS]][0]", "[COLS][0]", "(COLS,)[0]", "sorted([COLS])[0]", "max([COLS, []])",
    "min([COLS], key=len)", "(COLS or [])", "([] or COLS)", "(COLS if True else [])", "next(iter([COLS]))",
    "list(reversed([COLS]))[0]", "list(enumerate([COLS]))[0][1]", "list(zip([COLS], [1]))[0][0]",
    "list(filter(None, [COLS]))[0]", "list(map(lambda x: x, [COLS]))[0]", "[c for c in [COLS]][0]",
    "{i: c for i, c in enumerate([COLS])}[0]", "(lambda: COLS)()", "(lambda x: x)(COLS)", "(lambda *a: a)(COLS)[0]",
    "(lambda **k: k)(c=COLS)['c']", "next(c for c in [COLS])", "(names := COLS)", "vars()['COLS']",
    "[COLS].pop()", "[[COLS]][0][0]", "[COLS].__getitem__(0)", "[COLS].copy()[0]", "([COLS] + [])[0]", "([COLS] * 2)[1]",
    "COLS.__class__.__iadd__(COLS, [])", "(COLS and COLS)", "{'c': COLS}.copy()['c']", "dict.fromkeys('c', COLS)['c']",
    "[COLS][-1:][0]", "dict(zip('c', [COLS]))['c']", "type('N', (), {'c': COLS}).c", "getattr(type('N', (), {'c': COLS}), 'c')",
)  # fmt: skip
_IN_PLACE = (
    "{r}.reverse()", "{r}.reverse()", "{r}.sort(reverse=True)", "{r}.__setitem__(slice(None), ['s', 'k'])", "{r}[:] = ['s', 'k']",
    "names = {r}\nnames.reverse()", "names = other = {r}\nnames.reverse()", "names, _ = {r}, 1\nnames.reverse()",
    "for names in ({r},):\n    names.reverse()", "def change(x):\n    x.reverse()\n\n\nchange({r})", "{r}.insert(0, {r}.pop())",
    "def give():\n    return {r}\n\n\ngive().reverse()", "if {r}.reverse() is None:\n    pass", "x = [{r}.reverse()]", "assert {r}.reverse() is None",
    "len({r})", "names = list({r})\nnames.reverse()", "names = {r}[:]\nnames.reverse()", "names = {r} + []\nnames.reverse()", "print({r})", "n = len({r})",
)  # fmt: skip
"""A way by which the list is got, and what is done with it; the last ones leave the list as it is."""
_USES: tuple[tuple[str, str], ...] = (
    ("out = pdf[['k', 's']]\n    out.columns = COLS\n    return out", "k string, s string"),
    ("return pd.DataFrame([(pdf.k.iloc[0], 'z')], columns=COLS)", "k string, s string"),
    ("return pdf.rename(columns=dict(zip(['k', 's'], COLS)))[['k', 's']]", "k string, s string"),
    ("return pdf[COLS]", "k string, s string"),
    ("return pd.DataFrame({COLS[0]: [pdf.k.iloc[0]], COLS[1]: ['z']})", "k string, s string"),
    ("return pdf.drop_duplicates(subset=COLS)[['k', 's']]", "k string, s string"),
    ("return pdf.sort_values(by=COLS)[['k', 's']]", "k string, s string"),
    ("out = pdf.copy()\n    out[COLS] = out[['k', 's']]\n    return out[['k', 's']]", "k string, s string"),
    ("out = pdf[['k', 's']].copy()\n    out[COLS[1]] = 'b'\n    return out", "k string, s string"),
    ("return pdf.drop(columns=COLS[1:]).assign(s='b')[['k', 's']]", "k string, s string"),
    ("return pdf.dropna(subset=COLS)[['k', 's']]", "k string, s string"),
    ("return pdf[['k', 's']].set_axis(COLS, axis=1)", "k string, s string"),
    ("return pdf.groupby(COLS, as_index=False, dropna=False).v.max()[COLS]", "k string, s string"),
    (
        "rows = [(r.k, r.s) for r in pdf.itertuples()]\n    return pd.DataFrame(rows, columns=COLS)",
        "k string, s string",
    ),
    ("return pdf.merge(pdf, on=COLS)[['k', 's']]", "k string, s string"),
    ("return pdf.fillna({c: 'a' for c in COLS[1:]})[['k', 's']]", "k string, s string"),
)
_HARMLESS = (
    "pass", "n = 1", "names = list(COLS)", "n = len(COLS)", "print(COLS)", "names = sorted(COLS)\nnames.reverse()", "names = COLS[:]\nnames.reverse()", "names = [*COLS]\nnames.reverse()",
    "names = COLS + []\nnames.reverse()", "first = COLS[0]", "text = ', '.join(COLS)", "names = tuple(COLS)", "names = {c: 1 for c in COLS}", "found = 'k' in COLS", "def unused(x):\n    x.reverse()\n",
)  # fmt: skip
_UNDERSTOOD = (
    _USES[1],
    _USES[3],
    _USES[10],
    _USES[5],
    _USES[6],
    ("return pdf.drop_duplicates(subset=COLS[:1])[['k', 's']]", "k string, s string"),
    ("return pd.DataFrame([[pdf.k.iloc[0], len(COLS)]], columns=COLS)", "k string, s string"),
    ("return pd.DataFrame([(pdf.k.iloc[0], COLS[0])], columns=['k', 's'])", "k string, s string"),
    ("return pdf.assign(s=COLS[0])[['k', 's']]", "k string, s string"),
)
_RDD = (
    "rows.map(lambda r: (r[COLS[0]], r.v)).filter(lambda p: p[0] == 'a')",
    "rows.map(lambda r: (r[COLS[1]], r[COLS[0]])).filter(lambda p: p[1] == 'a')",
    "rows.map(lambda r: tuple(r[c] for c in COLS)).filter(lambda p: p[0] == 'a')",
    "rows.map(lambda r: (r.k, len(COLS))).filter(lambda p: p[0] == 'a')",
)
_SPARK = (
    't.groupBy(COLS[0]).agg(F.max("v").alias("m")).filter("m > 1")',
    't.groupBy("k").agg(F.max("v").alias("m")).select(*COLS).filter("k = \'a\'")',
)


def write(draw: Draw) -> Program:
    """A list of names, a statement that may change it, and a function that uses it, in any order."""
    change = draw.one(_IN_PLACE).replace("{r}", draw.one(_READ_BACK)) if draw.chance(0.5) else draw.one(CHANGES)
    change = draw.one(_HARMLESS) if draw.chance(0.5) else change
    body, schema = draw.one(_UNDERSTOOD if draw.chance(0.8) else _USES)
    literal = "['k', 's']"
    made = draw.one(
        (
            *(f"COLS = {literal}" for _ in range(8)),
            f"BASE = {literal}\nCOLS = BASE",
            f"COLS = list({literal})",
            "COLS = 'k s'.split()",
        )
    )
    lines = ["import pandas as pd", "from pyspark.sql import functions as F", ""]
    if draw.chance(0.85):
        use = ["def f(pdf):", f"    {body}", "", ""]
        condition = draw.one(("k = 'a'", "k IS NULL", "k <> 'a'", "k IN ('a', 'b')", "s = 'a'", "k = 'b'"))
        end = ['t = spark.table("t")', f'made = t.groupBy("k").applyInPandas(f, "{schema}")']
        end.append(f'result = made.filter("{condition}")')
    else:
        use, end = [], ['t = spark.table("t")', "rows = t.rdd", f"result = {draw.one(_RDD)}"]
    lines += draw.one(
        ([made, "", *use, change, "", *end], [made, change, "", *use, *end], [made, "", *use, end[0], change, *end[1:]])
    )
    rows: list[list[tuple[Any, ...]]] = [[("a", s, v) for _, v, _, s in group] for group in GROUPS]
    more: list[tuple[Any, ...]] = [
        ("a", "b", 1.0),
        ("b", "a", 2.0),
        (None, "a", 3.0),
        ("a", None, 1.0),
        ("c", "c", None),
    ]
    return Program(
        "lists",
        "\n".join(lines) + "\n",
        {"t": DDL},
        (change.split("\n")[-1][:24],),
        False,
        {"t": DDL},
        tuple({"t": r} for r in (more, [("b", "a", 1.0)], [("a", "b", 1.0)], *rows)),
    )
