"""Python values in column expressions: literals, variables that hold them, and conditions held in variables."""

from __future__ import annotations

import ast
import datetime as dt
from abc import ABC, abstractmethod

from headwater.pyspark.frames.constant_text import assigned, text_of
from headwater.pyspark.frames.tracked_values import Binding, TrackedFrame, Udf, Unevaluated, Unknown
from headwater.pyspark.frames.typed_terms import Term, literal
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Lit, Param
from headwater_ir.types import ANY

from .column_names import ColumnNames

_PLAIN = {"builtins.int", "builtins.float", "builtins.str", "builtins.bool", "builtins.len"}
"""Calls that yield a plain value, whatever they are given."""


class ColumnValues(ColumnNames, ABC):
    """Reads the Python values that column expressions are made of."""

    @abstractmethod
    def read(self, node: ast.expr) -> Term:
        """Any expression that may stand in a Column expression."""

    @abstractmethod
    def read_plainly(self, node: ast.expr) -> Term:
        """As ``read``; a Refusal does not say which part it is about."""

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
        if isinstance(binding.value, Unevaluated):
            # A literal is taken by value, a Column as if written here: neither needs the variable further down.
            constant = self.constant(binding.value.node)
            if constant is not None:
                return constant
            if self._may_be_column(binding.value.node):
                return self._condition_in_variable(node, binding, binding.value.node)
        elif not isinstance(binding.value, Unknown) or binding.frame is not None or binding.value.why:
            raise Refusal("opaque", f"`{node.id}` is not a plain value", node)
        if not self.variables:
            raise Refusal("opaque", f"`{node.id}` is a variable of a function of its own", node)
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
        term = self.read_plainly(value)
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
                if bound and (bound.frame or isinstance(bound.value, (TrackedFrame, Udf))):
                    return True
                if bound and isinstance(bound.value, Unevaluated) and bound.value.node is not node:
                    if self.constant(bound.value.node) is None:
                        return True
        return False
