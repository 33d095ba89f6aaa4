"""Columns and conditions of driver code: ``F.col``, attributes and subscripts of frames, SQL text, ``isin``,
``between``, the names of functions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .registry import rewrite
from .scopes import builds_frames, each_expression, fresh, name, parsed, reads

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "=", ast.NotEq: "<>", ast.BitAnd: "AND",
    ast.BitOr: "OR", ast.Add: "+", ast.Sub: "-", ast.Mult: "*",
}  # fmt: skip
_OPPOSITE: dict[type[ast.AST], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
_OF_ONE_COLUMN = {"max", "min", "sum", "avg", "mean", "count", "bool_or", "bool_and", "first", "last", "collect_list"}
_OF_COLUMNS = _OF_ONE_COLUMN | {"max_by", "min_by", "countDistinct", "count_distinct"}


def driver(tree: ast.Module) -> list[ast.stmt]:
    """Statements that build frames."""
    return [
        s for s in tree.body
        if not isinstance(s, (ast.ClassDef, ast.Import, ast.ImportFrom))
        and (not isinstance(s, ast.FunctionDef) or builds_frames(s))
    ]  # fmt: skip


def filters(tree: ast.Module) -> list[ast.Call]:
    """Calls that filter a frame by one column or SQL text; those of RDDs, which take functions, are none."""
    defined = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    found = []
    for statement in driver(tree):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
                if node.func.attr in ("filter", "where") and len(node.args) == 1:
                    (given,) = node.args
                    column = isinstance(given, (ast.Compare, ast.BinOp, ast.UnaryOp, ast.Call, ast.Constant))
                    if column and not reads(given) & defined:
                        found.append(node)
    return found


def column_of(node: ast.AST) -> str | None:
    """The name in ``F.col("name")`` and ``col("name")``."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and ast.unparse(node.func) in ("F.col", "col", "F.column"):
        (given,) = node.args
        if isinstance(given, ast.Constant) and isinstance(given.value, str) and given.value.isidentifier():
            return given.value
    return None


def sql_of(node: ast.expr) -> str | None:
    """The condition as SQL text; None if a part of it has no such form here."""
    column = column_of(node)
    if column is not None:
        return column
    match node:
        case ast.Constant(bool() as value):
            return str(value).lower()
        case ast.Constant(int() as value):
            return str(value)
        case ast.Constant(float() as value):
            return f"{value!r}D"
        case ast.Constant(str() as value) if "'" not in value and "\\" not in value:
            return f"'{value}'"
        case ast.Compare(left, [op], [right]):
            return _infix(left, op, right)
        case ast.BinOp(left, op, right):
            return _infix(left, op, right)
        case ast.UnaryOp(ast.Invert(), operand):
            inner = sql_of(operand)
            return inner and f"NOT ({inner})"
        case ast.Call(ast.Attribute(value, "isNull"), [], []):
            inner = sql_of(value)
            return inner and f"({inner}) IS NULL"
        case ast.Call(ast.Attribute(value, "isNotNull"), [], []):
            inner = sql_of(value)
            return inner and f"({inner}) IS NOT NULL"
        case ast.Call(ast.Attribute(value, "between"), [low, high], []):
            parts = [sql_of(value), sql_of(low), sql_of(high)]
            return None if None in parts else f"{parts[0]} BETWEEN {parts[1]} AND {parts[2]}"
        case ast.Call(ast.Attribute(value, "isin"), args, []) if args:
            among = [sql_of(a) for a in args]
            inner = sql_of(value)
            return None if None in among or inner is None else f"{inner} IN ({', '.join(map(str, among))})"
    return None


def _infix(left: ast.expr, op: ast.AST, right: ast.expr) -> str | None:
    a, b, sign = sql_of(left), sql_of(right), _OPERATORS.get(type(op))
    return f"({a}) {sign} ({b})" if a and b and sign else None


def _in_filters(tree: ast.Module, change: Callable[[ast.expr], ast.expr | None]) -> ast.Module:
    """``change`` for every expression inside the conditions of filters."""
    for call in filters(tree):
        holder = ast.Expr(call.args[0])
        each_expression(holder, change)
        call.args[0] = holder.value
    return tree


@rewrite
def where_for_filter(tree: ast.Module) -> ast.Module:
    """``.filter`` is ``.where``."""
    for call in filters(tree):
        assert isinstance(call.func, ast.Attribute)
        call.func.attr = "where" if call.func.attr == "filter" else "filter"
    return tree


@rewrite
def sql_text_for_columns(tree: ast.Module) -> ast.Module:
    """A condition of columns and constants is SQL text."""
    for call in filters(tree):
        text = None if isinstance(call.args[0], ast.Constant) else sql_of(call.args[0])
        if text is not None:
            call.args[0] = ast.Constant(text)
    return tree


@rewrite
def expressions_for_columns(tree: ast.Module) -> ast.Module:
    """A condition of columns and constants is ``F.expr`` of SQL text, and so is SQL text itself."""
    if "F" not in _aliases(tree):
        return tree
    for call in filters(tree):
        given = call.args[0]
        text = given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else sql_of(given)
        if text is not None:
            call.args[0] = ast.Call(parsed("F.expr"), [ast.Constant(text)], [])
    return tree


def _aliases(tree: ast.Module) -> set[str]:
    return {a.asname or a.name for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}


@rewrite
def expressions_for_names(tree: ast.Module) -> ast.Module:
    """``F.col("x")`` is ``F.expr("x")``."""

    def change(node: ast.expr) -> ast.expr | None:
        column = column_of(node)
        return ast.Call(parsed("F.expr"), [ast.Constant(column)], []) if column else None

    return _in_filters(tree, change) if "F" in _aliases(tree) else tree


@rewrite
def attributes_for_columns(tree: ast.Module) -> ast.Module:
    """``F.col("x")`` in the condition of a filter is ``made.x``, where ``made`` is the frame that is filtered."""
    return _of_frames(tree, subscripts=False)


@rewrite
def subscripts_for_columns(tree: ast.Module) -> ast.Module:
    """``F.col("x")`` in the condition of a filter is ``made["x"]``, where ``made`` is the frame that is filtered."""
    return _of_frames(tree, subscripts=True)


_METHODS = {"count", "first", "alias", "filter", "columns", "schema", "rdd", "take", "sort", "summary", "to", "hint"}
"""Names that frames have as methods."""


def _of_frames(tree: ast.Module, subscripts: bool) -> ast.Module:
    body: list[ast.stmt] = []
    for statement in tree.body:
        value = statement.value if isinstance(statement, (ast.Assign, ast.Expr)) else None
        if isinstance(value, ast.Call) and any(value is f for f in filters(tree)):
            assert isinstance(value.func, ast.Attribute)
            made = fresh(tree, "made")
            columns = [column_of(n) for n in ast.walk(value.args[0])]
            if any(columns) and (subscripts or not set(filter(None, columns)) & _METHODS):

                def change(node: ast.expr, made: str = made) -> ast.expr | None:
                    column = column_of(node)
                    return column and parsed(f"{made}[{column!r}]" if subscripts else f"{made}.{column}")  # type: ignore[return-value]

                body.append(ast.Assign([ast.Name(made, ast.Store())], value.func.value))
                value.func.value = name(made)
                holder = ast.Expr(value.args[0])
                each_expression(holder, change)
                value.args[0] = holder.value
        body.append(statement)
    tree.body = body
    return tree


@rewrite
def de_morgan_of_columns(tree: ast.Module) -> ast.Module:
    """``a & b`` is ``~(~a | ~b)`` in three-valued logic too."""

    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            other = ast.BitOr() if isinstance(node.op, ast.BitAnd) else ast.BitAnd()
            return _inverted(ast.BinOp(_inverted(node.left), other, _inverted(node.right)))
        return None

    return _in_filters(tree, change)


def _inverted(node: ast.expr) -> ast.expr:
    return (
        node.operand
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)
        else ast.UnaryOp(ast.Invert(), node)
    )


@rewrite
def negated_columns(tree: ast.Module) -> ast.Module:
    """``a > b`` of columns is ``~(a <= b)``: Spark orders NaN, and NULL stays NULL."""

    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPPOSITE:
            return _inverted(ast.Compare(node.left, [_OPPOSITE[type(node.ops[0])]()], node.comparators))
        return None

    return _in_filters(tree, change)


@rewrite
def comparisons_for_between(tree: ast.Module) -> ast.Module:
    """``a.between(x, y)`` is ``(a >= x) & (a <= y)``, and ``a.isin(x, y)`` is ``(a == x) | (a == y)``."""

    def change(node: ast.expr) -> ast.expr | None:
        match node:
            case ast.Call(ast.Attribute(a, "between"), [x, y], []):
                return ast.BinOp(ast.Compare(a, [ast.GtE()], [x]), ast.BitAnd(), ast.Compare(a, [ast.LtE()], [y]))
            case ast.Call(ast.Attribute(a, "isin"), [x, y], []):
                return ast.BinOp(ast.Compare(a, [ast.Eq()], [x]), ast.BitOr(), ast.Compare(a, [ast.Eq()], [y]))
        return None

    return _in_filters(tree, change)


@rewrite
def swapped_conjuncts_of_columns(tree: ast.Module) -> ast.Module:
    """``a & b`` is ``b & a`` for columns, which Spark evaluates in any order."""

    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            return ast.BinOp(node.right, node.op, node.left)
        return None

    return _in_filters(tree, change)


@rewrite
def columns_for_names(tree: ast.Module) -> ast.Module:
    """``F.max("x")`` is ``F.max(F.col("x"))``, and ``groupBy("k")`` is ``groupBy(F.col("k"))``."""
    if "F" not in _aliases(tree):
        return tree
    for statement in driver(tree):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
                of_functions = ast.unparse(node.func.value) == "F" and node.func.attr in _OF_COLUMNS
                if of_functions or node.func.attr == "groupBy":
                    node.args = [_as_column(a) for a in node.args]
    return tree


def _as_column(node: ast.expr) -> ast.expr:
    named = isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier()
    return ast.Call(parsed("F.col"), [node], []) if named else node


@rewrite
def names_for_columns(tree: ast.Module) -> ast.Module:
    """``F.max(F.col("x"))`` is ``F.max("x")``, and ``groupBy(F.col("k"))`` is ``groupBy("k")``."""
    for statement in driver(tree):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
                of_functions = ast.unparse(node.func.value) == "F" and node.func.attr in _OF_COLUMNS
                if of_functions or node.func.attr == "groupBy":
                    node.args = [ast.Constant(c) if (c := column_of(a)) else a for a in node.args]
    return tree


@rewrite
def groups_by_a_list(tree: ast.Module) -> ast.Module:
    """``groupBy("k")`` is ``groupby(["k"])``."""
    for statement in driver(tree):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "groupBy":
                if node.args and all(isinstance(a, ast.Constant) for a in node.args):
                    node.func.attr = "groupby"
                    node.args = [ast.List(node.args, ast.Load())]
    return tree


@rewrite
def functions_under_another_name(tree: ast.Module) -> ast.Module:
    """``from pyspark.sql import functions as F`` is ``import pyspark.sql.functions as fn``."""
    made = fresh(tree, "fn")
    for i, node in enumerate(tree.body):
        if isinstance(node, ast.ImportFrom) and node.module == "pyspark.sql":
            rest = [a for a in node.names if (a.name, a.asname) != ("functions", "F")]
            if len(rest) == len(node.names):
                continue
            new: list[ast.stmt] = [ast.Import([ast.alias("pyspark.sql.functions", made)])]
            tree.body[i : i + 1] = [*([ast.ImportFrom(node.module, rest, 0)] if rest else []), *new]
            for n in ast.walk(tree):
                if isinstance(n, ast.Name) and n.id == "F":
                    n.id = made
            break
    return tree


@rewrite
def col_by_itself(tree: ast.Module) -> ast.Module:
    """``F.col`` is the ``col`` that is imported from ``pyspark.sql.functions``."""
    if "F" not in _aliases(tree) or "col" in reads(tree) or "col" in _aliases(tree):
        return tree
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "F.col"]
    for node in found:
        node.func = name("col")
    if found:
        at = next(
            i
            for i, s in enumerate(tree.body)
            if isinstance(s, (ast.Import, ast.ImportFrom)) and s.__dict__.get("module") != "__future__"
        )
        tree.body.insert(at, ast.ImportFrom("pyspark.sql.functions", [ast.alias("col")], 0))
    return tree
