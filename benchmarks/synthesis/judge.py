"""Turns a worker's outcome into a record of the results file: what was found, how good it is, what it cost."""

from __future__ import annotations

import time
from typing import Any

from headwater.engine.analysis.messages import formula
from headwater.proof import cvc5_backend
from headwater.proof.checker import accepted, check
from headwater.rewrite.spell_sql import spell_sql
from headwater_ir import expr as ir
from headwater_ir.codec import from_json
from headwater_ir.expr import Expr
from headwater_ir.problem import Fold
from headwater_ir.verdict import Bounded, Certificate, Proved, Solution, Verdict

from .runner import Outcome
from .strength import Answer, answer, compare, implies_on_outputs, implies_on_rows
from .suite import Problem

CVC5_SECONDS = 60.0
Record = dict[str, Any]


def decoded(outcome: Outcome) -> Verdict | None:
    """The verdict of an outcome, if it has one."""
    found = outcome.get("verdict")
    verdict: Verdict | None = None if found is None else from_json(found, Verdict)
    return verdict


def found_by(problem: Problem, outcome: Outcome) -> Answer:
    """What a search answered, in the words of the suite."""
    if problem.problem is None:
        return answer(problem, problem.moved)  # type: ignore[arg-type]
    verdict = decoded(outcome)
    if verdict is None:
        why = "killed at the limit" if outcome.get("timeout") else f"crashed: {outcome.get('crash')}"
        return Answer("unknown", "time-out" if outcome.get("timeout") else None, why)
    return answer(problem, verdict)


def judged(problem: Problem, outcome: Outcome, with_cvc5: bool) -> Record:
    """The record of a search."""
    found = found_by(problem, outcome)
    comparison = compare(problem, found)
    record: Record = {
        "problem": problem.name,
        "domain": problem.domain,
        "api": problem.problem.fold.api if problem.problem else None,
        "grouped": problem.grouped,
        "accepts_nothing": problem.accepts_nothing,
        "expected": " ".join((problem.expected.kind, *problem.expected.obstructions)),
        "found": found.kind,
        "obstruction": found.obstruction,
        "reason": found.reason,
        "quiet": found.quiet,
        "complaints": list(comparison.complaints),
        "stronger_than_expected": comparison.stronger,
        "but_for_nan": comparison.but_for_nan,
        **{k: round(outcome[k], 5) for k in ("wall", "cpu", "peak_mb") if k in outcome},
        "statistics": outcome.get("statistics", {}),
    }
    if found.solution is not None and problem.problem is not None:
        record |= _sizes(found.solution, problem.problem.fold)
        verdict = decoded(outcome)
        if with_cvc5 and isinstance(verdict, Proved):
            record |= _second_opinion(verdict.certificate)
    return record


def _sizes(solution: Solution, fold: Fold) -> Record:
    psi = [n for a in solution.invariant for n in ir.walk(a)]
    return {
        "prefilter": spelled(solution.pre_filter, fold),
        "residual": spelled(solution.residual, fold),
        "atoms": {
            "G": len(ir.conjuncts(solution.pre_filter)),
            "R": len(ir.conjuncts(solution.residual)),
            "psi": len(solution.invariant),
        },
        "nodes": {
            "G": sum(1 for _ in ir.walk(solution.pre_filter)),
            "R": sum(1 for _ in ir.walk(solution.residual)),
            "psi": len(psi),
        },
    }


def spelled(e: Expr, fold: Fold) -> str:
    """``e`` for people."""
    return spell_sql(e) or formula(e, fold)


def _second_opinion(certificate: Certificate) -> Record:
    if not cvc5_backend.available():
        return {}
    start = time.perf_counter()
    conditions = check(certificate, "cvc5", CVC5_SECONDS)
    return {"cvc5": accepted(conditions), "cvc5_wall": round(time.perf_counter() - start, 4)}


def projection_gain(problem: Problem, with_it: Outcome, without: Outcome) -> str | None:
    """How the G of ``full`` compares with that of ``no-projection``: ``strictly stronger``, ``equal``, ``weaker``, or
    ``incomparable``; ``only with`` where the search finds nothing (or no proof that the filter never passes) without;
    None where there is nothing to compare."""
    if problem.problem is None:
        return None
    full, plain = found_by(problem, with_it), found_by(problem, without)
    if full.kind == "never":
        return "equal" if plain.kind == "never" else "only with"
    if full.solution is None:
        return None
    if plain.solution is None:
        return "only with"
    forward = implies_on_rows(problem.problem, full.solution.pre_filter, plain.solution.pre_filter)
    back = implies_on_rows(problem.problem, plain.solution.pre_filter, full.solution.pre_filter)
    return {(True, True): "equal", (True, False): "strictly stronger", (False, True): "weaker"}.get(
        (forward, back), "incomparable"
    )


def against_spacer(problem: Problem, full: Outcome, outcome: Outcome) -> Record:
    """The record of a Spacer run, and how its residual compares with ours."""
    record: Record = {"problem": problem.name, **{k: v for k, v in outcome.items() if k != "residual"}}
    record["residual_is"] = None
    solution = found_by(problem, full).solution
    if outcome.get("spacer") == "proved" and problem.problem is not None and solution is not None:
        theirs = from_json(outcome["residual"], Expr)
        weaker = implies_on_outputs(problem.problem, solution, solution.residual, theirs)
        stronger = implies_on_outputs(problem.problem, solution, theirs, solution.residual)
        names = {(True, True): "equal", (False, True): "stronger", (True, False): "weaker"}
        record["residual_is"] = names.get((weaker, stronger), "incomparable")
    return record


def bounded_agrees(problem: Problem, outcome: Outcome, full: Outcome) -> bool | None:
    """False where the bounded check excludes what the search proves and a user is told; None where either has no
    verdict."""
    quick, whole = decoded(outcome), decoded(full)
    if quick is None or whole is None:
        return None
    told = isinstance(whole, Proved) and not found_by(problem, full).quiet
    return not told or isinstance(quick, Bounded)
