"""Puts a fold together: what the loops and reductions over the rows of a group leave in slots, what is returned after
the last row, and the errors on the way."""

from __future__ import annotations

from headwater.python.exprs.assuming import assuming
from headwater.python.exprs.facts import Facts
from headwater.python.exprs.intervals import SlotRanges, counts, of_type, range_of, slot_ranges
from headwater.python.exprs.lift_branches import branched
from headwater.python.exprs.simplify import MAX_NODES, NONE, both, choose, either
from headwater.python.exprs.value_tags import of_columns
from headwater.python.interpreter.outcomes import Effect, guarded, raises_when, uncovered
from headwater.python.values.scope import Scope
from headwater.python.values.slots import Slots, renumber
from headwater.python.values.type_inference import known_columns
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, Arith, Col, Expr, If, IsNull, Not, Raise, columns_of, size, slots_of, walk
from headwater_ir.plan import Schema
from headwater_ir.problem import Fold, OutputColumn, StateSlot
from headwater_ir.types import BOOL

from .outputs import converted
from .row_loops import FoldInterpreter


class Assembly:
    """Puts the pieces of one attempt together."""

    def __init__(
        self, run: FoldInterpreter, scope: Scope, facts: tuple[Expr, ...], source: Schema, keys: tuple[str, ...],
        api: str = "applyInPandas", nan_is_null: bool = True,
    ) -> None:  # fmt: skip
        self.api, self.nan_is_null = api, nan_is_null
        self.run, self.scope, self.facts = run, scope, facts
        self.source, self.keys = source, keys

    def fold(self, name: str, emit: Expr, values: list[Expr | None], output: Schema) -> Fold:
        """The finished fold."""
        run, slots = self.run, self.run.slots
        if emit == FALSE or any(v is None for v in values):
            raise Refusal("no-prefilter", "the function never returns a row")
        ranges = slot_ranges(slots.init, slots.step, self.scope.columns)
        self.scope.counters = frozenset(i for i, e in enumerate(slots.step) if counts(i, e))
        outputs = [
            OutputColumn(f.name, f.type, converted(self.scope, v, f, ranges, self.nan_is_null))
            for v, f in zip(values, output.fields, strict=True)
            if v is not None
        ]
        if any(size(e) > MAX_NODES for e in (emit, *(o.value for o in outputs))):
            raise Refusal("time-out", "the function has too many paths")
        after = [e for e in run.effects if _depends(e)]
        lost = uncovered(after, [emit, *(If(emit, o.value, NONE) for o in outputs)])
        emit = guarded(lost, emit)
        emit, outputs = _errors_first(emit, outputs)
        roots = [emit, *(o.value for o in outputs)]
        for loop in run.loops:
            loop.effects = [e for e in loop.effects if _depends(e)]
            roots += [x for path, e in loop.effects for x in (e, *(c for c, _ in path))]
        kept = slots.live(roots)
        run.check_passes(kept)
        if any(slots_of(slots.init[i]) for i in kept):
            raise Refusal("opaque", "a second pass over the group reads what the first computed")
        step, checks = self._steps(kept)
        if sum(map(size, (*step, *checks))) > 3 * MAX_NODES:
            raise Refusal("time-out", "the function has too many paths")
        once = (*init_of(slots, kept), *roots[: 1 + len(outputs)])
        if any(columns_of(e) & self.scope.unknown_nulls for e in once):
            raise Refusal("opaque", "how a NULL key of unknown type is shown")
        self._numpy([*step, *(o.value for o in outputs), emit], ranges)
        outputs = [OutputColumn(o.name, o.type, renumber(o.value, kept)) for o in outputs]
        init = [slots.init[i] for i in kept]
        emit, step = renumber(emit, kept), [renumber(e, kept) for e in (*step, *checks)]
        init += [FALSE] * len(checks)
        step = branched(of_columns(self.scope.columns, self.facts), init, step)
        columns = known_columns(
            self.scope,
            self.source,
            self.keys,
            [*init, *step, emit, *(o.value for o in outputs)],
            self.facts,
        )
        state = (*slots.state(kept), *(StateSlot(f"check{i}", BOOL) for i in range(len(checks))))
        return Fold(
            name, self.api, columns, state, tuple(init), tuple(step), tuple(outputs), emit=emit, facts=self.facts,
            assumptions=tuple(self.scope.assumptions),
        )  # fmt: skip

    def _steps(self, kept: list[int]) -> tuple[list[Expr], list[Expr]]:
        """The steps of the kept slots, with errors that no kept step would show attached to one of them; a loop
        without
        a kept slot gets a slot of its own for its errors."""
        step = {i: self.run.slots.step[i] for i in kept}
        checks: list[Expr] = []
        for loop in self.run.loops:
            own = [s.index for s in loop.slots.values() if s.index in step]
            lost = uncovered(loop.effects, [step[i] for i in own])
            if lost and own:
                step[own[0]] = guarded(lost, step[own[0]])
            elif lost:
                checks.append(guarded(lost, FALSE))
        return [step[i] for i in kept], checks

    def _may_be_floats(self, name: str) -> bool:
        """Whether pandas may hold the column as floats: of unknown type, with a NULL, or converted."""
        whole = self.scope.columns[name].name in ("int", "bool")
        return not whole or name in self.scope.as_floats or Not(IsNull(Col(name))) not in self.facts

    def _exact(self, e: Arith, ranges: SlotRanges) -> bool:
        """Whether ``e`` is exact although a column may be floats: because none is, or because a float holds every
        whole number that it may be."""
        names = self.scope.sources(e.left) | self.scope.sources(e.right)
        if not any(self._may_be_floats(n) for n in names):
            return True
        found = range_of(e, self.scope.columns, ranges)
        return found is not None and not found.infinite and found.low >= -(2**53) and found.high <= 2**53

    def _numpy(self, read: list[Expr], ranges: SlotRanges) -> None:
        """What numpy scalars do differently: refuse or assume it away."""
        computed = [n for e in read for n in walk(e) if isinstance(n, Arith) and computes(n, self.scope)]
        if not self.scope.exact_numbers and not all(self._exact(n, ranges) for n in computed):
            self.scope.assume(
                "whole numbers computed from columns that pandas may hold as floats stay within 2**53", "range"
            )
        if not self.scope.numpy:
            return
        if self.scope.divisions:
            raise Refusal(
                "opaque", f"division where {self.scope.numpy[0]} yields numpy numbers, which do not raise on zero"
            )
        if any(may_wrap(n, self.scope, ranges) for n in computed):
            self.scope.assume(
                "integer arithmetic on values taken out of pandas stays within the column's width", "range"
            )


def _errors_first(emit: Expr, outputs: list[OutputColumn]) -> tuple[Expr, list[OutputColumn]]:
    """Errors of the outputs moved into ``emit``, as far as it is known when they occur: what remains are plain
    values."""
    known, wrong = Facts(), FALSE
    for o in outputs:
        here = raises_when(assuming(o.value, known))
        if here is not None and here != FALSE:
            wrong, known = either(wrong, here), known.plus(here, False)
    values = [OutputColumn(o.name, o.type, assuming(o.value, known)) for o in outputs]
    return choose(both(emit, wrong), Raise("an output has no value"), emit), values


def init_of(slots: Slots, kept: list[int]) -> list[Expr]:
    """Initial values of the kept slots."""
    return [slots.init[i] for i in kept]


def computes(e: Expr, scope: Scope) -> bool:
    """Whether ``e`` is arithmetic on what may come from an integer column, rather than a counter's step."""
    if not isinstance(e, Arith):
        return False
    names = scope.sources(e.left) | scope.sources(e.right)
    return any(scope.columns[n].name in ("int", "number", "any") for n in names)


def may_wrap(e: Expr, scope: Scope, ranges: SlotRanges) -> bool:
    """Whether ``e`` is arithmetic on an integer column whose result may not fit the column's type."""
    if not isinstance(e, Arith) or not computes(e, scope):
        return False
    found = range_of(e, scope.columns, ranges)
    for name in scope.sources(e.left) | scope.sources(e.right):
        width = of_type(scope.columns[name])
        if found is None or found.infinite or width is None or found.low < width.low or width.high < found.high:
            return True
    return False


def _depends(effect: Effect) -> bool:
    """Whether the error depends on the state; one that depends on the row or key alone is there with and without the
    rows that a pre-filter drops."""
    path, e = effect
    return bool(slots_of(e)) or any(slots_of(c) for c, _ in path)
