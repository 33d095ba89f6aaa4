"""Certificates: writing them, and saying what they rest on."""

from __future__ import annotations

from headwater_ir import expr as ir
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Certificate, Solution

from ..semantics.values import lnot
from . import smtlib
from .conditions import Goal, goals

VERSION = 1


def certify(problem: FoldProblem, solution: Solution) -> Certificate:
    """The certificate of a claimed solution; nothing is proved by writing it."""
    scripts = tuple((g.name, script(g)) for g in goals(problem, solution))
    return Certificate(VERSION, problem, solution, assumptions(problem), scripts)


def assumptions(problem: FoldProblem) -> tuple[str, ...]:
    """What the proof takes on trust: what the front end noted, and every opaque function."""
    fold = problem.fold
    parts = [
        *fold.init,
        *fold.step,
        *(fold.merge or ()),
        fold.emit,
        problem.predicate,
        *(o.value for o in fold.outputs),
    ]
    opaque = sorted(
        {n.name for p in parts for n in ir.walk(p) if isinstance(n, ir.Call) and not n.name.startswith("agg:")}
    )
    return (*fold.assumptions, *(f"`{name}` is pure: its result depends on its arguments alone" for name in opaque))


def script(goal: Goal) -> str:
    """The goal as a self-contained SMT-LIB 2 script: ``unsat`` means proved."""
    title = goal.name + (f" ({goal.part})" if goal.part else "")
    return f"; {title}: unsat means proved\n" + smtlib.script([*goal.hypotheses, lnot(goal.conclusion)])
