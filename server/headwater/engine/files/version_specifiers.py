"""Which measured versions of Spark a requirement admits: ``>=3.5,<4.2``, ``==4.0.*``, ``~=4.1``, ``^3.5``, ``4.1``.

Law: a version is admitted if one of its releases satisfies every clause (PEP 440, and Poetry's ``^``, ``~`` and ``*``).
A clause that is not understood admits every version, so that too many are targets, never too few.
"""

from __future__ import annotations

import re

from headwater.syntax.names.spark_versions import MEASURED, Targets, Version

_CLAUSE = re.compile(r"\s*(===|==|!=|<=|>=|~=|<|>|\^|~|=)?\s*v?(\d+(?:\.\d+){0,3})(\.\*)?[^,|*]*")
_RELEASES = range(100)
"""The third numbers that are tried."""


def admitted(requirement: str) -> tuple[Version, ...] | None:
    """The measured versions that ``requirement`` admits; None if it admits none. Nothing stated admits all."""
    text = requirement.strip().strip("()")
    clauses = [] if text in ("", "*") else text.split(",")
    parsed = [_CLAUSE.fullmatch(c) for c in clauses]
    if None in parsed:
        return MEASURED
    wanted = [(m[1] or "==", tuple(map(int, m[2].split("."))), bool(m[3] or not m[1])) for m in parsed if m]
    found = [
        v for v in MEASURED
        if any(all(_satisfies((*v, patch), *clause) for clause in wanted) for patch in _RELEASES)
    ]  # fmt: skip
    return tuple(found) or None


def is_understood(requirement: str) -> bool:
    """Whether every clause of ``requirement`` can be read."""
    return all(map(_CLAUSE.fullmatch, requirement.split(",")))


def _satisfies(release: tuple[int, int, int], operator: str, wanted: tuple[int, ...], prefix: bool) -> bool:
    full = (*wanted, 0, 0)[:3]
    match operator:
        case "==" | "=" | "===":
            return release[: len(wanted)] == wanted[:3] if prefix or operator == "=" else release == full
        case "!=":
            return release[: len(wanted)] != wanted[:3] if prefix else release != full
        case "<":
            return release < full
        case "<=":
            return release <= full
        case ">":
            return release > full
        case ">=":
            return release >= full
        case "^":
            return release >= full and release[0] == wanted[0]
        case "~=":
            return release >= full and release[: len(wanted) - 1] == wanted[: min(len(wanted) - 1, 3)]
        case _:  # Poetry's ~
            return release >= full and release[: min(len(wanted), 2)] == wanted[:2]


def targets_of(requirement: str, origin: str) -> Targets:
    """The targets that ``requirement`` states. Of versions that are not measured the nearest one stands for all, and
    ``Targets.unmeasured`` says so."""
    found = admitted(requirement)
    if found is not None:
        return Targets(found, origin)
    older = any(c.strip().startswith(("<", "=", "^", "~")) or c.strip()[:1].isdigit() for c in requirement.split(","))
    first = re.search(r"(\d+)(?:\.(\d+))?", requirement)
    below = older and first is not None and (int(first[1]), int(first[2] or 0)) <= MEASURED[0]
    asked = requirement.strip().lstrip("=v ")
    return Targets((MEASURED[0] if below else MEASURED[-1],), origin, asked)
