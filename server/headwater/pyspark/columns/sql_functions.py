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
    "Cast": ("boolean", "date", "double", "float", "int", "string", "timestamp", "to_timestamp"),
}  # fmt: skip
"""Names of Spark's that the parser reads as a node, beside those that the node has itself. A function that the file
registers under one of them hides Spark's."""
_OF_ONE = {
    "Upper": "upper", "Lower": "lower", "Length": "length", "IsNan": "isnan", "Abs": "abs", "ArraySize": "size",
    "Quarter": "quarter", "Hour": "hour", "Minute": "minute", "Second": "second", "LastDay": "last_day",
    "Floor": "floor", "Ceil": "ceil", "Sqrt": "sqrt", "UnixDate": "unix_date",
    "UnixSeconds": "unix_seconds", "UnixMillis": "unix_millis", "UnixMicros": "unix_micros", "Round": "round",
}  # fmt: skip
_OF_DATES = {
    "Year": "year", "Month": "month", "Day": "dayofmonth", "DayOfMonth": "dayofmonth", "DayOfWeek": "dayofweek",
    "DayOfYear": "dayofyear", "WeekOfYear": "weekofyear",
}  # fmt: skip
"""Those whose argument the parser wraps."""
_TRIMS = {None: "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}
_ANONYMOUS = {
    **dict.fromkeys("weekday isnull isnotnull to_date".split(), (1,)),
    **dict.fromkeys("unix_timestamp to_unix_timestamp timestamp_seconds timestamp_millis".split(), (1,)),
    **dict.fromkeys("date_format date_trunc trunc date_add dateadd date_sub datediff date_diff".split(), (2,)),
    **dict.fromkeys("add_months date_part datepart".split(), (2,)), "from_unixtime": (1, 2), "regexp_extract": (3,),
}  # fmt: skip
"""Names that the parser leaves as they are written (``parsing``), and how many arguments are read of each."""
_OF_MANY: dict[str, tuple[str, tuple[str, ...]]] = {
    "Substring": ("substring", ("this", "start", "length")),
    "RegexpLike": ("rlike", ("this", "expression")),
    "Left": ("left", ("this", "expression")),
    "Round": ("round", ("this", "decimals")),
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
    if kind == "Anonymous" and len(e.expressions) in _ANONYMOUS.get(e.name.lower(), ()):
        return spark_functions.function(e.name.lower(), tuple(map(read, e.expressions)))
    if kind == "Extract" and parts == {"this", "expression"}:
        return spark_functions.function("extract", (Term(Lit(e.name, STRING), STRING), read(e.expression)))
    if kind == "Concat" and parts <= {"expressions", "safe"}:
        return spark_functions.function("concat", tuple(read(x) for x in e.expressions))
    if kind in ("Greatest", "Least") and parts == {"this", "expressions", "ignore_nulls"}:
        return spark_functions.function(kind.lower(), tuple(map(read, (e.this, *e.expressions))))
    if kind == "Pad" and parts == {"this", "expression", "fill_pattern", "is_left"}:
        return spark_functions.function("lpad", tuple(read(e.args[a]) for a in ("this", "expression", "fill_pattern")))
    if kind == "DPipe":
        return spark_functions.function("concat", tuple(read(x) for x in e.flatten()))
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
