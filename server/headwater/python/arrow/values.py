"""What a function does with the group's Arrow table: reading its rows, columns and key, and looping over them."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.libraries import models
from headwater.python.builtins import containers
from headwater.python.exprs.simplify import NONE
from headwater.python.interpreter.outcomes import End, Outcome, Path
from headwater.python.interpreter.scalars import _COMPARE
from headwater.python.rows.row_loops import FoldInterpreter
from headwater.python.rows.row_sequences import Row
from headwater.python.values.rows import KeyTuple, Rows
from headwater.python.values.scope import AbstractObject, Env, Unreadable, Value
from headwater.python.values.slots import Slots
from headwater.python.values.structures import RecordValue
from headwater.syntax.core.early_exits import leaves_early
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import TRUE, Expr
from headwater_ir.plan import Schema
from headwater_ir.types import BOOL

from . import compute, reductions
from .table import ArrowGroup, ArrowScalar, Batch, Chunked, Columns, Extremes, Field, FirstRow, GroupTable, Rowlike
from .types import SCALARS, ArrowSchema, read_arrow_schema

_NAIVE = {"datetime.datetime", "pandas.Timestamp", "pandas.to_datetime"}
_CLASSES: dict[type[AbstractObject], str] = {
    Batch: "pyarrow.Table", GroupTable: "pyarrow.Table", Chunked: "pyarrow.ChunkedArray",
    ArrowScalar: "pyarrow.Scalar", Extremes: "pyarrow.Scalar", ArrowSchema: "pyarrow.Schema", Rows: "builtins.list",
}  # fmt: skip
"""The classes that the methods of these objects belong to. A batch has those of a table that are read here."""


class ArrowInterpreter(FoldInterpreter):
    """Gives a meaning to the table, its rows and its columns."""

    never_empty = True

    def __init__(self, group: ArrowGroup, slots: Slots, output: Schema) -> None:
        super().__init__(group.scope, slots)
        self.group, self.output, self.keys = group, output, group.keys

    # --- statements

    def statement(self, node: ast.stmt, env: Env, path: Path) -> Outcome:
        """``return a if c else b`` is two returns."""
        if isinstance(node, ast.Return) and node.value is not None:
            split = _split(node.value)
            if split is not None:
                test, then, otherwise = split
                branches: list[list[ast.stmt]] = [[ast.copy_location(ast.Return(v), node)] for v in (then, otherwise)]
                node = ast.copy_location(ast.If(test, *branches), node)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.GeneratorExp):
            if len(node.targets) == 1 and isinstance(node.targets[0], (ast.Tuple, ast.List)):  # it is used up at once
                made = ast.copy_location(ast.ListComp(node.value.elt, node.value.generators), node.value)
                node = ast.copy_location(ast.Assign(node.targets, made), node)
        return super().statement(node, env, path)

    def loop(self, node: ast.For, env: Env, path: Path) -> Outcome | None:
        """A loop over batches is one over their rows if it does nothing else."""
        batches = self.arrow(node.iter, env)
        if not (isinstance(batches, Batch) and batches.whole):
            return super().loop(node, env, path)
        match node:
            case ast.For(target=ast.Name(id=name), body=[ast.For(orelse=[]) as inner], orelse=[]) if not leaves_early(
                inner
            ):
                found = self.loop(inner, {**env, name: Batch(whole=False, order=batches.order)}, path)
                last = Unreadable("opaque", f"`{name}` is the last batch that the loop saw")
                return End("next", {**found.env, name: last}) if isinstance(found, End) else found
        raise Refusal("opaque", "a loop over batches that does more than go through their rows", node)

    def iterated(self, node: ast.expr, env: Env) -> Rows | None:
        """What ``to_pylist()`` makes of the table, or of a column."""
        found = self.arrow(node, env)
        if isinstance(found, Chunked) and not isinstance(found, Field):
            return Rows(ArrowScalar(found.element, found.type), found.mask, found.order)
        return found if isinstance(found, Rows) else None

    def is_fixed(self, value: Value) -> bool:
        """Also tables, columns and rows."""
        return isinstance(value, (GroupTable, Chunked, ArrowScalar, Row)) or super().is_fixed(value)

    def is_list(self, node: ast.expr, env: Env) -> bool:
        """Also ``to_pylist()``."""
        return isinstance(self.arrow(node, env), Rows) or super().is_list(node, env)

    def measured(self, node: ast.expr, env: Env) -> Rows | None:
        """The table, or a column: ``len`` counts the rows."""
        found = self.arrow(node, env)
        if not isinstance(found, (GroupTable, Chunked)) or isinstance(found, Field):
            return None
        return Rows(TRUE, found.mask, found.order)

    def kept_row(self, value: Value, node: ast.AST) -> Value:
        """A row under another name: a record of its columns, as far as they are known."""
        if not isinstance(value, Rowlike) or not self.group.source.complete:
            return value
        parts: dict[str, Value] = {}
        for field in self.group.source.fields:
            if field.type.name not in ("opaque", "list"):
                parts[field.name] = self.cell(value, field.name, node)
            elif self.scope.names.has_string(field.name):
                # A read of it must not pass for one that raises.
                raise Refusal("opaque", f"a row is kept, and `{field.name}` of it has no model", node)
        values = tuple(parts.values())
        return RecordValue(tuple(parts), values, "item", False, self.solid(values))

    # --- values

    def arrow(self, node: ast.expr, env: Env) -> AbstractObject | None:
        """``node`` as a table, list of rows, row or column; None if it is something else."""
        if isinstance(node, ast.Name):
            found = env[node.id] if node.id in env else self._constant_schema(node)
        else:
            found = self.object_at(node, env)
        return found if isinstance(found, AbstractObject) else None

    def _constant_schema(self, node: ast.Name) -> ArrowSchema | None:
        """A schema that the module binds once; nothing changes one."""
        bound = None if node.id in self.scope.local_names else self.scope.ctx.constant(node.id)
        if not isinstance(bound, ast.Call) or self.scope.shadowed(node.id):
            return None
        return read_arrow_schema(bound, self.scope.origin) if self._makes_schema(bound) else None

    def _makes_schema(self, node: ast.Call) -> bool:
        return self.scope.origin(node.func) == "pyarrow.schema"

    def object_at(self, node: ast.expr, env: Env) -> Value | None:
        """The meaning of ``node`` beyond that of scalars, if it has one."""
        if isinstance(node, ast.Attribute):
            owner = self.arrow(node.value, env)
            if isinstance(owner, GroupTable) and node.attr == "num_rows":
                return self.count(node, Rows(TRUE, owner.mask))
            return self._schema() if isinstance(owner, GroupTable) and node.attr == "schema" else None
        if isinstance(node, ast.Subscript):
            return self._subscript(node, env)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            return self._has_key(node, env)
        if isinstance(node, (ast.Compare, ast.BinOp, ast.UnaryOp)):
            return self._of_field(node, env)
        return self._call(node, env) if isinstance(node, ast.Call) else None

    def unpack(self, value: Value, node: ast.expr) -> tuple[Value, ...] | None:
        """The elements of a tuple, or of the key."""
        if isinstance(value, KeyTuple):
            return tuple(self.key_part(n) for n in value.names)
        return super().unpack(value, node)

    def key_part(self, name: str) -> ArrowScalar:
        field = self.group.source.field(name)
        return ArrowScalar(self.group.view(name), None if field is None else field.type)

    def _schema(self) -> ArrowSchema:
        source = self.group.source
        if not source.complete:
            raise Refusal("opaque", "the schema of a table of unknown columns")
        # The input's timestamps are in the session's time zone, the output's in UTC.
        known = SCALARS - {t for t in SCALARS if t.name == "timestamp"}
        return ArrowSchema(tuple((f.name, f.type if f.type in known else None) for f in source.fields))

    def _subscript(self, node: ast.Subscript, env: Env) -> Value | None:
        own = self.at_number(node, env)
        if own is not None:
            return own
        owner = self.arrow(node.value, env)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if isinstance(owner, Rowlike):
            if not isinstance(index, str):
                raise Refusal("may-throw", f"`{self.scope.ctx.text(node)}` on a row, which is a dict", node)
            return self.cell(owner, index, node)
        if isinstance(owner, KeyTuple):
            if type(index) is not int or not -len(owner.names) <= index < len(owner.names):
                raise Refusal("may-throw", "the key has no such part", node)
            return self.key_part(owner.names[index])
        if isinstance(owner, GroupTable) and isinstance(index, str):
            return self._column(owner, index)
        if isinstance(owner, Columns) and isinstance(index, str):
            return self._listed(self._column(owner.table, index))
        if isinstance(owner, Extremes) and index in ("min", "max"):
            return owner.least if index == "min" else owner.greatest
        if isinstance(owner, Chunked) and not isinstance(owner, Field) and index == 0:
            column = self.as_list(node, self._listed(owner))
            return ArrowScalar(self.plain(node, containers.end(self, node, column, 0)), owner.type)
        if isinstance(owner, (Chunked, Batch, GroupTable)) and index != 0:
            raise Refusal("may-throw", f"`{self.scope.ctx.text(node)}`: a group may have too few rows", node)
        rows = self.rows_at(node.value, env)
        if rows is not None and isinstance(rows.element, Row) and index == 0 and self.surely_some(rows):
            return FirstRow(rows)
        return None

    def cell(self, row: Row | FirstRow, name: str, node: ast.AST) -> Expr:
        """``row["name"]``."""
        if self.group.has(name) is False:
            raise Refusal("may-throw", f"there is no column `{name}`", node)
        return self.first(row.rows, name, node) if isinstance(row, FirstRow) else self.group.view(name)

    def first(self, rows: Rows, name: str, node: ast.AST) -> Expr:
        """The column's value in the first of the rows."""
        column = self.as_list(node, replace(rows, element=self.group.view(name)))
        return self.plain(node, containers.end(self, node, column, 0))

    def _column(self, table: GroupTable, name: str) -> Chunked:
        return Chunked(self.group.view(name), self.group.type(name), table.mask, table.order)

    def _listed(self, column: Chunked) -> Rows:
        return Rows(column.element, column.mask, column.order)

    def _of_field(self, node: ast.Compare | ast.BinOp | ast.UnaryOp, env: Env) -> Value | None:
        """``pc.field("x") == 1``, and ``&``, ``|`` and ``~`` of such conditions."""
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
                sides = [self.any_value(n, env) if self._is_field(n, env) else None for n in (left, right)]
                if not any(isinstance(s, Field) for s in sides):
                    return None
                a, b = (self.any_value(n, env) if s is None else s for s, n in zip(sides, (left, right), strict=True))
                return compute.compared(self, node, _COMPARE[type(op)], a, b)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() as op, right=right):
                one, other = (self.arrow(n, env) if self._is_field(n, env) else None for n in (left, right))
                if isinstance(one, Field) and isinstance(other, Field) and one.type == other.type == BOOL:
                    return compute.joined(self, one, other, conjunction=isinstance(op, ast.BitAnd), kleene=True)
            case ast.UnaryOp(op=ast.Invert(), operand=operand) if self._is_field(operand, env):
                of = self.arrow(operand, env)
                if isinstance(of, Field) and of.type == BOOL:
                    return compute.negated(self, of)
        return None

    def _is_field(self, node: ast.expr, env: Env) -> bool:
        """Whether ``node`` is computed of ``pc.field``."""
        return any(
            isinstance(env.get(n.id), Field)
            if isinstance(n, ast.Name)
            else isinstance(n, ast.Call) and self.scope.origin(n.func) == "pyarrow.compute.field"
            for n in ast.walk(node)
        )

    def _has_key(self, node: ast.Compare, env: Env) -> Value | None:
        if isinstance(self.arrow(node.comparators[0], env), Row):
            raise Refusal("opaque", "a test of which columns a row has", node)
        return None

    # --- calls

    def _call(self, node: ast.Call, env: Env) -> Value | None:
        from .results import build_table

        name = self.scope.origin(node.func) or ""
        if name in _NAIVE:
            raise Refusal("may-throw", "a naive timestamp: those of Arrow carry the session's time zone", node)
        if self._makes_schema(node):
            return read_arrow_schema(node, self.scope.origin)
        if name == "pyarrow.compute.field":
            (column,) = models.bind(name, node).rest
            if not isinstance(column, ast.Constant) or not isinstance(column.value, str):
                raise Refusal("opaque", "a field that is not named", node)
            return Field(self.group.view(column.value), self.group.type(column.value))
        if name.startswith("pyarrow."):
            found = compute.call(self, node, name, env)
            return build_table(self, node, name, env) if found is None else found
        if name.startswith("builtins."):
            return None
        return self._method(node, node.func, env) if isinstance(node.func, ast.Attribute) else None

    def _method(self, node: ast.Call, function: ast.Attribute, env: Env) -> Value | None:
        owner, method = self.arrow(function.value, env), function.attr
        if isinstance(owner, Rowlike):
            return self._row_method(node, owner, method, env)
        kind = next((name for cls, name in _CLASSES.items() if isinstance(owner, cls)), None)
        if kind is None or models.signature_of(f"{kind}.{method}") is None:
            self._without_model(node, owner, method)
            return None
        given = models.bind(f"{kind}.{method}", node).arguments
        if isinstance(owner, ArrowScalar) and method == "as_py":
            return owner.value
        if isinstance(owner, Extremes) and method == "as_py":
            return reductions.record(owner)
        if isinstance(owner, (GroupTable, Chunked)) and not isinstance(owner, Field) and method == "filter":
            return compute.restricted(self, node, owner, given["mask"], env)
        if isinstance(owner, Chunked) and method == "cast":
            return compute.as_numbers(self, node, owner, given.get("target_type"))
        if isinstance(owner, GroupTable) and method == "to_pydict":
            return Columns(owner)
        if isinstance(owner, GroupTable) and method == "column":
            name = given["i"].value if isinstance(given["i"], ast.Constant) else None
            return self._column(owner, name) if isinstance(name, str) else None
        if isinstance(owner, GroupTable) and method == "sort_by":
            return self._sorted_table(owner, given["sorting"])
        if isinstance(owner, GroupTable) and method == "to_batches" and owner.mask == TRUE:
            return Batch(whole=True, order=owner.order)
        if isinstance(owner, ArrowSchema) and method == "empty_table":
            from .results import no_rows

            return no_rows(self, owner, node)
        if method == "to_pylist":
            if isinstance(owner, Chunked):
                return replace(self._listed(owner), collects=True)
            if isinstance(owner, GroupTable) or (isinstance(owner, Batch) and not owner.whole):
                return Rows(Row("item"), getattr(owner, "mask", TRUE), owner.order)
        if isinstance(owner, Rows) and method == "copy":
            return replace(owner, collects=True)
        self._without_model(node, owner, method)
        return None

    def _without_model(self, node: ast.Call, owner: AbstractObject | None, method: str) -> None:
        """Refuse another method of the table or of what is made of it."""
        if isinstance(owner, Rows) and method == "count":
            return  # as of any list
        if isinstance(owner, Rows):
            raise Refusal("side-effect" if method == "sort" else "opaque", f"the list method `{method}`", node)
        if isinstance(owner, (GroupTable, Batch, Chunked)):
            raise Refusal("opaque", f"`{method}` of an Arrow table", node)

    def _sorted_table(self, table: GroupTable, by: ast.expr) -> GroupTable:
        """``table.sort_by("x")``, ``table.sort_by([("x", "descending"), …])``: stable, with NaN and NULL last."""
        parts = by.elts if isinstance(by, ast.List) else [by]
        for part in parts:
            first = part.elts[0] if isinstance(part, ast.Tuple) and part.elts else part
            if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
                raise Refusal("opaque", "a table sorted by something that is not written as a literal", by)
            self.group.type(first.value)
        return replace(table, order=self.new_order())

    def _row_method(self, node: ast.Call, row: Row | FirstRow, method: str, env: Env) -> Value:
        given = models.in_order("builtins.dict.get", node) if method == "get" else ()
        key = given[0].value if given and isinstance(given[0], ast.Constant) else None
        if not isinstance(key, str):
            raise Refusal("opaque", f"`{self.scope.ctx.text(node)}` of a row", node)
        there = self.group.has(key)
        if there is None:
            raise Refusal("opaque", f"`get` of `{key}`, which the rows may not have (schema unknown)", node)
        if there:
            return self.cell(row, key, node)
        return self.value(given[1], env) if len(given) == 2 else NONE


def _split(value: ast.expr) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """``a if c else b``, as a whole or as the only rows of a table, as (c, a, b)."""
    if isinstance(value, ast.IfExp):
        return value.test, value.body, value.orelse
    if isinstance(value, ast.Call) and value.args and isinstance(value.args[0], ast.IfExp):
        choice, rest = value.args[0], value.args[1:]
        calls = [
            ast.copy_location(ast.Call(value.func, [rows, *rest], value.keywords), value)
            for rows in (choice.body, choice.orelse)
        ]
        return choice.test, calls[0], calls[1]
    return None
