"""The listed cases: what the tool says of each beside what a reader judged."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from . import causes, texts
from .ladder import stage, verdict

Record = dict[str, Any]
_STRENGTH = {"conditional": 1, "partial": 2, "split": 3, "exact": 4}
_PROVED = {"HW101", "HW102", "HW103", "HW302"}
OUTCOMES = ("better", "equal", "weaker", "missing", "wrong", "not found")
_NEAR = 4


def judged(listed: list[Record], records: list[Record], root: Path) -> list[Record]:
    """One line per case: ``outcome`` is one of ``OUTCOMES``.

    ``wrong``: something is proved where the judgement is that nothing can be, or that Spark does it itself.
    """
    known = {(r["repo"], r["path"]): r for r in records}
    return [_case(c, known.get((c["repo"], c["path"])), root) for c in listed]


def count(cases: list[Record]) -> Record:
    """How many cases have which outcome, for those with something to find and for the others."""
    find = [c for c in cases if c["judged"] in _STRENGTH]
    leave = [c for c in cases if c["judged"] not in _STRENGTH]
    counts = (Counter(c["outcome"] for c in some) for some in (find, leave))
    return {name: {o: n[o] for o in OUTCOMES if n[o]} for name, n in zip(("to find", "to leave"), counts, strict=True)}


def _case(case: Record, record: Record | None, root: Path) -> Record:
    line: Record = {k: case[k] for k in ("repo", "path", "line", "pattern")} | {"judged": case["verdict"]}
    site = None if record is None else _site(case, record, root / case["repo"].replace("/", "+") / case["path"])
    if record is None or site is None:
        return line | {"says": "the file or the filter is not there", "outcome": "not found", "blockers": []}
    at = stage(record, site)
    code = site["seen"].get("code") if site["seen"] else None
    kind = {"HW104": "conditional", "HW302": "exact", "HW190": None}.get(code or "", (site["seen"] or {}).get("kind"))
    says = f"{code} {kind or ''}".strip() if code else causes.of_site(record, site) if at != "posed" else verdict(site)
    line |= {"stage": at, "says": says, "blockers": causes.blockers(site), "upstream": list(site["upstream"])}
    return line | {"outcome": outcome(case["verdict"], code, kind)}


def outcome(judgement: str, code: str | None, kind: str | None) -> str:
    """One of ``OUTCOMES``, of a judgement beside the rule and kind that the tool reports."""
    if judgement not in _STRENGTH:
        return "wrong" if code in _PROVED else "equal"
    got, due = _STRENGTH.get(kind or "", 0), _STRENGTH[judgement]
    return "missing" if not got else "better" if got > due else "equal" if got == due else "weaker"


def _site(case: Record, record: Record, path: Path) -> Record | None:
    """The filter that stands at the case's line, or the nearest one."""
    line = _line(case, path)
    if line is None:
        return None

    def distance(site: Record) -> tuple[int, int]:
        first, last = site["line"], site["end"][0]
        return (0 if first <= line <= last else min(abs(first - line), abs(last - line)), last - first)

    near = min(record["sites"], key=distance, default=None)
    return near if near is not None and distance(near)[0] <= _NEAR else None


def _line(case: Record, path: Path) -> int | None:
    """The case's line in the text that the census counts in."""
    if case.get("line_kind") != "raw json line":
        return int(case["line"])
    raw = path.read_text(encoding="utf-8").split("\n")[case["line"] - 1].strip().rstrip(",")
    return texts.load(path).line_in_cell(case["code_cell"], json.loads(raw))
