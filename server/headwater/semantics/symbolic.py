"""What the IR means to Z3: the symbolic twin of ``interpreter.py``, tested against it construct by construct.

``Encoder.eval`` yields a value and a definedness condition. Where the encoding knows less than the machine does (float
arithmetic, opaque functions, ANSI mode, integer overflow) it leaves the solver free, so that what is proved holds for
every choice.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import z3
from typing_extensions import assert_never

from headwater_ir import expr as ir
from headwater_ir.exact_numbers import are_rounded
from headwater_ir.expr import Expr

from . import arithmetic
from .values import (
    NUMERIC,
    F,
    T,
    UnsupportedTerm,
    Value,
    boolean,
    choose,
    common_kind,
    default,
    equal,
    is_false,
    is_true,
    kind_of,
    land,
    lnot,
    lor,
    null_value,
    same,
    sort_of,
    unify,
)  # fmt: skip

Term = tuple[Value, z3.BoolRef]
"""A value, and the condition under which evaluating it raises nothing."""


@dataclass(frozen=True, eq=False)
class State:
    """A state of the fold. ⊥ is ``present`` false with the slots at their initial values, so that ``step`` is one
    formula."""

    present: z3.BoolRef
    slots: tuple[Value, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Scope:
    """What names mean while an expression is encoded. ``tag`` tells apart the rows that opaque functions read."""

    row: Mapping[str, Value] = field(default_factory=dict)
    states: Mapping[int, State] = field(default_factory=dict)
    outs: Mapping[str, Term] = field(default_factory=dict)
    params: Mapping[str, Value] = field(default_factory=dict)
    tag: int = 0
    strict: bool = False
    """Every sub-expression must be defined, not only those that left-to-right evaluation reaches: a pre-filter is split
    and reordered by Spark."""
    memo: dict[Expr, Term] = field(default_factory=dict)


class Encoder:
    """Encodes expressions that share one set of string literals. ``axioms`` hold in every intended model."""

    def __init__(self, expressions: Iterable[Expr]) -> None:
        literals = {
            n.value for e in expressions for n in ir.walk(e) if isinstance(n, ir.Lit) and isinstance(n.value, str)
        }
        self._texts = {s: i for i, s in enumerate(sorted(literals | {""}))}
        self.axioms: list[z3.BoolRef] = []
        self.infinity = z3.Real("inf")

    def bound(self, v: Value) -> Value:
        """``v``, with the axiom that nothing is beyond infinity."""
        if v.kind in ("float", "number"):
            self.axioms.append(z3.And(v.term <= self.infinity, v.term >= -self.infinity))
        return v

    def literal(self, lit: ir.Lit) -> Value:
        """A constant."""
        value = lit.value
        match value:
            case None:
                return null_value()
            case bool():
                return boolean(T if value else F)
            case int():
                return Value("int", F, F, z3.IntVal(value))
            case float():
                return self._float(value, lit.type.name == "timestamp")
            case str():
                if value not in self._texts:
                    raise UnsupportedTerm("a string literal that was not announced")
                return Value("text", F, F, z3.RealVal(self._texts[value]))
            case dt.datetime():
                if value.tzinfo is not None:
                    raise UnsupportedTerm("a timestamp with a time zone")
                return Value(
                    "timestamp", F, F, z3.IntVal((value - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1))
                )
            case dt.date():
                return Value("date", F, F, z3.IntVal(value.toordinal()))
            case _:
                assert_never(value)

    def _float(self, value: float, is_time: bool) -> Value:
        if math.isnan(value):
            return Value("timestamp", F, T, z3.IntVal(0)) if is_time else Value("float", F, T, z3.RealVal(0))
        if math.isinf(value):
            return Value("float", F, F, self.infinity if value > 0 else -self.infinity)
        exact = Fraction(value)
        term = z3.Q(exact.numerator, exact.denominator)
        self.axioms.append(z3.And(term < self.infinity, term > -self.infinity))
        return Value("float", F, F, term)

    def holds(self, e: Expr, scope: Scope) -> z3.BoolRef:
        """``e`` evaluates to TRUE without an error."""
        value, ok = self.eval(e, scope)
        return land(ok, is_true(value))

    def eval(self, e: Expr, scope: Scope) -> Term:
        """The value of ``e`` and when it is defined. UnsupportedTerm if it has no encoding."""
        found = scope.memo.get(e)
        if found is None:
            found = scope.memo[e] = self._eval(e, scope)
        return found

    def _eval(self, e: Expr, scope: Scope) -> Term:
        match e:
            case ir.Lit():
                return self.literal(e), T
            case ir.Col(name):
                return scope.row[name], T
            case ir.Param(name):
                return scope.params[name], T
            case ir.Slot(index, side):
                return scope.states[side].slots[index], T
            case ir.Out(name):
                return scope.outs[name]
            case ir.Present(side):
                return boolean(scope.states[side].present), T
            case ir.Raise():
                return null_value(), F
            case ir.Arith() | ir.Neg():
                return arithmetic.encode(self, e, scope)
            case ir.Compare(op, left, right, dialect):
                return self._binary(left, right, scope, lambda a, b: compare(op, a, b, dialect))
            case ir.Same(left, right):
                return self._binary(left, right, scope, _null_safe)
            case ir.And() | ir.Or():
                return self._connective(e, scope)
            case ir.Not(operand, dialect):
                value, ok = self.eval(operand, scope)
                if dialect == "python":
                    return boolean(lnot(is_true(value))), ok
                return boolean(lnot(_truth(value)), value.null), ok
            case ir.If(cond, then, otherwise):
                c, c_ok = self.eval(cond, scope)
                (a, a_ok), (b, b_ok) = self.eval(then, scope), self.eval(otherwise, scope)
                taken = is_true(c)
                if scope.strict:
                    return choose(taken, a, b), land(c_ok, a_ok, b_ok)
                return choose(taken, a, b), land(c_ok, lor(lnot(taken), a_ok), lor(taken, b_ok))
            case ir.IsNull(operand):
                value, ok = self.eval(operand, scope)
                return boolean(value.null), ok
            case ir.IsNaN(operand):
                value, ok = self.eval(operand, scope)
                return boolean(land(lnot(value.null), value.nan)), ok
            case ir.IsTrue(operand):
                value, ok = self.eval(operand, scope)
                return boolean(is_true(value)), ok
            case ir.Truthy(operand):
                value, ok = self.eval(operand, scope)
                return boolean(self._truthy(value)), ok
            case ir.In(operand, options, dialect):
                if dialect == "sql" and are_rounded(options):
                    raise UnsupportedTerm("a list of doubles and of whole numbers beside which doubles are rounded")
                tests = ir.Or(tuple(ir.Compare("==", operand, o, dialect) for o in options), dialect)
                value, ok = self.eval(tests, scope)
                return value, land(self.eval(operand, scope)[1], ok)
            case ir.StringTest(test, text, needle, dialect):
                return self._binary(text, needle, scope, lambda a, b: self._string_test(test, a, b, dialect))
            case ir.Call():
                return self._call(e, scope)
            case _:
                assert_never(e)

    def _binary(self, left: Expr, right: Expr, scope: Scope, meaning: Callable[[Value, Value], Term]) -> Term:
        (a, a_ok), (b, b_ok) = self.eval(left, scope), self.eval(right, scope)
        value, ok = meaning(a, b)
        return value, land(a_ok, b_ok, ok)

    def _connective(self, e: ir.And | ir.Or, scope: Scope) -> Term:
        """Left to right, stopping at the first operand that decides: FALSE for AND, TRUE for OR; a NULL does not
        decide in SQL, and counts as false in Python."""
        conjunction = isinstance(e, ir.And)
        terms = [self.eval(o, scope) for o in e.operands]
        for value, _ in terms:
            _truth(value)
        sql = e.dialect == "sql"
        if conjunction:
            decides = [is_false(v) if sql else lnot(is_true(v)) for v, _ in terms]
        else:
            decides = [is_true(v) for v, _ in terms]
        ok, reached = T, T
        for (_, defined), stop in zip(terms, decides, strict=True):
            ok = land(ok, lor(lnot(reached), defined))
            reached = T if scope.strict else land(reached, lnot(stop))
        decided = lor(*decides)
        null = land(lnot(decided), lor(*(v.null for v, _ in terms))) if sql else F
        return boolean(lnot(decided) if conjunction else decided, null), ok

    def _truthy(self, v: Value) -> z3.BoolRef:
        if v.kind == "bool":
            return is_true(v)
        if v.kind in NUMERIC:
            return land(lnot(v.null), lor(v.nan, v.term != 0))
        if v.kind == "text":
            return land(lnot(v.null), v.term != self._texts[""])
        return lnot(v.null)

    def _string_test(self, op: ir.StringOp, text: Value, needle: Value, dialect: ir.Dialect) -> Term:
        if {text.kind, needle.kind} - {"text", "null"}:
            raise UnsupportedTerm(f"{op} on {text.kind}")
        either_null = lor(text.null, needle.null)
        test = z3.Function(op, z3.RealSort(), z3.RealSort(), z3.BoolSort())(text.term, needle.term)
        return (boolean(test, either_null), T) if dialect == "sql" else (boolean(test), lnot(either_null))

    def _call(self, e: ir.Call, scope: Scope) -> Term:
        """An uninterpreted function. Numbers that compare equal may still differ to an opaque function (-0.0 and 0.0,
        1 and 1.0), so calls on numbers are equal only for the same row or state."""
        terms = [self.eval(a, scope) for a in e.args]
        arguments: list[z3.ExprRef] = []
        numeric = False
        for value, _ in terms:
            numeric = numeric or value.kind in NUMERIC
            arguments += [value.null, value.nan, canonical(value)]
        name = f"{e.symbol}/{'.'.join(v.kind for v, _ in terms)}"
        if numeric or e.kind == "state":
            sides = {n.side for a in e.args for n in ir.walk(a) if isinstance(n, ir.Slot)}
            arguments += [z3.IntVal(scope.tag), z3.IntVal(sum(3**s for s in sides))]
        result = _uninterpreted(name, arguments, e)
        defined = T if e.total else apply(f"{name}.ok", arguments, z3.BoolSort())
        return self.bound(result), land(*(ok for _, ok in terms), defined)


def compare(op: ir.CompareOp, a: Value, b: Value, dialect: ir.Dialect) -> Term:
    """A comparison in either dialect (expr.py says how they differ)."""
    if dialect == "sql":
        kinds = {a.kind, b.kind} - {"null"}
        if len(kinds) > 1 and "bool" in kinds:
            raise UnsupportedTerm(f"{a.kind} compared with {b.kind}")  # Spark does not analyse it
        a, b = _exactly_comparable(a, b)
        return boolean(_sql_order(op, a, b), lor(a.null, b.null)), T
    neither_null = land(lnot(a.null), lnot(b.null))
    if op in ("==", "!="):
        alike = lor(land(a.null, b.null), land(neither_null, lnot(a.nan), lnot(b.nan), _equal_terms(a, b)))
        return boolean(alike if op == "==" else lnot(alike)), T
    if common_kind(a.kind, b.kind) is None:  # Python raises, but not for a date beside NaT
        return boolean(F), land(neither_null, lor(a.nan, b.nan)) if {a.kind, b.kind} == {"date", "timestamp"} else F
    a, b = unify(a, b)
    return boolean(land(lnot(a.nan), lnot(b.nan), _order(op, a.term, b.term))), neither_null


def _null_safe(a: Value, b: Value) -> Term:
    _exactly_comparable(a, b)
    return boolean(same(a, b)), T


def _exactly_comparable(a: Value, b: Value) -> tuple[Value, Value]:
    """The operands as one kind. Spark compares a long with a double as doubles, which rounds beyond 2**53 where the
    order of the reals does not; so there the other side must be a constant that no rounding reaches."""
    if a.kind != b.kind and not any(_is_small_constant(v) for v in (a, b)):
        raise UnsupportedTerm(f"{a.kind} compared with {b.kind}, which Spark may round or convert")
    return unify(a, b)


def _is_small_constant(v: Value) -> bool:
    if z3.is_int_value(v.term):
        return bool(abs(v.term.as_long()) < 2**53)
    return bool(z3.is_rational_value(v.term) and abs(v.term.as_fraction()) < 2**53)


def _equal_terms(a: Value, b: Value) -> z3.BoolRef:
    if common_kind(a.kind, b.kind) is None:
        return F
    a, b = unify(a, b)
    return equal(a.term, b.term)


def _sql_order(op: ir.CompareOp, a: Value, b: Value) -> z3.BoolRef:
    if op in ("!=", ">", ">="):
        flipped: dict[ir.CompareOp, ir.CompareOp] = {"!=": "==", ">": "<=", ">=": "<"}
        return lnot(_sql_order(flipped[op], a, b))
    alike = lor(land(a.nan, b.nan), land(lnot(a.nan), lnot(b.nan), equal(a.term, b.term)))
    if op == "==":
        return alike
    less = land(lnot(a.nan), lor(b.nan, _order("<", a.term, b.term)))
    return less if op == "<" else lor(less, alike)


def _order(op: ir.CompareOp, a: z3.ExprRef, b: z3.ExprRef) -> z3.BoolRef:
    if z3.is_bool(a):
        a, b = z3.If(a, 1, 0), z3.If(b, 1, 0)
    match op:
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case ">=":
            return a >= b
        case _:
            raise UnsupportedTerm(op)


def _truth(v: Value) -> z3.BoolRef:
    if v.kind not in ("bool", "null"):
        raise UnsupportedTerm(f"a {v.kind} as a condition")
    return v.term if v.kind == "bool" else F


def canonical(v: Value) -> z3.ExprRef:
    """The term with NULL and NaN made canonical, so that congruence sees equal arguments as equal."""
    hidden = lor(v.null, v.nan)
    if hidden is F:
        return v.term
    return default(v.kind) if hidden is T else z3.If(hidden, default(v.kind), v.term)


def apply(name: str, arguments: list[z3.ExprRef], sort: z3.SortRef) -> z3.ExprRef:
    """An uninterpreted function of ``arguments``."""
    return z3.Function(name, *(a.sort() for a in arguments), sort)(*arguments)


def _uninterpreted(name: str, arguments: list[z3.ExprRef], e: ir.Call) -> Value:
    kind = kind_of(e.type)
    flag = z3.BoolSort()
    nan = apply(f"{name}.nan", arguments, flag) if kind in ("float", "number", "timestamp") else F
    return Value(kind, apply(f"{name}.null", arguments, flag), nan, apply(name, arguments, sort_of(kind)))
