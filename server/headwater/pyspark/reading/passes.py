"""The passes over one piece of code: the body of a definition, or a segment of the module.

Noted is what the piece asks about the rest of its text.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Union, cast

from headwater.pyspark.api.api_context import ModuleAnalysis
from headwater.pyspark.driver.flow import DEFINITIONS, Definition, Scope, follow_alone
from headwater.pyspark.frames.identities import Counts, Expected
from headwater.pyspark.frames.options import FrontendOptions
from headwater.pyspark.frames.tracked_values import Grouped, Rdd, TrackedFrame
from headwater.pyspark.walls.places import Places
from headwater.syntax.names.resolve import Names
from headwater.syntax.source.bindings import bound_names
from headwater_ir.plan import Schema

from .asking import AskingNames, AskingPlaces, Captured
from .followed import BODY, Followed
from .module import (
    columns_handed_in,
    found_filters,
    group_extremes,
    kept_frames,
    plain_joins,
    seen_jobs,
    seen_walls,
)
from .queries import Answers, Log
from .segments import Segment

Piece = Union[Definition, Segment]


@dataclass(frozen=True)
class Begun:
    """A piece of code that was followed once: the body of a definition, or a segment of the module. ``counted``: with
    the right counts of how often each binding is read, as in a second pass."""

    node: Piece
    log: Log
    world: ModuleAnalysis
    counted: bool


class Passes:
    """The passes over pieces of one version of a text. ``owners``: the classes that methods are of; ``expected``: what
    the version before counted in pieces that are to be followed again."""

    def __init__(
        self, answers: Answers, options: FrontendOptions, owners: Mapping[ast.stmt, ast.ClassDef],
        expected: Mapping[Piece, Counts],
    ) -> None:  # fmt: skip
        self._answers, self._options, self._owners, self._expected = answers, options, owners, expected
        self._own = frozenset(bound_names(answers.names.ctx.tree.body))
        """The variables of the module."""

    def begin(
        self, node: Piece, spelled: Mapping[str, str] = MappingProxyType({}),
        reads: Counts | None = None,
    ) -> Begun:  # fmt: skip
        """The first pass over the body of a definition, or over a segment of the module; ``spelled``: the columns that
        are spelled in front of it.

        Where the version before took two passes, the first one gets the counts of that version already, or ``reads``.
        What a pass counts does not depend on the counts that it gets: it is the second pass if it counts the same.
        """
        log = Log(self._answers, before=dict(spelled))
        expected = self._expected.get(node, Counts()) if reads is None else reads
        for _ in range(2 if expected else 0):
            world = self._pass(node, log, expected)
            if world.was_counted():
                return Begun(node, log, world, True)
            expected = world.counts()
        return Begun(node, log, self._pass(node, log, Counts()), False)

    def _pass(self, node: Piece, log: Log, reads: Counts) -> ModuleAnalysis:
        world = ModuleAnalysis(
            cast(Names, AskingNames(log)), self._options, expected=Expected(reads) if reads else None
        )
        self._run(node, world, log)
        return world

    def end(self, begun: Begun, wanted: dict[bool, int]) -> Followed:
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
            world.counts_given(),
            first.spent,
            *log.spelled(),
        )

    def _run(self, node: Piece, world: ModuleAnalysis, log: Log) -> None:
        if isinstance(node, Segment):
            body = self._answers.names.ctx.tree.body
            code = body[node.first : node.last]
            world.captured[id(code)] = Captured(log, "captured")  # type: ignore[assignment]
            world.described[id(code)] = Captured(log, "described")  # type: ignore[assignment]
            scope = _Outside(world, code, None, log, body, self._own)
            scope.begin([body[i] for i in node.head])
            scope.run()
        elif isinstance(node, ast.ClassDef):
            with world.names.of_its_own():
                _Outside(world, node.body, node, log).run()
        else:
            follow_alone(node, world, (), self._owners.get(node))
        if world.failed:
            raise InternalError


class InternalError(Exception):
    """Some code cannot be followed for an error of ours."""


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
        ctx = self.names.ctx
        self._numbers = {id(s): i for i, s in enumerate(body) if isinstance(s, own) and not ctx.is_linked(s)}

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
            raise InternalError

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
            self.world.frames.append((BODY, number, Schema(()), ""))
