"""``pivot(column, values)`` with aggregates, as aggregates of a CASE for each value.

Law: ``groupBy(k).pivot(c, [v, …]).agg(max(x))`` is ``groupBy(k).agg(max(CASE WHEN c = v THEN x END) AS v, …)``, for an
aggregate that is NULL of no rows and of nothing but NULL alike; ``count`` is NULL where no row has the value, and of a
CASE it is 0 there. Spark aggregates by key and value first, the values that are not listed among them: so an aggregate
must not raise, or it could of fewer rows of those. The columns are called as the values are, with the aggregate behind
them if there are several (``a_max(x)``, ``a_m``).
Values are texts for a column of texts, whole numbers for one of whole numbers: those that are equal to Spark's table of
values are the ones that ``=`` says are equal.
"""

from __future__ import annotations

import ast

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import resolve_literal
from headwater.pyspark.columns import spark_functions
from headwater.pyspark.frames.tracked_values import Grouped, TrackedFrame
from headwater.pyspark.frames.typed_terms import Term, literal
from headwater.syntax.names.pyspark_methods import GROUPED, bind
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, Compare

from .aggregate import Native, Result, aggregated
from .aggregate_calls import Aggregates, read_aggregates, shorthand

Pivoted = tuple[tuple[str, Compare], ...]
_EXTREMES = ("max", "min")
_SUMS = ("sum", "avg", "mean")
"""That raise of no floats."""
_KINDS = {"string": str, "int": int}


def pivoted(frame: TrackedFrame, call: ast.Call, reader: ApiContext) -> Pivoted | None:
    """For each value of ``pivot(column, values)`` its name and the condition that picks it; None if they are not
    plain."""
    try:
        given = bind(GROUPED["pivot"], call)
        of, listed = given.get("pivot_col"), given.get("values")
        if of is None or listed is None:
            return None
        column, values = reader.columns(frame).column(of, text_is_name=True), resolve_literal(listed, reader)
    except Refusal:
        return None
    kind = _KINDS.get(column.type.name)
    if not isinstance(column.expr, Col) or not isinstance(values, (ast.List, ast.Tuple)) or kind is None:
        return None
    constants = [v.value if isinstance(v, ast.Constant) else None for v in values.elts]
    terms = [(str(c), term) for c in constants if type(c) is kind and (term := literal(c)) is not None]
    if len({name for name, _ in terms}) < len(values.elts):
        return None
    return tuple((name, Compare("==", column.expr, term.expr, "sql")) for name, term in terms)


def aggregates(grouped: Grouped, picked: Pivoted, call: ast.Call, reader: ApiContext) -> Aggregates | None:
    """What ``call`` computes of a pivot, as aggregates of ``grouped``; None if that is something else."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name not in ("agg", *_EXTREMES, *_SUMS) or name in reader.names.patches.methods:
        return None
    try:
        plain = (
            read_aggregates(grouped.frame, (), call, reader)
            if name == "agg"
            else shorthand(grouped.frame, name, call, reader)
        )
    except Refusal:
        return None
    found = Aggregates()
    for value, condition in picked:
        for result in plain.results:
            native = _native(plain, result)
            if native is None or native.argument is None:
                return None
            label = value if len(plain.results) == 1 else f"{value}_{result.name}"
            picked_of = spark_functions.case(((condition, native.argument),), None)
            found.results.append(Result(label, found.term(Native(native.function, picked_of))))
    return found


def _native(plain: Aggregates, result: Result) -> Native | None:
    """The aggregate that ``result`` is; None if it is made of several, or is none that a CASE gives as well."""
    number = next((i for i, _ in enumerate(plain.natives) if result.value.expr == aggregated(i)), None)
    native = None if number is None or result.name.startswith("<unnamed") else plain.natives[number]
    of = native.argument if native else None
    if native is None or not isinstance(of, Term) or native.rest or native.ignore_nulls or native.update is not None:
        return None
    exact = native.function in _EXTREMES or (native.function in _SUMS and of.type.name == "float")
    return native if exact and of.type.name in ("int", "float", "string", "date", "bool") else None
