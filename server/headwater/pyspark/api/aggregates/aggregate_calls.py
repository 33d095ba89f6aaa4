"""The arguments of ``agg`` → native aggregates and what is computed of them: ``F.max("x")``, ``F.sum("x").alias("s")``,
``F.max("x") - F.min("x")``, ``F.array_contains(F.collect_set("s"), "a")``, ``{"x": "max"}``.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.columns import spark_functions
from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames.constant_text import given_items, spread, text_of
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.names.pyspark_methods import COLUMN, bind
from headwater.syntax.names.pyspark_symbols import FUNCTIONS
from headwater.syntax.refusal import Refusal
from headwater.syntax.signatures import Signature
from headwater.syntax.source.bindings import plain_parameters
from headwater_ir.expr import Arith, Col, Lit, Neg, columns_of

from . import aggregates_in_sql, collected_arrays
from .aggregate import AGGREGATES, CANONICAL, KNOWN, Native, Result, aggregated, part_of
from .collected_arrays import Collected, Function
from .lambdas import WithNames
from .struct_aggregates import Struct, struct, with_fields

if TYPE_CHECKING:
    from sqlglot import exp

_NAMED = frozenset("max min sum count avg collect_list collect_set first last max_by min_by".split())
"""Aggregates whose generated name is the canonical name of the function with the columns in parentheses."""


class Aggregates:
    """The aggregates of one ``agg`` in order, and its outputs."""

    def __init__(self) -> None:
        self.natives: list[Native] = []
        self.results: list[Result] = []

    def term(self, native: Native) -> Term:
        """The value of one more aggregate."""
        number = len(self.natives)
        self.natives.append(native)
        made = Term(aggregated(number), part_of(native, number).type)
        if native.function in ("max", "min") and isinstance(native.argument, Struct):
            return with_fields(made, native.argument)
        return made


def read_aggregates(frame: TrackedFrame, keys: tuple[str, ...], call: ast.Call, reader: ApiContext) -> Aggregates:
    """What ``frame.groupBy(keys).agg(…)`` computes."""
    columns = reader.columns(frame)
    found = Aggregates()
    args = spread(list(call.args), reader.names, reader.lookup)
    if len(args) == 1 and isinstance(args[0], ast.Dict):
        for key, value in zip(args[0].keys, args[0].values, strict=True):
            _entry(key, value, columns, found)
        return found
    if not args or call.keywords or any(isinstance(a, ast.Starred) for a in args):
        raise Refusal("opaque", "the aggregates are not written out", call)
    inside = InGroup(columns, keys, found)
    for number, arg in enumerate(args):
        label, value = _labelled(arg, reader)
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


def _labelled(node: ast.expr, reader: ApiContext) -> tuple[str | None, ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="alias" | "name"), args=[given], keywords=[]):
            label = text_of(given, reader.names, reader.lookup)
            if label is not None:
                return label, _labelled(inner, reader)[1]
    return None, node


class InGroup(ColumnReader):
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
        term = self._of_rows(node) or super().read_plainly(node)
        if isinstance(term.expr, (Arith, Neg)) and term.type.name == "int" and (term.type.bits or 64) <= 32:
            # Fewer rows may give other operands, and with them an overflow that the original does not have.
            raise Refusal("may-throw", f"`{self.ctx.text(node)}` may overflow", node)
        return term

    def _of_rows(self, node: ast.expr) -> Term | None:
        """An aggregate, or what a function makes of arrays, structs and values that are aggregates."""
        match node:
            case ast.Subscript(value=of, slice=place) if not isinstance(of, ast.Name):
                return self._part(self.read(of), place)
            case ast.Call(func=ast.Attribute(value=of, attr="getItem" | "getField" as method)) if (
                self.names.resolve(node.func) is None
            ):
                return self._part(self.read(of), *bind(COLUMN[method], node).arguments.values())
            case ast.Call():
                name = self.names.function(node.func) or ""
            case _:
                return None
        if name in AGGREGATES:
            return self._aggregate(node, name)
        if name in ("greatest", "least") and not node.keywords:
            return spark_functions.extreme(name, tuple(self.column(a) for a in node.args))
        if name not in collected_arrays.laws() or not node.args:
            return None
        given = bind(FUNCTIONS[name].declaration, node).in_order(Signature.of(FUNCTIONS[name].declaration))
        array = self.read(given[0]) if isinstance(given[0], (ast.Call, ast.Name)) else None
        if not isinstance(array, Collected):
            return None
        return collected_arrays.call(name, array, [self._argument_of_array(a) for a in given[1:]], self.found.term)

    def _part(self, of: Term, place: ast.expr) -> Term | None:
        """``of[place]``."""
        at = self.constant(place)
        if at is None:
            return None
        if isinstance(of, Struct) and isinstance(at.expr, Lit) and isinstance(at.expr.value, str):
            return of.field(at.expr.value)
        return collected_arrays.call("[]", of, [at], self.found.term) if isinstance(of, Collected) else None

    def _argument_of_array(self, node: ast.expr) -> collected_arrays.Argument:
        if not isinstance(node, ast.Lambda):
            return self.columns.read(node)
        names = plain_parameters(node.args)
        if names is None:
            raise Refusal("opaque", "a lambda with more than plain parameters", node)
        return Function(
            len(names), lambda *terms: WithNames(self.columns, dict(zip(names, terms, strict=True))).read(node.body)
        )

    def sql_aggregate(self, e: exp.Expression) -> Term | None:
        return aggregates_in_sql.term(e, self, self.columns, self.found.term)

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
        term = self._struct(args[0]) or self.columns.column(args[0], text_is_name=True)
        by_name = function in ("max_by", "min_by", "count_distinct", "corr", "covar_pop", "covar_samp")
        rest = tuple(self.columns.column(a, text_is_name=True) if by_name else self._other(a) for a in args[1:])
        if rest and function in KNOWN - {"max_by", "min_by"}:
            raise Refusal("opaque", f"`{function}` of several columns", node)
        if function in collected_arrays.COLLECTIONS and not rest:
            made: Term = collected_arrays.collected(function, term, self.found.term)
        else:
            made = self.found.term(Native(function, term, rest, ignore))
        # Only for plain columns is Spark's generated name known; others cannot be named by a filter.
        names = [t.name for t in (term, *rest) if t.name is not None]
        named = function in _NAMED and len(names) == 1 + len(rest)
        return replace(made, name=f"{function}({', '.join(names)})" if named else None)

    def _struct(self, node: ast.expr) -> Struct | None:
        """The struct that ``node`` makes of columns."""
        if not isinstance(node, ast.Call) or self.names.function(node.func) != "struct" or node.keywords:
            return None
        fields = [self.columns.column(a, text_is_name=True) for a in given_items(node, self.names, self.lookup)]
        return struct([(t.name, t) for t in fields])

    def _other(self, node: ast.expr) -> Term:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.columns.reference(node.value)
        return self.columns.read(node)


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
