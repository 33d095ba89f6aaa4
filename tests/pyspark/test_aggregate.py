"""Native aggregates: the fold gives what Spark gives, in every order and however partial states are merged."""

# A program per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from headwater.operators.move import Moved, move
from headwater.semantics.interpreter import Machine, run_fold
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import Call, Slot, walk
from headwater_ir.problem import Fold

from .render import last, outcome, show

NAN = math.nan


def fold_of(aggregate: str, group: str = '.groupBy("k")') -> Fold:
    """The fold of one aggregate named ``o``."""
    moved = move(last(f'df{group}.agg(({aggregate}).alias("o")).filter(F.col("o").isNotNull())'))
    assert isinstance(moved, Moved), moved
    return moved.problem.fold


VALUES: list[tuple[str, str, list[Any], Any]] = [
    ("max", 'F.max("y")', [1.0, None, 3.0], 3.0),
    ("max of NaN", 'F.max("y")', [1.0, NAN, 3.0], NAN),
    ("max of nothing", 'F.max("y")', [None, None], None),
    ("min", 'F.min("y")', [1.0, None, 3.0], 1.0),
    ("min of NaN", 'F.min("y")', [NAN, 3.0], 3.0),
    ("sum", 'F.sum("x")', [1, None, 3], 4),
    ("sum of nothing", 'F.sum("x")', [None], None),
    ("count", 'F.count("x")', [1, None, 3], 2),
    ("count of nothing", 'F.count("x")', [None], 0),
    ("count of rows", 'F.count("*")', [1, None, 3], 3),
    ("count of a literal", "F.count(F.lit(1))", [1, None, 3], 3),
    ("avg", 'F.avg("x")', [1, None, 3], 2.0),
    ("avg of nothing", 'F.mean("x")', [None], None),
    ("count_if", 'F.count_if(F.col("x") > 1)', [1, None, 3], 1),
    ("conditional sum", 'F.sum(F.when(F.col("x") > 1, 1).otherwise(0))', [1, None, 3], 1),
    ("conditional sum without else", 'F.sum(F.when(F.col("x") > 5, 1))', [1, None, 3], None),
    ("conditional max", 'F.max(F.when(F.col("x") < 3, F.col("x")))', [1, None, 3], 1),
    ("conditional count", 'F.count(F.when(F.col("x") < 3, True))', [1, None, 3], 1),
    ("bool_or", "F.bool_or(F.col('x') > 1)", [1, None, 3], True),
    ("bool_and", "F.bool_and(F.col('x') > 1)", [1, None, 3], False),
    ("bool_and of nothing", "F.every(F.col('x') > 1)", [None], None),
    ("sum of a flag", 'F.sum((F.col("x") > 1).cast("int"))', [1, None, 3], 1),
    ("sum of a flag of nothing", 'F.sum((F.col("x") > 1).cast("int"))', [None], None),
    ("max_by", 'F.max_by("y", "x")', [1, None, 3], 3),
    ("min_by", 'F.min_by("y", F.col("x"))', [1, None, 3], 1),
    ("max_by of nothing", 'F.max_by("y", "x")', [None], None),
    ("max_by when", 'F.max_by("y", F.when(F.col("x") < 3, F.col("x")))', [1, None, 3], 1),
    ("contains", 'F.array_contains(F.collect_set("x"), 3)', [1, None, 3], True),
    ("contains not", 'F.array_contains(F.collect_list("x"), 2)', [1, None, 3], False),
    ("contains of nothing", 'F.array_contains(F.collect_set("x"), 3)', [None], False),
    ("size of a list", 'F.size(F.collect_list("x"))', [1, None, 3], 2),
    ("no distinct values", 'F.countDistinct("x")', [None, None], 0),
    ("size of no set", 'F.size(F.collect_set("x"))', [None], 0),
    ("range", 'F.max("y") - F.min("y")', [1.0, None, 3.0], 2.0),
    ("events", 'F.count("x") + F.count_if(F.col("x") > 1)', [1, None, 3], 3),
    ("sum or zero", 'F.coalesce(F.sum("x"), F.lit(0))', [None], 0),
    ("level", 'F.when(F.max("x") > 2, "high").otherwise("low")', [1, None, 3], "high"),
    ("first of one", 'F.first("x", ignorenulls=True)', [None, 3], 3),
    ("last of one", 'F.last("x", True)', [None, 3], 3),
    ("greatest struct", 'F.max(F.struct("x", "y"))["y"]', [1, None, 3], 3),
    ("greatest struct of NULLs", 'F.max(F.struct("x", "y"))["x"]', [None], None),
    ("least struct", 'F.min(F.struct("x", F.col("y").alias("z"))).getField("z")', [1, None, 3], None),
    ("least struct of some", 'F.expr("min(struct(x, y)).y")', [1, 2, 3], 1),
    ("sorted", 'F.sort_array(F.collect_list("y"))[0]', [1.0, None, NAN], 1.0),
    ("sorted down", 'F.sort_array(F.collect_list("y"), asc=False).getItem(0)', [1.0, None, NAN], NAN),
    ("last of sorted", 'F.element_at(F.array_sort(F.collect_set("x")), -1)', [1, None, 3], 3),
    ("first of none", 'F.get(F.array_sort(F.collect_set("x")), F.lit(0))', [None], None),
    ("filtered", 'F.array_min(F.filter(F.collect_list("x"), lambda e: e > 1))', [1, None, 3], 3),
    ("overlap", 'F.arrays_overlap(F.collect_set("x"), F.array(F.lit(3), F.lit(4)))', [1, None, 3], True),
    ("greatest", 'F.greatest(F.max("x"), F.lit(2))', [1, None], 2),
    ("greatest with NULL", 'F.expr("greatest(max(x), 2)")', [None], 2),
    ("least", 'F.least(F.max("y").cast("double"), F.min("y").cast("double"), F.lit(0.5))', [NAN, None], 0.5),
    ("distinct in text", 'F.expr("count(DISTINCT x)")', [None], 0),
    ("first in text", 'F.expr("first(x) IGNORE NULLS")', [None, 3], 3),
]


def same(a: object, b: object) -> bool:
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a):
        return math.isnan(b)
    return a == b and type(a) is type(b)


@pytest.mark.parametrize(("aggregate", "inputs", "expected"), [v[1:] for v in VALUES], ids=[v[0] for v in VALUES])
def test_value_in_every_order(aggregate: str, inputs: list[Any], expected: object) -> None:
    fold = fold_of(aggregate)
    for order in itertools.permutations(inputs):
        found = run_fold(fold, [{"k": "a", "x": v, "y": v} for v in order])
        assert found is not None
        assert same(found["o"], expected), (order, found)


LISTS: list[tuple[str, list[Any], Any]] = [
    ('F.aggregate(F.collect_list("x"), F.lit(0), lambda a, e: a + e)', [1, None, 3], 4),
    ('F.reduce(F.collect_list("x"), F.lit(0), lambda a, e: F.greatest(a, e), lambda a: a > 2)', [1, None, 3], True),
    ('F.expr("aggregate(collect_list(x), false, (a, e) -> a OR e = 3)")', [1, None, 3], True),
    ('F.expr("reduce(collect_list(x), 7, (a, e) -> least(a, e))")', [None], 7),
]


@pytest.mark.parametrize(("aggregate", "inputs", "expected"), LISTS, ids=[v[0] for v in LISTS])
def test_fold_over_a_list(aggregate: str, inputs: list[Any], expected: object) -> None:
    """Spark merges the lists, not what is made of them."""
    fold = fold_of(aggregate)
    assert fold.merge is None
    for order in itertools.permutations(inputs):
        found = run_fold(fold, [{"k": "a", "x": v, "y": v} for v in order])
        assert found is not None
        assert same(found["o"], expected), (order, found)


@pytest.mark.parametrize(("aggregate", "inputs", "expected"), [v[1:] for v in VALUES], ids=[v[0] for v in VALUES])
def test_value_of_merged_parts(aggregate: str, inputs: list[Any], expected: object) -> None:
    fold, keys = fold_of(aggregate), {"k": "a"}
    machine = Machine(fold)
    for cut in range(1, len(inputs)):
        parts = []
        for part in (inputs[:cut], inputs[cut:]):
            state = machine.start(keys)
            for v in part:
                state = machine.step(state, {**keys, "x": v, "y": v})
            parts.append(state)
        found = machine.output(machine.merge(parts[0], parts[1]), keys)
        assert found is not None
        assert same(found["o"], expected)


PICKS = (
    'F.first("x")', 'F.last("x")', 'F.first("x", True)', 'F.last(F.when(F.col("x") > 1, F.col("y")), ignorenulls=True)',
    'F.max_by("y", "x")', 'F.min_by("y", "x")', 'F.max_by("y", F.when(F.col("y") > 0, F.col("x")))', 'F.any_value("x")',
)  # fmt: skip


@pytest.mark.parametrize("aggregate", PICKS)
def test_merging_parts_in_order_is_reading_them_in_order(aggregate: str) -> None:
    """Ties included; a part may be empty where there are no keys."""
    fold = fold_of(aggregate, group="")
    machine = Machine(fold)
    rows = [{"x": x, "y": y} for x in (None, 1, 3) for y in (None, 0.5, NAN)]

    def read(part: tuple[dict[str, Any], ...]) -> Any:
        state = machine.start({})
        for row in part:
            state = machine.step(state, row)
        return state

    for sample in [s for n in (0, 1, 2, 3) for s in itertools.product(rows, repeat=n)]:
        whole = machine.output(read(sample), {})
        for cut in range(len(sample) + 1):
            parts = machine.output(machine.merge(read(sample[:cut]), read(sample[cut:])), {})
            assert whole is not None
            assert parts is not None
            assert same(whole["o"], parts["o"]), (sample, cut)


@pytest.mark.parametrize(
    "aggregate",
    [
        'F.max("x") + F.col("x")', 'F.col("k")', "F.lit(1)", 'F.sum("x") / F.count("*")', 'F.first("x", flag)',
        'F.array_contains(F.collect_set("d"), "2024-01-01")', 'F.array_contains(F.collect_set("x"), None)',
        'F.array_contains(F.collect_set("x"), F.col("k"))', 'F.max("x").over(w)', 'F.max(F.max("x"))',
        'F.max("x") - F.min("x")', '-F.max("x")', 'F.max_by("x", "y", 3)', 'F.first(col="x")',
    ],
)  # fmt: skip
def test_refused(aggregate: str) -> None:
    assert outcome(f'df.groupBy("k").agg(({aggregate}).alias("o")).filter(F.col("o").isNotNull())') in (
        "opaque",
        "may-throw",
    )


def test_a_global_aggregate_has_a_row_of_nothing() -> None:
    fold = fold_of('F.count("*")', group="")
    assert not fold.grouped
    assert not fold_of('F.count("*")', group=".groupBy()").grouped
    assert run_fold(fold, []) == {"o": 0}


def test_opaque_aggregates_are_distinct() -> None:
    code = 'df.groupBy("k").agg(F.stddev("x").alias("o"), F.stddev("x").alias("p")).filter(F.col("k") == "a")'
    moved = move(last(code))
    assert isinstance(moved, Moved)
    fold = moved.problem.fold
    assert [show(s) for s in fold.step] == ["stddev:0(a0, x)", "stddev:1(a1, x)"]
    assert fold.merge is not None
    assert [show(s) for s in fold.merge] == ["stddev:0:merge(l0, r0)", "stddev:1:merge(l1, r1)"]
    assert [show(c) for c in moved.key_only] == ["(k' == 'a')"]


@pytest.mark.parametrize("name", ["mode", "sum_distinct", "stddev", "percentile_approx"])
def test_other_aggregates_are_opaque(name: str) -> None:
    rest = ", 0.5" if name == "percentile_approx" else ""
    step = fold_of(f'F.{name}("x"{rest})').step[0]
    assert isinstance(step, Call)
    assert step.kind == "state"


def test_merges_read_both_sides_only() -> None:
    for _, aggregate, _, _ in VALUES:
        fold = fold_of(aggregate)
        assert fold.merge is not None
        sides = {n.side for e in fold.merge for n in walk(e) if isinstance(n, Slot)}
        assert sides == {1, 2}


def test_unknown_types_become_assumptions() -> None:
    moved = move(last('raw.groupBy("g").agg(F.max("score").alias("m")).filter(F.col("m") >= 90)'))
    assert isinstance(moved, Moved)
    assert moved.problem.fold.assumptions == (Assumption("type", "`score` is numeric (schema unknown)"),)
    assert moved.problem.fold.column("score").type.name == "number"
    assert moved.problem.fold.column("g").type.name == "any"


def test_a_parameter_gets_its_type_from_use() -> None:
    code = 'def f(t: int):\n    q = spark.createDataFrame(z, "k string, x int").groupBy("k").agg(F.max("x").alias("m"))\n    return q.filter(F.col("m") >= t)'
    moved = move(last(code))
    assert isinstance(moved, Moved)
    assert [(p.name, p.type.name) for p in moved.problem.fold.params] == [("t", "number")]
    assert moved.problem.fold.assumptions == (Assumption("type", "`t` is numeric and not None"),)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ('.count()', "count"), ('.max("x")', "max(x)"), ('.mean("x")', "avg(x)"), ('.agg(F.sum("x"))', "sum(x)"),
        ('.agg({"x": "avg"})', "avg(x)"), ('.agg({"*": "count"})', "count(1)"), ('.agg(F.count("*"))', "count(1)"),
    ],
)  # fmt: skip
def test_generated_names(code: str, name: str) -> None:
    assert isinstance(move(last(f'df.groupBy("k"){code}.filter(F.col("{name}") > 1)')), Moved)


@pytest.mark.parametrize(
    ("aggregates", "slots"),
    [
        ('F.max_by("s", "x").alias("o"), F.max("x").alias("m")', ["o", "m"]),
        ('F.max("x").alias("m"), F.max_by("s", "x").alias("o")', ["m", "o"]),
        ('F.avg("x").alias("o"), F.count("x").alias("n")', ["o", "n"]),
        ('F.sum("x").alias("o"), F.avg("x").alias("p")', ["o", "p", "p.1"]),
        ('F.max("x").alias("o"), F.min("x").alias("p")', ["o", "p"]),
        ('F.stddev("x").alias("o"), F.stddev("x").alias("p")', ["o", "p"]),
        ('F.collect_list("x").alias("o"), F.count("x").alias("n")', ["n", "o.1"]),
        ('(F.max("y") - F.min("y")).alias("o"), F.max("y").alias("p")', ["p", "min"]),
    ],
)
def test_aggregates_share_slots(aggregates: str, slots: list[str]) -> None:
    """A sum of whole numbers is not the sum of an average, which is a double; two opaque aggregates are never one."""
    moved = move(last(f'df.groupBy("k").agg({aggregates}).filter(F.col("o").isNotNull())'))
    assert isinstance(moved, Moved)
    assert [s.name for s in moved.problem.fold.slots] == slots


def test_shared_slots_hold_what_each_held() -> None:
    code = 'df.groupBy("k").agg(F.max_by("s", "x").alias("o"), F.max("x").alias("m"), F.avg("x").alias("a"), F.count("x").alias("n"))'
    moved = move(last(f'{code}.filter(F.col("o").isNotNull())'))
    assert isinstance(moved, Moved)
    rows = [{"k": "a", "x": x, "s": s} for x, s in ((1, "p"), (None, "q"), (3, "r"), (2, "s"))]
    for order in itertools.permutations(rows):
        assert run_fold(moved.problem.fold, list(order)) == {"k": "a", "o": "r", "m": 3, "a": 2.0, "n": 3}
