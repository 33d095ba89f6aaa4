"""The child process of one mode: ``worker MODE SECONDS FILE…``.

Says that it is ready, then reads a problem per line and answers with a line, all in JSON. One process per mode, so that
its peak of memory is that of the mode.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from headwater.operators.move import Moved
from headwater.synthesis.algorithm import Limits, solve
from headwater.synthesis.bounded import bounded_check
from headwater.synthesis.search import Statistics
from headwater_ir.codec import from_json, to_json
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Solution, Verdict

from .modes import BOUNDED, PROFILE, SEARCHES, SPACER
from .phases import Sampler
from .spacer import run_spacer
from .suite import Problem, load

Outcome = dict[str, Any]
Run = Callable[[FoldProblem, Any], Outcome]


def main() -> None:
    """Answer until nothing more is asked."""
    mode, seconds, *files = sys.argv[1:]
    problems = {p.name: p for path in files for p in load(Path(path))}
    run = _runner(mode, float(seconds))
    _say({"ready": mode})
    for line in sys.stdin:
        asked = json.loads(line)
        _say(_timed(run, problems[asked["problem"]], asked["given"]))


def _say(message: Outcome) -> None:
    print(json.dumps(message), flush=True)


def _timed(run: Run, problem: Problem, given: Any) -> Outcome:
    """Wall and processor time of the run alone, and the process's peak of memory after it."""
    if not isinstance(problem.moved, Moved):
        return {"verdict": None}
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        outcome = run(problem.moved.problem, given)
    except Exception as error:  # a crash is an outcome of this problem alone
        outcome = {"crash": f"{type(error).__name__}: {error}"}
    timed = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    return timed | outcome | {"peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def _runner(mode: str, seconds: float) -> Run:
    if mode == BOUNDED:
        return lambda problem, _: _encoded(bounded_check(problem))
    if mode == SPACER:
        return lambda problem, solution: run_spacer(problem, from_json(solution, Solution), seconds)
    if mode == PROFILE:
        return lambda problem, _: _profiled(problem, seconds)
    return lambda problem, _: _searched(problem, mode, seconds)


def _searched(problem: FoldProblem, mode: str, seconds: float) -> Outcome:
    statistics = Statistics()
    verdict = solve(problem, Limits(seconds), statistics, SEARCHES[mode])
    return _encoded(verdict) | {"statistics": asdict(statistics)}


def _profiled(problem: FoldProblem, seconds: float) -> Outcome:
    with Sampler() as sampler:
        verdict = solve(problem, Limits(seconds))
    return _encoded(verdict) | {"phases": sampler.seconds}


def _encoded(verdict: Verdict) -> Outcome:
    return {"verdict": to_json(verdict)}


if __name__ == "__main__":
    main()
