"""A proved solution on the interpreter: the fold problem with and without the pre-filter."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.engine.report.report import Opportunity
from headwater.semantics.interpreter import Env, EvaluationError, Machine, MaybeState, Row, holds, passes
from headwater.semantics.scalars import same
from headwater.synthesis.samples import Sampler
from headwater_ir.expr import FALSE, Expr, Scalar
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Certificate, Solution

Result = dict[str, Scalar] | str | None
ERROR = "error"
LONGEST = 5


@dataclass(frozen=True)
class Wrong:
    """A group on which the solution does not hold."""

    problem: FoldProblem
    solution: Solution
    rows: tuple[Row, ...]
    original: object
    rewritten: object


def broken(opportunity: Opportunity, seed: int, groups: int) -> Wrong | None:
    """A group that tells against what ``opportunity`` claims, conditional or not; None if none was met."""
    certificate = opportunity.certificate
    return refuted(certificate, seed, groups) if isinstance(certificate, Certificate) else None


def refuted(certificate: Certificate, seed: int, groups: int) -> Wrong | None:
    """The same, of a certificate."""
    problem, solution = certificate.problem, certificate.solution
    sampler, machine = Sampler(problem, seed), Machine(problem.fold)
    for i in range(groups):
        group = sampler.group(1 if problem.fold.rows == "one" else 1 + i % LONGEST)
        if group is None:
            return None
        wrong = _on_group(problem, solution, machine, group.rows, group.params, i)
        if wrong is not None:
            return wrong
    return None


def _on_group(
    problem: FoldProblem, solution: Solution, machine: Machine, rows: tuple[Row, ...], params: Row, turn: int
) -> Wrong | None:
    everything = [True] * len(rows)
    at = turn % (len(rows) + 1) if problem.fold.merge is not None else 0
    original = _result(machine, problem.predicate, rows, everything, params, at)
    if original == ERROR:
        return None
    keep = [_kept(solution.pre_filter, row, params) for row in rows]
    for residual in (solution.residual, problem.predicate):
        new = _result(machine, FALSE if solution.pre_filter == FALSE else residual, rows, keep, params, at)
        if not alike(original, new):
            return Wrong(problem, solution, rows, original, new)
    return None


def _kept(pre_filter: Expr, row: Row, params: Row) -> bool:
    return holds(pre_filter, Env(row=row, params=params))  # an error in a pre-filter is a failure of the harness's run


def _result(machine: Machine, condition: Expr, rows: tuple[Row, ...], keep: list[bool], params: Row, at: int) -> Result:
    try:
        if machine.fold.rows == "one":
            out = machine.row_output(rows[0], params) if keep[0] else None
        else:
            left, right = (_state(machine, rows, keep, params, part) for part in (range(at), range(at, len(rows))))
            state = right if at == 0 else machine.merge(left, right, rows[0], params)
            out = machine.output(state, rows[0], params)
        return out if out is not None and passes(condition, out, params) else None
    except EvaluationError:
        return ERROR


def _state(machine: Machine, rows: tuple[Row, ...], keep: list[bool], params: Row, part: range) -> MaybeState:
    state = machine.start(rows[0], params)
    for i in part:
        if keep[i]:
            state = machine.step(state, rows[i], params)
    return state


def alike(a: Result, b: Result) -> bool:
    """Whether two runs yield the same row."""
    if isinstance(a, dict) and isinstance(b, dict):
        return all(same(a[name], b[name]) for name in a)
    return a == b
