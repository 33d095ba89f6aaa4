"""Rewrites of chains of RDD methods, run in Python on a stand-in for Spark's RDD: the rewritten program yields the same
elements, in values and their types, and raises nothing that the original did not raise.

The pre-filter of a frame is evaluated by the interpreter of the IR; one of an RDD is Python's own, as it was written
into the program.
"""

from __future__ import annotations

import ast
import itertools
import random
from collections.abc import Callable, Iterable
from typing import Any
from zlib import crc32

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.rewrite import spell_python
from headwater.rewrite.edits import apply_edits
from headwater.semantics.interpreter import Env, holds

from .rdd_chain_cases import CHAINS, COLUMNS, SCHEMA
from .test_rdd import Rdd, image

ERRORS = (TypeError, ZeroDivisionError, ValueError, OverflowError, IndexError, KeyError, AttributeError)
ROUNDS = 60
POOLS: dict[str, list[Any]] = {
    "k": ["a", "b", "", None], "s": ["a b", "b", "a,1", "2,x", "nan", ""], "x": [0, 1, 3, 4, -1, None],
    "y": [0, 1, 3, 4, 2**53 + 1], "f": [0.0, -0.0, 1.0, 3.0, 0.5, float("nan"), float("inf"), None],
    "b": [True, False, None],
}  # fmt: skip


class Row(tuple[Any, ...]):
    """As ``pyspark.sql.Row``."""

    def __getattr__(self, name: str) -> Any:
        if name not in COLUMNS:
            raise AttributeError(name)
        return super().__getitem__(COLUMNS.index(name))

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(COLUMNS.index(key) if isinstance(key, str) else key)


class Chain(Rdd):
    """More methods of an RDD. ``first``: the job stops when it has one element, as ``take(1)`` does."""

    def _new(self, partitions: Iterable[Iterable[Any]]) -> Chain:
        return Chain([list(p) for p in partitions])

    def map(self, f: Callable[[Any], Any]) -> Chain:
        return self._new([[f(x) for x in p] for p in self.partitions])

    def filter(self, f: Callable[[Any], Any]) -> Chain:
        return self._new([[x for x in p if f(x)] for p in self.partitions])

    def flatMap(self, f: Callable[[Any], Iterable[Any]]) -> Chain:
        return self._new([[y for x in p for y in f(x)] for p in self.partitions])

    def flatMapValues(self, f: Callable[[Any], Iterable[Any]]) -> Chain:
        return self.flatMap(lambda kv: [(kv[0], v) for v in f(kv[1])])

    def mapPartitions(self, f: Callable[[Any], Iterable[Any]]) -> Chain:
        return self._new([list(f(iter(p))) for p in self.partitions])

    def sortBy(self, f: Callable[[Any], Any]) -> Chain:
        return self._new([sorted(itertools.chain(*self.partitions), key=f)])

    def setName(self, name: str) -> Chain:
        return self

    def repartition(self, n: int) -> Chain:
        return self

    def combineByKey(self, create: Any, merge_value: Any, merge: Any) -> Chain:
        return self._new(super().combineByKey(create, merge_value, merge).partitions)


class Table:
    """A frame, and what the rewritten program may ask of it."""

    def __init__(self, partitions: list[list[Row]]) -> None:
        self.partitions = partitions

    @property
    def rdd(self) -> Chain:
        return Chain(self.partitions)

    def keeping(self, condition: Any) -> Table:
        rows = [
            [r for r in p if holds(condition, Env(row=dict(zip(COLUMNS, r, strict=True))))] for p in self.partitions
        ]
        return Table(rows)


def rewritten(chain: str) -> tuple[str, Any]:
    """The program after its rewrites, and the pre-filter of the frame if there is one."""
    source = f'from pyspark.sql import SparkSession\nt = spark.table("t")\n{chain}\n'
    report = analyse(source, Options(timeout_seconds=20, show_all=True, schemas={"t": SCHEMA}))
    assert report.error is None
    assert len(report.opportunities) == 1, [s.reason for s in report.skipped]
    (found,) = report.opportunities
    assert found.code in ("HW101", "HW103"), found.message
    edits = found.edits
    condition = None
    if found.prefilter_sql is not None:  # `.filter(…)` of the frame: the stand-in is filtered instead
        assert found.certificate is not None
        condition = found.certificate.solution.pre_filter
        edits = tuple(e for e in edits if "filter" not in e.text and "import" not in e.text)
    return apply_edits(source, edits), condition


def run(program: str, table: Table) -> list[tuple[str, ...]] | str:
    tree = ast.parse(program)
    tree.body = [s for s in tree.body if not isinstance(s, ast.ImportFrom) or s.module != "pyspark.sql"]
    namespace: dict[str, Any] = {"spark": type("Spark", (), {"table": staticmethod(lambda name: table)})}
    try:
        exec(compile(tree, "chain", "exec"), namespace)
        result = namespace["result"]
    except ERRORS as error:
        return type(error).__name__
    return sorted(image(flat(x)) for p in result.partitions for x in p)


def flat(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from flat(item)
    else:
        yield value


def tables(name: str) -> Iterable[Table]:
    draw = random.Random(crc32(name.encode()))
    for _ in range(ROUNDS):
        pools = {c: draw.sample(p, draw.randint(1, min(3, len(p)))) for c, p in POOLS.items()}
        rows = [Row(draw.choice(pools[c]) for c in COLUMNS) for _ in range(draw.randint(0, 7))]
        cut = draw.randint(0, len(rows))
        yield Table([rows[:cut], rows[cut:]])


def compared(name: str) -> int:
    """How many tables were compared; AssertionError where the programs differ."""
    chain = CHAINS[name]
    after, condition = rewritten(chain)
    before = f'from pyspark.sql import SparkSession\nt = spark.table("t")\n{chain}\n'
    count = 0
    for table in tables(name):
        expected = run(before, table)
        if isinstance(expected, str):
            continue  # an error may vanish
        count += 1
        kept = table if condition is None else table.keeping(condition)
        assert run(after, kept) == expected, (after, table.partitions)
    return count


@pytest.mark.parametrize("name", CHAINS)
def test_rewritten_chain_yields_the_same(name: str) -> None:
    assert compared(name) >= 5


@pytest.mark.parametrize("name", [n for n in CHAINS if n.startswith("pairs")])
def test_no_pair_makes_the_pre_filter_raise(name: str) -> None:
    """A job that takes the first results need not come to what the filter raises on; the pre-filter does."""
    after, condition = rewritten(CHAINS[name])
    assert condition is None
    before = CHAINS[name]
    for table in tables(name):
        if not isinstance(run(f't = spark.table("t")\n{before[: before.rindex(".filter(")]}', table), str):
            assert not isinstance(run(after, table), str)


def test_a_wrong_spelling_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQL's NaN is greater than everything: forgetting that loses the filter's exactness."""
    monkeypatch.setattr(
        spell_python._Speller, "_ordering", lambda self, op, name, value: (f"{name} {op} {value}", "compare")
    )
    with pytest.raises(AssertionError):
        compared("pairs: floats that are not small")


def test_a_wrong_pre_filter_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is unequal to any constant, in Python."""
    from headwater.python.exprs import to_sql

    monkeypatch.setattr(to_sql, "disjoin", lambda parts: parts[0])
    with pytest.raises(AssertionError):
        compared("rows: unequal")
