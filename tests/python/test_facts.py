"""The facts of a path against evaluation: simpler values lose no error, and nothing is excluded that occurs."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import pytest

from headwater.python.exprs.assuming import assuming
from headwater.python.exprs.facts import Facts, Tag
from headwater.python.exprs.types import CONDITIONS
from headwater.python.exprs.value_tags import ColumnValues, of_columns
from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater_ir.expr import (
    FALSE,
    TRUE,
    And,
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    In,
    IsNaN,
    IsNull,
    Lit,
    Neg,
    Not,
    Or,
    Raise,
    Scalar,
    Truthy,
    walk,
)
from headwater_ir.types import BOOL, FLOAT, INT, NULL, Type

_ONE, _TWO = Lit(1, INT), Lit(2, INT)
_QUOTIENT = Arith("//", Lit(10, INT), Col("d"), "python")
_SMALL = Compare("<", Col("c"), _TWO, "python")
TESTS: tuple[Expr, ...] = (
    IsNull(_QUOTIENT),
    _SMALL,
    IsNull(Col("c")),
    TRUE,
    FALSE,
    Compare("==", _QUOTIENT, _ONE, "python"),
)
PAIRS = [join((a, b), "python") for a, b in itertools.product(TESTS, repeat=2) for join in (And, Or)]
VALUES = [
    *(If(test, Raise("unreachable"), _ONE) for test in PAIRS),
    *(If(test, _ONE, _TWO) for test in PAIRS),
    *(If(Not(test, "python"), Col("c"), _TWO) for test in PAIRS),
]
ROWS = [{"c": c, "d": d} for c in (None, 0, 5) for d in (None, 0, 10)]


def _outcome(e: Expr, row: dict[str, int | None]) -> object:
    try:
        return evaluate(e, Env(row=dict(row)))
    except EvaluationError:
        return "error"


@pytest.mark.parametrize("known", [(), (((_SMALL), True),), ((IsNull(Col("c")), False),), ((_SMALL, False),)], ids=str)
def test_simpler_values_raise_where_they_did(known: tuple[tuple[Expr, bool], ...]) -> None:
    facts = Facts(known)
    for e in VALUES:
        for row in ROWS:
            if all(_outcome(test, row) is outcome for test, outcome in known):
                assert _outcome(assuming(e, facts), row) == _outcome(e, row), (e, row)


TYPES: dict[str, Type] = {"i": INT, "f": FLOAT, "b": BOOL}
DATA: dict[str, tuple[Scalar, ...]] = {
    "i": (None, 0, 1, -3),
    "f": (None, 0.0, -0.0, 1.5, math.nan, math.inf),
    "b": (None, False, True),
}
WORLD = [dict(zip(DATA, row, strict=True)) for row in itertools.product(*DATA.values())]
LITERALS = (Lit(0, INT), Lit(1, INT), Lit(1.5, FLOAT), Lit(math.nan, FLOAT), Lit(None, NULL), Lit(True, BOOL))


def _value(rng: random.Random, depth: int, seen: Sequence[Expr] = ()) -> Expr:
    """A value of Python's; half of its leaves are values that occur in ``seen``."""
    kind = rng.randrange(8) if depth else rng.randrange(3)
    of = [part for cond in seen for part in walk(cond) if not isinstance(part, (*CONDITIONS, Lit))]
    match kind:
        case 0 | 1:
            return rng.choice(of) if of and rng.random() < 0.5 else Col(rng.choice(list(TYPES)))
        case 2:
            return rng.choice(LITERALS)
        case 3:
            return Neg(_value(rng, depth - 1, seen), "python")
        case 4:
            return Call("abs", (_value(rng, depth - 1, seen),), FLOAT)
        case 5 | 6:
            op = rng.choice(("+", "-", "*", "/"))
            return Arith(op, _value(rng, depth - 1, seen), _value(rng, depth - 1, seen), "python")  # type: ignore[arg-type]
        case _:
            return If(_condition(rng, depth - 1), _value(rng, depth - 1, seen), _value(rng, depth - 1, seen))


def _condition(rng: random.Random, depth: int) -> Expr:
    match rng.randrange(9 if depth > 0 else 5):
        case 0:
            return IsNull(_value(rng, depth))
        case 1:
            return IsNaN(_value(rng, depth))
        case 2:
            return Truthy(_value(rng, depth))
        case 3:
            return In(_value(rng, depth), tuple(rng.sample(LITERALS, 2)), "python")
        case 4 | 5:
            op = rng.choice(("==", "!=", "<", "<=", ">", ">="))
            return Compare(op, _value(rng, depth), _value(rng, depth), "python")  # type: ignore[arg-type]
        case 6:
            return Not(_condition(rng, depth - 1), "python")
        case _:
            parts = tuple(_condition(rng, depth - 1) for _ in range(2))
            return And(parts, "python") if rng.random() < 0.5 else Or(parts, "python")


def _tag(value: object) -> Tag:
    if value is None:
        return "none"
    if isinstance(value, float):
        return "nan" if math.isnan(value) else "float"
    return "bool" if isinstance(value, bool) else "int"


def _evaluated(e: Expr, row: dict[str, Scalar]) -> object:
    """The value of ``e``, or "error"."""
    try:
        return evaluate(e, Env(row=dict(row)))
    except EvaluationError:
        return "error"


@pytest.mark.parametrize("part", range(8))
def test_what_is_excluded_does_not_occur(part: int) -> None:
    """Wherever the tests of a path have had their outcomes, a value has one of its tags, and raises only if it may."""
    rng, values, used = random.Random(part), ColumnValues(of_columns(TYPES, ())), 0
    for _ in range(150):
        path = [(_condition(rng, rng.randrange(2)), rng.random() < 0.5) for _ in range(rng.randrange(3))]
        e = _value(rng, rng.randrange(3), [cond for cond, _ in path])
        known = Facts(path)
        tags, defined = values.of(e, known), values.defined(e, known)
        for row in WORLD:
            if any(_evaluated(cond, row) is not outcome for cond, outcome in path):
                continue
            value = _evaluated(e, row)
            used += 1
            assert value == "error" or _tag(value) in tags, (path, e, row, value, tags)
            assert not defined or value != "error", (path, e, row)
    assert used > 500
