"""Why a filter does not move, in the vocabulary of ANCHORS.md."""

from __future__ import annotations

from headwater_ir import expr as ir
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Counterexample, Refuted

from ..semantics.interpreter import Env, EvaluationError, Machine, compile_expr, run_fold
from .concrete import Difference
from .samples import Group


def explain(problem: FoldProblem, difference: Difference | None) -> Refuted:
    """The verdict for a problem without a sound non-trivial pre-filter; ``difference`` refuted the last candidate."""
    example = None
    if difference is not None:
        rows = tuple(tuple(sorted(row.items())) for row in difference.group.rows)
        example = Counterexample(rows, "dropping row " + ", ".join(str(i + 1) for i in difference.dropped))
    if problem.fold.grouped and problem.fold.rows == "many" and _accepts_nothing(problem):
        reason = "a group of which every row was dropped would vanish, but the filter accepts it"
        return Refuted("empty-input-row", reason, example)
    if not problem.fold.grouped and (_accepts_nothing(problem) or not ir.outputs_of(problem.predicate)):
        reason = "the row that is left when every row was dropped is one that the filter accepts"
        return Refuted("empty-input-row", reason, example)
    called = {n.name for e in problem.fold.step for n in ir.walk(e) if isinstance(n, ir.Call)}
    opaque = sorted({name.split(":")[0] for name in called})
    if opaque:
        return Refuted("opaque", f"every row may matter to {', '.join(opaque)}", example)
    if difference is not None and _goes_by_order(problem, difference.group):
        return Refuted("representative-choice", "which row is picked depends on which rows there are", example)
    return Refuted("no-prefilter", "every condition on single rows that was tried changes the result", example)


def _goes_by_order(problem: FoldProblem, group: Group) -> bool:
    """Whether the same rows backwards give another output."""
    try:
        there, back = (run_fold(problem.fold, rows, group.params) for rows in (group.rows, group.rows[::-1]))
    except EvaluationError:
        return False
    return there != back


def _accepts_nothing(problem: FoldProblem) -> bool:
    """Whether P is TRUE of the output of the initial state."""
    fold = problem.fold
    if fold.params or any(not isinstance(i, ir.Lit) for i in fold.init):
        return False
    try:
        machine = Machine(fold)
        keys = dict.fromkeys(fold.keys)
        outs = machine.output(machine.initial(keys), keys)
        return outs is not None and compile_expr(problem.predicate)(Env(outs=outs)) is True
    except EvaluationError:
        return False
