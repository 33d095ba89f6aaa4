"""What an RDD's elements and a fold's states may be made of: scalars, and tuples, lists, dicts or None in place of a
tuple, with scalars as leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from headwater.python.exprs.simplify import may_raise
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Expr

from . import short_lists, structures
from .scope import AbstractObject, Items, Unreadable, Value
from .structures import BitMask, BoundedList, OptionalValue, RecordValue, aligned, blank, labels, merged, rebuilt


def placed(value: Value) -> Value:
    """``value`` in a form in which its leaves tell all of it; Refusal for what is no such value."""
    match value:
        case Unreadable():
            raise Refusal(value.obstruction, value.reason)
        case Items(unique=False):
            return Items(tuple(map(placed, value.items)), value.mutable, value.solid)
        case RecordValue():
            return RecordValue(value.names, tuple(map(placed, value.values)), value.access, value.mutable, value.solid)
        case OptionalValue():
            inner = placed(value.inner)
            assert isinstance(inner, (Items, RecordValue))
            return OptionalValue(inner, value.present, value.solid)
        case BoundedList():
            return short_lists.placed(value)
        case BitMask():
            return value.number
        case AbstractObject():
            raise Refusal("opaque", "a value that is made of more than tuples, lists and scalars")
    return value


def leaves(value: Value) -> list[Expr]:
    """The scalars inside ``value``, left to right."""
    return list(structures.leaves(placed(value)))


def scalars(value: Value) -> list[Expr]:
    """The scalars inside ``value``, as far as it has any."""
    if isinstance(value, Items):
        return [leaf for item in value.items for leaf in scalars(item)]
    return list(structures.leaves(value))


def mapped(value: Value, change: Callable[[Expr], Expr]) -> Value:
    """``value`` with each leaf changed, left to right."""
    return like(value, iter([change(leaf) for leaf in leaves(value)]))


def like(value: Value, new: Iterator[Expr]) -> Value:
    """The shape of ``value`` with the leaves ``new``."""
    return rebuilt(placed(value), new)


def one_shape(values: Sequence[Value]) -> list[Value] | None:
    """``values`` in the one shape that holds each of them; None if there is none."""
    found = [placed(v) for v in values]
    for _ in range(len(found)):
        for i in range(1, len(found)):
            pair = aligned(found[0], found[i])
            if pair is None:
                return None
            found[0], found[i] = pair
    return found if all(blank(v) == blank(found[0]) for v in found) else None


def joined(cond: Expr, a: Value, b: Value) -> Value:
    """``a if cond else b``, leaf by leaf; Refusal where the two have nothing in common."""
    if isinstance(a, AbstractObject) and a == b and not may_raise(cond):
        return a
    found = merged(cond, a, b)
    if found is None:
        raise Refusal("opaque", "values of different shapes on different paths")
    return found


def paths(value: Value, root: str) -> list[str]:
    """How Python code spells each leaf, more or less, given that the whole is called ``root``."""
    return [root + label for label in labels(placed(value))]
