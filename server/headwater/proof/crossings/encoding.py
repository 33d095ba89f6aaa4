"""Predicates over rows whose types may not be known, for Z3.

Law: a column of unknown type is a token, one for each class of values that Spark takes for equal, with a flag for NULL
and one for NaN. What has no exact encoding is an uninterpreted function of its operands: what is proved for any such
function holds for the one that Spark computes. Of a comparison that converts its operands it is known that they are
less, equal or greater: all six comparisons of the same two operands agree on which.
Condition: the functions respect the classes. Comparisons and lists do, and fields of structs, which are equal if their
fields are. Another function may tell two values of one class apart (-0.0 and 0.0; a decimal with another scale), so it
is given, beside the class, *which* value it is.
Counterexample without that: ``cast(x as string) = '-0.0'`` would be the same for all rows of a group of zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

import z3

from headwater_ir import expr as ir
from headwater_ir.expr import Expr
from headwater_ir.problem import Parameter
from headwater_ir.struct_fields import is_field
from headwater_ir.types import ANY, Type

from ...semantics.symbolic import Encoder, Scope, Term, apply, canonical
from ...semantics.values import (
    F,
    Kind,
    T,
    UnsupportedTerm,
    Value,
    boolean,
    choose,
    default,
    land,
    lnot,
    lor,
    same,
    variable,
)

UNKNOWN: Kind = "any"  # type: ignore[assignment]
"""The kind of tokens. No rule of the encoding knows it, so that none applies to them."""
_TOKENS = frozenset({"any", "opaque", "list"})
"""Types whose values are tokens."""
_ONE_FORM = frozenset({"null", "bool", "int", "text", "date", "timestamp"})
"""Kinds of which equal values are the same to every function."""
_COMPARED = (ir.Compare, ir.Same, ir.In, ir.StringTest, ir.And, ir.Or, ir.Not, ir.IsTrue)
_FOR_TOKENS = (ir.Compare, ir.Same, ir.In, ir.Truthy)


@dataclass(frozen=True)
class Cell:
    """A value in a row, and which of the values of its class it is."""

    value: Value
    which: z3.ExprRef


@dataclass(frozen=True, eq=False, repr=False)
class Sight(Scope):
    """A scope that also tells which values its row has."""

    which: Mapping[str, z3.ExprRef] = field(default_factory=dict)


Row = dict[str, Cell]


class Rows(Encoder):
    """The rows of one crossing, and what predicates say of them."""

    def __init__(self, expressions: Iterable[Expr], params: Iterable[Parameter]) -> None:
        known = tuple(expressions)
        super().__init__(known)
        types = {p.name: p.type for p in params}
        names = sorted({n for e in known for n in ir.params_of(e)})
        self.params = {n: self.fresh(f"param.{n}", types.get(n, ANY)).value for n in names}

    def fresh(self, name: str, t: Type = ANY) -> Cell:
        """Any value of type ``t``."""
        token = Value(UNKNOWN, z3.Bool(f"{name}.null"), z3.Bool(f"{name}.nan"), z3.Real(name))
        value = token if t.name in _TOKENS else variable(name, t)
        return Cell(self.bound(value), z3.Int(f"{name}.which"))

    def null(self, like: Cell) -> Cell:
        """NULL, of the type of ``like``."""
        return Cell(Value(like.value.kind, T, F, default(like.value.kind)), z3.IntVal(-1))

    def first(self, a: Cell, b: Cell) -> Cell:
        """``coalesce(a, b)``, of two values of one type."""
        return Cell(choose(a.value.null, b.value, a.value), z3.If(a.value.null, b.which, a.which))

    def sight(self, row: Row, *, strict: bool = False) -> Sight:
        """``row`` as a predicate sees it. ``strict``: wherever it looks first."""
        values, which = {n: c.value for n, c in row.items()}, {n: c.which for n, c in row.items()}
        return Sight(row=values, params=self.params, strict=strict, which=which)

    def passes(self, e: Expr, row: Row) -> z3.BoolRef:
        """Whether ``e`` is TRUE of ``row``."""
        return self.holds(self._with_conditions(e, row), self.sight(row))

    def defined(self, e: Expr, row: Row, *, strict: bool = False) -> z3.BoolRef:
        """When evaluating ``e`` on ``row`` raises nothing; ``strict``: in whatever order it is evaluated."""
        return self.eval(self._with_conditions(e, row), self.sight(row, strict=strict))[1]

    def cell(self, e: Expr, row: Row) -> Cell:
        """The value of ``e`` on ``row``."""
        sight = self.sight(row)
        return Cell(self.eval(e, sight)[0], self._which(e, sight))

    def _with_conditions(self, e: Expr, row: Row) -> Expr:
        """``e`` with tokens that stand where a condition must be as conditions."""

        sight = self.sight(row)

        def condition(n: Expr) -> Expr:
            match n:
                case ir.And(operands) | ir.Or(operands):
                    return replace(n, operands=tuple(map(condition, operands)))
                case ir.Not(operand) | ir.IsTrue(operand):
                    return replace(n, operand=condition(operand))
            token = self.eval(n, sight)[0].kind == UNKNOWN
            return ir.Call("as a condition", (n,), _BOOL, total=True) if token else n

        return condition(e)

    def _eval(self, e: Expr, scope: Scope) -> Term:
        kinds = {self.eval(c, scope)[0].kind for c in ir.children(e)} - {"null"}
        if (UNKNOWN in kinds and isinstance(e, _FOR_TOKENS)) or (isinstance(e, ir.In) and len(kinds) > 1):
            return self._free(e, scope)
        try:
            return super()._eval(e, scope)
        except UnsupportedTerm:
            return self._free(e, scope)

    def _free(self, e: Expr, scope: Scope) -> Term:
        """What is known of ``e`` without an encoding."""
        if isinstance(e, ir.Compare) and e.dialect == "sql":
            return self._ordered(e, scope)
        return self._abstract(e, scope)

    def _ordered(self, e: ir.Compare, scope: Scope) -> Term:
        """A comparison by the sign of the difference of its operands."""
        if isinstance(e.left, ir.Lit):
            e = replace(e, op=ir.MIRRORED[e.op], left=e.right, right=e.left)
        (a, a_ok), (b, b_ok) = self.eval(e.left, scope), self.eval(e.right, scope)
        name, arguments = f"order {_shape(e.left)} {_shape(e.right)}", [*_arguments(a), *_arguments(b)]
        sign = apply(f"{name} {a.kind} {b.kind}", arguments, z3.IntSort())
        lost = apply(f"{name} {a.kind} {b.kind}.null", arguments, z3.BoolSort())
        tests: dict[ir.CompareOp, Callable[[], z3.BoolRef]] = {
            "==": lambda: sign == 0, "!=": lambda: sign != 0, "<": lambda: sign < 0, "<=": lambda: sign <= 0,
            ">": lambda: sign > 0, ">=": lambda: sign >= 0,
        }  # fmt: skip
        return boolean(tests[e.op](), lor(a.null, b.null, lost)), land(a_ok, b_ok)

    def _abstract(self, e: Expr, scope: Scope) -> Term:
        """``e`` as an uninterpreted function of its operands."""
        terms = [self.eval(c, scope) for c in ir.children(e)]
        compared = isinstance(e, _COMPARED)
        name = f"{_shape(e)} {' '.join(_shape(c) + v.kind for c, (v, _) in zip(ir.children(e), terms, strict=True))}"
        arguments = [a for v, _ in terms for a in _arguments(v)]
        if not compared:
            arguments += [self._which(c, scope) for c in ir.children(e)]
        ok = land(*(o for _, o in terms))
        if getattr(e, "dialect", "sql") == "python":
            ok = land(ok, apply(f"{name}.ok", arguments, _FLAG()))
        null = F if isinstance(e, (ir.Same, ir.IsTrue)) else apply(f"{name}.null", arguments, _FLAG())
        if compared:
            return boolean(apply(name, arguments, _FLAG()), null), ok
        value = Value(UNKNOWN, null, apply(f"{name}.nan", arguments, _FLAG()), apply(name, arguments, z3.RealSort()))
        return value, land(ok, apply(f"{name}.ok", arguments, _FLAG()))

    def _call(self, e: ir.Call, scope: Scope) -> Term:
        if e.kind != "function":
            raise OutOfReach(f"`{e.name}` has no model")
        terms = [self.eval(a, scope) for a in e.args]
        arguments = [x for v, _ in terms for x in _arguments(v)]
        several = [a for a, (v, _) in zip(e.args, terms, strict=True) if v.kind not in _ONE_FORM and not is_field(e)]
        arguments += [self._which(a, scope) for a in several]
        name = f"{e.symbol}/{'.'.join(v.kind for v, _ in terms)}"
        result = self.fresh("", e.type).value
        null, nan = apply(f"{name}.null", arguments, _FLAG()), apply(f"{name}.nan", arguments, _FLAG())
        value = Value(result.kind, null, F if result.nan is F else nan, apply(name, arguments, result.term.sort()))
        ok = T if e.total else apply(f"{name}.ok", arguments, _FLAG())
        return self.bound(value), land(*(o for _, o in terms), ok)

    def _which(self, e: Expr, scope: Scope) -> z3.ExprRef:
        """Which of the values of its class ``e`` has: a function of what its columns have."""
        if isinstance(e, ir.Col):
            assert isinstance(scope, Sight)
            return scope.which[e.name]
        if isinstance(e, ir.Param):
            return z3.Int(f"which param {e.name}")
        parts = [self._which(c, scope) for c in ir.children(e)]
        return apply(f"which {_shape(e)}", parts, z3.IntSort())


class OutOfReach(Exception):
    """A crossing of which nothing can be proved."""


_BOOL = Type("bool")


def _FLAG() -> z3.SortRef:
    return z3.BoolSort()


def _arguments(v: Value) -> list[z3.ExprRef]:
    return [v.null, land(lnot(v.null), v.nan), canonical(v)]


def _shape(e: Expr) -> str:
    """What ``e`` is beside its operands: of a literal, itself."""
    if isinstance(e, (ir.Col, ir.Param)):
        return type(e).__name__
    own = [f"{getattr(e, f.name)!r}" for f in fields(e) if not _holds_parts(getattr(e, f.name))]
    return " ".join((type(e).__name__, *own))


def _holds_parts(value: object) -> bool:
    return ir.is_expr(value) or isinstance(value, tuple)


def never_raises(e: Expr) -> bool:
    """Whether ``e`` has a model, and computes nothing that could raise on any row."""
    calls = (n for n in ir.walk(e) if isinstance(n, ir.Call))
    raising = any(isinstance(n, (ir.Arith, ir.Neg, ir.Raise)) for n in ir.walk(e))
    return not raising and all(c.total and c.kind == "function" for c in calls)


def equal(a: Cell, b: Cell) -> z3.BoolRef:
    """That two values of one type are one to Spark's grouping. OutOfReach for two types."""
    if a.value.kind != b.value.kind:
        raise OutOfReach("values of two types are taken for equal")
    return same(a.value, b.value)
