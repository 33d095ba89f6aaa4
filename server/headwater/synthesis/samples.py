"""Concrete input rows for refutation: the constants of the problem and their neighbours, NULL, NaN, -0.0,
duplicates."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass

from headwater_ir import expr as ir
from headwater_ir.expr import Expr, Scalar
from headwater_ir.problem import FoldProblem
from headwater_ir.types import Type

from ..semantics.interpreter import Env, EvaluationError, compile_expr

Row = dict[str, Scalar]
ROWS = 300
ODD = 4
"""About one value in ten is NULL, and as many are NaN."""
_MOST_TO_DRAW = 5_000
"""Values of one key, several of them equal: of more there are none that come up more often for it."""


@dataclass(frozen=True)
class Group:
    """The rows of one group in one order, and the driver variables' values."""

    rows: tuple[Row, ...]
    params: Row


class Sampler:
    """Draws groups deterministically from ``seed``, out of a table of ``ROWS`` rows that satisfy the facts."""

    def __init__(self, problem: FoldProblem, seed: int) -> None:
        self._random = random.Random(seed)
        fold = problem.fold
        constants = _constants(problem)
        pools = {c.name: _pool(c.type, constants) for c in fold.columns}
        joint = []
        for fact in fold.facts:
            read = ir.columns_of(fact)
            if len(read) == 1 and not ir.params_of(fact):
                (name,) = read
                pools[name] = _satisfying(pools[name], name, compile_expr(fact))
            else:
                joint.append(compile_expr(fact))
        for conjunct in ir.conjuncts(problem.predicate):
            _favour_keys(problem, conjunct, pools)
        self._params = {p.name: _pool(p.type, constants) for p in fold.params}
        self._keys = {name: pools[name] for name in fold.keys}
        self._joint = joint
        possible = all(pools.values())
        self._rows = [self._draw(pools) for _ in range(ROWS)] if possible else []

    def _draw(self, pools: dict[str, list[Scalar]]) -> Row:
        number = self._random.random
        return {name: pool[int(number() * len(pool))] for name, pool in pools.items()}

    def group(self, length: int) -> Group | None:
        """A group of ``length`` rows; None if the facts reject too many draws."""
        if not self._rows:
            return None
        params = self._draw(self._params)
        keys = self._draw(self._keys)
        number, rows = self._random.random, []
        for _ in range(20 * length):
            row = {**self._rows[int(number() * ROWS)], **keys}
            if all(_true(f, row, params) for f in self._joint):
                rows.append(row)
                if len(rows) == length:
                    return Group(tuple(rows), params)
        return None


def _favour_keys(problem: FoldProblem, conjunct: Expr, pools: dict[str, list[Scalar]]) -> None:
    """Draw keys that pass a condition of P on one key every other time: of the first few conditions on it, for each
    makes twice as many values to draw from."""
    outs = {o.name: o.value for o in problem.fold.outputs}
    inlined = ir.transform(conjunct, lambda n: outs[n.name] if isinstance(n, ir.Out) else None)
    read = ir.columns_of(inlined)
    if len(read) != 1 or not read <= set(problem.fold.keys) or ir.slots_of(inlined) or ir.params_of(inlined):
        return
    (name,) = read
    if len(pools[name]) > _MOST_TO_DRAW:
        return
    passing = _satisfying(pools[name], name, compile_expr(inlined))
    if passing:
        pools[name] = pools[name] + passing * (len(pools[name]) // len(passing))


def _satisfying(pool: list[Scalar], name: str, fact: Callable[[Env], Scalar]) -> list[Scalar]:
    return [value for value in pool if _true(fact, {name: value}, {})]


def _true(condition: Callable[[Env], Scalar], row: Row, params: Row) -> bool:
    try:
        return condition(Env(row=row, params=params)) is True
    except EvaluationError:
        return False


def _constants(problem: FoldProblem) -> list[Scalar]:
    fold = problem.fold
    parts = [*fold.init, *fold.step, problem.predicate, fold.emit, *fold.facts, *(o.value for o in fold.outputs)]
    found = [n.value for p in parts for n in ir.walk(p) if isinstance(n, ir.Lit)]
    return list(dict.fromkeys(v for v in found if v is not None and v == v))


def _pool(t: Type, constants: list[Scalar]) -> list[Scalar]:
    """Values of ``t``, ordinary ones several times so that NULL and NaN do not crowd them out."""
    common: list[Scalar]
    odd: list[Scalar] = [None]
    match t.name:
        case "bool":
            common = [True, False]
        case "int":
            near = {int(c) + d for c in _numbers(constants) for d in (-1, 0, 1)}
            common = [*sorted(near), 0, 1, 7]
        case "float" | "number" | "decimal" | "any":
            near_f = {float(c) + d for c in _numbers(constants) for d in (-1.0, 0.0, 0.5, 1.5)}
            common = [*sorted(near_f), 0.0, 1.0]
            odd += [] if t.name == "decimal" else [float("nan"), -0.0]
        case "string":
            texts = [c for c in constants if isinstance(c, str)]
            common = [*texts, *(t + "x" for t in texts), "", "~"]
        case "date":
            dates = [c for c in constants if isinstance(c, dt.date) and not isinstance(c, dt.datetime)]
            common = [d + dt.timedelta(days=k) for d in dates for k in (-1, 0, 1)] or [dt.date(2020, 1, 1)]
        case "timestamp":
            times = [c for c in constants if isinstance(c, dt.datetime)]
            common = [d + dt.timedelta(hours=k) for d in times for k in (-1, 0, 1)] or [dt.datetime(2020, 1, 1)]
        case _:
            common = [None]
    return [*common, *common, *odd * max(1, len(common) // ODD)]


def _numbers(constants: list[Scalar]) -> list[int | float]:
    """The numbers among the constants that have neighbours worth trying."""
    return [c for c in constants if isinstance(c, (int, float)) and not isinstance(c, bool) and abs(c) < 2**40]
