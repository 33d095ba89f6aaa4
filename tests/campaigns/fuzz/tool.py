"""The tool on one program: analysis and rewrite as the command line does them, with a short time limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.analysis.solver import Solver, synthesis
from headwater.engine.files.fixing import fix_text
from headwater.engine.report.report import Opportunity, Report
from headwater_ir.problem import FoldProblem
from headwater_ir.verdict import Verdict

from .write import Program

TIMEOUT_SECONDS = 2.0


@dataclass(frozen=True)
class Answer:
    """What the tool made of a program.

    ``text``: rewritten, or with FALSE in the place of a filter of which the tool says that nothing passes it.
    ``outcome``: the kind of what was proved (``exact``, ``split``, ``partial``), ``constant``, ``conditional``,
    ``marked``, ``unknown``, or ``refused``; ``why``: the obstruction; ``noted``: assumptions, where there is no report.
    """

    program: Program
    text: str
    applied: tuple[Opportunity, ...]
    report: Report
    outcome: str
    why: str
    noted: tuple[str, ...] = ()

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the certificates take on trust."""
        return (*self.noted, *dict.fromkeys(a for o in self.report.opportunities for a in o.assumptions))

    @property
    def proved(self) -> bool:
        """Whether the text was rewritten."""
        return bool(self.applied)


@lru_cache(maxsize=20000)
def _remembered(problem: FoldProblem, seconds: int) -> Verdict:
    return synthesis(problem, float(seconds))


def solve(problem: FoldProblem, seconds: float) -> Verdict:
    """Synthesis; the same problem under another spelling is not solved again."""
    return _remembered(problem, max(1, round(seconds)))


def answer(program: Program, again: bool = True, solver: Solver = solve, only_prefilter: bool = False) -> Answer:
    """Scan and fix ``program``. ``again``: also what becomes possible by the first rewrites; ``only_prefilter``: the
    filter above stays as it is."""
    options = Options(timeout_seconds=TIMEOUT_SECONDS, schemas=program.schemas, show_all=True)
    reports: list[Report] = []

    def look(text: str) -> Report:
        reports.append(analyse(text, options, solver) if again or not reports else Report())
        return reports[-1]

    fixed = fix_text(program.source, look, only_prefilter, accept_assumptions=True)
    report = reports[0]
    if report.error is not None:
        raise AssertionError(f"not understood: {report.error}\n{program.source}")
    text = fixed.text if fixed.applied else emptied(program.source, report)
    return Answer(program, text, fixed.applied, report, *_outcome(report, fixed.applied))


def emptied(source: str, report: Report) -> str:
    """``source`` with filters that nothing passes, or that everything does, replaced by such that obviously do."""
    found = {(o.filter_span, "always true" in o.message) for o in report.opportunities if o.code == "HW302"}
    elements = ".rdd" in source and "toDF(" not in source and "createDataFrame(" not in source
    for span, passes in sorted(found, reverse=True):
        plain = f"F.lit({passes})"
        if span.text(source).startswith(("filter", "where")):  # else it is a part of an ON clause
            plain = f"filter(lambda _: {passes})" if elements else f"filter({plain})"
        source = source[: span.start] + plain + source[span.end :]
    imported = "from pyspark.sql import functions as F\n"
    return imported + source if found and imported not in source else source


def _outcome(report: Report, applied: tuple[Opportunity, ...]) -> tuple[str, str]:
    if applied:
        return applied[0].kind, ""
    codes = {o.code for o in report.opportunities}
    if codes:
        words = {"HW302": "constant", "HW301": "marked"}
        return next((word for code, word in words.items() if code in codes), "conditional"), ""
    if not report.skipped:
        return "refused", "nothing to move"
    last = report.skipped[-1]
    if last.reason.startswith("internal error"):
        raise AssertionError(last.reason)
    return ("unknown", "time-out") if last.obstruction == "time-out" else ("refused", last.obstruction)


Rewriter = Callable[[Program], Answer]
"""``answer``, or a version of it with a planted bug."""
