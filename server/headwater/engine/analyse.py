"""The pure core: a source text in, a report out. No I/O, no globals; the solver and the clock are passed in."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from typing_extensions import assert_never

from headwater_ir.assumptions import Assumption
from headwater_ir.expr import FALSE
from headwater_ir.plan import Filter, Module, Opaque, Plan, Shared, below
from headwater_ir.problem import FoldProblem
from headwater_ir.span import Span
from headwater_ir.verdict import Bounded, Proved, Refuted, Unknown, Unsupported, Verdict

from .conditional import find_facts
from .identities import ByIdentity
from .options import Options
from .positions import Lines
from .reading import Reader, SourceFailure, read
from .report import Opportunity, Report, Skipped
from .session_settings import stated_of
from .solver import Clock, Solver, bounded, guarded, synthesis
from .suppressions import Suppressions

if TYPE_CHECKING:
    from headwater.frontend.context import Context
    from headwater.operators.beside import Claim
    from headwater.operators.move import Moved

    from . import findings

__all__ = ["Options", "Report", "analyse"]

_ASSUMING = ByIdentity[FoldProblem, tuple[tuple[Assumption, ...], FoldProblem]](4000)
"""Problems with what a reading of their file took for granted; one object still, they have a digest already."""
_MOST_SHOWN = 8
"""A contradiction between more conditions than these is not reduced: each one costs a proof."""
_UNASKED = ByIdentity[Filter, bool](8000)
"""Filters of which it need not be asked whether they are constant."""
_HOPEFUL = ByIdentity[Filter, bool](8000)
"""Filters on frames that others use too, of which it does not seem that nothing passes them."""


def analyse(
    source: str,
    options: Options | None = None,
    solve: Solver | None = None,
    clock: Clock = time.process_time,
    with_facts: Solver | None = None,
    reader: Reader | None = None,
    apart: bool = True,
) -> Report:
    """Everything that can be said of ``source``. A text that does not parse is a report with an error.

    ``solve`` is by default what ``options`` ask for: full synthesis, or the bounded check. ``with_facts`` is asked what
    would be proved if some fact held; by default ``solve`` is, and nobody where ``options`` ask for the bounded check.
    ``reader`` reads the text as the front end does, perhaps quicker. ``apart``: filters on frames that others use too
    are tried in branches of their own, each a text to be read; else the report names those that nobody tried.
    """
    options = options or Options()
    solve = solve or (bounded if options.bounded else synthesis)
    with_facts = with_facts or (None if options.bounded else solve)
    try:
        module = read(source, options, reader)
    except SourceFailure as error:
        return Report(error=error.problem)
    return analyse_module(source, module, options, solve, clock, with_facts, apart)


def analyse_module(
    source: str, module: Module, options: Options, solve: Solver, clock: Clock, with_facts: Solver | None, apart: bool
) -> Report:
    """The report of a text that the front end has read; see ``analyse``."""
    if module.ignore_file:
        return Report(filters=len(module.filters))
    run = _Run(source, module, options, guarded(solve), clock, with_facts and guarded(with_facts))
    run.apart = apart
    run.skipped += [Skipped(span, "opaque", why) for span, why in module.hidden]
    settled: set[Span] = set()
    start = clock()
    for filter_ in module.filters:
        if filter_.call in settled:
            continue
        if clock() - start < options.budget_seconds:
            settled |= run.visit(filter_)
        else:
            reason = f"the filters before it took more than {options.budget_seconds:g} s"
            run.skipped.append(Skipped(filter_.call, "time-out", reason))
            run.suppressions.unsettle(filter_.call)
    if not options.bounded:
        run.check_marks()
    return Report(
        tuple(sorted(run.opportunities, key=lambda o: (o.filter_span, o.id))),
        tuple(sorted(set(run.skipped), key=lambda s: (s.span, s.reason, s.obstruction))),
        unused=() if module.hidden else run.suppressions.unused(run.skipped),  # what is hidden may hold filters
        untried=tuple(run.untried),
        filters=len(module.filters),
    )


class _Run:
    def __init__(
        self, source: str, module: Module, options: Options, solve: Solver, clock: Clock, with_facts: Solver | None
    ) -> None:
        self.source, self.module, self.options, self.solve, self.clock = source, module, options, solve, clock
        self.with_facts = with_facts
        self.readable = module.readable or source
        self.suppressions = Suppressions(Lines(source), module.ignored_lines, options.severity)
        self.opportunities: list[Opportunity] = []
        self.skipped: list[Skipped] = []
        self.at = Span(0, 0)
        """The filter that is being visited."""
        self.context: Context | None = None
        self.apart = True
        self.untried: list[int] = []

    def visit(self, filter_: Filter) -> set[Span]:
        """Analyse one filter; the answer is the calls of the filters that are settled by it."""
        self.at = filter_.call
        if self.options.bounded:
            self.suppressions.unsettle(self.at)
        before = len(self.skipped)
        settled: set[Span] = set() if filter_.native and not filter_.conjuncts else self._attempt(filter_)
        if not settled and filter_.native is not None:
            settled = self._attempt(filter_.native)
            if settled:  # then it does not matter why nothing was found without its Python functions
                del self.skipped[before:]
        if not settled and not self.options.bounded and any(map(_is_shared, below(filter_))):
            settled = self._apart(filter_)
            if settled:
                del self.skipped[before:]
        if not settled and not self.options.bounded:
            try:
                constant = self._is_constant(filter_)
            except Exception as error:
                self._trip(filter_, error)
            else:
                if constant:
                    del self.skipped[before:]
        return settled

    def check_marks(self) -> None:
        """Report the filters that are marked as pre-filters and change a result (HW301)."""
        from . import findings
        from .marked import in_words, marked_below, refuted, without

        for marked in marked_below(self.module, self.readable):
            start = self.clock()
            try:
                found = refuted(marked, read(without(self.source, marked), self.options))
                if found is not None:
                    place = findings.Place(self.readable, self.module, self._assuming(found.moved))
                    witness = in_words(found, marked.condition)
                    opportunity = findings.unsound(place, marked, witness, self._ms(start))
                    if not self._suppressed(opportunity):
                        self.opportunities.append(opportunity)
            except Exception as error:
                self._trip(marked.filter, error)

    def _apart(self, filter_: Filter) -> set[Span]:
        """Analyse a filter on a frame that others use as well in a branch of its own."""
        from . import findings
        from .branches import moved_apart, told

        if not self.apart:
            self.untried.append(filter_.call.end)
            self.suppressions.unsettle(filter_.call)
            return set()
        try:
            context = self._context()
            for branch, module, moved in moved_apart(context, self.module, filter_, self._read):
                place = findings.Place(module.readable or branch.text, module, self._assuming(moved), branch.name)
                found = self._finding(place, self.clock())
                shown = None if isinstance(found, Skipped) else told(branch, found)
                if shown is not None:
                    if not self._suppressed(shown):
                        self.opportunities.append(shown)
                    return {branch.origin(f.call) for f in moved.filters if not branch.holds(f.call)}
        except (findings.CannotEdit, findings.CannotSpell, SourceFailure):
            pass
        except Exception as error:
            self._trip(filter_, error)
        return set()

    def _read(self, text: str) -> Module:
        return read(text, self.options)

    def _context(self) -> Context:
        """The text as the front end reads it."""
        from headwater.frontend.context import Context

        if self.context is None:
            self.context = Context.of(self.source)
        return self.context

    def _is_constant(self, filter_: Filter) -> bool:
        """Whether no row can pass the filter by itself, or every row that reaches it does; then it is reported."""
        from headwater.operators import beside
        from headwater.synthesis.normal_form import drops_missing

        from . import findings

        if _UNASKED.get(filter_):
            return False
        asked = False
        for make in (beside.never, beside.always):
            start, claim = self.clock(), make(filter_)
            if claim is None or (claim.always and all(drops_missing(c.condition) for c in filter_.conjuncts)):
                continue
            asked = True
            if (verdict := self._proved(claim, start)) is None:
                continue
            claim, verdict = self._least(claim, verdict, start)
            place = findings.Place(self.readable, self.module, self._assuming(claim.moved))
            found = findings.constant(place, verdict, self._ms(start), claim)
            if not self._suppressed(found):
                self.opportunities.append(found)
            return True
        if not asked:
            _UNASKED.put(filter_, True)
        return False

    def _proved(self, claim: Claim, start: float) -> Proved | None:
        """The proof of ``claim``, if there is one."""
        verdict = self._ask(self._assuming(claim.moved).problem, start, self.solve)
        return verdict if isinstance(verdict, Proved) and verdict.solution.pre_filter == FALSE else None

    def _least(self, claim: Claim, verdict: Proved, start: float) -> tuple[Claim, Proved]:
        """The claim from no more conditions than it needs, with its proof: these are shown."""
        parts = claim.parts if len(claim.parts) <= _MOST_SHOWN else ()
        for part in sorted(parts, key=lambda p: p.own):
            smaller = None if part.own and claim.always else claim.without(part)
            proof = None if smaller is None else self._proved(smaller, start)
            if smaller is not None and proof is not None:
                claim, verdict = smaller, proof
        return claim, verdict

    def _attempt(self, filter_: Filter) -> set[Span]:
        try:
            return self._visit(filter_)
        except Exception as error:
            self._trip(filter_, error)
            return set()

    def _trip(self, filter_: Filter, error: Exception) -> None:
        """One filter that trips us up must not cost the others."""
        reason = f"internal error: {type(error).__name__}: {error}".splitlines()[0]
        self.skipped.append(Skipped(filter_.call, "opaque", reason))
        self.suppressions.unsettle(filter_.call)

    def _visit(self, filter_: Filter) -> set[Span]:
        from headwater.operators.move import Stopped, moves

        settled: set[Span] = set()
        before = len(self.opportunities)
        for moved in moves(filter_):
            if not isinstance(moved, Stopped):
                settled |= self._moved(filter_, moved)
            elif not moved.no_boundary and not (
                moved.obstruction == "shared-subplan" and self._passes_nothing(filter_)
            ):
                self.skipped.append(Skipped(filter_.call, moved.obstruction, moved.reason))
        constant = [o for o in self.opportunities[before:] if o.code == "HW302"]
        if constant:  # of a filter that nothing passes there is nothing more to say
            self.opportunities[before:] = constant[:1]
        return settled

    def _passes_nothing(self, filter_: Filter) -> bool:
        """Whether no row can pass, which others who read the frame need not agree on; then it is reported."""
        from headwater.operators.alone import asks_in_vain

        from . import findings

        if _HOPEFUL.get(filter_):
            return False
        start, moved = self.clock(), asks_in_vain(filter_)
        if moved is None or not moved.whole:
            _HOPEFUL.put(filter_, True)
            return False
        place = findings.Place(self.readable, self.module, self._assuming(moved))
        verdict = self._ask(place.moved.problem, start, self.solve)
        if not isinstance(verdict, Proved) or verdict.solution.pre_filter != FALSE or _type_assumed(moved):
            return False
        found = findings.constant(place, verdict, self._ms(start))
        if not self._suppressed(found):
            self.opportunities.append(found)
        return True

    def _moved(self, filter_: Filter, moved: Moved) -> set[Span]:
        """Analyse one filter at one boundary that it reaches."""
        from . import findings

        start = self.clock()
        place = findings.Place(self.readable, self.module, self._assuming(moved))
        try:
            found = self._finding(place, start)
        except (findings.CannotEdit, findings.CannotSpell) as reason:
            found = Skipped(place.filter_span, "opaque", f"a pre-filter is proved but cannot be written here: {reason}")
        if isinstance(found, Skipped):
            self.skipped.append(found)
            return set()
        calls = {f.call for f in moved.filters}
        if found.status == "bounded":  # the proof may leave them for themselves
            for call in calls:
                self.suppressions.unsettle(call)
        if not self._suppressed(found):
            self.opportunities.append(found)
        return calls

    def _assuming(self, moved: Moved) -> Moved:
        """With what the proof rests on besides the fold."""
        assumptions = stated_of(moved.problem, moved.boundary, self.module)
        if not assumptions:
            return moved
        known = _ASSUMING.get(moved.problem)
        if known is None or known[0] != assumptions:
            fold = moved.problem.fold
            fold = replace(fold, assumptions=(*fold.assumptions, *assumptions))
            known = _ASSUMING.put(moved.problem, (assumptions, replace(moved.problem, fold=fold)))
        return replace(moved, problem=known[1])

    def _finding(self, place: findings.Place, start: float) -> Opportunity | Skipped:
        from . import findings
        from .quiet import moves_anyway, why_quiet

        moved, span = place.moved, place.filter_span
        verdict = self._ask(moved.problem, start, self.solve)
        match verdict:
            case Proved() if verdict.solution.pre_filter == FALSE and not moved.whole:
                return Skipped(span, "no-prefilter", "no row of one input passes, and rows of another may")
            case Proved() if verdict.solution.pre_filter == FALSE and (type_ := _type_assumed(moved)):
                return Skipped(span, "no-prefilter", f"no row passes if {type_}, which nothing in the file states")
            case Proved() if verdict.solution.pre_filter == FALSE:
                return findings.constant(place, verdict, self._ms(start))
            case Proved():
                quiet = why_quiet(moved.boundary, moved.problem, verdict.solution)
                if quiet is None:
                    return self._without_gain(place) or findings.proved(place, verdict, self._ms(start))
                refused = _moved_by_spark(moved, span, quiet.reason)
                if not quiet.lacks_facts:
                    return refused
            case Bounded():
                if moves_anyway(moved):
                    return _moved_by_spark(moved, span, "Spark moves this filter itself")
                return self._without_gain(place) or findings.bounded(place, verdict, self._ms(start))
            case Unknown(reason):
                return Skipped(span, "time-out", reason)
            case Unsupported(obstruction, reason):
                return Skipped(span, obstruction, reason)
            case Refuted(obstruction, reason, _):
                refused = Skipped(span, obstruction, reason)
            case _:
                assert_never(verdict)
        facts = self.with_facts
        if facts is None:
            return refused
        under = find_facts(
            moved.problem,
            lambda problem: self._ask(problem, start, facts),
            lambda found: (
                found.solution.pre_filter != FALSE
                and why_quiet(moved.boundary, found.certificate.problem, found.solution) is None
            ),
        )
        if under is None:
            return refused
        return self._without_gain(place) or findings.conditional(place, under, self._ms(start))

    def _without_gain(self, place: findings.Place) -> Skipped | None:
        """Why a finding is left out that no benchmark has shown to make a program faster; None if it is reported."""
        from headwater.cost.gains import gains
        from headwater.rewrite.spell_python import is_of_elements

        operator = place.moved.place.operator
        if self.options.show_all or gains(operator, is_of_elements(place.moved.boundary)):
            return None
        self.suppressions.unsettle(self.at)
        reason = f"no benchmark has shown that a filter in front of `{operator}` makes a program faster"
        return Skipped(place.filter_span, "no-prefilter", f"{reason} (--all reports it)")

    def _ask(self, problem: FoldProblem, start: float, solver: Solver) -> Verdict:
        left = self.options.timeout_seconds - (self.clock() - start)
        verdict = solver(problem, left) if left > 0 else Unknown("out of time")
        if isinstance(verdict, (Bounded, Unknown)):
            self.suppressions.unsettle(self.at)
        return verdict

    def _ms(self, start: float) -> float:
        return round((self.clock() - start) * 1000, 1)

    def _suppressed(self, found: Opportunity) -> bool:
        return self.suppressions.hide(found.code, found.filter_span)


def carry(old: Filter, new: Filter) -> None:
    """``new`` is ``old`` where its text stands elsewhere: what does not depend on that holds for it as well."""
    for known in (_UNASKED, _HOPEFUL):
        if known.take(old):
            known.put(new, True)


def _type_assumed(moved: Moved) -> str | None:
    """A type that the proof takes a column or a driver variable to have although the program does not state it."""
    return next((a.text for a in moved.problem.fold.assumptions if a.kind == "type"), None)


def _is_shared(plan: Plan) -> bool:
    """Whether others need every row of what ``plan`` stands for."""
    return isinstance(plan, Shared) or (isinstance(plan, Opaque) and plan.obstruction == "shared-subplan")


def _moved_by_spark(moved: Moved, span: Span, reason: str) -> Skipped:
    """Nothing to report; what stops Spark further down, if it moves the filter itself and something does."""
    from headwater.operators.move import beyond

    from .quiet import moves_anyway

    stopped = beyond(moved) if moves_anyway(moved) else None
    if stopped is None:
        return Skipped(span, "no-prefilter", reason)
    return Skipped(span, stopped.obstruction, f"Spark moves this filter itself until {stopped.reason}")
