"""``python -m tests.campaigns.tables``: every refused entry of every table of facts, turned into an accepted one;
measurement must see each.

A module ``tests/tables/test_<name>.py`` exposes ``ENTRIES``, the entries that are False or refused, and
``seen(entry)``: whether
turning that entry into True is noticed. Exit code 1 if an entry survives or the measurement fails.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import sys
import time
import traceback
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from tests.replay import campaign_session


@dataclass
class Outcome:
    """What became of the entries of one table."""

    table: str
    killed: list[Any] = field(default_factory=list)
    survived: list[Any] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    seconds: float = 0.0


def tables() -> Iterator[ModuleType]:
    """The modules of ``tests/tables`` that expose a table."""
    try:
        package = importlib.import_module("tests.tables")
    except ModuleNotFoundError:
        return
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        module = importlib.import_module(f"tests.tables.{found.name}")
        if hasattr(module, "ENTRIES") and hasattr(module, "seen"):
            yield module


def flipped(module: ModuleType, share: int = 1) -> Outcome:
    """Every ``share``-th entry of one table, flipped."""
    outcome, start = Outcome(module.__name__.rpartition(".")[2].removeprefix("test_")), time.monotonic()
    entries: Collection[Any] = module.ENTRIES
    for entry in list(entries)[::share]:
        try:
            (outcome.killed if module.seen(entry) else outcome.survived).append(entry)
        except Exception:
            outcome.failed.append(f"{entry}: {traceback.format_exc(limit=3)}")
    outcome.seconds = time.monotonic() - start
    return outcome


def main() -> int:
    """Flip and report."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.tables", description=__doc__)
    parser.add_argument("--only", default="", help="tables whose name holds this text")
    parser.add_argument("--share", type=int, default=1, help="every n-th entry")
    given = parser.parse_args()
    outcomes = list[Outcome]()
    modules = [m for m in tables() if given.only in m.__name__]
    print("| table | entries | killed | survived | failed | seconds |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    with ExitStack() as stack:
        if any("SparkSession" in inspect.getsource(m) for m in modules):
            stack.enter_context(campaign_session())
        for m in modules:
            outcomes.append(o := flipped(m, given.share))
            total = len(o.killed) + len(o.survived) + len(o.failed)
            row = f"| {o.table} | {total} | {len(o.killed)} | {len(o.survived)} | {len(o.failed)} | {o.seconds:.0f} |"
            print(row, flush=True)
    for o in outcomes:
        for entry in o.survived:
            print(f"survived in {o.table}: {entry}")
        for words in o.failed:
            print(f"failed in {o.table}: {words}", file=sys.stderr)
    return 1 if any(o.survived or o.failed for o in outcomes) else 0


if __name__ == "__main__":
    raise SystemExit(main())
