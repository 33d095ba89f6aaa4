"""What became of a program, and whether the rewritten one does what the original does."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from headwater.engine.analysis.options import Options
from headwater.engine.files.fixing import fix_text
from headwater.engine.files.service import analyse_text
from tests.driver_values import canonical
from tests.results import Failed
from tests.small_spark import result_of

from .write import Program, tables, write

TABLES = 8


@dataclass
class Judged:
    """``text``: the program after all verified rewrites, None if there was none; ``codes``: of what was found;
    ``compared``: tables on which both ran; ``wrong``: what is."""

    program: Program
    text: str | None = None
    codes: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    raised: int = 0
    wrong: str = ""


def judged(seed: int, *, only: str = "") -> Judged:
    """The program of ``seed``; one that is made of the parts ``only`` names, if that is not empty."""
    program = write(seed, only=only)
    options = Options(schemas={"t": program.ddl}, show_all=True)
    found = Judged(program)
    report = analyse_text(program.source, options)
    if report.error is not None:
        found.wrong = f"not read: {report.error.message}"
        return found
    broken = [s.reason for s in report.skipped if s.reason.startswith("internal error")]
    if broken:
        found.wrong = broken[0]
    found.codes.update(f"{o.code} {o.status}" for o in report.opportunities)
    fixed = fix_text(program.source, lambda text: analyse_text(text, options), options=options)
    if fixed.report.error is not None:
        found.wrong = fixed.report.error.message
    if fixed.text == program.source:
        return found
    found.text = fixed.text
    for rows in tables(program, TABLES):
        before, after = (_run(text, program, rows) for text in (program.source, fixed.text))
        if isinstance(before, Failed):
            found.raised += 1
            continue
        found.compared += 1
        if before != after:
            found.wrong = f"on {rows}: {before} is {after}"
            break
    return found


def _run(text: str, program: Program, rows: list[tuple[object, ...]]) -> object:
    half = (len(rows) + 1) // 2
    left = result_of(text, {"t": program.ddl}, {"t": [rows[:half], rows[half:]]})
    return left if isinstance(left, Failed) else canonical(left)
