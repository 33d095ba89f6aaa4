"""Runs a solution beside its problem on small tables, with the concrete interpreter alone: what the checker accepts
must make no difference here.

Tables are made of the constants of the problem and their neighbours, NULL, NaN and infinity: all of up to two rows, and
random ones of up to five, in one go and, where the engine merges, merged at every place.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
import random
from collections.abc import Iterator

from headwater.semantics.interpreter import Env, EvaluationError, Machine, MaybeState, Row, holds
from headwater.semantics.scalars import same
from headwater_ir import expr as ir
from headwater_ir.expr import Expr, Scalar
from headwater_ir.problem import FoldProblem
from headwater_ir.types import Type
from headwater_ir.verdict import Solution

MOST, RANDOM = 700, 300
Result = dict[str, Scalar] | str | None


class Oracle:
    """All small inputs of one problem."""

    def __init__(self, problem: FoldProblem, extra: tuple[Expr, ...] = ()) -> None:
        self.problem, self.machine = problem, Machine(problem.fold)
        fold = problem.fold
        parts = [*fold.init, *fold.step, *(fold.merge or ()), fold.emit, problem.predicate, *fold.facts, *extra]
        parts += [o.value for o in fold.outputs]
        self._constants = [n.value for e in parts for n in ir.walk(e) if isinstance(n, ir.Lit)]
        self._computed = frozenset(o.name for o in fold.outputs if not isinstance(o.value, ir.Col))
        self._inputs = list(self._draw())
        self._originals = [self._original(rows, params) for rows, params in self._inputs]

    def difference(self, solution: Solution) -> str | None:
        """A table on which the solution changes the result or adds an error, in words; None if there is none."""
        for (rows, params), original in zip(self._inputs, self._originals, strict=True):
            if "error" in original:
                continue
            try:
                keep = [holds(solution.pre_filter, Env(row=r, params=params)) for r in rows]
            except EvaluationError as error:
                return f"{solution.pre_filter} raises on {rows}: {error}"
            for condition in (solution.residual, self.problem.predicate):
                rewritten = self._results(rows, params, keep, condition)
                if not all(map(_alike, original, rewritten)):
                    return f"{rows} with {params}: {original} became {rewritten}"
        return None

    def _original(self, rows: tuple[Row, ...], params: Row) -> list[Result]:
        return self._results(rows, params, [True] * len(rows), self.problem.predicate)

    def _results(self, rows: tuple[Row, ...], params: Row, keep: list[bool], condition: Expr) -> list[Result]:
        """The output rows, one per way to compute them; ``error`` where the engine raises."""
        found: list[Result] = []
        try:
            if self.problem.fold.rows == "one":
                return [self._row(r, params, condition) if k else None for r, k in zip(rows, keep, strict=True)]
            for state in self._states(rows, params, keep):
                out = self.machine.output(state, rows[0] if rows else {}, params)
                found.append(self._passed(out, params, condition))
        except EvaluationError:
            return ["error"] * max(1, len(rows))
        return found

    def _passed(self, out: Row | None, params: Row, condition: Expr) -> Result:
        return dict(out) if out is not None and holds(condition, Env(outs=out, params=params)) else None

    def _row(self, row: Row, params: Row, condition: Expr) -> Result:
        """Spark evaluates the conjuncts that read no computed column before the function."""
        shown = {o.name: row[o.value.name] for o in self.problem.fold.outputs if isinstance(o.value, ir.Col)}
        early = [c for c in ir.conjuncts(condition) if not ir.outputs_of(c) & self._computed]
        if not holds(ir.conjoin(early), Env(outs=shown, params=params)):
            return None
        return self._passed(self.machine.row_output(row, params), params, condition)

    def _states(self, rows: tuple[Row, ...], params: Row, keep: list[bool]) -> Iterator[MaybeState]:
        for at in range(len(rows)) if self.problem.fold.merge is not None and rows else (0,):
            halves = (self._run(rows, params, keep, part) for part in (range(at), range(at, len(rows))))
            left, right = halves
            yield right if at == 0 else self.machine.merge(left, right, rows[0], params)

    def _run(self, rows: tuple[Row, ...], params: Row, keep: list[bool], part: range) -> MaybeState:
        state = self.machine.start(rows[0] if rows else {}, params)
        for i in part:
            if keep[i]:
                state = self.machine.step(state, rows[i], params)
        return state

    def _draw(self) -> Iterator[tuple[tuple[Row, ...], Row]]:
        """Rows that share their key and of which the facts hold, and parameters."""
        draw, fold = random.Random(7), self.problem.fold
        pools = {c.name: self._pool(c.type) for c in fold.columns}
        keys = {c.name: pools[c.name] for c in fold.columns if c.is_key}
        others = {n: pool for n, pool in pools.items() if n not in keys}
        given: list[Row] = [
            dict(chosen) for chosen in _products({p.name: self._pool(p.type) for p in fold.params})
        ] or [{}]
        fewest = 1 if fold.grouped else 0
        for key in _products(keys):
            kinds = [{**key, **row} for row in _products(others)]
            kinds = [r for r in kinds if all(_true(f, r) for f in fold.facts)]
            draw.shuffle(kinds)
            small = [(r,) for r in kinds] + ([()] if fewest == 0 else [])
            pairs = list(itertools.product(kinds[:25], repeat=2)) if fold.rows == "many" else []
            large = [
                tuple(draw.choice(kinds) for _ in range(draw.randint(2, 5))) for _ in range(RANDOM if pairs else 0)
            ]
            for rows in [*small[:MOST], *draw.sample(pairs, min(MOST, len(pairs))), *large]:
                yield rows, draw.choice(given)

    def _pool(self, t: Type) -> list[Scalar]:
        if t.name == "bool":
            return [None, False, True]
        if t.name == "string":
            texts = sorted({c for c in self._constants if isinstance(c, str)})
            return [None, "", *texts[:4], "~"]
        if t.name in ("date", "timestamp"):
            return [None, *self._moments(t.name == "date")]
        numbers = sorted({c for c in self._constants if isinstance(c, (int, float)) and abs(c) < 2**31})
        near = sorted({int(n) + d for n in numbers for d in (-1, 0, 1)} | {0, 1})
        whole = near if len(near) <= 8 else random.Random(1).sample(near, 8)
        if t.name == "int":
            return [None, *whole]
        return [None, math.nan, math.inf, *(float(n) for n in whole), *([0.5] if t.name == "float" else [])]

    def _moments(self, dates: bool) -> list[Scalar]:
        wanted = [c for c in self._constants if isinstance(c, dt.date) and isinstance(c, dt.datetime) is not dates]
        first = (dt.date if dates else dt.datetime)(2024, 1, 1)
        return [*(c + dt.timedelta(d) for c in wanted[:3] for d in (-1, 0, 1)), first]


def _products(pools: dict[str, list[Scalar]]) -> list[dict[str, Scalar]]:
    """Every choice, or a thousand of them."""
    total = math.prod(map(len, pools.values()))
    if total <= 1000:
        return [dict(zip(pools, values, strict=True)) for values in itertools.product(*pools.values())]
    draw = random.Random(3)
    return [{name: draw.choice(pool) for name, pool in pools.items()} for _ in range(1000)]


def _true(fact: Expr, row: Row) -> bool:
    try:
        return holds(fact, Env(row=row))
    except EvaluationError:
        return False


def _alike(a: Result, b: Result) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        return all(same(a[name], b[name]) for name in a)
    return a == b
