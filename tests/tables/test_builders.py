"""What a copied expression may call (``headwater.rewrite.branch.builders``), against the real PySpark and CPython.

Every member of ``pyspark.sql.types`` and of ``Window`` is looked at: a class that the table of types names must make a
data type or a field of one, a bound of a window must be a number, and a method of plain data must leave its receiver
as it is. ``ENTRIES`` are the members that the tables leave out, with methods that change a list or a dictionary.
"""

from __future__ import annotations

import ast
import copy
import inspect
from typing import Any

import pytest

from headwater.rewrite.branch.builders import METHODS, check_call, is_constant, made_by
from headwater.rewrite.branch.definitions import NoBranch
from headwater.syntax.names.pyspark_methods import WINDOW
from headwater.syntax.names.pyspark_symbols import TYPES, WINDOW_BOUNDS

types: Any = pytest.importorskip("pyspark.sql.types")
window: Any = pytest.importorskip("pyspark.sql.window")
_ARGUMENTS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "split": (("b",),), "format": ((1,),), "join": ((["a", "b"],),), "replace": (("a", "b"),), "get": (("a",),),
    "append": ((1,),), "extend": (([1],),), "insert": ((0, 1),), "remove": ((1,),), "update": (({"b": 1},),),
    "setdefault": (("b", 1),), "pop": ((), ("a",)),
}  # fmt: skip
_CHANGERS = "append extend insert remove update setdefault pop clear sort reverse popitem".split()


def _is_abstract(name: str) -> bool:
    """Whether a class that is no type of its own stands for several types: making one is harmless."""
    return inspect.isclass(made := vars(types)[name]) and issubclass(made, types.DataType)


ENTRIES = (
    *sorted(f"types.{n}" for n in vars(types) if n not in TYPES and not n.startswith("__") and not _is_abstract(n)),
    *sorted(f"bounds.{n}" for n in vars(window.Window) if n not in WINDOW_BOUNDS and not n.startswith("_")),
    *(f"data.{n}" for n in _CHANGERS),
)


def complaint(entry: str) -> str | None:
    """What is wrong with admitting ``entry``; None if it is harmless."""
    kind, name = entry.split(".", 1)
    if kind == "types":
        made = getattr(types, name, None)
        ours = inspect.isclass(made) and issubclass(made, (types.DataType, types.StructField))
        return None if ours and made.__module__ == types.__name__ else f"{name} is no data type"
    if kind == "bounds":
        return None if isinstance(getattr(window.Window, name, None), int) else f"{name} is no number"
    return _changes(name)


def _changes(name: str) -> str | None:
    found = False
    for receiver in ("a{}b", [3, 1], {"a": 1}):
        for arguments in _ARGUMENTS.get(name, ((),)):
            mine = copy.deepcopy(receiver)
            if not hasattr(mine, name):
                continue
            try:
                result = getattr(mine, name)(*arguments)
                once = copy.deepcopy(mine)
                again = getattr(mine, name)(*arguments)
            except (IndexError, KeyError, TypeError, ValueError):
                continue
            found = True
            if not receiver == once == mine or (isinstance(result, (str, list)) and result != again):
                return f"{name} changes its receiver"
    return None if found else f"{name} could not be called"


def seen(entry: str) -> bool:
    """Whether admitting ``entry`` is noticed."""
    return complaint(entry) is not None


def complaints() -> list[str]:
    """The wrong entries of the tables."""
    listed = [f"types.{n}" for n in TYPES] + [f"bounds.{n}" for n in WINDOW_BOUNDS]
    listed += [f"data.{n}" for n in METHODS["data"]]
    return [c for entry in listed if (c := complaint(entry)) is not None]


def test_the_tables_say_what_is() -> None:
    assert complaints() == []


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_is_left_out_would_be_seen(entry: str) -> None:
    assert seen(entry)


@pytest.mark.parametrize(
    "origin",
    [
        "pyspark.sql.functions.sys.exit", "pyspark.sql.functions.call_udf", "pyspark.sql.functions.rand",
        "pyspark.sql.functions.broadcast", "pyspark.sql.functions.reflect", "pyspark.sql.functions.current_date",
        "pyspark.sql.types.time.time", "pyspark.sql.window.sys.exit",
        "pyspark.sql.Window.unboundedPreceding.bit_length", "datetime.datetime.now", "builtins.print",
        "builtins.map", "builtins.list.append", "operator.iadd",
    ],
)  # fmt: skip
def test_what_no_table_names_is_refused(origin: str) -> None:
    assert made_by(origin) in (None, "udf")
    assert not is_constant(origin)
    call = ast.parse("f()", mode="eval").body
    assert isinstance(call, ast.Call)
    with pytest.raises(NoBranch):
        check_call(origin, call)


def test_windows() -> None:
    assert {made_by(f"pyspark.sql.Window.{n}") for n in WINDOW} == {"window"}
    assert is_constant("pyspark.sql.window.Window.currentRow")
