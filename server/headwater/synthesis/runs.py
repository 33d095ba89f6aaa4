"""Sampled groups with the original run recorded, so that every candidate ``G`` is compared with the same runs."""

from __future__ import annotations

import random
from dataclasses import dataclass

from headwater_ir.expr import Scalar
from headwater_ir.problem import FoldProblem

from ..semantics.interpreter import Env, EvaluationError, Machine, compile_expr
from .guidance import FAR, distance
from .samples import Group, Row, Sampler

MaybeState = tuple[Scalar, ...] | None
Outcome = object
"""The output row that passes P as canonical values, None if none does, ``ERROR`` if finding out raises."""
ERROR = "error"
GROUPS = 100
DRAWS = 360
LONGEST = 5
CHOICES = 5
HARD_TRIES = 2
HARD_CHOICES = 120


@dataclass(frozen=True)
class Run:
    """A group; ``states`` and ``outcomes`` after 0, 1, … rows, as far as the original gets without an error. ``first``
    is the number of its first row among the rows of all runs."""

    group: Group
    states: tuple[MaybeState, ...]
    outcomes: tuple[Outcome, ...]
    first: int


class Runner:
    """Runs one fold problem on concrete rows."""

    def __init__(self, problem: FoldProblem) -> None:
        self.machine = Machine(problem.fold)
        self._predicate = compile_expr(problem.predicate)
        self._distance = distance(problem.predicate)

    def outcome(self, state: MaybeState, keys: Row, params: Row) -> Outcome:
        """What a group in ``state`` yields."""
        try:
            outs = self.machine.output(state, keys, params)
            if outs is None or self._predicate(Env(outs=outs, params=params)) is not True:
                return None
            return tuple(map(canonical, outs.values()))
        except EvaluationError:
            return ERROR

    def record(self, group: Group, first: int) -> Run:
        """The original run over ``group``."""
        params, keys = group.params, group.rows[0]
        states = [self.machine.start(keys, params)]
        try:
            for row in group.rows:
                states.append(self.machine.step(states[-1], row, params))
        except EvaluationError:
            pass
        outcomes = tuple(self.outcome(s, keys, params) for s in states)
        return Run(group, tuple(states), outcomes, first)

    def final(self, rows: list[Row], params: Row, keys: Row) -> Outcome:
        """What the rows of one group yield."""
        try:
            state = self.machine.start(keys, params)
            for row in rows:
                state = self.machine.step(state, row, params)
        except EvaluationError:
            return ERROR
        return self.outcome(state, keys, params)

    def miss(self, state: MaybeState, row: Row, params: Row) -> float:
        """How far the group is from passing P after one more row."""
        try:
            outs = self.machine.output(self.machine.step(state, row, params), row, params)
        except EvaluationError:
            return FAR * FAR
        return FAR if outs is None else self._distance(Env(outs=outs, params=params))


def sample(problem: FoldProblem, runner: Runner, seed: int = 0) -> list[Run]:
    """A fixed set of runs, about half of which end in an output that passes P."""
    sampler, chance = Sampler(problem, seed), random.Random(seed)
    passing: list[Group] = []
    others: list[Group] = []
    for i in range(DRAWS):
        length = 1 + i % LONGEST
        group = _guided(sampler, runner, chance, length + 3) if i % 4 == 0 else sampler.group(length)
        if group is None:
            continue
        outcome = runner.final(list(group.rows), group.params, group.rows[0])
        if outcome is not None and outcome != ERROR and len(passing) < GROUPS // 2:
            passing.append(group)
        elif outcome is None and len(others) < GROUPS // 2:
            others.append(group)
        if len(passing) + len(others) == GROUPS:
            break
    if not passing:
        passing = _hard_won(sampler, runner, chance)
    runs: list[Run] = []
    first = 0
    for group in (*passing, *others):
        runs.append(runner.record(group, first))
        first += len(group.rows)
    return runs


def _hard_won(sampler: Sampler, runner: Runner, chance: random.Random) -> list[Group]:
    """Groups that pass where short groups and few choices do not, and the same groups spoiled."""
    for _ in range(HARD_TRIES):
        found = _grown(sampler, runner, 2 * LONGEST, HARD_CHOICES)
        if found is None:
            continue
        rows, pool, params = found
        outcome = runner.final(rows, params, rows[0])
        if outcome is not None and outcome != ERROR:
            spoiled = [_spoiled(rows, pool, chance) for _ in range(GROUPS // 4)]
            return [Group(tuple(r), params) for r in (rows, *spoiled)]
    return []


def _guided(sampler: Sampler, runner: Runner, chance: random.Random, longest: int) -> Group | None:
    """A group grown row by row toward P, with rows drawn blindly put in between: where such a row spoils it, a
    pre-filter that drops the row is refuted."""
    found = _grown(sampler, runner, longest, CHOICES, chance)
    if found is None:
        return None
    rows, pool, params = found
    rows = _spoiled(rows, pool, chance)
    if chance.random() < 0.3:
        chance.shuffle(rows)
    return Group(tuple(rows), params)


def _spoiled(rows: list[Row], pool: list[Row], chance: random.Random) -> list[Row]:
    longer = list(rows)
    for _ in range(chance.randrange(1, 3)):
        longer.insert(chance.randrange(len(longer) + 1), pool[chance.randrange(len(pool))])
    return longer


def _grown(
    sampler: Sampler, runner: Runner, longest: int, choices: int, chance: random.Random | None = None
) -> tuple[list[Row], list[Row], Row] | None:
    """Rows that bring a group ever nearer to P, the rows that they were chosen from, and the parameters. With
    ``chance`` it may go on when P is reached."""
    drawn = sampler.group(longest * choices)
    if drawn is None:
        return None
    params, pool = drawn.params, list(drawn.rows)
    state = runner.machine.start(pool[0], params)
    rows: list[Row] = []
    while len(rows) < longest:
        offers = pool[len(rows) * choices :][:choices]
        miss, best = min((runner.miss(state, r, params), i) for i, r in enumerate(offers))
        try:
            state = runner.machine.step(state, offers[best], params)
        except EvaluationError:
            return None
        rows.append(offers[best])
        if miss == 0 and (chance is None or chance.random() < 0.7):
            break
    return rows, pool, params


def canonical(v: Scalar) -> object:
    """A value by identity: NaN is itself, -0.0 is 0.0, 1 is not True."""
    if isinstance(v, bool):
        return ("bool", v)
    return "NaN" if isinstance(v, float) and v != v else v
