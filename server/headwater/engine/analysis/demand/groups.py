"""HW404: joins of aggregates of one frame, which one aggregate gives."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from headwater.engine.analysis.judging import Judge
from headwater.engine.report.report import Opportunity, Skipped
from headwater.rules import hw404_repeated_scan
from headwater_ir.assumptions import texts
from headwater_ir.change import OneAggregate
from headwater_ir.demand import PlainJoin

from .certificates import wrong_claims

if TYPE_CHECKING:
    from headwater.demand.joined_groups import OneForAll


def in_one_aggregate(judge: Judge, join: PlainJoin) -> tuple[Opportunity, ...] | Skipped:
    """What is said of a join of aggregates of one frame: the one that gives the same, or why there is none; nothing of
    another join."""
    from headwater.demand.joined_groups import one_aggregate
    from headwater.demand.protocol import NotWorth
    from headwater.edit_check.confirm import WrongEdit
    from headwater.proof.demand.checker import VERSION
    from headwater.proof.demand.groups import check
    from headwater.rewrite.tokens import CannotEdit

    start, place = judge.clock(), join.join.span
    try:
        answer = one_aggregate(join, VERSION, judge.text(), judge.context(), judge.module.spelling)
    except CannotEdit as why:
        answer = NotWorth(str(why))
    if answer is None:
        return ()
    if isinstance(answer, NotWorth):
        return Skipped(place, "no-prefilter", answer.reason)
    if wrong := wrong_claims(answer.certificate, check):
        return Skipped(place, "no-prefilter", wrong[0])  # the rows vary
    why_few = judge.surroundings().why_few_of(answer.of)
    if why_few and not judge.options.show_all:
        judge.suppressions.unsettle(place)
        return Skipped(place, "no-prefilter", f"{why_few} (--all reports it)")
    try:
        return judge.shown(judge.reread(_opportunity(judge, join, answer, start)))
    except WrongEdit:
        return Skipped(
            place, "no-prefilter", "what is done behind the join is read in another way behind one aggregate"
        )


def _opportunity(judge: Judge, join: PlainJoin, answer: OneForAll, start: float) -> Opportunity:
    source, rule, shown = judge.readable, hw404_repeated_scan.RULE, join.join.span
    assumptions = texts(answer.certificate.assumptions)
    said = " ".join(answer.said.split())
    identity = "\0".join((rule.code, join.call.text(source), said))
    return Opportunity(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16], code="HW404", name=rule.name,
        kind="exact", status="assumed" if assumptions else "verified", operator="groupBy", function=None,
        boundary_span=answer.sides[0], filter_span=shown, filter_text=shown.text(source), prefilter_text="",
        prefilter_sql=None, prefilter_span=shown, residual_text=None, residual_sql=None, invariant_text="", atoms=(),
        conditions=(), source=(), assumptions=assumptions, notes=(), benefit=(), edits=answer.edits,
        prefilter_edits=(), certificate=answer.certificate, ms=judge.ms(start),
        message=hw404_repeated_scan.joined(answer.frame, len(answer.sides), said, assumptions),
        change=OneAggregate("groupBy", join.call, answer.frame, answer.keys, answer.sides, answer.gone),
        fix=f"write `{said}` for the join",
    )  # fmt: skip
