"""Column expressions (``F.col("x") > 1``, ``df.x.isin(…)``, ``when(…).otherwise(…)``) → ``Expr`` in the sql dialect."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.pyspark.frames.constant_text import text_of
from headwater.pyspark.frames.typed_terms import Term, compare
from headwater.syntax.names.pyspark_symbols import FRAME_ATTRIBUTES
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.ast_walk import walk
from headwater_ir.expr import And, ArithOp, CompareOp, Expr, If, IsNaN, Lit, Or, complement
from headwater_ir.plan import Conjunct
from headwater_ir.struct_fields import field_of
from headwater_ir.types import ANY, BOOL, FLOAT, INT32, OPAQUE, STRING, Type, list_of
from headwater_ir.unread import unread_column

from . import spark_functions
from .column_calls import ColumnCalls
from .determinism import is_rowwise, makes_text
from .intervals import shifted
from .value_ranges import WHOLE_NUMBERS

if TYPE_CHECKING:
    from sqlglot import exp

_COMPARE: dict[type[ast.cmpop], CompareOp] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class ColumnReader(ColumnCalls):
    """Reads the column expressions given to one method call of ``frame``."""

    def sql_aggregate(self, e: exp.Expression) -> Term | None:
        """The aggregate that a part of a SQL text calls; None where there are none."""
        return None

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
        return spark_functions.boolean(self.column(node))

    def column(self, node: ast.expr, *, text_is_name: bool = False) -> Term:
        """A Column; with ``text_is_name`` a string is a column's name, as in ``select("x")``."""
        if text_is_name and isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.reference(node.value)
        unknown = self.unknown_name(node) if text_is_name else None
        if unknown is not None:
            return unknown
        term = self.read(node)
        if text_is_name and not term.column and isinstance(term.expr, Lit) and isinstance(term.expr.value, str):
            return self.reference(term.expr.value)
        if not term.column:
            raise Refusal("opaque", f"`{self.ctx.text(node)}` is not known to be a Column", node)
        return term

    def value(self, node: ast.expr, *, text_is_name: bool = False) -> Term:
        """What a projection computes: as ``column``, or a value that has no model but depends on the row
        alone."""
        used = dict(self.used)
        try:
            return self.column(node, text_is_name=text_is_name)
        except Refusal as refusal:
            if not self.is_only_unread(refusal, node):
                raise
            self.used = used
            constants = self.constant_case(node, refusal.reason)
            if constants is not None:
                return replace(constants, name=_label(node, self))
            kind = OPAQUE if makes_text(node, self.names) or self._reads_opaque(node) else ANY
            kind = list_of(STRING) if self._splits(node) else self._whole_number(node) or kind
            return Term(self._unread(node, refusal.reason), kind, name=_label(node, self))

    def _unread(self, node: ast.expr, reason: str) -> Expr:
        """The value of ``node``, which has no model; of ``nanvl`` with a number it is known not to be NaN."""
        value, call = unread_column(reason), _without_alias(node)
        if isinstance(call, ast.Call) and self.names.function(call.func) == "nanvl" and len(call.args) == 2:
            instead = call.args[1]
            if isinstance(instead, ast.Call) and self.names.function(instead.func) == "lit" and len(instead.args) == 1:
                instead = instead.args[0]
            if isinstance(instead, ast.Constant) and isinstance(instead.value, (int, float)):
                return If(IsNaN(value), Lit(float(instead.value), FLOAT), value)
        return value

    def _whole_number(self, node: ast.expr) -> Type | None:
        """The type of ``node`` if it calls a function that yields whole numbers, whatever its arguments are."""
        call = _without_alias(node)
        function = self.names.function(call.func) if isinstance(call, ast.Call) else None
        return INT32 if function in WHOLE_NUMBERS else None

    def constant_case(self, node: ast.expr, reason: str) -> Term | None:
        """A CASE of constants whose conditions have no model, for ``reason``; None if ``node`` is none."""
        parts = self.case_parts(_without_alias(node))
        if parts is None:
            return None
        branches, last = parts
        results = [self.constant(result) for _, result in branches]
        otherwise = None if last is None else self.constant(last)
        found = [r for r in results if r is not None]
        if len(found) < len(results) or (last is not None and otherwise is None):
            return None
        test = unread_column(reason)
        return spark_functions.case(tuple((test, r) for r in found), otherwise)

    def _splits(self, node: ast.expr) -> bool:
        """Whether ``node`` makes an array of texts, whatever its arguments are."""
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="alias" | "name")):
                return self._splits(owner)
        return isinstance(node, ast.Call) and self.names.function(node.func) == "split"

    def _reads_opaque(self, node: ast.expr) -> bool:
        """Whether ``node`` names a column of a type that has no model."""
        opaque = {f.name for f in self.frame.schema.fields if f.type == OPAQUE}
        nodes = walk(node) if opaque else ()
        return any(
            (isinstance(n, ast.Constant) and n.value in opaque) or (isinstance(n, ast.Attribute) and n.attr in opaque)
            for n in nodes
        )

    def is_only_unread(self, refusal: Refusal, node: ast.expr) -> bool:
        """Whether ``node``, refused, is still a deterministic function of the row."""
        return refusal.obstruction in ("opaque", "may-throw") and is_rowwise(node, self.names, self.lookup)

    def read(self, node: ast.expr) -> Term:
        """Any expression that may stand in a Column expression."""
        try:
            return self.read_plainly(node)
        except Refusal as refusal:
            refusal.node = refusal.node or node
            raise

    def read_plainly(self, node: ast.expr) -> Term:
        """As ``read``; a Refusal does not say which part it is about."""
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
            case ast.Subscript(value=ast.Name(id=owner), slice=at) if self._is_frame(owner) and (
                name := text_of(at, self.names, self.lookup)
            ):
                return self._of_frame(owner, name)
            case ast.Subscript(value=ast.Call() as struct, slice=ast.Constant(value=str() as inner)):
                return Term(field_of(self.column(struct).expr, inner), ANY, name=inner)
            case ast.Subscript(value=ast.Call() as array, slice=ast.Constant() as at):
                return spark_functions.first_of_split(self.column(array), self.read(at))
            case ast.UnaryOp(op=ast.Invert()):
                return Term(complement(self.condition(node.operand)), BOOL)
            case ast.UnaryOp(op=ast.USub()):
                return spark_functions.negate(self.column(node.operand))
            case ast.BinOp():
                return self._binary(node)
            case ast.Compare(ops=[op], comparators=[right]) if type(op) in _COMPARE:
                left_term, right_term = self.read(node.left), self.read(right)
                if not (left_term.column or right_term.column):
                    raise Refusal("opaque", "compares two Python values", node)
                return Term(compare(_COMPARE[type(op)], left_term, right_term), BOOL)
            case ast.Call():
                return self.call(node)
        raise Refusal("opaque", f"no model covers `{self.ctx.text(node)}`", node)

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
        raise Refusal("opaque", "the operator has no model", node)

    def _arith(self, op: ArithOp, node: ast.BinOp) -> Term:
        left, right = self.read(node.left), self.read(node.right)
        if not (left.column or right.column):
            raise Refusal("opaque", "arithmetic on Python variables", node)
        return shifted(op, left, right) or spark_functions.arithmetic(op, left, right)


def _label(node: ast.expr, reader: ColumnReader) -> str | None:
    """The name that Spark gives the column ``node``, where that is plain to see."""
    match node:
        case ast.Call(func=ast.Attribute(attr="alias" | "name"), args=[ast.Constant(value=str() as label)]):
            return label if not node.keywords else None
        case ast.Call(func=ast.Attribute(value=inner, attr="cast" | "astype"), args=[_], keywords=[]):
            return _label(inner, reader)
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


def _without_alias(node: ast.expr) -> ast.expr:
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="alias" | "name"), args=[_], keywords=[]):
            return _without_alias(owner)
    return node
