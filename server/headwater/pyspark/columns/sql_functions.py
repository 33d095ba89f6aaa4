"""Calls in SQL text of the functions that Column code calls, too: one meaning, in ``spark_functions``.

The parser has a node of its own for most functions, with arguments in other places, or wrapped in conversions. Each is
read back here into Spark's name and arguments; a node with any other part is not read. Law: for every entry the text
and the Column are the same condition (``tests/pyspark/test_sql_functions.py``, which also compares them on Spark).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from headwater.pyspark.frames.typed_terms import Term
from headwater_ir.expr import Lit, complement
from headwater_ir.types import BOOL, STRING

from . import spark_functions

if TYPE_CHECKING:
    from sqlglot import exp

Read = Callable[[object], Term]
SPELLINGS: dict[str, tuple[str, ...]] = {
    "Trim": ("ltrim", "rtrim", "btrim"), "RegexpLike": ("rlike", "regexp"), "Like": ("like",),
    "ArraySize": ("size", "cardinality"),
}  # fmt: skip
"""Names of Spark's that the parser reads as a node, beside those that the node has itself. A function that the file
registers under one of them hides Spark's."""
_OF_ONE = {
    "Upper": "upper", "Lower": "lower", "Length": "length", "IsNan": "isnan", "Abs": "abs", "ArraySize": "size",
    "Quarter": "quarter", "Hour": "hour", "Minute": "minute", "Second": "second", "LastDay": "last_day",
    "Floor": "floor", "Ceil": "ceil", "Sqrt": "sqrt",
}  # fmt: skip
_OF_DATES = {
    "Year": "year", "Month": "month", "Day": "dayofmonth", "DayOfMonth": "dayofmonth", "DayOfWeek": "dayofweek",
    "DayOfYear": "dayofyear", "WeekOfYear": "weekofyear",
}  # fmt: skip
"""Those whose argument the parser wraps."""
_TRIMS = {None: "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}
_ANONYMOUS = {
    "weekday": 1, "isnull": 1, "isnotnull": 1, "date_format": 2, "date_trunc": 2, "trunc": 2, "date_add": 2,
    "dateadd": 2, "date_sub": 2, "datediff": 2, "date_diff": 2, "add_months": 2, "unix_timestamp": 1,
    "to_unix_timestamp": 1, "to_date": 1, "date_part": 2, "datepart": 2, "timestamp_seconds": 1,
}  # fmt: skip
"""Names that the parser leaves as they are written (``parsing``), and how many arguments are read of each."""
_OF_MANY: dict[str, tuple[str, tuple[str, ...]]] = {
    "Substring": ("substring", ("this", "start", "length")),
    "RegexpLike": ("rlike", ("this", "expression")),
    "Left": ("left", ("this", "expression")),
    "RegexpSplit": ("split", ("this", "expression")),
    "SubstringIndex": ("substring_index", ("this", "delimiter", "count")),
}
"""The function, and the parts that are its arguments."""


def called(e: exp.Expression, read: Read) -> Term | None:
    """The value of a call; None if it is none of a function that is read here."""
    kind, parts = type(e).__name__, {k for k, v in e.args.items() if v not in (None, [], False)}
    if kind in _OF_ONE and parts == {"this"}:
        return spark_functions.function(_OF_ONE[kind], (read(e.this),))
    if kind in _OF_DATES and parts == {"this"} and (date := _unwrapped(e.this)) is not None:
        return spark_functions.function(_OF_DATES[kind], (read(date),))
    if kind == "Trim" and parts <= {"this", "position"} and e.args.get("position") in _TRIMS:
        return spark_functions.function(_TRIMS[e.args.get("position")], (read(e.this),))
    if kind == "Anonymous" and _ANONYMOUS.get(e.name.lower()) == len(e.expressions):
        return spark_functions.function(e.name.lower(), tuple(map(read, e.expressions)))
    if kind == "Extract" and parts == {"this", "expression"}:
        return spark_functions.function("extract", (Term(Lit(e.name, STRING), STRING), read(e.expression)))
    if kind == "Concat" and parts <= {"expressions", "safe"}:
        return spark_functions.function("concat", tuple(read(x) for x in e.expressions))
    if kind == "Like" and parts <= {"this", "expression", "negate"}:
        test = spark_functions.like(read(e.this), read(e.expression))
        return Term(complement(test.expr), BOOL) if e.args.get("negate") else test
    if kind == "Bracket" and parts <= {"this", "expressions"} and len(e.expressions) == 1:
        return spark_functions.first_of_split(read(e.this), read(e.expressions[0]))
    name, arguments = _OF_MANY.get(kind, ("", ()))
    if name and parts == {*arguments}:
        return spark_functions.function(name, tuple(read(e.args[a]) for a in arguments))
    return None


def _unwrapped(e: exp.Expression) -> exp.Expression | None:
    """What the parser wrapped in a conversion of its own; None for one that is written."""
    return e.this if type(e).__name__ == "TsOrDsToDate" and not e.args.get("safe") else None


__all__ = ["SPELLINGS", "called"]
