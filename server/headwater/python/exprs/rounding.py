"""Comparisons of a rounded number with a whole constant as one of the number: ``round(x) == 2`` is ``1.5 <= x <= 2.5``.

Law: each of these functions is monotone and yields whole numbers, so ``f(x) >= k`` is ``x >= b`` or ``x > b`` for one
bound b, and any comparison with k is made of ``f(x) >= k`` and ``f(x) >= k + 1``. ``round`` takes a half to the even
neighbour, so that b itself belongs to the even one. It raises of None, NaN and the infinities.
Condition: b is a double without a remainder, so ``|k|`` is small; the number is a float or a whole number.
Reference: the Python library reference, ``round``, ``int``, ``math``; tests/conformance/test_native_filters.py.
"""

from __future__ import annotations

import math

from headwater_ir.expr import Call, Compare, CompareOp, Expr, Lit, Raise
from headwater_ir.types import FLOAT, INT

from .simplify import both, choose, either, is_missing, is_null

_LARGEST = 2**20
NAMES = ("round", "int", "math.floor", "math.ceil", "math.trunc")
"""Python's own functions, by the names that they have in expressions."""


def rounded_test(op: CompareOp, rounded: Call, number: Expr, whole: bool, k: int) -> Expr | None:
    """``rounded op k`` as a condition on ``number``, a whole number if ``whole``; None if it is something else."""
    if rounded.name not in NAMES or len(rounded.args) != 1 or abs(k) > _LARGEST:
        return None
    if whole:
        return choose(is_null(number), Raise(f"{rounded.name}(None)"), Compare(op, number, Lit(k, INT), "python"))
    at_least, less = _bound(rounded.name, number, k)
    more, at_most = _bound(rounded.name, number, k + 1)
    said = {
        ">=": at_least, ">": more, "<": less, "<=": at_most,
        "==": both(at_least, at_most), "!=": either(less, more),
    }  # fmt: skip
    ends = (Compare("==", number, Lit(end, FLOAT), "python") for end in (math.inf, -math.inf))
    return choose(either(is_missing(number), *ends), Raise(f"{rounded.name} of no number"), said[op])


def _bound(function: str, number: Expr, k: int) -> tuple[Expr, Expr]:
    """Where the rounded number is at least ``k``, and where it is less."""
    if function == "round":
        bound, included = k - 0.5, k % 2 == 0
    elif function == "math.ceil" or (function != "math.floor" and k <= 0):
        bound, included = float(k - 1), False
    else:
        bound, included = float(k), True
    ops: tuple[CompareOp, CompareOp] = (">=", "<") if included else (">", "<=")
    above, below = (Compare(op, number, Lit(bound, FLOAT), "python") for op in ops)
    return above, below
