"""Reading a text again after an edit: only what the edit can concern is parsed and followed again.

The body of each function of the top level and of each method of a class there is followed on its own, and so is the
code of a class, and of the module, that stands outside of them. What came out is used again if the text of the code is
the same and all that it asked about the rest of the file (``asking``) still has the same answers; only its places are
then others (``moving``). Counts that run through the whole file, like that of the syntax that is followed once more,
are added up again each time.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Union, cast

from headwater.pyspark.api.api_context import MOST_NODES, ModuleAnalysis
from headwater.pyspark.driver.flow import DEFINITIONS, Definition, Scope, follow_alone
from headwater.pyspark.frames.options import FrontendOptions
from headwater.pyspark.walls.places import Places
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.ast_walk import methods_of
from headwater.syntax.source.top_level import Parsed, Statement, first_line, parse
from headwater_ir.demand import GroupExtreme, Job, KeptFrame, PlainJoin, Wall
from headwater_ir.module import Module
from headwater_ir.plan import Schema

from .module import (
    Found,
    assembled,
    found_filters,
    group_extremes,
    kept_frames,
    plain_joins,
    read_module,
    seen_walls,
    source_errors,
    speaks_of_spark,
)
from .queries import Answer, Answers, AskingNames, AskingPlaces, Captured, Log, Question
from .relocation import Move

_Variable = tuple[str, int, Schema, str]
_BODY = "\0"
"""As a variable: here come those of the body of the statement with this number, of the module or the class."""


@dataclass(frozen=True)
class Followed:
    """What following one piece of code gave, with all that it depends on besides its text. ``everything``: that is the
    whole file. ``passes``: how often it was followed; ``boundary``: whether it has a boundary; ``doubtful``: whether it
    matters then that the file has one; ``spent``: the syntax that was followed once more; ``reach``: the last offset
    that it speaks of."""

    filters: tuple[Found, ...]
    frames: tuple[_Variable, ...]
    walls: tuple[Wall, ...]
    kept: tuple[KeptFrame, ...]
    jobs: tuple[Job, ...]
    best: tuple[GroupExtreme, ...]
    joins: tuple[PlainJoin, ...]
    asked: dict[Question, Answer]
    everything: bool
    passes: int
    boundary: bool
    doubtful: bool
    spent: int
    reach: int = 10**12
    by: Move | None = None
    """What took it from where it was before the last edit."""

    def moved(self, moves: _Moves) -> Followed:
        """The same, where the statements that it comes from stand elsewhere."""
        if self.reach < moves.unmoved and all(f[1] < moves.unmoved_line for f in self.frames if f[0] != _BODY):
            return replace(self, by=None) if self.by else self
        move, line = Move(moves.place), moves.line
        found = tuple([(move(f), tuple([move(call) for call in calls])) for f, calls in self.filters])
        frames = tuple([f if f[0] == _BODY else (f[0], line(f[1]), f[2], f[3]) for f in self.frames])
        walls = tuple([move(w) for w in self.walls])
        kept, jobs = tuple([move(k) for k in self.kept]), tuple([move(j) for j in self.jobs])
        best, joins = tuple([move(e) for e in self.best]), tuple([move(j) for j in self.joins])
        return replace(
            self, filters=found, frames=frames, walls=walls, kept=kept, jobs=jobs, best=best, joins=joins,
            reach=move.reach, by=move,
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
        return [f.by for f in self._version.followed() if f.by] if self._version else []

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
    """A piece of code that was followed once: the body of ``node``, or the module's own."""

    node: Definition | None
    log: Log
    world: ModuleAnalysis


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
        self.bodies: dict[ast.stmt, Followed] = {}
        self.module: Followed | None = None
        self._parts: list[_Part] = []

    def follow(self, before: _Version | None, old: list[_Part]) -> Module | None:
        """What this version holds; None if its parts have too much in common to be followed on their own. ``old``:
        where the statements stood that the version before had, and their first lines."""
        if not speaks_of_spark(self.parsed.source):
            return assembled(self.names, (), (), (), (), (), (), (), ())
        if before is not None:
            self._keep(before, old)
        self._complete()
        if sum(f.spent for f in self.followed()) > MOST_NODES:
            return None
        parts = self.followed()
        trusted = [stated for f in parts for answer in f.asked.values() for stated in answer.trusted]
        found, walls = [found for f in parts for found in f.filters], [w for f in parts for w in f.walls]
        kept, jobs = [k for f in parts for k in f.kept], [j for f in parts for j in f.jobs]
        best, joins = [e for f in parts for e in f.best], [j for f in parts for j in f.joins]
        return assembled(self.names, found, self._frames(), walls, kept, jobs, best, joins, trusted)

    def followed(self) -> list[Followed]:
        """All pieces of code."""
        return [*self.bodies.values(), *([self.module] if self.module else [])]

    def _frames(self) -> list[_Variable]:
        assert self.module is not None
        body = [s.node for s in self.statements]
        return [f for frame in self.module.frames for f in self._frames_at(frame, body)]

    def _frames_at(self, frame: _Variable, body: Sequence[ast.stmt]) -> list[_Variable]:
        if frame[0] != _BODY:
            return [frame]
        node = body[frame[1]]
        inner = node.body if isinstance(node, ast.ClassDef) else []
        return [f for found in self.bodies[node].frames for f in self._frames_at(found, inner)]

    def parts(self) -> list[_Part]:
        """The statements of the top level and the methods of classes, each with where it stands in this version."""
        if not self._parts:
            starts = [0, *accumulate(map(len, self.parsed.lines))]
            for s in self.statements:
                methods = [_Stretch(m, first_line(m), m.end_lineno or m.lineno, starts) for m in methods_of(s.node)]
                self._parts.append(_Part(starts[s.first], s, s.first, methods))
        return self._parts

    # --- what is kept

    def _keep(self, before: _Version, old: list[_Part]) -> None:
        """Take over from ``before`` what still holds."""
        asked: dict[Question, Answer] = {}
        for known in before.followed():
            asked |= {q: a for q, a in known.asked.items() if q.owner is None}
        changed = {question for question, answer in asked.items() if self.answers.to(question) != answer}
        same_module = self.shape == before.shape
        parts = self.parts()
        now = {id(p.statement): p for p in parts}
        if same_module:  # a definition of which only the body is another stands for the old one
            now = {id(p.statement): parts[i] for i, p in enumerate(old)}
        moves = _Moves([entry for p in old for entry in p.moved_to(now.get(id(p.statement)))])
        heads = {id(s.node): shape for s, shape in zip(self.statements, self.shape, strict=True)}
        heads_before = {id(s.node): shape for s, shape in zip(before.statements, before.shape, strict=True)}

        def kept(part: Followed, owner: ast.ClassDef | None, owner_before: ast.ClassDef | None) -> Followed | None:
            if part.everything and self.parsed.source != before.parsed.source:
                return None
            if not part.asked.keys().isdisjoint(changed):
                return None
            known = self._still_asked(part, owner, owner_before)
            try:
                return known and known.moved(moves)
            except LookupError:
                return None

        for node in self.definitions:
            owner, owner_before = self.owners.get(node), before.owners.get(node)
            if heads.get(id(owner)) != heads_before.get(id(owner_before)):
                continue
            part = before.bodies.get(node)
            if part is not None and (still := kept(part, owner, owner_before)) is not None:
                self.bodies[node] = still
        if same_module and before.module:
            self.module = kept(before.module, None, None)

    def _still_asked(
        self, part: Followed, owner: ast.ClassDef | None, owner_before: ast.ClassDef | None
    ) -> Followed | None:
        """``part``, the body of a method of ``owner_before``, as one of ``owner``: what it asked about its class is
        asked again. None if an answer is another one, or another class was asked about."""
        of_classes = {q: a for q, a in part.asked.items() if q.owner is not None}
        if not of_classes:
            return part
        if owner is None or any(q.owner is not owner_before for q in of_classes):
            return None
        asked = {q.of(owner): a for q, a in of_classes.items()}
        if any(self.answers.to(q) != a for q, a in asked.items()):
            return None
        return replace(part, asked={q: a for q, a in part.asked.items() if q.owner is None} | asked)

    # --- what is followed

    def _complete(self) -> None:
        """Follow what is not known yet, each piece in as many passes as it takes in the whole file."""
        missing = [node for node in self.definitions if node not in self.bodies]
        begun = [self._begun(node) for node in (*missing, *(() if self.module else (None,)))]
        boundary = any(f.boundary for f in self.followed()) or any(b.world.bound_at for b in begun)
        wanted = {False: 1, True: 2 if boundary else 1}
        others = [node for node, body in self.bodies.items() if body.passes != wanted[body.doubtful]]
        begun += [self._begun(node) for node in others if isinstance(node, DEFINITIONS)]
        if self.module and self.module.passes != wanted[self.module.doubtful]:
            begun.append(self._begun(None))
        for part in begun:
            ended = self._ended(part, wanted)
            if part.node is None:
                self.module = ended
            else:
                self.bodies[part.node] = ended

    def _begun(self, node: Definition | None) -> _Begun:
        """The first pass over the body of ``node``, or over the module's own code."""
        log = Log(self.answers)
        world = ModuleAnalysis(cast(Names, AskingNames(log)), self.options)
        if node is None:
            body = id(self.names.ctx.tree.body)
            world.captured[body] = Captured(log, "captured")  # type: ignore[assignment]
            world.described[body] = Captured(log, "described")  # type: ignore[assignment]
        self._run(node, world, log)
        return _Begun(node, log, world)

    def _ended(self, begun: _Begun, wanted: dict[bool, int]) -> Followed:
        log, first = begun.log, begun.world
        doubtful = first.may_differ_again()
        passes = wanted[doubtful]
        world = first.again() if passes == 2 else first
        if world is not first:
            self._run(begun.node, world, log)
        found, frames = tuple(found_filters(world)), tuple(world.frames)
        boundary = bool(first.bound_at)
        return Followed(
            found,
            frames,
            tuple(seen_walls(world)),
            tuple(kept_frames(world)),
            tuple(world.jobs.values()),
            tuple(group_extremes(world)),
            tuple(plain_joins(world)),
            log.asked,
            log.everything,
            passes,
            boundary,
            doubtful,
            first.spent,
        )

    def _run(self, node: Definition | None, world: ModuleAnalysis, log: Log) -> None:
        if node is None:
            _Outside(world, self.names.ctx.tree.body, None, log).run()
        elif isinstance(node, ast.ClassDef):
            with world.names.of_its_own():
                _Outside(world, node.body, node, log).run()
        else:
            follow_alone(node, world, (), self.owners.get(node))
        if world.failed:
            raise _InternalError


class _InternalError(Exception):
    """Some code cannot be followed for an error of ours."""


class _Stretch:
    """The lines of a method in one version: with their offsets, for its tree moves with the next one."""

    def __init__(self, node: ast.stmt, first: int, last: int, starts: Sequence[int]) -> None:
        self.node = node
        self.begin, self.end = (starts[first], first), (starts[last], last)


_Place = tuple[int, int]
"""An offset, and the line that it is on."""
_Entry = tuple[int, int, Union[_Place, None]]


@dataclass(frozen=True)
class _Part:
    """A statement of the top level in one version, where it begins, and the methods in it."""

    start: int
    statement: Statement
    first: int
    methods: list[_Stretch]

    def moved_to(self, now: _Part | None) -> Iterator[_Entry]:
        """Where the parts of it are in the next version, in order. In a class that was parsed anew the methods are that
        are still the same, and its head; of what stands between them that is not known."""
        yield self.start, self.first, None if now is None else (now.start, now.first)
        if now is None or now.statement is self.statement:
            return
        places = {id(m.node): m.begin for m in now.methods}
        for method in self.methods:
            yield *method.begin, places.get(id(method.node))
            yield *method.end, None


class _Moves:
    """Where what stood in the statements of one version stands in the next: each place and the new one, None if there
    is none."""

    def __init__(self, old: Sequence[_Entry]) -> None:
        self.place = _shifted([(start, now and now[0]) for start, _, now in old])
        self.line = _shifted([(first, now and now[1]) for _, first, now in old])
        moved = ((start, first) for start, first, now in old if now != (start, first))
        self.unmoved, self.unmoved_line = next(moved, (10**12, 10**12))
        """Up to this offset, and this line, everything stands where it did."""


def _shifted(moves: Sequence[tuple[int, int | None]]) -> Callable[[int], int]:
    """What stands at the first of a pair, or behind it, is moved as the first is to the second."""
    starts, shifts = list[int](), list[Union[int, None]]()
    for start, now in moves:
        shift = None if now is None else now - start
        if not shifts or shift != shifts[-1]:
            starts.append(start)
            shifts.append(shift)

    def place(at: int) -> int:
        shift = shifts[bisect_right(starts, at) - 1]
        if shift is None:
            raise LookupError("a place in a statement that is gone")
        return at + shift

    return place


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
    """The code of the top level without the bodies of its definitions, or that of a class without its methods."""

    def __init__(self, world: ModuleAnalysis, body: list[ast.stmt], defines: ast.ClassDef | None, log: Log) -> None:
        super().__init__(world, body, [], is_module=defines is None, is_class=defines is not None)
        self.defines, self._asking = defines, log
        own = DEFINITIONS if defines is None else DEFINITIONS[:2]
        self._numbers = {id(s): i for i, s in enumerate(body) if isinstance(s, own)}

    def _places_here(self) -> Places:
        """Where expressions stand: at the top level in the bodies of definitions too, which are followed apart."""
        if self._places is None and self.is_module:
            self._places = AskingPlaces(self.body, self._asking)
        return super()._places_here()

    def within(self, s: Definition) -> None:
        """Note where the variables of the body come."""
        number = self._numbers.get(id(s))
        if number is None:
            super().within(s)
        else:
            self.world.frames.append((_BODY, number, Schema(()), ""))
