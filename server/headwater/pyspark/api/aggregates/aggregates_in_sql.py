"""Aggregates in SQL text: ``F.expr("count_if(v = 'ERROR')")``, ``F.expr("max(x) FILTER (WHERE y > 1)")``.

Law: ``f(x) FILTER (WHERE p)`` is ``f(CASE WHEN p THEN x END)`` for aggregates that pass over NULL, and
``count(*) FILTER (WHERE p)`` is ``count_if(p)``. What sqlglot tells of a call beside its arguments (``DISTINCT``, an
order, a window) has no model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.pyspark.columns import spark_functions
from headwater.pyspark.columns.sql import read_tree
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import And
from headwater_ir.types import BOOL

from .aggregate import CANONICAL, Native

if TYPE_CHECKING:
    from sqlglot import exp

    from headwater.pyspark.columns.column import ColumnReader

_CLASSES = {
    "Max": "max", "Min": "min", "Sum": "sum", "Avg": "avg", "Count": "count", "CountIf": "count_if", "Any": "bool_or",
    "LogicalOr": "bool_or", "LogicalAnd": "bool_and", "ArgMax": "max_by", "ArgMin": "min_by",
}  # fmt: skip
_PASS_OVER_NULL = frozenset("max min sum avg count count_if bool_or bool_and".split())
_OF_ONE = frozenset("any some every mean".split())
"""Names that sqlglot has no class for."""


def native(e: exp.Expression, columns: ColumnReader) -> Native | None:
    """The aggregate that ``e`` calls on what ``columns`` reads; None if it calls none, Refusal if it has no model."""
    from sqlglot import exp

    if isinstance(e, exp.Filter):
        return _filtered(e, columns)
    if isinstance(e, exp.Anonymous) and e.name.lower() in _OF_ONE and len(e.expressions) == 1:
        return Native(CANONICAL[e.name.lower()], read_tree(e.expressions[0], columns))
    function = _CLASSES.get(type(e).__name__)
    if function is None:
        return None
    by = e.args.get("expression") if function in ("max_by", "min_by") else None
    if any(v for k, v in e.args.items() if k not in ("this", "big_int") and v is not by):
        raise Refusal("opaque", f"no model covers `{e.sql('spark')}`")
    if function == "count" and isinstance(e.this, exp.Star):
        return Native("count", None)
    rest = () if by is None else (read_tree(by, columns),)
    return Native(function, read_tree(e.this, columns), rest)


def _filtered(e: exp.Filter, columns: ColumnReader) -> Native:
    made = native(e.this, columns)
    if made is None or made.function not in _PASS_OVER_NULL:
        raise Refusal("opaque", f"no model covers `{e.sql('spark')}`")
    where = spark_functions.boolean(read_tree(e.expression.this, columns))
    if made.argument is None:
        return Native("count_if", Term(where, BOOL))
    if made.function == "count_if":
        return Native("count_if", Term(And((where, spark_functions.boolean(made.argument))), BOOL))
    return Native(made.function, spark_functions.case(((where, made.argument),), None))
