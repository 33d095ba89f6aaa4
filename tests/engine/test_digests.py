"""The digest of a problem is that of its canonical text, however often and in whatever order it is asked for."""

from __future__ import annotations

from dataclasses import replace

from headwater.engine.analysis.digests import digest
from headwater_ir import codec, expr
from headwater_ir import types as ty
from headwater_ir.expr import Lit, is_expr
from headwater_ir.problem import FoldProblem
from tests.synthesis import problems as p

ALIKE = [Lit(v, t) for t in (ty.FLOAT, ty.INT64) for v in (0, 0.0, -0.0, False, 1, 1.0, True, float("nan"), None)]


def problem_of(literal: Lit) -> FoldProblem:
    base = FoldProblem(p.maximum(ty.FLOAT), p.m(">", 3))
    return replace(base, predicate=expr.transform(base.predicate, lambda e: literal if isinstance(e, Lit) else None))


def test_literals_that_are_equal_to_python_are_told_apart() -> None:
    assert all(is_expr(literal) for literal in ALIKE)
    for _ in range(2):  # first unknown, then known
        for literal in (*ALIKE, *reversed(ALIKE)):
            problem = problem_of(literal)
            assert digest(problem) == codec.digest(problem)
    assert len({digest(problem_of(literal)) for literal in ALIKE}) == len(ALIKE)


def test_the_same_problem_made_twice_is_one() -> None:
    assert digest(problem_of(Lit(7, ty.INT64))) == digest(problem_of(Lit(7, ty.INT64)))
