"""Hidden outputs lose their value, and keep their errors."""

from __future__ import annotations

from headwater.operators.liveness import visible
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.plan import UNKNOWN_SCHEMA, Aggregate, Boundary, Conjunct, Filter, Plan, Project, Scan, Sort, Way
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


WRITTEN = (Way(()),)


def project(*names: str) -> Project:
    return Project(SCAN, tuple((n, ir.Col(n)) for n in names), False, (), HERE)


def reading(name: str) -> Filter:
    return Filter(SCAN, (Conjunct(ir.IsNull(ir.Col(name)), HERE),), HERE, HERE, "column")


def values(fold: Fold) -> dict[str, ir.Expr]:
    return {o.name: o.value for o in fold.outputs}


def used(*operators: Plan) -> set[str]:
    """The outputs whose values count if ``operators`` are all that stands on the filter."""
    found = visible(FOLD, P, [], [Way(operators)]).outputs
    return {o.name for o in found if o in OUTPUTS}


def test_without_a_projection_everything_is_seen() -> None:
    assert visible(FOLD, P, [Filter(SCAN, (), HERE, HERE, "column")], WRITTEN) == FOLD


def test_what_is_hidden_goes_unless_it_may_raise() -> None:
    seen = values(visible(FOLD, P, [project("m")], WRITTEN))
    nothing = ir.Lit(None, ty.INT)
    assert seen == {"m": ir.Slot(0), "r": ir.If(ir.IsNull(RAISING), nothing, nothing)}


def test_what_the_filter_reads_is_seen() -> None:
    assert "m" in values(visible(FOLD, P, [project("n")], WRITTEN))


def test_what_a_visible_column_is_computed_from_is_seen() -> None:
    computed = Project(SCAN, (("q", ir.IsNull(ir.Col("n"))),), False, (), HERE)
    assert {"m", "n"} <= set(values(visible(FOLD, P, [computed], WRITTEN)))


def test_a_sort_shows_its_keys() -> None:
    assert visible(FOLD, P, [project("m"), Sort(SCAN, HERE)], WRITTEN) == FOLD
    assert "n" in values(visible(FOLD, P, [project("m"), Sort(SCAN, HERE, ("n",))], WRITTEN))
    assert "n" not in values(visible(FOLD, P, [project("m"), Sort(SCAN, HERE, ("m",))], WRITTEN))


def test_everything_is_seen_where_not_all_ways_are_known() -> None:
    assert visible(FOLD, P, [project("m")], None) == FOLD


def test_a_projection_above_the_filter_hides_too() -> None:
    assert used() == {"m", "n", "r"}
    assert used(project("m")) == {"m"}
    assert used(Project(SCAN, (), True, ("n",), HERE)) == {"m", "r"}


def test_a_column_that_is_not_there_is_looked_for_below() -> None:
    assert used(project("m"), reading("n")) == {"m", "n", "r"}
    assert used(project("m"), Sort(SCAN, HERE, ("n",))) == {"m", "n", "r"}
    assert used(reading("n"), project("m")) == {"m", "n"}


def test_names_that_differ_in_case_only_are_one_column() -> None:
    other = Project(SCAN, (("M", ir.Col("n")),), True, (), HERE)
    assert used(other, project("m")) == {"m", "n", "r"}


def test_an_aggregate_hides_what_it_does_not_read() -> None:
    by_n = Fold(
        "g", "agg", (), (StateSlot("a", ty.INT),), (ir.Lit(0, ty.INT),), (ir.Col("n"),), (OUTPUTS[0],), grouped=False
    )
    assert used(Aggregate(SCAN, by_n, Boundary("agg", None, HERE, 0))) == {"m", "n"}


def test_all_ways_count() -> None:
    fold = visible(FOLD, P, [], [Way((project("m"),)), Way((project("n"),))])
    assert set(values(fold)) == {"m", "n", "r"}


def test_what_leaves_is_assumed_not_to_be_looked_into() -> None:
    assert visible(FOLD, P, [], [Way((project("m"),), leaves=True)]).assumptions
    assert not visible(FOLD, P, [], [Way((), leaves=True)]).assumptions
    assert not visible(FOLD, P, [], [Way((project("m"),))]).assumptions
