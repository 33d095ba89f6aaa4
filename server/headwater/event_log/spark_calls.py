"""The calls whose file and line Spark's Python API tells to the jobs that they start, and where they stand in a text.

Measured (``tests/event_log/test_spark.py`` runs each). Other actions, as ``DataFrame.count``, ``show`` and ``write``,
go straight to the JVM, whose logs name no Python file for them: ``submitted`` says which of them can be known.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from .chains import Bindings, End, bindings, computed
from .submitted import SOMEWHERE, certain_methods, is_read

TO_THE_DRIVER = frozenset("collect toPandas toArrow take head first tail toLocalIterator".split())
METHODS = TO_THE_DRIVER | frozenset(
    """foreach foreachPartition top takeOrdered count sum mean max min reduce fold aggregate treeReduce treeAggregate
    stats stdev variance sampleStdev sampleVariance histogram countByValue countByKey collectAsMap lookup takeSample
    reduceByKeyLocally sortBy sortByKey zipWithIndex collectWithJobGroup""".split()
)
"""Those that hand rows to the driver, and of RDDs the others."""


MOST_STEPS = 100_000
"""Calls that the jobs of a text compute, counted for each call that starts some. An editor waits for the answer."""
Call = tuple[str, int]
"""A method and a line, from 1, that Python may say it is called in: that of its name, and before 3.10 that in which the
expression begins. Line 0: that of a method that a log knows only by its name."""


@dataclass(frozen=True)
class JobCalls:
    """The calls of a text that start jobs: ``all`` that a log of its run may have, and ``of`` each finding those whose
    jobs compute it, without calls that another one of the same name can be taken for."""

    all: frozenset[Call] = frozenset()
    of: tuple[tuple[Call, ...], ...] = ()


@dataclass(frozen=True)
class Place:
    """Where a finding is: it is the call that ends at ``end``, or else the jobs that are written ``within`` these
    places, each from a start to an end."""

    end: End
    within: tuple[tuple[End, End], ...] = ()


def job_calls(text: str, places: Sequence[Place]) -> JobCalls:
    """The calls of ``text`` for findings at ``places``, by what ``chains`` say that their jobs compute. A text that
    does not parse has none, and one whose chains are too long none of a finding."""
    calls, known, possible = [], Bindings(), frozenset[str]()
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        if places:
            tree = ast.parse(text)
            known, (possible, certain) = bindings(tree), certain_methods(tree)
            calls = list(_calls(tree, certain))
    named = Counter(name for _, names in calls for name in names)
    every = frozenset(named) | {(method, SOMEWHERE) for method in possible}
    of: list[list[Call]] = [[] for _ in places]
    left = MOST_STEPS
    for node, names in calls:
        alone = [name for name in names if name[1] == SOMEWHERE]
        if all(named[name] == 1 for name in names):
            alone = names
        if alone:
            ends = set(islice(computed(node, known), left))
            left -= len(ends)
            if left <= 0:
                return JobCalls(every, ((),) * len(places))
            for place, found in zip(places, of, strict=True):
                if any(_holds(span, node) for span in place.within) if place.within else place.end in ends:
                    found += alone
    return JobCalls(every, tuple(map(tuple, of)))


def _holds(span: tuple[End, End], node: ast.Call) -> bool:
    return span[0] <= (node.lineno, node.col_offset) and (node.end_lineno or 0, node.end_col_offset or 0) <= span[1]


def _calls(tree: ast.Module, certain: Set[str]) -> Iterator[tuple[ast.Call, list[Call]]]:
    """The calls, each with the names that a log may give it; ``certain``: the methods of the JVM that stand once."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            method, lines = node.func.attr, set[int]()
            if method in METHODS:
                lines |= {node.func.end_lineno or node.lineno, node.lineno}
            if method in certain and not is_read(node.func):
                lines.add(SOMEWHERE)
            if lines:
                yield node, [(method, line) for line in sorted(lines)]
