"""Concrete refutation: run the fold with and without ``G`` before asking the solver anything (THEORY.md section 3).

A reachable pair of states that falsifies an atom drops it; an input on which the rewritten run differs refutes ``G``.
Both are cheap and final; survival proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem

from ..proof.vocabulary import pushable_columns
from ..semantics.interpreter import Env, EvaluationError
from .masks import Masks
from .runs import ERROR, MaybeState, Outcome, Run, Runner, canonical, sample
from .samples import Group, Row

__all__ = ["Difference", "Laboratory", "Pair"]


@dataclass(frozen=True)
class Pair:
    """A reachable pair of states, with the group's keys and parameters."""

    original: MaybeState
    optimized: MaybeState
    keys: Row
    params: Row


@dataclass(frozen=True)
class Difference:
    """A group on which ``G`` changes the result. ``dropped`` are the indices of the rows that ``G`` drops, ``rows``
    their numbers in the laboratory. ``lossy``: only if the scan loses NaN rows (vocabulary.py)."""

    group: Group
    dropped: tuple[int, ...]
    rows: tuple[int, ...]
    lossy: bool


class Laboratory:
    """Runs one problem on a fixed set of sampled groups."""

    def __init__(self, problem: FoldProblem, seed: int = 0) -> None:
        self.problem = problem
        self._runner = Runner(problem)
        self._runs = sample(problem, self._runner, seed)
        self._rows = [(row, run.group.params) for run in self._runs for row in run.group.rows]
        self._masks = Masks([Env(row=row, params=params) for row, params in self._rows])
        self._lossy: dict[Expr, int] = {}
        self._optimized: dict[tuple[int, int], tuple[MaybeState, ...]] = {}
        self._lengths: dict[tuple[int, int], int | None] = {}

    def passes_nothing(self) -> bool:
        """Whether no sampled group ever passes P. A hint for the search, never a fact."""
        return all(o is None or o == ERROR for run in self._runs for o in run.outcomes)

    def always(self, condition: Expr) -> bool:
        """Whether ``condition`` is TRUE on every sampled row. A hint for the search, never a fact."""
        return self._masks.true(condition) == self._masks.all

    def kept(self, prefilter: tuple[Expr, ...]) -> tuple[int, int]:
        """The sampled rows that ``prefilter`` keeps, and those that it keeps where the scan loses NaN rows. Pre-filters
        that keep the same rows are taken for the same."""
        return self._kept(prefilter, False), self._kept(prefilter, True)

    def distinct(self, conditions: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """``conditions`` without those that keep the same sampled rows as a shorter one."""
        shortest: dict[tuple[int, int], Expr] = {}
        for g in sorted(conditions, key=lambda g: sum(1 for _ in ir.walk(g))):
            shortest.setdefault(self.kept((g,)), g)
        chosen = set(shortest.values())
        return tuple(g for g in conditions if g in chosen)

    def implies(self, stronger: Expr, weaker: Expr) -> bool:
        """Whether no sampled row tells against ``stronger ⟹ weaker``. A hint for the search, never a fact."""
        return not any(self._mask(stronger, lossy) & ~self._mask(weaker, lossy) for lossy in (False, True))

    def keeps(self, condition: Expr, row: int, lossy: bool = False) -> bool:
        """Whether ``condition`` is TRUE on row number ``row``; an error counts as not, and so does what a lossy scan
        may lose."""
        return bool(self._mask(condition, lossy) >> row & 1)

    def _mask(self, condition: Expr, lossy: bool) -> int:
        if not lossy:
            return self._masks.true(condition)
        found = self._lossy.get(condition)
        if found is None:
            nan = 0
            for column in pushable_columns(condition):
                nan |= self._masks.true(ir.IsNaN(ir.Col(column)))
            found = self._lossy[condition] = self._masks.true(condition) & ~nan
        return found

    def _kept(self, prefilter: tuple[Expr, ...], lossy: bool) -> int:
        kept = self._masks.all
        for g in prefilter:
            kept &= self._mask(g, lossy)
        return kept

    def difference(self, prefilter: tuple[Expr, ...]) -> Difference | None:
        """A small group on which pre-filtering changes what passes, or None."""
        exact, lost = self.kept(prefilter)
        for index, run in enumerate(self._runs):
            for lossy, kept in ((False, exact), (True, lost)):
                if (lossy and exact == lost) or (length := self._first_difference(index, run, kept)) is None:
                    continue
                return self._shrunk(run, length, kept, lossy)
        return None

    def harmless(self, kept: int) -> bool:
        """Whether no sampled group ends differently where only these rows are kept."""
        return all(self._first_difference(index, run, kept) is None for index, run in enumerate(self._runs))

    def rows_with(self, condition: Expr, holds: bool) -> int:
        """The sampled rows on which ``condition`` is TRUE, or is not."""
        true = self._masks.true(condition)
        return true if holds else self._masks.all & ~true

    def _first_difference(self, index: int, run: Run, kept: int) -> int | None:
        """The length of the shortest prefix of the group on which the two runs end differently."""
        size = len(run.group.rows)
        bits = kept >> run.first & ((1 << size) - 1)
        if bits == (1 << size) - 1:
            return None
        if (index, bits) not in self._lengths:
            self._lengths[index, bits] = self._compared(index, run, bits)
        return self._lengths[index, bits]

    def _compared(self, index: int, run: Run, bits: int) -> int | None:
        optimized = self._optimized_states(index, run, bits)
        previous: MaybeState = optimized[0]
        after: Outcome = run.outcomes[0]
        for length in range(1, len(run.states)):
            if length >= len(optimized):
                return length  # the optimized run raised where the original did not
            before = run.outcomes[length]
            if optimized[length] is not previous:
                previous = optimized[length]
                after = self._runner.outcome(previous, run.group.rows[0], run.group.params)
            if before != ERROR and before != after:
                return length
        return None

    def _optimized_states(self, index: int, run: Run, bits: int) -> tuple[MaybeState, ...]:
        """The states of the run over the kept rows, after each row of the group, as far as it gets without an error."""
        known = self._optimized.get((index, bits))
        if known is not None:
            return known
        states = [run.states[0]]
        try:
            for i, row in enumerate(run.group.rows):
                kept = bits >> i & 1
                states.append(self._runner.machine.step(states[-1], row, run.group.params) if kept else states[-1])
        except EvaluationError:
            pass
        self._optimized[index, bits] = tuple(states)
        return self._optimized[index, bits]

    def _shrunk(self, run: Run, length: int, kept: int, lossy: bool) -> Difference:
        """Remove rows while the difference remains, so that the blame falls on few."""
        numbers = list(range(run.first, run.first + length))
        shrinking = True
        while shrinking:
            shrinking = False
            for i in range(len(numbers)):
                fewer = numbers[:i] + numbers[i + 1 :]
                if fewer and self._differs(fewer, kept):
                    numbers, shrinking = fewer, True
                    break
        dropped = tuple(i for i, n in enumerate(numbers) if not kept >> n & 1)
        group = Group(tuple(self._rows[n][0] for n in numbers), run.group.params)
        return Difference(group, dropped, tuple(numbers[i] for i in dropped), lossy)

    def _differs(self, numbers: list[int], kept: int) -> bool:
        rows = [self._rows[n][0] for n in numbers]
        params = self._rows[numbers[0]][1]
        original = self._runner.final(rows, params, rows[0])
        fewer = [row for n, row in zip(numbers, rows, strict=True) if kept >> n & 1]
        return original != ERROR and self._runner.final(fewer, params, rows[0]) != original

    def surviving(self, atoms: Iterable[Expr], prefilter: tuple[Expr, ...]) -> list[Expr]:
        """The atoms of ψ that no reachable pair falsifies."""
        return self._true_everywhere(atoms, self.pairs(prefilter))

    def agreeing(self, atoms: Iterable[Expr], prefilter: tuple[Expr, ...]) -> list[Expr]:
        """The atoms of ψ that two runs over the same kept rows do not falsify: what any ψ may hold that certifies
        ``prefilter`` or a weaker one."""
        pairs = (Pair(p.optimized, p.optimized, p.keys, p.params) for p in self.pairs(prefilter))
        return self._true_everywhere(atoms, pairs)

    def _true_everywhere(self, atoms: Iterable[Expr], pairs: Iterable[Pair]) -> list[Expr]:
        masks = Masks([self._environment(p) for p in pairs], _presence_as_parameters)
        return [a for a in atoms if masks.true(a) == masks.all]

    def pairs(self, prefilter: tuple[Expr, ...]) -> Iterator[Pair]:
        """Reachable pairs, merged ones too where the engine merges. A row that holds NaN may be lost (FACTS.md), in
        every other group."""
        seen: set[object] = set()
        masks = self.kept(prefilter)
        ends: dict[object, Pair] = {}
        keys = self.problem.fold.keys
        for index, run in enumerate(self._runs):
            pair: Pair | None = None
            for pair in self._run(index, run, masks[index % 2]):
                identity = (_identity(pair.original), _identity(pair.optimized), _identity(tuple(pair.params.values())))
                if identity not in seen:
                    seen.add(identity)
                    yield pair
            if pair is not None and self.problem.fold.merge is not None:
                group = _identity((*(pair.keys[k] for k in keys), *pair.params.values()))
                if group in ends:
                    yield from self._merged(ends[group], pair)
                ends[group] = pair

    def _merged(self, a: Pair, b: Pair) -> Iterator[Pair]:
        merge = self._runner.machine.merge
        try:
            original = merge(a.original, b.original, a.keys, a.params)
            yield Pair(original, merge(a.optimized, b.optimized, a.keys, a.params), a.keys, a.params)
        except EvaluationError:
            return

    def _run(self, index: int, run: Run, kept: int) -> Iterator[Pair]:
        bits = kept >> run.first & ((1 << len(run.group.rows)) - 1)
        states = self._optimized_states(index, run, bits)
        for original, optimized in zip(run.states, states, strict=False):
            yield Pair(original, optimized, run.group.rows[0], run.group.params)

    def _environment(self, pair: Pair) -> Env:
        initial = self._runner.machine.initial(pair.keys, pair.params)
        presence = {"#present1": pair.original is not None, "#present2": pair.optimized is not None}
        slots = (None, pair.original or initial, pair.optimized or initial)
        return Env(row=pair.keys, slots=slots, params={**pair.params, **presence})


def _presence_as_parameters(atom: Expr) -> Expr:
    """⊥ holds the initial values in ψ (vocabulary.py), so presence has to be distinguished from the slots."""
    return ir.transform(atom, lambda n: ir.Param(f"#present{n.side}") if isinstance(n, ir.Present) else None)


def _identity(state: MaybeState) -> object:
    return None if state is None else tuple(map(canonical, state))
