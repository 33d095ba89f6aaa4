"""Every place in which a fold may hold a text, a parameter or a key is encoded with it; nothing of the wrong kind."""

from __future__ import annotations

from dataclasses import replace

import pytest
import z3

from headwater.proof.certificate import certify
from headwater.proof.checker import accepted, check
from headwater.proof.conditions import goals
from headwater.proof.vocabulary import Vocabulary, pushable_columns
from headwater.semantics.values import UnsupportedTerm, is_true
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Expr
from headwater_ir.problem import Column, Fold, FoldProblem, OutputColumn, Parameter, StateSlot
from headwater_ir.verdict import Solution
from tests.synthesis import problems as p

from .test_wrong_certificates import (
    ABSENT,
    COUNT_B,
    EQUAL,
    HERE1,
    HERE2,
    KEPT,
    RIGHT,
    S1,
    S2,
    SUM,
    B,
    K,
    N,
    S,
    X,
    always,
    eq,
    failing,
    fold,
    implies,
    inverse,
    no,
    null,
    row,
    solution,
)

T = ir.Param("t")
TEXTS = Fold(
    "f", "agg", (p.KEY, Column("x", ty.STRING)), (StateSlot("s", ty.STRING),), (p.text("in init"),),
    (ir.If(p.sql("==", X, p.text("in step")), X, S),), (OutputColumn("n", ty.STRING, ir.If(
        p.sql("==", S, p.text("in output")), p.text("shown"), S)),),
    merge=(ir.If(p.sql("==", S1, p.text("in merge")), S2, S1),), emit=p.sql("!=", S, p.text("in emit")),
    facts=(p.sql("!=", X, p.text("in facts")),),
)  # fmt: skip
PARAMS = replace(
    fold(init=T, step=ir.If(p.sql(">", X, T), T, S), out=ir.If(p.sql(">", S, T), T, S),
         merge=ir.If(p.sql("==", S1, T), S1, S2), emit=p.sql("!=", S, T), facts=(p.sql("!=", X, T),), slot=ty.INT64),
)  # fmt: skip
KEYS = Fold(
    "f", "agg", (Column("k", ty.INT64, is_key=True), Column("x", ty.INT64)), (StateSlot("s", ty.INT64),), (K,),
    (ir.If(p.sql(">", X, K), K, S),), (OutputColumn("n", ty.INT64, ir.If(p.sql("<", S, K), S, K)),),
    merge=(ir.If(p.sql(">", S1, K), S1, S2),), emit=p.sql("==", S, K), facts=(p.sql("!=", X, K),),
)  # fmt: skip
ABOVE_T = p.sql(">", X, T)


def unchanged(predicate: Expr, g: Expr = ir.TRUE) -> Solution:
    return Solution("partial", g, predicate, EQUAL)


@pytest.mark.parametrize(
    ("f", "predicate"),
    [(TEXTS, p.sql("!=", N, p.text("in filter"))), (PARAMS, p.sql("<=", N, T)), (KEYS, p.sql("<", N, p.num(9)))],
    ids=["texts", "parameters", "keys"],
)
def test_nothing_changes_where_nothing_is_dropped(f: Fold, predicate: Expr) -> None:
    assert failing(FoldProblem(f, predicate), unchanged(predicate)) == set()


def test_a_text_may_be_in_the_filter_alone() -> None:
    never = FoldProblem(TEXTS, ir.And((p.sql("==", N, p.text("p")), p.sql("!=", N, p.text("p")))))
    assert failing(never, Solution("split", ir.FALSE, ir.FALSE, ())) == set()


@pytest.mark.parametrize("where", ["init", "merge", "emit"])
def test_only_a_step_reads_what_is_no_key(where: str) -> None:
    wrong = replace(fold(merge=S1), **{where: X if where == "emit" else (X,)})  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        goals(FoldProblem(wrong, eq(N, 1)), unchanged(eq(N, 1)))


def test_a_key_is_one_for_all_rows_and_states() -> None:
    """The state that all rows leave is the key, so a row that is dropped is not missed."""
    problem = FoldProblem(replace(KEYS, facts=()), p.sql("!=", N, p.num(9)))
    psi = (ir.Same(S1, ir.Col("k")), ir.Same(S2, ir.Col("k")), implies(HERE2, HERE1))
    passing = Solution("partial", ir.TRUE, problem.predicate, (*psi, implies(HERE1, HERE2)))
    assert failing(problem, passing) == set()
    never = FoldProblem(problem.fold, ir.And((problem.predicate, p.sql("==", N, p.num(9)))))
    assert failing(never, Solution("split", p.sql("==", K, p.num(3)), ir.FALSE, psi)) == set()


def test_a_parameter_is_one_for_all() -> None:
    never = FoldProblem(replace(PARAMS, facts=()), p.sql("!=", N, T))
    psi = (ir.Or((null(S1), ir.Same(S1, T))), ir.Or((null(S2), ir.Same(S2, T))))
    assert failing(never, Solution("split", p.sql("<", X, T), ir.FALSE, psi)) == set()


def two(merge: bool) -> Fold:
    """A count and a constant."""
    other = ir.Slot(1)
    f = fold(step=COUNT_B, merge=SUM if merge else None)
    same_side = (ir.Slot(1, 1),) if merge else ()
    return replace(
        f, slots=(*f.slots, StateSlot("u", ty.INT)), init=(*f.init, p.num(3)), step=(*f.step, other),
        merge=None if f.merge is None else (*f.merge, *same_side),
        outputs=(*f.outputs, OutputColumn("n2", ty.INT, other)),
    )  # fmt: skip


@pytest.mark.parametrize("merge", [False, True])
def test_an_absent_group_holds_every_initial_value(merge: bool) -> None:
    problem = FoldProblem(two(merge), ir.And((p.sql(">", N, p.num(1)), eq(ir.Out("n2"), 3))))
    agree = ir.And((ir.Same(S1, S2), ir.Same(ir.Slot(1, 1), ir.Slot(1, 2)), eq(ir.Slot(1, 2), 3)))
    psi = (implies(HERE2, agree), implies(HERE2, HERE1), implies(HERE1, eq(ir.Slot(1, 1), 3)),
           implies(no(HERE2), ir.Or((no(HERE1), eq(S1, 0)))))  # fmt: skip
    assert failing(problem, Solution("partial", B, problem.predicate, psi)) == set()


def test_one_of_two_slots_that_breaks_a_step_or_an_output_is_enough() -> None:
    """Definedness is that of all parts."""
    f = two(False)
    raising = ir.If(B, p.num(-1), ir.Arith("+", ir.Slot(1), p.num(0), "python"))
    fs = [replace(f, init=(p.num(0), p.NULL), step=steps) for steps in ((S, raising), (S, ir.If(B, p.num(-1), S)))]
    fs[1] = replace(fs[1], outputs=(f.outputs[0], OutputColumn("n2", ty.INT, raising)))
    psi = tuple(ir.Or((null(s), eq(s, -1))) for s in (ir.Slot(1, 1), ir.Slot(1, 2)))
    problem = FoldProblem(fs[0], ir.And((eq(N, 7), eq(N, 8))))
    assert failing(problem, solution(no(B), ir.FALSE, *psi)) == {("Safe", "step")}


def test_an_error_in_an_absent_group_is_none() -> None:
    """What a global run would evaluate, an absent group does not."""
    problem = FoldProblem(fold(init=p.NULL, step=p.num(1), out=ir.Arith("+", S, p.num(0), "python")), eq(N, 7))
    assert failing(problem, solution(ir.FALSE, ir.FALSE, no(HERE2), ir.Or((null(S1), eq(S1, 1))))) == set()
    world = FoldProblem(replace(problem.fold, grouped=False, columns=problem.fold.columns[1:]), eq(N, 7))
    assert failing(world, solution(ir.FALSE, ir.FALSE, null(S2), eq(S1, 1))) == {
        ("Init", ""), ("Safe", "output"), ("Safe", f"output {KEPT}"),
    }  # fmt: skip


def test_an_absent_group_passes_nothing() -> None:
    """Its state may be one that passes."""
    problem = FoldProblem(fold(step=COUNT_B), p.sql("<", N, p.num(5)))
    psi = (ir.Same(S1, S2), implies(no(HERE2), eq(S1, 0)), implies(HERE2, HERE1))
    assert failing(problem, Solution("partial", B, problem.predicate, psi)) == {("Final", "")}


@pytest.mark.parametrize("where", ["init", "step", "merge"])
def test_a_value_of_another_kind_than_its_slot_has_no_encoding(where: str) -> None:
    f = fold(merge=S1)
    wrong = replace(f, **{where: (p.text("a"),)})  # type: ignore[arg-type]
    with pytest.raises(UnsupportedTerm):
        goals(FoldProblem(wrong, eq(N, 1)), unchanged(eq(N, 1)))


def test_what_a_slot_holds_is_widened() -> None:
    flags = fold(init=ir.FALSE, step=ir.Truthy(B), merge=ir.If(eq(S1, 1), ir.TRUE, S2))
    assert failing(FoldProblem(flags, eq(N, 1)), unchanged(eq(N, 1))) == set()


@pytest.mark.parametrize(
    ("conjunct", "columns"),
    [
        (p.sql(">", X, B), ["b", "x"]), (ir.Same(K, X), ["k", "x"]), (ir.In(X, (p.num(1), B), "sql"), ["x"]),
        (p.sql(">", ir.Arith("+", X, B, "sql"), K), ["k"]), (ir.Or((p.sql(">", X, B), ir.IsNaN(K))), []),
        (ir.Or((p.sql(">", X, p.num(1)), null(K))), ["x"]), (ir.StringTest("contains", X, B, "sql"), []),
        (ir.Not(p.sql(">", p.num(1), X)), ["x"]),
    ],
)  # fmt: skip
def test_what_a_source_could_evaluate(conjunct: Expr, columns: list[str]) -> None:
    assert pushable_columns(conjunct) == columns


NAN7 = fold(x=ty.FLOAT, step=ir.If(ir.IsNaN(X), p.num(7), S))


def test_each_conjunct_may_lose_a_nan_by_itself() -> None:
    """A row without NaN is kept where the conjunct holds; one with NaN may be lost; NULL is no NaN."""
    problem = FoldProblem(fold(x=ty.FLOAT, step=ir.If(ir.Or((null(X), ir.IsNaN(X))), S, p.num(7))), eq(N, 7))
    seen = (implies(eq(S1, 7), ir.And((HERE2, eq(S2, 7)))), implies(HERE2, HERE1), implies(eq(S2, 7), eq(S1, 7)),
            implies(HERE2, ir.Or((eq(S2, 0), eq(S2, 7)))))  # fmt: skip
    wide = ir.Or((p.sql("<=", X, p.num(1)), p.sql(">", X, p.num(1))))
    assert failing(problem, solution(wide, eq(N, 7), *seen, kind="partial")) == set()
    nulls = FoldProblem(fold(x=ty.FLOAT, step=ir.If(null(X), p.num(7), S)), eq(N, 7))
    assert failing(nulls, solution(ir.Or((null(X), p.sql(">", X, p.num(1)))), eq(N, 7), *seen, kind="partial")) == set()
    nan = FoldProblem(NAN7, eq(N, 7))
    assert failing(nan, solution(wide, eq(N, 7), *seen, kind="partial")) == {("Stutter", "")}
    assert failing(nan, solution(ir.And((wide, wide)), eq(N, 7), *seen, kind="partial")) == {("Stutter", "")}


def test_what_may_be_lost_may_also_be_kept() -> None:
    """A proof must not rest on the loss."""
    nan = FoldProblem(NAN7, ir.Or((eq(N, 0), eq(N, 7))))
    never = solution(ir.And((p.sql(">", X, p.num(1)), no(p.sql("<=", X, p.num(1))))), ir.FALSE, *ABSENT)
    assert ("Sync", "") in failing(nan, never)
    kept = replace(never, invariant=(no(ir.IsTrue(eq(S2, 7))),))
    assert ("Sync", "") in failing(FoldProblem(NAN7, ir.And((eq(N, 5), eq(N, 6)))), kept)


def test_a_parameter_in_a_prefilter_is_total_and_in_a_row_function_known() -> None:
    f = replace(
        row(ir.Arith("+", X, p.num(0), "python"), facts=(p.sql("!=", X, T),)), params=(Parameter("t", ty.INT64),)
    )
    assert failing(FoldProblem(f, p.sql(">", N, T)), solution(ABOVE_T, ir.TRUE, kind="exact")) == set()
    assert accepted(check(certify(*RIGHT["a parameter"])))


def test_an_opaque_function_of_the_row_is_not_that_of_the_output() -> None:
    """Numbers that are equal may still differ to it."""
    called = ir.Call("f", (X,), ty.INT64, total=True)
    f = row(X)
    f = replace(f, outputs=(*f.outputs, OutputColumn("m", ty.INT64, called)))
    problem = FoldProblem(f, eq(ir.Call("f", (N,), ty.INT64, total=True), 1))
    assert ("Final", "") in failing(problem, solution(ir.TRUE, eq(ir.Out("m"), 1)))


def test_one_conjunct_of_a_prefilter_that_raises_is_enough() -> None:
    inverse = p.sql(">", ir.Arith("/", p.num(1), X, "sql"), p.num(0))
    raising = ir.Or((null(inverse), inverse, no(inverse)))
    for g in (ir.And((no(null(X)), raising)), ir.And((raising, no(null(X))))):
        problem = FoldProblem(fold(), ir.And((eq(N, 7), eq(N, 8))))
        assert failing(problem, solution(g, ir.FALSE)) == {("Safe", "pre-filter")}


def test_an_opaque_function_of_a_key_is_not_that_of_a_row() -> None:
    """A group holds rows whose keys are equal and still differ to it."""
    called = ir.Call("f", (K,), ty.INT64, total=True)
    shown = (OutputColumn("n", ty.INT64, S),)
    f = replace(KEYS, facts=(), init=(called,), step=(called,), outputs=shown, merge=None, emit=ir.TRUE)
    same = solution(p.sql("==", K, p.num(3)), ir.TRUE, ir.Same(S1, called), ir.Same(S2, called))
    assert {("Sync", ""), ("Stutter", "")} <= failing(FoldProblem(f, eq(N, 7)), same)
    kept = replace(f, init=(K,), step=(K,))
    psi = (ir.Same(S1, K), ir.Same(S2, K))
    assert not {("Sync", ""), ("Stutter", "")} & failing(FoldProblem(kept, eq(N, 7)), replace(same, invariant=psi))


def test_a_filter_that_may_raise_before_a_row_function_is_kept_as_it_is() -> None:
    """Its error is the original's, too; one of the residual alone is not."""
    for column, parts in (("x", set[tuple[str, str]]()), ("n", {("Safe", "output")})):
        f = row(ir.Arith("+", X, p.num(0), "python"))
        raising = always(inverse(ir.Out(column)))
        kept = ir.And((raising, p.sql(">", N, p.num(5))))
        predicate = kept if column == "x" else kept.operands[1]
        assert failing(FoldProblem(f, predicate), solution(ir.TRUE, kept, kind="split")) == parts


def test_a_global_fold_is_never_absent() -> None:
    world = fold(step=COUNT_B, merge=SUM, grouped=False)
    some = p.sql(">=", N, p.num(0))
    assert failing(FoldProblem(world, some), Solution("partial", ir.TRUE, some, (ir.Same(S1, S2),))) == set()


def test_what_is_merged_with_an_absent_group_stays_as_it_is() -> None:
    """Whatever the merge function would make of the initial value: another value, or an error."""
    spoilt = ir.If(ir.Or((eq(S1, 0), eq(S2, 0))), p.num(9), p.num(7))
    sevens = (implies(HERE1, eq(S1, 7)), implies(HERE2, eq(S2, 7)))
    never = FoldProblem(fold(step=p.num(7), merge=spoilt), eq(N, 9))
    assert failing(never, solution(B, ir.FALSE, *sevens)) == set()
    some = tuple(implies(here, p.sql(">=", s, p.num(1))) for here, s in ((HERE1, S1), (HERE2, S2)))
    never = FoldProblem(fold(init=p.NULL, step=p.num(1), merge=SUM), eq(N, -7))
    assert failing(never, solution(B, ir.FALSE, *some)) == set()


def test_the_row_of_a_group_that_emits_none_is_not_evaluated() -> None:
    f = replace(fold(), outputs=(OutputColumn("n", ty.INT64, ir.Raise("no row")),), emit=p.sql(">", S, p.num(3)))
    v = Vocabulary(FoldProblem(f, p.sql(">", ir.Out("n"), p.num(0))), ())
    state, assumed = v.state("a")
    emitted = is_true(v.encoder.eval(f.emit, v.scope(s0=state))[0])
    _, ok = v.passes(state, p.sql(">", ir.Out("n"), p.num(0)))
    solver = z3.Solver()
    solver.add(*v.encoder.axioms, *assumed, state.present)
    assert solver.check(ok != z3.Not(emitted)) == z3.unsat
    assert solver.check(ok) == z3.sat
