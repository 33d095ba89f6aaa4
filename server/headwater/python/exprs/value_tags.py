"""Which values an expression of Python's can yield: None, NaN, and of which Python type numbers are.

A flow-sensitive analysis: what a test says of its operands holds in the branch that it guards. Where Python would have
raised (None in an ordering, in arithmetic) nothing is yielded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from headwater_ir.expr import (
    And,
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    In,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Neg,
    Not,
    Or,
    Out,
    Param,
    Raise,
    Slot,
    StringTest,
    Truthy,
    children,
    conjuncts,
)  # fmt: skip
from headwater_ir.types import ANY, Type

Tag = Literal["none", "nan", "bool", "int", "float", "decimal", "other"]
Tags = frozenset[Tag]
KnownTags = Mapping[Expr, Tags]
"""Expression → what it is known not to be at this place."""

EVERYTHING: Tags = frozenset(("none", "nan", "bool", "int", "float", "decimal", "other"))
_NOTHING: Tags = frozenset()
_NONE: Tags = frozenset(("none",))
_MISSING: Tags = frozenset(("none", "nan"))
_NAN: Tags = frozenset(("nan",))
_OF_TYPE: dict[str, Tags] = {
    "null": _NOTHING, "bool": frozenset(("bool",)), "int": frozenset(("int",)), "float": frozenset(("float", "nan")),
    "number": frozenset(("int", "float", "nan", "decimal")), "decimal": frozenset(("decimal",)),
    "string": frozenset(("other",)), "date": frozenset(("other",)),
}  # fmt: skip


def of_type(t: Type) -> Tags:
    """What values of type ``t`` can be, besides None."""
    return _OF_TYPE.get(t.name, EVERYTHING - _NONE)


class Analysis:
    """The tags of expressions over columns and slots. ``slots`` of both sides of a merge are those of the state."""

    def __init__(self, columns: Mapping[str, Tags], slots: Sequence[Tags] = ()) -> None:
        self.columns = columns
        self.slots = slots

    def of(self, e: Expr, known: KnownTags | None = None) -> Tags:
        """What ``e`` can yield, where ``known`` holds."""
        known = known or {}
        return self._of(e, known) - known.get(e, _NOTHING)

    def _of(self, e: Expr, known: KnownTags) -> Tags:
        match e:
            case Lit(value=value):
                return _of_literal(value)
            case Col(name=name) | Out(name=name):
                return self.columns.get(name, EVERYTHING)
            case Slot(index=index):
                return self.slots[index] if index < len(self.slots) else EVERYTHING
            case Param():
                return EVERYTHING
            case If(cond=cond, then=then, otherwise=otherwise):
                yes, no = learnt(cond, True, known), learnt(cond, False, known)
                return self.of(then, yes) | self.of(otherwise, no)
            case Arith():
                return self._arithmetic(e, known)
            case Neg(operand=operand):
                tags = self.of(operand, known) - _NONE
                return (tags - {"bool"}) | {"int"} if "bool" in tags else tags
            case Call(type=t):
                return of_type(t) if t != ANY else EVERYTHING
            case Raise():
                return _NOTHING
        return frozenset(("bool",))

    def defined(self, e: Expr, known: KnownTags | None = None) -> bool:
        """Whether evaluating ``e`` certainly raises nothing, where ``known`` holds."""
        known = known or {}
        match e:
            case If(cond=cond, then=then, otherwise=otherwise):
                sides = ((then, True), (otherwise, False))
                return self.defined(cond, known) and all(self.defined(s, learnt(cond, o, known)) for s, o in sides)
            case And(operands=operands) | Or(operands=operands):
                for o in operands:
                    if not self.defined(o, known):
                        return False
                    known = learnt(o, isinstance(e, And), known)
                return True
            case Raise():
                return False
            case Call(total=total) if not total:
                return False
            case Arith(op=op, right=right) if op == "**" or (op in ("/", "//", "%") and not _is_divisor(right)):
                return False
        strict = isinstance(e, (Arith, Neg, StringTest)) or (
            isinstance(e, Compare) and e.dialect == "python" and e.op not in ("==", "!=")
        )
        parts = children(e)
        return all(self.defined(p, known) and not (strict and "none" in self.of(p, known)) for p in parts)

    def _arithmetic(self, e: Arith, known: KnownTags) -> Tags:
        sides = [self.of(o, known) - _MISSING for o in (e.left, e.right)]
        if any(s & {"other", "decimal"} for s in sides):
            return EVERYTHING - _NONE
        found: set[Tag] = set()
        if all("int" in s or "bool" in s for s in sides):
            found.add("float" if e.op == "/" else "int")
            if e.op == "**":
                found |= {"float", "nan"}
        if any("float" in s for s in sides):
            found |= {"float", "nan"}
        return frozenset(found)


def _is_divisor(e: Expr) -> bool:
    return isinstance(e, Lit) and bool(e.value)


def _of_literal(value: object) -> Tags:
    if value is None:
        return _NONE
    if isinstance(value, bool):
        return frozenset(("bool",))
    if isinstance(value, float):
        return frozenset(("float", "nan")) if math.isnan(value) else frozenset(("float",))
    return frozenset(("int",)) if isinstance(value, int) else frozenset(("other",))


def learnt(cond: Expr, outcome: bool, known: KnownTags) -> KnownTags:
    """What is known where ``cond``, a condition of Python's, has come out as ``outcome``."""
    match cond:
        case Not(operand=operand):
            return learnt(operand, not outcome, known)
        case And(operands=operands) | Or(operands=operands):
            if isinstance(cond, And) == outcome:
                for o in operands:
                    known = learnt(o, outcome, known)
                return known
            return _evaluated(operands[0], known) if operands else known
        case IsTrue(operand=operand) if outcome:
            return learnt(operand, True, known)
        case IsNull(operand=operand):
            return _without(operand, EVERYTHING - _NONE if outcome else _NONE, known)
        case IsNaN(operand=operand):
            return _without(operand, EVERYTHING - _NAN if outcome else _NAN, known)
        case Truthy(operand=operand):
            return _without(operand, _NONE if outcome else _NAN, known)
        case In(operand=operand, options=options) if outcome:
            nulls = any(not isinstance(o, Lit) or o.value is None for o in options)
            return known if nulls else _without(operand, _MISSING, known)
        case Compare(op=op, left=left, right=right, dialect="python"):
            return _compared(op, left, right, outcome, _evaluated(cond, known))
    return known


def _compared(op: str, left: Expr, right: Expr, outcome: bool, known: KnownTags) -> KnownTags:
    if op in ("==", "!="):
        if (op == "==") != outcome:
            return known
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Lit) and other.value is not None:
                known = _without(one, _MISSING, known)
        return known
    if outcome:
        known = _without(right, _NAN, _without(left, _NAN, known))
    return known


def _evaluated(cond: Expr, known: KnownTags) -> KnownTags:
    """What is known once ``cond`` has been evaluated at all: an ordering raises on None."""
    if isinstance(cond, Not):
        return _evaluated(cond.operand, known)
    if isinstance(cond, Compare) and cond.dialect == "python" and cond.op not in ("==", "!="):
        return _without(cond.right, _NONE, _without(cond.left, _NONE, known))
    return known


def _without(e: Expr, gone: Tags, known: KnownTags) -> KnownTags:
    if isinstance(e, Lit):
        return known
    return {**known, e: known.get(e, _NOTHING) | gone}


def required(e: Expr) -> frozenset[Expr]:
    """Expressions that certainly raise an error in ``e`` if they are None."""
    match e:
        case If(cond=cond, then=then, otherwise=otherwise):
            return required(cond) | (required(then) & required(otherwise))
        case And(operands=operands) | Or(operands=operands):
            return required(operands[0]) if operands else frozenset()
        case Compare(op=op, left=left, right=right, dialect="python") if op not in ("==", "!="):
            own = frozenset((left, right))
        case Arith(left=left, right=right):
            own = frozenset((left, right))
        case Neg(operand=operand):
            own = frozenset((operand,))
        case _:
            own = frozenset()
    return own.union(*(required(c) for c in children(e)))


def of_columns(types: Mapping[str, Type], facts: Sequence[Expr]) -> dict[str, Tags]:
    """What each column can hold, by its type and by conditions that are TRUE on every row."""
    gone: dict[str, Tags] = {}
    for fact in (c for f in facts for c in conjuncts(f)):
        for name, tags in _excluded(fact):
            gone[name] = gone.get(name, _NOTHING) | tags
    return {n: (of_type(t) | _NONE) - gone.get(n, _NOTHING) for n, t in types.items()}


def _excluded(fact: Expr) -> list[tuple[str, Tags]]:
    match fact:
        case Not(operand=IsNull(operand=Col(name=name))):
            return [(name, _NONE)]
        case Not(operand=IsNaN(operand=Col(name=name))):
            return [(name, _NAN)]
        case Compare(left=left, right=right, dialect="sql"):
            return [(o.name, _NONE) for o in (left, right) if isinstance(o, Col)]
        case In(operand=Col(name=name), dialect="sql"):
            return [(name, _NONE)]
    return []


def settled(
    columns: Mapping[str, Tags], init: Sequence[Expr], step: Sequence[Expr], merge: Sequence[Expr] | None
) -> list[Tags]:
    """The tags of each slot of a state that has seen at least one row."""
    reached: list[Tags] = [_NOTHING] * len(step)
    before = [Analysis(columns).of(e) for e in init]
    while True:
        stepping = Analysis(columns, [b | r for b, r in zip(before, reached, strict=True)])
        new = [r | stepping.of(e) for r, e in zip(reached, step, strict=True)]
        merging = Analysis(columns, new)
        new = [n | merging.of(e) for n, e in zip(new, merge or (), strict=False)] if merge else new
        if new == reached:
            return reached
        reached = new
