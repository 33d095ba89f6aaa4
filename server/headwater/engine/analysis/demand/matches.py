"""HW405: joins of which only the match is used."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from headwater.engine.analysis.judging import Judge
from headwater.engine.report.report import Opportunity, Skipped
from headwater.rules import hw405_semi_or_anti_join
from headwater_ir.assumptions import texts
from headwater_ir.change import Matched
from headwater_ir.demand import PlainJoin

from .certificates import NotProved, wrong_claims

if TYPE_CHECKING:
    from headwater.demand.semi_or_anti_join import Match

_AS_FAST = "a semi or anti join is as fast, and easier to read (--all reports it)"


def matched(judge: Judge, join: PlainJoin) -> tuple[Opportunity, ...] | Skipped:
    """What is said of a join of which only the match is used: the semi or anti join, or why there is none."""
    from headwater.demand.protocol import NotWorth
    from headwater.demand.semi_or_anti_join import semi_or_anti_join
    from headwater.proof.demand.checker import VERSION
    from headwater.proof.demand.matches import check

    start = judge.clock()
    answer = semi_or_anti_join(join, VERSION, judge.readable, judge.context())
    if answer is None:
        return ()
    if isinstance(answer, NotWorth):
        return Skipped(join.join.span, "no-prefilter", answer.reason)
    wrong = wrong_claims(answer.certificate, check)
    if wrong:
        raise NotProved(f"HW405: {wrong[0]}")
    if not judge.options.show_all:
        judge.suppressions.unsettle(join.join.span)
        return Skipped(join.join.span, "no-prefilter", _AS_FAST)
    return _confirmed(judge, answer, _opportunity(judge, answer, start))


def _confirmed(judge: Judge, answer: Match, found: Opportunity) -> tuple[Opportunity, ...] | Skipped:
    """``found``, unless a call behind the join is read in another way without the columns of the right side."""
    from headwater.edit_check.confirm import WrongEdit

    try:
        return judge.shown(judge.reread(found))
    except WrongEdit:
        reason = "a call behind the join depends on the columns of the right side"
        return Skipped(answer.join.join.span, "no-prefilter", reason)


def _opportunity(judge: Judge, answer: Match, start: float) -> Opportunity:
    source, rule, join = judge.readable, hw405_semi_or_anti_join.RULE, answer.join
    shown, test = join.join.span, join.test
    assumptions = texts(answer.certificate.assumptions)
    identity = "\0".join((rule.code, join.call.text(source), answer.operator))
    return Opportunity(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16], code="HW405", name=rule.name,
        kind="exact", status="assumed" if assumptions else "verified", operator="join", function=None,
        boundary_span=join.call, filter_span=shown, filter_text=shown.text(source), prefilter_text="",
        prefilter_sql=None, prefilter_span=shown, residual_text=None, residual_sql=None, invariant_text="", atoms=(),
        conditions=(), source=(), assumptions=assumptions, notes=(), benefit=(), edits=answer.edits,
        prefilter_edits=(), certificate=answer.certificate, ms=judge.ms(start),
        message=hw405_semi_or_anti_join.message(answer.operator, assumptions),
        change=Matched(
            answer.operator, join.call, join.how, test.call if test else None, test.receiver if test else None
        ), fix=f"write `{answer.said}` for the type of the join" + (" and leave the filter out" if test else ""),
    )  # fmt: skip
