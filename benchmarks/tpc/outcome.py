"""What is known of a query after it was run."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from .predicates import Fate

Taken = tuple[float, float]
"""Elapsed seconds, and those of the processors: of Spark with its Python workers and the driver."""


@dataclass(frozen=True)
class Outcome:
    """One query. ``findings``: codes and pre-filters; ``correct``: both versions give the answer; ``before`` and
    ``after``: what each run takes. ``by_rules``, ``by_spark``, ``by_headwater``: the conditions that the nine rules of
    the paper on MagicPush move to a table, that Spark's optimizer does, and that are there after the rewrite only.
    ``fates``: what became of each predicate of the query in SQL; ``left``: what is not moved, and why."""

    name: str
    what: str
    findings: tuple[tuple[str, str], ...]
    correct: bool
    before: tuple[Taken, ...]
    after: tuple[Taken, ...]
    by_rules: tuple[str, ...]
    by_spark: tuple[str, ...]
    by_headwater: tuple[str, ...]
    fates: tuple[Fate, ...]
    left: tuple[tuple[str, str], ...]

    @property
    def medians(self) -> tuple[Taken, Taken] | None:
        """Before and after; None if no run was timed."""
        if not self.before:
            return None
        before, after = (
            (statistics.median(t[0] for t in times), statistics.median(t[1] for t in times))
            for times in (self.before, self.after)
        )
        return before, after
