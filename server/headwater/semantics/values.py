"""Symbolic values: a Z3 term with explicit NULL and NaN flags.

Numbers that may be fractional, and strings, are *order-only* reals: any finite set of floats (or of strings) embeds
in the rationals with its order, so a proof over the reals covers them (THEORY.md section 4). Integers, dates and
timestamps are Z3 integers; infinity is a real constant above every other number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import z3

from headwater_ir.types import Type

Kind = Literal["null", "bool", "int", "float", "number", "text", "date", "timestamp"]
NUMERIC: frozenset[Kind] = frozenset({"bool", "int", "float", "number"})
_KINDS: dict[str, Kind] = {
    "bool": "bool", "int": "int", "float": "float", "number": "number", "decimal": "number", "string": "text",
    "date": "date", "timestamp": "timestamp", "any": "number", "null": "null",
}  # fmt: skip


class _Constant(z3.BoolRef):  # type: ignore[misc]  # z3 ships no types
    """A truth constant that belongs to whatever context is current, so that it can be compared by identity."""

    def __init__(self, value: bool) -> None:
        self._value = value
        self._known: tuple[z3.Context, z3.BoolRef] | None = None

    def _current(self) -> z3.BoolRef:
        context = z3.main_ctx()
        if self._known is None or self._known[0] is not context:
            self._known = (context, z3.BoolVal(self._value, context))
        return self._known[1]

    @property
    def ctx(self) -> z3.Context:
        """The current context."""
        return z3.main_ctx()

    @property
    def ast(self) -> z3.Ast:
        """The constant in the current context."""
        return self._current().ast

    def __del__(self) -> None:
        """Owns nothing itself."""


T, F = _Constant(True), _Constant(False)


def fresh_context() -> None:
    """Start the current thread of work in a new Z3 context. Z3's answers depend on what a context has seen before,
    and the same input must give the same report."""
    z3.z3._main_ctx = None


class UnsupportedTerm(Exception):
    """An expression that the encoding gives no meaning; the problem is then not provable."""


@dataclass(frozen=True)
class Value:
    """``term`` is meaningful only where neither ``null`` nor ``nan`` holds."""

    kind: Kind
    null: z3.BoolRef
    nan: z3.BoolRef
    term: z3.ExprRef


def kind_of(t: Type) -> Kind:
    """The kind of the values of ``t``; UnsupportedTerm for lists."""
    if t.name not in _KINDS:
        raise UnsupportedTerm(f"values of type {t}")
    return _KINDS[t.name]


def sort_of(kind: Kind) -> z3.SortRef:
    """The Z3 sort that holds the values of ``kind``."""
    if kind == "bool":
        return z3.BoolSort()
    return z3.IntSort() if kind in ("int", "date", "timestamp") else z3.RealSort()


def variable(name: str, t: Type) -> Value:
    """A fresh value of type ``t``: any value, NULL, and NaN (NaT for timestamps) where the kind has one."""
    kind = kind_of(t)
    nan = z3.Bool(f"{name}.nan") if kind in ("float", "number", "timestamp") else F
    null = T if kind == "null" else z3.Bool(f"{name}.null")
    return Value(kind, null, nan, z3.Const(name, sort_of(kind)))


def null_value() -> Value:
    """NULL of no particular type."""
    return Value("null", T, F, z3.RealVal(0))


def boolean(term: z3.BoolRef, null: z3.BoolRef = F) -> Value:
    """A truth value."""
    return Value("bool", null, F, term)


def land(*parts: z3.BoolRef) -> z3.BoolRef:
    """Conjunction with constants folded, which keeps terms small. Constants are always the objects ``T`` and ``F``."""
    kept = [p for p in parts if p is not T]
    if any(p is F for p in kept):
        return F
    return T if not kept else kept[0] if len(kept) == 1 else _connect(z3.Z3_mk_and, kept)


def lor(*parts: z3.BoolRef) -> z3.BoolRef:
    """Disjunction with constants folded."""
    kept = [p for p in parts if p is not F]
    if any(p is T for p in kept):
        return T
    return F if not kept else kept[0] if len(kept) == 1 else _connect(z3.Z3_mk_or, kept)


def lnot(p: z3.BoolRef) -> z3.BoolRef:
    """Negation with constants folded."""
    if p is T:
        return F
    if p is F:
        return T
    return z3.BoolRef(z3.Z3_mk_not(p.ctx_ref(), p.as_ast()), p.ctx)


def _connect(make: Callable[..., object], parts: list[z3.BoolRef]) -> z3.BoolRef:
    """``z3.And`` / ``z3.Or`` without the coercions of the Python binding, which dominate when thousands are built."""
    array = (z3.Ast * len(parts))(*(p.as_ast() for p in parts))
    return z3.BoolRef(make(parts[0].ctx_ref(), len(parts), array), parts[0].ctx)


def ite(c: z3.BoolRef, a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
    """Conditional with constants and equal branches folded."""
    if c is T or a is b or a.eq(b):
        return a
    if c is F:
        return b
    if a is T:
        return lor(c, b)
    if a is F:
        return land(lnot(c), b)
    if b is T:
        return lor(lnot(c), a)
    if b is F:
        return land(c, a)
    kind = z3.BoolRef if isinstance(a, z3.BoolRef) else z3.ArithRef
    return kind(z3.Z3_mk_ite(c.ctx_ref(), c.as_ast(), a.as_ast(), b.as_ast()), c.ctx)


def equal(a: z3.ExprRef, b: z3.ExprRef) -> z3.BoolRef:
    """``a = b`` for terms of one sort."""
    return z3.BoolRef(z3.Z3_mk_eq(a.ctx_ref(), a.as_ast(), b.as_ast()), a.ctx)


def is_true(v: Value) -> z3.BoolRef:
    """The value is TRUE."""
    if v.kind == "null":
        return F
    if v.kind != "bool":
        raise UnsupportedTerm(f"a {v.kind} as a condition")
    return land(lnot(v.null), v.term)


def is_false(v: Value) -> z3.BoolRef:
    """The value is FALSE."""
    return land(lnot(v.null), lnot(v.term)) if v.kind != "null" else F


def convert(v: Value, kind: Kind) -> Value:
    """``v`` as a value of a wider kind; the number that it denotes does not change."""
    if v.kind == kind:
        return v
    if v.kind == "null":
        return Value(kind, T, F, default(kind))
    if kind == "int" and v.kind == "bool":
        return Value(kind, v.null, F, z3.If(v.term, z3.IntVal(1), z3.IntVal(0)))
    if kind in ("float", "number"):
        if v.kind in ("float", "number"):
            return Value(kind, v.null, v.nan, v.term)
        whole = convert(v, "int").term
        return Value(kind, v.null, F, z3.RealVal(whole.as_long()) if z3.is_int_value(whole) else z3.ToReal(whole))
    raise UnsupportedTerm(f"{v.kind} used as {kind}")


def unify(a: Value, b: Value) -> tuple[Value, Value]:
    """Both values as the narrowest kind that holds both; UnsupportedTerm where there is none."""
    kind = common_kind(a.kind, b.kind)
    if kind is None:
        raise UnsupportedTerm(f"{a.kind} beside {b.kind}")
    return convert(a, kind), convert(b, kind)


def common_kind(a: Kind, b: Kind) -> Kind | None:
    """The narrowest kind that holds both, or None."""
    if a == b or b == "null":
        return a
    if a == "null":
        return b
    if a not in NUMERIC or b not in NUMERIC:
        return None
    return "int" if {a, b} == {"bool", "int"} else "number"


def choose(c: z3.BoolRef, a: Value, b: Value) -> Value:
    """``a`` where ``c`` holds, else ``b``."""
    a, b = unify(a, b)
    return Value(a.kind, ite(c, a.null, b.null), ite(c, a.nan, b.nan), ite(c, a.term, b.term))


def same(a: Value, b: Value) -> z3.BoolRef:
    """Null-safe identity; -0.0 is 0.0."""
    both_null = land(a.null, b.null)
    if common_kind(a.kind, b.kind) is None:
        return both_null
    a, b = unify(a, b)
    if a.null.eq(b.null) and a.nan.eq(b.nan) and a.term.eq(b.term):
        return T
    alike = lor(land(a.nan, b.nan), land(lnot(a.nan), lnot(b.nan), equal(a.term, b.term)))
    return lor(both_null, land(lnot(a.null), lnot(b.null), alike))


def default(kind: Kind) -> z3.ExprRef:
    """What a NULL or a NaN of ``kind`` hides."""
    sort = sort_of(kind)
    return F if sort == z3.BoolSort() else z3.IntVal(0) if sort == z3.IntSort() else z3.RealVal(0)
