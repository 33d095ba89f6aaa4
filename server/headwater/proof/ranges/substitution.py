"""Conditions that become tests of the bare column by putting one term for another.

Laws, each for a column x and constants:

- ``coalesce(x, c)`` is x where x is not NULL, and c where it is. So a condition on it is the same on x, or holds of
  NULL.
- ``substring(x, 1, k)`` is x itself where x has no more than k characters, else its first k. So it equals a
  constant of k characters exactly where x begins with it, a shorter one where x equals it, and a longer one
  nowhere.
- ``cast(n AS string)`` of a whole number equals a text exactly where the text is how that number is spelled.
- ``cast(t AS bigint)`` and ``unix_seconds(t)`` of a moment are its seconds since 1970, rounded down, as
  ``unix_millis(t)`` are its milliseconds and ``unix_micros(t)`` its microseconds, which it is a number of; and
  ``unix_timestamp(t)`` is the seconds rounded toward 1970. So from a whole number of seconds on (of the last: a
  positive one) they are at least that number exactly where t is no earlier than ``timestamp_seconds`` of it. No time
  zone matters.

NULL makes all of these tests NULL. ``prefixes`` has laws of how texts begin, and ``cases`` a law of choices.
``tests/proof/ranges/test_laws.py`` measures the laws on Spark.
"""

from __future__ import annotations

from dataclasses import replace

from headwater_ir.expr import (
    And,
    Call,
    Col,
    Compare,
    CompareOp,
    Expr,
    If,
    In,
    IsNull,
    Lit,
    Or,
    StringTest,
    columns_of,
    disjoin,
    transform,
    walk,
)
from headwater_ir.types import INT, STRING, TIMESTAMP, Type

from .cases import chosen
from .meaning import truths, whole_number
from .prefixes import beginning, test_of_text

_COMPARED = frozenset("bool int float decimal string date timestamp".split())
"""Types whose comparison with a constant that was read is NULL of NULL alone: of others Spark may compare a cast."""
_TESTS = (Col, Lit, Compare, StringTest, And, Or, In)


def of_bare_column(e: Expr, t: Type) -> Expr | None:
    """``e``, over one column of type ``t``, as a test of the bare column; None if these laws do not make it one."""
    plain = transform(transform(e, _coalesced), lambda n: _equality(n, t))
    if plain == e or not all(isinstance(n, _TESTS) or _is_moment(n) for n in walk(plain)):
        return chosen(e) if len(columns_of(e)) == 1 and t.name in _COMPARED else None
    of_null, column = truths(e, None), next(n for n in walk(plain) if isinstance(n, Col))
    if True in truths(plain, None) or len(of_null) > 1:
        return None
    return Or((plain, IsNull(column))) if of_null == {True} else plain


def _coalesced(e: Expr) -> Expr | None:
    match e:
        case If(IsNull(Col() as asked), Lit(), Col() as column) if asked == column:
            return column
    return None


def _equality(e: Expr, t: Type) -> Expr | None:
    match e:
        case Compare(op, Call() as left, Lit(value=int() as n), "sql") if t == TIMESTAMP:
            return _in_seconds(op, left, n)
        case Compare("==", Call() as left, Lit(value=str()) as constant, "sql"):
            return _equals(left, constant, t) or _of_text(e, t)
        case In(Call() as operand, options, "sql") if options and all(isinstance(o, Lit) for o in options):
            found = [_equality(Compare("==", operand, o, "sql"), t) for o in options if isinstance(o, Lit)]
            tests = [f for f in found if f is not None]
            return _together(tests) if len(tests) == len(found) else None
    return _of_text(e, t)


def _of_text(e: Expr, t: Type) -> Expr | None:
    found = test_of_text(e) if t == STRING and not isinstance(e, (And, Or)) else None
    return found[0] if found is not None and found[1] else None


def implied(e: Expr, t: Type) -> Expr | None:
    """A test of the bare column of type ``t`` that holds where ``e`` does, and elsewhere."""
    found = test_of_text(e) if t == STRING else None
    return None if found is None or truths(e, None) != {None} else found[0]


def _together(tests: list[Expr]) -> Expr:
    """One of ``tests`` holds, as one list where all are equalities."""
    constants = [t.right for t in tests if isinstance(t, Compare)]
    first = tests[0]
    if len(constants) == len(tests) > 1 and isinstance(first, Compare):
        return In(first.left, tuple(constants), "sql")
    return disjoin(tests)


def _equals(e: Call, constant: Lit, t: Type) -> Expr | None:
    if not isinstance(constant.value, str):
        return None
    match e:
        case Call("cast:string", (Col() as of,)) if t.name == "int":
            number = whole_number(constant.value)
            within = number is not None and t.bits is not None and -(2 ** (t.bits - 1)) <= number < 2 ** (t.bits - 1)
            return Compare("==", of, replace(constant, value=number, type=t), "sql") if within else None
    begun = beginning(e) if t == STRING else None
    if begun is None or not constant.value:
        return None
    column, size = begun
    if len(constant.value) == size:
        return StringTest("startswith", column, constant, "sql")
    return Compare("==", column, constant, "sql") if len(constant.value) < size else None


_FIRST_SECOND = {
    "cast:int64": (-(2**42), 1), "spark.unix_seconds": (-(2**42), 1), "spark.unix_timestamp": (1, 1),
    "spark.unix_millis": (-(2**42), 10**3), "spark.unix_micros": (-(2**42), 10**6),
}  # fmt: skip
"""From which second on a function tells what is no earlier, and its units of a second. So great ones are of moments
that there are."""


def _in_seconds(op: CompareOp, e: Call, n: int) -> Expr | None:
    """``e op n`` of the seconds ``e`` since 1970 of a moment."""
    if e.name not in _FIRST_SECOND or len(e.args) != 1 or not isinstance(e.args[0], Col):
        return None
    column, (least, units) = e.args[0], _FIRST_SECOND[e.name]

    def test(asked: CompareOp, unit: int) -> Expr | None:
        if unit % units or not least <= unit // units < 2**42:
            return None
        second = Lit(unit // units, INT)
        return Compare(asked, column, Call("spark.timestamp_seconds", (second,), TIMESTAMP), "sql")

    if e.name == "spark.unix_micros" and op in (">", "<="):  # of the moments themselves
        return test(op, n)
    if op in (">", "<="):
        return test(">=" if op == ">" else "<", n + 1)
    if op in (">=", "<"):
        return test(op, n)
    from_it, before_it = test(">=" if op == "==" else "<", n), test("<" if op == "==" else ">=", n + 1)
    if from_it is None or before_it is None:
        return None
    return And((from_it, before_it)) if op == "==" else Or((from_it, before_it))


def _is_moment(e: Expr) -> bool:
    return isinstance(e, Call) and e.name == "spark.timestamp_seconds" and isinstance(e.args[0], Lit)
