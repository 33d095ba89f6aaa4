"""Which questions about a file have the answer that they had before an edit, without asking them again."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import takewhile

from headwater.pyspark.frames.placed import NOTED_OF_NAMES
from headwater.syntax.names.monkeypatches import OWN
from headwater.syntax.names.statement_notes import Notes, notes_of

from .queries import SETS, Question

OF_A_WORD = (
    SETS
    | NOTED_OF_NAMES.keys()
    | frozenset(
        """
        attribute_loads bound_by bound_otherwise captured class_definition described function has_string
        is_optional is_used loads named only_called only_given speaks_of times_bound
        """.split()
    )
)
"""Questions about a word, of which only the statements tell in which it stands, and what holds of the whole file."""
_OF_PATHS = frozenset({"resolve", "qualified"})
"""The same about the first name of a dotted one."""


def settled_since(before: Sequence[ast.stmt], now: Sequence[ast.stmt]) -> Callable[[Question], bool]:
    """Whether a question surely has the answer in a file of the statements ``now`` that it had in one of ``before``.
    Those that are the same objects have not changed, but for where they stand."""
    old, new = _apart(before, now)
    notes = [*map(notes_of, old)], [*map(notes_of, new)]
    if any(n.stars for of in notes for n in of) or _of_the_file(notes[0]) != _of_the_file(notes[1]):
        return lambda question: False
    words = frozenset[str]().union(*(n.words for of in notes for n in of))

    def settled(question: Question) -> bool:
        kind, about = question.kind, question.about
        if kind in _OF_PATHS and isinstance(about, tuple):
            return about[0] not in words
        return kind in OF_A_WORD and about not in words

    return settled


def _apart(before: Sequence[ast.stmt], now: Sequence[ast.stmt]) -> tuple[Sequence[ast.stmt], Sequence[ast.stmt]]:
    """Both without the statements that they begin and end with alike."""
    first = _alike(before, now)
    last = _alike(before[first:][::-1], now[first:][::-1])
    return before[first : len(before) - last], now[first : len(now) - last]


def _alike(a: Sequence[ast.stmt], b: Sequence[ast.stmt]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(a, b, strict=False)))


def _of_the_file(notes: Sequence[Notes]) -> list[object]:
    """What statements say of names that do not stand in them."""
    return [
        [(i.name, i.origin, i.whole) for n in notes for i in n.imports],
        [c for n in notes for c in n.changes],
        [s for n in notes for s in n.settings],
        [[sum(len(n.bindings.get(name, ())) for n in notes), any(name in n.lent for n in notes)] for name in OWN],
        [any(n.unseen for n in notes), any(n.reflective for n in notes), any(n.reaches_classes for n in notes)],
    ]
