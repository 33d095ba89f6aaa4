"""Limit: ``limit``, ``offset`` and ``tail``, alone or fused with a sort, a union or a scan.

Law: ``σ_G(limit_n(sort(d))) = limit_n(sort(σ_G(d)))`` for a G that keeps a prefix of the order; of a P that implies
such a G only, ``σ_P(limit_n(sort(d))) = σ_P(limit_n(sort(σ_G(d))))``, and the filter stays. ``offset`` likewise.
Condition: the rows stand in an order, of which nothing but ``limit`` and ``offset`` takes the first; G is of the column
that they are ordered by first (``prefix_of``). It is a boundary, for Spark moves no filter below a limit.
Why sound: which rows are kept depends on how many stand before each. A row that G keeps stands behind none that G
drops, so that its place is the same. Rows that are equal in the order come in any turn, with and without G; G keeps all
of them or none, so that each result is one that the program could have given before, and the other way round.
Counterexamples without the condition: the first of ``[10, 95]`` does not have score > 90; with the filter first it is
95, which does. Of ``[NULL, 1]`` the first is NULL, and 1 behind ``x <= 1``. Engines lose this where a limit has become
a part of another node, such as a union with a slice (polars#26803), a scan or exchange with a fetch (datafusion#21063)
or a subquery that is merged into its parent (sqlglot#7901).
Reference: MagicPush, Table 2 (top-k: no row that G drops is greater than one that is shown); ANCHORS.md, item 11; Spark
``PushPredicateThroughNonJoin`` has no case for it.
"""

from __future__ import annotations

from typing import Any, NoReturn

from headwater_ir.expr import (
    MIRRORED,
    And,
    Col,
    Compare,
    CompareOp,
    Expr,
    In,
    IsNull,
    Lit,
    Not,
    Or,
    Param,
    conjoin,
    conjuncts,
    disjoin,
    transform,
)
from headwater_ir.parts import Order
from headwater_ir.plan import Limit
from headwater_ir.problem import Column, Fold, OutputColumn
from headwater_ir.types import Type

from .boundary import over_outputs
from .outcome import Stop
from .protocol import Inputs, Operator, same_columns

_GREATEST: dict[CompareOp, CompareOp] = {">": ">", ">=": ">=", "==": ">="}
_LEAST: dict[CompareOp, CompareOp] = {"<": "<", "<=": "<=", "==": "<="}
"""Comparisons that imply one which keeps the first rows of an order, and that one."""


def prefix_of(condition: Expr, order: Order) -> Expr | None:
    """What ``condition`` implies that keeps a prefix of ``order``: with each row all that stand before or beside it;
    None if that is nothing.

    A condition *implies* such a prefix where the greatest come first and it asks for ``>``, ``>=`` or ``==``, where the
    least come first and it asks for ``<``, ``<=`` or ``==``, where it asks for one of a list, of which one stands last,
    where it asks for NULL, which comes first, or for any value, and NULL comes last. NULL that comes first is in every
    prefix. ``OR`` of conditions that each imply one implies that any of these holds. NaN is the greatest number to the
    order and to a comparison alike.
    Only the first column of an order counts: rows that are equal in it are kept or dropped together, whatever is next.
    """
    missing = IsNull(Col(order.column))
    match turned(condition):
        case Compare(op, Col(name), Lit() | Param() as bound, "sql") if name == order.column:
            allowed = _GREATEST if order.descending else _LEAST
            if op not in allowed:
                return None
            first = Compare(allowed[op], Col(name), bound, "sql")
            return Or((first, missing)) if order.nulls_first else first
        case In(Col(name), listed, "sql") if name == order.column:
            extreme = _last(listed, order)
            return None if extreme is None else prefix_of(Compare("==", Col(name), extreme, "sql"), order)
        case IsNull() as asked if asked == missing and order.nulls_first:
            return asked
        case Not(IsNull() as asked, "sql") as given if asked == missing and not order.nulls_first:
            return given
        case And(operands=parts, dialect="sql"):
            found = [kept for part in parts if (kept := prefix_of(part, order)) is not None]
            return conjoin(found) if found else None
        case Or(operands=parts, dialect="sql") if parts:
            options = [kept for part in parts if (kept := prefix_of(part, order)) is not None]
            each = [o for kept in options for o in (kept.operands if isinstance(kept, Or) else (kept,))]
            return disjoin([*dict.fromkeys(each)]) if len(options) == len(parts) else None
    return None


def _last(options: tuple[Expr, ...], order: Order) -> Expr | None:
    """That of some constants of one kind which stands last in ``order``; None if that is not plain."""
    found: list[tuple[Any, Expr]] = [(o.value, o) for o in options if isinstance(o, Lit)]
    kinds = {type(value) for value, _ in found}
    if len(found) < len(options) or kinds not in ({int}, {str}, {float}) or any(v != v for v, _ in found):
        return None
    return (min if order.descending else max)(found, key=lambda pair: pair[0])[1]


def prefixes_of(conditions: list[Expr], order: Order) -> Expr | None:
    """What all of ``conditions`` together imply that keeps a prefix of ``order``."""
    parts = [part for condition in conditions for part in conjuncts(condition)]
    found = [kept for part in parts if (kept := prefix_of(part, order)) is not None]
    return conjoin(found) if found else None


def turned(condition: Expr) -> Expr:
    """``condition`` with columns on the left side of comparisons with constants."""

    def turn(e: Expr) -> Expr | None:
        match e:
            case Compare(op, Lit() | Param() as bound, Col() as column, "sql"):
                return Compare(MIRRORED[op], column, bound, "sql")
        return None

    return transform(condition, turn)


def rows_in(order: Order, api: str, known: Type, facts: tuple[Expr, ...]) -> Fold:
    """Each row as a fold of its own that gives back the column which rows are ordered by, of the type ``known``."""
    name = order.column
    return Fold(
        api, api, (Column(name, known),), (), (), (), (OutputColumn(name, known, Col(name)),), rows="one", facts=facts
    )


def through(predicate: Expr, node: Limit, inputs: Inputs) -> NoReturn:
    """Always stops."""
    raise Stop("cardinality-barrier", f"`{node.operator}` keeps other rows if a filter runs before it")


def prefix(predicate: Expr, node: Limit) -> Expr | None:
    """What ``predicate`` implies that keeps a prefix of the order of the rows; None if that is nothing."""
    return prefixes_of([predicate], node.order) if node.order is not None else None


def is_all(predicate: Expr, kept: Expr) -> bool:
    """Whether ``kept``, a prefix that ``predicate`` implies, is all that it says."""
    return turned(predicate) == kept


def meet(predicate: Expr, node: Limit, inputs: Inputs) -> tuple[Fold, Expr, tuple[Expr, ...]]:
    """Each row of the child as a fold of its own that gives it back; ``predicate`` is what ``prefix`` says."""
    assert node.order is not None
    fold = rows_in(node.order, "limit", inputs.type_of_column(node.child, node.order.column), node.facts)
    return fold, over_outputs(predicate, fold), ()


OPERATOR = Operator(Limit, "limit", through, same_columns, rows_of_input=True, renames=lambda _: False, meet=meet)
