"""What Python's operators make of built-in values. None of them changes an operand, but for the augmented ones."""

from __future__ import annotations

import ast

from .values import MAPPINGS, NUMBERS, SEQUENCES, SETS

_BYTES = frozenset({"bytes", "bytearray"})
_WHOLE = frozenset({"bool", "int"})
_DATES = frozenset({"date", "datetime"})
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)
NAMED: dict[str, ast.operator] = {
    "add": ast.Add(), "concat": ast.Add(), "sub": ast.Sub(), "mul": ast.Mult(), "truediv": ast.Div(), "mod": ast.Mod(),
    "floordiv": ast.FloorDiv(), "pow": ast.Pow(), "and_": ast.BitAnd(), "or_": ast.BitOr(), "xor": ast.BitXor(),
    "lshift": ast.LShift(), "rshift": ast.RShift(),
}  # fmt: skip
"""Functions of ``operator`` that are binary operators."""


def results(op: ast.operator, left: frozenset[str], right: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Kinds of what ``left op right`` may be: scalars, and containers made of the elements of both. Other combinations
    raise a TypeError."""
    scalars, made = set[str](), set[str]()
    if left & NUMBERS and right & NUMBERS:
        if isinstance(op, _ARITHMETIC):
            scalars |= {"int", "float", "complex", "Decimal"}
        elif left & _WHOLE and right & _WHOLE:
            scalars |= _WHOLE
    if isinstance(op, ast.Add):
        scalars |= left & right & {"str"}
        scalars |= left & _BYTES if right & _BYTES else set()
        made |= left & right & {"list", "deque", "Counter"}
        made |= {"tuple"} if left & SEQUENCES - {"list"} and right & SEQUENCES - {"list"} else set()
    if isinstance(op, ast.Mult):
        for one, other in ((left, right), (right, left)):
            if other & _WHOLE:
                scalars |= one & {"str", *_BYTES}
                made |= one & {"list", "deque"}
                made |= {"tuple"} if one & SEQUENCES - {"list"} else set()
    if isinstance(op, ast.Mod):
        scalars |= left & {"str", *_BYTES}
    if isinstance(op, (*_ARITHMETIC,)):
        if "timedelta" in left | right:
            scalars |= {"timedelta", "int", "float"} | ((left | right) & _DATES)
        if isinstance(op, ast.Sub) and left & _DATES and right & _DATES:
            scalars |= {"timedelta"}
    if isinstance(op, (*_BITS, ast.Sub)):
        if left & SETS and right & (SETS | {"list", "tuple"}):
            made |= {"frozenset" if k == "frozenset" else "set" for k in left & SETS}
        made |= left & right & {"Counter"}
    if isinstance(op, ast.BitOr) and left & MAPPINGS and right & MAPPINGS:
        made |= left & MAPPINGS
    return frozenset(scalars), frozenset(made)


def changes_left(op: ast.operator, left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether ``left op= right`` may change an object of these kinds in place, instead of making a new one."""
    parts = right - NUMBERS - {"none", "date", "datetime", "time", "timedelta", "timezone", "Decimal"}
    if isinstance(op, ast.Add):
        return bool(left & {"list", "deque", "bytearray", "Counter"} and parts)
    if isinstance(op, ast.Mult):
        return bool(left & {"list", "deque", "bytearray"} and right & _WHOLE)
    if isinstance(op, (*_BITS, ast.Sub)):
        return bool(left & {"set", "dict", "Counter", "OrderedDict", "defaultdict"} and parts)
    return False
