"""HW401 to HW404: calls that hand rows to the driver, of which the program looks at less, and jobs that are one."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from headwater.engine.analysis.data.assumed import data_assumed
from headwater.engine.analysis.judging import Judge
from headwater.engine.report.report import Opportunity, Skipped
from headwater.rules import hw401_unread_columns, hw402_first_rows, hw403_emptiness, hw404_repeated_scan
from headwater.rules.registry import RULES
from headwater_ir.assumptions import texts
from headwater_ir.change import OnePass, SmallerDemand
from headwater_ir.demand import DemandCertificate, Wall
from headwater_ir.span import Span

from .certificates import NotProved, wrong_claims

if TYPE_CHECKING:
    from headwater.demand.protocol import OnePassProposal, Proposal

_MESSAGES = {
    "HW401": hw401_unread_columns.message,
    "HW402": hw402_first_rows.message,
    "HW403": hw403_emptiness.message,
}


def demanded(judge: Judge, wall: Wall) -> tuple[Opportunity, ...] | Skipped:
    """What can be asked of the frame instead at ``wall``: at most one finding, or why there is none."""
    from headwater.demand.emptiness import emptiness
    from headwater.demand.first_rows import first_rows
    from headwater.demand.protocol import NotWorth
    from headwater.demand.unread_columns import unread_columns

    from .gain import why_it_cannot_pay

    start, reasons = judge.clock(), list[str]()
    for rule in (emptiness, first_rows, unread_columns):  # the first that proposes something wins
        answer = rule(wall, judge.readable)
        if isinstance(answer, NotWorth):
            reasons.append(answer.reason)
        elif answer is not None:
            if not judge.options.show_all:
                why = judge.surroundings().why_few(wall, first_rows=answer.code == "HW402")
                if answer.code == "HW401" and judge.surroundings().reads_nearly_all(wall):
                    why = "nearly all columns are read"
                if answer.code == "HW401" and judge.surroundings().each_row_is_slow(wall):
                    why = "each row starts a job, or waits for another system"
                why = why or why_it_cannot_pay(answer, judge.readable, judge.options.data)
                if why is not None:
                    return _left_out(judge, wall.call, why)
            return judge.shown(_opportunity(judge, answer, start))
    return Skipped(wall.call, "no-prefilter", reasons[0]) if reasons else ()


def in_one_pass(judge: Judge) -> tuple[list[Opportunity], list[Skipped]]:
    """The jobs that are asked of one frame and that one job can do, and why others stay."""
    from headwater.demand.protocol import NotWorth
    from headwater.demand.repeated_scan import repeated_scans

    if len(judge.module.jobs) < 2 and all(j.turns is None and not j.stays for j in judge.module.jobs):
        return [], []
    found, skipped = list[Opportunity](), list[Skipped]()
    start = judge.clock()
    for answer in repeated_scans(judge.module, judge.text(), judge.source):
        if isinstance(answer, NotWorth):
            assert answer.where is not None
            skipped.append(Skipped(answer.where, "no-prefilter", answer.reason))
            continue
        late = judge.out_of_time(answer.first.call)
        if late is not None:
            skipped.append(late)
            continue
        around = judge.surroundings()
        why = answer.slow_if_large or around.why_few_of(answer.first.plan)
        why = why or ("the numbers are asserted" if around.are_known(answer.jobs) else None)
        if why and not judge.options.show_all:
            skipped.append(_left_out(judge, answer.first.call, why))
            continue
        try:
            found += judge.shown(_one_pass(judge, answer, start))
        except Exception as error:
            judge.suppressions.unsettle(answer.first.call)
            reason = f"internal error: {type(error).__name__}: {error}".splitlines()[0]
            skipped.append(Skipped(answer.first.call, "opaque", reason))
    return found, skipped


def _left_out(judge: Judge, at: Span, why: str) -> Skipped:
    """Why a finding is not shown by default."""
    judge.suppressions.unsettle(at)
    return Skipped(at, "no-prefilter", f"{why} (--all reports it)")


def _one_pass(judge: Judge, proposal: OnePassProposal, start: float) -> Opportunity:
    from headwater.proof.demand.checker import VERSION

    from .gain import benefit_of_one_pass

    first, source = proposal.first, judge.readable
    certificate = DemandCertificate(VERSION, "agg", proposal.claims, proposal.assumptions)
    assumptions = texts(proposal.assumptions)
    _assert_proved(proposal.code, certificate)
    identity = "\0".join((proposal.code, first.frame, proposal.said))
    assert first.statement is not None
    found = Opportunity(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16], code=proposal.code,
        name=RULES[proposal.code].name, kind="exact", status="assumed" if assumptions else "verified",
        operator="agg", function=None,
        boundary_span=first.call, filter_span=first.call, filter_text=first.call.text(source), prefilter_text="",
        prefilter_sql=None, prefilter_span=first.call, residual_text=None, residual_sql=None, invariant_text="",
        atoms=(), conditions=(), source=(), assumptions=assumptions, notes=(), benefit=benefit_of_one_pass(proposal),
        edits=proposal.edits, prefilter_edits=(), certificate=certificate, ms=judge.ms(start),
        message=hw404_repeated_scan.message(
            first.frame, proposal.lines, proposal.said, first.turns.variable if first.turns else None, assumptions,
            "read" if first.kept else "computed",
        ),
        change=OnePass(
            "agg", first.call, first.call if first.run == first.call else first.statement,
            tuple(j.call for j in proposal.jobs), proposal.claims, proposal.moved,
        ),
        fix=f"write `{proposal.said}` for {'the jobs of a loop' if first.turns else f'{proposal.times} jobs'}",
    )  # fmt: skip
    return judge.reread(found)


def _assert_proved(code: str, certificate: DemandCertificate) -> None:
    """``NotProved`` if a claim does not hold."""
    from headwater.proof.demand.checker import Malformed, check

    try:
        wrong = wrong_claims(certificate, check)
    except Malformed as error:
        wrong = (str(error),)
    if wrong:
        raise NotProved(f"{code}: {'; '.join(wrong)}")


def _opportunity(judge: Judge, proposal: Proposal, start: float) -> Opportunity:
    from headwater.proof.demand.checker import VERSION

    from .gain import benefit_of

    wall, source = proposal.wall, judge.readable
    assumed = (*wall.assumed, *proposal.assumptions, *data_assumed(wall.plan, judge.options.data))
    certificate = DemandCertificate(VERSION, wall.operator, proposal.claims, assumed)
    _assert_proved(proposal.code, certificate)
    ms, assumptions = judge.ms(start), texts(certificate.assumptions)
    base = wall.base.text(source)
    identity = "\0".join((proposal.code, wall.operator, base, proposal.said))
    found = Opportunity(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16], code=proposal.code,
        name=RULES[proposal.code].name, kind="exact", status="assumed" if assumptions else "verified",
        operator=wall.operator, function=None, boundary_span=wall.call, filter_span=proposal.shown,
        filter_text=proposal.shown.text(source), prefilter_text="", prefilter_sql=None,
        prefilter_span=proposal.shown, residual_text=None, residual_sql=None, invariant_text="", atoms=(),
        conditions=(), source=(), assumptions=assumptions, notes=proposal.notes,
        benefit=benefit_of(proposal, source, judge.options.data), edits=proposal.edits,
        prefilter_edits=(), certificate=certificate, ms=ms,
        message=_MESSAGES[proposal.code](proposal.said, proposal.instead_of, proposal.why, assumptions),
        change=SmallerDemand(wall.operator, wall.call, proposal.replaced, proposal.claims),
        fix=f"write `{proposal.said}` for `{proposal.instead_of}`",
    )  # fmt: skip
    return judge.reread(found)
