"""Functions that make a sequence of rows of another one: ``list``, ``tuple``, ``sorted``, ``zip``, ``enumerate``,
``map``, ``filter``, ``itertools.filterfalse`` and ``zip_longest``, and ``range`` of the number of rows.

Law: the new sequence has one value for each row of the old one, or for some of them, in its order or a new one.
Condition: sequences side by side are of the same rows in the same order, so that they have one length. Reference: the
Python library reference, built-in functions.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.libraries import models
from headwater.python.values.rows import UNORDERED, Rows, row_number
from headwater.python.values.scope import Env, Items
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Bound
from headwater.syntax.source.bindings import plain_parameters

from . import operators, sorting
from .dispatch import builtin

if TYPE_CHECKING:
    from headwater.python.interpreter.containers_mixin import Structured


@builtin("builtins.list", "builtins.tuple", reads="rows")
def copied(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Rows | None:
    """``list(rows)`` and ``tuple(rows)``."""
    rows = s.rows_at(bound.arguments["iterable"], env) if "iterable" in bound else None
    return rows and replace(rows, collects=bound.name == "list")


@builtin("builtins.sorted", reads="rows")
def in_order(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Rows | None:
    """``sorted(rows, key=None, reverse=False)``."""
    rows = s.rows_at(bound.arguments["iterable"], env)
    return None if rows is None else sorting.sorted_rows(s, node, rows, bound, env)


@builtin("builtins.zip", "itertools.zip_longest", reads="rows")
def side_by_side(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Rows | None:
    """``zip(*rows, strict=…)`` and ``zip_longest(*rows, fillvalue=…)``: rows side by side are of one length, so that
    neither parameter changes anything."""
    known = [name for name in ("strict", "fillvalue") if isinstance(bound.get(name), ast.Constant)]
    given = bound.only("*", *known).rest
    parts = [found for a in given if (found := s.rows_at(a, env)) is not None]
    if not parts or len(parts) != len(given):
        return None
    if any((p.mask, p.order) != (parts[0].mask, parts[0].order) or p.order == UNORDERED for p in parts):
        raise Refusal("opaque", "lists of different rows side by side", node)
    fails = any(p.fails for p in parts)
    return Rows(Items(tuple(p.element for p in parts), False), parts[0].mask, parts[0].order, fails=fails)


@builtin("builtins.enumerate", reads="rows")
def numbered(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Rows | None:
    """``enumerate(rows)``."""
    rows = s.rows_at(bound.only("iterable").arguments["iterable"], env)
    if rows is None:
        return None
    number = row_number(rows.mask, rows.order)
    return replace(rows, element=Items((number, rows.element), False), collects=False)


@builtin("builtins.range", reads="rows")
def numbers(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Rows | None:
    """``range(n)``, where n is how many rows there are."""
    bounds = models.in_order("builtins.range", node)
    if len(bounds) != 1 or isinstance(bounds[0], ast.Constant):
        return None
    of, (stop,) = None, bounds
    if isinstance(stop, ast.Call) and s.scope.origin(stop.func) == "builtins.len" and len(stop.args) == 1:
        of = s.rows_at(stop.args[0], env) or s.measured(stop.args[0], env)
    if of is None and isinstance(stop, (ast.Name, ast.Attribute, ast.Subscript)):
        with s.unheard():
            of = s.numbered(s.any_value(stop, env))
    return of and Rows(row_number(of.mask, of.order), of.mask, of.order)


@builtin("builtins.map", "builtins.filter", "itertools.filterfalse", reads="rows")
def mapped(s: Structured, node: ast.Call, bound: Bound, env: Env) -> Rows | None:
    """``map(function, rows)``, ``filter(function, rows)``, and so on."""
    over = next(iter(bound.rest), None) if bound.name == "map" else bound.arguments["iterable"]
    if over is None or len(bound.rest) > 1:
        return None
    return s.rows_at(_spelled_out(operators.getter_spelled_out(s, bound.arguments["function"]), over, bound.name), env)


def _spelled_out(function: ast.expr, over: ast.expr, name: str) -> ast.GeneratorExp:
    """``map(function, over)`` and so on as a generator."""
    names = plain_parameters(function.args) if isinstance(function, ast.Lambda) else ["element#"]
    if names is None or len(names) != 1:
        raise Refusal("opaque", "a function of rows with other than one parameter", function)
    element = ast.Name(names[0], ast.Load())
    body = function.body if isinstance(function, ast.Lambda) else ast.Call(function, [element], [])
    if name != "map" and isinstance(function, ast.Constant) and function.value is None:
        body = element
    tests: list[ast.expr] = [] if name == "map" else [body]
    if name == "filterfalse":
        tests = [ast.UnaryOp(ast.Not(), body)]
    loop = ast.comprehension(ast.Name(names[0], ast.Store()), over, tests, 0)
    made = ast.GeneratorExp(element if tests else body, [loop])
    return ast.fix_missing_locations(ast.copy_location(made, function))
