# ruff: noqa: E501 - programs and tables, one to a line
"""Group functions whose state is more than scalars: lists, sets, tuples, dicts, masks, rows that are kept."""

from __future__ import annotations

from .functions import GroupMap
from .harness import dropping_errors

COLUMNS = "k string, x double, n long, i int, s string"
FILTERED = "pd.isna(r.x)"


def body(
    before: str, loop: str, after: str, out: str = "v double", columns: str = COLUMNS, known: bool = True
) -> GroupMap:
    """A function with these statements before its loop, in it, and after it; it returns the named variables."""
    names = [part.split()[0] for part in out.split(",")]
    row = ", ".join(f"'{n}': {n}" for n in names)
    lines = [
        "import bisect, collections, functools, heapq, itertools, operator",
        "EVENT = pd.Timestamp('2023-12-31 23:30:00')",
        "DAY = datetime.date(2024, 1, 1)",
        "import dataclasses, typing",
        "Pair = collections.namedtuple('Pair', ['n', 's'])",
        "@dataclasses.dataclass",
        "class State:",
        "    n: int = 0",
        "    seen: bool = False",
        "class Top(typing.NamedTuple):",
        "    n: int",
        "    s: str = 'none'",
        "def f(key, pdf):",
        *(f"    {line}" for line in before.split("; ")),
    ]
    if loop:
        lines += ["    for r in pdf.itertuples():", *(f"        {line}" for line in loop.split("\n"))]
    lines += [f"    {line}" for line in after.split("\n") if line]
    lines.append(f"    return pd.DataFrame([{{'k': key[0], {row}}}])")
    return GroupMap("\n".join(lines) + "\n", columns, f"k string, {out}", known)


def top(step: str, after: str = "a, b = (h[0] if h else None), (h[1] if len(h) > 1 else None)") -> GroupMap:
    """A list of the best whole numbers."""
    return body("h = []", f"if pd.isna(r.n): continue\n{step}", after, "a long, b long")


TUPLE = "if best is None or r.n > best[0]: best = (r.n, r.x, r.s)"
_BODIES: dict[str, GroupMap] = {
    # loops that are left early
    "break": body("v = 0", "if r.s == 'a': break\nv += 1", "", "v long"),
    "break behind": body("v = 0", "v += 1\nif r.i == 1: break", "", "v long"),
    "break, set before": body("n = 0", "v = r.i\nn += 1\nif r.s == 'a': break", "v = v if n > 1 else -1", "v double"),
    "break, first of the rows": body("n = 0", "v = r.s\nbreak", "", "v string"),
    "break, kept in a list": body("xs = []", "xs.append(r.i)\nlast = r.s\nif len(xs) == 2: break", "v = last if len(xs) > 1 else None", "v string"),
    "break and flag": body("v = False", "if r.n == 1:\n    v = True\n    break", "", "v boolean"),
    "break, later rows raise": body("v = 0", "if r.s == 'a': break\nv += int(r.n > 1)", "", "v long"),
    "break, later rows raise unseen": body("v = 0", "if r.s == 'a': break\nw = 1 // r.i\nv += 1", "", "v long"),
    "break of two": body("v = 0", "if r.s == 'a': break\nif r.i == 1:\n    v = 7\n    break\nv += 1", "", "v long"),
    "break in a branch": body("v = 0", "if r.s == 'a':\n    if r.i == 1: break\n    v += 2\nv += 1", "", "v long"),
    "break and continue": body("v = 0", "if r.s == 'a': continue\nif r.i == 1: break\nv += 1", "", "v long"),
    "break of a list": body("xs = []", "if r.s == 'a': break\nxs.append(r.i)", "v = len(xs)", "v long"),
    "for else": body("v = 0", "if r.s == 'a':\n    m = r.i\n    break", "else:\n    m = -1\nv = m", "v double"),
    "for else alone": body("v = 0", "v += 1", "else:\n    v += 10", "v long"),
    "for else, set before": body("v = 0", "if r.s == 'a': break\nv += 1", "else:\n    v = -1", "v long"),
    "early return": body("v = 0", "if r.s == 'a': return pd.DataFrame([{'k': key[0], 'v': v}])\nv += 1", "v = -v", "v long"),
    "early return of the row": body("v = 0.0", "if r.s == 'a': return pd.DataFrame([{'k': r.k, 'v': r.i}])", "", "v double"),
    "early return of what a row sets": body("v = 0.0", "w = r.i\nif r.s == 'a': return pd.DataFrame([{'k': key[0], 'v': w}])", "", "v double"),
    "early return of none": body("v = 0", "if r.s == 'a': return pd.DataFrame({'k': [], 'v': []})\nv += 1", "", "v long"),
    "early return from an inner loop": body("v = 0", "for i in (1, 2):\n    if r.i == i: return pd.DataFrame([{'k': key[0], 'v': i}])\n    v += 1", "", "v long"),
    "early returns": body("v = 0", "if r.s == 'a': return pd.DataFrame([{'k': key[0], 'v': 7}])\nif r.i == 1: return pd.DataFrame([{'k': key[0], 'v': v}])\nv += 1", "", "v long"),
    "or of flags": body("v = False", "v |= r.i == 1", "", "v boolean"),
    "and of flags": body("v = True", "v &= r.s != 'a'", "", "v boolean"),
    "exclusive or of flags": body("v = False", "v ^= r.s == 'a'", "", "v boolean"),
    "flags counted": body("v = 0", "v += r.s == 'a'\nv -= r.i == 1", "", "v long"),
    # lists without a bound
    "list len": body("xs = []", "if r.x > 1: xs.append(r.x)", "v = len(xs)", "v long"),
    "list max": body("xs = []", "if r.x > 1: xs.append(r.x)", "v = max(xs) if xs else -1.0"),
    "list max raises": body("xs = []", "if r.x > 1: xs.append(r.x)", "v = max(xs)"),
    "list max default": body("xs = []", "if r.x > 1: xs.append(r.x)", "v = max(xs, default=0.0)"),
    "list min of missing": body("xs = []", "xs.append(r.x)", "v = min(xs)"),
    "list max of none": body("xs = []", "xs.append(r.n if r.i == 1 else None)", "v = max(xs, default=7)", "v long"),
    "list max in both": body("xs = []", "if r.i == 1: xs.append(r.n)\nelse: xs.append(2.5)", "v = max(xs)"),
    "list sum": body("xs = []", "if r.n > 1: xs.append(r.n)", "v = sum(xs)"),
    "list sum of none": body("xs = []", "xs.append(None if r.s == 'a' else r.i)", "v = sum(xs)"),
    "list average": body("xs = []", "if r.i > 1: xs.append(r.i)", "v = sum(xs) / len(xs) if xs else None"),
    "list any": body("xs = []", "xs.append(r.n)", "v = any(xs)", "v boolean"),
    "list all": body("xs = []", "xs.append(r.s)", "v = all(xs)", "v boolean"),
    "list truth": body("xs = []", "if r.s == 'a': xs.append(r.s)", "v = 1 if xs else 2", "v long"),
    "list not": body("xs = []", "if r.s == 'a': xs.append(r.s)", "v = not xs", "v boolean"),
    "list first": body("xs = []", "if r.n > 0: xs.append(r.n)", "v = xs[0]", "v long"),
    "list last": body("xs = []", "if r.n > 0: xs.append(r.n)", "v = xs[-1] if xs else 0", "v long"),
    "list starts": body("xs = [5, 1]", "if r.n > 0: xs.append(r.n)", "v = sum(xs) + min(xs) + len(xs)", "v long"),
    "list after": body("xs = []", "if r.n > 0: xs.append(r.n)", "xs.append(4)\nv = len(xs) + max(xs)", "v long"),
    "list read inside": body("xs = []; v = 0", "if len(xs) < 2: xs.append(r.n)\nelse: v += 1", "v = v + len(xs)", "v long"),
    "list extend": body("xs = []", "xs.extend([1, r.i])\nif r.s == 'b': xs.append(9)", "v = len(xs)", "v long"),
    "list holds": body("xs = []", "xs.append(r.s)", "v = 'a' in xs and 'b' not in xs", "v boolean"),
    "list holds none": body("xs = []", "xs.append(r.s)", "v = None in xs", "v boolean"),
    "list sorted": body("xs = []", "if r.n == r.n: xs.append(r.n)", "a = sorted(xs)[0]\nb = sorted(xs, reverse=True)[:2]\nb = b[-1]", "a long, b long"),
    "list sorted end": body("xs = []", "if r.n == r.n: xs.append(r.n)", "t = sorted(xs)[-2:]\na, b = t[0], t[-1]", "a long, b long"),
    "list sorted last": body("xs = []", "if r.n == r.n: xs.append(r.n)", "a = sorted(xs)[-1]\nb = sorted(xs)[-2]", "a long, b long"),
    "list nlargest": body("xs = []", "if r.n == r.n: xs.append(r.n)", "t = heapq.nlargest(3, xs)\na, b = len(t), t[-1]", "a long, b long"),
    "list nsmallest": body("xs = []", "if r.x == r.x: xs.append(-r.x)", "t = heapq.nsmallest(2, xs)\nv = t[0] if len(t) == 2 else None"),
    "list of tuples": body("xs = []", "if r.n == r.n and r.i == r.i: xs.append((r.n, r.i))", "b = max(xs)\na, b = b[0], b[1]", "a long, b long"),
    "list by key": body("xs = []", "if r.n == r.n: xs.append((r.n, r.s))", "b = min(xs, key=lambda t: t[0])\na, s = b", "a long, s string"),
    "list by getter": body("xs = []", "if r.n == r.n: xs.append((r.s is None, r.n, r.s))", "b = sorted(xs, key=operator.itemgetter(1), reverse=True)[:2]\na, s = b[-1][1], b[0][2]", "a long, s string"),
    "two lists": body("xs = []; ys = []", "if r.s == 'a': xs.append(r.i)\nelif r.s == 'b': ys.append(r.i)", "v = len(xs) - len(ys)", "v long"),
    # comprehensions
    "comprehension": body("v = 0", "", "v = max([x for x in pdf['x']])"),
    "comprehension filtered": body("v = 0", "", "xs = [r.n for r in pdf.itertuples() if r.x > 1]\nv = len(xs) + (max(xs) if xs else 0)", "v long"),
    "generator sum": body("v = 0", "", "v = sum(1 for r in pdf.itertuples() if r.s in ('a', 'b'))", "v long"),
    "generator max": body("v = 0", "", "v = max((r.n for r in pdf.itertuples() if not pd.isna(r.n)), default=-1)", "v long"),
    "generator any": body("v = 0", "", "v = any(r.x > 2 for r in pdf.itertuples())", "v boolean"),
    "generator all": body("v = 0", "", "v = all(s is not None for s in pdf['s'])", "v boolean"),
    "comprehension of a list": body("xs = []", "xs.append(r.n)", "v = sum(1 for x in xs if x > 1)", "v long"),
    "set comprehension": body("v = 0", "", "kinds = {s for s in pdf['s'] if s is not None}\nv = 'a' in kinds or 'b' in kinds", "v boolean"),
    # sets
    "set flags": body("seen = set()", "seen.add(r.s)", "v = 'a' in seen and 'b' in seen", "v boolean"),
    "set of numbers": body("seen = set()", "if r.n == r.n: seen.add(r.n)", "v = 1 in seen or 2.0 in seen", "v boolean"),
    "set not empty": body("seen = set()", "if r.s is not None: seen.add(r.s)", "v = len(seen) > 0", "v boolean"),
    "set truth": body("seen = {'q'}", "if r.s is None: seen.add('a')", "v = bool(seen) and 'a' in seen", "v boolean"),
    "set of list": body("xs = []", "xs.append(r.s)", "seen = set(xs)\nv = 'a' in seen", "v boolean"),
    "set superset": body("seen = set()", "seen.add(r.s)", "v = seen.issuperset({'a', 'b'}) or {'place'} <= seen", "v boolean"),
    "set max": body("seen = set()", "if r.n == r.n: seen.add(r.n)", "v = max(seen)", "v long"),
    # short lists
    "top append": top("h.append(r.n)\nh.sort(reverse=True)\nh = h[:2]"),
    "top sorted": top("h = sorted(h + [r.n], reverse=True)[:2]"),
    "top three": top("h.append(r.n)\nh.sort(reverse=True)\ndel h[3:]", "a = h[0]\nb = h[2] if len(h) >= 3 else h[-1]"),
    "top pop": top("h.append(r.n)\nh.sort(reverse=True)\nif len(h) > 2: h.pop()"),
    "bottom": top("h = sorted(h + [r.n])[:2]"),
    "top ascending": top("h.append(r.n)\nh.sort()\nh = h[-2:]", "a, b = h[-1], h[0]"),
    "top ascending pop": top("h.append(r.n)\nh.sort()\nif len(h) > 3: h.pop(0)", "a, b = h[-1], h[1] if len(h) == 3 else None"),
    "top if better": top("if len(h) < 2 or r.n > h[-1]:\n    h.append(r.n)\n    h.sort(reverse=True)\n    h = h[:2]"),
    "top sum": top("h.append(r.n)\nh.sort(reverse=True)\nh = h[:3]", "a, b = sum(h), len(h)"),
    "top max": top("h.append(r.n)\nh.sort(reverse=True)\nh = h[:3]", "a, b = max(h), min(h, default=0)"),
    "top holds": top("h.append(r.n)\nh.sort(reverse=True)\nh = h[:3]", "a, b = (1 if 2 in h else 0), None"),
    "heap push": top("heapq.heappush(h, r.n)\nif len(h) > 2: heapq.heappop(h)", "a, b = h[0], len(h)"),
    "heap push pop": top("if len(h) < 3: heapq.heappush(h, r.n)\nelse: heapq.heappushpop(h, r.n)", "t = sorted(h, reverse=True)\na, b = t[0], t[-1]"),
    "heap replace": top("if len(h) < 2: heapq.heappush(h, r.n)\nelif r.n > h[0]: heapq.heapreplace(h, r.n)", "a, b = sum(h), max(h)"),
    "insort": top("bisect.insort(h, r.n)\nh = h[-2:]"),
    "insort pop": top("bisect.insort(h, r.n)\nif len(h) > 2:\n    h.pop(0)", "a, b = h[0], h[-1]"),
    "last two": top("h.append(r.n)\nh = h[:2]"),
    "top of tuples": body("h = []", "if pd.isna(r.n) or pd.isna(r.i): continue\nh.append((r.n, r.i))\nh.sort(reverse=True)\nh = h[:2]", "a, b = h[0]\nc = h[1][0] if len(h) > 1 else None", "a long, b int, c long"),
    "top by key": body("h = []", "if pd.isna(r.n): continue\nh.append((r.n, r.s))\nh.sort(key=lambda t: t[0], reverse=True)\nh = h[:2]", "a, s = h[0]\nt = h[-1][1]", "a long, s string, t string"),
    "top by minus": body("h = []", "if pd.isna(r.n): continue\nh.append((r.n, r.s))\nh.sort(key=lambda t: -t[0])\ndel h[2:]", "a, s = h[0]\nt = h[-1][1]", "a long, s string, t string"),
    "top of dicts": body("h = []", "if pd.isna(r.n): continue\nh.append({'n': r.n, 's': r.s})\nh.sort(key=lambda t: t['n'])\nh = h[:2]", "a, s = h[0]['n'], h[-1]['s']", "a long, s string"),
    "pending if": top("if r.i > 1: h.append(r.n)\nh.sort(reverse=True)\nh = h[:2]"),
    # tuples
    "tuple argmax": body("best = None", TUPLE, "a, x, s = best if best is not None else (0, 0.0, 'none')", "a long, x double, s string"),
    "tuple raises": body("best = None", "if r.n > 1: best = (r.n, r.x)", "a, x = best", "a long, x double"),
    "tuple field": body("best = None", TUPLE, "a = best[0] if best else None\ns = None if best is None else best[2]", "a long, s string"),
    "tuple given": body("best = (-1, 0.0, '')", "if r.n > best[0]: best = (r.n, r.x, r.s)", "a, x, s = best", "a long, x double, s string"),
    "tuple maybe string": body("best = None", "if best is None or r.s is None: best = (r.s, r.i)", "s, i = best", "s string, i int"),
    "tuple max": body("best = (0, 0)", "if r.n == r.n and r.i == r.i: best = max(best, (r.n, r.i))", "a, i = best", "a long, i int"),
    "tuple compared": body("a = i = 0", "if r.n == r.n and r.i == r.i and (r.n, r.i) > (a, i): a, i = r.n, r.i", "pass", "a long, i int"),
    "tuple of none compared": body("best = None", "if r.n != r.n or r.i != r.i: continue\nif best is None or (r.n, r.i) >= best: best = (r.n, r.i)", "a, i = best", "a long, i int"),
    "tuple conditional": body("best = (0, 'z')", "best = (r.n, r.s) if r.n > best[0] else best", "a, s = best", "a long, s string"),
    "tuple nested": body("st = ((0, None), 0)", "(m, s), c = st\nst = ((max(m, r.n), r.s), c + 1)", "(m, s), c = st", "m long, s string, c long"),
    "tuple reset": body("best = (0, 1)", "if r.s == 'a': best = None\nelif r.s == 'b': best = (r.i, 2)", "v = 0 if best is None else best[1]", "v long"),
    # rows and dicts
    "row kept": body("best = None", "if best is None or r.n > best.n: best = r", "a, s = best.n, best.s", "a long, s string"),
    "row kept later": body("best = None", "if r.n > 1:\n    if best is None or r.x < best.x: best = r", "a, s = (best.n, best.s) if best is not None else (None, None)", "a long, s string"),
    "dict state": body("st = {'n': 0, 'max': None}", "st['n'] += 1\nif st['max'] is None or r.x > st['max']: st['max'] = r.x", "n, m = st['n'], st['max']", "n long, m double"),
    "dict get": body("st = dict(n=0)", "st['n'] = st.get('n', 0) + (1 if r.s == 'a' else 0)", "n, m = st.get('n'), st.get('q', 3)", "n long, m long"),
    "dict lists": body("st = {'xs': [], 'n': 0}", "if pd.isna(r.n): continue\nst['xs'].append(r.n)\nst['xs'].sort()\ndel st['xs'][2:]\nst['n'] += 1", "n = st['n']\nm = st['xs'][0]", "n long, m long"),
    "dict update": body("st = {'a': 0, 'b': 0}", "if r.s == 'a': st.update({'a': r.i, 'b': 2})", "a, b = st['a'], st['b']", "a long, b long"),
    "list state": body("st = [0, None]", "st[0] += 1\nif st[1] is None or r.x < st[1]: st[1] = r.x", "n, m = st[0], st[1]", "n long, m double"),
    "pooling": body("lows = [None] * 3", "for i, x in enumerate((r.x, r.n, r.i)):\n    if x == x and (lows[i] is None or x < lows[i]):\n        lows[i] = x", "a, b, c = lows", "a double, b long, c int"),
    "range loop": body("c = [0, 0]", "for i in range(2):\n    if r.i == i:\n        c[i] += 1\n    else:\n        continue", "a, b = c[0], c[1]", "a long, b long"),
    # counts and lists by key
    "counter": body("c = collections.Counter()", "c[r.s] += 1", "v = c['a'] + 10 * c['b'] + 100 * c[None]", "v long"),
    "counter by number": body("c = collections.Counter()", "c[r.n] += 1", "v = c[1] + 10 * c[2.0]", "v long"),
    "counter under a test": body("c = collections.Counter()", "if r.s == 'a': c[r.i] += 1\nelse: c[r.i] += 2", "v = c[1] if 1 in c else -1", "v long"),
    "counter that is read inside": body("c = collections.Counter(); v = 0", "c[r.s] += 1\nif c['a'] >= 2: v += 1", "", "v long"),
    "counter, assigned": body("c = collections.Counter()", "c[r.s] = c[r.s] + 1", "v = c.get('a', -1)", "v long"),
    "counter, updated": body("c = collections.Counter(); c.update(pdf['s'])", "", "v = c['a']", "v long"),
    "defaultdict": body("c = collections.defaultdict(int)", "if r.i == r.i: c[r.s] += r.i", "v = c['a']", "v long"),
    "defaultdict, filled by get": body("c = collections.defaultdict(int)", "c[r.s] = c.get(r.s, 0) + 1", "v = c['a']", "v long"),
    "copies of pairs": body("v = 0", "t = list((1, 2))\nu = tuple([t[0], 5])\nif r.s == 'a': v += t[1] + 10 * u[1]", "", "v long"),
    "defaultdict of a lambda": body("c = collections.defaultdict(lambda: 0)", "c[r.s == 'a'] += 1", "v = c[True]", "v long"),
    "defaultdict of lists": body("c = collections.defaultdict(list)", "c[r.s].append(r.i)", "a, b = len(c['a']), 1 in c['b']", "a long, b boolean"),
    "defaultdict of lists, max": body("c = collections.defaultdict(list)", "if r.i == r.i: c[r.s].append((r.i, r.s is None))", "a = max(c['a'])[0] if c['a'] else None", "a long"),
    "defaultdict of sets": body("c = collections.defaultdict(set)", "if r.i == r.i: c[r.s].add(r.i)", "v = 1 in c['a'] or 2 in c['a']", "v boolean"),
    "dict of counts": body("c = {}", "c[r.s] = c.get(r.s, 0) + 1", "v = c.get('a', 0)", "v long"),
    "dict of counts that may lack the key": body("c = {}", "c[r.s] = c.get(r.s, 0) + 1", "v = c['a'] if 'a' in c else None", "v long"),
    "dict of counts that lacks the key": body("c = {}", "c[r.s] = c.get(r.s, 0) + 1", "v = c['a']", "v long"),
    "dict of given keys": body("c = {'a': 0, 'b': 0}", "if r.s in c: c[r.s] += 1", "v = c['a'] + 10 * c['b']", "v long"),
    "passed dict of given keys that lacks one": body("c = {'a': 0, 'b': 0, 'time': 0}", "c[r.s] += 2", "v = c['a'] + 10 * c['b']", "v long"),
    # loops that are left where their state says so
    "left at a count": body("n = 0", "n += r.s == 'a'\nif n >= 2: break", "v = n", "v long"),
    "left at a count in a branch": body("n = 0; m = 0", "m += 1\nif r.s == 'a':\n    n += 1\n    if n >= 2: break", "v = n + 10 * m", "v long"),
    "left at a count, else": body("n = 0", "", "for x in pdf['s']:\n    n += x == 'a'\n    if n >= 2: break\nelse:\n    n = -1\nv = n", "v long"),
    "returned at a count": body("n = 0", "n += r.s == 'a'\nif n >= 2: return pd.DataFrame([{'k': key[0], 'v': n + 100}])", "v = n", "v long"),
    "left at once": body("n = 2", "n += r.s == 'a'\nif n >= 2: break", "v = n", "v long"),
    "left at a maximum": body("m = 0", "if r.n > m: m = r.n\nif m > 1: break", "v = m", "v long"),
    # counts of columns
    "count that may be missing": body("c = pdf['s'].value_counts()", "", "v = c['a'] if 'a' in c else -1", "v long"),
    "count that is missing": body("c = pdf['s'].value_counts()", "", "v = c['a']", "v long"),
    "count by label": body("c = pdf['n'].value_counts()", "", "v = c.loc[1] if 1 in c.index else -1", "v long"),
    "counts as a dict": body("c = pdf['s'].value_counts().to_dict()", "", "v = c.get('a', 0) + (10 if 'b' in c else 0)", "v long"),
    "sizes of groups": body("c = pdf.groupby('s').size()", "", "v = c.get('a', 0)", "v long"),
    "choice of columns": body("pdf = pdf[['k', 'x', 's']]", "", "v = len(pdf[pdf['s'] == 'a'])", "v long"),
    "variable in a query": body("low = 1.5", "", "v = len(pdf.query('x > @low and s == \"a\"'))", "v long"),
    "function of the file on a column": body("def high(x):\n        return x > 1", "", "v = pdf['x'].apply(high).sum()", "v long"),
    "end of a sorted frame": body("v = 0", "", "a = pdf.sort_values('x')['x'].iloc[-1]\nb = pdf.sort_values('x', ascending=False).iloc[0]['x']", "a double, b double"),
    # lists that are sorted in place
    "sorted in place": body("xs = [x for x in pdf['n'] if x == x]", "", "xs.sort()\na = xs[-1] if xs else None", "a long"),
    "sorted in place downwards": body("xs = [1 if s == 'a' else 2 for s in pdf['s']]", "", "xs.sort(reverse=True)\na, b = xs[0], xs[-1]", "a long, b long"),
    "filled and sorted in place": body("xs = []", "if r.i == 1: xs.append(r.n == 1)", "xs.sort(reverse=True)\nv = xs[0] if xs else None", "v boolean"),
    "filled and sorted in place, ends": body("xs = []", "xs.append(1 if r.s == 'a' else 2)", "xs.sort()\na, b = xs[0], xs[-1]", "a long, b long"),
    "filled and reduced": body("xs = []", "xs.append(r.s == 'a')", "v = functools.reduce(lambda n, x: n + 1 if x else n, xs, 0)", "v long"),
    "filled, later rows": body("xs = []", "if r.s == 'a': xs.append(r.i)", "v = 0\nfor x in xs:\n    if x == 1:\n        v = 5\n        break", "v long"),
    "deque": body("d = collections.deque(maxlen=2)", "d.append(1 if r.s == 'a' else 2)", "a, b, c = d[-1], len(d), sum(d)", "a long, b long, c long"),
    "deque of some": body("d = collections.deque(maxlen=2)", "if r.s == 'a': d.append(r.s is None)", "v = len(d) if d else -1", "v long"),
    "deque of three": body("d = collections.deque(maxlen=3)", "d.append((r.s == 'a', 2))", "v = list(d)[0][0]", "v boolean"),
    "deque of the last": body("v = 0", "", "v = collections.deque([s == 'a' for s in pdf['s']], maxlen=1)[0]", "v boolean"),
    "deque of the last state": body("v = 0", "", "v = collections.deque(itertools.accumulate([1 if s == 'a' else 2 for s in pdf['s']], max), maxlen=1)[0]", "v long"),
    "deque that is read inside": body("d = collections.deque(maxlen=2); v = 0", "d.append(1 if r.s == 'a' else 0)\nif sum(d) == 2: v += 1", "", "v long"),
    "last by a star": body("xs = [s == 'a' for s in pdf['s']]", "", "*rest, v = xs", "v boolean"),
    "first by a star": body("v = 0", "", "v, *_ = sorted([1 if s == 'a' else 2 for s in pdf['s']])", "v long"),
    "last state by a star": body("v = 0", "", "*_, v = itertools.accumulate([1 if s == 'a' else 2 for s in pdf['s']], max)", "v long"),
    "star that may raise": body("xs = [s for s in pdf['s'] if s == 'a']", "", "*_, v = xs", "v string"),
    "star of a tuple": body("v = 0", "a, *b, c = (r.i, 1, 2, 3)\nif a == 1: v += b[0] + len(b) + c", "", "v long"),
    "sorted in place by a key": body("xs = [(1, 'p') if s == 'a' else (2, 'q') for s in pdf['s']]", "", "xs.sort(key=lambda t: -t[0])\nv = xs[0][1] == 'q'", "v boolean"),
    # records
    "namedtuple": body("t = Pair(0, None)", "if r.i == r.i and r.i > t.n: t = Pair(r.i, r.s)", "v = t.n\ns = t.s", "v int, s string"),
    "NamedTuple with a default": body("t = Top(1)", "if r.s == 'a': t = Top(2, s=r.s)", "v = t.n\ns = t.s", "v long, s string"),
    "replaced": body("t = Top(0)", "if r.s == 'a': t = t._replace(n=t.n + 1)", "v = t.n\ns = t.s", "v long, s string"),
    "data class": body("t = State()", "t.n += 1\nif r.s == 'a': t.seen = True", "v = t.n if t.seen else -1", "v long"),
    "data class, replaced": body("t = State(n=2)", "if r.s == 'a': t = dataclasses.replace(t, n=t.n + 1)", "v = t.n", "v long"),
    # functions that are given rows
    "helper of a column": body("def first(xs):\n        for x in xs:\n            if x == 'a': return True\n        return False", "", "v = first(pdf['s'])", "v boolean"),
    "helper of a frame": body("def count(df):\n        return len(df[df['x'] > 1])", "", "v = count(pdf)", "v long"),
    "helper that reads the frame": body("def count():\n        return sum(1 for r in pdf.itertuples() if r.s == 'a')", "", "v = count()", "v long"),
    # numbers of rows
    "while": body("i = 0; v = 0", "", "while i < len(pdf):\n        if pdf['s'].iloc[i] == 'a':\n            v += 1\n        i += 1", "v long"),
    "while, left": body("i = 0; v = 0; xs = pdf['s'].tolist()", "", "while i < len(xs):\n    if xs[i] == 'a':\n        v = 1\n        break\n    i = i + 1\nelse:\n    v = 2", "v long"),
    "range of the length": body("v = 0", "", "for i in range(len(pdf)):\n        if pdf['s'].iloc[i] == 'a':\n            v += 1", "v long"),
    "range of the shape": body("v = 0; values = pdf['x'].to_numpy()", "", "for i in range(pdf.shape[0]):\n        if values[i] > 1:\n            v += 1", "v long"),
    "rows by place": body("v = 0", "", "for i in range(len(pdf)):\n        if pdf.iloc[i]['s'] == 'a':\n            v += 1", "v long"),
    "index": body("v = 0", "", "for i in pdf.index:\n        if pdf.at[i, 's'] == 'a' and pdf.loc[i, 'x'] > 1 and pdf['s'][i] == 'a':\n            v += 1", "v long"),
    "range of a filtered frame": body("v = 0; pdf = pdf[pdf['x'] > 1]", "", "for i in range(len(pdf)):\n        if pdf['s'].iloc[i] == 'a':\n            v += 1", "v long"),
    "array": body("v = 0", "", "for x in pdf['x'].values:\n        if x > 1:\n            v += 1", "v long"),
    # masks
    "mask": body("mask = 0", "if r.s == 'a': mask |= 1\nelif r.s == 'b': mask |= 4", "v = mask", "v long"),
    "mask tested": body("mask = 0", "if r.s == 'a': mask |= 1\nif r.x > 1: mask = mask | 2", "v = mask & 3 == 3 or (mask & 2) != 0", "v boolean"),
    "mask read inside": body("mask = 0; n = 0", "if mask & 1: n += 1\nif r.s == 'a': mask |= 1 << 0", "v = n", "v long"),
    "mask all": body("mask = 0", "mask |= 1 if r.s == 'a' else 2", "v = mask == 3", "v boolean"),
    # expressions
    "walrus behind a test": body("v = 0.0", "if v < 2 and (y := r.x) > 2: v = y\nelse: v -= 1", ""),
    "walrus": body("v = 0.0", "if (y := r.x) > 2: v = y", "pass"),
    "walrus first": body("v = 0.0", "if (y := r.x) is not None and y > v: v = y", "pass"),
    "abs": body("v = 0.0", "if abs(r.x) > v: v = abs(r.x)", "pass"),
    "abs long": body("v = 0", "v = max(v, abs(r.n))", "pass", "v long"),
    "caps": body("p = 0", "p = min(p + (2 if r.s == 'a' else r.i), 10)", "v = p", "v long"),
    "drawdown": body("peak = None; drop = 0", "if r.n == r.n:\n    peak = r.n if peak is None else max(peak, r.n)\n    drop = max(drop, peak - r.n)", "v = drop", "v long"),
    "chained": body("v = 0", "if 0 <= r.n < 6 <= r.i: v += 1", "pass", "v long"),
    "time window": body("n = 0", "if EVENT - pd.Timedelta(hours=1) < r.t <= EVENT + datetime.timedelta(days=1): n += 1", "pass", "n long", "k string, t timestamp"),
    "time window local": body("start = pd.Timestamp('2023-12-31 23:00:00'); last = None", "if start < r.t < start + pd.Timedelta(hours=2): last = r.t", "t = last", "t timestamp", "k string, t timestamp"),
    "date window": body("n = 0", "if r.d is not None and DAY - datetime.timedelta(days=1) <= r.d < DAY: n += 1", "pass", "n long", "k string, d date"),
    "top of times": body("h = []", "if pd.isna(r.t): continue\nh.append(r.t)\nh.sort()\nh = h[:2]", "a, b = h[0], h[-1]", "a timestamp, b timestamp", "k string, t timestamp"),
    "top of strings": body("h = []", "if r.s is None: continue\nh = sorted(h + [r.s], reverse=True)[:2]", "a, b = h[0], h[-1]", "a string, b string"),
    "or tuple": body("best = None", "if r.n == r.n and r.i == r.i: best = max(best or (0, 0), (r.n, r.i))", "a, i = best or (0, -1)", "a long, i int"),
    "iterrows kept": GroupMap("def f(pdf):\n    best = None\n    for _, r in pdf.iterrows():\n        if best is None or r['n'] > best['n']:\n            best = r\n    return pd.DataFrame([{'k': pdf['k'].iloc[0], 'a': best['n'], 's': best.s}])\n", COLUMNS, "k string, a long, s string"),
    "record kept": GroupMap("def f(pdf):\n    best = {'n': -1, 's': None, 'k': None}\n    for r in pdf.to_dict('records'):\n        if r['n'] > best['n']:\n            best = r\n    return pd.DataFrame([{'k': pdf['k'].iloc[0], 'a': best['n'], 's': best['s']}])\n", "k string, n long, s string", "k string, a long, s string"),
    "unknown schema": body("h = []", "if r.n is None or r.n != r.n: continue\nh.append(r.n)\nh.sort(reverse=True)\ndel h[2:]", "a, b = h[0], h[-1]", "a double, b double", "k string, n double", known=False),
    "masked frame": body("pdf = pdf[pdf['x'] > 1]; xs = []", "xs.append(r.n)", "v = len(xs)\nn = max(xs, default=0)", "v long, n long"),
}  # fmt: skip
# Of a list with a value of each row: a part of it that fails makes a list that fails.
BODIES = dropping_errors(_BODIES, "passed", "list max of none", "list sum of none")
