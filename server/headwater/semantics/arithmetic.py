"""Symbolic arithmetic. Integers are exact in Python; everything about floats but the order is uninterpreted.

* float ``+ - *`` and ``/`` of a float: IEEE double in CPython and in the JVM alike, so both dialects share one
  uninterpreted function. Nothing is assumed of it but congruence and ``x + 0 = x`` (THEORY.md section 4).
* ``%`` takes the sign of the divisor in Python, of the dividend in Spark; ``/`` of two integers is rounded once in
  Python, where Spark rounds each operand to a double first. Each dialect has its own function for these.
* unknown numbers (int, float or decimal): Python and Spark may differ (Decimal context), so each has its own function.
* Spark integers overflow on an unknown predicate of the operands: an error under ANSI, some other value without. ANSI
  mode is a free constant, so that a proof holds for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

from headwater_ir import expr as ir

from .values import NUMERIC, F, Kind, T, UnsupportedTerm, Value, choose, convert, ite, land, lnot, lor, null_value

if TYPE_CHECKING:
    from .symbolic import Encoder, Scope, Term


MAX_BYTE = 127  # what every Spark integer can hold, the narrowest being a byte


def ansi() -> z3.BoolRef:
    """ANSI mode: on by default since Spark 4.0, but a setting."""
    return z3.Bool("ansi")


def encode(encoder: Encoder, e: ir.Arith | ir.Neg, scope: Scope) -> Term:
    """The value of an arithmetic node."""
    if isinstance(e, ir.Neg):
        value, ok = encoder.eval(e.operand, scope)
        negated, defined = _negate(value, e.dialect)
        return negated, land(ok, defined)
    (a, a_ok), (b, b_ok) = encoder.eval(e.left, scope), encoder.eval(e.right, scope)
    if a.kind == "null" or b.kind == "null":
        return null_value(), land(a_ok, b_ok, T if e.dialect == "sql" else F)
    if not {a.kind, b.kind} <= (NUMERIC if e.dialect == "python" else NUMERIC - {"bool"}):
        raise UnsupportedTerm(f"{a.kind} {e.op} {b.kind}")  # Spark does not analyse it
    either_null = lor(a.null, b.null)
    value, defined = _whole(e, a, b) if _both_whole(a, b) and e.op not in ("/", "**") else _fractional(encoder, e, a, b)
    if e.dialect == "python":
        return Value(value.kind, F, value.nan, value.term), land(a_ok, b_ok, lnot(either_null), defined)
    return (
        Value(value.kind, lor(either_null, value.null), value.nan, value.term),
        land(a_ok, b_ok, lor(either_null, defined)),
    )


def _both_whole(a: Value, b: Value) -> bool:
    return a.kind in ("bool", "int") and b.kind in ("bool", "int")


def _negate(v: Value, dialect: ir.Dialect) -> Term:
    if v.kind == "null":
        return v, T if dialect == "sql" else F
    if v.kind not in NUMERIC or (v.kind == "bool" and dialect == "sql"):
        raise UnsupportedTerm(f"-{v.kind}")
    v = convert(v, "int") if v.kind == "bool" else v
    negated = Value(v.kind, v.null, v.nan, -v.term)
    if dialect == "python":
        return Value(v.kind, F, v.nan, -v.term), lnot(v.null)
    return (negated, T) if v.kind == "float" else _overflowing(negated, "neg", [v.term], v.null)


def _whole(e: ir.Arith, a: Value, b: Value) -> Term:
    x, y = convert(a, "int").term, convert(b, "int").term
    constant = z3.is_int_value(x) or z3.is_int_value(y)
    defined, whole = T, z3.IntSort()
    match e.op:
        case "+":
            term = x + y
        case "-":
            term = x - y
        case "*":
            term = x * y if constant else z3.Function("int*", whole, whole, whole)(x, y)
        case _:  # // and %
            if e.dialect == "sql" and e.op == "//":
                raise UnsupportedTerm("// in SQL")
            defined = y != 0
            positive = z3.is_int_value(y) and y.as_long() > 0
            if positive and e.op == "//":
                term = x / y
            elif positive and e.dialect == "python":
                term = x % y
            elif positive:
                term = z3.If(x >= 0, x % y, -((-x) % y))
            else:
                term = z3.Function(f"int{e.op}{e.dialect}", whole, whole, whole)(x, y)
    if e.dialect == "python":
        return Value("int", F, F, term), defined
    if e.op == "%":  # smaller than the divisor, so it fits the type of both
        return Value("int", lnot(defined), F, term), lor(defined, lnot(ansi()))
    return _overflowing(Value("int", F, F, term), e.op, [x, y], F)


def _overflowing(v: Value, op: str, operands: list[z3.ExprRef], null: z3.BoolRef) -> Term:
    sorts = [o.sort() for o in operands]
    over = z3.Function(f"overflow{op}", *sorts, z3.BoolSort())(*operands)
    wrapped = z3.Function(f"wrapped{op}", *sorts, v.term.sort())(*operands)
    if v.kind == "int":
        unchanged = {"+": (0, 1), "-": (1,)}.get(op, ())  # adding 0 gives the other operand, which is held already
        over = land(over, lor(v.term > MAX_BYTE, v.term < -MAX_BYTE - 1), *(operands[i] != 0 for i in unchanged))
    lost = z3.Function(f"lost{op}", *sorts, z3.BoolSort())(*operands) if v.kind == "number" else F
    result = Value(v.kind, lor(v.null, land(over, lost)), v.nan, ite(over, wrapped, v.term))
    return result, lor(null, lnot(over), lnot(ansi()))


def _fractional(encoder: Encoder, e: ir.Arith, a: Value, b: Value) -> Term:
    if e.dialect == "sql" and e.op in ("//", "**"):
        raise UnsupportedTerm(f"{e.op} in SQL")
    if e.op in ("+", "-") and _is_zero(b):
        return a, T
    if e.op == "+" and _is_zero(a):
        return b, T
    is_float = "float" in (a.kind, b.kind) or (e.op == "/" and _both_whole(a, b))
    kind: Kind = "float" if is_float else "number"
    x, y = convert(a, "number"), convert(b, "number")
    alike = is_float and e.op != "%" and not _both_whole(a, b)
    name = f"{'float' if alike else e.dialect}{e.op}"
    power = e.op == "**"
    read = [x.term, y.term, *((x.nan, y.nan) if power else ())]
    sorts = [r.sort() for r in read]
    nan = lor(
        F if power else lor(x.nan, y.nan), z3.Function(f"{name}.nan", *sorts, z3.BoolSort())(*read)
    )  # nan**0 is 1
    value = encoder.bound(Value(kind, F, nan, z3.Function(name, *sorts, z3.RealSort())(*read)))
    if e.op == "+" and a.kind == b.kind == "float":  # x + 0.0 is x
        value = choose(land(lnot(y.nan), y.term == 0), a, choose(land(lnot(x.nan), x.term == 0), b, value))
    nonzero = lor(y.nan, y.term != 0) if e.op in ("/", "//", "%") else T
    defined = z3.Function("**.ok", *sorts, z3.BoolSort())(*read) if power else nonzero
    if e.dialect == "sql":
        value, defined = Value(kind, lnot(nonzero), value.nan, value.term), lor(nonzero, lnot(ansi()))
    if e.dialect == "sql" and not is_float:
        value, no_overflow = _overflowing(value, f"number{e.op}", [x.term, y.term], F)
        defined = land(defined, no_overflow)
    return value, defined


def _is_zero(v: Value) -> bool:
    """An *integer* zero: adding it changes no number of any type, where 0.0 would round a large integer."""
    return bool(z3.is_int_value(v.term)) and v.term.as_long() == 0 and v.null is F
