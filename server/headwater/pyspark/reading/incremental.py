"""Reading a text again after an edit: only what the edit can concern is parsed and followed again.

The body of each function of the top level and of each method of a class there is followed on its own, and so are the
code of a class that stands outside of them, and that of the module in ``segments``. What came out is used again if the
text of the code is the same and all that it asked about the rest of the file (``asking``) still has the same answers;
only its places are then others (``moving``). Counts that run through the whole file, like that of the syntax that is
followed once more, are added up again each time.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, zip_longest
from typing import Union

from headwater.pyspark.api.api_context import MOST_NODES
from headwater.pyspark.driver.flow import DEFINITIONS, Definition
from headwater.pyspark.frames.identities import Counts
from headwater.pyspark.frames.options import FrontendOptions
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.ast_walk import methods_of
from headwater.syntax.source.linked import in_order
from headwater.syntax.source.top_level import Parsed, Statement, first_line, parse
from headwater_ir.module import Module

from .effects_kept import EffectsKept
from .followed import BODY, Followed, Variable
from .handed_over import does_more
from .module import assembled, read_module, source_errors, speaks_of_spark, without_effects
from .moves import Moves, Part, Stretch
from .passes import Begun, Passes, Piece
from .queries import Answer, Answers, Question
from .relocation import Move
from .segments import Segment, segments
from .settled import settled_since
from .views_read import ViewsRead, noted


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


class _Version:
    def __init__(self, parsed: Parsed, options: FrontendOptions) -> None:
        assert parsed.statements is not None
        self.parsed, self.options = parsed, options
        self.statements = in_order(parsed.statements, [s.first + 1 for s in parsed.statements], parsed.source)
        self.names = Names(Context.read(parsed.source, parsed.lines, parsed.readable), options.targets)
        self.answers = Answers(self.names)
        self.shape = [_shape(s, parsed.lines) for s in self.statements]
        classes = [s.node for s in self.statements if isinstance(s.node, ast.ClassDef)]
        self.owners: dict[ast.stmt, ast.ClassDef] = {m: c for c in classes for m in methods_of(c)}
        own = [s.node for s in self.statements if not self.names.ctx.is_linked(s.node)]
        self.definitions = [d for s in own for d in (s, *methods_of(s)) if isinstance(d, DEFINITIONS)]
        self.segments: list[Segment] = []
        self.followed: dict[Piece, Followed] = {}
        """All pieces of code."""
        self.effects = EffectsKept(self.answers, options.assume_pure, None)
        self._expected: dict[Piece, Counts] = {}
        """How often each binding was read in the version before, of pieces of code that are to be followed again."""
        self._passes = Passes(self.answers, options, self.owners, self._expected)
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
                part = self.followed[segment] = self._passes.end(self._passes.begin(segment, known), wanted)
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

    def _frames(self) -> list[Variable]:
        parts = [(self.followed[s], self._code(s)) for s in self.segments]
        return [f for part, code in parts for frame in part.frames for f in self._frames_at(frame, code)]

    def _frames_at(self, frame: Variable, body: Sequence[ast.stmt]) -> list[Variable]:
        if frame[0] != BODY:
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
        moves = Moves(
            [entry for p in sorted(old, key=lambda p: p.start) for entry in p.moved_to(now.get(id(p.statement)))]
        )
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
        self._expected.update((node, named.get(self._place(node), Counts())) for node in self.definitions)
        others = [of for of in before.segments if of not in found]
        missing = [s for s in self.segments if s not in self.followed]
        by_shape = {shape: of for of in others for shape in before.shape[of.first : of.last]}
        for s, by_place in zip_longest(missing, others[: len(missing)]):
            alike = Counter(by_shape[shape] for shape in self.shape[s.first : s.last] if shape in by_shape)
            of = max(alike, key=lambda a: (before.followed[a].passes, alike[a]), default=by_place)
            self._expected[s] = Counts() if of is None else before.followed[of].reads

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
        begun = [self._passes.begin(node) for node in (*self.definitions, *self.segments) if node not in known]
        if not self._has_boundary(begun):  # counts may have kept one from being found
            begun = [self._passes.begin(b.node, reads=Counts()) if b.counted else b for b in begun]
            begun += [self._passes.begin(node, reads=Counts()) for node, of in known.items() if of.passes > 1]
        wanted = {False: 1, True: 2 if self._has_boundary(begun) else 1}
        again = {b.node for b in begun}
        begun += [
            self._passes.begin(n) for n, of in known.items() if n not in again and of.passes != wanted[of.doubtful]
        ]
        for part in begun:
            known[part.node] = self._passes.end(part, wanted)

    def _has_boundary(self, begun: Sequence[Begun]) -> bool:
        return any(f.boundary for f in self.followed.values()) or any(b.world.bound_at for b in begun)


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
