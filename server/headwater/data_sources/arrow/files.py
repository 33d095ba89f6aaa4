"""Files and data sets that pyarrow reads: they hold the rows of the source."""

from __future__ import annotations

from typing import Any

from headwater.validation.library import Callee, Proxy
from headwater.validation.limits import NotEvaluated

from ..outside import Outer, shown
from .expressions import FUNCTIONS, Array, Expression, Function, apply_isin, field
from .tables import Table, kept
from .types import type_of


class Stored(Proxy):
    """A data set, a file or a scan of one: the rows of the source, less those that ``condition`` drops."""

    def __init__(self, outer: Outer, path: str, columns: Any = None, condition: Expression | None = None) -> None:
        self.outer, self.path, self._columns, self._condition = outer, path, columns, condition
        outer.ask(path)

    def _read(self, columns: Any = None, filter: Any = None, **options: Any) -> Table:
        if not {*options} <= _HARMLESS:
            raise NotEvaluated("an option of a scan")
        if filter is not None and not isinstance(filter, Expression):
            raise TypeError("filter")
        self.outer.used = True
        rows = [r for r in self.outer.rows for c in (self._condition,) if c is None or kept(c, r)]
        rows = [r for r in rows if filter is None or kept(filter, r)]
        names = [c.name for c in self.outer.columns]
        columns_ = [Array([r[c.name] for r in rows], type_of(c)) for c in self.outer.columns]
        table = Table(names, columns_, False)
        columns = self._columns if columns is None else columns
        return table if columns is None else table.selected(columns)

    def _batches(self, **options: Any) -> list[Table]:
        table = self._read(**options)
        return [table.of(table.rows, True)] if table.rows else []

    def attribute(self, name: str) -> Any:
        match name:
            case "to_table" | "read":
                return Function(lambda columns=None, **options: self._read(columns, **options))
            case "to_batches" | "iter_batches":
                return Function(lambda **options: self._batches(**options))
            case "scanner":
                return Function(self._scanner)
            case "filter":
                return Function(self._with)
        return super().attribute(name)

    def _scanner(self, columns: Any = None, filter: Any = None, **options: Any) -> Stored:
        if not {*options} <= _HARMLESS:
            raise NotEvaluated("an option of a scan")
        scan = self if filter is None else self._with(filter)
        return Stored(self.outer, self.path, columns, scan._condition)

    def _with(self, condition: Any) -> Stored:
        if not isinstance(condition, Expression):
            raise TypeError("filter")
        both = condition if self._condition is None else self._condition & condition
        return Stored(self.outer, self.path, self._columns, both)


_HARMLESS = frozenset({"batch_size", "use_threads", "batch_readahead", "fragment_readahead", "memory_map"})
"""Options that change nothing of the rows."""
_OPERATORS = {
    "=": "equal", "==": "equal", "!=": "not_equal", "<": "less", ">": "greater", "<=": "less_equal",
    ">=": "greater_equal",
}  # fmt: skip


def filters_of(filters: Any) -> Expression | None:
    """``filters=`` of ``pyarrow.parquet.read_table``: an expression, or tuples in disjunctive normal form."""
    if filters is None or isinstance(filters, Expression):
        return filters
    if type(filters) is not list or not filters or any(type(f) not in (list, tuple) for f in filters):
        raise ValueError("Malformed filters")
    nested = all(f and type(f[0]) in (list, tuple) for f in filters)
    made = [_all(conjunction) for conjunction in (filters if nested else [filters])]
    found = made[0]
    for other in made[1:]:
        found = found | other
    return found


def _all(conjunction: Any) -> Expression:
    found: Expression | None = None
    for column, op, value in conjunction:
        of = field(column)
        if op in ("in", "not in"):
            one = apply_isin(of, value)
            one = one if op == "in" else ~one
        elif op in _OPERATORS:
            one = FUNCTIONS[_OPERATORS[op]](of, value)
        else:
            raise ValueError("not a valid operator in predicates")
        found = one if found is None else found & one
    assert found is not None
    return found


class Opened(Callee):
    """What opens a file or a data set: ``pyarrow.dataset.dataset``, ``pyarrow.parquet.read_table``."""

    def __init__(self, outer: Outer, full: str) -> None:
        self.outer, self.full = outer, full

    def __call__(self, source: Any, *args: Any, **named: Any) -> Any:
        options = {k: v for k, v in named.items() if k not in ("filters", "columns")}
        if args or not {*options} <= _HARMLESS | {"format"} or options.get("format", "parquet") != "parquet":
            raise NotEvaluated("an option of a file")
        path = f"{self.full}({shown(source)}, {', '.join(f'{k}={shown(v)}' for k, v in sorted(options.items()))})"
        if self.full not in _READ:
            if {"filters", "columns"} & {*named} and self.full not in _WITH_FILTERS:
                raise NotEvaluated("an option of a file")
            return Stored(self.outer, path, None, filters_of(named.get("filters")))
        return Stored(self.outer, path)._read(named.get("columns"), filters_of(named.get("filters")))


_WITH_FILTERS = ("pyarrow.parquet.ParquetDataset",)
_READ = ("pyarrow.parquet.read_table",)
OPENED = ("pyarrow.dataset.dataset", "pyarrow.parquet.ParquetFile", *_WITH_FILTERS, *_READ)


IMPORTED: dict[str, Any] = {
    **{f"pyarrow.compute.{name}": Function(function) for name, function in FUNCTIONS.items()},
    "pyarrow.dataset.field": Function(field),
    "pyarrow.dataset.scalar": Function(FUNCTIONS["scalar"]),
}
"""By full name."""

__all__ = ["IMPORTED", "OPENED", "Opened"]
