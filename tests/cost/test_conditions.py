"""Costs and order of conditions: as measured, the same value, and nothing that may raise before what guards it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.cost.conditions import COSTLY, FUNCTIONS, LIST, SIMPLE, TESTS, cheap_first, microseconds
from headwater.proof.certificate import certify
from headwater.proof.checker import MalformedCertificate, check
from headwater.rewrite.spell_sql import sql_text
from headwater.semantics.interpreter import Env, EvaluationError, compile_expr
from headwater.synthesis.algorithm import Limits, solve
from headwater_ir import native
from headwater_ir.expr import (
    And,
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    In,
    IsNaN,
    IsNull,
    Lit,
    Not,
    Or,
    Scalar,
    StringOp,
    StringTest,
    columns_of,
    walk,
)
from headwater_ir.native import native_column
from headwater_ir.problem import FoldProblem
from headwater_ir.types import BOOL, FLOAT, INT, INT64, STRING
from headwater_ir.verdict import Proved
from tests.strategies import Scope, exprs
from tests.synthesis import problems as p

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MEASURED = json.loads((Path(__file__).parents[2] / "benchmarks/spark/conditions.json").read_text(encoding="utf-8"))
ROWS = Scope(columns=(("n", INT64), ("x", FLOAT), ("s", STRING), ("b", BOOL)))
_UPPER, _LENGTH = (Col(native_column(function, "s")) for function in ("upper", "length"))
COSTLY_ATOMS: tuple[Expr, ...] = (
    Compare("==", _UPPER, Lit("RED", STRING), "sql"),
    Compare(">", _LENGTH, Lit(2, INT), "sql"),
    StringTest("contains", Col("s"), Lit("e", STRING), "sql"),
    Not(StringTest("contains", Col("s"), Lit("E", STRING), "sql")),
)
CHEAP_ATOMS: tuple[Expr, ...] = (
    Compare(">", Col("n"), Lit(5, INT), "sql"),
    Compare("!=", Col("n"), Lit(0, INT), "sql"),
    In(Col("n"), (Lit(7, INT), Lit(-1, INT)), "sql"),
    IsNull(_UPPER),
    Not(IsNull(Col("n"))),
    IsNaN(Col("x")),
    Compare("<=", Col("x"), Lit(1.5, FLOAT), "sql"),
    StringTest("startswith", Col("s"), Lit("r", STRING), "sql"),
)


def trees(atoms: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Conditions of ``atoms``."""

    def around(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        some = st.lists(inner, min_size=1, max_size=4).map(tuple)
        return st.one_of(some.map(And), some.map(Or), inner.map(Not))

    return st.recursive(atoms, around, max_leaves=8)


def said(e: Expr, row: dict[str, Scalar]) -> Scalar | str:
    try:
        return compile_expr(e)(Env(row=row))
    except EvaluationError:
        return "error"


def atoms_of(e: Expr) -> list[Expr]:
    return sorted((n for n in walk(e) if not isinstance(n, (And, Or))), key=repr)


def test_every_part_of_a_pre_filter_has_a_cost() -> None:
    assert FUNCTIONS.keys() == native.FUNCTIONS.keys()
    assert TESTS.keys() == {*get_args(StringOp)}


COSTS: dict[str, float] = {**FUNCTIONS, **{str(name): cost for name, cost in TESTS.items()}}


@pytest.mark.parametrize("name", COSTS)
def test_the_costs_are_those_that_were_measured(name: str) -> None:
    """On the right side of what is costly, and not far off: short texts take less."""
    measured = MEASURED["conditions"][name]["microseconds"]
    cost = COSTS[name]
    assert (cost >= COSTLY) == (measured >= COSTLY)
    assert cost == pytest.approx(measured, rel=0.3, abs=0.06)


def test_what_is_simple_was_measured() -> None:
    found = {name: record["microseconds"] for name, record in MEASURED["conditions"].items()}
    simple = [found[name] for name in ("a number", "arithmetic", "isnan", "a text", "size")]
    assert max(simple) < COSTLY / 2
    assert sum(simple) / len(simple) == pytest.approx(SIMPLE, abs=0.02)
    assert max(found["20 texts"], found["20 numbers"], found["5 texts"]) == pytest.approx(LIST, abs=0.05)


@pytest.mark.parametrize("name", [n for n, c in COSTS.items() if c >= COSTLY])
def test_the_order_of_what_is_costly_gains(name: str) -> None:
    """Beside a comparison that is true of few rows the whole job takes less than three quarters."""
    record = MEASURED["conditions"][name]
    assert record["behind"][1] / record["first"][1] > 4 / 3


@given(trees(st.sampled_from((*COSTLY_ATOMS, *CHEAP_ATOMS))))
def test_order_is_all_that_changes(e: Expr) -> None:
    ordered = cheap_first(e)
    assert atoms_of(ordered) == atoms_of(e)
    assert cheap_first(ordered) == ordered
    assert microseconds(ordered) is not None


@given(trees(exprs(BOOL, ROWS, 2)), st.integers())
def test_the_value_is_the_same_where_nothing_raises(e: Expr, seed: int) -> None:
    """On rows with NULL, NaN and extremes, whatever parts are not measured."""
    draw = random.Random(seed)
    row: dict[str, Scalar] = {
        "n": draw.choice((None, 0, 1, -1, 5, 2**63 - 1)),
        "x": draw.choice((None, 0.0, float("nan"), float("inf"), 1.5)),
        "s": draw.choice((None, "", "a", "red")),
        "b": draw.choice((None, True, False)),
    }
    if all(said(n, row) != "error" for n in walk(e)):
        assert said(cheap_first(e), row) == said(e, row)


@pytest.mark.parametrize("kind", [And, Or])
def test_cheap_ones_go_first_and_keep_their_order(kind: type[And | Or]) -> None:
    a, b, c, d = COSTLY_ATOMS[0], CHEAP_ATOMS[1], COSTLY_ATOMS[2], CHEAP_ATOMS[0]
    assert cheap_first(kind((a, b, c, d))) == kind((b, d, a, c))
    inner = kind((a, b))
    other = Or((inner,)) if kind is And else And((inner,))
    found = cheap_first(kind((Not(a), Not(b), other)))
    assert isinstance(found, kind)
    assert found.operands[0] == Not(b)


@pytest.mark.parametrize("kind", [And, Or])
def test_nothing_is_moved_past_what_has_no_cost(kind: type[And | Or]) -> None:
    """A function without a cost, a field of a struct, a condition of Python's."""
    a, b, c = COSTLY_ATOMS[0], CHEAP_ATOMS[0], CHEAP_ATOMS[1]
    unknown: tuple[Expr, ...] = (
        Call("spark.rlike", (Col("s"), Lit("a.*b", STRING)), BOOL, total=True),
        Compare("==", Col("field(`s`.`f`)"), Lit(1, INT), "sql"),
        Compare("==", Col("n"), Lit(1, INT), "python"),
        And((a, b), "python"),
    )
    for u in unknown:
        assert microseconds(u) is None
        assert cheap_first(kind((a, u, b))) == kind((a, u, b))
        assert cheap_first(kind((a, c, u, a, b))) == kind((c, a, u, b, a))
    assert cheap_first(And((a, b), "python")) == And((a, b), "python")


def test_what_is_asked_of_few_rows_costs_less() -> None:
    costly, cheap = COSTLY_ATOMS[0], CHEAP_ATOMS[0]
    alone, together = microseconds(costly), microseconds(And((cheap, costly)))
    assert alone is not None
    assert together is not None
    assert together < alone
    assert microseconds(IsNull(_UPPER)) == SIMPLE


GUARDED: dict[str, Expr] = {
    "division": Compare(">", Arith("/", Lit(1, INT), Col("x"), "sql"), Lit(0, INT), "sql"),
    "overflow": Compare(">", Arith("+", Col("x"), Lit(1, INT), "sql"), Lit(100, INT), "sql"),
    "a function": Call("element_at", (Col("x"),), BOOL),
}
"""Of rows with ``x > 100``, which some of them raise nothing on."""


@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize("guard_first", [True, False])
def test_a_guard_is_no_excuse(name: str, guard_first: bool) -> None:
    """A pre-filter of which a part may raise is not accepted, in whatever order: so all orders of one that is are the
    same."""
    problem = FoldProblem(p.maximum(INT64), p.m(">", 100))
    verdict = solve(problem, Limits(60))
    assert isinstance(verdict, Proved)
    solution = verdict.certificate.solution
    assert columns_of(solution.pre_filter) == {"x"}
    parts = (solution.pre_filter, GUARDED[name]) if guard_first else (GUARDED[name], solution.pre_filter)
    try:
        found = check(certify(problem, replace(solution, pre_filter=And(parts))), "z3")
    except MalformedCertificate as reason:
        assert name == "a function"
        assert "the pre-filter calls" in str(reason)  # noqa: PT017
    else:
        assert "Safe" in {c.name for c in found if c.status != "proved"}
    assert all(c.status == "proved" for c in check(certify(problem, solution), "z3"))


TABLE = [
    (n, x, s)
    for n in (None, 0, 7, -1, 2**31 - 1)
    for x in (None, 1.5, float("nan"), float("-inf"))
    for s in (None, "", "red", "RED", "ré", "a\U0001f600e")
]


@pytest.mark.spark
def test_both_orders_are_the_same_to_spark(spark: SparkSession) -> None:
    """Values with NULL, and rows that pass, of random conditions."""
    frame = spark.createDataFrame(TABLE, "n int, x double, s string").repartition(1).cache()
    draw = random.Random(7)

    def some(depth: int) -> Expr:
        if not depth:
            return draw.choice((*COSTLY_ATOMS, *CHEAP_ATOMS))
        parts = tuple(some(draw.randrange(depth)) for _ in range(draw.randint(2, 4)))
        return draw.choice((And(parts), Or(parts), Not(And(parts))))

    pairs = [(e, cheap_first(e)) for e in (some(3) for _ in range(150))]
    changed = [pair for pair in pairs if pair[0] != pair[1]]
    assert len(changed) > 50
    texts = [f"({sql_text(e)}) <=> ({sql_text(o)})" for e, o in changed]
    (row,) = frame.selectExpr(*(f"bool_and({t}) AS c{i}" for i, t in enumerate(texts))).collect()
    assert [t for t, same in zip(texts, row, strict=True) if not same] == []
    for one, other in changed[:12]:
        kept = [sorted(map(repr, frame.filter(sql_text(e)).collect())) for e in (one, other)]
        assert kept[0] == kept[1]
    frame.unpersist()


RAISING = (
    ("n != 0", "100 / n > 1"),
    ("s < 'a'", "cast(s AS int) > 0"),
    ("size(xs) > 2", "element_at(xs, 3) > 0"),
    ("size(xs) > 2", "xs[2] > 0"),
    ("n < 100", "n + 2147483600 > 0"),
    ("n < 100", "assert_true(n < 100) IS NULL"),
    ("n < 100", "IF(n < 100, true, raise_error('n')) = true"),
    ("s < 'a'", "to_date(s, 'd') IS NOT NULL"),
)


@pytest.mark.spark
@pytest.mark.parametrize(("guard", "raising"), RAISING)
def test_why_what_may_raise_stays_where_it_is(spark: SparkSession, guard: str, raising: str) -> None:
    """Spark keeps the order that is written: in one the guard keeps the error away, in the other it does not."""
    rows = [(0, "7", [1, 2, 3]), (1, "a", [1]), (2**31 - 1, "7", [1, 2, 3]), (None, None, None)]
    frame = spark.createDataFrame(rows, "n int, s string, xs array<int>")
    frame.filter(f"{guard} AND {raising}").collect()
    with pytest.raises(Exception, match=r"ZERO|CAST|ARRAY|OVERFLOW|USER_RAISED|DATETIME|TIMESTAMP"):
        frame.filter(f"{raising} AND {guard}").collect()
