"""HW407: the rows of a frame are kept, and one action asks for them once.

Law: ``proof.demand.caches``. What is looked at here is where the call stands: code that may run again finds the rows
that it kept before, and code that asks about caches tells one from none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from headwater.rewrite.edit import Edit
from headwater.rewrite.removal import remove_statement
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.statement_notes import notes_of
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import Below, CacheCertificate, KeptFrame
from headwater_ir.plan import Aggregate, Explode, Filter, Opaque, Plan, Project, RowUdf, Scan, Shared
from headwater_ir.span import Span
from headwater_ir.walks import below, boundary_of

from .nodes_around import nodes_around
from .protocol import NotWorth
from .worth import why_few

_ASKS = frozenset(
    """
    unpersist clearCache is_cached isCached storageLevel cacheTable uncacheTable getPersistentRDDs
    explain getNumPartitions checkpoint localCheckpoint getStorageLevel queryExecution
    """.split()
)
"""A file that names one of them manages its caches, or shows what they do to plans."""


@dataclass(frozen=True)
class Removal:
    """A cache that nobody needs. ``shown``: the squiggle; ``gone``: the statement that goes away with it."""

    kept: KeptFrame
    shown: Span
    why: str
    gone: Span | None
    edits: tuple[Edit, ...]
    certificate: CacheCertificate


def single_use_cache(kept: KeptFrame, version: int, text: Callable[[], Context]) -> Removal | NotWorth:
    """The cache that may go, or why it stays. ``text``: the text, parsed, which takes long for a long one."""
    if kept.uses is None:
        if kept.actions > 1:
            return NotWorth("several actions ask for its rows")
        reader = "" if kept.unlisted is None else f": {kept.unlisted.words}"
        return NotWorth(f"who else reads the frame is not known{reader}")
    asked = [end for u in kept.uses for end in u.ends if end != "dropped"]
    if len(asked) != 1:
        return NotWorth("several actions ask for its rows" if asked else "no action in the file asks for its rows")
    why = why_few(kept.plan.child) or _why_plan(kept)
    if why is not None:
        return NotWorth(why)
    context = text()
    why = _why_here(kept, context)
    if why is not None:
        return NotWorth(why)
    if asked == ["count"] and _is_filled(context):
        return NotWorth("its rows are counted to be kept, and nobody reads how many there are")
    call = kept.plan.operator
    assumed = any("display" in u.ends for u in kept.uses)
    said = (Assumption("other", "`display` asks for the rows of a frame once"),) if assumed else ()
    certificate = CacheCertificate(
        version, call, kept.uses, tuple(_described(p, context) for p in below(kept.plan.child)), said
    )
    statement = _statement(kept, context)
    if statement is None:
        return NotWorth("the statement is not written plainly")
    gone = context.span(statement) if _is_all(statement, kept, context) else None
    cut = Span(kept.receiver.end, kept.call.end)
    edit = remove_statement(context, gone) if gone is not None else Edit(cut, "")
    if (
        edit is None
        or (gone is None and "#" in cut.text(context.readable))
        or (gone is None and _stands_alone(statement, kept, context))
    ):
        return NotWorth("the statement is not written plainly")
    why = f"one action (`{asked[0]}`) asks for the rows once"
    return Removal(kept, kept.plan.span, why, gone, (edit,), certificate)


def _is_filled(context: Context) -> bool:
    """Whether rows are counted of which nobody reads the number: the program is about the cache, and not done yet."""
    for node in ast.walk(context.tree):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="count"), args=[], keywords=[])):
                return True
    return False


def _described(plan: Plan, context: Context) -> Below:
    """An operator with all that it evaluates."""
    name = type(plan).__name__
    match plan:
        case Filter(conjuncts=conjuncts):
            return Below(name, tuple(c.condition for c in conjuncts))
        case Project(columns=columns):
            return Below(name, tuple(e for _, e in columns))
        case Aggregate(fold=fold, boundary=boundary):
            words = tuple(sorted({*re.findall(r"\w+", boundary.span.text(context.readable))}))
            outputs = tuple(o.value for o in fold.outputs)
            return Below(name, (*fold.init, *fold.step, *(fold.merge or ()), fold.emit, *outputs), words)
        case Explode(varies=True):
            return Below("Explode of what varies")
    return Below(name)


def _times_called(place: Span, context: Context) -> int:
    """How many calls of the file are written as what stands at ``place``, but for white space."""
    text = " ".join(place.text(context.readable).split())
    here = nodes_around(context, place)
    call = here[0] if here and context.span(here[0]) == place else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):  # so are all that are written alike
        calls: Iterable[ast.Call] = (
            c for s in context.tree.body for c in notes_of(s).method_calls.get(call.func.attr, ())
        )
    else:
        calls = (n for n in ast.walk(context.tree) if isinstance(n, ast.Call))
    return sum(" ".join(context.text(c).split()) == text for c in calls)


def _why_plan(kept: KeptFrame) -> str | None:
    """Why the cache of such a frame may be worth having, whoever reads it, or why others may share it."""
    plans = list(below(kept.plan.child))
    for plan in plans:
        match plan:
            case Opaque(reason=reason):
                return reason
            case RowUdf():
                return "a Python function is below, which Spark may call more often for each row without the cache"
            case Scan(format="unknown"):
                return "it is not known whence the rows come"
    return None


def _why_here(kept: KeptFrame, context: Context) -> str | None:
    """Why the place of the call keeps it from being the only one that reads what it keeps."""
    if kept.repeated:
        return "it stands in a loop"
    around = _around(context.tree, kept, context)
    if not around or not isinstance(around[-1], ast.Call):
        return "the statement is not written plainly"
    call = around[-1]
    if any(not _is_plain(a) for a in (*call.args, *(k.value for k in call.keywords))):
        return "the level of its storage is computed"
    for outer in around[1:-1]:
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
    notes = [notes_of(s) for s in context.tree.body]
    if any(not _ASKS.isdisjoint(n.attributes) or any("cache table" in s.lower() for s in n.strings) for n in notes):
        return "the file asks about caches or plans"
    for plan in below(kept.plan.child):
        if (
            isinstance(plan, Scan)
            and plan.span.text(context.readable).strip()
            and _times_called(plan.span, context) != 1
        ):
            return "the same source is read elsewhere, perhaps from the cache"
    last = _last_step(kept.plan.child).text(context.readable)
    if context.readable.count(last) != 1:
        return "the same frame may be made elsewhere, and read from the cache"
    return None


def _last_step(plan: Plan) -> Span:
    """The call that makes ``plan``."""
    while isinstance(plan, Shared):
        plan = plan.child
    found = getattr(plan, "call", None) or getattr(plan, "span", None)
    boundary = boundary_of(plan)
    return boundary.span if boundary is not None else found or Span(0, 0)


def _around(tree: ast.Module, kept: KeptFrame, context: Context) -> list[ast.AST]:
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

    return search(tree)


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
    blocks = [context.tree.body, *(s.body for s in context.tree.body if isinstance(s, ast.If) and _is_main(s))]
    statements = [s for block in blocks for s in block if isinstance(s, (ast.Expr, ast.Assign))]
    calls = [s.value for s in statements if isinstance(s.value, ast.Call)]
    once = [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == name]
    notes = [notes_of(s) for s in context.tree.body]
    if len(once) != 1 or sum(n.loads[name] for n in notes) != 1:
        return False
    return not any(
        name in n.attributes or any(isinstance(b, ast.Name) for b in n.bindings.get(name, ())) for n in notes
    )


def _statement(kept: KeptFrame, context: Context) -> ast.stmt | None:
    around = _around(context.tree, kept, context)
    return next((n for n in reversed(around) if isinstance(n, ast.stmt)), None)


def _is_all(statement: ast.stmt, kept: KeptFrame, context: Context) -> bool:
    """Whether nothing is left of ``statement`` without the call: ``df.cache()``, ``df = df.cache()``."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name())) as call):
            return context.span(call) == kept.call
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(value=ast.Name(id=of))) as call):
            return name == of and context.span(call) == kept.call
    return False


def _stands_alone(statement: ast.stmt, kept: KeptFrame, context: Context) -> bool:
    """Whether an expression would be left of which nobody sees the value."""
    return isinstance(statement, ast.Expr) and context.span(statement.value) == kept.call


__all__ = ["Removal", "single_use_cache"]
