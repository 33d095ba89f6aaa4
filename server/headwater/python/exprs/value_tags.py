"""Which values an expression of Python's can yield: None, NaN, and of which Python type numbers are.

Sorting, hashing and comparing tuples mean something simple only where neither None nor NaN occurs. In doubt both may.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from headwater_ir.expr import (
    And,
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    Lit,
    Neg,
    Or,
    Out,
    Param,
    Raise,
    Slot,
    StringTest,
    children,
)  # fmt: skip
from headwater_ir.types import ANY, Type

from .facts import EVERYTHING, MISSING, NO_FACTS, NONE_TAG, NOTHING, ORDERINGS, Facts, Tag, Tags

_OF_TYPE: dict[str, Tags] = {
    "null": NOTHING, "bool": frozenset(("bool",)), "int": frozenset(("int",)), "float": frozenset(("float", "nan")),
    "number": frozenset(("int", "float", "nan", "decimal")), "decimal": frozenset(("decimal",)),
    "string": frozenset(("other",)), "date": frozenset(("other",)),
}  # fmt: skip


def of_type(t: Type) -> Tags:
    """What values of type ``t`` can be, besides None."""
    return _OF_TYPE.get(t.name, EVERYTHING - NONE_TAG)


class Values(ABC):
    """What expressions can yield, by what columns and slots can hold."""

    @abstractmethod
    def leaf(self, e: Col | Out | Slot) -> Tags:
        """What a column or slot can hold."""

    def of(self, e: Expr, known: Facts = NO_FACTS) -> Tags:
        """What ``e`` can yield, where ``known`` holds."""
        return self._of(e, known) - known.excluded(e)

    def missing(self, e: Expr, known: Facts = NO_FACTS) -> Tags:
        """Which of None and NaN ``e`` can yield, where ``known`` holds."""
        return self.of(e, known) & MISSING

    def _of(self, e: Expr, known: Facts) -> Tags:
        match e:
            case Lit(value=value):
                return _of_literal(value)
            case Col() | Out() | Slot():
                return self.leaf(e)
            case Param():
                return EVERYTHING
            case If(cond=cond, then=then, otherwise=otherwise):
                decided = known.decide(cond)
                if decided is not None:
                    return self.of(then if decided else otherwise, known)
                return self.of(then, known.plus(cond, True)) | self.of(otherwise, known.plus(cond, False))
            case Arith():
                return self._arithmetic(e, known)
            case Neg(operand=operand) | Call(name="abs", args=(operand,)):
                tags = self.of(operand, known) - NONE_TAG
                return (tags - {"bool"}) | {"int"} if "bool" in tags else tags
            case Call(type=t):  # the models of functions of a known type never yield None
                return of_type(t) if t != ANY else EVERYTHING
            case Raise():
                return NOTHING
        return frozenset(("bool",))

    def defined(self, e: Expr, known: Facts = NO_FACTS) -> bool:
        """Whether evaluating ``e`` certainly raises nothing, where ``known`` holds."""
        match e:
            case If(cond=cond, then=then, otherwise=otherwise):
                sides = ((then, True), (otherwise, False))
                return self.defined(cond, known) and all(self.defined(s, known.plus(cond, o)) for s, o in sides)
            case And(operands=operands) | Or(operands=operands):
                for o in operands:
                    if not self.defined(o, known):
                        return False
                    known = known.plus(o, isinstance(e, And))
                return True
            case Raise():
                return False
            case Call(total=total) if not total:
                return False
            case Arith(op=op, right=right) if op == "**" or (op in ("/", "//", "%") and not _is_divisor(right)):
                return False
        strict = isinstance(e, (Arith, Neg, StringTest)) or (
            isinstance(e, Compare) and e.dialect == "python" and e.op in ORDERINGS
        )
        return all(self.defined(p, known) and not (strict and "none" in self.of(p, known)) for p in children(e))

    def _arithmetic(self, e: Arith, known: Facts) -> Tags:
        sides = [self.of(o, known) - NONE_TAG for o in (e.left, e.right)]
        if any(s & {"other", "decimal"} for s in sides):
            return EVERYTHING - NONE_TAG
        found: set[Tag] = set()
        if all("int" in s or "bool" in s for s in sides):
            found.add("float" if e.op == "/" else "int")
            if e.op == "**":
                found |= {"float", "nan"}
        if any(s & {"float", "nan"} for s in sides):
            found |= {"float", "nan"}
        return frozenset(found)


class ColumnValues(Values):
    """What expressions over columns and slots can yield. ``slots`` of both sides of a merge are those of the state."""

    def __init__(self, columns: Mapping[str, Tags], slots: Sequence[Tags] = ()) -> None:
        self.columns = columns
        self.slots = slots

    def leaf(self, e: Col | Out | Slot) -> Tags:
        """What a column or slot can hold."""
        if isinstance(e, Slot):
            return self.slots[e.index] if e.index < len(self.slots) else EVERYTHING
        return self.columns.get(e.name, EVERYTHING)


def _is_divisor(e: Expr) -> bool:
    return isinstance(e, Lit) and bool(e.value)


def _of_literal(value: object) -> Tags:
    if value is None:
        return NONE_TAG
    if isinstance(value, bool):
        return frozenset(("bool",))
    if isinstance(value, float):
        return frozenset(("float", "nan")) if math.isnan(value) else frozenset(("float",))
    return frozenset(("int",)) if isinstance(value, int) else frozenset(("other",))


def required(e: Expr) -> frozenset[Expr]:
    """Expressions that certainly raise an error in ``e`` if they are None."""
    match e:
        case If(cond=cond, then=then, otherwise=otherwise):
            return required(cond) | (required(then) & required(otherwise))
        case And(operands=operands) | Or(operands=operands):
            return required(operands[0]) if operands else frozenset()
        case Compare(op=op, left=left, right=right, dialect="python") if op in ORDERINGS:
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
    known = Facts((f, True) for f in facts)
    return {n: (of_type(t) | NONE_TAG) - known.excluded(Col(n)) for n, t in types.items()}


def settled(
    columns: Mapping[str, Tags], init: Sequence[Expr], step: Sequence[Expr], merge: Sequence[Expr] | None
) -> list[Tags]:
    """The tags of each slot of a state that has seen at least one row."""
    reached: list[Tags] = [NOTHING] * len(step)
    before = [ColumnValues(columns).of(e) for e in init]
    while True:
        stepping = ColumnValues(columns, [b | r for b, r in zip(before, reached, strict=True)])
        new = [r | stepping.of(e) for r, e in zip(reached, step, strict=True)]
        merging = ColumnValues(columns, new)
        new = [n | merging.of(e) for n, e in zip(new, merge or (), strict=False)] if merge else new
        if new == reached:
            return reached
        reached = new
