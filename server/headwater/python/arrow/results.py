"""``pa.Table.from_pylist``, ``pa.table`` and their kin as a result: one row, or none.

Spark matches the columns by name and takes only a column of exactly the declared type. With a schema the type is the
schema's and a value is converted to it or raises; without one the type is inferred from the value: a None then has the
type ``null``, a whole number is an int64, and neither will do for a ``double``.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.exprs import value_tags
from headwater.python.exprs.simplify import NONE, choose, is_null
from headwater.python.exprs.types import results
from headwater.python.rows.returned_table import Table
from headwater.python.values.exact_types import kinds, slot_kinds
from headwater.python.values.scope import Env, Unreadable, Value
from headwater.python.values.structures import OptionalValue, RecordValue, leaves, rebuilt
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import FALSE, Col, Expr, Raise, Slot
from headwater_ir.types import BOOL, DATE, FLOAT, INT64, STRING, Type

from .table import ArrowScalar
from .types import ArrowSchema, read_arrow_type

if TYPE_CHECKING:
    from .values import ArrowInterpreter

_INFERRED: dict[str, Type] = {"bool": BOOL, "int": INT64, "float": FLOAT, "string": STRING, "date": DATE}
_ROWS = {"pyarrow.Table.from_pylist"}
_COLUMNS = {"pyarrow.table", "pyarrow.Table.from_pydict"}
_ARRAYS = {"pyarrow.Table.from_arrays"}


@dataclass(frozen=True)
class Part:
    """One value of the row. ``type``: of its Arrow column as far as the value itself has one (``pa.array(…, type)``, a
    scalar of the key)."""

    value: Expr
    type: Type | None = None
    scalar: bool = False


def build_table(run: ArrowInterpreter, node: ast.Call, name: str, env: Env) -> Table:
    """The meaning of a call that makes a table."""
    if name not in _ROWS | _COLUMNS | _ARRAYS:
        raise Refusal("opaque", f"nothing is known about the function `{run.scope.ctx.text(node.func)}`", node)
    bound = models.bind(name, node).only("data", "mapping", "arrays", "names", "schema")
    data = next(bound.arguments[p] for p in ("data", "mapping", "arrays") if p in bound)
    names, given = bound.get("names"), bound.get("schema")
    if name == "pyarrow.table" and names is not None and not isinstance(names, (ast.List, ast.Tuple)):
        names, given = given, names  # ``names`` may be a schema
    if names is not None and given is not None:
        raise Refusal("opaque", f"`{run.scope.ctx.text(node)}`", node)
    schema = _schema(run, given, env) if given is not None else None
    if name in _ROWS and names is None:
        row = _from_rows(run, data, env, node)
    elif name in _COLUMNS and names is None and isinstance(data, ast.Dict):
        row = _from_columns(run, data, env, node)
    elif name in _COLUMNS | _ARRAYS:
        row = _from_arrays(run, data, names, schema, env, node)
    else:
        raise Refusal("opaque", f"nothing is known about the function `{run.scope.ctx.text(node.func)}`", node)
    if row is None:
        return _empty(run, schema, name in _ROWS, node)
    return _table(run, row, schema, name in _ROWS, node)


def no_rows(run: ArrowInterpreter, schema: ArrowSchema, node: ast.AST) -> Table:
    """``schema.empty_table()``."""
    _check_types(run, dict(schema.fields), node)
    return Table(tuple(f.name for f in run.output.fields), None)


def _empty(run: ArrowInterpreter, schema: ArrowSchema | None, rows: bool, node: ast.AST) -> Table:
    if schema is not None:
        return no_rows(run, schema, node)
    if not rows:
        raise Refusal("may-throw", "empty columns of no type", node)
    return Table(None, None)  # Spark does not look at the columns of a table that has none


# --- the data


def _from_rows(run: ArrowInterpreter, data: ast.expr, env: Env, node: ast.AST) -> dict[str, Part] | None:
    if not isinstance(data, (ast.List, ast.Tuple)):
        raise Refusal("opaque", "the rows of the table are not literals", node)
    if len(data.elts) > 1:
        raise Refusal("multiplicity", "several rows per group", node)
    return _row(run, data.elts[0], env) if data.elts else None


def _row(run: ArrowInterpreter, row: ast.expr, env: Env) -> dict[str, Part]:
    parts: dict[str, Part] = {}
    if isinstance(row, ast.Dict):
        for key, value in zip(row.keys, row.values, strict=True):
            parts |= _held(run, value, env) if key is None else {_key(key, row): _part(run, value, env)}
    elif isinstance(row, ast.Call) and run.scope.origin(row.func) == "builtins.dict" and not row.args:
        for keyword in row.keywords:  # also ``**row``
            name, value = keyword.arg, keyword.value
            parts |= _held(run, value, env) if name is None else {name: _part(run, value, env)}
    else:
        parts = _held(run, row, env)
    if not parts:
        raise Refusal("opaque", "a row without columns", row)
    return parts


def _held(run: ArrowInterpreter, node: ast.expr, env: Env) -> dict[str, Part]:
    """The values of a dict in a variable, or of a row that was kept."""
    held = run.kept_row(run.any_value(node, env), node)
    if isinstance(held, OptionalValue):
        held = _there(run, held)
    if not (isinstance(held, RecordValue) and held.access == "item"):
        raise Refusal("opaque", "a row that is not written as a literal", node)
    return {n: _value(run, v, node) for n, v in zip(held.names, held.values, strict=True)}


def _there(run: ArrowInterpreter, row: OptionalValue) -> Value:
    """A row that may be None, which raises in place of one."""
    if run.known().decide(row.present) is True:
        return rebuilt(row.inner, (_key_of(run, leaf) for leaf in list(leaves(row.inner))))
    absent = Raise("None in place of a row")
    return rebuilt(row.inner, (choose(row.present, leaf, absent) for leaf in list(leaves(row.inner))))


def _key_of(run: ArrowInterpreter, leaf: Expr) -> Expr:
    """A part of a row that is there: the key itself where nothing else is ever put in its place."""
    if not isinstance(leaf, Slot):
        return leaf
    held = {e for e in results(run.slots.step[leaf.index]) if e != leaf and not isinstance(e, Raise)}
    key = held.pop() if len(held) == 1 else leaf
    return key if isinstance(key, Col) and key.name in run.group.keys else leaf


def _from_columns(run: ArrowInterpreter, data: ast.Dict, env: Env, node: ast.AST) -> dict[str, Part] | None:
    columns = [(_key(k, data), _column(run, v, env)) for k, v in zip(data.keys, data.values, strict=True)]
    if not columns or len({name for name, _ in columns}) != len(columns):
        raise Refusal("opaque", "a table without columns, or with the same column twice", node)
    return _side_by_side(columns, node)


def _from_arrays(
    run: ArrowInterpreter, data: ast.expr, names: ast.expr | None, schema: ArrowSchema | None, env: Env, node: ast.AST
) -> dict[str, Part] | None:
    if not isinstance(data, (ast.List, ast.Tuple)):
        raise Refusal("opaque", "the columns of the table are not written as literals", node)
    labels = [n for n, _ in schema.fields] if schema else []
    if isinstance(names, (ast.List, ast.Tuple)):
        labels = [_key(n, node) for n in names.elts]
    columns = [_column(run, c, env) for c in data.elts]
    if len(labels) != len(columns) or len(set(labels)) != len(labels) or not columns:
        raise Refusal("may-throw", "as many column names as columns are needed", node)
    return _side_by_side(list(zip(labels, columns, strict=True)), node)


def _side_by_side(columns: list[tuple[str, list[Part]]], node: ast.AST) -> dict[str, Part] | None:
    lengths = {len(parts) for _, parts in columns}
    if lengths == {0}:
        return None
    if lengths != {1}:
        raise Refusal("multiplicity", "several rows per group", node)
    return {name: parts[0] for name, parts in columns}


def _column(run: ArrowInterpreter, node: ast.expr, env: Env) -> list[Part]:
    """The values of ``[x]``, ``(x,)`` or ``pa.array([x], type)``."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_part(run, e, env) for e in node.elts]
    if not (isinstance(node, ast.Call) and run.scope.origin(node.func) == "pyarrow.array"):
        raise Refusal("opaque", "a column that is not written as a literal", node)
    given = models.bind("pyarrow.array", node).only("obj", "type").arguments
    if isinstance(given["obj"], ast.Call):
        raise Refusal("opaque", f"`{run.scope.ctx.text(node)}`", node)
    parts = _column(run, given["obj"], env)
    if "type" not in given:
        return parts
    t = read_arrow_type(given["type"], run.scope.origin)
    if t is None:
        raise Refusal("opaque", f"the Arrow type `{run.scope.ctx.text(given['type'])}`", node)
    return [_typed(run, p, t, node) for p in parts]


def _typed(run: ArrowInterpreter, part: Part, t: Type, node: ast.AST) -> Part:
    if part.scalar and part.type != t:
        raise Refusal("may-throw", "a scalar of the key in a column of another type", node)
    return Part(part.value, t)


def _part(run: ArrowInterpreter, node: ast.expr, env: Env) -> Part:
    return _value(run, run.any_value(node, env), node)


def _value(run: ArrowInterpreter, value: Value, node: ast.expr) -> Part:
    if not isinstance(value, ArrowScalar):
        return Part(run.plain(node, value))
    # A scalar has the type of its column, be it NULL; a timestamp of the input is not in UTC.
    if value.type is None or value.type.name not in ("bool", "int", "float", "string", "date"):
        raise Refusal("opaque", "an Arrow scalar whose type is not known", node)
    return Part(value.value, value.type, scalar=True)


# --- the schema


def _schema(run: ArrowInterpreter, node: ast.expr, env: Env) -> ArrowSchema | None:
    if isinstance(node, ast.Constant) and node.value is None:
        return None
    found = run.arrow(node, env)
    if isinstance(found, Unreadable):
        raise Refusal(found.obstruction, found.reason, node)
    if not isinstance(found, ArrowSchema):
        raise Refusal("opaque", f"the Arrow schema `{run.scope.ctx.text(node)}` is not known", node)
    return found


def _check_types(run: ArrowInterpreter, types: dict[str, Type | None], node: ast.AST) -> None:
    declared = {f.name: f.type for f in run.output.fields}
    if set(types) != set(declared):
        raise Refusal("may-throw", "the returned columns are not the declared ones", node)
    if list(types) != list(declared):
        run.scope.assume("Spark matches the columns of a group's result by name, as it does by default", "setting")
    for name, t in types.items():
        if t is None:
            raise Refusal("opaque", f"no model covers the Arrow type of `{name}`", node)
        if t != declared[name]:
            raise Refusal("may-throw", f"`{name}` is a {t} in the Arrow table, declared as {declared[name]}", node)


def _table(run: ArrowInterpreter, row: dict[str, Part], schema: ArrowSchema | None, rows: bool, node: ast.AST) -> Table:
    if schema is not None:
        missing = [n for n, _ in schema.fields if n not in row]
        if missing and not rows:
            raise Refusal("may-throw", f"there is no column `{missing[0]}` in the data", node)
        _check_types(run, dict(schema.fields), node)
        # from_pylist fills what a row lacks with None; what the schema lacks is left out.
        parts = {n: _into(run, row.get(n, Part(NONE)), t, node) for n, t in schema.fields}
    else:
        declared = {f.name: f.type for f in run.output.fields}
        typed = {n: p if p.type else _inferred(run, n, p, declared.get(n), node) for n, p in row.items()}
        _check_types(run, {n: p.type for n, p in typed.items()}, node)
        parts = {n: p.value for n, p in typed.items()}
    return Table(tuple(f.name for f in run.output.fields), tuple(parts[f.name] for f in run.output.fields))


def _into(run: ArrowInterpreter, part: Part, t: Type | None, node: ast.AST) -> Expr:
    """A value on its way into a column of type ``t``."""
    if part.scalar and part.type != t:
        raise Refusal("may-throw", "a scalar of the key in a column of another type", node)
    if part.type is not None and part.type != t:
        raise Refusal("opaque", "an Arrow array that is cast", node)
    return part.value


def _inferred(run: ArrowInterpreter, name: str, part: Part, declared: Type | None, node: ast.AST) -> Part:
    """The type that pyarrow infers for a column of one value; a column of one None is of no type that will do."""
    if declared is not None:
        run.scope.hint(part.value, declared)
    found = kinds(run.scope, part.value, slot_kinds(run.scope, run.slots))
    t = _INFERRED.get(next(iter(found))) if len(found) == 1 else None
    if t is None:
        raise Refusal("may-throw", f"the type of the column `{name}` depends on its value: name it in a schema", node)
    null = is_null(part.value) if _may_be_none(run, part.value) else FALSE
    return Part(choose(null, Raise(f"`{name}` is of type null"), part.value), t)


def _may_be_none(run: ArrowInterpreter, e: Expr) -> bool:
    columns = value_tags.of_columns(run.scope.columns, run.scope.facts)
    slots = value_tags.settled(columns, run.slots.init, run.slots.step, None)
    return "none" in value_tags.ColumnValues(columns, slots).of(e)


def _key(node: ast.expr | None, where: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise Refusal("opaque", "column names that are not string literals", where)
