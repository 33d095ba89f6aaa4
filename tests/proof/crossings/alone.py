"""One crossing by itself, of columns whose types are given, and what the checker says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import z3

from headwater.proof.crossings.conditions import LAWS
from headwater.proof.crossings.encoding import OutOfReach
from headwater.proof.crossings.meaning import Claim, Meaning
from headwater.proof.crossings.row_by_row import arms
from headwater.semantics.values import fresh_context, lnot
from headwater_ir import types as ty
from headwater_ir.crossing import Crossing, MeetsArms, Passed, PassesJoin
from headwater_ir.expr import Arith, Call, Col, Compare, Expr, IsNull, Lit, Not, Or, conjoin
from headwater_ir.problem import Column
from headwater_ir.types import Type

X, K, Y = Col("x"), Col("k"), Col("y")
ALL_INT = {"x": ty.INT64, "k": ty.INT64, "y": ty.INT64}
Types = Mapping[str, Type]


def number(value: float) -> Lit:
    return Lit(value, ty.INT if isinstance(value, int) else ty.FLOAT)


def cmp(op: Any, left: Expr, right: Expr | float) -> Expr:
    return Compare(op, left, number(right) if isinstance(right, (int, float)) else right, "sql")


def both(*operands: Expr) -> Expr:
    return conjoin(operands)


def always(e: Expr) -> Expr:
    """True wherever it has a value, and so does ``e``."""
    return Or((IsNull(e), Not(IsNull(e))))


def over_one(divisor: Expr) -> Expr:
    """Raises where ``divisor`` is zero."""
    return Arith("/", number(1), divisor, "sql")


def calling(argument: Expr, name: str = "spark.string") -> Expr:
    """A condition on what a function makes of ``argument``."""
    return Compare("==", Call(name, (argument,), ty.STRING, True), Lit("a", ty.STRING), "sql")


def a_join(**changes: Any) -> PassesJoin:
    """An inner join of which nothing is known, on its left side."""
    return replace(PassesJoin("inner", "left", (), None, None, (), (), (), (), ()), **changes)


def columns(types: Types) -> tuple[Column, ...]:
    return tuple(Column(n, t) for n, t in types.items())


def claims_of(
    passed: Passed, before: Expr, after: Expr, types: Types | None = None, stays: bool = True,
    beside: Types | None = None, above: Types | None = None,
) -> tuple[Meaning, list[Claim]]:  # fmt: skip
    """``types``: of the input, and of the output as well if ``above`` does not say otherwise."""
    fresh_context()
    below = types or {}
    over = below if above is None else above
    m = Meaning(Crossing(passed, before, after, columns(over), columns(below), columns(beside or {})), stays)
    return m, list(arms(m, passed) if isinstance(passed, MeetsArms) else LAWS[type(passed)](m, passed))


def unproved(*crossing: Any, **more: Any) -> Iterator[str]:
    """The claims of a crossing that do not hold, by name, or why it has none."""
    try:
        m, claims = claims_of(*crossing, **more)
    except OutOfReach as reason:
        yield str(reason)
        return
    for claim in claims:
        solver = z3.Solver()
        solver.add(*m.rows.axioms, *claim.given, lnot(claim.shown))
        if solver.check() != z3.unsat:
            yield claim.part


def is_proved(*crossing: Any, **more: Any) -> bool:
    return next(unproved(*crossing, **more), None) is None
