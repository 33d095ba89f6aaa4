"""Row functions: the filter is carried through the function by substitution, conjunct by conjunct, and then proved.

MagicPush section 4.2, category ROW-TO-ROW: each row is a group of its own, so one symbolic row is a complete model
and no invariant is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import z3

from headwater_ir import expr as ir
from headwater_ir.array_sizes import asks_presence
from headwater_ir.expr import Expr
from headwater_ir.problem import CACHE, FoldProblem
from headwater_ir.types import BOOL, Type
from headwater_ir.verdict import Kind, Solution

from ...proof.conditions import goals
from ...semantics.interpreter import Env, EvaluationError, compile_expr
from ...semantics.values import UnsupportedTerm
from ..dataflow import in_sql
from ..normal_form import negate, push_not, simplify
from ..session import Clock, OutOfTime
from ..universe import typed
from .length_bounds import ghosts, without_ghosts
from .pythonic import condition
from .row_conditions import Path, RowConditions, said

MAX_PATHS = 64
MAX_STEPS = 4_000
"""Expressions that are looked at to find the paths of one conjunct: most of a deep function's are never taken."""
_NOT_MOVED_BY_SPARK = (
    "explode", "window", "limit", "input_file_name", "applyInPandas", "mapInPandas", "mapInArrow", CACHE,
)  # fmt: skip
"""Boundaries past which Spark moves no filter of columns that they leave alone."""
Types = Mapping[str, Type] | None
Reading = Literal["plain", "precise", "solved", "null-safe"]
"""How a Python condition is said in SQL: word by word; with None and NaN as Python has them; that, and arithmetic on
whole numbers solved for the column; or with an else branch that is also taken where the condition is NULL. The shortest
that the proof accepts wins."""
READINGS: tuple[Reading, ...] = ("plain", "precise", "solved", "null-safe")


def synthesize(problem: FoldProblem, clock: Clock) -> Solution | None:
    """FALSE if no row's output passes; else exact for every conjunct that has a native equivalent, a superset for the
    others; None if nothing moves."""
    search = _Search(problem, clock)
    if search.rows.never(problem.predicate):
        return Solution("exact", ir.FALSE, ir.TRUE, ())
    own = ir.conjuncts(problem.predicate)
    # A column that a function leaves alone Spark filters itself; not an element of an array, nor a window's order.
    # Nor a column behind a function of whole batches, behind an RDD, or where a cache stands above the function.
    elements = problem.fold.api in _NOT_MOVED_BY_SPARK
    elements = elements or problem.fold.api.startswith("rdd")
    computed = {o.name for o in problem.fold.outputs if elements or o.value != ir.Col(o.name)}
    free = {
        o.name for o in problem.fold.outputs if o.value in [ir.Col(c.name) for c in problem.fold.columns if c.ghost]
    }
    telling = [c for c in own if ir.outputs_of(c) & computed and not ir.outputs_of(c) & free]
    exact = {c: found for c in telling if (found := search.exact(c)) is not None}
    wider = {c: found for c in telling if c not in exact and (found := search.superset(c)) is not None}
    rest = [c for c in own if c not in exact]
    pre = [g for c in telling if (g := exact.get(c) or wider.get(c)) is not None]
    if not pre:
        return None
    kind: Kind = "exact" if not rest else "partial" if len(rest) == len(own) else "split"
    residual = problem.predicate if kind == "partial" else ir.conjoin(rest) if rest else ir.TRUE
    return Solution(kind, simplify(ir.And(tuple(pre))), residual, ())


class _Search:
    def __init__(self, problem: FoldProblem, clock: Clock) -> None:
        self._problem, self._clock = problem, clock
        self._values = {o.name: o.value for o in problem.fold.outputs}
        self._types = {c.name: c.type for c in problem.fold.columns}
        self._ghosts = ghosts(problem)
        self.rows = RowConditions(problem, clock)

    def exact(self, conjunct: Expr) -> Expr | None:
        """A native condition that is TRUE of exactly the rows whose output passes ``conjunct``."""
        others = tuple(c for c in ir.conjuncts(self._problem.predicate) if c != conjunct)
        residual = ir.conjoin(others) if others else ir.TRUE
        for reading in READINGS:
            paths = [p for p in self._paths(conjunct, reading) or [] if not self._is_hidden(p)]
            harmless = [p for p in paths if self.rows.total(ir.And(p))]
            for alternative in (paths, harmless) if len(harmless) < len(paths) else (paths,):
                for plain in without_ghosts(self._problem, alternative):
                    for candidate in _with_nan(self._problem, plain):
                        if candidate and self._proved(said(candidate), residual):
                            return said(self.rows.shortened(candidate))
        return None

    def _is_hidden(self, path: Path) -> bool:
        """Whether ``path`` reads a ghost, and no row satisfies it."""
        return any(ir.columns_of(c) & self._ghosts for c in path) and self.rows.impossible(path)

    def superset(self, conjunct: Expr) -> Expr | None:
        """A native condition that is TRUE of all rows whose output passes, found by leaving out what cannot be said or
        may raise."""
        for reading in READINGS:
            paths = self._paths(conjunct, reading, lenient=True) or []
            possible = [p for p in paths if not self._is_hidden(p)]
            for alternative in without_ghosts(self._problem, possible):
                found = self._wider(alternative)
                if found is not None:
                    return found
        return None

    def _wider(self, paths: list[Path]) -> Expr | None:
        safe = [tuple(c for c in path if self._is_condition(c) and self.rows.total(c)) for path in paths]
        if not safe or not all(safe) or all(asks_presence(c) for path in safe for c in path):
            return None
        for candidate in _with_nan(self._problem, safe):
            wider = said(candidate)
            if wider not in (ir.TRUE, ir.FALSE) and self._proved(wider, self._problem.predicate):
                return said(self.rows.shortened(candidate))
        return None

    def _is_condition(self, e: Expr) -> bool:
        """Whether ``e`` is no plain value of which Python has asked the truth: Spark has none but of booleans."""
        value = e.operand if isinstance(e, ir.Not) else e
        return not isinstance(value, ir.Col) or self._types.get(value.name) == BOOL

    def _paths(self, conjunct: Expr, reading: Reading, lenient: bool = False) -> list[Path] | None:
        """``conjunct`` of the output as a disjunction of paths through the function; None if a condition has no name in
        SQL (``lenient``: such a condition is left out)."""
        inlined = _decided(ir.transform(conjunct, lambda n: self._values[n.name] if isinstance(n, ir.Out) else None))
        found: list[Path] = []
        types = self._types if reading == "solved" else None
        for path in _lifted(push_not(inlined), reading, types, iter(range(MAX_STEPS))):
            if path is None:
                if lenient:
                    return []
                return None
            named = [_named(c, reading, types) for c in path]
            if None in named and not lenient:
                return None
            kept = typed(self._problem.fold, ir.And(tuple(s for s in named if s is not None)))
            if kept != ir.FALSE:
                found.append(ir.conjuncts(kept))
            if len(found) > MAX_PATHS:
                return None
        return found

    def _proved(self, prefilter: Expr, residual: Expr) -> bool:
        solution = Solution("split", prefilter, residual, ())
        try:
            wanted = goals(self._problem, solution)
        except (UnsupportedTerm, KeyError):
            return False
        for goal in wanted:
            solver = z3.Solver()
            solver.set("timeout", self._clock.wall_ms())
            solver.add(*goal.hypotheses, z3.Not(goal.conclusion))
            answer = solver.check()
            if answer == z3.unknown:
                raise OutOfTime("solver: " + solver.reason_unknown())
            if answer == z3.sat:
                return False
        return True


def _decided(e: Expr) -> Expr:
    """``e`` with IS NULL decided of what Python computes: it raises rather than yield None."""

    def visit(n: Expr) -> Expr | None:
        match n:
            case ir.IsNull(ir.Arith(dialect="python") | ir.Neg(dialect="python")):
                return ir.FALSE
            case ir.IsNull(ir.If(cond, then, otherwise)):
                return ir.If(cond, _decided(ir.IsNull(then)), _decided(ir.IsNull(otherwise)))
            case _:
                return None

    return ir.transform(e, visit)


def _with_nan(problem: FoldProblem, paths: list[Path]) -> Iterator[list[Path]]:
    """The paths, and the paths with NaN rows let through (vocabulary.py says why a scan may lose them)."""
    yield paths
    floats = {c.name for c in problem.fold.columns if c.type.name in ("float", "number", "any") and not c.ghost}
    read = sorted({n for p in paths for c in p for n in ir.columns_of(c)} & floats)
    if read:
        yield [*paths, *((ir.IsNaN(ir.Col(c)),) for c in read)]


def _lifted(e: Expr, reading: Reading, types: Types, steps: Iterator[int]) -> Iterator[list[Expr] | None]:
    """Paths (conjunctions over the row) whose disjunction is ``e``, with conditionals lifted out of it; None stands
    for too many: more than are in ``steps``."""
    if next(steps, None) is None:
        yield None
        return
    if isinstance(e, ir.Or) and e.dialect == "sql":
        for o in e.operands:
            yield from _lifted(o, reading, types, steps)
        return
    if isinstance(e, ir.And) and e.dialect == "sql":
        yield from _product([list(_lifted(o, reading, types, steps)) for o in e.operands])
        return
    lifted = next((n for n in ir.walk(e) if isinstance(n, ir.If)), None)
    if lifted is None:
        constant = _constant(e)
        if constant is not False and not _raises(e):
            yield [] if constant is True else [e]
        return
    for branch, holds in ((lifted.then, True), (lifted.otherwise, False)):
        rest = ir.transform(e, lambda n: branch if n is lifted else None)  # noqa: B023
        for path in _lifted(rest, reading, types, steps):
            for way in _lifted(_branch(lifted.cond, holds, reading, types), reading, types, steps):
                yield None if path is None or way is None else [*way, *path]


def _raises(e: Expr) -> bool:
    """Whether evaluating ``e`` is surely an error, which excuses the row."""
    return isinstance(e, ir.Compare) and isinstance(e.left if isinstance(e.left, ir.Raise) else e.right, ir.Raise)


def _branch(cond: Expr, holds: bool, reading: Reading, types: Types) -> Expr:
    """The condition on the row under which the branch is taken."""
    if reading in ("precise", "solved"):
        said = condition(cond, holds, types)
    else:
        plain = in_sql(cond)
        said = plain if holds or plain is None else _untrue(plain, reading == "null-safe")
    if said is not None:
        return push_not(said)
    return cond if holds else ir.Not(ir.IsTrue(cond))


def _named(e: Expr, reading: Reading, types: Types) -> Expr | None:
    return condition(e, types=types) if reading in ("precise", "solved") else in_sql(e)


def _untrue(e: Expr, null_safe: bool) -> Expr:
    if not null_safe:
        return negate(e)
    nulls = tuple(ir.IsNull(ir.Col(c)) for c in sorted(ir.columns_of(e)) if not isinstance(e, (ir.IsNull, ir.IsNaN)))
    return ir.Or((negate(e), *nulls))


def _product(parts: list[list[list[Expr] | None]]) -> Iterator[list[Expr] | None]:
    paths: list[list[Expr] | None] = [[]]
    for alternatives in parts:
        paths = [None if p is None or a is None else [*p, *a] for p in paths for a in alternatives]
        if len(paths) > MAX_PATHS:
            yield None
            return
    yield from paths


def _constant(e: Expr) -> bool | None:
    """TRUE or not, for a condition that reads nothing; None if it reads something."""
    if any(isinstance(n, (ir.Col, ir.Param, ir.Call, ir.Slot, ir.Out)) for n in ir.walk(e)):
        return None
    try:
        return compile_expr(e)(Env()) is True
    except EvaluationError:
        return False
