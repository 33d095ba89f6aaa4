"""What keeps the uses of a frame from being known: the construct that reads it and that nothing here follows."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from headwater.pyspark.api import dataframe
from headwater.pyspark.api.api_context import ModuleAnalysis
from headwater.pyspark.frames.consumers import ENDS
from headwater.pyspark.frames.uses_found import Unlisted
from headwater.syntax.names.pyspark_methods import FRAME
from headwater_ir.demand import UnlistedKind, UnlistedUse

_LONGEST = 40
_FIRST: tuple[UnlistedKind, ...] = (
    "returned", "kept", "given", "inside", "again", "ways", "elsewhere", "attribute", "call", "value",
)  # fmt: skip
"""Of several constructs the first of these is told."""
_KEPT_IN = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.IfExp, ast.BoolOp, ast.NamedExpr)
_KNOWN = frozenset({"display", "broadcast"})


def unlisted_use(of: Unlisted, world: ModuleAnalysis) -> UnlistedUse:
    """The construct that reads the frame ``of`` and is not followed, the worst if there are several."""
    made_by = type(of.plan).__name__
    text = _text(None if of.call is None else of.call.node, world)
    found = [UnlistedUse(kind, text, made_by) for kind, text in _constructs(of, world)]
    return min(found, key=lambda u: _FIRST.index(u.kind), default=UnlistedUse("value", text, made_by))


def _constructs(of: Unlisted, world: ModuleAnalysis) -> Iterator[tuple[UnlistedKind, str]]:
    made = [of.call] if of.call is not None and not of.idents else []
    for site in (*made, *(s for ident in of.idents for s in world.sites.get(ident, ()))):
        if site.how != "":
            yield site.how, site.name.removeprefix("view ")
        elif site.node is not None and site.around is not None:
            yield from _of_expression(site.node, site.around, world)


def _of_expression(
    node: ast.AST, around: Callable[[ast.AST], ast.AST | None], world: ModuleAnalysis
) -> Iterator[tuple[UnlistedKind, str]]:
    outer = around(node)
    if isinstance(outer, ast.keyword):
        outer = around(outer)
    match outer:
        case ast.Return() | ast.Yield() | ast.YieldFrom():
            yield "returned", ""
        case ast.Call(func=func) if func is not node:
            method = func.attr if isinstance(func, ast.Attribute) else ""
            name = func.id if isinstance(func, ast.Name) else ""
            if method not in dataframe.TAKES_A_FRAME and name not in _KNOWN:
                yield "given", _text(func, world)
        case ast.Attribute(attr=attr):
            call = around(outer)
            if not isinstance(call, ast.Call) or call.func is not outer:
                if attr not in ENDS:
                    yield "attribute", attr
            elif attr not in FRAME and attr not in ENDS:
                yield "call", attr
        case _ if isinstance(outer, _KEPT_IN):
            yield "kept", ""
        case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign() | ast.Expr() | None:
            return
        case ast.Assign() | ast.AugAssign():
            yield "kept", ""


def _text(node: ast.AST | None, world: ModuleAnalysis) -> str:
    text = " ".join(world.names.ctx.text(node).split()) if isinstance(node, ast.expr) else ""
    return text if len(text) <= _LONGEST else "…" + text[1 - _LONGEST :]
