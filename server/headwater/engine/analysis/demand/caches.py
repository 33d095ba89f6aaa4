"""HW407: frames whose rows are kept for one reader."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from headwater.engine.analysis.judging import Judge
from headwater.engine.report.report import Opportunity, Skipped
from headwater.rules import hw407_single_use_cache
from headwater_ir.assumptions import texts
from headwater_ir.change import Uncached
from headwater_ir.demand import KeptFrame

from .certificates import wrong_claims

if TYPE_CHECKING:
    from headwater.demand.caches.single_use import Removal


def uncached(judge: Judge, kept: KeptFrame) -> tuple[Opportunity, ...] | Skipped:
    """What is said of the call that keeps a frame: that it is not needed, or why it stays."""
    from headwater.demand.caches.single_use import single_use_cache
    from headwater.demand.protocol import NotWorth
    from headwater.proof.demand.caches import check
    from headwater.proof.demand.checker import VERSION

    start = judge.clock()
    answer = single_use_cache(kept, VERSION, judge.context)
    if isinstance(answer, NotWorth):
        return Skipped(kept.call, "no-prefilter", answer.reason)
    wrong = wrong_claims(answer.certificate, check)
    if wrong:
        return Skipped(kept.call, "no-prefilter", wrong[0])
    return judge.shown(_opportunity(judge, answer, start))


def _opportunity(judge: Judge, answer: Removal, start: float) -> Opportunity:

    kept, source = answer.kept, judge.readable
    operator, rule = kept.plan.operator, hw407_single_use_cache.RULE
    ms, assumptions = judge.ms(start), texts(answer.certificate.assumptions)
    base = kept.receiver.text(source)
    identity = "\0".join((rule.code, operator, base))
    found = Opportunity(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16], code="HW407", name=rule.name,
        kind="exact", status="assumed" if assumptions else "verified", operator=operator, function=None,
        boundary_span=kept.call, filter_span=answer.shown, filter_text=answer.shown.text(source), prefilter_text="",
        prefilter_sql=None, prefilter_span=answer.shown, residual_text=None, residual_sql=None, invariant_text="",
        atoms=(), conditions=(), source=(), assumptions=assumptions, notes=(), benefit=(), edits=answer.edits,
        prefilter_edits=(), certificate=answer.certificate, ms=ms,
        message=hw407_single_use_cache.message(operator, answer.why, answer.effect, assumptions),
        change=Uncached(operator, kept.call, kept.receiver, answer.gone, answer.freed), fix=f"remove `{operator}`",
    )  # fmt: skip
    return judge.reread(found)
