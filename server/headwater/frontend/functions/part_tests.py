"""Comparisons of a part of a value with a constant, said of the value itself: ``s[:2] == "ab"`` is
``s.startswith("ab")``, ``len(s) == 0`` is ``s == ""``, ``s.find("a") >= 0`` is ``"a" in s``, ``d.year == 2024`` a range
of dates.

Law: the same truth value, and an error wherever Python has one. The part itself is opaque, the value can be pushed.
"""

from __future__ import annotations

import ast
import datetime as dt

from headwater_ir.expr import FALSE, Call, Compare, CompareOp, Expr, Lit, Raise, StringOp, StringTest
from headwater_ir.types import DATE, INT, STRING

from .simplify import both, choose, either, is_null, negate

YEAR = "date.year"
_HEAD: StringOp = "startswith"
_TAIL: StringOp = "endswith"
_MIRRORED: dict[CompareOp, CompareOp] = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def part_test(op: CompareOp, a: Expr, b: Expr) -> Expr | None:
    """``a op b`` said of what one of them is a part of; None if it is something else."""
    if isinstance(a, Lit):
        a, b, op = b, a, _MIRRORED[op]
    if not isinstance(a, Call) or not isinstance(b, Lit):
        return None
    if a.name in _OCCURS and type(b.value) is int:
        return _occurs(op, a, b.value)
    if len(a.args) != 1:
        return None
    whole, value = a.args[0], b.value
    if a.name == "len" and type(value) is int:
        return _length(op, whole, value)
    if a.name == YEAR and type(value) is int:
        return _year(op, whole, value)
    if op not in ("==", "!=") or not isinstance(value, str) or not a.name.startswith("str["):
        return None
    found = _slice(a.name[4:-1], whole, value)
    return None if found is None else _test(op, *found)


_OCCURS: dict[str, dict[tuple[str, int], tuple[str, StringOp]]] = {
    "str.find": {
        (">=", 0): ("==", "contains"), (">", -1): ("==", "contains"), ("!=", -1): ("==", "contains"),
        ("<", 0): ("!=", "contains"), ("<=", -1): ("!=", "contains"), ("==", -1): ("!=", "contains"),
        ("==", 0): ("==", "startswith"), ("!=", 0): ("!=", "startswith"),
    },
    "str.count": {
        (">", 0): ("==", "contains"), (">=", 1): ("==", "contains"), ("!=", 0): ("==", "contains"),
        ("<", 1): ("!=", "contains"), ("<=", 0): ("!=", "contains"), ("==", 0): ("!=", "contains"),
    },
}  # fmt: skip
"""What a comparison of ``s.find(t)`` or ``s.count(t)`` with a number says of ``s``; ``""`` is in every text."""


def _occurs(op: CompareOp, found: Call, n: int) -> Expr | None:
    said = _OCCURS[found.name].get((op, n))
    if said is None or len(found.args) != 2 or not isinstance(found.args[1], Lit):
        return None
    text, needle = found.args
    return _test(said[0], is_null(text), StringTest(said[1], text, needle, "python"))


def _test(op: str, raises: Expr, equal: Expr) -> Expr:
    """``equal`` or, for ``!=``, its negation; an error where ``raises``."""
    return choose(raises, Raise("a part that is not there"), equal if op == "==" else negate(equal))


def _length(op: CompareOp, text: Expr, n: int) -> Expr | None:
    empty = Compare("==", text, Lit("", STRING), "python")
    if (op, n) in (("==", 0), ("<", 1), ("<=", 0)):
        return _test("==", is_null(text), empty)
    if (op, n) in (("!=", 0), (">", 0), (">=", 1)):
        return _test("!=", is_null(text), empty)
    return None


def _year(op: CompareOp, day: Expr, year: int) -> Expr | None:
    if not dt.MINYEAR <= year < dt.MAXYEAR:
        return None
    first, following = Lit(dt.date(year, 1, 1), DATE), Lit(dt.date(year + 1, 1, 1), DATE)
    match op:
        case "==":
            return both(Compare(">=", day, first, "python"), Compare("<", day, following, "python"))
        case "!=":
            return either(Compare("<", day, first, "python"), Compare(">=", day, following, "python"))
        case "<" | ">=":
            return Compare(op, day, first, "python")
        case _:
            return Compare("<" if op == "<=" else ">=", day, following, "python")


def _slice(bounds: str, text: Expr, value: str) -> tuple[Expr, Expr] | None:
    """Where ``text[bounds] == value`` raises, and where it is true otherwise."""
    node = ast.parse(f"x[{bounds}]", mode="eval").body
    assert isinstance(node, ast.Subscript)
    if not isinstance(node.slice, ast.Slice):
        return _character(ast.literal_eval(node.slice), text, value)
    low, high = (None if p is None else int(ast.literal_eval(p)) for p in (node.slice.lower, node.slice.upper))
    if node.slice.step is not None:
        return None
    if not low and high is not None and high > 0:
        size, side = high, _HEAD
    elif high is None and low is not None and low < 0:
        size, side = -low, _TAIL
    else:
        return None
    if len(value) == size:
        return FALSE, StringTest(side, text, Lit(value, STRING), "python")
    return is_null(text), FALSE if len(value) > size else Compare("==", text, Lit(value, STRING), "python")


def _character(index: int, text: Expr, value: str) -> tuple[Expr, Expr] | None:
    """Where ``text[0] == value`` or ``text[-1] == value`` raises, and where it is true otherwise."""
    if index not in (0, -1):
        return None
    test = StringTest(_TAIL if index else _HEAD, text, Lit(value, STRING), "python")
    missing = either(is_null(text), Compare("==", text, Lit("", STRING), "python"))
    return missing, test if len(value) == 1 else FALSE


def year_of(day: Expr) -> Expr:
    """``day.year``."""
    return Call(YEAR, (day,), INT)
