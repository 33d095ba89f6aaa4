"""One form for each condition: two ways to spell it are equal, and other conditions are not."""

from __future__ import annotations

import math

import pytest

from headwater.edit_check.conditions import form
from headwater_ir.expr import MIRRORED, Col, Compare, CompareOp, Lit, Param
from headwater_ir.types import FLOAT, INT

CONSTANTS = (Lit(3, INT), Lit(math.nan, FLOAT), Param("limit"))


@pytest.mark.parametrize("constant", CONSTANTS, ids=repr)
@pytest.mark.parametrize("op", MIRRORED)
def test_a_constant_may_stand_on_either_side(op: CompareOp, constant: Lit | Param) -> None:
    left = form(Compare(op, constant, Col("x"), "sql"))
    assert left == form(Compare(MIRRORED[op], Col("x"), constant, "sql"))
    assert all(left != form(Compare(o, Col("x"), constant, "sql")) for o in MIRRORED if o != MIRRORED[op])
    assert left != form(Compare(MIRRORED[op], Col("y"), constant, "sql"))


def test_sides_of_two_columns_stay() -> None:
    assert form(Compare("<", Col("x"), Col("y"), "sql")) != form(Compare("<", Col("y"), Col("x"), "sql"))
