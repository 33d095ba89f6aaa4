"""Where a call that keeps rows stands: whether it runs once, and whether the file asks about caches."""

from __future__ import annotations

import ast

from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.pyspark_methods import COLUMN, FRAME, GROUPED
from headwater.syntax.names.pyspark_symbols import FUNCTIONS
from headwater.syntax.names.statement_notes import notes_of
from headwater_ir.demand import KeptFrame
from headwater_ir.span import Span

from ..nodes_around import statement_around

_ASKS = frozenset(
    """
    clearCache is_cached isCached storageLevel cacheTable uncacheTable getPersistentRDDs
    explain getNumPartitions checkpoint localCheckpoint getStorageLevel queryExecution
    """.split()
)
"""A file that names one of them manages its caches, or shows what they do to plans."""
_QUIET = frozenset(
    """
    show collect count toPandas take head first isEmpty parquet csv json orc text table load option options format mode
    schema save info debug warning join strip lower upper replace
    """.split()
)
"""Methods that free no cache, whatever they are called on: ``saveAsTable`` does where a catalog replaces the table."""

_MEMO = "asks about caches"


def why_here(kept: KeptFrame, context: Context) -> str | None:
    """Why the place of the call keeps it from being the only one that reads what it keeps."""
    if kept.repeated:
        return "it stands in a loop"
    path = around(context.tree, kept, context)
    if not path or not isinstance(path[-1], ast.Call):
        return "the statement is not written plainly"
    call = path[-1]
    if any(not _is_plain(a) for a in (*call.args, *(k.value for k in call.keywords))):
        return "the level of its storage is computed"
    for outer in path[1:-1]:
        match outer:
            case ast.FunctionDef(name=name):
                if not _runs_once(outer, name, context):
                    return f"`{name}` may run more than once"
            case ast.If() if not _is_main(outer):
                return "it stands under a condition"
            case ast.If() | ast.Expr() | ast.Assign() | ast.AnnAssign():
                continue
            case ast.stmt() | ast.Lambda() | ast.IfExp() | ast.BoolOp() | ast.comprehension() | ast.NamedExpr():
                return "it stands in a statement that may run it in another way"
    return "the file asks about caches or plans" if _asks_about_caches(context) else None


def _asks_about_caches(context: Context) -> bool:
    known = context.memo.get(_MEMO)
    if not isinstance(known, bool):
        notes = [notes_of(s) for s in context.tree.body]
        known = context.memo[_MEMO] = any(
            not _ASKS.isdisjoint(n.attributes) or any("cache table" in s.lower() for s in n.strings) for n in notes
        )
    return known


def why_between(before: Span, kept: KeptFrame, context: Context) -> str | None:
    """Why the frame that the call ``before`` keeps may not be kept any more where ``kept`` keeps it."""
    path, block = around(context.tree, kept, context), None
    for outer in path:
        for body in (getattr(outer, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(body, list) and any(_holds(s, before, context) for s in body):
                block = body
    here = [s for s in block or () if _holds(s, kept.call, context)]
    if block is None or not here:
        return "it is not seen that the frame is still kept"
    first = next(i for i, s in enumerate(block) if _holds(s, before, context))
    since = block[first : block.index(here[0]) + 1]
    parts = [n for s in since for n in ast.walk(s) if not hasattr(n, "lineno") or context.span(n).end > before.end]
    read = (n.value for n in parts if isinstance(n, ast.Attribute))
    if (
        not all(isinstance(s, (ast.Assign, ast.Expr, ast.AnnAssign)) for s in since)
        or not all(_keeps_caches(n, context) for n in parts if isinstance(n, ast.Call))
        or not all(_is_of_spark(n, context, frozenset()) for n in read)
        or any(isinstance(n, (ast.NamedExpr, ast.Lambda, ast.Await, ast.comprehension)) for n in parts)
    ):
        return "it is not seen that the frame is still kept"
    return None


def _holds(statement: ast.stmt, span: Span, context: Context) -> bool:
    at = context.span(statement)
    return at.start <= span.start and span.end <= at.end


def _keeps_caches(call: ast.Call, context: Context) -> bool:
    """Whether ``call`` is known to free nothing that is kept: it is one of Spark's functions, or of a method of a
    frame, or of what is made of one."""
    match call.func:
        case ast.Attribute(attr=method, value=of):
            known = method in FRAME.keys() | GROUPED.keys() | COLUMN.keys() | _QUIET
            return (known and _is_of_spark(of, context, frozenset())) or _is_function(call.func, context)
        case ast.Name():
            return _is_function(call.func, context)
    return False


def _is_function(node: ast.expr, context: Context) -> bool:
    """Whether ``node`` names a function of Spark's or of Python's."""
    origin, stars = context.qualified(node) or "", context.star_modules
    if stars and not origin and isinstance(node, ast.Name) and not context.times_bound(node.id):
        return node.id in FUNCTIONS and all(m.startswith("pyspark.") for m in stars)
    return origin.startswith(("pyspark.sql.functions.", "builtins."))


def _is_of_spark(node: ast.expr, context: Context, asked: frozenset[str]) -> bool:
    """Whether ``node`` is made by methods of Spark's own objects, or of a constant."""
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        if _is_function(node, context):
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name):
        return isinstance(node, ast.Constant)
    if node.id in asked or _is_function(node, context):
        return True
    if (context.qualified(node) or "").startswith("pyspark"):
        return True
    made = [s for statement in context.naming(node.id) for s in notes_of(statement).assigned.get(node.id, ())]
    if not made:
        return node.id == "spark" and not context.times_bound("spark")
    bound = [b for b in context.bindings(node.id) if not isinstance(b, ast.Global)]
    alone = len(made) == len(bound) and all(isinstance(b, ast.Name) for b in bound)
    return alone and all(_is_of_spark(s.value, context, asked | {node.id}) for s in made)


def around(tree: ast.Module, kept: KeptFrame, context: Context) -> list[ast.AST]:
    """What is around the call, from the module to the call itself; empty if it is not found."""

    def search(node: ast.AST) -> list[ast.AST]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.stmt, ast.expr)):
                span = context.span(child)
                if span == kept.call and isinstance(child, ast.Call):
                    return [node, child]
                if not (span.start <= kept.call.start and kept.call.end <= span.end):
                    continue
            if found := search(child):
                return [node, *found]
        return []

    statement = statement_around(context, kept.call)
    found = [] if statement is None else search(statement)
    return [tree, *found] if found else []


def _is_plain(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or all(
        isinstance(n, (ast.Name, ast.Attribute, ast.expr_context)) for n in ast.walk(node)
    )


def _is_main(node: ast.If) -> bool:
    """Whether ``node`` is ``if __name__ == "__main__"`` without an ``else``."""
    match node:
        case ast.If(
            test=ast.Compare(
                left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]
            ),
            orelse=[],
        ):
            return True
    return False


def _runs_once(function: ast.FunctionDef, name: str, context: Context) -> bool:
    """Whether the file runs a function of its top level once, in a statement of its own."""
    if function.decorator_list or not context.at_top(function) or len(context.bindings(name)) != 1:
        return False
    naming = context.naming(name)
    blocks = [naming, *(s.body for s in naming if isinstance(s, ast.If) and _is_main(s))]
    statements = [s for block in blocks for s in block if isinstance(s, (ast.Expr, ast.Assign))]
    calls = [s.value for s in statements if isinstance(s.value, ast.Call)]
    once = [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == name]
    notes = [*map(notes_of, naming)]
    if len(once) != 1 or sum(n.loads[name] for n in notes) != 1:
        return False
    return not any(
        name in n.attributes or any(isinstance(b, ast.Name) for b in n.bindings.get(name, ())) for n in notes
    )
