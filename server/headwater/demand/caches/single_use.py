"""HW407: the rows of a frame are kept, and one action asks for them once.

Law: ``proof.demand.caches``. What is looked at here is where the call stands: code that may run again finds the rows
that it kept before, and code that asks about caches tells one from none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from headwater.pyspark.frames.placed import placed
from headwater.rewrite.edit import Edit
from headwater.rewrite.removal import remove_statement
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.statement_notes import notes_of
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import Below, CacheCertificate, FrameUses, KeptFrame
from headwater_ir.plan import (
    Aggregate,
    Boundary,
    Cache,
    Explode,
    Filter,
    Opaque,
    Plan,
    Project,
    RowUdf,
    Scan,
    Shared,
    Window,
)
from headwater_ir.span import Span
from headwater_ir.walks import below

from ..protocol import NotWorth
from ..worth import why_few
from .keys import made_elsewhere, may_read_it
from .places import around, why_between, why_here

_LONGEST = 60


@dataclass(frozen=True)
class Removal:
    """A cache that nobody needs. ``shown``: the squiggle; ``why``, ``effect``: in words, why nobody does and what the
    call does all the same; ``gone``: the statement that goes away with it; ``freed``: those that free what it keeps."""

    kept: KeptFrame
    shown: Span
    why: str
    effect: str
    gone: Span | None
    freed: tuple[Span, ...]
    edits: tuple[Edit, ...]
    certificate: CacheCertificate


def single_use_cache(kept: KeptFrame, version: int, text: Callable[[], Context]) -> Removal | NotWorth:
    """The cache that may go, or why it stays. ``text``: the text, parsed, which takes long for a long one."""
    if (before := _kept_before(kept)) is not None:
        why = None if kept.repeated else why_between(before, kept, text())
        return NotWorth(why or "it stands in a loop") if why or kept.repeated else _removal(kept, version, text(), None)
    if kept.uses is None:
        if kept.actions > 1:
            return NotWorth("several actions ask for its rows")
        reader = "" if kept.unlisted is None else f": {kept.unlisted.words}"
        return NotWorth(f"who else reads the frame is not known{reader}")
    asked = [end for u in kept.uses for end in u.ends if end not in ("dropped", "unpersist")]
    if len(asked) != 1:
        return NotWorth("several actions ask for its rows" if asked else "no action in the file asks for its rows")
    why = why_few(kept.plan.child) or _why_plan(kept)
    if why is not None:
        return NotWorth(why)
    context = text()
    why = why_here(kept, context) or made_elsewhere(kept.plan.child, context)
    if why is not None:
        return NotWorth(why)
    if asked == ["count"] and _is_filled(context):
        return NotWorth("its rows are counted to be kept, and nobody reads how many there are")
    return _removal(kept, version, context, asked[0])


def _is_filled(context: Context) -> bool:
    """Whether rows are counted of which nobody reads the number: the program is about the cache, and not done yet."""
    return any(
        not call.args and not call.keywords and isinstance(placed(s).around.get(id(call)), ast.Expr)
        for s in context.naming("count")
        for call in notes_of(s).method_calls.get("count", ())
    )


def _removal(kept: KeptFrame, version: int, context: Context, asked: str | None) -> Removal | NotWorth:
    """The edit and its certificate. ``asked``: the action that asks for the rows; None if they are kept already."""
    plans = zip(kept.below, below(kept.plan.child), strict=True)
    under = tuple(described(name, plan, context) for name, plan in plans)
    said = () if asked is None else _assumptions(kept, context)
    certificate = CacheCertificate(version, kept.plan.operator, kept.uses or (FrameUses("Cache"),), under, said)
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
    freed = () if asked is None else (*kept.freed, *kept.freed_below)
    more = [remove_statement(context, s) for s in freed]
    edits = (edit, *(e for e in more if e is not None))
    if len(edits) <= len(freed):
        return NotWorth("what frees it is not written plainly")
    why, effect = f"one action (`{asked}`) asks for the rows once", "keeps rows that nobody reads again"
    if asked is None:
        why, effect = "the frame is kept already", "does nothing"
    return Removal(kept, kept.plan.span, why, effect, gone, freed, edits, certificate)


def _kept_before(kept: KeptFrame) -> Span | None:
    """The call that has kept the very frame before."""
    plan = kept.plan.child
    while isinstance(plan, Shared):
        plan = plan.child
    return plan.span if isinstance(plan, Cache) and plan.operator in ("cache", "persist") else None


def _assumptions(kept: KeptFrame, context: Context) -> tuple[Assumption, ...]:
    """What the proof rests on beside itself."""
    found = [Assumption("other", "`display` asks for the first rows of a frame once")] if _is_shown(kept) else []
    if any(u.made_by == "Transformer" for u in (kept.uses or ())[1:]):
        found.append(Assumption("purity", _READ_ONCE))
    found += pure(zip(kept.below, below(kept.plan.child), strict=True), context)
    if may_read_it(kept.plan.child, context):
        found.append(Assumption("program", _APART))
    return tuple(dict.fromkeys(found))


_READ_ONCE = "a `transform` that is given it asks for its rows once, when its own are asked for"
_APART = "no other query has the same plan, which Spark would answer from the rows that are kept"


def _is_shown(kept: KeptFrame) -> bool:
    return any("display" in u.ends for u in kept.uses or ())


def pure(plans: Iterable[tuple[str, Plan]], context: Context) -> list[Assumption]:
    """What has to be true of the code that ``plans``, each with its name, call."""
    found = list[Assumption]()
    for name, plan in plans:
        text = " ".join((_called(plan) or Span(0, 0)).text(context.readable).split()).lstrip(". \\")
        text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
        if name == "Transformer":
            found.append(Assumption("purity", f"`{text}` gives a new frame, and has no side effect"))
        elif name in ("Lazy", "RowUdf"):
            found.append(Assumption("purity", f"`{text}` gives the same each time, and has no side effect"))
    return found


def _called(plan: Plan) -> Span | None:
    """The call of which it is not known what it computes."""
    match plan:
        case Opaque(span=span) | Scan(format="unknown", span=span) | RowUdf(boundary=Boundary(span=span)):
            return span
    return None


def described(name: str, plan: Plan, context: Context) -> Below:
    """An operator with all that it evaluates."""
    unknown = _called(plan)
    if unknown is not None:
        return Below(name, (), tuple(sorted({*re.findall(r"\w+", unknown.text(context.readable))})))
    match plan:
        case Filter(conjuncts=conjuncts):
            return Below(name, tuple(c.condition for c in conjuncts))
        case Project(columns=columns):
            return Below(name, tuple(e for _, e in columns))
        case Aggregate(fold=fold, boundary=boundary):
            words = tuple(sorted({*re.findall(r"\w+", boundary.span.text(context.readable))}))
            outputs = tuple(o.value for o in fold.outputs)
            return Below(name, (*fold.init, *fold.step, *(fold.merge or ()), fold.emit, *outputs), words)
        case Window(columns=columns):
            return Below(name, tuple(e for _, e in columns))
        case Explode(varies=True):
            return Below("Explode of what varies")
    return Below(name)


def _why_plan(kept: KeptFrame) -> str | None:
    """Why the cache of such a frame may be worth having, whoever reads it, or why others may share it."""
    for name, plan in zip(kept.below, below(kept.plan.child), strict=True):
        match plan:
            case Opaque(obstruction=obstruction, reason=reason) if name == "Opaque" or obstruction == "volatile":
                return reason
            case Scan(format="unknown") if name != "Transformer":
                return "it is not known whence the rows come"
    return None


def _statement(kept: KeptFrame, context: Context) -> ast.stmt | None:
    path = around(context.tree, kept, context)
    return next((n for n in reversed(path) if isinstance(n, ast.stmt)), None)


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


__all__ = ["Removal", "described", "pure", "single_use_cache"]
