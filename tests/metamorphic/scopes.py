"""What the rewrites ask of a tree: names that are read and written, what has no effect, what code of workers is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

Function = ast.FunctionDef
PURE = {
    "abs", "all", "any", "bool", "float", "int", "isinstance", "len", "max", "min", "round", "sorted", "str", "sum",
    "tuple",
}  # fmt: skip
"""Builtins that change nothing."""
_DRIVER = {
    "agg",
    "applyInPandas",
    "applyInArrow",
    "mapInPandas",
    "mapInArrow",
    "asTable",
    "withColumn",
    "select",
    "rdd",
}
_SIMPLE = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare)
_PARTS = (ast.IfExp, ast.Tuple, ast.operator, ast.boolop, ast.unaryop, ast.cmpop, ast.expr_context, ast.Call)


def reads(*nodes: ast.AST) -> set[str]:
    """Names that occur in the nodes as values."""
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def writes(*nodes: ast.AST) -> set[str]:
    """Names that the nodes bind, those of comprehensions and of inner functions included."""
    found: set[str] = set()
    for node in nodes:
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
                found.add(n.id)
            elif isinstance(n, (ast.FunctionDef, ast.ClassDef)) or (isinstance(n, ast.ExceptHandler) and n.name):
                found.add(n.name)
    return found


def names(tree: ast.AST) -> set[str]:
    """Every identifier of the tree."""
    found = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    found |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    found |= {n.asname or n.name for n in ast.walk(tree) if isinstance(n, ast.alias)}
    return found | {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}


def fresh(tree: ast.AST, wanted: str) -> str:
    """A name like ``wanted`` that the tree does not have."""
    taken = names(tree)
    return next(n for n in (wanted, *(f"{wanted}_{i}" for i in range(2, 1000))) if n not in taken)


def is_pure(node: ast.AST) -> bool:
    """Whether the expression only reads: it may raise, and changes nothing."""
    return all(
        isinstance(n, (*_SIMPLE, *_PARTS))
        and (not isinstance(n, ast.Call) or (isinstance(n.func, ast.Name) and n.func.id in PURE and not n.keywords))
        for n in ast.walk(node)
    )


def stable(node: ast.AST) -> bool:
    """Whether the expression is a path of names, attributes and constant subscripts, which may be read twice."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, (ast.Constant, ast.Name)) and stable(node.value)
    if isinstance(node, ast.Attribute):
        return stable(node.value)
    return isinstance(node, (ast.Name, ast.Constant))


def binds_in_place(node: ast.AST) -> bool:
    """Whether the expression binds a name or suspends the function."""
    return any(isinstance(n, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for n in ast.walk(node))


def jumps(nodes: Iterable[ast.stmt]) -> bool:
    """Whether the statements may leave their block."""
    kinds = (ast.Return, ast.Break, ast.Continue, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)
    return any(isinstance(n, kinds) for s in nodes for n in ast.walk(s))


def ends_in_jump(block: list[ast.stmt]) -> bool:
    """Whether nothing after the block is reached through it."""
    last = block[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and ends_in_jump(last.body) and ends_in_jump(last.orelse)
    return isinstance(last, (ast.Return, ast.Break, ast.Continue, ast.Raise))


def functions(tree: ast.AST) -> Iterator[Function]:
    """Functions and methods, inner ones included, that Spark's workers run: not those that build frames."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not builds_frames(node):
            yield node


def builds_frames(node: ast.AST) -> bool:
    """Whether the code calls what only a frame of the driver has."""
    if isinstance(node, ast.ClassDef):
        return False
    calls = {n.func.attr for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)}
    return bool(calls & _DRIVER) or "spark" in reads(node)


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements in the node, from the inside out."""
    for child in ast.iter_child_nodes(node):
        yield from blocks(child)
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block


def each_statement(tree: ast.AST, change: Callable[[ast.stmt], list[ast.stmt] | None]) -> None:
    """Replace each statement by what ``change`` makes of it, from the inside out; None keeps it."""
    for block in blocks(tree):
        block[:] = [new for old in block for new in (change(old) or [old])]


def each_with_variable(
    tree: ast.Module, word: str, change: Callable[[ast.stmt, str], list[ast.stmt] | None]
) -> ast.Module:
    """``tree`` with each statement of its functions replaced as by ``each_statement``; ``change`` is given the name of
    a variable too, made of ``word``, that is free in the function."""
    for function in functions(tree):
        variable = fresh(function, word)
        for block in blocks(function):
            block[:] = [new for old in block for new in (change(old, variable) or [old])]
    return tree


class _Expressions(ast.NodeTransformer):
    def __init__(self, change: Callable[[ast.expr], ast.expr | None]) -> None:
        self.change = change

    def visit(self, node: ast.AST) -> ast.AST:
        node = super().generic_visit(node)
        return (self.change(node) or node) if isinstance(node, ast.expr) else node


def each_expression(tree: ast.AST, change: Callable[[ast.expr], ast.expr | None]) -> None:
    """Replace each expression by what ``change`` makes of it, from the inside out; None keeps it."""
    _Expressions(change).visit(tree)


class _Renaming(ast.NodeTransformer):
    def __init__(self, to: dict[str, str]) -> None:
        self.to = to

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.to.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.to.get(node.arg, node.arg)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.Nonlocal:
        node.names = [self.to.get(n, n) for n in node.names]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self.to.get(node.name, node.name) if node.name else None
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self.to.get(node.name, node.name)
        return self.generic_visit(node)


def renamed(node: ast.AST, to: dict[str, str]) -> None:
    """Rename in place."""
    _Renaming(to).visit(node)


def name(text: str) -> ast.Name:
    """The value of a name."""
    return ast.Name(text, ast.Load())


def stored(text: str) -> ast.Name:
    """A name as the target of an assignment."""
    return ast.Name(text, ast.Store())


def assign(target: str, value: ast.expr) -> ast.Assign:
    """``target = value``."""
    return ast.Assign([stored(target)], value)


def negated(test: ast.expr) -> ast.expr:
    """``not test``, without a double negation."""
    return (
        test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else ast.UnaryOp(ast.Not(), test)
    )


def same(a: ast.AST, b: ast.AST) -> bool:
    """Whether both are the same text."""
    return ast.unparse(a) == ast.unparse(b)


def parsed(text: str) -> ast.expr:
    """The expression that ``text`` spells."""
    return ast.parse(text, mode="eval").body
