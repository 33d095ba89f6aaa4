"""Whether Spark compares a column itself with a constant, or a cast of the column, which no source tests.

Measured on Spark 4.3 by ``tests/source/test_cells.py``. What the table does not name counts as a cast.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater_ir.types import Type

_AS_ITSELF: dict[str, frozenset[str]] = {
    "bool": frozenset({"bool"}),
    "int": frozenset({"int", "float"}),
    "float": frozenset({"int", "float"}),
    "decimal": frozenset({"int"}),
    "string": frozenset({"string"}),
    "date": frozenset({"date", "timestamp", "string"}),
    "timestamp": frozenset({"date", "timestamp", "string"}),
}
"""By the type of a column: those of constants that leave it without a cast, or whose cast Spark takes away."""
_UNKNOWN = frozenset({"any", "number"})
_DIGITS = "; if the decimals of the column have the digits of the constant"
"""``decimal(5, 2) > 100000`` is a comparison of a cast, as is each one of ``decimal(38, 38)``."""
_INT96 = "; if the files hold timestamps as INT96, as Spark writes them by default, nothing is skipped"


def obstacle_of_types(column: Type, constants: Sequence[Type], source_format: str) -> tuple[str | None, str]:
    """Why the constants keep the test from the source, or None; and the condition on which it reaches it, in words,
    empty if there is none."""
    asked = [c for c in constants if c.name != "null"]
    if column.name in _UNKNOWN:
        return None, "; if the column and the constant have the same type" if asked else ""
    known = _AS_ITSELF.get(column.name)
    if known is None:
        return (
            ("what Spark makes of a test of a column of this type has not been measured", "") if asked else (None, "")
        )
    for constant in asked:
        if constant.name not in known or (column.bits == 64 and column.name == "int" and constant.name == "float"):
            return f"Spark compares a cast of the column: it holds {column.name}, the constant {constant.name}", ""
    if asked and column.name == "decimal":
        return None, _DIGITS
    return None, _INT96 if asked and column.name == "timestamp" and source_format == "parquet" else ""
