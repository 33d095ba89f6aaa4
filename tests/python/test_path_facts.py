"""What a path tells makes a value simpler, and loses none of its errors."""

from __future__ import annotations

import itertools

import pytest

from headwater.python.exprs.nullness import PathFacts, assuming
from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater_ir.expr import FALSE, TRUE, And, Arith, Col, Compare, Expr, If, IsNull, Lit, Not, Or, Raise
from headwater_ir.types import INT

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
    facts = PathFacts(known)
    for e in VALUES:
        for row in ROWS:
            if all(_outcome(test, row) is outcome for test, outcome in known):
                assert _outcome(assuming(e, facts), row) == _outcome(e, row), (e, row)
