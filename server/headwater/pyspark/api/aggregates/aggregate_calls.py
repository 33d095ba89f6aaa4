"""The arguments of ``agg`` → native aggregates and what is computed of them: ``F.max("x")``, ``F.sum("x").alias("s")``,
``F.max("x") - F.min("x")``, ``F.array_contains(F.collect_set("s"), "a")``, ``{"x": "max"}``.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.sources import resolve_literal
from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.expr import And, Arith, Col, Compare, Expr, In, IsNull, Lit, Neg, Not, Or, StringTest, columns_of
from headwater_ir.types import BOOL

from . import aggregates_in_sql
from .aggregate import AGGREGATES, CANONICAL, KNOWN, Native, Result, aggregated, part_of

if TYPE_CHECKING:
    from sqlglot import exp

_NAMED = frozenset("max min sum count avg collect_list collect_set first last max_by min_by".split())
"""Aggregates whose generated name is the canonical name of the function with the columns in parentheses."""
_COLLECTIONS = {"collect_set", "collect_list", "array_agg"}
_SIZES = {"size", "cardinality", "array_size"}
_EXTREMES = {"array_max": "max", "array_min": "min"}
_OF_COLLECTED = {*_SIZES, *_EXTREMES, "array_contains", "exists", "forall"}
"""Functions of an array that are aggregates of its elements."""


class Aggregates:
    """The aggregates of one ``agg`` in order, and its outputs."""

    def __init__(self) -> None:
        self.natives: list[Native] = []
        self.results: list[Result] = []

    def term(self, native: Native) -> Term:
        """The value of one more aggregate."""
        number = len(self.natives)
        self.natives.append(native)
        return Term(aggregated(number), part_of(native, number).type)


def read_aggregates(frame: TrackedFrame, keys: tuple[str, ...], call: ast.Call, reader: ApiContext) -> Aggregates:
    """What ``frame.groupBy(keys).agg(…)`` computes."""
    columns = reader.columns(frame)
    found = Aggregates()
    args = list(call.args)
    if len(args) == 1 and isinstance(args[0], ast.Dict):
        for key, value in zip(args[0].keys, args[0].values, strict=True):
            _entry(key, value, columns, found)
        return found
    if len(args) == 1 and isinstance(args[0], ast.Starred):
        only = resolve_literal(args[0].value, reader)
        args = list(only.elts) if isinstance(only, (ast.List, ast.Tuple)) else args
    if not args or call.keywords or any(isinstance(a, ast.Starred) for a in args):
        raise Refusal("opaque", "the aggregates are not written out", call)
    inside = _Inside(columns, keys, found)
    for number, arg in enumerate(args):
        label, value = _labelled(arg)
        term = inside.read(value)
        if columns_of(term.expr) <= set(keys):
            raise Refusal("opaque", f"`{columns.ctx.text(value)}` is not an aggregate", value)
        generated = term.name if isinstance(term.expr, Col) else None
        found.results.append(Result(label or generated or f"<unnamed {number}>", term))
    if inside.used:
        raise Refusal("opaque", "an aggregate of a driver variable", call)
    return found


def shorthand(frame: TrackedFrame, name: str, call: ast.Call, reader: ApiContext) -> Aggregates:
    """``groupBy(k).max("x")``, ``.count()``."""
    found = Aggregates()
    if name == "count" and not call.args and not call.keywords:
        found.results.append(Result("count", found.term(Native("count", None))))
        return found
    if not call.args or call.keywords or any(isinstance(a, ast.Starred) for a in call.args):
        raise Refusal("opaque", f"`{name}` over columns that are not written out", call)
    columns = reader.columns(frame)
    for arg in call.args:
        term = columns.column(arg, text_is_name=True)
        found.results.append(Result(f"{CANONICAL.get(name, name)}({term.name})", found.term(Native(name, term))))
    return found


def _entry(key: ast.expr | None, value: ast.expr, columns: ColumnReader, found: Aggregates) -> None:
    """One entry of ``agg({"x": "max"})``; Spark names the output ``max(x)``."""
    if not isinstance(key, ast.Constant) or not isinstance(value, ast.Constant):
        raise Refusal("opaque", "the aggregates are not literals", value)
    function = str(value.value).lower()
    if key.value == "*" and function == "count":
        found.results.append(Result("count(1)", found.term(Native("count", None))))
        return
    term = columns.reference(str(key.value))
    if function not in AGGREGATES:
        raise Refusal("opaque", f"no model covers the aggregate `{function}`", value)
    name = f"{CANONICAL.get(function, function)}({term.name})"
    found.results.append(Result(name, found.term(Native(function, term))))


def _labelled(node: ast.expr) -> tuple[str | None, ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="alias" | "name"), args=[ast.Constant(value=str() as label)], keywords=[]):  # fmt: skip # noqa: E501
            return label, _labelled(inner)[1]
    return None, node


class _Inside(ColumnReader):
    """Reads an expression of aggregates: outside of them only keys are columns."""

    def __init__(self, columns: ColumnReader, keys: tuple[str, ...], found: Aggregates) -> None:
        super().__init__(columns.names, columns.frame, columns.lookup)
        self.columns, self.keys, self.found = columns, keys, found
        self.used = columns.used

    def reference(self, name: str) -> Term:
        if name not in self.keys:
            raise Refusal("opaque", f"`{name}` is neither a key nor aggregated")
        return super().reference(name)

    def read_plainly(self, node: ast.expr) -> Term:
        if isinstance(node, ast.Call):
            name = self.names.function(node.func)
            if name in AGGREGATES:
                return self._aggregate(node, name)
            if name in _OF_COLLECTED:
                collected = self._collected(node, name)
                if collected is not None:
                    return collected
        term = super().read_plainly(node)
        if isinstance(term.expr, (Arith, Neg)) and term.type.name == "int" and (term.type.bits or 64) <= 32:
            # Fewer rows may give other operands, and with them an overflow that the original does not have.
            raise Refusal("may-throw", f"`{self.ctx.text(node)}` may overflow", node)
        return term

    def sql_aggregate(self, e: exp.Expression) -> Term | None:
        found = aggregates_in_sql.native(e, self.columns)
        return None if found is None else self.found.term(found)

    def _aggregate(self, node: ast.Call, function: str) -> Term:
        function, ignore, args = CANONICAL.get(function, function), False, list(node.args)
        if function in ("first", "last"):
            ignore, args = _ignores_nulls(node)
        elif node.keywords:
            raise Refusal("opaque", f"`{function}` with keyword arguments", node)
        if not args or any(isinstance(a, ast.Starred) for a in args):
            raise Refusal("opaque", f"the columns of `{function}` are not written out", node)
        if function == "count" and len(args) == 1 and _is_star(args[0], self.columns):
            return replace(self.found.term(Native("count", None)), name="count(1)")
        term = self.columns.column(args[0], text_is_name=True)
        by_name = function in ("max_by", "min_by", "count_distinct", "corr", "covar_pop", "covar_samp")
        rest = tuple(self.columns.column(a, text_is_name=True) if by_name else self._other(a) for a in args[1:])
        if rest and function in KNOWN - {"max_by", "min_by"}:
            raise Refusal("opaque", f"`{function}` of several columns", node)
        made = self.found.term(Native(function, term, rest, ignore))
        # Only for plain columns is Spark's generated name known; others cannot be named by a filter.
        names = [t.name for t in (term, *rest) if t.name is not None]
        named = function in _NAMED and len(names) == 1 + len(rest)
        return replace(made, name=f"{function}({', '.join(names)})" if named else None)

    def _other(self, node: ast.expr) -> Term:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.columns.reference(node.value)
        return self.columns.read(node)

    def _collected(self, node: ast.Call, name: str) -> Term | None:
        """``size(collect_set(x))``, ``array_contains(collect_set(x), c)`` and the like, without the array."""
        if name in _SIZES and len(node.args) == 1 and (counted := self._matching(node.args[0], "filter")) is not None:
            return self.found.term(Native("count_if", counted))
        if name in ("exists", "forall"):
            matching = self._matching(node, name)
            if matching is None:
                return None
            found = self.found.term(Native("exists", matching))
            return found if name == "exists" else replace(found, expr=Not(found.expr))
        match node.args:
            case [ast.Call(func=func, args=[element], keywords=[]), *rest] if not node.keywords:
                function = self.names.function(func)
            case _:
                return None
        if function not in _COLLECTIONS:
            return None
        term = self.columns.column(element, text_is_name=True)
        if name == "array_contains" and len(rest) == 1:
            sought = self.columns.read(rest[0])
            return self.found.term(Native("contains", term, (sought,)))
        if name in _SIZES and not rest:
            return self.found.term(Native("count_distinct" if function == "collect_set" else "count", term))
        if name in _EXTREMES and not rest:
            return self.found.term(Native(_EXTREMES[name], term))
        return None

    def _matching(self, node: ast.expr, name: str) -> Term | None:
        """The rows that ``name(collect_list(x), lambda e: …)`` looks for, of ``forall`` those that break it; None for
        other calls. An element is never NULL, and the condition is refused if it may be."""
        match node:
            case ast.Call(
                func=func, args=[ast.Call(func=collect, args=[element], keywords=[]), ast.Lambda() as test], keywords=[]
            ) if self.names.function(func) == name:  # fmt: skip
                function = self.names.function(collect)
            case _:
                return None
        if function not in (_COLLECTIONS if name != "filter" else _COLLECTIONS - {"collect_set"}):
            return None
        names = plain_parameters(test.args)
        if names is None or len(names) != 1:
            raise Refusal("opaque", "a condition on elements that is no function of one", test)
        of = self.columns.column(element, text_is_name=True)
        condition = _OfElement(self.columns, names[0], of).condition(test.body)
        if not _never_null(condition, of.expr):
            raise Refusal("three-valued-logic", "a condition on elements that may be NULL", test)
        sought = Not(condition) if name == "forall" else condition
        return Term(And((Not(IsNull(of.expr)), sought)), BOOL)


class _OfElement(ColumnReader):
    """Reads the body of a lambda over the elements of an array, which is made of the column ``element``."""

    def __init__(self, columns: ColumnReader, name: str, element: Term) -> None:
        super().__init__(columns.names, columns.frame, columns.lookup)
        self.name, self.element, self.used = name, element, columns.used

    def read_plainly(self, node: ast.expr) -> Term:
        if isinstance(node, ast.Name) and node.id == self.name:
            return replace(self.element, name=None)
        if isinstance(node, ast.Lambda):
            raise Refusal("opaque", "a lambda inside another", node)
        return super().read_plainly(node)


def _never_null(e: Expr, element: Expr) -> bool:
    """Whether ``e`` is TRUE or FALSE for each ``element`` that is not NULL."""
    match e:
        case Compare(left=left, right=right):
            sides = (left, right)
            return all(s == element or (isinstance(s, Lit) and s.value is not None) for s in sides)
        case In(operand=operand, options=options):
            return operand == element and all(isinstance(o, Lit) and o.value is not None for o in options)
        case StringTest(text=text, needle=Lit(value=str())):
            return text == element
        case And(operands=operands) | Or(operands=operands):
            return all(_never_null(o, element) for o in operands)
        case Not(operand=operand):
            return _never_null(operand, element)
    return False


def _ignores_nulls(node: ast.Call) -> tuple[bool, list[ast.expr]]:
    """Whether ``first(x, …)`` ignores NULL, and its columns."""
    flags = [*node.args[1:], *(k.value for k in node.keywords if k.arg in ("ignorenulls", "ignoreNulls"))]
    flags = [f.args[0] if isinstance(f, ast.Call) and len(f.args) == 1 else f for f in flags]
    if not flags and not node.keywords:
        return False, node.args[:1]
    if len(flags) == 1 and isinstance(flags[0], ast.Constant) and isinstance(flags[0].value, bool):
        return flags[0].value, node.args[:1]
    raise Refusal("opaque", "whether NULLs are ignored is not written out", node)


def _is_star(node: ast.expr, columns: ColumnReader) -> bool:
    inner = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else node
    if isinstance(node, ast.Call) and columns.names.function(node.func) not in ("col", "column", "lit", "expr"):
        return False
    if isinstance(node, ast.Call) and columns.names.function(node.func) == "lit":
        return isinstance(inner, ast.Constant) and inner.value is not None
    return isinstance(inner, ast.Constant) and inner.value == "*"
