"""What the checker says and refuses, check by check: statuses, times, malformed certificates, assumptions."""

from __future__ import annotations

import itertools
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import z3

from headwater.proof import checker, cvc5_backend
from headwater.proof.certificate import VERSION, assumptions, certify
from headwater.proof.checker import MalformedCertificate, accepted, check, decide
from headwater.semantics.values import UnsupportedTerm
from headwater_ir import codec
from headwater_ir import expr as ir
from headwater_ir import types as ty
from headwater_ir.assumptions import Assumption, note, purity_of
from headwater_ir.expr import Expr
from headwater_ir.problem import Column, FoldProblem, Parameter, StateSlot
from headwater_ir.verdict import Certificate, Condition, Solution
from tests.proof.test_wrong_certificates import ALONE, RIGHT, eq, fold, row, solution
from tests.synthesis import problems as p

X, N = ir.Col("x"), ir.Out("n")
ROW = FoldProblem(row(X), eq(N, 1))
ORDER = ("failed", "unknown", "proved")


def bare(problem: FoldProblem, s: Solution, *scripts: tuple[str, str]) -> Certificate:
    """For ``decide``, which does not derive the scripts."""
    return Certificate(VERSION, problem, s, (), scripts)  # type: ignore[arg-type]


@pytest.mark.parametrize("statuses", list(itertools.product(ORDER, repeat=3)))
def test_the_worst_part_decides(statuses: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "_z3", lambda text, seconds: text)
    names = ("Final", "Safe", "Final")
    found = decide(bare(ROW, RIGHT["a row function"][1], *zip(names, statuses, strict=True)))
    worst = min((statuses[0], statuses[2]), key=ORDER.index)
    assert [(c.name, c.status) for c in found] == [("Final", worst), ("Safe", statuses[1])]
    assert accepted(found) == (set(statuses) == {"proved"})


def test_nothing_proved_is_not_accepted() -> None:
    assert accepted(()) is False
    assert not accepted((Condition("Init", "proved", 0.0), Condition("Final", "unknown", 0.0)))


def test_times_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(checker, "time", SimpleNamespace(perf_counter=lambda: next(ticks) * 0.123456))
    monkeypatch.setattr(checker, "_z3", lambda text, seconds: "proved")
    found = decide(bare(ROW, RIGHT["a row function"][1], ("Final", ""), ("Final", ""), ("Safe", "")))
    assert [c.ms for c in found] == [246.91, 123.46]


def test_each_solver_is_asked_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = certify(*RIGHT["a row function"])
    monkeypatch.setattr(checker, "_z3", lambda text, seconds: "failed")
    monkeypatch.setattr(cvc5_backend, "prove", lambda text, seconds: "unknown")
    assert {c.status for c in check(certificate)} == {"failed"} == {c.status for c in decide(certificate)}
    assert (
        {c.status for c in check(certificate, "cvc5")} == {"unknown"} == {c.status for c in decide(certificate, "cvc5")}
    )


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        (z3.unsat, z3.sat, "proved"), (z3.sat, z3.unsat, "failed"), (z3.unknown, z3.unsat, "proved"),
        (z3.unknown, z3.sat, "failed"), (z3.unknown, z3.unknown, "unknown"),
    ],
)  # fmt: skip
def test_the_second_solver_is_asked_where_the_first_does_not_know(
    first: object, second: object, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []

    def solver(answer: object) -> Any:
        return lambda: SimpleNamespace(
            set=lambda *a: asked.append(a), from_string=lambda t: asked.append((t,)), check=lambda: answer
        )

    monkeypatch.setattr(z3, "SimpleSolver", solver(first))
    monkeypatch.setattr(z3, "Solver", solver(second))
    found = decide(bare(ROW, RIGHT["a row function"][1], ("Final", "text")), seconds=2.5)
    assert [c.status for c in found] == [status]
    assert asked == [("timeout", 2500), ("text",)] * (2 if first == z3.unknown else 1)


def with_prefilter(g: Expr) -> Certificate:
    return bare(ROW, solution(g, ir.TRUE, kind="exact"))


def with_residual(r: Expr, problem: FoldProblem = ROW) -> Certificate:
    return bare(problem, solution(eq(X, 1), r))


GHOST = replace(ROW.fold, columns=(*ROW.fold.columns, Column("g", ty.BOOL, ghost=True)))
MALFORMED: dict[str, tuple[Certificate, str]] = {
    "python": (with_prefilter(p.py("==", X, p.num(1))), "Compare cannot be said"),
    "python inside": (with_prefilter(ir.Not(p.py("==", X, p.num(1)))), "Compare cannot be said"),
    "truth of a value": (with_prefilter(ir.Truthy(X)), "Truthy cannot be said"),
    "an error": (with_prefilter(ir.Raise("no")), "Raise cannot be said"),
    "a slot": (with_prefilter(eq(ir.Slot(0, 1), 1)), "more than the row"),
    "an output": (with_prefilter(eq(N, 1)), "more than the row"),
    "presence": (with_prefilter(ir.Present(1)), "more than the row"),
    "no column": (with_prefilter(eq(ir.Col("y"), 1)), "reads y, which is no column"),
    "a free choice": (bare(FoldProblem(GHOST, eq(N, 1)), solution(ir.Col("g"), ir.FALSE)), "reads g, which is no"),
    "a function": (with_prefilter(ir.Call("f", (X,), ty.BOOL, total=True)), "calls f"),
    "python in the residual": (with_residual(p.py("==", N, p.num(2))), "Compare cannot be said"),
    "a truth in the residual": (with_residual(ir.Truthy(N)), "Truthy cannot be said"),
    "an error in the residual": (with_residual(ir.Raise("no")), "Raise cannot be said"),
    "a slot in the residual": (with_residual(eq(ir.Slot(0), 1)), "more than the output"),
    "a column in the residual": (with_residual(eq(X, 1)), "more than the output"),
    "presence in the residual": (with_residual(ir.Present(1)), "more than the output"),
    "exact with a residual": (bare(ROW, solution(ir.TRUE, eq(N, 1), kind="exact")), "exact solution has no residual"),
    "partial without the filter": (bare(ROW, solution(ir.TRUE, eq(N, 2), kind="partial")), "keeps the whole filter"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_certificates_are_refused(name: str) -> None:
    certificate, complaint = MALFORMED[name]
    with pytest.raises(MalformedCertificate, match=complaint):
        decide(certificate)


def test_what_stays_as_it_is_need_not_be_said_again() -> None:
    opaque = FoldProblem(row(X), ir.Truthy(N))
    assert decide(bare(opaque, solution(ir.TRUE, ir.Truthy(N), kind="partial"))) == ()
    with pytest.raises(MalformedCertificate):
        decide(bare(opaque, solution(ir.Truthy(X), ir.Truthy(N), kind="partial")))
    assert decide(bare(ROW, solution(ir.TRUE, eq(N, 1), kind="split"))) == ()
    assert decide(bare(ROW, solution(eq(X, 1), ir.TRUE, kind="exact"))) == ()


def test_a_changed_format_has_a_new_version() -> None:
    """A certificate of an older format is refused by its version, not taken for one that was tampered with."""
    written = {5: "208e33942121acdb"}
    certificate = replace(certify(*RIGHT["a row function"]), version=0)
    assert written[VERSION] == codec.digest(certificate)[:16]


def test_check_derives_everything_anew() -> None:
    certificate = certify(*RIGHT["a row function"])
    assert accepted(check(certificate))
    for altered, complaint in (
        (replace(certificate, version=VERSION + 1), f"version {VERSION + 1} is not {VERSION}"),
        (replace(certificate, version=VERSION - 1), f"version {VERSION - 1} is not {VERSION}"),
        (replace(certificate, scripts=certificate.scripts[:-1]), "not the conditions"),
        (
            replace(certificate, scripts=certify(*ALONE["a row that the filter passes is dropped"][:2]).scripts),
            "not the",
        ),
        (replace(certificate, assumptions=(note("more"),)), "assumptions"),
        (replace(certificate, problem=FoldProblem(row(X), eq(ir.Out("nowhere"), 1))), "cannot be encoded"),
        (replace(certificate, problem=FoldProblem(row(ir.Lit("a", ty.STRING)), eq(N, 1))), "cannot be encoded"),
    ):
        with pytest.raises(MalformedCertificate, match=complaint):
            check(altered)


def test_every_opaque_function_is_listed() -> None:
    def call(name: str, kind: ir.CallKind = "function") -> Expr:
        return ir.Call(name, (), ty.INT, True, kind)

    whole = replace(
        fold(
            call("in_init"),
            ir.Arith("+", call("in_step"), call("known"), "python"),
            call("in_output"),
            call("in_merge"),
            emit=call("in_emit"),
        ),
        assumptions=(Assumption("other", "stated"), Assumption("purity", purity_of("known"))),
    )
    problem = FoldProblem(whole, ir.Not(eq(call("in_filter"), 1)))
    places = ("in_emit", "in_filter", "in_init", "in_merge", "in_output", "in_step")
    assert assumptions(problem) == (*whole.assumptions, *(note(purity_of(name)) for name in places))
    assert (
        assumptions(FoldProblem(replace(fold(call("known", "state")), slots=(StateSlot("s", ty.INT),)), eq(N, 1))) == ()
    )


def test_scripts_are_titled_and_ask_for_the_negation() -> None:
    certificate = certify(*RIGHT["a filter's early conjunct spares the function"])
    titles = [text.splitlines()[0] for _, text in certificate.scripts]
    assert titles == [
        "; Final: unsat means proved", "; Safe (output): unsat means proved",
        "; Final (with the filter kept): unsat means proved",
        "; Safe (output with the filter kept): unsat means proved",
        "; Safe (pre-filter): unsat means proved",
    ]  # fmt: skip
    assert [name for name, _ in certificate.scripts] == ["Final", "Safe", "Final", "Safe", "Safe"]


def test_arithmetic_on_narrow_floats_is_not_said() -> None:
    """Spark rounds to 32 bits where the encoding has doubles; a comparison is exact."""
    problem = FoldProblem(row(p.num(1), x=ty.FLOAT32), eq(N, 2))
    doubled = p.sql(">", ir.Arith("*", X, p.num(2), "sql"), p.num(1))
    for g in (doubled, ir.And((p.sql(">", X, p.num(1)), doubled))):
        with pytest.raises(UnsupportedTerm, match="32-bit"):
            certify(problem, solution(g, ir.FALSE))
    certify(problem, solution(p.sql(">", X, p.num(1)), ir.FALSE))
    certify(FoldProblem(row(p.num(1), x=ty.FLOAT), eq(N, 2)), solution(doubled, ir.FALSE))
    beside = p.sql(">", ir.Arith("*", ir.Param("t"), p.num(2), "sql"), X)
    with_t = replace(problem, fold=replace(problem.fold, params=(Parameter("t", ty.FLOAT),)))
    certify(with_t, solution(beside, ir.FALSE))


def test_the_second_solver_is_there_where_its_package_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    for found in (None, object()):
        monkeypatch.setattr(
            cvc5_backend.importlib.util, "find_spec", lambda name, found=found: asked.append(name) or found
        )  # type: ignore[func-returns-value]
        assert cvc5_backend.available() is (found is not None)
    assert asked == ["cvc5", "cvc5"]


@pytest.mark.parametrize(("claim", "status"), [("(not (= x x))", "proved"), ("(= x x)", "failed")])
def test_the_second_solver_answers(claim: str, status: str) -> None:
    """Its last answer counts, whatever else the script says after it."""
    text = f"(set-logic ALL)\n(declare-fun x () Int)\n(assert {claim})\n(check-sat)\n"
    assert cvc5_backend.prove(text, 10) == status
    assert cvc5_backend.prove(text + "(set-info :source none)\n", 10) == status


@pytest.mark.parametrize(
    ("answer", "status"), [("unsat", "proved"), ("sat", "failed"), ("unknown", "unknown"), ("", "unknown")]
)
def test_the_second_solver_is_given_its_time(answer: str, status: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []
    commands = iter([
        SimpleNamespace(isNull=lambda: False, invoke=lambda solver, symbols: answer),
        SimpleNamespace(isNull=lambda: True),
    ])  # fmt: skip
    parser = SimpleNamespace(
        setStringInput=lambda *a: asked.append(a), nextCommand=lambda: next(commands), getSymbolManager=lambda: None
    )
    fake = SimpleNamespace(
        Solver=lambda: SimpleNamespace(setOption=lambda *a: asked.append(a)), InputParser=lambda solver: parser,
        InputLanguage=SimpleNamespace(SMT_LIB_2_6="smt2"),
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "cvc5", fake)
    assert cvc5_backend.prove("text", 2.5) == status
    assert asked == [("tlimit-per", "2500"), ("smt2", "text", "condition")]
