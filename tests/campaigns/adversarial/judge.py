"""Whether a rewritten program does what the original does, on the small Spark of ``tests/small_spark``.

A rewrite may remove an error, never add one. Where rows differ, the original is run again with the rows of each
group in other orders:
a result that the original may give as well is no fault, but for volatile programs, which must not be rewritten at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.campaigns.fuzz.rows import dealt, random_rows
from tests.mdtest.cases import Table, fields_of
from tests.results import Failed, Result
from tests.small_spark import run
from tests.small_spark.exchange import unordered
from tests.small_spark.frame import Parts

from .limits import restored
from .program import Draw, Program
from .tool import Answer

TABLES = 6
ORDERS = 12
Verdict = Literal["same", "wrong", "order", "assumption", "unexplained", "raised"]
"""``order``: the original may give the other result too. ``assumption``: the finding is ``assumed`` and the data
violate one of its assumptions; ``unexplained``: whether they do is not known. ``raised``: the original raises on
every table.
"""
_WHOLE = ("int", "bigint")
_NUMBERS = (*_WHOLE, "double", "float")
_TYPES: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("is numeric and no decimal", lambda t: t in _NUMBERS),
    ("is numeric", lambda t: t in _NUMBERS or t.startswith("decimal")),
    ("is a string", lambda t: t == "string"),
    ("holds whole numbers", lambda t: t in _WHOLE),
    ("holds no floats", lambda t: t not in ("double", "float")),
    ("is boolean", lambda t: t == "boolean"),
    ("is a date", lambda t: t == "date"),
    ("is a timestamp", lambda t: t == "timestamp"),
)
"""What an assumption states of the type of a column."""


@dataclass
class Trial:
    """``compared``: tables on which both ran; ``rows``: of their results; ``wrong``: the first difference, in words."""

    compared: int = 0
    failing: int = 0
    rows: int = 0
    verdict: Verdict = "raised"
    wrong: str = ""
    tables: dict[str, Any] = field(default_factory=dict)


def judged(found: Answer, seed: int, tables: int = TABLES) -> Trial:
    """Both texts on the tables of the program and on random ones."""
    draw, program, trial = Draw(f"rows {seed}"), found.program, Trial()
    given = list(program.data)
    while len(given) < max(tables, len(program.data)):
        given.append({n: random_rows(draw, table(n, ddl)) for n, ddl in program.tables.items()})
    for rows in given:
        parts = {n: dealt(draw, list(r)) for n, r in rows.items()}
        _compare(found, parts, trial, draw)
        if trial.verdict == "wrong":
            break
    return trial


def table(name: str, ddl: str) -> Table:
    """A table with this schema."""
    return Table(name, ddl, fields_of(ddl), (), True)


def _compare(found: Answer, inputs: dict[str, Parts], trial: Trial, draw: Draw) -> None:
    program = found.program
    original = result(program.source, program, inputs)
    if isinstance(original, Failed):
        trial.failing += 1
        return
    rewritten = result(found.text, program, inputs)
    trial.compared += 1
    trial.rows += sum(original.values())
    if trial.verdict == "raised":
        trial.verdict = "same"
    if program.volatile and not _stable(program, inputs, original):
        return _note(trial, "wrong", f"results differ from run to run, and it was rewritten: {shown(original)}", inputs)
    if original == rewritten:
        return None
    words = f"{shown(original)} became {shown(rewritten)}"
    if found.assumptions:
        verdict = difference(found, inputs)
        if verdict != "wrong":
            return _note(trial, verdict, words, inputs)
    if not program.volatile and rewritten in _orders(program, inputs, draw):
        return _note(trial, "order", words, inputs)
    return _note(trial, "wrong", words, inputs)


def _note(trial: Trial, verdict: Verdict, words: str, inputs: dict[str, Parts]) -> None:
    trial.verdict, trial.wrong, trial.tables = verdict, words, dict(inputs)


def _stable(program: Program, inputs: dict[str, Parts], first: Result) -> bool:
    return result(program.source, program, inputs) == first


def _orders(program: Program, inputs: dict[str, Parts], draw: Draw) -> list[Result]:
    found = []
    for _ in range(ORDERS):
        given = {
            n: dealt(draw, draw.sample(rows, len(rows)))
            for n, p in inputs.items()
            for rows in [[r for q in p for r in q]]
        }
        with unordered(draw):
            found.append(result(program.source, program, given))
    return found


def result(source: str, program: Program, inputs: dict[str, Parts]) -> Result:
    """The rows of ``result`` as a bag, with what was printed and counted; or why there are none."""
    with restored(source, program.modules):
        return run(source, program.tables, inputs, effects=True, modules=program.modules)


Standing = Literal["violated", "hold", "unknown"]


def standing(found: Answer, inputs: dict[str, Parts]) -> Standing:
    """Whether the tables, or what the generator put into the program, break an assumption that the finding names; or
    fulfil all of them, so that the rewrite must be right."""
    program = found.program
    kinds = dict(program.types)
    for ddl in program.tables.values():
        kinds.update((name, kind) for name, kind, *_ in (column.split() for column in ddl.split(", ")))
    values = [v for parts in inputs.values() for part in parts for row in part for v in row]
    whole: Standing = "hold"
    for said in found.assumptions:
        this = _stands(said, program, kinds, values)
        if this == "violated":
            return this
        whole = this if this != "hold" else whole
    return whole


def _stands(said: str, program: Program, kinds: dict[str, str], values: list[Any]) -> Standing:
    if "is pure" in said or "deterministic function of its row" in said:
        return "violated" if program.volatile else "hold" if "is pure" not in said else "unknown"
    if "2**53" in said:
        return "violated" if any(type(v) is int and abs(v) >= 2**53 for v in values) else "hold"
    if "no two columns are called" in said or "the session's time zone is set" in said:
        return "hold"
    holds = next((test for words, test in _TYPES if words in said), None)
    names = re.findall(r"`(\w+)`", said)
    if holds is None or not names:
        return "unknown"
    if not all(holds(kinds[n]) for n in names if n in kinds):
        return "violated"
    return "hold" if all(n in kinds for n in names) else "unknown"


def difference(found: Answer, inputs: dict[str, Parts]) -> Verdict:
    """What a difference on these tables is, where the finding has assumptions."""
    verdicts: dict[Standing, Verdict] = {"violated": "assumption", "hold": "wrong", "unknown": "unexplained"}
    return verdicts[standing(found, inputs)]


def shown(found: Result) -> str:
    """A result in one line."""
    if isinstance(found, Failed):
        return f"({found.reason[:200]})"
    listed = sorted(found.elements(), key=repr)
    return repr(listed[:8]) + (f" and {len(listed) - 8} more" if len(listed) > 8 else "")
