"""The certificate of the whole way: a boundary's, with the path to it and the scripts of each crossing."""

from __future__ import annotations

from dataclasses import replace

from headwater_ir.crossing import Path
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Certificate, ConditionName, Solution

from ..certificate import assumptions, written
from .conditions import path_goals


def with_path(certificate: Certificate, path: Path) -> Certificate:
    """``certificate`` of the whole way from the filter to the boundary. OutOfReach if ``path`` is none to there."""
    problem = certificate.problem
    more = crossing_scripts(path, problem, certificate.solution)
    every = (*certificate.scripts, *more)
    return replace(certificate, path=path, scripts=every, assumptions=assumptions(problem, path))


def crossing_scripts(path: Path, problem: FoldProblem, solution: Solution) -> tuple[tuple[ConditionName, str], ...]:
    """The same of each crossing. OutOfReach if one has no law, or the path does not end at ``problem``."""
    return written(path_goals(path, problem, solution))
