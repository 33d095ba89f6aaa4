"""Hand-made inputs of the rewriter: a source text with ``¦`` behind the boundary's receiver."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from headwater.operators.move import Moved
from headwater.rewrite.edits import Rewrite, Text, apply_edits, build_rewrite
from headwater.syntax.names.module_scope import Context
from headwater_ir.expr import TRUE, Col, Compare, Expr, IsNull, Lit, Not, Out, conjoin, transform
from headwater_ir.module import Module
from headwater_ir.plan import UNKNOWN_SCHEMA, Boundary, Conjunct, Filter, GroupMap, Scan, Spelling
from headwater_ir.problem import Column, Fold, FoldProblem
from headwater_ir.span import Span
from headwater_ir.types import INT, NUMBER
from headwater_ir.verdict import Kind, Solution


def at_least(column: str, value: int = 90) -> Expr:
    """``column >= value``."""
    return Compare(">=", Col(column), Lit(value, INT), "sql")


def there(column: str) -> Expr:
    """``column IS NOT NULL``."""
    return Not(IsNull(Col(column)))


def out(e: Expr) -> Expr:
    """The same over outputs."""
    return transform(e, lambda n: Out(n.name) if isinstance(n, Col) else None)


@dataclass
class Case:
    """One rewriting problem."""

    source: str
    module: Module
    moved: Moved

    def rewrite(self, kind: Kind, prefilter: Expr, residual: Expr = TRUE) -> Rewrite:
        """The rewrite for a solution."""
        return build_rewrite(Text(self.source), self.module, self.moved, Solution(kind, prefilter, residual, ()))

    def text(self, kind: Kind, prefilter: Expr, residual: Expr = TRUE) -> str:
        """The rewritten source."""
        return apply_edits(self.source, self.rewrite(kind, prefilter, residual).edits)


def case(marked: str, *conditions: list[Expr], spelling: Spelling | None = None, renamed: bool = False) -> Case:
    """``conditions``: per filter, outermost first, the meaning of each of its conjuncts."""
    at = marked.index("¦")
    source = marked.replace("¦", "")
    context = Context.of(source)
    boundary = Boundary("applyInPandas", "top2", Span(at, at), at)
    fold = Fold("top2", "applyInPandas", (Column("score", NUMBER),), (), (), (), ())
    plan = GroupMap(Scan("test", "unknown", UNKNOWN_SCHEMA, Span(0, 0)), fold, boundary)
    calls = [n for n in ast.walk(context.tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    calls = [n for n in calls if n.func.attr in ("filter", "where")]  # type: ignore[attr-defined]
    calls.sort(key=lambda n: -context.span(n).end)
    filters: list[Filter] = []
    for call, parts in zip(calls, conditions, strict=True):
        filters.append(_filter(context, call, parts, plan))
    problem = FoldProblem(fold, conjoin([out(p) for parts in conditions for p in parts]))
    spelling = spelling or Spelling("F" if " as F" in source else None, "col" if "import col" in source else None)
    return Case(source, Module(tuple(filters), spelling), Moved(plan, tuple(filters), problem, renamed, ()))


def _filter(context: Context, call: ast.Call, parts: list[Expr], plan: GroupMap) -> Filter:
    assert isinstance(call.func, ast.Attribute)
    argument = call.args[0]
    whole = context.span(argument)
    style = "sql" if isinstance(argument, ast.Constant) else "column"
    if style == "sql":
        text = context.text(argument)
        spans, start = [], 1
        for piece in text[1:-1].split(" AND "):
            spans.append(Span(whole.start + start, whole.start + start + len(piece)))
            start += len(piece) + 5
    else:
        spans = [context.span(n) for n in _flat(argument)]
    receiver = context.span(call.func.value).end
    dot = context.source.index(".", receiver)
    if len(spans) != len(parts):
        spans = [whole] * len(parts)
    conjuncts = tuple(Conjunct(p, s) for p, s in zip(parts, spans, strict=True))
    return Filter(plan, conjuncts, Span(dot, context.span(call).end), whole, style)  # type: ignore[arg-type]


def _flat(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
        return _flat(node.left) + _flat(node.right)
    return [node]


__all__ = ["Case", "at_least", "case", "out", "replace", "there"]
