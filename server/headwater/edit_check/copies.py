"""Whether a text in which a filter has a branch of its own is the text before, with one expression written once more.

Law: where a variable is read stands the expression that the file assigns to it, perhaps with such expressions for the
variables in it in turn; and a column of that variable in the filter's condition is one by name. All else is the same
tree. Every filter has the plan that it had: what is shared in the first text may be computed twice in the second.

Whether the expression may be evaluated once more, by what it does and who could tell, is not seen here: that is the
matter of ``rewrite.branch``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from headwater.syntax.names.module_scope import Context
from headwater_ir.module import Module
from headwater_ir.span import Span

from .confirm import Confirmer, WrongEdit, in_order, parsed
from .equality import Different, Equality
from .syntax import Changed, Comparison, Places


@dataclass(frozen=True)
class Copy:
    """``text``: with the expression at ``copied``; ``read``: where the first text reads the variable instead;
    ``respelled``: the columns in the filter's condition that have other words."""

    text: str
    copied: Span
    read: Span
    respelled: frozenset[Span]


def check_copy(by: Confirmer, copy: Copy, module: Module) -> None:
    """``WrongEdit`` unless ``copy``, of which the front end made ``module``, is the text of ``by`` in this sense."""
    try:
        old, new = by.context, parsed(copy.text)
        comparison = Comparison(old, new, Places(replaced=copy.respelled | {copy.read}))
        comparison.check()
        for a, b in comparison.found.replaced:
            if old.span(a) == copy.read and not _is_assigned(old, a, b):
                raise Changed("the copy is not what the variable holds")
        equality = Equality(old.source, new.source, apart=True)
        inside = copy.copied
        mine = [g for g in module.filters if not inside.start <= g.call.start < g.call.end <= inside.end]
        if len(mine) != len(by.module.filters):
            raise Different(f"{len(by.module.filters)} filters are {len(mine)}")
        for f, g in zip(in_order(by.module.filters), in_order(mine), strict=True):
            equality.check(f, g)
    except (Changed, Different, SyntaxError, ValueError, RecursionError) as error:
        raise WrongEdit(f"a branch of its own: {type(error).__name__}: {error}") from None


def _is_assigned(old: Context, name: ast.expr, copy: ast.expr, deep: int = 6) -> bool:
    """Whether ``copy`` is an expression that the file assigns to the variable ``name``, or one with such expressions
    for variables in it."""
    return isinstance(name, ast.Name) and any(
        _same(value, copy, lambda a, b: deep > 0 and _is_assigned(old, a, b, deep - 1))
        for value in _values(old, name.id)
    )


def _values(old: Context, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(old.tree):
        match node:
            case ast.Assign(targets=targets, value=value) if any(_is(t, name) for t in targets):
                yield value
            case ast.AnnAssign(target=target, value=ast.expr() as value) if _is(target, name):
                yield value


def _is(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name


def _same(a: object, b: object, instead: Callable[[ast.expr, ast.expr], bool]) -> bool:
    if isinstance(a, ast.Name) and isinstance(b, ast.expr) and not isinstance(b, ast.Name):
        return instead(a, b)
    if type(a) is not type(b):
        return False
    if isinstance(a, ast.AST):
        return all(_same(getattr(a, f, None), getattr(b, f, None), instead) for f in a._fields if f != "ctx")
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_same(x, y, instead) for x, y in zip(a, b, strict=True))
    return a == b and repr(a) == repr(b)
