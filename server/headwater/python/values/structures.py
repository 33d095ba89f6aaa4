"""Values that are made of scalars: tuples, records, short lists, bit masks, and None in place of a tuple.

Each is a tree whose leaves are expressions, so that a variable that holds one becomes one slot per leaf, and an ``if``
merges two of them leaf by leaf. Lists without a bound have no leaves: see ``append_only``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from headwater.python.exprs.simplify import NONE, choose, is_null, literal_truth, negate
from headwater_ir.expr import FALSE, TRUE, Expr, If, Lit
from headwater_ir.types import INT

from .scope import AbstractObject, Items, Value

MAX_CELLS = 6
"""Longest short list: the five best and one more before it is cut."""


@dataclass(frozen=True)
class RecordValue(AbstractObject):
    """A dict with literal string keys (``access`` "item"), or a row that was kept. ``solid``: as in ``Items``.
    ``closed``: it has no keys but ``names``; a row that was kept may have columns that have no model."""

    names: tuple[str, ...]
    values: tuple[Value, ...]
    access: str = "item"
    mutable: bool = True
    solid: frozenset[int] = frozenset()
    closed: bool = field(default=False, compare=False)

    def get(self, name: str) -> Value | None:
        """The value of a key, if there is one."""
        return self.values[self.names.index(name)] if name in self.names else None


@dataclass(frozen=True)
class OptionalValue(AbstractObject):
    """``inner`` where ``present`` holds, else None; then every leaf of it is None. ``solid``: leaves that are None only
    if ``inner`` is absent."""

    inner: Items | RecordValue
    present: Expr
    solid: frozenset[int]


@dataclass(frozen=True)
class Cell:
    """One place of a short list. Where nothing is there every leaf of ``value`` is None; the first one is None only
    then."""

    present: Expr
    value: Value


@dataclass(frozen=True)
class Ordering:
    """What a list is sorted by: the text of the key function, and the direction."""

    key: str
    descending: bool


@dataclass(frozen=True)
class BoundedList(AbstractObject):
    """A list of at most ``MAX_CELLS`` elements.

    ``cells``: the elements, those present first. ``turned``: the list reads them backwards. ``pending``: elements that
    come after them where the condition holds. ``order``: what the list (``pending`` aside) is sorted by.
    ``heap``: only the smallest element has a place that is known, and is the first. ``full``: no part of an element is
    None.
    """

    cells: tuple[Cell, ...] = ()
    order: Ordering | None = None
    turned: bool = False
    heap: bool = False
    full: bool = True
    pending: tuple[tuple[Expr, Value], ...] = ()


@dataclass(frozen=True)
class BitMask(AbstractObject):
    """A whole number made of flags: bit → whether it is set."""

    flags: tuple[tuple[int, Expr], ...]

    def flag(self, bit: int) -> Expr:
        """Whether ``bit`` is set."""
        return dict(self.flags).get(bit, FALSE)

    @property
    def number(self) -> Expr:
        """The number itself."""
        return _number(self.flags, 0)


def _number(flags: tuple[tuple[int, Expr], ...], base: int) -> Expr:
    if not flags:
        return Lit(base, INT)
    bit, flag = flags[-1]
    return choose(flag, _number(flags[:-1], base | 1 << bit), _number(flags[:-1], base))


def is_mutable(value: Value) -> bool:
    """Whether a second name for ``value`` would see changes made through the first."""
    if isinstance(value, (Items, RecordValue)):
        inner = value.items if isinstance(value, Items) else value.values
        return value.mutable or any(map(is_mutable, inner))
    if isinstance(value, OptionalValue):
        return is_mutable(value.inner)
    return isinstance(value, BoundedList) or getattr(value, "collects", False)


def leaves(value: Value) -> Iterator[Expr]:
    """The scalars of ``value``, in order."""
    if isinstance(value, Items):
        for v in value.items:
            yield from leaves(v)
    elif isinstance(value, RecordValue):
        for v in value.values:
            yield from leaves(v)
    elif isinstance(value, OptionalValue):
        if not value.solid:
            yield value.present
        yield from leaves(value.inner)
    elif isinstance(value, BoundedList):
        for cell in value.cells:
            yield from leaves(cell.value)
    elif isinstance(value, BitMask):
        for _, flag in value.flags:
            yield flag
    elif not isinstance(value, AbstractObject):
        yield value


def labels(value: Value) -> Iterator[str]:
    """A name for each leaf."""
    if isinstance(value, Items):
        for i, v in enumerate(value.items):
            yield from (f"[{i}]{label}" for label in labels(v))
    elif isinstance(value, RecordValue):
        for name, v in zip(value.names, value.values, strict=True):
            yield from (f".{name}{label}" for label in labels(v))
    elif isinstance(value, OptionalValue):
        if not value.solid:
            yield ".set"
        yield from labels(value.inner)
    elif isinstance(value, BoundedList):
        for i, cell in enumerate(value.cells):
            yield from (f"[{i}]{label}" for label in labels(cell.value))
    elif isinstance(value, BitMask):
        for bit, _ in value.flags:
            yield f".{bit}"
    elif not isinstance(value, AbstractObject):
        yield ""


def rebuilt(value: Value, parts: Iterator[Expr]) -> Value:
    """``value`` with its leaves replaced by ``parts``."""
    if isinstance(value, Items):
        return replace(value, items=tuple(rebuilt(v, parts) for v in value.items))
    if isinstance(value, RecordValue):
        return replace(value, values=tuple(rebuilt(v, parts) for v in value.values))
    if isinstance(value, OptionalValue):
        present = None if value.solid else next(parts)
        inner = rebuilt(value.inner, parts)
        assert isinstance(inner, (Items, RecordValue))
        if present is None:
            present = negate(is_null(list(leaves(inner))[min(value.solid)]))
        return OptionalValue(inner, present, value.solid)
    if isinstance(value, BoundedList):
        cells = []
        for cell in value.cells:
            inside = rebuilt(cell.value, parts)
            cells.append(Cell(negate(is_null(next(leaves(inside)))), inside))
        return replace(value, cells=tuple(cells))
    if isinstance(value, BitMask):
        return BitMask(tuple((bit, next(parts)) for bit, _ in value.flags))
    return value if isinstance(value, AbstractObject) else next(parts)


def blank(value: Value) -> Value:
    """``value`` with None for every leaf."""
    return rebuilt(value, iter([NONE] * len(list(leaves(value)))))


def aligned(a: Value, b: Value) -> tuple[Value, Value] | None:
    """Both values in one structure that holds either; None if there is none."""
    if not isinstance(a, AbstractObject) and not isinstance(b, AbstractObject):
        return a, b
    if isinstance(a, BitMask) or isinstance(b, BitMask):
        flags = _aligned_bits(a, b)
        one, other = (v.number if isinstance(v, BitMask) else v for v in (a, b))
        return flags or (None if isinstance(one, AbstractObject) or isinstance(other, AbstractObject) else (one, other))
    if isinstance(a, (OptionalValue, Items, RecordValue)) and b == NONE:
        return _with_none(a)
    if isinstance(b, (OptionalValue, Items, RecordValue)) and a == NONE:
        found = _with_none(b)
        return found and (found[1], found[0])
    if isinstance(a, OptionalValue) or isinstance(b, OptionalValue):
        x, y = optional(a), optional(b)
        inner = x and y and aligned(x.inner, y.inner)
        if x is None or y is None or not inner:
            return None
        solid = x.solid & y.solid
        first, second = inner
        assert isinstance(first, (Items, RecordValue))
        assert isinstance(second, (Items, RecordValue))
        return OptionalValue(first, x.present, solid), OptionalValue(second, y.present, solid)
    if isinstance(a, Items) and isinstance(b, Items) and _alike(a, b):
        return _parts(a, b, a.items, b.items)
    if (
        isinstance(a, RecordValue)
        and isinstance(b, RecordValue)
        and (set(a.names), a.access) == (set(b.names), b.access)
    ):
        mutable, closed = a.mutable and b.mutable, a.closed and b.closed
        other = _renamed(b, a.names, mutable)
        return _parts(replace(a, mutable=mutable, closed=closed), other, a.values, other.values)
    x1, y1 = short(a), short(b)
    return _aligned_lists(x1, y1) if x1 is not None and y1 is not None else None


def _alike(a: Items, b: Items) -> bool:
    return len(a.items) == len(b.items) and a.mutable == b.mutable


def _renamed(value: RecordValue, names: tuple[str, ...], mutable: bool) -> RecordValue:
    """``value`` with its parts in the order of ``names``."""
    places = [value.names.index(n) for n in names]
    solid = frozenset(new for new, old in enumerate(places) if old in value.solid)
    return RecordValue(names, tuple(value.values[i] for i in places), value.access, mutable, solid)


def _parts(
    a: Items | RecordValue, b: Items | RecordValue, xs: Sequence[Value], ys: Sequence[Value]
) -> tuple[Value, Value] | None:
    pairs = [aligned(x, y) for x, y in zip(xs, ys, strict=True)]
    if any(p is None for p in pairs):
        return None
    field = "items" if isinstance(a, Items) else "values"
    solid = a.solid & b.solid
    first, second = tuple(p[0] for p in pairs if p), tuple(p[1] for p in pairs if p)
    return (
        replace(a, **{field: first, "solid": solid}),  # type: ignore[arg-type]  # the field that holds the parts
        replace(b, **{field: second, "solid": solid}),  # type: ignore[arg-type]  # of the same class
    )


def optional(value: Value) -> OptionalValue | None:
    """A tuple or record that may also be None."""
    if isinstance(value, OptionalValue):
        return value
    if isinstance(value, RecordValue) or (isinstance(value, Items) and not value.mutable):
        items = value.items if isinstance(value, Items) else value.values
        if items and not any(isinstance(v, AbstractObject) for v in items):
            return OptionalValue(value, TRUE, value.solid)
    return None


def _with_none(value: Value) -> tuple[Value, Value] | None:
    some = optional(value)
    if some is None:
        return None
    none = blank(some.inner)
    assert isinstance(none, (Items, RecordValue))
    return some, OptionalValue(none, FALSE, some.solid)


def _aligned_bits(a: Value, b: Value) -> tuple[Value, Value] | None:
    x, y = bits(a), bits(b)
    if x is None or y is None:
        return None
    used = sorted({n for n, _ in (*x.flags, *y.flags)})
    return BitMask(tuple((n, x.flag(n)) for n in used)), BitMask(tuple((n, y.flag(n)) for n in used))


def bits(value: Value) -> BitMask | None:
    """A literal or a mask as flags."""
    if isinstance(value, BitMask):
        return value
    if isinstance(value, Lit) and type(value.value) is int and 0 <= value.value < 2**31:
        n = value.value
        return BitMask(tuple((i, TRUE) for i in range(n.bit_length()) if n >> i & 1))
    if isinstance(value, If):
        x, y = bits(value.then), bits(value.otherwise)
        if x is not None and y is not None:
            used = sorted({n for n, _ in (*x.flags, *y.flags)})
            return BitMask(tuple((n, choose(value.cond, x.flag(n), y.flag(n))) for n in used))
    return None


def short(value: Value) -> BoundedList | None:
    """A list as a short list; None where an element may be None, or is no scalar and no tuple of scalars."""
    if isinstance(value, BoundedList):
        return value
    if not isinstance(value, Items) or not value.mutable or len(value.items) > MAX_CELLS:
        return None
    if value.solid != frozenset(range(len(value.items))):
        return None
    full = all(not isinstance(v, Items) or v.solid == frozenset(range(len(v.items))) for v in value.items)
    return BoundedList(tuple(Cell(TRUE, v) for v in value.items), full=full)


def _aligned_lists(a: BoundedList, b: BoundedList) -> tuple[Value, Value] | None:
    if not a.cells and not a.pending:
        a = replace(a, order=b.order, turned=b.turned, heap=b.heap)
    if not b.cells and not b.pending:
        b = replace(b, order=a.order, turned=a.turned, heap=a.heap)
    if (a.turned, a.heap) != (b.turned, b.heap):
        return None
    a, b = replace(a, full=a.full and b.full), replace(b, full=a.full and b.full)
    if a.order != b.order:
        if a.turned or a.heap:
            return None
        a, b = replace(a, order=None), replace(b, order=None)
    n = max(len(a.cells), len(b.cells))
    x, y = _padded(a, n, (*b.cells, *a.cells)), _padded(b, n, (*a.cells, *b.cells))
    return (x, y) if x is not None and y is not None else None


def _padded(value: BoundedList, n: int, like: tuple[Cell, ...]) -> BoundedList | None:
    kinds = {len(list(leaves(c.value))) if isinstance(c.value, Items) else 0 for c in like}
    if len(kinds) > 1:
        return None
    missing = n - len(value.cells)
    return replace(value, cells=(*value.cells, *(Cell(FALSE, blank(like[0].value)) for _ in range(missing))))


def merged(cond: Expr, a: Value, b: Value) -> Value | None:
    """``a`` where ``cond`` holds, else ``b``; None if they have no structure in common. Errors of ``cond`` are the
    caller's to keep."""
    pair = aligned(a, b)
    if pair is None:
        return None
    x, y = pair
    if isinstance(x, BoundedList) and isinstance(y, BoundedList):
        return _merged_lists(cond, x, y)
    return _chosen(cond, x, y)


def _chosen(cond: Expr, x: Value, y: Value) -> Value | None:
    if isinstance(x, Items) and isinstance(y, Items):
        values = [merged(cond, v, w) for v, w in zip(x.items, y.items, strict=True)]
        return None if None in values else replace(x, items=tuple(v for v in values if v is not None))
    if isinstance(x, RecordValue) and isinstance(y, RecordValue):
        values = [merged(cond, v, w) for v, w in zip(x.values, y.values, strict=True)]
        return None if None in values else replace(x, values=tuple(v for v in values if v is not None))
    if isinstance(x, OptionalValue) and isinstance(y, OptionalValue):
        inner = merged(cond, x.inner, y.inner)
        if not isinstance(inner, (Items, RecordValue)):
            return None
        return OptionalValue(inner, choose(cond, x.present, y.present), x.solid)
    if isinstance(x, BitMask) and isinstance(y, BitMask):
        return BitMask(tuple((n, choose(cond, f, y.flag(n))) for n, f in x.flags))
    if x == y:
        return x
    return None if isinstance(x, AbstractObject) or isinstance(y, AbstractObject) else choose(cond, x, y)


def _merged_lists(cond: Expr, x: BoundedList, y: BoundedList) -> BoundedList | None:
    cells = []
    for c, d in zip(x.cells, y.cells, strict=True):
        value = merged(cond, c.value, d.value)
        if value is None:
            return None
        cells.append(Cell(choose(cond, c.present, d.present), value))
    same = 0
    while same < min(len(x.pending), len(y.pending)) and x.pending[same] == y.pending[same]:
        same += 1
    ours = tuple((choose(cond, c, FALSE), v) for c, v in x.pending[same:])
    theirs = tuple((choose(cond, FALSE, c), v) for c, v in y.pending[same:])
    return replace(x, cells=tuple(cells), pending=(*x.pending[:same], *ours, *theirs))


def settled(present: Expr) -> bool:
    """Whether something is certainly there."""
    return literal_truth(present) is True
