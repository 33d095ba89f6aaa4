"""The independent checker: re-proves a certificate from its problem and solution, knowing nothing of the synthesis.

It does not trust the scripts that the certificate carries: it derives its own and demands that they are the same, so
that altering any part of a certificate is noticed even where the altered solution happens to be right.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Literal

import z3

from headwater_ir import expr as ir
from headwater_ir.verdict import Certificate, Condition, ConditionName, ConditionStatus

from ..semantics.values import UnsupportedTerm, fresh_context
from . import cvc5_backend
from .certificate import VERSION, assumptions, scripts
from .crossings.encoding import OutOfReach
from .crossings.whole import crossing_scripts

Backend = Literal["z3", "cvc5"]
_RANK: dict[ConditionStatus, int] = {"failed": 0, "unknown": 1, "proved": 2}


class MalformedCertificate(Exception):
    """The certificate is not of this version, does not belong to its solution, or is not well formed."""


def check(certificate: Certificate, solver: Backend = "z3", seconds: float = 30.0) -> tuple[Condition, ...]:
    """Re-prove every condition; one result per condition name, the worst of its parts. MalformedCertificate if there is
    nothing sound to check."""
    fresh_context()
    _well_formed(certificate)
    return decide(certificate, solver, seconds)


def decide(certificate: Certificate, solver: Backend = "z3", seconds: float = 30.0) -> tuple[Condition, ...]:
    """What the solver says of the scripts, for a caller that has just derived them; MalformedCertificate as above."""
    for complaint in _complaints(certificate):
        raise MalformedCertificate(complaint)
    prove: Callable[[str, float], ConditionStatus] = _z3 if solver == "z3" else cvc5_backend.prove
    found: dict[ConditionName, tuple[ConditionStatus, float]] = {}
    for name, text in certificate.scripts:
        start = time.perf_counter()
        status = prove(text, seconds)
        ms = (time.perf_counter() - start) * 1000
        before, spent = found.get(name, ("proved", 0.0))
        found[name] = (min(status, before, key=_RANK.__getitem__), spent + ms)
    if certificate.path is not None:  # crossings of which nothing is left to prove have no scripts
        found.setdefault("Crossing", ("proved", 0.0))
    return tuple(Condition(name, status, round(ms, 2)) for name, (status, ms) in found.items())


def accepted(conditions: tuple[Condition, ...]) -> bool:
    """Whether every condition is proved."""
    return bool(conditions) and all(c.status == "proved" for c in conditions)


def _z3(text: str, seconds: float) -> ConditionStatus:
    """The plain solver first, which is quick on what is easy; then the one that tries other strategies."""
    for make in (z3.SimpleSolver, z3.Solver):
        solver = make()
        solver.set("timeout", int(seconds * 1000))
        solver.from_string(text)
        answer = solver.check()
        if answer != z3.unknown:
            return "proved" if answer == z3.unsat else "failed"
    return "unknown"


def _well_formed(certificate: Certificate) -> None:
    if certificate.version != VERSION:
        raise MalformedCertificate(f"version {certificate.version} is not {VERSION}")
    try:
        expected = scripts(certificate.problem, certificate.solution)
        if certificate.path is not None:
            expected += crossing_scripts(certificate.path, certificate.problem, certificate.solution)
    except (UnsupportedTerm, OutOfReach, KeyError) as error:
        raise MalformedCertificate(f"cannot be encoded: {error}") from error
    if expected != certificate.scripts:
        raise MalformedCertificate("the scripts are not the conditions of this problem and solution")
    if assumptions(certificate.problem, certificate.path) != certificate.assumptions:
        raise MalformedCertificate("the assumptions are not those of this problem")


def _complaints(certificate: Certificate) -> Iterator[str]:
    problem, solution = certificate.problem, certificate.solution
    real = {c.name for c in problem.fold.columns if not c.ghost}
    kept = solution.residual == problem.predicate  # what stays as it is need not be said again
    for node in (*ir.walk(solution.pre_filter), *(() if kept else ir.walk(solution.residual))):
        if getattr(node, "dialect", "sql") != "sql" or isinstance(node, (ir.Truthy, ir.Raise)):
            yield f"{type(node).__name__} cannot be said in Spark SQL"
    for node in ir.walk(solution.pre_filter):
        if isinstance(node, (ir.Slot, ir.Out, ir.Present)):
            yield "the pre-filter reads more than the row"
        if isinstance(node, ir.Col) and node.name not in real:
            yield f"the pre-filter reads {node.name}, which is no column"
        if isinstance(node, ir.Call):
            yield f"the pre-filter calls {node.name}"
    for node in ir.walk(solution.residual):
        if isinstance(node, (ir.Slot, ir.Col, ir.Present)):
            yield "the residual reads more than the output"
    yield from _kind_complaints(certificate)


def _kind_complaints(certificate: Certificate) -> Iterator[str]:
    solution = certificate.solution
    if solution.kind == "exact" and solution.residual != ir.TRUE:
        yield "an exact solution has no residual"
    if solution.kind == "partial" and solution.residual != certificate.problem.predicate:
        yield "a partial solution keeps the whole filter"
