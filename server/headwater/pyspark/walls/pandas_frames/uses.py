"""Methods and functions of pandas that look at the columns of a frame that they are told, and at no other.

Law: what such a call gives is a function of these columns and of how many rows there are, so that a frame with these
columns alone gives the same. What makes a frame of a frame (``sort_values``, ``set_index``, ``dropna``) leaves the
other columns unread until somebody reads them behind it. The tables are closed: another method, argument or kind of
argument looks at everything. Two things are no functions of single columns: what pandas infers of a whole row
(``iterrows``, ``values``) and a function that is handed the frame.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from ..column_choice import ColumnChoice
from .names import is_constant, is_plain

Around = Callable[[ast.AST], ast.AST | None]

OF_GROUPS = frozenset("agg aggregate count first last max mean median min nunique size std sum var".split())
"""Methods of groups that look at the selected columns alone."""
_OF_GROUPBY = frozenset("as_index sort dropna observed group_keys".split())
_DRAWN = frozenset(
    """
    kind ax title figsize color colormap legend grid rot fontsize xlabel ylabel xlim ylim logx logy loglog style marker
    linewidth lw linestyle alpha stacked width bins label
    """.split()
)
"""What ``plot`` is told of how to draw, none of it the name of a column."""
_BY_INDEX = ("line", "bar", "barh", "area", "pie", "hist", "kde", "density", "box")
"""Kinds of plots that draw ``y`` over the labels of the rows if no ``x`` is given."""
_BY_BOTH = ("scatter", "hexbin")


_OF_SEABORN = frozenset(
    """
    barplot boxenplot boxplot countplot ecdfplot histplot kdeplot lineplot pointplot regplot residplot rugplot
    scatterplot stripplot swarmplot violinplot
    """.split()
)
"""Functions of seaborn that draw into axes: those that make a grid keep the whole frame in it."""
_VARIABLES = frozenset("x y hue size style units weights".split())
"""The arguments of these that name columns."""
_DRAWN_BY_SEABORN = frozenset(
    """
    alpha ax binrange bins binwidth bw_adjust capsize ci color common_norm cumulative cut dashes discrete dodge
    edgecolor element errorbar err_style estimator fill fit_reg fliersize height hue_order inner jitter kde label legend
    linestyle linestyles linewidth log_scale lw marker markers multiple native_scale order orient palette s
    saturation scatter scatter_kws line_kws showfliers shrink sizes split stat width
    """.split()
)


class Use(NamedTuple):
    """``by``, an expression around a frame, looks at these of its ``columns``. ``frame``: it is a frame with the other
    columns of that frame, too; else it is something else, made of these alone."""

    by: ast.expr
    columns: tuple[str, ...]
    frame: bool = False


def use_of(node: ast.expr, around: Around, choice: ColumnChoice) -> Use | None:
    """What the expression around ``node``, a frame of pandas, looks at; None if no table tells."""
    outer = around(node)
    match outer:
        case ast.Attribute(value=value, attr="index", ctx=ast.Load()) if value is node:
            return Use(outer, ())
        case ast.Attribute(value=value, attr="plot", ctx=ast.Load()) if value is node:
            return _plotted(outer, around, choice)
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if value is node:
            call = around(outer)
            if isinstance(call, ast.Call) and call.func is outer:
                return _called(call, name, call.args, around, choice)
        case ast.keyword(arg="data"):
            call = around(outer)
            return _seaborn(call, choice) if isinstance(call, ast.Call) and not call.args else None
        case ast.Call(func=function, args=[first, *others]) if first is node:
            drawn = None if others else _seaborn(outer, choice)
            if drawn is not None:
                return drawn
            name = (choice.resolve(function) or "").removeprefix("pandas.")
            if name in ("melt", "pivot", "pivot_table") and not (name == "pivot" and others):
                return _called(outer, name, others, around, choice)
    return None


def _called(call: ast.Call, name: str, placed: list[ast.expr], around: Around, choice: ColumnChoice) -> Use | None:
    """The method ``name`` with the arguments ``placed`` and those that are named in ``call``."""
    if name == "groupby":
        return _grouped(call, around, choice)
    order = _ORDER.get(name)
    if order is None or len(placed) > len(order) or any(isinstance(a, ast.Starred) for a in placed):
        return None
    given = dict(zip(order, placed, strict=False)) | {k.arg or "**": k.value for k in call.keywords}
    columns = _COLUMNS[name](given, choice) if len(given) == len(placed) + len(call.keywords) else None
    return None if columns is None else Use(call, tuple(dict.fromkeys(columns)), name in _MAKES_FRAMES)


Given = dict[str, ast.expr]
Named = tuple[str, ...] | None


def _others(given: Given, *columns: str, plain: str = "", false: str = "") -> bool:
    """Whether all that is ``given`` beside ``columns`` is a constant, of these names, or FALSE."""
    left = {n: v for n, v in given.items() if n not in columns}
    return all(
        (n in plain.split() and is_plain(v)) or (n in false.split() and is_constant(v, False)) for n, v in left.items()
    )


def _melt(given: Given, choice: ColumnChoice) -> Named:
    """Without the one or the other, all columns that are left are taken."""
    if not {"id_vars", "value_vars"} <= {*given} <= {"id_vars", "value_vars", "var_name", "value_name"}:
        return None
    kept, melted = choice.one_or_more(given["id_vars"]), choice.one_or_more(given["value_vars"])
    if kept is None or melted is None or {*kept} & {*melted}:
        return None
    return (*kept, *melted)


def _pivot(given: Given, choice: ColumnChoice) -> Named:
    if not {"columns", "values"} <= {*given} <= {"index", "columns", "values"}:
        return None
    named = [choice.one_or_more(v) for v in given.values()]
    return None if None in named else tuple(c for n in named if n is not None for c in n)


def _pivot_table(given: Given, choice: ColumnChoice) -> Named:
    """Of several values, the order in the frame tells that in the result."""
    if choice.text(given.get("values", ast.Constant(None))) is None or not {"index", "columns"} & {*given}:
        return None
    if not _others(given, "values", "index", "columns", "aggfunc", plain="fill_value dropna observed sort"):
        return None
    named = [choice.one_or_more(v) for k, v in given.items() if k in ("values", "index", "columns")]
    return None if None in named else tuple(c for n in named if n is not None for c in n)


def _sort_values(given: Given, choice: ColumnChoice) -> Named:
    if "by" not in given or not _others(given, "by", plain="ascending kind na_position ignore_index", false="inplace"):
        return None
    return choice.one_or_more(given["by"])


def _set_index(given: Given, choice: ColumnChoice) -> Named:
    if "keys" not in given or not _others(given, "keys", plain="drop verify_integrity", false="inplace append"):
        return None
    return choice.one_or_more(given["keys"])


def _subset(given: Given, choice: ColumnChoice) -> Named:
    if "subset" not in given or not _others(given, "subset", plain="how thresh keep ignore_index", false="inplace"):
        return None
    return choice.one_or_more(given["subset"])


def _dropped(given: Given, choice: ColumnChoice) -> Named:
    """Columns that are dropped must be there."""
    if "labels" in given and "columns" not in given and isinstance(given.get("axis"), ast.Constant):
        axis = given["axis"]
        columns = given["labels"] if isinstance(axis, ast.Constant) and axis.value in (1, "columns") else None
    else:
        columns = given.get("columns") if "labels" not in given and "axis" not in given else None
    if columns is None or not _others(given, "labels", "columns", "axis", false="inplace"):
        return None
    return choice.one_or_more(columns)


def _by_itself(given: Given, choice: ColumnChoice) -> Named:
    """Each column is made of that column, and rows are taken by their place alone."""
    plain = "n frac random_state drop value deep"
    inside = "drop" not in given or is_constant(given["drop"], True)
    return () if inside and _others(given, plain=plain, false="inplace") else None


def _reset(given: Given, choice: ColumnChoice) -> Named:
    return (
        () if "drop" in given and is_constant(given["drop"], True) and _others(given, "drop", false="inplace") else None
    )


def _drawn_by_column(given: Given, choice: ColumnChoice) -> Named:
    if "column" not in given or not {*given} <= {"column", "by"} | _DRAWN or not choice.draws:
        return None
    named = [choice.one_or_more(v) for k, v in given.items() if k in ("column", "by")]
    return None if None in named else tuple(c for n in named if n is not None for c in n)


_ORDER: dict[str, tuple[str, ...]] = {
    "melt": ("id_vars", "value_vars", "var_name", "value_name"),
    "pivot": (), "pivot_table": ("values", "index", "columns", "aggfunc"),
    "sort_values": ("by",), "set_index": ("keys",), "dropna": (), "drop_duplicates": ("subset",), "drop": ("labels",),
    "copy": ("deep",), "fillna": ("value",), "tail": ("n",), "sample": ("n",), "reset_index": (),
    "hist": ("column", "by"), "boxplot": ("column", "by"),
}  # fmt: skip
"""The arguments that may be given by their place."""
_COLUMNS: dict[str, Callable[[Given, ColumnChoice], Named]] = {
    "melt": _melt, "pivot": _pivot, "pivot_table": _pivot_table,
    "sort_values": _sort_values, "set_index": _set_index, "dropna": _subset, "drop_duplicates": _subset,
    "drop": _dropped, "copy": _by_itself, "fillna": _by_itself, "tail": _by_itself, "sample": _by_itself,
    "reset_index": _reset, "hist": _drawn_by_column, "boxplot": _drawn_by_column,
}  # fmt: skip
_MAKES_FRAMES = frozenset(
    "sort_values set_index dropna drop_duplicates drop copy fillna tail sample reset_index".split()
)


def _plotted(owner: ast.Attribute, around: Around, choice: ColumnChoice) -> Use | None:
    """``frame.plot(x=…, y=…)`` and ``frame.plot.bar(x=…, y=…)``."""
    outer = around(owner)
    kind: str | None = "line"
    placed: tuple[str, ...] = ()
    if isinstance(outer, ast.Attribute) and outer.value is owner:
        kind, placed, owner = outer.attr, ("x", "y"), outer
        outer = around(outer)
    if not isinstance(outer, ast.Call) or outer.func is not owner or len(outer.args) > len(placed) or not choice.draws:
        return None
    given = dict(zip(placed, outer.args, strict=False)) | {k.arg or "**": k.value for k in outer.keywords}
    if "kind" in given:
        kind = choice.text(given["kind"]) if not placed else None
    if not {"y"} <= {*given} <= {"x", "y"} | _DRAWN or any(isinstance(a, ast.Starred) for a in outer.args):
        return None
    if not (kind in _BY_BOTH and "x" in given) and kind not in _BY_INDEX:
        return None
    if kind in ("hist", "kde", "density", "box") and (placed or "x" in given):
        return None
    named = [choice.one_or_more(given[k]) for k in ("x", "y") if k in given]
    return None if None in named else Use(outer, tuple(dict.fromkeys(c for n in named if n is not None for c in n)))


def _seaborn(call: ast.Call, choice: ColumnChoice) -> Use | None:
    """``sns.lineplot(data=frame, x="day", y="n")``: with an ``x`` or a ``y``, the columns that are named alone."""
    module, _, name = (choice.resolve(call.func) or "").rpartition(".")
    if module != "seaborn" or name not in _OF_SEABORN:
        return None
    given = {k.arg or "**": k.value for k in call.keywords if k.arg != "data"}
    named = {k: choice.text(v) for k, v in given.items() if k in _VARIABLES}
    if not {"x", "y"} & {*named} or None in named.values() or not {*given} <= _VARIABLES | _DRAWN_BY_SEABORN:
        return None
    return Use(call, tuple(dict.fromkeys(n for n in named.values() if n is not None)))


def _grouped(call: ast.Call, around: Around, choice: ColumnChoice) -> Use | None:
    """``frame.groupby(keys)[columns]``, ``.agg`` of columns that are named, and ``.size()``."""
    if (
        len(call.args) != 1
        or not {k.arg for k in call.keywords} <= _OF_GROUPBY
        or not all(is_plain(k.value) for k in call.keywords)
    ):
        return None
    item, keys = around(call), choice.one_or_more(call.args[0])
    if keys is None:
        return None
    if isinstance(item, ast.Subscript) and item.value is call:
        names = choice.one_or_more(item.slice)
        if names is None:
            return None
        if choice.text(item.slice) is None:  # the groups of several columns still hold the whole frame
            made = _method_call(item, around)
            if made is None or made[0] not in OF_GROUPS:
                return None
        return Use(item, tuple(dict.fromkeys((*keys, *names))))
    made = _method_call(call, around)
    if made is None:
        return None
    name, outer = made
    if name == "size" and not outer.args and not outer.keywords:
        return Use(outer, keys)
    columns = _aggregated(outer, choice) if name in ("agg", "aggregate") else None
    return None if columns is None else Use(outer, tuple(dict.fromkeys((*keys, *columns))))


def _aggregated(call: ast.Call, choice: ColumnChoice) -> Named:
    """The columns of ``agg({"column": function})`` and ``agg(name=("column", function))``."""
    named: list[str | None] = []
    match call:
        case ast.Call(args=[ast.Dict(keys=[_, *_] as keys)], keywords=[]):
            named = [None if k is None else choice.text(k) for k in keys]
        case ast.Call(args=[], keywords=[_, *_] as keywords):
            for keyword in keywords:
                match keyword:
                    case ast.keyword(arg=str(), value=ast.Tuple(elts=[column, _])):
                        named.append(choice.text(column))
                    case _:
                        return None
    return None if not named or None in named else tuple(n for n in named if n is not None)


def _method_call(node: ast.expr, around: Around) -> tuple[str, ast.Call] | None:
    method = around(node)
    call = around(method) if isinstance(method, ast.Attribute) and method.value is node else None
    if not isinstance(call, ast.Call) or call.func is not method or not isinstance(method, ast.Attribute):
        return None
    return method.attr, call
