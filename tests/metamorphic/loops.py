"""Loops, comprehensions and reductions for each other."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .registry import rewrite
from .scopes import (
    Function,
    assign,
    blocks,
    each_expression,
    fresh,
    functions,
    is_pure,
    name,
    parsed,
    reads,
    stored,
    writes,
)

Block = list[ast.stmt]


def _pairs(tree: ast.Module, change: Callable[[Function, ast.stmt, ast.stmt], Block | None]) -> ast.Module:
    """Replace each two neighbouring statements of a function by what ``change`` makes of them."""
    for function in functions(tree):
        for block in blocks(function):
            i = 0
            while i + 1 < len(block):
                made = change(function, block[i], block[i + 1])
                if made is not None:
                    block[i : i + 2] = made
                i += 1
    return tree


def _single(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """Name and value of an assignment to one name."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, node.value
    return None


def _filtered(loop: ast.stmt) -> tuple[ast.For, list[ast.expr], ast.stmt] | None:
    """A loop whose body is one statement under conditions without ``else``: the conditions and the statement."""
    if not isinstance(loop, ast.For) or loop.orelse or len(loop.body) != 1:
        return None
    tests, inner = [], loop.body[0]
    while isinstance(inner, ast.If) and not inner.orelse and len(inner.body) == 1:
        tests.append(inner.test)
        inner = inner.body[0]
    return loop, tests, inner


def _comprehension(loop: ast.For, tests: list[ast.expr]) -> list[ast.comprehension]:
    return [ast.comprehension(loop.target, loop.iter, tests, 0)]


def _alone(function: Function, loop: ast.For) -> bool:
    """Whether nothing outside the loop uses the names of its target."""
    inside = {id(n) for n in ast.walk(loop)}
    own = writes(loop.target)
    return not any(isinstance(n, ast.Name) and n.id in own and id(n) not in inside for n in ast.walk(function))


@rewrite
def comprehensions_for_appending(tree: ast.Module) -> ast.Module:
    """``xs = []`` and a loop that appends is a comprehension, where the values do not read ``xs``."""

    def change(function: Function, first: ast.stmt, loop: ast.stmt) -> Block | None:
        start, found = _single(first), _filtered(loop)
        if start is None or found is None or not isinstance(start[1], ast.List) or start[1].elts:
            return None
        node, tests, inner = found
        if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call) and _alone(function, node):
            call = inner.value
            if ast.unparse(call.func) == f"{start[0]}.append" and start[0] not in reads(*call.args, *tests, node.iter):
                return [assign(start[0], ast.ListComp(call.args[0], _comprehension(node, tests)))]
        return None

    return _pairs(tree, change)


@rewrite
def appending_for_comprehensions(tree: ast.Module) -> ast.Module:
    """``xs = [e for x in rows if c]`` is ``xs = []`` and a loop that appends."""
    for function in functions(tree):
        for block in blocks(function):
            for i, node in reversed(list(enumerate(block))):
                found = _single(node)
                if found is None or not isinstance(found[1], ast.ListComp) or len(found[1].generators) != 1:
                    continue
                target, made = found
                (clause,) = made.generators
                others = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)} - reads(made) - writes(made)
                bound = writes(clause.target)
                inside = {id(n) for n in ast.walk(made)}
                used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and id(n) not in inside}
                if bound & (used | {a.arg for a in function.args.args}) or target in reads(made) or bound & others:
                    continue
                append = ast.Expr(ast.Call(ast.Attribute(name(target), "append", ast.Load()), [made.elt], []))
                block[i : i + 1] = [assign(target, ast.List([], ast.Load())), _loop(clause, [append])]
    return tree


def _loop(clause: ast.comprehension, body: Block) -> ast.For:
    for test in reversed(clause.ifs):
        body = [ast.If(test, body, [])]
    return ast.For(clause.target, clause.iter, body, [])


@rewrite
def sums_for_counting(tree: ast.Module) -> ast.Module:
    """``n = 0`` and a loop that adds is ``n = sum(e for x in rows if c)`` where ``e`` does not read ``n``."""

    def change(function: Function, first: ast.stmt, loop: ast.stmt) -> Block | None:
        start, found = _single(first), _filtered(loop)
        if start is None or found is None or not isinstance(start[1], ast.Constant):
            return None
        node, tests, inner = found
        if type(start[1].value) is not int or not isinstance(inner, ast.AugAssign) or not isinstance(inner.op, ast.Add):
            return None
        if ast.unparse(inner.target) != start[0] or start[0] in reads(inner.value, node.iter, *tests):
            return None
        if not _alone(function, node) or not isinstance(inner.value, ast.Constant):
            return None  # the sum of floats of `sum` is another one since Python 3.12
        made = ast.GeneratorExp(inner.value, _comprehension(node, tests))
        return [assign(start[0], ast.Call(name("sum"), [made], []))]

    return _pairs(tree, change)


@rewrite
def lengths_for_counting(tree: ast.Module) -> ast.Module:
    """``n = 0`` and a loop that adds 1 is ``n = len([1 for x in rows if c])``."""

    def change(function: Function, first: ast.stmt, loop: ast.stmt) -> Block | None:
        start, found = _single(first), _filtered(loop)
        if start is None or found is None or ast.unparse(start[1]) != "0":
            return None
        node, tests, inner = found
        one = isinstance(inner, ast.AugAssign) and ast.unparse(inner) == f"{start[0]} += 1"
        if not one or start[0] in reads(node.iter, *tests) or not _alone(function, node):
            return None
        made = ast.ListComp(ast.Constant(1), _comprehension(node, tests))
        return [assign(start[0], ast.Call(name("len"), [made], []))]

    return _pairs(tree, change)


@rewrite
def counting_by_truth(tree: ast.Module) -> ast.Module:
    """``if a == b: n += 1`` is ``n += a == b`` for one comparison of values with a constant or ``is``."""
    from .scopes import each_statement

    def change(node: ast.stmt) -> Block | None:
        if isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and isinstance(node.test, ast.Compare):
            (inner,) = node.body
            if isinstance(inner, ast.AugAssign) and isinstance(inner.op, ast.Add) and ast.unparse(inner.value) == "1":
                return [ast.AugAssign(inner.target, ast.Add(), node.test)]
        return None

    for function in functions(tree):
        each_statement(function, change)
    return tree


@rewrite
def any_for_searching(tree: ast.Module) -> ast.Module:
    """``seen = False`` and a loop that sets it is ``seen = any(c for x in rows)``."""
    return _pairs(tree, _searched)


def _searched(function: Function, first: ast.stmt, loop: ast.stmt) -> Block | None:
    start, found = _single(first), _filtered(loop)
    if start is None or found is None or ast.unparse(start[1]) != "False":
        return None
    node, tests, inner = found
    if ast.unparse(inner) != f"{start[0]} = True" or not tests or start[0] in reads(node.iter, *tests):
        return None
    if not _alone(function, node):
        return None
    test = tests[-1] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
    made = ast.GeneratorExp(test, _comprehension(node, []))
    return [assign(start[0], ast.Call(name("any"), [made], []))]


@rewrite
def break_when_found(tree: ast.Module) -> ast.Module:
    """A loop that does nothing but set ``seen = True`` under a condition may stop there."""
    for function in functions(tree):
        for node in ast.walk(function):
            found = _filtered(node) if isinstance(node, ast.For) else None
            if found and found[1] and isinstance(found[2], ast.Assign) and _alone(function, found[0]):
                if isinstance(found[2].value, ast.Constant) and isinstance(found[2].targets[0], ast.Name):
                    if found[2].targets[0].id not in reads(*found[1]) and all(map(is_pure, found[1])):
                        inner = found[0].body[0]
                        while isinstance(inner, ast.If) and isinstance(inner.body[0], ast.If):
                            inner = inner.body[0]
                        assert isinstance(inner, ast.If)
                        inner.body.append(ast.Break())
    return tree


@rewrite
def truth_for_searching(tree: ast.Module) -> ast.Module:
    """``if c: seen = True`` is ``seen = seen or c`` where ``seen`` was bound to a truth value and ``c`` is one, and may
    be passed over."""

    def change(function: Function, first: ast.stmt, loop: ast.stmt) -> Block | None:
        start, found = _single(first), _filtered(loop)
        if start is None or found is None or ast.unparse(start[1]) != "False" or len(found[1]) != 1:
            return None
        node, (test,), inner = found
        if ast.unparse(inner) != f"{start[0]} = True" or not isinstance(test, ast.Compare) or not is_pure(test):
            return None
        made = assign(start[0], ast.BoolOp(ast.Or(), [name(start[0]), test]))
        return [first, ast.For(node.target, node.iter, [made], [])]

    return _pairs(tree, change)


@rewrite
def lists_for_generators(tree: ast.Module) -> ast.Module:
    """``f(e for x in rows)`` is ``f([e for x in rows])`` for ``sum``, ``max``, ``min``, ``sorted`` and ``list``."""
    return _arguments(tree, ast.GeneratorExp, ast.ListComp, {"sum", "max", "min", "sorted", "list", "tuple", "set"})


@rewrite
def generators_for_lists(tree: ast.Module) -> ast.Module:
    """``f([e for x in rows])`` is ``f(e for x in rows)`` for ``sum``, ``max``, ``min`` and ``sorted``."""
    return _arguments(tree, ast.ListComp, ast.GeneratorExp, {"sum", "max", "min", "sorted", "list", "tuple", "set"})


def _arguments(tree: ast.Module, old: type[ast.expr], new: type[ast.expr], among: set[str]) -> ast.Module:
    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in among and node.args:
            made = node.args[0]
            if isinstance(made, old):
                node.args[0] = new(made.elt, made.generators)  # type: ignore[attr-defined]
        return None

    each_expression(tree, change)
    return tree


@rewrite
def loops_for_reductions(tree: ast.Module) -> ast.Module:
    """``n = sum(e for x in rows if c)`` with a constant ``e`` is a loop that adds; ``any`` and ``all`` of a generator
    are loops that search."""
    for function in functions(tree):
        for block in blocks(function):
            for i, node in reversed(list(enumerate(block))):
                found = _single(node)
                if found is not None:
                    made = _unrolled(function, *found)
                    if made:
                        block[i : i + 1] = made
    return tree


def _unrolled(function: Function, target: str, value: ast.expr) -> Block | None:
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or len(value.args) != 1:
        return None
    made = value.args[0]
    if not isinstance(made, (ast.GeneratorExp, ast.ListComp)) or len(made.generators) != 1 or value.keywords:
        return None
    clause = made.generators[0]
    inside = {id(n) for n in ast.walk(made)}
    used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and id(n) not in inside}
    if writes(clause.target) & (used | {a.arg for a in function.args.args}) or target in reads(made):
        return None
    match value.func.id:
        case "sum" if isinstance(made.elt, ast.Constant):
            return [
                assign(target, ast.Constant(0)),
                _loop(clause, [ast.AugAssign(stored(target), ast.Add(), made.elt)]),
            ]
        case "any" | "all" as builtin:
            ending: Block = [assign(target, ast.Constant(builtin == "any")), ast.Break()]
            test = made.elt if builtin == "any" else ast.UnaryOp(ast.Not(), made.elt)
            return [assign(target, ast.Constant(builtin == "all")), _loop(clause, [ast.If(test, ending, [])])]
    return None


@rewrite
def enumerated_loops(tree: ast.Module) -> ast.Module:
    """``for x in rows`` is ``for _, x in enumerate(rows)``."""
    for function in functions(tree):
        position = fresh(function, "_position")
        for node in ast.walk(function):
            if isinstance(node, ast.For):
                node.target = ast.Tuple([stored(position), node.target], ast.Store())
                node.iter = ast.Call(name("enumerate"), [node.iter], [])
    return tree


@rewrite
def loops_over_lists(tree: ast.Module) -> ast.Module:
    """``for x in rows`` is ``for x in list(rows)``."""
    for function in functions(tree):
        for node in ast.walk(function):
            if isinstance(node, ast.For):
                node.iter = ast.Call(name("list"), [node.iter], [])
    return tree


@rewrite
def loops_over_filtered_rows(tree: ast.Module) -> ast.Module:
    """A loop whose body is ``if c: A`` without ``else`` is a loop over ``[x for x in rows if c]`` where ``A`` binds
    nothing that ``c`` reads and ``c`` only reads."""
    for function in functions(tree):
        for node in ast.walk(function):
            if (
                isinstance(node, ast.For)
                and not node.orelse
                and len(node.body) == 1
                and isinstance(node.body[0], ast.If)
            ):
                inner = node.body[0]
                changed = writes(*inner.body) | {
                    n.value.id
                    for b in inner.body
                    for n in ast.walk(b)
                    if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)
                }
                if inner.orelse or not is_pure(inner.test) or (changed - writes(node.target)) & reads(inner.test):
                    continue
                element = parsed(ast.unparse(node.target))
                node.iter = ast.ListComp(element, [ast.comprehension(node.target, node.iter, [inner.test], 0)])
                node.body = inner.body
    return tree
