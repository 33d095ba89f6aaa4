"""Every plan node has exactly one operator, whose module states its law."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from headwater.operators.protocol import Operator, ends_here, same_columns
from headwater.operators.registry import BY_NODE, OPERATORS
from headwater_ir.plan import PLAN_NODES, Filter, Limit, Sort
from headwater_ir.walks import BoundaryNode


def test_each_plan_node_has_one_operator() -> None:
    assert sorted(o.node.__name__ for o in OPERATORS) == sorted(n.__name__ for n in PLAN_NODES)
    assert set(BY_NODE.values()) == set(OPERATORS)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda o: o.law)
def test_the_module_of_its_law_exports_it(operator: Operator[Any]) -> None:
    module = importlib.import_module(f"headwater.operators.{operator.law}")
    assert module.OPERATOR is operator
    assert module.__doc__
    assert len(module.__doc__.splitlines()) >= 3


def test_boundaries_are_those_that_a_predicate_meets() -> None:
    boundaries = set(BoundaryNode.__args__)  # type: ignore[attr-defined]
    assert {o.node for o in OPERATORS if o.meet is not None} == boundaries
    assert {o.node for o in OPERATORS if o.through is ends_here} <= boundaries


def test_what_gives_rows_of_its_input_has_its_columns() -> None:
    of_input = {o.node for o in OPERATORS if o.rows_of_input}
    assert {Filter, Sort, Limit} <= of_input <= {Filter, *(o.node for o in OPERATORS if o.columns is same_columns)}
