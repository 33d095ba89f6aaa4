"""Aggregates in SQL text: ``F.expr("count_if(v = 'ERROR')")``, ``F.expr("max(x) FILTER (WHERE y > 1)")``.

Law: ``f(x) FILTER (WHERE p)`` is ``f(CASE WHEN p THEN x END)`` for aggregates that pass over NULL, and
``count(*) FILTER (WHERE p)`` is ``count_if(p)``. What sqlglot tells of a call beside its arguments (``DISTINCT``, an
order, a window) has no model.
Functions of collected arrays and of structs are those of ``collected_arrays`` and ``struct_aggregates``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.pyspark.columns import spark_functions
from headwater.pyspark.columns.sql import read_tree
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import And
from headwater_ir.types import BOOL

from . import collected_arrays
from .aggregate import CANONICAL, Native
from .collected_arrays import Add, Collected, Function
from .lambdas import WithNames, greatest_or_least
from .struct_aggregates import Struct, struct

if TYPE_CHECKING:
    from sqlglot import exp

    from headwater.pyspark.columns.column import ColumnReader

_CLASSES = {
    "Max": "max", "Min": "min", "Sum": "sum", "Avg": "avg", "Count": "count", "CountIf": "count_if", "Any": "bool_or",
    "LogicalOr": "bool_or", "LogicalAnd": "bool_and", "ArgMax": "max_by", "ArgMin": "min_by",
}  # fmt: skip
_PICKED = {"First": "first", "FirstValue": "first", "AnyValue": "first", "Last": "last", "LastValue": "last"}
_PASS_OVER_NULL = frozenset("max min sum avg count count_if bool_or bool_and".split())
_OF_ONE = frozenset("any some every mean".split())
"""Names that sqlglot has no class for."""


_COLLECTIONS = {"ArrayAgg": "collect_list", "ArrayUniqueAgg": "collect_set"}
_OF_ARRAYS = {
    "ArraySize": "size", "ArrayMax": "array_max", "ArrayMin": "array_min", "ArrayContains": "array_contains",
    "Exists": "exists", "ArrayFilter": "filter", "ArraySort": "sort_array", "Reverse": "reverse",
    "ArrayDistinct": "array_distinct", "ArrayCompact": "array_compact", "Bracket": "[]", "Reduce": "aggregate",
}  # fmt: skip
_ARGUMENTS = {"Reduce": ("initial", "merge", "finish"), "ArraySort": ("asc",)}
_ALSO = {"ArraySort": {"nulls_first"}, "Bracket": {"expressions", "offset", "safe"}, "ArrayAgg": {"nulls_excluded"}}
"""What sqlglot tells of a call that its name says."""


def term(e: exp.Expression, inside: ColumnReader, columns: ColumnReader, add: Add) -> Term | None:
    """What ``e`` makes of aggregates: of itself, or of an array or a struct; None for everything else. ``inside`` reads
    values of the group, ``columns`` those of a row."""
    from sqlglot import exp

    if isinstance(e, exp.Dot):
        of = read_tree(e.this, inside)
        return of.field(e.expression.name) if isinstance(of, Struct) else None
    kind = type(e).__name__
    if kind in _COLLECTIONS and _only(e, "this"):
        return collected_arrays.collected(_COLLECTIONS[kind], read_tree(e.this, columns), add)
    found = native(e, columns)
    if found is not None:
        return add(found)
    name, array, rest = _of_array(e)
    if name is None or array is None:
        return greatest_or_least(e, inside)
    of = read_tree(array, inside)
    if not isinstance(of, Collected):
        return None
    return collected_arrays.call(name, of, [_argument(a, columns) for a in rest], add)


def _only(e: exp.Expression, *names: str) -> bool:
    """Whether ``e`` has no arguments but ``names``, and what its name says."""
    known = {*names, *_ALSO.get(type(e).__name__, ())}
    return all(k in known for k, v in e.args.items() if v not in (None, [], False))


def _of_array(e: exp.Expression) -> tuple[str | None, exp.Expression | None, list[exp.Expression]]:
    """The function of an array that ``e`` calls, the array, and the other arguments."""
    from sqlglot import exp

    kind = type(e).__name__
    if isinstance(e, exp.Anonymous) and e.name.lower() in collected_arrays.laws() and e.expressions:
        return e.name.lower(), e.expressions[0], e.expressions[1:]
    name = _OF_ARRAYS.get(kind)
    if name is None:
        return None, None, []
    if isinstance(e, exp.Bracket):
        if e.args.get("offset"):
            name = "try_element_at" if e.args.get("safe") else "element_at"
        return (name, e.this, e.expressions) if _only(e, "this") else (None, None, [])
    names = _ARGUMENTS.get(kind, ("expression",))
    given = [e.args[n] for n in names if e.args.get(n) is not None]
    return (name, e.this, given) if _only(e, "this", *names) else (None, None, [])


def _argument(e: exp.Expression, columns: ColumnReader) -> collected_arrays.Argument:
    from sqlglot import exp

    if not isinstance(e, exp.Lambda):
        return read_tree(e, columns)
    names = [str(p.this) for p in e.expressions]
    return Function(
        len(names), lambda *terms: read_tree(e.this, WithNames(columns, dict(zip(names, terms, strict=True))))
    )


def native(e: exp.Expression, columns: ColumnReader) -> Native | None:
    """The aggregate that ``e`` calls on what ``columns`` reads; None if it calls none, Refusal if it has no model."""
    from sqlglot import exp

    if isinstance(e, exp.Filter):
        return _filtered(e, columns)
    ignores = isinstance(e, exp.IgnoreNulls)
    picked = e.this if isinstance(e, exp.IgnoreNulls) else e
    if type(picked).__name__ in _PICKED and _only(picked, "this"):
        return Native(_PICKED[type(picked).__name__], read_tree(picked.this, columns), ignore_nulls=ignores)
    if isinstance(e, exp.Count) and isinstance(e.this, exp.Distinct) and len(e.this.expressions) == 1:
        if _only(e, "this", "big_int") and _only(e.this, "expressions"):
            return Native("count_distinct", read_tree(e.this.expressions[0], columns))
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
    return Native(function, _struct(e.this, columns) or read_tree(e.this, columns), rest)


def _struct(e: exp.Expression, columns: ColumnReader) -> Struct | None:
    """The struct that ``e`` makes of columns."""
    from sqlglot import exp

    if not isinstance(e, exp.Struct):
        return None
    parts = [(p.this.name, p.expression) for p in e.expressions if isinstance(p, exp.PropertyEQ)]
    if len(parts) < len(e.expressions):
        raise Refusal("opaque", "a struct with a field that has no plain name")
    return struct([(name, read_tree(value, columns)) for name, value in parts])


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
