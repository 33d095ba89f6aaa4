"""Smart constructors: the same meaning with fewer nodes, so that hovers and proofs stay readable.

Each keeps both value and errors: an operand is dropped only where Python would not have evaluated it, or where it
cannot raise.
"""

from __future__ import annotations

import math

from headwater.syntax.refusal import Refusal
from headwater_ir.expr import (
    FALSE,
    TRUE,
    And,
    Arith,
    Call,
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
    StringOp,
    StringTest,
    Truthy,
    complement,
    size,
    walk,
)  # fmt: skip
from headwater_ir.types import BOOL, FLOAT, INT, NULL, STRING, TIMESTAMP

from .types import CONDITIONS

NONE = Lit(None, NULL)
NAN = Lit(math.nan, FLOAT)
NAT = Lit(math.nan, TIMESTAMP)
"""pandas' missing timestamp behaves as NaN does."""

MAX_NODES = 2000
"""The most nodes of an expression that a function may return or keep."""
_MOST = 4 * MAX_NODES
"""The most nodes of an expression on the way to one: parts that are used twice double it at each step."""


def _bounded(e: Expr) -> Expr:
    if size(e) > _MOST:
        raise Refusal("time-out", "the function has too many paths")
    return e


def is_boolean(e: Expr) -> bool:
    """Whether ``e``, which came from Python, always yields True or False and never None."""
    if isinstance(e, Lit):
        return isinstance(e.value, bool)
    if isinstance(e, If):
        return is_boolean(e.then) and is_boolean(e.otherwise)
    return isinstance(e, CONDITIONS)


def may_raise(e: Expr) -> bool:
    """Whether evaluating ``e`` can be an error on some row and state; True in doubt."""
    return any(
        isinstance(n, (Arith, Neg, Raise, StringTest))
        or (isinstance(n, Compare) and n.op not in ("==", "!="))
        or (isinstance(n, Call) and not n.total)
        for n in walk(e)
    )


def boolean(value: bool) -> Expr:
    """The constant condition."""
    return TRUE if value else FALSE


def literal_truth(e: Expr) -> bool | None:
    """The truth of a constant condition, None if it is not constant."""
    if e in (TRUE, FALSE):
        return e == TRUE
    return bool(e.value) if isinstance(e, Lit) else None


def truthy(e: Expr) -> Expr:
    """Python's ``bool(e)``."""
    known = literal_truth(e)
    if known is not None:
        return boolean(known)
    return e if is_boolean(e) else Truthy(e)


def negate(condition: Expr) -> Expr:
    """``not condition``."""
    if condition in (TRUE, FALSE):
        return boolean(condition == FALSE)
    return complement(condition, "python")


def both(*conditions: Expr) -> Expr:
    """``a and b``, left to right, of conditions."""
    kept: list[Expr] = []
    for c in conditions:
        if c == FALSE:
            return And((*kept, FALSE), "python") if any(map(may_raise, kept)) else FALSE
        if c != TRUE:
            kept.extend(c.operands if isinstance(c, And) else (c,))
    return TRUE if not kept else kept[0] if len(kept) == 1 else _bounded(And(tuple(kept), "python"))


def either(*conditions: Expr) -> Expr:
    """``a or b``, left to right, of conditions."""
    kept: list[Expr] = []
    for c in conditions:
        if c == TRUE:
            return Or((*kept, TRUE), "python") if any(map(may_raise, kept)) else TRUE
        if c != FALSE:
            kept.extend(c.operands if isinstance(c, Or) else (c,))
    return FALSE if not kept else kept[0] if len(kept) == 1 else _bounded(Or(tuple(kept), "python"))


def choose(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """``then if condition else otherwise``."""
    known = literal_truth(condition)
    if known is not None:
        return then if known else otherwise
    if then == otherwise and not may_raise(condition):
        return then
    if isinstance(condition, Not) and condition.dialect == "python":
        return choose(condition.operand, otherwise, then)
    if then == NONE and isinstance(condition, IsNull) and otherwise == condition.operand and not may_raise(otherwise):
        return otherwise
    if then == TRUE and is_boolean(otherwise):
        return either(condition, otherwise)
    if otherwise == FALSE and is_boolean(then):
        return both(condition, then)
    if then == FALSE and otherwise == TRUE:
        return negate(condition)
    return _bounded(If(condition, then, otherwise))


def is_null(e: Expr) -> Expr:
    """``e is None``."""
    if isinstance(e, Lit):
        return boolean(e.value is None)
    if is_boolean(e):
        return FALSE if not may_raise(e) else IsNull(e)
    if isinstance(e, If) and not may_raise(e):
        return choose(e.cond, is_null(e.then), _known_not_null(e, is_null(e.otherwise)))
    return IsNull(e)


def is_nan(e: Expr) -> Expr:
    """``e`` is NaN or NaT; false for None."""
    if isinstance(e, Lit):
        return boolean(isinstance(e.value, float) and math.isnan(e.value))
    if is_boolean(e):
        return FALSE if not may_raise(e) else IsNaN(e)
    if isinstance(e, If) and not may_raise(e):
        return choose(e.cond, is_nan(e.then), is_nan(e.otherwise))
    return IsNaN(e)


def _known_not_null(e: If, condition: Expr) -> Expr:
    """In the branch where ``x is None`` is false, it is false."""
    return FALSE if isinstance(e.cond, IsNull) and condition == e.cond else condition


def is_missing(e: Expr) -> Expr:
    """``pd.isna(e)``: None, NaN or NaT."""
    return either(is_null(e), is_nan(e))


def literal(value: object) -> Lit | None:
    """The literal of a plain Python value."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return Lit(value, BOOL)
    if type(value) is int:
        return Lit(value, INT)
    if type(value) is float:
        return Lit(value, FLOAT)
    return Lit(value, STRING) if type(value) is str else None


def number_of(e: object) -> int | float | None:
    """The number that ``e`` is a literal of; None for other expressions, booleans and NaN."""
    value = e.value if isinstance(e, Lit) else None
    if type(value) is int:
        return value
    return value if type(value) is float and not math.isnan(value) else None


def text_test(op: StringOp, text: Expr, needle: Expr) -> Expr:
    """``needle in text`` and its kin; of a choice of texts, a choice of tests."""
    match text, needle:
        case If(Truthy(asked), then, Lit(value="")), Lit(value=str() as part) if asked == then and part:
            return both(negate(is_null(then)), text_test(op, then, needle))  # no part of the empty text
        case If(condition, then, otherwise), _:
            return choose(condition, text_test(op, then, needle), text_test(op, otherwise, needle))
        case Lit(value=str() as whole), Lit(value=str() as part):
            return boolean({"contains": whole.__contains__, "startswith": whole.startswith,
                            "endswith": whole.endswith}[op](part))  # fmt: skip
    return StringTest(op, text, needle, "python")
