"""Outcomes of statements as decision trees, and how they are merged back into one environment or one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Literal, Union

from headwater.python.exprs.simplify import NONE, both, choose, may_raise, negate
from headwater.python.values import sized_lists
from headwater.python.values.append_only import AppendOnly, merged_append_only
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Unreadable, Value
from headwater.python.values.structures import merged
from headwater.python.values.tallies import Tally, merged_tallies
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import EXPR_NODES, FALSE, TRUE, And, Expr, If, IsNull, Not, Or, Raise, children, slots_of

EndKind = Literal["next", "continue", "break", "return", "raise"]
Path = tuple[tuple[Expr, bool], ...]
"""The tests on the way to a place, with their outcomes, outermost first."""


@dataclass(frozen=True)
class End:
    """Where a path ends: falls through, goes on with the next iteration, leaves the loop, returns ``value``, or raises
    ``reason``."""

    kind: EndKind
    env: Env = field(default_factory=dict)
    value: Value | None = None
    reason: str = ""


@dataclass(frozen=True)
class Split:
    """A test and its two outcomes."""

    cond: Expr
    then: Outcome
    otherwise: Outcome


Outcome = Union[End, Split]
Tests = frozenset[tuple[int, bool]]
Effect = tuple[Path, Expr]
"""An expression that is evaluated on this path whether or not its value is used."""


def leaves(tree: Outcome) -> Iterator[End]:
    """The ends of all paths."""
    if isinstance(tree, End):
        yield tree
    else:
        yield from leaves(tree.then)
        yield from leaves(tree.otherwise)


def merge(cond: Expr, then: Env, otherwise: Env) -> Env:
    """The environment after an ``if`` whose branches both fall through."""
    merged: Env = {}
    for name in {**then, **otherwise}:
        merged[name] = _merge_value(name, cond, then.get(name), otherwise.get(name))
    return merged


def _merge_value(name: str, cond: Expr, a: Value | None, b: Value | None) -> Value:
    if a is not None and (a is b or a == b):
        return a
    unreadable = next((v for v in (a, b) if isinstance(v, Unreadable)), None)
    if unreadable is not None:
        return unreadable
    if isinstance(a, AppendOnly) and isinstance(b, Rows) and a.of.rows == b:
        b = AppendOnly(a.of)
    if isinstance(b, AppendOnly) and isinstance(a, Rows) and b.of.rows == a:
        a = AppendOnly(b.of)
    if isinstance(a, AppendOnly) and isinstance(b, AppendOnly):
        bag = merged_append_only(cond, a, b)
        if bag is not None:
            return bag
    elif isinstance(a, Tally) and isinstance(b, Tally) and (tally := merged_tallies(cond, a, b)) is not None:
        return tally
    elif a is not None and b is not None and (isinstance(a, AbstractObject) or isinstance(b, AbstractObject)):
        together = merged(cond, a, b) or sized_lists.joined(cond, a, b)
        if together is not None:
            return together
    if isinstance(a, AbstractObject) or isinstance(b, AbstractObject):
        return Unreadable("opaque", f"`{name}` is a different object on different paths")
    unbound = Raise(f"`{name}` is not set")
    return choose(cond, a if a is not None else unbound, b if b is not None else unbound)


def collapse(tree: Outcome, path: Path, effect: Callable[[Path, Expr], None]) -> Outcome:
    """``tree`` with every sub-tree in which no path jumps merged into one leaf; paths that raise become effects."""
    if isinstance(tree, End):
        return tree
    then = collapse(tree.then, (*path, (tree.cond, True)), effect)
    otherwise = collapse(tree.otherwise, (*path, (tree.cond, False)), effect)
    if isinstance(then, End) and isinstance(otherwise, End):
        if then.kind == otherwise.kind == "next":
            return End("next", merge(tree.cond, then.env, otherwise.env))
        if then.kind == "raise" and otherwise.kind == "next":
            effect((*path, (tree.cond, True)), Raise(then.reason))
            return otherwise
        if then.kind == "next" and otherwise.kind == "raise":
            effect((*path, (tree.cond, False)), Raise(otherwise.reason))
            return then
    return Split(tree.cond, then, otherwise)


def as_next(tree: Outcome) -> Outcome:
    """``tree`` with ``continue`` taken as falling through: the end of a loop's body."""
    if isinstance(tree, Split):
        return Split(tree.cond, as_next(tree.then), as_next(tree.otherwise))
    return End("next", tree.env) if tree.kind == "continue" else tree


class Numbers:
    """Numbers expressions by structure, so that comparing large ones is cheap."""

    def __init__(self) -> None:
        self._by_id: dict[int, tuple[Expr, int]] = {}
        self._by_shape: dict[object, int] = {}

    def of(self, e: Expr) -> int:
        """The number of ``e``: the same for equal expressions."""
        known = self._by_id.get(id(e))
        if known is None:
            shape: object = (type(e), *(self._part(getattr(e, f.name)) for f in fields(e)))
            known = self._by_id[id(e)] = (e, self._by_shape.setdefault(shape, len(self._by_shape)))
        return known[1]

    def _part(self, value: object) -> object:
        if isinstance(value, EXPR_NODES):
            return ("expr", self.of(value))  # type: ignore[arg-type]  # the nodes are those of `Expr`
        if isinstance(value, tuple):
            return tuple(self._part(v) for v in value)
        return (type(value), value)

    def tests(self, cond: Expr, outcome: bool) -> Tests:
        """What ``cond`` having this outcome says about its parts."""
        if isinstance(cond, Not):
            return self.tests(cond.operand, not outcome)
        here = frozenset(((self.of(cond), outcome),))
        if (isinstance(cond, And) and outcome) or (isinstance(cond, Or) and not outcome):
            return here.union(*(self.tests(o, outcome) for o in cond.operands))
        return here

    def evaluated(self, e: Expr, path: Tests = frozenset()) -> Iterator[tuple[Tests, int]]:
        """Each sub-expression of ``e`` with the tests under which evaluating ``e`` evaluates it."""
        yield path, self.of(e)
        if isinstance(e, If):
            yield from self.evaluated(e.cond, path)
            yield from self.evaluated(e.then, path | self.tests(e.cond, True))
            yield from self.evaluated(e.otherwise, path | self.tests(e.cond, False))
        elif isinstance(e, (And, Or)):
            for o in e.operands:
                yield from self.evaluated(o, path)
                path = path | self.tests(o, isinstance(e, And))
        else:
            for child in children(e):
                yield from self.evaluated(child, path)


def uncovered(effects: list[Effect], roots: list[Expr]) -> list[Effect]:
    """The effects that evaluating ``roots`` does not include, so that an error of theirs would be lost."""
    if not effects:
        return []
    numbers = Numbers()
    seen: dict[int, list[Tests]] = {}
    wanted = {numbers.of(e) for _, e in effects}
    for root in roots:
        for tests, e in numbers.evaluated(root):
            if e in wanted:
                seen.setdefault(e, []).append(tests)
    lost: list[Effect] = []
    for path, effect in effects:
        known: Tests = frozenset().union(*(numbers.tests(c, outcome) for c, outcome in path))
        if not any(p <= known for p in seen.get(numbers.of(effect), [])):
            lost.append((path, effect))
    return lost


def guarded(effects: list[Effect], value: Expr) -> Expr:
    """``value``, after evaluating the effects for their errors, in order."""
    for path, e in reversed(effects):
        tests = [c if outcome else negate(c) for c, outcome in path]
        wrong = raises_when(e)
        if isinstance(e, Raise):
            value = choose(both(*tests), e, value)
        elif wrong is not None:
            value = choose(both(*tests, wrong), Raise("an error whose value is not used"), value)
        else:  # the test is never true, but deciding that evaluates the effect
            value = If(And((*tests, IsNull(e), FALSE), "python"), Raise("unreachable"), value)
    return value


def raises_when(e: Expr) -> Expr | None:
    """The condition under which ``e`` raises, where that is known from its branches alone."""
    if isinstance(e, Raise):
        return TRUE
    if not may_raise(e):
        return FALSE
    if isinstance(e, If) and not may_raise(e.cond):
        then, otherwise = raises_when(e.then), raises_when(e.otherwise)
        return None if then is None or otherwise is None else choose(e.cond, then, otherwise)
    return None


def matters(e: Expr, path: Path = ()) -> bool:
    """Whether an error of ``e``, evaluated on ``path``, depends on the state: an error of the row alone also occurs
    without the pre-filter, if the row is evaluated whatever rows there were before it."""
    return may_raise(e) and (bool(slots_of(e)) or any(slots_of(cond) for cond, _ in path))


def value_of(tree: Outcome) -> Expr:
    """The value that a function body returns; falling off its end returns None."""
    if isinstance(tree, Split):
        return choose(tree.cond, value_of(tree.then), value_of(tree.otherwise))
    if tree.kind == "raise":
        return Raise(tree.reason)
    if tree.kind in ("continue", "break"):
        raise Refusal("opaque", "a jump out of a loop")
    if isinstance(tree.value, AbstractObject):
        raise Refusal("opaque", "the function returns something that is not a scalar")
    return NONE if tree.value is None else tree.value
