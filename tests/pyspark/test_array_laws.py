"""Every model of a function of a collected array has an expression in which another value in its place is seen.

The expressions are those that ``test_aggregates_on_spark.py`` runs on Spark: there the folds are right, so that a fold
with another value is wrong.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from unittest import mock

import pytest

from headwater.pyspark.api.aggregates import collected_arrays
from headwater.pyspark.api.aggregates.collected_arrays import Collected
from headwater.pyspark.api.aggregates.struct_aggregates import Struct
from headwater.pyspark.frames.typed_terms import Term
from headwater.semantics.interpreter import run_fold
from headwater.semantics.scalars import EvaluationError
from headwater_ir.expr import Compare, Expr, If, IsNull, Lit, Not
from headwater_ir.types import BOOL, INT, NULL

from .test_aggregate import LISTS, VALUES, same
from .test_aggregates_on_spark import GROUPS, OTHERS, PLACES, fold

ENTRIES = sorted(collected_arrays.laws())


def expressions(name: str) -> list[str]:
    """The aggregates that call the function of this name."""
    every = [*PLACES, *OTHERS, *(v[1] for v in VALUES), *(v[0] for v in LISTS)]
    called = re.compile(r"\[-?\d" if name == "[]" else rf"\b{name}\(")
    return [e for e in every if called.search(e)]


@cache
def _right(expression: str) -> tuple[object, ...] | None:
    return _results(expression)


def _results(expression: str) -> tuple[object, ...] | None:
    """What its fold gives for each group; None if it has no model."""
    made = fold(expression)
    if made is None:
        return None
    found: list[object] = []
    for k, values in GROUPS.items():
        try:
            found.append(run_fold(made, [{"k": k, "x": x, "y": y} for x, y in values]))
        except EvaluationError:
            found.append("error")
    return tuple(found)


def _other(found: Term | None) -> Term | None:
    """Another value of the same kind."""
    match found:
        case Collected(descending=bool() as descending):
            return replace(found, descending=not descending)
        case Collected():
            return replace(found, where=Compare(">", found.element.expr, Lit(2, INT), "sql"))
        case Struct(fields=fields):
            return replace(found, fields=tuple((n, replace(t, expr=_turned(t.expr))) for n, t in fields))
        case Term(type=t):
            return replace(found, expr=Not(found.expr) if t == BOOL else _turned(found.expr))
    return None


def _turned(e: Expr) -> Expr:
    return If(IsNull(e), Lit(77, INT), Lit(None, NULL))


def seen(entry: str) -> bool:
    """Whether another value in place of that of the model is found."""
    law = collected_arrays.laws()[entry]
    known = {e: r for e in expressions(entry) if (r := _right(e)) is not None}
    with mock.patch.dict(collected_arrays._LAWS, {entry: lambda *given: _other(law(*given))}):
        for expression, right in known.items():
            wrong = _results(expression)
            if wrong is not None and not all(map(same, wrong, right)):
                return True
    return False


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_wrong_law_is_seen(entry: str) -> None:
    assert seen(entry)
