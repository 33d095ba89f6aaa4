"""What Spark's own optimizer pushes: its plans of a program with the filter and without it, side by side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.campaigns.fuzz.write import Program
from tests.replay import Run, built
from tests.results import Failed

from .outcome import Push

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_NODE = re.compile(r"^([\s:+|-]*)([A-Za-z]\w*)(.*)$")
_IDS = re.compile(r"#\d+L?")
_MERGED = ("Filter", "Project", "Sort")
"""Operators that Spark may merge with others."""


@dataclass(frozen=True)
class Planned:
    """What Spark pushes; ``constant``: it sees that the filter lets nothing pass, or everything."""

    push: Push
    constant: bool


def pushed(spark: SparkSession, program: Program, node: str) -> Planned | None:
    """What Spark pushes of the topmost filters of ``program`` below the operator whose name in a plan is like ``node``;
    None where the result is no frame, or cannot be planned."""
    made = built(spark, Run(program.source, program.ddl, {"t": []}, partitions=2))
    if isinstance(made, Failed) or not hasattr(made, "sparkSession"):
        return None
    with suppress(Exception):
        execution: Any = made._jdf.queryExecution()
        below = execution.analyzed()
        while below.nodeName() == "Filter":
            below = below.child()
        bare = execution.sparkSession().sessionState().optimizer().execute(below).toString()
        return compared(execution.optimizedPlan().toString(), bare, node)
    return None


def compared(filtered: str, bare: str, node: str) -> Planned:
    """The same of the texts of two optimized plans. A condition that calls the Python function is none that is pushed
    below it."""
    if _operator(bare, node) < 0:
        return Planned("equal" if node in _MERGED else "none", False)
    operator = _operator(filtered, node)
    known = Counter(part for _, part in conditions(bare))
    new: list[tuple[int, str]] = []
    for at, part in conditions(filtered):
        if known[part] > 0:
            known[part] -= 1
        else:
            new.append((at, part))
    if operator < 0 or not new:
        return Planned("equal", node not in _MERGED or not new)
    above = [part for at, part in new if at < operator or "pythonUDF" in part]
    below = [part for at, part in new if at >= operator and "pythonUDF" not in part]
    asked = [p for p in below if not p.startswith("isnotnull(") or not above or p in above]
    if not asked:
        return Planned("none", False)
    return Planned("superset" if above else "equal", False)


def _operator(plan: str, node: str) -> int:
    """The line of the first operator like ``node``; -1 if there is none."""
    wanted = re.compile(f"(?:{node})")
    return next((i for i, m in enumerate(_lines(plan)) if wanted.search(m[2])), -1)


def _lines(plan: str) -> list[re.Match[str]]:
    return [m for line in plan.splitlines() if (m := _NODE.match(line))]


def conditions(plan: str) -> Iterator[tuple[int, str]]:
    """The conjuncts of a plan's filters, without the numbers of columns, each with its line; those that a join asks
    stand above it."""
    for i, m in enumerate(_lines(plan)):
        text = _IDS.sub("", m[3].strip())
        if m[2] == "Filter":
            yield from ((i, part) for part in conjuncts(text))
        elif m[2] == "Join" and "," in text:
            yield from ((i - 1, part) for part in conjuncts(text.split(",", 1)[1]))


def conjuncts(text: str) -> list[str]:
    """The parts of a condition as Spark prints it."""
    text = text.strip()
    while text.startswith("(") and _closes(text) == len(text) - 1:
        inner = text[1:-1]
        parts = _split(inner)
        if len(parts) == 1:
            return [text]
        return [p for part in parts for p in conjuncts(part)]
    return [text]


def _closes(text: str) -> int:
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return i
    return -1


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and text.startswith(" AND ", i):
            parts.append(text[start:i])
            start = i + 5
    return [*parts, text[start:]]
