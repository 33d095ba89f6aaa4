"""Tuples and lists of scalars as shapes with leaves: what an RDD's elements and a fold's states are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from headwater_ir.expr import Expr

from ..context import Refusal
from .scope import Items, Thing, Unreadable, Value
from .simplify import choose, may_raise


def leaves(value: Value) -> list[Expr]:
    """The scalars inside ``value``, left to right; Refusal if it holds something that is neither a scalar nor a
    tuple or list."""
    if isinstance(value, Items) and not getattr(value, "unique", False):
        return [leaf for item in value.items for leaf in leaves(item)]
    if isinstance(value, Unreadable):
        raise Refusal(value.obstruction, value.reason)
    if isinstance(value, Thing):
        raise Refusal("opaque", "a value that is made of more than tuples, lists and scalars")
    return [value]


def scalars(value: Value) -> list[Expr]:
    """The scalars inside ``value``, as far as it has any."""
    if isinstance(value, Items):
        return [leaf for item in value.items for leaf in scalars(item)]
    return [] if isinstance(value, Thing) else [value]


def mapped(value: Value, change: Callable[[Expr], Expr]) -> Value:
    """``value`` with each leaf changed, left to right."""
    if isinstance(value, Items):
        return Items(tuple(mapped(item, change) for item in value.items), value.mutable)
    leaves(value)
    return change(value)  # type: ignore[arg-type]


def like(value: Value, new: Iterator[Expr]) -> Value:
    """The shape of ``value`` with the leaves ``new``."""
    return mapped(value, lambda _: next(new))


def same_shape(a: Value, b: Value) -> bool:
    """Whether two values have their tuples, lists and scalars in the same places."""
    if isinstance(a, Items) and isinstance(b, Items):
        alike = a.mutable == b.mutable and len(a.items) == len(b.items)
        return alike and all(same_shape(x, y) for x, y in zip(a.items, b.items, strict=True))
    return not isinstance(a, Thing) and not isinstance(b, Thing)


def joined(cond: Expr, a: Value, b: Value) -> Value:
    """``a if cond else b``, leaf by leaf; Refusal where the two have different shapes."""
    if isinstance(a, Thing) and a == b and not may_raise(cond):
        return a
    if not same_shape(a, b):
        raise Refusal("opaque", "values of different shapes on different paths")
    other = iter(leaves(b))
    return mapped(a, lambda leaf: choose(cond, leaf, next(other)))


def paths(value: Value, root: str) -> list[str]:
    """How Python code spells each leaf, given that the whole is called ``root``."""
    if isinstance(value, Items):
        return [p for i, item in enumerate(value.items) for p in paths(item, f"{root}[{i}]")]
    return [root]
