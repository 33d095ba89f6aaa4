"""Assignments in another form, temporary variables in and out, independent statements in another order."""

from __future__ import annotations

import ast

from .registry import rewrite
from .scopes import (
    Function,
    assign,
    binds_in_place,
    blocks,
    each_statement,
    each_with_variable,
    fresh,
    functions,
    is_pure,
    jumps,
    name,
    reads,
    stable,
    stored,
    writes,
)

_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


@rewrite
def plain_for_augmented(tree: ast.Module) -> ast.Module:
    """``x += a`` is ``x = x + a`` where ``x`` holds no container that changes in place."""
    kept = _containers(tree)

    def change(node: ast.stmt) -> list[ast.stmt] | None:
        if isinstance(node, ast.AugAssign) and stable(node.target) and ast.unparse(node.target) not in kept:
            value = ast.parse(ast.unparse(node.target), mode="eval").body
            return [ast.Assign([node.target], ast.BinOp(value, node.op, node.value))]
        return None

    for function in functions(tree):
        each_statement(function, change)
    return tree


@rewrite
def augmented_for_plain(tree: ast.Module) -> ast.Module:
    """``x = x + a`` is ``x += a`` where ``x`` holds no container that changes in place."""
    kept = _containers(tree)

    def change(node: ast.stmt) -> list[ast.stmt] | None:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.BinOp):
            target = node.targets[0]
            if isinstance(target, (ast.Name, ast.Attribute)) and ast.unparse(target) not in kept:
                if ast.unparse(node.value.left) == ast.unparse(target):
                    return [ast.AugAssign(target, node.value.op, node.value.right)]
        return None

    for function in functions(tree):
        each_statement(function, change)
    return tree


def _containers(tree: ast.Module) -> set[str]:
    """Places that are assigned anything but constants and arithmetic, parameters included."""
    found = {a.arg for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) for a in n.args.args}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple):
                    values = node.value.elts if isinstance(node.value, ast.Tuple) else [None] * len(target.elts)
                    pairs = list(zip(target.elts, values, strict=False))  # type: ignore[arg-type]
                found |= {ast.unparse(t) for t, v in pairs if not isinstance(v, (ast.Constant, ast.BinOp, ast.IfExp))}
                found |= {ast.unparse(t) for t, v in pairs if v and any(isinstance(n, _MUTABLE) for n in ast.walk(v))}
        elif isinstance(node, (ast.For, ast.comprehension)):
            found |= {ast.unparse(n) for n in ast.walk(node.target) if isinstance(n, ast.Name)}
    return found


@rewrite
def conditions_in_variables(tree: ast.Module) -> ast.Module:
    """``if c:`` is ``holds = c`` and ``if holds:``."""

    def change(node: ast.stmt, holds: str) -> list[ast.stmt] | None:
        if isinstance(node, ast.If) and not isinstance(node.test, ast.Name) and not binds_in_place(node.test):
            return [assign(holds, node.test), ast.If(name(holds), node.body, node.orelse)]
        return None

    return each_with_variable(tree, "holds", change)


@rewrite
def returns_through_variables(tree: ast.Module) -> ast.Module:
    """``return e`` is ``made = e`` and ``return made``."""

    def change(node: ast.stmt, made: str) -> list[ast.stmt] | None:
        if isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Name):
            return [assign(made, node.value), ast.Return(name(made))]
        return None

    return each_with_variable(tree, "made", change)


@rewrite
def loops_over_variables(tree: ast.Module) -> ast.Module:
    """``for x in e:`` is ``items = e`` and ``for x in items:``."""

    def change(node: ast.stmt, items: str) -> list[ast.stmt] | None:
        if isinstance(node, ast.For) and not isinstance(node.iter, ast.Name):
            return [assign(items, node.iter), ast.For(node.target, name(items), node.body, node.orelse)]
        return None

    return each_with_variable(tree, "items", change)


@rewrite
def values_in_variables(tree: ast.Module) -> ast.Module:
    """``x = e`` is ``value = e`` and ``x = value``; ``x += e`` is ``value = e`` and ``x += value`` where ``e`` cannot
    change ``x``."""

    def change(node: ast.stmt, value: str) -> list[ast.stmt] | None:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and not isinstance(node.value, ast.Constant):
            if isinstance(node.targets[0], (ast.Name, ast.Attribute)):
                return [assign(value, node.value), ast.Assign(node.targets, name(value))]
        if isinstance(node, ast.AugAssign) and is_pure(node.value) and isinstance(node.target, ast.Name):
            return [assign(value, node.value), ast.AugAssign(node.target, node.op, name(value))]
        return None

    return each_with_variable(tree, "value", change)


@rewrite
def variables_inlined(tree: ast.Module) -> ast.Module:
    """A variable that is assigned once and read once, first of all in the next statement, is replaced by its value."""
    for function in functions(tree):
        for block in blocks(function):
            i = 0
            while i + 1 < len(block):
                if _inlined(function, block[i], block[i + 1]):
                    del block[i]
                else:
                    i += 1
    return tree


def _inlined(function: Function, node: ast.stmt, after: ast.stmt) -> bool:
    if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return False
    target = node.targets[0].id
    uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == target]
    declared = any(isinstance(n, (ast.Nonlocal, ast.Global)) for n in ast.walk(function))
    if len(uses) != 2 or declared or target in {a.arg for a in function.args.args}:
        return False
    first = _first_evaluated(after)
    if first is None or first[1] is None or not isinstance(first[1], ast.Name) or first[1].id != target:
        return False
    owner, _ = first
    for field, child in ast.iter_fields(owner):
        if child is first[1]:
            setattr(owner, field, node.value)
            return True
        if isinstance(child, list) and first[1] in child:
            child[child.index(first[1])] = node.value
            return True
    return False


def _first_evaluated(node: ast.stmt) -> tuple[ast.AST, ast.expr | None] | None:
    """The first operand that a statement evaluates, with the node that has it."""
    owner: ast.AST = node
    at: ast.expr | None = None
    if isinstance(node, (ast.Return, ast.Assign, ast.Expr)):
        at = node.value
    elif isinstance(node, ast.If):
        at = node.test
    elif isinstance(node, ast.For):
        at = node.iter
    while at is not None and not isinstance(at, ast.Name):
        owner = at
        if isinstance(at, (ast.Compare, ast.BinOp)):
            at = at.left
        elif isinstance(at, ast.BoolOp):
            at = at.values[0]
        elif isinstance(at, ast.UnaryOp):
            at = at.operand
        elif isinstance(at, (ast.Attribute, ast.Subscript)):
            at = at.value
        elif isinstance(at, (ast.Tuple, ast.List)) and at.elts:
            at = at.elts[0]
        elif isinstance(at, ast.Call):
            at = at.args[0] if isinstance(at.func, ast.Name) and at.args else at.func
        elif isinstance(at, ast.IfExp):
            at = at.test
        else:
            return None
    return owner, at


@rewrite
def other_order(tree: ast.Module) -> ast.Module:
    """Two neighbouring statements that only read and bind names, neither of which reads or binds what the other one
    binds, change places."""
    for function in functions(tree):
        for block in blocks(function):
            i = 0
            while i + 1 < len(block):
                if _independent(block[i], block[i + 1]):
                    block[i], block[i + 1] = block[i + 1], block[i]
                    i += 1
                i += 1
    return tree


def _independent(a: ast.stmt, b: ast.stmt) -> bool:
    if not all(map(_only_binds, (a, b))) or jumps([a, b]):
        return False
    places_a, places_b = _places(a), _places(b)
    return not (places_a & (_read(b) | places_b)) and not (places_b & _read(a))


def _only_binds(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return is_pure(node.test) and all(map(_only_binds, [*node.body, *node.orelse]))
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return is_pure(node.value) and all(isinstance(t, (ast.Name, ast.Attribute)) and stable(t) for t in targets)
    return isinstance(node, ast.Pass)


def _places(node: ast.stmt) -> set[str]:
    targets = [t for n in ast.walk(node) if isinstance(n, ast.Assign) for t in n.targets]
    targets += [n.target for n in ast.walk(node) if isinstance(n, ast.AugAssign)]
    return {ast.unparse(t) for t in targets}


def _read(node: ast.stmt) -> set[str]:
    loaded = [n for n in ast.walk(node) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)]
    return reads(node) | {ast.unparse(n) for n in loaded}


@rewrite
def tuple_assignments(tree: ast.Module) -> ast.Module:
    """``a = e`` and ``b = f`` is ``a, b = e, f`` where ``f`` does not read ``a``."""
    for function in functions(tree):
        for block in blocks(function):
            i = 0
            while i + 1 < len(block):
                joined = _joined(block[i], block[i + 1])
                if joined:
                    block[i : i + 2] = [joined]
                i += 1
    return tree


def _joined(a: ast.stmt, b: ast.stmt) -> ast.stmt | None:
    if not isinstance(a, ast.Assign) or not isinstance(b, ast.Assign) or len(a.targets) != 1 or len(b.targets) != 1:
        return None
    (x,), (y,) = a.targets, b.targets
    if not isinstance(x, ast.Name) or not isinstance(y, ast.Name) or x.id == y.id or x.id in reads(b.value):
        return None
    if any(isinstance(v, (ast.Lambda, ast.ListComp)) for v in (a.value, b.value)):
        return None
    return ast.Assign([ast.Tuple([stored(x.id), stored(y.id)], ast.Store())], ast.Tuple([a.value, b.value], ast.Load()))


@rewrite
def single_assignments(tree: ast.Module) -> ast.Module:
    """``a, b = e, f`` is ``a = e`` and ``b = f`` where no value reads a name that is bound before it."""

    def change(node: ast.stmt) -> list[ast.stmt] | None:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            return None
        targets, values = node.targets[0], node.value
        if (
            not isinstance(targets, ast.Tuple)
            or not isinstance(values, ast.Tuple)
            or len(values.elts) != len(targets.elts)
        ):
            return None
        if not all(isinstance(t, ast.Name) for t in targets.elts):
            return None
        bound = [ast.unparse(t) for t in targets.elts]
        if any(set(bound[:i]) & reads(v) for i, v in enumerate(values.elts)):
            return None
        return [ast.Assign([t], v) for t, v in zip(targets.elts, values.elts, strict=True)]

    for function in functions(tree):
        each_statement(function, change)
    return tree


@rewrite
def copies_of_state(tree: ast.Module) -> ast.Module:
    """A loop over rows may begin with ``before = state`` and read ``before`` in its first condition."""
    for function in functions(tree):
        bound = [writes(s) for s in function.body]
        for node in ast.walk(function):
            if isinstance(node, ast.For) and isinstance(node.body[0], ast.If):
                test = node.body[0].test
                state = sorted(reads(test) & writes(*node.body) & set().union(*bound) - writes(node.target))
                if not state or binds_in_place(test) or any(isinstance(n, ast.Call) for n in ast.walk(test)):
                    continue
                if not _bound_before(function, node, state[0]):
                    continue
                before = fresh(function, f"{state[0]}_before")
                for n in ast.walk(test):
                    if isinstance(n, ast.Name) and n.id == state[0]:
                        n.id = before
                node.body.insert(0, assign(before, name(state[0])))
    return tree


def _bound_before(function: Function, loop: ast.For, wanted: str) -> bool:
    if loop not in function.body:
        return False
    before = function.body[: function.body.index(loop)]
    return any(isinstance(s, ast.Assign) and wanted in writes(s) for s in before)


@rewrite
def annotated_assignments(tree: ast.Module) -> ast.Module:
    """``x = 0`` is ``x: int = 0``."""

    def change(node: ast.stmt) -> list[ast.stmt] | None:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, (int, float, str)):
                return [ast.AnnAssign(node.targets[0], name(type(node.value.value).__name__), node.value, 1)]
        return None

    for function in functions(tree):
        if not any(isinstance(n, (ast.Nonlocal, ast.Global)) for n in ast.walk(function)):
            each_statement(function, change)
    return tree
