"""Hypothesis strategies for the IR, shared by all tests: adversarial scalars, typed expressions, folds, problems."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import reject
from hypothesis import strategies as st

from headwater_ir import expr as ir
from headwater_ir import plan
from headwater_ir import types as ty
from headwater_ir.problem import Column, Fold, FoldProblem, OutputColumn, Parameter, StateSlot
from headwater_ir.span import Span

ADVERSARIAL: dict[str, tuple[ir.Scalar, ...]] = {
    "bool": (False, True),
    "int": (0, 1, -1, 2, 90, 2**31 - 1, -(2**31), 2**53, 2**53 + 1, 2**63 - 1, -(2**63)),
    "float": (0.0, -0.0, 1.0, -1.5, 90.0, 0.1, math.nan, math.inf, -math.inf, 5e-324, 1.7e308, 2.0**53),
    "string": ("", "a", "A", "ab", "b", " a", "é", "\uffff", "\U0001f600", "a\U0001f600"),
    "date": (dt.date(1, 1, 1), dt.date(1969, 12, 31), dt.date(2024, 2, 29), dt.date(9999, 12, 31)),
    "timestamp": (dt.datetime(1970, 1, 1), dt.datetime(2024, 2, 29, 23, 59, 59, 999999)),
}
"""Values at which implementations differ, by type name."""
ADVERSARIAL["number"] = ADVERSARIAL["int"][:5] + ADVERSARIAL["float"]
ADVERSARIAL["any"] = ADVERSARIAL["number"]

BASIC_TYPES = (ty.BOOL, ty.INT64, ty.FLOAT, ty.STRING, ty.DATE)
NUMERIC_TYPES = (ty.INT64, ty.FLOAT)


def scalars(t: ty.Type, nullable: bool = True) -> st.SearchStrategy[ir.Scalar]:
    """Values of type ``t``, mostly small ones that collide, sometimes adversarial ones, and NULL."""
    small: dict[str, st.SearchStrategy[Any]] = {
        "int": st.integers(-2, 3),
        "float": st.sampled_from((-1.0, 0.0, 0.5, 1.0, 2.0)),
        "number": st.sampled_from((-1.0, 0, 0.5, 1, 2.0)),
        "string": st.sampled_from(("", "a", "b")),
    }
    values = st.sampled_from(ADVERSARIAL.get(t.name, (None,)))
    found = st.one_of(small[t.name], values) if t.name in small else values
    return st.one_of(found, st.none()) if nullable else found


@dataclass(frozen=True)
class Scope:
    """What an expression may read, with its types."""

    columns: tuple[tuple[str, ty.Type], ...] = ()
    slots: tuple[ty.Type, ...] = ()
    sides: tuple[ir.Side, ...] = (0,)
    params: tuple[tuple[str, ty.Type], ...] = ()
    outs: tuple[tuple[str, ty.Type], ...] = ()
    dialects: tuple[ir.Dialect, ...] = ("sql", "python")
    opaque: bool = field(default=True)
    """Whether opaque functions may occur."""

    def leaves(self, t: ty.Type) -> list[ir.Expr]:
        """All names of type ``t``."""
        found: list[ir.Expr] = [ir.Col(name) for name, kind in self.columns if kind == t]
        found += [ir.Param(name) for name, kind in self.params if kind == t]
        found += [ir.Out(name) for name, kind in self.outs if kind == t]
        return found + [ir.Slot(i, side) for i, kind in enumerate(self.slots) if kind == t for side in self.sides]


@st.composite
def exprs(draw: st.DrawFn, t: ty.Type, scope: Scope, depth: int = 3) -> ir.Expr:
    """Well-typed expressions of type ``t`` over ``scope``."""
    leaves = scope.leaves(t)
    if depth <= 0 or draw(st.integers(0, 4)) == 0:
        if leaves and draw(st.integers(0, 3)):
            return draw(st.sampled_from(leaves))
        return ir.Lit(draw(scalars(t)), t)
    if draw(st.integers(0, 5)) == 0:
        return ir.If(*(draw(exprs(kind, scope, depth - 1)) for kind in (ty.BOOL, t, t)))
    if t == ty.BOOL:
        return draw(conditions(scope, depth))
    if t in NUMERIC_TYPES and draw(st.booleans()):
        return draw(_arithmetic(t, scope, depth))
    if scope.opaque and draw(st.integers(0, 3)) == 0:
        kinds = draw(st.lists(st.sampled_from(BASIC_TYPES), max_size=2))
        args = tuple(draw(exprs(kind, scope, depth - 1)) for kind in kinds)
        return ir.Call(draw(st.sampled_from(("f", "g"))), args, t, draw(st.booleans()))
    return draw(st.sampled_from(leaves)) if leaves else ir.Lit(draw(scalars(t)), t)


@st.composite
def _arithmetic(draw: st.DrawFn, t: ty.Type, scope: Scope, depth: int) -> ir.Expr:
    dialect = draw(st.sampled_from(scope.dialects))
    if draw(st.integers(0, 4)) == 0:
        return ir.Neg(draw(exprs(t, scope, depth - 1)), dialect)
    whole = ("+", "-", "*", "%") if dialect == "sql" else ("+", "-", "*", "//", "%")
    op = draw(st.sampled_from(whole if t == ty.INT64 else (*whole, "/")))
    left, right = (draw(exprs(t, scope, depth - 1)) for _ in range(2))
    return ir.Arith(op, left, right, dialect)


@st.composite
def conditions(draw: st.DrawFn, scope: Scope, depth: int = 3) -> ir.Expr:
    """Boolean expressions that are not leaves."""
    dialect = draw(st.sampled_from(scope.dialects))
    t = draw(st.sampled_from(BASIC_TYPES))

    def operand(kind: ty.Type = t) -> ir.Expr:
        return draw(exprs(kind, scope, depth - 1))

    def operands(kind: ty.Type = ty.BOOL, most: int = 3) -> tuple[ir.Expr, ...]:
        return tuple(operand(kind) for _ in range(draw(st.integers(0, most))))

    match draw(st.integers(0, 11)):
        case 0:
            return ir.And(operands(), dialect)
        case 1:
            return ir.Or(operands(), dialect)
        case 2:
            return ir.Not(operand(ty.BOOL), dialect)
        case 3:
            return ir.IsNull(operand())
        case 4:
            return ir.IsNaN(operand(ty.FLOAT))
        case 5:
            return ir.IsTrue(operand(ty.BOOL))
        case 6:
            return ir.Truthy(operand())
        case 7:
            return ir.Same(operand(), operand())
        case 8:
            options = tuple(ir.Lit(draw(scalars(t)), t) for _ in range(draw(st.integers(0, 3))))
            return ir.In(operand(), options, dialect)
        case 9:
            test: ir.StringOp = draw(st.sampled_from(("contains", "startswith", "endswith")))
            return ir.StringTest(test, operand(ty.STRING), operand(ty.STRING), dialect)
        case _:
            op: ir.CompareOp = draw(st.sampled_from(("==", "!=", "<", "<=", ">", ">=")))
            return ir.Compare(op, operand(), operand(), dialect)


def _named(prefix: str, types: Sequence[ty.Type]) -> tuple[tuple[str, ty.Type], ...]:
    return tuple((f"{prefix}{i}", t) for i, t in enumerate(types))


@st.composite
def folds(draw: st.DrawFn, depth: int = 2) -> Fold:
    """Well-typed folds of one to three slots, with or without keys, merge and parameters."""
    some = st.lists(st.sampled_from(BASIC_TYPES), min_size=1, max_size=3)
    columns, slots = _named("c", draw(some)), draw(some)
    grouped = draw(st.booleans())  # a global aggregate has no keys: there may be no row to take them from
    keys = tuple(name for name, _ in columns if grouped and draw(st.integers(0, 2)) == 0)
    params = _named("p", draw(st.lists(st.sampled_from(NUMERIC_TYPES), max_size=1)))
    key_scope = Scope(tuple(c for c in columns if c[0] in keys), params=params)
    row, state = Scope(columns, tuple(slots), params=params), Scope(key_scope.columns, tuple(slots), params=params)
    both = Scope(slots=tuple(slots), sides=(1, 2), params=params)
    outs = _named("o", draw(some))
    merge = tuple(draw(exprs(t, both, depth)) for t in slots) if draw(st.booleans()) else None
    return Fold(
        name="fold",
        api="test",
        columns=tuple(Column(name, t, is_key=name in keys) for name, t in columns),
        slots=tuple(StateSlot(f"s{i}", t) for i, t in enumerate(slots)),
        init=tuple(draw(exprs(t, key_scope, 1)) for t in slots),
        step=tuple(draw(exprs(t, row, depth)) for t in slots),
        outputs=tuple(OutputColumn(name, t, draw(exprs(t, state, 1))) for name, t in outs),
        merge=merge,
        emit=ir.TRUE if draw(st.booleans()) else draw(exprs(ty.BOOL, state, 1)),
        grouped=grouped,
        params=tuple(Parameter(name, t) for name, t in params),
    )


@st.composite
def problems(draw: st.DrawFn) -> FoldProblem:
    """Folds with a filter over their outputs."""
    fold = draw(folds())
    outs = tuple((o.name, o.type) for o in fold.outputs)
    params = tuple((p.name, p.type) for p in fold.params)
    return FoldProblem(fold, draw(exprs(ty.BOOL, Scope(outs=outs, params=params, dialects=("sql",)), 2)))


@st.composite
def rows(draw: st.DrawFn, fold: Fold, most: int = 4) -> list[dict[str, ir.Scalar]]:
    """Rows of one group of ``fold``: key columns are constant."""
    keys = {c.name: draw(scalars(c.type)) for c in fold.columns if c.is_key}
    free = [c for c in fold.columns if not c.is_key]
    return [{**keys, **{c.name: draw(scalars(c.type)) for c in free}} for _ in range(draw(st.integers(0, most)))]


@cache
def of_type(hint: Any) -> st.SearchStrategy[Any]:
    """Values of any type of the IR, well-typed or not: what the codec must carry."""
    if hint is Fold:
        return folds()
    if hint is Span:
        return st.builds(lambda a, b: Span(min(a, b), max(a, b)), st.integers(0, 99), st.integers(0, 99))
    if hint is object or (get_origin(hint) is Union and dt.date in get_args(hint)):
        return st.one_of(*(st.sampled_from(v) for v in ADVERSARIAL.values()), st.none(), st.text(max_size=3))
    if get_origin(hint) in (Union, UnionType):
        return _alternatives(get_args(hint))
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) is tuple:
        return _tuples(get_args(hint))
    if get_origin(hint) is frozenset:
        return st.frozensets(of_type(get_args(hint)[0]), max_size=2)
    if is_dataclass(hint):
        return _instances(hint)
    atoms: dict[Any, st.SearchStrategy[Any]] = {
        str: st.text(max_size=3), int: st.integers(), bool: st.booleans(), type(None): st.none(),
        float: st.floats(0, 99),
    }  # fmt: skip
    return atoms[hint]


_DEEPEST = 3
"""Nested values below which only the plain members of a union are drawn: deeper ones take minutes and show nothing."""
_nested = 0


@st.composite
def _alternatives(draw: st.DrawFn, members: tuple[Any, ...]) -> Any:
    """A value of one member of a union."""
    drawn: st.SearchStrategy[Any] = st.sampled_from((_nested >= _DEEPEST and _plain(members)) or members)
    return draw(of_type(draw(drawn)))


@cache
def _plain(members: tuple[Any, ...]) -> tuple[Any, ...]:
    """Those of the types whose values hold no value of a union of classes."""
    return tuple(m for m in members if not any(map(_nests, _hints(m).values())))


def _nests(hint: Any) -> bool:
    if get_origin(hint) in (Union, UnionType):
        return any(map(is_dataclass, get_args(hint)))
    return any(map(_nests, (a for a in get_args(hint) if a is not ...))) or any(map(_nests, _hints(hint).values()))


@cache
def _hints(hint: Any) -> dict[str, Any]:
    """Types of the fields of a class of the IR; empty for any other type."""
    if not isinstance(hint, type) or not is_dataclass(hint):
        return {}
    hints = get_type_hints(hint)
    return {f.name: hints[f.name] for f in fields(hint)} | _NARROWER.get(hint, {})


@st.composite
def _instances(draw: st.DrawFn, cls: Any) -> Any:
    global _nested
    _nested += 1
    try:
        values = {name: draw(strategy) for name, strategy in _field_strategies(cls).items()}
    finally:
        _nested -= 1
    try:
        return cls(**values | _CONSISTENT.get(cls, lambda _: {})(values))
    except ValueError:  # a constructor rejects what makes no sense
        reject()


def _row_fold(fold: Fold) -> Fold:
    return replace(fold, slots=(), init=(), step=(), merge=None, grouped=True, rows="one")


_NARROWER: dict[Any, dict[str, Any]] = {plan.Window: {"windows": tuple[plan.WindowColumn]}}
"""Fields of which not every value of their type makes sense: a window has a column of a window function."""
_CONSISTENT: dict[Any, Callable[[dict[str, Any]], dict[str, Any]]] = {
    plan.RowUdf: lambda v: {"fold": _row_fold(v["fold"])},
    plan.GroupMap: lambda v: {"beside": v["right"] and Span(1, 1), "renamed": v["renamed"] if v["right"] else ()},
    plan.Project: lambda v: {"columns": tuple(dict(v["columns"]).items()), "dropped": ()},
    plan.Window: lambda v: {"columns": ()},
    plan.Explode: lambda v: {"made": ("a", "b"), "arms": ()},
    plan.Shared: lambda v: {"consumers": 2},
    plan.Opaque: lambda v: {"makes": None},
}
"""What a node needs beside what is drawn for it."""


@st.composite
def _lists(draw: st.DrawFn, member: Any) -> tuple[Any, ...]:
    """At most two values, of a value within another at most one."""
    return tuple(draw(of_type(member)) for _ in range(draw(st.integers(0, 1 if _nested > 1 else 2))))


def _tuples(members: tuple[Any, ...]) -> st.SearchStrategy[tuple[Any, ...]]:
    if members[1:] == (...,):
        return _lists(members[0])
    return st.tuples(*(st.deferred(lambda m=m: of_type(m)) for m in members))  # type: ignore[misc]


def _field_strategies(cls: Any) -> dict[str, st.SearchStrategy[Any]]:
    return {name: of_type(hint) for name, hint in _hints(cls).items()}
