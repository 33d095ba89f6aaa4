"""Parts of a function in functions of their own."""

from __future__ import annotations

import ast

from .registry import rewrite
from .scopes import (
    Function,
    assign,
    binds_in_place,
    blocks,
    builds_frames,
    fresh,
    functions,
    name,
    reads,
    stored,
    writes,
)


@rewrite
def conditions_in_functions(tree: ast.Module) -> ast.Module:
    """The condition of an ``if`` is a function of the local names that it reads."""
    return _with_helpers(tree, _conditions)


@rewrite
def values_in_functions(tree: ast.Module) -> ast.Module:
    """The value of an assignment that is no constant and no name is a function of the local names that it reads."""
    return _with_helpers(tree, _values)


def _conditions(node: ast.AST) -> ast.expr | None:
    return node.test if isinstance(node, ast.If) else None


def _values(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.Assign) and not isinstance(node.value, (ast.Constant, ast.Name, ast.Tuple)):
        return node.value
    return None


def _with_helpers(tree: ast.Module, part_of: object) -> ast.Module:
    assert callable(part_of)
    body: list[ast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and not builds_frames(statement):
            for function in list(functions(ast.Module([statement], []))):
                if any(isinstance(n, ast.FunctionDef) and n is not function for n in ast.walk(function)):
                    continue
                for node in ast.walk(function):
                    part = part_of(node)
                    if part is None or binds_in_place(part) or "self" in reads(part):
                        continue
                    helper = fresh(ast.Module([*body, *tree.body], []), "part_of_it")
                    free = _locals(function, part)
                    body.append(_function(helper, free, [ast.Return(part)]))
                    call = ast.Call(name(helper), [name(f) for f in free], [])
                    if isinstance(node, ast.If):
                        node.test = call
                    elif isinstance(node, ast.Assign):
                        node.value = call
        body.append(statement)
    tree.body = body
    return tree


@rewrite
def conditions_in_methods(tree: ast.Module) -> ast.Module:
    """The condition of an ``if`` in a method is another method, of the local names that it reads."""
    for owner in [s for s in tree.body if isinstance(s, ast.ClassDef)]:
        made: list[ast.stmt] = []
        for method in [s for s in owner.body if isinstance(s, ast.FunctionDef) and s.name == "eval"]:
            for node in ast.walk(method):
                if isinstance(node, ast.If) and "self" in reads(node.test) and not binds_in_place(node.test):
                    helper = fresh(ast.Module([*made, owner], []), "holds")
                    free = [f for f in _locals(method, node.test) if f != "self"]
                    made.append(_function(helper, ["self", *free], [ast.Return(node.test)]))
                    node.test = ast.Call(ast.Attribute(name("self"), helper, ast.Load()), [name(f) for f in free], [])
        owner.body += made
    return tree


def _locals(function: Function, *parts: ast.AST) -> list[str]:
    """Names of the function's own that the parts read, but those that the parts bind themselves in comprehensions."""
    inside = {n for p in parts for c in ast.walk(p) if isinstance(c, ast.comprehension) for n in writes(c.target)}
    inside |= {a.arg for p in parts for c in ast.walk(p) if isinstance(c, ast.Lambda) for a in c.args.args}
    own = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)} | writes(*function.body)
    return sorted((reads(*parts) & own) - inside)


def _function(called: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    return ast.FunctionDef(called, arguments, body, [], type_params=[])


@rewrite
def loop_bodies_in_functions(tree: ast.Module) -> ast.Module:
    """The body of a loop without jumps is a function of the state and the row that returns the new state."""
    body: list[ast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and not builds_frames(statement):
            for block in blocks(statement):
                for at, loop in enumerate(block):
                    helper = fresh(ast.Module([*body, *tree.body], []), "step")
                    made = _step(statement, block[:at], loop, helper)
                    if made is not None:
                        body.append(made)
        body.append(statement)
    tree.body = body
    return tree


@rewrite
def loop_bodies_in_closures(tree: ast.Module) -> ast.Module:
    """The body of a loop without jumps is a local function of the row that changes the state by ``nonlocal``."""
    for function in functions(tree):
        for at, loop in enumerate(function.body):
            if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or _leaves(loop) or loop.orelse:
                continue
            state = _state(function, function.body[:at], loop)
            if state is None:
                continue
            step = fresh(function, "step")
            kept: list[ast.stmt] = [ast.Nonlocal(state)] if state else []
            made = _function(step, [loop.target.id], [*kept, *loop.body])
            loop.body = [ast.Expr(ast.Call(name(step), [name(loop.target.id)], []))]
            function.body.insert(at, made)
            break
    return tree


def _step(function: Function, before: list[ast.stmt], loop: ast.stmt, helper: str) -> ast.FunctionDef | None:
    if not isinstance(loop, ast.For) or _leaves(loop) or loop.orelse:
        return None
    state = _state(function, before, loop)
    if not state:
        return None
    given = sorted({*state, *_locals(function, *loop.body)} & (_bound(function, before) | writes(loop.target)))
    values: ast.expr = ast.Tuple([name(s) for s in state], ast.Load()) if len(state) > 1 else name(state[0])
    made = _function(helper, given, [*loop.body, ast.Return(values)])
    call = ast.Call(name(helper), [name(g) for g in given], [])
    if len(state) > 1:
        loop.body = [ast.Assign([ast.Tuple([stored(s) for s in state], ast.Store())], call)]
    else:
        loop.body = [assign(state[0], call)]
    return made


def _state(function: Function, before: list[ast.stmt], loop: ast.For) -> list[str] | None:
    """Names that the body binds and that are bound before the loop; None where it binds one that is read elsewhere and
    may have no value yet, or where one of them is declared."""
    if any(
        isinstance(n, (ast.Nonlocal, ast.Global, ast.Lambda, ast.FunctionDef))
        for n in ast.walk(function)
        if n is not function
    ):
        return None
    bound = _bound(function, before)
    own = writes(*loop.body)
    state = sorted(own & bound)
    outside = [s for s in ast.walk(function) if isinstance(s, ast.Name) and isinstance(s.ctx, ast.Load)]
    in_loop = {id(n) for n in ast.walk(loop)}
    escaping = {s.id for s in outside if id(s) not in in_loop} & (own - bound)
    return None if escaping or writes(loop.target) & own else state


def _bound(function: Function, before: list[ast.stmt]) -> set[str]:
    """Parameters, and names that the statements before surely bind."""
    certain = [s for s in before if isinstance(s, (ast.Assign, ast.AnnAssign))]
    return {a.arg for a in function.args.args} | writes(*certain)


def _leaves(loop: ast.For) -> bool:
    return any(isinstance(n, (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)) for n in ast.walk(loop))


@rewrite
def work_in_another_function(tree: ast.Module) -> ast.Module:
    """A function without decorators may pass its arguments on to another one that does the work."""
    body: list[ast.stmt] = []
    for statement in tree.body:
        body.append(statement)
        if not isinstance(statement, ast.FunctionDef) or statement.decorator_list or builds_frames(statement):
            continue
        given = statement.args
        parameters = [a.arg for a in given.args]
        if given.vararg or given.kwarg or given.kwonlyargs or given.defaults or given.posonlyargs:
            continue
        if statement.name in reads(statement) or any(
            isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(statement)
        ):
            continue
        outer, statement.name = statement.name, fresh(tree, f"{statement.name}_of")
        call = ast.Call(name(statement.name), [name(p) for p in parameters], [])
        body.append(ast.FunctionDef(outer, given, [ast.Return(call)], [], statement.returns, type_params=[]))
    tree.body = body
    return tree
