"""``python -m tests.campaigns.validation``: translation validation of every boundary that a filter reaches.

Prints, for the suite, the examples and the specifications, how many boundaries were evaluated beside their folds, why
the others were not, and the processor time that it takes. Exit code 1 if a function and its fold differ, or the median
of the suite takes longer than the budget.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.synthesis.suite import files

from headwater.engine.analysis.options import Options
from headwater.engine.analysis.reading import SourceFailure, read
from headwater.operators.move import Moved, moves
from headwater.validation.compare import Difference, NotValidated, Validation, validate
from headwater.validation.program import Program
from tests.mdtest.cases import all_cases

BUDGET = 0.030
"""Seconds of processor time at the median of the suite."""
ROOT = Path(__file__).resolve().parents[2]


def texts(of: str) -> Iterator[tuple[str, str]]:
    """The programs, by name."""
    if of == "specifications":
        yield from ((c.name, c.source) for c in all_cases())
    else:
        paths = files() if of == "suite" else sorted((ROOT / "examples").glob("*.py"))
        yield from ((p.stem, p.read_text(encoding="utf-8")) for p in paths)


def boundaries(text: str) -> Iterator[Moved]:
    """The boundaries with Python of the user's that a filter of the program reaches, each once."""
    try:
        module = read(text, Options())
    except SourceFailure:
        return
    met = set()
    for found in (m for f in module.filters for m in moves(f)):
        if isinstance(found, Moved) and hasattr(found.boundary, "fold") and found.place.span not in met:
            if found.place.code or found.place.function:
                met.add(found.place.span)
                yield found


def validations(text: str) -> Iterator[tuple[Validation, float]]:
    """What validation says of each boundary, and the seconds of processor time."""
    program = Program(text)
    for found in boundaries(text):
        start = time.process_time()
        fold = found.boundary.fold  # type: ignore[union-attr]
        types = {c.name: c.type for c in found.problem.fold.columns}
        yield validate(program, found.place.code, fold, types), time.process_time() - start


def main() -> int:
    """Print the tables."""
    wrong = 0
    print("| programs | boundaries | evaluated | not | differ | median ms | most ms |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    reasons: Counter[str] = Counter()
    for of in ("suite", "examples", "specifications"):
        found: list[Validation] = []
        seconds: list[float] = []
        for name, text in texts(of):
            if name == "":
                continue
            try:
                for validation, took in validations(text):
                    found.append(validation)
                    seconds.append(took)
                    if isinstance(validation, Difference):
                        print(f"{name}: {validation}", file=sys.stderr)
            except SyntaxError:
                continue
        differ = sum(isinstance(v, Difference) for v in found)
        without = [v.reason for v in found if isinstance(v, NotValidated)]
        reasons.update(without)
        slow = of == "suite" and median(seconds) > BUDGET
        wrong += differ + slow
        done = len(found) - differ - len(without)
        times = f"{median(seconds) * 1000:.1f} | {max(seconds) * 1000:.0f}"
        print(f"| {of} | {len(found)} | {done} | {len(without)} | {differ} | {times} |")
    print("\n| not evaluated | boundaries |\n| --- | ---: |")
    for reason, count in reasons.most_common():
        print(f"| {reason} | {count} |")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
