"""Other names, and lambdas for functions and functions for lambdas."""

from __future__ import annotations

import ast

from .registry import rewrite
from .scopes import each_expression, fresh, functions, name, names, reads, renamed, writes

_BY_NAME = {"query", "eval", "locals", "globals", "vars", "exec"}
"""What reads variables through text."""


@rewrite
def local_names(tree: ast.Module) -> ast.Module:
    """Local variables and parameters that no call names have other names."""
    called_with = {k.arg for n in ast.walk(tree) if isinstance(n, ast.Call) for k in n.keywords}
    inner = {id(n) for f in functions(tree) for n in ast.walk(f) if n is not f}
    for function in functions(tree):
        if id(function) in inner or names(function) & _BY_NAME or _attributes(function) & _BY_NAME:
            continue
        declared = {x for n in ast.walk(function) if isinstance(n, (ast.Global, ast.Nonlocal)) for x in n.names}
        arguments = function.args
        parameters = {a.arg for a in arguments.args if a.arg != "self"} - called_with
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or function.name == "eval":
            parameters = set()
        own = (parameters | writes(*function.body)) - declared - called_with - {"self"}
        own -= {a.arg for a in arguments.args} - parameters
        held = function.name
        renamed(function, {old: fresh(tree, f"{old}_of") for old in sorted(own)})
        function.name = held
    return tree


def _attributes(tree: ast.AST) -> set[str]:
    return {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}


@rewrite
def global_names(tree: ast.Module) -> ast.Module:
    """Functions, classes and frames of the module have other names."""
    if _attributes(tree) & _BY_NAME or names(tree) & _BY_NAME:
        return tree
    local = {n for f in ast.walk(tree) if isinstance(f, (ast.FunctionDef, ast.Lambda)) for n in _bound_inside(f)}
    called_with = {k.arg for n in ast.walk(tree) if isinstance(n, ast.Call) for k in n.keywords}
    texts = " ".join(n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    own: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            own.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            own |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    own = {o for o in own if o not in local and o not in called_with and o not in texts} - {"result", "spark", "sc"}
    to = {old: fresh(tree, f"own_{old}") for old in sorted(own)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            node.name = to.get(node.name, node.name)
    renamed(tree, to)
    return tree


def _bound_inside(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    found = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    return found | (writes(*node.body) if isinstance(node, ast.FunctionDef) else set())


@rewrite
def functions_for_lambdas(tree: ast.Module) -> ast.Module:
    """A lambda that reads nothing but its parameters and what the module binds is a function above the statement."""
    body: list[ast.stmt] = []
    for statement in tree.body:
        made: list[ast.stmt] = []
        if isinstance(statement, (ast.Assign, ast.Expr)):

            def change(node: ast.expr, made: list[ast.stmt] = made, at: int = len(body)) -> ast.expr | None:
                if not isinstance(node, ast.Lambda) or any(isinstance(n, ast.Lambda) for n in ast.walk(node.body)):
                    return None
                called = fresh(tree, f"step_{at + len(made)}")
                made.append(ast.FunctionDef(called, node.args, [ast.Return(node.body)], [], type_params=[]))
                return name(called)

            each_expression(statement, change)
        body += [*made, statement]
    tree.body = body
    return tree


@rewrite
def lambdas_for_functions(tree: ast.Module) -> ast.Module:
    """A function of one return, without decorators, is a lambda where it is named as an argument of a method."""
    short = {
        f.name: f for f in tree.body
        if isinstance(f, ast.FunctionDef) and len(f.body) == 1 and isinstance(f.body[0], ast.Return) and f.body[0].value
        and not f.decorator_list and not any(a.annotation for a in f.args.args) and f.name not in reads(f)
    }  # fmt: skip

    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr not in ("register",):
            node.args = [_lambda(short[a.id]) if isinstance(a, ast.Name) and a.id in short else a for a in node.args]
        return None

    for statement in tree.body:
        if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            each_expression(statement, change)
    return tree


def _lambda(function: ast.FunctionDef) -> ast.expr:
    (statement,) = function.body
    assert isinstance(statement, ast.Return)
    assert statement.value is not None
    return ast.Lambda(function.args, statement.value)


@rewrite
def constants_in_variables(tree: ast.Module) -> ast.Module:
    """Numbers and texts that a function compares with are variables of the module."""
    found: dict[str, str] = {}
    for function in functions(tree):
        for node in ast.walk(function):
            if isinstance(node, ast.Compare):
                for i, operand in enumerate(node.comparators):
                    if isinstance(operand, ast.Constant) and isinstance(operand.value, (int, float, str)):
                        if not isinstance(operand.value, bool):
                            text = ast.unparse(operand)
                            found.setdefault(text, fresh(tree, f"LIMIT_{len(found)}"))
                            node.comparators[i] = name(found[text])
    made: list[ast.stmt] = [
        ast.Assign([ast.Name(to, ast.Store())], ast.parse(v, mode="eval").body) for v, to in found.items()
    ]
    at = next((i for i, s in enumerate(tree.body) if not isinstance(s, (ast.Import, ast.ImportFrom, ast.Expr))), 0)
    tree.body[at:at] = made
    return tree
