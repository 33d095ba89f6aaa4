"""Functions that would use much memory or time: evaluation refuses them, and ends soon.

All run in one process with a limit of memory and of CPU time, which a function without bounds breaks.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from headwater.validation.compare import NotValidated
from tests.python.functions import GroupMap

from .beside import validated

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no limits of resources")

NESTED = "x, y = [1], [1]\nfor _ in range(45):\n    x, y = [x, x], [y, y]\n"
TUPLES = "x = (1,)\nfor _ in range(45):\n    x = (x, x)\n"
BODIES = {
    # a container that is in itself twice: what Python visits doubles with each level
    **{name: NESTED + use for name, use in {
        "text": "str(x)", "f-string": "z = f'{x}'", "equal": "x == y", "in": "x in [y]", "count": "[y].count(x)",
        "largest": "max(x, y)", "sorted": "sorted([x, y])", "sorted generator": "sorted(v for v in [x, y])",
        "sorted by": "sorted([1, 2], key=lambda i: x if i == 1 else y)", "error": "raise ValueError(x)",
        "match": "z = match_(x, y)", "bisect": "bisect.bisect([y], x)", "sort": "z = [x, y]\nz.sort()",
        "index": "[y, x].index(x)", "tuple": "(x, 1) == (y, 1)", "dict": "{1: x} == {1: y}", "less": "x < y",
    }.items()},
    **{name: TUPLES + use for name, use in {
        "key": "z = {x: 1}", "set": "z = {x}", "item": "z = {}\nz[x] = 1", "get": "{}.get(x)", "add": "set().add(x)",
        "counter": "collections.Counter([x])", "set comprehension": "z = {v for v in [x]}",
        "delete": "z = {}\ndel z[x]",
    }.items()},
    "itself": "x, y = [], []\nx.append(x)\ny.append(y)\nx == y",
    "deque": "collections.deque([1]) * 10**10", "elements": "list(collections.Counter({'a': 10**12}).elements())",
    "extend": "x = [1]\nfor _ in range(50):\n    x.extend(x)",
    "slice": "x = [1]\nfor _ in range(50):\n    x[:] = x + x",
    "power": "10**10**8", "width": "f'{5:1000000000d}'", "nested width": "w = 10**9\nf'{5:{w}d}'",
    "recursion": "g = lambda n: g(n + 1)\ng(0)", "loop": "while True:\n    pass",
    # pandas and numpy
    "concat": "x = pdf\nfor _ in range(40):\n    x = pd.concat([x, x])",
    "many": "pd.concat([pd.concat([pdf] * 900)] * 4000)",
    "cross": "x = pdf\nfor _ in range(10):\n    x = x.merge(x, how='cross')",
    "merge": "x = pd.concat([pdf.assign(k='a')] * 900)\nx.merge(x, on='k')",
    "texts": "pdf['s'] * 10**9", "texts by method": "pdf['s'].mul(10**9)",
    "sum of texts": "x = pdf['s']\nfor _ in range(60):\n    x = x + x",
    "running sum": "pd.concat([pdf['c'].map(lambda v: 'a' * 3000)] * 900).cumsum()",
    "large integers": "x = pdf['c'].map(lambda v: 10**1000)\nfor _ in range(40):\n    x = x * x",
    "power of objects": "pdf['c'].map(lambda v: 10**100) ** 10**9",
    "labels": "pd.concat([pdf.assign(k='a')] * 900).set_index('k').loc[['a'] * 3000]",
    "axes": "x = np.arange(2000)\ny = x[:, None] + x[None, :]\ny[:, :, None] + y[None, :, :]",
    "explode": "pd.concat([pdf.assign(l=[[1] * 3000] * len(pdf))] * 900).explode('l')",
    "reindex": "pdf.reindex(range(10**9))",
}  # fmt: skip
SOURCE = """
import bisect, collections
def match_(x, y):
    match x:
        case [a, b] if a == y[0]:
            return 1
def f(pdf):
{body}
    return pd.DataFrame([{{'k': pdf['k'].iloc[0], 'n': len(pdf)}}])
"""
HARMLESS = "    pass"
BOUNDS = {
    "it takes too many steps", "a text or a container grows too large", "an integer grows too large",
    "a deep recursion", "a product of objects", "a text is formatted with a large width",
}  # fmt: skip


def case(body: str) -> GroupMap:
    return GroupMap(SOURCE.format(body=body), "k string, c long not null, s string", "k string, n long")


def outcomes() -> dict[str, str]:
    """The reason for which each function is not validated."""
    fold = case(HARMLESS).fold()
    found = {}
    for name, body in BODIES.items():
        indented = "".join(f"    {line}\n" for line in body.splitlines())
        result = validated(case(indented), fold)
        found[name] = result.reason if isinstance(result, NotValidated) else str(result)
    return found


def test_functions_without_bounds_are_refused_soon() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", __name__], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False
    )
    assert ran.returncode == 0, f"stopped by a limit: {ran.stderr[-500:]}"
    found = json.loads(ran.stdout)
    assert {name: reason for name, reason in found.items() if reason not in BOUNDS} == {}
    assert found.keys() == BODIES.keys()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
    print(json.dumps(outcomes()))
