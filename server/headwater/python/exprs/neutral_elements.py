"""Neutral elements of the functions that ``reduceByKey`` takes: with one, the first value of a key needs no rule of its
own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from headwater_ir.expr import And, Arith, Expr, If, Lit, Not, Or, Slot, Truthy
from headwater_ir.types import BOOL, INT

from .simplify import both, choose, either, negate, truthy
from .value_tags import Values

_FALSE, _TRUE, _ZERO = Lit(False, BOOL), Lit(True, BOOL), Lit(0, INT)
_MOST = 6


def neutral(own: Sequence[Slot], changed: Sequence[Expr], first: Sequence[Expr], tags: Values) -> list[Lit] | None:
    """Constants for the slots from which ``changed`` yields ``first``, whatever the row; None if none are found."""
    if len(own) > _MOST:
        return None
    choices: list[tuple[Lit, ...]] = []
    for value in first:
        of = tags.of(value)
        choices.append((_FALSE, _TRUE) if of == {"bool"} else (_ZERO,) if of == {"int"} else ())
    for candidate in product(*choices):
        known = dict(zip(own, candidate, strict=True))
        if all(with_slots(e, known, tags) == f for e, f in zip(changed, first, strict=True)):
            return list(candidate)
    return None


def with_slots(e: Expr, known: Mapping[Slot, Lit], tags: Values) -> Expr:
    """``e`` with slots replaced by constants, as far as that makes it simpler."""
    match e:
        case Slot():
            return known.get(e, e)
        case If(cond=cond, then=then, otherwise=otherwise):
            parts = (with_slots(part, known, tags) for part in (cond, then, otherwise))
            return choose(*parts)
        case Truthy(operand=operand):
            return truthy(with_slots(operand, known, tags))
        case Not(operand=operand):
            return negate(with_slots(operand, known, tags))
        case And(operands=operands) | Or(operands=operands):
            join = both if isinstance(e, And) else either
            return join(*(truthy(with_slots(o, known, tags)) for o in operands))
        case Arith(op="+", left=left, right=right):
            a, b = with_slots(left, known, tags), with_slots(right, known, tags)
            for zero, other in ((a, b), (b, a)):
                if zero == _ZERO and tags.of(other) == {"int"}:
                    return other
            return Arith("+", a, b, e.dialect)
    return e
