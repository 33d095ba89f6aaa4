"""Whether what makes the rows of a frame may have a side effect, which would be missed where rows are not asked for."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from headwater.pyspark.api.api_context import ApiContext
from headwater.pyspark.api.plain_columns import effect_of_udf
from headwater.pyspark.frames.tracked_values import TrackedFrame
from headwater.syntax.refusal import Refusal
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import Cause, Opaque
from headwater_ir.walks import below

_NO_EFFECTS = frozenset[Cause](("row by row", "pure functions", "no effects"))
"""What is known of calls without a model that have no side effect."""
_LONGEST = 60


def pure_below(frame: TrackedFrame, scope: ApiContext) -> tuple[Assumption, ...]:
    """What has to be true for the rows that are not handed over to be made by nothing that has a side effect; Refusal
    where the file shows one."""
    text, calls = scope.names.ctx.readable_at, [p for p in below(frame.plan) if isinstance(p, Opaque)]
    unknown = [c for c in calls if c.child is not None and c.causes.isdisjoint(_NO_EFFECTS)]
    for call in unknown:
        if call.obstruction == "side-effect" or any(_shows_an_effect(n, scope) for n in _parts(text(call.span))):
            raise Refusal("side-effect", call.reason)
    return tuple(_if_pure(text(c.span)) for c in unknown)


def _parts(call: str) -> list[ast.AST]:
    """What ``call`` is made of, as far as that is seen in its text."""
    try:
        return [*ast.walk(ast.parse(f"_{call}"))]
    except SyntaxError:
        return []


def _shows_an_effect(node: ast.AST, scope: ApiContext) -> bool:
    """Whether ``node`` calls a function of the file that does more than compute, or may call one that is registered."""
    match node:
        case ast.Call(func=ast.Attribute(attr="sql")):
            return scope.names.ctx.mentions("register")
        case ast.Call(func=function):
            return effect_of_udf(function, scope) == "some"
        case ast.Constant(value=str(text)) if "(" in text:  # SQL
            return scope.names.ctx.mentions("register")
    return False


def if_pure(calls: Iterable[Opaque], source: str) -> tuple[Assumption, ...]:
    """What has to be true for ``calls`` to have no side effect."""
    return tuple(_if_pure(c.span.text(source)) for c in calls)


def _if_pure(call: str) -> Assumption:
    text = " ".join(call.split()).lstrip(". \\")
    shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return Assumption("purity", f"no function in `{shown}` has a side effect")
