"""``pd.DataFrame(…)`` as a result: one row, or none."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.builtins import containers, named_containers
from headwater.python.rows.returned_table import Table
from headwater.python.values.append_only import AppendOnly
from headwater.python.values.scope import Env, Items
from headwater.python.values.structures import BoundedList, RecordValue
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Expr

if TYPE_CHECKING:
    from .values import PandasInterpreter


def build_table(run: PandasInterpreter, node: ast.Call, env: Env) -> Table:
    """The meaning of a call of ``pd.DataFrame``."""
    given = models.bind("pandas.DataFrame", node).only("data", "columns", "index").arguments
    data = given.get("data")
    columns = _columns(given["columns"], node) if "columns" in given else None
    if "index" in given and not (isinstance(data, ast.Dict) and _single(given["index"])):
        raise Refusal("opaque", "`pd.DataFrame` with an index", node)
    if data is None or (isinstance(data, (ast.List, ast.Tuple)) and not data.elts):
        return Table(columns, None)
    if isinstance(data, ast.List) and len(data.elts) == 1:
        return _from_row(run, data.elts[0], columns, env)
    if isinstance(data, ast.Dict):
        return _from_columns(run, data, columns, "index" in given, env)
    if isinstance(data, ast.List):
        raise Refusal("multiplicity", "several rows per group", node)
    found = named_containers.container_at(run, data, env)
    if isinstance(found, (AppendOnly, BoundedList)) or isinstance(data, ast.ListComp):
        raise Refusal("multiplicity", f"the rows of `{run.scope.ctx.text(node)}` may be several", node)
    raise Refusal("opaque", f"the rows of `{run.scope.ctx.text(node)}` are not written as literals", node)


def _columns(node: ast.expr, call: ast.AST) -> tuple[str, ...]:
    if isinstance(node, (ast.List, ast.Tuple)):
        names = [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
        if len(names) == len(node.elts):
            return tuple(names)
    raise Refusal("opaque", "column names that are not written as literals", call)


def _single(node: ast.expr) -> bool:
    return isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) == 1 and isinstance(node.elts[0], ast.Constant)


def _from_row(run: PandasInterpreter, row: ast.expr, columns: tuple[str, ...] | None, env: Env) -> Table:
    if isinstance(row, ast.Dict) and None not in row.keys:
        names = tuple(_key(k, row) for k in row.keys)
        return _table(names, tuple(run.value(v, env) for v in row.values), columns, row)
    kept = (
        containers.value(run, row, env) if isinstance(row, ast.Dict) else named_containers.container_at(run, row, env)
    )
    if isinstance(kept, RecordValue) and kept.access == "item":
        return _table(kept.names, tuple(run.plain(row, v) for v in kept.values), columns, row)
    if isinstance(kept, Items) and not kept.unique:
        values = tuple(run.plain(row, v) for v in kept.items)
        if columns is not None and len(columns) != len(values):
            raise Refusal("may-throw", "as many column names as values are needed", row)
        return Table(columns, values)
    raise Refusal("opaque", "a row that is not written as a literal", row)


def _from_columns(
    run: PandasInterpreter, data: ast.Dict, columns: tuple[str, ...] | None, scalars: bool, env: Env
) -> Table:
    names = tuple(_key(k, data) for k in data.keys)
    lists = [v for v in data.values if isinstance(v, (ast.List, ast.Tuple))]
    if len(lists) != len(data.values) and lists:
        raise Refusal("opaque", "lists and scalars as columns of one frame", data)
    if not lists:
        if not scalars:
            raise Refusal("may-throw", "a frame of scalars needs an index", data)
        return _table(names, tuple(run.value(v, env) for v in data.values), columns, data)
    lengths = {len(v.elts) for v in lists}
    if lengths == {0}:
        return Table(names, None)
    if lengths != {1}:
        raise Refusal("multiplicity", "several rows per group", data)
    return _table(names, tuple(run.value(v.elts[0], env) for v in lists), columns, data)


def _table(names: tuple[str, ...], values: tuple[Expr, ...], columns: tuple[str, ...] | None, node: ast.AST) -> Table:
    if len(set(names)) != len(names) or (columns is not None and set(columns) != set(names)):
        raise Refusal("opaque", "column names that do not match the row", node)
    return Table(names, values)


def _key(node: ast.expr | None, where: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise Refusal("opaque", "column names that are not string literals", where)
