"""Calls of library functions and methods in code whose values have no model: which entry of
``headwater.libraries`` covers the call, and what is left to check of its arguments.

What no entry covers is refused: draws of random numbers, the clock, files, and changes in place among it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from headwater.libraries import models, registry
from headwater.libraries.entry import Entry
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import NotConstant

Constant = Callable[[ast.expr], object]
"""The value of an argument; NotConstant if it is not known."""

_BUILTINS = frozenset(name for name, e in registry.EFFECTS.items() if e.receiver is None and (e.reads or e.scalar))
"""Python's own functions that may be called on values without a model: they do nothing but compute."""
PLAIN = frozenset(name for name in _BUILTINS if registry.EFFECTS[name].plain)
"""Those whose result is one plain value."""
VALUES = frozenset(("pandas.NA", "pandas.NaT", "numpy.nan", "numpy.inf", "numpy.pi", "numpy.ndarray"))
MERGES = frozenset(f"pandas.{n}" for n in ("merge", "merge_asof", "merge_ordered"))
_NOW = frozenset(("now", "today", "utcnow"))
_READ_TIMES = frozenset(("pandas.to_datetime", "pandas.Timestamp", "pandas.date_range"))
_FUNCTIONS_BY_NAME = frozenset(
    "sum mean median max min count size first last std var sem nunique any all prod cumsum cumprod cummax cummin rank"
    " diff shift ffill bfill idxmax idxmin".split()
)
"""Names of methods that ``agg`` and its kin may be given in place of a function."""


def is_listed_value(name: str) -> bool:
    """Whether the dotted name is a constant, type or function of these modules."""
    entry = registry.lookup(name)
    return name in VALUES or name in _BUILTINS or (entry is not None and entry.pure)


def bind_builtin(name: str, node: ast.Call) -> bool:
    """Whether the function ``name`` is one of Python's own that do nothing but compute; Refusal for parameters that it
    does not have."""
    if name not in _BUILTINS:
        return False
    models.bind(name, node)
    return True


def check_arguments(entry: Entry, node: ast.Call, constant: Constant, is_function: Callable[[ast.expr], bool]) -> None:
    """Refuse values by which a call that ``entry`` covers reads the clock, or runs a function given by its name.
    ``is_function``: whether an expression can only be a function or class."""
    bound = entry.bind(node, constant)
    for name, given in bound.arguments.items():
        if name in ("func", "aggfunc"):
            _check_function(given, constant, is_function)
        text = _known(given, constant)
        if isinstance(text, str) and (text in _NOW or (name == "dtype" and text.startswith(("datetime", "M8")))):
            raise Refusal("volatile", f"`{entry.name}` of `{text}` may read the clock", given)


def reads_times(entry: Entry) -> bool:
    """Whether the call makes times of texts, of which `now` and `today` are the time of the call."""
    return entry.name in _READ_TIMES


def _check_function(node: ast.expr, constant: Constant, is_function: Callable[[ast.expr], bool]) -> None:
    """Refuse functions by name that are not listed. Any other function is evaluated where the call is read."""
    if isinstance(node, (ast.List, ast.Tuple)):
        for part in node.elts:
            _check_function(part, constant, is_function)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            _check_function(value, constant, is_function)
    elif not isinstance(node, ast.Lambda) and not is_function(node):
        name = _known(node, constant)
        if not isinstance(name, str) or name not in _FUNCTIONS_BY_NAME:
            raise Refusal("opaque", "a function that is given by a name which is not listed", node)


def _known(node: ast.expr, constant: Constant) -> object:
    try:
        return constant(node)
    except NotConstant:
        return NotConstant
