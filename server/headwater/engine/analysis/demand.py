"""HW401 to HW403: calls that hand rows to the driver, of which the program looks at less."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from headwater.engine.report.report import Opportunity, Skipped
from headwater.rules import hw401_unread_columns, hw402_first_rows, hw403_emptiness
from headwater.rules.registry import RULES
from headwater_ir.assumptions import texts
from headwater_ir.change import SmallerDemand
from headwater_ir.demand import DemandCertificate, Wall

from .judging import Judge

if TYPE_CHECKING:
    from headwater.demand.protocol import Proposal

_MESSAGES = {
    "HW401": hw401_unread_columns.message,
    "HW402": hw402_first_rows.message,
    "HW403": hw403_emptiness.message,
}


class NotProved(Exception):
    """A smaller demand whose claims do not hold: an error of ours."""


def demanded(judge: Judge, wall: Wall) -> tuple[Opportunity, ...] | Skipped:
    """What can be asked of the frame instead at ``wall``: at most one finding, or why there is none."""
    from headwater.demand.protocol import NotWorth
    from headwater.demand.rules import RULES_OF_DEMAND

    start, reasons = judge.clock(), list[str]()
    for rule in RULES_OF_DEMAND:
        answer = rule(wall, judge.readable)
        if isinstance(answer, NotWorth):
            reasons.append(answer.reason)
        elif answer is not None:
            return judge.shown(_opportunity(judge, answer, start))
    return Skipped(wall.call, "no-prefilter", reasons[0]) if reasons else ()


def _opportunity(judge: Judge, proposal: Proposal, start: float) -> Opportunity:
    from headwater.proof.demand.checker import VERSION, Malformed, check

    from .confirming import confirmed

    wall, source = proposal.wall, judge.readable
    certificate = DemandCertificate(VERSION, wall.operator, proposal.claims, proposal.assumptions)
    try:
        wrong = check(certificate)
    except Malformed as error:
        wrong = (str(error),)
    if wrong:
        raise NotProved(f"{proposal.code}: {'; '.join(wrong)}")
    ms, assumptions = judge.ms(start), texts(proposal.assumptions)
    base = wall.base.text(source)
    identity = "\0".join((proposal.code, wall.operator, base, proposal.said))
    found = Opportunity(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16], code=proposal.code,
        name=RULES[proposal.code].name, kind="exact", status="assumed" if assumptions else "verified",
        operator=wall.operator, function=None, boundary_span=wall.call, filter_span=proposal.shown,
        filter_text=proposal.shown.text(source), prefilter_text="", prefilter_sql=None,
        prefilter_span=proposal.shown, residual_text=None, residual_sql=None, invariant_text="", atoms=(),
        conditions=(), source=(), assumptions=assumptions, notes=(), benefit=(), edits=proposal.edits,
        prefilter_edits=(), certificate=certificate, ms=ms,
        message=_MESSAGES[proposal.code](proposal.said, proposal.instead_of, proposal.why, assumptions),
        change=SmallerDemand(wall.operator, wall.call, proposal.replaced, proposal.claims),
        fix=f"write `{proposal.said}` for `{proposal.instead_of}`",
    )  # fmt: skip
    return found if judge.options.bounded else confirmed(judge.confirmer(), found)
