"""One PySpark source text → ``Module``: every filter on a DataFrame with the plan below it.

The text is parsed, never imported or run.
"""

from __future__ import annotations

from headwater_ir.plan import Filter, Module, Plan
from headwater_ir.span import Span

from .context import Context
from .flow import Scope
from .names import Names
from .options import FrontendOptions
from .suppress import read_suppressions
from .values import below
from .world import World

__all__ = ["FrontendOptions", "SourceError", "read_module"]


class SourceError(Exception):
    """The text does not parse. ``line0`` and ``character0`` are zero-based, in code points."""

    def __init__(self, line0: int, character0: int, message: str) -> None:
        super().__init__(message)
        self.line0 = line0
        self.character0 = character0
        self.message = message


def read_module(source: str, options: FrontendOptions | None = None) -> Module:
    """What the front end finds in ``source``; SourceError if it does not parse."""
    ctx = _parse(source)
    lines, whole = read_suppressions(ctx.readable)
    try:
        names = Names(ctx)
        world = _follow(ctx, names, options or FrontendOptions())
    except RecursionError:
        raise SourceError(0, 0, "the code is nested too deeply") from None
    broken = tuple((h.span, h.why) for h in ctx.hidden if h.why)
    filters = _ordered(world.uses.with_ways(world.filters, world.reads))
    return Module(
        filters, names.spelling(), lines, whole, tuple(world.frames), ctx.readable, broken, tuple(ctx.trusted)
    )


def _parse(source: str) -> Context:
    if "\0" in source:  # what Python says of it, and where, differs by version
        at = source.index("\0")
        raise SourceError(source.count("\n", 0, at), at - (source.rfind("\n", 0, at) + 1), "the text holds a null byte")
    try:
        return Context.of(source)
    except SyntaxError as error:
        line, column = max((error.lineno or 1) - 1, 0), max((error.offset or 1) - 1, 0)
        raise SourceError(line, column, error.msg or "invalid syntax") from None
    except ValueError as error:
        raise SourceError(0, 0, str(error) or "not Python") from None
    except (RecursionError, MemoryError):
        raise SourceError(0, 0, "the code is nested too deeply") from None


def _follow(ctx: Context, names: Names, options: FrontendOptions) -> World:
    """Two passes: the first counts how often each variable is read, the second knows which frames are shared.

    Only frames above a boundary can be shared to any effect, so that one pass is enough for most files.
    """
    world = World(names, options)
    if "spark" not in ctx.source.lower():
        return world
    Scope(world, ctx.tree.body, [], is_module=True).run()
    if not world.bound_at:
        return world
    second = World(names, options, total_reads=world.reads, captured=world.captured, folds=world.folds,
                   places=world.places, is_second=True)  # fmt: skip
    Scope(second, ctx.tree.body, [], is_module=True).run()
    return second


def _ordered(filters: list[Filter]) -> tuple[Filter, ...]:
    """Outermost filters first, each followed by the filters below it; chains in source order."""
    inner: set[Span] = set()
    for f in filters:
        inner.update(p.call for p in below(f.child) if isinstance(p, Filter))
    known = {f.call: f for f in filters}
    found: dict[Span, Filter] = {}
    for top in sorted((f for f in filters if f.call not in inner), key=lambda f: f.call):
        chain: list[Plan] = [top, *below(top.child)]
        found.update(
            {p.call: known[p.call] for p in chain if isinstance(p, Filter) and p.call in known and p.call not in found}
        )
    return tuple(found.values())
