"""What the tests on the way to a place have shown: conditions that are true or false, and what values are not.

A flow-sensitive analysis: what a test shows of its operands is known in the branch that it guards. Where Python would
have raised (None in an ordering, in arithmetic) nothing is reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from headwater_ir.expr import And, Compare, Expr, In, IsNaN, IsNull, IsTrue, Lit, Not, Or, Truthy

from .simplify import literal_truth, may_raise

Tag = Literal["none", "nan", "bool", "int", "float", "decimal", "other"]
Tags = frozenset[Tag]
"""What a value may be. ``"nan"``: NaN, or pandas' missing timestamp; ``"other"``: texts, points in time, objects."""
Test = tuple[Expr, bool]

EVERYTHING: Tags = frozenset(("none", "nan", "bool", "int", "float", "decimal", "other"))
NOTHING: Tags = frozenset()
NONE_TAG: Tags = frozenset(("none",))
NAN_TAG: Tags = frozenset(("nan",))
MISSING: Tags = NONE_TAG | NAN_TAG
ORDERINGS = ("<", "<=", ">", ">=")


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
    elif isinstance(cond, IsTrue) and outcome:
        yield from tests_of(cond.operand, True)


class Facts:
    """Tests with their outcomes, and what follows from them. Not changed after it is made."""

    def __init__(self, tests: Iterable[Test] = (), base: Facts | None = None) -> None:
        self._truth: dict[Expr, bool] = dict(base._truth) if base else {}
        self._excluded: dict[Expr, Tags] = dict(base._excluded) if base else {}
        for cond, outcome in tests:
            for part, known in tests_of(cond, outcome):
                self._truth[part] = known
                self._learn(part, known)

    def plus(self, cond: Expr, outcome: bool) -> Facts:
        """What is known where ``cond`` has also had this outcome."""
        return Facts(((cond, outcome),), self)

    def excluded(self, e: Expr) -> Tags:
        """What ``e`` is known not to be."""
        return self._excluded.get(e, NOTHING)

    def decide(self, cond: Expr) -> bool | None:
        """The truth of ``cond`` as far as the tests show it. None too where an operand may raise before the one that
        decides: who takes the branch without evaluating ``cond`` would lose the error."""
        literal = literal_truth(cond)
        if literal is not None or cond in self._truth:
            return self._truth[cond] if literal is None else literal
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

    def _learn(self, test: Expr, outcome: bool) -> None:
        match test:
            case And(operands=(first, *_)) | Or(operands=(first, *_)):
                self._evaluated(first)
            case IsNull(e):
                self._exclude(EVERYTHING - NONE_TAG if outcome else NONE_TAG, e)
            case IsNaN(e):
                self._exclude(EVERYTHING - NAN_TAG if outcome else NAN_TAG, e)
            case Truthy(e):
                self._exclude(NONE_TAG if outcome else NAN_TAG, e)
            case In(operand=e, options=options, dialect=dialect) if outcome:
                if dialect == "sql":
                    self._exclude(NONE_TAG, e)
                elif all(isinstance(o, Lit) and o.value is not None for o in options):
                    self._exclude(MISSING, e)
            case Not(Compare(left=a, right=b, dialect="sql"), "sql") if outcome:
                self._exclude(NONE_TAG, a, b)
            case Compare(left=a, right=b, dialect="sql") if outcome:
                self._exclude(NONE_TAG, a, b)
            case Compare(op, a, b, "python"):
                self._evaluated(test)
                if op == "!=" and outcome:
                    return
                if outcome or op == "!=":
                    self._exclude(NAN_TAG, a, b)
                if op == ("==" if outcome else "!="):
                    for one, other in ((a, b), (b, a)):
                        if isinstance(other, Lit) and other.value is not None:
                            self._exclude(NONE_TAG, one)

    def _evaluated(self, cond: Expr) -> None:
        """What is known once ``cond`` has been evaluated at all: an ordering raises on None."""
        if isinstance(cond, Not):
            self._evaluated(cond.operand)
        elif isinstance(cond, Compare) and cond.dialect == "python" and cond.op in ORDERINGS:
            self._exclude(NONE_TAG, cond.left, cond.right)

    def _exclude(self, tags: Tags, *values: Expr) -> None:
        for e in values:
            if not isinstance(e, Lit):
                self._excluded[e] = self.excluded(e) | tags


NO_FACTS = Facts()
