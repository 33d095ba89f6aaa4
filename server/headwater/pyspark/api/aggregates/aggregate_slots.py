"""The parts of a fold that single native aggregates are: slots, step, merge and value of each.

Spark's rules: NULL inputs are skipped, except by ``count(*)``; NaN is greatest; a sum, minimum, maximum or average of
no value is NULL; a count never is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from headwater.pyspark.frames.typed_terms import kind
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Arith, Call, Compare, Dialect, Expr, If, In, IsNull, IsTrue, Lit, Or, Slot
from headwater_ir.types import ANY, BOOL, FLOAT, INT, INT64, NULL, NUMBER, Type

NONE = Lit(None, NULL)
FEW_CONSTANTS = 4
ZERO, ONE = Lit(0, INT), Lit(1, INT)


@dataclass(frozen=True)
class Part:
    """Slots of one aggregate. ``step`` and ``merge`` get the slots' indices; so does ``value``. ``merge`` of no
    slots: Spark merges no states of it, but lists of elements."""

    types: tuple[Type, ...]
    init: tuple[Expr, ...]
    step: Callable[[int], tuple[Expr, ...]]
    merge: Callable[[int], tuple[Expr, ...]]
    value: Callable[[int], Expr]
    type: Type
    fields: tuple[tuple[str, int], ...] = ()
    """Of a struct, which slots its fields are."""


def _fixed(*exprs: Expr) -> tuple[Expr, ...]:
    return exprs


def unless_null(new: Expr, then: Callable[[Expr], Expr], old: Expr) -> Expr:
    """``old`` where ``new`` is NULL, else ``then`` of it; a conditional ``new`` is decided outside, so that its
    condition is a branch of the step."""
    if isinstance(new, If):
        return If(new.cond, unless_null(new.then, then, old), unless_null(new.otherwise, then, old))
    if isinstance(new, Lit):
        return old if new.value is None else then(new)
    return If(IsNull(new), old, then(new))


def count(v: Expr | None) -> Part:
    """``count(v)``, or ``count(*)`` where ``v`` is None."""
    return _counter(lambda one, old: one if v is None else unless_null(v, lambda _: one, old))


def count_if(v: Expr) -> Part:
    """``count_if(v)``: the rows for which ``v`` is TRUE."""
    return _counter(lambda one, old: If(IsTrue(v), one, old))


def _counter(step: Callable[[Expr, Expr], Expr]) -> Part:
    """A count; ``step`` is given the state with one more, and as it is. The slot is an unbounded integer: no group has
    2^63 rows."""
    return Part(
        (INT,),
        (ZERO,),
        lambda b: _fixed(step(_counted(Slot(b), ONE), Slot(b))),
        lambda b: _fixed(_counted(Slot(b, 1), Slot(b, 2))),
        Slot,
        INT,
    )


def _counted(a: Expr, b: Expr) -> Expr:
    # Spark's own counters are longs that cannot overflow, so this is not the sql dialect's addition, which may.
    return Arith("+", a, b, "python")


def extreme(function: str, v: Expr, t: Type) -> Part:
    """``max(v)`` or ``min(v)``."""
    if t.name in ("list", "null"):
        raise Refusal("opaque", f"`{function}` of {t}")

    def better(new: Expr, old: Expr) -> Expr:
        if isinstance(new, If):
            return If(new.cond, better(new.then, old), better(new.otherwise, old))
        if isinstance(new, Lit) and new.value is None:
            return old
        wins = Compare(">" if function == "max" else "<", new, old, "sql")
        return If(IsNull(new), old, If(Or((IsNull(old), wins)), new, old))

    return Part(
        (t,), (NONE,), lambda b: _fixed(better(v, Slot(b))), lambda b: _fixed(better(Slot(b, 2), Slot(b, 1))), Slot, t
    )


def _added(new: Expr, old: Expr, dialect: Dialect) -> Expr:
    # A conditional input is decided outside, so that `sum(when(c, 1))` has the branches that the user wrote.
    if isinstance(new, If):
        return If(new.cond, _added(new.then, old, dialect), _added(new.otherwise, old, dialect))
    if isinstance(new, Lit):
        return old if new.value is None else If(IsNull(old), new, Arith("+", old, new, dialect))
    return If(IsNull(new), old, If(IsNull(old), new, Arith("+", old, new, dialect)))


def _number(function: str, t: Type) -> None:
    if kind(t) not in ("number", "any", "null") or t.name == "decimal":
        raise Refusal("opaque", f"`{function}` of {t}")


def total(v: Expr, t: Type) -> Part:
    """``sum(v)``."""
    _number("sum", t)
    result = INT64 if t.name == "int" else FLOAT if t.name == "float" else NUMBER
    dialect: Dialect = "sql"
    if t.name == "int" and _small(v):
        # Like a count: a 64-bit sum of such constants overflows for no group that fits a disk.
        result, dialect = INT, "python"
    return Part(
        (result,),
        (NONE,),
        lambda b: _fixed(_added(v, Slot(b), dialect)),
        lambda b: _fixed(_added(Slot(b, 2), Slot(b, 1), dialect)),
        Slot,
        result,
    )


def as_case(column: Expr, fact: Expr) -> Iterator[Expr]:
    """``column``, of which ``fact`` says that it holds a few constants, as the CASE that yields them."""
    match fact:
        case Or(operands=(IsNull(operand=same), In(operand=of, options=options))) if column == same == of:
            yield from (If(IsNull(column), NONE, case) for case in as_case(column, In(column, options, "sql")))
        case In(operand=of, options=(*others, last)) if column == of and len(others) < FEW_CONSTANTS:
            found: Expr = last
            for option in reversed(others):
                found = If(Compare("==", column, option, "sql"), option, found)
            yield found


def _small(v: Expr) -> bool:
    if isinstance(v, If):
        return _small(v.then) and _small(v.otherwise)
    return isinstance(v, Lit) and (v.value is None or (type(v.value) is int and abs(v.value) <= 2**16))


def average(v: Expr, t: Type) -> Part:
    """``avg(v)``: sum and count; Spark sums integers as doubles here, so that nothing overflows."""
    _number("avg", t)
    result = FLOAT if t.name in ("int", "float") else NUMBER
    number = count(v)

    def value(b: int) -> Expr:
        some = Compare(">", Slot(b + 1), ZERO, "sql")
        return If(some, Arith("/", Slot(b), Slot(b + 1), "sql"), NONE)

    return Part(
        (result, INT), (NONE, ZERO), lambda b: (_added(v, Slot(b), "sql"), *number.step(b + 1)),
        lambda b: (_added(Slot(b, 2), Slot(b, 1), "sql"), *number.merge(b + 1)), value, result,
    )  # fmt: skip


def boolean(function: str, v: Expr, t: Type) -> Part:
    """``bool_or(v)`` or ``bool_and(v)``."""
    if t.name not in ("bool", "any"):
        raise Refusal("opaque", f"`{function}` of {t}")

    def both(new: Expr, old: Expr) -> Expr:
        joined = If(new, Lit(True, BOOL), old) if function == "bool_or" else If(new, old, Lit(False, BOOL))
        return If(IsNull(new), old, If(IsNull(old), new, joined))

    return Part(
        (BOOL,),
        (NONE,),
        lambda b: _fixed(both(v, Slot(b))),
        lambda b: _fixed(both(Slot(b, 2), Slot(b, 1))),
        Slot,
        BOOL,
    )


def opaque(function: str, number: int, args: tuple[Expr, ...]) -> Part:
    """An aggregate of which nothing is known but that it is a function of its inputs; ``number`` distinguishes it
    from others."""
    name = f"{function}:{number}"

    def call(suffix: str, *parts: Expr) -> tuple[Expr, ...]:
        return (Call(name + suffix, parts, ANY, total=True, kind="state"),)

    return Part(
        (ANY,),
        call(":init"),
        lambda b: call("", Slot(b), *args),
        lambda b: call(":merge", Slot(b, 1), Slot(b, 2)),
        Slot,
        ANY,
    )
