"""Whether a rewrite changed what a program yields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.results import Bag, Failed, Result
from tests.small_spark import Inputs, run

from .rows import inputs, one_key_each
from .tool import Answer


@dataclass(frozen=True)
class Difference:
    """An input on which the two texts differ."""

    tables: Inputs
    original: Bag
    rewritten: Result


@dataclass
class Trial:
    """What running a program before and after came to."""

    compared: int = 0
    failing: int = 0
    rows: int = 0
    differences: list[Difference] = field(default_factory=list)


def judged(answer: Answer, seed: int, count: int) -> Trial:
    """Original against rewritten on small inputs; of a constant filter, that nothing passes it."""
    trial = Trial()
    if answer.text == answer.program.source:
        return trial
    for tables in inputs(answer, seed, count):
        if not compare(answer, tables, trial):
            for parts in one_key_each(tables["t"]):
                compare(answer, {"t": parts}, trial)
        if trial.differences:
            break
    return trial


def compare(answer: Answer, tables: Inputs, trial: Trial) -> bool:
    """Run both texts. False: the original raises. A rewrite may remove an error, never add one."""
    ddl = answer.program.ddl
    original = run(answer.program.source, ddl, tables)
    if isinstance(original, Failed):
        trial.failing += 1
        return False
    rewritten = run(answer.text, ddl, tables)
    trial.compared += 1
    trial.rows += original.total()
    if original != rewritten:
        trial.differences.append(Difference(tables, original, rewritten))
    return True


def smaller(answer: Answer, difference: Difference) -> Difference:
    """The difference on fewer rows."""
    found, shrinking = difference, True
    while shrinking:
        shrinking = False
        for tables in _without_one(found.tables):
            trial = Trial()
            compare(answer, tables, trial)
            if trial.differences:
                found, shrinking = trial.differences[0], True
                break
    return found


def _without_one(tables: Inputs) -> Iterator[Inputs]:
    for name, parts in tables.items():
        if len(parts) > 1:
            yield {**tables, name: [[row for part in parts for row in part]]}
        for i, part in enumerate(parts):
            for j in range(len(part)):
                yield {**tables, name: [*parts[:i], [*part[:j], *part[j + 1 :]], *parts[i + 1 :]]}
