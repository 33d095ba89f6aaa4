"""Folds of key-value RDDs against CPython: the chain runs on the small Spark, whose RDDs do what
``tests/conformance/test_rdd.py`` sees the real ones do; the fold runs in the interpreter."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any
from zlib import crc32

import pytest

from headwater.operators.move import Moved, Stopped, move
from headwater.pyspark.reading.module import FrontendOptions, read_module
from headwater.semantics.interpreter import Env, EvaluationError, Machine, evaluate, holds
from headwater_ir.expr import Scalar
from headwater_ir.problem import Fold
from tests.results import Failed
from tests.small_spark import result_of
from tests.strategies import ADVERSARIAL

from .rdd_cases import CHAINS, REFUSED, SCHEMA

Data = tuple[Any, ...]
NAMES = [part.split()[0] for part in SCHEMA.split(", ")]
POOLS: list[list[Any]] = [
    ["a", "b", None], [2, 3, None], [0.0, 1.0, 1.5, 90.0, None, *ADVERSARIAL["float"][:9]],
    [0, 1, 2, 3, 90, -1, None, 2**31 - 1], ["a", "b", None], [*ADVERSARIAL["date"], None], [True, False, None],
]  # fmt: skip


def moved(chain: str) -> Moved | Stopped:
    source = f'spark = object()\nsales = spark.table("sales")\n{chain}'
    module = read_module(source, FrontendOptions({"sales": SCHEMA}))
    return move(max(module.filters, key=lambda f: f.call.end))


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def image(values: Iterable[Any]) -> tuple[str, ...]:
    """-0.0 is 0.0; an int is no float, nor is a bool an int."""
    return tuple(repr(v + 0.0 if isinstance(v, float) else v) for v in values)


def in_python(chain: str, partitions: list[list[Data]]) -> list[tuple[str, ...]] | Failed:
    """What the chain yields on the small Spark."""
    made = result_of(f'sales = spark.table("sales")\n{chain}', {"sales": SCHEMA}, {"sales": partitions})
    return made if isinstance(made, Failed) else sorted(image(leaves(x)) for x in made.rows())


def by_fold(found: Moved, partitions: list[list[Data]]) -> list[tuple[str, ...]]:
    """What passes, according to the fold problem."""
    fold = found.problem.fold
    rows = [[row for r in p if known(found.problem.fold, row := dict(zip(NAMES, r, strict=True)))] for p in partitions]
    results = []
    for outs in outputs(fold, rows):
        if evaluate(found.problem.predicate, Env(outs=outs)) is True:
            results.append(image(outs[o.name] for o in fold.outputs if not o.name.endswith(".set")))
    return sorted(results)


def known(fold: Fold, row: dict[str, Scalar]) -> bool:
    """Whether a filter of the chain below the fold keeps the row: it has become a fact."""
    return all(holds(f, Env(row=row)) for f in fold.facts)


def outputs(fold: Fold, partitions: list[list[dict[str, Scalar]]]) -> list[dict[str, Scalar]]:
    """One output per key, with partial states per partition where the fold merges."""
    machine = Machine(fold)
    if fold.merge is None:
        partitions = [[r for p in partitions for r in p]]
    partial: list[dict[Any, Any]] = []
    keys: dict[Any, dict[str, Scalar]] = {}
    for part in partitions:
        states: dict[Any, Any] = {}
        for row in part:
            row = {**row, **{c.name: str(row["store"]) for c in fold.columns if c.ghost}}
            key = tuple(row[k] for k in fold.keys)
            keys.setdefault(key, row)
            states[key] = machine.step(states.get(key), row)
        partial.append(states)
    results = []
    for key, row in keys.items():
        state = None
        for states in partial:
            if key in states:
                state = states[key] if state is None else machine.merge(state, states[key], row)
        out = machine.output(state, row)
        if out is not None:
            results.append(out)
    return results


def tables(name: str, count: int) -> Iterator[list[list[Data]]]:
    draw = random.Random(crc32(name.encode()))
    for number in range(count):
        # Missing values and oddities are rare in some tables, so that not every run ends in an error.
        odd = number % 3
        pools = [p if odd else [v for v in p[:4] if v is not None] for p in POOLS]
        sizes = [draw.randrange(5) for _ in range(draw.randint(1, 3))]
        yield [[tuple(draw.choice(p) for p in pools) for _ in range(n)] for n in sizes]


@pytest.mark.parametrize("name", CHAINS)
def test_fold_is_what_python_does(name: str) -> None:
    """Where Python yields a result, so does the fold, and the same one; where the fold has an error, Python has one."""
    chain = CHAINS[name]
    found = moved(chain)
    assert isinstance(found, Moved), found
    compared = failed = 0
    for partitions in tables(name, 400):
        expected = in_python(chain, partitions)
        if isinstance(expected, Failed):
            failed += 1
            continue
        got = by_fold(found, partitions)
        if "map between" in name:  # the fold's outputs are then not what the chain yields
            assert len(got) == len(expected), partitions
        else:
            assert got == expected, partitions
        compared += 1
    assert compared > 40, (compared, failed)


@pytest.mark.parametrize("name", CHAINS)
def test_errors_of_states_are_the_folds_errors(name: str) -> None:
    """On rows without a missing value nothing but the state can raise: then the fold raises where Python does."""
    chain = CHAINS[name]
    found = moved(chain)
    assert isinstance(found, Moved)
    for partitions in tables(name, 300):
        if any(v is None or v != v for p in partitions for r in p for v in r):
            continue
        if isinstance(in_python(chain, partitions), Failed):
            with pytest.raises(EvaluationError):
                by_fold(found, partitions)


@pytest.mark.parametrize("name", REFUSED)
def test_refusal(name: str) -> None:
    obstruction, chain = REFUSED[name]
    found = moved(f"result = {chain}")
    assert isinstance(found, Stopped), found
    assert found.obstruction == obstruction, found


def test_the_result_of_an_action_is_a_driver_value() -> None:
    """``n`` is no RDD, so that a filter of a frame may compare with it."""
    found = move(
        read_module(
            "from pyspark.sql import functions as F\n"
            'sales = spark.table("sales")\n'
            "n = sales.rdd.map(lambda r: r.quantity).max()\n"
            'm = sales.groupBy("store").agg(F.max("amount").alias("m")).filter(F.col("m") > n)\n',
            FrontendOptions({"sales": SCHEMA}),
        ).filters[0]
    )
    assert isinstance(found, Moved), found
    assert [p.name for p in found.problem.fold.params] == ["n"]


@pytest.mark.parametrize(
    "uses",
    [
        "pairs = sales.rdd.map(lambda r: (r.store, r.quantity))\nn = pairs.count()\nx = pairs.reduceByKey(max)",
        "y = sales.rdd.map(lambda r: (r.store, r.quantity)).reduceByKey(max)\ny.collect()\nx = y",
        "pairs = sales.rdd.map(lambda r: (r.store, r.quantity))\nfor i in range(2):\n    x = pairs.reduceByKey(max)\n"
        "x = pairs.reduceByKey(max)",
    ],
)
def test_an_rdd_that_is_used_twice_stays(uses: str) -> None:
    found = moved(f"{uses}\nresult = x.filter(lambda kv: kv[1] > 1)")
    assert isinstance(found, Stopped), found
