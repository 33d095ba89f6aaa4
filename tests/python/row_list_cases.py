# ruff: noqa: E501 - programs, one to a line
"""Lists of rows and what Python's builtins make of them, over pandas and Arrow: each fold is run beside its function."""

from __future__ import annotations

from .arrow.arrow_cases import ArrowCase
from .body_cases import body
from .functions import GroupMap
from .harness import dropping_errors

_EXPRESSIONS: dict[str, tuple[str, str]] = {
    # name: (an expression over XS, a list of whole numbers and missing values, and type)
    "any": ("any(x == 1 for x in XS)", "boolean"),
    "any that raises behind": ("any(x > 1 for x in XS)", "boolean"),
    "any filtered": ("any(x == 2 for x in XS if x > 1)", "boolean"),
    "all": ("all(x == 1 for x in XS)", "boolean"),
    "all that raises behind": ("all(x > 0 for x in XS)", "boolean"),
    "all filtered": ("all(x == 2 for x in XS if x != 1)", "boolean"),
    "passed any of a list": ("any([x > 1 for x in XS])", "boolean"),
    "passed all of a list": ("all([x > 1 for x in XS])", "boolean"),
    "length": ("len([x for x in XS if x == 1])", "long"),
    "ones": ("sum(1 for x in XS if x == 1)", "long"),
    "tests": ("sum(x == 1 for x in XS)", "long"),
    "tests from five": ("sum((x == 1 for x in XS), 5)", "long"),
    "passed max": ("max(XS)", "long"),
    "passed min": ("min([x for x in XS])", "long"),
    "max filtered": ("max([x for x in XS if x == x and x is not None], default=-1)", "long"),
    "passed max with default": ("max((x for x in XS if x != 1), default=7)", "long"),
    "max where it may not run": ("max(XS) if len(XS) > 1 else 0", "long"),
    "sum where it may not run": ("sum(XS) if len(XS) == 2 else 0", "long"),
    "max where there is one": ("max([x for x in XS if x == 1]) if [x for x in XS if x == 1] else 0", "long"),
    "passed max by key": ("max(XS, key=lambda x: -x)", "long"),
    "passed min by key of tuples": ("min([(x, x == 1) for x in XS], key=lambda t: t[0])[1]", "boolean"),
    "max by text": ("max([('b', 1) if x == 1 else ('a', 2) for x in XS], key=lambda t: t[0])[1]", "long"),
    "sorted last": ("sorted([1 if x == 1 else 2 for x in XS])[-1]", "long"),
    "sorted first downwards": ("sorted([1 if x == 1 else 2 for x in XS], reverse=True)[0]", "long"),
    "sorted by key": ("sorted([(1, 'x') if x == 1 else (2, 'y') for x in XS], key=lambda t: -t[0])[0][1] == 'y'", "boolean"),
    "first": ("[x == 1 for x in XS][0]", "boolean"),
    "last": ("[x == 1 for x in XS][-1]", "boolean"),
    "in": ("1 in [x for x in XS]", "boolean"),
    "map": ("len(list(map(lambda x: x == 1, XS)))", "long"),
    "filter": ("len(list(filter(lambda x: x == 1, XS)))", "long"),
    "filter None": ("len(list(filter(None, [x == 1 for x in XS])))", "long"),
    "zip": ("sum(1 for a, b in zip(XS, XS) if a == b)", "long"),
    "filterfalse": ("len(list(itertools.filterfalse(lambda x: x == 1, XS)))", "long"),
    "filterfalse None": ("len(list(itertools.filterfalse(None, [x == 1 for x in XS])))", "long"),
    "zip_longest": ("sum(1 for a, b in itertools.zip_longest(XS, XS, fillvalue=1) if a == b)", "long"),
    "bisect": ("sum(bisect.bisect([0, 1, 6], x) for x in XS if x is not None)", "long"),
    "bisect_right": ("sum(bisect.bisect_right([0, 1, 1, 6], x) for x in XS if x is not None)", "long"),
    "bisect_left": ("sum(bisect.bisect_left([0, 1, 1, 6], x) for x in XS if x is not None)", "long"),
    "bisect of None": ("max(bisect.bisect([1], x) for x in XS)", "long"),
    "fsum": ("int(math.fsum(x == 1 for x in XS))", "long"),
    "map of a getter": ("max(map(operator.itemgetter(0), [(1, 'b') if x == 1 else (2, 'a') for x in XS]))", "long"),
    "by a getter of two": ("max([(1, 'b', 5) if x == 1 else (1, 'a', 6) for x in XS], key=operator.itemgetter(0, 1))[2]", "long"),
    "by an operator": ("min([1 if x == 1 else 2 for x in XS], key=operator.neg)", "long"),
    "zip strict": ("sum(1 for a, b in zip(XS, XS, strict=True) if a == 1)", "long"),
    "enumerate": ("sum(1 for _, x in enumerate(XS) if x == 1)", "long"),
    "set": ("1 in set(XS)", "boolean"),
    "truth": ("1 if [x for x in XS if x == 1] else 0", "long"),
    "reduce": ("functools.reduce(lambda n, x: n + 1 if x == 1 else n, XS, 0)", "long"),
    "reduce without a start": ("functools.reduce(lambda a, b: b if b == 1 else a, [1 if x == 1 else 2 for x in XS])", "long"),
    "reduce that may raise": ("functools.reduce(lambda n, x: n + 1 if x > 1 else n, XS, 0)", "long"),
    "reduce to None": ("functools.reduce(lambda n, x: None if n is None or x == 1 else n + 1, XS, 0) is None", "boolean"),
    "reduce to a tuple": ("functools.reduce(lambda t, x: (t[0] + 1, x == 1), XS, (0, False))[1]", "boolean"),
    "reduce with a function": ("functools.reduce(max, [1 if x == 1 else 2 for x in XS])", "long"),
    "counter": ("collections.Counter(XS)[1]", "long"),
    "counter of tests": ("collections.Counter(x == 1 for x in XS)[True]", "long"),
    "counter, get": ("collections.Counter(XS).get(1, 0)", "long"),
    "counter, get with a default": ("collections.Counter(XS).get(1, -1)", "long"),
    "counter, in": ("1 in collections.Counter(XS)", "boolean"),
    "counter, total": ("collections.Counter([x for x in XS if x == 1]).total()", "long"),
    "counter, keys": ("max(collections.Counter([1 if x == 1 else 2 for x in XS]).keys())", "long"),
    "count of a list": ("list(XS).count(1)", "long"),
    "count of a comprehension": ("[x == 1 for x in XS].count(True)", "long"),
    "count of": ("operator.countOf(XS, 1)", "long"),
    "contains": ("operator.contains([x for x in XS], 1)", "boolean"),
    "reduce with an operator": ("functools.reduce(operator.add, [1 if x == 1 else 0 for x in XS], 0)", "long"),
    "reduce with or": ("functools.reduce(operator.or_, [x == 1 for x in XS], False)", "boolean"),
    "operators": ("sum(1 for x in XS if operator.eq(x, 1) and operator.not_(operator.ne(x, 1)))", "long"),
    "operator, and_": ("sum(1 for x in XS if operator.and_(x == 1, x == x))", "long"),
    "operator, xor": ("sum(1 for x in XS if operator.xor(x == 1, x == 2))", "long"),
    "operator, lt": ("sum(1 for x in XS if operator.lt(1, x if x == x and x is not None else 0))", "long"),
    "operator, le": ("sum(1 for x in XS if operator.le(1, x if x == x and x is not None else 0))", "long"),
    "operator, gt": ("sum(1 for x in XS if operator.gt(1, x if x == x and x is not None else 0))", "long"),
    "operator, ge": ("sum(1 for x in XS if operator.ge(1, x if x == x and x is not None else 0))", "long"),
    "operator, sub": ("sum(1 for x in XS if operator.sub(1 if x == 1 else 2, 1) == 1)", "long"),
    "operator, mul": ("sum(1 for x in XS if operator.mul(1 if x == 1 else 2, 3) == 3)", "long"),
    "operator, truediv": ("sum(1 for x in XS if operator.truediv(1 if x == 1 else 2, 2) == 0.5)", "long"),
    "operator, floordiv": ("sum(1 for x in XS if operator.floordiv(1 if x == 1 else 3, 2) == 1)", "long"),
    "operator, mod": ("sum(1 for x in XS if operator.mod(1 if x == 1 else 4, 2) == 1)", "long"),
    "operator, neg": ("sum(1 for x in XS if operator.neg(1 if x == 1 else 2) == -1)", "long"),
    "operator, getitem": ("sum(1 for x in XS if operator.getitem((x == 1, 5), 0))", "long"),
    "operator, or_": ("sum(1 for x in XS if operator.or_(x == 1, x == 2))", "long"),
    "truth of a list": ("bool([x for x in XS if x == 1])", "boolean"),
    "tuple of a list": ("tuple([1 if x == 1 else 2 for x in XS])[-1]", "long"),
    "list of a list": ("list([1 if x == 1 else 2 for x in XS])[0]", "long"),
    "accumulate": ("list(itertools.accumulate(XS, lambda n, x: n + 1 if x == 1 else n, initial=0))[-1]", "long"),
    "accumulate without a start": ("list(itertools.accumulate([1 if x == 1 else 2 for x in XS], max))[-1]", "long"),
    "accumulate, added": ("list(itertools.accumulate([1 if x == 1 else 2 for x in XS]))[-1]", "long"),
    "disjoint": ("{1, 7}.isdisjoint([x for x in XS if x == 1])", "boolean"),
    "chosen by a test": ("sum([2, 3][x == 1] for x in XS)", "long"),
    "next": ("next((True for x in XS if x == 1), False)", "boolean"),
    "next without a default": ("next(x for x in XS if x == 1)", "long"),
    "next of what may be None": ("next((x for x in XS if x != 1), 5) is None", "boolean"),
    "next of a list": ("next(iter([x == 1 for x in XS]))", "boolean"),
    "chain": ("max(itertools.chain([2], (1 if x == 1 else 3 for x in XS), [0]))", "long"),
    "chain, sum": ("sum(itertools.chain([5], [x == 1 for x in XS], [7]))", "long"),
    "number of a row": ("sum(1 for i in range(len(XS)) if XS[i] == 1)", "long"),
    "number and value": ("sum(1 for i, x in enumerate(XS) if XS[i] == 1 and x == 1)", "long"),
    "copies": ("len(tuple(list([x for x in XS if x == 1])))", "long"),
    "comprehension of a comprehension": ("max([y + 1 for y in [2 if x == 1 else 3 for x in XS] if y > 2], default=0)", "long"),
}  # fmt: skip

_LISTS = {
    "column": "pdf['n']", "list": "pdf['n'].tolist()", "tuples": "[r.n for r in pdf.itertuples()]",
    "dicts": "[r['n'] for r in pdf.to_dict('records')]", "pairs": "[n for n, s in zip(pdf['n'], pdf['s'])]",
}  # fmt: skip
_MISSING = ("in", "set", "filter None")
"""What NaN beside whole numbers has no model for in pandas, or what a column is not."""


def _pandas() -> dict[str, GroupMap]:
    kinds = list(_LISTS.items())
    found: dict[str, GroupMap] = {}
    for i, (name, (code, t)) in enumerate(_EXPRESSIONS.items()):
        kind, made = kinds[i % len(kinds)]
        if name not in _MISSING:
            found[f"{name}, {kind}"] = body(f"xs = {made}", "", f"v = {code.replace('XS', 'xs')}", f"v {t}")
    return found


def _arrow() -> dict[str, ArrowCase]:
    found: dict[str, ArrowCase] = {}
    for i, (name, (code, t)) in enumerate(_EXPRESSIONS.items()):
        made = ("table['n'].to_pylist()", "[r['n'] for r in table.to_pylist()]")[i % 2]
        kind = {"boolean": "bool_", "long": "int64"}[t]
        source = f"import bisect, collections, functools, itertools, operator, math\nS = pa.schema([('k', pa.string()), ('v', pa.{kind}())])\ndef f(key, table):\n    xs = {made}\n"
        source += f"    v = {code.replace('XS', 'xs')}\n    return pa.Table.from_pylist([{{'k': key[0].as_py(), 'v': v}}], schema=S)\n"
        found[name] = ArrowCase(source, "k string, n long, s string", f"k string, v {t}")
    return found


PANDAS = dropping_errors(_pandas(), "passed")
ARROW = dropping_errors(_arrow(), "passed")
