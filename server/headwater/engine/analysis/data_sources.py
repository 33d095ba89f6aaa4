"""HW203: data sources that keep filters which they do not apply."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from headwater.engine.report.report import Opportunity
from headwater.rules import hw203_dishonest_source as rule
from headwater_ir.change import HandedBack

from .judging import Judge

if TYPE_CHECKING:
    from headwater.data_sources.fix import Fix
    from headwater.data_sources.verdict import Verdict


def dishonest(judge: Judge) -> list[Opportunity]:
    """The findings of a text, one for each reader."""
    from headwater.data_sources.fix import fix_of
    from headwater.data_sources.verdict import judged

    found = list[Opportunity]()
    for verdict in judged(judge.readable):
        start = judge.clock()
        made = _opportunity(judge, verdict, fix_of(judge.readable, verdict), start)
        found += judge.shown(judge.reread(made))
    return found


def _opportunity(judge: Judge, verdict: Verdict, fix: Fix | None, start: float) -> Opportunity:
    from headwater.data_sources.fix import name_span

    first, reader = verdict.wrong[0], verdict.reader
    at = name_span(judge.readable, reader.node)
    condition = " AND ".join(map(str, (f for f in first.filters if f.kind != "IsNotNull" or len(first.filters) == 1)))
    identity = "\0".join((rule.RULE.code, reader.name, *verdict.kinds))
    outside = any(w.outside for w in verdict.wrong)
    others = dict.fromkeys(w.kind for w in verdict.wrong if w.back == first.back and w.kind != first.kind)
    said = rule.message(
        reader.name, first.kind, condition, [(name, _shown(v)) for name, v in first.row], first.extra,
        [*others], fix is not None, first.back,
    )  # fmt: skip
    return Opportunity(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16], code="HW203",
        name=rule.RULE.name, kind="partial", status="assumed" if outside else "verified", operator="pushFilters",
        function=reader.name, boundary_span=at, filter_span=at, filter_text=at.text(judge.readable), prefilter_text="",
        prefilter_sql=None, prefilter_span=at, residual_text=None, residual_sql=None, invariant_text="", atoms=(),
        conditions=(), source=(), assumptions=(rule.OUTSIDE,) if outside else (), notes=(), benefit=(),
        edits=fix.edits if fix else (), prefilter_edits=(), certificate=None, ms=judge.ms(start), message=said,
        change=HandedBack("pushFilters", at, fix.statements, fix.replaced) if fix else None,
        fix="hand the filters back to Spark" if fix else "",
    )  # fmt: skip


def _shown(value: Any) -> str:
    if value is None:
        return "NULL"
    return "NaN" if isinstance(value, float) and value != value else repr(value)
