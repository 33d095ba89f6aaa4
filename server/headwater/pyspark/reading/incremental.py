"""Reading a text again after an edit: only what the edit can concern is parsed and followed again.

The body of each function of the top level and of each method of a class there is followed on its own, and so are the
code of a class that stands outside of them, and that of the module in ``segments``. What came out is used again if the
text of the code is the same and all that it asked about the rest of the file (``asking``) still has the same answers;
only its places are then others (``moving``). Counts that run through the whole file, like that of the syntax that is
followed once more, are added up again each time.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from types import MappingProxyType
from typing import Union, cast

from headwater.pyspark.api.api_context import MOST_NODES, ModuleAnalysis
from headwater.pyspark.driver.flow import DEFINITIONS, Definition, Scope, follow_alone
from headwater.pyspark.frames.options import FrontendOptions
from headwater.pyspark.frames.tracked_values import Grouped, Rdd, TrackedFrame
from headwater.pyspark.walls.places import Places
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.ast_walk import methods_of
from headwater.syntax.source.bindings import bound_names
from headwater.syntax.source.top_level import Parsed, Statement, first_line, parse
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import GroupExtreme, Job, KeptFrame, PlainJoin, Wall
from headwater_ir.module import Module
from headwater_ir.plan import Schema
from headwater_ir.span import Span

from .asking import AskingNames, AskingPlaces, Captured
from .effects_kept import EffectsKept
from .handed_over import does_more
from .module import (
    Found,
    assembled,
    columns_handed_in,
    found_filters,
    group_extremes,
    kept_frames,
    plain_joins,
    read_module,
    seen_jobs,
    seen_walls,
    source_errors,
    speaks_of_spark,
    without_effects,
)
from .moves import Moves, Part, Stretch
from .queries import Answer, Answers, Log, Question
from .relocation import Move
from .segments import Segment, segments
from .settled import settled_since
from .views_read import OfViews, ViewsRead, noted

_Variable = tuple[str, int, Schema, str]
_BODY = "\0"
"""As a variable: here come those of the body of the statement with this number, of the segment or the class."""


@dataclass(frozen=True)
class Followed:
    """What following one piece of code gave, with all that it depends on besides its text: what it ``asked``, and of
    the class that it is in ``of_class``. ``trusted``: what the answers take for granted. ``everything``: it depends on
    the whole file. ``passes``: how often it was followed; ``boundary``: whether it has a boundary; ``doubtful``:
    whether it matters then that the file has one; ``reads``: how often each binding is read, if a second pass was told
    so; ``spent``: the syntax that was followed once more; ``spelled``: the columns that it spells, by their names in
    lower case; ``against``: those that were spelled in another way in front of it; ``reach``: the last offset that it
    speaks of."""

    filters: tuple[Found, ...]
    frames: tuple[_Variable, ...]
    walls: tuple[Wall, ...]
    kept: tuple[KeptFrame, ...]
    jobs: tuple[Job, ...]
    best: tuple[GroupExtreme, ...]
    joins: tuple[PlainJoin, ...]
    handed_in: tuple[tuple[Span, str], ...]
    asked: dict[Question, Answer]
    of_class: dict[Question, Answer]
    trusted: tuple[Assumption, ...]
    everything: bool
    passes: int
    boundary: bool
    doubtful: bool
    reads: dict[int, int]
    spent: int
    spelled: dict[str, str]
    against: frozenset[str]
    reach: int = 10**12
    views: tuple[object, OfViews] | None = None
    """The views that it may read, with all that the file says of them."""

    def views_of(self, read: ViewsRead) -> OfViews:
        """The views that it may read. The texts that name them are of statements that it comes from."""
        if self.views is None or self.views[0] != read.key:
            found = read.of(self.walls, self.jobs, [f for f, _ in self.filters])
            object.__setattr__(self, "views", (read.key, found))
        assert self.views is not None
        return self.views[1]

    def moved(self, moves: Moves, noted: list[Move]) -> Followed:
        """The same, where the statements that it comes from stand elsewhere; what moves it is ``noted``."""
        if self.reach < moves.unmoved and all(f[1] < moves.unmoved_line for f in self.frames if f[0] != _BODY):
            return self
        move, line = Move(moves.place), moves.line
        noted.append(move)
        found = tuple([(move(f), tuple([move(call) for call in calls])) for f, calls in self.filters])
        frames = tuple([f if f[0] == _BODY else (f[0], line(f[1]), f[2], f[3]) for f in self.frames])
        walls = tuple([move(w) for w in self.walls])
        kept, jobs = tuple([move(k) for k in self.kept]), tuple([move(j) for j in self.jobs])
        best, joins = tuple([move(e) for e in self.best]), tuple([move(j) for j in self.joins])
        handed_in = tuple([(move(s), given) for s, given in self.handed_in])
        views = self.views and (self.views[0], self.views[1].moved(move))
        return replace(
            self, filters=found, frames=frames, walls=walls, kept=kept, jobs=jobs, best=best, joins=joins,
            handed_in=handed_in, views=views, reach=move.reach,
        )  # fmt: skip


class Document:
    """One text that somebody edits, as the front end reads it.

    ``read(source)`` is equal to ``read_module(source, options)`` in every part, and raises the same ``SourceError``,
    whatever was read before it. How long it takes depends on how much of the text is as it was the last time that the
    text could be parsed. A document is for one thread at a time.
    """

    def __init__(self, options: FrontendOptions | None = None) -> None:
        self._options = options or FrontendOptions()
        self._version: _Version | None = None

    def read(self, source: str) -> Module:
        """What the front end finds in ``source``; SourceError if it does not parse."""
        before = self._version
        old = before.parts() if before else []
        with source_errors(source):
            parsed = parse(source, before.parsed if before else None)
        self._version = None  # its statements now stand where they do in this text
        if parsed.statements is None:
            return read_module(source, self._options)
        with suppress(
            Exception
        ):  # too deep, for the detours that are taken here, or an error: read whole, it costs less
            version = _Version(parsed, self._options)
            found = version.follow(before, old)
            if found is not None:
                self._version = version
                return found
        return read_module(source, self._options)

    @property
    def moved(self) -> list[Move]:
        """What took the plans of the text before to their places in the last text."""
        return self._version.moved if self._version else []

    @property
    def context(self) -> Context | None:
        """The last text, if it was read in parts; until the next is."""
        return self._version.names.ctx if self._version else None

    @property
    def parsed(self) -> Parsed | None:
        """The statements of the last text that was read in parts."""
        return self._version.parsed if self._version else None


@dataclass(frozen=True)
class _Begun:
    """A piece of code that was followed once: the body of a definition, or a segment of the module. ``counted``: with
    the right counts of how often each binding is read, as in a second pass."""

    node: Definition | Segment
    log: Log
    world: ModuleAnalysis
    counted: bool


class _Version:
    def __init__(self, parsed: Parsed, options: FrontendOptions) -> None:
        assert parsed.statements is not None
        self.parsed, self.options, self.statements = parsed, options, parsed.statements
        self.names = Names(Context.read(parsed.source, parsed.lines, parsed.readable), options.targets)
        self.answers = Answers(self.names)
        self.shape = [_shape(s, parsed.lines) for s in self.statements]
        classes = [s.node for s in self.statements if isinstance(s.node, ast.ClassDef)]
        self.owners: dict[ast.stmt, ast.ClassDef] = {m: c for c in classes for m in methods_of(c)}
        self.definitions = [
            d for s in self.statements for d in (s.node, *methods_of(s.node)) if isinstance(d, DEFINITIONS)
        ]
        self.segments: list[Segment] = []
        self.followed: dict[Definition | Segment, Followed] = {}
        """All pieces of code."""
        self.own = frozenset(bound_names(self.names.ctx.tree.body))
        """The variables of the module."""
        self.effects = EffectsKept(self.answers, options.assume_pure, None)
        self._reads: dict[Definition | Segment, dict[int, int]] = {}
        """How often each binding was read in the version before, of pieces of code that are to be followed again."""
        self._parts: list[Part] = []
        self.moved: list[Move] = []
        """What took kept pieces of code from where they were in the version before."""

    def follow(self, before: _Version | None, old: list[Part]) -> Module | None:
        """What this version holds; None if its parts have too much in common to be followed on their own. ``old``:
        where the statements stood that the version before had, and their first lines."""
        if not speaks_of_spark(self.parsed.source):
            return assembled(self.names, (), (), (), (), (), (), (), ())
        if self.names.patches.of_columns:
            return None
        self.segments = segments(self.names.ctx.tree.body, self.names, self._resolved)
        if before is not None:
            self.effects = EffectsKept(self.answers, self.options.assume_pure, before.effects)
            self._keep(before, old)
        self._complete()
        bounded = any(f.boundary for f in self.followed.values())
        self._spell_alike()
        if (
            bounded != any(f.boundary for f in self.followed.values())
            or sum(f.spent for f in self.followed.values()) > MOST_NODES
        ):
            return None
        parts = self.followed.values()
        found, kept = [found for f in parts for found in f.filters], [k for f in parts for k in f.kept]
        effects = any(f.filters or f.walls or f.jobs for f in parts) and does_more(self.names, self.effects.does_more)
        read = ViewsRead(self.names)
        views = [f.views_of(read) for f in parts]
        of_each = [noted(f.walls, f.jobs, of) for f, of in zip(parts, views, strict=True)]
        walls, jobs = [w for each, _ in of_each for w in each], [j for _, each in of_each for j in each]
        walls, jobs = without_effects(walls, jobs) if effects else (walls, jobs)
        best, joins = [e for f in parts for e in f.best], [j for f in parts for j in f.joins]
        trusted = [*self.effects.trusted, *(stated for f in parts for stated in f.trusted)]
        handed_in = [h for f in parts for h in f.handed_in] if effects else []
        handed_in += [h for of in views for h in of.filters] if effects else []
        return assembled(
            self.names, found, self._frames(), walls, kept, jobs, best, joins, trusted, effects=effects,
            handed_in=handed_in,
        )  # fmt: skip

    def _spell_alike(self) -> None:
        """Follow segments once more that spell columns in another way than one in front of them, or did so before."""
        known: dict[str, str] = {}
        for segment in self.segments:
            part = self.followed[segment]
            alike = all(known.get(name, column) == column for name, column in part.spelled.items())
            if not alike or not part.against <= known.keys():
                wanted = {False: 1, True: 2 if any(f.boundary for f in self.followed.values()) else 1}
                part = self.followed[segment] = self._ended(self._begun(segment, known), wanted)
            for name, column in part.spelled.items():
                known.setdefault(name, column)

    def _resolved(self, name: str) -> str | None:
        """What ``name`` of the module means; what is taken for granted then is noted where it is read."""
        found = self.answers.to(Question("resolve", (name,))).value
        return found if isinstance(found, str) else None

    def _code(self, segment: Segment) -> list[ast.stmt]:
        return self.names.ctx.tree.body[segment.first : segment.last]

    def _key(self, segment: Segment) -> Hashable:
        """All of the text that code of ``segment`` sees without a question."""
        nodes = [self.names.ctx.tree.body[i] for i in segment.head]
        head = tuple([(type(n).__name__, n.name) if isinstance(n, DEFINITIONS) else n for n in nodes])
        return tuple(self.shape[segment.first : segment.last]), head, segment.known

    def _frames(self) -> list[_Variable]:
        parts = [(self.followed[s], self._code(s)) for s in self.segments]
        return [f for part, code in parts for frame in part.frames for f in self._frames_at(frame, code)]

    def _frames_at(self, frame: _Variable, body: Sequence[ast.stmt]) -> list[_Variable]:
        if frame[0] != _BODY:
            return [frame]
        node = body[frame[1]]
        assert isinstance(node, DEFINITIONS)
        inner = node.body if isinstance(node, ast.ClassDef) else []
        return [f for found in self.followed[node].frames for f in self._frames_at(found, inner)]

    def parts(self) -> list[Part]:
        """The statements of the top level and the methods of classes, each with where it stands in this version."""
        if not self._parts:
            starts = [0, *accumulate(map(len, self.parsed.lines))]
            for s in self.statements:
                methods = [Stretch(m, first_line(m), m.end_lineno or m.lineno, starts) for m in methods_of(s.node)]
                self._parts.append(Part(starts[s.first], s, s.first, methods))
        return self._parts

    # --- what is kept

    def _keep(self, before: _Version, old: list[Part]) -> None:
        """Take over from ``before`` what still holds."""
        asked: dict[Question, Answer] = {}
        for known in before.followed.values():
            asked.update(known.asked)
        changed = self._changed(before, asked)
        by_key = {before._key(s): s for s in before.segments}
        alike = [(s, of) for s in self.segments if (of := by_key.get(self._key(s))) is not None]
        parts = self.parts()
        now = {id(p.statement): p for p in parts}
        for segment, of in alike:  # a definition of which only the body is another stands for the old one
            for i in range(of.last - of.first):
                now[id(old[of.first + i].statement)] = parts[segment.first + i]
        moves = Moves([entry for p in old for entry in p.moved_to(now.get(id(p.statement)))])
        heads = {id(s.node): shape for s, shape in zip(self.statements, self.shape, strict=True)}
        heads_before = {id(s.node): shape for s, shape in zip(before.statements, before.shape, strict=True)}

        def kept(part: Followed, owner: ast.ClassDef | None, owner_before: ast.ClassDef | None) -> Followed | None:
            if part.everything and self.parsed.source != before.parsed.source:
                return None
            if not part.asked.keys().isdisjoint(changed):
                return None
            known = self._still_asked(part, owner, owner_before)
            try:
                return known and known.moved(moves, self.moved)
            except LookupError:
                return None

        for node in self.definitions:
            owner, owner_before = self.owners.get(node), before.owners.get(node)
            if heads.get(id(owner)) != heads_before.get(id(owner_before)):
                continue
            part = before.followed.get(node)
            if part is not None and (still := kept(part, owner, owner_before)) is not None:
                self.followed[node] = still
        for segment, of in alike:
            if of in before.followed and (still := kept(before.followed[of], None, None)) is not None:
                self.followed[segment] = still
        self._expect(before, {of for _, of in alike})

    def _expect(self, before: _Version, found: set[Segment]) -> None:
        """Take the counts of reads of ``before`` for those of the code that stands for its code now, other than the
        segments that were ``found`` again: most edits change none of them."""
        named = {before._place(node): of.reads for node, of in before.followed.items() if isinstance(node, DEFINITIONS)}
        self._reads = {node: named.get(self._place(node), {}) for node in self.definitions}
        others = [of for of in before.segments if of not in found]
        missing = [s for s in self.segments if s not in self.followed]
        self._reads |= {s: before.followed[of].reads for s, of in zip(missing, others, strict=False)}

    def _place(self, node: Definition) -> tuple[str, str]:
        owner = self.owners.get(node)
        return owner.name if owner else "", node.name

    def _changed(self, before: _Version, asked: dict[Question, Answer]) -> set[Question]:
        """Which of the questions ``asked`` of the version ``before`` have another answer now."""
        settled = settled_since(before.names.ctx.tree.body, self.names.ctx.tree.body)
        return {q for q, answer in asked.items() if not settled(q) and self.answers.to(q) != answer}

    def _still_asked(
        self, part: Followed, owner: ast.ClassDef | None, owner_before: ast.ClassDef | None
    ) -> Followed | None:
        """``part``, the body of a method of ``owner_before``, as one of ``owner``: what it asked about its class is
        asked again. None if an answer is another one, or another class was asked about."""
        if not part.of_class:
            return part
        if owner is None or any(q.owner is not owner_before for q in part.of_class):
            return None
        asked = {q.of(owner): a for q, a in part.of_class.items()}
        return None if any(self.answers.to(q) != a for q, a in asked.items()) else replace(part, of_class=asked)

    # --- what is followed

    def _complete(self) -> None:
        """Follow what is not known yet, each piece in as many passes as it takes in the whole file."""
        known = self.followed
        begun = [self._begun(node) for node in (*self.definitions, *self.segments) if node not in known]
        if not self._has_boundary(begun):  # counts may have kept one from being found
            begun = [self._begun(b.node, reads={}) if b.counted else b for b in begun]
            begun += [self._begun(node, reads={}) for node, of in known.items() if of.passes > 1]
        wanted = {False: 1, True: 2 if self._has_boundary(begun) else 1}
        again = {b.node for b in begun}
        begun += [self._begun(n) for n, of in known.items() if n not in again and of.passes != wanted[of.doubtful]]
        for part in begun:
            known[part.node] = self._ended(part, wanted)

    def _has_boundary(self, begun: Sequence[_Begun]) -> bool:
        return any(f.boundary for f in self.followed.values()) or any(b.world.bound_at for b in begun)

    def _begun(
        self, node: Definition | Segment, spelled: Mapping[str, str] = MappingProxyType({}),
        reads: Mapping[int, int] | None = None,
    ) -> _Begun:  # fmt: skip
        """The first pass over the body of a definition, or over a segment of the module; ``spelled``: the columns that
        are spelled in front of it.

        Where the version before took two passes, the first one gets the counts of that version already, or ``reads``.
        What a pass counts does not depend on the counts that it gets: it is the second pass if it counts the same.
        """
        log = Log(self.answers, before=dict(spelled))
        expected = self._reads.get(node, {}) if reads is None else reads
        for _ in range(2 if expected else 0):
            world = self._pass(node, log, expected)
            if world.was_counted():
                return _Begun(node, log, world, True)
            expected = world.reads
        return _Begun(node, log, self._pass(node, log, {}), False)

    def _pass(self, node: Definition | Segment, log: Log, reads: Mapping[int, int]) -> ModuleAnalysis:
        world = ModuleAnalysis(cast(Names, AskingNames(log)), self.options, total_reads=dict(reads))
        self._run(node, world, log)
        return world

    def _ended(self, begun: _Begun, wanted: dict[bool, int]) -> Followed:
        log, first = begun.log, begun.world
        doubtful = first.may_differ_again()
        passes = wanted[doubtful]
        world = first.again() if passes == 2 and not begun.counted else first
        if world is not first:
            self._run(begun.node, world, log)
        found, frames = tuple(found_filters(world)), tuple(world.frames)
        boundary = bool(first.bound_at)
        return Followed(
            found,
            frames,
            tuple(seen_walls(world)),
            tuple(kept_frames(world)),
            tuple(seen_jobs(world)),
            tuple(group_extremes(world)),
            tuple(plain_joins(world)),
            tuple(columns_handed_in(world, found)),
            {q: a for q, a in log.asked.items() if q.owner is None},
            {q: a for q, a in log.asked.items() if q.owner is not None},
            tuple(dict.fromkeys(stated for a in log.asked.values() for stated in a.trusted)),
            log.everything,
            passes,
            boundary,
            doubtful,
            world.total_reads,
            first.spent,
            *log.spelled(),
        )

    def _run(self, node: Definition | Segment, world: ModuleAnalysis, log: Log) -> None:
        if isinstance(node, Segment):
            code, body = self._code(node), self.names.ctx.tree.body
            world.captured[id(code)] = Captured(log, "captured")  # type: ignore[assignment]
            world.described[id(code)] = Captured(log, "described")  # type: ignore[assignment]
            scope = _Outside(world, code, None, log, body, self.own)
            scope.begin([body[i] for i in node.head])
            scope.run()
        elif isinstance(node, ast.ClassDef):
            with world.names.of_its_own():
                _Outside(world, node.body, node, log).run()
        else:
            follow_alone(node, world, (), self.owners.get(node))
        if world.failed:
            raise _InternalError


class _InternalError(Exception):
    """Some code cannot be followed for an error of ours."""


def _shape(statement: Statement, lines: list[str]) -> Union[ast.stmt, tuple[str, str]]:
    """What the module's own code sees of a statement: all of it, or the head of a definition."""
    node = statement.node
    if not isinstance(node, DEFINITIONS):
        return node
    body = node.body[0]
    first = min(n.lineno for n in (body, *getattr(body, "decorator_list", []))) - 1
    before = lines[first].encode("utf-8", "surrogatepass")[: body.col_offset]
    apart = body.lineno - 1 > first or not before.strip()
    return type(node).__name__, "".join(lines[statement.first : first if apart else statement.last])


class _Outside(Scope):
    """Code of the top level without the bodies of its definitions, or that of a class without its methods. ``whole``:
    all of the top level, with its ``variables``."""

    def __init__(
        self, world: ModuleAnalysis, body: list[ast.stmt], defines: ast.ClassDef | None, log: Log,
        whole: Sequence[ast.stmt] = (), variables: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        super().__init__(world, body, [], is_module=defines is None, is_class=defines is not None)
        self.defines, self._asking, self._whole = defines, log, whole
        if defines is None:
            self.own, self.local = variables, set(variables)
        own = DEFINITIONS if defines is None else DEFINITIONS[:2]
        self._numbers = {id(s): i for i, s in enumerate(body) if isinstance(s, own)}

    def begin(self, head: Sequence[ast.stmt]) -> None:
        """Follow the statements of other segments that bind what this one names, none of which it finds anything in."""
        for s in head:
            if isinstance(s, DEFINITIONS):
                self.define(s)
            else:
                self.statement(s)
        world, held = self.world, (b.value for b in self.env.values())
        found = (world.filters, world.frames, world.walls, world.kept, world.jobs, world.extremes, world.joins)
        if any(found) or any(isinstance(v, (TrackedFrame, Grouped, Rdd)) for v in held):
            raise _InternalError

    def _places_here(self) -> Places:
        """Where expressions stand: at the top level in other statements too, which are followed apart."""
        if self._places is None and self.is_module:
            self._places = AskingPlaces(self._whole, self.body, self._asking)
        return super()._places_here()

    def within(self, s: Definition) -> None:
        """Note where the variables of the body come."""
        number = self._numbers.get(id(s))
        if number is None:
            super().within(s)
        else:
            self.world.frames.append((_BODY, number, Schema(()), ""))
