"""A proved (or not refuted) solution as an ``Opportunity``."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwater.cost import conditions
from headwater.cost.estimate import ASSUMED_COLUMNS, Estimate, estimate
from headwater.cost.estimate import in_words as benefit_words
from headwater.cost.function import microseconds
from headwater.data_facts.model import DataFacts
from headwater.demand.worth import rows_of_files
from headwater.engine.report.report import CODE_OF_KIND, Code, Opportunity, SourceClass, Status
from headwater.rewrite.edits import CannotEdit, CannotSpell, Rewrite, Text, build_rewrite, require_editable
from headwater.rewrite.spell_python import is_of_elements
from headwater.rewrite.spell_sql import spell_sql
from headwater.rules import hw302_constant_filter as constant_filter
from headwater.rules.hw101_exact_pushdown import proved_message
from headwater.rules.hw104_conditional_pushdown import conditional_message
from headwater.rules.hw105_native_filter import native_message
from headwater.rules.hw190_possible_pushdown import bounded_message
from headwater.rules.hw301_unsound_prefilter import unsound_message
from headwater.rules.registry import RULES
from headwater.rules.sentences import boundary_label
from headwater.source.classify import Source, classify
from headwater.source.reach import scan_below
from headwater_ir.assumptions import Assumption, texts
from headwater_ir.change import Change
from headwater_ir.expr import TRUE, Expr, columns_of, conjoin, conjuncts
from headwater_ir.module import Module
from headwater_ir.plan import Explode, Filter
from headwater_ir.problem import FoldProblem
from headwater_ir.span import Span
from headwater_ir.verdict import Bounded, Kind, Proved, Solution

from . import messages
from .conditional import Conditional, in_words
from .data.removed import removed_of
from .digests import HELD, digest
from .identity_cache import ByIdentity

if TYPE_CHECKING:
    from headwater.operators.constant_filter import Claim
    from headwater.operators.move import Moved

    from .memory import Memory
    from .unsound_prefilter import Marked

_LIMITED = ByIdentity[FoldProblem, str](HELD)
"""The digests of problems without what is only noted of them."""


@dataclass(frozen=True)
class Place:
    """One moved filter in its source text. ``beside``: the variable that others read as well, in a text in which the
    filter has a branch of its own. ``end``: what ``moved`` was made of, which may be the same object in the next
    version of the text. ``data``: what is known of the data."""

    text: Text
    module: Module
    moved: Moved
    beside: str | None = None
    end: Moved | None = None
    data: tuple[DataFacts, ...] = ()

    @property
    def source(self) -> str:
        """The text itself."""
        return self.text.source

    @property
    def filter_span(self) -> Span:
        """The outermost filter call without its dot."""
        return self.span_of(self.moved.filters[0])

    def span_of(self, filter_: Filter) -> Span:
        """A filter call without its dot."""
        call = filter_.call
        text = call.text(self.source)
        return Span(call.end - len(text.lstrip(".").lstrip(" \t\r\n\\")), call.end)

    def line_of(self, span: Span) -> int:
        """The line that ``span`` begins on, counted from 1."""
        return self.source.count("\n", 0, span.start) + 1

    @property
    def insert_span(self) -> Span:
        """Where the pre-filter goes."""
        at = self.moved.place.insert_at
        return Span(at, at)

    @property
    def label(self) -> str:
        """The boundary in words."""
        boundary = self.moved.place
        return boundary_label(boundary.operator, boundary.function)

    def source_use(self, pre_filter: Expr) -> tuple[SourceClass, ...]:
        """What the data source makes of each conjunct of the pre-filter; empty if none of them reaches a source."""
        found = []
        boundary = self.moved.boundary
        for part in conjuncts(pre_filter):
            if isinstance(boundary, Explode) and not boundary.arms and any(map(boundary.makes, columns_of(part))):
                continue  # it is asked of elements, in front of no source
            scan = scan_below(self.moved.boundary.child, columns_of(part))
            if scan is not None:
                classified = classify(part, Source.of(scan))
                found.append(SourceClass(spell_sql(part) or str(part), classified.kind, classified.why))
        return tuple(found)

    def worth(self, pre_filter: Expr) -> Estimate | None:
        """What it is worth to move ``pre_filter`` here; None if nothing of the kind is measured."""
        boundary, elements = self.moved.boundary, is_of_elements(self.moved.boundary)
        known = None if elements else removed_of(boundary, pre_filter, self.data)
        operator, function = self.moved.place.operator, None
        if len(self.moved.place.code) == 1:
            (code,) = self.moved.place.code
            operator = code.how if code.how == "series" else operator
            given = len(code.arguments or code.source.fields) or ASSUMED_COLUMNS
            texts = [f.text(self.source) for s in code.steps if not s.method for f in s.functions]
            function = microseconds(code.how, texts[0], given) if len(texts) == 1 else None
        test = None if elements else conditions.microseconds(pre_filter)
        return estimate(operator, elements, rows_of_files(boundary.child), known, function, test)

    def identity(self, code: Code, *more: str) -> str:
        """A hash of what was found, not of where it stands nor of what is only noted, such as the versions of Spark."""
        texts = [self.moved.place.span.text(self.source)]
        texts += [f.call.text(self.source) for f in self.moved.filters]
        problem = self.moved.problem
        known = _LIMITED.get(problem) or _LIMITED.put(problem, digest(_without_notes(problem)))
        parts = "\0".join([code, *more, *texts, known])
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _without_notes(problem: FoldProblem) -> FoldProblem:
    fold = problem.fold
    limits = tuple(a for a in fold.assumptions if a.limits and a.kind != "data")  # which has the day in it
    return replace(problem, fold=replace(fold, assumptions=limits))


def proved(place: Place, verdict: Proved, ms: float) -> Opportunity:
    """HW101 to HW103 and HW105. ``CannotEdit`` or ``CannotSpell`` if the rewrite cannot be written into the text."""
    rewrite = build_rewrite(place.text, place.module, place.moved, verdict.solution)
    shown = _in_sql(place, verdict.solution.pre_filter) or rewrite.prefilter_text
    stated = texts(verdict.certificate.assumptions)
    if place.moved.place.in_filter:
        message = native_message(shown, place.label, rewrite.kind, ms, stated)
        if rewrite.kind != "partial":  # in front, the condition would still take the function's place
            rewrite = replace(rewrite, prefilter_edits=())
        return _opportunity(place, "HW105", verdict, rewrite, message, ms)
    message = proved_message(shown, place.label, rewrite.kind, ms, stated, place.beside)
    return _opportunity(place, CODE_OF_KIND[rewrite.kind], verdict, rewrite, message, ms)


def conditional(place: Place, found: Conditional, ms: float) -> Opportunity:
    """HW104: no edit, for the proof rests on facts that nobody has stated."""
    if is_of_elements(place.moved.boundary):
        raise CannotSpell("it rests on facts of what an RDD holds, which no schema can state")
    rewrite = build_rewrite(place.text, place.module, place.moved, found.verdict.solution)
    shown = spell_sql(found.verdict.solution.pre_filter) or rewrite.prefilter_text
    message = conditional_message(shown, place.label, in_words(found.facts), ms)
    bare = Rewrite(rewrite.kind, (), (), rewrite.prefilter_text, rewrite.residual_text, rewrite.residual_sql)
    return _opportunity(place, "HW104", found.verdict, bare, message, ms)


def constant(place: Place, verdict: Proved, ms: float, claim: Claim | None = None) -> Opportunity:
    """HW302: the proved pre-filter drops every row, so no row passes the filter, or none its negation. ``claim``: the
    conditions from which this follows, if no boundary but filters make it so. Such code is a mistake to look at, not to
    speed up, so nothing is offered."""
    rewrite = Rewrite("exact", (), (), "", None, None)
    always = claim is not None and claim.always
    stated = texts(verdict.certificate.assumptions)
    if claim is None:
        message = constant_filter.constant_message(place.label, ms, stated)
    else:
        own = [p.span.text(place.source) for p in claim.parts if p.own]
        earlier = [(p.span.text(place.source), place.line_of(p.span)) for p in claim.parts if not p.own]
        message = (
            constant_filter.always_message(earlier, ms, stated)
            if always
            else constant_filter.never_message(own, earlier, ms, stated)
        )
    found = _opportunity(place, "HW302", verdict, rewrite, message, ms)
    said = constant_filter.ALWAYS if always else constant_filter.NEVER
    return replace(found, prefilter_sql=None, source=(), benefit=(), invariant_text=said)


def bounded(place: Place, verdict: Bounded, ms: float, memory: Memory) -> Opportunity:
    """HW190: nothing is proved, so nothing is named and nothing offered. ``CannotEdit`` where no proof could be made
    use of."""
    end = place.end or place.moved
    known = memory.editable.get(end)
    editable = require_editable(place.text, place.module, place.moved, known)
    if editable is not None and editable is not known:
        memory.editable.put(end, editable)
    kind: Kind = "partial"
    boundary = place.moved.place
    return Opportunity(
        id=place.identity("HW190"), code="HW190", name=RULES["HW190"].name, kind=kind, status="bounded",
        operator=boundary.operator, function=boundary.function, boundary_span=boundary.span,
        filter_span=place.filter_span, filter_text=place.filter_span.text(place.source),
        prefilter_text="", prefilter_sql=None, prefilter_span=place.insert_span,
        residual_text=place.moved.filters[0].condition.text(place.source), residual_sql=None,
        invariant_text="", atoms=(), conditions=(), source=(), assumptions=(), notes=(), benefit=(),
        edits=(), prefilter_edits=(), certificate=None, ms=ms, message=bounded_message(place.label, verdict.rows),
    )  # fmt: skip


def unsound(place: Place, marked: Marked, witness: str, ms: float) -> Opportunity:
    """HW301: a witness tells against a filter that somebody marked. Nothing is offered: the job may be right as it is,
    and its mark wrong."""
    boundary, span = place.moved.place, place.span_of(marked.filter)
    stated = place.moved.problem.fold.assumptions
    text = marked.filter.condition.text(place.source)
    return Opportunity(
        id=place.identity("HW301", text), code="HW301", name=RULES["HW301"].name, kind="partial",
        status=_status(stated), operator=boundary.operator, function=boundary.function, boundary_span=boundary.span,
        filter_span=span, filter_text=span.text(place.source), prefilter_text=text,
        prefilter_sql=spell_sql(conjoin(list(marked.condition))), prefilter_span=Span(span.start, span.start),
        residual_text=place.moved.filters[0].condition.text(place.source), residual_sql=None,
        invariant_text=witness, atoms=(), conditions=(), source=(),
        assumptions=texts(stated), notes=texts(stated, notes=True), benefit=(),
        edits=(), prefilter_edits=(), certificate=None, ms=ms,
        message=unsound_message(spell_sql(conjoin(list(marked.condition))) or text, place.label, witness),
    )  # fmt: skip


def _in_sql(place: Place, pre_filter: Expr) -> str | None:
    """The pre-filter in SQL, where it is one of a frame."""
    return None if is_of_elements(place.moved.boundary) else spell_sql(pre_filter)


def _status(stated: tuple[Assumption, ...]) -> Status:
    return "assumed" if any(a.limits for a in stated) else "verified"


def _opportunity(place: Place, code: Code, verdict: Proved, rewrite: Rewrite, message: str, ms: float) -> Opportunity:
    boundary = place.moved.place
    solution, fold = verdict.solution, place.moved.problem.fold
    stated = verdict.certificate.assumptions
    return Opportunity(
        id=place.identity(code), code=code, name=RULES[code].name, kind=rewrite.kind, status=_status(stated),
        operator=boundary.operator, function=boundary.function, boundary_span=boundary.span,
        filter_span=place.filter_span, filter_text=place.filter_span.text(place.source),
        prefilter_text=rewrite.prefilter_text, prefilter_sql=_in_sql(place, solution.pre_filter),
        prefilter_span=place.insert_span, residual_text=rewrite.residual_text, residual_sql=rewrite.residual_sql,
        invariant_text=messages.invariant_words(solution.invariant, fold),
        atoms=tuple(messages.formula(a, fold) for a in solution.invariant), conditions=verdict.conditions,
        source=place.source_use(solution.pre_filter), assumptions=texts(stated), notes=texts(stated, notes=True),
        benefit=benefit_words(place.worth(solution.pre_filter)),
        edits=rewrite.edits, prefilter_edits=rewrite.prefilter_edits, certificate=verdict.certificate,
        ms=ms, message=message, validation=verdict.certificate.validation,
        change=_change(place.moved, solution, rewrite.kind) if rewrite.edits else None,
    )  # fmt: skip


def _change(moved: Moved, solution: Solution, done: Kind) -> Change:
    """What the proof says becomes of the plans; ``done``: how much of it is written."""
    residual = {"exact": TRUE, "split": solution.residual, "partial": None}[done]
    calls, conditions = (tuple(f.call for f in moved.filters), tuple(f.condition for f in moved.filters))
    place = moved.place
    return Change(place.operator, place.span, solution.pre_filter, calls, conditions, residual)


__all__ = ["CannotEdit", "CannotSpell", "Place", "bounded", "conditional", "constant", "proved", "unsound"]
