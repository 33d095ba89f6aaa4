"""One report of two: of the text alone, and of the text with what data files say.

Law: what is proved of the text alone stays as it is. What data files say only adds findings, or takes the place of one
that rests on more; each of these names the data among its assumptions. A finding is left out where the data show that
it saves nothing: a smaller demand of few rows, a filter that removes no row; so is a test of a column of which they say
another type than it assumes. What the data say of the gain of a smaller
demand is told of it, too: no proof rests on that.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.engine.report.report import Opportunity, Report
from headwater_ir.demand import DemandCertificate
from headwater_ir.ranges import RangeCertificate
from headwater_ir.span import Span
from headwater_ir.verdict import Certificate

_ADDED = frozenset({"HW101", "HW102", "HW103", "HW105", "HW201", "HW401"})
_LEFT_OUT = frozenset({"HW401", "HW402", "HW403", "HW404", "HW405", "HW406", "HW407"})


def together(alone: Report, known: Report, show_all: bool = False) -> Report:
    """The report of a text: ``alone`` without, ``known`` with what its data files say; ``show_all``: findings too that
    save nothing."""
    if alone.error or known.error:
        return alone
    useless = set() if show_all else _useless(alone, known)
    kept = [o for o in alone.opportunities if o not in useless]
    dropped = {_place(o) for o in useless}
    for o in known.opportunities:
        rests = _besides_data(o)
        if o.code not in _ADDED or rests is None:
            continue
        old = [k for k in kept if k.filter_span == o.filter_span and _same_rule(k, o)]
        if all(k.code == "HW104" or (k.status == "assumed" and rests < {*k.assumptions}) for k in old):
            kept = [k for k in kept if k not in old] + [o]
    gains = {_key(o): o.benefit for o in known.opportunities if o.code in _LEFT_OUT and o.benefit}
    kept = [replace(o, benefit=gains.get(_key(o), o.benefit)) for o in kept]
    places = {o.filter_span for o in kept}
    skipped = {s for s in alone.skipped if not any(_within(p, s.span) for p in places)}
    skipped |= {s for s in known.skipped if s.span in dropped}
    return replace(
        alone,
        opportunities=tuple(sorted(kept, key=lambda o: (o.filter_span, o.id))),
        skipped=tuple(sorted(skipped, key=lambda s: (s.span, s.reason, s.obstruction))),
        unused=tuple(u for u in alone.unused if u in known.unused),
        untried=tuple(sorted({*alone.untried} & {*known.untried})),
    )


def _useless(alone: Report, known: Report) -> set[Opportunity]:
    """The findings of ``alone`` of which ``known`` says that they save nothing."""
    there = {_key(o) for o in known.opportunities}
    quiet, nothing = {s.span for s in known.skipped}, {s.span for s in known.skipped if s.obstruction == "no-prefilter"}
    gone = [o for o in alone.opportunities if _key(o) not in there]
    wrong = {o for o in alone.opportunities if o.code == "HW201" and o.status == "assumed" and not _is_in(o, known)}
    return {o for o in gone if _place(o) in (quiet if o.code in _LEFT_OUT else nothing) and _key(o)[0]} | wrong


def _is_in(o: Opportunity, report: Report) -> bool:
    """Whether ``report`` has a condition at the place of ``o``, of whatever type."""
    return any(k.code == o.code and k.filter_span == o.filter_span for k in report.opportunities)


def _key(o: Opportunity) -> tuple[str, Span]:
    """Rule and place; all rules that move a filter are one, and others none."""
    return (o.code if o.code in _LEFT_OUT else "HW1" if o.code[:3] == "HW1" else ""), _place(o)


def _place(o: Opportunity) -> Span:
    """Where it is said of ``o`` that it saves nothing."""
    return o.boundary_span if o.code in _LEFT_OUT else o.filter_span


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _same_rule(a: Opportunity, b: Opportunity) -> bool:
    """Whether both are of a filter, or both of one smaller demand."""
    return a.code == b.code or (a.code[:3] == b.code[:3] == "HW1")


def _besides_data(o: Opportunity) -> set[str] | None:
    """What ``o`` assumes besides that the data are as their files say; None if it does not assume that."""
    if not isinstance(o.certificate, (Certificate, DemandCertificate, RangeCertificate)):
        return None
    limits = [a for a in o.certificate.assumptions if a.limits]
    return {a.text for a in limits if a.kind != "data"} if any(a.kind == "data" for a in limits) else None
