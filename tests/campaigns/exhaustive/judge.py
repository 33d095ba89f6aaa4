"""The prover's verdict on every filter of a module, its rewrites, and whether the reference agrees."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.analysis.reading import read
from headwater.engine.analysis.reporting_policy import moves_anyway
from headwater.engine.files.fixing import fix_text
from headwater.operators.move import Moved, Stopped, move
from headwater.rewrite.edit import apply_edits
from headwater.rewrite.edits import CannotEdit, CannotSpell, Text, build_rewrite
from headwater.synthesis.algorithm import Limits, solve
from headwater_ir.module import Module
from headwater_ir.plan import Filter
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Proved, Unknown, Verdict
from tests.results import Failed, Result

from .missed import Missed, missed_chance
from .programs import SCHEMAS, Plan
from .reference import Reference

SECONDS = 20.0
Prover = Callable[[FoldProblem], Verdict]


@dataclass
class Memory:
    """A prover that answers equal problems once."""

    prover: Prover = lambda problem: solve(problem, Limits(SECONDS))
    answers: dict[FoldProblem, Verdict] = field(default_factory=dict)
    seconds: float = 0.0

    def __call__(self, problem: FoldProblem) -> Verdict:
        if problem not in self.answers:
            start = time.process_time()
            self.answers[problem] = self.prover(problem)
            self.seconds += time.process_time() - start
        return self.answers[problem]


@dataclass(frozen=True)
class Ruling:
    """What became of one statement: ``word`` is the kind of a proved solution, ``spark`` (Spark moves the filter
    itself), ``refused``, ``unknown``, ``stopped: …`` or ``unwritten``; ``rewritten`` is the module of that one
    statement as rewritten."""

    word: str
    rewritten: str | None = None


@dataclass(frozen=True)
class Wrong:
    """A proved rewrite that changes the result on a table."""

    plan: str
    condition: str
    rewritten: str
    table: object
    before: object
    after: object


@dataclass
class Tally:
    """What was seen of one plan or of many."""

    plans: int = 0
    predicates: int = 0
    problems: int = 0
    tables: int = 0
    words: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count ``other`` in."""
        self.plans += other.plans
        self.predicates += other.predicates
        self.problems += other.problems
        self.tables += other.tables
        self.words += other.words
        self.wrong += other.wrong
        self.missed += other.missed


def rulings(plan: Plan, conditions: list[str], prover: Prover) -> list[Ruling]:
    """The ruling on the topmost filter of each statement."""
    source, first = plan.module(conditions), plan.head.count("\n")
    found = _topmost(source, read(source, Options(schemas=SCHEMAS)))
    return [_ruling(plan, c, found.get(first + i), prover) for i, c in enumerate(conditions)]


def _topmost(source: str, module: Module) -> dict[int, Filter]:
    """The outermost filter on each line, counted from 0."""
    top: dict[int, Filter] = {}
    for filter_ in module.filters:
        line = source.count("\n", 0, filter_.call.end)
        if line not in top or filter_.call.end > top[line].call.end:
            top[line] = filter_
    return top


def _ruling(plan: Plan, condition: str, filter_: Filter | None, prover: Prover) -> Ruling:
    if filter_ is None:
        return Ruling("nothing")
    moved = move(filter_)
    if isinstance(moved, Stopped):
        return Ruling("no boundary" if moved.no_boundary else f"stopped: {moved.obstruction}")
    verdict = prover(moved.problem)
    if isinstance(verdict, Proved):
        return _written(plan, condition, verdict)
    if isinstance(verdict, Unknown):
        return Ruling("unknown")
    return Ruling("spark" if moves_anyway(moved) else "refused")


def _written(plan: Plan, condition: str, verdict: Proved) -> Ruling:
    # Alone in its module, for that is quicker; and also what the engine keeps quiet about, for it was proved.
    source = plan.module([condition])
    module = read(source, Options(schemas=SCHEMAS))
    (filter_,) = _topmost(source, module).values()
    moved = move(filter_)
    assert isinstance(moved, Moved)
    assert moved.problem == verdict.certificate.problem, "one text, one problem"
    try:
        rewrite = build_rewrite(Text(source), module, moved, verdict.solution)
    except (CannotEdit, CannotSpell):
        return Ruling("unwritten")
    return Ruling(rewrite.kind, apply_edits(source, rewrite.edits))


class Judge:
    """Judges plans with one prover; references are shared between plans over the same tables."""

    def __init__(self, prover: Prover, look_for_missed: bool = True) -> None:
        self.prover, self.look_for_missed = prover, look_for_missed
        self._references: dict[tuple[str, int, bool], Reference] = {}

    def reference(self, plan: Plan) -> Reference:
        """The tables for ``plan``."""
        key = (plan.table, plan.rows, plan.rdd)
        if key not in self._references:
            self._references[key] = Reference(*key)
        return self._references[key]

    def judge(self, plan: Plan, conditions: list[str] | None = None) -> Tally:
        """All statements of one plan."""
        conditions = plan.predicates() if conditions is None else conditions
        ruled = rulings(plan, conditions, self.prover)
        reference = self.reference(plan)
        tally = Tally(plans=1, predicates=len(conditions), words=Counter(r.word for r in ruled))
        asked = [i for i, r in enumerate(ruled) if r.rewritten or (r.word in ("refused", "unknown") and not plan.rdd)]
        if not asked:
            return tally
        before = reference.run(plan.head + "".join(plan.statement(i, conditions[i]) for i in asked))
        changed = {i: _statement(plan, i, text) for i in asked if (text := ruled[i].rewritten)}
        after = reference.run(plan.head + "".join(changed.values()))
        tally.tables = len(reference.keys) * (len(asked) + len(changed))
        for i in asked:
            outcomes = before[f"r{i}"]
            if i in changed:
                tally.wrong += _differences(plan, conditions[i], changed[i], reference, outcomes, after[f"r{i}"])
                tally.add(self._fixed(plan, conditions[i], reference, outcomes))
            elif self.look_for_missed:
                found = missed_chance(plan, conditions[i], reference, outcomes)
                tally.missed += [found] if found else []
        reference.forget()
        return tally

    def _fixed(self, plan: Plan, condition: str, reference: Reference, before: list[Result]) -> Tally:
        """What the whole tool makes of a filter over two boundaries: a pre-filter of the upper one may go on below the
        lower one."""
        tally = Tally()
        if sum(o.sort == "boundary" for o in plan.operators) < 2:
            return tally
        fixed = fix_text(
            plan.module([condition]),
            lambda text: analyse(text, Options(schemas=SCHEMAS), lambda problem, _: self.prover(problem)),
            accept_assumptions=True,
        )
        tally.words[f"fixed {len(fixed.applied)} times"] += 1
        if fixed.applied:
            after = reference.run(fixed.text)["r0"]
            tally.wrong += _differences(plan, condition, fixed.text, reference, before, after)
        return tally


def _statement(plan: Plan, number: int, rewritten: str) -> str:
    """The rewritten statement under its number; the definitions before it must be as they were."""
    assert rewritten.startswith(plan.head + "r0 = ")
    return f"r{number}" + rewritten[len(plan.head) + 2 :]


def _differences(
    plan: Plan, condition: str, text: str, reference: Reference,
    before: list[Result], after: list[Result],
) -> list[Wrong]:  # fmt: skip
    for key, old, new in zip(reference.keys, before, after, strict=True):
        # An error may go away; it may not come.
        if not isinstance(old, Failed) and (isinstance(new, Failed) or old != new):
            return [Wrong(plan.name, condition, text, key, old, new)]
    return []
