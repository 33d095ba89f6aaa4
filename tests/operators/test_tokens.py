"""Which columns may be taken for texts, though they are of a type without a model."""

from __future__ import annotations

import pytest

from headwater.operators.tokens import as_tokens
from headwater_ir.expr import Call, Col, Compare, Expr, If, IsNull, Lit, Not, Out, Slot
from headwater_ir.problem import Column, Fold, OutputColumn, StateSlot
from headwater_ir.types import BOOL, INT, OPAQUE, STRING

ASKED = Compare(">", Out("n"), Lit(1, INT), "sql")
COUNT = If(IsNull(Col("v")), Slot(0), Lit(1, INT))
HANDED = Call("f", (Slot(0), Col("v")), INT, total=True)


def fold(step: Expr, *outputs: OutputColumn, facts: tuple[Expr, ...] = ()) -> Fold:
    columns = (Column("k", OPAQUE, is_key=True), Column("v", OPAQUE))
    made = (OutputColumn("k", OPAQUE, Col("k")), OutputColumn("n", INT, Slot(0)), *outputs)
    return Fold("n", "agg", columns, (StateSlot("n", INT),), (Lit(0, INT),), (step,), made, facts=facts)


def taken(found: Fold) -> set[str]:
    return {c.name for c in found.columns if c.type == STRING}


@pytest.mark.parametrize("step", [COUNT, HANDED, If(Not(IsNull(Col("v"))), HANDED, Slot(0))])
def test_nobody_asks_what_they_are(step: Expr) -> None:
    found = as_tokens(fold(step), ASKED)
    assert taken(found) == {"k", "v"}
    assert found.output("k").type == STRING


@pytest.mark.parametrize(
    "step",
    [
        If(Compare(">", Col("v"), Lit(1, INT), "sql"), HANDED, Slot(0)),
        If(IsNull(Slot(0)), Col("v"), Slot(0)),
        Call("f", (If(IsNull(Col("v")), Lit(None, INT), Col("v")),), INT),
    ],
)
def test_somebody_does(step: Expr) -> None:
    assert taken(as_tokens(fold(step), ASKED)) == {"k"}


def test_an_output_that_the_filter_reads() -> None:
    assert taken(as_tokens(fold(COUNT), IsNull(Out("k")))) == {"v"}


def test_a_key_that_is_handed_to_a_function() -> None:
    assert taken(as_tokens(fold(Call("f", (Slot(0), Col("k")), INT, total=True)), ASKED)) == {"v"}


def test_a_key_that_may_be_missing() -> None:
    assert taken(as_tokens(fold(If(IsNull(Col("k")), Slot(0), Lit(1, INT))), ASKED)) == {"k", "v"}


def test_a_fact_that_compares() -> None:
    assert taken(as_tokens(fold(COUNT, facts=(Compare("==", Col("v"), Col("k"), "sql"),)), ASKED)) == set()


def test_a_filter_with_a_text() -> None:
    text = OutputColumn("m", STRING, Call("g", (Slot(0),), STRING))
    assert taken(as_tokens(fold(COUNT, text), Compare("==", Out("m"), Lit("x", STRING), "sql"))) == set()


def test_nothing_to_do() -> None:
    plain = Fold("n", "agg", (Column("b", BOOL),), (), (), (), (), rows="one")
    assert as_tokens(plain, ASKED) is plain
