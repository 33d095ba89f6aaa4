"""What one reading of a module collects, and the questions that its parts ask of each other."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from headwater.pyspark.columns.column import ColumnReader
from headwater.pyspark.frames.columns_handed_in import HandedIn
from headwater.pyspark.frames.consumers import Uses
from headwater.pyspark.frames.identities import WAYS, Counts, Expected, Identities, Named
from headwater.pyspark.frames.options import FrontendOptions
from headwater.pyspark.frames.tracked_values import (
    EVERYTHING,
    Binding,
    TrackedFrame,
    Udf,
    first_boundaries,
    has_boundary,
)
from headwater.pyspark.frames.uses_found import Asked, Extreme, Joined, Kept, Site, Tested
from headwater.syntax.names.resolve import Names
from headwater.syntax.refusal import Refusal
from headwater.syntax.source.ast_walk import size
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import Job, Wall
from headwater_ir.expr import Expr
from headwater_ir.plan import UNKNOWN_SCHEMA, Boundary, Cause, Filter, Opaque, Plan, Scan, Schema
from headwater_ir.problem import Fold
from headwater_ir.span import Span
from headwater_ir.walks import below, inputs

MOST_NODES = 50_000
"""Of the syntax of functions and loops that are followed once more, all together: a fraction of a second."""


@dataclass
class ModuleAnalysis:
    """The state of one pass over a module. ``total_reads``: how often each binding is read, from the pass before;
    ``expected``: instead, from another version of the text."""

    names: Names
    options: FrontendOptions
    total_reads: dict[int, int] = field(default_factory=dict)
    expected: Expected | None = None
    reads: dict[int, int] = field(default_factory=dict)
    filters: list[Filter] = field(default_factory=list)
    frames: list[tuple[str, int, Schema, str]] = field(default_factory=list)
    walls: list[Wall] = field(default_factory=list)
    """Where rows are handed to the driver."""
    kept: list[Kept] = field(default_factory=list)
    """Where rows are kept, as ``driver.kept`` notes them."""
    jobs: dict[int, Job] = field(default_factory=dict)
    """What is computed of frames as a number or a row, by the identity of the expression."""
    extremes: list[Extreme] = field(default_factory=list)
    """Columns that hold the greatest or least value of a group."""
    asked: list[Asked] = field(default_factory=list)
    """Filters above these that name columns by what the file does not tell."""
    joins: list[Joined] = field(default_factory=list)
    """Calls of ``join`` that compare columns."""
    tests: list[Tested] = field(default_factory=list)
    """Filters above these that keep rows without a match."""
    bound_at: dict[Boundary, dict[str, int]] = field(default_factory=dict)
    """Which assignment each variable held where a boundary's pre-filter would go."""
    folds: dict[Hashable, tuple[Fold, ...] | Refusal] = field(default_factory=dict)
    """The folds of Python functions, by all that they depend on; None of it changes from one pass to the next."""
    captured: dict[int, Counter[str]] = field(default_factory=dict)
    """What nested functions read, by the identity of the body that they are nested in."""
    described: dict[int, Counter[str]] = field(default_factory=dict)
    """Of what variables these ask for the columns alone, likewise."""
    text_views: set[str] = field(default_factory=set)
    """The names, in lower case, under which the code of this scope registers frames as views that may hold text."""
    views: set[str] = field(default_factory=set)
    """The names, in lower case, under which the code of this scope registers frames as views."""
    uses: Uses = field(default_factory=Uses)
    sites: dict[int, list[Site]] = field(default_factory=dict)
    """Where each binding is read, of those that may hold a frame."""
    places: dict[tuple[int, ...], int] = field(default_factory=dict)
    """Where code was followed once more, apart from its place in the file, in the order of the pass before."""
    is_second: bool = False
    doubtful: list[tuple[int, int, Plan | None]] = field(default_factory=list)
    """What was read that the second pass reads in another way if it is read more than once: by which binding, by which
    assignments together, and the plan of a frame."""
    taken: dict[Span, Assumption] = field(default_factory=dict)
    """What is taken for a frame, by where it is read, without a check of its type: that it is one."""
    guessed: set[Span] = field(default_factory=set)
    """Where nothing but what its methods are called says that."""
    handed_in: dict[int, HandedIn] = field(default_factory=dict)
    """By the identity of a plan, what its operator is given that may be columns of other code."""
    ways: dict[int, tuple[Plan, ...]] = field(default_factory=dict)
    """By the identity of a plan that stands for one of several: itself, and these."""
    spent: int = 0
    failed: dict[tuple[int, ...], tuple[Span, str]] = field(default_factory=dict)
    """The definitions that an internal error kept from being followed, in either pass."""
    _shown: dict[int, Plan] = field(default_factory=dict)
    _identities: Identities = field(default_factory=Identities)
    _values: int = 10**9
    _globals: dict[str, int] = field(default_factory=dict)

    def again(self) -> ModuleAnalysis:
        """The state of the second pass, after this first one."""
        return ModuleAnalysis(
            self.names, self.options, total_reads=self.reads, captured=self.captured, described=self.described,
            folds=self.folds, places=self.places, is_second=True, failed=self.failed,
            _identities=Identities(self._identities.ends),
        )  # fmt: skip

    def may_differ_again(self) -> bool:
        """Whether the second pass may find anything else than this first one: that depends on whether something is read
        more than once, and on what an internal error has cost."""
        often = ((self.reads.get(one, 0) + self.reads.get(together, 0), plan) for one, together, plan in self.doubtful)
        return bool(self.failed) or any(many > 1 and (plan is None or has_boundary(plan)) for many, plan in often)

    def was_counted(self) -> bool:
        """Whether this pass was given the counts that it made, wherever they matter."""
        pairs = (
            [counts.get(one, 0) + counts.get(together, 0) for counts in (self.total_reads, self.reads)]
            for one, together, plan in self.doubtful
            if plan is None or has_boundary(plan)
        )
        return all(given == made or max(given, made) <= 1 for given, made in pairs)

    def show(self, plan: Plan) -> None:
        """Note that the frame with that ``plan`` is one of Spark's for certain, and so is all that it is made of."""
        todo = [plan]
        while todo:
            at = todo.pop()
            if id(at) not in self._shown:
                self._shown[id(at)] = at
                todo += inputs(at)
                if isinstance(at, Scan):
                    self.taken.pop(at.span, None)
                    self.guessed.discard(at.span)

    def each_below(self, plan: Plan) -> Iterator[Plan]:
        """What is below ``plan``, whichever of several plans those stand for that stand for one."""
        todo, seen = [plan], set[int]()
        while todo:
            for at in below(todo.pop()):
                if id(at) not in seen:
                    yield at
                    todo += self.ways.get(id(at), ())[1:]
                seen.add(id(at))

    def assume(self, plan: Plan, assumed: Assumption) -> None:
        """Note that the frame with that ``plan``, of which nothing but what its methods are called says so, is one of
        Spark's if ``assumed`` is true."""
        for at in below(plan) if self.guessed else ():
            if isinstance(at, Scan) and at.span in self.guessed:
                self.taken[at.span] = assumed
                self.guessed.discard(at.span)

    def show_together(self, plan: Plan) -> None:
        """Note the frame with that ``plan``, an operator on several: one of Spark's takes no others."""
        if any(s.span not in self.taken for s in below(plan) if isinstance(s, Scan)):
            self.show(plan)

    def fresh(self, name: str) -> int:
        """A new identity of an assignment to ``name``, or of what else that says: the same in each pass, whatever the
        values are."""
        ident, named = self._identities.fresh(name)
        if self.expected is not None:
            self._expect(ident, named, self.expected)
        return ident

    def _expect(self, ident: int, named: Named, expected: Expected) -> None:
        ways = self._identities.numbers.get((named[0], WAYS + named[1], 1))
        counts = {ident: expected.reads(ident, named)}
        if ways is not None:
            counts[ways] = expected.reads_of_ways(named)
        self.total_reads.update((number, many) for number, many in counts.items() if many)

    def counts(self) -> Counts:
        """What this pass counted."""
        return Counts(self.reads, self._identities.numbers)

    def counts_given(self) -> Counts:
        """What this pass was given as counted; none if it was given nothing."""
        return Counts(self.total_reads, self._identities.numbers) if self.total_reads else Counts()

    def ends_at(self, scope: tuple[int, ...]) -> None:
        """Here ends ``scope``: what comes next has the identities that it had in the pass before."""
        self._identities.ends_at(scope)

    def fresh_value(self) -> int:
        """A new identity of a frame, apart from those of ``fresh``: how many there are depends on what is refused."""
        self._values += 1
        return self._values

    @contextmanager
    def follow_again(self, place: tuple[int, ...], *code: ast.AST) -> Iterator[bool]:
        """Follow ``code`` once more, for what it makes: its filters and boundaries are not those of the file, and its
        assignments have identities of their own, the same in each pass. False if it is not to be followed."""
        if place not in self.places:
            self.spent += sum(map(size, code))
            if self.is_second or self.spent > MOST_NODES:
                yield False
                return
        number = self.places.setdefault(place, len(self.places))
        kept = self.bound_at, self.uses
        lists: tuple[list[Any], ...] = (
            self.filters, self.frames, self.extremes, self.asked, self.joins, self.tests,
        )  # fmt: skip
        lengths = [len(one) for one in lists]
        self.bound_at, self.uses = dict(self.bound_at), Uses()
        try:
            with self._identities.inside(place, number, f"in {getattr(code[0], 'name', '')}"):
                yield True
        finally:
            self.bound_at, self.uses = kept
            for one, length in zip(lists, lengths, strict=True):
                del one[length:]

    def global_ident(self, name: str) -> int:
        """The identity of a module-level name that has one value wherever it is read. Negative."""
        return self._globals.setdefault(name, -1 - len(self._globals))

    def fold(self, key: Hashable, make: Callable[[], Fold]) -> Fold:
        """``make()``, or what it gave for the same key before; its Refusal likewise."""
        return self.all_folds(key, lambda: (make(),))[0]

    def all_folds(self, key: Hashable, make: Callable[[], tuple[Fold, ...]]) -> tuple[Fold, ...]:
        """As ``fold``, of a function that has several."""
        if key not in self.folds:
            try:
                self.folds[key] = make()
            except Refusal as refusal:
                self.folds[key] = refusal
        found = self.folds[key]
        if isinstance(found, Refusal):
            raise found.with_traceback(None)
        return found

    def read(self, ident: int, times: int, site: Site | None = None) -> None:
        """Note that the binding ``ident`` is consumed, at ``site``."""
        self.reads[ident] = self.reads.get(ident, 0) + times
        if site is not None:
            self.sites.setdefault(ident, []).append(site)


class Chosen(NamedTuple):
    """The columns of a ``select``: those with ``names`` and those that ``variables`` hold; none if it is another
    call."""

    names: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


NOTHING_CHOSEN = Chosen()


class ApiContext(ABC):
    """What the files on API surfaces may ask of the scope that they are read in."""

    world: ModuleAnalysis
    names: Names
    """The names of the module."""
    body: list[ast.stmt]
    """Its statements."""
    own: frozenset[str] = frozenset()
    """The variables that are bound in it, without what a function is given."""
    owner: ast.ClassDef | None = None
    """The class whose method it is."""
    function: ast.FunctionDef | ast.AsyncFunctionDef | None = None
    """The function whose body it is, as nobody calls it."""
    is_module: bool = False
    """Whether other files may read its variables."""

    @abstractmethod
    def lookup(self, name: str) -> Binding | None:
        """What ``name`` is bound to here; None if that is not known."""

    @abstractmethod
    def bindings_of(self, name: str) -> Sequence[Binding]:
        """All assignments of ``name`` that were followed so far, what a function is given among them."""

    @abstractmethod
    def attribute(self, node: ast.AST) -> str | None:
        """The attribute of the object whose method it is that ``node`` is, as a name; None if it is none."""

    @abstractmethod
    def snapshot(self) -> dict[str, int]:
        """Which assignment each variable holds here."""

    @abstractmethod
    def view(self, name: str, node: ast.Call) -> TrackedFrame | None:
        """What the call ``node`` reads under the name of a temporary view; None if it is not followed."""

    @abstractmethod
    def udf(self, node: ast.expr) -> Udf | None:
        """The UDF that ``node`` stands for; None if it is something else; Refusal if it is one without a
        meaning here."""

    def columns(self, frame: TrackedFrame, *, joins: bool = False) -> ColumnReader:
        """A reader of column expressions over ``frame``; ``joins``: which no boundary reads from it directly."""
        reader = ColumnReader(self.names, frame, self.lookup)
        reader.joins = joins
        return reader

    def frame(
        self,
        plan: Plan,
        schema: Schema,
        parent: TrackedFrame | None = None,
        *,
        changed: Iterable[str] = (),
        kept: frozenset[str] | None = None,
        facts: tuple[Expr, ...] = (),
        no_nulls: bool = False,
    ) -> TrackedFrame:
        """A new frame."""
        distinct = tuple(dict.fromkeys(facts))
        return TrackedFrame(
            self.world.fresh_value(), plan, schema, parent, frozenset(changed), kept, distinct, no_nulls
        )

    def same_rows(self, frame: TrackedFrame, plan: Plan, facts: tuple[Expr, ...] = ()) -> TrackedFrame:
        """A frame with the columns of ``frame`` and only rows of it."""
        return self.frame(plan, frame.schema, frame, facts=(*frame.facts, *facts), no_nulls=frame.no_nulls)

    def joined(self, plan: Plan, left: TrackedFrame, right: TrackedFrame, kept: frozenset[str]) -> TrackedFrame:
        """A frame with the columns of both; ``kept``: those that their bare names tell."""
        return TrackedFrame(self.world.fresh_value(), plan, UNKNOWN_SCHEMA, left, kept=kept, other=right)

    def opaque(
        self, frame: TrackedFrame, refusal: Refusal, span: Span, *, same_columns: bool = False,
        makes: frozenset[str] | None = None, known: frozenset[Cause] = frozenset(), chosen: Chosen = NOTHING_CHOSEN,
    ) -> TrackedFrame:  # fmt: skip
        """What stands for a call without a model. ``same_columns``: it only drops, repeats or moves whole rows;
        ``makes``: the names of the columns that it makes, None if they are not known; ``known``: more of it;
        ``chosen``: its columns, if they are those of ``frame`` and somehow told."""
        causes = frozenset[Cause](() if same_columns else {"columns"}) | known
        plan = Opaque(
            frame.plan, refusal.obstruction, refusal.reason, span, causes, makes, chosen.names, chosen.variables
        )
        if same_columns:
            return self.same_rows(frame, plan)
        return self.frame(plan, UNKNOWN_SCHEMA, frame, changed=EVERYTHING)

    def check_variables(self, plan: Plan, used: dict[str, int]) -> None:
        """Refuse a condition whose variables may hold another value where a pre-filter of it would go."""
        for boundary in first_boundaries(plan):
            bound = self.world.bound_at[boundary]
            for name, ident in used.items():
                if ident > 0 and bound.get(name) != ident:
                    raise Refusal(
                        "volatile", f"`{name}` is bound or may be rebound between the boundary and the filter"
                    )


def without_facts_on(frame: TrackedFrame, names: Iterable[str]) -> tuple[Expr, ...]:
    """The facts of ``frame`` that do not speak of ``names``."""
    from headwater_ir.expr import columns_of

    gone = set(names)
    return tuple(f for f in frame.facts if not columns_of(f) & gone)


__all__ = ["ApiContext", "ModuleAnalysis", "replace", "without_facts_on"]
