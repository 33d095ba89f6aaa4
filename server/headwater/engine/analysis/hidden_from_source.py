"""HW201: filters whose condition hides from the source what it could skip by."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.engine.report.report import Opportunity, Skipped, SourceClass
from headwater.rewrite.spell_sql import spell_sql
from headwater.rules import hw201_hidden_from_source
from headwater_ir.assumptions import texts
from headwater_ir.change import Ranged
from headwater_ir.plan import Filter
from headwater_ir.span import Span

from .data.assumed import data_assumed
from .judging import Judge

if TYPE_CHECKING:
    from headwater.demand.hidden_from_source import Bared


def look_for_hidden_conditions(judge: Judge, found: list[Opportunity], skipped: list[Skipped]) -> None:
    """Add to ``found`` the conditions that a source can use in another form, and to ``skipped`` why others stay."""
    by_call = dict[Span, list[Filter]]()
    for filter_ in judge.module.filters:
        by_call.setdefault(filter_.call, []).append(filter_)
    for call, filters in by_call.items():
        late = judge.out_of_time(call)
        if late is not None:
            skipped.append(late)
            continue
        try:
            _look_at(judge, filters, found, skipped)
        except Exception as error:
            judge.suppressions.unsettle(call)
            reason = f"internal error: {type(error).__name__}: {error}".splitlines()[0]
            skipped.append(Skipped(call, "opaque", reason))


def _look_at(judge: Judge, filters: list[Filter], found: list[Opportunity], skipped: list[Skipped]) -> None:
    from headwater.demand.hidden_from_source import hidden_from_source
    from headwater.demand.protocol import NotWorth

    if len(filters) == 1 and judge.memory.bare.get(filters[0]):
        return
    start = judge.clock()
    answers = hidden_from_source(filters, judge.module, judge.text())
    if not answers and len(filters) == 1:  # then the filter alone is why
        judge.memory.bare.put(filters[0], True)
    for answer in answers:
        if isinstance(answer, NotWorth):
            skipped.append(Skipped(filters[0].call, "no-prefilter", answer.reason))
            continue
        if not judge.own_branches and not judge.options.bounded:
            judge.untried.append(answer.place.end)  # to confirm it is to read the text twice: when nobody types
            judge.suppressions.unsettle(filters[0].call)
            continue
        opportunity = _confirmed(judge, _opportunity(judge, answer, start))
        if isinstance(opportunity, Skipped):
            skipped.append(opportunity)
        else:
            found += judge.shown(opportunity)


def _confirmed(judge: Judge, found: Opportunity) -> Opportunity | Skipped:
    """``found``, unless something behind the filter is read in another way after it."""
    from headwater.edit_check.confirm import WrongEdit

    from .confirming import confirmed

    if judge.options.bounded:
        return found
    try:
        return confirmed(judge.confirmer(), found)
    except WrongEdit as error:
        return Skipped(found.filter_span, "no-prefilter", f"what is behind the filter depends on its words: {error}")


def _opportunity(judge: Judge, answer: Bared, start: float) -> Opportunity:
    source, rule, filter_ = judge.readable, hw201_hidden_from_source.RULE, answer.filter
    certificate, place = answer.found.certificate, answer.place
    known = data_assumed(filter_, judge.options.data, {certificate.column})
    certificate = replace(certificate, assumptions=(*certificate.assumptions, *known))
    assumed = texts(certificate.assumptions)
    old = place.text(source)
    identity = "\0".join((rule.code, filter_.call.text(source), old))
    return Opportunity(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16], code="HW201", name=rule.name,
        kind="partial" if certificate.beside else "exact", status="assumed" if assumed else "verified",
        operator="filter", function=None,
        boundary_span=place, filter_span=place, filter_text=old, prefilter_text="",
        prefilter_sql=None, prefilter_span=place, residual_text=None, residual_sql=None, invariant_text="", atoms=(),
        conditions=(),
        source=(SourceClass(spell_sql(certificate.written) or answer.said, "inexact", answer.found.why),),
        assumptions=assumed, notes=(), benefit=(), edits=answer.edits, prefilter_edits=(),
        certificate=certificate, ms=judge.ms(start),
        message=hw201_hidden_from_source.message(
            old, answer.said, answer.found.format, beside=certificate.beside, assumed=bool(assumed),
            others=[c.span.text(source) for c in answer.found.others],
        ),
        change=Ranged("filter", place, filter_.call, certificate.before, certificate.written, certificate.beside),
        fix=f"write `{answer.edits[0].text}` for `{old}`",
    )  # fmt: skip
