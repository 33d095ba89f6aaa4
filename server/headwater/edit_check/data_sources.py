"""Whether an edited text hands filters back to Spark, and does nothing else to a data source.

Law: in front of a statement of ``pushFilters`` stands ``yield f`` or ``rest.append(f)``, ``f`` being the variable of a
loop around it and ``rest`` what the method returns; or the method returns its parameter. What more is handed back,
Spark applies again: no row too many comes of it. Whether that is enough is judged anew on the edited text.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from headwater.syntax.names.module_scope import Context
from headwater_ir.change import HandedBack
from headwater_ir.span import Span

from .equality import Different
from .syntax import Found


def check(asked: Sequence[HandedBack], found: Found, old: Context) -> None:
    """``Different`` unless what stands in the places of ``asked`` hands filters back; they are settled then."""
    for change in asked:
        method = _method(change, old)
        for span in change.statements:
            _hands_back(found.added.pop(span, None), span, method, old)
        parameter = method.args.args[1].arg if len(method.args.args) == 2 else None
        mine = [(a, b) for a, b in found.replaced if old.span(a) in change.replaced]
        if len(mine) != len(change.replaced) or not all(isinstance(b, ast.Name) and b.id == parameter for _, b in mine):
            raise Different("something else than all filters is returned")
        if not all(any(r.value is a for r in _returns(method)) for a, _ in mine):
            raise Different("what is replaced is not what the method returns")
        found.replaced = [pair for pair in found.replaced if pair not in mine]


def _method(change: HandedBack, old: Context) -> ast.FunctionDef:
    for node in ast.walk(old.tree):
        if isinstance(node, ast.FunctionDef) and node.name == change.operator == "pushFilters":
            span = old.span(node)
            if span.start <= change.call.start and change.call.end <= span.end:
                return node
    raise Different("there is no such method")


def _returns(method: ast.FunctionDef) -> list[ast.Return]:
    return [n for n in ast.walk(method) if isinstance(n, ast.Return)]


def _hands_back(statement: ast.stmt | None, at: Span, method: ast.FunctionDef, old: Context) -> None:
    """``Different`` unless ``statement``, in front of what stands ``at``, hands back the filter of a loop."""
    loops = [n for n in ast.walk(method) if isinstance(n, ast.For) and _is_in(at, old.span(n))]
    variables = {n.target.id for n in loops if isinstance(n.target, ast.Name)}
    generator = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(method))
    match statement:
        case ast.Expr(value=ast.Yield(value=ast.Name(id=name))) if generator and name in variables:
            return
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=rest), attr="append"), args=[ast.Name(id=name)], keywords=[]
            )
        ) if name in variables and all(isinstance(r.value, ast.Name) and r.value.id == rest for r in _returns(method)):
            return
    raise Different("the statement that is added hands no filter back")


def _is_in(at: Span, loop: Span) -> bool:
    return loop.start < at.start and at.end <= loop.end
