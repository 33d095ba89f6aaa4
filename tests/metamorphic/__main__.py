"""``python -m tests.metamorphic``: every formulation of every program, and what the tool loses by it.

For each program whose original has a finding, counts the formulations with a finding as strong, and lists the others by
reason. ``--run``: also runs the originals and the formulations on the same rows.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from zlib import crc32

from .registry import rewrites, variants
from .running import compared
from .units import SOURCES, Unit, units
from .verdicts import alike, described, found, weaker

WANTED = 6
"""Formulations of each problem of the suite."""


@dataclass(frozen=True)
class Outcome:
    """One formulation: ``strong``, ``weaker`` with what is lost, ``stronger`` where only it has a finding, or
    ``different`` where it gives other rows."""

    unit: str
    rewrite: str
    verdict: str
    reason: str = ""
    text: str = ""


def outcomes(
    unit: Unit, wanted: str = "", runs: bool = False, pairs: int = 0, most: int | None = None, whole: bool = False
) -> Iterator[Outcome]:
    """What becomes of the findings of one program in each of its formulations, or in ``most`` of them."""
    original = found(unit)
    order = random.Random(crc32(unit.name.encode())) if most is not None else None
    made = (v for v in variants(unit.text, pairs, order) if wanted in v.name)
    for variant in islice(made, most):
        if runs and (difference := compared(unit, variant.text)[1]):
            yield Outcome(unit.name, variant.name, "different", difference, variant.text)
            continue
        if not whole and alike(unit, variant.text):
            yield Outcome(unit.name, variant.name, "strong" if original.findings else "none")
            continue
        after = found(unit, variant.text)
        lost = weaker(original, after)
        if lost is not None:
            yield Outcome(unit.name, variant.name, "weaker", f"{described(original.findings)} → {lost}", variant.text)
        elif weaker(after, original) is not None:
            reason = f"{described(original.findings)} → {described(after.findings)}"
            yield Outcome(unit.name, variant.name, "stronger", reason, variant.text)
        else:
            yield Outcome(unit.name, variant.name, "strong" if original.findings else "none")


def main(arguments: list[str]) -> int:
    """Run the campaign and print its report; 1 if a rewrite changes what a program gives."""
    parser = argparse.ArgumentParser(prog="metamorphic", description=__doc__)
    parser.add_argument("--of", choices=SOURCES, default="suite")
    parser.add_argument("--unit", default="", help="a part of the names of the programs to take")
    parser.add_argument("--rewrite", default="", help="a part of the names of the rewrites to take")
    parser.add_argument("--skip", type=int, default=0, help="leave out that many programs at the beginning")
    parser.add_argument("--share", default="0/1", help="the programs at these places: 0/4 takes every fourth")
    parser.add_argument("--formulations", type=int, help="this many of each program, drawn, always the same")
    parser.add_argument("--pairs", type=int, default=0, help="combinations of two rewrites for each program")
    parser.add_argument("--whole", action="store_true", help="the edits too where the solver is asked the same")
    parser.add_argument("--run", action="store_true", help="also run both texts")
    parser.add_argument("--log", type=Path, help="where each outcome goes, a line of JSON each")
    given = parser.parse_args(arguments)
    place, among = map(int, given.share.split("/"))
    found: list[Outcome] = []
    log = given.log.open("a", encoding="utf-8") if given.log else None
    for i, unit in enumerate(u for u in units(given.of) if given.unit in u.name):
        if i < given.skip or i % among != place:
            continue
        for outcome in outcomes(unit, given.rewrite, given.run, given.pairs, given.formulations, given.whole):
            found.append(outcome)
            if log:
                print(json.dumps(asdict(outcome), ensure_ascii=False), file=log, flush=True)
    _print(found)
    return int(any(o.verdict == "different" for o in found))


def _print(found: list[Outcome]) -> None:
    programs = defaultdict[str, list[Outcome]](list)
    for o in found:
        programs[o.unit].append(o)
    counts = Counter(o.verdict for o in found)
    judged = counts["strong"] + counts["weaker"] + counts["stronger"]
    few = sum(len(those) < WANTED for those in programs.values())
    print(f"programs: {len(programs)}, {few} of them with fewer than {WANTED} formulations")
    print(f"formulations: {len(found)}: " + ", ".join(f"{n} {v}" for v, n in counts.most_common()))
    whole = sum(all(o.verdict != "weaker" for o in those) for those in programs.values())
    print(
        f"as strong: {(judged - counts['weaker']) / max(judged, 1):.2%} of the formulations of what is found", end="; "
    )
    print(f"programs without a weaker one: {whole / max(len(programs), 1):.2%}")
    for verdict in ("different", "weaker", "stronger"):
        those = [o for o in found if o.verdict == verdict]
        if those:
            print(f"\n## {verdict}: {len(those)}\n")
        by_rewrite = Counter(o.rewrite for o in those)
        for name, n in by_rewrite.most_common():
            total = sum(o.rewrite == name for o in found)
            print(f"{name}: {n} of {total}")
            reasons = Counter(o.reason for o in those if o.rewrite == name)
            for reason, m in reasons.most_common(12):
                first = next(o.unit for o in those if o.rewrite == name and o.reason == reason)
                print(f"    {m} {reason} ({first})")
    used = {name for o in found for name in o.rewrite.split(", ")}
    unused = [r.name for r in rewrites() if r.name not in used]
    if unused:
        print(f"\nrewrites without a place: {', '.join(unused)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
