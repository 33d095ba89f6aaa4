"""Hidden outputs lose their value, and keep their errors."""

from __future__ import annotations

from headwater.operators.visible import visible
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.plan import UNKNOWN_SCHEMA, Filter, Project, Scan, Sort
from headwater_ir.problem import Fold, OutputColumn, StateSlot
from headwater_ir.span import Span

HERE = Span(0, 0)
SCAN = Scan("table", "table", UNKNOWN_SCHEMA, HERE)
RAISING = ir.If(ir.IsNull(ir.Slot(1)), ir.Raise("no value"), ir.Slot(1))
OUTPUTS = (
    OutputColumn("m", ty.INT, ir.Slot(0)),
    OutputColumn("n", ty.INT, ir.Slot(0)),
    OutputColumn("r", ty.INT, RAISING),
)
FOLD = Fold(
    "f", "agg", (), (StateSlot("a", ty.INT), StateSlot("b", ty.INT)), (ir.Slot(0),) * 2, (ir.Slot(0),) * 2, OUTPUTS
)
P = ir.Compare(">", ir.Out("m"), ir.Lit(1, ty.INT), "sql")


def project(*names: str) -> Project:
    return Project(SCAN, tuple((n, ir.Col(n)) for n in names), False, (), HERE)


def values(fold: Fold) -> dict[str, ir.Expr]:
    return {o.name: o.value for o in fold.outputs}


def test_without_a_projection_everything_is_seen() -> None:
    assert visible(FOLD, P, [Filter(SCAN, (), HERE, HERE, "column")]) == FOLD


def test_what_is_hidden_goes_unless_it_may_raise() -> None:
    seen = values(visible(FOLD, P, [project("m")]))
    nothing = ir.Lit(None, ty.INT)
    assert seen == {"m": ir.Slot(0), "r": ir.If(ir.IsNull(RAISING), nothing, nothing)}


def test_what_the_filter_reads_is_seen() -> None:
    assert "m" in values(visible(FOLD, P, [project("n")]))


def test_what_a_visible_column_is_computed_from_is_seen() -> None:
    computed = Project(SCAN, (("q", ir.IsNull(ir.Col("n"))),), False, (), HERE)
    assert {"m", "n"} <= set(values(visible(FOLD, P, [computed])))


def test_a_sort_shows_its_keys() -> None:
    assert visible(FOLD, P, [project("m"), Sort(SCAN, HERE)]) == FOLD
