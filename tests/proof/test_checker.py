"""The checker accepts what is proved and rejects every alteration (THEORY.md section 7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from headwater.proof.certificate import VERSION, certify
from headwater.proof.checker import MalformedCertificate, accepted, check
from headwater.synthesis.algorithm import Limits, solve
from headwater_ir import codec
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.assumptions import Assumption
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Certificate, Proved, Solution
from tests.synthesis import problems as p

PROBLEMS = {
    "top2": FoldProblem(p.top2(), p.BOTH_90),
    "max": FoldProblem(p.maximum(ty.FLOAT), p.m(">", 100)),
    "count": FoldProblem(p.count_if_error(), p.n(">", 5)),
    "global": FoldProblem(p.maximum(ty.INT64, grouped=False), p.m(">", 100)),
}


@cache
def proved(name: str) -> Certificate:
    verdict = solve(PROBLEMS[name], Limits(60))
    assert isinstance(verdict, Proved)
    return verdict.certificate


def stronger_prefilters(problem: FoldProblem, s: Solution) -> Iterator[Solution]:
    keys = [ir.Compare("<", ir.Col(k), ir.Lit("m", ty.STRING), "sql") for k in problem.fold.keys]
    for extra in (ir.FALSE, *keys):
        yield replace(s, pre_filter=ir.And((s.pre_filter, extra)))
    raised = ir.transform(
        s.pre_filter,
        lambda n: ir.Lit(n.value + 1, n.type) if isinstance(n, ir.Lit) and isinstance(n.value, int) else None,
    )
    if raised != s.pre_filter:
        yield replace(s, pre_filter=raised)


def wrong_residuals(problem: FoldProblem, s: Solution) -> Iterator[Solution]:
    for residual in (ir.FALSE, ir.Not(problem.predicate)):
        yield replace(s, kind="split", residual=residual)
    if s.residual != ir.TRUE:
        yield replace(s, kind="exact", residual=ir.TRUE)


def wrong_invariants(s: Solution) -> Iterator[Solution]:
    yield replace(s, invariant=())
    yield replace(s, invariant=(*s.invariant, ir.FALSE))
    yield replace(s, invariant=tuple(ir.Not(ir.IsTrue(a)) for a in s.invariant))


def shorter_invariants(s: Solution) -> Iterator[Solution]:
    """Not wrong as such: a core of ψ need not be minimal."""
    for atom in s.invariant:
        yield replace(s, invariant=tuple(a for a in s.invariant if a is not atom))


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_proved_certificate_passes(name: str, solver: str) -> None:
    assert accepted(check(proved(name), solver))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_altered_certificate_fails_whatever_the_alteration(name: str) -> None:
    """The scripts inside are those of the unaltered solution."""
    certificate = proved(name)
    s, problem = certificate.solution, certificate.problem
    mutants = [
        *stronger_prefilters(problem, s),
        *wrong_residuals(problem, s),
        *wrong_invariants(s),
        *shorter_invariants(s),
        replace(s, pre_filter=ir.TRUE),
    ]
    for mutant in mutants:
        with pytest.raises(MalformedCertificate):
            check(replace(certificate, solution=mutant))


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_every_wrong_solution_fails_even_with_scripts_of_its_own(name: str, solver: str) -> None:
    certificate = proved(name)
    s, problem = certificate.solution, certificate.problem
    for mutant in [*stronger_prefilters(problem, s), *wrong_residuals(problem, s), *wrong_invariants(s)]:
        conditions = check(certify(problem, mutant), solver, seconds=20)  # type: ignore[arg-type]
        assert not accepted(conditions), mutant


def test_an_altered_problem_or_assumption_is_noticed() -> None:
    certificate = proved("max")
    with pytest.raises(MalformedCertificate):
        check(replace(certificate, problem=FoldProblem(certificate.problem.fold, p.m(">", 99))))
    with pytest.raises(MalformedCertificate):
        check(replace(certificate, assumptions=(Assumption("other", "nothing"),)))
    with pytest.raises(MalformedCertificate):
        check(replace(certificate, version=VERSION + 1))


@pytest.mark.parametrize(
    "prefilter",
    [
        ir.Compare(">", ir.Col("x"), ir.Lit(100, ty.INT), "python"),
        ir.Compare(">", ir.Slot(0, 1), ir.Lit(100, ty.INT), "sql"),
        ir.Compare(">", ir.Col("nowhere"), ir.Lit(100, ty.INT), "sql"),
        ir.Call("f", (ir.Col("x"),), ty.BOOL, total=True),
    ],
)
def test_a_prefilter_that_spark_cannot_evaluate_on_the_row_is_malformed(prefilter: ir.Expr) -> None:
    certificate = proved("max")
    with pytest.raises(MalformedCertificate):
        check(replace(certificate, solution=replace(certificate.solution, pre_filter=prefilter)))


def test_a_prefilter_that_may_raise_is_not_safe() -> None:
    """Division by zero is an error under ANSI, and a new one."""
    problem = PROBLEMS["max"]
    s = proved("max").solution
    raising = ir.Compare(">", ir.Arith("/", ir.Lit(1, ty.INT), ir.Col("x"), "sql"), ir.Lit(-1, ty.INT), "sql")
    conditions = check(certify(problem, replace(s, pre_filter=ir.Or((s.pre_filter, raising)))))
    assert {c.name: c.status for c in conditions}["Safe"] == "failed"


def test_a_kind_that_the_residual_belies_is_malformed() -> None:
    certificate = proved("top2")
    for kind in ("exact", "partial"):
        mutant = certify(certificate.problem, replace(certificate.solution, kind=kind))  # type: ignore[arg-type]
        with pytest.raises(MalformedCertificate):
            check(mutant)


def test_certificates_survive_json() -> None:
    certificate = proved("top2")
    again = codec.from_json(codec.to_json(certificate), Certificate)
    assert again == certificate
    assert accepted(check(again))


def test_certificates_are_reproducible() -> None:
    certificate = proved("top2")
    assert certify(certificate.problem, certificate.solution) == certificate
