"""For every verification condition a wrong solution that this condition alone rejects, and for every hypothesis a right
one that is lost without it. Without these, a condition could be forgotten and nobody would notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import z3

from headwater.proof.certificate import certify
from headwater.proof.checker import accepted, check
from headwater.proof.conditions import goals
from headwater.semantics.values import fresh_context, lnot
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.expr import Expr
from headwater_ir.problem import Column, Fold, FoldProblem, OutputColumn, Parameter, StateSlot
from headwater_ir.verdict import Kind, Solution
from tests.planted import Fault
from tests.synthesis import problems as p

Parts = set[tuple[str, str]]
X, B, K = ir.Col("x"), ir.Col("b"), ir.Col("k")
S, S1, S2 = ir.Slot(0), ir.Slot(0, 1), ir.Slot(0, 2)
HERE1, HERE2 = ir.Present(1), ir.Present(2)
N = ir.Out("n")
KEPT = "with the filter kept"


def no(e: Expr) -> Expr:
    return ir.Not(e)


def null(e: Expr) -> Expr:
    return ir.IsNull(e)


def implies(a: Expr, b: Expr) -> Expr:
    return ir.Or((no(ir.IsTrue(a)), b))


def eq(a: Expr, c: int) -> Expr:
    return p.sql("==", a, p.num(c))


def inverse(e: Expr) -> Expr:
    """Raises where ``e`` is 0, under ANSI."""
    return p.sql(">", ir.Arith("/", p.num(1), e, "sql"), p.num(0))


def always(e: Expr) -> Expr:
    """TRUE, but only after evaluating ``e``."""
    return ir.Or((null(e), e, no(e)))


ZERO = p.num(0)


def fold(
    init: Expr = ZERO, step: Expr = S, out: Expr = S, merge: Expr | None = None, grouped: bool = True,
    emit: Expr = ir.TRUE, facts: tuple[Expr, ...] = (), slot: ty.Type = ty.INT, x: ty.Type = ty.INT64,
) -> Fold:  # fmt: skip
    """One slot, one output ``n``, columns ``x`` and ``b``, the key ``k`` if grouped, the parameter ``t``."""
    columns = (*((Column("k", ty.STRING, is_key=True),) if grouped else ()), Column("x", x), Column("b", ty.BOOL))
    return Fold(
        "f", "agg", columns, (StateSlot("s", slot),), (init,), (step,), (OutputColumn("n", slot, out),),
        merge=None if merge is None else (merge,), emit=emit, grouped=grouped, facts=facts,
        params=(Parameter("t", ty.INT64),),
    )  # fmt: skip


def row(value: Expr, facts: tuple[Expr, ...] = (), x: ty.Type = ty.INT64) -> Fold:
    """A row function with the computed output ``n`` and the column ``x`` passed on."""
    outs = (OutputColumn("n", ty.INT, value), OutputColumn("x", x, X))
    return Fold("f", "udf", (Column("x", x), Column("b", ty.BOOL)), (), (), (), outs, rows="one", facts=facts)


def shows(f: Fold, *values: Any) -> Fold:
    """``f`` with other outputs: ``n``, ``n2``, … (value and type by turns)."""
    pairs = enumerate(zip(values[::2], values[1::2], strict=True))
    return replace(f, outputs=tuple(OutputColumn("n" if i == 0 else f"n{i + 1}", t, e) for i, (e, t) in pairs))


def solution(g: Expr, r: Expr, *psi: Expr, kind: Kind = "split") -> Solution:
    return Solution(kind, g, r, psi)


def _is_proved(claim: z3.BoolRef) -> bool:
    """Whether ``claim`` has no model. As the checker asks it: what one strategy does not decide in time is no failure
    yet."""
    answers = (_answer(make(), claim) for make in (z3.SimpleSolver, z3.Solver))
    return bool(next((a for a in answers if a != z3.unknown), z3.unknown) == z3.unsat)


def _answer(solver: z3.Solver, claim: z3.BoolRef) -> z3.CheckSatResult:
    solver.set("timeout", 10_000)
    solver.add(claim)
    return solver.check()


def failing(problem: FoldProblem, s: Solution) -> Parts:
    """The goals that are not proved, one by one; and the checker's word that it agrees."""
    fresh_context()
    found: Parts = set()
    for goal in goals(problem, s):
        if not _is_proved(z3.And(*goal.hypotheses, lnot(goal.conclusion))):
            found.add((goal.name, goal.part))
    assert accepted(check(certify(problem, s))) is not bool(found)
    return found


ABSENT = (no(HERE1), no(HERE2))
NEVER = FoldProblem(fold(step=p.num(0)), eq(N, 7))
ONE_IF_B = ir.If(B, p.num(1), ir.Arith("+", S, p.num(0), "python"))
ONE_OR_NULL = [ir.Or((null(s), eq(s, 1))) for s in (S1, S2)]
SUM = ir.Arith("+", S1, S2, "python")
POSITIVE_OR_NULL = [ir.Or((null(s), p.sql(">=", s, p.num(1)))) for s in (S1, S2)]
EQUAL = (ir.Same(S1, S2), ir.Or((ir.And((HERE1, HERE2)), ir.And(ABSENT))))
IDLE = fold(step=S, init=p.num(1))
OVER = p.sql(">", S1, p.num(100))
OVER2 = p.sql(">", S2, p.num(100))
LARGEST = (implies(OVER, ir.And((HERE1, HERE2, ir.Same(S1, S2)))), ir.Or((no(HERE2), OVER2)), implies(HERE2, HERE1),
           implies(HERE2, ir.Same(S1, S2)))  # fmt: skip
MAXIMUM = p.maximum(ty.INT64)
FORGETS = replace(MAXIMUM, merge=(ir.If(ir.And((OVER, p.sql("<=", S2, p.num(100)))), S2, MAXIMUM.merge[0]),))  # type: ignore[index]
RAISES = ir.And((inverse(N), eq(N, 5)))
INFINITY = p.num(float("inf"))
IMPOSSIBLE = ir.And((eq(N, 7), eq(N, 8)))
FLOATS = p.maximum(ty.FLOAT)
TEXT = p.sql("==", ir.Col("k"), p.text("a"))
COUNT_B = ir.If(B, ir.Arith("+", S, p.num(1), "python"), S)

ALONE: dict[str, tuple[FoldProblem, Solution, Parts]] = {
    "a ψ that does not hold at the start": (NEVER, solution(ir.TRUE, ir.TRUE, ir.FALSE), {("Init", "")}),
    "a ψ that a kept row breaks": (
        FoldProblem(fold(), p.sql(">=", N, p.num(0))), solution(ir.TRUE, ir.FALSE, *ABSENT), {("Sync", "")},
    ),
    "a ψ that a dropped row breaks": (
        FoldProblem(fold(), p.sql(">=", N, p.num(0))), solution(ir.FALSE, ir.FALSE, *ABSENT), {("Stutter", "")},
    ),
    "a ψ that a row with NULL breaks: G is NULL, and drops it": (
        FoldProblem(fold(), p.sql(">=", N, p.num(0))),
        solution(ir.Or((null(X), eq(X, 0), no(eq(X, 0)), ir.FALSE)), ir.FALSE, *ABSENT), {("Sync", "")},
    ),
    "a ψ that a merge breaks": (
        FoldProblem(FORGETS, p.m(">", 100)), solution(p.sql(">", X, p.num(100)), ir.TRUE, *LARGEST, kind="exact"),
        {("Merge", "")},
    ),
    "a ψ of the original that a kept row breaks": (
        FoldProblem(fold(), IMPOSSIBLE), solution(ir.TRUE, ir.FALSE, no(HERE1)), {("Sync", "")},
    ),
    "a ψ of the optimized run that a kept row breaks": (
        FoldProblem(fold(), IMPOSSIBLE), solution(ir.TRUE, ir.FALSE, no(HERE2)), {("Sync", "")},
    ),
    "a ψ of the original that a dropped row breaks": (
        FoldProblem(fold(), IMPOSSIBLE), solution(ir.FALSE, ir.FALSE, no(HERE1)), {("Stutter", "")},
    ),
    **{
        f"a value of {whose} that {what} breaks": (
            FoldProblem(f, IMPOSSIBLE),
            solution(ir.TRUE, ir.FALSE, ir.Or((eq(one, 0), eq(one, 5))), eq(other, 5)), parts,
        )
        for whose, one, other in (("the original", S1, S2), ("the optimized run", S2, S1))
        for what, f, parts in (
            ("a step", fold(init=p.num(5), step=ir.If(eq(S, 0), p.num(9), S)), {("Sync", "")}),
            ("a merge", fold(init=p.num(5), merge=ir.If(eq(S1, 0), p.num(9), S1)), {("Merge", "")}),
        )
    },
    "a value of the original that a dropped row breaks": (
        FoldProblem(fold(init=p.num(5), step=ir.If(eq(S, 0), p.num(9), S)), IMPOSSIBLE),
        solution(ir.FALSE, ir.FALSE, ir.Or((eq(S1, 0), eq(S1, 5))), eq(S2, 5)), {("Stutter", "")},
    ),
    "a ψ of the original that a merge breaks": (
        FoldProblem(fold(merge=p.num(1)), IMPOSSIBLE), solution(ir.FALSE, ir.FALSE, eq(S1, 0)), {("Merge", "")},
    ),
    "a ψ of the optimized run that a merge breaks": (
        FoldProblem(fold(merge=p.num(1)), IMPOSSIBLE), solution(ir.FALSE, ir.FALSE, eq(S2, 0)), {("Merge", "")},
    ),
    "a ψ that only the merge of two absent groups keeps": (
        FoldProblem(fold(merge=S1), IMPOSSIBLE), solution(ir.FALSE, ir.FALSE, HERE1), {("Init", "")},
    ),
    "one of two outputs differs": (
        FoldProblem(shows(fold(step=COUNT_B), ir.Lit(5, ty.INT), ty.INT, S, ty.INT), eq(N, 5)),
        solution(ir.TRUE, ir.TRUE, ir.Or((ir.And((HERE1, HERE2)), ir.And(ABSENT))), no(null(S1)), no(null(S2)),
                 kind="exact"),
        {("Final", ""), ("Final", KEPT)},
    ),
    "the other of two outputs differs": (
        FoldProblem(shows(fold(step=COUNT_B), S, ty.INT, ir.Lit(5, ty.INT), ty.INT), eq(ir.Out("n2"), 5)),
        solution(ir.TRUE, ir.TRUE, ir.Or((ir.And((HERE1, HERE2)), ir.And(ABSENT))), no(null(S1)), no(null(S2)),
                 kind="exact"),
        {("Final", ""), ("Final", KEPT)},
    ),
    "a comparison that a scan may lose a NaN to": (
        FoldProblem(FLOATS, p.m(">", 100)), solution(p.sql(">", X, p.num(100)), ir.TRUE, *LARGEST, kind="exact"),
        {("Stutter", "")},
    ),
    "a membership that a scan may lose a NaN to": (
        FoldProblem(fold(x=ty.FLOAT, step=ir.If(ir.IsNaN(X), p.num(7), S)), eq(N, 7)),
        solution(ir.In(X, (p.NAN,), "sql"), ir.TRUE, implies(eq(S1, 7), ir.And((HERE2, eq(S2, 7)))),
                 implies(HERE2, eq(S2, 7)), implies(HERE2, eq(S1, 7)), implies(HERE2, HERE1), kind="exact"),
        {("Stutter", "")},
    ),
    "an identity that a scan may lose a NaN to, the constant first": (
        FoldProblem(fold(x=ty.FLOAT, step=ir.If(ir.IsNaN(X), p.num(7), S)), eq(N, 7)),
        solution(ir.Same(p.NAN, X), ir.TRUE, implies(eq(S1, 7), ir.And((HERE2, eq(S2, 7)))), implies(HERE2, eq(S2, 7)),
                 implies(HERE2, eq(S1, 7)), implies(HERE2, HERE1), kind="exact"),
        {("Stutter", "")},
    ),
    "NULL in a global fold's result": (
        FoldProblem(fold(init=p.NULL, step=ir.If(null(X), S, X), grouped=False), null(N)),
        solution(ir.FALSE, null(N), null(S2), kind="partial"), {("Final", "")},
    ),
    "a group that emits nothing without the dropped rows": (
        FoldProblem(fold(step=p.num(1), emit=p.py(">", S, p.num(0))), p.sql(">=", N, p.num(0))),
        solution(ir.TRUE, p.sql(">=", N, p.num(0)), ir.Or((ir.And((HERE1, HERE2)), ir.And(ABSENT))), eq(S1, 0),
                 eq(S2, 0), kind="partial"),
        {("Sync", "")},
    ),
    "an emission that raises only without the dropped rows": (
        FoldProblem(fold(init=p.NULL, step=ir.If(B, p.num(-1), S), emit=p.py(">", S, p.num(0))),
                    p.sql(">=", N, p.num(0))),
        solution(no(B), ir.FALSE, *(ir.Or((null(s), eq(s, -1))) for s in (S1, S2))),
        {("Safe", "output"), ("Safe", f"output {KEPT}")},
    ),
    "an output that raises only without the dropped rows": (
        FoldProblem(fold(init=p.NULL, step=ir.If(B, p.num(-1), S), out=ir.Arith("+", S, p.num(0), "python")), eq(N, 7)),
        solution(no(B), ir.FALSE, *(ir.Or((null(s), eq(s, -1))) for s in (S1, S2))),
        {("Safe", "output"), ("Safe", f"output {KEPT}")},
    ),
    "a residual that rejects what passes": (
        FoldProblem(fold(), eq(N, 0)), solution(ir.TRUE, ir.FALSE, *EQUAL), {("Final", "")},
    ),
    "a residual that accepts what does not pass": (
        FoldProblem(fold(), eq(N, 7)), solution(ir.TRUE, ir.TRUE, *EQUAL, kind="exact"), {("Final", "")},
    ),
    "an output that differs": (
        FoldProblem(fold(step=COUNT_B), p.sql(">=", N, p.num(0))),
        solution(ir.TRUE, ir.TRUE, ir.And((p.sql(">=", S1, p.num(0)), p.sql(">=", S2, p.num(0)))),
                 ir.Or((ir.And((HERE1, HERE2)), ir.And(ABSENT)))),
        {("Final", ""), ("Final", KEPT)},
    ),
    "a ψ too weak for the filter itself": (
        FoldProblem(IDLE, eq(N, 5)), solution(ir.FALSE, ir.FALSE, eq(S1, 1)), {("Final", KEPT)},
    ),
    "a step that raises only without the dropped rows": (
        FoldProblem(fold(init=p.NULL, step=ONE_IF_B), eq(N, 7)), solution(no(B), ir.FALSE, *ONE_OR_NULL),
        {("Safe", "step")},
    ),
    "a pre-filter that raises": (
        FoldProblem(fold(), eq(N, 7)), solution(always(inverse(X)), ir.FALSE, eq(S1, 0), eq(S2, 0)),
        {("Safe", "pre-filter")},
    ),
    "a pre-filter that raises unless its first conjunct is evaluated first": (
        FoldProblem(fold(), eq(N, 7)),
        solution(ir.And((no(eq(X, 0)), always(inverse(X)))), ir.FALSE, eq(S1, 0), eq(S2, 0)), {("Safe", "pre-filter")},
    ),
    "a pre-filter that raises in a branch": (
        FoldProblem(fold(), eq(N, 7)),
        solution(ir.If(eq(X, 0), ir.TRUE, always(inverse(X))), ir.FALSE, eq(S1, 0), eq(S2, 0)),
        {("Safe", "pre-filter")},
    ),
    "a merge that raises only without the dropped rows": (
        FoldProblem(fold(init=p.NULL, step=ir.If(B, p.num(1), S), merge=SUM), eq(N, 0)),
        solution(no(B), ir.FALSE, *POSITIVE_OR_NULL), {("Safe", "merge")},
    ),
    "a residual that raises": (
        FoldProblem(fold(), eq(N, 0)), solution(ir.TRUE, ir.And((eq(N, 0), always(inverse(N)))), *EQUAL),
        {("Safe", "output")},
    ),
    "a filter that raises only on what the optimized run shows": (
        FoldProblem(IDLE, RAISES), solution(ir.FALSE, ir.FALSE, eq(S1, 1), ir.Or((eq(S2, 0), eq(S2, 1)))),
        {("Safe", f"output {KEPT}")},
    ),
    "a row that the filter passes is dropped": (
        FoldProblem(row(X), eq(N, 1)), solution(eq(X, 2), eq(N, 1), kind="partial"), {("Final", "")},
    ),
    "a row that does not pass is kept": (
        FoldProblem(row(X), eq(N, 1)), solution(ir.Or((eq(X, 1), eq(X, 2))), ir.TRUE, kind="exact"), {("Final", "")},
    ),
    "a row function's pre-filter that raises": (
        FoldProblem(row(X), eq(N, 1)), solution(ir.And((eq(X, 1), always(inverse(ir.Arith("-", X, p.num(2), "sql"))))),
                                               ir.TRUE, kind="exact"),
        {("Safe", "pre-filter")},
    ),
    "a row function's residual that raises": (
        FoldProblem(row(X), eq(N, 0)), solution(ir.TRUE, ir.And((eq(N, 0), always(inverse(N))))), {("Safe", "output")},
    ),
    "a row function that raises on a row that the filter's own early conjunct drops": (
        FoldProblem(row(ir.Arith("+", X, p.num(1), "python")),
                    ir.And((no(null(ir.Out("x"))), p.sql(">", N, p.num(1))))),
        solution(ir.TRUE, ir.And((p.sql(">", N, p.num(1)), ir.If(null(ir.Out("x")), ir.FALSE, ir.Same(N, N))))),
        {("Safe", "output")},
    ),
    "an output that nobody reads, and that raises where the filter's early conjunct drops": (
        FoldProblem(replace(row(ir.If(ir.Same(X, p.num(1)), p.num(1), p.num(0))), outputs=(
            OutputColumn("n", ty.INT, ir.If(ir.Same(X, p.num(1)), p.num(1), p.num(0))), OutputColumn("x", ty.INT64, X),
            OutputColumn("e", ty.INT, ir.Arith("+", X, p.num(1), "python")))),
                    ir.And((no(null(ir.Out("x"))), eq(N, 1)))),
        solution(ir.TRUE, ir.And((eq(N, 1), ir.If(null(ir.Out("x")), ir.FALSE, ir.Same(N, N))))), {("Safe", "output")},
    ),
}  # fmt: skip


def rejected(name: str) -> bool:
    """Whether the conditions that are listed for it reject the wrong solution, and no others."""
    problem, s, parts = ALONE[name]
    return failing(problem, s) == parts


@pytest.mark.parametrize("name", ALONE)
def test_one_condition_alone_rejects_it(name: str) -> None:
    assert rejected(name)


def faults() -> Iterator[Fault]:
    """The wrong solutions, as the registry of planted faults takes them."""
    for name in ALONE:
        yield Fault("certificates", name, partial(rejected, name), brief=False)


RIGHT: dict[str, tuple[FoldProblem, Solution]] = {
    "max, one row after the other and merged": (
        FoldProblem(MAXIMUM, p.m(">", 100)), solution(p.sql(">", X, p.num(100)), ir.TRUE, *LARGEST, kind="exact"),
    ),
    "nothing moves": (
        FoldProblem(fold(step=COUNT_B, merge=SUM), p.sql(">", N, p.num(1))),
        solution(ir.TRUE, p.sql(">", N, p.num(1)), *EQUAL, kind="partial"),
    ),
    "a global count": (
        FoldProblem(fold(step=COUNT_B, grouped=False), p.sql("<", N, p.num(3))),
        solution(B, p.sql("<", N, p.num(3)), ir.Same(S1, S2), HERE1, HERE2, kind="partial"),
    ),
    "an absent group and a present one that no filter passes": (
        FoldProblem(fold(step=COUNT_B), p.sql(">", N, p.num(1))),
        solution(B, p.sql(">", N, p.num(1)), ir.Same(S1, S2), implies(no(HERE2), eq(S1, 0)), implies(HERE2, HERE1),
                 kind="partial"),
    ),
    "⊥ holds the initial values": (
        FoldProblem(fold(step=COUNT_B), p.sql(">", N, p.num(1))),
        solution(B, p.sql(">", N, p.num(1)), implies(HERE2, ir.Same(S1, S2)), implies(HERE2, HERE1),
                 implies(no(HERE2), ir.Or((no(HERE1), eq(S1, 0)))), kind="partial"),
    ),
    "a step that raises in both runs": (
        FoldProblem(fold(init=p.NULL, step=ir.If(B, p.num(1), ir.Arith("+", X, p.num(0), "python"))), eq(N, 7)),
        solution(ir.Or((B, no(B), null(B))), eq(N, 7), *EQUAL, kind="partial"),
    ),
    "an error of the original excuses what comes after": (
        FoldProblem(fold(step=ir.If(null(X), ir.Raise("no"), COUNT_B)), p.sql(">=", N, p.num(0))),
        solution(no(null(X)), ir.TRUE, *EQUAL, p.sql(">=", S1, p.num(0)), kind="exact"),
    ),
    "an output that raises in both runs": (
        FoldProblem(fold(step=COUNT_B, out=ir.Arith("//", p.num(8), S, "python")), p.sql(">", N, p.num(1))),
        solution(ir.TRUE, p.sql(">", N, p.num(1)), *EQUAL, kind="partial"),
    ),
    "what is known of every row": (
        FoldProblem(fold(step=ir.If(null(X), p.num(9), S), facts=(no(null(X)),)), eq(N, 9)),
        solution(ir.FALSE, ir.FALSE, eq(S1, 0), no(HERE2), eq(S2, 0)),
    ),
    "a pre-filter that raises only on rows that there are none of": (
        FoldProblem(fold(facts=(no(eq(X, 0)),)), eq(N, 7)),
        solution(always(inverse(X)), ir.FALSE, eq(S1, 0), eq(S2, 0)),
    ),
    "a group that emits nothing passes nothing": (
        FoldProblem(fold(step=COUNT_B, emit=p.py(">", S, p.num(0))), p.sql(">=", N, p.num(0))),
        solution(B, p.sql(">=", N, p.num(0)), ir.Same(S1, S2), implies(HERE2, HERE1), implies(no(HERE2), eq(S1, 0)),
                 p.sql(">=", S1, p.num(0)), kind="partial"),
    ),
    "an output that raises where nothing is emitted": (
        FoldProblem(fold(step=COUNT_B, emit=p.py(">", S, p.num(0)), out=ir.If(eq(S, 0), ir.Raise("no"), S)),
                    p.sql(">=", N, p.num(0))),
        solution(ir.TRUE, p.sql(">=", N, p.num(0)), *EQUAL, kind="partial"),
    ),
    "a key": (
        FoldProblem(shows(fold(step=COUNT_B), K, ty.STRING), p.sql("==", N, p.text("a"))),
        solution(p.sql("==", K, p.text("a")), ir.TRUE, ir.Or((ir.And((HERE1, HERE2)), ir.And(ABSENT),
                 ir.And((no(HERE2), no(ir.IsTrue(p.sql("==", K, p.text("a")))))))),
                 ir.Or((no(HERE2), p.sql("==", K, p.text("a")))), implies(HERE2, ir.Same(S1, S2)), kind="exact"),
    ),
    "a parameter": (
        FoldProblem(replace(MAXIMUM, params=(Parameter("t", ty.INT64),)), p.sql(">", ir.Out("m"), ir.Param("t"))),
        solution(p.sql(">", X, ir.Param("t")), ir.TRUE, *(ir.transform(
            e, lambda n: ir.Param("t") if n == p.num(100) else None) for e in LARGEST), kind="exact"),
    ),
    "a merge that does not commute": (
        FoldProblem(fold(step=COUNT_B, merge=S1), p.sql(">", N, p.num(1))),
        solution(ir.TRUE, p.sql(">", N, p.num(1)), *EQUAL, kind="partial"),
    ),
    "⊥ holds the initial values, on each side of a merge": (
        FoldProblem(fold(merge=SUM), IMPOSSIBLE),
        solution(ir.TRUE, ir.FALSE, ir.Same(S1, S2), no(null(S1)), no(null(S2))),
    ),
    "a step that raises only on rows that are dropped": (
        FoldProblem(fold(init=p.NULL, step=ir.If(ir.Or((B, eq(X, 5))), p.num(1), ir.Arith("+", S, p.num(0), "python"))),
                    IMPOSSIBLE),
        solution(B, ir.FALSE, *ONE_OR_NULL),
    ),
    "the absent optimized run stays absent": (FoldProblem(fold(), IMPOSSIBLE), solution(ir.FALSE, ir.FALSE, no(HERE2))),
    "the original's rows are not the optimized run's": (
        FoldProblem(fold(step=X), IMPOSSIBLE), solution(ir.FALSE, ir.FALSE, eq(S2, 0)),
    ),
    "a merge that takes the right side": (
        FoldProblem(fold(merge=S2), IMPOSSIBLE), solution(ir.FALSE, ir.FALSE, eq(S1, 0), eq(S2, 0)),
    ),
    "a merge that takes the left side": (
        FoldProblem(fold(merge=S1), IMPOSSIBLE), solution(ir.FALSE, ir.FALSE, eq(S1, 0), eq(S2, 0)),
    ),
    "⊥ holds the initial values, merged": (
        FoldProblem(fold(step=COUNT_B, merge=SUM), p.sql(">", N, p.num(1))),
        solution(B, p.sql(">", N, p.num(1)), implies(HERE2, ir.Same(S1, S2)), implies(HERE2, HERE1),
                 implies(no(HERE2), ir.Or((no(HERE1), eq(S1, 0)))), kind="partial"),
    ),
    "a merge that raises in both runs": (
        FoldProblem(fold(init=p.NULL, step=ir.If(B, p.num(1), S), merge=SUM), p.sql(">", N, p.num(0))),
        solution(ir.TRUE, p.sql(">", N, p.num(0)), *EQUAL, kind="partial"),
    ),
    "nothing is beyond infinity": (
        FoldProblem(fold(x=ty.FLOAT, step=ir.If(ir.Or((null(X), ir.IsNaN(X), ir.And((p.sql("<=", X, INFINITY),
                    p.sql(">=", X, p.num(float("-inf"))))))), S, p.num(9))), eq(N, 9)),
        solution(ir.FALSE, ir.FALSE, eq(S1, 0), eq(S2, 0)),
    ),
    "a text that only the pre-filter holds": (
        FoldProblem(fold(), eq(N, 7)),
        solution(p.sql("<", K, p.text("m")), eq(N, 7), eq(S1, 0), eq(S2, 0), kind="partial"),
    ),
    "a text that only ψ holds": (
        FoldProblem(fold(), eq(N, 7)), solution(ir.TRUE, eq(N, 7), eq(S1, 0), eq(S2, 0),
                                               ir.Or((null(K), p.sql(">=", K, p.text("m")),
                                               p.sql("<", K, p.text("m")))),
                                               kind="partial"),
    ),
    "a text that only the residual holds": (
        FoldProblem(shows(fold(), S, ty.INT, K, ty.STRING), eq(N, 7)),
        solution(ir.TRUE, ir.And((eq(N, 7), p.sql("<", ir.Out("n2"), p.text("m")))), eq(S1, 0), eq(S2, 0)),
    ),
    "NaN kept by a test of its own": (
        FoldProblem(FLOATS, p.m(">", 100)),
        solution(ir.Or((p.sql(">", X, p.num(100)), ir.IsNaN(X))), ir.TRUE, *LARGEST, kind="exact"),
    ),
    "a row function of which a fact leaves nothing to drop": (
        FoldProblem(row(ir.If(ir.Or((p.sql(">", X, p.num(5)), eq(X, 3))), p.num(1), p.num(0)), facts=(no(eq(X, 3)),)),
                    eq(N, 1)),
        solution(p.sql(">", X, p.num(5)), ir.TRUE, kind="exact"),
    ),
    "a row function": (FoldProblem(row(X), eq(N, 1)), solution(eq(X, 1), ir.TRUE, kind="exact")),
    "a row function's filter that raises in both runs": (
        FoldProblem(row(ir.If(null(X), p.num(0), X)), inverse(N)), solution(ir.TRUE, inverse(N), kind="partial"),
    ),
    "a row function that raises in both runs": (
        FoldProblem(row(ir.Arith("+", X, p.num(1), "python")), p.sql(">", N, p.num(1))),
        solution(ir.TRUE, p.sql(">", N, p.num(1)), kind="partial"),
    ),
    "a row function and what is known of every row": (
        FoldProblem(row(ir.Arith("+", X, p.num(1), "python"), facts=(no(null(X)),)), p.sql(">", N, p.num(1))),
        solution(p.sql(">", X, p.num(0)), ir.TRUE, kind="exact"),
    ),
    "a row function that raises on a row that only the pre-filter drops": (
        FoldProblem(row(ir.Arith("+", X, p.num(1), "python")), p.sql(">", N, p.num(1))),
        solution(p.sql(">", X, p.num(0)), ir.TRUE, kind="exact"),
    ),
    "a filter's early conjunct spares the function": (
        FoldProblem(row(ir.Arith("+", X, p.num(1), "python")),
                    ir.And((no(null(ir.Out("x"))), p.sql(">", N, p.num(1))))),
        solution(no(null(X)), p.sql(">", N, p.num(1))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_right_solutions_are_accepted(name: str) -> None:
    assert failing(*RIGHT[name]) == set()
