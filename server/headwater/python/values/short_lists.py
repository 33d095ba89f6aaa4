"""Operations on short lists: append, sort, cut, pop, index. Law: CPython's, on lists of at most ``MAX_CELLS`` elements.

Sorting is stable, so an element that is not strictly better stays behind its equals. NaN has no place in an order: the
caller has to know that there is none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

from headwater.python.exprs.simplify import both, choose, either, negate
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, TRUE, CompareOp, Expr, Lit, Raise
from headwater_ir.types import INT

from .scope import Value
from .structures import MAX_CELLS, BoundedList, Cell, Ordering, blank, leaves, merged, rebuilt, settled

Order = Callable[[CompareOp, Value, Value], Expr]
"""``order(op, a, b)``: whether ``key(a) op key(b)``."""


def _merge(cond: Expr, a: Value, b: Value) -> Value:
    found = merged(cond, a, b)
    if found is None:
        raise Refusal("opaque", "a list of unlike elements")
    return found


def _cells(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    if len(cells) > MAX_CELLS:
        raise Refusal("opaque", "a list that may grow beyond five elements while its order matters")
    return cells


def _either_way(cond: Expr, a: tuple[Cell, ...], b: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """``a`` where ``cond`` holds, else ``b``, which is not longer."""
    missing = Cell(FALSE, blank(a[0].value))
    padded = (*b, *(missing for _ in range(len(a) - len(b))))
    pairs = zip(a, padded, strict=True)
    return tuple(Cell(choose(cond, c.present, d.present), _merge(cond, c.value, d.value)) for c, d in pairs)


def appended(value: BoundedList, element: Value, *, full: bool = True) -> BoundedList:
    """``append``."""
    return replace(value, pending=(*value.pending, (TRUE, element)), full=value.full and full)


def placed(value: BoundedList) -> BoundedList:
    """The same list without pending elements."""
    cells, order = value.cells, value.order
    for cond, element in value.pending:
        new = _front(cells, element) if value.turned else _back(cells, element)
        cells, order = _either_way(cond, _cells(new), cells), None
    return replace(value, cells=cells, order=order, pending=())


def _front(cells: tuple[Cell, ...], element: Value) -> tuple[Cell, ...]:
    return (Cell(TRUE, element), *cells)


def _back(cells: tuple[Cell, ...], element: Value) -> tuple[Cell, ...]:
    found: list[Cell] = []
    before: Expr = TRUE
    for c in cells:
        fresh = _merge(before, element, blank(element)) if found else element
        found.append(Cell(before, _merge(c.present, c.value, fresh)))
        before = c.present
    fresh = _merge(before, element, blank(element)) if found else element
    return (*found, Cell(before, fresh))


def ordered(value: BoundedList, ordering: Ordering, order: Order, *, turned: bool | None = None) -> BoundedList:
    """``sort``. ``turned``: keep the cells in the opposite order."""
    cells: tuple[Cell, ...] = ()
    new = [(c.present, c.value) for c in value.cells]
    backwards = value.turned if turned is None else turned
    if value.order == ordering and value.turned == backwards:
        cells, new = value.cells, []
    elif turned is None:
        backwards = False
    for cond, element in (*new, *value.pending):
        cells = _either_way(cond, _cells(_inserted(cells, element, ordering, order, backwards)), cells)
    return replace(value, cells=cells, order=ordering, turned=backwards, heap=False, pending=())


def _inserted(
    cells: tuple[Cell, ...], element: Value, ordering: Ordering, order: Order, turned: bool
) -> tuple[Cell, ...]:
    """The cells with ``element`` in its place: behind its equals, or before them if the cells are turned."""
    op: CompareOp = ">" if ordering.descending != turned else "<"
    if turned:
        op = ">=" if op == ">" else "<="
    found: list[Cell] = []
    previous: Cell | None = None
    earlier: Expr = FALSE
    for c in cells:
        here = either(negate(c.present), order(op, element, c.value))
        moved = element if previous is None else _merge(earlier, previous.value, element)
        found.append(Cell(TRUE if previous is None else previous.present, _merge(here, moved, c.value)))
        previous, earlier = c, here
    moved = element if previous is None else _merge(earlier, previous.value, element)
    return (*found, Cell(TRUE if previous is None else previous.present, moved))


def first_cells(value: BoundedList, count: int, order: Order) -> BoundedList:
    """``value[:count]``."""
    if value.turned:
        value = _turned_over(value, order)
    value = placed(value)
    return replace(value, cells=value.cells[:count])


def last_cells(value: BoundedList, count: int, order: Order) -> BoundedList:
    """``value[-count:]``."""
    if not value.turned:
        value = _turned_over(value, order)
    value = placed(value)
    return replace(value, cells=value.cells[:count])


def _turned_over(value: BoundedList, order: Order) -> BoundedList:
    if value.pending:
        value = placed(value)
    if len(value.cells) < 2:
        return replace(value, turned=not value.turned)
    if value.order is None:
        raise Refusal("opaque", "the other end of a list that is not sorted")
    return ordered(value, value.order, order, turned=not value.turned)


def popped(value: BoundedList, *, last: bool) -> tuple[BoundedList, Cell]:
    """``pop()`` or ``pop(0)``: the rest, and what is taken out."""
    value = placed(value)
    if not value.cells:
        raise Refusal("may-throw", "pop from an empty list")
    cells = value.cells
    if last == value.turned:
        return replace(value, cells=cells[1:]), cells[0]
    taken = end(cells)
    kept = []
    for c, after in itertools.pairwise(cells):
        kept.append(Cell(after.present, _merge(after.present, c.value, blank(c.value))))
    return replace(value, cells=tuple(kept)), taken


def end(cells: tuple[Cell, ...]) -> Cell:
    """The last cell that is present."""
    value = cells[0].value
    for c in cells[1:]:
        value = _merge(c.present, c.value, value)
    return Cell(cells[0].present, value)


def at(value: BoundedList, index: int) -> Cell | None:
    """``value[index]``; None if the list is never that long."""
    value = placed(value)
    cells = value.cells
    forward = index if index >= 0 else -1 - index
    if forward >= len(cells):
        return None
    if (index >= 0) != value.turned:
        return cells[forward]
    if forward == 0:
        return end(cells)
    found = cells[0].value
    for i in range(forward + 1, len(cells)):
        found = _merge(cells[i].present, cells[i - forward].value, found)
    return Cell(cells[forward].present, found)


def read(cell: Cell | None) -> Value:
    """The element in a cell; IndexError if nothing is there."""
    if cell is None:
        return Raise("IndexError")
    if settled(cell.present):
        return cell.value
    return rebuilt(cell.value, iter([choose(cell.present, e, Raise("IndexError")) for e in leaves(cell.value)]))


def length(value: BoundedList) -> tuple[Expr, tuple[Expr, ...]]:
    """``len(value)``, and for each place whether it is taken."""
    taken = tuple(c.present for c in placed(value).cells)
    total: Expr = Lit(0, INT)
    for n, present in enumerate(taken):
        total = choose(present, Lit(n + 1, INT), total)
    return total, taken


def longer(taken: tuple[Expr, ...], than: int) -> Expr:
    """Whether the list has more than ``than`` elements."""
    if than < 0:
        return TRUE
    return taken[than] if than < len(taken) else FALSE


def compare_length(op: CompareOp, taken: tuple[Expr, ...], n: int) -> Expr:
    """``len(value) op n``."""
    more, least = longer(taken, n), longer(taken, n - 1)
    match op:
        case ">":
            return more
        case ">=":
            return least
        case "<":
            return negate(least)
        case "<=":
            return negate(more)
        case "==":
            return both(least, negate(more))
        case "!=":
            return negate(both(least, negate(more)))
