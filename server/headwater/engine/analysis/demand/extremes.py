"""HW406: rows that equal their group's extreme."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, Union

from headwater.engine.analysis.judging import Judge
from headwater.engine.report.report import Opportunity, Skipped
from headwater.rules import hw406_group_extreme
from headwater_ir.assumptions import texts
from headwater_ir.change import Ranked
from headwater_ir.demand import GroupExtreme, PlainJoin
from headwater_ir.span import Span

from .certificates import NotProved, wrong_claims

if TYPE_CHECKING:
    from headwater.demand.group_extreme import Ranking
    from headwater.demand.joined_extreme import JoinedRanking
    from headwater.demand.protocol import NotWorth

_Ranking = TypeVar("_Ranking", bound="Union[Ranking, JoinedRanking, None]")
_SMALL = "a rank is slower where groups have a few rows, and how many they have is not known (--all reports it)"


def ranked(judge: Judge, extreme: GroupExtreme) -> tuple[Opportunity, ...] | Skipped:
    """What is said of a filter that keeps the extremes of groups: the rank that does so, or why there is none."""
    from headwater.demand.group_extreme import group_extreme
    from headwater.proof.demand.checker import VERSION

    place = extreme.filter.call
    answer = _answered(lambda: group_extreme(extreme, VERSION, judge.text(), judge.module.spelling), place)
    if isinstance(answer, Skipped):
        return answer
    change = Ranked(
        extreme.function, extreme.call, extreme.flag or extreme.value, answer.condition, answer.certificate.order,
        answer.in_text,
    )  # fmt: skip
    return _shown(judge, answer, change, extreme.column.strip("`"), extreme.call, extreme.value, place)


def joined(judge: Judge, join: PlainJoin) -> tuple[Opportunity, ...] | Skipped:
    """What is said of a join of rows with the extremes of their own groups: the rank that finds the same rows, or why
    there is none; nothing of another join."""
    from headwater.demand.joined_extreme import joined_extreme
    from headwater.edit_check.confirm import WrongEdit
    from headwater.proof.demand.checker import VERSION

    place, spelling = join.join.span, judge.module.spelling
    answer = _answered(lambda: joined_extreme(join, VERSION, judge.text(), judge.context(), spelling), place)
    if answer is None or isinstance(answer, Skipped):
        return answer or ()
    certificate = answer.certificate
    change = Ranked(
        certificate.operator, join.call, join.call, answer.condition, certificate.order, answer.in_text, answer.name
    )  # fmt: skip
    try:
        return _shown(judge, answer, change, certificate.column, answer.aggregate, join.call, place)
    except WrongEdit:
        return Skipped(place, "no-prefilter", "what is done behind the join is read in another way behind a rank")


def _answered(answer: Callable[[], _Ranking | NotWorth], place: Span) -> _Ranking | Skipped:
    """What ``answer`` gives, a rank that is proved, or why there is none."""
    from headwater.demand.protocol import NotWorth
    from headwater.proof.demand.extremes import check
    from headwater.rewrite.tokens import CannotEdit

    try:
        answered = answer()
    except CannotEdit as why:
        answered = NotWorth(str(why))
    if isinstance(answered, NotWorth):
        return Skipped(place, "no-prefilter", answered.reason)
    wrong = () if answered is None else wrong_claims(answered.certificate, check)
    if wrong and answered is not None and answered.certificate.keys:
        return Skipped(place, "no-prefilter", wrong[0])  # the rows vary
    if wrong:
        raise NotProved(f"HW406: {wrong[0]}")
    return answered


def _shown(
    judge: Judge, answer: Ranking | JoinedRanking, change: Ranked, column: str, made: Span, value: Span,
    place: Span,
) -> tuple[Opportunity, ...] | Skipped:  # fmt: skip
    """The finding at ``place``, if all are asked for. ``made``: the call that computes the extreme;
    ``value``: what the rank is written in the place of."""
    start = judge.clock()
    if not judge.options.show_all:
        judge.suppressions.unsettle(place)
        return Skipped(place, "no-prefilter", _SMALL)
    source, rule, certificate = judge.readable, hw406_group_extreme.RULE, answer.certificate
    assumptions, condition = texts(certificate.assumptions), change.condition or place
    identity = "\0".join((rule.code, value.text(source), condition.text(source)))
    found = Opportunity(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16], code="HW406", name=rule.name,
        kind="exact", status="assumed" if assumptions else "verified", operator=change.operator, function=None,
        boundary_span=made, filter_span=place, filter_text=place.text(source), prefilter_text="",
        prefilter_sql=None, prefilter_span=place, residual_text=None, residual_sql=None, invariant_text="", atoms=(),
        conditions=(), source=(), assumptions=assumptions, notes=(), benefit=(), edits=answer.edits,
        prefilter_edits=(), certificate=certificate, ms=judge.ms(start),
        message=hw406_group_extreme.message(change.operator, column, answer.said, assumptions), change=change,
        fix=f"write `{answer.said}` for `{value.text(source)}`",
    )  # fmt: skip
    return judge.shown(judge.reread(found))
