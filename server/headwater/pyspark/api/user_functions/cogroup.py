"""``left.groupBy(k).cogroup(right.groupBy(k)).applyInPandas(f, schema)``, and ``applyInArrow``.

Law: f is called once for each key that one of the frames has, with the rows of both. So a filter on a key that f passes
through in every row (``python/key_flow/boundary``) drops or keeps all that comes of a key, and may go to both frames.
Condition: to *both*. Of a key that is dropped from one frame alone f would be called with no rows of it, and might
raise, or make other rows. The keys of both frames have one type, or one that is not known of either.
Facts that hold of a key hold of both frames; what is never NULL in one may be so in the other.
Counterexample to one side: ``f`` returns a row for each key with ``len(left)``.
Reference: facts, section C *cog-both*, *cog-left-drop*; ``FlatMapCoGroupsInPandas``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from headwater.pyspark.api.aggregates.groupby import check_input, definition_of, known_facts
from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.declared_schema import declared_schema
from headwater.pyspark.frames import call_spans
from headwater.pyspark.frames.tracked_values import (
    EVERYTHING,
    Cogrouped,
    Grouped,
    TableArgument,
    TrackedFrame,
    Unknown,
    Value,
)
from headwater.python.key_flow.boundary import fold_group_rows
from headwater.syntax.refusal import Refusal
from headwater_ir.expr import Col, columns_of, transform
from headwater_ir.plan import Boundary, Field, GroupMap, Schema
from headwater_ir.span import Span

_WHY = Refusal("opaque", "of a function of two groups only the keys have a meaning here")


def cogrouped(left: Grouped, call: ast.Call, given: Sequence[Value], reader: ApiContext) -> Value:
    """``left.cogroup(right)``."""
    right = given[0] if len(given) == 1 and not call.keywords else None
    if not isinstance(right, Grouped) or isinstance(right, (Cogrouped, TableArgument)):
        return Unknown("cogrouped frames", never_frame=True)
    refusal = left.refusal or right.refusal
    if "cogroup" in reader.names.patches.methods:
        refusal = Refusal("opaque", "the file replaces `cogroup`", call)
    elif left.special or right.special or not left.keys or len(left.keys) != len(right.keys):
        refusal = refusal or Refusal("opaque", "the two frames are not grouped by the same number of columns", call)
    return Cogrouped(left.frame, left.keys, left.insert_at, left.bound, left.receiver, refusal, right=right)


def method(grouped: Cogrouped, call: ast.Call, reader: ApiContext) -> Value:
    """``grouped.method(…)``."""
    assert isinstance(call.func, ast.Attribute)
    assert grouped.right is not None
    span = Span(call_spans.dot_before(reader.names.ctx, grouped.receiver), reader.names.ctx.span(call).end)
    try:
        if grouped.refusal is not None:
            raise grouped.refusal
        name = call.func.attr
        if name not in ("applyInPandas", "applyInArrow") or name in reader.names.patches.methods:
            raise Refusal("opaque", f"`cogroup().{name}` has no model", call)
        for side in (grouped, grouped.right):
            check_input(GroupMap, side)
        return _applied(grouped, grouped.right, call, span, reader)
    except Refusal as refusal:
        return reader.opaque(grouped.frame, refusal, span)


def _applied(left: Grouped, right: Grouped, call: ast.Call, span: Span, reader: ApiContext) -> TrackedFrame:
    operator = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    given = dict(zip(("func", "schema"), call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    if set(given) != {"func", "schema"} or len(call.args) > 2:
        raise Refusal("opaque", f"`{operator}` without a function and a schema", call)
    output = declared_schema(given["schema"], reader)
    definition = definition_of(given["func"], reader.names)
    renamed = tuple(zip(left.keys, right.keys, strict=True))
    source = Schema(tuple(_key(left, right, *names) for names in renamed), complete=False)
    back = {theirs: ours for ours, theirs in renamed}
    both = [
        transform(f, lambda e: Col(back[e.name]) if isinstance(e, Col) else None)
        for f in known_facts(right.frame)
        if columns_of(f) <= back.keys()
    ]
    facts = tuple(f for f in known_facts(left.frame) if f in both)
    fold = reader.world.fold(
        ("cogroup", operator, definition, source, renamed, output, facts),
        lambda: fold_group_rows(
            reader.names.ctx, definition, source=source, keys=left.keys, output=output, why=_WHY, facts=facts,
            assume_pure=reader.world.options.assume_pure, beside=right.keys, arrow=operator == "applyInArrow",
        ),
    )  # fmt: skip
    ctx = reader.names.ctx
    place = Boundary("cogroup", definition.name, span, left.insert_at, ctx.span(definition))
    reader.world.bound_at[place] = {n: i for n, i in left.bound.items() if right.bound.get(n) == i}
    plan = GroupMap(
        left.frame.plan, fold, place, right=right.frame.plan, beside=Span(right.insert_at, right.insert_at),
        renamed=renamed,
    )  # fmt: skip
    made = Schema(tuple(Field(o.name, o.type) for o in fold.outputs))
    return reader.frame(plan, made, left.frame, changed=EVERYTHING)


def _key(left: Grouped, right: Grouped, ours: str, theirs: str) -> Field:
    """A key of both frames, called as in the left one."""
    a, b = left.frame.schema.field(ours), right.frame.schema.field(theirs)
    types = {f.type if f else g.frame.rest(n) for f, g, n in ((a, left, ours), (b, right, theirs))}
    if len(types) > 1:
        raise Refusal("opaque", f"`{ours}` and `{theirs}` are not known to be of one type")
    return Field(ours, types.pop(), nullable=not (a and b) or a.nullable or b.nullable)
