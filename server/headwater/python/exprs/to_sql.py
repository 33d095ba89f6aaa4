"""A Python condition as one in the sql dialect, wherever the two mean the same here.

Law: the result is TRUE exactly where Python finds the condition true, and raises exactly where Python does. A part that
may meet None, or for which SQL has no equal, stays in the python dialect.
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater_ir.expr import (
    FALSE,
    TRUE,
    And,
    Arith,
    Call,
    Compare,
    CompareOp,
    Expr,
    If,
    In,
    IsNaN,
    IsNull,
    IsTrue,
    Lit,
    Neg,
    Not,
    Or,
    Raise,
    StringTest,
    Truthy,
    conjoin,
    disjoin,
    transform,
    walk,
)
from headwater_ir.types import INT

from .assuming import assuming
from .facts import NO_FACTS, Facts
from .value_tags import Values

_OPPOSITE: dict[CompareOp, CompareOp] = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_NUMBERS = frozenset(("int", "float", "bool"))


def conditions(e: Expr, tags: Values, known: Facts = NO_FACTS) -> list[Expr]:
    """The conjuncts of the Python condition ``e``, each said in SQL as far as that is the same where ``known``
    holds."""
    return _parts(_present(e, tags), True, tags, known)


def _present(e: Expr, tags: Values) -> Expr:
    """``e`` without the branches for None where there is none."""

    def leaf(n: Expr) -> Expr | None:
        if isinstance(n, If) and isinstance(n.cond, IsNull) and "none" not in tags.of(n.cond.operand):
            return _present(n.otherwise, tags)
        return None

    return transform(e, leaf)


def _parts(e: Expr, holds: bool, tags: Values, known: Facts) -> list[Expr]:
    """Conjuncts that are TRUE together exactly where ``e`` comes out as ``holds``."""
    if isinstance(e, Not):
        return _parts(e.operand, not holds, tags, known)
    if (isinstance(e, And) and holds) or (isinstance(e, Or) and not holds):
        found: list[Expr] = []
        for o in _in_turn(e.operands, holds, tags):
            found += _parts(o, holds, tags, known)
            known = known.plus(o, holds)
        return _without_nulls(found, tags)
    return [_part(e, holds, tags, known)]


def _in_turn(operands: tuple[Expr, ...], outcome: bool, tags: Values) -> Iterator[Expr]:
    """The operands, each without the branches that the outcome of those before it rules out."""
    decided = NO_FACTS
    for o in operands:
        o = assuming(o, decided)
        yield o
        plain = o.operand if isinstance(o, (Truthy, IsTrue)) and tags.of(o.operand) == {"bool"} else o
        decided = decided.plus(plain, outcome)


def _without_nulls(parts: list[Expr], tags: Values) -> list[Expr]:
    """SQL goes on behind a NULL where Python stops at False: that must not reach an error."""
    raising = [i for i, p in enumerate(parts) if can_raise(p)]
    last = raising[-1] if raising else 0
    return [IsTrue(p) if i < last and _nullable(p) else p for i, p in enumerate(parts)]


def _part(e: Expr, holds: bool, tags: Values, known: Facts) -> Expr:
    match e:
        case And(operands=operands) | Or(operands=operands) if e in (TRUE, FALSE):
            return TRUE if (e == TRUE) == holds else FALSE
        case And(operands=operands) | Or(operands=operands):
            alternatives: list[Expr] = []
            for o in _in_turn(operands, not holds, tags):
                alternatives.append(conjoin(_parts(o, holds, tags, known)))
                known = known.plus(o, not holds)
            return disjoin(alternatives)
        case IsTrue(operand=operand):
            return _part(operand, holds, tags, known)
        case If(cond=IsNull(operand=operand), otherwise=otherwise) if "none" not in tags.of(operand, known):
            return _part(otherwise, holds, tags, known)
        case IsNull() | IsNaN():
            return e if holds else Not(e)
        case Truthy(operand=operand):
            return _truthy(e, operand, holds, tags, known)
        case Compare():
            return _comparison(e, holds, tags, known)
        case StringTest(op=op, text=text, needle=Lit(value=str()) as needle):
            if tags.of(text, known) == {"other"} and not can_raise(text):
                tested = StringTest(op, text, needle, "sql")
                return tested if holds else Not(tested)
        case In(operand=operand, options=options):
            plain = all(isinstance(o, Lit) and o.value is not None for o in options)
            if plain and options and _one_kind(options):
                member = In(operand, options, "sql")
                none = not holds and "none" in tags.of(operand, known)
                return member if holds else disjoin([Not(member), IsNull(operand)]) if none else Not(member)
    return e if holds else Not(e, "python")


def _truthy(e: Expr, operand: Expr, holds: bool, tags: Values, known: Facts) -> Expr:
    of = tags.of(operand, known)
    if of == {"bool"} and isinstance(operand, If):
        return _part(operand, holds, tags, known)
    if of <= {"bool", "none"}:
        said = IsTrue(operand) if "none" in of else operand
        return said if holds else Not(said)
    if of <= {"int", "float", "decimal", "nan", "none"}:
        compared: Expr = Compare("!=" if holds else "==", operand, Lit(0, INT), "sql")
        return compared if holds or "none" not in of else disjoin([IsNull(operand), compared])
    return e if holds else Not(e, "python")


def _comparison(e: Compare, holds: bool, tags: Values, known: Facts) -> Expr:
    left, right = tags.of(e.left, known), tags.of(e.right, known)
    said = e if holds else Not(e, "python")
    if not _alike(e, left, right) or any(can_raise(o) for o in (e.left, e.right)):
        return said
    op = e.op if holds else _OPPOSITE[e.op]
    missing = [o for o, t in ((e.left, left), (e.right, right)) if "none" in t]
    if missing and e.op in ("==", "!=") and op == "!=" and _has_literal(e):
        return disjoin([Compare(op, e.left, e.right, "sql"), *map(IsNull, missing)])  # None is unequal to any constant
    if missing and not (e.op in ("==", "!=") and op == "==" and _has_literal(e)):
        return said
    nan: list[Expr] = [IsNaN(o) for o, t in ((e.left, left), (e.right, right)) if "nan" in t]
    compared = Compare(op, e.left, e.right, "sql")
    positive = op not in ("!=",) if e.op in ("==", "!=") else holds
    if not nan or (op == "==" and _has_literal(e)):
        return compared
    # Where one side is NaN, Python's `!=` is true and every other comparison false.
    return conjoin([compared, *(Not(n) for n in nan)]) if positive else disjoin([compared, *nan])


def _has_literal(e: Compare) -> bool:
    return any(isinstance(o, Lit) and o.value is not None and o.value == o.value for o in (e.left, e.right))


def _alike(e: Compare, left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether SQL compares the two as Python does: values of one kind, and no int with a float but a constant."""
    if any(isinstance(o, Lit) and (o.value is None or o.value != o.value) for o in (e.left, e.right)):
        return False
    a, b = left - {"none", "nan"}, right - {"none", "nan"}
    if "bool" in a | b:
        return a == b
    numbers = a <= _NUMBERS and b <= _NUMBERS
    if numbers:
        return a == b or any(isinstance(o, Lit) for o in (e.left, e.right))
    if a | b <= {"decimal", "int"}:
        return True  # exact in both languages
    return a == b == {"other"}


def _one_kind(options: tuple[Expr, ...]) -> bool:
    kinds = {type(o.value) for o in options if isinstance(o, Lit)}
    return len(kinds) == 1 and bool not in kinds and float not in kinds


def _nullable(e: Expr) -> bool:
    """Whether ``e`` may be NULL rather than FALSE."""
    return not isinstance(e, (IsNull, IsNaN, IsTrue, Truthy)) and not (isinstance(e, Not) and not _nullable(e.operand))


def can_raise(e: Expr) -> bool:
    """Whether evaluating ``e`` may be an error."""
    return any(
        isinstance(n, (Arith, Neg, Raise, If))
        or (isinstance(n, (Compare, StringTest)) and n.dialect == "python")
        or (isinstance(n, Call) and not n.total)
        for n in walk(e)
    )
