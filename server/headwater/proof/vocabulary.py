"""The symbols that the verification conditions of one fold problem speak of: a row, keys, states, outputs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.types import FLOAT32, Type

from ..semantics.symbolic import Encoder, Scope, State, Term
from ..semantics.values import (
    F,
    T,
    UnsupportedTerm,
    Value,
    choose,
    convert,
    is_true,
    kind_of,
    land,
    lnot,
    lor,
    same,
    variable,
)  # fmt: skip


@dataclass(frozen=True)
class Step:
    """One application of a state function, and when it is defined."""

    state: State
    ok: z3.BoolRef


class Vocabulary:
    """Encodes the parts of a problem. ``extra`` are the expressions (G, R, ψ) that share its literals."""

    def __init__(self, problem: FoldProblem, extra: Iterable[Expr] = ()) -> None:
        fold = problem.fold
        self.problem, self.fold = problem, fold
        parts = [*fold.init, *fold.step, *(fold.merge or ()), *fold.facts, fold.emit, problem.predicate, *extra]
        self.encoder = Encoder([*parts, *(o.value for o in fold.outputs)])
        self.keys = {c.name: self._free(f"key.{c.name}", c.type) for c in fold.columns if c.is_key}
        self._narrow = {c.name for c in fold.columns if c.type == FLOAT32}
        self._outputs: dict[State, dict[str, Term]] = {}
        self.params = {p.name: self._free(f"param.{p.name}", p.type) for p in fold.params}

    def _free(self, name: str, t: Type) -> Value:
        return self.encoder.bound(variable(name, t))

    def row(self, name: str = "r") -> dict[str, Value]:
        """A free input row of the group."""
        others = {c.name: self._free(f"{name}.{c.name}", c.type) for c in self.fold.columns if not c.is_key}
        return {**self.keys, **others}

    def state(self, name: str) -> tuple[State, list[z3.BoolRef]]:
        """A free state, and what makes it one: ⊥ holds the initial values, a global fold is never ⊥."""
        slots = tuple(self._free(f"{name}.{i}", s.type) for i, s in enumerate(self.fold.slots))
        if not self.fold.grouped:
            return State(T, slots), []
        present = z3.Bool(f"{name}.present")
        initial = land(*(same(a, b) for a, b in zip(slots, self.initial().slots, strict=True)))
        return State(present, slots), [lor(present, initial)]

    def initial(self) -> State:
        """``a0``: ⊥ if grouped, I if global."""
        scope = Scope(row=self.keys, params=self.params)
        slots = tuple(self._slot(i, self.encoder.eval(e, scope)[0]) for i, e in enumerate(self.fold.init))
        return State(F if self.fold.grouped else T, slots)

    def _slot(self, index: int, value: Value) -> Value:
        return convert(value, kind_of(self.fold.slots[index].type))

    def scope(self, row: dict[str, Value] | None = None, *, tag: int = 0, **sides: State) -> Scope:
        """Names for encoding; ``s0``, ``s1``, ``s2`` are the states on the sides."""
        states = {int(side[1]): state for side, state in sides.items()}
        return Scope(row=row or self.keys, states=states, params=self.params, tag=tag)

    def step(self, state: State, row: dict[str, Value]) -> Step:
        """``step(a, r)``."""
        scope = self.scope(row, tag=1, s0=state)
        terms = [self.encoder.eval(e, scope) for e in self.fold.step]
        slots = tuple(self._slot(i, v) for i, (v, _) in enumerate(terms))
        return Step(State(T, slots), land(*(ok for _, ok in terms)))

    def merge(self, left: State, right: State) -> Step:
        """``m⊥(a, b)``."""
        scope = self.scope(s1=left, s2=right)
        terms = [self.encoder.eval(e, scope) for e in self.fold.merge or ()]
        both = land(left.present, right.present)
        one = [choose(left.present, a, b) for a, b in zip(left.slots, right.slots, strict=True)]
        slots = tuple(choose(both, self._slot(i, v), one[i]) for i, (v, _) in enumerate(terms))
        ok = lor(lnot(both), land(*(ok for _, ok in terms)))
        return Step(State(lor(left.present, right.present), slots), ok)

    def output(self, state: State) -> dict[str, Term]:
        """``out(a)``, column by column."""
        if state not in self._outputs:
            scope = self.scope(s0=state)
            self._outputs[state] = {o.name: self.encoder.eval(o.value, scope) for o in self.fold.outputs}
        return self._outputs[state]

    def passes(self, state: State, condition: Expr) -> tuple[z3.BoolRef, z3.BoolRef]:
        """Whether the group has a row that passes ``condition``, and when finding out raises nothing."""
        emitted, emit_ok = self.encoder.eval(self.fold.emit, self.scope(s0=state))
        outs = self.output(state)
        value, ok = self.encoder.eval(condition, Scope(row=self.keys, outs=outs, params=self.params))
        row_ok = land(*(o for _, o in outs.values()), ok)
        passed = land(state.present, is_true(emitted), is_true(value))
        return passed, lor(lnot(state.present), land(emit_ok, lor(lnot(is_true(emitted)), row_ok)))

    def facts(self, row: dict[str, Value]) -> list[z3.BoolRef]:
        """What is known of every input row."""
        return [self.encoder.holds(f, Scope(row=row, params=self.params)) for f in self.fold.facts]

    def keeps(self, conjuncts: tuple[Expr, ...], row: dict[str, Value]) -> z3.BoolRef:
        """``G(r)`` as Spark really evaluates it.

        A comparison that is TRUE on NaN may still lose the row once it reaches a cache (SPARK-58482) or a Parquet
        scan whose statistics ignore NaN (FACTS.md). So where a conjunct reads a NaN, its truth is a free choice,
        unless it holds an ``isnan``, which no source evaluates.
        """
        return land(*(self.keeps_one(i, c, row) for i, c in enumerate(conjuncts)))

    def keeps_one(self, index: int, conjunct: Expr, row: dict[str, Value]) -> z3.BoolRef:
        """One conjunct of ``G``; each loses what it loses by itself."""
        holds = self.encoder.holds(conjunct, Scope(row=row, params=self.params))
        nan = lor(*(land(lnot(row[c].null), row[c].nan) for c in pushable_columns(conjunct)))
        return land(holds, lor(lnot(nan), z3.Bool(f"scan-keeps-nan.{index}")))

    def total(self, conjuncts: tuple[Expr, ...], row: dict[str, Value]) -> z3.BoolRef:
        """``G`` raises nothing on ``r``, in whatever order Spark evaluates its parts. UnsupportedTerm if it computes
        with 32-bit floats: Spark rounds to 32 bits where Python, and the encoding, have doubles."""
        if any(ir.columns_of(n) & self._narrow for c in conjuncts for n in ir.walk(c) if isinstance(n, ir.Arith)):
            raise UnsupportedTerm("arithmetic on 32-bit floats")
        scope = Scope(row=row, params=self.params, strict=True)
        return land(*(self.encoder.eval(c, scope)[1] for c in conjuncts))


def pushable_columns(conjunct: Expr) -> list[str]:
    """Columns that a comparison in ``conjunct`` tests bare, the form that a source or a cache can evaluate; none if it
    holds an ``isnan``, which neither evaluates."""
    found: set[str] = set()
    if any(isinstance(n, ir.IsNaN) for n in ir.walk(conjunct)):
        return []
    for n in ir.walk(conjunct):
        operands = (
            (n.left, n.right) if isinstance(n, (ir.Compare, ir.Same)) else (n.operand,) if isinstance(n, ir.In) else ()
        )
        found |= {o.name for o in operands if isinstance(o, ir.Col)}
    return sorted(found)
