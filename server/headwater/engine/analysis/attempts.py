"""What is tried on a filter: ``ATTEMPTS``, in this order, until one of them answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.engine.report.report import Opportunity, Skipped
from headwater_ir.plan import Filter, Opaque, Plan, Shared
from headwater_ir.span import Span
from headwater_ir.walks import below

from .constant_filter import constant_by_itself, never_passed_below
from .judging import Judge
from .reading import SourceFailure

if TYPE_CHECKING:
    from headwater.operators.move import Moved


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt: what it ``found`` and why it found nothing more; ``settled``: the calls of the filters
    that need no analysis of their own any more. ``answers``: why other attempts found nothing does not matter."""

    found: tuple[Opportunity, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    settled: frozenset[Span] = frozenset()
    answers: bool = False


@dataclass(frozen=True)
class Attempt:
    """``of``: what to try of a filter, None if there is nothing. ``proves``: it has no quick form on small tables."""

    name: str
    of: Callable[[Filter], Filter | None]
    run: Callable[[Judge, Filter], Outcome]
    proves: bool = False


def attempted(judge: Judge, filter_: Filter) -> Outcome:
    """What comes of ``filter_``: of the attempts up to the first that answers."""
    found: tuple[Opportunity, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    for attempt in ATTEMPTS:
        top = None if attempt.proves and judge.options.bounded else attempt.of(filter_)
        if top is None:
            continue
        try:
            outcome = attempt.run(judge, top)
        except Exception as error:
            outcome = Outcome(skipped=(internal_error(judge, top, error),))
        found += outcome.found
        if outcome.answers:
            return Outcome(found, outcome.skipped, outcome.settled, True)
        skipped += outcome.skipped
    return Outcome(found, skipped)


def internal_error(judge: Judge, filter_: Filter, error: Exception) -> Skipped:
    """A failure of ours on one filter, which must not cost the others."""
    judge.suppressions.unsettle(filter_.call)
    return Skipped(filter_.call, "opaque", f"internal error: {type(error).__name__}: {error}".splitlines()[0])


def _at_boundaries(judge: Judge, filter_: Filter) -> Outcome:
    """The filter at each boundary that it reaches."""
    from headwater.operators.move import Stopped

    found: list[Opportunity] = []
    skipped: list[Skipped] = []
    settled: frozenset[Span] = frozenset()
    for end in judge.memory.moves(filter_):
        if not isinstance(end, Stopped):
            outcome = _at_boundary(judge, end)
            found += outcome.found
            skipped += outcome.skipped
            settled |= outcome.settled
        elif not end.no_boundary:
            never = never_passed_below(judge, filter_) if end.obstruction == "shared-subplan" else None
            if never is None:
                skipped.append(Skipped(filter_.call, end.obstruction, end.reason))
            else:
                found += judge.shown(never)
    constant = [o for o in found if o.code == "HW302"]  # of a filter that nothing passes there is nothing more to say
    return Outcome(tuple(constant[:1] or found), tuple(skipped), settled, bool(settled))


def _at_boundary(judge: Judge, moved: Moved) -> Outcome:
    from . import findings

    start, place = judge.clock(), judge.place(moved)
    try:
        found = judge.finding(place, start)
    except (findings.CannotEdit, findings.CannotSpell) as reason:
        found = Skipped(place.filter_span, "opaque", f"a pre-filter cannot be written here: {reason}")
    except Exception as error:  # which must not cost what is found at the other boundaries of the filter
        found = internal_error(judge, place.moved.filters[0], error)
    if isinstance(found, Skipped):
        return Outcome(skipped=(found,))
    calls = frozenset(f.call for f in moved.filters)
    if found.status == "bounded":  # the proof may leave them for themselves
        for call in calls:
            judge.suppressions.unsettle(call)
    return Outcome(judge.shown(found), settled=calls)


def _in_own_branch(judge: Judge, filter_: Filter) -> Outcome:
    """A filter on a frame that others use as well, in a copy of the branch that leads to it."""
    from headwater.rewrite.edits import Text

    from . import findings
    from .branches import in_users_text, moved_apart

    if not judge.own_branches:
        judge.untried.append(filter_.call.end)
        judge.suppressions.unsettle(filter_.call)
        return Outcome()
    try:
        found_in = moved_apart(judge.context(), judge.module, filter_, judge.variants())
        for branch, module, moved in found_in:
            place = findings.Place(
                Text(module.readable or branch.text),
                module,
                judge.assuming(moved),
                branch.name,
                data=judge.options.data,
            )
            found = judge.finding(place, judge.clock())
            shown = None if isinstance(found, Skipped) else in_users_text(branch, found, judge.confirmer(), module)
            if shown is not None:
                settled = frozenset(branch.origin(f.call) for f in moved.filters if not branch.holds(f.call))
                return Outcome(judge.shown(shown), (), settled, bool(settled))
    except (findings.CannotEdit, findings.CannotSpell, SourceFailure):
        pass
    return Outcome()


def _constant(judge: Judge, filter_: Filter) -> Outcome:
    found = constant_by_itself(judge, filter_)
    if isinstance(found, Skipped):
        return Outcome(skipped=(found,), answers=True)
    return Outcome() if found is None else Outcome(judge.shown(found), answers=True)


def _has_shared_input(filter_: Filter) -> bool:
    """Whether others need every row of a frame that the filter stands on."""
    return any(map(_is_shared, below(filter_)))


def _is_shared(plan: Plan) -> bool:
    return isinstance(plan, Shared) or (isinstance(plan, Opaque) and plan.obstruction == "shared-subplan")


ATTEMPTS: tuple[Attempt, ...] = (
    Attempt("the whole filter", lambda f: None if f.native and not f.conjuncts else f, _at_boundaries),
    Attempt("without its Python functions", lambda f: f.native, _at_boundaries),
    Attempt(
        "in a branch of its own",
        lambda f: f if _has_shared_input(f) and f.style != "driver" else None,
        _in_own_branch,
        proves=True,
    ),
    Attempt("constant", lambda f: f, _constant, proves=True),
)
