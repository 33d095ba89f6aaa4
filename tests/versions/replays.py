"""The rewrites of the specifications, run before and after on each version of Spark.

What is rewritten is analysed once, here; each environment then runs all the pairs in one process of its own
(``python -m tests.versions.replays FILE``), in sessions that interpret rather than compile, since each program runs once.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

from tests.replay import Run, campaign_session, results
from tests.results import Failed, Result

from .environments import Environment, make, root, variables

RANDOM_TABLES = 2
_MARK = "replayed: "
NEEDS = {
    ".applyInArrow(": "4.0",
    ".asTable(": "4.0",
    "PARTITION BY": "4.0",  # of a table argument; without it the parser fails
    "partition by": "4.0",
    "SINGLE PARTITION": "4.0",
    ".lateralJoin(": "4.0",
    ".tvf.": "4.0",
    "listagg": "4.0",
    "arrow_udf": "4.1",
    "zipWithIndex": "4.2",
}
"""What a specification may need that older versions lack, and the first version that has it."""


@dataclass(frozen=True)
class Replay:
    """One specification before and after its rewrite, with its inputs. ``assumptions``: what the rewrite rests on."""

    name: str
    before: str
    after: str
    runs: tuple[Run, ...]
    assumptions: tuple[str, ...]


def rewritten(share: int = 1, processes: int = 2) -> list[Replay]:
    """The replays of every ``share``-th specification with a rewrite."""
    from tests.mdtest.test_mdtest import REPLAYED

    names = [c.name for c in REPLAYED if crc32(c.name.encode()) % share == 0]
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(_replay, names, chunksize=8))


def _replay(name: str) -> Replay:
    from tests.mdtest.replay import given, run_of
    from tests.mdtest.tables import random_inputs
    from tests.mdtest.test_mdtest import REPLAYED, analysed
    from tests.mdtest.test_mdtest import rewritten as after

    case = next(c for c in REPLAYED if c.name == name)
    inputs = [given(case), *random_inputs(case, RANDOM_TABLES)]
    assumptions = tuple(dict.fromkeys(a for o in analysed(case).opportunities for a in o.assumptions))
    runs = tuple(run_of(case, case.source, tables) for tables in inputs)
    return Replay(name, case.source, after(case), runs, assumptions)


def outcomes(environment: Environment, replays: list[Replay]) -> dict[str, str]:
    """What came of each replay on ``environment``: ``same``, or what differs, or why the program does not run."""
    file = root() / f"replays-{environment.name}.pickle"
    file.write_bytes(pickle.dumps(replays))
    command = [str(make(environment)), "-m", "tests.versions.replays", str(file)]
    done = subprocess.run(command, env=variables(environment), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{environment.name}: {done.stderr[-2000:]}")
    return dict(json.loads(line.removeprefix(_MARK)) for line in done.stdout.splitlines() if line.startswith(_MARK))


def excused(replay: Replay, environment: Environment) -> bool:
    """Whether a program that does not run on ``environment`` needs a newer version."""
    have = tuple(map(int, environment.spark.split(".")))
    needed = [tuple(map(int, since.split("."))) for text, since in NEEDS.items() if text in replay.before]
    return any(have < since for since in needed)


def _run_here(replays: list[Replay]) -> Iterator[tuple[str, str]]:
    with campaign_session() as spark:
        for replay in replays:
            after = [replace(run, source=replay.after) for run in replay.runs]
            found = results(spark, [*replay.runs, *after])
            half = len(replay.runs)
            yield replay.name, _outcome(replay, found[:half], found[half:])


def _outcome(replay: Replay, before: list[Result], after: list[Result]) -> str:
    """A rewrite may remove an error, never add one."""
    if isinstance(before[0], Failed):
        return f"does not run: {before[0].reason.splitlines()[0]}"
    for run, old, new in zip(replay.runs, before, after, strict=True):
        if not isinstance(old, Failed) and old != new:
            return f"differs on {run.rows}: {old} {new}"
    return "same"


if __name__ == "__main__":
    given: list[Replay] = pickle.loads(Path(sys.argv[1]).read_bytes())
    for said in _run_here(given):
        print(_MARK + json.dumps(said), flush=True)
