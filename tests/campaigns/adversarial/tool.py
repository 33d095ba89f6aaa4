"""The tool on one program, as ``headwater fix`` runs it, and with the findings that rest on assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.files.imports import placed, together
from headwater.engine.report.report import Opportunity, Report
from headwater.rewrite.edit import apply_edits, overlap
from tests.campaigns.fuzz.tool import solve

from .program import Program

TIMEOUT_SECONDS = 2.0
ROUNDS = 2


@dataclass(frozen=True)
class Answer:
    """``text``: rewritten, or with a filter that the tool calls constant replaced by that constant. ``outcome``:
    ``proved``, ``assumed`` (rests on what the program does not guarantee), ``constant``, ``refused`` or ``unread``;
    ``why``: the obstruction."""

    program: Program
    text: str
    outcome: str
    why: str = ""
    assumptions: tuple[str, ...] = ()
    finding: str = ""

    @property
    def rewritten(self) -> bool:
        """Whether there is anything to run."""
        return self.text != self.program.source


def answer(program: Program) -> Answer:
    """Analyse ``program`` and apply what is verified; where nothing is, what is assumed."""
    options = Options(timeout_seconds=TIMEOUT_SECONDS, schemas=program.schemas, show_all=True)
    first = _analysed(program, program.source, options)
    if first.error is not None:
        return Answer(program, program.source, "unread", first.error.message)
    for statuses in (("verified",), ("verified", "assumed")):
        text, applied = _applied(program, first, options, statuses)
        if applied:
            assumptions = tuple(dict.fromkeys(a for o in applied for a in o.assumptions))
            return Answer(program, text, "assumed" if assumptions else "proved", "", assumptions, applied[0].message)
    return _constant(program, first) or _refused(program, first)


def _analysed(program: Program, text: str, options: Options) -> Report:
    if not program.modules:
        return analyse(text, options, solve)
    with TemporaryDirectory() as folder:
        for name, other in {"pyproject.toml": "", **{f"{n}.py": t for n, t in program.modules.items()}}.items():
            (Path(folder) / name).write_text(other, encoding="utf-8")
        return analyse(together(text, placed(Path(folder) / "job.py", options)), options, solve)


def _applied(
    program: Program, report: Report, options: Options, statuses: tuple[str, ...]
) -> tuple[str, list[Opportunity]]:
    text, applied = program.source, list[Opportunity]()
    for _ in range(ROUNDS):
        chosen = _compatible(
            [o for o in report.opportunities if o.edits and o.status in statuses and not _again(o, applied)]
        )
        if not chosen:
            break
        text = apply_edits(text, {e for o in chosen for e in o.edits})
        applied += chosen
        report = _analysed(program, text, options)
        if report.error is not None:
            raise ValueError(f"the rewritten text cannot be read: {report.error.message}")
    return text, applied


def _again(o: Opportunity, applied: list[Opportunity]) -> bool:
    return any(
        (o.prefilter_text, o.operator, o.function) == (a.prefilter_text, a.operator, a.function) for a in applied
    )


def _compatible(found: list[Opportunity]) -> list[Opportunity]:
    chosen: list[Opportunity] = []
    for o in found:
        if not any(overlap(list(o.edits), list(c.edits)) or c.boundary_span == o.boundary_span for c in chosen):
            chosen.append(o)
    return chosen


def _constant(program: Program, report: Report) -> Answer | None:
    """HW302: the filter replaced by what it is said to be."""
    claims = [o for o in report.opportunities if o.code == "HW302"]
    claims = [o for o in claims if o.status == "verified"] or claims
    source = program.source
    for o in sorted(claims, key=lambda o: o.filter_span.start, reverse=True):
        span, passes = o.filter_span, "always true" in o.message
        if not span.text(source).startswith(("filter", "where", ".filter", ".where")):
            return None
        dot = "." if span.text(source).startswith(".") else ""
        is_rdd = program.kind in ("state", "elements") or span.text(source).lstrip(".").startswith("filter(lambda")
        plain = f"filter(lambda _: {passes})" if is_rdd else f"filter(F.lit({passes}))"
        source = source[: span.start] + dot + plain + source[span.end :]
    if not claims:
        return None
    assumptions = tuple(dict.fromkeys(a for o in claims for a in o.assumptions))
    return Answer(program, source, "constant", "", assumptions, claims[0].message)


def _refused(program: Program, report: Report) -> Answer:
    if report.opportunities:
        return Answer(program, program.source, "refused", report.opportunities[0].code)
    why = report.skipped[-1].obstruction if report.skipped else "nothing to move"
    return Answer(program, program.source, "refused", why)
