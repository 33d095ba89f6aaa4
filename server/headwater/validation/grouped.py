"""Functions of a group that are given a pandas frame, columns of one, or an Arrow table."""

from __future__ import annotations

import ast
import datetime as dt
import functools
import math
import warnings
from collections.abc import Mapping
from typing import Any

from headwater_ir.expr import Col, Scalar
from headwater_ir.types import Type

from . import installed
from .calls import PASSES, SEVERAL_ROWS, SKIPPED, Call, Condition, Elements, Stored, TableFunction, Tests, Udf, stored
from .frames import Frame, Result, Vectorised
from .limits import NotEvaluated
from .samples import Row as Given
from .values import ModuleName
from .world import UserFunction, World


class Grouped(Call):
    """A function of one group, given as a pandas frame, that returns one row, or none. ``libraries``: the installed
    pandas, where the function computes on whole columns."""

    libraries: dict[str, ModuleName] | None = None

    def install(self) -> None:
        """From now on, evaluate with the installed pandas. NotEvaluated where there is none."""
        self.libraries = installed.modules("pandas")

    def run(self, world: World, parts: list[list[Given]]) -> Stored:
        (rows,) = parts
        return self.together(self.rows_of(world, rows))

    def rows_of(self, world: World, rows: list[Given], among: list[Given] | None = None) -> list[dict[str, Any]]:
        """What Spark stores of the rows that the function returns for this group. ``among``: rows of the same frame, of
        which it is known what is in columns without a type that hold nothing but NULL in these."""
        (node,) = self.nodes
        world.libraries = self.libraries or {}
        names = [f.name for f in self.code.source.fields] if self.code.ordered else list(rows[0])
        if self.libraries is None:
            columns = shown({n: [r[n] for r in rows] for n in names}, self.types)
            frame: Any = Frame(columns, self.code.ordered)
            key = tuple(columns[k][0] for k in self.code.keys)
        else:
            frame = self._frame(rows, names, among or rows)
            key = tuple(frame[k].iloc[0] for k in self.code.keys)
        function = world.value(node)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._stored(function(*((key, frame) if _takes_key(function) else (frame,))))

    def _frame(self, rows: list[Given], names: list[str], among: list[Given]) -> Any:
        import pandas as pd

        columns = {n: series([r[n] for r in rows], self.types.get(n), [r[n] for r in among]) for n in names}
        frame = pd.DataFrame(columns)
        frame.attrs["complete"] = self.code.ordered
        return frame

    def _stored(self, made: Any) -> list[dict[str, Any]]:
        """What Spark stores of the frame that the function returns."""
        if isinstance(made, Frame):
            made = Result([list(r) for r in zip(*made.columns.values(), strict=True)], list(made.columns))
        elif self.libraries is not None and type(made).__name__ == "DataFrame":
            named = all(isinstance(c, str) for c in made.columns)
            columns = [made.iloc[:, i].tolist() for i in range(len(made.columns))]
            rows = [list(map(installed.as_python, r)) for r in zip(*columns, strict=True)]
            made = Result(rows, list(made.columns) if named and len(made.columns) else None)
        if not isinstance(made, Result):
            raise NotEvaluated("what the function returns")
        names = self.output_names
        if made.names is not None and {*made.names} != {*names}:
            raise ValueError("the columns are not those that are declared")
        found = list[dict[str, Any]]()
        for row in made.rows:
            if len(row) != len(names):
                raise ValueError("there are not as many columns as are declared")
            values = dict(zip(made.names or names, row, strict=True))
            found.append({o.name: self.result(values[o.name], o.type) for o in self.fold.outputs if self._says(o.name)})
        return found

    def _says(self, output: str) -> bool:
        return self.keyed is None or output in self.keyed

    def together(self, rows: list[dict[str, Any]]) -> Stored:
        """The one row that is returned; where the fold speaks of keys alone, what all rows share."""
        if any(row[n] is None for row in rows for n in self.code.required if n in row):
            raise ValueError("a column that is declared NOT NULL has a NULL")
        if self.keyed is None:
            if len(rows) > 1:
                raise SEVERAL_ROWS
            if not rows and self.fold.rows == "one":
                raise SKIPPED  # which rows the function drops plays no part
            return rows[0] if rows else None
        if not rows:
            raise SKIPPED
        return {n: rows[0][n] if len({_token(r[n]) for r in rows}) == 1 else "several values" for n in self.keyed}

    def result(self, value: Any, t: Type) -> Scalar:
        """What Spark stores of a value of a pandas frame in a column of type ``t``. ValueError if it does not fit."""
        if value is None or (isinstance(value, (float, dt.datetime)) and value != value):
            return None
        if t.name == "int" and type(value) in (int, float):
            limit = 2 ** (t.bits or 64) // 2
            if not math.isfinite(value) or int(value) != value:
                raise ValueError("the number is not whole")
            if not -limit <= value < limit:
                raise SKIPPED if self.assumes_range else ValueError("the number does not fit")
            return int(value)
        if t.name == "float" and type(value) in (int, float):
            return float(value)
        if t.name == "string" and not isinstance(value, str):
            raise ValueError("a text was declared")
        return stored(value, t, self.assumes_range)


class Masks(Grouped):
    """Masks of a frame that the driver has, of which each takes rows."""

    def run(self, world: World, parts: list[list[Given]]) -> Stored:
        rows = [r for part in parts for r in part]
        self.install()
        world.libraries = self.libraries or {}
        names = [f.name for f in self.code.source.fields] if self.code.ordered else list(rows[0])
        frame = self._frame(rows, names, rows)
        passes = False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for variable, (node,) in self.steps:
                assert isinstance(node, ast.expr)
                arguments = ast.arguments([], [ast.arg(variable)], None, [], [], None, [])
                mask = world.value(ast.copy_location(ast.Lambda(arguments, node), node))(frame)
                if type(mask).__name__ != "Series":
                    raise NotEvaluated("rows that are not taken by a mask")
                passes |= any(map(installed.as_python, mask.tolist()))
        return {PASSES: passes}


class SeriesAggregate(Grouped):
    """A pandas UDF from columns of a group to one value."""

    def run(self, world: World, parts: list[list[Given]]) -> Stored:
        (rows,) = parts
        (node,) = self.nodes
        self.install()
        world.libraries = self.libraries or {}
        columns = [a.name for a in self.code.arguments if isinstance(a, Col)]
        given = [series([r[n] for r in rows], self.types.get(n)) for n in columns]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = installed.as_python(world.value(node)(*given))
        (name,) = self.names
        return {name: self.result(made, self.fold.output(name).type)}


class SeriesRows(SeriesAggregate):
    """A pandas UDF from columns to a column: here of a batch of one row."""

    def result(self, value: Any, t: Type) -> Scalar:
        if type(value).__name__ != "Series" or len(value) != 1:
            raise ValueError("not a column of the same length")
        return super().result(installed.as_python(value.tolist()[0]), t)


class ArrowGrouped(Grouped):
    """A function of one group, given as an Arrow table."""

    def run(self, world: World, parts: list[list[Given]]) -> Stored:
        (rows,) = parts
        (node,) = self.nodes
        world.libraries = self.libraries = self.libraries or installed.modules("pyarrow")
        names = [f.name for f in self.code.source.fields] if self.code.ordered else list(rows[0])
        import pyarrow as pa

        table = pa.table({n: arrow_array([r[n] for r in rows], self.types.get(n)) for n in names})
        key = tuple(table.column(k)[0] for k in self.code.keys)
        function = world.value(node)
        made = function(*((key, table) if _takes_key(function) else (table,)))
        if type(made).__name__ != "Table":
            raise NotEvaluated("what the function returns")
        if not made.num_columns:
            return self.together([])
        if {*made.column_names} != {*self.output_names} or len(made.column_names) != len(self.output_names):
            raise ValueError("the columns are not those that are declared")
        for o in self.fold.outputs:
            if made.schema.field(o.name).type != arrow_type(o.type):
                raise ValueError("a column is not of the declared type")
        found = made.to_pylist()
        return self.together([{o.name: row[o.name] for o in self.fold.outputs} for row in found])


def _token(value: Any) -> Any:
    """Equal for values that are one key: NaN is the same as NaN."""
    return "NaN" if value != value else value


def shown(columns: Mapping[str, list[Any]], types: Mapping[str, Type]) -> dict[str, list[Any]]:
    """The columns of a group as pandas shows them. Whole numbers beyond 2**53 beside a NULL are assumed away."""
    found: dict[str, list[Any]] = {}
    for name, values in columns.items():
        known = [v for v in values if v is not None]
        number = known or name not in types or types[name].name in _NUMBERS
        if any(isinstance(v, dt.datetime) for v in known) or (name in types and types[name].name == "timestamp"):
            raise Vectorised("a timestamp")
        if len(known) < len(values) and number and all(type(v) in (int, float) for v in known):
            _check_whole(known)
            found[name] = [math.nan if v is None else float(v) for v in values]
        else:
            found[name] = values
    return found


def _check_whole(known: list[Any]) -> None:
    if any(type(v) is int and abs(v) > 2**53 for v in known):
        raise SKIPPED


def series(values: list[Any], t: Type | None, among: list[Any] | None = None) -> Any:
    """A column of the installed pandas as Spark hands it over; of a column with these values, ``among`` others."""
    import pandas as pd

    missing = any(v is None for v in values)
    known = [v for v in among or values if v is not None]
    whole = all(type(v) is int for v in known) and (known or (t is not None and t.name == "int"))
    if whole and not missing:
        return pd.Series(values, dtype=f"int{t.bits}" if t is not None and t.name == "int" and t.bits else "int64")
    if all(type(v) in (int, float) for v in known) and (known or t is None or t.name in _NUMBERS):
        _check_whole(known)
        dtype = "float32" if t is not None and t.name == "float" and t.bits == 32 else "float64"
        return pd.Series([math.nan if v is None else v for v in values], dtype=dtype)
    if any(isinstance(v, dt.datetime) for v in known) or (t is not None and t.name == "timestamp"):
        return pd.Series(pd.to_datetime(pd.Series(values, dtype="object")), dtype="datetime64[ns]")
    if known and all(type(v) is bool for v in known) and not missing:
        return pd.Series(values, dtype="bool")
    return pd.Series(values, dtype="object")


_NUMBERS = frozenset({"int", "float", "number", "any"})


def arrow_type(t: Type | None) -> Any:
    """The Arrow type of a Spark type. NotEvaluated for one that is not plain."""
    import pyarrow as pa

    names = {"string": "string", "bool": "bool_", "date": "date32", "int": f"int{t.bits}" if t else "", "float": ""}
    if t is None or t.name not in names or (t.name == "int" and t.bits is None):
        raise NotEvaluated(f"an Arrow column of type {t}")
    if t.name == "float":
        return pa.float32() if t.bits == 32 else pa.float64()
    return getattr(pa, names[t.name])()


def arrow_array(values: list[Any], t: Type | None) -> Any:
    """A column of an Arrow table as Spark hands it over."""
    import pyarrow as pa

    known = [v for v in values if v is not None]
    if t is None or t.name in ("any", "number"):
        kinds = {type(v) for v in known}
        inferred = {int: pa.int64(), float: pa.float64(), str: pa.string()}
        if len(kinds) > 1 or not kinds <= inferred.keys():
            raise NotEvaluated("an Arrow column of a type that is not known")
        return pa.array(values, inferred[kinds.pop()] if kinds else pa.float64())
    return pa.array(values, arrow_type(t))


CALLS: dict[str, type[Call]] = {
    "udf": Udf, "udtf": TableFunction, "rdd": Elements, "tests": Tests, "applyInPandas": Grouped,
    "applyInArrow": ArrowGrouped, "series": SeriesAggregate, "pandas_udf": SeriesRows, "some tests": Tests,
    "condition": Condition, "some condition": Condition, "masks": Masks, "some masks": Masks,
}  # fmt: skip


def _takes_key(function: Any) -> bool:
    """Whether PySpark gives a function of groups the key as well: it counts the parameters that are open."""
    given, named = 0, set[str]()
    while isinstance(function, functools.partial):
        given, named, function = given + len(function.args), named | function.keywords.keys(), function.func
    places = function.code.places[given:] if isinstance(function, UserFunction) else []
    return len([p for p in places if p not in named]) == 2
