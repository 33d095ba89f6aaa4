"""Columns of which one row makes several rows: ``F.explode("xs")``, ``F.posexplode("xs").alias("at", "x")``."""

from __future__ import annotations

import ast

from headwater_ir.plan import Explode, Field
from headwater_ir.span import Span
from headwater_ir.types import ANY

from .context import Refusal
from .values import Frame
from .world import Reader, without_facts_on

_GENERATORS = frozenset(
    "explode explode_outer posexplode posexplode_outer inline inline_outer stack json_tuple".split()
)


def generator_labels(node: ast.expr, reader: Reader) -> tuple[str, ...] | None:
    """The names that ``node`` gives to the columns that it generates, if it does; none if it leaves them to Spark."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="alias" | "name"), args=labels, keywords=[]):
            if generator_labels(inner, reader) is None:
                return None
            names = [label.value for label in labels if isinstance(label, ast.Constant)]
            return tuple(n for n in names if isinstance(n, str)) if len(names) == len(labels) else ()
        case ast.Call(func=func):
            return () if reader.names.function(func) in _GENERATORS else None
    return None


def exploded(frame: Frame, made: tuple[str, ...], span: Span, reader: Reader) -> Frame:
    """``frame`` with the generated columns ``made`` beside its own."""
    if not made:
        raise Refusal("opaque", "the generated columns have no names here")
    for name in made:
        reader.names.spell(name)
    plan = Explode(frame.plan, made, span)
    fields = (*(f for f in frame.schema.fields if f.name not in made), *(Field(name, ANY) for name in made))
    schema = type(frame.schema)(fields, frame.schema.complete)
    return reader.frame(plan, schema, frame, changed=made, facts=without_facts_on(frame, made))
