"""Rows that are looked up by a value in a frame of which the file says nothing.

Who takes the row for which a column has some value expects one, and a frame that is handed in may be small: nothing
shows that its first row comes sooner than all of them. Where the file reads the source itself, Spark may stop at it.
"""

from __future__ import annotations

import ast

from headwater.syntax.names.module_scope import Context
from headwater_ir.demand import Wall
from headwater_ir.expr import Compare, Expr, columns_of
from headwater_ir.plan import Filter, Opaque, Plan, Project, Scan, Shared, View

from .needs import most_rows
from .nodes_around import nodes_around
from .scope_nodes import FUNCTIONS, Scopes
from .worth import is_row_by_row


def is_looked_up(wall: Wall, context: Context) -> bool:
    """Whether the one row that is looked at is one of those for which a column of an unknown frame has some value."""
    at: Plan = wall.plan
    asked = False
    while isinstance(at, (Filter, Project, Shared, View)) or (isinstance(at, Opaque) and at.child is not None):
        if isinstance(at, Opaque) and not is_row_by_row(at):
            return False
        if isinstance(at, Filter):
            asked = asked or any(_is_of_value(c.condition) for c in at.conjuncts) or _compares(at, context)
        assert at.child is not None
        at = at.child
    return asked and most_rows(wall.readers) == 1 and isinstance(at, Scan) and _is_handed_in(at, context)


def _is_of_value(condition: Expr) -> bool:
    """Whether ``condition`` gives a column one value."""
    if not isinstance(condition, Compare) or condition.op != "==":
        return False
    return bool(columns_of(condition.left)) != bool(columns_of(condition.right))


def _compares(at: Filter, context: Context) -> bool:
    """The same of a condition of which some part has no model."""
    condition: ast.AST | None = next(iter(nodes_around(context, at.condition)), None)
    return (
        at.unread is not None
        and isinstance(condition, ast.Compare)
        and [*map(type, condition.ops)] == [ast.Eq]
        and isinstance(condition.left, (ast.Call, ast.Attribute, ast.Subscript))
    )


def _is_handed_in(source: Scan, context: Context) -> bool:
    """Whether ``source`` is an attribute or the like, or a parameter of a function that the file does not call."""
    if source.format != "unknown" or source.origin.startswith("the expression "):
        return source.format == "unknown"
    if not source.origin.startswith("parameter "):
        return False
    owner = next((n for n in nodes_around(context, source.span) if isinstance(n, FUNCTIONS)), None)
    return owner is not None and not any(owner.name in scope.calls for scope in Scopes.of_file(context).every)
