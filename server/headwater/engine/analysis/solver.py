"""What the engine asks of a solver: a fold problem and a time limit in, a verdict out."""

from __future__ import annotations

from collections.abc import Callable

from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Unknown, Verdict

Solver = Callable[[FoldProblem, float], Verdict]
"""``solver(problem, seconds)``."""
Clock = Callable[[], float]
"""Seconds, from any origin."""


def synthesis(problem: FoldProblem, seconds: float) -> Verdict:
    """Full verified synthesis; imports the solver at the first call, for most files need none."""
    from headwater.synthesis.algorithm import Limits, solve

    return solve(problem, Limits(seconds=seconds))


def bounded(problem: FoldProblem, seconds: float) -> Verdict:
    """The quick check on small tables; proves nothing."""
    from headwater.synthesis.bounded import bounded_check

    return bounded_check(problem)


def guarded(solver: Solver) -> Solver:
    """``solver`` whose own failures are verdicts: they cost one opportunity, never the file."""

    def run(problem: FoldProblem, seconds: float) -> Verdict:
        try:
            return solver(problem, seconds)
        except MemoryError:
            return Unknown("out of memory")
        except Exception as error:
            return Unknown(f"the solver failed: {type(error).__name__}: {error}".splitlines()[0])

    return run
