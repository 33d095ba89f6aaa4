"""What is said of columns whose types nothing states holds for every type under which the program runs."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from tests.replay import PLANNED_ONCE, setting
from tests.results import Failed
from tests.shares import every

from .cases import Case, Expectation, Table, fields_of
from .replay import run_all
from .retyped import CLASSES, retyped
from .test_mdtest import ALWAYS, MOVED, NEVER, analysed, described, each, rewritten

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

UNSTATED = [c for c in [*NEVER, *ALWAYS] if any(not t.stated for t in c.tables)]
MOVED_UNSTATED = [c for c in MOVED if any(not t.stated for t in c.tables)]
PROGRAMS = int(os.environ.get("HEADWATER_TYPE_PROGRAMS", 24 // every(3)))


@pytest.mark.parametrize("case", UNSTATED, ids=lambda c: c.name)
def test_a_constant_filter_assumes_no_type(case: Case) -> None:
    found = [o for o in analysed(case).opportunities if o.code == "HW302"]
    assert found
    assert all(not o.assumptions for o in found), described(case)


def without(case: Case) -> str:
    """The program without its filters that are said to be constant."""
    source = case.source
    for o in analysed(case).opportunities:
        if o.code == "HW302":
            source = source.replace(f".{o.filter_text}", "", 1)
    return source


def counterexamples(spark: SparkSession, case: Case) -> tuple[list[str], set[str]]:
    """Types under which what is said of the constant filters of ``case`` is false, and those under which it runs."""
    wrong, ran = [], set[str]()
    always = [o for o in analysed(case).opportunities if o.code == "HW302" and "always" in o.message]
    for name, typed, rows in retyped(case):
        (result,) = run_all(spark, typed, case.source, [rows])
        if isinstance(result, Failed):
            continue
        ran.add(name)
        expected = run_all(spark, typed, without(case), [rows])[0] if always else {}
        if result != expected:
            wrong.append(f"{name}: {case.source}\n{rows}")
    return wrong, ran


@pytest.mark.spark
@each(UNSTATED)
def test_constant_filters_hold_for_every_type(spark: SparkSession, case: Case) -> None:
    wrong, ran = counterexamples(spark, case)
    assert not wrong
    assert ran


@pytest.mark.spark
@each(MOVED_UNSTATED)
def test_verified_rewrites_hold_for_every_type(spark: SparkSession, case: Case) -> None:
    if any(o.status != "verified" for o in analysed(case).opportunities if o.edits):
        pytest.skip("assumes a type")
    source = rewritten(case)
    for name, typed, rows in retyped(case):
        (before,), (after,) = run_all(spark, typed, case.source, [rows]), run_all(spark, typed, source, [rows])
        assert isinstance(before, Failed) or before == after, f"{name}\n{source}\n{rows}"


LITERALS = ("5", "3", "5.0", "2.5", "'5'", "'05'", "'5.0'", "'a'", "'2024-01-05'", "'2024-01-05 00:00:00'", "true", "y")
SHAPES = (
    "x {op} {a}", "{a} {op} x", "x BETWEEN {a} AND {b}", "x IN ({a}, {b})", "x NOT IN ({a}, {b})", "x IS NULL",
    "x IS NOT NULL", "x <=> {a}", "NOT (x {op} {a})", "x {op} {a} OR x {op2} {b}", "x {op} {a} AND y {op2} {b}",
)  # fmt: skip


def program(draw: random.Random, number: int) -> Case:
    """Two filters on columns of unknown types."""
    few = draw.sample(LITERALS, 2)

    def condition() -> str:
        a, b = draw.choice(few), draw.choice(few)
        op, op2 = draw.choice(("=", "<", "<=", ">", ">=", "<>")), draw.choice(("=", "<", ">", ">="))
        return draw.choice(SHAPES).format(a=a, b=b, op=op, op2=op2)

    source = f'result = spark.table("t").filter("{condition()}").filter("{condition()}")\n'
    table = Table("t", "x string, y string", fields_of("x string, y string"), (), False)
    return Case(f"{number}", "", 0, source, (Expectation(0, "HW302", (), None, None, None),), (), (table,))


def claimed(seed: int, programs: int) -> list[Case]:
    """Random programs of whose filters something is said."""
    draw = random.Random(seed)
    made = [program(draw, n) for n in range(programs)]
    return [c for c in made if any(o.code == "HW302" for o in analysed(c).opportunities)]


@pytest.mark.spark
def test_random_constant_filters_hold_for_every_type(spark: SparkSession) -> None:
    """``HEADWATER_TYPE_PROGRAMS`` sets how many programs."""
    cases, seen = claimed(7, PROGRAMS), set[str]()
    with setting(spark, PLANNED_ONCE):
        for case in cases:
            wrong, ran = counterexamples(spark, case)
            assert not wrong, wrong
            seen |= {kind for name in ran for kind in name.split(",")}
    assert len(cases) >= PROGRAMS // 20
    assert PROGRAMS < 400 or seen >= set(CLASSES) - {"binary"}
    print(f"{len(cases)} claims in {PROGRAMS} programs, types {sorted(seen)}")
