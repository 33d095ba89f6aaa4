"""HW406: rows that equal their group's extreme."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from headwater.engine.analysis.judging import Judge
from headwater.engine.report.report import Opportunity, Skipped
from headwater.rules import hw406_group_extreme
from headwater_ir.assumptions import texts
from headwater_ir.change import Ranked
from headwater_ir.demand import GroupExtreme

from .walls import NotProved

if TYPE_CHECKING:
    from headwater.demand.group_extreme import Ranking

_SMALL = "a rank is slower where groups have a few rows, and how many they have is not known (--all reports it)"


def ranked(judge: Judge, extreme: GroupExtreme) -> tuple[Opportunity, ...] | Skipped:
    """What is said of a filter that keeps the extremes of groups: the rank that does so, or why there is none."""
    from headwater.demand.group_extreme import group_extreme
    from headwater.demand.protocol import NotWorth
    from headwater.proof.demand.checker import VERSION
    from headwater.proof.demand.extremes import check
    from headwater.rewrite.tokens import CannotEdit

    start = judge.clock()
    try:
        answer = group_extreme(extreme, VERSION, judge.text(), judge.module.spelling)
    except CannotEdit as why:
        answer = NotWorth(str(why))
    if isinstance(answer, NotWorth):
        return Skipped(extreme.filter.call, "no-prefilter", answer.reason)
    wrong = check(answer.certificate)
    if wrong:
        raise NotProved(f"HW406: {wrong[0]}")
    if not judge.options.show_all:
        judge.suppressions.unsettle(extreme.filter.call)
        return Skipped(extreme.filter.call, "no-prefilter", _SMALL)
    return judge.shown(_opportunity(judge, answer, start))


def _opportunity(judge: Judge, answer: Ranking, start: float) -> Opportunity:

    extreme, source, rule = answer.extreme, judge.readable, hw406_group_extreme.RULE
    assumptions, condition = texts(answer.certificate.assumptions), answer.condition or answer.shown
    identity = "\0".join((rule.code, extreme.value.text(source), condition.text(source)))
    found = Opportunity(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16], code="HW406", name=rule.name,
        kind="exact", status="assumed" if assumptions else "verified", operator=extreme.function, function=None,
        boundary_span=extreme.call,
        filter_span=answer.shown, filter_text=answer.shown.text(source), prefilter_text="", prefilter_sql=None,
        prefilter_span=answer.shown, residual_text=None, residual_sql=None, invariant_text="", atoms=(), conditions=(),
        source=(), assumptions=assumptions, notes=(), benefit=(), edits=answer.edits, prefilter_edits=(),
        certificate=answer.certificate, ms=judge.ms(start),
        message=hw406_group_extreme.message(extreme.function, extreme.column, answer.said, assumptions),
        change=Ranked(
            extreme.function, extreme.call, extreme.flag or extreme.value, answer.condition, answer.certificate.order,
            answer.in_text,
        ), fix=f"write `{answer.said}` for `{extreme.value.text(source)}`",
    )  # fmt: skip
    return judge.reread(found)
