"""Bugs to plant into the tool: whoever judges rewrites must see them.

Some make a wrong solution of a right proof; the interpreter sees those as well. Others misread the program before the
proof, as a wrong front end would; of those only running the program tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from headwater.engine.analysis.conditional import Fact, with_facts
from headwater.engine.analysis.solver import Solver
from headwater_ir.expr import TRUE, Compare, CompareOp, Expr, transform
from headwater_ir.problem import Fold, FoldProblem
from headwater_ir.types import may_hold_nan
from headwater_ir.verdict import Proved, Solution, Verdict
from tests.planted import Fault

from .examine import examined
from .mistakes import SHOWN, mistaken
from .tool import answer, solve
from .write import Recorded, Writer, write, write_flow, writer_of

PATIENCE = 200
"""Programs within which a wrong solver must be seen."""

_STRICTER: dict[CompareOp, CompareOp] = {">=": ">", "<=": "<", ">": ">=", "<": "<="}


def bounds_moved(e: Expr) -> Expr:
    """Each bound includes what it excluded, and the other way round."""
    return transform(e, lambda n: replace(n, op=_STRICTER.get(n.op, n.op)) if isinstance(n, Compare) else None)


def _answering(change: Callable[[Solution], Solution]) -> Solver:
    """A solver whose solutions are changed after their proof."""

    def run(problem: FoldProblem, seconds: float) -> Verdict:
        verdict = solve(problem, seconds)
        if not isinstance(verdict, Proved):
            return verdict
        certificate = verdict.certificate
        return replace(verdict, certificate=replace(certificate, solution=change(certificate.solution)))

    return run


def _reading(change: Callable[[Fold], Fold]) -> Solver:
    """A solver that is asked about another fold than the program's."""
    return lambda problem, seconds: solve(replace(problem, fold=change(problem.fold)), seconds)


def _never_missing(problem: FoldProblem, seconds: float) -> Verdict:
    columns = [c for c in problem.fold.columns if not c.ghost]
    facts = [Fact(c.name, nan) for c in columns for nan in (False, True) if not nan or may_hold_nan(c.type)]
    return solve(with_facts(problem, tuple(facts)), seconds)


PLANTED: dict[str, Solver] = {
    "the bounds of the pre-filter are moved": _answering(lambda s: replace(s, pre_filter=bounds_moved(s.pre_filter))),
    "the filter after the boundary is dropped": _answering(lambda s: replace(s, kind="exact", residual=TRUE)),
    "the bounds in the loop are misread": _reading(lambda f: replace(f, step=tuple(map(bounds_moved, f.step)))),
    "no value is ever missing": _never_missing,
    "an absent group still has a row": _reading(lambda f: replace(f, grouped=f.rows == "one")),
}
_MOVED = "the bounds of the pre-filter are moved"
MOVED = ("rdd rows", "rdd keys", "pandas_udf series", "mapInPandas", "explode", "unpivot", "udf in filter",
         "applyInPandas key", "early return", "union by name", "above a union")  # fmt: skip
"""Shapes of which a solver that moves the bounds of its pre-filters is wrong."""
MOVED_AT = {"checkpoint": 32, "unread": 28, "join range": 0, "dates": 12, "picks": 124, "join side": 96,
            "qualified": 48, "element function": 8, "pandas reduced": 4, "arrow reduced": 8, "rdd reduced": 4,
            "udtf reduced": 0}  # fmt: skip
"""More of them, each with a program that shows it."""


def _sees(writer: Writer, seeds: Iterable[int], solver: Solver = solve) -> bool:
    tool = partial(answer, again=False, solver=solver)
    return any(examined(seed, tool, shrink=False, writer=writer).wrong for seed in seeds)


def faults() -> Iterator[Fault]:
    """Wrong solvers within so many programs, and each mistake at its program."""
    for name, solver in PLANTED.items():
        yield Fault("fuzz", name, partial(_sees, write, range(0, PATIENCE, Recorded.SPELLINGS), solver))
    for shape in MOVED:
        seen = partial(_sees, writer_of(shape), range(0, 2 * PATIENCE, Recorded.SPELLINGS), PLANTED[_MOVED])
        yield Fault("fuzz", f"{_MOVED}, {shape}", seen)
    for shape, seed in MOVED_AT.items():
        yield Fault("fuzz", f"{_MOVED}, {shape}", partial(_sees, writer_of(shape), [seed], PLANTED[_MOVED]))
    for name, shape, seed in SHOWN:
        seen = partial(_sees, write_flow if shape == "flow" else writer_of(shape), [seed])
        yield Fault("fuzz", f"{name}, {shape}", seen, partial(mistaken, name), clean=True)
