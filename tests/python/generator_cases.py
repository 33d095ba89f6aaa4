# ruff: noqa: E501 - programs, one to a line
"""Generators of the file that are read to the end where they are called, over pandas and Arrow."""

from __future__ import annotations

from .arrow.arrow_cases import ArrowCase
from .functions import GroupMap

_VALUES = "def values(xs):\n    for x in xs:\n        yield x == 1\n"
ONES = "def ones(xs):\n    for x in xs:\n        if x == 1:\n            yield x\n"
SMALL = "def small(xs):\n    for x in xs:\n        yield 1 if x == 1 else 2\n"
_FAILS = "def fails(xs):\n    for x in xs:\n        yield 1 // (0 if x == 1 else 1)\n"
_UNTIL = "def until(xs):\n    for x in xs:\n        if x == 1:\n            return\n        yield 2 if x == 0 else 3\n"
_TWICE = "def twice(xs):\n    for x in xs:\n        yield 1 if x == 1 else 2\n        if x != 1:\n            yield 7\n"
_FROM = "def given(xs):\n    yield from [1 if x == 1 else 2 for x in xs]\n"
_PIPE = "def piped(values):\n    for v in values:\n        if v < 2:\n            yield v + 1\n"
_CASES: dict[str, tuple[str, str, str]] = {
    # name: (functions of the file, statements, and the type of v)
    "sum": (_VALUES, "v = sum(values(xs))", "long"),
    "length": (ONES, "v = len(list(ones(xs)))", "long"),
    "passed max": (SMALL, "v = max(small(xs))", "long"),
    "max of none": (ONES, "v = max(ones(xs), default=-1)", "long"),
    "max that may raise": (ONES, "v = max(ones(xs))", "long"),
    "sorted": (SMALL, "v = sorted(small(xs), reverse=True)[0]", "long"),
    "any": (_VALUES, "v = any(values(xs))", "boolean"),
    "all": (_VALUES, "v = all(values(xs))", "boolean"),
    "any, errors behind": (_FAILS, "v = any(y == 1 for y in fails(xs))", "boolean"),
    "all, errors behind": (_FAILS, "v = all(y == 2 for y in fails(xs))", "boolean"),
    "any of what is kept": (SMALL, "v = any(y > 1 for y in small(xs) if y != 1)", "boolean"),
    "sum of what is kept": (SMALL, "v = sum(y + 1 for y in small(xs) if y == 1)", "long"),
    "list of what is made": (SMALL, "v = len([y for y in small(xs) if y == 1])", "long"),
    "next": (ONES, "v = next(ones(xs), 7)", "long"),
    "next, errors behind": (_FAILS, "v = next(fails(xs), 7)", "long"),
    "counter": (SMALL, "v = collections.Counter(small(xs))[1]", "long"),
    "set": (SMALL, "v = 1 in set(small(xs))", "boolean"),
    "reduce": (SMALL, "v = functools.reduce(lambda a, b: a + b, small(xs), 10)", "long"),
    "loop": (SMALL, "v = 0\nfor y in small(xs):\n    v += y", "long"),
    "loop that is left": (SMALL, "v = 0\nfor y in small(xs):\n    if y == 1: break\n    v += y", "long"),
    "loop that goes on": (SMALL, "v = 0\nfor y in small(xs):\n    if y == 1: continue\n    v += y", "long"),
    "loop, errors behind": (_FAILS, "v = 0\nfor y in fails(xs):\n    v += y\n    if v == 2: break", "long"),
    "loop, the last value": (SMALL, "y = 0\nfor y in small(xs):\n    pass\nv = y", "long"),
    "loop that changes an argument": ("def below(xs, best):\n    for x in xs:\n        yield 1 if x == 1 and best == 0 else 3\n", "best = 0\nfor y in below(xs, best):\n    best += y\nv = best", "long"),
    "loop that sets its target": (SMALL, "v = 0\nfor y in small(xs):\n    y = y + 1\n    v += y", "long"),
    "left by a return": (_UNTIL, "v = sum(until(xs))", "long"),
    "any, left by a return": (_UNTIL, "v = any(y == 2 for y in until(xs))", "boolean"),
    "several yields": (_TWICE, "v = sum(twice(xs))", "long"),
    "several yields, any": (_TWICE, "v = any(y == 7 for y in twice(xs))", "boolean"),
    "several yields, next": (_TWICE, "v = next(twice(xs), 0)", "long"),
    "yield from": (_FROM, "v = sum(given(xs))", "long"),
    "of a generator": (_PIPE + SMALL, "v = sum(piped(small(xs)))", "long"),
    "two": (SMALL, "v = sum(small(xs)) - len(list(small(xs)))", "long"),
    "no values": (ONES, "v = 1 if list(ones(xs)) else 0", "long"),
}  # fmt: skip
_HEADER = "import collections, functools\n"


def _indented(code: str, by: str = "    ") -> str:
    return "".join(f"{by}{line}\n" for line in code.splitlines())


def grouped(functions: str, code: str, t: str, *, inside: bool = False, xs: str = "pdf['n']") -> GroupMap:
    """A function of a group that runs ``code``. ``inside``: it makes the generators itself."""
    outer, inner = ("", functions) if inside else (functions, "")
    source = f"{_HEADER}{outer}def f(key, pdf):\n    xs = {xs}\n{_indented(inner)}{_indented(code)}"
    source += "    return pd.DataFrame([{'k': key[0], 'v': v}])\n"
    return GroupMap(source, "k string, n long, s string", f"k string, v {t}")


def _pandas() -> dict[str, GroupMap]:
    found: dict[str, GroupMap] = {}
    for i, (name, (functions, code, t)) in enumerate(_CASES.items()):
        xs = ("pdf['n'].tolist()", "pdf['n']")[i % 3 == 0]
        found[name] = grouped(functions, code, t, inside=i % 2 == 1, xs=xs)
    return found


def _arrow() -> dict[str, ArrowCase]:
    found: dict[str, ArrowCase] = {}
    for i, (name, (functions, code, t)) in enumerate(_CASES.items()):
        outer, inner = ("", functions) if i % 2 else (functions, "")
        kind = {"boolean": "bool_", "long": "int64"}[t]
        source = f"{_HEADER}S = pa.schema([('k', pa.string()), ('v', pa.{kind}())])\n{outer}def f(key, table):\n{_indented(inner)}"
        source += f"    xs = table['n'].to_pylist()\n{_indented(code)}"
        source += "    return pa.Table.from_pylist([{'k': key[0].as_py(), 'v': v}], schema=S)\n"
        found[name] = ArrowCase(source, "k string, n long, s string", f"k string, v {t}")
    return found


PANDAS, ARROW = _pandas(), _arrow()
