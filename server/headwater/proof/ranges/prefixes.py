"""Conditions on a text that say how it begins.

Laws, each for a column s of texts and constants; texts are in the order of their code points, as Spark's UTF-8 is:

- a pattern that begins with ``^`` finds what begins as ``patterns`` says. What ``LIKE`` matches begins with what stands
  before its first wildcard.
- ``regexp_extract(s, p, n)`` is a c that is not empty only where s begins with c, if p begins with ``^`` and the group
  n is the one that follows it, or n is 0 and p has no choice.
- ``CAST(substring(s, 1, k) AS int)`` is a number of k digits exactly where s begins with these, and is no less than
  such a number only where s is no less than its digits.
- what stands before the first ``d`` of s (``split_part(s, d, 1)``, ``split(s, d)[0]``) is c exactly where s is c or
  begins with c and d: if d is not found sooner in these.
- ``concat(a, s, b)`` is c exactly where s is what is left of c between a and b.
- ``instr(s, c) = 1`` exactly where s begins with c.
- ``substring(s, 1, k)`` is ordered beside a c of fewer than k characters as s is, and beside one of k characters for
  ``<`` and ``>=``. It is greater than c only where s is.
- ``rtrim(s) = c`` only where s begins with c.

``tests/proof/ranges/test_laws.py`` measures them on Spark.
"""

from __future__ import annotations

import re
from dataclasses import replace

from headwater_ir.expr import And, Call, Col, Compare, CompareOp, Expr, In, Lit, Or, StringTest, conjoin, disjoin
from headwater_ir.patterns import bare, beginnings, plain, starts_with_group
from headwater_ir.types import STRING

Test = tuple[Expr, bool]
"""A test of the bare column, and whether it holds nowhere else than the condition."""
NULL_OF_NULL = frozenset(
    """spark.rlike spark.regexp_like like spark.split_part spark.substring_index spark.split[0] spark.concat
    spark.instr spark.rtrim spark.regexp_extract""".split()
)
"""Functions of texts that are NULL where one of their arguments is."""
_FROM_FIRST = (0, 1)
"""Places that Spark counts as the first one."""
_SAME_AS_WHOLE: dict[CompareOp, int] = {"<": 0, ">=": 0, "<=": 1, ">": 1}
"""How many characters more a part must hold than the constant, to be ordered beside it as the whole is."""


def test_of_text(e: Expr) -> Test | None:
    """What a condition over a column of texts says of how it begins; None if these laws say nothing."""
    match e:
        case And(operands, "sql"):
            found = [t for t in map(test_of_text, operands) if t is not None]
            whole = len(found) == len(operands) and all(exact for _, exact in found)
            return (conjoin([t for t, _ in found]), whole) if found else None
        case Or(operands, "sql"):
            return _any(operands)
        case In(operand, options, "sql") if options:
            return _any([Compare("==", operand, o, "sql") for o in options])
        case Call("spark.rlike" | "spark.regexp_like", (Col() as of, Lit(value=str() as pattern))):
            return _matches(of, pattern)
        case Call("like", (Col() as of, Lit(value=str() as pattern))):
            return _like(of, pattern)
        case Compare("==", Call("spark.instr", (Col() as of, Lit(value=str() as text))), Lit(value=1)) if text:
            return _begins(of, text), True
        case Compare(op, Call("cast:int32" | "cast:int64", (Call() as part,)), Lit(value=int() as number), "sql"):
            return _as_number(op, part, number)
        case Compare(op, Call() as part, Lit(value=str()) as constant, "sql"):
            return _equals(part, constant) if op == "==" else _ordered(op, part, constant)
        case StringTest("startswith", Call() as part, Lit(value=str() as text), "sql"):
            begun = beginning(part)
            return (_begins(begun[0], text), True) if begun is not None and 0 < len(text) <= begun[1] else None
    return None


def _any(operands: list[Expr] | tuple[Expr, ...]) -> Test | None:
    found = [t for t in map(test_of_text, operands) if t is not None]
    if not found or len(found) < len(operands):
        return None
    return disjoin([t for t, _ in found]), all(exact for _, exact in found)


def _begins(of: Col, text: str) -> Expr:
    return StringTest("startswith", of, Lit(text, STRING), "sql")


def _matches(of: Col, pattern: str) -> Test | None:
    found = beginnings(pattern)
    return None if found is None else (disjoin([_begins(of, text) for text in found[0]]), found[1])


def _like(of: Col, pattern: str) -> Test | None:
    text = re.split(r"[%_\\]", pattern, maxsplit=1)[0]
    by_spark = re.fullmatch(r"[^%_]*%?[^%_]*", pattern) and "\\" not in pattern
    return None if not text or by_spark else (_begins(of, text), False)


def _equals(e: Call, constant: Lit) -> Test | None:
    text = str(constant.value)
    match e:
        case Call("spark.rtrim", (Col() as of,)) if text and not text.endswith(" "):
            return _begins(of, text), False
        case Call("spark.concat", parts):
            return _between(parts, constant)
        case Call("spark.regexp_extract", (Col() as of, Lit(value=str() as pattern), Lit(value=int() as group))):
            known = (
                starts_with_group(pattern)
                if group == 1
                else group == 0 and re.fullmatch(r"\^[^|]+", pattern, re.DOTALL)
            )
            return (_begins(of, text), False) if known and text else None
    first = _first_part(e)
    if first is None:
        return None
    of, mark = first
    if (text + mark).find(mark) != len(text):
        return None
    return Or((Compare("==", of, constant, "sql"), _begins(of, text + mark)), "sql"), True


def _between(parts: tuple[Expr, ...], constant: Lit) -> Test | None:
    at = [i for i, p in enumerate(parts) if not isinstance(p, Lit)]
    if len(at) != 1 or not all(isinstance(p.value, str) for p in parts if isinstance(p, Lit)):
        return None
    before, after = ("".join(str(p.value) for p in ps if isinstance(p, Lit)) for ps in (parts[: at[0]], parts[at[0] :]))
    of, text = parts[at[0]], str(constant.value)
    if not isinstance(of, Col) or len(before) + len(after) > len(text):
        return None
    if not (text.startswith(before) and text.endswith(after)):
        return None
    return Compare("==", of, replace(constant, value=text[len(before) : len(text) - len(after)]), "sql"), True


def _first_part(e: Call) -> tuple[Col, str] | None:
    """The column, and what ends the part of it that ``e`` is."""
    match e:
        case Call("spark.split_part" | "spark.substring_index", (Col() as of, Lit(value=str() as mark), Lit(value=1))):
            return (of, mark) if mark else None
        case Call("spark.split[0]", (Col() as of, Lit(value=str() as pattern))):
            return (of, bare(pattern)) if pattern and plain(pattern) == pattern else None
    return None


def beginning(e: Call) -> tuple[Col, int] | None:
    """The column and how many of its first characters ``e`` is."""
    match e:
        case Call("spark.left", (Col() as of, Lit(value=int() as size))):
            return (of, size) if size > 0 else None
        case Call(
            "spark.substring" | "spark.substr", (Col() as of, Lit(value=int() as start), Lit(value=int() as size))
        ):
            return (of, size) if start in _FROM_FIRST and size > 0 else None
    return None


def _as_number(op: CompareOp, e: Call, number: int) -> Test | None:
    begun, digits = beginning(e), str(number)
    if begun is None or number <= 0 or op not in ("==", ">=", ">") or len(digits) != begun[1]:
        return None
    if op == "==":
        return _begins(begun[0], digits), True
    return Compare(">=", begun[0], Lit(digits, STRING), "sql"), False


def _ordered(op: CompareOp, e: Call, constant: Lit) -> Test | None:
    begun, text = beginning(e), str(constant.value)
    if begun is None or op not in _SAME_AS_WHOLE or not text or len(text) > begun[1]:
        return None
    exact = len(text) + _SAME_AS_WHOLE[op] <= begun[1]
    if not exact and op == "<=":
        return None
    return Compare(op, begun[0], constant, "sql"), exact
