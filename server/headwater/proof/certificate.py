"""Certificates: writing them, and saying what they rest on."""

from __future__ import annotations

from headwater_ir import expr as ir
from headwater_ir.assumptions import Assumption, note, purity_of
from headwater_ir.crossing import Path
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Certificate, ConditionName, Solution

from ..semantics.values import lnot
from . import smtlib
from .conditions import Goal, goals

VERSION = 5


def certify(problem: FoldProblem, solution: Solution) -> Certificate:
    """The certificate of a claimed solution of the boundary; nothing is proved by writing it."""
    return Certificate(VERSION, problem, solution, assumptions(problem), scripts(problem, solution))


def assumptions(problem: FoldProblem, path: Path | None = None) -> tuple[Assumption, ...]:
    """What the front end stated, and a note for every function that the proof does not look into. Where nothing but the
    user vouches for such a function, the front end states its purity as an assumption."""
    fold = problem.fold
    parts = [*fold.init, *fold.step, *(fold.merge or ()), fold.emit, problem.predicate]
    parts += [o.value for o in fold.outputs]
    parts += [e for c in path.crossings for e in (c.before, c.after)] if path is not None else []
    opaque = sorted({n.name for p in parts for n in ir.walk(p) if isinstance(n, ir.Call) and n.kind != "state"})
    stated = {a.text for a in fold.assumptions}
    return (*fold.assumptions, *(note(text) for text in map(purity_of, opaque) if text not in stated))


def scripts(problem: FoldProblem, solution: Solution) -> tuple[tuple[ConditionName, str], ...]:
    """Each goal as a self-contained SMT-LIB 2 script, ``unsat`` meaning proved. UnsupportedTerm if one has no
    encoding."""
    return written(goals(problem, solution))


def written(claims: list[Goal]) -> tuple[tuple[ConditionName, str], ...]:
    """``claims`` as scripts."""
    printer = smtlib.Printer()
    found = []
    for goal in claims:
        title = goal.name + (f" ({goal.part})" if goal.part else "")
        text = printer.script([*goal.hypotheses, lnot(goal.conclusion)])
        found.append((goal.name, f"; {title}: unsat means proved\n{text}"))
    return tuple(found)
