"""Which functions and methods may be evaluated once more while a frame's expression is copied, by full name.

Law: evaluating a listed call again yields an equal value (a column, a window, a data type, or plain data), changes
nothing, and runs no code but its own and that of functions written among its arguments.
Why sound: Spark's functions are taken by their measured kind, those of the standard library by their measured effects
(``tests/tables/test_spark_functions.py``, ``tests/tables/test_effects.py``, ``tests/tables/test_builders.py``). What no
table names refuses.
Counterexample: ``F.sys.exit`` and ``F.call_udf`` stand in ``pyspark.sql.functions`` too.
"""

from __future__ import annotations

import ast
from typing import Literal

from headwater.libraries.registry import EFFECTS
from headwater.syntax.names.pyspark_methods import COLUMN, WINDOW, bind
from headwater.syntax.names.pyspark_symbols import WINDOW_BOUNDS, Kind, function_of, is_type, window_member
from headwater.syntax.refusal import Refusal

from .definitions import NoBranch

Made = Literal["column", "window", "type", "data", "udf"]
"""What a listed call yields. ``data``: plain values of the language."""
COLUMN_KINDS = frozenset[Kind](("row", "column", "text", "aggregate", "window", "generator", "rows", "order"))
"""Kinds of Spark's functions whose value depends on their arguments and on the rows alone."""
METHODS: dict[Made, frozenset[str]] = {
    "column": frozenset(COLUMN),
    "window": frozenset(WINDOW),
    "type": frozenset({"add"}),
    "data": frozenset("split format join lower upper strip replace items keys values get".split()),
    "udf": frozenset(),
}
"""Methods of these that yield another value and leave their receiver alone. ``StructType.add`` changes it: of a type
that is made in the same expression nothing else is known."""


def made_by(origin: str) -> Made | None:
    """What a call of the function of this full name yields; None if it may not be evaluated once more."""
    function = function_of(origin)
    if function is not None:
        return "column" if function.kind in COLUMN_KINDS else "udf" if function.kind == "udf" else None
    if is_type(origin):
        return "type"
    if window_member(origin) in WINDOW:
        return "window"
    entry = EFFECTS.get(origin)
    if entry is None or entry.signature is None or entry.receiver is not None:
        return None
    return None if entry.refused or entry.changes or entry.calls else "data"


def is_constant(origin: str) -> bool:
    """Whether reading the object of this full name yields a value that never changes."""
    if window_member(origin) in WINDOW_BOUNDS:
        return True
    entry = EFFECTS.get(origin)
    return entry is not None and entry.signature is None and entry.receiver is None and entry.refused is None


def check_call(origin: str, call: ast.Call) -> Made:
    """What ``call`` of the function of this full name yields; NoBranch if no table names it, or not with these
    arguments."""
    made, function = made_by(origin), function_of(origin)
    if made is None or made == "udf":
        raise NoBranch(f"`{origin}` may not be called once more")
    try:
        if function is not None:
            bind(function.declaration, call)
        elif made == "window":
            bind(WINDOW[origin.rpartition(".")[2]], call)
        elif made == "data":
            signature = EFFECTS[origin].signature
            assert signature is not None
            signature.bind(call)
    except Refusal as refusal:
        raise NoBranch(refusal.reason) from None
    return made
