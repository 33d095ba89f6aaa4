# ruff: noqa: E501 - programs and tables, one to a line
"""Pandas UDFs from series to one value."""

from __future__ import annotations

from .functions import Series


def short(expression: str, columns: str = "k string, v double", returns: str = "double", known: bool = True) -> Series:
    """A function of one expression."""
    names = ", ".join(c.split()[0] for c in columns.split(", ")[1:])
    return Series(f"def f({names}):\n    return {expression}\n", columns, returns, known)


LONG, INT, TEXT, FLAG, DAY = (
    "k string, v long",
    "k string, v int",
    "k string, v string",
    "k string, v boolean",
    "k string, v date",
)
TWO = "k string, v double, w long"
STATUS = "k string, v double, s string"
CASES: dict[str, Series] = {
    "max": short("v.max()"),
    "max long": short("v.max()", LONG, "long"),
    "max int as double": short("v.max()", INT),
    "max unknown": short("v.max()", known=False),
    "float of max": short("float(v.max())"),
    "min": short("v.min()"),
    "max of a timestamp": short("v.max()", "k string, v timestamp", "timestamp"),
    "sum": short("v.sum()", INT, "double"),
    "sum whole": short("v.sum()", INT, "long"),
    "mean": short("v.mean()", INT),
    "count": short("v.count()", returns="long"),
    "len": short("len(v)", returns="int"),
    "size": short("v.size", TEXT, "long"),
    "any": short("(v > 5).any()", returns="boolean"),
    "bool of any": short("bool((v > 5).any())", returns="boolean"),
    "all": short("(v > 1).all()", returns="boolean"),
    "how many": short("(v > 1).sum()", returns="long"),
    "int of how many": short("int((v > 1).sum())", returns="long"),
    "share": short("(v > 1).mean()"),
    "share of one": short("(v == 6).mean()", LONG),
    "missing": short("v.isna().sum()", returns="long"),
    "all missing": short("v.isnull().all()", TEXT, "boolean"),
    "text equal": short("(v == 'a').sum()", TEXT, "long"),
    "text not equal": short("(v != 'a').sum()", TEXT, "long"),
    "text in": short("v.isin(['a', 'b']).any()", TEXT, "boolean"),
    "dropna max": short("v.dropna().max()"),
    "dropna len": short("len(v.dropna())", TEXT, "long"),
    "masked max": short("v[v > 1].max()"),
    "masked by another": short("v[w > 1].max()", TWO),
    "masked by text": short("v[s == 'time'].max()", STATUS),
    "masked twice": short("v[(s == 'time') & (v < 6)].min()", STATUS),
    "masked count": short("v[s.isin(['time', 'place'])].count()", STATUS, "long"),
    "masked len": short("len(v[~(v > 1)])", returns="long"),
    "difference": short("v.max() - v.min()"),
    "computed max": short("(v - w).max()", TWO),
    "computed max of one": short("(v * 2.0 - 1).max()", LONG, "double"),
    "computed min of whole": short("(v + w).min()", "k string, v double, w int"),
    "computed sum": short("(v * w).sum()", "k string, v double, w int"),
    "computed mean": short("(2.0 * v + 1).mean()", INT),
    "computed count": short("(v - w).count()", TWO, "long"),
    "computed mask": short("((v - w) > 1).sum()", TWO, "long"),
    "computed not equal": short("((v - w) != 1).sum()", TWO, "long"),
    "computed masked": short("(v * w)[v > 0].max()", TWO),
    "computed twice": short("((v - w) * (v - w)).max()", TWO),
    "computed in a loop": Series("def f(v, w):\n    best = None\n    for d in v - w:\n        if d == d and (best is None or d > best):\n            best = d\n    return best", TWO, "double"),
    "conditional": short("v.max() if len(v) >= 2 else None"),
    "or zero": short("0.0 if (v > 1).sum() == 0 else v[v > 1].min()"),
    "first": short("v.iloc[0]"),
    "first text": short("v.iloc[0]", TEXT, "string"),
    "flags": short("any(v)", FLAG, "boolean"),
    "flags equal": short("(v == True).sum()", FLAG, "long"),
    "two columns compared": short("(v > w).any()", TWO, "boolean"),
    "label": short("'high' if v.max() > 5 else 'low'", returns="string"),
    "lambda": Series("f = lambda v: v.max()", "k string, v double", "double"),
    "loop": Series("def f(v):\n    best = None\n    for x in v:\n        if x == x and (best is None or x > best):\n            best = x\n    return best", "k string, v double", "double"),
    "loop guarded": Series("def f(v):\n    n = 0\n    for x in v:\n        if pd.isna(x) or x < 2:\n            continue\n        n += 1\n    return n", "k string, v long", "int"),
    "loop over texts": Series("def f(v):\n    n = 0\n    for x in v:\n        if x is not None and x.startswith('p'):\n            n += 1\n    return n", TEXT, "long"),
    "loop over dates": Series("def f(v):\n    last = None\n    for d in v:\n        if d is not None and (last is None or d > last):\n            last = d\n    return last", DAY, "date"),
    "loop over flags": Series("def f(v):\n    for_all = True\n    for b in v:\n        if b is not None and not b:\n            for_all = False\n    return for_all", FLAG, "boolean"),
    "zip": Series("def f(v, s):\n    best = -1.0\n    for x, t in zip(v, s):\n        if t == 'time' and x > best:\n            best = x\n    return best", STATUS, "double"),
    "zip argmax": Series("def f(v, s):\n    best, label = None, None\n    for x, t in zip(v, s):\n        if x == x and (best is None or x > best):\n            best, label = x, t\n    return label", STATUS, "string"),
    "early return": Series("def f(v):\n    if v.isna().all():\n        return None\n    top = v.max()\n    if top > 5:\n        return top\n    return -1.0", "k string, v double", "double"),
    "helper": Series("LIMIT = 2\n\ndef good(x):\n    return x is not None and x == x and x > LIMIT\n\ndef f(v):\n    n = 0\n    for x in v:\n        if good(x):\n            n += 1\n    return n", "k string, v double", "long"),
    "raises": Series("def f(v):\n    if v.max() > 5:\n        raise ValueError('too high')\n    return len(v)", "k string, v double", "long"),
    "None compared": Series("def f(v):\n    n = 0\n    for x in v:\n        if x > 'b':\n            n += 1\n    return n", TEXT, "long"),
}  # fmt: skip
