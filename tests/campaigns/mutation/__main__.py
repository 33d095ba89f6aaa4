"""``python -m tests.campaigns.mutation``: alter solutions, then the trusted base; show what nobody notices.

Exit status 1 where an altered solution is accepted and wrong, where a mutant of the code survives that
``equivalent.toml`` does not explain, or where an explanation has no surviving mutant.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from .equivalent import Equivalents
from .places import place_of
from .runner import ALL, CROSSINGS, Result, all_mutants, preload, run
from .session import hints_of, kill


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.mutation", description=__doc__)
    parser.add_argument("--part", choices=["solutions", "code", "all"], default="code")
    parser.add_argument("--file", action="append", default=[], help="such as proof/conditions.py")
    parser.add_argument("--only", default="", help="mutants whose description holds this text")
    parser.add_argument("--list", action="store_true", help="show the mutants and run nothing")
    parser.add_argument("--shard", default="0/1", help="every n-th mutant from the i-th: i/n")
    parser.add_argument("--tests", action="append", default=[], help="only these tests, to look around")
    parser.add_argument(
        "--where", choices=["bodies", "imports"], help="only those in functions, which are quick; or not"
    )
    parser.add_argument("--after", type=Path, help="what an earlier run has printed, whose killers are tried first")
    parser.add_argument("--budget", type=float, default=300, help="seconds of tests, after which a mutant has survived")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--nice", type=int, default=5)
    parser.add_argument("--verbose", action="store_true", help="show the killed ones too")
    given = parser.parse_args()
    if given.part == "all":  # in processes of their own: the second must not have imported what it changes
        parts = [
            subprocess.run([sys.executable, "-m", "tests.campaigns.mutation", "--part", p])
            for p in ("solutions", "code")
        ]
        return max(p.returncode for p in parts)
    return solutions() if given.part == "solutions" else code(given)


def solutions() -> int:
    """Alter the whole corpus of proved solutions."""
    from .corpus import everything
    from .solutions import Tally, judge

    tally, start = Tally(), time.perf_counter()
    cases = 0
    for name, problem, s in everything():
        judge(problem, s, tally)
        cases += 1
        print(f"{cases}: {name}", file=sys.stderr, flush=True)
        if cases % 20 == 0:
            print(tally, file=sys.stderr, flush=True)
    print(f"{cases} proved solutions, {time.perf_counter() - start:.0f} s\n{tally}")
    return 1 if tally.holes else 0


def code(given: argparse.Namespace) -> int:
    """Alter the trusted base."""
    first, step = map(int, given.shard.split("/"))
    chosen = [m for m in all_mutants(given.file) if given.only in str(m)][first::step]
    chosen = [m for m in chosen if given.where != ("imports" if place_of(m) else "bodies")]
    if given.list:
        print(*chosen, f"{len(chosen)} mutants", sep="\n")
        return 0
    os.nice(given.nice)
    preload()
    known = Equivalents.load()
    hints = hints_of(given.after.read_text("utf-8").splitlines()) if given.after else {}
    results: list[Result] = []
    start = time.perf_counter()

    def tell(result: Result) -> None:
        results.append(result)
        if len(results) % 50 == 0:
            spent = time.perf_counter() - start
            print(f"{len(results)} of {len(chosen)}, {spent:.0f} s", file=sys.stderr, flush=True)
        if given.verbose or (result.outcome != "killed" and result.mutant.key not in known):
            print(f"{result.outcome:9} {result.mutant}  {result.killer}", flush=True)

    for mutant in chosen:  # before the first import of what is mutated
        if place_of(mutant) is None:
            tell(Result(mutant, *run(mutant, given.tests)))
    bodies = sorted((m for m in chosen if place_of(m)), key=lambda m: m.key in known)  # what takes longest comes last
    crossings = [m for m in bodies if m.file.startswith(CROSSINGS)]
    others = [m for m in bodies if not m.file.startswith(CROSSINGS)]
    for mutants, tests in ((crossings, (f"tests/{CROSSINGS}",)), (others, ALL)):
        if mutants and (failed := kill(mutants, given.tests or tests, given.jobs, tell, hints, given.budget)):
            print(f"the tests fail on the unchanged code: {failed}")
            return 1
    return report(results, known, complete=not given.only and not given.where and step == 1, files=given.file)


def report(results: list[Result], known: Equivalents, complete: bool, files: list[str]) -> int:
    """The table, and what is wrong."""
    survived = [r.mutant for r in results if r.outcome == "survived"]
    unexplained = [m for m in survived if m.key not in known]
    made, alive, open_ones = (
        Counter(m.file for m in ms) for ms in ([r.mutant for r in results], survived, unexplained)
    )
    print(f"{'file':28} {'mutants':>8} {'killed':>8} {'equivalent':>11} {'survived':>9} {'score':>7}")
    for file in [*made, ""]:
        n, a, s = (c[file] if file else c.total() for c in (made, alive, open_ones))
        score = 100 * (n - a) / (n - a + s) if n - a + s else 100.0
        print(f"{file or 'all':28} {n:8} {n - a:8} {a - s:11} {s:9} {score:6.1f}%")
    print(f"{sum(r.outcome == 'time-out' for r in results)} of the killed ran out of time")
    killers = Counter(r.killer.split("::")[0] for r in results if r.outcome == "killed")
    for name, count in killers.most_common():
        print(f"  {count:5} killed by {name}")
    stale = known.unused(survived, files) if complete else []
    for entry in stale:
        print(f"equivalent.toml explains what no mutant is, or one that is killed: {entry}")
    return 1 if unexplained or stale else 0


if __name__ == "__main__":
    sys.exit(main())
