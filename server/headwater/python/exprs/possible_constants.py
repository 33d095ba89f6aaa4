"""Which numbers a fold may yield as values of several Python types, as far as they are few.

Python's 0, 0.0 and False are equal, and equal to the proof; printed they differ. ``max(0, x)`` over floats is the int 0
until a larger ``x`` comes, so that what a pre-filter drops may show.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from headwater_ir.expr import Arith, Call, Col, Expr, If, Lit, Neg, Raise, Slot
from headwater_ir.problem import Fold
from headwater_ir.types import Type

_MANY = 16
Few = frozenset[float] | None
"""Some numbers; None is any number."""
_OPERATORS: dict[str, Callable[[float, float], float]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


@dataclass(frozen=True)
class Numbers:
    """What an expression can yield as an int, as a float (or decimal: a column is one or the other), and as a bool."""

    ints: Few = frozenset()
    floats: Few = frozenset()
    bools: frozenset[float] = frozenset()

    def join(self, other: Numbers) -> Numbers:
        """Either."""
        return Numbers(_union(self.ints, other.ints), _union(self.floats, other.floats), self.bools | other.bools)


_TRUTHS: frozenset[float] = frozenset((0, 1))
_NOTHING, _INTS, _FLOATS, _BOOLS = Numbers(), Numbers(ints=None), Numbers(floats=None), Numbers(bools=_TRUTHS)
_ANY = Numbers(None, None, _TRUTHS)
_OF_TYPE = {"int": _INTS, "bool": _BOOLS, "float": _FLOATS, "decimal": _FLOATS, "number": _ANY, "any": _ANY}


def _union(a: Few, b: Few) -> Few:
    both = None if a is None or b is None else a | b
    return None if both is None or len(both) > _MANY else both


def ambiguous(fold: Fold) -> dict[str, Few]:
    """The outputs of ``fold`` that may hold one number as values of several types, with those numbers."""
    columns = {c.name: c.type for c in fold.columns}
    slots = _settled(fold, columns)
    found: dict[str, Few] = {}
    for o in fold.outputs:
        numbers = _of(o.value, columns, slots)
        both = _both(numbers)
        if both != frozenset() and not isinstance(o.value, Col):
            found[o.name] = both
    return found


def _both(n: Numbers) -> Few:
    found = _common(n.ints, n.floats)
    if found is None:
        return None
    return found | (_common(n.ints, n.bools) or frozenset()) | (_common(n.floats, n.bools) or frozenset())


def _common(a: Few, b: Few) -> Few:
    """The numbers that are in both; a whole number is in every unknown set."""
    if a is None and b is None:
        return None
    if a is not None and b is not None:
        return a & b
    known = b if a is None else a
    return frozenset(v for v in known or () if math.isfinite(v) and v == int(v))


def _settled(fold: Fold, columns: Mapping[str, Type]) -> list[Numbers]:
    """What each slot holds once the state has seen a row."""
    before = [_of(e, columns, ()) for e in fold.init]
    reached = [_NOTHING] * len(fold.step)
    while True:
        here = [b.join(r) for b, r in zip(before, reached, strict=True)]
        new = [r.join(_of(e, columns, here)) for r, e in zip(reached, fold.step, strict=True)]
        if fold.merge is not None:
            new = [n.join(_of(e, columns, new)) for n, e in zip(new, fold.merge, strict=True)]
        if new == reached:
            return reached
        reached = new


def _of(e: Expr, columns: Mapping[str, Type], slots: Sequence[Numbers]) -> Numbers:
    match e:
        case Lit(value=value):
            if isinstance(value, float):
                return Numbers(floats=frozenset() if math.isnan(value) else frozenset((value,)))
            if isinstance(value, bool):
                return Numbers(bools=frozenset((int(value),)))
            return Numbers(ints=frozenset((value,))) if isinstance(value, int) else _NOTHING
        case Col(name=name):
            return _OF_TYPE.get(columns[name].name, _NOTHING) if name in columns else _ANY
        case Slot(index=index):
            return slots[index] if index < len(slots) else _ANY
        case If(then=then, otherwise=otherwise):
            return _of(then, columns, slots).join(_of(otherwise, columns, slots))
        case Arith(op=op, left=left, right=right):
            return _computed(op, _of(left, columns, slots), _of(right, columns, slots))
        case Neg(operand=operand):
            return _computed("-", Numbers(ints=frozenset((0,))), _of(operand, columns, slots))
        case Call(type=t):
            return _OF_TYPE.get(t.name, _NOTHING)
        case Raise():
            return _NOTHING
    return _BOOLS


def _computed(op: str, a: Numbers, b: Numbers) -> Numbers:
    a, b = (replace(n, ints=_union(n.ints, n.bools), bools=frozenset()) for n in (a, b))
    has_float = a.floats != frozenset() or b.floats != frozenset() or op in ("/", "**")
    return Numbers(_combined(op, a.ints, b.ints), None if has_float else frozenset())


def _combined(op: str, a: Few, b: Few) -> Few:
    if a == frozenset() or b == frozenset() or op == "/":
        return frozenset()
    if a is None or b is None or op not in _OPERATORS:
        return None
    found = frozenset(_OPERATORS[op](x, y) for x in a for y in b)
    return None if len(found) > _MANY else found
