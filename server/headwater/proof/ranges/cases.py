"""A choice between constants, compared with a constant, as tests of the column that it is made by.

Law: ``CASE WHEN c THEN a ... ELSE b END`` equals a constant where the result of the first condition that is TRUE does,
or where none is and that of ELSE does. A comparison of a column with constants, and what AND, OR and NOT make of such,
is NULL where the column is and nowhere else: so where it is not TRUE, it is FALSE or the column is NULL.
"""

from __future__ import annotations

from headwater_ir.expr import (
    And,
    Col,
    Compare,
    CompareOp,
    Expr,
    If,
    In,
    IsNull,
    Lit,
    Not,
    Or,
    StringTest,
    conjoin,
    disjoin,
    walk,
)

_MOST = 3
"""More parts hide what is asked."""
_OPPOSITE: dict[CompareOp, CompareOp] = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def chosen(e: Expr) -> Expr | None:
    """``e``, over one column, as tests of it where it compares a CASE of constants with constants; else None."""
    wanted: tuple[Expr, ...]
    match e:
        case Not(Compare("==" | "!=" as op, left, right, "sql"), "sql"):
            return chosen(Compare(_OPPOSITE[op], left, right, "sql"))
        case Compare("==" | "!=" as op, If() as case, Lit() as constant, "sql"):
            wanted, other = (constant,), op == "!="
        case In(If() as case, options, "sql") | Not(In(If() as case, options, "sql"), "sql"):
            wanted, other = options, isinstance(e, Not)
        case _:
            return None
    found, before, at, results = list[Expr](), list[Expr](), _of_case(case), list[Expr]()
    for condition, result in at:
        results.append(result)
        if condition is not None and not _is_test(condition):
            return None
        if (_value(result) in map(_value, wanted)) != other:
            found.append(conjoin([*before, *([] if condition is None else [condition])]))
        if condition is not None:
            before.append(_not_true(condition))
    one_type = len({type(_value(r)) for r in (*results, *wanted)}) == 1 and isinstance(_value(results[0]), (str, int))
    if not one_type or not 0 < len(found) <= _MOST or And(()) in found:
        return None
    return disjoin(found)


def _of_case(case: Expr) -> list[tuple[Expr | None, Expr]]:
    """The conditions and their results; None for what else is."""
    found = list[tuple[Expr | None, Expr]]()
    while isinstance(case, If):
        found.append((case.cond, case.then))
        case = case.otherwise
    return [*found, (None, case)]


def _value(e: Expr) -> object:
    """A constant; ``e`` itself for anything else, which is of no type of theirs."""
    return e.value if isinstance(e, Lit) else e


def _is_test(e: Expr) -> bool:
    """Whether ``e`` is NULL where the column is and nowhere else, or asks for NULL and nothing else."""
    return isinstance(e, IsNull) or (isinstance(e, Not) and isinstance(e.operand, IsNull)) or _of_constants(e)


def _of_constants(e: Expr) -> bool:
    match e:
        case Compare(_, Col(), Lit() as constant, "sql") | StringTest(_, Col(), Lit() as constant, "sql"):
            return constant.value is not None
        case In(Col(), options, "sql"):
            return bool(options) and all(isinstance(o, Lit) and o.value is not None for o in options)
        case And(operands, "sql") | Or(operands, "sql"):
            return bool(operands) and all(map(_of_constants, operands))
        case Not(operand, "sql"):
            return _of_constants(operand)
    return False


def _not_true(e: Expr) -> Expr:
    match e:
        case IsNull():
            return Not(e)
        case Not(IsNull() as asked):
            return asked
    return Or((_false(e), IsNull(next(n for n in walk(e) if isinstance(n, Col)))))


def _false(e: Expr) -> Expr:
    match e:
        case Compare(op, left, right, dialect):
            return Compare(_OPPOSITE[op], left, right, dialect)
        case Not(operand):
            return operand
    return Not(e)
