"""The concrete meaning of folds: THEORY.md section 1, run on real rows.

Part of the trusted base. A state is a tuple of scalars, ⊥ (the absent group) is None. Rows map column names to values.
"""

from __future__ import annotations

from collections.abc import Iterable

from headwater_ir.expr import Expr, Scalar
from headwater_ir.problem import Fold

from .closures import NO_SLOTS, Env, Evaluator, Row, State, compile_expr
from .scalars import EvaluationError

__all__ = [
    "Env", "EvaluationError", "Evaluator", "Machine", "Row", "State", "compile_expr", "evaluate", "holds", "passes",
    "run_fold",
]  # fmt: skip

MaybeState = tuple[Scalar, ...] | None
_NOTHING: Row = {}


def evaluate(e: Expr, env: Env) -> Scalar:
    """The value of ``e``; EvaluationError where it has none."""
    return compile_expr(e)(env)


def holds(e: Expr, env: Env) -> bool:
    """Whether ``e`` is TRUE: a filter drops FALSE and NULL alike."""
    return evaluate(e, env) is True


def passes(predicate: Expr, outs: Row, params: Row | None = None) -> bool:
    """Whether the filter ``predicate`` keeps the output row ``outs``."""
    return holds(predicate, Env(outs=outs, params=params or _NOTHING))


class Machine:
    """A fold, compiled once and run on many inputs."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self._init = tuple(map(compile_expr, fold.init))
        self._step = tuple(map(compile_expr, fold.step))
        self._merge = None if fold.merge is None else tuple(map(compile_expr, fold.merge))
        self._emit = compile_expr(fold.emit)
        self._outputs = tuple((o.name, compile_expr(o.value)) for o in fold.outputs)

    def initial(self, keys: Row, params: Row = _NOTHING) -> tuple[Scalar, ...]:
        """``I``, whether or not the fold is grouped. ``keys`` may be any row of the group."""
        env = Env(keys, NO_SLOTS, _NOTHING, params)
        return tuple([e(env) for e in self._init])

    def start(self, keys: Row, params: Row = _NOTHING) -> MaybeState:
        """The state before the first row: ⊥ if the fold is grouped, else ``I``."""
        return None if self.fold.grouped else self.initial(keys, params)

    def step(self, state: State | None, row: Row, params: Row = _NOTHING) -> tuple[Scalar, ...]:
        """``step(state, row)``; at ⊥ it is ``f(I, row)``."""
        before = self.initial(row, params) if state is None else state
        env = Env(row, (before, None, None), _NOTHING, params)
        return tuple([e(env) for e in self._step])

    def merge(
        self, left: State | None, right: State | None, keys: Row = _NOTHING, params: Row = _NOTHING
    ) -> MaybeState:
        """``m⊥(left, right)``: ⊥ is neutral. ValueError if the engine never merges."""
        if self._merge is None:
            raise ValueError(f"{self.fold.api} never merges")
        if left is None or right is None:
            present = right if left is None else left
            return None if present is None else tuple(present)
        env = Env(keys, (None, left, right), _NOTHING, params)
        return tuple([e(env) for e in self._merge])

    def output(self, state: State | None, keys: Row, params: Row = _NOTHING) -> dict[str, Scalar] | None:
        """``out(state)``, or None where the group has no output row: it is absent, or ``emit`` is not TRUE."""
        return None if state is None else self._emitted(Env(keys, (state, None, None), _NOTHING, params))

    def row_output(self, row: Row, params: Row = _NOTHING) -> dict[str, Scalar] | None:
        """The output of a row function on ``row``."""
        return self._emitted(Env(row, NO_SLOTS, _NOTHING, params))

    def _emitted(self, env: Env) -> dict[str, Scalar] | None:
        return {name: value(env) for name, value in self._outputs} if self._emit(env) is True else None


def run_fold(fold: Fold, rows: Iterable[Row], params: Row | None = None) -> dict[str, Scalar] | None:
    """The output of one group (or of the whole input, if the fold is global) over ``rows`` in this order, or None."""
    machine, given, group = Machine(fold), params or _NOTHING, list(rows)
    if fold.rows == "one":
        if len(group) > 1:
            raise ValueError("each row of a row function is a group of its own")
        return machine.row_output(group[0], given) if group else None
    keys = group[0] if group else _NOTHING
    state = machine.start(keys, given)
    for row in group:
        state = machine.step(state, row, given)
    return machine.output(state, keys, given)
