"""Rewrites of chains of RDD methods, run on the small Spark: the rewritten program yields the same elements, in values
and their types, and raises nothing that the original did not raise."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any
from unittest import mock
from zlib import crc32

import pytest

from headwater.engine.analysis.analyse import Options, analyse
from headwater.python.exprs import to_sql
from headwater.rewrite import spell_python
from headwater.rewrite.edits import apply_edits
from tests.planted import Fault
from tests.results import Failed
from tests.small_spark import result_of
from tests.small_spark.frame import Parts

from .rdd_chain_cases import CHAINS, COLUMNS, SCHEMA
from .test_rdd import image, leaves

ROUNDS = 60
POOLS: dict[str, list[Any]] = {
    "k": ["a", "b", "", None], "s": ["a b", "b", "a,1", "2,x", "nan", ""], "x": [0, 1, 3, 4, -1, None],
    "y": [0, 1, 3, 4, 2**53 + 1], "f": [0.0, -0.0, 1.0, 3.0, 0.5, float("nan"), float("inf"), None],
    "b": [True, False, None],
}  # fmt: skip


HEAD = 'from pyspark.sql import SparkSession\nt = spark.table("t")\n'


def rewritten(chain: str) -> str:
    """The program after its rewrites."""
    source = f"{HEAD}{chain}\n"
    report = analyse(source, Options(timeout_seconds=20, show_all=True, schemas={"t": SCHEMA}))
    assert report.error is None
    assert len(report.opportunities) == 1, [s.reason for s in report.skipped]
    (found,) = report.opportunities
    assert found.code in ("HW101", "HW103"), found.message
    return apply_edits(source, found.edits)


def run(program: str, table: Parts) -> list[tuple[str, ...]] | Failed:
    made = result_of(program, {"t": SCHEMA}, {"t": table})
    return made if isinstance(made, Failed) else sorted(image(leaves(_listed(x))) for x in made.rows())


def _listed(value: Any) -> Any:
    """Dicts as their items."""
    if isinstance(value, dict):
        value = list(value.items())
    return [_listed(v) for v in value] if isinstance(value, (tuple, list)) else value


def tables(name: str) -> Iterable[Parts]:
    draw = random.Random(crc32(name.encode()))
    for _ in range(ROUNDS):
        pools = {c: draw.sample(p, draw.randint(1, min(3, len(p)))) for c, p in POOLS.items()}
        rows = [tuple(draw.choice(pools[c]) for c in COLUMNS) for _ in range(draw.randint(0, 7))]
        cut = draw.randint(0, len(rows))
        yield [rows[:cut], rows[cut:]]


def compared(name: str) -> int:
    """How many tables were compared; AssertionError where the programs differ."""
    after, count = rewritten(CHAINS[name]), 0
    for table in tables(name):
        expected = run(f"{HEAD}{CHAINS[name]}\n", table)
        if isinstance(expected, Failed):
            continue  # an error may vanish
        count += 1
        assert run(after, table) == expected, (after, table)
    return count


@pytest.mark.parametrize("name", CHAINS)
def test_rewritten_chain_yields_the_same(name: str) -> None:
    assert compared(name) >= 5


@pytest.mark.parametrize("name", [n for n in CHAINS if n.startswith("pairs")])
def test_no_pair_makes_the_pre_filter_raise(name: str) -> None:
    """A job that takes the first results need not come to what the filter raises on; the pre-filter does."""
    before, after = CHAINS[name], rewritten(CHAINS[name])
    for table in tables(name):
        if not isinstance(run(HEAD + before[: before.rindex(".filter(")], table), Failed):
            assert not isinstance(run(after, table), Failed)


def differs(name: str) -> bool:
    """Whether the rewritten chain is seen to yield something else."""
    try:
        compared(name)
    except AssertionError:
        return True
    return False


def faults() -> Iterator[Fault]:
    """SQL's NaN is greater than everything: forgetting that loses the filter's exactness. None is unequal to any
    constant, in Python."""
    spelled = partial(
        mock.patch.object, spell_python._Speller, "_ordering",
        lambda self, op, name, value: (f"{name} {op} {value}", "compare"),
    )  # fmt: skip
    seen = partial(differs, "pairs: floats that are not small")
    yield Fault("rdd", "an ordering of floats is spelled as it is in SQL", seen, spelled)
    first = partial(mock.patch.object, to_sql, "disjoin", lambda parts: parts[0])
    yield Fault("rdd", "None is equal to a constant", partial(differs, "rows: unequal"), first)
