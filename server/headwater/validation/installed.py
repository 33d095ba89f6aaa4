"""pandas, numpy and pyarrow where they are installed beside the server: their real objects, by closed tables.

Only attributes, methods and functions that are named here are reached, and only what is found among the packages of
the server's own environment is imported, never anything of the program that is analysed. None of them reads or writes
a file, or takes text as code; names of reductions are the only texts that choose a function.
"""

from __future__ import annotations

import datetime as dt
import decimal
import importlib
import sys
import sysconfig
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from . import library
from .library import Callee, Guard, Known
from .limits import CHECKS, NESTED, Meter, NotEvaluated, UnknownColumn, require
from .operators import GROWING
from .values import ModuleName

_DATA_FRAME = """
    abs add agg all any append apply assign astype at bfill bool clip columns copy count cummax cummin cumsum diff
    div drop drop_duplicates dropna dtypes duplicated empty eq equals explode ffill fillna filter first floordiv ge
    get groupby gt head iat idxmax idxmin iloc index isin isna isnull items iterrows itertuples keys last le loc lt map
    mask max mean median melt merge min mod mode mul ndim ne nlargest notna notnull nsmallest nunique pop prod
    quantile rank reindex rename replace reset_index round set_index shape shift size sort_index sort_values squeeze
    std sub sum T tail take to_dict to_numpy transform transpose truediv values var where join
"""
_SERIES = """
    abs add agg all any apply argmax argmin array astype at between bfill clip copy count cummax cummin cumsum diff div
    drop drop_duplicates dropna dt dtype dtypes duplicated empty eq equals ffill fillna first floordiv ge get gt
    groupby hasnans head iat idxmax idxmin iloc index is_monotonic_decreasing is_monotonic_increasing is_unique isin
    isna isnull item items iteritems keys last le loc lt map mask max mean median min mod mode mul name ndim ne
    nlargest notna notnull nsmallest nunique prod quantile rank reindex rename replace reset_index rolling round shape
    shift size sort_index sort_values squeeze std str sub sum tail take to_dict to_frame to_list to_numpy tolist
    transform truediv unique value_counts values var where
"""
_GROUPED = """
    agg aggregate all any apply count cumcount cummax cummin cumsum diff filter first head idxmax idxmin last max mean
    median min ngroups nth nunique prod rank shift size std sum tail transform var
"""
_ARRAY = """
    all any argmax argmin astype clip copy cumsum dtype item max mean min ndim prod round shape size sort std sum
    tolist var
"""
_TABLES: dict[str, str] = {
    "pandas.DataFrame": _DATA_FRAME,
    "pandas.Series": _SERIES,
    "pandas.Index": "tolist to_list max min size empty isin unique values name",
    "pandas.core.groupby.generic.DataFrameGroupBy": _GROUPED,
    "pandas.core.groupby.generic.SeriesGroupBy": _GROUPED,
    "pandas.core.indexing._LocIndexer": "",
    "pandas.core.indexing._iLocIndexer": "",
    "pandas.core.indexing._AtIndexer": "",
    "pandas.core.indexing._iAtIndexer": "",
    "pandas.core.strings.accessor.StringMethods": """
        capitalize contains count endswith find get isalpha isdigit islower isupper len lower lstrip rstrip slice
        startswith strip title upper
        """,
    "pandas.core.indexes.accessors.DatetimeProperties": "date day dayofweek hour minute month second weekday year",
    "pandas.core.window.rolling.Rolling": "max mean min sum count",
    "pandas.Timestamp": "date day dayofweek hour minute month second weekday year to_pydatetime isoformat normalize",
    "pandas.Timedelta": "days seconds total_seconds",
    "numpy.ndarray": _ARRAY,
    "numpy.generic": "item is_integer astype dtype real",
    "pyarrow.Table": """
        append_column column column_names columns combine_chunks drop drop_columns drop_null equals filter num_columns
        num_rows remove_column rename_columns schema select set_column slice sort_by take to_batches to_pydict
        to_pylist cast itercolumns field
        """,
    "pyarrow.RecordBatch": "column columns num_columns num_rows schema select slice to_pydict to_pylist filter take",
    "pyarrow.ChunkedArray": """
        cast combine_chunks drop_null equals fill_null filter index is_nan is_null is_valid length null_count slice
        take to_pylist type unique value_counts sort dictionary_encode num_chunks
        """,
    "pyarrow.Array": """
        cast drop_null equals fill_null filter index is_nan is_null is_valid null_count slice take to_pylist type
        unique value_counts sort
        """,
    "pyarrow.Scalar": "as_py cast equals is_valid type",
    "pyarrow.Schema": "field names types equals empty_table remove append insert set get_field_index",
    "pyarrow.Field": "name nullable type with_name with_type with_nullable",
    "pyarrow.DataType": "equals bit_width",
}
"""By full name of a type of objects, also of types derived from it, what of them is reached."""
_FUNCTIONS: dict[str, str] = {
    "pandas": "DataFrame Series Timestamp Timedelta concat isna isnull notna notnull to_datetime NA NaT merge",
    "numpy": """
        abs all amax amin any arange argmax argmin argsort array ceil clip concatenate count_nonzero cumsum diff float64
        floor inf int64 isfinite isin isinf isnan max maximum mean median min minimum nan nanmax nanmean nanmin nansum
        ones prod round select sign sort sqrt std sum unique where zeros isclose logical_and logical_or logical_not
        int32 bool_ float32
        """,
    "pyarrow": """
        Table RecordBatch array bool_ chunked_array date32 field float32 float64 int16 int32 int64 int8 scalar schema
        string table table_from null record_batch nulls
        """,
    "pyarrow.compute": """
        abs add all and_ and_kleene any approximate_median coalesce count count_distinct divide drop_null equal
        fill_null filter first greater greater_equal if_else index indices_nonzero invert is_in is_nan is_null is_valid
        last less less_equal max max_element_wise mean min min_element_wise min_max multiply negate not_equal or_
        or_kleene round scalar sort_indices starts_with ends_with stddev subtract sum take unique utf8_length utf8_lower
        utf8_upper value_counts variance array_sort_indices list_element quantile mode cast match_substring
        """,
}
_CLASS_METHODS = {
    "pyarrow.Table": "from_pylist from_pydict from_arrays from_batches",
    "pyarrow.RecordBatch": "from_pylist from_pydict from_arrays",
}
_REDUCTIONS = frozenset("all any count first last max mean median min nunique prod size std sum var".split())
_NAMING = frozenset("agg aggregate apply transform map".split())
"""Methods in which a text names a function."""
COST = 60
"""Steps of one call of such a library."""


def _named(*args: Any, **named: Any) -> None:
    """Texts in the arguments name reductions, and functions are the user's own."""
    todo: list[Any] = [*args[1:], *([named["func"]] if "func" in named else [])]
    keys = [k for k in named if k not in ("axis", "func", "result_type", "raw")]
    if any(not isinstance(named[k], tuple) for k in keys):
        raise NotEvaluated("named aggregations of another form")
    for key in keys:
        todo += named[key][1:]
    while todo:
        at = todo.pop()
        if isinstance(at, dict):
            todo += at.values()
        elif isinstance(at, (list, tuple)):
            todo += at
        elif isinstance(at, str) and at not in _REDUCTIONS:
            raise NotEvaluated(f"a reduction that is named {at!r}")
        elif isinstance(at, library.Library) or id(at) in library.BY_OBJECT:
            raise NotEvaluated("a function of Python in the place of a reduction of pandas")


def _mapped(*args: Any, **named: Any) -> None:
    """``map`` and ``apply`` with the user's function or a dict."""
    if any(not isinstance(a, (Callee, dict)) for a in args[1:]) or named.keys() - {"axis", "na_action"}:
        raise NotEvaluated("`apply` or `map` of something other than a function of the program")


def _plain_pattern(*args: Any, **named: Any) -> None:
    if any(isinstance(a, str) and set(a) & set("({[*+\\") for a in args[1:]):
        raise NotEvaluated("a regular expression")


def _small(*args: Any, **named: Any) -> None:
    if any(isinstance(a, int) and abs(a) > 2000 for a in (*args, *named.values())):
        raise NotEvaluated("a large array")


_DTYPES = frozenset("int int32 int64 Int64 float float32 float64 str string bool object category".split())


def _typed(*args: Any, **named: Any) -> None:
    """Names of types are those of plain ones."""
    _small(*args[1:])
    given = [*(a for a in args[1:] if isinstance(a, (str, dict))), *([named["dtype"]] if "dtype" in named else [])]
    for t in (t for g in given for t in (g.values() if isinstance(g, dict) else [g])):
        if isinstance(t, str) and t not in _DTYPES:
            raise NotEvaluated(f"the type {t!r}")


def _rows(value: Any) -> int:
    return len(value) if hasattr(value, "__len__") else 1


def _joined(*args: Any, **named: Any) -> None:
    """Each row of one frame may meet each of the other."""
    others = [v for v in (*args[1:], *named.values()) if kind_of(v) is not None]
    for other in others:
        require(_rows(args[0]) * _rows(other))


def _united(*args: Any, **named: Any) -> None:
    require(sum(_rows(part) for many in args[:1] if isinstance(many, (list, tuple)) for part in many))


_NUMBERS = (float, int, bool, type(None), decimal.Decimal, dt.date, dt.timedelta)


def _numbers(*args: Any, **named: Any) -> None:
    """NotEvaluated where a column of objects has others than small numbers: a product of them may be of any size."""
    for value in args:
        if kind_of(value) is None:
            continue
        for column in _object_columns(value):
            if not all(isinstance(v, _NUMBERS) and not (type(v) is int and abs(v) >= 1 << 64) for v in column):
                raise NotEvaluated("a product of objects")


def _object_columns(value: Any) -> list[Any]:
    """The values of the columns of ``value`` that hold objects of Python."""
    if hasattr(value, "columns") and hasattr(value, "dtypes"):
        return [value.iloc[:, i] for i, t in enumerate(value.dtypes) if t.kind in "OTUS"]
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return [value.ravel() if hasattr(value, "strides") else value] if kind in ("O", "T", "U", "S") else []


def _check(meter: Meter, value: Any) -> None:
    """NotEvaluated where an object of an installed library has too many values, or too large ones."""
    if kind_of(value) is None:
        return
    require(_rows(value) if getattr(value, "ndim", 1) == 1 and hasattr(value, "__len__") else 0)
    size = getattr(value, "size", 0)
    if isinstance(size, int):
        require(size)
    if hasattr(value, "num_columns"):
        require(value.num_rows * value.num_columns)
    for column in _object_columns(value):
        for v in column:
            if isinstance(v, NESTED):
                meter.weigh(v)
            else:
                meter.checked(v)


def _made(*args: Any, **named: Any) -> None:
    _typed(None, **{k: v for k, v in named.items() if k == "dtype"})


_PRODUCTS = frozenset("mul prod cumsum cumprod pow mod multiply".split())


def _guard(kind: str, name: str) -> Guard | None:
    if name in ("map", "apply") and "groupby" not in kind:
        return _mapped
    if name in _NAMING:
        return _named
    if kind.endswith("StringMethods"):
        return _plain_pattern
    if name == "astype":
        return _typed
    if name in ("array", "Series", "DataFrame") and not kind.startswith("pyarrow"):
        return _made
    if name in ("merge", "join"):
        return _joined
    if name in ("concat", "concatenate"):
        return _united
    if name in _PRODUCTS:
        return _numbers
    return _small if name in ("arange", "ones", "zeros", "nulls", "take") else None


class Installed(ModuleName):
    """A module of an installed library."""

    def attribute(self, name: str) -> Any:
        """A function, class or constant of the table."""
        full = f"{self.name}.{name}"
        if full in _FUNCTIONS:
            return Installed(full)
        if name not in _FUNCTIONS.get(self.name, "").split():
            raise NotEvaluated(f"`{full}` is not among the functions that may be evaluated")
        found = getattr(_imported(self.name), name, None)
        if found is None:
            raise NotEvaluated(f"`{full}` of the installed version")
        return found


def modules(name: str) -> dict[str, ModuleName]:
    """``pandas`` (with numpy) or ``pyarrow`` as modules of evaluation. NotEvaluated where it is not installed."""
    names = ("pandas", "numpy") if name == "pandas" else ("pyarrow", "pyarrow.compute")
    for n in names:
        _imported(n)
    _register(name)
    return {n: Installed(n) for n in names}


@cache
def _imported(name: str) -> Any:
    top, before = name.partition(".")[0], sys.path
    sys.path = [p for p in before if _is_of_environment(p)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError:
        raise NotEvaluated(f"{top} is not installed beside Headwater") from None
    except Exception:
        raise NotEvaluated(f"{top} cannot be imported") from None
    finally:
        sys.path = before


def _is_of_environment(path: str) -> bool:
    """Whether a directory holds Python's own modules or installed packages, and not the program that is analysed."""
    own = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    place = Path(path)
    return path in own or str(place.parent) in own or place.name in ("site-packages", "dist-packages")


def _resolved(full: str) -> type | None:
    parts = full.split(".")
    found: Any = _imported(parts[0])
    for part in parts[1:]:
        found = getattr(found, part, None)
    return found if isinstance(found, type) else None


@cache
def _register(name: str) -> None:
    """Add the types and functions of a library to the table of the evaluator."""
    if _check not in CHECKS:
        CHECKS.append(_check)
        GROWING.append(_numbers)
    tops = ("pandas", "numpy") if name == "pandas" else ("pyarrow",)
    for full, names in _TABLES.items():
        kind = _resolved(full) if full.partition(".")[0] in tops else None
        if kind is not None:
            HEAVY[kind] = {n: _guard(full, n) for n in names.split()}
    for module, names in _FUNCTIONS.items():
        if module.partition(".")[0] in tops:
            for n in names.split():
                found = getattr(_imported(module), n, None)
                if callable(found):
                    library.BY_OBJECT[id(found)] = Known(f"{module}.{n}", found, _guard(module, n), COST)
    for full, names in _CLASS_METHODS.items():
        kind = _resolved(full) if full.partition(".")[0] in tops else None
        if kind is not None:
            CLASS_METHODS[kind] = frozenset(names.split())


HEAVY: dict[type, dict[str, Guard | None]] = {}
"""By type of an installed library, what is reached of its objects."""
CLASS_METHODS: dict[type, frozenset[str]] = {}


def kind_of(value: Any) -> type | None:
    """The type of the table that ``value`` is of; None for any other value."""
    return next((k for k in type(value).__mro__ if k in HEAVY), None) if HEAVY else None


def reaches(value: Any) -> bool:
    """Whether ``value`` is an object or a class of an installed library."""
    return (isinstance(value, type) and value in CLASS_METHODS) or kind_of(value) is not None


def attribute(value: Any, name: str, wrap: Callable[[Known], Any]) -> Any:
    """``value.name`` of an object of an installed library, or of one of its classes."""
    if isinstance(value, type):
        if name not in CLASS_METHODS.get(value, ()):
            raise NotEvaluated(f"`{value.__name__}.{name}` is not among the functions that may be evaluated")
        return wrap(Known(f"{value.__name__}.{name}", getattr(value, name), None, COST))
    kind = kind_of(value)
    assert kind is not None
    reached = HEAVY[kind]
    if name not in reached:
        columns = getattr(value, "columns", None) if kind.__name__ == "DataFrame" else None
        if columns is None:
            raise NotEvaluated(f"`.{name}` of a {kind.__name__}")
        if name in columns and not hasattr(kind, name):
            return value[name]
        if not hasattr(kind, name) and not value.attrs.get("complete", True):
            raise UnknownColumn(name)
        raise NotEvaluated(f"`.{name}` of a {kind.__name__}")
    guard, found = reached[name], getattr(value, name)
    if kind_of(found) is not None or not callable(found):
        return found
    own = None if guard is None else lambda *args, **named: guard(value, *args, **named)
    return wrap(Known(f"{kind.__name__}.{name}", found, own, COST))


def check_item(value: Any, key: Any) -> None:
    """UnknownColumn where a frame is asked for a column that it may have."""
    if type(value).__name__ == "_LocIndexer" and isinstance(key, list):
        require(len(key) * len(value.obj))  # each label may be that of every row
    columns = getattr(value, "columns", None) if type(value).__name__ == "DataFrame" else None
    if columns is None or value.attrs.get("complete", True):
        return
    for name in key if isinstance(key, list) else [key]:
        if isinstance(name, str) and name not in columns:
            raise UnknownColumn(name)


def as_python(value: Any) -> Any:
    """A scalar of numpy or pandas as Python's own."""
    if kind_of(value) is None:
        return value
    if hasattr(value, "to_pydatetime"):
        return None if value != value else value.to_pydatetime()
    if hasattr(value, "as_py"):
        return value.as_py()
    return value.item() if getattr(value, "ndim", 1) == 0 else value


__all__ = ["COST", "HEAVY", "Installed", "as_python", "attribute", "check_item", "kind_of", "modules", "reaches"]
