"""Every node of the encoding against the interpreter, on tables of values: what the machine computes is admitted, and
where the encoding leaves nothing free it is the only answer.

The expressions are those that the conformance tests run on CPython and Spark, and some with constants, of which the
encoding knows more. Symbols are substituted by values, so that a case costs a simplification and not a proof.
"""

from __future__ import annotations

import datetime as dt
import math

import pytest
import z3

from headwater.semantics.interpreter import Env, EvaluationError, evaluate
from headwater.semantics.symbolic import Encoder, Scope
from headwater.semantics.values import F, T, UnsupportedTerm, Value, common_kind, convert, variable
from headwater_ir import expr as ir
from headwater_ir import types as ty
from tests.conformance.cases import COMPARE, MIXED, PAIRS, A, B, expressions

DIALECTS: tuple[ir.Dialect, ...] = ("sql", "python")
VALUES: dict[str, tuple[ir.Scalar, ...]] = {
    "bool": (None, False, True),
    "int": (None, 0, 1, -7, 128, 2**63 - 1),
    "float": (None, math.nan, 0.0, -1.5, 2.0, math.inf),
    "number": (None, math.nan, 0, 1, -1.5, math.inf),
    "string": (None, "", "a", "b"),
    "date": (None, dt.date(1, 1, 1), dt.date(1970, 1, 1), dt.date(1970, 1, 2)),
    "timestamp": (None, math.nan, dt.datetime(1970, 1, 1), dt.datetime(1969, 12, 31, 23, 59, 59, 999999)),
    "null": (None,),
}
TEXTS = [ir.Lit(v, ty.STRING) for v in VALUES["string"] if v is not None]
MORE = ((ty.NUMBER, ty.NUMBER), (ty.NULL, ty.INT64), (ty.INT64, ty.NULL), (ty.STRING, ty.NULL), (ty.BOOL, ty.NULL),
        (ty.NULL, ty.NULL), (ty.BOOL, ty.BOOL), (ty.BOOL, ty.INT64), (ty.BOOL, ty.FLOAT), (ty.FLOAT, ty.NULL),
        (ty.NULL, ty.STRING), (ty.NULL, ty.BOOL), (ty.NULL, ty.FLOAT))  # fmt: skip
CONSTANTS = [ir.Lit(v, ty.INT) for v in (0, 1, 2, -1, 3, 100)] + [ir.Lit(v, ty.FLOAT) for v in (0.0, 1.0, 0.5, 2.5)]


def values(t: ty.Type, dialect: ir.Dialect) -> tuple[ir.Scalar, ...]:
    """Values of a column; NaT is pandas' alone."""
    return tuple(v for v in VALUES[t.name] if v is not math.nan or t != ty.TIMESTAMP or dialect == "python")


def expected(encoder: Encoder, value: Value, ok: z3.BoolRef, concrete: ir.Scalar, raised: bool) -> z3.BoolRef:
    """That the encoded outcome is this one."""
    if raised:
        return z3.Not(ok)
    if concrete is None:
        return z3.And(ok, value.null)
    if isinstance(concrete, float) and math.isnan(concrete):
        return z3.And(ok, z3.Not(value.null), value.nan)
    literal = encoder.literal(ir.Lit(concrete, ty.ANY))
    kind = common_kind(literal.kind, value.kind)
    if kind is None or literal.kind == "null" or value.kind == "null":
        return z3.BoolVal(False)
    plain = [convert(v, kind).term for v in (literal, value)]
    return z3.And(ok, z3.Not(value.null), z3.Not(value.nan), plain[0] == plain[1])


def is_exact(e: ir.Expr) -> bool:
    """Whether the encoding leaves nothing free in ``e``, integer overflow aside."""
    for n in ir.walk(e):
        if isinstance(n, (ir.Call, ir.StringTest)):
            return False
        if isinstance(n, ir.Neg) and n.operand not in (A, B):
            return False
        if isinstance(n, ir.Arith):
            divisor = n.right.value if isinstance(n.right, ir.Lit) else None
            whole = isinstance(divisor, int)
            if n.op in ("+", "-"):
                continue
            if not (n.op == "*" and whole) and not (n.op in ("//", "%") and whole and divisor > 0):  # type: ignore[operator]
                return False
    return True


def small(v: ir.Scalar) -> bool:
    """Every Spark integer holds it."""
    return not isinstance(v, int) or -128 <= v <= 127


class Table:
    """All pairs of values of two columns, encoded once for many expressions."""

    def __init__(self, types: tuple[ty.Type, ty.Type], dialect: ir.Dialect, expressions: list[ir.Expr]) -> None:
        self.types, self.dialect = types, dialect
        self.encoder = Encoder([*expressions, *TEXTS])
        self.encoder.infinity = z3.RealVal(10**60)
        self.columns = {name: self.encoder.bound(variable(name, t)) for name, t in zip("ab", types, strict=True)}
        self.axioms = list(self.encoder.axioms)
        self.rows = {
            (a, b): [*self.pinned("a", a), *self.pinned("b", b), (z3.Bool("ansi"), z3.BoolVal(True))]
            for a in values(types[0], dialect)
            for b in values(types[1], dialect)
        }

    def pinned(self, name: str, value: ir.Scalar) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        """The substitution that makes the column this value; what a NULL or a NaN hides is set to something odd."""
        symbol = self.columns[name]
        missing = value is None or (isinstance(value, float) and math.isnan(value))
        found: list[tuple[z3.ExprRef, z3.ExprRef]] = []
        if symbol.null is not T:
            found.append((symbol.null, z3.BoolVal(value is None)))
        if symbol.nan is not F:
            found.append((symbol.nan, z3.BoolVal(missing and value is not None)))
        if missing:
            number = z3.IntVal(1) if z3.is_int(symbol.term) else z3.RealVal(1)
            return [*found, (symbol.term, z3.BoolVal(True) if z3.is_bool(symbol.term) else number)]
        term = convert(self.encoder.literal(ir.Lit(value, ty.ANY)), symbol.kind).term
        return [*found, (symbol.term, z3.BoolVal(term is T) if z3.is_bool(symbol.term) else term)]

    def check(self, e: ir.Expr, must_encode: bool = False) -> int:
        """How many rows agreed; AssertionError for the first that does not."""
        known = len(self.encoder.axioms)
        try:
            value, ok = self.encoder.eval(e, Scope(row=self.columns))
        except UnsupportedTerm:
            assert not must_encode, f"{e} has no encoding"
            return 0
        axioms = [*self.axioms, *self.encoder.axioms[known:]]
        floats = any(t.name in ("float", "number") for t in self.types) or any(
            n.op == "/" if isinstance(n, ir.Arith) else isinstance(getattr(n, "value", 0), float) for n in ir.walk(e)
        )
        arithmetic = any(isinstance(n, (ir.Arith, ir.Neg)) for n in ir.walk(e))
        free: list[z3.BoolRef] = []
        seen: set[object] = set()
        for (a, b), given in self.rows.items():
            if isinstance(e, ir.Arith) and e.op == "**" and isinstance(b, int) and b > 99:
                continue  # CPython, too, would need minutes
            if "b" not in ir.columns_of(e):
                if repr(a) in seen:
                    continue
                seen.add(repr(a))
            concrete: ir.Scalar = None
            raised = False
            try:
                concrete = evaluate(e, Env(row={"a": a, "b": b}))
            except EvaluationError:
                raised = True
            answer = substituted(z3.And(expected(self.encoder, value, ok, concrete, raised), *axioms), given)
            what = f"{e} on {(a, b)} is {'an error' if raised else repr(concrete)}"
            overflows = arithmetic and self.dialect == "sql" and (raised or not small(concrete))
            if is_exact(e) and not (floats and arithmetic) and not overflows:
                assert z3.is_true(answer), f"{what}, but the encoding admits more: {answer}"
            assert not z3.is_false(answer), f"{what}, which the encoding excludes"
            if not z3.is_true(answer):
                free.append(answer)
        solver = z3.SimpleSolver()
        solver.add(*free)  # one function explains all rows
        assert solver.check() == z3.sat, f"the encoding of {e} excludes what the interpreter computes"
        return len(self.rows)


def substituted(goal: z3.BoolRef, given: list[tuple[z3.ExprRef, z3.ExprRef]]) -> z3.BoolRef:
    """``z3.substitute`` and ``z3.simplify`` without the checks of the Python binding, which take most of the time."""
    old, new = ((z3.Ast * len(given))(*(pair[i].as_ast() for pair in given)) for i in (0, 1))
    ground = z3.BoolRef(z3.Z3_substitute(goal.ctx_ref(), goal.as_ast(), len(given), old, new), goal.ctx)
    return z3.BoolRef(z3.Z3_simplify(goal.ctx_ref(), ground.as_ast()), goal.ctx)


def distinct(pairs: tuple[tuple[ty.Type, ty.Type], ...]) -> list[tuple[ty.Type, ty.Type]]:
    """The quick ones first."""
    return sorted(dict.fromkeys(pairs), key=lambda pair: len(VALUES[pair[0].name]) * len(VALUES[pair[1].name]))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("types", distinct((*PAIRS, *MIXED, *MORE)), ids=lambda pair: f"{pair[0]}-{pair[1]}")
def test_every_node(types: tuple[ty.Type, ty.Type], dialect: ir.Dialect) -> None:
    found: list[ir.Expr] = list(
        expressions(*types, dialect)
        if not {t.name for t in types} & {"null", "number"}
        else [ir.Compare(op, A, B, dialect) for op in COMPARE]
    )
    flag = ir.Compare("==", A, B, dialect)
    found += [ir.If(flag, A, B), ir.If(ir.IsNull(A), B, A), ir.If(ir.IsNull(B), A, ir.Raise("no")), ir.Same(A, B)]
    found += [ir.And((ir.IsNull(A), flag), dialect), ir.Or((ir.IsNull(A), flag, ir.IsNull(B)), dialect)]
    found += [ir.Not(flag, dialect), ir.IsTrue(flag), ir.IsNaN(A), ir.IsNull(ir.Raise("no")), ir.Truthy(A)]
    found += [ir.In(ir.If(ir.IsNull(A), ir.Raise("no"), A), (), dialect), ir.In(A, (B, A), dialect)]
    found += [ir.If(ir.Truthy(A), ir.Lit(1, ty.INT), ir.Lit(2, ty.INT)), ir.Neg(A, dialect)]
    found += [ir.Arith(op, A, B, dialect) for op in ("+", "-", "*")]
    if dialect == "sql":
        found = [e for e in found if _spark_takes(e, types)]
    if not {types[0], types[1]} <= {ty.INT64, ty.FLOAT, ty.NUMBER, ty.NULL, ty.BOOL}:
        found = [e for e in found if not isinstance(e, (ir.Arith, ir.Neg))]
    table = Table(types, dialect, found)
    assert sum(table.check(e) for e in found) > 0


def _spark_takes(e: ir.Expr, types: tuple[ty.Type, ty.Type]) -> bool:
    """Spark analyses it, whatever the interpreter makes of it."""
    return not (isinstance(e, (ir.Arith, ir.Neg)) and ty.BOOL in types)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("t", [ty.INT64, ty.FLOAT, ty.NUMBER, ty.BOOL], ids=str)
def test_arithmetic_and_comparison_with_constants(t: ty.Type, dialect: ir.Dialect) -> None:
    if t == ty.BOOL and dialect == "sql":
        return
    ops: tuple[ir.ArithOp, ...] = ("+", "-", "*", "/", "%") if dialect == "sql" else ("+", "-", "*", "/", "%", "//")
    for c in CONSTANTS:
        pairs: list[tuple[ir.Expr, ir.Expr]] = [(A, c), (c, A)]
        found: list[ir.Expr] = [ir.Arith(op, *pair, dialect) for op in ops for pair in pairs]
        found += [ir.Compare(op, *pair, dialect) for op in COMPARE for pair in pairs]
        table = Table((t, ty.NULL), dialect, found)
        for e in found:
            table.check(e, must_encode=True)
