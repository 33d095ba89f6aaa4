"""Which Python types a value can have, where ``Type`` joins them: ``0`` and ``0.0`` are both numbers, but a UDTF that
yields the one for a double column stores 0.0 or NULL, depending on how the rows travel."""

from __future__ import annotations

from headwater.python.exprs.types import CONDITIONS
from headwater_ir.expr import Arith, Call, Col, Expr, If, Lit, Neg, Raise, Slot
from headwater_ir.types import Type

from .scope import Scope
from .slots import Slots

Kinds = frozenset[str]
_NOTHING: Kinds = frozenset()


def slot_kinds(scope: Scope, slots: Slots) -> dict[int, Kinds]:
    """For each slot the names of the types of all values that it can hold beside None."""
    found: dict[int, Kinds] = dict.fromkeys(range(len(slots.init)), _NOTHING)
    while True:
        new = {i: found[i] | kinds(scope, slots.init[i], found) | kinds(scope, slots.step[i], found) for i in found}
        if new == found:
            return found
        found = new


def kinds(scope: Scope, e: Expr, slots: dict[int, Kinds]) -> Kinds:
    """The names of the types of all values of ``e`` beside None."""
    match e:
        case Slot(index):
            return slots.get(index, frozenset(("any",)))
        case If(then=then, otherwise=otherwise):
            return kinds(scope, then, slots) | kinds(scope, otherwise, slots)
        case Raise():
            return _NOTHING
        case Neg(operand=operand):
            return _numbers(kinds(scope, operand, slots))
        case Arith(op=op, left=left, right=right):
            return _arithmetic(op, kinds(scope, left, slots), kinds(scope, right, slots))
        case Call(name="abs" | "round", args=(first, *_), type=t) if t.name != "int":
            return _numbers(kinds(scope, first, slots))
        case Lit(type=t) | Call(type=t):
            return _of_type(t)
        case Col():
            return _of_type(scope.type(e))
    return frozenset(("bool",)) if isinstance(e, CONDITIONS) else frozenset(("any",))


def _of_type(t: Type) -> Kinds:
    return _NOTHING if t.name == "null" else frozenset((t.name,))


def _numbers(found: Kinds) -> Kinds:
    return frozenset("int" if k == "bool" else k for k in found)


def _arithmetic(op: str, left: Kinds, right: Kinds) -> Kinds:
    found: set[str] = set()
    for a in _numbers(left):
        for b in _numbers(right):
            if not {a, b} <= {"int", "float"}:
                found.add("any")
            else:
                found.add("float" if op == "/" or "float" in (a, b) else "int")
    return frozenset(found)
