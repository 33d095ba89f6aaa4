"""Static types of expressions built from Python code, and the little that is known of their range.

The type of an expression is the type of every value that it can yield besides ``None``. ``ANY`` means not known,
never "does not matter".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from typing_extensions import assert_never

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
    Present,
    Raise,
    Same,
    Slot,
    StringTest,
    Truthy,
)  # fmt: skip
from headwater_ir.types import ANY, BOOL, FLOAT, INT, NULL, NUMBER, Type, is_numeric, join_types

Types = Mapping[str, Type]
SlotTypes = Mapping[int, Type]


CONDITIONS = (Compare, Same, And, Or, Not, IsNull, IsNaN, IsTrue, Truthy, In, StringTest, Present)
"""The nodes whose value is a truth value."""


def type_of(e: Expr, column_types: Types, slot_types: SlotTypes) -> Type:
    """The type of ``e``; ``NULL`` where it is always ``None`` or raises."""
    if isinstance(e, (Lit, Call)):
        return e.type
    if isinstance(e, Col):
        return column_types.get(e.name, ANY)
    if isinstance(e, Slot):
        return slot_types.get(e.index, ANY)
    if isinstance(e, (Param, Out)):
        return ANY
    if isinstance(e, Arith):
        left = type_of(e.left, column_types, slot_types)
        return _arithmetic(e.op, left, type_of(e.right, column_types, slot_types))
    if isinstance(e, Neg):
        t = type_of(e.operand, column_types, slot_types)
        return INT if t.name in ("int", "bool") else t
    if isinstance(e, If):
        return join_types(type_of(e.then, column_types, slot_types), type_of(e.otherwise, column_types, slot_types))
    if isinstance(e, Raise):
        return NULL
    if isinstance(e, CONDITIONS):
        return BOOL
    assert_never(e)


def _arithmetic(op: str, left: Type, right: Type) -> Type:
    if not (arithmetic(left) and arithmetic(right)):
        return ANY
    names = {left.name, right.name}
    if "float" in names or op == "/":
        return FLOAT
    return INT if names <= {"int", "bool"} else NUMBER


def arithmetic(t: Type) -> bool:
    """Whether Python computes with values of ``t`` as with numbers; booleans are 0 and 1."""
    return is_numeric(t) or t.name == "bool"


def comparable(a: Type, b: Type) -> bool:
    """Whether Python orders values of ``a`` and ``b``: otherwise ``<`` raises and ``==`` is always false."""
    if "any" in (a.name, b.name) or "null" in (a.name, b.name):
        return True
    return (arithmetic(a) and arithmetic(b)) or (a.name == b.name and a.name != "list")


def results(e: Expr) -> Iterator[Expr]:
    """The expressions whose value ``e`` can take: the ends of its ``If`` branches."""
    if isinstance(e, If):
        yield from results(e.then)
        yield from results(e.otherwise)
    else:
        yield e
