"""All predicates of one conjunct over the columns of a frame, as source text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from .operators import Shape

_SIGNS = ("==", "!=", "<", "<=", ">", ">=")


def predicates(shape: Shape) -> list[str]:
    """Column expressions."""
    plain = [*_against_constants(shape), *_of_two(shape)]
    return [*plain, *(f"~({p})" for p in plain)]


def _against_constants(shape: Shape) -> Iterator[str]:
    for name, kind in shape:
        column = f'F.col("{name}")'
        yield f"{column}.isNull()"
        yield f"{column}.isNotNull()"
        if kind == "array":
            continue
        values = ("False", "True") if kind == "boolean" else ("0", "1")
        for value in (*values, "F.lit(None)"):
            for sign in _SIGNS:
                yield f"{column} {sign} {value}"
            yield f"{column}.eqNullSafe({value})"


def _of_two(shape: Shape) -> Iterator[str]:
    for (a, kind_a), (b, kind_b) in permutations(shape, 2):
        if a > b or "array" in (kind_a, kind_b) or (kind_a == "boolean") != (kind_b == "boolean"):
            continue
        for sign in _SIGNS:
            yield f'F.col("{a}") {sign} F.col("{b}")'
        yield f'F.col("{a}").eqNullSafe(F.col("{b}"))'


def python_predicates(shape: Shape) -> list[str]:
    """Lambdas over the elements of a key-value RDD."""
    plain: list[str] = []
    for part, kind in shape:
        values = ("False", "True") if kind == "boolean" else ("0", "1")
        plain += [f"kv[{part}] {sign} {value}" for value in values for sign in _SIGNS]
        plain += [f"kv[{part}] {test}" for test in ("== None", "!= None", "is None", "is not None")]
    if all(kind == "long" for _, kind in shape):
        plain += [f"kv[0] {sign} kv[1]" for sign in _SIGNS]
    return [f"lambda kv: {p}" for p in (*plain, *(f"not ({p})" for p in plain))]
