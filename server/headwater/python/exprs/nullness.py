"""Which expressions can yield None or NaN, given what tests on the way to a place have shown.

Sorting, hashing and comparing tuples mean something simple only where neither occurs. In doubt both may.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwater_ir.expr import (
    And,
    Arith,
    Call,
    Col,
    Compare,
    Expr,
    If,
    IsNaN,
    IsNull,
    Lit,
    Neg,
    Not,
    Or,
    Raise,
    Slot,
    StringTest,
    Truthy,
    children,
)  # fmt: skip
from headwater_ir.types import may_hold_nan

from .simplify import NONE, choose, literal_truth, may_raise
from .types import CONDITIONS

if TYPE_CHECKING:
    from headwater.python.values.scope import Scope

Test = tuple[Expr, bool]


@dataclass(frozen=True)
class Missing:
    """Whether a value may be None, and whether it may be NaN or NaT."""

    none: bool = True
    nan: bool = True

    def join(self, other: Missing) -> Missing:
        """What may be in either."""
        return Missing(self.none or other.none, self.nan or other.nan)


NEVER = Missing(False, False)
_ORDER = ("<", "<=", ">", ">=")


def tests_of(cond: Expr, outcome: bool) -> Iterator[Test]:
    """What ``cond`` having this outcome says about its parts. In SQL what is not TRUE may also be NULL."""
    if isinstance(cond, Not) and (cond.dialect == "python" or outcome):
        yield from tests_of(cond.operand, not outcome)
        if cond.dialect == "python":
            return
    yield cond, outcome
    if (isinstance(cond, And) and outcome) or (isinstance(cond, Or) and not outcome):
        for o in cond.operands:
            yield from tests_of(o, outcome)


class PathFacts:
    """Tests with their outcomes, and what follows from them."""

    def __init__(self, tests: Iterable[Test] = (), base: PathFacts | None = None) -> None:
        self.truth: dict[Expr, bool] = dict(base.truth) if base else {}
        self._not_none: set[Expr] = set(base._not_none) if base else set()
        self._not_nan: set[Expr] = set(base._not_nan) if base else set()
        for cond, outcome in tests:
            for part, known in tests_of(cond, outcome):
                self._learn(part, known)

    def _learn(self, test: Expr, outcome: bool) -> None:
        self.truth[test] = outcome
        match test:
            case IsNull(e) if not outcome:
                self._not_none.add(e)
            case IsNaN(e) if not outcome:
                self._not_nan.add(e)
            case Truthy(e) if outcome:
                self._not_none.add(e)
            case Not(Compare(left=a, right=b, dialect="sql"), "sql") if outcome:
                self._not_none.update((a, b))
            case Compare(op, a, b, dialect):
                if outcome if dialect == "sql" else op in _ORDER:
                    self._not_none.update((a, b))  # Python would have raised
                if dialect == "python" and (outcome if op != "!=" else not outcome and a == b):
                    self._not_nan.update((a, b))

    def plus(self, cond: Expr, outcome: bool) -> PathFacts:
        """What is known where ``cond`` has also had this outcome."""
        return PathFacts(((cond, outcome),), self)

    def decide(self, cond: Expr) -> bool | None:
        """The truth of ``cond`` as far as the tests tell it. None too where an operand may raise before the one that
        decides: who takes the branch without evaluating ``cond`` would lose the error."""
        literal = literal_truth(cond)
        if literal is not None or cond in self.truth:
            return self.truth[cond] if literal is None else literal
        if isinstance(cond, Not):
            inner = self.decide(cond.operand)
            known = inner is not None and (inner or cond.dialect == "python")
            return not inner if known else None
        if isinstance(cond, (And, Or)):
            parts = [self.decide(o) for o in cond.operands]
            if (not isinstance(cond, And)) in parts:
                open_before = zip(cond.operands, parts[: parts.index(not isinstance(cond, And))], strict=False)
                lost = any(part is None and may_raise(o) for o, part in open_before)
                return None if lost else not isinstance(cond, And)
            return None if None in parts else isinstance(cond, And)
        return None

    def defined(self, e: Expr, scope: Scope) -> bool:
        """Whether evaluating ``e`` certainly raises nothing where these tests have had their outcomes."""
        match e:
            case Raise():
                return False
            case If(cond, then, otherwise):
                sides = ((then, self.plus(cond, True)), (otherwise, self.plus(cond, False)))
                return self.defined(cond, scope) and all(known.defined(side, scope) for side, known in sides)
            case And(operands) | Or(operands):
                known = self
                for o in operands:
                    if not known.defined(o, scope):
                        return False
                    known = known.plus(o, isinstance(e, And))
                return True
            case Call(total=total) if not total:
                return False
            case Arith(op, _, right) if op == "**" or (op in ("/", "//", "%") and not _nonzero(right)):
                return False
        strict = isinstance(e, (Arith, Neg, StringTest)) or (isinstance(e, Compare) and e.op in _ORDER)
        return all(self.defined(c, scope) and not (strict and self.missing(c, scope).none) for c in children(e))

    def missing(self, e: Expr, scope: Scope) -> Missing:
        """Whether ``e`` may be None or NaN where these tests have had their outcomes."""
        found = self._missing(e, scope)
        for test, excluded in scope.missing_tests.get(e, {}).items():
            if self.decide(test) is False:
                found = Missing(found.none and not excluded.none, found.nan and not excluded.nan)
        return Missing(found.none and e not in self._not_none, found.nan and e not in self._not_nan)

    def _missing(self, e: Expr, scope: Scope) -> Missing:
        match e:
            case Lit(value):
                return Missing(value is None, isinstance(value, float) and value != value)
            case Col(name):
                return Missing(True, may_hold_nan(scope.type(e)))
            case Slot(index):
                return scope.slot_missing.get(index, Missing())
            case If(cond, then, otherwise):
                known = self.decide(cond)
                if known is not None:
                    return self.missing(then if known else otherwise, scope)
                return self.plus(cond, True).missing(then, scope).join(self.plus(cond, False).missing(otherwise, scope))
            case Arith(op):
                whole = scope.type(e).name == "int" or (op == "/" and _whole(e.left, scope) and _whole(e.right, scope))
                return Missing(False, not whole)
            case Neg(operand):
                return Missing(False, self.missing(operand, scope).nan)
            case Call(name, args):
                if name == "abs":
                    return Missing(False, self.missing(args[0], scope).nan)
                return Missing(not name.startswith(("str.", "len")), e.type.name not in ("int", "string", "bool"))
            case Raise():
                return NEVER
        return NEVER if isinstance(e, CONDITIONS) else Missing()


def _nonzero(e: Expr) -> bool:
    return isinstance(e, Lit) and bool(e.value)


def _whole(e: Expr, scope: Scope) -> bool:
    return scope.type(e).name in ("int", "bool")


def assuming(e: Expr, known: PathFacts) -> Expr:
    """``e`` without the branches that the tests rule out."""
    if isinstance(e, If):
        outcome = known.decide(e.cond)
        if outcome is not None:
            return assuming(e.then if outcome else e.otherwise, known)
        cond = assuming(e.cond, known)
        then, otherwise = assuming(e.then, known.plus(e.cond, True)), assuming(e.otherwise, known.plus(e.cond, False))
        if then == NONE and isinstance(e.cond, IsNull) and otherwise == e.cond.operand:
            return otherwise
        return choose(cond, then, otherwise) if (cond, then, otherwise) != (e.cond, e.then, e.otherwise) else e
    if isinstance(e, (And, Or)):
        operands: list[Expr] = []
        for o in e.operands:
            operands.append(assuming(o, known))
            known = known.plus(o, isinstance(e, And))
        return replace(e, operands=tuple(operands)) if tuple(operands) != e.operands else e
    if isinstance(e, Compare):
        left, right = assuming(e.left, known), assuming(e.right, known)
        return replace(e, left=left, right=right) if (left, right) != (e.left, e.right) else e
    if isinstance(e, Arith):
        left, right = assuming(e.left, known), assuming(e.right, known)
        return replace(e, left=left, right=right) if (left, right) != (e.left, e.right) else e
    if isinstance(e, (Not, Neg)):
        operand = assuming(e.operand, known)
        return replace(e, operand=operand) if operand != e.operand else e
    return e
