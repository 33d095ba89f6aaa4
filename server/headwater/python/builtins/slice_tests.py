"""Comparisons of a part of a value with a constant as one of the value itself: ``s[:2] == "ab"`` is
``s.startswith("ab")``, ``len(s) == 0`` is ``s == ""``, ``s.find("a") >= 0`` is ``"a" in s``, ``d.year == 2024`` a range
of dates, ``s.strip() == "ab"`` holds only where ``"ab" in s``, ``s.split("-")[0] == "ab"`` where s is ``ab`` or begins
with ``ab-``.

Law: the same truth value, and an error wherever Python has one. The part itself is opaque, the value can be pushed.
"""

from __future__ import annotations

import ast
import datetime as dt
from collections.abc import Callable

from headwater.python.exprs.fstrings import format_test
from headwater.python.exprs.rounding import rounded_test
from headwater.python.exprs.simplify import both, choose, either, is_null, negate
from headwater_ir.expr import FALSE, MIRRORED, Call, Compare, CompareOp, Expr, Lit, Raise, StringOp, StringTest
from headwater_ir.types import DATE, INT8, INT16, STRING, Type

YEAR = "date.year"
_HEAD: StringOp = "startswith"
_TAIL: StringOp = "endswith"
_STRIPPED: dict[str, StringOp] = {"str.strip": "contains", "str.lstrip": "endswith", "str.rstrip": "startswith"}
"""Where a stripped text stands in the text that it is made of."""


Types = Callable[[Expr], Type]
"""The type of an expression."""


def part_test(types: Types, op: CompareOp, a: Expr, b: Expr) -> Expr | None:
    """``a op b`` as a condition on what one of them is a part of; None if it is something else."""
    if isinstance(a, Lit):
        a, b, op = b, a, MIRRORED[op]
    if not isinstance(a, Call) or not isinstance(b, Lit):
        return None
    if a.name in _OCCURS and type(b.value) is int:
        return _occurs(op, a, b.value)
    if a.name in _SPLIT and op in ("==", "!=") and isinstance(b.value, str):
        return split_test(op, a, b.value)
    if op in ("==", "!=") and isinstance(b.value, str) and (a.name == "str" or a.name.startswith("format:")):
        said = format_test(a, [types(arg) for arg in a.args], b.value)
        return said if said is None or op == "==" else negate(said)
    if len(a.args) != 1:
        return None
    whole, value = a.args[0], b.value
    if a.name == "len" and type(value) is int:
        return _length(op, whole, value)
    if a.name == YEAR and type(value) is int:
        return _year(op, whole, value)
    if type(value) is int and (t := types(whole)).name in ("int", "float"):
        return rounded_test(op, a, whole, t.name == "int", value)
    if a.name in _STRIPPED and op in ("==", "!=") and isinstance(value, str):
        return _stripped(op, a, whole, value)
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


_SPLIT: dict[str, StringOp] = {"str.first": "startswith", "str.last": "endswith"}
"""Where the first and the last part of a text stand in it."""


def split_test(op: CompareOp, part: Call, value: str) -> Expr | None:
    """``text.split(c)[0] == value``: the text is the value, or has the separator beside it."""
    text, separator = part.args
    assert isinstance(separator, Lit)
    beside = [value, str(separator.value)]
    if str(separator.value) in value:
        return _test(op, is_null(text), FALSE)
    more = Lit("".join(beside if part.name == "str.first" else reversed(beside)), STRING)
    whole = Compare("==", text, Lit(value, STRING), "python")
    return _test(op, is_null(text), either(whole, StringTest(_SPLIT[part.name], text, more, "python")))


def _test(op: str, raises: Expr, equal: Expr) -> Expr:
    """``equal`` or, for ``!=``, its negation; an error where ``raises``."""
    return choose(raises, Raise("a part that is not there"), equal if op == "==" else negate(equal))


def _stripped(op: CompareOp, stripped: Call, text: Expr, value: str) -> Expr | None:
    """The condition on the text beside the one on the stripped text."""
    ends = {"str.strip": value.strip(), "str.lstrip": value.lstrip(), "str.rstrip": value.rstrip()}
    if value != ends[stripped.name]:
        return _test(op, is_null(text), FALSE)
    there = StringTest(_STRIPPED[stripped.name], text, Lit(value, STRING), "python")
    same = both(there, Compare("==", stripped, Lit(value, STRING), "python"))
    return None if not value else same if op == "==" else negate(same)


def found_in_stripped(text: Expr, needle: Expr) -> Expr | None:
    """The text in which ``needle`` is where it is in ``text``, which is stripped of blanks; None if that is another."""
    value = needle.value if isinstance(needle, Lit) else None
    if not isinstance(text, Call) or text.name not in _STRIPPED or len(text.args) != 1:
        return None
    return text.args[0] if isinstance(value, str) and value and value == value.strip() else None


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


_FIELDS = {"year": INT16, "month": INT8, "day": INT8}
"""What a date has, with whole numbers that hold it: Python's years are those from 1 to 9999."""
_DATES = frozenset(f"date.{f}" for f in (*_FIELDS, "weekday", "isoweekday"))
_PARTS = frozenset((*_OCCURS, *_SPLIT, *_STRIPPED, "str.lower", "str.upper", "len")) | _DATES


def part_of(e: Expr) -> Expr | None:
    """The value of which ``e`` is a part, never None itself: it raises where that is None; None for anything else."""
    if not isinstance(e, Call) or not (e.name in _PARTS or e.name.startswith("str[")):
        return None
    return e.args[0]


def field_of(day: Expr, field: str) -> Expr | None:
    """``day.year``, ``day.month``, ``day.day``; None for anything else."""
    return Call(f"date.{field}", (day,), _FIELDS[field]) if field in _FIELDS else None
