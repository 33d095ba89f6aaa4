"""Whether columns may be named by the frames that a join is made of: what stands in its place has none of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from headwater.syntax.names.module_scope import Context
from headwater.syntax.source.ast_walk import walk
from headwater_ir.demand import PlainJoin
from headwater_ir.plan import Aggregate, Join, Plan, Project
from headwater_ir.span import Span

from .nodes_around import nodes_around

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_named_elsewhere(join: PlainJoin, sides: Sequence[Sequence[Plan]], context: Context) -> bool:
    """Whether a variable that holds one of ``sides``, or an inner join of some of them, may be read for anything but
    the join, while it holds that."""
    around = nodes_around(context, join.call)
    statement = next((n for n in around if isinstance(n, ast.stmt)), None)
    places = (span for span in _places(join, sides) if not _is_in(span, join.call))
    made = [a for span in places if (a := _assignment(span, context))[0] is not statement]
    assigned = [(s, name) for s, name in made if s is not None and name is not None]
    if statement is None or len(assigned) < len(made):
        return True
    scope = _scope(around)
    rebinds = isinstance(statement, ast.Assign) and not any(isinstance(n, _LOOPS) for n in around)
    targets = (
        {t.id for t in statement.targets if isinstance(t, ast.Name)} if isinstance(statement, ast.Assign) else set()
    )
    inside = [join.call, *(context.span(s) for s, _ in assigned)]
    for name in {name for _, name in assigned}:
        first = min(context.span(s).start for s, n in assigned if n == name)
        for node in _reads(name, context):
            at = context.span(node)
            if any(_is_in(at, span) for span in inside) or _is_local(name, at, scope, context):
                continue
            straight = rebinds and _scope(nodes_around(context, at)) is scope
            if not straight or not (at.end <= first or (name in targets and at.start >= context.span(statement).end)):
                return True
    return False


def inner_joins(join: PlainJoin, context: Context) -> list[ast.stmt]:
    """The statements that join some of the sides beforehand, which nobody else reads."""
    found, at = list[ast.stmt](), join.join.left
    while isinstance(at, Join):
        made = _assignment(at.span, context)[0]
        if made is not None and not _is_in(at.span, join.call):
            found.append(made)
        at = at.left
    return found


def _places(join: PlainJoin, sides: Sequence[Sequence[Plan]]) -> Iterator[Span]:
    """Where the frames are made that ``join`` is made of."""
    for plan in (p for side in sides for p in side):
        if isinstance(plan, Aggregate):
            yield plan.boundary.span
        elif isinstance(plan, Project):
            yield plan.span
    at = join.join.left
    while isinstance(at, Join):
        yield at.span
        at = at.left


def _assignment(span: Span, context: Context) -> tuple[ast.stmt | None, str | None]:
    """The statement that makes a frame at ``span``, and the one variable that holds it."""
    statement = next((n for n in nodes_around(context, span) if isinstance(n, ast.stmt)), None)
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return statement, name
    return statement, None


def _reads(name: str, context: Context) -> Iterator[ast.Name]:
    for statement in context.naming(name):
        for node in walk(statement):
            if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Store):
                yield node


def _scope(around: Sequence[ast.AST]) -> ast.AST | None:
    """The function that is around something, None at the top level."""
    return next((n for n in around if isinstance(n, _FUNCTIONS)), None)


def _is_local(name: str, at: Span, scope: ast.AST | None, context: Context) -> bool:
    """Whether ``name`` at ``at`` is a variable of another function than ``scope``."""
    for node in nodes_around(context, at):
        if node is scope:
            return False
        if isinstance(node, _FUNCTIONS) and _binds(node, name):
            return True
    return scope is not None  # the scope's own variable is not read outside of it


def _binds(function: ast.AST, name: str) -> bool:
    nodes = [*walk(function)]
    if any(isinstance(n, (ast.Global, ast.Nonlocal)) and name in n.names for n in nodes):
        return False
    stored = (n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return any(n.id == name for n in stored) or any(isinstance(n, ast.arg) and n.arg == name for n in nodes)


def _is_in(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end
