"""Whole paths from a filter to a fold, and where they end: ones that are proved, and ones that must not be."""

# A crossing per line reads best unwrapped.
# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import z3

from headwater.proof.crossings.boundaries import meeting
from headwater.proof.crossings.conditions import path_goals
from headwater.proof.crossings.encoding import OutOfReach
from headwater.proof.crossings.whole import crossing_scripts, with_path
from headwater.semantics.values import T as TRUTH
from headwater.semantics.values import fresh_context, lnot
from headwater_ir import types as ty
from headwater_ir.assumptions import Assumption
from headwater_ir.crossing import (
    Asked,
    Crossing,
    MeetsArms,
    MeetsElements,
    MeetsFold,
    MeetsWindow,
    Passed,
    PassesClause,
    PassesExplode,
    PassesProject,
    PassesSort,
    PassesView,
    PassesWindow,
    Path,
)
from headwater_ir.expr import (
    TRUE,
    Call,
    Col,
    Expr,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Not,
    Or,
    Out,
    Param,
    Present,
    Slot,
    transform,
)
from headwater_ir.parts import Order, WindowColumn
from headwater_ir.problem import Fold, FoldProblem, OutputColumn, Parameter
from headwater_ir.struct_fields import field_of
from headwater_ir.verdict import Solution
from tests.campaigns.certificates import edited

from .alone import ALL_INT, K, Types, X, Y, always, both, calling, cmp, columns, over_one

OVER, KEY, E = cmp(">", X, 1), cmp(">", K, 1), Col("e")
T, U, V, W = (Param(n) for n in "tuvw")
ONE = cmp(">", E, 1)
P = Or((OVER, both(cmp(">", K, 5), Not(cmp(">", K, 4)))))
"""As much as ``x > 1``, if ``k`` is known to be a number."""
LENGTH = "length(`e`)"
TEXTS = {"e": ty.STRING, LENGTH: ty.INT32}


def out(e: Expr) -> Expr:
    """``e`` of outputs."""
    return transform(e, lambda n: Out(n.name) if isinstance(n, Col) else None)


def ends_at(outputs: Types, predicate: Expr, values: Any = None, assumptions: Any = ()) -> FoldProblem:
    """A fold that gives back columns of its rows, and a predicate over them."""
    made = tuple(OutputColumn(n, t, (values or {}).get(n, Col(n))) for n, t in outputs.items())
    fold = Fold(
        "f",
        "explode",
        columns(outputs),
        (),
        (),
        (),
        made,
        params=(Parameter("t", ty.INT64), Parameter("u", ty.INT64), Parameter("v", ty.FLOAT), Parameter("w", ty.FLOAT)),
        assumptions=assumptions,
    )
    return FoldProblem(fold, predicate)


def wrong_where_it_ends(
    passed: Passed, before: Expr, after: Expr, stays: bool = True, outputs: Types = ALL_INT, pre_filter: Expr | None = None,
    above: Types | None = None, below: Types | None = None, values: Any = None, predicate: Expr | None = None,
) -> Iterator[str]:  # fmt: skip
    """The claims of a boundary that do not hold, or why it has none. ``after`` is over columns."""
    fresh_context()
    crossing = Crossing(passed, before, out(after), columns(above or {}), columns(below or {}))
    problem = ends_at(outputs, out(after if predicate is None else predicate), values)
    try:
        m, claims = meeting(
            crossing,
            stays,
            problem,
            Solution("partial", after if pre_filter is None else pre_filter, problem.predicate, ()),
        )
        made = list(claims)
    except OutOfReach as reason:
        yield str(reason)
        return
    for claim in made:
        solver = z3.Solver()
        solver.add(*m.rows.axioms, *claim.given, lnot(claim.shown))
        if solver.check() != z3.unsat:
            yield claim.part


def elements(*made: str, outer: bool = False, placed: bool = False, varies: bool = False) -> MeetsElements:
    return MeetsElements(made, outer, placed, varies)


def prefix_of(order: str, *, descending: bool = True) -> MeetsWindow:
    return MeetsWindow(PassesWindow((WindowColumn("r", (), Order(order, descending, False)),), (), True, True))


def length(of: Expr) -> Expr:
    return cmp(">", Call("spark.length", (of,), ty.INT32, True), 1)


XE, SIZES = {"x": ty.INT64, "e": ty.INT64}, {"x": ty.list_of(ty.INT), "y": ty.INT64, "size(`x`)": ty.INT}
MANY = cmp(">", Call("spark.size", (X,), ty.INT, True), 1)
RAISING = both(always(over_one(E)), ONE)
FIELD = cmp(">", Col("e.f"), 1)
FIELDS = XE | {"e.f": ty.INT64}
TWO = MeetsArms(("v",), ((("v", X),), (("v", Col("s")),)))
ENDS: dict[str, tuple[bool, tuple[Any, ...], dict[str, Any]]] = {
    "a fold": (True, (MeetsFold(), OVER, OVER, False), {}),
    "a fold, of less": (True, (MeetsFold(), OVER, cmp(">", X, 0)), {}),
    "a fold, of less, where the filter goes": (False, (MeetsFold(), OVER, cmp(">", X, 0), False), {}),
    "a fold, of more": (False, (MeetsFold(), OVER, cmp(">", X, 2)), {}),
    "a fold, and what raises": (False, (MeetsFold(), OVER, both(always(over_one(X)), OVER)), {}),
    "a fold, whose outputs have the types": (True, (MeetsFold(), P, both(OVER, always(Y))), {}),
    "a fold, and types that are stated above": (True, (MeetsFold(), P, OVER), {"outputs": {"x": ty.INT64}, "above": {"k": ty.INT64}}),
    "a fold, and types that are stated below": (True, (MeetsFold(), P, OVER), {"outputs": {"x": ty.INT64}, "below": {"k": ty.INT64}}),
    "a fold, and types that are not stated": (False, (MeetsFold(), P, OVER), {"outputs": {"x": ty.INT64}}),
    "a fold, and parameters that are equal": (True, (MeetsFold(), both(cmp("==", T, U), cmp(">", X, T)), cmp(">", X, U), True, {"x": ty.ANY}), {}),
    "a fold, and parameters that are not": (False, (MeetsFold(), cmp(">", X, T), cmp(">", X, U), True, {"x": ty.ANY}), {}),
    "a fold, and a function of parameters that are equal": (True, (MeetsFold(), both(cmp("==", T, U), calling(T)), calling(U)), {}),
    "a fold, and a function of zeros that are equal": (False, (MeetsFold(), both(cmp("==", V, W), calling(V)), calling(W)), {}),
    "a fold, and another predicate than the path's": (False, (MeetsFold(), OVER, OVER), {"predicate": cmp(">", X, 2)}),
    "a fold, and the size of an array": (True, (MeetsFold(), MANY, cmp(">", Col("size(`x`)"), 1), False, SIZES), {}),
    "a fold, and whether an array is there": (True, (MeetsFold(), IsNull(X), Not(IsTrue(cmp(">=", Col("size(`x`)"), 0))), True, SIZES), {}),
    "a fold, and NULL in a column that is no array": (True, (MeetsFold(), both(MANY, IsNull(Y)), both(cmp(">", Col("size(`x`)"), 1), IsNull(Y)), False, SIZES), {}),
    "a fold, and the size of another array": (False, (MeetsFold(), MANY, cmp(">", Col("size(`y`)"), 1), True, {"size(`y`)": ty.INT}), {}),
    "a fold that computes": (True, (MeetsFold(), OVER, OVER), {"values": {"x": Slot(0)}}),
    "elements of a fold that computes": (False, (elements("e"), ONE, ONE, True, XE), {"values": {"x": Lit(1, ty.INT)}}),
    "no boundary": (False, (PassesSort(), OVER, OVER), {}),
    "elements": (True, (elements("e"), ONE, ONE, False, XE), {}),
    "elements, and the other columns": (True, (elements("e"), P, both(OVER, always(Y))), {}),
    "elements, and more": (False, (elements("e"), ONE, cmp(">", E, 2), True, XE), {}),
    "elements, and what raises": (True, (elements("e"), RAISING, RAISING, False, XE), {}),
    "elements, and what raises below only": (False, (elements("e"), ONE, RAISING, True, XE), {}),
    "elements that are NULL": (True, (elements("e"), IsNull(E), IsNull(E), False, XE), {}),
    "outer elements": (True, (elements("e", outer=True), ONE, ONE, True, XE), {}),
    "outer elements that are NULL": (False, (elements("e", outer=True), IsNull(E), IsNull(E), True, XE), {}),
    "outer elements, by a column of their row": (False, (elements("e", outer=True), OVER, OVER, True, XE), {}),
    "outer elements, where the filter goes": (False, (elements("e", outer=True), ONE, ONE, False, XE), {}),
    "outer elements, and a field of one": (True, (elements("e", outer=True), both(OVER, FIELD), OVER, True, FIELDS), {}),
    "outer elements, and a column of their row": (True, (elements("e", outer=True), both(OVER, ONE), both(OVER, ONE), True, XE), {}),
    "elements with their places": (True, (elements("p", "e", placed=True), ONE, ONE, True, XE), {}),
    "elements with their places, where the filter goes": (False, (elements("p", "e", placed=True), ONE, ONE, False, XE), {}),
    "elements by their places": (False, (elements("p", "e", placed=True), cmp(">", Col("p"), 1), cmp(">", Col("p"), 1)), {}),
    "elements with their places, and what raises": (False, (elements("p", "e", placed=True), RAISING, RAISING, True, XE), {}),
    "elements that vary": (True, (elements("e", varies=True), both(ONE, OVER), ONE, True, XE), {}),
    "elements that vary, by their row": (False, (elements("e", varies=True), both(ONE, OVER), OVER, True, XE), {}),
    "elements that vary, by their row as well": (False, (elements("e", varies=True), both(ONE, OVER), both(ONE, OVER), True, XE), {}),
    "elements that vary, by their row afterwards": (False, (elements("e", varies=True), both(ONE, OVER), both(ONE, OVER), True, XE), {"pre_filter": ONE}),
    "elements that vary, by their row beforehand": (False, (elements("e", varies=True), ONE, ONE, True, XE), {"pre_filter": both(ONE, OVER)}),
    "elements that vary, by a field": (True, (elements("e", varies=True), FIELD, FIELD, True, FIELDS), {}),
    "elements that vary, by a field beforehand": (True, (elements("e", varies=True), ONE, ONE, True, FIELDS), {"pre_filter": FIELD}),
    "elements that vary, by a field below": (True, (elements("e", varies=True), ONE, both(ONE, always(Col("e.f"))), True, FIELDS), {"pre_filter": ONE}),
    "elements that vary, by what Spark computes of one": (True, (elements("e", varies=True), length(E), cmp(">", Col(LENGTH), 1), True, TEXTS), {}),
    "what Spark computes of an element": (True, (elements("e"), length(E), cmp(">", Col(LENGTH), 1), False, TEXTS), {}),
    "what Spark computes of an element with its place": (True, (elements("p", "e", placed=True), length(E), cmp(">", Col(LENGTH), 1), True, TEXTS), {}),
    "what Spark computes of one of two columns": (False, (elements("p", "e"), length(E), cmp(">", Col(LENGTH), 1), True, TEXTS), {}),
    "what Spark computes of an element of unknown type": (False, (elements("e"), length(E), cmp(">", Col(LENGTH), 1), True, {LENGTH: ty.INT32}), {}),
    "a field of an element": (True, (elements("e"), cmp(">", field_of(E, "f"), 1), FIELD, False, {"e.f": ty.ANY}), {}),
    "arms": (True, (TWO, cmp(">", Col("v"), 1), Or((OVER, cmp(">", Col("s"), 1))), True, {"x": ty.INT64, "s": ty.INT64}), {}),
    "arms of two types, whose own is stated by the fold": (True, (TWO, Or((both(cmp(">", Col("v"), 5), Not(cmp(">", Col("v"), 4))), OVER)), OVER, True, {"x": ty.INT64, "s": ty.STRING, "v": ty.INT64}), {}),
    "a prefix": (True, (prefix_of("x"), OVER, OVER), {}),
    "a prefix that the pre-filter says in other words": (True, (prefix_of("x"), OVER, OVER), {"pre_filter": both(OVER, always(Y), always(T))}),
    "a prefix in other words than the pre-filter": (True, (prefix_of("x"), OVER, both(OVER, always(Y))), {"pre_filter": OVER}),
    "a prefix, and a pre-filter of more": (False, (prefix_of("x"), OVER, OVER), {"pre_filter": cmp(">", X, 2)}),
    "a prefix, and a pre-filter of less": (False, (prefix_of("x"), OVER, OVER), {"pre_filter": cmp(">", X, 0)}),
    "what is no prefix": (False, (prefix_of("x", descending=False), OVER, OVER), {}),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_where_a_path_ends(name: str) -> None:
    expected, crossing, more = ENDS[name]
    assert (next(wrong_where_it_ends(*crossing, **more), None) is None) is expected


# Whole paths: crossings as (what is passed, before, after), with types above and below.

Step = tuple[Passed, Expr, Expr]


def path(*steps: Step, stays: bool = True, types: Types = ALL_INT) -> Path:
    known = columns(types)
    return Path(tuple(Crossing(p, before, after, known, known) for p, before, after in steps), stays)


def accepted(way: Path, problem: FoldProblem | None = None) -> bool:
    """Whether every script of ``way`` is proved; ``problem``: by default one of the predicate that it ends with."""
    fresh_context()
    problem = problem or ends_at(ALL_INT, way.crossings[-1].after)
    try:
        scripts = crossing_scripts(way, problem, Solution("partial", OVER, problem.predicate, ()))
    except OutOfReach:
        return False
    for _, text in scripts:
        solver = z3.Solver()
        solver.from_string(text)
        if solver.check() != z3.unsat:
            return False
    return True


FILTER: Step = (Asked((OVER,)), TRUE, OVER)
END: Step = (MeetsFold(), OVER, out(OVER))
SORT: Step = (PassesSort(), OVER, OVER)
ALONE = Assumption("program", "nobody else reads the view")
NEVER = both(cmp(">", X, float("inf")), Not(IsNaN(X)))
"""True of no number."""
VALUE, OF_TWO = cmp(">", Col("v"), 1), Or((OVER, cmp(">", Col("s"), 1)))
WAYS: dict[str, tuple[bool, Path]] = {
    "a filter above its boundary": (True, path(FILTER, END)),
    "past a sort": (True, path(FILTER, SORT, END)),
    "nothing but a filter": (False, path(FILTER)),
    "no filter": (False, path(SORT, END)),
    "another filter, which is not merged": (False, path((Asked((OVER,)), TRUE, TRUE), (Asked((KEY,)), TRUE, KEY), (MeetsFold(), KEY, out(KEY)))),
    "a boundary that is not the last": (False, path(FILTER, (MeetsFold(), OVER, OVER), END)),
    "elements that are not the last": (False, path(FILTER, (elements("e"), OVER, OVER), END)),
    "no boundary": (False, path(FILTER, SORT)),
    "a predicate that arrives as another": (False, path(FILTER, (PassesSort(), cmp(">", X, 2), cmp(">", X, 2)), (MeetsFold(), cmp(">", X, 2), out(cmp(">", X, 2))))),
    "more said on the way": (False, path(FILTER, (PassesSort(), OVER, cmp(">", X, 2)), (MeetsFold(), cmp(">", X, 2), out(cmp(">", X, 2))))),
    "more said at the end": (False, path(FILTER, SORT, (MeetsFold(), OVER, out(cmp(">", X, 2))))),
    "less said on the way": (True, path(FILTER, (PassesSort(), OVER, cmp(">", X, 0)), (MeetsFold(), cmp(">", X, 0), out(cmp(">", X, 0))))),
    "less said on the way by a filter that goes": (False, path(FILTER, (PassesSort(), OVER, cmp(">", X, 0)), (MeetsFold(), cmp(">", X, 0), out(cmp(">", X, 0))), stays=False)),
    "a conjunct of an ON clause": (True, path(FILTER, (PassesClause("inner", "left"), OVER, OVER), END)),
    "a conjunct of an ON clause that goes": (False, path(FILTER, (PassesClause("inner", "left"), OVER, OVER), END, stays=False)),
    "a state": (False, path((Asked((cmp(">", Slot(0), 1),)), TRUE, cmp(">", Slot(0), 1)), (MeetsFold(), cmp(">", Slot(0), 1), cmp(">", Slot(0), 1)))),
    "whether there is a state": (False, path((Asked((Or((Present(0), TRUE)),)), TRUE, Or((Present(0), TRUE))), (MeetsFold(), Or((Present(0), TRUE)), Or((Present(0), TRUE))))),
    "arms where the filter goes": (False, path((Asked((VALUE,)), TRUE, VALUE), (TWO, VALUE, out(OF_TWO)), stays=False, types=ALL_INT | {"s": ty.INT64})),
    "arms": (True, path((Asked((VALUE,)), TRUE, VALUE), (TWO, VALUE, out(OF_TWO)), types=ALL_INT | {"s": ty.INT64})),
    "a condition that no number meets": (True, path((Asked((NEVER,)), TRUE, NEVER), (PassesSort(), NEVER, cmp("<", X, 0)), (MeetsFold(), cmp("<", X, 0), out(cmp("<", X, 0))), types={"x": ty.FLOAT})),
}  # fmt: skip


@pytest.mark.parametrize("name", WAYS)
def test_a_path(name: str) -> None:
    expected, way = WAYS[name]
    below = {c.name: c.type for c in way.crossings[-1].below}
    assert accepted(way, ends_at(below, way.crossings[-1].after)) is expected


def test_types_of_one_frame_agree() -> None:
    first, second, last = path(FILTER, SORT, END).crossings
    texts = columns({"x": ty.STRING, "k": ty.INT64})
    assert not accepted(Path((replace(first, below=texts), second, last), True))
    assert not accepted(Path((first, replace(second, above=texts[::-1]), last), True))
    assert not accepted(Path((first, replace(second, below=()), replace(last, above=texts, below=())), True))
    assert not accepted(Path((first, replace(second, below=()), replace(last, above=(), below=texts)), True))
    unknown = columns({"x": ty.ANY})
    assert accepted(Path((first, replace(second, below=unknown), replace(last, above=unknown, below=unknown)), True))
    assert accepted(Path((replace(first, below=()), second, last), True))


def test_a_view_is_read_by_nobody_else_as_the_fold_assumes() -> None:
    way = path(FILTER, (PassesView(ALONE), OVER, OVER), END)
    assert accepted(way, ends_at(ALL_INT, out(OVER), assumptions=(ALONE,)))
    assert not accepted(way)


def test_what_is_said_already_makes_no_script() -> None:
    """Each script is a question: none asks what is true of itself or given."""
    way = path(
        FILTER,
        SORT,
        (PassesExplode(("e",), False), OVER, OVER),
        (PassesProject((), True, ()), OVER, cmp(">", X, 0)),
        (MeetsFold(), cmp(">", X, 0), out(cmp(">", X, 0))),
    )
    fresh_context()
    problem = ends_at(ALL_INT, way.crossings[-1].after)
    goals = path_goals(way, problem, Solution("partial", OVER, problem.predicate, ()))
    assert [g.part for g in goals] == ["4 projection: needed"]
    assert all(g.conclusion is not TRUTH for g in goals)


SOURCE = """
from pyspark.sql import functions as F
sales = spark.read.schema("shop string, amount int").parquet("p")
best = sales.groupBy("shop").agg(F.max("amount").alias("most"))
best.createOrReplaceTempView("best")
result = spark.table("best").filter(F.col("shop") > "a").filter(F.col("most") > 0)
"""


def test_a_certificate_of_a_path_holds_both_proofs() -> None:
    """That of the boundary and that of the way, each without the other no proof; and what both assume."""
    (certificate,) = edited(SOURCE, {})
    assert certificate.path is not None
    alone = replace(
        certificate, path=None, assumptions=(), scripts=tuple(s for s in certificate.scripts if s[0] != "Crossing")
    )
    assert {"Init", "Final", "Safe"} <= {name for name, _ in alone.scripts}
    longer = with_path(alone, replace(certificate.path, stays=True))
    assert longer.path == replace(certificate.path, stays=True)
    own = crossing_scripts(longer.path, certificate.problem, certificate.solution)
    assert own
    assert longer.scripts == (*alone.scripts, *own)
    assert longer.assumptions
    assert longer.assumptions == certificate.assumptions
    assert with_path(alone, certificate.path).scripts == certificate.scripts
