"""The calls that keep the rows of a frame, and what asks for them."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.pyspark.api.api_context import ApiContext, ModuleAnalysis
from headwater.pyspark.frames.call_spans import receiver_end
from headwater.pyspark.frames.consumers import Kept
from headwater.pyspark.frames.operator_names import TRANSFORMED as TRANSFORMED
from headwater.pyspark.frames.operator_names import name_of
from headwater.pyspark.frames.tracked_values import TrackedFrame, Value
from headwater.pyspark.walls.places import Places
from headwater.syntax.refusal import Refusal
from headwater_ir.demand import KeptFrame
from headwater_ir.plan import Cache, Shared
from headwater_ir.span import Span
from headwater_ir.walks import below

from .unlisted import unlisted_use

KEEPS = frozenset({"cache", "persist"})
"""The methods that keep rows and leave the frame's lineage as it is."""


def noted(node: ast.Call, receiver: Value, made: Value, scope: ApiContext, *, repeated: bool) -> Kept | None:
    """What the call ``node`` of a method of ``receiver`` keeps; None if it is no such call."""
    if not isinstance(receiver, TrackedFrame) or not isinstance(made, TrackedFrame):
        return None
    if not isinstance(made.plan, Cache) or not isinstance(node.func, ast.Attribute):
        return None
    ctx = scope.names.ctx
    try:
        end = receiver_end(ctx, node.func)
    except Refusal:
        return None
    frame = receiver.plan
    while isinstance(frame, Shared):
        frame = frame.child
    return Kept(frame, made.plan, ctx.span(node), Span(ctx.span(node).start, end), repeated)


def frame_of(kept: Kept, world: ModuleAnalysis) -> KeptFrame:
    """What becomes of the frame that is kept, or why that is not known."""
    uses, made_by, unlisted = world.uses.graph(kept.frame, world.reads)
    under = tuple(name_of(world.uses.made_by(plan)) for plan in below(kept.plan.child))
    if unlisted is None:
        named = tuple(replace(u, made_by=name_of(by)) for u, by in zip(uses, made_by, strict=True))
        return KeptFrame(kept.call, kept.receiver, kept.plan, named, kept.repeated, below=under)
    actions = sum(end not in ("dropped", "leaves") for u in uses for end in u.ends)
    why = unlisted_use(unlisted, world)
    return KeptFrame(kept.call, kept.receiver, kept.plan, None, kept.repeated, why, actions, under)


def end_of(node: ast.Attribute, places: Places) -> str:
    """How ``Way.end`` names what is asked of a frame by its attribute ``node``: of a writer the call at the end, with
    the format that it writes if that is said by ``format`` and a literal."""
    if node.attr not in ("write", "writeTo"):
        call = places.around(node)
        called = isinstance(call, ast.Call) and call.func is node
        return node.attr if called else f"{node.attr} kept"  # nobody knows how often it is called then
    formats: list[str] = []
    last = ""
    at: ast.AST = node
    while True:
        outer = places.around(at)
        if isinstance(outer, ast.Attribute) and outer.value is at:
            call = places.around(outer)
            if not isinstance(call, ast.Call) or call.func is not outer:
                return node.attr
            if outer.attr == "format":
                formats += [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                formats += [] if len(call.args) == 1 and not call.keywords else ["?"]
            last, at = outer.attr, call
            continue
        if not isinstance(at, ast.Call):
            return node.attr
        return ".".join([node.attr, *map(str.lower, formats), last])
