"""The branches of a step said as branches: ``n + (1 if c else 0)`` as ``n + 1 if c else n``, ``flag or c`` as
``True if c else flag``.

The search for pre-filters takes its conditions from the branches of a step. Law: same value, same errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headwater_ir.expr import FALSE, TRUE, And, Arith, Expr, If, Lit, Or, Slot, Truthy, size
from headwater_ir.types import BOOL

from .facts import NO_FACTS, Facts, Tags
from .neutral_elements import with_slots
from .simplify import MAX_NODES, boolean, choose
from .value_tags import ColumnValues, Values, settled

_FALSE, _TRUE = Lit(False, BOOL), Lit(True, BOOL)


def branched(
    columns: Mapping[str, Tags], init: Sequence[Expr], step: Sequence[Expr], merge: Sequence[Expr] | None = None
) -> list[Expr]:
    """The steps of a fold with their conditions outside, where that does not make them too large."""
    reached = settled(columns, [*init, *(FALSE for _ in step[len(init) :])], step, merge)
    first = ColumnValues(columns)
    before = [first.of(e) for e in init]
    tags = ColumnValues(columns, [b | r for b, r in zip(before, reached, strict=False)])
    found = [branching(e, tags) for e in step]
    return [e if size(e) <= MAX_NODES else old for e, old in zip(found, step, strict=True)]


def branching(e: Expr, tags: Values, known: Facts = NO_FACTS) -> Expr:
    """``e``, the step of a slot, with its conditions outside."""
    match e:
        case If(cond=Truthy(operand=Slot() as flag), then=then, otherwise=test) if then == flag:
            if _is_flag(flag, test, tags, known):
                return choose(_condition(with_slots(test, {flag: _FALSE}, tags)), TRUE, flag)
        case If(cond=Truthy(operand=Slot() as flag), then=test, otherwise=otherwise) if otherwise == flag:
            if _is_flag(flag, test, tags, known):
                return choose(_condition(with_slots(test, {flag: _TRUE}, tags)), flag, FALSE)
        case If(cond=cond, then=then, otherwise=otherwise):
            yes, no = known.plus(cond, True), known.plus(cond, False)
            return choose(cond, branching(then, tags, yes), branching(otherwise, tags, no))
        case Arith(op="+" | "-", left=left, right=If(cond=cond, then=then, otherwise=otherwise)) if _plain(left):
            # Which operand raises first makes no difference.
            yes, no = known.plus(cond, True), known.plus(cond, False)
            parts = (Arith(e.op, left, then, e.dialect), Arith(e.op, left, otherwise, e.dialect))
            return choose(cond, branching(parts[0], tags, yes), branching(parts[1], tags, no))
        case Arith(op="+", left=If() as left, right=right) if e.dialect == "python" and _plain(right):
            return branching(Arith("+", right, left, "python"), tags, known)
        case Arith(op="+" | "-", left=left, right=Lit(value=0)) if tags.of(left, known) <= {"int"}:
            return left
        case Or(operands=(Slot() as flag, test)) if _is_flag(flag, test, tags, known):
            return choose(test, TRUE, flag)
        case And(operands=(Slot() as flag, test)) if _is_flag(flag, test, tags, known):
            return choose(test, flag, FALSE)
    return e


def _condition(flag: Expr) -> Expr:
    """A value that is True or False, as a condition."""
    match flag:
        case Lit(value=bool(value)):
            return boolean(value)
        case If(cond=cond, then=then, otherwise=otherwise):
            return choose(cond, _condition(then), _condition(otherwise))
    return flag


def _plain(e: Expr) -> bool:
    return isinstance(e, (Slot, Lit))


def _is_flag(flag: Slot, test: Expr, tags: Values, known: Facts) -> bool:
    both = tags.of(flag, known) | tags.of(test, known)
    return both <= {"bool"} and tags.defined(test, known)
