"""``unpivot`` and ``melt``: for each row as many as there are columns to unpivot."""

from __future__ import annotations

import ast

from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.constant_text import text_of
from headwater.pyspark.frames.tracked_values import TrackedFrame, Value
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Call, Col, Expr, Lit
from headwater_ir.plan import Boundary, Explode, Field, Project, Schema
from headwater_ir.span import Span
from headwater_ir.types import ANY, STRING

from .api_context import ApiContext
from .sources import resolve_literal

_PARAMETERS = ("ids", "values", "variableColumnName", "valueColumnName")


def unpivot(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    """``frame.unpivot(ids, values, variable, value)`` with lists of columns that are written out."""
    given = dict(zip(_PARAMETERS, call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    if set(given) != set(_PARAMETERS) or not isinstance(call.func, ast.Attribute):
        raise Refusal("opaque", "the arguments of `unpivot` are not written out", call)
    ids, values = (_columns(frame, given[name], reader) for name in _PARAMETERS[:2])
    labels = [text_of(given[name], reader.names, reader.lookup) for name in _PARAMETERS[2:]]
    variable, value = (label if label is not None and "." not in label else "" for label in labels)
    names = [n.lower() for n in (*ids, variable, value)]
    if not values or not all(names) or len(set(names)) < len(names):
        raise Refusal("opaque", "the columns that `unpivot` makes are not written out", call)
    for name in (variable, value):
        reader.names.spell(name)
    arms = [((variable, _shown(v, frame)), (value, Col(v))) for v in values]
    end = call_spans.receiver_end(reader.names.ctx, call.func)
    boundary = Boundary(call.func.attr, None, reader.names.ctx.span(call), end)
    reader.world.bound_at[boundary] = reader.snapshot()
    made = (variable, value)
    rows = Explode(frame.plan, made, span, boundary, arms=tuple(arms), facts=frame.facts)
    plan = Project(rows, tuple((n, Col(n)) for n in (*ids, *made)), False, (), span)
    kept = [(n, frame.schema.field(n)) for n in ids]
    fields = [Field(n, f.type if f else frame.rest(n)) for n, f in kept]
    types = {f.type if (f := frame.schema.field(v)) else frame.rest(v) for v in values}
    one = types.pop() if len(types) == 1 else ANY
    schema = Schema((*fields, Field(variable, STRING), Field(value, one)))
    return reader.frame(plan, schema, frame, changed=made, kept=frozenset(ids))


def _shown(column: str, frame: TrackedFrame) -> Expr:
    """The text that stands for a column: its name as the frame has it, of which the case may be another."""
    said = Lit(column, STRING)
    return said if frame.schema.field(column) else Call("name of a column", (said,), STRING, total=True)


def _columns(frame: TrackedFrame, node: ast.expr, reader: ApiContext) -> tuple[str, ...]:
    """The plain columns of a list; Refusal for anything else."""
    literal = resolve_literal(node, reader)
    items = literal.elts if isinstance(literal, (ast.List, ast.Tuple)) else [literal]
    columns = reader.columns(frame)
    terms = [columns.column(item, text_is_name=True) for item in items]
    if not all(isinstance(t.expr, Col) for t in terms):
        raise Refusal("opaque", "the columns of `unpivot` are not plain columns", node)
    return tuple(t.expr.name for t in terms if isinstance(t.expr, Col))
