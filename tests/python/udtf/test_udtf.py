# ruff: noqa: E501 - programs and tables, one to a line
"""UDTF classes against CPython, on adversarial rows, and random classes; what is refused, and why."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

import pytest

from headwater.semantics.interpreter import Env as Bindings
from headwater.semantics.interpreter import compile_expr, passes
from headwater.syntax.refusal import Refusal
from headwater.synthesis.algorithm import Limits, solve
from headwater_ir.expr import And, Col, Compare, CompareOp, Expr, Lit, Or, Out, Scalar
from headwater_ir.problem import FoldProblem
from headwater_ir.types import FLOAT, INT64
from headwater_ir.verdict import Proved
from tests.python.harness import ERROR, same
from tests.python.test_conformance import groups
from tests.python.test_random_programs import VARIABLES, Writer

from .udtf_cases import ARROW, CASES, GUARDED, UdtfCase


@pytest.mark.parametrize("name", sorted(CASES))
def test_fold_is_the_class(name: str) -> None:
    case = CASES[name]
    outcomes = set()
    for rows in groups(case):  # type: ignore[arg-type]
        real, model = case.real(rows), case.model(rows)
        outcomes.add("error" if real == ERROR else "none" if real is None else "row")
        assert same(model, real), (name, rows, model, real)
    assert "row" in outcomes


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
    fold = UdtfCase(GUARDED, "k string, x double, s string", "best double, tag string, n long").fold(no_empty_task=None)
    assert not any("empty partition" in a.text for a in fold.assumptions)


def test_what_an_opaque_function_makes_of_a_fresh_instance_is_not_known() -> None:
    source = written("self.v = row.s", "if len(self.v.strip()) > 3:\n    yield (self.v,)", init="self.v = ''")
    assert any("empty partition" in a.text for a in UdtfCase(source, COLUMNS, "v string").fold().assumptions)


@pytest.mark.parametrize("name", ["top2 double", "mean", "class attributes", "unset"])
def test_terminate_that_yields_or_raises_on_a_fresh_instance(name: str) -> None:
    assert any("empty partition" in a.text for a in CASES[name].fold().assumptions)
    with pytest.raises(Refusal) as caught:
        CASES[name].fold(no_empty_task=None)
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


def check(seed: int, out: str) -> bool:
    """Whether the program was understood and ran."""
    source = ClassWriter(seed).source()
    case = UdtfCase(
        source, "k string, x double, n long, i int, s string, b boolean", f"a {out}, c {out}, d {out}", arrow=True
    )
    try:
        case.fold()
    except Refusal:
        return False
    ran = False
    for rows in groups(case):  # type: ignore[arg-type]
        real = case.real(rows)
        if real != ERROR:
            ran = True
            model = case.model(rows)
            assert same(model, real), (source, rows, model, real)
    return ran


@pytest.mark.parametrize("start", range(0, 300, 30))
def test_random_classes(start: int) -> None:
    understood = [check(seed, "long" if seed % 4 == 0 else "double") for seed in range(start, start + 30)]
    assert any(understood)


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
        for rows in groups(case):  # type: ignore[arg-type]
            original = case.real(rows)
            if original == ERROR:
                continue
            kept = [row for row in rows if keeps(Bindings(row=row)) is True]
            optimized = case.real(kept) if kept else None
            assert optimized != ERROR, (case.source, problem.predicate, solution, rows)
            same_rows = same(passing(problem.predicate, original), passing(residual, optimized))
            assert same_rows, (case.source, problem.predicate, solution, rows)
    assert proved


# --- refusals

COLUMNS = "k string, x double, n long, s string, t timestamp, i int"


def written(
    eval_lines: str,
    terminate: str = "yield (self.v,)",
    init: str = "self.v = None",
    rest: str = "",
    head: str = "class T:",
) -> str:
    """A class with these bodies."""

    def block(name: str, text: str) -> str:
        return f"    def {name}:\n" + "".join(f"        {line}\n" for line in text.split("\n"))

    return (
        f"{head}\n"
        + block("__init__(self)", init)
        + block("eval(self, row)", eval_lines)
        + block("terminate(self)", terminate)
        + rest
    )


REFUSED: dict[str, tuple[str, str]] = {
    "eval yields": (written("yield (row.x,)"), "multiplicity"),
    "eval returns rows": (written("return [(row.x,)]"), "multiplicity"),
    "two yields": (written("self.v = row.x", "yield (self.v,)\nyield (self.v,)"), "multiplicity"),
    "two conditional yields": (written("self.v = row.x", "if self.v:\n    yield (self.v,)\nif not self.v:\n    yield (1.0,)"), "multiplicity"),
    "yield in a loop": (written("self.v = row.x", "for i in (1, 2):\n    yield (self.v,)"), "multiplicity|opaque"),
    "two rows returned": (written("self.v = row.x", "return [(self.v,), (1.0,)]"), "multiplicity"),
    "yield from": (written("self.v = row.x", "yield from [(self.v,)]"), "multiplicity"),
    "never": (written("self.v = row.x", "return"), "no-prefilter"),
    "bare scalar": (written("self.v = row.x", "yield self.v"), "opaque"),
    "dict row": (written("self.v = row.x", "yield {'v': self.v}"), "opaque"),
    "named Row": (written("self.v = row.x", "yield Row(v=self.v)"), "opaque"),
    "wrong length": (written("self.v = row.x", "yield self.v, 1"), "may-throw"),
    "skip the rest": (written("self.v = row.x\nif self.v > 1:\n    raise SkipRestOfInputTableException()"), "opaque"),
    "unknown error": (written("if row.x > 1:\n    raise Stop\nself.v = row.x"), "opaque"),
    "helper skips": ("def g(v):\n    if v > 1:\n        raise Stop()\n    return v\n" + written("self.v = g(row.x)"), "opaque"),
    "analyze": (written("self.v = row.x", rest="    @staticmethod\n    def analyze(row):\n        return 1\n"), "opaque"),
    "cleanup": (written("self.v = row.x", rest="    def cleanup(self):\n        LOG.append(1)\n"), "side-effect"),
    "base": (written("self.v = row.x", head="class T(Base):"), "opaque"),
    "metaclass": (written("self.v = row.x", head="class T(metaclass=M):"), "opaque"),
    "getattr": (written("self.v = row.x", rest="    def __getattr__(self, name):\n        return 1\n"), "opaque"),
    "property": (written("self.v = row.x", rest="    @property\n    def v(self):\n        return 1\n"), "opaque"),
    "descriptor": (written("self.v = row.x", rest="    v = property(None)\n"), "opaque"),
    "no terminate": ("class T:\n    def eval(self, row):\n        self.v = 1\n", "opaque"),
    "decorated eval": ("class T:\n    @cache\n    def eval(self, row):\n        pass\n    def terminate(self):\n        yield (1.0,)\n", "opaque"),
    "extra argument": ("class T:\n    def eval(self, row, n):\n        self.v = row.x\n    def terminate(self):\n        yield (self.v,)\n", "opaque"),
    "initialised with a schema": ("class T:\n    def __init__(self, result):\n        self.v = 1.0\n    def eval(self, row):\n        self.v = row.x\n    def terminate(self):\n        yield (self.v,)\n", "opaque"),
    "self escapes": (written("register(self)\nself.v = row.x"), "side-effect"),
    "setattr": (written("setattr(self, 'v', row.x)"), "side-effect"),
    "dict of self": (written("self.__dict__['v'] = row.x"), "side-effect"),
    "class attribute written": (written("T.v = row.x"), "side-effect"),
    "global list": ("LOG = []\n" + written("LOG.append(row.x)\nself.v = row.x"), "side-effect"),
    "global": (written("global G\nG = 1\nself.v = row.x"), "side-effect"),
    "list of the class": (
        written("self.log.append(row.x)\nself.v = row.x", head="class T:\n    log = []"),
        "opaque",
    ),
    "method that assigns and returns": (
        written(
            "self.put(row.x)",
            rest="    def put(self, v):\n        if v is None:\n            return\n        self.v = v\n",
        ),
        "side-effect",
    ),
    "method that calls itself": (
        written("self.put(row.x)", rest="    def put(self, v):\n        self.v = v\n        self.put(v)\n"),
        "side-effect",
    ),
    "local of a method": (
        written(
            "self.put(row.x)\nself.put(row.x)",
            rest="    def put(self, v):\n        if v > 1:\n            w = v\n        self.v = w\n",
        ),
        "may-throw",
    ),
    "name of the caller in a method": (
        "LIMIT = 3\n"
        + written("LIMIT = row.x\nself.put(row.x)", rest="    def put(self, v):\n        self.v = v + LIMIT\n"),
        "side-effect",
    ),
    "recursive method": (written("self.v = self.g(row.x)", rest="    def g(self, v):\n        return self.g(v)\n"), "opaque"),
    "mangled": ("__LIMIT = 3\n" + written("if row.x > __LIMIT:\n    self.v = row.x"), "opaque"),
    "unset attribute": (written("self.v = row.x", "yield (self.w,)"), "opaque"),
    "attribute set on some paths": (written("if row.x > 1:\n    self.w = row.x", "yield (self.w,)"), "may-throw"),
    "local of eval": (written("y = row.x", "yield (y,)"), "may-throw"),
    "method as column": (written("self.v = row.count"), "opaque"),
    "missing column": (written("self.v = row['nope']"), "may-throw"),
    "computed column": (written("self.v = row[NAME]"), "opaque"),
    "row kept": (written("self.v = row"), "opaque"),
    "timestamp beside a constant": (written("if row.t > datetime.datetime(2024, 1, 1):\n    self.v = row.x"), "opaque"),
    "timestamp beside a constant in an attribute": (
        written(
            "if row.t is not None and row.t > self.w:\n    self.w = row.t\n    self.v = row.x",
            init="self.v, self.w = None, datetime.datetime(2024, 1, 1)",
        ),
        "opaque",
    ),
    "timestamp in a set of constants": (
        written("if row.t in (datetime.datetime(2024, 1, 1), datetime.datetime(2025, 1, 1)):\n    self.v = row.x"),
        "opaque",
    ),
    "int in a double column": (written("self.v += row.x", init="self.v = 0"), "may-throw"),
    "int column in a double column": (written("self.v = row.n"), "may-throw"),
    "absolute of a mix": (written("self.v += row.x", "yield (abs(self.v),)", init="self.v = 0"), "may-throw"),
    "string in a double column": (written("self.v = row.s"), "may-throw"),
    "truth in a double column": (written("self.v = row.x > 1"), "may-throw"),
    "random": ("import random\n" + written("if random.random() > 0.5:\n    self.v = row.x"), "volatile"),
    "print": (written("print(row)\nself.v = row.x"), "side-effect"),
    "return inside a loop": (written("for i in (1, 2):\n    return\nself.v = row.x"), "opaque"),
    "not in slots": ("class T:\n    __slots__ = ('w',)\n" + written("self.v = row.x").split("\n", 1)[1], "may-throw"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refusal(name: str) -> None:
    source, obstruction = REFUSED[name]
    with pytest.raises(Refusal) as caught:
        UdtfCase(source, COLUMNS, "v double").fold()
    assert caught.value.obstruction in obstruction.split("|"), caught.value.reason
    assert caught.value.node is not None


def test_a_number_that_wraps_without_arrow() -> None:
    source = written("self.v = row.i + 1")
    with pytest.raises(Refusal):
        UdtfCase(source, COLUMNS, "v int").fold()
    UdtfCase(source, COLUMNS, "v int", arrow=True).fold()


def test_whole_numbers_in_double_columns_only_with_arrow() -> None:
    with pytest.raises(Refusal):
        UdtfCase(ARROW, "k string, x double", "total double").fold()
    with pytest.raises(Refusal):
        UdtfCase(ARROW, "k string, x double", "total double", arrow=False).fold()
