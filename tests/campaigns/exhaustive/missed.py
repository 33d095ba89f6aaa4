"""Where nothing was proved: would a simple pre-filter be right on all small tables?

Dropping rows of a small table gives a small table, so what a pre-filter does needs no run: with the filter left as it
is, it is right if the result on every table is that on the rest of the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

from tests.results import Failed, Result

from .programs import Plan
from .reference import VALUES, Key, Reference

_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a is not None and a == b,
    "<>": lambda a, b: a is not None and a != b,
    "IS NULL": lambda a, _: a is None,
    "IS NOT NULL": lambda a, _: a is not None,
}
"""Over three values the other comparisons say the same as one of these."""


@dataclass(frozen=True)
class Missed:
    """A pre-filter that no small table forbids, though nothing was proved. ``never``: no row passes on any of them, so
    that nothing could be wrong."""

    plan: str
    condition: str
    prefilter: str
    never: bool


def missed_chance(plan: Plan, condition: str, reference: Reference, outcomes: list[Result]) -> Missed | None:
    """The pre-filter that keeps fewest rows among those right on all tables; None if there is none, or where the
    boundary does not read the tables themselves."""
    if any(o.sort != "boundary" for o in plan.operators[:1]) or sum(o.sort == "boundary" for o in plan.operators) > 1:
        return None
    at = {key: i for i, key in enumerate(reference.keys)}
    for kept, text in _conditions(reference.names):
        if all(_right(key, kept, at, outcomes) for key in reference.keys):
            return Missed(plan.name, condition, text, never=not any(o for o in outcomes if isinstance(o, Counter)))
    return None


def _right(key: Key, kept: frozenset[tuple[Any, ...]], at: dict[Key, int], outcomes: list[Result]) -> bool:
    rest = tuple(row for row in key if row in kept)
    if len(rest) == len(key):
        return True
    before, after = outcomes[at[key]], outcomes[at[rest]]
    return isinstance(before, Failed) or before == after


@cache
def _conditions(names: tuple[str, ...]) -> tuple[tuple[frozenset[tuple[Any, ...]], str], ...]:
    """Atoms, their conjunctions and disjunctions by two, strongest first; equal ones once, trivial ones not at all."""
    rows = list(product(VALUES, repeat=len(names)))
    atoms: dict[frozenset[tuple[Any, ...]], str] = {}
    for i, name in enumerate(names):
        for sign, test in _SIGNS.items():
            for value in (0, 1) if "IS" not in sign else (None,):
                text = f"{name} {sign}" + ("" if value is None else f" {value}")
                atoms.setdefault(frozenset(r for r in rows if test(r[i], value)), text)
    found = dict(atoms)
    for (a, text_a), (b, text_b) in combinations(atoms.items(), 2):
        found.setdefault(a & b, f"{text_a} AND {text_b}")
        found.setdefault(a | b, f"{text_a} OR {text_b}")
    return tuple(sorted(((k, t) for k, t in found.items() if 0 < len(k) < len(rows)), key=lambda c: len(c[0])))
