"""Python's operators, each on values of bounded size only."""

from __future__ import annotations

import ast
import operator
import re
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from .limits import BITS, NESTED, Meter, NotEvaluated, require

_Binary = Callable[[Any, Any], Any]
_SEQUENCES = (str, list, tuple, deque)


def multiplied(a: Any, b: Any) -> None:
    """NotEvaluated where ``a * b`` would repeat a sequence too often."""
    for many, of in ((a, b), (b, a)):
        if isinstance(many, int) and isinstance(of, _SEQUENCES):
            require(max(many, 0) * len(of))


def _power(a: Any, b: Any) -> None:
    if isinstance(a, int) and isinstance(b, int) and abs(b) * max(a.bit_length(), 1) > BITS:
        raise NotEvaluated("an integer grows too large")


def _shift(a: Any, b: Any) -> None:
    if isinstance(b, int) and b > BITS:
        raise NotEvaluated("an integer grows too large")


def _formatted(a: Any, b: Any) -> None:
    if isinstance(a, str):
        check_format(a)
        if not all(type(v) in _SHOWN for v in (b if isinstance(b, tuple) else (b,))):
            raise NotEvaluated("`%` formats a value that has no text of its own")


_SHOWN = {int, float, str, bool, type(None), Decimal}


def check_format(text: str) -> None:
    """NotEvaluated where a width or a precision in ``text`` may be large."""
    if "*" in text or re.search(r"\d{3}", text):
        raise NotEvaluated("a text is formatted with a large width")


GROWING: list[_Binary] = []
"""Guards of installed libraries for the operators whose result may be much larger than the operands."""
_GUARDS: dict[type[ast.operator], _Binary] = {
    ast.Mult: multiplied, ast.Pow: _power, ast.LShift: _shift, ast.Mod: _formatted,
}  # fmt: skip
BINARY: dict[type[ast.operator], tuple[_Binary, _Binary]] = {
    ast.Add: (operator.add, operator.iadd), ast.Sub: (operator.sub, operator.isub),
    ast.Mult: (operator.mul, operator.imul), ast.Div: (operator.truediv, operator.itruediv),
    ast.FloorDiv: (operator.floordiv, operator.ifloordiv), ast.Mod: (operator.mod, operator.imod),
    ast.Pow: (operator.pow, operator.ipow), ast.LShift: (operator.lshift, operator.ilshift),
    ast.RShift: (operator.rshift, operator.irshift), ast.BitAnd: (operator.and_, operator.iand),
    ast.BitOr: (operator.or_, operator.ior), ast.BitXor: (operator.xor, operator.ixor),
}  # fmt: skip
"""The operator, and its form that may change the left operand in place."""
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos, ast.USub: operator.neg, ast.Invert: operator.invert, ast.Not: operator.not_,
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], _Binary] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_SMALL = (float, bool, type(None))


def compare(op: ast.cmpop, meter: Meter) -> _Binary:
    """The comparison, of which each element that it visits is a step."""
    apply = COMPARE[type(op)]
    if isinstance(op, (ast.Is, ast.IsNot)):
        return apply

    def compared(a: Any, b: Any) -> Any:
        if isinstance(a, NESTED) or isinstance(b, NESTED):
            meter.weigh(a, b)
        return apply(a, b)

    return compared


def binary(op: ast.operator, meter: Meter, in_place: bool = False) -> _Binary:
    """The operator on bounded values."""
    apply, guard = BINARY[type(op)][in_place], _GUARDS.get(type(op))

    def applied(a: Any, b: Any) -> Any:
        if guard is not None:
            guard(a, b)
            for check in GROWING:
                check(a, b)
        value = apply(a, b)
        return value if type(value) in _SMALL else meter.checked(value)

    return applied


__all__ = ["BINARY", "COMPARE", "GROWING", "UNARY", "binary", "check_format", "compare", "multiplied"]
