"""A pandas frame of one group, as far as loops over its rows see it: no pandas is needed for those.

What a column shows of NULL is measured (Spark 4.3, pandas 2.3): NaN in numbers, among which whole numbers then are
floats; None in strings, booleans and dates. Methods that compute on whole columns are not evaluated here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from .library import Callee, Proxy, is_plain
from .limits import NotEvaluated, UnknownColumn
from .values import ModuleName

Columns = dict[str, list[Any]]
_NUMBERS = (int, float)


class Vectorised(NotEvaluated):
    """What is asked of a frame computes on whole columns."""

    def __init__(self, what: str) -> None:
        super().__init__(f"`{what}` of pandas")


class Method(Callee):
    """A method of a frame or a column."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *args: Any, **named: Any) -> Any:
        try:
            return self._function(*args, **named)
        except TypeError as error:
            raise NotEvaluated(f"a method of pandas is called otherwise ({error})") from None


class RowTuple(tuple[Any, ...], Proxy):
    """A row of ``itertuples``."""

    names: tuple[str, ...]
    complete: bool

    def attribute(self, name: str) -> Any:
        """A column."""
        if name in self.names:
            return tuple.__getitem__(self, self.names.index(name))
        if name == "_asdict" and self.complete:
            return Method(lambda: dict(zip(self.names, self, strict=True)))
        if name.startswith("_") or name in ("count", "index"):
            raise NotEvaluated(f"`.{name}` of a row")
        raise (AttributeError(name) if self.complete else UnknownColumn(name))

    def item(self, key: Any) -> Any:
        """A column by its place."""
        if not self.complete:
            raise NotEvaluated("the place of a column that is not known")
        return tuple.__getitem__(self, key)


def _refuse(name: str) -> Callable[..., Any]:
    def refuse(*_: Any) -> Any:
        raise Vectorised(f"the operator {name.strip('_')}")

    return refuse


class Whole(Proxy):
    """A frame or a column: operators on it compute on whole columns."""

    for _name in """
        add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow and rand or ror xor rxor eq ne
        lt le gt ge neg pos invert abs bool contains setitem delitem call round iadd isub imul
        """.split():
        locals()[f"__{_name}__"] = _refuse(_name)
    __hash__ = None  # type: ignore[assignment]


class Column(Whole):
    """A column; ``typed``: as pandas holds it, its numbers are numpy's."""

    def __init__(self, values: list[Any], typed: bool = True) -> None:
        self.values, self._typed = values, typed

    def elements(self) -> Iterator[Any]:
        """The values, as Python's own."""
        return iter(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def attribute(self, name: str) -> Any:
        """What reads the column value by value."""
        if name in ("tolist", "to_list"):
            return Method(lambda: list(self.values))
        if name in ("iloc", "values") and not any(isinstance(v, _NUMBERS) for v in self.values):
            return self if name == "values" else Places(self)
        if name == "empty":
            return not self.values
        raise Vectorised(name)

    def item(self, key: Any) -> Any:
        """Whatever pandas takes in brackets."""
        raise Vectorised("[]")


class Places(Proxy):
    """``column.iloc`` of a column of Python objects."""

    def __init__(self, column: Column) -> None:
        self._column = column

    def item(self, key: Any) -> Any:
        """One value."""
        if type(key) is not int:
            raise Vectorised("iloc")
        return self._column.values[key]


class Frame(Whole):
    """The frame of a group. ``complete``: it has no other columns."""

    def __init__(self, columns: Columns, complete: bool) -> None:
        self.columns, self._complete = columns, complete
        self._size = len(next(iter(columns.values()), []))

    def __iter__(self) -> Iterator[Any]:
        raise Vectorised("the names of the columns")

    def __len__(self) -> int:
        return self._size

    def attribute(self, name: str) -> Any:
        """A column, or what goes through the rows."""
        if name in _OWN:
            return Method(getattr(self, f"_{name}"))
        if name == "empty":
            return not self._size
        if name in _OTHERS or name.startswith("_"):
            raise Vectorised(name)
        if name in self.columns:
            return Column(self.columns[name])
        raise (AttributeError(name) if self._complete else UnknownColumn(name))

    def item(self, key: Any) -> Any:
        """A column, or some of them in another order."""
        if isinstance(key, str):
            if key not in self.columns:
                raise (KeyError(key) if self._complete else UnknownColumn(key))
            return Column(self.columns[key])
        if isinstance(key, list) and {*key} <= self.columns.keys() and len({*key}) == len(key):
            return Frame({k: self.columns[k] for k in key}, True)
        raise Vectorised("[]")

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        return zip(*self.columns.values(), strict=True)

    def _itertuples(self, index: bool = True, name: str | None = "Pandas") -> Iterator[Any]:
        names = (*(("Index",) if index else ()), *self.columns)
        for i, values in enumerate(self._rows()):
            row = RowTuple((*((i,) if index else ()), *values))
            row.names, row.complete = names if name is not None else (), self._complete
            yield row

    def _iterrows(self) -> Iterator[Any]:
        if not any(isinstance(v, str) for values in self.columns.values() for v in values[:1]):
            raise Vectorised("iterrows")  # whose rows may hold numpy's numbers
        for i, values in enumerate(self._rows()):
            yield i, Record(dict(zip(self.columns, values, strict=True)), self._complete)

    def _to_dict(self, orient: str = "dict") -> Any:
        if not self._complete:
            raise NotEvaluated("all columns of a frame of which some are not known")
        if orient == "records":
            return [dict(zip(self.columns, values, strict=True)) for values in self._rows()]
        if orient == "list":
            return {name: list(values) for name, values in self.columns.items()}
        raise Vectorised("to_dict")

    def _copy(self, deep: bool = True) -> Frame:
        return Frame({n: list(v) for n, v in self.columns.items()}, self._complete)

    def _reset_index(self, drop: bool = False) -> Frame:
        if drop is not True:
            raise Vectorised("reset_index")
        return self


_OWN = frozenset({"itertuples", "iterrows", "to_dict", "copy", "reset_index"})
_OTHERS = frozenset(
    """
    T abs add agg align all any apply asof assign astype at attrs axes bfill bool boxplot clip columns combine compare
    convert_dtypes copy corr count cov cummax cummin cumprod cumsum describe diff div divide dot drop droplevel dropna
    dtypes duplicated empty eq equals eval ewm expanding explode ffill fillna filter first flags floordiv ge get groupby
    gt head hist iat idxmax idxmin iloc index info insert interpolate isin isna items iterrows itertuples join keys kurt
    last le loc lt map mask max mean median melt memory_usage merge min mod mode mul multiply ndim ne nlargest notna
    nsmallest nunique pipe pivot plot pop pow prod product quantile query radd rank rdiv reindex rename replace resample
    rmul rolling round rsub sample sem set shape shift size skew squeeze stack std style sub subtract sum swapaxes tail
    take transform transpose truediv truncate unstack update value_counts values var where xs
    """.split()
)
"""Attributes of a frame that are no columns."""


class Record(Proxy):
    """A row of ``iterrows``."""

    def __init__(self, values: dict[str, Any], complete: bool) -> None:
        self._values, self._complete = values, complete

    def item(self, key: Any) -> Any:
        """A column by its name."""
        if not isinstance(key, str):
            raise Vectorised("[] by place")
        if key not in self._values and not self._complete:
            raise UnknownColumn(key)
        return self._values[key]

    def attribute(self, name: str) -> Any:
        """A column by its name."""
        if name in self._values and name not in _OTHERS:
            return self._values[name]
        raise Vectorised(name)


class Result:
    """A frame that the function makes: its rows by column, or by place if the columns have no names."""

    def __init__(self, rows: list[Any], names: list[str] | None) -> None:
        self.rows, self.names = rows, names


def data_frame(data: Any = None, columns: Any = None) -> Result:
    """``pd.DataFrame(data, columns=columns)`` of records, tuples or columns that are written as literals."""
    if columns is not None and not (isinstance(columns, list) and all(isinstance(c, str) for c in columns)):
        raise NotEvaluated("a frame whose columns are not written as literals")
    if data is None or (isinstance(data, (list, dict)) and not data):
        return Result([], columns)
    if isinstance(data, dict):
        if columns is not None and columns != list(data):
            raise NotEvaluated("a frame with columns in another order")
        listed = [_listed(v) for v in data.values()]
        sizes = {len(v) for v in listed if v is not None}
        if None in listed and not sizes:
            raise ValueError("If using all scalar values, you must pass an index")
        if len(sizes) != 1 or None in listed:
            raise NotEvaluated("a frame of columns of several lengths")
        return Result([list(r) for r in zip(*listed, strict=True)], list(data))
    if isinstance(data, list) and all(isinstance(r, dict) for r in data):
        names = columns or list(data[0])
        if any(list(r) != list(data[0]) for r in data) or {*names} != {*data[0]}:
            raise NotEvaluated("a frame of records with several columns")
        return Result([[r[n] for n in names] for r in data], names)
    if isinstance(data, list) and all(isinstance(r, (tuple, list)) for r in data):
        if len({len(r) for r in data}) != 1 or (columns is not None and len(columns) != len(data[0])):
            raise ValueError("columns passed do not fit the data")
        return Result([list(r) for r in data], columns)
    raise NotEvaluated("a frame that is made of something else")


def _listed(value: Any) -> list[Any] | None:
    if isinstance(value, (list, tuple)):
        return list(value)
    return value.values if isinstance(value, Column) else None


def _missing(value: Any) -> bool:
    if not is_plain(value) or isinstance(value, (list, tuple, dict, set)):
        raise Vectorised("isna")
    return value is None or value != value


class Pandas(ModuleName):
    """``pd``, as far as loops over rows use it."""

    def __init__(self) -> None:
        super().__init__("pandas")

    def attribute(self, name: str) -> Any:
        """A function."""
        if name == "DataFrame":
            return Method(lambda data=None, columns=None: data_frame(data, columns))
        if name in ("isna", "isnull"):
            return Method(_missing)
        if name in ("notna", "notnull"):
            return Method(lambda value: not _missing(value))
        raise Vectorised(f"pd.{name}")


class Numpy(ModuleName):
    """``np``, as far as loops over rows use it."""

    def __init__(self) -> None:
        super().__init__("numpy")

    def attribute(self, name: str) -> Any:
        """A constant, or a function of one number."""
        if name in ("nan", "inf", "pi", "e"):
            return getattr(math, name)
        if name in ("isnan", "isfinite", "isinf"):
            return Method(lambda value: _number(value, getattr(math, name)))
        raise Vectorised(f"np.{name}")


def _number(value: Any, function: Callable[[Any], bool]) -> bool:
    if type(value) not in (int, float, bool):
        if value is None or isinstance(value, str):
            raise TypeError("ufunc not supported for the input types")
        raise Vectorised("np")
    return function(value)


LIBRARIES: dict[str, Callable[[], ModuleName]] = {"pandas": Pandas, "numpy": Numpy}
