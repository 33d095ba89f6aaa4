"""HW104: the facts that a proof lacks.

Where no pre-filter is sound, the reason is often a NULL or a NaN that the schema does not exclude. If the problem has a
solution once such values are excluded, a smallest set of exclusions that suffices is what the user needs to know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from headwater_ir.array_sizes import array_of
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import Col, Expr, IsNaN, IsNull, Not, columns_of
from headwater_ir.native import as_native
from headwater_ir.problem import FoldProblem
from headwater_ir.types import may_hold_nan
from headwater_ir.verdict import Proved, Verdict

from .identity_cache import ByIdentity

MOST_COLUMNS = 6
"""With more candidates than this nobody could act on the answer."""


@dataclass(frozen=True)
class Fact:
    """``column`` holds no NULL (or no NaN)."""

    column: str
    nan: bool = False

    @property
    def condition(self) -> Expr:
        """The fact as a condition on the row."""
        return Not(IsNaN(Col(self.column)) if self.nan else IsNull(Col(self.column)))


@dataclass(frozen=True)
class Conditional:
    """A solution that holds under ``facts``."""

    facts: tuple[Fact, ...]
    verdict: Proved


def find_facts(
    problem: FoldProblem,
    solve: Callable[[FoldProblem], Verdict],
    worth: Callable[[Proved], bool] = lambda _: True,
    memory: ByIdentity[FoldProblem, WithAll] | None = None,
) -> Conditional | None:
    """A minimal set of facts under which ``solve`` proves something that is ``worth`` telling; None if there is none.

    Fewer facts must give the very same pre-filter: a weaker one would answer another question.
    """
    known = _with_all(problem) if memory is None else memory.get(problem) or memory.put(problem, _with_all(problem))
    if known.under is None:
        return None
    facts, verdict = known.facts, solve(known.under)
    if not isinstance(verdict, Proved) or not worth(verdict):
        return None
    for group in _groups(facts):
        fewer = tuple(f for f in facts if f not in group)
        if fewer == facts or not fewer:
            continue
        again = solve(with_facts(problem, fewer))
        if isinstance(again, Proved) and again.solution.pre_filter == verdict.solution.pre_filter:
            facts, verdict = fewer, again
    return Conditional(facts, verdict)


@dataclass(frozen=True)
class WithAll:
    """All facts that may be lacking, and the problem under them; None if there are none."""

    facts: tuple[Fact, ...]
    under: FoldProblem | None


def _with_all(problem: FoldProblem) -> WithAll:
    facts = _candidates(problem)
    return WithAll(facts, with_facts(problem, facts) if facts else None)


def with_facts(problem: FoldProblem, facts: tuple[Fact, ...]) -> FoldProblem:
    """``problem`` under ``facts``, which its certificate then lists as assumptions."""
    fold = problem.fold
    return replace(
        problem,
        fold=replace(
            fold,
            facts=(*fold.facts, *(f.condition for f in facts)),
            assumptions=(
                *fold.assumptions,
                *(Assumption("nulls", f"{words} (not known to be so)") for words in in_words(facts)),
            ),
        ),
    )


def in_words(facts: tuple[Fact, ...]) -> tuple[str, ...]:
    """One clause per column: ``​`score` held no NULL and no NaN``."""
    by_column: dict[str, list[str]] = {}
    for fact in facts:
        by_column.setdefault(fact.column, []).append("no NaN" if fact.nan else "no NULL")
    return tuple(f"`{column}` held {' and '.join(kinds)}" for column, kinds in by_column.items())


def _candidates(problem: FoldProblem) -> tuple[Fact, ...]:
    fold = problem.fold
    read = frozenset(name for e in (*fold.step, fold.emit, *(o.value for o in fold.outputs)) for name in columns_of(e))
    found = [
        Fact(column.name, nan)
        for column in fold.columns
        if column.name in read
        and not column.ghost
        and not column.is_key
        and array_of(column.name) is None
        and as_native(column.name) is None
        for nan in (False, True)
        if not nan or may_hold_nan(column.type)
    ]
    fresh = tuple(f for f in found if f.condition not in fold.facts)
    return fresh if len({f.column for f in fresh}) <= MOST_COLUMNS else ()


def _groups(facts: tuple[Fact, ...]) -> list[tuple[Fact, ...]]:
    """What to try to do without: whole columns first, then single facts."""
    columns = dict.fromkeys(f.column for f in facts)
    return [*(tuple(f for f in facts if f.column == c) for c in columns), *((f,) for f in facts)]
