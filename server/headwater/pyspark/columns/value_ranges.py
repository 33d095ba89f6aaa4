"""What a computed column can hold, as conditions that are TRUE on every row: ``when(…, 1).otherwise(0)`` is 0 or 1.

Of a CASE of constants nothing need be known of its conditions. A pre-filter that removes nothing which its column can
hold is then seen to be none. ``tests/conformance/test_value_ranges.py`` measures the table on Spark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from headwater_ir.expr import Call, Col, Compare, Expr, If, In, IsNaN, IsNull, IsTrue, Lit, Not, Or, conjoin
from headwater_ir.types import INT

RANGES: dict[str, tuple[int | None, int | None]] = {
    "length": (0, None),
    "size": (-1, None),
    "quarter": (1, 4),
    "month": (1, 12),
    "dayofmonth": (1, 31),
    "dayofweek": (1, 7),
    "dayofyear": (1, 366),
    "weekofyear": (1, 53),
    "weekday": (0, 6),
    "hour": (0, 23),
    "minute": (0, 59),
    "second": (0, 59),
}
"""The least and the greatest value of Spark's functions, beside NULL; None: no bound. ``size(NULL)`` may be -1."""
WHOLE_NUMBERS = frozenset(
    """ascii bit_length char_length character_length date_diff datediff day dayofmonth dayofweek dayofyear
    hour instr length levenshtein locate minute month octet_length position quarter second size weekday weekofyear
    year""".split()
)
"""Spark's functions that yield 32-bit whole numbers or NULL, whatever their arguments are: so never NaN."""
_MOST = 20
"""Constants of one CASE that are worth a condition."""


def range_facts(name: str, value: Expr) -> tuple[Expr, ...]:
    """What holds of the column ``name`` because it is computed as ``value``; nothing if that is not known."""
    column = Col(name)
    match value:
        case Call(name=function) if function.removeprefix("spark.") in RANGES and function.startswith("spark."):
            low, high = RANGES[function.removeprefix("spark.")]
            bounds: list[Expr] = [Compare(">=", column, Lit(low, INT), "sql")] if low is not None else []
            bounds += [Compare("<=", column, Lit(high, INT), "sql")] if high is not None else []
            return (Or((IsNull(column), conjoin(bounds))),)
        case If(cond=IsNaN(operand=of), then=Lit(value=float() as instead), otherwise=kept) if of == kept:
            return (Not(IsNaN(column)),) if not math.isnan(instead) else ()
        case IsNull() | IsTrue() | Not(operand=IsNull() | IsTrue()):
            return (Not(IsNull(column)),)
    results = list(_results(value))
    if not all(isinstance(r, Lit) for r in results) or len(results) > _MOST:
        return ()
    constants = [r for r in dict.fromkeys(results) if isinstance(r, Lit)]
    there = tuple(c for c in constants if c.value is not None)
    if not there or len({c.type.name for c in there}) > 1 or any(_is_nan(c) for c in there):
        return ()
    one_of = In(column, there, "sql")
    return (one_of,) if len(there) == len(constants) else (Or((IsNull(column), one_of)),)


def _results(value: Expr) -> Iterator[Expr]:
    """What a CASE may yield, whatever its conditions are; ``value`` itself if it is none."""
    if isinstance(value, If):
        yield from _results(value.then)
        yield from _results(value.otherwise)
    else:
        yield value


def _is_nan(constant: Lit) -> bool:
    return isinstance(constant.value, float) and math.isnan(constant.value)
