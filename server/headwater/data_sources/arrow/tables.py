"""Tables and batches of pyarrow, as values of the evaluator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from headwater.validation.library import Proxy
from headwater.validation.limits import NotEvaluated

from ..outside import shown
from .expressions import Array, Expression, Function, Scalar, plain
from .types import INFERRED, ArrowType, Schema


class Table(Proxy):
    """A table, or a batch of one: columns of equal lengths. ``batch``: Spark takes it from a reader."""

    def __init__(self, names: list[str], columns: list[Array], batch: bool) -> None:
        if len({*names}) < len(names) or len({len(c) for c in columns}) > 1 or len(names) != len(columns):
            raise NotEvaluated("columns that make no table")
        self.names, self.columns, self.batch = names, columns, batch
        self.path = f"table({shown(names)}, {shown(columns)})"

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Its rows."""
        return [dict(zip(self.names, vs, strict=True)) for vs in zip(*(c.values for c in self.columns), strict=True)]

    def of(self, rows: list[dict[str, Any]], batch: bool | None = None) -> Table:
        """A table of the same columns."""
        columns = [Array([r[n] for r in rows], c.type) for n, c in zip(self.names, self.columns, strict=True)]
        return Table(self.names, columns, self.batch if batch is None else batch)

    def attribute(self, name: str) -> Any:
        match name:
            case "num_rows":
                return len(self.rows)
            case "num_columns":
                return len(self.names)
            case "column_names":
                return [*self.names]
            case "column":
                return Function(self.item)
            case "to_pylist":
                return Function(lambda: self.rows)
            case "to_pydict":
                return Function(lambda: {n: [*c.values] for n, c in zip(self.names, self.columns, strict=True)})
            case "to_batches" if not self.batch:
                return Function(lambda max_chunksize=None: [self.of(self.rows, True)] if self.rows else [])
            case "combine_chunks" if not self.batch:
                return Function(lambda: self)
            case "filter":
                return Function(self._filtered)
            case "select":
                return Function(self.selected)
        return super().attribute(name)

    def item(self, key: Any) -> Any:
        if isinstance(key, str) and key not in self.names:
            raise KeyError(key)
        if not isinstance(key, (str, int)):
            raise NotEvaluated("a part of a table")
        return self.columns[self.names.index(key) if isinstance(key, str) else key]

    def elements(self) -> Iterator[Any]:
        """Its columns."""
        return iter([*self.columns])

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return len(self.rows) > 0

    def _filtered(self, mask: Any) -> Table:
        rows = self.rows
        if isinstance(mask, Expression):
            return self.of([r for r in rows if kept(mask, r)])
        if isinstance(mask, Array) or type(mask) is list:
            values = mask.values if isinstance(mask, Array) else [plain(v) for v in mask]
            if len(values) != len(rows) or not all(v is None or isinstance(v, bool) for v in values):
                raise NotEvaluated("a mask of another table")
            return self.of([r for r, v in zip(rows, values, strict=True) if v is True])
        raise NotEvaluated("a mask of a table")

    def selected(self, names: Any) -> Table:
        """Some of the columns."""
        if type(names) not in (list, tuple) or not all(isinstance(n, str) for n in names):
            raise NotEvaluated("the columns of a table")
        if not {*names} <= {*self.names}:
            raise KeyError("no such column")
        return Table([*names], [self.columns[self.names.index(n)] for n in names], self.batch)


def kept(condition: Expression, row: dict[str, Any]) -> bool:
    """Whether a filter keeps a row."""
    found = condition.of(row)
    if found is not None and not isinstance(found, bool):
        raise NotEvaluated("a condition of Arrow that is not a truth value")
    return found is True


def _array(values: Any, type: Any = None, **options: Any) -> Array:
    if isinstance(values, Array) and type is None:
        return values
    given = values.values if isinstance(values, Array) else values
    if builtin_type(given) not in (list, tuple) or options or not isinstance(type, (ArrowType, NoneType)):
        raise NotEvaluated("an array of something that is no list")
    found = [plain(v) for v in given]
    if type is not None:
        return Array([type.cast(v) for v in found], type.name)
    kinds = {builtin_type(v) for v in found if v is not None}
    if len(kinds) > 1:
        raise NotEvaluated("an array of several types")
    return Array(found, INFERRED[kinds.pop()] if kinds else "null")


builtin_type, NoneType = type, type(None)


def _made(names: list[str], columns: list[Any], schema: Any, batch: bool) -> Table:
    if schema is not None and not isinstance(schema, Schema):
        raise NotEvaluated("a schema of Arrow")
    types = dict(zip(schema.names, schema.fields, strict=True)) if schema is not None else {}
    arrays = [_array(c if isinstance(c, Array) else [*c], types[n].type if n in types else None)
              for n, c in zip(names, columns, strict=True)]  # fmt: skip
    return Table(names, arrays, batch)


def _from_pydict(batch: bool) -> Callable[..., Table]:
    def made(mapping: Any, schema: Any = None, metadata: Any = None) -> Table:
        if type(mapping) is not dict or not all(isinstance(c, Array) or type(c) is list for c in mapping.values()):
            raise NotEvaluated("a table of something that is no dict of lists")
        names = schema.names if isinstance(schema, Schema) else [*mapping]
        if not {*names} <= {*mapping}:
            raise KeyError("a column of the schema is missing")
        return _made(names, [mapping[n] for n in names], schema, batch)

    return made


def _from_pylist(batch: bool) -> Callable[..., Table]:
    def made(rows: Any, schema: Any = None, metadata: Any = None) -> Table:
        if type(rows) is not list or not all(type(r) is dict for r in rows):
            raise NotEvaluated("a table of something that is no list of dicts")
        names = schema.names if isinstance(schema, Schema) else [*(rows[0] if rows else {})]
        return _made(names, [[r.get(n) for r in rows] for n in names], schema, batch)

    return made


def _from_arrays(batch: bool) -> Callable[..., Table]:
    def made(arrays: Any, names: Any = None, schema: Any = None, metadata: Any = None) -> Table:
        named = schema.names if isinstance(schema, Schema) else names
        if type(arrays) is not list or type(named) not in (list, tuple) or len(named) != len(arrays):
            raise NotEvaluated("a table of something that is no list of arrays")
        return _made([*named], arrays, schema, batch)

    return made


def _table(batch: bool) -> Callable[..., Table]:
    def made(data: Any, names: Any = None, schema: Any = None, metadata: Any = None) -> Table:
        if type(data) is dict:
            return _from_pydict(batch)(data, schema)
        return _from_arrays(batch)(data, names, schema)

    return made


class _Class(Proxy):
    """A class, of which only makers are called."""

    def __init__(self, name: str, makers: dict[str, Callable[..., Any]]) -> None:
        self.path, self._makers = name, makers

    def attribute(self, name: str) -> Any:
        return Function(self._makers[name]) if name in self._makers else super().attribute(name)


def _makers(batch: bool) -> dict[str, Callable[..., Any]]:
    return {
        "from_pydict": _from_pydict(batch), "from_pylist": _from_pylist(batch), "from_arrays": _from_arrays(batch),
        **({} if batch else {"from_batches": _from_batches}),
    }  # fmt: skip


def _from_batches(batches: Any, schema: Any = None) -> Table:
    if type(batches) is not list or not batches or not all(isinstance(b, Table) for b in batches):
        raise NotEvaluated("a table of something that is no list of batches")
    first: Table = batches[0]
    return first.of([r for b in batches for r in b.rows], False)


IMPORTED: dict[str, Any] = {
    "pyarrow.array": Function(_array),
    "pyarrow.scalar": Function(lambda value: Scalar(plain(value))),
    "pyarrow.table": Function(_table(False)),
    "pyarrow.record_batch": Function(_table(True)),
    "pyarrow.Table": _Class("pyarrow.Table", _makers(False)),
    "pyarrow.RecordBatch": _Class("pyarrow.RecordBatch", _makers(True)),
}
"""By full name."""

__all__ = ["IMPORTED", "Table", "kept"]
