"""Lists and sets without a bound, as far as they are only added to and then reduced.

Such a list is never built: what is read of it (its length, maximum, first element, whether it holds a constant) is a
slot of its own, updated wherever something is added. Reference: deforestation (Wadler 1990); the reductions are
CPython's loops.

A set's contents are an opaque token: ``set.add`` and ``set.contains`` are pure functions of it, whatever
they are. So its length is a counter, and a constant's membership is a flag.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Union

from headwater.python.exprs.simplify import NONE, both, choose, either, is_boolean, is_null, may_raise, negate, truthy
from headwater_ir.expr import (
    FALSE,
    TRUE,
    And,
    Arith,
    Call,
    Compare,
    CompareOp,
    Expr,
    IsTrue,
    Lit,
    Or,
    Raise,
    Slot,
    slots_of,
)
from headwater_ir.types import BOOL, INT, STRING

from .rows import Rows
from .scope import AbstractObject, Value
from .structures import leaves, rebuilt

State = tuple[Expr, ...]
TOKEN = STRING
"""Of the types that values of tokens can have, one without NaN: tokens are compared by identity."""
ZERO, ONE = Lit(0, INT), Lit(1, INT)


@dataclass(frozen=True)
class Added:
    """An element was added."""

    value: Value


@dataclass(frozen=True)
class Chosen:
    """One of two histories."""

    cond: Expr
    then: Trace
    otherwise: Trace


Trace = tuple[Union["Added", "Chosen"], ...]


@dataclass(frozen=True)
class RunningFold:
    """Something that is read of a list: ``update`` gives its state after one more element. ``example``: values of the
    types that the state takes, where ``update`` needs to know them beforehand."""

    key: str
    init: State
    update: Callable[[State, Value], State] = field(compare=False)
    example: State = ()


@dataclass(eq=False)
class Collection:
    """One list or set of one loop. ``log``: what an iteration adds, once the loop has been read. ``rows``: what it
    lists, if that is a value of each row: then the rows that a pre-filter leaves make a part of the list. ``order``: of
    the rows that the loop, once it has ended, has gone through."""

    name: str
    unique: bool
    start: tuple[Value, ...] = ()
    log: Trace | None = None
    allocate: Callable[[str, Expr], Slot] | None = None
    holds_none: bool = False
    holds_nan: bool = False
    rows: Rows | None = None
    order: int | None = None
    seen: dict[str, tuple[RunningFold, tuple[Slot, ...]]] = field(default_factory=dict)

    def initial(self, what: RunningFold) -> State:
        """The state before the loop."""
        return folded(tuple(Added(v) for v in self.start), what.init, what)


@dataclass(frozen=True)
class AppendOnly(AbstractObject):
    """The list ``of`` as it was when the iteration (or the code after the loop) began, and what was added since."""

    of: Collection
    log: Trace = ()
    collects: bool = True

    @property
    def of_rows(self) -> bool:
        """Whether it lists a value of each row, and nothing else."""
        return self.of.rows is not None and not self.log

    @property
    def as_rows(self) -> Rows | None:
        """The sequence that it is if a loop, which has ended, added to it one value of each of some rows."""
        if self.log or self.of.order is None or self.of.unique or self.of.start or self.of.log is None:
            return None
        found = _one_each(self.of.log, TRUE)
        if found is None or slots_of(found[0]) or slots_read((Added(found[1]),)):
            return None
        return Rows(found[1], found[0], self.of.order, collects=True)


def folded(log: Trace, state: State, what: RunningFold) -> State:
    """``state`` after the additions of ``log``."""
    for entry in log:
        if isinstance(entry, Added):
            state = what.update(state, entry.value)
        else:
            then, otherwise = folded(entry.then, state, what), folded(entry.otherwise, state, what)
            state = tuple(_chosen(entry.cond, a, b) for a, b in zip(then, otherwise, strict=True))
    return state


def _chosen(cond: Expr, a: Expr, b: Expr) -> Expr:
    """``a if cond else b``. A flag that is raised or lowered under a condition is not looked at any more once it is."""
    if isinstance(a, Or) and a.operands[:1] == (b,) and not (may_raise(cond) and slots_of(cond)):
        return either(b, both(cond, either(*a.operands[1:])))
    if isinstance(a, And) and a.operands[:1] == (b,) and not (may_raise(cond) and slots_of(cond)):
        return both(b, either(negate(cond), both(*a.operands[1:])))
    return choose(cond, a, b)


def merged_append_only(cond: Expr, a: AppendOnly, b: AppendOnly) -> AppendOnly | None:
    """``a`` where ``cond`` holds, else ``b``."""
    if a.of is not b.of:
        return None
    same = 0
    while same < min(len(a.log), len(b.log)) and a.log[same] == b.log[same]:
        same += 1
    return AppendOnly(a.of, (*a.log[:same], Chosen(cond, a.log[same:], b.log[same:])))


def elements(log: Trace) -> list[Value]:
    """Every value that may be added."""
    found: list[Value] = []
    for entry in log:
        found += [entry.value] if isinstance(entry, Added) else elements(entry.then) + elements(entry.otherwise)
    return found


def slots_read(log: Trace) -> frozenset[int]:
    """The slots that the additions read."""
    found: frozenset[int] = frozenset()
    for entry in log:
        if isinstance(entry, Added):
            found = found.union(*(slots_of(leaf) for leaf in leaves(entry.value)))
        else:
            found |= slots_of(entry.cond) | slots_read(entry.then) | slots_read(entry.otherwise)
    return found


def mapped(log: Trace, change: Callable[[Value], Trace]) -> Trace:
    """The log with each addition replaced."""
    found: list[Added | Chosen] = []
    for entry in log:
        if isinstance(entry, Added):
            found += change(entry.value)
        else:
            found.append(Chosen(entry.cond, mapped(entry.then, change), mapped(entry.otherwise, change)))
    return tuple(found)


def _one_each(log: Trace, mask: Expr) -> tuple[Expr, Value] | None:
    """The condition under which something is added, and what; None if there may be several, or one of several."""
    match log:
        case (Added(value),):
            return mask, value
        case (Chosen(cond, then, ()),):
            return _one_each(then, both(mask, cond))
        case (Chosen(cond, (), otherwise),):
            return _one_each(otherwise, both(mask, negate(cond)))
    return None


def scalar(value: Value) -> Expr:
    """The element as an expression."""
    assert not isinstance(value, AbstractObject)
    return value


LENGTH = RunningFold("len", (ZERO,), lambda s, v: (Arith("+", s[0], ONE, "python"),))
ANY_TRUE = RunningFold("any", (FALSE,), lambda s, v: (either(s[0], truthy(scalar(v))),))
ALL_TRUE = RunningFold("all", (TRUE,), lambda s, v: (both(s[0], truthy(scalar(v))),))
FILLED = RunningFold("filled", (FALSE,), lambda s, v: (TRUE,))


def total(*, nones: bool, passed: bool) -> RunningFold:
    """``sum``. ``nones``: there may be a None, for which it raises: the second part is whether there was one, unless
    they are to be ``passed`` over."""

    def more(s: State, x: Expr) -> Expr:
        return choose(x, Arith("+", s[0], ONE, "python"), s[0]) if is_boolean(x) else Arith("+", s[0], x, "python")

    def update(s: State, v: Value) -> State:
        x = scalar(v)
        found = choose(is_null(x), s[0], more(s, x)) if nones else more(s, x)
        return (found,) if len(s) == 1 else (found, either(s[1], is_null(x)))

    if nones and not passed:
        return RunningFold("sum or None", (ZERO, FALSE), update)
    return RunningFold("sum", (ZERO,), update)


def extreme(name: str, better: Callable[[CompareOp, Value, Value], Expr], like: Value, *, nones: bool) -> RunningFold:
    """``max`` or ``min``: the first element, replaced by each that compares as better. With ``nones``, the last parts
    are whether there was an element, and whether None met another element, for which it raises."""
    op: CompareOp = ">" if name.startswith("max") else "<"
    size = len(list(leaves(like)))

    def update(s: State, v: Value) -> State:
        best, new = rebuilt(like, iter(s)), tuple(leaves(v))
        first = is_null(s[0])
        wins = either(first, better(op, v, best))
        return tuple(choose(wins, a, b) for a, b in zip(new, s, strict=True))

    def careful(s: State, v: Value) -> State:
        x, (best, seen, bad) = scalar(v), s
        usable = both(negate(is_null(x)), negate(is_null(best)))
        wins = choose(both(seen, usable), Compare(op, x, best, "python"), negate(seen))
        return choose(wins, x, best), TRUE, either(bad, both(seen, either(is_null(x), is_null(best))))

    if nones:
        return RunningFold(name, (NONE, FALSE, FALSE), careful)
    return RunningFold(name, (NONE,) * size, update)


def end(like: Value, index: int, *, flagged: bool) -> RunningFold:
    """``values[0]`` or ``values[-1]``. ``flagged``: the first part may be None, so that a last part of the state says
    whether there was a value."""

    def update(s: State, v: Value) -> State:
        seen = s[-1] if flagged else negate(is_null(s[0]))
        new = (*leaves(v), TRUE) if flagged else tuple(leaves(v))
        return tuple(choose(seen, b, a) for a, b in zip(new, s, strict=True)) if index == 0 else new

    init: State = (*(NONE for _ in leaves(like)), *((FALSE,) if flagged else ()))
    return RunningFold(f"{'first' if index == 0 else 'last'}{' or None' if flagged else ''}", init, update)


def holds(constant: Lit, equal: Callable[[Expr], Expr]) -> RunningFold:
    """``constant in values``."""
    return RunningFold(f"in {constant.value!r}", (FALSE,), lambda s, v: (either(s[0], equal(scalar(v))),))


def contents() -> RunningFold:
    """A set's token and its length."""

    def update(s: State, v: Value) -> State:
        token, n = s
        x = scalar(v)
        more = Arith("+", n, ONE, "python")
        return Call("set.add", (token, x), TOKEN, total=True, kind="state"), choose(contains(token, n, x), n, more)

    return RunningFold("set", (Call("set.empty", (), TOKEN, total=True, kind="state"), ZERO), update)


def contains(token: Expr, n: Expr, x: Expr) -> Expr:
    """Whether the set of ``n`` elements that ``token`` stands for holds ``x``."""
    some = Compare(">", n, ZERO, "python")
    return both(some, IsTrue(Call("set.contains", (token, x), BOOL, total=True, kind="state")))


def or_raise(present: Expr, value: Expr, reason: str) -> Expr:
    """``value`` where ``present`` holds, else an error."""
    return choose(present, value, Raise(reason))
