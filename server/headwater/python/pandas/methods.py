"""Calls on whole columns whose result in a row is made of that row: ``where``, ``between``, ``map``, ``.str``.

Law: the element of the result is what pandas computes there. ``where`` and ``np.where`` choose between values that are
both computed, and none of which raises; what ``np.where`` makes is an array, without names for its rows. ``map`` of a
dict is missing where the value is no key. A test or method of texts is missing where the text is. ``contains`` takes a
pattern; it is read where that is a plain text. Reference: pandas 2.3, tests/conformance/test_pandas_rows.py.
Condition: floats of 64 bits, and texts, which pandas holds as Python's own.
"""

from __future__ import annotations

import ast
import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwater.python.builtins.named_containers import container_at
from headwater.python.exprs.simplify import NAN, NONE, both, choose, either, is_null, negate
from headwater.python.libraries import models
from headwater.python.rows.row_sequences import Series
from headwater.python.values import dict_tables
from headwater.python.values.scope import AbstractObject, Env
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import purity_of
from headwater_ir.expr import FALSE, TRUE, Call, Col, Compare, Expr, If, IsNull, Lit, Neg, StringOp, StringTest
from headwater_ir.types import FLOAT, INT, STRING, TIMESTAMP

from .arithmetic import of_literal, of_series

if TYPE_CHECKING:
    from .values import PandasInterpreter

_TESTS: dict[str, StringOp] = {"startswith": "startswith", "endswith": "endswith", "contains": "contains"}
_METHODS = ("lower", "upper", "strip", "lstrip", "rstrip", "title", "capitalize")
_OPERATORS: dict[str, ast.operator | ast.cmpop] = {
    "eq": ast.Eq(), "ne": ast.NotEq(), "lt": ast.Lt(), "le": ast.LtE(), "gt": ast.Gt(), "ge": ast.GtE(),
    "add": ast.Add(), "sub": ast.Sub(), "mul": ast.Mult(), "mod": ast.Mod(), "floordiv": ast.FloorDiv(),
}  # fmt: skip
_COVERED = frozenset(("where", "mask", "between", "map", "clip", "abs", "round", *_OPERATORS))
_YEARS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_PLAIN = re.compile(r"[\w ]*", re.ASCII)
Part = tuple[Expr, Expr]
"""Where an operand is missing, and what it is elsewhere."""


@dataclass(frozen=True)
class Array(AbstractObject):
    """A numpy array with an element for each row of a frame."""

    series: Series


def method(run: PandasInterpreter, node: ast.Call, owner: Series, name: str, env: Env) -> Series | None:
    """``owner.name(…)``; None if it is none of these."""
    if name not in _COVERED:
        return None
    bound = models.bind(f"pandas.Series.{name}", node)
    given = bound.arguments
    if name in ("where", "mask"):
        bound.only("cond", "other")
        other = _part(run, given["other"], node, env) if "other" in given else (TRUE, NAN)
        cond = _condition(run, given["cond"], owner, node, env)
        this = _float(run, of_series(run, owner, node), node)
        return _chosen(run, owner, cond if name == "where" else negate(cond), this, other)
    if name == "between" and isinstance(node.func, ast.Attribute):
        bound.only("left", "right")
        low = ast.Compare(node.func.value, [ast.GtE()], [given["left"]])
        high = ast.Compare(node.func.value, [ast.LtE()], [given["right"]])
        parts = [run.pandas(ast.fix_missing_locations(ast.copy_location(e, node)), env) for e in (low, high)]
        elements = [p.element for p in parts if isinstance(p, Series)]
        return Series(owner.frame, both(*elements)) if len(elements) == 2 else None
    if name == "map":
        return _mapped(run, node, bound.only("arg").arguments["arg"], owner, env)
    if name in _OPERATORS:
        return _operator(run, node, bound.only("other").arguments["other"], _OPERATORS[name], env)
    if name == "clip":
        return _clipped(run, node, bound.only("lower", "upper").arguments, owner, env)
    if name == "abs":
        return _absolute(run, owner, node)
    if name == "round":
        raise Refusal("opaque", "numpy's `round` scales, rounds and scales back: its bounds are no decimals", node)
    return None


def _operator(
    run: PandasInterpreter, node: ast.Call, right: ast.expr, op: ast.operator | ast.cmpop, env: Env
) -> Series | None:
    """``column.gt(3)`` is ``column > 3``."""
    assert isinstance(node.func, ast.Attribute)
    left = node.func.value
    spelled = ast.Compare(left, [op], [right]) if isinstance(op, ast.cmpop) else ast.BinOp(left, op, right)
    found = run.pandas(ast.fix_missing_locations(ast.copy_location(spelled, node)), env)
    return found if isinstance(found, Series) else None


def _clipped(
    run: PandasInterpreter, node: ast.Call, given: Mapping[str, ast.expr], owner: Series, env: Env
) -> Series:  # fmt: skip
    """``column.clip(low, high)`` of floats; NaN stays. pandas swaps bounds that are the wrong way round."""
    bounds = {k: _part(run, v, node, env)[1] for k, v in given.items() if _constant(v) is not None}
    numbers = [b.value for b in bounds.values() if isinstance(b, Lit)]
    if not given or len(numbers) != len(bounds) or numbers != sorted(numbers, key=lambda n: float(n)):  # type: ignore[arg-type]
        raise Refusal("opaque", "`clip` with bounds that are no constants, or the wrong way round", node)
    missing, raw = _float(run, of_series(run, owner, node), node)
    found = raw
    if "lower" in bounds:
        found = choose(Compare("<", raw, bounds["lower"], "python"), bounds["lower"], found)
    if "upper" in bounds:
        found = choose(Compare(">", raw, bounds["upper"], "python"), bounds["upper"], found)
    return _of_floats(owner, missing, found)


def _absolute(run: PandasInterpreter, owner: Series, node: ast.Call) -> Series:
    """``column.abs()`` of floats."""
    missing, raw = _float(run, of_series(run, owner, node), node)
    return _of_floats(owner, missing, choose(Compare("<", raw, Lit(0.0, FLOAT), "python"), Neg(raw, "python"), raw))


def _of_floats(like: Series, missing: Expr, raw: Expr) -> Series:
    return Series(like.frame, raw if missing == FALSE else If(missing, NAN, raw), present=missing == FALSE)


def year_test(run: PandasInterpreter, node: ast.Compare, env: Env) -> Series | None:
    """``column.dt.year == 2024``, of timestamps: a range of them. The year of NaT is NaN."""
    match node:
        case ast.Compare(
            left=ast.Attribute(value=ast.Attribute(value=times, attr="dt"), attr="year"),
            ops=[op], comparators=[ast.Constant(value=int() as year)],
        ) if type(op) in _YEARS and dt.MINYEAR <= year < dt.MAXYEAR:  # fmt: skip
            pass
        case _:
            return None
    owner = run.pandas(times, env)
    if not isinstance(owner, Series) or owner.column is None or run.group.type(owner.column) != TIMESTAMP:
        return None
    time, first, following = owner.element, *(Lit(dt.datetime(y, 1, 1), TIMESTAMP) for y in (year, year + 1))
    at_least, less = Compare(">=", time, first, "python"), Compare("<", time, first, "python")
    more, at_most = Compare(">=", time, following, "python"), Compare("<", time, following, "python")
    missing = IsNull(Col(owner.column))
    said = {
        ast.Eq: both(at_least, at_most), ast.NotEq: either(missing, less, more), ast.GtE: at_least, ast.Gt: more,
        ast.Lt: less, ast.LtE: at_most,
    }  # fmt: skip
    return Series(owner.frame, said[type(op)])


def call(run: PandasInterpreter, node: ast.Call, name: str | None, env: Env) -> Series | Array | None:
    """``np.where(…)``, ``pd.Series(np.where(…))`` and methods of ``.str``; None if it is something else."""
    if name == "numpy.where":
        given = models.in_order(name, node)
        frames = [s for s in (run.pandas(a, env) for a in given) if isinstance(s, Series)]
        if not frames or len(given) != 3:
            return None
        cond = _condition(run, given[0], frames[0], node, env)
        parts = [_part(run, a, node, env) for a in given[1:]]
        return Array(_chosen(run, frames[0], cond, *parts))
    if name == "pandas.Series" and (data := models.bind(name, node).only("data").get("data")) is not None:
        made = run.pandas(data, env)
        if isinstance(made, Array) and made.series.frame.mask == TRUE and made.series.frame.order == 0:
            return made.series
    match node.func:
        case ast.Attribute(value=ast.Attribute(value=texts, attr="str"), attr=method):
            owner = run.pandas(texts, env)
            return _text(run, node, owner, method) if isinstance(owner, Series) else None
    return None


def _condition(run: PandasInterpreter, test: ast.expr, like: Series, node: ast.AST, env: Env) -> Expr:
    found = run.pandas(test, env)
    if not isinstance(found, Series) or found.frame != like.frame:
        raise Refusal("opaque", "a choice that is not made by a mask of the same rows", node)
    return run.condition_of(found, node)


def _part(run: PandasInterpreter, value: ast.expr, node: ast.Call, env: Env) -> Part:
    found = run.pandas(value, env)
    if isinstance(found, Series):
        return _float(run, of_series(run, found, node), node)
    missing, number = of_literal(run, value, env)
    assert isinstance(number, Lit)
    return missing, Lit(float(number.value), FLOAT)  # type: ignore[arg-type]


def _float(run: PandasInterpreter, part: Part, node: ast.AST) -> Part:
    if run.scope.type(part[1]).name != "float":
        raise Refusal("opaque", "a choice between columns that are not of floats", node)
    return part


def _chosen(run: PandasInterpreter, like: Series, cond: Expr, a: Part, b: Part) -> Series:
    missing = either(both(cond, a[0]), both(negate(cond), b[0]))
    raw = choose(cond, a[1], b[1])
    return _of_floats(like, missing, raw)


def _mapped(run: PandasInterpreter, node: ast.Call, by: ast.expr, owner: Series, env: Env) -> Series | None:
    found = container_at(run, by, env)
    table = None if found is None else dict_tables.as_table(found)
    if table is None or owner.column is None or run.scope.type(owner.element) != STRING:
        return None
    numbers = [v.value for v in table.values if isinstance(v, Lit) and type(v.value) in (int, float)]
    if len(numbers) != len(table.keys) or any(n != n for n in numbers):
        raise Refusal("opaque", "`map` of a dict whose values are not numbers", node)
    floats = dict_tables.Table(table.keys, tuple(Lit(float(n), FLOAT) for n in numbers))  # type: ignore[arg-type]
    there = dict_tables.contains(run, node, floats, owner.element)
    return Series(owner.frame, If(negate(there), NAN, dict_tables.read(run, node, floats, owner.element, NAN)))


def _text(run: PandasInterpreter, node: ast.Call, owner: Series, method: str) -> Series | None:
    if owner.column is None or run.group.type(owner.column) != STRING:
        raise Refusal("opaque", "`.str` of what is not known to be a column of texts", node)
    if method not in ("len", *_METHODS, *_TESTS):
        return None
    text, bound = owner.element, models.bind(f"pandas.Series.str.{method}", node)
    certain = run.group.certain(owner.column)
    if method == "len":
        length = Call("len", (text,), INT)
        return Series(owner.frame, length if certain else If(IsNull(text), NAN, length), present=certain)
    if method in _METHODS:
        bound.only()
        value = Call(f"str.{method}", (text,), STRING)
        run.scope.assume(purity_of(f"str.{method}"), "note")
        return Series(owner.frame, value if certain else If(IsNull(text), NONE, value), present=certain)
    bound.only("pat", "na", "regex")
    needle, fill, regex = (_constant(bound.get(name)) for name in ("pat", "na", "regex"))
    plain = isinstance(needle, str) and (
        method != "contains" or regex is False or (regex in (None, True) and _PLAIN.fullmatch(needle))
    )
    if not plain or fill not in (None, False):
        return None
    test = StringTest(_TESTS[method], text, Lit(needle, STRING), "python")  # type: ignore[arg-type]
    if certain or fill is False:
        return Series(owner.frame, test if certain else both(negate(is_null(text)), test))
    return Series(owner.frame, If(IsNull(text), NONE, test))


def _constant(node: ast.expr | None) -> object:
    """The value of a literal; None if there is none, Ellipsis for something else."""
    return None if node is None else node.value if isinstance(node, ast.Constant) else ...
