"""Concrete refutation: run the fold with and without ``G`` before asking the solver anything (THEORY.md section 3).

A reachable pair of states that falsifies an atom drops it; an input on which the rewritten run differs refutes ``G``.
Both are cheap and final; survival proves nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from headwater_ir import expr as ir
from headwater_ir.expr import Expr, Scalar
from headwater_ir.problem import FoldProblem

from ..proof.vocabulary import pushable_columns
from ..semantics.interpreter import Env, EvaluationError, Evaluator, Machine, compile_expr
from .guidance import FAR, distance
from .samples import Group, Row, Sampler

MaybeState = tuple[Scalar, ...] | None
GROUPS = 160
DRAWS = 1600
LONGEST = 5
CHOICES = 6


@dataclass(frozen=True)
class Pair:
    """A reachable pair of states, with the group's keys and parameters."""

    original: MaybeState
    optimized: MaybeState
    keys: Row
    params: Row


@dataclass(frozen=True)
class Difference:
    """A group on which ``G`` changes the result; ``dropped`` are the indices of the rows that ``G`` drops. ``lossy``:
    only if the scan loses NaN rows (vocabulary.py)."""

    group: Group
    dropped: tuple[int, ...]
    lossy: bool


class Laboratory:
    """Runs one problem on a fixed set of sampled groups, about half of which pass P."""

    def __init__(self, problem: FoldProblem, seed: int = 0) -> None:
        self.problem = problem
        self._machine = Machine(problem.fold)
        self._predicate = compile_expr(problem.predicate)
        self._compiled: dict[Expr, Evaluator] = {}
        self._vectors: dict[Expr, int] = {}
        self._lossy_columns: dict[Expr, list[str]] = {}
        self._random = random.Random(seed)
        self._groups = self._draw(Sampler(problem, seed))
        self._rows = [(row, group.params) for group in self._groups for row in group.rows]

    def _draw(self, sampler: Sampler) -> list[Group]:
        passing: list[Group] = []
        others: list[Group] = []
        for i in range(DRAWS):
            length = 1 + i % LONGEST
            group = self._guided(sampler, length + 3) if i % 4 == 0 else sampler.group(length)
            if group is None:
                continue
            outcome = self._outcome(group, [True] * len(group.rows))
            if outcome is not None and outcome != "error" and len(passing) < GROUPS // 2:
                passing.append(group)
            elif outcome is None and len(others) < GROUPS // 2:
                others.append(group)
            if len(passing) + len(others) == GROUPS:
                break
        return [*passing, *others]

    def _guided(self, sampler: Sampler, longest: int) -> Group | None:
        """A group grown row by row toward P, then mixed with rows drawn blindly."""
        drawn = sampler.group(longest * CHOICES)
        if drawn is None:
            return None
        params, pool = drawn.params, list(drawn.rows)
        state = self._machine.start(pool[0], params)
        rows: list[Row] = []
        while len(rows) < longest:
            offers = [(self._miss(state, r, params), i) for i, r in enumerate(pool[len(rows) * CHOICES :][:CHOICES])]
            miss, best = min(offers)
            row = pool[len(rows) * CHOICES + best]
            try:
                state = self._machine.step(state, row, params)
            except EvaluationError:
                return None
            rows.append(row)
            if miss == 0 and self._random.random() < 0.7:
                break
        rows += pool[-self._random.randrange(1, 3) :]
        self._random.shuffle(rows)
        return Group(tuple(rows), params)

    def _miss(self, state: MaybeState, row: Row, params: Row) -> float:
        try:
            outs = self._machine.output(self._machine.step(state, row, params), row, params)
        except EvaluationError:
            return FAR * FAR
        return FAR if outs is None else distance(self.problem.predicate, Env(outs=outs, params=params))

    def implies(self, stronger: Expr, weaker: Expr) -> bool:
        """Whether no sampled row tells against ``stronger ⟹ weaker``. A hint for the search, never a fact."""
        return not self._vector(stronger) & ~self._vector(weaker)

    def _vector(self, condition: Expr) -> int:
        if condition not in self._vectors:
            bits = 0
            for i, (row, params) in enumerate(self._rows):
                for lossy in (False, True):
                    bits |= self.holds_on_row(condition, row, params, lossy) << (2 * i + lossy)
            self._vectors[condition] = bits
        return self._vectors[condition]

    def holds_on_row(self, condition: Expr, row: Row, params: Row, lossy: bool = False) -> bool:
        """Whether ``condition`` is TRUE on ``row``; an error counts as not, and so does what a lossy scan may lose."""
        if lossy and any(_is_nan(row[c]) for c in self._pushable(condition)):
            return False
        try:
            return self._evaluator(condition)(Env(row=row, params=params)) is True
        except EvaluationError:
            return False

    def _pushable(self, condition: Expr) -> list[str]:
        if condition not in self._lossy_columns:
            self._lossy_columns[condition] = pushable_columns(condition)
        return self._lossy_columns[condition]

    def difference(self, prefilter: tuple[Expr, ...]) -> Difference | None:
        """A small group on which pre-filtering changes what passes, or None."""
        for group in self._groups:
            for lossy in (False, True):
                kept = [self._keeps(prefilter, row, group.params, lossy) for row in group.rows]
                length = self._first_difference(group, kept)
                if length is not None:
                    return self._shrunk(prefilter, Group(group.rows[:length], group.params), lossy)
        return None

    def _first_difference(self, group: Group, kept: list[bool]) -> int | None:
        """The length of the shortest prefix of ``group`` on which the two runs end differently."""
        if all(kept):
            return None
        machine, params, keys = self._machine, group.params, group.rows[0]
        original = optimized = machine.start(keys, params)
        for i, (row, keep) in enumerate(zip(group.rows, kept, strict=True)):
            try:
                original = machine.step(original, row, params)
            except EvaluationError:
                return None
            try:
                optimized = machine.step(optimized, row, params) if keep else optimized
            except EvaluationError:
                return i + 1
            before, after = self._passing(original, keys, params), self._passing(optimized, keys, params)
            if before != "error" and before != after:
                return i + 1
        return None

    def _shrunk(self, prefilter: tuple[Expr, ...], group: Group, lossy: bool) -> Difference:
        """Remove rows while the difference remains, so that the blame falls on few."""
        rows = list(group.rows)
        shrinking = True
        while shrinking:
            shrinking = False
            for i in range(len(rows)):
                fewer = Group(tuple(rows[:i] + rows[i + 1 :]), group.params)
                kept = [self._keeps(prefilter, row, group.params, lossy) for row in fewer.rows]
                if fewer.rows and self._differs(fewer, kept):
                    rows, shrinking = list(fewer.rows), True
                    break
        final = Group(tuple(rows), group.params)
        dropped = [i for i, row in enumerate(rows) if not self._keeps(prefilter, row, group.params, lossy)]
        return Difference(final, tuple(dropped), lossy)

    def _differs(self, group: Group, kept: list[bool]) -> bool:
        original = self._outcome(group, [True] * len(kept))
        return original != "error" and self._outcome(group, kept) != original

    def _keeps(self, prefilter: tuple[Expr, ...], row: Row, params: Row, lossy: bool) -> bool:
        return all(self.holds_on_row(g, row, params, lossy) for g in prefilter)

    def _outcome(self, group: Group, kept: list[bool]) -> object:
        """The output row that passes P, None if none does, ``"error"`` if something raises."""
        machine, params = self._machine, group.params
        try:
            state = machine.start(group.rows[0], params)
            for row, keep in zip(group.rows, kept, strict=True):
                state = machine.step(state, row, params) if keep else state
        except EvaluationError:
            return "error"
        return self._passing(state, group.rows[0], params)

    def _passing(self, state: MaybeState, keys: Row, params: Row) -> object:
        try:
            outs = self._machine.output(state, keys, params)
            if outs is None or self._predicate(Env(outs=outs, params=params)) is not True:
                return None
            return tuple(map(canonical, outs.values()))
        except EvaluationError:
            return "error"

    def pairs(self, prefilter: tuple[Expr, ...]) -> Iterator[Pair]:
        """Reachable pairs, merged ones too where the engine merges. A row that holds NaN may be lost (FACTS.md)."""
        seen: set[object] = set()
        previous: Pair | None = None
        for group in self._groups:
            for pair in self._run(prefilter, group):
                identity = tuple(map(_canonical_state, (pair.original, pair.optimized)))
                if (identity, str(pair.params)) not in seen:
                    seen.add((identity, str(pair.params)))
                    yield pair
            if (
                self.problem.fold.merge
                and previous is not None
                and previous.params == pair.params
                and not self.problem.fold.keys
            ):
                yield from self._merged(previous, pair)
            previous = pair

    def _merged(self, a: Pair, b: Pair) -> Iterator[Pair]:
        try:
            original = self._machine.merge(a.original, b.original, a.keys, a.params)
            yield Pair(original, self._machine.merge(a.optimized, b.optimized, a.keys, a.params), a.keys, a.params)
        except EvaluationError:
            return

    def _run(self, prefilter: tuple[Expr, ...], group: Group) -> Iterator[Pair]:
        machine, params = self._machine, group.params
        keys = group.rows[0]
        original = optimized = machine.start(keys, params)
        yield Pair(original, optimized, keys, params)
        for row in group.rows:
            try:
                original = machine.step(original, row, params)
                if self._keeps(prefilter, row, params, self._random.random() < 0.5):
                    optimized = machine.step(optimized, row, params)
            except EvaluationError:
                return
            yield Pair(original, optimized, keys, params)

    def surviving(self, atoms: list[Expr], prefilter: tuple[Expr, ...]) -> list[Expr]:
        """The atoms of ψ that no reachable pair falsifies."""
        alive = [(a, self._evaluator(_presence_as_parameters(a))) for a in atoms]
        for pair in self.pairs(prefilter):
            env = self._pair_env(pair)
            alive = [(a, f) for a, f in alive if _true(f, env)]
        return [a for a, _ in alive]

    def _pair_env(self, pair: Pair) -> Env:
        initial = self._machine.initial(pair.keys, pair.params)
        presence = {"#present1": pair.original is not None, "#present2": pair.optimized is not None}
        slots = (None, pair.original or initial, pair.optimized or initial)
        return Env(row=pair.keys, slots=slots, params={**pair.params, **presence})

    def _evaluator(self, e: Expr) -> Evaluator:
        if e not in self._compiled:
            self._compiled[e] = compile_expr(e)
        return self._compiled[e]


def _presence_as_parameters(atom: Expr) -> Expr:
    """⊥ holds the initial values in ψ (vocabulary.py), so presence has to be told apart from the slots."""
    return ir.transform(atom, lambda n: ir.Param(f"#present{n.side}") if isinstance(n, ir.Present) else None)


def _true(f: Evaluator, env: Env) -> bool:
    try:
        return f(env) is True
    except EvaluationError:
        return False


def _is_nan(v: Scalar) -> bool:
    return isinstance(v, float) and v != v


def canonical(v: Scalar) -> object:
    """A value by identity: NaN is itself, -0.0 is 0.0, 1 is not True."""
    if isinstance(v, bool):
        return ("bool", v)
    return "NaN" if _is_nan(v) else v


def _canonical_state(state: MaybeState) -> object:
    return None if state is None else tuple(map(canonical, state))
