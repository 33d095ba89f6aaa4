"""Dates and moments with an interval added, or days: `d + 7`, `t - INTERVAL 2 HOURS`.

An interval is written in SQL text alone. Of a date, Spark adds days, weeks, months and years as `date_add` and
`add_months` do (``tests/conformance/test_intervals.py``). To a moment it adds whole days by the clock, and the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import ArithOp, Call, Lit
from headwater_ir.types import DATE, INT, OPAQUE, STRING, TIMESTAMP

from . import spark_functions

if TYPE_CHECKING:
    from sqlglot import exp

_INTERVAL = "spark.interval"
_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}
_UNITS = frozenset({*_DAYS, *_MONTHS, "hour", "minute", "second"})


def interval(e: exp.Interval) -> Term | None:
    """An interval of one unit and a whole number of it; None for any other."""
    unit = e.args.get("unit")
    name, count = ("" if unit is None else unit.name.lower().removesuffix("s")), e.this.name if e.this else ""
    if type(unit).__name__ != "Var" or name not in _UNITS or not count.removeprefix("-").isdigit() or len(count) > 9:
        return None
    return Term(Call(_INTERVAL, (Lit(int(count), INT), Lit(name, STRING)), OPAQUE), OPAQUE)


def shifted(op: ArithOp, left: Term, right: Term) -> Term | None:
    """`left op right` of a date or a moment and what is added to it; None if they are none."""
    if op == "+" and left.type not in (DATE, TIMESTAMP):
        left, right = right, left
    if op not in ("+", "-") or left.type not in (DATE, TIMESTAMP):
        return None
    match right.expr:
        case Call(name, (Lit(value=int() as count), Lit(value=str() as unit))) if name == _INTERVAL:
            pass
        case Lit(value=int() as count) if right.type.name == "int" and left.type == DATE:
            unit = "day"
        case _:
            return None
    count = count if op == "+" else -count
    if left.type == TIMESTAMP:
        return Term(Call("spark.plus_interval", (Lit(unit, STRING), Lit(count, INT), left.expr), TIMESTAMP), TIMESTAMP)
    for units, function in ((_DAYS, "date_add"), (_MONTHS, "add_months")):
        if unit in units:
            return spark_functions.function(function, (left, Term(Lit(count * units[unit], INT), INT)))
    raise Refusal("opaque", f"an interval of {unit}s makes a moment of a date")
