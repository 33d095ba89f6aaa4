"""Chains of methods in named steps, in functions and with variables; decorators as calls."""

from __future__ import annotations

import ast
from typing import cast

from .frames import driver, filters
from .registry import rewrite
from .scopes import assign, fresh, name, names, parsed, reads


def _last(tree: ast.Module) -> list[tuple[int, ast.Assign | ast.Expr, ast.Call]]:
    """Statements of the module whose value is a chain that ends in a filter, of a frame or an RDD."""
    return [
        (i, s, s.value) for i, s in enumerate(tree.body)
        if isinstance(s, (ast.Assign, ast.Expr)) and isinstance(s.value, ast.Call)
        and isinstance(s.value.func, ast.Attribute) and s.value.func.attr in ("filter", "where")
    ]  # fmt: skip


@rewrite
def named_frame_before_filter(tree: ast.Module) -> ast.Module:
    """``chain.filter(c)`` is ``made = chain`` and ``made.filter(c)``."""
    for i, _, call in reversed(_last(tree)):
        assert isinstance(call.func, ast.Attribute)
        if not isinstance(call.func.value, ast.Name):
            made = fresh(tree, "made")
            tree.body.insert(i, assign(made, call.func.value))
            call.func.value = name(made)
    return tree


@rewrite
def every_step_named(tree: ast.Module) -> ast.Module:
    """``a.b().c().filter(…)`` is one assignment for each method."""
    for i, _, call in reversed(_last(tree)):
        steps: list[ast.stmt] = []
        at: ast.Call = call
        while isinstance(at.func, ast.Attribute) and isinstance(at.func.value, ast.Call):
            inner = at.func.value
            if not isinstance(inner.func, ast.Attribute) or (
                isinstance(inner.func.value, ast.Name) and inner.func.value.id == "F"
            ):
                break
            made = fresh(ast.Module([*tree.body, *steps], []), f"made_{len(steps)}")
            steps.insert(0, assign(made, inner))
            at.func.value = name(made)
            at = inner
        tree.body[i:i] = steps
    return tree


@rewrite
def one_name_for_every_step(tree: ast.Module) -> ast.Module:
    """``chain.filter(c)`` is ``made = chain`` and ``made = made.filter(c)``."""
    for i, statement, call in reversed(_last(tree)):
        assert isinstance(call.func, ast.Attribute)
        if isinstance(statement, ast.Assign) and not isinstance(call.func.value, ast.Name):
            made = fresh(tree, "made")
            new: list[ast.stmt] = [assign(made, call.func.value)]
            call.func.value = name(made)
            tree.body[i : i + 1] = [*new, assign(made, call), ast.Assign(statement.targets, name(made))]
    return tree


@rewrite
def chains_in_functions(tree: ast.Module) -> ast.Module:
    """A chain is the result of a function without parameters."""
    for i, statement, call in reversed(_last(tree)):
        build = fresh(tree, "build")
        nothing = ast.arguments([], [], None, [], [], None, [])
        tree.body.insert(i, ast.FunctionDef(build, nothing, [ast.Return(call)], [], type_params=[]))
        statement.value = ast.Call(name(build), [], [])
    return tree


@rewrite
def chains_in_functions_of_frames(tree: ast.Module) -> ast.Module:
    """A chain is the result of a function of the frames that it reads."""
    for i, statement, call in reversed(_last(tree)):
        bound = {t.id for s in tree.body[:i] if isinstance(s, ast.Assign) for t in s.targets if isinstance(t, ast.Name)}
        read = sorted({n for n in reads(call) & bound if _is_frame(tree, n)})
        if read:
            build = fresh(tree, "build")
            given = ast.arguments([], [ast.arg(r) for r in read], None, [], [], None, [])
            tree.body.insert(i, ast.FunctionDef(build, given, [ast.Return(call)], [], type_params=[]))
            statement.value = ast.Call(name(build), [name(r) for r in read], [])
    return tree


def _is_frame(tree: ast.Module, wanted: str) -> bool:
    values = [
        s.value for s in tree.body if isinstance(s, ast.Assign) and any(ast.unparse(t) == wanted for t in s.targets)
    ]
    return bool(values) and all("spark.read" in ast.unparse(v) or "spark.table" in ast.unparse(v) for v in values)


@rewrite
def other_names_for_frames(tree: ast.Module) -> ast.Module:
    """A frame that a chain begins with has a second name, by which the chain reads it."""
    for i, _, call in reversed(_last(tree)):
        for read in sorted(n for n in reads(call) if _is_frame(tree, n)):
            second = fresh(tree, f"also_{read}")
            for n in ast.walk(call):
                if isinstance(n, ast.Name) and n.id == read:
                    n.id = second
            tree.body.insert(i, assign(second, name(read)))
    return tree


@rewrite
def conditions_of_filters_in_variables(tree: ast.Module) -> ast.Module:
    """``chain.filter(c)`` is ``condition = c`` and ``chain.filter(condition)``."""
    known = filters(tree)
    for i, _, call in reversed(_last(tree)):
        if any(call is f for f in known) and not isinstance(call.args[0], ast.Constant):
            condition = fresh(tree, "condition")
            tree.body.insert(i, assign(condition, call.args[0]))
            call.args[0] = name(condition)
    return tree


@rewrite
def two_filters(tree: ast.Module) -> ast.Module:
    """``.filter(a & b)`` of columns is ``.filter(a).filter(b)``."""
    for call in filters(tree):
        given = call.args[0]
        assert isinstance(call.func, ast.Attribute)
        if isinstance(given, ast.BinOp) and isinstance(given.op, ast.BitAnd):
            first = ast.Call(ast.Attribute(call.func.value, call.func.attr, ast.Load()), [given.left], [])
            call.func.value, call.args = first, [given.right]
    return tree


@rewrite
def filters_by_transform(tree: ast.Module) -> ast.Module:
    """``chain.filter(c)`` is ``chain.transform(lambda made: made.filter(c))`` for frames."""
    known = filters(tree)
    for _, statement, call in _last(tree):
        if any(call is f for f in known):
            assert isinstance(call.func, ast.Attribute)
            made = fresh(tree, "made")
            below, call.func.value = call.func.value, name(made)
            given = ast.arguments([], [ast.arg(made)], None, [], [], None, [])
            statement.value = ast.Call(ast.Attribute(below, "transform", ast.Load()), [ast.Lambda(given, call)], [])
    return tree


@rewrite
def schemas_in_variables(tree: ast.Module) -> ast.Module:
    """``applyInPandas(f, "a int")`` is ``applyInPandas(f, schema=declared)`` with the text in a variable."""
    for i, statement in reversed(list(enumerate(tree.body))):
        if statement not in driver(tree) or isinstance(statement, ast.FunctionDef):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 2:
                if node.func.attr in ("applyInPandas", "applyInArrow", "mapInPandas", "mapInArrow"):
                    given = node.args.pop()
                    node.keywords.append(ast.keyword("schema", given))
                    if isinstance(given, ast.Constant):
                        declared = fresh(tree, "declared")
                        tree.body.insert(i, assign(declared, given))
                        node.keywords[-1].value = name(declared)
    return tree


@rewrite
def calls_for_decorators(tree: ast.Module) -> ast.Module:
    """``@pandas_udf("double")`` on a function is ``f = pandas_udf("double")(plain)``; and ``udf`` and ``udtf``."""
    body: list[ast.stmt] = []
    for statement in tree.body:
        body.append(statement)
        if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)) or len(statement.decorator_list) != 1:
            continue
        decorator = statement.decorator_list[0]
        if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func).split(".")[-1] not in (
            "udf",
            "pandas_udf",
            "udtf",
        ):
            continue
        if statement.name in names(ast.Module(list(statement.body), [])):
            continue
        called, plain = statement.name, fresh(tree, f"plain_{statement.name}")
        statement.name, statement.decorator_list = plain, []
        positional = [name(plain), *decorator.args]
        if decorator.keywords or len(decorator.args) == 1:
            body.append(assign(called, ast.Call(decorator.func, positional, decorator.keywords)))
        else:
            statement.name, statement.decorator_list = called, [decorator]
    tree.body = body
    return tree


@rewrite
def names_imported_from_modules(tree: ast.Module) -> ast.Module:
    """``from m import f`` is ``import m`` and ``m.f`` for ``operator``, ``math``, ``functools`` and ``itertools``."""
    modules = {"operator", "math", "functools", "itertools", "statistics", "heapq"}
    for i, node in enumerate(tree.body):
        if isinstance(node, ast.ImportFrom) and node.module in modules and not any(a.asname for a in node.names):
            if node.module in names(tree):
                continue
            own = {a.name for a in node.names}
            tree.body[i] = ast.Import([ast.alias(node.module)])
            for n in ast.walk(tree):
                for field, child in ast.iter_fields(n):
                    if isinstance(child, ast.Name) and child.id in own and isinstance(child.ctx, ast.Load):
                        setattr(n, field, parsed(f"{node.module}.{child.id}"))
                    elif isinstance(child, list):
                        child[:] = [
                            parsed(f"{node.module}.{c.id}") if isinstance(c, ast.Name) and c.id in own else c
                            for c in child
                        ]
    return tree


@rewrite
def tables_in_sql_text(tree: ast.Module) -> ast.Module:
    """``spark.table("t")`` is ``spark.sql("SELECT * FROM t")``, and ``.filter("c")`` on it the WHERE clause."""

    class Queried(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            match node:
                case ast.Call(ast.Attribute(table, "filter" | "where"), [ast.Constant(str() as condition)], []) if (
                    _table(table)
                ):
                    return _query(f"SELECT * FROM {_table(table)} WHERE {condition}")
                case ast.Call() if called := _table(node):
                    return _query(f"SELECT * FROM {called}")
            self.generic_visit(node)
            return node

    return cast(ast.Module, Queried().visit(tree))


def _table(node: ast.expr) -> str | None:
    """The name of the table, if that is what the expression reads."""
    match node:
        case ast.Call(ast.Attribute(ast.Name("spark"), "table"), [ast.Constant(str() as called)], []):
            return called if called.isidentifier() else None
    return None


def _query(text: str) -> ast.expr:
    return parsed(f"spark.sql({text!r})")
