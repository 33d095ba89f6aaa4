"""One PySpark source text → ``Module``: every filter on a DataFrame with the plan below it.

The text is parsed, never imported or run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from headwater.pyspark.api.api_context import ModuleAnalysis
from headwater.pyspark.api.isolation import error_line
from headwater.pyspark.driver.flow import DEFINITIONS, code_of_module, follow_alone
from headwater.pyspark.driver.kept import frame_of
from headwater.pyspark.frames.operator_names import name_of
from headwater.pyspark.frames.options import FrontendOptions
from headwater.pyspark.frames.tracked_values import below
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.suppress import read_suppressions
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import GroupExtreme, Job, KeptFrame, PlainJoin, Wall
from headwater_ir.module import Module
from headwater_ir.plan import Filter, Plan, Scan, Schema
from headwater_ir.span import Span
from headwater_ir.walks import call_of

from .handed_over import does_more, is_seen_to_do_more
from .views_read import ViewsRead, noted

__all__ = ["FrontendOptions", "SourceError", "read_module"]

Found = tuple[Filter, tuple[Span, ...]]
"""A filter, and the calls of the filters below it, which may be of functions that it calls."""


class SourceError(Exception):
    """The text does not parse. ``line0`` and ``character0`` are zero-based, in code points."""

    def __init__(self, line0: int, character0: int, message: str) -> None:
        super().__init__(message)
        self.line0 = line0
        self.character0 = character0
        self.message = message


def read_module(source: str, options: FrontendOptions | None = None) -> Module:
    """What the front end finds in ``source``; SourceError if it does not parse."""
    options = options or FrontendOptions()
    with source_errors(source):
        ctx = Context.of(source)
    with too_deep():
        names = Names(ctx, options.targets)
        worlds = _follow(ctx, names, options)
        of_each = [found_filters(world) for world in worlds]
    found = [f for each in of_each for f in each]
    frames = [f for world in worlds for f in world.frames]
    walls = [w for world in worlds for w in seen_walls(world)]
    kept = [k for world in worlds for k in kept_frames(world)]
    jobs = [j for world in worlds for j in seen_jobs(world)]
    effects = bool(found or walls or jobs) and does_more(names, partial(is_seen_to_do_more, names, options.assume_pure))
    views = ViewsRead(names).of(walls, jobs, [f for f, _ in found])
    walls, jobs = noted(walls, jobs, views)
    walls, jobs = without_effects(walls, jobs) if effects else (walls, jobs)
    best = [e for world in worlds for e in group_extremes(world)]
    joins = [j for world in worlds for j in plain_joins(world)]
    failed = {s: why for w in worlds for s, why in w.failed.values()}
    handed_in = [h for w, f in zip(worlds, of_each, strict=True) for h in columns_handed_in(w, f)] if effects else []
    handed_in += views.filters if effects else []
    return assembled(
        names, found, frames, walls, kept, jobs, best, joins, ctx.trusted, failed, effects=effects, handed_in=handed_in
    )


def assembled(
    names: Names,
    found: Sequence[Found],
    frames: Iterable[tuple[str, int, Schema, str]],
    walls: Iterable[Wall],
    kept: Iterable[KeptFrame],
    jobs: Iterable[Job],
    best: Iterable[GroupExtreme],
    joins: Iterable[PlainJoin],
    trusted: Iterable[Assumption],
    failed: Mapping[Span, str] = MappingProxyType({}),
    *,
    effects: bool = False,
    handed_in: Iterable[tuple[Span, str]] = (),
) -> Module:
    """The module of a text in which these are the filters, the variables that hold frames, the calls that hand rows to
    the driver or keep those of a frame, the jobs, the extremes of groups and the joins. ``failed``: definitions that an
    internal error kept from being read."""
    ctx = names.ctx
    lines, whole = read_suppressions(ctx.readable, ctx.tree.body)
    broken = tuple(sorted({*((h.span, h.why) for h in ctx.hidden if h.why), *failed.items()}))
    spelling = names.spelling()
    assumptions = tuple(sorted({*trusted, *ctx.trusted, *names.settings.trusted}))
    return Module(
        _ordered(found), spelling, lines, whole, tuple(frames), ctx.readable, broken, assumptions, names.settings.given,
        tuple(sorted(walls, key=lambda w: w.call)), tuple(sorted(kept, key=lambda k: k.call)),
        tuple(sorted(jobs, key=lambda j: j.call)),
        tuple(sorted(best, key=lambda e: e.call)),
        tuple(sorted(joins, key=lambda j: j.call)),
        effects,
        tuple(sorted({*handed_in})),
    )  # fmt: skip


@contextmanager
def source_errors(source: str) -> Iterator[None]:
    """What may go wrong as ``source`` is parsed, as a ``SourceError``."""
    if "\0" in source:  # what Python says of it, and where, differs by version
        at = source.index("\0")
        raise SourceError(source.count("\n", 0, at), at - (source.rfind("\n", 0, at) + 1), "the text holds a null byte")
    try:
        yield
    except SyntaxError as error:
        line, column = max((error.lineno or 1) - 1, 0), max((error.offset or 1) - 1, 0)
        raise SourceError(line, column, error.msg or "invalid syntax") from None
    except ValueError as error:
        raise SourceError(0, 0, str(error) or "not Python") from None
    except (RecursionError, MemoryError):
        raise SourceError(0, 0, "the code is nested too deeply") from None


@contextmanager
def too_deep() -> Iterator[None]:
    """A ``RecursionError`` as a ``SourceError``."""
    try:
        yield
    except RecursionError:
        raise SourceError(0, 0, "the code is nested too deeply") from None


def speaks_of_spark(source: str) -> bool:
    """Whether there may be anything to find in ``source``."""
    return "spark" in source.lower()


def _follow(ctx: Context, names: Names, options: FrontendOptions) -> list[ModuleAnalysis]:
    """What was found; of the definitions of the top level alone, one by one, if an internal error comes outside of
    them."""
    if not speaks_of_spark(ctx.source) or names.patches.of_columns:
        return []
    body = ctx.tree.body
    try:
        return [_passes(ModuleAnalysis(names, options), partial(code_of_module, body))]
    except (RecursionError, MemoryError):
        raise
    except Exception as error:
        definitions = [s for s in body if isinstance(s, DEFINITIONS)]
        rest = [_passes(ModuleAnalysis(names, options), partial(follow_alone, s)) for s in definitions]
        lost = ModuleAnalysis(names, options)
        lost.failed[()] = Span(0, len(ctx.source)), error_line(error)
        return [*rest, lost]


def _passes(world: ModuleAnalysis, follow: Callable[[ModuleAnalysis], None]) -> ModuleAnalysis:
    """Two passes: the first counts how often each variable is read, the second knows which frames are shared.

    Only frames above a boundary can be shared to any effect, so that one pass is enough for most files; so it is where
    nothing was read that the counts are asked for.
    """
    follow(world)
    if not world.bound_at or not world.may_differ_again():
        return world
    second = world.again()
    follow(second)
    return second


def found_filters(world: ModuleAnalysis) -> list[Found]:
    """The filters of ``world`` with the ways of their results."""
    filters = world.uses.with_ways(world.filters, world.reads)
    return [(f, tuple([p.call for p in below(f.child) if isinstance(p, Filter)])) for f in filters]


def seen_walls(world: ModuleAnalysis) -> list[Wall]:
    """The calls in ``world`` that hand rows to the driver, with what makes their receivers frames."""
    return [_with_doubt(w, world) for w in world.walls]


def _with_doubt(wall: Wall, world: ModuleAnalysis) -> Wall:
    scans = [p for p in world.each_below(wall.plan) if isinstance(p, Scan)]
    spans = [p.span for p in scans if p.span in world.taken]
    assumed = tuple(dict.fromkeys(world.taken[s] for s in spans))
    frames, columns = _unseen(wall.plan, wall.call, world)
    guessed = wall.guessed or any(s in world.guessed for s in spans)
    return replace(wall, assumed=(*wall.assumed, *assumed), guessed=guessed, unseen=frames, handed_in=columns)


def _unseen(plan: Plan, call: Span, world: ModuleAnalysis) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the file does not say of ``plan``, and of the expression ``call``: what makes frames, and columns."""
    parts = list(world.each_below(plan))
    frames = [p.origin for p in parts if isinstance(p, Scan) and p.format == "unknown"]
    inside = [
        h
        for h in world.handed_in.values()
        if not h.by_call and call.start <= call_of(h.plan).start and call_of(h.plan).end <= call.end
    ]
    columns = [*(world.handed_in[id(p)] for p in parts if id(p) in world.handed_in), *inside]
    return tuple(dict.fromkeys(frames)), tuple(dict.fromkeys(o for h in columns for o in h.given))


def columns_handed_in(world: ModuleAnalysis, found: Sequence[Found]) -> list[tuple[Span, str]]:
    """By where methods of frames are called below the filters ``found`` in ``world``, what these are given that may be
    columns of other code."""
    parts = (world.handed_in.get(id(p)) for f, _ in found for p in world.each_below(f)) if world.handed_in else ()
    return [(call_of(h.plan), given) for h in parts if h is not None for given in h.given]


def seen_jobs(world: ModuleAnalysis) -> list[Job]:
    """The jobs in ``world``, with the frames of which it does not say what makes them."""
    return [_with_unseen(j, world) for j in world.jobs.values()]


def _with_unseen(job: Job, world: ModuleAnalysis) -> Job:
    wider = None if job.wider is None else _with_unseen(job.wider, world)
    frames, columns = _unseen(job.above, job.call, world)
    return replace(job, unseen=(*frames, *columns), wider=wider)


def without_effects(walls: list[Wall], jobs: list[Job]) -> tuple[list[Wall], list[Job]]:
    """``walls`` and ``jobs`` of a file in which something does more than compute rows, with what has to be true of the
    frames of which it does not say what makes them: it may be below them."""
    found = [
        replace(w, assumed=(*w.assumed, *_if_pure((*w.unseen, *w.handed_in)))) if w.unseen or w.handed_in else w
        for w in walls
    ]
    return found, [_job_without_effects(j) for j in jobs]


def _if_pure(unseen: Iterable[str]) -> list[Assumption]:
    return [Assumption("purity", f"no function that makes {origin} has a side effect") for origin in unseen]


def _job_without_effects(job: Job) -> Job:
    wider = None if job.wider is None else _job_without_effects(job.wider)
    if not job.unseen and wider is job.wider:
        return job
    return replace(job, assumed=(*job.assumed, *_if_pure(job.unseen)), wider=wider)


def kept_frames(world: ModuleAnalysis) -> list[KeptFrame]:
    """The frames of ``world`` whose rows are kept, with what becomes of them."""
    return [frame_of(k, world) for k in world.kept]


def group_extremes(world: ModuleAnalysis) -> list[GroupExtreme]:
    """The columns of ``world`` that hold an extreme of a group, and that only a filter reads."""
    found = (world.uses.extreme(e, world.asked, world.reads) for e in world.extremes)
    return [e for e in found if e is not None]


def plain_joins(world: ModuleAnalysis) -> list[PlainJoin]:
    """The calls of ``join`` in ``world`` that compare columns, with what is made of their rows."""
    found = (world.uses.plain_join(j, world.tests, world.reads) for j in world.joins)
    below_ = {j.call: tuple(name_of(world.uses.made_by(p)) for p in below(j.plan.left)) for j in world.joins if j.whole}
    return [replace(j, below=below_.get(j.call, ())) for j in found]


def _ordered(found: Sequence[Found]) -> tuple[Filter, ...]:
    """Outermost filters first, each followed by the filters below it; chains in source order."""
    known = {f.call: (f, calls) for f, calls in found}
    inner = {call for _, calls in found for call in calls}
    ordered: dict[Span, Filter] = {}
    for top, calls in sorted(((f, calls) for f, calls in found if f.call not in inner), key=lambda c: c[0].call):
        for call in (top.call, *calls):
            if call in known:
                ordered.setdefault(call, known[call][0])
    return tuple(ordered.values())
