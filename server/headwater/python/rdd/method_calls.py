"""The methods of an RDD as they are called, which of them fold by key, and what such a fold leaves."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from headwater.python.exprs.facts import Tags
from headwater.python.values.scope import Value
from headwater_ir.types import Type

AGGREGATORS = frozenset({"aggregateByKey", "combineByKey", "foldByKey", "reduceByKey", "groupByKey"})


@dataclass(frozen=True)
class Call:
    """One method of an RDD with its arguments."""

    method: str
    arguments: tuple[ast.expr, ...]
    node: ast.Call


@dataclass(frozen=True)
class Elements:
    """What an RDD holds after a fold: ``element`` over ``Col`` named like the fold's outputs, and what these can be."""

    element: Value
    types: dict[str, Type]
    tags: dict[str, Tags]
    ambiguous: dict[str, frozenset[float] | None]
    """Outputs that may hold the same number as an int or as a float, with those numbers; None: any number."""


def function_name(calls: Sequence[Call], at: int) -> str:
    """The function that the fold at ``at`` is made of, if it is one of the file's."""
    method, arguments = calls[at].method, calls[at].arguments
    if method == "groupByKey":
        rest = [c.arguments[0] for c in calls[at + 1 :] if c.method == "mapValues" and c.arguments]
        function = rest[0] if rest else None
    else:
        function = arguments[0] if method == "reduceByKey" else arguments[1] if len(arguments) > 1 else None
    return function.id if isinstance(function, ast.Name) else "<lambda>"
