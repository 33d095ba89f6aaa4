"""``if``, ``else``, ``elif``, ``continue`` and conditional expressions for each other."""

from __future__ import annotations

import ast

from .registry import rewrite
from .scopes import blocks, each_expression, each_statement, ends_in_jump, functions, negated, same, stable, writes


@rewrite
def swapped_branches(tree: ast.Module) -> ast.Module:
    """``if c: A else: B`` is ``if not c: B else: A``, and so are conditional expressions."""
    for node in ast.walk(tree):
        if (isinstance(node, ast.If) and node.orelse) or isinstance(node, ast.IfExp):
            node.test, node.body, node.orelse = negated(node.test), node.orelse, node.body
    return tree


@rewrite
def conditional_expressions(tree: ast.Module) -> ast.Module:
    """``if c: x = a else: x = b`` is ``x = a if c else b``; without ``else``, ``x = a if c else x`` where ``x`` is
    bound before."""
    for function in functions(tree):
        bound = _bound_first(function)
        attributes = _initial_attributes(tree)

        def change(node: ast.stmt, bound: set[str] = bound, attributes: set[str] = attributes) -> list[ast.stmt] | None:
            if not isinstance(node, ast.If) or len(node.body) != 1 or len(node.orelse) > 1:
                return None
            then, other = node.body[0], node.orelse[0] if node.orelse else None
            if isinstance(then, ast.Return) and isinstance(other, ast.Return) and then.value and other.value:
                return [ast.Return(ast.IfExp(node.test, then.value, other.value))]
            target, value = _assigned(then)
            if target is None or value is None:
                return None
            if other is None:
                kept = ast.unparse(target)
                known = kept in bound if isinstance(target, ast.Name) else kept in attributes
                return [ast.Assign([target], ast.IfExp(node.test, value, _loaded(target)))] if known else None
            at, second = _assigned(other)
            if at is None or second is None or not same(at, target):
                return None
            return [ast.Assign([target], ast.IfExp(node.test, value, second))]

        each_statement(function, change)
    return tree


def _assigned(node: ast.stmt) -> tuple[ast.expr | None, ast.expr | None]:
    """The one target of an assignment and its value; of ``x += a`` that is ``x + a``."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and _is_place(node.targets[0]):
        return node.targets[0], node.value
    if isinstance(node, ast.AugAssign) and _is_place(node.target) and isinstance(node.value, ast.Constant):
        return node.target, ast.BinOp(_loaded(node.target), node.op, node.value)
    return None, None


def _is_place(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))


def _loaded(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


def _bound_first(function: ast.FunctionDef) -> set[str]:
    """Names that are bound by the first statements, before any branch or loop, and parameters."""
    found = {a.arg for a in function.args.args}
    for statement in function.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            found |= writes(statement)
        elif not isinstance(statement, ast.Expr):
            break
    return found


def _initial_attributes(tree: ast.Module) -> set[str]:
    """Attributes that ``__init__`` sets by statements of its own."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            found |= {ast.unparse(t) for s in node.body if isinstance(s, ast.Assign) for t in s.targets}
    return found


@rewrite
def statements_for_conditional_expressions(tree: ast.Module) -> ast.Module:
    """``x = a if c else b`` is ``if c: x = a else: x = b``, and so is ``return``."""

    def change(node: ast.stmt) -> list[ast.stmt] | None:
        if isinstance(node, ast.Return) and isinstance(node.value, ast.IfExp):
            c = node.value
            return [ast.If(c.test, [ast.Return(c.body)], [ast.Return(c.orelse)])]
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.IfExp) and all(map(_is_place, node.targets)):
            c = node.value
            return [ast.If(c.test, [ast.Assign(node.targets, c.body)], [ast.Assign(node.targets, c.orelse)])]
        return None

    each_statement(tree, change)
    return tree


@rewrite
def nested_for_joint_conditions(tree: ast.Module) -> ast.Module:
    """``if a and b:`` without ``else`` is ``if a: if b:``."""

    def change(node: ast.stmt) -> list[ast.stmt] | None:
        if isinstance(node, ast.If) and not node.orelse and isinstance(node.test, ast.BoolOp):
            if isinstance(node.test.op, ast.And):
                inner = node.body
                for test in reversed(node.test.values):
                    inner = [ast.If(test, inner, [])]
                return inner
        return None

    each_statement(tree, change)
    return tree


@rewrite
def joint_for_nested_conditions(tree: ast.Module) -> ast.Module:
    """``if a: if b:`` without ``else`` is ``if a and b:``."""

    def change(node: ast.stmt) -> list[ast.stmt] | None:
        if isinstance(node, ast.If) and not node.orelse and len(node.body) == 1:
            (inner,) = node.body
            if isinstance(inner, ast.If) and not inner.orelse:
                return [ast.If(ast.BoolOp(ast.And(), [node.test, inner.test]), inner.body, [])]
        return None

    each_statement(tree, change)
    return tree


@rewrite
def branches_for_alternatives(tree: ast.Module) -> ast.Module:
    """``if a or b: X else: Y`` is ``if a: X elif b: X else: Y`` where ``X`` is short and binds no function."""

    def change(node: ast.stmt) -> list[ast.stmt] | None:
        if isinstance(node, ast.If) and isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
            if len(node.body) <= 2 and len(node.test.values) == 2:
                first, second = node.test.values
                copied = ast.parse("\n".join(map(ast.unparse, node.body))).body
                return [ast.If(first, node.body, [ast.If(second, copied, node.orelse)])]
        return None

    for function in functions(tree):
        each_statement(function, change)
    return tree


@rewrite
def early_continue(tree: ast.Module) -> ast.Module:
    """A loop whose last statement is ``if c: A`` may say ``if not c: continue`` and then ``A``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(node.body[-1], ast.If) and not node.body[-1].orelse:
            last = node.body[-1]
            node.body[-1:] = [ast.If(negated(last.test), [ast.Continue()], []), *last.body]
    return tree


@rewrite
def nested_for_continue(tree: ast.Module) -> ast.Module:
    """``if c: continue`` and what follows in the loop is ``if not c:`` around what follows."""
    for block in blocks(tree):
        for i, node in enumerate(block[:-1]):
            if isinstance(node, ast.If) and not node.orelse and len(node.body) == 1:
                if isinstance(node.body[0], ast.Continue):
                    block[i:] = [ast.If(negated(node.test), block[i + 1 :], [])]
                    break
    return tree


@rewrite
def no_else_after_jump(tree: ast.Module) -> ast.Module:
    """``if c: return x else: B`` is ``if c: return x`` and then ``B``."""

    def change(node: ast.stmt) -> list[ast.stmt] | None:
        if isinstance(node, ast.If) and node.orelse and ends_in_jump(node.body):
            return [ast.If(node.test, node.body, []), *node.orelse]
        return None

    each_statement(tree, change)
    return tree


@rewrite
def else_after_jump(tree: ast.Module) -> ast.Module:
    """``if c: return x`` and what follows is ``if c: return x else:`` what follows."""
    for block in blocks(tree):
        for i, node in reversed(list(enumerate(block[:-1]))):
            if isinstance(node, ast.If) and not node.orelse and ends_in_jump(node.body):
                block[i:] = [ast.If(node.test, node.body, block[i + 1 :])]
    return tree


@rewrite
def one_return(tree: ast.Module) -> ast.Module:
    """Returns at the ends of the branches of a last ``if`` are assignments and one return after it."""

    def ends(block: list[ast.stmt]) -> bool:
        last = block[-1]
        if isinstance(last, ast.If):
            return bool(last.orelse) and ends(last.body) and ends(last.orelse) and _no_return(block[:-1])
        return isinstance(last, ast.Return) and last.value is not None and _no_return(block[:-1])

    def assign(block: list[ast.stmt]) -> None:
        last = block[-1]
        if isinstance(last, ast.If):
            assign(last.body)
            assign(last.orelse)
        elif isinstance(last, ast.Return) and last.value is not None:
            block[-1] = ast.Assign([ast.Name("outcome", ast.Store())], last.value)

    for function in functions(tree):
        if isinstance(function.body[-1], ast.If) and ends(function.body) and "outcome" not in writes(function):
            assign(function.body)
            function.body.append(ast.Return(ast.Name("outcome", ast.Load())))
    return tree


def _no_return(block: list[ast.stmt]) -> bool:
    return not any(isinstance(n, ast.Return) for s in block for n in ast.walk(s))


@rewrite
def greater_by_max(tree: ast.Module) -> ast.Module:
    """``if x > m: m = x`` is ``m = max(m, x)``: ``max`` keeps the first unless the second is greater; and ``min``."""

    def change(node: ast.stmt) -> list[ast.stmt] | None:
        if not isinstance(node, ast.If) or node.orelse or len(node.body) != 1 or not isinstance(node.test, ast.Compare):
            return None
        target, value = _assigned(node.body[0])
        test = node.test
        if target is None or value is None or len(test.ops) != 1 or not stable(value):
            return None
        builtin = {ast.Gt: "max", ast.Lt: "min"}.get(type(test.ops[0]))
        if builtin and same(test.left, value) and same(test.comparators[0], target):
            return [ast.Assign([target], ast.Call(ast.Name(builtin, ast.Load()), [_loaded(target), value], []))]
        return None

    for function in functions(tree):
        each_statement(function, change)
    return tree


@rewrite
def comparison_for_max(tree: ast.Module) -> ast.Module:
    """``max(a, b)`` is ``b if b > a else a``, and ``min(a, b)`` is ``b if b < a else a``."""

    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("max", "min"):
            if len(node.args) == 2 and not node.keywords and all(map(stable, node.args)):
                a, b = node.args
                op = ast.Gt() if node.func.id == "max" else ast.Lt()
                return ast.IfExp(ast.Compare(b, [op], [a]), b, a)
        return None

    each_expression(tree, change)
    return tree
