"""How a DataFrame's row looks as an element of ``df.rdd`` (measured: Spark 4.3).

A NULL is ``None`` whatever its type; a NaN stays a NaN; every other value is Python's own, a 32-bit float widened to
Python's. A timestamp comes in the time zone of the worker's operating system, not the session's: refused. ``r.name``
and ``r["name"]`` read the column spelled exactly so; ``r.count`` and ``r.index`` are methods of tuples; ``r[0]`` is the
first column.

A struct is a ``Row`` as well, so ``r["a"]["b"]`` and ``r.a.b`` are the field ``b`` of the column ``a``, to Spark
``a.b``. Where that is NULL, it may also be that ``a`` is, of which Python has no ``b``: then it raises. So it does for
a map without the key ``"b"``, where Spark has NULL too.
"""

from __future__ import annotations

import ast
import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from headwater.python.values.scope import AbstractObject, Scope, Unreadable, Value
from headwater.python.values.spark_row import METHODS, RowColumns
from headwater.python.values.type_inference import assumed_type, read_type
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import And, Col, Expr, If, IsNull, Raise
from headwater_ir.types import ANY, BOOL, OPAQUE


@dataclass(frozen=True)
class RddRow(AbstractObject):
    """The ``Row`` of one row of the frame."""


@dataclass(frozen=True)
class Struct(Unreadable):
    """What is in the column ``path``, of a type that has no model: its fields may have one."""

    path: str


_PLAIN = (str, bytes, bool, int, float, dt.datetime, dt.timedelta, Decimal, list, dict, tuple)
_OWN = METHODS.union(*(dir(kind) for kind in _PLAIN))
"""Attributes of what is no struct."""


@dataclass(frozen=True)
class Columns(RowColumns):
    """The columns of the frame behind an RDD."""

    def struct(self, node: ast.Attribute | ast.Subscript) -> Struct | None:
        """The column that ``row.name`` or ``row["name"]`` reads, if it is of a type that has no model."""
        name = node.attr if isinstance(node, ast.Attribute) else self.named(node)
        known = self.source.field(name) if isinstance(name, str) and name not in METHODS else None
        if known is None or known.type != OPAQUE:
            return None
        return Struct("opaque", f"`{name}` holds values without a model", known.name)

    def field(self, scope: Scope, owner: Value | None, node: ast.Attribute | ast.Subscript) -> Expr | None:
        """``owner.name`` and ``owner["name"]`` of a column that may be a struct, or a field; None for another owner."""
        path, name = _path(scope, owner), node.attr if isinstance(node, ast.Attribute) else _key(node)
        if path is None or name is None or not name.isidentifier() or not path.replace(".", "").isidentifier():
            return None
        if isinstance(node, ast.Attribute) and name in _OWN:
            return None
        if scope.names.names_a_frame(path.partition(".")[0]):
            raise Refusal("opaque", f"`{path}.{name}` may be a column of a frame called so", node)
        whole = f"{path}.{name}"
        scope.names.spell(whole)
        t = assumed_type(scope, whole)
        if t.name == "timestamp":
            raise Refusal("opaque", f"`{whole}`: a timestamp reaches Python in the worker's time zone", node)
        scope.columns[whole] = t
        absent = scope.ghost(f"absence of `{whole}`", BOOL)
        scope.assume(f"`{path}` has a field `{name}`, and only one", "names")
        gone = Raise(f"`{name}` of what has none")
        return If(And((IsNull(Col(whole)), IsNull(absent))), gone, Col(whole))

    def array(self, scope: Scope, node: ast.Attribute | ast.Subscript) -> str | None:
        """The column that ``row.name``, ``row["name"]`` or ``row[0]`` reads, if it holds arrays."""
        name = node.attr if isinstance(node, ast.Attribute) else self.named(node)
        if not isinstance(name, str) or (isinstance(node, ast.Attribute) and name in METHODS):
            return None
        field = self.source.field(name)
        stated = field.type if field else ANY
        if (scope.assumed_types.get(name, ANY) if stated == ANY else stated).name != "list":
            return None
        scope.names.spell(name)
        read_type(scope, self.source, name)
        if stated == ANY:
            scope.assume(f"no two columns are called `{name}` (schema unknown)", "names")
        return name

    def column(self, scope: Scope, name: str, node: ast.AST) -> Expr:
        """The column ``name``."""
        scope.names.spell(name)
        t = read_type(scope, self.source, name)
        if t.name == "timestamp":
            raise Refusal("opaque", f"`{name}`: a timestamp reaches Python in the worker's time zone", node)
        if t.name in ("list", "opaque"):
            raise Refusal("opaque", f"`{name}` holds values without a model", node)
        if t == ANY or name in scope.assumed_types:
            scope.assume(f"no two columns are called `{name}` (schema unknown)", "names")
        return Col(name)


def _path(scope: Scope, owner: Value | None) -> str | None:
    """The column, or field of a column, that ``owner`` is, if it may have fields."""
    match owner:
        case Struct(path=path):
            return path
        case Col(name) | If(_, Raise(), Col(name)) if scope.type(Col(name)) == ANY:
            return name
    return None


def _key(node: ast.Subscript) -> str | None:
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return key if isinstance(key, str) else None
