"""Parts of sentences that the messages of several rules share."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NAME = re.compile(r"`[^`]+`")

NAMED = 2
"""As many assumptions are named in a sentence; the rest is counted, and listed beside it."""


def under(assumptions: Sequence[str]) -> str:
    """``proved for every input``, or under which assumptions."""
    return f"proved if {listed(assumptions)}" if assumptions else "proved for every input"


def listed(assumptions: Sequence[str]) -> str:
    """The first assumptions as one clause, and how many more there are."""
    more = len(assumptions) - NAMED
    return ", and ".join([*assumptions[:NAMED], *([f"{more} more"] if more > 0 else [])])


def grouped(assumptions: Sequence[str]) -> list[str]:
    """The assumptions for a list that people read: what is assumed alike of several names is one entry, in the place of
    the first, with all the other names behind it."""
    others: dict[str, list[str]] = {}
    first_of: dict[str, str] = {}
    for text in dict.fromkeys(assumptions):
        found = _NAME.search(text)
        fact = _NAME.sub("``", text, count=1)
        if found is None or fact not in first_of:
            first_of[fact] = text
            others[text] = []
        else:
            others[first_of[fact]].append(found.group())
    return [f"{text}; the same for {', '.join(names)}" if names else text for text, names in others.items()]


def seconds(ms: float) -> str:
    """A duration as people read it."""
    return f"{ms / 1000:.2f} s"


def boundary_label(operator: str, function: str | None) -> str:
    """``applyInPandas(top2)``, or ``agg`` where there is no function."""
    return f"{operator}({function})" if function else operator


def whatever_the_input(assumptions: Sequence[str]) -> str:
    """``whatever the input``, or under which assumptions."""
    return f"if {listed(assumptions)}" if assumptions else "whatever the input"
