"""The text says exactly what the terms say: it is what the solvers get to see."""

from __future__ import annotations

import z3
from hypothesis import given
from hypothesis import strategies as st

from headwater.proof import smtlib
from headwater.proof.conditions import goals
from headwater.semantics.values import fresh_context, lnot
from headwater.synthesis.algorithm import Limits, solve
from headwater_ir import types as ty
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Proved
from tests.synthesis import problems as p


def read_back(assertions: list[z3.BoolRef]) -> list[z3.BoolRef]:
    return list(z3.parse_smt2_string(smtlib.Printer().script(assertions)))


def test_the_conditions_of_real_problems_read_back_as_the_same_terms() -> None:
    for problem in (FoldProblem(p.top2(), p.BOTH_90), FoldProblem(p.summing(ty.FLOAT), p.n_of("s", ">", 5)), p.EVENTS):
        verdict = solve(problem, Limits(60))
        if not isinstance(verdict, Proved):
            continue
        fresh_context()
        for goal in goals(problem, verdict.solution):
            assertions = [*goal.hypotheses, lnot(goal.conclusion)]
            for original, again in zip(assertions, read_back(assertions), strict=True):
                assert original.eq(again) or z3.is_true(z3.simplify(original == again))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_random_dags_read_back_as_the_same_terms(steps: list[tuple[int, int, int]]) -> None:
    """Shared sub-terms, odd names, negative and fractional numbers."""
    fresh_context()
    f = z3.Function("float*.nan", z3.RealSort(), z3.RealSort(), z3.BoolSort())
    reals = [z3.Real("a b|c".replace("|", "")), z3.Real("r.x#none"), z3.RealVal(-3), z3.Q(-7, 2), z3.RealVal(0)]
    terms: list[z3.BoolRef] = [z3.Bool("key.k.null"), z3.BoolVal(True), f(reals[0], reals[1])]
    for kind, i, j in steps:
        a, b = terms[i % len(terms)], terms[j % len(terms)]
        x, y = reals[i % len(reals)], reals[j % len(reals)]
        made = [z3.And(a, b), z3.Or(a, b, a), z3.Not(a), x <= y, z3.If(a, x, y) == z3.ToReal(z3.Int("n") % 3), f(y, -x)]
        terms.append(made[kind])
    (again,) = read_back([terms[-1]])
    solver = z3.Solver()
    solver.add(again != terms[-1])
    assert solver.check() == z3.unsat


def test_a_script_is_spelled_so() -> None:
    """What is used twice is named in the order of use; odd names are quoted; declarations follow their first use."""
    fresh_context()
    p, x, n = z3.Bool("key.k null"), z3.Real("x'"), z3.Int("n")
    f = z3.Function("f", z3.IntSort(), z3.RealSort(), z3.BoolSort())
    shared = z3.If(p, x, z3.Q(-1, 2))
    printer = smtlib.Printer()
    first = [z3.And(f(n, shared), shared <= z3.RealVal(2), p), z3.Not(f(n + 1, x))]
    text = printer.script(first)
    assert text.endswith(")\n")
    lines = text.splitlines()
    assert lines == [
        "(set-logic ALL)",
        "(declare-fun n () Int)",
        "(declare-fun |key.k null| () Bool)",
        "(declare-fun |x'| () Real)",
        "(declare-fun f (Int Real) Bool)",
        "(assert (let ((x0 (ite |key.k null| |x'| (- (/ 1.0 2.0))))) (and (f n x0) (>= 2.0 x0) |key.k null|)))",
        "(assert (not (f (+ n 1) |x'|)))",
        "(check-sat)",
    ]
    again = printer.script(first[1:])
    assert again.splitlines()[1:4] == lines[1:2] + lines[3:5], "a printed term keeps its own declarations"
    assert [smtlib.symbol(s) for s in ("a.b", "a b", "1a", "")] == ["a.b", "|a b|", "|1a|", "||"]
