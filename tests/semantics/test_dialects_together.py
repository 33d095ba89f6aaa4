"""One encoding must admit what the two dialects compute side by side on the same operands.

A proof relates the user's Python to Spark's SQL, so an operation may share an uninterpreted function between the
dialects only if both compute the same number: `-0.5 % 2.0` is 1.5 in Python and -0.5 in Spark; a division of two large
integers is rounded once in Python, three times in Spark.
"""

from __future__ import annotations

import itertools
from typing import get_args

import pytest
import z3

from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater.semantics.symbolic import Encoder, Scope
from headwater.semantics.values import UnsupportedTerm, variable
from headwater_ir import expr as ir
from headwater_ir import types as ty

from .test_symbolic_agrees import is_value

DIALECTS: tuple[ir.Dialect, ...] = ("sql", "python")
VALUES: dict[str, tuple[ir.Scalar, ...]] = {
    "int": (None, 0, 1, -1, 3, -7, 2**53 + 1, 2**62 + 3),
    "float": (None, float("nan"), 0.0, -0.0, 0.5, -1.5, 3.0, float("inf"), 2.0**53, 1e300),
    "number": (None, float("nan"), 0, 1.5, -7, 2**53 + 1, 2.0**53),
}
ARITHMETIC = [lambda a, b, d, op=op: ir.Arith(op, a, b, d) for op in get_args(ir.ArithOp) if op not in ("//", "**")]
COMPARISONS = [lambda a, b, d, op=op: ir.Compare(op, a, b, d) for op in get_args(ir.CompareOp)]
TYPES = list(itertools.product((ty.INT64, ty.FLOAT, ty.NUMBER), repeat=2))


@pytest.mark.parametrize("types", TYPES, ids=str)
@pytest.mark.parametrize("make", [*ARITHMETIC, *COMPARISONS])
def test_both_dialects_at_once(make: object, types: tuple[ty.Type, ty.Type]) -> None:
    a, b = ir.Col("a"), ir.Col("b")
    expressions = [make(a, b, d) for d in DIALECTS]  # type: ignore[operator]
    encoder = Encoder(expressions)
    symbols = {n: encoder.bound(variable(n, t)) for n, t in zip("ab", types, strict=True)}
    scope = Scope(row=symbols)
    try:
        terms = [encoder.eval(e, scope) for e in expressions]
    except UnsupportedTerm:
        return
    solver = z3.Solver()
    solver.add(z3.Bool("ansi"))
    for row in itertools.product(*(VALUES[t.name] for t in types)):
        if types[0] == types[1] == ty.NUMBER and {type(v) for v in row} == {int, float}:
            continue  # columns of unknown type are assumed to be alike where they meet
        env = Env(row=dict(zip("ab", row, strict=True)))
        wanted = [is_value(encoder, symbols[n], v) for n, v in env.row.items()]
        for e, (value, ok) in zip(expressions, terms, strict=True):
            try:
                wanted += [ok, is_value(encoder, value, evaluate(e, env))]
            except EvaluationError:
                wanted.append(z3.Not(ok))
        solver.push()
        solver.add(*wanted, *encoder.axioms)
        assert solver.check() == z3.sat, f"the encoding excludes {expressions} on {row}"
        solver.pop()


@pytest.mark.parametrize("t", [ty.INT64, ty.FLOAT, ty.NUMBER, ty.STRING, ty.DATE], ids=str)
def test_a_comparison_that_spark_rejects_has_no_meaning(t: ty.Type) -> None:
    """Python compares True with numbers; a pre-filter that did would fail when Spark analyses it."""
    scope = Scope(row={"a": variable("a", t)})
    with pytest.raises(UnsupportedTerm):
        Encoder([]).eval(ir.Compare(">", ir.Col("a"), ir.TRUE, "sql"), scope)
