"""One filter at one boundary: the problem is put to the solver, and its verdict is a finding or a reason for none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from typing_extensions import assert_never

from headwater.engine.report.report import Opportunity, Skipped
from headwater_ir.assumptions import Assumption
from headwater_ir.expr import FALSE, TRUE, Expr, If, Out
from headwater_ir.module import Module
from headwater_ir.plan import Filter, Opaque, Plan
from headwater_ir.problem import FoldProblem, OutputColumn
from headwater_ir.span import Span
from headwater_ir.types import BOOL
from headwater_ir.verdict import Bounded, Proved, Refuted, Unknown, Unsupported, Verdict
from headwater_ir.walks import below, call_of

from .conditional import find_facts
from .crossings import NotCrossed, crossed
from .data.assumed import data_assumed
from .memory import Memory
from .options import Options
from .reading import Reader
from .session_settings import off_by_default, stated_of
from .solver import Clock, Solver
from .suppressions import Suppressions
from .validation import Validator

if TYPE_CHECKING:
    from headwater.demand.surroundings import Surroundings
    from headwater.edit_check.confirm import Confirmer
    from headwater.operators.move import Moved
    from headwater.rewrite.edits import Text
    from headwater.syntax.names.module_scope import Context

    from . import findings


@dataclass
class Judge:
    """What the analysis of one text asks, and of whom. ``at``: the filter whose turn it is. ``own_branches``: whether
    filters are tried in branches of their own, each a text to be read; else ``untried`` has those that need one, and
    the conditions of HW201, whose edits are confirmed in such texts. ``left_out``: what is found in test code.
    ``rereads``: whether the text after each edit is read again and compared; else that is done when it is asked for.
    ``started``: the clock when the part of the analysis began that is under way: filters, demands, conditions."""

    source: str
    module: Module
    options: Options
    solve: Solver
    clock: Clock
    with_facts: Solver | None
    suppressions: Suppressions
    memory: Memory
    own_branches: bool = True
    rereads: bool = True
    started: float = 0.0
    at: Span = field(default_factory=lambda: Span(0, 0))
    untried: list[int] = field(default_factory=list)
    left_out: list[Skipped] = field(default_factory=list)
    _context: Context | None = None
    _text: Text | None = None
    _validators: dict[str, Validator] = field(default_factory=dict)
    _confirmer: Confirmer | None = None
    _variants: Reader | None = None
    _surroundings: Surroundings | None = None

    @property
    def readable(self) -> str:
        """The text with stand-ins for what is not Python."""
        return self.module.readable or self.source

    def context(self) -> Context:
        """The text as the front end reads it."""
        from headwater.syntax.names.module_scope import Context

        if self._context is None:
            known = self.memory.context
            self._context = known if known is not None and known.source == self.source else Context.of(self.source)
        return self._context

    def text(self) -> Text:
        """The text as it is edited."""
        from headwater.rewrite.edits import Text

        if self._text is None:
            self._text = Text(self.readable, self.context)
        return self._text

    def surroundings(self) -> Surroundings:
        """What the code around the walls tells about them."""
        from headwater.demand.surroundings import Surroundings

        if self._surroundings is None:
            self._surroundings = Surroundings(self.context(), self.module.walls)
        return self._surroundings

    def assuming(self, moved: Moved) -> Moved:
        """With what the proof rests on besides the fold."""
        read = {c.name for c in moved.problem.fold.columns} if self.options.data else set[str]()
        assumptions = (*data_assumed(moved.filters[0], self.options.data, read), *self._stated(moved))
        if not assumptions:
            return moved
        known = self.memory.assuming.get(moved.problem)
        if known is None or known[0] != assumptions:
            fold = moved.problem.fold
            fold = replace(fold, assumptions=(*fold.assumptions, *assumptions))
            known = self.memory.assuming.put(moved.problem, (assumptions, replace(moved.problem, fold=fold)))
        return replace(moved, problem=known[1])

    def _stated(self, moved: Moved) -> tuple[Assumption, ...]:
        """What a proof about ``moved`` takes for granted."""
        module, given = self.module, self._handed_in_below(moved.boundary)
        facts: object = module.assumptions, module.settings, module.effects, given
        known = self.memory.stated.get(moved)
        if known is None or known[0] != facts:
            found = stated_of(moved.problem, moved.filters[0], moved.boundary, module, given, self.options.targets)
            known = self.memory.stated.put(moved, (facts, found))
        return known[1]

    def _handed_in_below(self, plan: Plan) -> tuple[str, ...]:
        """What methods of frames in ``plan`` are given that may be columns of other code, in the order of the text."""
        if not self._handed_in:
            return ()
        calls = {call_of(p) for p in below(plan)} & self._handed_in.keys()
        return tuple(given for call in sorted(calls) for given in self._handed_in[call])

    @cached_property
    def _handed_in(self) -> dict[Span, list[str]]:
        """The same of the file, by the calls."""
        found: dict[Span, list[str]] = {}
        for call, given in self.module.handed_in if self.module.effects else ():
            found.setdefault(call, []).append(given)
        return found

    def place(self, moved: Moved) -> findings.Place:
        """``moved`` in this text, with what its proof rests on."""
        from . import findings

        return findings.Place(self.text(), self.module, self.assuming(moved), end=moved, data=self.options.data)

    def finding(self, place: findings.Place, start: float) -> Opportunity | Skipped:
        """What the verdict on the filter at ``place`` comes to. ``findings.CannotEdit`` or ``CannotSpell`` if a rewrite
        is proved but cannot be written."""
        try:
            return self._finding(place, start)
        except NotCrossed as what:
            return Skipped(place.filter_span, "opaque", f"the way to the boundary is not proved: {what}")

    def _drops_none(self, verdict: Proved, start: float) -> bool:
        """Whether every row passes the pre-filter: alternatives that leave out none, or that a filter below implies."""
        problem, drops = verdict.certificate.problem, If(verdict.solution.pre_filter, FALSE, TRUE)
        fold = replace(problem.fold, outputs=(OutputColumn("is dropped", BOOL, drops),))
        found = self.ask(replace(problem, fold=fold, predicate=Out("is dropped")), start, self.solve)
        return isinstance(found, Proved) and found.solution.pre_filter == FALSE

    def _finding(self, place: findings.Place, start: float) -> Opportunity | Skipped:
        from headwater.demand.worth import why_few

        from . import findings
        from .reporting_policy import moves_anyway, why_quiet

        moved, span = place.moved, place.filter_span
        done = [p for p in below(moved.boundary) if isinstance(p, Opaque) and p.obstruction == "side-effect"]
        if done and moved.path is not None:  # it is done for fewer rows where a filter stands above it
            return Skipped(span, "side-effect", done[0].reason)
        off = off_by_default(moved.problem, self.module, self.options.targets)
        if off is not None:
            return Skipped(span, "may-throw", off)
        if moved.filters[0].style == "driver":
            rows = moved.filters[0].child
            if few := why_few(rows):
                return Skipped(span, "no-prefilter", few)
            if not self.options.show_all and (few := self.surroundings().why_few_of(rows)):
                self.suppressions.unsettle(self.at)
                return Skipped(span, "no-prefilter", f"{few} (--all reports it)")
        verdict = self.ask(moved.problem, start, self.solve)
        match verdict:
            case Proved() if verdict.solution.pre_filter == FALSE and not moved.whole:
                return Skipped(span, "no-prefilter", "no row of one input passes, and rows of another may")
            case Proved() if verdict.solution.pre_filter == FALSE and (type_ := type_assumed(moved)):
                return Skipped(span, "no-prefilter", f"no row passes if {type_}, which nothing in the file states")
            case Proved() if verdict.solution.pre_filter == FALSE:
                return findings.constant(place, self.validated(place, verdict), self.ms(start))
            case Proved() if moved.filters[0].style == "driver" and self._drops_none(verdict, start):
                return Skipped(span, "no-prefilter", "every row passes")
            case Proved():
                quiet = why_quiet(moved.boundary, moved.problem, verdict.solution)
                if quiet is None:
                    without = self._without_gain(place) or self._cannot_pay(place, verdict.solution.pre_filter)
                    return without or self.confirmed(place, self.validated(place, verdict), start)
                refused = _moved_by_spark(moved, span, quiet.reason)
                if not quiet.lacks_facts:
                    return refused
            case Bounded():
                if moves_anyway(moved):
                    return _moved_by_spark(moved, span, "Spark moves this filter itself")
                if moved.filters[0].style == "driver" and any(
                    isinstance(p, Filter) for p in below(moved.filters[0].child)
                ):
                    return Skipped(
                        span, "time-out", "whether a filter below drops these rows already is not proved yet"
                    )
                return self._without_gain(place) or findings.bounded(place, verdict, self.ms(start), self.memory)
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
            lambda problem: self.ask(problem, start, facts),
            lambda found: (
                found.solution.pre_filter != FALSE
                and why_quiet(moved.boundary, found.certificate.problem, found.solution) is None
            ),
            self.memory.with_all,
        )
        if under is None:
            return refused
        without = self._without_gain(place) or self._cannot_pay(place, under.verdict.solution.pre_filter)
        if without is not None:
            return without
        under = replace(under, verdict=self.validated(place, under.verdict))
        return findings.conditional(place, under, self.ms(start))

    def validated(self, place: findings.Place, verdict: Proved) -> Proved:
        """``verdict`` of the whole way, after the user's function was evaluated beside the fold;
        ``validation.Misread`` if they differ, ``crossings.NotCrossed`` if the way is not proved."""
        verdict = crossed(place.moved, verdict)
        validator = self._validators.get(place.source)
        if validator is None:
            validator = self._validators[place.source] = Validator(place.source)
        return validator.checked(place.moved, verdict)

    def confirmed(self, place: findings.Place, verdict: Proved, start: float) -> Opportunity:
        """The finding, once its edits are seen to do what is proved; not in the quick check, whose edits are looked at
        when they are asked for. ``WrongEdit`` if they do not."""
        from . import confirming, findings

        found = findings.proved(place, verdict, self.ms(start))
        if place.source == self.readable or not self.rereads:
            return self.reread(found)
        return confirming.confirmed(confirming.confirmer(place.source, place.module, self.options), found)

    def reread(self, found: Opportunity) -> Opportunity:
        """``found``, a finding in this text, once its edits are seen to do what is proved, as ``confirmed``."""
        from .confirming import confirmed

        return confirmed(self.confirmer(), found) if self.rereads else found

    def confirmer(self) -> Confirmer:
        """What compares edits of this text."""
        from .confirming import confirmer

        if self._confirmer is None:
            self._confirmer = confirmer(self.source, self.module, self.options)
        return self._confirmer

    def variants(self) -> Reader:
        """What reads texts that differ little from this one."""
        from .confirming import variants

        if self._variants is None:
            self._variants = variants(self.options)
        return self._variants

    def out_of_time(self, at: Span) -> Skipped | None:
        """That nobody looks ``at`` a place, because this part of the analysis has taken all of the file's budget."""
        if self.clock() - self.started < self.options.budget_seconds:
            return None
        self.suppressions.unsettle(at)
        return Skipped(at, "time-out", f"what is before it took more than {self.options.budget_seconds:g} s")

    def _without_gain(self, place: findings.Place) -> Skipped | None:
        """Why a finding is left out that no benchmark has shown to make a program faster, or one on rows of which the
        file says that there are few; None if it is reported."""
        from headwater.cost.gains import gains
        from headwater.rewrite.spell_python import is_of_elements

        if self.options.show_all:
            return None
        operator, few = place.moved.place.operator, self.surroundings().why_few_of(place.moved.filters[0].child)
        if few is None and place.moved.filters[0].style == "driver" and self.surroundings().each_turn_is_slow(self.at):
            few = "each turn of the loop starts a job, or waits for another system"
        if few is None and gains(operator, is_of_elements(place.moved.boundary)):
            return None
        self.suppressions.unsettle(self.at)
        reason = few or f"no benchmark has shown that a filter in front of `{operator}` makes a program faster"
        return Skipped(place.filter_span, "no-prefilter", f"{reason} (--all reports it)")

    def _cannot_pay(self, place: findings.Place, pre_filter: Expr) -> Skipped | None:
        """Why a finding is left out whose pre-filter removes too few rows, by the plan or by the statistics of the
        files."""
        from headwater.cost.estimate import percent
        from headwater.demand.worth import leaves_out_one

        if not self.options.show_all and leaves_out_one(pre_filter, place.moved.filters[0].child):
            self.suppressions.unsettle(self.at)
            return Skipped(place.filter_span, "no-prefilter", "one row is removed at most (--all reports it)")
        worth = None if self.options.show_all or not self.options.data else place.worth(pre_filter)
        if worth is None or not worth.cannot_pay:
            return None
        self.suppressions.unsettle(self.at)
        reason = f"the pre-filter removes {percent(worth.removed[2])} of the rows at most, by {worth.source}"
        return Skipped(place.filter_span, "no-prefilter", f"{reason} (--all reports it)")

    def ask(self, problem: FoldProblem, start: float, solver: Solver) -> Verdict:
        """The verdict of ``solver``, in what is left of the time that one filter has since ``start``."""
        left = self.options.timeout_seconds - (self.clock() - start)
        verdict = solver(problem, left) if left > 0 else Unknown("out of time")
        if isinstance(verdict, (Bounded, Unknown)):
            self.suppressions.unsettle(self.at)
        return verdict

    def ms(self, start: float) -> float:
        """The milliseconds since ``start``."""
        return round((self.clock() - start) * 1000, 1)

    def shown(self, found: Opportunity) -> tuple[Opportunity, ...]:
        """``found``, unless a comment or a setting suppresses it, or it would make nothing but a test faster."""
        from headwater.rules.registry import RULES

        if self.suppressions.hide(found.code, found.filter_span):
            return ()
        fault = RULES[found.code].severity == "warning"
        if self.options.show_all or fault or not self.surroundings().is_test(found.filter_span):
            return (found,)
        self.suppressions.unsettle(found.filter_span)
        self.left_out.append(Skipped(found.filter_span, "no-prefilter", "a test has few rows (--all reports it)"))
        return ()


def type_assumed(moved: Moved) -> str | None:
    """A type that the proof takes a column or a driver variable to have although the program does not state it."""
    return next((a.text for a in moved.problem.fold.assumptions if a.kind == "type"), None)


def _moved_by_spark(moved: Moved, span: Span, reason: str) -> Skipped:
    """Nothing to report; what stops Spark further down, if it moves the filter itself and something does."""
    from headwater.operators.move import beyond

    from .reporting_policy import moves_anyway

    stopped = beyond(moved) if moves_anyway(moved) else None
    if stopped is None:
        return Skipped(span, "no-prefilter", reason)
    return Skipped(span, stopped.obstruction, f"Spark moves this filter itself until {stopped.reason}")
