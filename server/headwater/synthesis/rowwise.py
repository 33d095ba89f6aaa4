"""Row functions: the filter is carried through the function by substitution, conjunct by conjunct, and then proved.

MagicPush section 4.2, category ROW-TO-ROW: each row is a group of its own, so one symbolic row is a complete model
and no invariant is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Kind, Solution

from ..proof.conditions import goals
from ..semantics.interpreter import Env, EvaluationError, compile_expr
from ..semantics.values import UnsupportedTerm
from .dataflow import in_sql
from .normal_form import negate, push_not, simplify
from .pythonic import condition
from .session import Clock, OutOfTime
from .universe import typed

MAX_PATHS = 64
Reading = Literal["plain", "precise", "null-safe"]
"""How a Python condition is said in SQL: word by word; with None and NaN as Python has them; or with an else branch
that is also taken where the condition is NULL. The shortest that the proof accepts wins."""
READINGS: tuple[Reading, ...] = ("plain", "precise", "null-safe")
Path = tuple[Expr, ...]
"""A conjunction of conditions on the row, sql dialect."""


def synthesize(problem: FoldProblem, clock: Clock) -> Solution | None:
    """Exact for every conjunct that has a native equivalent, a superset for the others; None if nothing moves."""
    search = _Search(problem, clock)
    pre: list[Expr] = []
    rest: list[Expr] = []
    own = ir.conjuncts(problem.predicate)
    computed = {o.name for o in problem.fold.outputs if not isinstance(o.value, ir.Col)}
    for conjunct in own:
        if not ir.outputs_of(conjunct) & computed:
            rest.append(conjunct)
            continue
        exact = search.exact(conjunct)
        wider = None if exact else search.superset(conjunct)
        if exact is None:
            rest.append(conjunct)
        pre += [g for g in (exact or wider,) if g is not None]
    if not pre:
        return None
    kind: Kind = "exact" if not rest else "partial" if len(rest) == len(own) else "split"
    residual = problem.predicate if kind == "partial" else ir.conjoin(rest) if rest else ir.TRUE
    return Solution(kind, simplify(ir.And(tuple(pre))), residual, ())


class _Search:
    def __init__(self, problem: FoldProblem, clock: Clock) -> None:
        self._problem, self._clock = problem, clock
        self._values = {o.name: o.value for o in problem.fold.outputs}

    def exact(self, conjunct: Expr) -> Expr | None:
        """A native condition that is TRUE of exactly the rows whose output passes ``conjunct``."""
        others = tuple(c for c in ir.conjuncts(self._problem.predicate) if c != conjunct)
        residual = ir.conjoin(others) if others else ir.TRUE
        for reading in READINGS:
            paths = self._paths(conjunct, reading)
            for candidate in _with_nan(self._problem, paths or []):
                if self._proved(_said(candidate), residual):
                    return _said(self._shortened(candidate, residual))
        return None

    def superset(self, conjunct: Expr) -> Expr | None:
        """A native condition that is TRUE of all rows whose output passes, found by leaving out what cannot be said."""
        paths = self._paths(conjunct, "null-safe", lenient=True)
        if not paths:
            return None
        for candidate in _with_nan(self._problem, paths):
            said = _said(candidate)
            if said not in (ir.TRUE, ir.FALSE) and self._proved(said, self._problem.predicate):
                return _said(self._shortened(candidate, self._problem.predicate))
        return None

    def _paths(self, conjunct: Expr, reading: Reading, lenient: bool = False) -> list[Path] | None:
        """``conjunct`` of the output as a disjunction of paths through the function; None if a condition has no name in
        SQL (``lenient``: such a condition is left out)."""
        inlined = ir.transform(conjunct, lambda n: self._values[n.name] if isinstance(n, ir.Out) else None)
        found: list[Path] = []
        for path in _lifted(push_not(inlined), reading):
            if path is None:
                if lenient:
                    return []
                return None
            said = [_named(c, reading) for c in path]
            if None in said and not lenient:
                return None
            kept = typed(self._problem.fold, ir.And(tuple(s for s in said if s is not None)))
            if kept != ir.FALSE:
                found.append(ir.conjuncts(kept))
            if len(found) > MAX_PATHS:
                return None
        return found

    def _shortened(self, paths: list[Path], residual: Expr) -> list[Path]:
        """Leave out conditions one by one while the proof still goes through."""
        current = list(paths)
        for i in range(len(current)):
            for part in list(current[i]):
                shorter = tuple(c for c in current[i] if c != part)
                trial = [*current[:i], shorter, *current[i + 1 :]]
                if shorter and self._proved(_said(trial), residual):
                    current = trial
        for path in list(current):
            trial = [p for p in current if p is not path]
            if trial and self._proved(_said(trial), residual):
                current = trial
        return current

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


def _said(paths: list[Path]) -> Expr:
    return simplify(ir.Or(tuple(ir.And(p) for p in paths)))


def _with_nan(problem: FoldProblem, paths: list[Path]) -> Iterator[list[Path]]:
    """The paths, and the paths with NaN rows let through (vocabulary.py says why a scan may lose them)."""
    yield paths
    floats = {c.name for c in problem.fold.columns if c.type.name in ("float", "number", "any") and not c.ghost}
    read = sorted({n for p in paths for c in p for n in ir.columns_of(c)} & floats)
    if read:
        yield [*paths, *((ir.IsNaN(ir.Col(c)),) for c in read)]


def _lifted(e: Expr, reading: Reading) -> Iterator[list[Expr] | None]:
    """Paths (conjunctions over the row) whose disjunction is ``e``, with conditionals lifted out of it; None stands
    for too many."""
    if isinstance(e, ir.Or) and e.dialect == "sql":
        for o in e.operands:
            yield from _lifted(o, reading)
        return
    if isinstance(e, ir.And) and e.dialect == "sql":
        yield from _product([list(_lifted(o, reading)) for o in e.operands])
        return
    lifted = next((n for n in ir.walk(e) if isinstance(n, ir.If)), None)
    if lifted is None:
        constant = _constant(e)
        if constant is not False:
            yield [] if constant is True else [e]
        return
    for branch, holds in ((lifted.then, True), (lifted.otherwise, False)):
        rest = ir.transform(e, lambda n: branch if n is lifted else None)  # noqa: B023
        for path in _lifted(rest, reading):
            for way in _lifted(_branch(lifted.cond, holds, reading), reading):
                yield None if path is None or way is None else [*way, *path]


def _branch(cond: Expr, holds: bool, reading: Reading) -> Expr:
    """The condition on the row under which the branch is taken."""
    if reading == "precise":
        said = condition(cond, holds)
    else:
        plain = in_sql(cond)
        said = plain if holds or plain is None else _untrue(plain, reading == "null-safe")
    if said is not None:
        return push_not(said)
    return cond if holds else ir.Not(ir.IsTrue(cond))


def _named(e: Expr, reading: Reading) -> Expr | None:
    return condition(e) if reading == "precise" else in_sql(e)


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
