"""Native aggregates that pick values of single rows, and what is asked of the set of values: ``max_by``, ``min_by``,
``first``, ``last``, ``array_contains(collect_set(x), c)``, ``size(collect_set(x))``, ``count_distinct(x)``.

``first`` and ``last`` go by the order of the rows, and so do ``max_by`` and ``min_by`` where two rows tie for the
extreme: the later one wins, in a partition and where partial states meet (measured; ``MaxMinBy.scala``). No order is
promised, so the result is one of those that the original may give; a proof holds for each order (THEORY.md section 4).
A row whose ordering is NULL is ignored, whatever its value; NaN is greatest and ties with NaN, -0.0 ties with 0.0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from headwater.pyspark.frames.typed_terms import Term, kind
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Call, Compare, CompareOp, Expr, If, IsNull, IsTrue, Lit, Slot
from headwater_ir.types import BOOL, INT, STRING, Type

from .aggregate_slots import NONE, ONE, ZERO, Part, extreme, unless_null

_YES = Lit(True, BOOL)
_NO = Lit(False, BOOL)
SET = "distinct:"
"""How the functions that tell a set of values begin."""


def extreme_by(function: str, value: Expr, t: Type, ordering: Expr, ordering_type: Type) -> Part:
    """``max_by(value, ordering)`` or ``min_by``: the slots are the value and its ordering."""
    if "list" in (t.name, ordering_type.name) or ordering_type.name == "null":
        raise Refusal("opaque", f"`{function}` of {t} by {ordering_type}")
    op: CompareOp = ">" if function == "max_by" else "<"

    best = extreme(function.removesuffix("_by"), ordering, ordering_type)

    def decide(new: Expr, by: Expr, old: Expr, so_far: Expr) -> Expr:
        # A conditional ordering is decided outside, so that its condition is a branch of the step.
        if isinstance(by, If):
            return If(by.cond, decide(new, by.then, old, so_far), decide(new, by.otherwise, old, so_far))
        if isinstance(by, Lit) and by.value is None:
            return old
        return If(IsNull(by), old, If(Compare(op, so_far, by, "sql"), old, new))

    return Part(
        (t, ordering_type),
        (NONE, NONE),
        lambda b: (decide(value, ordering, Slot(b), Slot(b + 1)), *best.step(b + 1)),
        lambda b: (decide(Slot(b, 2), Slot(b + 1, 2), Slot(b, 1), Slot(b + 1, 1)), *best.merge(b + 1)),
        Slot,
        t,
    )


def first_or_last(function: str, v: Expr, t: Type, ignore_nulls: bool) -> Part:
    """``first(v)`` or ``last(v)``."""
    if t.name == "list":
        raise Refusal("opaque", f"`{function}` of {t}")
    earlier = function == "first"
    if ignore_nulls:
        return Part(
            (t,),
            (NONE,),
            lambda b: ((_some(Slot(b), v) if earlier else _some(v, Slot(b))),),
            lambda b: (_some(Slot(b, 1), Slot(b, 2)) if earlier else _some(Slot(b, 2), Slot(b, 1)),),
            Slot,
            t,
        )
    kept, other = (1, 2) if earlier else (2, 1)
    return Part(
        (t, BOOL),
        (NONE, _NO),
        lambda b: (If(IsTrue(Slot(b + 1)), Slot(b), v) if earlier else v, _YES),
        lambda b: (
            If(IsTrue(Slot(b + 1, kept)), Slot(b, kept), Slot(b, other)),  # type: ignore[arg-type]
            If(IsTrue(Slot(b + 1, 1)), _YES, Slot(b + 1, 2)),
        ),
        Slot,
        t,
    )


def _some(a: Expr, b: Expr) -> Expr:
    """``a`` unless it is NULL, then ``b``."""
    if isinstance(a, If):
        return If(a.cond, _some(a.then, b), _some(a.otherwise, b))
    if isinstance(a, Lit):
        return b if a.value is None else a
    return If(IsNull(a), b, a)


def contains(is_it: Expr) -> Part:
    """Whether ``is_it`` is TRUE of some row: ``array_contains(collect_set(x), c)`` for ``x = c``. Never NULL."""
    return Part(
        (BOOL,), (_NO,), lambda b: (If(IsTrue(is_it), _YES, Slot(b)),), lambda b: (If(Slot(b, 1), _YES, Slot(b, 2)),),
        Slot, BOOL,
    )  # fmt: skip


def distinct(v: Expr, number: int) -> Part:
    """How many values there are: 0 where every input is NULL, otherwise some number from 1 up that depends on all."""
    name = f"{SET}{number}"

    def collect(suffix: str, *args: Expr) -> Expr:
        # A set is represented by an unknown text, and so is an element that may be a number: then what is collected
        # of equal sets and one row is equal in both runs.
        return Call(name + suffix, args, STRING, total=True)

    def value(b: int) -> Expr:
        size = Call(name + ":size", (Slot(b + 1),), INT, total=True)
        return If(Slot(b), If(Compare(">", size, ONE, "sql"), size, ONE), ZERO)

    def step(b: int) -> tuple[Expr, ...]:
        with_one_more = unless_null(v, lambda x: collect("", Slot(b + 1), collect(":element", x)), Slot(b + 1))
        return unless_null(v, lambda _: _YES, Slot(b)), with_one_more

    def merge(b: int) -> tuple[Expr, ...]:
        union = collect(":merge", Slot(b + 1, 1), Slot(b + 1, 2))
        right = If(Slot(b, 2), Slot(b + 1, 2), Slot(b + 1, 1))
        return If(Slot(b, 1), _YES, Slot(b, 2)), If(Slot(b, 1), If(Slot(b, 2), union, Slot(b + 1, 1)), right)

    return Part((BOOL, STRING), (_NO, NONE), step, merge, value, INT)


def updated(element: Term, zero: Term, update: Callable[[Term, Term], Term]) -> Part:
    """``aggregate(collect_list(element), zero, update)``: over the elements in the order of their rows. Spark merges
    the lists, so that each element is read once, in an order of all rows."""

    def step(b: int) -> tuple[Expr, ...]:
        def changed(value: Expr) -> Expr:
            made = update(Term(Slot(b), zero.type), replace(element, expr=value, name=None))
            if kind(made.type) not in (kind(zero.type), "null"):
                raise Refusal("opaque", f"`aggregate` that makes {made.type} of {zero.type}")
            return made.expr

        return (unless_null(element.expr, changed, Slot(b)),)

    return Part((zero.type,), (zero.expr,), step, lambda b: (), Slot, zero.type)
