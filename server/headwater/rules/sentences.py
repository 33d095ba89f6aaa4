"""Parts of sentences that the messages of several rules share."""

from __future__ import annotations

from collections.abc import Sequence

NAMED = 2
"""As many assumptions are named in a sentence; the rest is counted, and listed beside it."""


def under(assumptions: Sequence[str]) -> str:
    """``proved for every input``, or under which assumptions."""
    return f"proved if {listed(assumptions)}" if assumptions else "proved for every input"


def listed(assumptions: Sequence[str]) -> str:
    """The first assumptions as one clause, and how many more there are."""
    more = len(assumptions) - NAMED
    return ", and ".join([*assumptions[:NAMED], *([f"{more} more"] if more > 0 else [])])


def seconds(ms: float) -> str:
    """A duration as people read it."""
    return f"{ms / 1000:.2f} s"


def boundary_label(operator: str, function: str | None) -> str:
    """``applyInPandas(top2)``, or ``agg`` where there is no function."""
    return f"{operator}({function})" if function else operator


def whatever_the_input(assumptions: Sequence[str]) -> str:
    """``whatever the input``, or under which assumptions."""
    return f"if {listed(assumptions)}" if assumptions else "whatever the input"
