"""Calls in column expressions: functions of ``pyspark.sql.functions``, and methods of a Column."""

from __future__ import annotations

import ast
from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from headwater.pyspark.frames.schema import read_type
from headwater.pyspark.frames.tracked_values import Unevaluated
from headwater.pyspark.frames.typed_terms import Term, same
from headwater.python.effects.containers_read import Containers
from headwater.python.values.native_parts import is_registered
from headwater.syntax.names.pyspark_methods import COLUMN, bind
from headwater.syntax.names.pyspark_symbols import FOREIGN, FUNCTIONS, ROW_CONTEXT, VOLATILE
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Expr, Lit, Param, StringOp
from headwater_ir.struct_fields import field_of
from headwater_ir.types import ANY, BOOL, OPAQUE, STRING

from . import spark_functions
from .column_values import ColumnValues
from .own_functions import DEEPEST, written_out

if TYPE_CHECKING:
    from .column import ColumnReader

_TEXT_FIRST = {"format_string", "printf", "timestamp_add", "timestamp_diff"}
"""Functions whose first argument is a plain text, and which have no model."""
TEXTS = {
    **dict.fromkeys(("concat_ws", "date_trunc"), (0,)),
    **dict.fromkeys("array_contains date_format element_at from_unixtime get_json_object instr".split(), (1,)),
    **dict.fromkeys("regexp_extract split substring_index to_date to_timestamp trunc unix_timestamp".split(), (1,)),
    **dict.fromkeys(("from_utc_timestamp", "to_utc_timestamp"), (1,)),
    **dict.fromkeys(("regexp_replace", "translate"), (1, 2)),
    "lpad": (2,),
}
"""The places of arguments in which a string is a plain text."""
_VALUES = frozenset({"array_contains", "element_at"})
"""Functions of ``TEXTS`` that take any value there."""
_TEXT_OR_COLUMN = _VALUES | {"instr", "lpad", "regexp_replace", "split"}
"""Functions of ``TEXTS`` that take a Column there, too."""
NAMES_OF_COLUMNS = frozenset(
    """add_months array coalesce concat concat_ws date_add date_diff date_part date_sub date_trunc dateadd datediff
    datepart extract get greatest ifnull ilike least left like nullif nvl pow power regexp_like rlike split_part substr
    substring""".split()
)
"""Functions of several columns, each of which a string may name."""
_STRING_TESTS: dict[str, StringOp] = {"contains": "contains", "startswith": "startswith", "endswith": "endswith"}


class ColumnCalls(ColumnValues):
    """Reads the calls that column expressions are made of."""

    @abstractmethod
    def column(self, node: ast.expr, *, text_is_name: bool = False) -> Term:
        """A Column; with ``text_is_name`` a string is a column's name, as in ``select("x")``."""

    @abstractmethod
    def condition(self, node: ast.expr) -> Expr:
        """A boolean Column."""

    def call(self, node: ast.Call) -> Term:
        made = self.python.column(node) if self.python is not None else None
        if made is not None:
            return made
        if any(k.arg is None for k in node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
            if not (isinstance(node.func, ast.Attribute) and node.func.attr == "isin"):
                raise Refusal("opaque", "a call with unpacked arguments", node)
        function = self.names.function(node.func)
        if function is not None:
            return self._function(function, node)
        if isinstance(node.func, ast.Attribute):
            return self._method(node.func.value, node.func.attr, node)
        written = written_out(node, self.names)
        if written is not None:
            return self._written(node, written)
        raise Refusal("opaque", f"`{self.ctx.text(node.func)}` is not a function of Spark", node)

    def _written(self, node: ast.Call, written: ast.expr) -> Term:
        """What a function of the file makes, which may call others, but not itself."""
        if len(self._calls) >= DEEPEST:
            raise Refusal("opaque", f"`{self.ctx.text(node.func)}` calls functions that call others", node)
        self._calls.append(node)
        try:
            return self.read_plainly(written)
        except Refusal as refusal:
            raise Refusal(refusal.obstruction, refusal.reason, node) from None
        finally:
            self._calls.pop()

    def _function(self, name: str, node: ast.Call) -> Term:
        self._not_hidden(name, node)
        if name in ("when", "case"):
            return self._when(node)
        if name in VOLATILE | ROW_CONTEXT and not (name == "unix_timestamp" and node.args):
            return spark_functions.function(name, ())
        if name in FOREIGN:
            raise Refusal("opaque", f"`{name}` calls a function by its name", node)
        if node.keywords:
            raise Refusal("opaque", f"`{name}` with keyword arguments", node)
        if name in FUNCTIONS:
            bind(FUNCTIONS[name].declaration, node)
        if name in ("col", "column"):
            unknown = self.unknown_name(node.args[0]) if len(node.args) == 1 else None
            if unknown is not None:
                return unknown
            term = self.read(node.args[0]) if len(node.args) == 1 else None
            if term and isinstance(term.expr, Lit) and isinstance(term.expr.value, str) and not term.column:
                return self.reference(term.expr.value)
            raise Refusal("opaque", "the name of the column is not a literal", node)
        if name == "lit" and len(node.args) == 1:
            return replace(self.read(node.args[0]), column=True)
        if name == "expr" and len(node.args) == 1:
            text = self.read(node.args[0])
            if isinstance(text.expr, Lit) and isinstance(text.expr.value, str) and not text.column:
                from .sql import read_sql

                return read_sql(text.expr.value, cast("ColumnReader", self))
            raise Refusal("opaque", "the SQL text is not a literal", node)
        if name in _TEXT_FIRST and isinstance(node.args[0] if node.args else None, ast.Constant):
            raise Refusal("opaque", f"`{name}` with a text that is no column's name", node)
        return spark_functions.function(name, tuple(self._argument(a, i, name) for i, a in enumerate(node.args)))

    def _argument(self, node: ast.expr, position: int, function: str) -> Term:
        term = self.read(node)
        if position in TEXTS.get(function, ()):
            known = isinstance(term.expr, Lit) and not term.column and term.type == STRING
            if known or function in _VALUES or (term.column and function in _TEXT_OR_COLUMN):
                return term
            raise Refusal("opaque", f"`{function}` with a text that is not known", node)
        if not term.column and (position == 0 or function in NAMES_OF_COLUMNS):
            if isinstance(term.expr, Lit) and isinstance(term.expr.value, str):
                return self.reference(term.expr.value)
        places_of_texts = TEXTS.get(function, ())
        if not term.column and (position == 0 or 0 in places_of_texts or term.type in (STRING, ANY, OPAQUE)):
            raise Refusal("opaque", "an argument that may be a column's name", node)
        return term

    def _not_hidden(self, name: str, node: ast.Call) -> None:
        """Refusal if a function of the file may be called in the place of Spark's, or of a Column's method."""
        if is_registered(self.names, name.lower()):
            raise Refusal("opaque", f"`{name}` may be a function that this file registers", node)

    def _method(self, owner: ast.expr, name: str, node: ast.Call) -> Term:
        self._not_hidden(name, node)
        if name in ("when", "otherwise"):
            return self._when(node)
        if name == "exists" and not node.args:
            raise Refusal("join-on-clause", "the conditions inside of `exists` join, and filter neither side", node)
        if name in COLUMN:
            bind(COLUMN[name], node)
        base = self.column(owner)
        args = [] if name in ("isin", "cast", "astype") else [self.read(a) for a in node.args]
        if name in _STRING_TESTS and len(args) == 1:
            return spark_functions.string_test(_STRING_TESTS[name], base, args[0])
        match name, args:
            case (("alias" | "name"), [Term(expr=Lit(value=str() as label), column=False)]) if not node.keywords:
                return replace(base, name=label)
            case "isNull" | "isNotNull" | "isNaN", []:
                return spark_functions.function({"isNaN": "isnan"}.get(name, name), (base,))
            case "eqNullSafe", [other]:
                return Term(same(base, other), BOOL)
            case "between", [low, high]:
                return spark_functions.between(base, low, high)
            case "isin", _:
                return spark_functions.is_in(base, self._options(node))
            case (("cast" | "astype"), []) if len(node.args) == 1 and not node.keywords:
                return replace(spark_functions.cast(base, read_type(node.args[0], self.names.resolve)), name=base.name)
            case "getField", [Term(expr=Lit(value=str() as inner), column=False)] if not node.keywords:
                return Term(field_of(base.expr, inner), ANY, name=inner)
            case "getItem", [at] if not node.keywords:
                return spark_functions.first_of_split(base, at)
            case "like", [pattern]:
                return spark_functions.like(base, pattern)
            case (("rlike" | "ilike"), [pattern]) if isinstance(pattern.expr, Lit):
                return spark_functions.function(name, (base, pattern))
            case "substr", [start, length] if not node.keywords:
                return spark_functions.function("substring", (base, start, length))
            case (("asc" | "desc"), []):
                return base
        if name == "over":
            raise Refusal("row-context", "a window looks at other rows", node)
        raise Refusal("opaque", f"`.{name}` has no model", node)

    def _options(self, node: ast.Call) -> tuple[Term, ...]:
        """The values of ``isin``: varargs, or one list of literals, or a constant that is such a list."""
        items: list[ast.expr] = list(node.args)
        if len(items) == 1:
            only = items[0].value if isinstance(items[0], ast.Starred) else items[0]
            if isinstance(only, ast.Name):
                only = self._list_constant(only)
            if isinstance(only, (ast.List, ast.Tuple, ast.Set)):
                items = list(only.elts)
        if node.keywords or any(isinstance(i, ast.Starred) for i in items):
            raise Refusal("opaque", "the values of `isin` are not literals", node)
        terms = tuple(self.read(i) for i in items)
        if not all(isinstance(t.expr, (Lit, Param)) and not t.column for t in terms):
            raise Refusal("opaque", "the values of `isin` are not literals", node)
        if len(terms) == 1 and isinstance(terms[0].expr, Param):
            raise Refusal("opaque", "the list of `isin` is not a literal", node)
        return terms

    def _list_constant(self, node: ast.Name) -> ast.expr:
        bound = self.lookup(node.id)
        if (
            bound
            and isinstance(bound.value, Unevaluated)
            and isinstance(bound.value.node, (ast.List, ast.Tuple, ast.Set))
        ):
            fixed = isinstance(bound.value.node, ast.Tuple) or Containers.of(self.names).never_changed(node.id)
            if fixed and not bound.outdated(self.lookup):
                return bound.value.node
        return node

    def _when(self, node: ast.Call) -> Term:
        parts = self.case_parts(node)
        if parts is None:
            raise Refusal("opaque", "a `when` without a model", node)
        branches, last = parts
        otherwise = None if last is None else self.read(last)
        return spark_functions.case(
            tuple((self.condition(test), self.read(result)) for test, result in branches), otherwise
        )

    def case_parts(self, node: ast.expr) -> tuple[list[tuple[ast.expr, ast.expr]], ast.expr | None] | None:
        """Conditions and results of ``when(…).when(…).otherwise(…)``, and what else it yields; None if ``node`` is no
        such call."""
        branches: list[tuple[ast.expr, ast.expr]] = []
        otherwise: ast.expr | None = None
        at: ast.expr = node
        while isinstance(at, ast.Call):
            is_function = self.names.function(at.func) == "when"
            method = at.func.attr if isinstance(at.func, ast.Attribute) and not is_function else "when"
            if at.keywords or (method == "otherwise" and (at is not node or len(at.args) != 1)):
                return None
            if method == "otherwise":
                otherwise = at.args[0]
            elif method == "when" and len(at.args) == 2:
                branches.insert(0, (at.args[0], at.args[1]))
            else:
                return None
            if is_function:
                return branches, otherwise
            at = at.func.value if isinstance(at.func, ast.Attribute) else ast.Constant(None)
        return None
