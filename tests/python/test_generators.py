# ruff: noqa: E501 - programs, one to a line
"""Generators of the file: what must be refused, and faults of their rule that the cases beside their functions see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from unittest.mock import patch

import pytest

from headwater.syntax.core import build, inline_calls
from headwater.syntax.refusal import Refusal
from tests.planted import Fault

from .functions import GroupMap
from .generator_cases import ONES, SMALL, grouped
from .harness import Case, outcomes

_TRIED = "def tried(xs):\n    for x in xs:\n        try:\n            yield 1 // x\n        except ZeroDivisionError:\n            return\n"
_ANSWERED = "def answered(xs):\n    for x in xs:\n        y = yield x\n        if y: return\n"
_OUTER = "def outer():\n    nonlocal n\n    for x in xs:\n        n += 1\n        yield n\n"
REFUSED: dict[str, tuple[str, str]] = {
    "in a variable, read twice": (SMALL, "it = small(xs)\nv = sum(it) + len(list(it))"),
    "behind a test": (SMALL, "v = len(xs) > 2 and sum(small(xs))"),
    "one of two": (SMALL, "v = 1 if len(xs) > 2 else sum(small(xs))"),
    "behind a change": (SMALL, "ys = [1, 2]\nv = ys.pop() + sum(small(ys))"),
    "a default that changes what is read": (ONES, "ys = [1, 2]\nv = max(ones(ys), default=ys.pop())"),
    "side by side": (SMALL, "v = sum(a for a, b in zip(small(xs), xs))"),
    "a value is looked for": (SMALL, "v = 1 in small(xs)"),
    "errors that are caught": (_TRIED, "v = sum(tried(xs))"),
    "values that are sent": (_ANSWERED, "v = sum(answered(xs))"),
    "a loop that is left in two ways": (SMALL, "v = 0\nfor y in small(xs):\n    if y == 2: continue\n    if v == 2: break\n    v += y"),
    "a loop with else": (SMALL, "v = 0\nfor y in small(xs):\n    v += y\nelse:\n    v += 1"),
    "its length": (SMALL, "v = len(small(xs))"),
    "sum of another meaning": (SMALL, "sum = len\nv = sum(small(xs))"),
    "changes a variable of the function": (_OUTER, "n = 0\nv = sum(outer())"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    functions, code = REFUSED[name]
    with pytest.raises(Refusal):
        grouped(functions, code, "long", inside="nonlocal" in functions).fold()


_PLAIN = "def plain(xs):\n    for x in xs:\n        yield x\n"
_BELOW = "def below(xs, best):\n    for x in xs:\n        yield 1 if x == 1 and best == 0 else 3\n"
FAULTS: dict[str, tuple[object, str, object, GroupMap]] = {
    "all stops at what holds": (build, "negated", lambda test: test, grouped(SMALL, "v = all(y == 2 for y in small(xs))", "boolean")),
    "nothing reads a target behind its loop": (
        inline_calls, "_uses", lambda body: Counter[str](), grouped(_PLAIN, "y = 0.0\nfor y in plain(xs):\n    pass\nv = y", "double"),
    ),
    "an argument is read when it has changed": (
        inline_calls, "bound_names", lambda nodes: set[str](), grouped(_BELOW, "best = 0\nfor y in below(xs, best):\n    best += y\nv = best", "long"),
    ),
}  # fmt: skip
"""What is wrong: what is replaced, by what, and a function that tells."""


def _seen(case: GroupMap) -> bool:
    Case.fold.cache_clear()  # with the fault there is another fold
    try:
        outcomes(case)
    except AssertionError:
        return True
    except Refusal:
        return False
    finally:
        Case.fold.cache_clear()
    return False


def faults() -> Iterator[Fault]:
    """Readers of generators that are taken for others."""
    for name, (module, what, wrong, case) in FAULTS.items():
        yield Fault("generators", name, partial(_seen, case), partial(patch.object, module, what, wrong), clean=True)
