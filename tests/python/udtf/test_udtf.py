"""UDTF classes against CPython, on adversarial rows, and random classes; what is refused, and why."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from headwater.semantics.interpreter import Env as Bindings
from headwater.semantics.interpreter import compile_expr, passes
from headwater.syntax.refusal import Refusal
from headwater.synthesis.algorithm import Limits, solve
from headwater_ir.expr import And, Col, Compare, CompareOp, Expr, Lit, Or, Out, Scalar
from headwater_ir.problem import FoldProblem
from headwater_ir.types import FLOAT, INT64
from headwater_ir.verdict import Proved
from tests.python.harness import ERROR, same, understood
from tests.python.test_random_programs import VARIABLES, Writer

from .udtf_cases import CASES, GUARDED, UdtfCase
from .udtf_refused import COLUMNS, WRAPS, written


def test_key_column_is_recognised() -> None:
    outputs = CASES["top2 double"].fold().outputs
    assert outputs[0].value == Col("k")
    assert CASES["helpers"].fold().outputs[0].value == Col("k")
    assert CASES["top2 single"].fold().outputs[0].value != Col("k")


def test_one_partition_of_nothing_has_no_row() -> None:
    fold = CASES["top2 single"].fold()
    assert fold.grouped
    assert fold.keys == ()


# --- a fresh instance


def test_terminate_that_yields_nothing_on_a_fresh_instance_needs_no_assumption() -> None:
    fold = UdtfCase(
        GUARDED, "k string, x double, s string", "best double, tag string, n long", no_empty_task=None
    ).fold()
    assert not any("empty partition" in a.text for a in fold.assumptions)


def test_what_an_opaque_function_makes_of_a_fresh_instance_is_not_known() -> None:
    source = written("self.v = row.s", "if len(self.v.strip()) > 3:\n    yield (self.v,)", init="self.v = ''")
    assert any("empty partition" in a.text for a in UdtfCase(source, COLUMNS, "v string").fold().assumptions)


@pytest.mark.parametrize("name", ["top2 double", "mean", "class attributes", "unset"])
def test_terminate_that_yields_or_raises_on_a_fresh_instance(name: str) -> None:
    assert any("empty partition" in a.text for a in CASES[name].fold().assumptions)
    with pytest.raises(Refusal) as caught:
        replace(CASES[name], no_empty_task=None).fold()
    assert caught.value.obstruction == "may-throw"


# --- random classes


class ClassWriter(Writer):
    """Writes one class."""

    def source(self) -> str:
        """Its text; the variables are attributes."""
        lines = [
            "def help(p, q):",
            "    if p is None:",
            "        return q",
            "    return p if p == p else q",
            "",
            "class T:",
        ]
        lines += ["    def __init__(self):"]
        lines += [f"        self.{v} = {self.pick('None', '0', '-1.0', 'math.inf')}" for v in VARIABLES]
        lines += ["    def eval(self, r):", *self.body(2, "        "), "    def terminate(self):"]
        if self.chance.random() < 0.5:
            lines += [f"        if {self.pick('a', 'c', 'd')} is None:", "            return"]
        if self.chance.random() < 0.3:
            lines += ["        if a == 1:", "            yield a, c, d", "        else:", "            yield c, c, d"]
        else:
            lines += ["        yield a, c, d"]
        return _attributes("\n".join(lines) + "\n")


def _attributes(text: str) -> str:
    """The variables of the writer as attributes, ``continue`` as ``return``; pandas is not there."""
    head, body = text.split("class T:")
    body = re.sub(rf"(?<![\w.'\"])({'|'.join((*VARIABLES, 'e'))})(?![\w'\"])", r"self.\1", body)
    return head + "class T:" + body.replace("continue", "return").replace("pd.notna(", "None is not (")


@pytest.mark.parametrize("start", range(0, 300, 30))
def test_random_classes(start: int) -> None:
    outs = {seed: "double" if seed % 4 else "long" for seed in range(start, start + 30)}
    cases = [UdtfCase(ClassWriter(n).source(), FILTERED, f"a {o}, c {o}, d {o}", arrow=True) for n, o in outs.items()]
    assert sum(understood(case) for case in cases)


FILTERED = "k string, x double, n long, i int, s string, b boolean"


def filtered(seed: int) -> tuple[UdtfCase, FoldProblem] | None:
    """A random class with a random filter; None if the class is not understood."""
    chance = random.Random(seed)
    out, t = ("long", INT64) if seed % 3 == 0 else ("double", FLOAT)
    case = UdtfCase(ClassWriter(seed).source(), FILTERED, f"a {out}, c {out}, d {out}", arrow=True)

    def atom() -> Expr:
        op: CompareOp = chance.choice((">", ">=", "<", "=="))
        value: int | float = chance.choice((0, 1, 2, -1, 5))
        return Compare(op, Out(chance.choice("acd")), Lit(float(value) if t == FLOAT else value, t), "sql")

    predicate = atom()
    for _ in range(chance.randint(0, 2)):
        predicate = And((predicate, atom())) if chance.random() < 0.5 else Or((predicate, atom()))
    try:
        return case, FoldProblem(case.fold(), predicate)
    except Refusal:
        return None


def passing(predicate: Expr, row: Mapping[str, Scalar] | str | None) -> Mapping[str, Scalar] | None:
    """The row, if there is one and the filter keeps it."""
    return row if isinstance(row, Mapping) and passes(predicate, row) else None


@pytest.mark.parametrize("start", range(0, 120, 30))
def test_proved_pre_filters_leave_real_classes_alone(start: int) -> None:
    """From the text to the proof and back: CPython runs the class with and without the pre-filter."""
    proved = 0
    for found in filter(None, map(filtered, range(start, start + 30))):
        case, problem = found
        verdict = solve(problem, Limits(2.0))
        if not isinstance(verdict, Proved):
            continue
        proved += 1
        solution = verdict.certificate.solution
        keeps = compile_expr(solution.pre_filter)
        residual = problem.predicate if solution.kind == "partial" else solution.residual
        for rows in case.groups():
            original = case.real(rows)
            if original == ERROR:
                continue
            kept = [row for row in rows if keeps(Bindings(row=row)) is True]
            optimized = case.real(kept) if kept else None
            assert optimized != ERROR, (case.source, problem.predicate, solution, rows)
            same_rows = same(passing(problem.predicate, original), passing(residual, optimized))
            assert same_rows, (case.source, problem.predicate, solution, rows)
    assert proved


def test_a_number_that_wraps_without_arrow() -> None:
    UdtfCase(WRAPS, COLUMNS, "v int", arrow=True).fold()
