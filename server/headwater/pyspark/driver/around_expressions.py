"""What stands around an expression: who shows a frame, tests a value, or reads what a call gives."""

from __future__ import annotations

import ast

from headwater.pyspark.frames.tracked_values import (
    Binding,
    TrackedFrame,
    Unevaluated,
    Unknown,
    Value,
)
from headwater.pyspark.frames.uses_found import Site
from headwater.pyspark.walls import record, shown
from headwater.pyspark.walls.places import Places

from . import kept
from .taken_frames import TakenFrames

DESCRIBE = frozenset("columns schema dtypes printSchema".split())
"""Attributes of a frame that show its columns."""


class AroundExpressions(TakenFrames):
    """What is asked of the code around an expression."""

    _places: Places | None = None

    def _described(self, name: str) -> None:
        bound = self.lookup(name)
        if bound is not None:
            for value in (bound.frame, bound.value):
                if isinstance(value, TrackedFrame):
                    self.world.uses.described(value)

    def _frame_named(self, name: str) -> bool:
        bound = self.lookup(name)
        return bound is not None and (bound.frame is not None or isinstance(bound.value, TrackedFrame))

    def _is_shown(self, node: ast.expr, method: str, *, by_maker: bool = False) -> bool:
        """Whether another place shows that the receiver of an action, or of what makes a frame of one, a variable of
        unknown origin, is a frame; or, ``by_maker``, whether that is likely of what it was made by."""
        asked = method in record.WALLS or method in shown.SAME_KIND
        if not asked or not isinstance(node, ast.Name) or self.place or self.is_class:
            return False
        transformed = False
        match self.env.get(node.id):
            case Binding(value=Unknown(origin=origin, why=None)):
                parameter = origin == f"parameter {node.id}"
            case Binding(value=Unevaluated(node=ast.Call() as made)):
                parameter, transformed = False, self._is_transformed(made)
            case _:
                return False
        places = self._places_here()
        if by_maker and not transformed:
            return False
        return shown.is_frame(node, places, self.body, self.names, parameter=parameter, transformed=by_maker)

    def _is_transformed(self, made: ast.Call) -> bool:
        """Whether ``made`` is what a transformer makes of a frame, kept perhaps: a frame, of any library for Spark."""
        match made:
            case ast.Call(func=ast.Attribute(value=ast.Call() as inner, attr=method), args=[]) if method in kept.KEEPS:
                return self._is_transformed(inner)
            case ast.Call(func=ast.Attribute(attr="transform"), args=[ast.Name(id=given)], keywords=[]):
                return self._frame_named(given)
        return False

    def _shows(self, node: ast.Call) -> bool:
        """Whether the call ``node`` of a method shows that its receiver is one of Spark's frames."""
        return shown.shows(node, self.names) and not self._may_be_missing(node)

    def _show(self, value: Value, node: ast.expr) -> None:
        """Note that ``value``, of the expression ``node``, is one of Spark's frames, unless its type is asked for."""
        while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
            node = node.func if isinstance(node, ast.Call) else node.value
        asked = isinstance(node, ast.Name) and shown.type_is_asked(node.id, self._places_here())
        if isinstance(value, TrackedFrame) and not asked:
            self.world.show(value.plan)

    def _may_be_missing(self, node: ast.expr) -> bool:
        """Whether the program goes on where an attribute that ``node`` reads is missing."""
        return self.names.ctx.mentions("AttributeError") and shown.may_be_missing(node, self._places_here())

    def _is_test(self) -> bool:
        """Whether this is the body of a test, or of a method beside tests, which ask frames of a few rows."""
        if self.function is None:
            return False
        if self.function.name.startswith("test"):
            return True
        return self.owner is not None and self.names.ctx.has_method_like((self.owner, "test"))

    def _site(self, node: ast.expr) -> Site:
        return Site("", "", node, self._around)

    def _around(self, node: ast.AST) -> ast.AST | None:
        """What ``node`` is a part of."""
        return self._places_here().around(node)

    def _places_here(self) -> Places:
        """Where the expressions of this scope stand."""
        if self._places is None:
            self._places = Places(self.body)
        return self._places
