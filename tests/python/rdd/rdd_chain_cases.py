"""Chains of RDD methods whose filters are proved to move: in front of ``.rdd`` (rows), or of an aggregation (pairs)."""

from __future__ import annotations

SCHEMA = "k string, s string not null, x int, y int not null, f double, b boolean"
COLUMNS = [part.split()[0] for part in SCHEMA.split(", ")]

CHAINS: dict[str, str] = {
    "rows: unequal": "result = t.rdd.map(lambda r: (r.k, r.x)).filter(lambda p: p[0] != 'a')",
    "rows: not in": "result = t.rdd.map(lambda r: (r.x, r.k)).filter(lambda p: p[0] not in (3, 4))",
    "rows: an ordering with a guard": "result = t.rdd.filter(lambda r: r.x is not None and 0 < r.x <= 3)",
    "rows: not greater": "result = t.rdd.filter(lambda r: r.f is None or not r.f > 0.5)",
    "rows: truth": "result = t.rdd.map(lambda r: {'b': r.b, 'x': r.x, 'k': r.k}).filter(lambda m: m['b'] and m['k'])",
    "rows: an RDD with a name": "result = t.rdd.setName('t').map(lambda r: (r.x, r.k)).filter(lambda p: p[0] != 3)",
    "rows: as dicts": "result = t.rdd.map(lambda r: r.asDict()).filter(lambda m: m['x'] != 3)",
    "rows: lines": "result = t.rdd.map(lambda r: (r.y, r.s.splitlines())).filter(lambda p: p[0] > 1)",
    "rows: beside a split from the right": """
result = t.rdd.map(lambda r: (r.k, r.s.rsplit(',', 1))).filter(lambda p: p[0] == 'a')
""",
    "rows: two filters": "result = t.rdd.filter(lambda r: r.y != 0).filter(lambda r: 3 // r.y > 1)",
    "rows: beside a split": """
split = t.rdd.map(lambda r: (r.k, r.s.split(',')))
result = split.filter(lambda p: p[0] == 'a' and p[1][0] > 'b')
""",
    "rows: each word": """
result = t.rdd.flatMap(lambda r: [(r.y, w) for w in r.s.split(' ')]).filter(lambda p: p[0] >= 3)
""",
    "rows: values": """
result = t.rdd.map(lambda r: (r.y, r.s)).flatMapValues(lambda s: s.split(',')).filter(lambda p: p[0] > 1)
""",
    "rows: a partition": """
def kept(rows):
    for r in rows:
        n = r.y + 1
        if n > 1:
            yield (r.k, n)
result = t.rdd.mapPartitions(kept).filter(lambda p: p[0] is None or p[0] < 'b')
""",
    "rows: sorted": """
result = t.rdd.map(lambda r: (r.y, r.k)).sortBy(lambda p: p[0]).repartition(3).filter(lambda p: p[1] == 'b')
""",
    "rows: keys of a fold that has no meaning": """
result = t.rdd.map(lambda r: (r.x, str(r.f))).reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[0] != 3)
""",
    "pairs: words": """
words = t.rdd.flatMap(lambda r: r.s.split(' ')).map(lambda w: (w, 1))
result = words.reduceByKey(lambda a, b: a + b).filter(lambda kv: 'b' in kv[0] and kv[0] != 'nan')
""",
    "pairs: words in none": """
words = t.rdd.flatMap(lambda r: r.s.split(',')).map(lambda w: (w, 1))
result = words.foldByKey(0, lambda a, b: a + b).filter(lambda kv: not kv[0].startswith('a') or kv[0] in ('a', 'x'))
""",
    "pairs: floats": """
parts = t.rdd.map(lambda r: (float(r.s.split(',')[0]), r.y))
result = parts.groupByKey().mapValues(len).filter(lambda kv: kv[0] > 0.5)
""",
    "pairs: floats that are not small": """
parts = t.rdd.flatMap(lambda r: f'{r.y},nan,0.25,-0.0'.split(',')).map(lambda w: (float(w), 1))
result = parts.groupByKey().mapValues(len).filter(lambda kv: not kv[0] < 0.5)
""",
    "pairs: whole numbers": """
parts = t.rdd.map(lambda r: (len(r.s), r.y))
result = parts.aggregateByKey(0, max, max).filter(lambda kv: 1 <= kv[0] < 3 or kv[0] == 0)
""",
    "pairs: mixed keys": """
keyed = t.rdd.flatMap(lambda r: [(r.k, 1), (r.x, 2), (r.b, 3), (r.f, 4)])
result = keyed.groupByKey().mapValues(sum).filter(lambda kv: kv[0] == 'a')
""",
    "pairs: mixed keys, a number": """
keyed = t.rdd.flatMap(lambda r: [(r.k, 1), (r.x, 2), (r.b, 3), (r.f, 4)])
result = keyed.reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[0] in (1, 3)).mapValues(lambda n: n + 1)
""",
    "pairs: mixed keys, none of them": """
keyed = t.rdd.flatMap(lambda r: [(r.k, 1), (r.x, 2), (r.b, 3), (r.f, 4)])
result = keyed.reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[0] != 'a')
""",
    "pairs: a part of the key": """
keyed = t.rdd.map(lambda r: ((r.k or r.x, r.s.strip()), 1))
turned = keyed.groupByKey().mapValues(len).map(lambda kv: (kv[1], kv[0]))
result = turned.filter(lambda p: p[1][0] == 3 and p[1][1] > 'a')
""",
}  # fmt: skip
