"""Column expressions (``F.col("x") > 1``, ``df.x.isin(…)``, ``when(…).otherwise(…)``) → ``Expr`` in the sql dialect."""

from __future__ import annotations

import ast
import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from headwater_ir.expr import And, Call, Col, CompareOp, Expr, Lit, Not, Or, Param, StringOp
from headwater_ir.plan import Conjunct
from headwater_ir.struct_fields import field_of
from headwater_ir.types import ANY, BOOL, OPAQUE, STRING
from headwater_ir.unread import unread_column

from . import build
from .context import Refusal
from .names import Names
from .rowwise import is_rowwise, makes_text
from .schema import read_type
from .spark_names import FRAME_ATTRIBUTES
from .terms import Term, compare, literal, same
from .texts import assigned, text_of
from .values import Binding, Frame, Text, Udf, Unknown

_COMPARE: dict[type[ast.cmpop], CompareOp] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_PLAIN = {"builtins.int", "builtins.float", "builtins.str", "builtins.bool", "builtins.len"}
"""Calls that yield a plain value, whatever they are given."""
_TEXT_FIRST = {"concat_ws", "date_trunc", "format_string", "printf", "timestamp_add", "timestamp_diff"}
"""Functions whose first argument is a plain text: a separator, a unit, a format."""
_STRING_TESTS: dict[str, StringOp] = {"contains": "contains", "startswith": "startswith", "endswith": "endswith"}


class PythonCalls(Protocol):
    """Calls of Python functions in a condition. ``met``: it has one, with a meaning or without."""

    met: bool

    def column(self, node: ast.Call) -> Term | None:
        """The value of a call in a Column expression; None if it calls no UDF."""

    def sql(self, name: str, arguments: tuple[Term, ...]) -> Term | None:
        """The value of a call in SQL text; None if nothing is registered under the name."""


class ColumnReader:
    """Reads the column expressions given to one method call of ``frame``. ``used`` collects the Python
    variables read."""

    def __init__(self, names: Names, frame: Frame, lookup: Callable[[str], Binding | None]) -> None:
        self.names = names
        self.ctx = names.ctx
        self.frame = frame
        self.lookup = lookup
        self.used: dict[str, int] = {}
        self.variables = True
        """Whether a variable of unknown value may stay one; where it could not be named at the filter, it may not."""
        self.joins = False
        """Whether `l.x` may name a column of a join. A pre-filter there would say `x`, which may be ambiguous."""
        self.python: PythonCalls | None = None
        """What a call of a Python function means; None where it means nothing."""

    # --- entry points

    def conjuncts(self, node: ast.expr) -> tuple[Conjunct, ...]:
        """The conjuncts of a filter's condition, each with its span (parentheses excluded)."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
            return (*self.conjuncts(node.left), *self.conjuncts(node.right))
        return (Conjunct(self.condition(node), self.ctx.span(node)),)

    def readable(self, node: ast.expr) -> tuple[tuple[Conjunct, ...], Refusal | None]:
        """The conjuncts that have a meaning here, and why others have none although each is a deterministic function of
        the row; Refusal if one is not."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
            left, right = self.readable(node.left), self.readable(node.right)
            return (*left[0], *right[0]), left[1] or right[1]
        used = dict(self.used)
        try:
            return self.conjuncts(node), None
        except Refusal as refusal:
            if not self.is_only_unread(refusal, node):
                raise
            self.used = used
            return (), refusal

    def condition(self, node: ast.expr) -> Expr:
        """A boolean Column."""
        return build.boolean(self.column(node))

    def column(self, node: ast.expr, *, text_is_name: bool = False) -> Term:
        """A Column; with ``text_is_name`` a string is a column's name, as in ``select("x")``."""
        if text_is_name and isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.reference(node.value)
        term = self.read(node)
        if text_is_name and not term.column and isinstance(term.expr, Lit) and isinstance(term.expr.value, str):
            return self.reference(term.expr.value)
        if not term.column:
            raise Refusal("opaque", f"`{self.ctx.text(node)}` is not known to be a Column", node)
        return term

    def value(self, node: ast.expr, *, text_is_name: bool = False) -> Term:
        """What a projection computes: as ``column``, or a value that has no meaning here but depends on the row
        alone."""
        used = dict(self.used)
        try:
            return self.column(node, text_is_name=text_is_name)
        except Refusal as refusal:
            if not self.is_only_unread(refusal, node):
                raise
            self.used = used
            kind = OPAQUE if makes_text(node, self.names) else ANY
            return Term(unread_column(refusal.reason), kind, name=_label(node, self))

    def is_only_unread(self, refusal: Refusal, node: ast.expr) -> bool:
        """Whether ``node``, refused, is still a deterministic function of the row."""
        return refusal.obstruction in ("opaque", "may-throw") and is_rowwise(node, self.names, self.lookup)

    def reference(self, name: str) -> Term:
        """The column ``name`` of the frame, or a field ``x.f`` of its column ``x``."""
        struct, dot, inner = name.partition(".")
        if dot and inner.isidentifier() and self._is_struct(struct):
            return Term(field_of(self.reference(struct).expr, inner), ANY, name=inner)
        if not name or any(ch in name for ch in ".`*"):
            raise Refusal("opaque", f"`{name}` is not a plain column name")
        self.names.spell(name)
        known = self.frame.schema.field(name)
        if known is None and self.frame.schema.complete:
            raise Refusal("attribute-capture", f"`{name}` is not a column of the frame")
        return Term(Col(name), known.type if known else self.frame.rest(name), name=name)

    def _is_struct(self, name: str) -> bool:
        """Whether ``name.f`` can only be a field of the column ``name``: no frame of the file is called so."""
        known = self.frame.schema.field(name)
        return known is not None and known.type in (ANY, OPAQUE) and not names_a_frame(name, self.names)

    def read(self, node: ast.expr) -> Term:
        """Any expression that may stand in a Column expression."""
        try:
            return self._read(node)
        except Refusal as refusal:
            refusal.node = refusal.node or node
            raise

    def _read(self, node: ast.expr) -> Term:
        constant = self.constant(node)
        if constant is not None:
            return constant
        match node:
            case ast.Name():
                return self._variable(node)
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if self._is_frame(owner):
                if attr in FRAME_ATTRIBUTES or attr.startswith("_"):
                    raise Refusal("opaque", f"`{owner}.{attr}` is a method of the frame", node)
                return self._of_frame(owner, attr)
            case ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=str() as name)) if self._is_frame(
                owner
            ):
                return self._of_frame(owner, name)
            case ast.Subscript(value=ast.Call() as struct, slice=ast.Constant(value=str() as inner)):
                return Term(field_of(self.column(struct).expr, inner), ANY, name=inner)
            case ast.UnaryOp(op=ast.Invert()):
                return Term(Not(self.condition(node.operand)), BOOL)
            case ast.UnaryOp(op=ast.USub()):
                return build.negate(self.column(node.operand))
            case ast.BinOp():
                return self._binary(node)
            case ast.Compare(ops=[op], comparators=[right]) if type(op) in _COMPARE:
                left_term, right_term = self.read(node.left), self.read(right)
                if not (left_term.column or right_term.column):
                    raise Refusal("opaque", "compares two Python values", node)
                return Term(compare(_COMPARE[type(op)], left_term, right_term), BOOL)
            case ast.Call():
                return self._call(node)
        raise Refusal("opaque", f"`{self.ctx.text(node)}` has no meaning here", node)

    # --- Python values

    def constant(self, node: ast.expr) -> Term | None:
        """The term of a Python literal, of arithmetic on int literals, or of ``datetime.date(…)``."""
        match node:
            case ast.Constant(value=value):
                return literal(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return None if isinstance(number, bool) else literal(-number)
            case ast.BinOp(op=ast.Mult(), left=left, right=right):
                a, b = self.constant(left), self.constant(right)
                if a and b and isinstance(a.expr, Lit) and isinstance(b.expr, Lit):
                    x, y = a.expr.value, b.expr.value
                    if type(x) is int and type(y) is int:
                        return literal(x * y)
            case ast.Call(func=func, args=[ast.Constant(value=int() as y), ast.Constant(value=int() as m), ast.Constant(value=int() as d)], keywords=[]):  # fmt: skip # noqa: E501
                if self.names.resolve(func) == "datetime.date":
                    try:
                        return literal(dt.date(y, m, d))
                    except ValueError:
                        return None
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str() as text)], keywords=[]):
                known = self.names.resolve(node.func) == "builtins.float"
                return literal(float(text)) if known and text.lower() in ("nan", "inf", "-inf") else None
            case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()) | ast.Call(func=ast.Attribute(attr="format")):
                put_together = text_of(node, self.names, self.lookup)
                return None if put_together is None else literal(put_together)
            case ast.Attribute():
                constant = assigned(node, self.names, self.lookup)
                return self.constant(constant) if constant is not node else None
        return None

    def _variable(self, node: ast.Name) -> Term:
        binding = self.lookup(node.id)
        if binding is None or node.id in self.names.rebound:
            raise Refusal("opaque", f"the value of `{node.id}` is not known", node)
        if isinstance(binding.value, Text):
            # A literal is taken by value, a Column as if written here: neither needs the variable further down.
            constant = self.constant(binding.value.node)
            if constant is not None:
                return constant
            if self._may_be_column(binding.value.node):
                return self._condition_in_variable(node, binding, binding.value.node)
        elif not isinstance(binding.value, Unknown) or binding.frame is not None or binding.value.why:
            raise Refusal("opaque", f"`{node.id}` is not a plain value", node)
        if not self.variables:
            raise Refusal("volatile", f"`{node.id}` is a variable of a function of its own", node)
        self.used[node.id] = binding.ident
        return Term(Param(node.id), ANY, column=False)

    def _condition_in_variable(self, node: ast.Name, binding: Binding, value: ast.expr) -> Term:
        """``cond = F.col("x") > 1`` … ``df.filter(cond)``: as if written there, if all that it reads is still
        the same."""
        name = binding.outdated(self.lookup)
        if name is not None:
            raise Refusal("volatile", f"`{name}` may have changed since `{node.id}` was assigned", node)
        if isinstance(value, (ast.List, ast.Set, ast.Dict)):
            raise Refusal("opaque", f"what is in `{node.id}` may have changed since it was assigned", node)
        term = self._read(value)
        if not term.column:
            raise Refusal("opaque", f"`{node.id}` may be a Column", node)
        return term

    def _may_be_column(self, node: ast.expr) -> bool:
        if isinstance(node, (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Lambda, ast.ListComp, ast.JoinedStr)):
            return True
        if isinstance(node, ast.Call) and self.names.resolve(node.func) in _PLAIN:
            return False
        for n in ast.walk(node):
            if isinstance(n, (ast.Name, ast.Attribute)) and (self.names.resolve(n) or "").startswith("pyspark."):
                return True
            if isinstance(n, ast.Name):
                bound, defined = self.lookup(n.id), self.names.ctx.function(n.id)
                if defined is not None and defined.decorator_list:  # perhaps a UDF, whose calls are Columns
                    return True
                if bound and (bound.frame or isinstance(bound.value, (Frame, Udf))):
                    return True
                if bound and isinstance(bound.value, Text) and bound.value.node is not node:
                    if self.constant(bound.value.node) is None:
                        return True
        return False

    def _is_frame(self, name: str) -> bool:
        bound = self.lookup(name)
        return bound is not None and (bound.frame is not None or isinstance(bound.value, Frame))

    def _of_frame(self, owner: str, name: str) -> Term:
        """``owner.name``: sound only where the column is still, by identity, that of the frame filtered."""
        bound = self.lookup(owner)
        assert bound is not None
        frame = bound.value if isinstance(bound.value, Frame) else bound.frame
        assert frame is not None
        if not self.frame.inherits(frame.ident, name, joins=self.joins):
            raise Refusal("attribute-capture", f"`{owner}.{name}` is a column of another frame")
        return self.reference(name)

    # --- operators and calls

    def _binary(self, node: ast.BinOp) -> Term:
        match node.op:
            case ast.BitAnd():
                return Term(And((self.condition(node.left), self.condition(node.right))), BOOL)
            case ast.BitOr():
                return Term(Or((self.condition(node.left), self.condition(node.right))), BOOL)
            case ast.Add():
                return self._arith("+", node)
            case ast.Sub():
                return self._arith("-", node)
            case ast.Mult():
                return self._arith("*", node)
            case ast.Div():
                return self._arith("/", node)
            case ast.Mod():
                return self._arith("%", node)
        raise Refusal("opaque", "the operator has no meaning here", node)

    def _arith(self, op: str, node: ast.BinOp) -> Term:
        left, right = self.read(node.left), self.read(node.right)
        if not (left.column or right.column):
            raise Refusal("opaque", "arithmetic on Python variables", node)
        return build.arithmetic(op, left, right)  # type: ignore[arg-type]

    def _call(self, node: ast.Call) -> Term:
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
        raise Refusal("opaque", f"`{self.ctx.text(node.func)}` is not a function of Spark", node)

    def _function(self, name: str, node: ast.Call) -> Term:
        if name in ("when", "case"):
            return self._when(node)
        if name in build.VOLATILE | build.ROW_CONTEXT:
            return build.function(name, ())
        if node.keywords:
            raise Refusal("opaque", f"`{name}` with keyword arguments", node)
        if name in ("col", "column"):
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

                return read_sql(text.expr.value, self)
            raise Refusal("opaque", "the SQL text is not a literal", node)
        # The functions read a string argument as a column's name where they take a column first.
        if name in _TEXT_FIRST and isinstance(node.args[0] if node.args else None, ast.Constant):
            raise Refusal("opaque", f"`{name}` with a text that is no column's name", node)
        args = tuple(self._argument(a, i) for i, a in enumerate(node.args))
        return build.function(name, args)

    def _argument(self, node: ast.expr, position: int) -> Term:
        term = self.read(node)
        if position == 0 and not term.column:
            if isinstance(term.expr, Lit) and isinstance(term.expr.value, str):
                return self.reference(term.expr.value)
            raise Refusal("opaque", "the argument is not a column", node)
        if not term.column and term.type == STRING:
            # Whether a later string is a literal or a column's name differs by function.
            raise Refusal("opaque", "a string argument that may be a column's name", node)
        return term

    def _method(self, owner: ast.expr, name: str, node: ast.Call) -> Term:
        if name in ("when", "otherwise"):
            return self._when(node)
        if name == "exists" and not node.args:
            raise Refusal("join-on-clause", "the conditions inside of `exists` join, and filter neither side", node)
        base = self.column(owner)
        args = [] if name in ("isin", "cast", "astype") else [self.read(a) for a in node.args]
        if name in _STRING_TESTS and len(args) == 1:
            return build.string_test(_STRING_TESTS[name], base, args[0])
        match name, args:
            case (("alias" | "name"), [Term(expr=Lit(value=str() as label), column=False)]) if not node.keywords:
                return replace(base, name=label)
            case "isNull" | "isNotNull" | "isNaN", []:
                return build.function({"isNaN": "isnan"}.get(name, name), (base,))
            case "eqNullSafe", [other]:
                return Term(same(base, other), BOOL)
            case "between", [low, high]:
                return build.between(base, low, high)
            case "isin", _:
                return build.is_in(base, self._options(node))
            case (("cast" | "astype"), []) if len(node.args) == 1 and not node.keywords:
                return replace(build.cast(base, read_type(node.args[0], self.names.resolve)), name=base.name)
            case "getField", [Term(expr=Lit(value=str() as inner), column=False)] if not node.keywords:
                return Term(field_of(base.expr, inner), ANY, name=inner)
            case (("like" | "rlike" | "ilike"), [pattern]) if isinstance(pattern.expr, Lit):
                return Term(Call(name, (base.expr, pattern.expr), BOOL), BOOL)
            case (("asc" | "desc"), []):
                return base
        if name == "over":
            raise Refusal("row-context", "a window looks at other rows", node)
        raise Refusal("opaque", f"`.{name}` has no meaning here", node)

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
        if bound and isinstance(bound.value, Text) and isinstance(bound.value.node, (ast.List, ast.Tuple, ast.Set)):
            fixed = isinstance(bound.value.node, ast.Tuple) or self.names.never_changed(node.id)
            if fixed and not bound.outdated(self.lookup):
                return bound.value.node
        return node

    def _when(self, node: ast.Call) -> Term:
        branches: list[tuple[Expr, Term]] = []
        otherwise: Term | None = None
        at: ast.expr = node
        while isinstance(at, ast.Call):
            is_function = self.names.function(at.func) == "when"
            method = at.func.attr if isinstance(at.func, ast.Attribute) and not is_function else "when"
            if at.keywords or (method == "otherwise" and (at is not node or len(at.args) != 1)):
                break
            if method == "otherwise":
                otherwise = self.read(at.args[0])
            elif method == "when" and len(at.args) == 2:
                branches.insert(0, (self.condition(at.args[0]), self.read(at.args[1])))
            else:
                break
            if is_function:
                return build.case(tuple(branches), otherwise)
            at = at.func.value if isinstance(at.func, ast.Attribute) else ast.Constant(None)
        raise Refusal("opaque", "a `when` without a meaning here", node)


def _label(node: ast.expr, reader: ColumnReader) -> str | None:
    """The name that Spark gives the column ``node``, where that is plain to see."""
    match node:
        case ast.Call(func=ast.Attribute(attr="alias" | "name"), args=[ast.Constant(value=str() as label)]):
            return label if not node.keywords else None
        case ast.Call(func=func, args=[ast.Constant(value=str() as path)], keywords=[]):
            if reader.names.function(func) not in ("col", "column"):
                return None
        case ast.Constant(value=str() as path):
            pass
        case _:
            return None
    # `col("a.b")` is a field of a struct or a column of the frame aliased `a`: `b` either way.
    name = path.rpartition(".")[2]
    return name if name.isidentifier() else None


def names_a_frame(name: str, names: Names) -> bool:
    """Whether a frame of the file may be called ``name``: by ``alias``, or for the table that it is."""
    for node in names.calls_of("alias"):
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if not (isinstance(owner, ast.Call) and names.function(owner.func)):
            texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
            if len(texts) != 1 or str(texts[0]).lower() == name.lower():
                return True
    for node in (*names.calls_of("table"), *names.calls_of("sql")):
        texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
        if len(texts) != 1 or name.lower() in str(texts[0]).lower():
            return True
    return False
