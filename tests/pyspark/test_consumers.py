"""Whatever reads a frame counts as a consumer of it, wherever in Python's grammar it stands (issue 5, item 1).

A consumer that is overlooked is a wrong rewrite: it would be given rows that were filtered for another.
"""

from __future__ import annotations

import sys

import pytest

from headwater.pyspark.reading.module import read_module
from headwater_ir.plan import Shared

_HEAD = """from pyspark.sql import functions as F
best = spark.table("t").groupBy("k").agg(F.max("x").alias("m"))
"""
_FILTER = 'high = best.filter("m > 3")\n'

EXPRESSIONS = """
best.count()
getattr(best, "count")()
(best.count if flag else print)()
{1: best.count}[1]()
functools.partial(best.count)()
spark.read.option("n", best.count()).parquet("p")
spark.createDataFrame(best.collect()).count()
best.explain(best.count() > 3)
f(best)
f(*[best])
f(x=best)
f(**{"x": best})
[best]
[best][0]
{best: 1}
{1: best}
{best}
(best, 1)
names[best.count():]
f"{best.count()}"
f"{1:{best.count()}}"
best.count() if flag else 0
0 if best.count() else 1
flag and best.count()
not best.count()
1 < best.count() < 3
best.count() + 1
lambda: best.count()
lambda n=best.count(): n
(lambda best=best: best.count())()
[r for r in best.collect()]
[best for best in [best]]
[n for n in names if best.count()]
{r: best for r in names}
{r for r in names for s in best.collect()}
list(best.count() for r in names)
(n := best.count())
best.rdd.count()
best.write
best.na.fill(0)
best.stat.corr("m", "m")
best[best.m > 5].count()
best.m.foo(best.count())
F.lit(best.count())
""".strip().splitlines()

STATEMENTS = """
x = y = best
x, y = best, 1
*x, y = [best]
x.frame = best
x["frame"] = best
x[best.count()] = 1
x += best.count()
x: f(best) = 1
x: int = best.count()
assert best.count()
raise ValueError(best)
if best.count(): pass
while best.count(): break
for x in best.collect(): pass
for x[best.count()] in names: pass
for x in names: print(best.count())
with best.lock(): pass
with open("p") as x[best.count()]: pass
try: best.count()\\nexcept E: pass
try: pass\\nexcept f(best): pass
try: pass\\nfinally: best.count()
def g(x=best.count()): pass
def g(best=best): best.count()
def g(*, x=best.count()): pass
def g(x: f(best)): pass
def g() -> f(best): pass
def g(): return best
def g():\\n    def h(): return best
async def g(): await best
@f(best)\\ndef g(): pass
@f(best)\\nclass G: pass
class G(f(best)): pass
class G(metaclass=f(best)): pass
class G: x = best
class G:\\n    def g(self): return best
match best.count():\\n    case 1: pass
match 1:\\n    case 1 if best.count(): pass
match 1:\\n    case 1: best.count()
""".strip().splitlines()

if sys.version_info >= (3, 11):
    STATEMENTS.append("try: best.count()\\nexcept* E: pass")


def _others_are_seen(code: str) -> bool:
    """Whether the frame is known to have several consumers where it is filtered behind ``code``."""
    source = _HEAD + code + "\n" + _FILTER
    (last,) = (f for f in read_module(source).filters if f.call.start > source.index("high ="))
    return isinstance(last.child, Shared)


def test_the_frame_alone_has_one_consumer() -> None:
    assert not _others_are_seen("pass")
    assert not _others_are_seen("print(best.columns, best.schema)")
    assert not _others_are_seen("def g(best): best.count()")
    assert not _others_are_seen("def g():\n    best = 1\n    return best")


@pytest.mark.parametrize("code", EXPRESSIONS)
def test_every_place_of_an_expression_is_a_consumer(code: str) -> None:
    assert _others_are_seen(code)


@pytest.mark.parametrize("code", STATEMENTS)
def test_every_statement_is_a_consumer(code: str) -> None:
    assert _others_are_seen(code.replace("\\n", "\n"))
