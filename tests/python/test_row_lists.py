# ruff: noqa: E501 - programs, one to a line
"""Lists of rows: what must be refused, and faults of their model that the cases beside their functions see."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from unittest.mock import patch

import pytest

from headwater.python.rows.sequences import SequencesOfRows
from headwater.syntax.refusal import Refusal
from tests.planted import Fault

from .body_cases import body
from .functions import GroupMap
from .harness import Case, outcomes

REFUSED: dict[str, GroupMap] = {
    name: body("xs = [r.n for r in pdf.itertuples()]", "", f"v = {code}", "v long")
    for name, code in {
        "may raise where it may not run": "max([1 // x for x in xs]) if len(xs) == 2 else 0",
        "a key that is None where it may not run": "max(xs, key=lambda x: None if x == 1 else x) if len(xs) == 2 else 0",
        "a pass for each row": "sum(1 for a in xs if all(b <= a for b in xs))",
        "a key that goes through the rows": "max(xs, key=lambda a: len([b for b in xs if b < a]))",
    }.items()
}


_OF_A_DEQUE = (
    "v = len(d[1:])",
    "v = len(d + [1])",
    "v = d == [1]",
    "d.sort()\nv = d[0]",
    "v = d.popleft()",
    "e = d\nd.append(5)\nv = len(e)",
    "v = len(d * 2)",
    "d += [1]\nv = len(d)",
    "del d[1:]\nv = len(d)",
    "d[0] = 1\nv = d[0]",
    "heapq.heapify(d)\nv = d[0]",
    "v = len(d.copy())",
    "d.extend([1, 2])\nv = len(d)",
    "v = d.maxlen",
)
REFUSED |= {
    f"deque, {after}": body("d = collections.deque(maxlen=2)", "d.append(1 if r.s == 'a' else 2)", after, "v long")
    for after in _OF_A_DEQUE
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises(Refusal):
        REFUSED[name].fold()


FAULTS: dict[str, tuple[str, object, GroupMap]] = {
    "an error of a row excuses groups in which it is not evaluated": (
        "certain", lambda *_: None, REFUSED["may raise where it may not run"],
    ),
    "None is passed over wherever a list is read": (
        "surely_run", lambda *_: True, body("xs = [r.s for r in pdf.itertuples()]", "", "v = max(xs) if len(xs) == 2 else 'a'", "v string"),
    ),
}  # fmt: skip
"""What is wrong: the method of sequences of rows that is replaced, by what, and a function that tells."""


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
    """Errors that are taken for others."""
    for name, (method, wrong, case) in FAULTS.items():
        yield Fault(
            "row lists", name, partial(_seen, case), partial(patch.object, SequencesOfRows, method, wrong), clean=True
        )
