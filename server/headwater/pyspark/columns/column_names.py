"""Columns by their names: which of a frame a name means, and whether it is still the one that it was."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import reduce
from typing import Protocol

from headwater.pyspark.frames.tracked_values import Binding, TrackedFrame, Unknown
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col
from headwater_ir.struct_fields import field_of
from headwater_ir.types import ANY, OPAQUE

from .qualified import qualified, type_of


class PythonCalls(Protocol):
    """Calls of Python functions in a condition. ``met``: it has one, with a meaning or without."""

    met: bool

    def column(self, node: ast.Call) -> Term | None:
        """The value of a call in a Column expression; None if it calls no UDF."""

    def sql(self, name: str, arguments: tuple[Term, ...]) -> Term | None:
        """The value of a call in SQL text; None if nothing is registered under the name."""


class ColumnNames:
    """What the readers of column expressions over ``frame`` share. ``used`` collects the Python variables read."""

    def __init__(self, names: Names, frame: TrackedFrame, lookup: Callable[[str], Binding | None]) -> None:
        self.names = names
        self.ctx = names.ctx
        self.frame = frame
        self.lookup = lookup
        self.used: dict[str, int] = {}
        self._calls: list[ast.Call] = []
        """The calls of functions of the file that are being written out."""
        self.variables = True
        """Whether a variable of unknown value may stay one; where it could not be named at the filter, it may not."""
        self.joins = False
        """Whether `l.x` may name a column of a join. A pre-filter there would say `x`, which may be ambiguous."""
        self.qualified = False
        """Whether `a.x` may name a column of a join by the frame below that is called `a`."""
        self.unknown: dict[str, int] | None = None
        """By what expressions columns were named whose values the file does not tell, and which assignments these read;
        None where such have no meaning."""
        self.python: PythonCalls | None = None
        """What a call of a Python function means; None where it means nothing."""

    def reference(self, name: str) -> Term:
        """The column ``name`` of the frame, ``a.x`` of a frame called ``a``, or a field ``x.f.g`` of its
        column ``x``."""
        struct, dot, inner = name.partition(".")
        told = self._told(struct, inner) if dot and inner.isidentifier() else None
        if told is not None:
            return told
        path = inner.split(".")
        if dot and all(map(str.isidentifier, path)) and self._is_struct(struct):
            return Term(reduce(field_of, path, self.reference(struct).expr), ANY, name=path[-1])
        if not name or any(ch in name for ch in ".`*"):
            raise Refusal("opaque", f"`{name}` is not a plain column name")
        self.names.spell(name)
        known = self.frame.schema.field(name)
        if known is None and self.frame.schema.complete:
            raise Refusal("attribute-capture", f"`{name}` is not a column of the frame")
        return Term(Col(name), known.type if known else self.frame.rest(name), name=name)

    def unknown_name(self, node: ast.expr) -> Term | None:
        """The column whose name ``node`` holds, a parameter or what another file calls so; no column is called that."""
        ident = None if self.unknown is None else self._given(node)
        if self.unknown is None or ident is None:
            return None
        name = f"`{self.ctx.text(node)}`"
        self.unknown[name] = ident
        return Term(Col(name), ANY, name=name)

    def _given(self, node: ast.expr) -> int | None:
        """Which assignment ``node`` reads, 0 for an import, if the file neither tells nor changes what it holds."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id in self.names.rebound or self.names.reflective:
            return None
        if root.id in self.names.imported:
            origin = self.names.resolve(node)
            return None if origin is None or origin.split(".")[0] == "pyspark" else 0
        bound = self.lookup(root.id) if root is node else None
        if bound is None or bound.is_frame or not isinstance(bound.value, Unknown) or bound.value.is_frame:
            return None
        return bound.ident if bound.value.origin == f"parameter {root.id}" else None

    def _told(self, alias: str, name: str) -> Term | None:
        """The column ``alias.name``, if it is one of a frame that is called so."""
        found = qualified(self.frame, alias, name)
        if found is None or not (self.qualified or found[0] == name):
            return None
        self.names.spell(name)
        kind = type_of(found[1], name)
        if kind is None:
            raise Refusal("attribute-capture", f"`{name}` is not a column of the frame `{alias}`")
        return Term(Col(found[0]), kind, name=name)

    def _is_struct(self, name: str) -> bool:
        """Whether ``name.f`` can only be a field of the column ``name``: no frame of the file is called so."""
        known = self.frame.schema.field(name)
        return known is not None and known.type in (ANY, OPAQUE) and not self.names.names_a_frame(name)

    def _is_frame(self, name: str) -> bool:
        bound = self.lookup(name)
        return bound is not None and (bound.frame is not None or isinstance(bound.value, TrackedFrame))

    def _of_frame(self, owner: str, name: str) -> Term:
        """``owner.name``: sound only where the column is still, by identity, that of the frame filtered."""
        bound = self.lookup(owner)
        assert bound is not None
        frame = bound.value if isinstance(bound.value, TrackedFrame) else bound.frame
        assert frame is not None
        if not self.frame.inherits(frame.ident, name, joins=self.joins):
            raise Refusal("attribute-capture", f"`{owner}.{name}` is a column of another frame")
        return self.reference(name)
