# ruff: noqa: E501 - programs and tables, one to a line
"""What has no sound meaning is refused, with the obstruction that says why."""

from __future__ import annotations

import pytest

from headwater.python.pandas.apply_in_pandas import fold_group_map
from headwater.syntax.names.module_scope import Context
from headwater.syntax.refusal import Refusal
from headwater_ir.plan import Field, Schema
from headwater_ir.types import BOOL, DECIMAL, FLOAT, FLOAT32, INT32, INT64, STRING, TIMESTAMP, list_of

from .harness import TYPES, row_fold

SOURCE = Schema(
    (
        Field("k", STRING), Field("x", FLOAT), Field("n", INT64), Field("s", STRING), Field("b", BOOL), Field("t", TIMESTAMP),
        Field("small", FLOAT32), Field("money", DECIMAL), Field("tags", list_of(STRING)), Field("i", INT32),
    )
)  # fmt: skip
OUTPUT = Schema((Field("k", STRING), Field("v", FLOAT)))
RETURN = "    return pd.DataFrame([{'k': pdf['k'].iloc[0], 'v': v}])\n"


def group_refusal(body: str, header: str = "def f(pdf):", output: Schema = OUTPUT, before: str = "") -> Refusal:
    """The refusal of a group function with this body."""
    source = (
        "import pandas as pd\nimport numpy as np\nimport random, time, datetime, requests, math\n"
        + before
        + header
        + "\n"
    )
    source += "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    ctx = Context.of(source + ("" if "return" in body else RETURN))
    function = ctx.function("f")
    assert function is not None
    with pytest.raises(Refusal) as caught:
        fold_group_map(ctx, function, source=SOURCE, keys=("k",), output=output)
    assert caught.value.node is not None
    return caught.value


def loop(*lines: str) -> str:
    """A loop with this body."""
    return "v = 0.0\nfor r in pdf.itertuples():\n" + "\n".join(f"    {line}" for line in lines)


REFUSED: dict[str, tuple[str, str]] = {
    "random": (loop("if random.random() < 0.5:", "    v = r.x"), "volatile"),
    "now": (loop("if datetime.datetime.now() is None:", "    v = r.x"), "volatile"),
    "time": (loop("v = time.time()"), "volatile"),
    "print": (loop("print(r)", "v = r.x"), "side-effect"),
    "open": (loop("v = open('x')"), "side-effect"),
    "request": (loop("requests.get('http://x')"), "side-effect"),
    "global": (loop("global G", "G = 1"), "side-effect"),
    "attribute": (loop("pdf.y = r.x"), "side-effect"),
    "item": (loop("CACHE[r.x] = 1"), "side-effect"),
    "append to global": (loop("LOG.append(r.x)"), "side-effect"),
    "column added": ("pdf['y'] = pdf['x'] * 2\nv = pdf['y'].max()", "side-effect"),
    "set on some paths, read for nothing": (
        "v = 0.0\nfor r in pdf.itertuples():\n    if r.x > 5:\n        v = r.x\n    else:\n        low = 1\nold = low", "may-throw",
    ),
    "set on some paths, read by a later row": (
        loop("if r.x > 5:", "    v = r.x", "else:", "    low = 1", "old = low"), "may-throw",
    ),
    "decimal beside a float": (loop("if r.money < 1.1:", "    v = r.x"), "opaque"),
    "rows collected": ("out = []\nfor r in pdf.itertuples():\n    out.append({'k': r.k, 'v': r.x})\nreturn pd.DataFrame(out)", "multiplicity"),
    "list changed and kept": ("xs = []\nys = xs\nfor r in pdf.itertuples():\n    xs.append(r.x)\nv = max(ys)", "opaque"),
    "two names for a list": (loop("t = [1.0]", "u = t", "u.append(r.x)", "v = len(t)"), "opaque"),
    "NaN sorted": ("h = []\nfor r in pdf.itertuples():\n    h.append(r.x)\n    h.sort()\n    h = h[:2]\nv = h[0]", "three-valued-logic"),
    "NULL sorted": ("h = []\nfor r in pdf.itertuples():\n    h.append(r.s)\n    h.sort()\n    h = h[:2]\nv = len(h)", "three-valued-logic"),
    "NaN in a set": ("h = set()\nfor r in pdf.itertuples():\n    h.add(r.x)\nv = len(h)", "three-valued-logic"),
    "NaN in a tuple": ("h = (0.0, 0)\nfor r in pdf.itertuples():\n    h = max(h, (r.x, r.i))\nv = h[0]", "three-valued-logic"),
    "long list with an order": ("h = []\nfor r in pdf.itertuples():\n    h.append(1)\n    h.sort()\nv = h[0]", "opaque"),
    "many cells": ("h = []\nfor r in pdf.itertuples():\n    h.append(1)\n    h.sort()\n    h = h[:6]\nv = h[0]", "opaque"),
    "heap's inner order": ("import heapq\nh = []\nfor r in pdf.itertuples():\n    heapq.heappush(h, 1)\n    if len(h) > 3: heapq.heappop(h)\nv = h[1]", "opaque"),
    "generator that may raise": ("v = 1.0\nif len(pdf) > 3:\n    v = max(1 / r.i for r in pdf.itertuples())", "may-throw"),
    "lazy generator that may raise": ("v = 1.0 if any(r.n > 0 for r in pdf.itertuples() if r.s > 'a') else 0.0", "may-throw"),
    "key that may raise": ("xs = []\nfor r in pdf.itertuples():\n    if r.i == r.i:\n        xs.append(r.i)\nv = 1.0\nif len(xs) > 2:\n    v = max(xs, key=lambda x: 1 / x)", "may-throw"),
    "list of one list": ("g = [[0]] * 2\nfor r in pdf.itertuples():\n    g[0][0] += 1\nv = g[1][0]", "opaque"),
    "shared by a copy": ("s = {'a': []}\nt = {**s}\nfor r in pdf.itertuples():\n    s['a'].append(1)\nv = len(t['a'])", "opaque"),
    "shared by unpacking": ("g = [[], 1]\nh, n = g\nfor r in pdf.itertuples():\n    h.append(1)\nv = len(g[0])", "opaque"),
    "shared by a loop": ("g = []\nh = []\nfor t in (g, h):\n    t.append(1)\nv = len(g)", "opaque"),
    "swapped lists": ("g = []\nh = []\nfor r in pdf.itertuples():\n    g.append(1)\n    g, h = h, g\nv = len(g)", "opaque"),
    "set order": ("h = set()\nfor r in pdf.itertuples():\n    h.add(1)\nv = sorted(h)[0]", "opaque"),
    "set compared": ("h = set()\nfor r in pdf.itertuples():\n    h.add(1)\nv = 1.0 if h == {1} else 0.0", "opaque"),
    "set shrinks": ("h = set()\nfor r in pdf.itertuples():\n    h.add(1)\n    h.discard(2)\nv = len(h)", "side-effect"),
    "list emptied": ("h = []\nfor r in pdf.itertuples():\n    h.append(r.x)\n    if r.i == 1: h = []\nv = len(h)", "opaque"),
    "mask of data": (loop("m = 0", "m |= r.i", "v = m"), "opaque"),
    "tuple index of data": ("t = (1, 2)\nfor r in pdf.itertuples():\n    x = t[r.i]\nv = x", "opaque"),
    "list of the group inside a loop": ("v = 0.0\nfor r in pdf.itertuples():\n    v = max(q.x for q in pdf.itertuples())", "opaque"),
    "mean of a list, then a list": ("xs = []\nfor r in pdf.itertuples():\n    xs.append(r.x)\nm = sum(xs) / len(xs)\nv = sum(1 for x in xs if x > m)", "may-throw"),
    "dict": ("d = {}\nfor r in pdf.itertuples():\n    d[r.s] = r.x\nv = len(d)", "opaque"),
    "break": (loop("if r.x > 3:", "    break", "v = r.x"), "opaque"),
    "while": ("v = 0\nwhile v < 99:\n    v += 1", "opaque"),
    "try": (loop("try:", "    v = r.x", "except ValueError:", "    pass"), "opaque"),
    "with": ("with x as y:\n    v = 1", "side-effect"),
    "nested def": ("@once\ndef g():\n    return 1\nv = g()", "opaque"),
    "lambda": ("g = lambda x: x\nv = g", "opaque"),
    "comprehension": ("v = max([x for x in pdf['x'] for y in pdf['n']])", "opaque"),
    "dict comprehension": ("v = len({x: 1 for x in pdf['x']})", "opaque"),
    "generator": ("v = 1\nyield v", "multiplicity"),
    "walrus": (loop("if v > 2 and (y := r.x) > 2:", "    v = y"), "opaque"),
    "getattr": (loop("v = getattr(r, 'x')"), "opaque"),
    "unknown call": (loop("v = score(r.x)"), "opaque"),
    "is number": (loop("if r.x is 5:", "    v = r.x"), "opaque"),
    "return in loop": ("for r in pdf.itertuples():\n    return pd.DataFrame([{'k': 'a', 'v': r.x}])", "opaque"),
    "else of loop": ("v = 1\nfor r in pdf.itertuples():\n    v = 2\nelse:\n    v = 3", "opaque"),
    "conditional loop": ("v = 1\nif len(pdf) > 3:\n    for r in pdf.itertuples():\n        v = r.x", "opaque"),
    "two passes": ("m = pdf['x'].mean()\n" + loop("if r.x > m:", "    v += 1"), "opaque"),
    "two loops": (loop("v += r.x") + "\nw = 0\nfor r in pdf.itertuples():\n    w = max(w, v)\nv = w", "opaque"),
    "mask of reduction": ("v = (pdf['x'] > pdf['x'].mean()).sum()", "opaque"),
    "init from a row": ("v = pdf['x'].iloc[0]\nfor r in pdf.itertuples():\n    v = max(v, r.x)", "opaque"),
    "last row": ("v = 0\nfor r in pdf.itertuples():\n    v = 1\nv = r.x", "opaque"),
    "row index": ("v = 0\nfor i, r in pdf.iterrows():\n    v = i", "row-context"),
    "two orders": ("v = 0\nfor r in pdf.itertuples():\n    v = r.x\nv = pdf.sort_values('n')['x'].iloc[0]", "row-context"),
    "second row": ("v = pdf['x'].iloc[1]", "may-throw"),
    "no such column": (loop("v = r.missing"), "may-throw"),
    "method name": ("v = 0\nfor _, r in pdf.iterrows():\n    v = r.name", "opaque"),
    "positional": (loop("v = r[1]"), "may-throw"),
    "unset": ("for r in pdf.itertuples():\n    if r.x > 1:\n        v = r.x", "may-throw"),
    "numpy division": ("v = 0.0\nm = pdf['x'].sum() / pdf['n'].sum()\nv = m", "opaque"),
    "numpy rows": ("v = 1.0\nfor x in pdf['x']:\n    v = x\nv = v / pdf['n'].max()", "opaque"),
    "float32": ("v = pdf['small'].max()", "opaque"),
    "decimal arithmetic": (loop("v = r.money * 2"), "opaque"),
    "list column": (loop("v = r.tags"), "opaque"),
    "string max": ("v = pdf['s'].max()", "opaque"),
    "str of number": (loop("v = len(str(r.n))"), "opaque"),
    "f-string of number": (loop("v = len(f'{r.n}')"), "opaque"),
    "string with number": (loop("if r.s > 3:", "    v = 1"), "may-throw"),
    "date with timestamp": (loop("if r.t > datetime.date(2024, 1, 1):", "    v = 1"), "may-throw"),
    "complex": (loop("v = r.x ** 0.5"), "opaque"),
    "string result": (loop("v = r.s"), "may-throw"),
    "same frame": ("return pdf", "opaque"),
    "two rows": ("return pd.DataFrame([{'k': 'a', 'v': 1.0}, {'k': 'b', 'v': 2.0}])", "multiplicity"),
    "two values": ("return pd.DataFrame({'k': ['a', 'b'], 'v': [1.0, 2.0]})", "multiplicity"),
    "column missing": ("return pd.DataFrame([{'k': 'a'}])", "may-throw"),
    "column too many": ("return pd.DataFrame([{'k': 'a', 'v': 1.0, 'w': 2}])", "may-throw"),
    "columns computed": ("return pd.DataFrame([['a', 1.0]], columns=pdf.columns)", "opaque"),
    "no result": ("v = 1\nif v > 2:\n    return None", "opaque"),
    "unknown constant": (loop("v = max(v, LIMIT)"), "opaque"),
    "import": ("import os\nv = 1", "side-effect"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_group_refusal(name: str) -> None:
    body, obstruction = REFUSED[name]
    assert group_refusal(body).obstruction == obstruction


@pytest.mark.parametrize(
    "header",
    [
        "def f(pdf, x=[]):",
        "def f(*pdf):",
        "def f(a, b, pdf):",
        "@cached\ndef f(pdf):",
        "def f(pdf: Iterator[pd.DataFrame]):",
    ],
)
def test_signature(header: str) -> None:
    group_refusal("v = 1.0", header)


def test_fractional_value_in_an_integer_column_is_refused() -> None:
    output = Schema((Field("k", STRING), Field("v", INT64)))
    assert group_refusal(loop("v = r.x"), output=output).obstruction == "may-throw"
    assert group_refusal(loop("v = r.n / 2"), output=output).obstruction == "may-throw"


def test_float32_output_rounds() -> None:
    output = Schema((Field("k", STRING), Field("v", FLOAT32)))
    assert group_refusal(loop("v = r.x"), output=output).obstruction == "may-throw"


def test_mutable_constants_that_may_change_are_refused() -> None:
    before = "KINDS = ['a']\nKINDS.append('b')\n"
    assert group_refusal(loop("if r.s in KINDS:", "    v = 1"), before=before).obstruction == "side-effect"


def test_names_bound_in_other_ways_are_not_constants() -> None:
    for before in (
        "LIMIT = 3\nfrom settings import LIMIT\n",
        "LIMIT = 3\nfrom settings import *\n",
        "LIMIT = 3\nLIMIT = 4\n",
    ):
        assert group_refusal(loop("v = max(v, LIMIT)"), before=before).obstruction == "opaque"


def test_recursion() -> None:
    before = "def g(x):\n    return g(x - 1)\n\n"
    assert group_refusal(loop("v = g(r.x)"), before=before).obstruction == "opaque"


ROW_REFUSED = {
    "int as double": ("def f(x):\n    return 0 if x is None else x", "double", "double"),
    "too wide": ("def f(x):\n    return x + 1", "long", "long"),
    "narrow": ("def f(x):\n    return x", "long", "int"),
    "float as long": ("def f(x):\n    return x * 2.0", "long", "long"),
    "number as string": ("def f(x):\n    return x", "long", "string"),
    "truth of a value": ("def f(x, y):\n    return x and y", "string, string", "boolean"),
    "timestamp": ("def f(x):\n    return x is None", "timestamp", "boolean"),
    "loop": ("def f(x):\n    for c in x:\n        return c", "string", "string"),
    "split": ("def f(x):\n    return x.split(',')[0]", "string", "string"),
    "state": ("def f(x):\n    f.n += 1\n    return x", "string", "string"),
    "default": ("def f(x, y=1):\n    return x", "string", "string"),
    "decorated": ("@cache\ndef f(x):\n    return x", "string", "string"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(ROW_REFUSED))
def test_row_refusal(name: str) -> None:
    source, types, returns = ROW_REFUSED[name]
    columns = ", ".join(f"c{i} {t.strip()}" for i, t in enumerate(types.split(",")))
    assert returns in TYPES
    with pytest.raises(Refusal):
        row_fold(source, columns, returns)
