"""``withColumnRenamed``, ``withColumnsRenamed``, ``toDF``, ``drop``, ``alias``: the same values under other names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from headwater.pyspark.frames.constant_text import spread, text_of
from headwater.pyspark.frames.tracked_values import TrackedFrame, Value, common_type
from headwater.pyspark.frames.typed_terms import Term
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col
from headwater_ir.plan import Field, Project, Schema
from headwater_ir.span import Span
from headwater_ir.types import ANY, NULL, OPAQUE
from headwater_ir.unread import unread_column

from .api_context import ApiContext, without_facts_on
from .sources import in_order, resolve_literal

# --- names and arguments


def literal_name(node: ast.expr | None, reader: ApiContext) -> str:
    """The name of a column that is written out, or constant in the file; Refusal if it is not."""
    name = text_of(node, reader.names, reader.lookup) if node is not None else None
    if name is None or "." in name or "`" in name:
        raise Refusal("opaque", "the name of the column is not a plain literal", node)
    reader.names.spell(name)
    return name


def given_by_name(call: ast.Call, order: tuple[str, ...]) -> dict[str, ast.expr]:
    """The arguments of ``call`` by name; Refusal if some are not written out."""
    if any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        raise Refusal("opaque", "arguments that are not written out", call)
    return dict(zip(order, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}


def with_field(schema: Schema, field: Field) -> Schema:
    """``schema`` with ``field`` last, in the place of another of that name."""
    others = tuple(f for f in schema.fields if f.name != field.name)
    return Schema((*others, field), schema.complete)


def named(node: ast.expr, term: Term) -> tuple[str, Term]:
    """``term`` with the name that its column gets; Refusal if that is not known."""
    if term.name is None or term.type == NULL:
        raise Refusal("opaque", "a computed column without a name", node)
    return term.name, term


# --- methods


def _rename(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    given = given_by_name(call, ("existing", "new"))
    old, new = literal_name(given.get("existing"), reader), literal_name(given.get("new"), reader)
    return _renamed(frame, old, new, span, reader)


def _renamed(frame: TrackedFrame, old: str, new: str, span: Span, reader: ApiContext) -> TrackedFrame:
    field = frame.schema.field(old)
    if field is None:
        return _rename_unknown(frame, old, new, span, reader)
    if old == new or frame.schema.field(new):
        raise Refusal("attribute-capture", f"there may be another column `{new}`")
    # If the frame has one all the same, whatever reads `new` is ambiguous, and Spark says so.
    plan = Project(frame.plan, ((new, Col(old)),), True, (old,), span)
    fields = tuple(Field(new, f.type, f.nullable) if f.name == old else f for f in frame.schema.fields)
    facts = without_facts_on(frame, (old, new))
    schema = Schema(fields, frame.schema.complete)
    return reader.frame(plan, schema, frame, changed=(old, new), facts=facts)


def _rename_unknown(frame: TrackedFrame, old: str, new: str, span: Span, reader: ApiContext) -> TrackedFrame:
    """Spark ignores a rename of a column that does not exist: then ``new`` is what it was."""
    if old == new:
        raise Refusal("attribute-capture", f"there may be another column `{new}`")
    if frame.schema.complete:
        return reader.same_rows(frame, Project(frame.plan, (), True, (), span))
    value = unread_column(f"whether there is a column `{old}` is not known")
    plan = Project(frame.plan, ((new, value),), True, (old,), span)
    schema = with_field(frame.schema, Field(new, common_type([frame.rest(old), frame.rest(new)])))
    return reader.frame(plan, schema, frame, changed=(old, new), facts=without_facts_on(frame, (old, new)))


def _rename_many(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    """``withColumnsRenamed({old: new, …})``: all at once, so that no new name may be an old one as well."""
    given = resolve_literal(given_by_name(call, ("colsMap",)).get("colsMap", call), reader)
    if not isinstance(given, ast.Dict):
        raise Refusal("opaque", "the columns of `withColumnsRenamed` are not written out", call)
    pairs = [(literal_name(k, reader), literal_name(v, reader)) for k, v in zip(given.keys, given.values, strict=True)]
    names = [n for pair in pairs for n in pair]
    if len({n.lower() for n in names}) < len(names):
        raise Refusal("attribute-capture", "`withColumnsRenamed` uses one name twice", call)
    for old, new in pairs:
        frame = _renamed(frame, old, new, span, reader)
    return frame


def _to_df(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    """``toDF("a", "b")``: new names by position, which only a complete schema tells."""
    names = [literal_name(a, reader) for a in spread(list(call.args), reader.names, reader.lookup)]
    if call.keywords or not names or len({n.lower() for n in names}) < len(names):
        raise Refusal("opaque", "the names that `toDF` gives are not written out one by one", call)
    old = [f.name for f in frame.schema.fields] if in_order(frame) else []
    unknown = unread_column("which column is at which place is not known")
    values = [Col(n) for n in old] if len(old) == len(names) else [unknown] * len(names)
    untold = OPAQUE if frame.may_hold_text() else ANY
    types = [f.type for f in frame.schema.fields] if len(old) == len(names) else [untold] * len(names)
    plan = Project(frame.plan, tuple(zip(names, values, strict=True)), False, (), span)
    schema = Schema(tuple(Field(n, t) for n, t in zip(names, types, strict=True)))
    return reader.frame(plan, schema, frame, changed=names, kept=frozenset())


def _drop(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    columns = reader.columns(frame)
    names: list[str] = []
    for arg in spread(list(call.args), reader.names, reader.lookup):
        name = text_of(arg, reader.names, reader.lookup)
        if name is not None:
            reader.names.spell(name)
        names.append(name if name is not None else named(arg, columns.column(arg))[0])
    if call.keywords or not names or any("." in n or "`" in n for n in names):
        raise Refusal("opaque", "the columns that `drop` drops are not written out", call)
    plan = Project(frame.plan, (), True, tuple(names), span)
    schema = Schema(tuple(f for f in frame.schema.fields if f.name not in names), frame.schema.complete)
    return reader.frame(plan, schema, frame, changed=names, facts=without_facts_on(frame, names))


def _alias(frame: TrackedFrame, call: ast.Call, span: Span, reader: ApiContext) -> Value:
    made = reader.same_rows(frame, Project(frame.plan, (), True, (), span))
    name = text_of(call.args[0], reader.names, reader.lookup) if len(call.args) == 1 else None
    return replace(made, alias=name if name is not None and name.isidentifier() else "")


HANDLERS: dict[str, Callable[[TrackedFrame, ast.Call, Span, ApiContext], Value]] = {
    "withColumnRenamed": _rename,
    "withColumnsRenamed": _rename_many,
    "toDF": _to_df,
    "drop": _drop,
    "alias": _alias,
}
