"""What the rules and Headwater push in one program."""

from __future__ import annotations

import time

from tests.campaigns.fuzz.write import Program, Recorded, plainly

from headwater.engine.analysis.analyse import Options, analyse
from headwater.engine.analysis.reading import read
from headwater.engine.analysis.solver import Solver
from headwater.engine.files.fixing import fix_text
from headwater.engine.report.report import Opportunity, Report
from headwater_ir.plan import Filter, Plan, Project, Scan
from headwater_ir.walks import inputs

from .kinds import Kind
from .outcome import Outcome, Part, Push
from .rules import is_filter, reached

SECONDS = 10.0
"""What the search for one filter may take."""
_PUSHED = ("HW101", "HW102", "HW103", "HW105")


def written(kind: Kind, seed: int) -> Program:
    """Program number ``seed`` of a kind. Each has words of its own: a spelling is no other program."""
    return plainly(Recorded(seed=seed * Recorded.SPELLINGS), kind.name, kind.make)


def decided(part: Part, kind: Kind, seed: int, program: Program, solve: Solver | None = None) -> Outcome:
    """Everything but what Spark does."""
    options = Options(timeout_seconds=SECONDS, schemas=program.schemas, show_all=True)
    start = time.process_time()
    report = analyse(program.source, options, solve)
    seconds = time.process_time() - start
    if report.error is not None:
        raise AssertionError(f"not understood: {report.error}\n{program.source}")
    found = [o for o in report.opportunities if o.code in _PUSHED]
    constant = any(o.code == "HW302" for o in report.opportunities)
    push: Push = "equal" if any(o.code in ("HW101", "HW105") for o in found) else "none"
    if found and push == "none":
        push = "superset"
    by_rules, rules = ruled(program, options)
    mode, text = _rewritten(program, options, report, found, seed, solve)
    stopped = report.skipped[-1] if report.skipped and not found and not constant else None
    left = stopped is None or stopped.reason == "Spark moves this filter itself"
    return Outcome(
        part, kind.name, kind.core, seed, program.source, program.spelled, by_rules, rules, push,
        any(o.status == "assumed" for o in found), constant, "; ".join(o.prefilter_text for o in found),
        "" if stopped is None or left else stopped.obstruction, "" if stopped is None or left else stopped.reason,
        round(seconds, 4), None, text, "superset" if mode else "equal",
        tuple(dict.fromkeys(a for o in found for a in o.assumptions)),
    )  # fmt: skip


def _rewritten(
    program: Program, options: Options, report: Report, found: list[Opportunity], seed: int, solve: Solver | None
) -> tuple[bool, str | None]:
    """The text that the command line makes: of every other instance with the pre-filter alone."""
    only = seed % 2 == 1
    if not any(o.edits for o in found):
        return only, None
    first = [report]

    def look(text: str) -> Report:
        return first.pop() if first else Report()

    fixed = fix_text(program.source, look, only, accept_assumptions=True, options=options)
    if only and not fixed.applied:  # there is no pre-filter beside what is filtered
        first.append(report)
        only, fixed = False, fix_text(program.source, look, accept_assumptions=True, options=options)
    return only, fixed.text if fixed.applied else None


def ruled(program: Program, options: Options) -> tuple[Push, tuple[int, ...]]:
    """What the rules push below the operator under the topmost filters, and which rules."""
    module = read(program.source, options)
    if not module.filters:
        return "none", ()
    top = max(module.filters, key=lambda f: f.call.end)
    parts, at, whole = [], top, True
    while True:
        parts += [c.condition for c in at.conjuncts]
        whole &= at.unread is None
        if not isinstance(at.child, Filter):
            break
        at = at.child
    operator = _operator(at.child)
    if at.style not in ("column", "sql"):
        return "none", ()
    if operator is None:  # filters alone, which commute
        return "equal", ()
    found, equal = reached(parts, at.child)
    below = [r for r in found if any(c is operator for c in r.crossed)]
    if not below:
        return "none", ()
    rules = tuple(sorted({rule for r in below for rule in r.rules}))
    return ("equal" if equal and whole and len(below) == len(found) else "superset"), rules


def _operator(plan: Plan) -> Plan | None:
    """The operator that is tried: the first one that is more than a projection, else a projection."""
    first: Plan | None = None
    at = plan
    while not isinstance(at, Scan):
        if not is_filter(at):
            first = first or at
            if not isinstance(at, Project):
                return at
        below = inputs(at)
        if not below:
            return at
        at = below[0]
    return first
