"""The rows with the greatest or least values of a column: ``idxmax``, ``idxmin``, ``nlargest``, ``nsmallest``, and the
ends of a sorted frame.

Law: among rows with equal values the first one wins, in the order in which they are. What is missing is passed over;
where nothing else is there, ``idxmax`` gives no label and looking one up raises, and ``nlargest`` takes rows with what
is missing after all. ``sort_values`` puts equal values in any order, unless it is asked for a stable one: so of an end
of a sorted frame only what it was sorted by is known. The labels of a group are those that Spark hands over, or were
given by ``reset_index``: each stands for one row.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.libraries.entry import Constants, known
from headwater.python.builtins import sorting
from headwater.python.exprs.simplify import both, choose, either
from headwater.python.rows.row_sequences import Series
from headwater.python.values.rows import Rows
from headwater.python.values.scope import AbstractObject, Env, Value
from headwater.python.values.structures import BoundedList, Ordering
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater_ir.expr import FALSE, TRUE, Compare, Expr, IsNaN, Raise

from ..functions import Array
from .arrays import reduced_array
from .model import FRAME, SERIES, MethodCall, method
from .operands import constant, names_of
from .reductions import extreme

if TYPE_CHECKING:
    from ..values import PandasInterpreter

_NUMBERS = ("int", "float", "number")


@dataclass(frozen=True)
class Best(AbstractObject):
    """The row with the greatest value of the column ``by``, or, unless ``greatest``, the least, and its label."""

    by: Series
    greatest: bool

    def value(self, run: PandasInterpreter, name: str, node: ast.expr, env: Env, *, upcast: bool) -> Value:
        """Its value in the column ``name``; it raises where no value of ``by`` is there. ``upcast``: it is read of a
        row, in which numbers of all columns have one type."""
        call = MethodCall(run, node, self.by, Bound("max" if self.greatest else "min", {}), env)
        cells, frame = run.reductions.cells(call, *_NUMBERS), self.by.frame
        best = extreme(call)
        series = run.group.series(frame, name)
        if series.column is None or any(m.name == name for m in frame.made):
            raise Refusal("opaque", f"`{name}` of a row, which was set", node)
        if upcast and not run.group.rows_are_objects():
            run.group.exact_as_float(name, "a row")
        run.group.numpy_scalar(name, "a row")
        if name == self.by.column:
            found: Expr = best
        else:
            run.use_order(Rows(TRUE, frame.mask, frame.order), node)
            better = either(IsNaN(best), Compare(">" if self.greatest else "<", cells.value, best, "python"))
            chosen = both(cells.present, better)

            def make() -> Expr:
                return run.reductions.kept(f"{name} of the row with {call.method}({cells.label})", series, chosen)

            found = run.reductions.once(("row", call.method, cells.value, cells.present, series.element), make)
        return choose(IsNaN(best), Raise("no value to choose a row by"), found)


@dataclass(frozen=True)
class BestRows(AbstractObject):
    """The ``n`` rows with the greatest, or least, values of the column ``by``. ``first``: among equal ones the first;
    otherwise any of them."""

    by: Series
    greatest: bool
    n: int
    first: bool

    def column(self, name: str, node: ast.AST) -> AbstractObject:
        """One of their columns."""
        if name == self.by.column:
            return Sorted(self.by, self.greatest, self.n)
        if not self.first:
            raise Refusal("representative-choice", "which of rows with equal values is taken", node)
        return BestColumn(self, name)

    def only(self, run: PandasInterpreter, node: ast.expr, env: Env) -> Best:
        """The first of them. Refusal where it may be one without a value, or there may be none."""
        call = MethodCall(run, node, self.by, Bound("max", {}), env)
        if run.reductions.cells(call, *_NUMBERS).missing != FALSE:
            raise Refusal("three-valued-logic", "a row is taken whose value may be missing", node)
        if not self.first:
            raise Refusal("representative-choice", "which of rows with equal values is taken", node)
        return Best(self.by, self.greatest)


@dataclass(frozen=True)
class BestColumn(AbstractObject):
    """A column of such rows other than the one that chooses them."""

    rows: BestRows
    name: str


@dataclass(frozen=True)
class Sorted(AbstractObject):
    """The values of a column in order, those that are missing at the end. ``ends``: how many of them are taken; None
    for all."""

    series: Series
    descending: bool
    ends: int | None = None

    def end(self, run: PandasInterpreter, node: ast.expr, place: int, env: Env) -> Value:
        """The value at a place, the first (0) or the last (-1) unless few are taken. Refusal ("may-throw") where there
        may be none."""
        if self.series.frame.mask != TRUE:
            raise Refusal("may-throw", "the first of rows that may be none", node)
        if self.ends in (None, 1) and place not in (0, -1):
            raise Refusal("may-throw", "a value behind the first, of which there may be none", node)
        if place != 0 and self.ends not in (None, 1):
            read = ast.Subscript(ast.Name("list#", ast.Load()), ast.Constant(place), ast.Load())
            found = ast.fix_missing_locations(ast.copy_location(read, node))
            return run.any_value(found, {"list#": self.values(run, node, env)})
        first = place == 0 or self.ends == 1
        call = MethodCall(run, node, self.series, Bound("max" if self.descending is first else "min", {}), env)
        return extreme(call) if first else reduced_array(replace(call, owner=Array(self.series)))

    def method(self, run: PandasInterpreter, node: ast.Call, name: str, env: Env) -> Value | None:
        """``head(n)``, ``max()``, ``min()`` and ``tolist()``; None for other methods."""
        if name == "head":
            bound = models.bind("pandas.Series.head", node)
            n = 5 if "n" not in bound else constant(bound.get("n"))
            if type(n) is not int or n < 1:
                raise Refusal("opaque", "`head` of a number of values that is not written out", node)
            return replace(self, ends=n if self.ends is None else min(n, self.ends))
        if name in ("max", "min", "tolist", "to_list") and self.ends is not None:
            models.bind(f"pandas.Series.{name}", node).only()
            if name in ("max", "min"):
                return self.end(run, node, 0 if self.descending is (name == "max") else -1, env)
            return self.values(run, node, env)
        return None

    def values(self, run: PandasInterpreter, node: ast.expr, env: Env) -> BoundedList:
        """Those that are taken, as a list. Refusal where something may be missing."""
        call = MethodCall(run, node, self.series, Bound("nlargest", {}), env)
        cells = run.reductions.cells(call, *_NUMBERS)
        if self.ends is None or self.ends > 5 or cells.missing != FALSE:
            raise Refusal("three-valued-logic", "the last of values among which some may be missing", node)
        rows = Rows(self.series.element, self.series.frame.mask, self.series.frame.order)
        bag = run.as_list(node, rows, ordered=False)
        return sorting.top(run, node, bag, Ordering("", self.descending), self.ends, None)


@method(
    SERIES,
    "other",
    """
idxmax(axis: 0 = 0, skipna: True | False = True, **kwargs)
idxmin(axis: 0 = 0, skipna: True | False = True, **kwargs)
""",
    needs="an order",
    reads=("skipna",),
)
def label(call: MethodCall) -> Best:
    """The label of the first row with such a value."""
    if constant(call.get("skipna")) not in (None, True) or call.series.column is None:
        raise call.refusal("opaque", f"`{call.method}` of a computed column, or of what is missing too")
    return Best(call.series, call.method == "idxmax")


@method(
    FRAME,
    "rows",
    """
nlargest(n, columns, keep: "first" | "last" | "all" = "first")
nsmallest(n, columns, keep: "first" | "last" | "all" = "first")
""",
    needs="an order",
    reads=("n", "columns"),
)
def best_rows(call: MethodCall) -> BestRows:
    """By one column of numbers."""
    n, names = constant(call.needed("n")), names_of(call.needed("columns"))
    if type(n) is not int or n < 1 or names is None or len(names) != 1:
        raise call.refusal("opaque", f"`{call.method}` by something other than one column, or of an unknown number")
    by = call.run.group.series(call.frame, names[0])
    call.run.reductions.cells(replace(call, owner=by), *_NUMBERS)
    return BestRows(by, call.method == "nlargest", n, first=True)


@method(
    SERIES,
    "values",
    """
sort_values(*, axis: 0 = 0, ascending=True, inplace: False = False, kind: "quicksort" | "mergesort" | "heapsort" |
    "stable" = "quicksort", na_position: "first" | "last" = "last", ignore_index: True | False = False, key=None) ->
    Series
""",
    needs="all rows",
    reads=("ascending",),
)
def in_order(call: MethodCall) -> Sorted:
    """Of numbers; what is missing comes last either way."""
    ascending = True if call.get("ascending") is None else constant(call.get("ascending"))
    if not isinstance(ascending, bool):
        raise call.refusal("opaque", "`sort_values` in an order that is not written out")
    return Sorted(call.series, not ascending)


@method(
    SERIES,
    "values",
    """
nlargest(n=5, keep: "first" | "last" | "all" = "first") -> Series
nsmallest(n=5, keep: "first" | "last" | "all" = "first") -> Series
""",
    needs="all rows",
    reads=("n",),
)
def best(call: MethodCall) -> Sorted:
    """Of numbers; what is missing comes last, as far as there are not enough others."""
    n = 5 if call.get("n") is None else constant(call.get("n"))
    if type(n) is not int or n < 1:
        raise call.refusal("opaque", f"`{call.method}` of a number of values that is not written out")
    return Sorted(call.series, call.method == "nlargest", n)


def _leaves(given: Constants) -> bool:
    """A positive number of rows; a negative one leaves that many out."""
    n = known(given, "n", 5)
    return type(n) is int and n > 0


@method(FRAME, "rows", "head(n=5)\ntail(n=5)", needs="an order", reads=("n",), leaves=_leaves)
def end_rows(call: MethodCall) -> BestRows:
    """Of a frame that is sorted by one column of numbers."""
    n = 5 if call.get("n") is None else constant(call.get("n"))
    name, up = call.run.sorted_column(call.frame)
    if name is None:
        raise call.refusal("representative-choice", f"`{call.method}` of rows in no known order")
    if type(n) is not int or n < 1 or (call.method == "tail" and n > 1):
        raise call.refusal("opaque", f"`{call.method}` of such a number of rows")
    by = call.run.group.series(call.frame, name)
    cells = call.run.reductions.cells(replace(call, owner=by), *_NUMBERS)
    if call.method == "tail" and cells.missing != FALSE:
        raise call.refusal("three-valued-logic", "the last of rows whose value may be missing")
    return BestRows(by, up is (call.method == "tail"), n, first=False)
