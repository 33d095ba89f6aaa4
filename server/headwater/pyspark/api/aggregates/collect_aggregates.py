"""``collect_set(x)`` and ``collect_list(x)``: what they pass over, and that they are never NULL.

Both ignore NULL, and over nothing but NULLs yield an empty array (``Collect`` in Spark's ``collect.scala``). Which one
it is stays uninterpreted, represented by an unknown text; how long it is, is known: the number of distinct elements,
which is 0 exactly where none was seen, or the number of elements. The order of a list is that of the rows, for every
order.
"""

from __future__ import annotations

from headwater_ir.expr import Call, Compare, Expr, If, IsNull, Lit, Slot
from headwater_ir.types import ANY, INT, STRING

from .aggregate_slots import NONE, ONE, ZERO, Part, count, unless_null
from .value_picking_aggregates import SET, distinct

_EMPTY = Lit("", STRING)
_SET, _LIST, _LISTS = ":set", ":list", "collected:"


def collected(function: str, v: Expr, number: int) -> Part:
    """``collect_set(v)`` or ``collect_list(v)``; ``number`` tells the aggregate apart from others."""
    if function == "collect_set":
        part = distinct(v, number)
        return Part(
            part.types, part.init, part.step, part.merge, lambda b: _array(Slot(b), f"{SET}{number}{_SET}", b), ANY
        )
    return _list(v, f"{_LISTS}{number}")


def _list(v: Expr, name: str) -> Part:
    counted = count(v)

    def append(suffix: str, *args: Expr) -> Expr:
        return Call(name + suffix, args, STRING, total=True)

    def step(b: int) -> tuple[Expr, ...]:
        text = Slot(b + 1)
        return *counted.step(b), unless_null(v, lambda x: append("", text, append(":element", x)), text)

    def merge(b: int) -> tuple[Expr, ...]:
        left, right = Slot(b + 1, 1), Slot(b + 1, 2)
        both = append(":merge", left, right)
        return *counted.merge(b), If(_some(Slot(b, 1)), If(_some(Slot(b, 2)), both, left), right)

    types = (*counted.types, STRING)
    return Part(types, (ZERO, NONE), step, merge, lambda b: _array(_some(Slot(b)), name + _LIST, b), ANY)


def _some(counter: Slot) -> Expr:
    return Compare(">", counter, ZERO, "python")


def _array(is_any: Expr, name: str, b: int) -> Expr:
    """The array: the empty one unless ``is_any``, and never NULL."""
    made = Call(name, (Slot(b + 1),), STRING, total=True)
    return If(is_any, If(IsNull(made), _EMPTY, made), _EMPTY)


def size(value: Expr) -> Expr | None:
    """How many elements the array has that ``value`` is; None if it is no array made here."""
    match value:
        case If(cond=is_any, then=If(cond=IsNull(operand=Call(name=name, args=(text,)) as made), otherwise=same)):
            if made == same and isinstance(is_any, Slot) and name.startswith(SET) and name.endswith(_SET):
                several = Call(name.removesuffix(_SET) + ":size", (text,), INT, total=True)
                return If(is_any, If(Compare(">", several, ONE, "sql"), several, ONE), ZERO)
            if made == same and isinstance(is_any, Compare) and name.startswith(_LISTS) and name.endswith(_LIST):
                return is_any.left
    return None
