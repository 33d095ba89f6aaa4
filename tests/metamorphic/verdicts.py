"""What the tool finds in two programs of one meaning, compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from benchmarks.synthesis.strength import implies_on_rows

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.analysis.reading import SourceFailure, read
from headwater.engine.analysis.solver import synthesis
from headwater.engine.report.report import Opportunity
from headwater.operators.move import Moved, moves
from headwater_ir.problem import FoldProblem, StateSlot
from headwater_ir.verdict import Verdict

from .units import Unit

SECONDS = 20.0
_RANK = {"HW103": 1, "HW102": 2, "HW101": 3}
_STATUS = {"bounded": 0, "assumed": 1, "verified": 2}


@dataclass(frozen=True)
class Found:
    """``findings`` in the order of the text, and why each other filter stays where it is."""

    findings: tuple[Opportunity, ...]
    reasons: tuple[str, ...]
    error: str = ""


def found(unit: Unit, text: str | None = None) -> Found:
    """What the tool finds in a program, or in a formulation of it."""
    options = Options(timeout_seconds=SECONDS, schemas=dict(unit.schemas), show_all=True)
    report = analyse(unit.text if text is None else text, options, _solve)
    reasons = tuple(f"{s.obstruction}: {s.reason}" for s in report.skipped)
    return Found(report.opportunities, reasons, report.error.message if report.error else "")


Problems = tuple[tuple[FoldProblem, str, bool, bool, bool], ...]


@lru_cache(maxsize=4)
def problems(unit: Unit, text: str) -> Problems:
    """What the solver is asked about the filters of a text, with the operators that they reach and whether there is a
    place in front of them; under names of the state that do not tell the texts apart. Empty if nothing is asked."""
    options = Options(timeout_seconds=SECONDS, schemas=dict(unit.schemas), show_all=True)
    try:
        ends = [m for f in read(text, options).filters for m in moves(f) if isinstance(m, Moved)]
    except SourceFailure:
        return ()
    return tuple((_plain(m.problem), m.place.operator, m.place.insert_at is None, m.stays, m.whole) for m in ends)


def alike(unit: Unit, text: str) -> bool:
    """Whether the solver is asked the same about both texts: then what it proves is the same."""
    return bool(asked := problems(unit, unit.text)) and problems(unit, text) == asked


def _plain(problem: FoldProblem) -> FoldProblem:
    slots = tuple(StateSlot(f"s{i}", slot.type) for i, slot in enumerate(problem.fold.slots))
    return replace(problem, fold=replace(problem.fold, name="fold", slots=slots))


def _solve(problem: FoldProblem, seconds: float) -> Verdict:
    """Synthesis; the same problem under other names of its state is not solved again."""
    return _remembered(_plain(problem))


@lru_cache(maxsize=4000)
def _remembered(problem: FoldProblem) -> Verdict:
    return synthesis(problem, SECONDS)


def weaker(original: Found, variant: Found) -> str | None:
    """What the original has and the variant lacks; None if the variant is as strong."""
    for finding in original.findings:
        lacks = [_lack(finding, other) for other in variant.findings]
        if None not in lacks:
            return lacks[0] or "" if lacks else variant.error or (variant.reasons or ("no filter is seen",))[-1]
    return None


def _lack(finding: Opportunity, other: Opportunity) -> str | None:
    if finding.code != other.code and not 0 < _RANK.get(finding.code, 0) <= _RANK.get(other.code, 0):
        return f"{other.code} for {finding.code}"
    if _STATUS[other.status] < _STATUS[finding.status]:
        return f"{other.status}: {', '.join(other.assumptions)}"
    if finding.certificate is None or other.certificate is None:
        return None if finding.prefilter_text == other.prefilter_text else "another pre-filter"
    if not _implies(other, finding):
        return f"weaker pre-filter {other.prefilter_sql or other.prefilter_text}"
    return None


def _implies(stronger: Opportunity, than: Opportunity) -> bool:
    assert stronger.certificate is not None
    assert than.certificate is not None
    problem, other = than.certificate.problem, stronger.certificate.problem
    a, b = stronger.certificate.solution.pre_filter, than.certificate.solution.pre_filter
    if a == b:
        return True
    known = {c.name for c in problem.fold.columns}
    columns = (*problem.fold.columns, *(c for c in other.fold.columns if c.name not in known))
    return implies_on_rows(replace(problem, fold=replace(problem.fold, columns=columns)), a, b)


def described(findings: Sequence[Opportunity]) -> str:
    """The findings in one line."""
    return "; ".join(f"{o.code} {o.prefilter_sql or o.prefilter_text}" for o in findings) or "nothing"
