"""The coverage ladder: of the filters that have a boundary before them, how many come how far, and what stops them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from statistics import median, quantiles
from typing import Any

from . import causes

Record = dict[str, Any]
Pair = tuple[Record, Record]

OPAQUE_TO_SPARK = frozenset({"aggregate", "udf", "grouped map", "map in pandas", "rdd", "udtf", "explode"})
BASES: dict[str, tuple[str, Callable[[Record], bool]]] = {
    "scope": ("a boundary earlier in the same scope", lambda s: bool(s["scope"])),
    "upstream": ("its rows come through a boundary", lambda s: bool(s["upstream"])),
    "reach": (
        "the nearest one is an aggregate, explode, UDF, grouped map, RDD step or UDTF",
        lambda s: bool(s["upstream"]) and s["upstream"][0] in OPAQUE_TO_SPARK,
    ),
}
"""The filters that a ladder is about: name → what they are, and which."""
STAGES = {
    "file": "in a file that is not read",
    "unseen": "not seen as a filter on a frame",
    "lost": "seen, the boundary above it is not",
    "plain": "seen, and no boundary is upstream",
    "opaque": "stopped by something without a model",
    "spark": "plan known: the filter stops at an operator through which Spark itself moves it, or nothing does",
    "known": "plan known: refused by an operator that is understood",
    "posed": "plan known: a fold problem was posed",
}
_REFUSED = ("opaque", "known", "spark")
PLAN_KNOWN = ("spark", "known", "posed")
EXAMPLES = 4


def stage(record: Record, site: Record) -> str:
    """How far a filter comes: a key of ``STAGES``."""
    if record["state"] == "error":
        return "file"
    seen = site["seen"]
    if seen is None:
        return "unseen"
    if seen["stage"] == "no boundary":
        if re.search("no model|not known|still to be read", seen["reason"]) and site["upstream"]:
            return "opaque"
        return ("spark" if seen.get("through") else "lost") if site["upstream"] else "plain"
    if seen["stage"] == "stopped":
        return "opaque" if seen["obstruction"] == "opaque" and "as yet" not in seen["reason"] else "known"
    return "posed" if seen["stage"] == "posed" else "opaque"


def verdict(site: Record) -> str:
    """What became of a filter that the engine was asked about: a rule's code, or the obstruction."""
    return str(site["seen"].get("code") or site["seen"]["obstruction"])


def figures(records: list[Record]) -> Record:
    """Everything that the results file says of the run but the listed cases."""
    return {
        "files": _files(records),
        "filters": sum(len(r["sites"]) for r in records),
        "ladders": {name: _ladder(records, wanted) for name, (_, wanted) in BASES.items()},
        "times": _times(records),
    }


def _files(records: list[Record]) -> Record:
    def words(record: Record) -> str:
        return str(record["error"]).split(":")[0]

    failed = [r for r in records if r["error"]]
    return {
        "all": len(records),
        "notebooks": sum(r["notebook"] for r in records),
        **{state: sum(r["state"] == state for r in records) for state in ("analysed", "not PySpark", "error")},
        "errors": dict(Counter(words(r) for r in failed if r["state"] == "error").most_common()),
        "crashed": [_name(r) for r in records if "crashed" in (r["error"] or "")],
        "hung": [_name(r) for r in records if "hung" in (r["error"] or "")],
        "internal errors": [_name(r) for r in records if _internal(r)],
        "breaches": sorted({b for r in records for b in r.get("breaches", ())}),
        "lost cells": sum(r["lost_cells"] for r in records),
        "filters that only the tool sees": sum(r["extra"] for r in records),
    }


def _internal(record: Record) -> bool:
    reasons = [s["seen"]["reason"] for s in record["sites"] if s["seen"] and "reason" in s["seen"]]
    return any("internal error" in text for text in (record["error"] or "", *reasons))


def _name(record: Record) -> str:
    return f"{record['repo']}/{record['path']}"


def _ladder(records: list[Record], wanted: Callable[[Record], bool]) -> Record:
    pairs = [(r, s) for r in records for s in r["sites"] if wanted(s)]
    stages = Counter(stage(*p) for p in pairs)
    by_boundary: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in pairs:
        by_boundary[(pair[1]["upstream"] or ["none upstream"])[0]][stage(*pair)] += 1
    return {
        "filters": len(pairs),
        "stages": {name: stages[name] for name in STAGES},
        "verdicts": dict(Counter(verdict(s) for r, s in pairs if stage(r, s) == "posed").most_common()),
        "obstructions": dict(Counter(verdict(s) for r, s in pairs if stage(r, s) in _REFUSED).most_common()),
        "boundaries": {k: dict(v) for k, v in sorted(by_boundary.items(), key=lambda kv: -sum(kv[1].values()))},
        "styles": dict(Counter(s["style"] for _, s in pairs).most_common()),
        "causes": _causes([p for p in pairs if stage(*p) in ("file", "unseen", "lost", "opaque")]),
        "refusals": _refusals([s for r, s in pairs if stage(r, s) in ("spark", "known")]),
    }


def _refusals(sites: Iterable[Record]) -> Record:
    """What stops the filters whose plan is known, in the tool's words, names left out."""
    words = (re.sub(r"`[^`]*`", "`…`", site["seen"]["reason"]) for site in sites)
    return dict(Counter(words).most_common())


def _causes(pairs: Iterable[Pair]) -> list[Record]:
    """Each cause with how many filters it stops first, how many it alone stops, and how many it stands above."""
    first: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    anywhere: Counter[str] = Counter()
    in_reach: Counter[str] = Counter()
    examples: dict[str, list[str]] = defaultdict(list)
    for record, site in pairs:
        cause = causes.of_site(record, site)
        every = set(causes.blockers(site)) | {cause}
        first[cause] += 1
        anywhere.update(every)
        alone[cause] += len(every) == 1
        in_reach[cause] += BASES["reach"][1](site)
        if all(_name(record) not in e for e in examples[cause]) and len(examples[cause]) < EXAMPLES:
            examples[cause].append(f"{_name(record)}:{site['place']}")
    return [
        {"cause": c, "first": n, "alone": alone[c], "anywhere": anywhere[c], "in_reach": in_reach[c], "at": examples[c]}
        for c, n in first.most_common()
    ]


def _times(records: list[Record]) -> Record:
    read = [r for r in records if r["state"] == "analysed" and "frontend_ms" in r]
    if not read:
        return {}
    size = {n: [r["frontend_ms"] for r in read if n * 0.8 <= r["lines"] <= n * 1.25] for n in (100, 300, 1000, 2000)}
    longest = max(read, key=lambda r: r["lines"])
    slowest = max(read, key=lambda r: r["frontend_ms"])
    return {
        "frontend_ms": {n: _spread(values) for n, values in size.items() if values},
        "frontend_ms_per_1000_lines": round(median(r["frontend_ms"] / r["lines"] * 1000 for r in read), 1),
        "longest": {k: longest.get(k) for k in ("repo", "path", "lines", "frontend_ms", "peak_mb")},
        "slowest": {k: slowest.get(k) for k in ("repo", "path", "lines", "frontend_ms", "peak_mb")},
        "peak_mb": max(r["peak_mb"] for r in read),
        "wall_s": {"sum": round(sum(r["seconds"] for r in read), 1), "max": max(r["seconds"] for r in read)},
    }


def _spread(values: list[float]) -> Record:
    p95 = quantiles(values, n=20)[-1] if len(values) > 1 else values[0]
    return {"files": len(values), "median": round(median(values), 1), "p95": round(p95, 1), "max": max(values)}
