"""The calls that keep the rows of a frame, and what asks for them."""

from __future__ import annotations

import ast
from dataclasses import replace

from headwater.pyspark.api.api_context import ApiContext, ModuleAnalysis
from headwater.pyspark.frames.call_spans import receiver_end
from headwater.pyspark.frames.operator_names import TRANSFORMED as TRANSFORMED
from headwater.pyspark.frames.operator_names import name_of
from headwater.pyspark.frames.tracked_values import TrackedFrame, Value
from headwater.pyspark.frames.uses_found import Kept
from headwater.pyspark.walls.places import Places
from headwater.syntax.names.pyspark_methods import FRAME
from headwater.syntax.refusal import Refusal
from headwater_ir.demand import KeptFrame
from headwater_ir.plan import Cache, Plan, Shared
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
    return Kept(_bare(receiver.plan), made.plan, ctx.span(node), Span(ctx.span(node).start, end), repeated)


def ends_kept(node: ast.expr, places: Places) -> bool:
    """Whether the chain of calls of methods of frames that begins with ``node`` keeps what it makes."""
    method = places.around(node)
    while isinstance(method, ast.Attribute) and isinstance(call := places.around(method), ast.Call):
        if method.attr in KEEPS:
            return True
        if call.func is not method or method.attr not in FRAME:
            return False
        method = places.around(call)
    return False


def frame_of(kept: Kept, world: ModuleAnalysis) -> KeptFrame:
    """What becomes of the frame that is kept, or why that is not known."""
    uses, made_by, unlisted = world.uses.graph(kept.frame, world.reads)
    under = tuple(name_of(world.uses.made_by(plan)) for plan in below(kept.plan.child))
    if unlisted is None:
        named = tuple(replace(u, made_by=name_of(by)) for u, by in zip(uses, made_by, strict=True))
        freed, freed_below = (
            tuple(s for by in made_by if _bare(by.plan) is of for s in world.uses.freed(by.plan))
            for of in (kept.plan, kept.frame)
        )
        return KeptFrame(
            kept.call, kept.receiver, kept.plan, named, kept.repeated, below=under, freed=freed, freed_below=freed_below
        )  # fmt: skip
    actions = sum(end not in ("dropped", "leaves") for u in uses for end in u.ends)
    why = unlisted_use(unlisted, world)
    return KeptFrame(kept.call, kept.receiver, kept.plan, None, kept.repeated, why, actions, under)


def _bare(plan: Plan) -> Plan:
    while isinstance(plan, Shared):
        plan = plan.child
    return plan


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
