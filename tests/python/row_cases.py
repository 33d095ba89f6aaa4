# ruff: noqa: E501 - programs and tables, one to a line
"""Plain functions of a row, with the types of their arguments and of their result."""

from __future__ import annotations

from .functions import RowCase

PLAIN = {
    "discount": ('def f(price, category):\n    return price * 0.9 if category == "premium" else price', "double, string", "double"),
    "category": (
        "def f(s):\n"
        + "".join(f"    if {c!r} in s:\n        return {c.lower()!r}\n" for c in "ABCDEFGHIJKLMN")
        + "    return 'other'",
        "string",
        "string",
    ),
    "elif": ("def f(x):\n    if x is None or x != x:\n        return 'none'\n    elif x > 2:\n        return 'high'\n    return 'low'", "double", "string"),
    "none result": ("def f(x):\n    if x is not None and x > 1:\n        return x", "long", "long"),
    "flag": ("def f(x, y):\n    return not x and y == 'a'", "boolean, string", "boolean"),
    "modulo": ("def f(x):\n    return x % 3 == 1", "long", "boolean"),
    "floor": ("def f(x, y):\n    return x // y > 0 if y else False", "long, long", "boolean"),
    "divide": ("def f(x, y):\n    return x / y", "double, double", "double"),
    "chain": ("def f(x):\n    return 0 <= x < 2.5", "double", "boolean"),
    "in none": ("def f(x):\n    return x in ('a', None)", "string", "boolean"),
    "not in": ("def f(x):\n    return x not in {1, 2}", "double", "boolean"),
    "isnan": ("def f(x):\n    return math.isnan(x)", "double", "boolean"),
    "isfinite": ("def f(x):\n    return math.isfinite(x)", "double", "boolean"),
    "isinf": ("def f(x):\n    return math.isinf(x)", "double", "boolean"),
    "isinstance": ("def f(x, s):\n    return isinstance(x, float) and not isinstance(s, (int, float))", "double, string", "boolean"),
    "isna": ("def f(x):\n    return pd.isna(x)", "double", "boolean"),
    "minmax": ("def f(x, y):\n    return min(max(x, 0.0), y)", "double, double", "double"),
    "starts": ("def f(s):\n    return s is not None and (s.startswith('p') or s.endswith('e'))", "string", "boolean"),
    "re.search": ("def f(s):\n    return s is not None and re.search('e|^b', s) is not None", "string", "boolean"),
    "compiled search": ("P = re.compile('e|^b')\ndef f(s):\n    return s is not None and bool(P.search(s))", "string", "boolean"),
    "re.match": ("def f(s):\n    return s is not None and re.match('[ab]|pl', s) is not None", "string", "boolean"),
    "compiled match": ("P = re.compile('[ab]|pl')\ndef f(s):\n    return s is not None and bool(P.match(s))", "string", "boolean"),
    "re.fullmatch": ("def f(s):\n    return s is not None and re.fullmatch('a|time$', s) is not None", "string", "boolean"),
    "compiled fullmatch": ("P = re.compile('a|time$')\ndef f(s):\n    return s is not None and bool(P.fullmatch(s))", "string", "boolean"),
    "compiled inside": ("def f(s):\n    p = re.compile('e|^b')\n    return s is not None and p.search(s) is not None", "string", "boolean"),
    "split": ("def f(s):\n    return s is not None and (s.split('i')[0] == 't' or s.rsplit('a', 1)[-1] == 'ce')", "string", "boolean"),
    "negative": ("def f(x):\n    y = -x\n    return y", "double", "double"),
    "small": ("def f(x):\n    return 1 if x else 0", "string", "int"),
    "raise": ("def f(x):\n    if x is None:\n        raise ValueError('x')\n    assert x != 1\n    return True", "long", "boolean"),
    "str of str": ("def f(x):\n    return str(x)", "string", "string"),
    "unbound": ("def f(x):\n    if x == 'a':\n        y = 1\n    return y > 0", "string", "boolean"),
    "date": ("def f(d):\n    return d is not None and d >= datetime.date(2024, 1, 1)", "date", "boolean"),
}  # fmt: skip
MATCH = """
def f(x, s):
    match x:
        case 1 | 2:
            return s
        case None:
            return 'none'
        case n if n > 5:
            return 'large'
        case -3:
            return 'minus'
        case _ if s == 'a':
            return 'a'
    return 'other'
"""
PAIR = """
def f(x, s):
    match (x, s):
        case (1, 'a' | 'b'):
            return 1
        case (None, _):
            return 2
        case (n, 'time') if s != 'x':
            return 3
        case _:
            return 4
"""
CONTROL = {
    "match": (MATCH, "long, string", "string"),
    "match of a pair": (PAIR.replace(" if s != 'x'", ""), "long, string", "long"),
    "match binds before the guard": ("def f(x):\n    y = 0\n    match x:\n        case y if y == 2:\n            return True\n    return y == 1", "long", "boolean"),
    "walrus in the middle": ("def f(x, s):\n    return s == 'a' and (n := x) is None", "long, string", "boolean"),
    "walrus and else": ("def f(x, s):\n    if x is None or (n := x + 1) < 3:\n        return s\n    return 'b' if n > 4 else 'c'", "long, string", "string"),
    "match in try": ("def f(x):\n    try:\n        match x:\n            case 1:\n                n = 0\n            case _:\n                n = 10 // x\n    except ZeroDivisionError:\n        return False\n    return n > 0", "long", "boolean"),
    "and of flags": ("def f(x, y):\n    a = x == 1\n    a &= y is None\n    a ^= x is None\n    return a | (y == 2)", "long, long", "boolean"),
    "flags added up": ("def f(x, y):\n    n = (x == 1) + (y == 1)\n    n -= x is None\n    return n >= 1", "long, long", "boolean"),
    "match without a case": ("def f(x):\n    match x:\n        case 1:\n            y = 1\n        case 2:\n            pass\n    return y == 1", "long", "boolean"),
    "match of a sum": ("def f(x):\n    match x + 1:\n        case 2:\n            return True\n        case _:\n            return False", "long", "boolean"),
    "while": ("def f(x):\n    n = 0\n    while n < 3:\n        n += 1\n    return x > n", "long", "boolean"),
    "while and more": ("def f(x):\n    n = 0\n    while n < 4 and x > n:\n        n += 2\n    return n == 2", "long", "boolean"),
    "while that is left": ("def f(x):\n    n = 0\n    while True:\n        n += 1\n        if n == x or n >= 7:\n            break\n    return n > 2", "long", "boolean"),
    "while else": ("def f(x):\n    n = 0\n    while n < 3:\n        n += 1\n        if n == x:\n            break\n    else:\n        return False\n    return True", "long", "boolean"),
    "for and return": ("def f(x):\n    for i in (1, 6, -3):\n        if x == i:\n            return True\n    return False", "long", "boolean"),
    "for and break": ("def f(x):\n    for i in range(1, 4):\n        if x < i:\n            break\n    return i > 2", "long", "boolean"),
    "for else": ("def f(x, s):\n    for t in ('a', 'b'):\n        if t == s:\n            if x > 1:\n                continue\n            break\n    else:\n        return x == 6\n    return True", "long, string", "boolean"),
    "for in for": ("def f(x):\n    n = 0\n    for i in (1, 2):\n        for j in (1, 2, 3):\n            if j == x:\n                break\n            n += 1\n        else:\n            continue\n        n += 10\n    return n > 9", "long", "boolean"),
    "for raises": ("def f(x):\n    for i in (1, 6):\n        assert x != i\n    return x > 0", "long", "boolean"),
    "dict": ("def f(s):\n    return {'a': 1, 'b': 2}[s] > 1", "string", "boolean"),
    "dict get": ("def f(s):\n    return {'a': 1, 'b': 2}.get(s, 7) > 1", "string", "boolean"),
    "dict get none": ("def f(s):\n    return {'a': 1, 'b': None}.get(s) is None", "string", "boolean"),
    "dict of numbers": ("D = {1: 'a', 2.5: 'b', True: 'c', -0.0: 'd', None: 'e'}\ndef f(x):\n    return D[x]", "double", "string"),
    "dict of numbers, long": ("D = {1: 'a', 6.0: 'b'}\ndef f(x):\n    return D.get(x, 'none')", "long", "string"),
    "dict of booleans": ("D = {True: 'a', 0: 'b'}\ndef f(x):\n    return D[x]", "boolean", "string"),
    "in dict": ("D = {'a': 1, None: 2}\ndef f(s):\n    return s in D and D[s] > 1", "string", "boolean"),
    "not in dict": ("def f(x):\n    return x not in {1: 2, 6: 3}", "double", "boolean"),
    "dict that is filled": ("def f(s):\n    d = {'a': 1}\n    d['b'] = 2\n    return d.get(s, 0) > 1", "string", "boolean"),
    "dict of the row": ("def f(x, s):\n    d = {'a': x, 'b': 2}\n    return d[s] > 1", "long, string", "boolean"),
    "any": ("def f(x):\n    return any(x > t for t in (1, 6))", "long", "boolean"),
    "all": ("def f(x):\n    return all(x > t for t in (1, 2.5))", "double", "boolean"),
    "any stops": ("def f(x):\n    return any(6 // x > t for t in (-9, 1))", "long", "boolean"),
    "all stops": ("def f(x, y):\n    return all(t is not None and t > 0 for t in (x, y))", "long, double", "boolean"),
    "any where": ("def f(x, y):\n    return any(t > 1 for t in (x, y) if t is not None)", "long, long", "boolean"),
    "all where": ("def f(x, y):\n    return all(t > 1 for t in (x, y) if t is not None)", "long, double", "boolean"),
    "any of none": ("def f(x):\n    return any(x > t for t in ())", "long", "boolean"),
    "sum of tests": ("def f(x):\n    return sum(x > t for t in (1, 2, 6)) > 1", "long", "boolean"),
    "sum of a list": ("def f(x, y):\n    return sum([t * 2 for t in (x, y)]) > 3", "long, long", "boolean"),
    "max of a list": ("def f(x, y):\n    return max(-t for t in (x, y)) > 0", "double, double", "boolean"),
    "least of the known": ("def f(x, y):\n    return min((t for t in (x, y) if t is not None), default=0) > 1", "long, long", "boolean"),
    "list that is unpacked": ("def f(x):\n    a, b = [x + i for i in (1, 2)]\n    return a > 2 and b != 8", "long", "boolean"),
    "try to divide": ("def f(x, y):\n    try:\n        return x / y > 1\n    except ZeroDivisionError:\n        return y is None", "long, long", "boolean"),
    "try, any error": ("def f(x, y):\n    try:\n        z = x // y\n    except Exception:\n        return True\n    return z > 1", "double, long", "boolean"),
    "try, several errors": ("def f(x, s):\n    try:\n        if s.strip() == 'a':\n            return 6 % x > 0\n        y = -x\n    except (TypeError, AttributeError) as e:\n        return False\n    except ArithmeticError:\n        return True\n    else:\n        y = y + 1\n    return y > 0", "long, string", "boolean"),
    "try an order": ("def f(x, y):\n    try:\n        return 0 < x < y\n    except TypeError:\n        return x is None", "long, double", "boolean"),
    "try a key": ("D = {'a': 1, 'b': 2}\ndef f(s):\n    try:\n        n = D[s]\n    except KeyError:\n        n = 7\n    return n > 1", "string", "boolean"),
    "try and raise": ("def f(x):\n    try:\n        if x > 1:\n            raise ValueError('large')\n    except ValueError:\n        return True\n    return x == 1", "long", "boolean"),
    "try, not caught": ("def f(x):\n    try:\n        return 1 / x > 0\n    except ValueError:\n        return True", "double", "boolean"),
    "try a test": ("def f(s, x):\n    try:\n        return 'a' in s or s.startswith('t') and 1 // x == 1\n    except TypeError:\n        return True\n    except ZeroDivisionError:\n        return False", "string, long", "boolean"),
    "try a needle": ("def f(s, t):\n    try:\n        return s.startswith(t)\n    except TypeError:\n        return True\n    except AttributeError:\n        return False", "string, string", "boolean"),
    "try what is in": ("def f(s, t):\n    try:\n        return t not in s\n    except TypeError:\n        return s is None", "string, string", "boolean"),
    "try a choice": ("def f(x, y):\n    try:\n        z = 1 / x if y > 1 else y + 1\n    except TypeError:\n        z = 0\n    except ZeroDivisionError:\n        z = 1\n    return z == 1", "long, double", "boolean"),
    "try in a loop": ("def f(x):\n    for i in (0, 1, 2):\n        try:\n            y = 6 / (x - i)\n        except ZeroDivisionError:\n            continue\n        if y > 2:\n            return True\n    return False", "long", "boolean"),
    "try in try": ("def f(x, s):\n    try:\n        y = 1 // x\n    except ZeroDivisionError:\n        try:\n            y = 2 if len(s) > 1 else 3\n        except TypeError:\n            return True\n    return y == 2", "long, string", "boolean"),
    "try at once": ("def f(x, y):\n    z = 0\n    try:\n        z = x * 2\n        z = z / y\n    except ZeroDivisionError:\n        z = z + 1\n    return z > 2", "long, double", "boolean"),
    "any beginning": ("def f(s):\n    return s.startswith(('p', 'ti'))", "string", "boolean"),
    "any end": ("ENDS = ('e', 'm')\ndef f(s):\n    return not s.endswith(ENDS)", "string", "boolean"),
    **{f"find {op} {n}": (f"def f(s):\n    return s.find('{t}') {op} {n}", "string", "boolean") for op, n, t in [(">=", 0, "m"), (">", -1, "m"), ("!=", -1, "m"), ("<", 0, "m"), ("<=", -1, "m"), ("==", -1, "m"), ("==", 0, "p"), ("!=", 0, "p"), (">", -1, "")]},
    **{f"count {op} {n}": (f"def f(s):\n    return s.count('{t}') {op} {n}", "string", "boolean") for op, n, t in [(">", 0, "m"), (">=", 1, "m"), ("!=", 0, "m"), ("<", 1, "m"), ("<=", 0, "m"), ("==", 0, "m"), (">", 0, "")]},
    "found in reverse": ("def f(s):\n    return 0 <= s.find('m') and 1 > s.count('e')", "string", "boolean"),
    "function inside": ("def f(x):\n    def g(a, b):\n        if a > b:\n            return a - b\n        return b\n    return g(x, 2) == g(3, 1)", "long", "boolean"),
    "function in a variable": ("def f(x, s):\n    limit = 2\n    g = lambda a: a > limit and s == 'a'\n    return g(x) or g(7)", "long, string", "boolean"),
    "function of a function": ("def f(x):\n    g = lambda a: a * 2\n    def h(a):\n        b = g(a)\n        return b + 1\n    return h(x) > 5 and h(g(x)) != 9", "long", "boolean"),
    "function that reads a list that changes": ("def f(x):\n    seen = [1]\n    def g(a):\n        return len(seen) > a\n    seen.append(2)\n    return g(x)", "long", "boolean"),
    "function that raises": ("def f(x, y):\n    def g(a):\n        assert a != 1\n        return 6 // a\n    return y is not None and g(x) > 1", "long, long", "boolean"),
    "function in a generator": ("def f(x):\n    def near(a):\n        return a - 1 <= x <= a + 1\n    return any(near(t) for t in (0, 6))", "long", "boolean"),
    "name of a function's own": ("def f(x):\n    a = 1\n    def g(y):\n        a = y + 1\n        return a\n    return g(x) > a", "long", "boolean"),
    "walrus": ("def f(x):\n    if (n := x * 2) > 3:\n        return n == 4\n    return n == 2", "long", "boolean"),
    "walrus returned": ("def f(s):\n    return (t := s) is not None and t != 'a'", "string", "boolean"),
}  # fmt: skip
"""Control flow and containers: ``match``, ``while``, loops that are left early, ``try``, dicts that are looked up,
functions inside functions, ``:=``, generators over a literal."""
CASES = {n: RowCase.of(*given, "xAy", "N") for n, given in PLAIN.items()} | {
    f"control, {n}": RowCase.of(*given) for n, given in CONTROL.items()
}
