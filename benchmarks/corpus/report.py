"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .ladder import BASES, PLAN_KNOWN, STAGES

Record = dict[str, Any]


def markdown(found: Record) -> str:
    """The whole report."""
    parts = [_head(found), _ladders(found["ladders"])]
    for name in BASES:
        parts += [_causes(name, found["ladders"][name]), _refusals(name, found["ladders"][name])]
    parts += [_boundaries(found["ladders"]["upstream"]), _times(found["times"]), _cases(found)]
    return "\n".join(parts)


def _table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(str(c).replace("|", "\\|") for c in row) + " |" for row in lines) + "\n"


def _head(found: Record) -> str:
    machine, files = found["machine"], found["files"]
    errors = ", ".join(f"{n} {reason}" for reason, n in files["errors"].items())
    bad = {k: files[k] for k in ("crashed", "hung", "internal errors", "breaches")}
    return f"""# Real PySpark: revision {machine["revision"]}, {machine["date"]}

{files["all"]} files of {found["repositories"]} repositories: {files["analysed"]} analysed, {files["not PySpark"]} not
PySpark, {files["error"]} not read ({errors}). {found["filters"]} filters.
{", ".join(f"{k}: {len(v)}" for k, v in bad.items())}. {found["seconds"]} s with {found["jobs"]} workers on
{machine["cpu"]}, load {machine["load"][0]}.
"""


def _ladders(ladders: Record) -> str:
    rows: list[list[Any]] = [["filters of which", *(ladders[b]["filters"] for b in BASES)]]
    for stage, words in STAGES.items():
        rows.append([words, *(_share(ladders[b]["stages"][stage], ladders[b]["filters"]) for b in BASES)])
    known = [sum(ladders[b]["stages"][s] for s in PLAN_KNOWN) for b in BASES]
    rows.append(["**plan known**", *(_share(n, ladders[b]["filters"]) for n, b in zip(known, BASES, strict=True))])
    rows.append(["verdicts", *(_listed(ladders[b]["verdicts"]) for b in BASES)])
    rows.append(["refusals by obstruction", *(_listed(ladders[b]["obstructions"]) for b in BASES)])
    return "## The ladder\n\n" + _table(["", *(words for words, _ in BASES.values())], rows)


def _share(n: int, of: int) -> str:
    return f"{n} ({n / of:.0%})" if of else str(n)


def _listed(counts: Record) -> str:
    return ", ".join(f"{name} {n}" for name, n in counts.items()) or "none"


def _causes(base: str, ladder: Record) -> str:
    rows = (
        [c["cause"], c["first"], c["alone"], c["anywhere"], c["in_reach"], " ".join(c["at"])] for c in ladder["causes"]
    )
    head = ["cause", "first", "alone", "anywhere", "nearest boundary opaque to Spark", "for example"]
    return f"## What stops filters where {BASES[base][0]}\n\n" + _table(head, rows)


def _refusals(base: str, ladder: Record) -> str:
    rows = ([n, reason] for reason, n in ladder["refusals"].items())
    return f"### Refused with a known plan, where {BASES[base][0]}\n\n" + _table(["filters", "because"], rows)


def _boundaries(ladder: Record) -> str:
    rows = ([kind, sum(n.values()), *(n.get(s, 0) for s in STAGES)] for kind, n in ladder["boundaries"].items())
    return "## By nearest boundary\n\n" + _table(["boundary", "filters", *STAGES], rows)


def _times(times: Record) -> str:
    rows = ([f"~{n}", t["files"], t["median"], t["p95"], t["max"]] for n, t in times["frontend_ms"].items())
    table = _table(["lines", "files", "median ms", "95th percentile", "max"], rows)
    longest, slowest = times["longest"], times["slowest"]
    return f"""## Front end, processor time

{table}
Longest file: {longest["lines"]} lines, {longest["frontend_ms"]} ms. Slowest: {slowest["lines"]} lines,
{slowest["frontend_ms"]} ms. Most memory of a worker: {times["peak_mb"]} MB. Longest a file: {times["wall_s"]["max"]} s.
"""


def _cases(found: Record) -> str:
    rows = (
        [c["outcome"], c["judged"], c["says"], c["pattern"], f"{c['repo']}/{c['path']}:{c['line']}"]
        for c in found["cases"]
    )
    counts = "; ".join(f"{name}: {_listed(n)}" for name, n in found["case_counts"].items())
    return f"## The listed cases\n\n{counts}.\n\n" + _table(
        ["outcome", "judged", "the tool says", "pattern", "at"], rows
    )
