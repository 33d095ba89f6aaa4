"""Types that the source does not state, from what values are compared with.

Where the schema is unknown, ``max(x) >= 90`` makes sense only if ``x`` is a number; that becomes an assumption of the
certificate. Values that flow into each other (column → slot → output) or are compared have one kind. Stated types are
never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from headwater_ir.array_sizes import array_of
from headwater_ir.assumptions import Assumption
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
    Lit,
    Neg,
    Not,
    Or,
    Out,
    Param,
    Raise,
    Same,
    Slot,
    StringTest,
    walk,
)
from headwater_ir.problem import Column, Fold
from headwater_ir.types import BOOL, DATE, FLOAT, INT, INT32, NUMBER, STRING, TIMESTAMP, Type, is_numeric

from . import clock
from .outcome import Stop
from .tokens import as_tokens

_KINDS: dict[str, tuple[Type, str]] = {
    "number": (NUMBER, "numeric"),
    "string": (STRING, "a string"),
    "bool": (BOOL, "a boolean"),
    "date": (DATE, "a date"),
    "timestamp": (TIMESTAMP, "a timestamp"),
}
Key = tuple[str, "str | int"]


class _Kinds:
    """Union-find over the values of a fold, with the kinds known of each class."""

    def __init__(self) -> None:
        self.parent: dict[Key, Key] = {}
        self.kinds: dict[Key, set[str]] = {}

    def find(self, key: Key) -> Key:
        while self.parent.setdefault(key, key) != key:
            key = self.parent[key]
        return key

    def join(self, sides: list[Key | str]) -> None:
        keys = [self.find(s) for s in sides if not isinstance(s, str)]
        known = {s for s in sides if isinstance(s, str)}
        for key in keys:
            root = self.find(key)
            if root != self.find(keys[0]):
                self.parent[root] = self.find(keys[0])
                self.kinds.setdefault(self.find(keys[0]), set()).update(self.kinds.pop(root, set()))
        if keys:
            self.kinds.setdefault(self.find(keys[0]), set()).update(known)

    def of(self, key: Key) -> set[str]:
        return self.kinds.get(self.find(key), set())

    def alike(self, columns: Iterable[Column]) -> list[list[str]]:
        """The columns of unknown type that are compared with each other: to the proof, values of one type."""
        classes: dict[Key, list[str]] = {}
        for c in columns:
            if c.type.name == "any" and not c.ghost:
                classes.setdefault(self.find(("column", c.name)), []).append(c.name)
        return [sorted(names) for names in classes.values() if len(names) > 1]


def _kind(t: Type) -> str | None:
    name = "number" if is_numeric(t) else t.name
    return name if name in _KINDS else None


def _flows(e: Expr) -> list[Key | str]:
    """The values that ``e`` may be, or its kind."""
    match e:
        case Col(name):
            return [("column", name)]
        case Out(name):
            return [("output", name)]
        case Param(name):
            return [("parameter", name)]
        case Slot(index):
            return [("slot", index)]
        case If(then=then, otherwise=otherwise):
            return [*_flows(then), *_flows(otherwise)]
        case Lit(type=t) | Call(type=t):
            kind = _kind(t)
            return [kind] if kind else []
        case Neg():
            return ["number"]
        case Arith(dialect="sql"):
            return ["number"]
        case Compare() | Same() | And() | Or() | Not() | In() | StringTest():
            return ["bool"] if not isinstance(e, (And, Or, Not)) or e.dialect == "sql" else []
    return []


def _learn(kinds: _Kinds, e: Expr) -> None:
    """What the operators inside ``e`` say of their operands; Python's ``==`` says nothing, for it takes any
    two values."""
    for node in walk(e):
        match node:
            case Compare(op, left, right, dialect) if dialect == "sql" or op not in ("==", "!="):
                kinds.join([*_flows(left), *_flows(right)])
            case Same(left, right):
                kinds.join([*_flows(left), *_flows(right)])
            case In(operand, options, "sql"):
                kinds.join([*_flows(operand), *(f for o in options for f in _flows(o))])
            case Arith(_, left, right, "sql"):
                kinds.join([*_flows(left), "number"])
                kinds.join([*_flows(right), "number"])
            case StringTest(_, text, _, "sql"):
                kinds.join([*_flows(text), "string"])
            case IsNaN(operand):
                pass
            case And(operands, "sql") | Or(operands, "sql"):
                for o in operands:
                    kinds.join([*_flows(o), "bool"])
            case Not(operand, "sql"):
                kinds.join([*_flows(operand), "bool"])
            case _:
                pass


def refine(fold: Fold, predicate: Expr) -> Fold:
    """``fold`` with unknown types made as narrow as ``predicate`` needs, each such step an assumption."""
    kinds = _Kinds()
    for group, members in (("column", fold.columns), ("output", fold.outputs), ("parameter", fold.params)):
        for member in members:
            kinds.join([(group, member.name), *filter(None, [_kind(member.type)])])
    for index, slot in enumerate(fold.slots):
        kinds.join([("slot", index), *filter(None, [_kind(slot.type)])])
        for e in (fold.init[index], fold.step[index]):
            kinds.join([("slot", index), *_flows(e)])
    for output in fold.outputs:
        kinds.join([("output", output.name), *_flows(output.value)])
    for e in (*fold.step, *(o.value for o in fold.outputs), *fold.facts, predicate):
        _learn(kinds, e)
    for conjunct in (predicate,):
        kinds.join([*_flows(conjunct), "bool"])
    refined = _apply(fold, kinds)
    doubles = {o.name for o in refined.outputs if o.type == FLOAT}
    params, assumptions = list(refined.params), list(refined.assumptions)
    for i, p in enumerate(params):
        if p.type == NUMBER and _only_beside(p.name, refined, predicate, doubles):
            params[i] = replace(p, type=FLOAT)
        elif p.type == NUMBER and _is_whole(p.name, refined, predicate):
            params[i] = replace(p, type=INT)
            assumptions.append(Assumption("type", f"`{p.name}` is a whole number"))
    found = replace(refined, params=tuple(params), assumptions=tuple(assumptions))
    return clock.with_clock_facts(as_tokens(found, predicate), predicate)


def _only_beside(name: str, fold: Fold, predicate: Expr, doubles: set[str]) -> bool:
    """Whether the driver variable is only ever compared with outputs of type double: then Spark makes a double of it,
    whatever number it is, in the filter as in a pre-filter."""
    within = sum(n == Param(name) for e in (*fold.init, *fold.step, *(o.value for o in fold.outputs)) for n in walk(e))
    beside = 0
    for other in _compared_with(name, (predicate,)):
        beside += isinstance(other, Out) and other.name in doubles
    return not within and beside == sum(n == Param(name) for n in walk(predicate))


def _is_whole(name: str, fold: Fold, predicate: Expr) -> bool:
    """Whether the driver variable is only ever compared with sizes of arrays: then it is meant to be one."""
    every = (*fold.init, *fold.step, *(o.value for o in fold.outputs), predicate)
    sizes = {o.name for o in fold.outputs if array_of(o.name) is not None}
    small = {c.name for c in fold.columns if array_of(c.name) is not None or (c.ghost and c.type == INT32)}
    beside = [other for other in _compared_with(name, every) if _is_size(other, sizes, small)]
    return len(beside) == sum(n == Param(name) for e in every for n in walk(e)) > 0


def _compared_with(name: str, every: Iterable[Expr]) -> Iterator[Expr]:
    for node in (n for e in every for n in walk(e)):
        if isinstance(node, (Compare, Same)) and Param(name) in (node.left, node.right):
            yield node.right if node.left == Param(name) else node.left


def _is_size(e: Expr, sizes: set[str], small: set[str]) -> bool:
    match e:
        case If(then=then, otherwise=otherwise):
            return _is_size(then, sizes, small) and _is_size(otherwise, sizes, small)
        case Out(name):
            return name in sizes
        case Col(name):
            return name in small
        case Lit(value):
            return type(value) is int
    return isinstance(e, Raise)


def _apply(fold: Fold, kinds: _Kinds) -> Fold:
    said: list[Assumption] = []

    def better(group: str, name: str | int, t: Type) -> Type:
        if t.name != "any":
            return t
        found = kinds.of((group, name))
        if len(found) > 1:
            raise Stop("opaque", f"`{name}` is used both as {' and as '.join(sorted(found))}")
        if not found:
            return t
        refined, words = _KINDS[next(iter(found))]
        if group == "column":
            said.append(Assumption("type", f"`{name}` is {words} (schema unknown)"))
        elif group == "parameter":
            said.append(Assumption("type", f"`{name}` is {words} and not None"))
        return refined

    columns = tuple(c if c.ghost else replace(c, type=better("column", c.name, c.type)) for c in fold.columns)
    slots = tuple(replace(s, type=better("slot", i, s.type)) for i, s in enumerate(fold.slots))
    outputs = tuple(replace(o, type=better("output", o.name, o.type)) for o in fold.outputs)
    params = tuple(replace(p, type=better("parameter", p.name, p.type)) for p in fold.params)
    for names in kinds.alike(columns):
        listed = " and ".join(f"`{n}`" for n in names)
        said.append(Assumption("type", f"{listed} have one type (schema unknown)"))
    for p in params:
        if p.type.name == "any":
            raise Stop("opaque", f"the type of `{p.name}` is not known")
    assumptions = tuple(dict.fromkeys((*fold.assumptions, *said)))
    return replace(fold, columns=columns, slots=slots, outputs=outputs, params=params, assumptions=assumptions)
