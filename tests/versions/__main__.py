"""``python -m tests.versions environments | matrix | page | replays [SHARE]``; without a word, all of them in this order."""

from __future__ import annotations

import sys

from . import page
from .environments import ENVIRONMENTS, make
from .matrix import record
from .replays import excused, outcomes, rewritten


def environments() -> int:
    for environment in ENVIRONMENTS:
        print(environment.name, make(environment), flush=True)
    return 0


def matrix() -> int:
    answers = record()
    print(f"{len(answers)} probes, {len(page.differing(answers))} differ")
    return 0


def replays(share: int = 1) -> int:
    """How many rewrites give the same rows on each version; the exit code is 1 if one does not."""
    asked, wrong = rewritten(share), 0
    for environment in ENVIRONMENTS:
        found = outcomes(environment, asked)
        newer = {r.name for r in asked if found[r.name].startswith("does not run") and excused(r, environment)}
        lost = {name: said for name, said in found.items() if said != "same" and name not in newer}
        print(
            f"{environment.name}: {len(found)} replays, {len(newer)} need a newer version, {len(lost)} differ",
            flush=True,
        )
        for name, said in lost.items():
            print(f"  {name}: {said[:300]}")
        wrong += len(lost)
    return int(wrong > 0)


def main(words: list[str]) -> int:
    match words:
        case ["environments"]:
            return environments()
        case ["matrix"]:
            return matrix()
        case ["page"]:
            page.write()
            return 0
        case ["replays", *share]:
            return replays(*map(int, share))
        case _:
            made = environments() + matrix()
            page.write()
            return made + replays()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
