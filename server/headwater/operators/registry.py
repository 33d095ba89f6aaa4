"""The only list of operators. A new plan node is one ``Operator`` value in a file of its own, and one line here."""

from __future__ import annotations

from typing import Any

from headwater_ir.plan import Plan

from . import (
    aggregate,
    cache,
    distinct,
    drop_duplicates,
    explode,
    filter,
    group_map,
    grouping_sets,
    join,
    join_input,
    limit,
    opaque,
    pivot,
    project,
    row_udf,
    sample,
    scan,
    set_operation,
    shared,
    sort,
    union_all,
    view,
    watermark,
    window,
)
from .protocol import Operator

OPERATORS: tuple[Operator[Any], ...] = (
    scan.OPERATOR,
    filter.OPERATOR,
    project.OPERATOR,
    row_udf.OPERATOR,
    aggregate.OPERATOR,
    group_map.OPERATOR,
    sort.OPERATOR,
    limit.OPERATOR,
    sample.OPERATOR,
    distinct.OPERATOR,
    drop_duplicates.OPERATOR,
    grouping_sets.OPERATOR,
    pivot.OPERATOR,
    window.OPERATOR,
    explode.OPERATOR,
    union_all.OPERATOR,
    set_operation.OPERATOR,
    join.OPERATOR,
    join_input.OPERATOR,
    cache.OPERATOR,
    shared.OPERATOR,
    watermark.OPERATOR,
    view.OPERATOR,
    opaque.OPERATOR,
)
BY_NODE: dict[type, Operator[Any]] = {o.node: o for o in OPERATORS}


def operator_of(plan: Plan) -> Operator[Any]:
    """What is known of the operator that ``plan`` is a node of."""
    return BY_NODE[type(plan)]
