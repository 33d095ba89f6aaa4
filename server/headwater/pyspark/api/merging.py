"""What a variable holds where several ways through the code meet.

Of plain values it is one, and stays that until the variable is bound again.
Its frame has what the frames of all ways have in common: columns of one type, facts, that there are no other columns.
Where its rows come from is left open, so that no filter passes it; a boundary above it still knows its columns.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from headwater.pyspark.columns import session_windows
from headwater.pyspark.frames.tracked_values import Binding, TrackedFrame, Unevaluated, Unknown, Value, common_type
from headwater_ir.expr import Expr, columns_of
from headwater_ir.plan import UNKNOWN_SCHEMA, Cause, Field, Filter, Opaque, Plan, Project, Scan, Schema, UnionAll, View
from headwater_ir.span import Span
from headwater_ir.walks import causes_below

from .api_context import ApiContext
from .sources import is_command


def merged(
    found: Sequence[Binding], name: str, why: str, span: Span, reader: ApiContext, *, in_loop: bool = False,
    row_by_row: bool = False,
) -> Value:  # fmt: skip
    """What ``name`` holds that holds one of ``found``; a plain Unknown unless all are frames. ``in_loop``: a loop may
    have assigned it; ``row_by_row``: it is known to make each row of one."""
    frames = [frame_of(b) for b in found]
    known = [f for f in frames if f is not None]
    if found and all(map(_is_plain, found)):
        return Unknown(f"variable {name}")
    if not known or len(known) < len(frames):
        return Unknown(f"variable {name}", why, in_loop=in_loop)
    causes = frozenset[Cause]({"loop"} if in_loop else ()).union(*(causes_below(f.plan) for f in known))
    if row_by_row or are_row_by_row([f.plan for f in known], reader):
        causes |= {"row by row"}
    if all(session_windows.origin_of(f.plan, None, "plain") == "plain" for f in known):
        causes |= {"no sessions"}
    if all(is_command(f.plan) for f in known):
        causes |= {"few rows"}
    below_ = (p for f in known for p in reader.world.each_below(f.plan) if isinstance(p, Opaque))
    worse = next((p for p in below_ if p.obstruction in ("side-effect", "volatile")), None)
    reason = f"what the frame holds is not known: {why}" if worse is None else worse.reason
    plan = Opaque(None, "opaque" if worse is None else worse.obstruction, reason, span, causes)
    reader.world.ways[id(plan)] = (plan, *(f.plan for f in known))
    schemas = [f.schema for f in known]
    facts = tuple(
        fact for fact in known[0].facts if all(fact in f.facts for f in known) and _one_meaning(fact, schemas)
    )
    schema = common_schema(schemas)
    made = reader.frame(plan, schema, facts=facts, no_nulls=all(f.no_nulls for f in known))
    return replace(made, sources=tuple(known))


def are_row_by_row(plans: Sequence[Plan], reader: ApiContext, given: Collection[int] = ()) -> bool:
    """Whether each row of ``plans`` is made of one of a source, by Spark's own functions. ``given``: the identities of
    plans of which that is known."""
    found = (p for plan in plans for p in reader.world.each_below(plan) if id(p) not in given)
    return all(
        isinstance(p, (Scan, Filter, Project, UnionAll, View))
        or id(p) in reader.world.ways
        or (isinstance(p, Opaque) and "row by row" in p.causes)
        for p in found
    )


def made_in_turns(
    inside: Sequence[Binding], before: Mapping[str, Binding], start: Mapping[str, Binding], reader: ApiContext
) -> dict[str, list[Binding]]:
    """The variables that hold frames made row by row whenever a loop ends, each with all that it may hold. ``before``:
    what they hold before it, ``start``: what its body starts with, which ``inside`` has assigned in some turn."""
    found = {b.name: [before[b.name]] if b.name in before and not _is_none(before[b.name]) else [] for b in inside}
    for binding in inside:
        found[binding.name].append(binding)
    known = {n: frames for n in found if None not in (frames := [*map(frame_of, found[n])])}
    while True:  # what is left is made of what is left, of what is made so, and of sources
        given = {id(f.plan) for n in known if n in start and (f := start[n].frame) is not None}
        plans = {n: [f.plan for f in frames if f is not None] for n, frames in known.items()}
        left = {n: known[n] for n in known if are_row_by_row(plans[n], reader, given)}
        if left.keys() == known.keys():
            return {n: found[n] for n in known}
        known = left


def _is_none(binding: Binding) -> bool:
    match binding.value:
        case Unevaluated(node=ast.Constant(value=None)):
            return True
    return False


def frame_of(binding: Binding) -> TrackedFrame | None:
    """The frame that ``binding`` holds."""
    return binding.value if isinstance(binding.value, TrackedFrame) else binding.frame


def _is_plain(binding: Binding) -> bool:
    """Whether a plain value, no Column and no frame, for all that is known: a literal, or what a function is given."""
    value = binding.value
    if isinstance(value, Unevaluated):
        return isinstance(value.node, (ast.Constant, ast.JoinedStr))
    is_given = isinstance(value, Unknown) and value.why is None and value.origin == f"parameter {binding.name}"
    return is_given and binding.frame is None


def _one_meaning(fact: Expr, schemas: Sequence[Schema]) -> bool:
    """Whether all columns that ``fact`` reads are of one type in all ``schemas``."""
    types = ({(f := s.field(name)) and f.type for s in schemas} for name in columns_of(fact))
    return all(len(found) == 1 for found in types)


def common_schema(schemas: Sequence[Schema]) -> Schema:
    """What all of ``schemas`` say. A column that has different types has one that is not known."""
    names = [{f.name for f in s.fields} for s in schemas]
    if any(len(n) < len(s.fields) for n, s in zip(names, schemas, strict=True)):
        return UNKNOWN_SCHEMA  # two columns of one name
    shared = set.intersection(*names)
    fields = tuple(_common_field([f for s in schemas if (f := s.field(n))]) for n in _ordered(schemas[0], shared))
    return Schema(fields, complete=all(s.complete for s in schemas) and all(n == shared for n in names))


def _ordered(schema: Schema, names: set[str]) -> list[str]:
    return [f.name for f in schema.fields if f.name in names]


def _common_field(fields: Sequence[Field]) -> Field:
    return replace(fields[0], type=common_type([f.type for f in fields]), nullable=any(f.nullable for f in fields))
