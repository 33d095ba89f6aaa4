"""Chains over ``df.rdd`` and a filter, for the conformance of their folds: source text over the frame ``sales``."""

from __future__ import annotations

SCHEMA = "store string, year int, amount double, quantity int, kind string, day date, flag boolean"

CHAINS: dict[str, str] = {
    "max from -inf": """
largest = sales.rdd.map(lambda r: (r.store, r.amount)).aggregateByKey(float("-inf"), max, max)
result = largest.filter(lambda kv: kv[1] > 1)
""",
    "min of ints from a large number": """
least = sales.rdd.map(lambda r: (r["store"], r["quantity"])).aggregateByKey(1000000, min, min)
result = least.filter(lambda kv: kv[1] < 2)
""",
    "max and count": """
result = (
    sales.rdd.map(lambda r: (r.store, (r.amount, r.quantity)))
    .aggregateByKey((0.0, 0), lambda s, v: (max(s[0], v[0]), s[1] + 1), lambda a, b: (max(a[0], b[0]), a[1] + b[1]))
    .filter(lambda kv: kv[1][0] >= 90 or kv[1][1] > 2)
)
""",
    "named functions, a guard, nested tuples": """
LIMIT = 2

def seq(acc, r):
    (total, n), best = acc
    if r.quantity is None or r.kind != "a":
        return acc
    if r.quantity > best:
        best = r.quantity
    return ((total + r.quantity, n + 1), best)

def comb(a, b):
    (x, n), best = a
    (y, m), other = b
    return ((x + y, n + m), max(best, other))

def busy(kv):
    store, ((total, n), best) = kv
    return n >= LIMIT and total / n > 1

result = sales.rdd.keyBy(lambda r: (r.store, r.year)).aggregateByKey(((0, 0), -1), seq, comb).filter(busy)
""",
    "a list as state": """
result = (
    sales.rdd.map(lambda r: (r.store, r.quantity))
    .aggregateByKey([0, 0], lambda s, v: [s[0] + v, s[1] + 1], lambda a, b: [a[0] + b[0], a[1] + b[1]])
    .mapValues(lambda s: s[0] / s[1])
    .filter(lambda kv: kv[1] > 0.5)
)
""",
    "fold by key": """
from operator import add

result = sales.rdd.map(lambda r: (r.store, r.quantity)).foldByKey(0, add).filter(lambda kv: kv[1] != 1)
""",
    "reduce to the larger": """
result = sales.rdd.map(lambda r: (r.store, r.quantity)).reduceByKey(max).filter(lambda kv: kv[1] not in (1, 2))
""",
    "reduce floats": """
largest = sales.rdd.map(lambda r: (r.store, r.amount)).reduceByKey(lambda a, b: a if a > b else b)
result = largest.filter(lambda kv: not kv[1] > 1)
""",
    "argmax of tuples": """
def later(a, b):
    return a if a[0] >= b[0] else b

result = (
    sales.rdd.map(lambda r: (r.store, (r.day, r.quantity, r.kind)))
    .reduceByKey(later)
    .map(lambda kv: (kv[0], kv[1][2]))
    .filter(lambda kv: kv[1] == "a")
)
""",
    "argmax by key": """
result = (
    sales.rdd.map(lambda r: (r.store, (r.quantity, r.kind)))
    .reduceByKey(lambda a, b: max(a, b, key=lambda t: t[0]))
    .filter(lambda kv: kv[1][1] != "a" and kv[1][0] is not None)
)
""",
    "flags": """
result = (
    sales.rdd.map(lambda r: (r.store, (r.quantity > 1, r.kind == "a", 1 if r.kind != "b" else 0)))
    .reduceByKey(lambda a, b: (a[0] or b[0], a[1] and b[1], a[2] + b[2]))
    .filter(lambda kv: kv[1][0] or kv[1][1])
)
""",
    "flags that may be missing": """
result = (
    sales.rdd.filter(lambda r: r.quantity is not None).map(lambda r: (r.store, (r.flag, r.quantity > 1)))
    .reduceByKey(lambda a, b: (a[0] or b[0], a[1] and b[1]))
    .filter(lambda kv: kv[1][0] and not kv[1][1])
)
""",
    "counters with conditions": """
result = (
    sales.rdd.map(lambda r: (r.store, r.kind))
    .aggregateByKey((0, 0), lambda s, k: (s[0] + (1 if k == "a" else 0), (0 if k is None else 2) + s[1]),
                    lambda a, b: (a[0] + b[0], a[1] + b[1]))
    .filter(lambda kv: kv[1][0] >= 1 or kv[1][1] > 4)
)
""",
    "combine by key": """
result = (
    sales.rdd.map(lambda r: (r.store, r.flag))
    .combineByKey(lambda f: (f, 1), lambda s, f: (s[0] or f, s[1] + 1), lambda a, b: (a[0] or b[0], a[1] + b[1]))
    .filter(lambda kv: kv[1][0])
)
""",
    "best with guards": """
def best(values):
    top = None
    for quantity, kind in values:
        if quantity is None or kind == "b":
            continue
        if top is None or quantity > top:
            top = quantity
    return top

result = (
    sales.rdd.map(lambda r: (r.store, (r.quantity, r.kind))).groupByKey().mapValues(best)
    .filter(lambda kv: kv[1] is not None and kv[1] >= 1)
)
""",
    "best without a guard above": """
def best(rows):
    top = None
    for r in rows:
        if r.kind == "a" and (top is None or r.amount > top):
            top = r.amount
    return top

result = sales.rdd.map(lambda r: (r.store, r)).groupByKey().mapValues(best).filter(lambda kv: kv[1] >= 1)
""",
    "reductions": """
def summary(values):
    kept = [v for v in values if v is not None]
    return (len(kept), sum(kept), max(kept, default=0), any(v is None for v in values), all(v > 0 for v in kept))

result = (
    sales.rdd.map(lambda r: (r.store, r.quantity)).groupByKey().mapValues(summary)
    .filter(lambda kv: kv[1][0] > 0 and kv[1][1] > 1 or not kv[1][3])
)
""",
    "generators and their stops": """
def summary(rows):
    hit = any(r.quantity > 1 for r in rows if r.amount > 0)
    sure = all(r.quantity < 90 for r in rows if r.amount > 0)
    return (hit, sure, sum(1 for r in rows if r.kind == "a"))

groups = sales.rdd.keyBy(lambda r: r.store).groupByKey()
result = groups.mapValues(summary).filter(lambda kv: kv[1][0] and kv[1][2] > 0)
""",
    "the row with the most": """
def biggest(rows):
    return max(((r.quantity, r.kind) for r in rows), key=lambda t: t[0])

result = sales.rdd.keyBy(lambda r: r.store).groupByKey().mapValues(biggest).filter(lambda kv: kv[1][0] > 1)
""",
    "an average with a hole": """
result = (
    sales.rdd.map(lambda r: (r.store, (r.quantity, 1 if r.flag else 0)))
    .reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    .mapValues(lambda s: s[0] / s[1])
    .filter(lambda kv: kv[1] > 1)
)
""",
    "the best row or None": """
def best(rows):
    top = None
    for r in rows:
        if r.kind == "b":
            continue
        if top is None or r.quantity > top[0]:
            top = (r.quantity, r.kind)
    return top

result = (
    sales.rdd.map(lambda r: (r.store, r)).groupByKey().mapValues(best)
    .filter(lambda kv: kv[1] is not None and kv[1][0] > 1)
)
""",
    "the best row, with None as zero": """
result = (
    sales.rdd.map(lambda r: (r.store, (r.quantity, r.kind)))
    .aggregateByKey(None, lambda s, v: v if s is None or v[0] > s[0] else s, lambda a, b: a if a[0] >= b[0] else b)
    .filter(lambda kv: kv[1][0] > 1)
)
""",
    "the best row itself": """
def best(rows):
    top = None
    for r in rows:
        if r.kind == "a" and (top is None or r.quantity > top.quantity):
            top = r
    return (top.quantity, top["kind"]) if top is not None else None

result = (
    sales.rdd.keyBy(lambda r: r.store).groupByKey().mapValues(best)
    .filter(lambda kv: kv[1] is not None and kv[1][0] > 1)
)
""",
    "the two largest": """
import heapq

def two(values):
    kept = [v for v in values if v is not None]
    largest = sorted(kept, reverse=True)[:2]
    smallest = heapq.nsmallest(1, kept)
    return (largest[0] if len(largest) > 0 else -1, largest[1] if len(largest) > 1 else -1, len(smallest))

result = (
    sales.rdd.map(lambda r: (r.store, r.quantity)).groupByKey().mapValues(two)
    .filter(lambda kv: kv[1][1] > 1)
)
""",
    "a zero that is replaced": """
result = (
    sales.rdd.map(lambda r: (r.store, (r.kind, r.quantity)))
    .aggregateByKey(("", 0), lambda s, v: v if v[1] > s[1] else (None, s[1]), lambda a, b: a if a[1] >= b[1] else b)
    .filter(lambda kv: kv[1][0] is not None and kv[1][0] >= "a")
)
""",
    "averages by map": """
result = (
    sales.rdd.map(lambda r: (r.store, r.quantity)).groupByKey()
    .map(lambda kv: (kv[0], sum(kv[1]) / len(kv[1])))
    .filter(lambda kv: kv[1] > 1)
)
""",
    "only the values": """
result = (
    sales.rdd.map(lambda r: (r.store, r.quantity)).groupByKey().mapValues(len).values().filter(lambda n: n > 1)
)
""",
    "two filters and a map between": """
result = (
    sales.rdd.map(lambda r: ((r.store, r.year), r.quantity))
    .aggregateByKey((0, 0), lambda s, v: (s[0] + v, s[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1]))
    .filter(lambda kv: kv[0][1] == 2 and kv[1][1] > 1)
    .map(lambda kv: (kv[0][0], kv[1][0] / kv[1][1]))
    .filter(lambda kv: kv[1] > 1)
)
""",
    "a computed key": """
result = sales.rdd.map(lambda r: (str(r.store), r.quantity)).reduceByKey(max).filter(lambda kv: kv[1] > 1)
""",
    "product": """
import operator
result = sales.rdd.map(lambda r: (r.store, r.quantity)).foldByKey(1, operator.mul).filter(lambda kv: kv[1] > 1)
""",
    "keys": """
result = sales.rdd.map(lambda r: ((r.store, r.amount), 1)).keys().reduceByKey(max).filter(lambda kv: kv[1] > 1)
""",
}

REFUSED: dict[str, tuple[str, str]] = {
    "columns of a join": (
        "attribute-capture",
        "sales.join(other, sales.store == other.store).rdd.map(lambda r: (r.store, r.quantity)).reduceByKey(max)"
        ".filter(lambda kv: kv[1] > 1)",
    ),
    "a pass that may not run": (
        "may-throw",
        "sales.rdd.map(lambda r: (r.store, r.quantity)).groupByKey()"
        ".mapValues(lambda vs: max(1 // v for v in vs) if len(vs) > 2 else 0).filter(lambda kv: kv[1] > 1)",
    ),
    "float keys": ("opaque", "sales.rdd.map(lambda r: (r.amount, 1)).reduceByKey(max).filter(lambda kv: kv[1] > 1)"),
    "elements that are no pairs": ("opaque", "sales.rdd.reduceByKey(max).filter(lambda kv: kv[1] > 1)"),
    "a zero that is computed": (
        "opaque",
        "sales.rdd.map(lambda r: (r.store, 1)).aggregateByKey(round(1.5), max, max).filter(lambda kv: kv[1] > 1)",
    ),
    "a set as zero": (
        "opaque",
        "sales.rdd.map(lambda r: (r.store, 1)).aggregateByKey(set(), lambda s, v: s | {v}, lambda a, b: a | b)"
        ".filter(lambda kv: len(kv[1]) > 1)",
    ),
    "a partitioner of one's own": (
        "opaque",
        "sales.rdd.map(lambda r: (r.store, 1)).reduceByKey(max, 2, lambda k: 0).filter(lambda kv: kv[1] > 1)",
    ),
    "an int or a float": (
        "opaque",
        "sales.rdd.map(lambda r: (r.store, r.amount)).aggregateByKey(0, max, max).filter(lambda kv: kv[1] > -1)",
    ),
    "a method of Row": (
        "opaque", "sales.rdd.map(lambda r: (r.index, 1)).reduceByKey(max).filter(lambda kv: kv[1] > 1)"
    ),
    "another method": (
        "opaque", "sales.rdd.map(lambda r: (r.store, 1)).reduceByKey(max).sortByKey().filter(lambda kv: kv[1] > 1)"
    ),
    "a list changed in place": (
        "side-effect",
        "sales.rdd.map(lambda r: (r.store, 1)).aggregateByKey([], lambda s, v: s.append(v) or s, lambda a, b: a + b)"
        ".filter(lambda kv: len(kv[1]) > 1)",
    ),
    "a generator that is kept": (
        "opaque",
        "sales.rdd.map(lambda r: (r.store, 1)).groupByKey().mapValues(lambda vs: (v for v in vs))"
        ".filter(lambda kv: kv[1] is not None)",
    ),
    "a state of another shape": (
        "opaque",
        "sales.rdd.map(lambda r: (r.store, 1)).aggregateByKey(0, lambda s, v: (s, v), lambda a, b: a)"
        ".filter(lambda kv: kv[1] is not None)",
    ),
}  # fmt: skip
