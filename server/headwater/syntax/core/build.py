"""Nodes that a rule puts into a body. Each has the location of what it stands for, so that messages show that text."""

from __future__ import annotations

import ast


def read(name: str, at: ast.AST) -> ast.expr:
    """The variable ``name``."""
    return ast.copy_location(ast.Name(name, ast.Load()), at)


def constant(value: bool | None, at: ast.AST) -> ast.expr:
    """A constant."""
    return ast.copy_location(ast.Constant(value), at)


def assign(name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    """``name = value``."""
    target = ast.copy_location(ast.Name(name, ast.Store()), at)
    return ast.copy_location(ast.Assign([target], value), at)


def branch(test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt], at: ast.AST) -> ast.stmt:
    """``if test: body`` and, unless it is empty, ``else: orelse``."""
    return ast.copy_location(ast.If(test, body or [ast.copy_location(ast.Pass(), at)], orelse), at)


def none_of(names: list[str], at: ast.AST) -> ast.expr:
    """``not a and not b``: none of the variables is true."""
    tests: list[ast.expr] = [ast.copy_location(ast.UnaryOp(ast.Not(), read(n, at)), at) for n in names]
    return tests[0] if len(tests) == 1 else ast.copy_location(ast.BoolOp(ast.And(), tests), at)


def negated(test: ast.expr) -> ast.expr:
    """``not test``."""
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
