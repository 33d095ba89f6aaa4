"""The scalar expression language that every layer speaks.

One language for Python and Spark SQL scalar code. Where the two differ, the node carries a ``dialect``, so that no
later layer guesses (ARCHITECTURE.md). Evaluation yields a *value* (``None`` is NULL / ``None``) or an *error*:

* ``sql``: comparisons with NULL are NULL; NaN equals NaN and is greater than everything; AND / OR / NOT are
  three-valued.
* ``python``: ordering a None raises; ``==`` with None is False (True for two Nones); NaN compares false with
  everything; ``and`` / ``or`` stop at the first operand that decides.

In both, -0.0 equals 0.0, strings order by code point, and booleans are the integers 0 and 1 in arithmetic.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeGuard, Union

from .types import Type

Dialect = Literal["python", "sql"]
Scalar = Union[None, bool, int, float, str, dt.date, dt.datetime]
CompareOp = Literal["==", "!=", "<", "<=", ">", ">="]
ArithOp = Literal["+", "-", "*", "/", "//", "%", "**"]
StringOp = Literal["contains", "startswith", "endswith"]
Side = Literal[0, 1, 2]
CallKind = Literal["function", "state", "unread", "hidden"]
"""0: the one state of a fold; 1: the original (or a merge's left) state; 2: the optimized (or a merge's right)
state."""


@dataclass(frozen=True)
class Lit:
    """A constant. A NULL literal has type ``NULL`` or the type of the column it stands for."""

    value: Scalar
    type: Type

    def __post_init__(self) -> None:
        if isinstance(self.value, float) and self.value != self.value:
            object.__setattr__(self, "value", math.nan)  # one object, so that equality stays structural


@dataclass(frozen=True)
class Col:
    """A column of the input row ``r``, by identity."""

    name: str


@dataclass(frozen=True)
class Param:
    """A driver variable, the same for every row and both runs; its value is not known."""

    name: str


@dataclass(frozen=True)
class Slot:
    """Slot ``index`` of the state on ``side``."""

    index: int
    side: Side = 0


@dataclass(frozen=True)
class Out:
    """An output column of the fold, by name; occurs in ``P`` and ``R`` only."""

    name: str


@dataclass(frozen=True)
class Present:
    """Whether the state on ``side`` exists, that is, is not ⊥ (THEORY.md section 1, *Absent groups*). Never NULL."""

    side: Side


@dataclass(frozen=True)
class Arith:
    """Arithmetic. An error on None (python), division by zero, and overflow of a Spark integer (sql)."""

    op: ArithOp
    left: Expr
    right: Expr
    dialect: Dialect


@dataclass(frozen=True)
class Neg:
    """``-operand``. ``bits``: those of a Spark integer that it is, where they are known: a widening cast below it is no
    part of ``operand``."""

    operand: Expr
    dialect: Dialect
    bits: int | None = None


@dataclass(frozen=True)
class Compare:
    """A comparison in the given dialect."""

    op: CompareOp
    left: Expr
    right: Expr
    dialect: Dialect


@dataclass(frozen=True)
class Same:
    """Null-safe identity (``<=>``): NULL is the same as NULL, NaN as NaN, -0.0 as 0.0. Never NULL, never an error."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class And:
    """Conjunction of boolean operands, left to right; empty is true."""

    operands: tuple[Expr, ...]
    dialect: Dialect = "sql"


@dataclass(frozen=True)
class Or:
    """Disjunction of boolean operands, left to right; empty is false."""

    operands: tuple[Expr, ...]
    dialect: Dialect = "sql"


@dataclass(frozen=True)
class Not:
    """Negation; ``python`` of None is True (``not None``), ``sql`` of NULL is NULL."""

    operand: Expr
    dialect: Dialect = "sql"


@dataclass(frozen=True)
class If:
    """``then`` where ``cond`` is TRUE, else ``otherwise`` (also where it is NULL). Only the taken branch is
    evaluated."""

    cond: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True)
class IsNull:
    """Whether the operand is NULL / None. Never NULL."""

    operand: Expr


@dataclass(frozen=True)
class IsNaN:
    """Whether the operand is a NaN (or pandas' NaT). Never NULL; false for NULL."""

    operand: Expr


@dataclass(frozen=True)
class IsTrue:
    """Whether the operand is TRUE; false for FALSE and NULL."""

    operand: Expr


@dataclass(frozen=True)
class Truthy:
    """Python's ``bool(operand)``: None, False, 0, 0.0 and '' are false, NaN is true."""

    operand: Expr


@dataclass(frozen=True)
class In:
    """Membership in a list of constants or parameters, by the dialect's ``==``."""

    operand: Expr
    options: tuple[Expr, ...]
    dialect: Dialect


@dataclass(frozen=True)
class StringTest:
    """``needle in text``, ``text.startswith(needle)``, ``text.endswith(needle)``. NULL: error (python), NULL (sql)."""

    op: StringOp
    text: Expr
    needle: Expr
    dialect: Dialect


@dataclass(frozen=True)
class Call:
    """An uninterpreted function: of its value nothing is known but that it is deterministic. ``total``: known never to
    raise. ``kind``, in what the call is one:

    - ``"function"``: a function of its arguments, assumed pure; the certificate lists it;
    - ``"state"``: what an aggregate without a model, or one that depends on the order of rows, makes of its state;
    - ``"unread"``: a projected column, computed of columns that are not known; ``name`` is the reason;
    - ``"hidden"``: an output that a Python function computes in a way without a model (``unread.hidden_value``)."""

    name: str
    args: tuple[Expr, ...]
    type: Type
    total: bool = False
    kind: CallKind = "function"

    @property
    def symbol(self) -> str:
        """The name of the function in a model: calls of two kinds never share one."""
        return self.name if self.kind == "function" else f"{self.kind}:{self.name}"


@dataclass(frozen=True)
class Raise:
    """Evaluation that reaches this is an error."""

    reason: str


Expr = Union[
    Lit, Col, Param, Slot, Out, Present, Arith, Neg, Compare, Same, And, Or, Not, If, IsNull, IsNaN, IsTrue, Truthy, In,
    StringTest, Call, Raise,
]  # fmt: skip

EXPR_NODES: tuple[type, ...] = Expr.__args__  # type: ignore[attr-defined]


def _hash_once(node: type) -> None:
    """Let ``node`` remember its structural hash: expressions are keys everywhere, and hashing them anew took a sixth of
    a synthesis. The memory does not travel with a pickle, for the hashes of strings differ between processes."""
    structural: Callable[[Any], int] = node.__hash__  # type: ignore[assignment]

    def remembered(self: Any) -> int:
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = self.__dict__["_hash"] = structural(self)
        return known

    def state(self: Any) -> dict[str, object]:
        return {k: v for k, v in self.__dict__.items() if not k.startswith("_")}

    setattr(node, "__hash__", remembered)  # noqa: B010
    setattr(node, "__getstate__", state)  # noqa: B010


for _node in EXPR_NODES:
    _hash_once(_node)
TRUE: Expr = And(())
FALSE: Expr = Or(())


def is_expr(value: object) -> TypeGuard[Expr]:
    """Whether ``value`` is an expression."""
    return isinstance(value, EXPR_NODES)


def children(e: Expr) -> tuple[Expr, ...]:
    """The direct sub-expressions, left to right."""
    known: tuple[Expr, ...] | None = e.__dict__.get("_children")
    if known is None:
        known = e.__dict__["_children"] = tuple(_children(e))
    return known


def _children(e: Expr) -> list[Expr]:
    found: list[Expr] = []
    for f in fields(e):
        value = getattr(e, f.name)
        if is_expr(value):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(v for v in value if is_expr(v))
    return found


def size(e: Expr) -> int:
    """The nodes of ``e``, a node that occurs twice counted twice: exponential where parts are shared, but found in a
    time linear in the different nodes."""
    known: int | None = e.__dict__.get("_size")
    if known is None:
        known = e.__dict__["_size"] = 1 + sum(map(size, children(e)))
    return known


def walk(e: Expr) -> Iterator[Expr]:
    """``e`` and all its sub-expressions, parents first: ``size(e)`` of them."""
    yield e
    for child in children(e):
        yield from walk(child)


def transform(e: Expr, leaf: Callable[[Expr], Expr | None]) -> Expr:
    """``e`` with every node for which ``leaf`` answers replaced by that answer; answers are not visited again."""
    answer = leaf(e)
    if answer is not None:
        return answer
    changed: dict[str, object] = {}
    for f in fields(e):
        value = getattr(e, f.name)
        if is_expr(value):
            new: object = transform(value, leaf)
        elif isinstance(value, tuple) and any(is_expr(v) for v in value):
            new = tuple(transform(v, leaf) if is_expr(v) else v for v in value)
        else:
            continue
        if new != value:
            changed[f.name] = new
    return replace(e, **changed) if changed else e  # type: ignore[arg-type]


def on_side(e: Expr, side: Side) -> Expr:
    """``e`` with its slots moved from side 0 to ``side``."""
    return transform(e, lambda n: Slot(n.index, side) if isinstance(n, Slot) and n.side == 0 else None)


def columns_of(e: Expr) -> frozenset[str]:
    """Names of the row columns that ``e`` reads."""
    return frozenset(n.name for n in walk(e) if isinstance(n, Col))


def outputs_of(e: Expr) -> frozenset[str]:
    """Names of the output columns that ``e`` reads."""
    return frozenset(n.name for n in walk(e) if isinstance(n, Out))


def slots_of(e: Expr) -> frozenset[int]:
    """Indices of the slots that ``e`` reads, on any side."""
    return frozenset(n.index for n in walk(e) if isinstance(n, Slot))


def params_of(e: Expr) -> frozenset[str]:
    """Names of the driver variables that ``e`` reads."""
    return frozenset(n.name for n in walk(e) if isinstance(n, Param))


def conjuncts(e: Expr) -> tuple[Expr, ...]:
    """The top-level conjuncts of a filter condition. Only TRUE passes, so this holds under three-valued logic too."""
    if isinstance(e, And):
        return tuple(c for o in e.operands for c in conjuncts(o))
    return (e,)


MIRRORED: dict[CompareOp, CompareOp] = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""``a op b`` is ``b MIRRORED[op] a`` in both dialects, errors and NULL included."""


def complement(e: Expr, dialect: Dialect = "sql") -> Expr:
    """``not e``. Of a connective of which half of the operands or more are negations, the other connective of their
    complements: De Morgan's laws hold in three-valued logic, and keep where Python stops."""
    if isinstance(e, Not):
        return e.operand
    if (
        isinstance(e, (And, Or))
        and e.dialect == dialect
        and 2 * sum(isinstance(o, Not) for o in e.operands) >= len(e.operands) > 0
    ):
        other = Or if isinstance(e, And) else And
        return other(tuple(complement(o, dialect) for o in e.operands), dialect)
    return Not(e, dialect)


def conjoin(parts: tuple[Expr, ...] | list[Expr]) -> Expr:
    """The conjunction of ``parts``, without a wrapper around one part."""
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def disjoin(parts: tuple[Expr, ...] | list[Expr]) -> Expr:
    """The disjunction of ``parts``, without a wrapper around one part."""
    return parts[0] if len(parts) == 1 else Or(tuple(parts))
