"""The results file in words and tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from .figures import (
    PROVED,
    SETTLED,
    Found,
    Record,
    median,
    peak_mb,
    percentile,
    phases,
    ratio,
    searched,
    solved_time,
    times,
)

KINDS = ("exact", "split", "partial", "none", "never", "unknown")


def failures(found: Found) -> list[str]:
    """What must not be: one line each."""
    lines = []
    for r in found["searches"]["full"]:
        lines += [f"{r['problem']}: {c}" for c in r["complaints"]]
        if r.get("cvc5") is False:
            lines.append(f"{r['problem']}: cvc5 does not accept the certificate")
    for r in found.get("bounded", []):
        if r["agrees"] is False:
            lines.append(f"{r['problem']}: the bounded check excludes what the search proves")
    return lines


def short(found: Found) -> str:
    """A few lines for the terminal."""
    lines = []
    for mode in found["searches"]:
        t = times(searched(found, mode))
        lines.append(
            f"{mode:14} {_solved(found, mode)}, median {_s(median(t))}, 95 % {_s(percentile(t, 0.95))}, "
            f"worst {_s(max(t, default=math.nan))}, peak {peak_mb(found, mode):.0f} MB"
        )
    if "spacer" in found:
        lines.append(f"{'spacer':14} {sum(r.get('spacer') == 'proved' for r in found['spacer'])} proved")
    met = sum(not r["complaints"] for r in found["searches"]["full"])
    lines.append(f"expectations met: {met} of {len(found['searches']['full'])}")
    return "\n".join(lines)


def markdown(found: Found, results: Path, picture: str) -> str:
    """The whole report."""
    parts = [
        "# Synthesis benchmark\n",
        f"Written by `make bench NAME=synthesis` from `{results.as_posix()}`; do not edit by hand.\n",
        _machine(found),
        _suite(found),
        _expectations(found),
        _times(found),
        f"![Cumulative distribution of times in all modes]({picture})\n",
        _ablations(found),
        _spacer(found),
        _sizes(found),
        _projection(found),
        _never(found),
        _accepting(found),
        _bounded(found),
        _profile(found),
        _answers(found),
    ]
    return "\n".join(p for p in parts if p)


def _machine(found: Found) -> str:
    m = found["machine"]
    dirty = " with uncommitted changes" if m["changed_since"] else ""
    return (
        f"Machine: {m['cpu']}, {m['cores']} cores, {m['memory_gb']} GB, {m['system']}; Python {m['python']}, "
        f"Z3 {m['z3']}, cvc5 {m['cvc5']}; revision {m['revision']}{dirty}, {m['date']}, load average at the end "
        f"{m['load'][0]}. Each mode runs the problems one after the other in one process of its own; the "
        f"modes take turns. Nothing is cached, seeds are fixed, and the limit is {found['seconds']:g} s of processor "
        "time per problem. Times are of the search with its proof by Z3, wall clock, without the front end.\n"
    )


def _suite(found: Found) -> str:
    records = found["searches"]["full"]
    domains = sorted({r["domain"] for r in records})
    expected = Counter(r["expected"].split()[0] for r in records)
    rows = []
    for domain in domains:
        mine = [r for r in records if r["domain"] == domain]
        kinds = Counter(r["expected"].split()[0] for r in mine)
        rows.append([domain, len({r["problem"].split(":")[0] for r in mine}), len(mine), *(kinds[k] for k in SETTLED)])
    rows.append(["all", found["files"], len(records), *(expected[k] for k in SETTLED)])
    grouped = sum(r["grouped"] is True for r in records)
    return (
        f"## The suite\n\n{found['files']} UDFs and aggregates with {len(records)} filters, {grouped} of them over "
        f"groups; expectations were decided by hand.\n\n" + _table(["domain", "files", "filters", *SETTLED], rows)
    )


def _expectations(found: Found) -> str:
    records = found["searches"]["full"]
    rows = []
    for kind in SETTLED:
        mine = [r for r in records if r["expected"].split()[0] == kind]
        if mine:
            met = sum(not r["complaints"] for r in mine)
            kinds = Counter(r["found"] for r in mine)
            stronger = sum(r["stronger_than_expected"] and not r["complaints"] for r in mine)
            rows.append([kind, len(mine), met, stronger, *(kinds[k] or "" for k in KINDS)])
    met = sum(not r["complaints"] for r in records)
    missing = sum(r["but_for_nan"] for r in records)
    text = (
        f"## Expected and found\n\n{met} of {len(records)} expectations are met, {missing} of them but for rows that "
    )
    text += "hold a NaN: the search leaves those to the boundary where the answer is as good otherwise. "
    quiet = sum(r["quiet"] for r in records)
    checked = [r for r in records if "cvc5" in r]
    if checked:
        text += f"cvc5 accepts {sum(r['cvc5'] for r in checked)} of {len(checked)} certificates. "
    text += (
        f"{quiet} answers are proved but too weak to be told to a user (they drop missing values only, or Spark moves "
        f"the filter itself); they count as met where nothing is expected.\n\n"
    )
    text += _table(["expected", "filters", "met", "G stronger", *(f"found {k}" for k in KINDS)], rows)
    missed = failures(found)
    if missed:
        text += "\nNot met:\n\n" + "".join(f"- {_cell(m)}\n" for m in missed)
    return text


def _times(found: Found) -> str:
    rows = []
    records = searched(found)
    for kind in (*KINDS, "all"):
        mine = [r for r in records if kind in (r["found"], "all")]
        if mine:
            rows.append([kind, len(mine), *_spread(times(mine)), *_spread(times(mine, "cpu"))])
    heads = ["median", "95 %", "worst"]
    return (
        "## Times by kind\n\n"
        + _table(["found", "problems", *heads, *(f"{h}, processor" for h in heads)], rows)
        + f"\nPeak memory of the process: {peak_mb(found, 'full'):.0f} MB.\n"
    )


def _spread(values: Sequence[float]) -> list[str]:
    return [_s(median(values)), _s(percentile(values, 0.95)), _s(max(values, default=math.nan))]


def _ablations(found: Found) -> str:
    rows = []
    full = times(searched(found), "cpu")
    kinds = {r["problem"]: r for r in searched(found)}
    for mode in found["searches"]:
        mine = searched(found, mode)
        t = times(mine, "cpu")
        changed = [r for r in mine if kinds[r["problem"]]["found"] != r["found"]]
        other = [
            r for r in mine
            if r not in changed and r.get("prefilter") != kinds[r["problem"]].get("prefilter")
        ]  # fmt: skip
        rows.append([
            mode, _solved(found, mode), sum(bool(r["complaints"]) for r in mine), len(changed), len(other), *_spread(t),
            f"{median(t) / median(full):.2f}", f"{ratio(found, mode):.2f}", f"{sum(t) / sum(full):.2f}",
            f"{peak_mb(found, mode):.0f}",
        ])  # fmt: skip
    heads = ["mode", "answered", "expectations missed", "other kind than full", "other G", "median", "95 %", "worst",
             "median / full", "problem by problem / full", "total / full", "peak MB"]  # fmt: skip
    return (
        "## Ablations\n\nEvery mode in the same run, in processor time, which a busy machine disturbs least; `problem "
        "by problem` is the geometric mean of each problem's ratio.\n\n" + _table(heads, rows)
    )


def _solved(found: Found, mode: str) -> str:
    mine = searched(found, mode)
    return f"{sum(r['found'] in SETTLED for r in mine)} of {len(mine)}"


def _spacer(found: Found) -> str:
    records: list[Record] = found.get("spacer", [])
    if not records:
        return ""
    ours = {r["problem"]: r for r in searched(found)}
    status = Counter("killed" if r.get("timeout") else "crashed" if r.get("crash") else r["spacer"] for r in records)
    residual = Counter(r["residual_is"] for r in records if r.get("spacer") == "proved")
    both = [(t, ours[r["problem"]]["wall"]) for r in records if (t := solved_time(r)) is not None]
    alone = [r["prove_wall"] for r in records if r.get("spacer") == "proved"]
    text = (
        "## Spacer\n\nZ3's Horn solver, given the pre-filter that the full mode found, proves that it is sound with "
        "the whole filter kept, and then looks for the weakest residual, candidate by candidate. It does not find "
        "pre-filters.\n\n"
    )
    rows: list[list[object]] = [
        ["given", len(records)],
        ["proved", status["proved"]],
        ["not within Spacer's language (uninterpreted functions)", status["unsupported"]],
        ["unknown or out of time", status["unknown"] + status["killed"] + status["crashed"]],
        ["refuted", status["refuted"]],
        ["time for the soundness of G alone, where proved", " / ".join(_spread(alone))],
        ["time with the residual, where proved", " / ".join(_spread([t for t, _ in both]))],
        ["time of the full mode on the same problems (it finds G as well)", " / ".join(_spread([o for _, o in both]))],
        ["suboptimal residuals (stronger than ours)", residual["stronger"] + residual["incomparable"]],
        ["residuals weaker than ours", residual["weaker"]],
    ]
    text += _table(["", "problems, or median / 95 % / worst"], rows)
    worse = [r for r in records if r.get("residual_is") in ("stronger", "incomparable", "weaker")]
    if worse:
        text += "\n" + _table(
            ["problem", "Spacer's R is", "Spacer's R", "our R"],
            [
                [r["problem"], r["residual_is"], _code(r["residual_sql"]), _code(ours[r["problem"]]["residual"])]
                for r in worse
            ],
        )
    return text


def _sizes(found: Found) -> str:
    records = searched(found)
    proved = [r for r in records if r["found"] in PROVED]
    rows = []
    for name, shown in (("G", "`G`"), ("R", "`R`"), ("psi", "`ψ`")):
        universe = [r["statistics"].get("sizes", {}).get(name) for r in records]
        known = [u for u in universe if u is not None]
        atoms, nodes = [r["atoms"][name] for r in proved], [r["nodes"][name] for r in proved]
        rows.append([shown, *_counts(known), *_counts(atoms), *_counts(nodes)])
    heads = [f"{what}, {how}" for what in ("universe", "atoms", "nodes") for how in ("median", "most")]
    tried = [
        (r["statistics"]["sizes"]["G"], max(1, r["statistics"]["candidates"]))
        for r in proved if r["statistics"]["sizes"]
    ]  # fmt: skip
    sizes = [
        (r["statistics"]["sizes"]["psi"], r["statistics"]["alive"], r["atoms"]["psi"])
        for r in proved if r["statistics"]["sizes"]
    ]  # fmt: skip
    text = "## Sizes and search space\n\n" + _table(["", *heads], rows)
    if tried:
        bits = [size - math.log2(n) for size, n in tried]
        candidates = [n for _, n in tried]
        text += (
            f"\nOf the 2^n subsets of the universe of pre-filters the search tries {median(candidates):g} at the "
            f"median and {max(candidates)} at most: a reduction by 2^{median(bits):.1f} at the median and "
            f"2^{max(bits):.0f} at most. "
        )
    if sizes:
        text += (
            f"Concrete runs leave {100 * median(a / u for u, a, _ in sizes):.0f} % of the universe of invariants to "
            f"the solver at the median, and the certificate keeps {100 * median(k / u for u, _, k in sizes):.1f} %."
        )
    return text + "\n"


def _counts(values: Sequence[float]) -> list[str]:
    return [f"{median(values):g}", f"{max(values, default=0):g}"]


def _projection(found: Found) -> str:
    gains = found.get("projection")
    if gains is None:
        return ""
    full = {r["problem"]: r for r in found["searches"]["full"]}
    plain = {r["problem"]: r for r in found["searches"]["no-projection"]}
    strict = [n for n, g in gains.items() if g in ("strictly stronger", "only with")]
    rows = [
        [n, _code(full[n].get("prefilter") or full[n]["found"]), _code(plain[n].get("prefilter") or plain[n]["found"])]
        for n in strict
    ]
    text = (
        f"## Projection\n\nOn {len(strict)} of {len(gains)} problems the strengthening by projection gives a strictly "
        "stronger pre-filter than the universes alone (or the only one, or the proof that the filter never passes).\n\n"
    )
    text += _table(["problem", "G", "G without projection"], rows) if rows else ""
    missing = [n for n in found["projection_expected"] if n not in strict]
    if missing:
        text += "\nMarked `projection: yes`, but reached without: " + ", ".join(missing) + "\n"
    return text


def _never(found: Found) -> str:
    mine = [r for r in found["searches"]["full"] if "never" in (r["expected"], r["found"])]
    rows = [[r["problem"], r["expected"], r["found"], _s(r.get("wall", math.nan))] for r in mine]
    text = f"## Filters that can never pass (HW302)\n\n{sum(r['found'] == 'never' for r in mine)} are proved to.\n\n"
    return text + _table(["problem", "expected", "found", "time"], rows)


def _accepting(found: Found) -> str:
    mine = [r for r in found["searches"]["full"] if r["accepts_nothing"]]
    rows = [
        [r["problem"], r["expected"], r["found"], r["obstruction"] or "", _code(r.get("prefilter", ""))] for r in mine
    ]
    refused = sum(r["found"] == "none" for r in mine)
    return (
        "## Filters over groups that accept the initial state\n\nA group of which every row is dropped is absent, so "
        "no pre-filter may drop all rows of a group that passes. "
        f"{refused} of {len(mine)} are refused; `tests/suite/test_replay.py` replays each of them on Spark.\n\n"
    ) + _table(["problem", "expected", "found", "obstruction", "G"], rows)


def _bounded(found: Found) -> str:
    records = found.get("bounded")
    if not records:
        return ""
    spread = [
        f"{1000 * x:.1f} ms" for x in (median(times(records)), percentile(times(records), 0.95), max(times(records)))
    ]
    wrong = sum(r["agrees"] is False for r in records)
    return (
        f"## Bounded check\n\nMedian {spread[0]}, 95 % {spread[1]}, worst {spread[2]}, over {len(records)} problems. "
        f"It excludes {wrong or 'none'} of what the search proves.\n"
    )


def _profile(found: Found) -> str:
    found_phases = phases(found)
    if not found_phases:
        return ""
    total = sum(s for _, s in found_phases)
    rows = [[phase, f"{s:.2f}", f"{100 * s / total:.0f} %"] for phase, s in found_phases]
    return (
        "## Where the time goes\n\n"
        f"Processor time of the full mode over all problems, sampled ({total:.1f} s in all).\n\n"
        + _table(["phase", "seconds", "share"], rows)
    )


def _answers(found: Found) -> str:
    rows = []
    for r in found["searches"]["full"]:
        said = r["found"] if r["found"] != "none" else f"none {r['obstruction']}"
        if r["quiet"]:
            said += ", not told"
        g, residual = r.get("prefilter", ""), r.get("residual", "")
        met = "" if not r["complaints"] else "**not met**"
        rows.append([r["problem"], r["expected"], said, met, _code(g), _code(residual), _s(r.get("wall", math.nan))])
    table = _table(["problem", "expected", "found", "", "G", "R", "time"], rows)
    return f"## Every answer\n\n<details><summary>{len(rows)} problems</summary>\n\n{table}\n</details>\n"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(_cell(str(c)) for c in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _s(seconds: float) -> str:
    if math.isnan(seconds):
        return ""
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
