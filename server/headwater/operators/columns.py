"""The columns of a plan: their types, and those that it has for certain, among others that are not known.

Source: each operator's own columns, and what a filter reads, which is a column of the frame that it filters, unless
Spark resolved it further down, to one that a projection below the filter has dropped (``ResolveReferences``; see
``liveness``): so only where a source, a join, a union or an aggregate stands below it with nothing between that drops
the column, and not where anything may, as in a frame that is a parameter. What a Python function reads of the elements
of an RDD is not asked of an RDD without elements. A rename of what may not exist makes a column that may not exist.
"""

from __future__ import annotations

from collections.abc import Iterable

from headwater_ir.expr import Col, Expr, Lit
from headwater_ir.plan import Filter, Join, Plan
from headwater_ir.types import ANY, Type
from headwater_ir.unread import why_unread

from .protocol import Columns
from .registry import operator_of

_MOST_NODES = 2000
"""That are looked at: a frame joined with itself again and again has very many ways down."""


def types_of_columns(plan: Plan, names: Iterable[str]) -> dict[str, Type]:
    """As ``type_of_column``, of several columns, for which each operator is asked once."""
    known: dict[int, Columns | None] = {}
    return {name: type_of_column(plan, name, known) for name in names}


def type_of_column(plan: Plan, name: str, known: dict[int, Columns | None] | None = None) -> Type:
    """The type of column ``name`` in the output of ``plan``; ANY where it is not known. ``known``: the columns of parts
    of ``plan``, by identity, which are added to."""
    known = {} if known is None else known
    at: Plan | None = plan
    while at is not None:
        if isinstance(at, Filter):  # which makes no columns, and of which there may be very many
            at = at.child
            continue
        if isinstance(at, Join) and name not in at.using:
            at = _only_side(at, name)
            continue
        if id(at) not in known:
            known[id(at)] = operator_of(at).columns(at)
        columns = known[id(at)]
        if columns is None:
            break
        value = columns.made.get(name, Col(name))
        if isinstance(value, Type):
            return value
        if not isinstance(value, Col):
            return value.type if isinstance(value, Lit) else ANY
        at, name = columns.child, value.name
    return ANY


def _only_side(join: Join, name: str) -> Plan | None:
    """The side whose column ``name`` is; None unless all columns of both are known, and one of them has that name."""
    if join.left_columns is None or join.right_columns is None:
        return None
    sides = [(join.left, c) for c in join.left_columns] + [(join.right, c) for c in join.right_columns]
    found = [side for side, column in sides if column.lower() == name.lower()]
    return found[0] if len(found) == 1 else None


def surely_has(plan: Plan) -> frozenset[str]:
    """Names of columns of ``plan``, perhaps not of all."""
    found: set[str] = set()
    # With each plan: the names that are dropped further up, lower case, and what filters further up read.
    todo: list[tuple[Plan, frozenset[str], frozenset[str]]] = [(plan, frozenset(), frozenset())]
    for _ in range(_MOST_NODES):
        if not todo:
            break
        at, gone, read = todo.pop()
        columns = operator_of(at).columns(at)
        if columns is None:
            continue
        read |= _kept(columns.read, gone)
        own = frozenset(name for name, value in columns.made.items() if _exists(value))
        found |= _kept(own | read if columns.ends else own, gone)
        todo += [(side, gone, frozenset()) for side in columns.sides]
        if columns.child is not None and columns.keeps:
            dropped = frozenset(n.lower() for n in columns.dropped)
            todo.append((columns.child, gone | dropped, _kept(read, dropped)))
    return frozenset(found)


def _exists(value: Expr | Type) -> bool:
    return isinstance(value, Type) or why_unread(value) is None


def _kept(names: frozenset[str], gone: frozenset[str]) -> frozenset[str]:
    return frozenset(n for n in names if n.lower() not in gone)
