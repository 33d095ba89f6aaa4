"""The schema that a call declares for what a Python function returns: a DDL string, a ``StructType``, or the ``schema``
of a frame whose columns are known."""

from __future__ import annotations

import ast

from headwater.pyspark.frames.schema import read_schema
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.syntax.refusal import Refusal
from headwater_ir.plan import Schema
from headwater_ir.types import ANY

from .api_context import ApiContext
from .sources import in_order, resolve_literal


def declared_schema(node: ast.expr, reader: ApiContext) -> Schema:
    """The columns that ``node`` declares, in their order; Refusal if they are not known."""
    node = resolve_literal(node, reader)
    if isinstance(node, ast.Attribute) and node.attr == "schema" and isinstance(node.value, ast.Name):
        frame = _frame(node.value, reader)
        if frame is None or not in_order(frame) or any(f.type == ANY for f in frame.schema.fields):
            raise Refusal("opaque", f"the columns of `{node.value.id}` are not known", node)
        schema = frame.schema
    else:
        schema = read_schema(node, reader.names.resolve)
    for f in schema.fields:
        reader.names.spell(f.name)
    return schema


def _frame(node: ast.Name, reader: ApiContext) -> TrackedFrame | None:
    bound = reader.lookup(node.id)
    if bound is None or node.id in reader.names.rebound:
        return None
    return bound.value if isinstance(bound.value, TrackedFrame) else bound.frame
