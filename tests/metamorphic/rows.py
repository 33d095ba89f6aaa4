"""The rows of a group by another method of pandas, Arrow or Spark's rows: ``itertuples``, ``iterrows``,
``to_dict("records")``, ``zip`` of columns, attributes and subscripts."""

from __future__ import annotations

import ast
import re

from .registry import rewrite
from .scopes import Function, blocks, each_expression, functions, name, parsed, reads, writes

_FRAME_ATTRIBUTES = {
    "T", "all", "any", "at", "count", "diff", "first", "index", "last", "max", "mean", "min", "mode", "name", "pop",
    "rank", "round", "size", "std", "sum", "values", "where", "filter", "items", "key", "keys", "rate", "shape",
}  # fmt: skip
"""Names of columns that may be attributes of a frame, a Series, a tuple or a named tuple."""


def _column(text: str) -> bool:
    return text.isidentifier() and text not in _FRAME_ATTRIBUTES


def _call(node: ast.expr, method: str) -> ast.expr | None:
    """The object of ``object.method(...)``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method:
        return node.func.value
    return None


def _columns(nodes: list[ast.stmt], row: str, subscripts: bool) -> list[str] | None:
    """The columns that are read of ``row``, in order; None where it is used in another way."""
    found: list[str] = []
    uses = sum(isinstance(n, ast.Name) and n.id == row for s in nodes for n in ast.walk(s))
    for n in (n for s in nodes for n in ast.walk(s)):
        if isinstance(n, (ast.Attribute, ast.Subscript)) and isinstance(n.value, ast.Name) and n.value.id == row:
            column = _read(n, subscripts)
            if column is None or not isinstance(n.ctx, ast.Load):
                return None
            found.append(column)
    return list(dict.fromkeys(found)) if len(found) == uses and all(map(_column, found)) else None


def _read(node: ast.expr, subscripts: bool) -> str | None:
    if subscripts and isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return node.slice.value if isinstance(node.slice.value, str) else None
    return node.attr if not subscripts and isinstance(node, ast.Attribute) else None


def _respelled(nodes: list[ast.stmt], row: str, subscripts: bool) -> None:
    """``row["x"]`` for ``row.x`` or the other way round."""

    def change(node: ast.expr) -> ast.expr | None:
        if (
            isinstance(node, (ast.Attribute, ast.Subscript))
            and isinstance(node.value, ast.Name)
            and node.value.id == row
        ):
            column = _read(node, not subscripts)
            if column is not None:
                return parsed(f"{row}[{column!r}]" if subscripts else f"{row}.{column}")
        return None

    for s in nodes:
        each_expression(s, change)


def _row_loops(tree: ast.Module, method: str) -> list[tuple[Function, ast.For, ast.expr, str]]:
    """Loops over ``frame.method()`` with one name for the row, which nothing outside the loop reads."""
    found = []
    for function in functions(tree):
        for node in ast.walk(function):
            frame = _call(node.iter, method) if isinstance(node, ast.For) else None
            if frame is None or not isinstance(node, ast.For):
                continue
            target = node.target
            if method == "iterrows" and isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
                index = target.elts[0].id
                if any(isinstance(n, ast.Name) and n.id == index and n is not target.elts[0] for n in ast.walk(node)):
                    continue
                target = target.elts[1]
            if isinstance(target, ast.Name):
                inside = {id(n) for n in ast.walk(node)}
                if not any(
                    isinstance(n, ast.Name) and n.id == target.id and id(n) not in inside for n in ast.walk(function)
                ):
                    found.append((function, node, frame, target.id))
    return found


@rewrite
def records_for_tuples(tree: ast.Module) -> ast.Module:
    """``for r in f.itertuples(): r.x`` is ``for r in f.to_dict("records"): r["x"]``: both give Python values."""
    for _, loop, frame, row in _row_loops(tree, "itertuples"):
        if _columns(loop.body, row, subscripts=False):
            _respelled(loop.body, row, subscripts=True)
            loop.iter = ast.Call(ast.Attribute(frame, "to_dict", ast.Load()), [ast.Constant("records")], [])
    return tree


@rewrite
def records_by_orientation(tree: ast.Module) -> ast.Module:
    """``f.to_dict("records")`` is ``f.to_dict(orient="records")``."""

    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Call) and ast.unparse(node).endswith(".to_dict('records')"):
            return ast.Call(node.func, [], [ast.keyword("orient", ast.Constant("records"))])
        return None

    each_expression(tree, change)
    return tree


@rewrite
def tuples_for_records(tree: ast.Module) -> ast.Module:
    """``for r in f.to_dict("records"): r["x"]`` is ``for r in f.itertuples(): r.x``."""
    for _, loop, frame, row in _row_loops(tree, "to_dict"):
        if _columns(loop.body, row, subscripts=True):
            _respelled(loop.body, row, subscripts=False)
            loop.iter = ast.Call(ast.Attribute(frame, "itertuples", ast.Load()), [], [])
    return tree


@rewrite
def series_for_tuples(tree: ast.Module) -> ast.Module:
    """``for r in f.itertuples(): r.x`` is ``for _, r in f.iterrows(): r["x"]`` where a column is a string, so that the
    rows are of Python values."""
    if not _mixed(tree):
        return tree
    for _, loop, frame, row in _row_loops(tree, "itertuples"):
        if _columns(loop.body, row, subscripts=False):
            _respelled(loop.body, row, subscripts=True)
            loop.iter = ast.Call(ast.Attribute(frame, "iterrows", ast.Load()), [], [])
            loop.target = ast.Tuple([ast.Name("_", ast.Store()), loop.target], ast.Store())
    return tree


@rewrite
def tuples_for_series(tree: ast.Module) -> ast.Module:
    """``for _, r in f.iterrows(): r["x"]`` is ``for r in f.itertuples(): r.x`` where a column is a string."""
    if not _mixed(tree):
        return tree
    for _, loop, frame, row in _row_loops(tree, "iterrows"):
        if _columns(loop.body, row, subscripts=True):
            _respelled(loop.body, row, subscripts=False)
            loop.iter = ast.Call(ast.Attribute(frame, "itertuples", ast.Load()), [], [])
            assert isinstance(loop.target, ast.Tuple)
            loop.target = loop.target.elts[1]
    return tree


def _mixed(tree: ast.Module) -> bool:
    """Whether every schema that the module states has a string, and no frame is cut down to some columns."""
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    schemas = [
        t
        for t in texts
        if re.fullmatch(r"\s*(\w+:? \w+(\([\d,]+\))?( not null)?,?\s*)+", t, re.IGNORECASE) and " " in t
    ]
    cut = any(isinstance(n, ast.Subscript) and isinstance(n.slice, ast.List) for n in ast.walk(tree))
    return bool(schemas) and not cut and all(" string" in s for s in schemas)


@rewrite
def columns_for_rows(tree: ast.Module) -> ast.Module:
    """``for r in f.itertuples(): r.x, r.y`` is ``for x, y in zip(f["x"], f["y"])``: a Series iterates over
    Python values."""
    for method, subscripts in (("itertuples", False), ("to_dict", True)):
        for function, loop, frame, row in _row_loops(tree, method):
            columns = _columns(loop.body, row, subscripts)
            if not columns or len(columns) < 2 or not isinstance(frame, ast.Name):
                continue
            taken = reads(function) | writes(function)
            names = {c: f"{c}_here" if c in taken else c for c in columns}

            def change(
                node: ast.expr, row: str = row, names: dict[str, str] = names, subscripts: bool = subscripts
            ) -> ast.expr | None:
                if isinstance(node, (ast.Attribute, ast.Subscript)) and ast.unparse(node.value) == row:
                    return name(names[str(_read(node, subscripts))])
                return None

            for s in loop.body:
                each_expression(s, change)
            loop.target = ast.Tuple([ast.Name(names[c], ast.Store()) for c in columns], ast.Store())
            loop.iter = parsed(f"zip({', '.join(f'{frame.id}[{c!r}]' for c in columns)})")
    return tree


@rewrite
def rows_for_columns(tree: ast.Module) -> ast.Module:
    """``for a, b in zip(f["x"], f["y"])`` is ``for row in f.itertuples(): row.x, row.y``."""
    for function in functions(tree):
        for loop in ast.walk(function):
            if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Tuple):
                continue
            if not isinstance(loop.iter, ast.Call) or ast.unparse(loop.iter.func) != "zip":
                continue
            cells = [
                (a.value.id, a.slice.value)
                for a in loop.iter.args
                if isinstance(a, ast.Subscript) and isinstance(a.value, ast.Name) and isinstance(a.slice, ast.Constant)
            ]
            targets = [t.id for t in loop.target.elts if isinstance(t, ast.Name)]
            if len(cells) != len(loop.iter.args) or len({f for f, _ in cells}) != 1 or len(targets) != len(cells):
                continue
            bound = {
                n.id for s in loop.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
            inside = {id(n) for n in ast.walk(loop)}
            escapes = any(
                isinstance(n, ast.Name) and n.id in targets and id(n) not in inside for n in ast.walk(function)
            )
            if bound & set(targets) or escapes or not all(isinstance(c, str) and _column(c) for _, c in cells):
                continue
            to = {t: f"one_row.{c}" for t, (_, c) in zip(targets, cells, strict=True)}

            def change(node: ast.expr, to: dict[str, str] = to) -> ast.expr | None:
                return parsed(to[node.id]) if isinstance(node, ast.Name) and node.id in to else None

            for s in loop.body:
                each_expression(s, change)
            loop.target = ast.Name("one_row", ast.Store())
            loop.iter = parsed(f"{cells[0][0]}.itertuples()")
    return tree


@rewrite
def series_as_lists(tree: ast.Module) -> ast.Module:
    """``for x in f["x"]`` is ``for x in f["x"].tolist()``."""
    for loop in _column_loops(tree):
        loop.iter = ast.Call(ast.Attribute(loop.iter, "tolist", ast.Load()), [], [])
    return tree


def _column_loops(tree: ast.Module) -> list[ast.For]:
    frames = _frames(tree)
    return [
        n for f in functions(tree) for n in ast.walk(f)
        if isinstance(n, ast.For) and isinstance(n.iter, ast.Subscript) and isinstance(n.iter.slice, ast.Constant)
        and isinstance(n.iter.value, ast.Name) and n.iter.value.id in frames
    ]  # fmt: skip


def _frames(tree: ast.Module) -> set[str]:
    """Parameters by the names that the programs give to pandas frames."""
    parameters = {a.arg for f in functions(tree) for a in f.args.args}
    return parameters & {"pdf", "frame", "group", "df", "rows_of_group", "data"}


@rewrite
def tuples_without_index(tree: ast.Module) -> ast.Module:
    """``f.itertuples()`` is ``f.itertuples(index=False)`` where rows are read by the names of columns."""
    for _, loop, _, row in _row_loops(tree, "itertuples"):
        if _columns(loop.body, row, subscripts=False) and isinstance(loop.iter, ast.Call):
            if not loop.iter.args and not loop.iter.keywords:
                loop.iter.keywords = [ast.keyword("index", ast.Constant(False))]
    return tree


@rewrite
def attributes_of_frames(tree: ast.Module) -> ast.Module:
    """``f["x"]`` is ``f.x`` for a pandas frame that has no attribute of this name."""
    frames = _frames(tree)

    def change(node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in frames:
            column = _read(node, subscripts=True)
            if column and _column(column) and isinstance(node.ctx, ast.Load):
                return ast.Attribute(node.value, column, ast.Load())
        return None

    for function in functions(tree):
        each_expression(function, change)
    return tree


@rewrite
def subscripts_of_rows(tree: ast.Module) -> ast.Module:
    """``r.x`` is ``r["x"]`` for a row of Spark, in the functions of an RDD and the methods of a table function."""
    return _spark_rows(tree, subscripts=True)


@rewrite
def attributes_of_rows(tree: ast.Module) -> ast.Module:
    """``r["x"]`` is ``r.x`` for a row of Spark, in the functions of an RDD and the methods of a table function."""
    return _spark_rows(tree, subscripts=False)


def _spark_rows(tree: ast.Module, subscripts: bool) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and len(node.args.args) == 1 and ".rdd" in ast.unparse(tree):
            row = node.args.args[0].arg
            holder = ast.Expr(node.body)
            if _columns([holder], row, not subscripts):
                _respelled([holder], row, subscripts)
                node.body = holder.value
        elif isinstance(node, ast.FunctionDef) and node.name == "eval" and len(node.args.args) == 2:
            row = node.args.args[1].arg
            if _columns(node.body, row, not subscripts):
                _respelled(node.body, row, subscripts)
    return tree


@rewrite
def first_values_in_variables(tree: ast.Module) -> ast.Module:
    """A column that a loop's body reads of its row is read into a variable at the beginning of the body, where it is
    read in the first condition anyway."""
    for function in functions(tree):
        for block in blocks(function):
            for loop in block:
                if (
                    not isinstance(loop, ast.For)
                    or not isinstance(loop.target, ast.Name)
                    or not isinstance(loop.body[0], ast.If)
                ):
                    continue
                row, first = loop.target.id, _leading(loop.body[0].test)
                if not isinstance(first, (ast.Attribute, ast.Subscript)) or ast.unparse(first.value) != row:
                    continue
                text = ast.unparse(first)
                here = "value_here"

                def change(node: ast.expr, text: str = text, here: str = here) -> ast.expr | None:
                    return (
                        name(here)
                        if isinstance(node, (ast.Attribute, ast.Subscript)) and ast.unparse(node) == text
                        else None
                    )

                for s in loop.body:
                    each_expression(s, change)
                loop.body.insert(0, ast.Assign([ast.Name(here, ast.Store())], parsed(text)))
    return tree


def _leading(test: ast.expr) -> ast.expr:
    while isinstance(test, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
        test = (
            test.left
            if isinstance(test, ast.Compare)
            else test.values[0]
            if isinstance(test, ast.BoolOp)
            else test.operand
        )
    return test
