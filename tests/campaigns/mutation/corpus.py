"""Proved solutions to mutate: hand-built, of the synthesis on named and on random problems, and of the suite."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from benchmarks.synthesis import suite

from headwater.synthesis.algorithm import Limits, solve
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Proved, Solution
from tests.proof.test_wrong_certificates import RIGHT
from tests.synthesis.random_problems import Writer
from tests.synthesis.test_solve import SOLVED

Case = tuple[str, FoldProblem, Solution]
QUICK = (
    "001 Example 3.3: top two scores", "max of floats keeps NaN, which Spark orders last", "a sum of ones and zeros",
    "a flag", "a global max leaves a NULL row behind",
)  # fmt: skip


def hand_built() -> Iterator[Case]:
    """Small, with a ψ written by hand."""
    yield from ((name, problem, s) for name, (problem, s) in RIGHT.items())


def solved(names: tuple[str, ...] = tuple(SOLVED)) -> Iterator[Case]:
    """Problems that the papers name."""
    for name in names:
        yield from _proved(name, SOLVED[name][0])


def random_ones(seeds: range) -> Iterator[Case]:
    """Random problems that have a solution."""
    for seed in seeds:
        yield from _proved(f"random {seed}", Writer(seed).problem())


def of_the_suite() -> Iterator[Case]:
    """What the synthesis proves of benchmarks/suite: every API, row functions, parameters, unstated types."""
    for path in suite.files():
        for p in suite.load(path):
            if p.problem is not None:
                yield from _proved(p.name, p.problem)


def everything() -> Iterator[Case]:
    """The whole corpus."""
    yield from chain(hand_built(), solved(), random_ones(range(60)), of_the_suite())


def _proved(name: str, problem: FoldProblem) -> Iterator[Case]:
    verdict = solve(problem, Limits(20))
    if isinstance(verdict, Proved):
        yield name, problem, verdict.solution
