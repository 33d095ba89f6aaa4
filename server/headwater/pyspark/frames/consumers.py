"""Who uses a frame: every way that its rows take, for what nobody reads need not be kept (operators/liveness.py).

Counted like tokens: making a frame gives one, reading a variable that holds it gives one more, and binding it to a
variable or an operator on it takes one. Only if none is left over is every use of it known; so whatever is not noted
here makes the uses of a frame unknown, never fewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from headwater_ir.demand import FrameUses, GroupExtreme, NullTest, PlainJoin
from headwater_ir.plan import (
    Aggregate,
    Distinct,
    DropDuplicates,
    Filter,
    Opaque,
    Plan,
    Project,
    Shared,
    Sort,
    Way,
)
from headwater_ir.span import Span
from headwater_ir.walks import inputs

from .by_name import ByName, chosen, drops, has_rows_of_input, hides, mentions, passes_on
from .forgiving import forgives_copies
from .groups_joined import is_read_alone
from .tracked_values import Grouped, TrackedFrame, Value, has_boundary
from .uses_found import Asked, Extreme, Graph, Joined, MadeBy, Site, Tested, Unlisted

ENDS = frozenset(
    """
    show collect count toPandas toArrow take head first tail isEmpty toLocalIterator foreach foreachPartition write
    writeTo printSchema createTempView createOrReplaceTempView createGlobalTempView createOrReplaceGlobalTempView
    """.split()
)
"""What a frame is asked for last. A view hides from filters on it what its frame has dropped."""

_MOST_WAYS, _MOST_FILTERS = 32, 4
_END, _LEAVES = Way(()), Way((), leaves=True)


@dataclass
class _Uses:
    plan: Plan
    """Kept so that nothing else gets its identity."""
    by: list[Plan | Way] = field(default_factory=list)
    held: list[tuple[int, int]] = field(default_factory=list)
    shown: list[Way] = field(default_factory=list)
    """Calls of functions that are not here, and that are taken to ask for its rows once."""
    described: bool = False
    """Whether the names or types of its columns are looked at, as in ``frame.columns``."""
    call: Site | None = None
    """What made it, if that is a call of a frame's method."""
    freed: list[Span] = field(default_factory=list)
    """The statements that free its rows, if they are kept."""


@dataclass
class Uses:
    """What is made of each plan in one pass over a module."""

    _known: dict[int, _Uses] = field(default_factory=dict)
    _inside: dict[int, _Uses] = field(default_factory=dict)
    """What functions of the file do with what they are given, as each call of them was followed."""

    def _of(self, plan: Plan) -> _Uses:
        return self._known.setdefault(id(plan), _Uses(plan))

    def bound_to_variable(self, value: Value, ident: int, merged: int) -> None:
        """``value`` is bound to a variable: the reads of these two count."""
        if isinstance(value, TrackedFrame):
            self._of(value.plan).held.append((ident, merged))

    def operator(self, given: Sequence[Value], made: Value, call: Site | None = None) -> None:
        """``made`` is the result of an operator on ``given``, which ``call`` writes."""
        if isinstance(made, TrackedFrame):
            self._of(made.plan).call = call
        for value in given:
            below = value.frame if isinstance(value, Grouped) else value
            if isinstance(below, TrackedFrame) and isinstance(made, TrackedFrame):
                self._built(below.plan, made.plan, call)

    def _built(self, below: Plan, made: Plan, call: Site | None) -> None:
        path = _path(made, below)
        for upper, lower in pairwise(path):
            uses = self._of(lower)
            if lower is below or not uses.by:
                uses.by.append(upper)
            if lower is not below:
                uses.call = call

    def transformer(self, given: TrackedFrame, made: TrackedFrame, call: Site) -> None:
        """``made`` is what a transformer, ``call``, makes of ``given``; noted once, however often it is read."""
        self._of(made.plan).call = call
        if not any(use is made.plan for use in self._of(given.plan).by):
            self._of(given.plan).by.append(made.plan)

    def inside(self, followed: Uses, returned: Value, outside: TrackedFrame | None) -> None:
        """Take what a function that was ``followed`` does with frames. ``returned``: what its code returns;
        ``outside``: what that is for the caller, who has no frame of it if it is none."""
        for ident, uses in [*followed._known.items(), *followed._inside.items()]:
            one = self._inside.setdefault(ident, _Uses(uses.plan))
            one.by += uses.by
            one.held += uses.held
            one.shown += uses.shown
            one.call = one.call or uses.call
        if isinstance(returned, TrackedFrame) and (outside is None or returned.plan is not outside.plan):
            one = self._inside.setdefault(id(returned.plan), _Uses(returned.plan))
            one.by.append(Way((), end="dropped") if outside is None else outside.plan)
            if outside is not None:
                self._of(outside.plan).call = one.call

    def _whole(self, plan: Plan) -> _Uses:
        """The uses of ``plan``, those in functions of the file among them."""
        here, inside = self._known.get(id(plan)) or _Uses(plan), self._inside.get(id(plan))
        if inside is None:
            return here
        return replace(
            here, by=[*here.by, *inside.by], held=[*here.held, *inside.held], shown=[*here.shown, *inside.shown],
            call=here.call or inside.call,
        )  # fmt: skip

    def shared(self, plan: Plan, read: Plan) -> None:
        """``read`` stands for ``plan`` where one of several consumers reads it."""
        self._of(plan).by.append(read)

    def ends(self, value: Value, end: str) -> None:
        """Its rows are written or collected, or dropped, by ``end``."""
        if isinstance(value, TrackedFrame):
            self._of(value.plan).by.append(Way((), end=end))

    def frees(self, value: TrackedFrame, statement: Span) -> None:
        """``statement`` frees its rows, if they are kept, and asks for none."""
        self.ends(value, "unpersist")
        self._of(value.plan).freed.append(statement)

    def freed(self, plan: Plan) -> tuple[Span, ...]:
        """The statements that free the rows of ``plan``."""
        return tuple(self._known[id(plan)].freed) if id(plan) in self._known else ()

    def described(self, value: Value) -> None:
        """The names or types of its columns are looked at."""
        if isinstance(value, TrackedFrame):
            self._of(value.plan).described = True

    def shown(self, value: Value, end: str) -> None:
        """It is given to a function that is not here, and is taken to ask for its rows once."""
        if isinstance(value, TrackedFrame):
            self._of(value.plan).shown.append(Way((), end=end))

    def leaves(self, value: Value) -> None:
        """It goes to code that is not here."""
        if isinstance(value, TrackedFrame):
            self._of(value.plan).by.append(_LEAVES)

    def with_ways(self, filters: Sequence[Filter], reads: Mapping[int, int]) -> list[Filter]:
        """``filters`` with the ways of their results, and with those beside them that share a frame with them.
        ``reads``: how often each variable is read."""
        often = Counter(f.call for f in filters)
        known = {
            id(f): replace(f, ways=self._ways(f, reads)) for f in filters if often[f.call] == 1 and has_boundary(f)
        }
        return [self._beside(known[id(f)], known, reads) if id(f) in known else f for f in filters]

    def _ways(self, plan: Plan, reads: Mapping[int, int]) -> tuple[Way, ...] | None:
        found: list[Way] = []
        try:
            for way in self._each(plan, reads):
                found.append(way)
                if len(found) > _MOST_WAYS:
                    return None
        except (_NotKnownError, RecursionError):
            return None
        return tuple(found)

    def _each(self, plan: Plan, reads: Mapping[int, int]) -> Iterator[Way]:
        uses = self._all(plan, reads)
        if not uses:
            yield _END
        for use in uses:
            if isinstance(use, Way):
                yield use
            else:
                yield from (replace(way, operators=(use, *way.operators)) for way in self._each(use, reads))

    def _all(self, plan: Plan, reads: Mapping[int, int]) -> list[Plan | Way]:
        """Every use of ``plan``; _NotKnownError if one is not known."""
        uses = self._known.get(id(plan)) or _Uses(plan)
        read = sum(reads.get(ident, 0) for pair in uses.held for ident in pair)
        if 1 + read != len(uses.held) + len(uses.by):
            raise _NotKnownError
        return uses.by

    def graph(self, plan: Plan, reads: Mapping[int, int]) -> Graph:
        """What becomes of the frame ``plan``, and of each that is made of it, as far as it is known."""
        numbers, plans, found = {id(plan): 0}, [plan], list[FrameUses]()
        unlisted, made_by = list[Unlisted](), list[MadeBy]()
        while len(found) < len(plans):
            at = plans[len(found)]
            uses = self._whole(at)
            by = [*uses.by, *uses.shown]
            read = sum(reads.get(ident, 0) for pair in uses.held for ident in pair)
            if 1 + read != len(uses.held) + len(by) or len(plans) > _MOST_WAYS:
                unlisted.append(Unlisted(at, tuple(ident for pair in uses.held for ident in pair), uses.call))
            if len(plans) > _MOST_WAYS:
                break
            made = [use for use in by if not isinstance(use, Way)]
            for one in made:
                if id(one) not in numbers:
                    numbers[id(one)] = len(plans)
                    plans.append(one)
            ends = tuple("leaves" if use.leaves else use.end for use in by if isinstance(use, Way))
            makes = tuple(numbers[id(one)] for one in made)
            found.append(FrameUses(type(at).__name__, len(uses.held), read, makes, ends))
            made_by.append(MadeBy(at, uses.call))
        return Graph(tuple(found), tuple(made_by), unlisted[0] if unlisted else None)

    def made_by(self, plan: Plan) -> MadeBy:
        """The operator ``plan`` and the call that writes it, if one is known."""
        return MadeBy(plan, self._known[id(plan)].call if id(plan) in self._known else None)

    def extreme(self, of: Extreme, asked: Sequence[Asked], reads: Mapping[int, int]) -> GroupExtreme | None:
        """``of`` with the filter that alone reads its column; None if something else may."""
        name, below = of.plan.windows[0].name, of.plan
        plan: Plan | None = below
        while plan is not None and not self._is_described(plan):  # the column may become one of another type
            plan = self._only(plan, reads)
            told = next((a for a in asked if of.unknown and a.filter is plan), None)
            unknown = {**of.unknown, **(told.unknown if told else {})}
            at = plan if told is None else told.known
            if plan is not None and isinstance(at, Filter) and at.unread is None and mentions(at, name):
                if self._is_described_with(name, plan) or any(unknown[n] != i for n, i in of.unknown.items()):
                    return None
                return GroupExtreme(
                    of.function, of.column, name, below, at, of.head, of.given, of.value, of.spec, of.call,
                    of.facts, of.running, of.flag, of.beside, of.held, self._ways(plan, reads),
                    self._only(plan, reads), tuple(sorted(unknown)), told is not None,
                    of.rank,
                )  # fmt: skip
            if plan is None or not passes_on(plan, name, of.column) or (unknown and isinstance(plan, Project)):
                return None
        return None

    def plain_join(self, of: Joined, tests: Sequence[Tested], reads: Mapping[int, int]) -> PlainJoin:
        """``of`` with what is made of its rows."""
        reader = self._only(of.plan, reads)
        if isinstance(reader, Opaque):  # which stands for the condition of the filter on it
            reader = self._only(reader, reads)
        test = next((t for t in tests if t.joined is of.plan and t.filter is reader), None)
        top: Plan = of.plan if test is None else test.filter
        behind, named = self._only(top, reads), self._read_by_name(top, reads)
        between = [of.plan, reader, top]
        while isinstance(behind, Filter) and behind.unread is None:
            between.append(behind)
            behind = self._only(behind, reads)
        told = named or ByName()
        if behind is None and self._is_tested(between[-1] or top, reads, "count"):
            behind = Project(top, (), False, (), of.plan.span)
        direct = self._only(of.plan, reads)
        filter_ = direct if isinstance(direct, Filter) and direct.unread is None else None
        above: Plan = filter_ or of.plan
        alone = of.same_rows is not None and is_read_alone(of.plan, partial(self._only, reads=reads))
        return PlainJoin(
            of.call, of.plan, of.how, of.last, of.keyword, of.keys,
            None if test is None else NullTest(test.call, test.receiver, test.filter, test.column, test.never_null),
            None if self._is_described(*between) else chosen(behind),
            named is not None and not named.elsewhere, tuple(sorted(told.read)), tuple(sorted(told.made)),
            tuple(told.unclear), self._is_forgiving(top, reads), of.whole, filter_, self._ways(above, reads),
            self._only(above, reads), self._is_described(of.plan) or self._is_described_with("", above),
            elsewhere=told.elsewhere, same_rows=of.same_rows if alone else None,
        )  # fmt: skip

    def _is_described_with(self, name: str, plan: Plan) -> bool:
        """Whether the columns of ``plan``, or of what is made of it, are looked at where ``name`` is one of them."""
        todo, seen = [plan], {id(plan)}
        while todo:
            at = todo.pop()
            if self._is_described(at):
                return True
            for use in self._of(at).by:
                if not isinstance(use, Way) and id(use) not in seen and not drops(use, name):
                    seen.add(id(use))
                    todo.append(use)
        return False

    def _is_described(self, *plans: Plan | None) -> bool:
        return any(self._of(p).described for p in plans if p is not None)

    def _read_by_name(self, plan: Plan, reads: Mapping[int, int]) -> ByName | None:
        """How the columns of ``plan`` are read, as far up as they can be; None if something that is known may name a
        column otherwise than by what it is called."""
        todo, seen, found, totals = [(plan, False)], {id(plan)}, ByName(), set[int]()
        while todo:
            at, is_closed = todo.pop()
            uses = self._known.get(id(at)) or _Uses(at)
            by = [*uses.by, *uses.shown]
            if id(at) in totals:  # an aggregate function in a filter or a sort behind an aggregate is one of its input
                for use in by:
                    if isinstance(use, (Filter, Opaque, Sort)) and id(use) not in seen:
                        if not found.notes(use):
                            return None
                        totals.add(id(use))
                        seen.add(id(use))
                        todo.append((use, is_closed))
                continue
            read = sum(reads.get(ident, 0) for pair in uses.held for ident in pair)
            if len(seen) > _MOST_WAYS:
                return None
            found.elsewhere |= 1 + read != len(uses.held) + len(by)
            for use in by:
                if isinstance(use, Way):
                    found.elsewhere |= use.leaves
                elif not found.notes(use):
                    return None
                elif id(use) not in seen and not hides(use, is_closed=is_closed):
                    seen.add(id(use))
                    if isinstance(use, Aggregate):
                        totals.add(id(use))
                    todo.append((use, is_closed or (isinstance(use, Project) and not use.keeps_others)))
        return found

    def _is_forgiving(self, plan: Plan, reads: Mapping[int, int]) -> bool:
        """Whether one of each row of ``plan`` is kept, behind what is done to each row by itself."""
        at: Plan | None = plan
        while at is not None:
            if self._is_tested(at, reads):
                return True
            at = self._only(at, reads)
            if isinstance(at, (Distinct, DropDuplicates)) or (isinstance(at, Opaque) and has_rows_of_input(at)):
                return True
            if isinstance(at, Aggregate):
                return forgives_copies(at.fold)
            if not isinstance(at, (Filter, Project)) or (isinstance(at, Filter) and at.unread is not None):
                return False
        return False

    def _is_tested(self, plan: Plan, reads: Mapping[int, int], *others: str) -> bool:
        """Whether all that is asked of ``plan`` is if it has any row, or one of ``others``."""
        try:
            ends = [use.end if isinstance(use, Way) else "" for use in self._all(plan, reads)]
            return len(ends) == 1 and ends[0] in ("isEmpty", *others)
        except _NotKnownError:
            return False

    def _only(self, plan: Plan, reads: Mapping[int, int]) -> Plan | None:
        """The operator that alone reads ``plan``; None if there are others, or if that is not known."""
        try:
            uses = self._all(plan, reads)
        except _NotKnownError:
            return None
        one = uses[0] if len(uses) == 1 else None
        return None if isinstance(one, Way) else one

    def _beside(self, f: Filter, known: Mapping[int, Filter], reads: Mapping[int, int]) -> Filter:
        if not isinstance(f.child, Shared):
            return f
        try:
            each = [use for read in self._all(f.child.child, reads) for use in self._of_read(read, reads)]
        except _NotKnownError:
            return f
        filters = [known.get(id(use)) for use in each]
        found = sorted((g for g in filters if g is not None and g.unread is None), key=lambda g: g.call)
        if len(found) < len(filters) or len(found) > _MOST_FILTERS:
            return f
        return replace(f, child=replace(f.child, filters=tuple(found)))

    def _of_read(self, read: Plan | Way, reads: Mapping[int, int]) -> list[Plan | Way]:
        """The uses of what one reader of a shared frame reads; what it is, if that is something else."""
        return self._all(read, reads) if isinstance(read, Shared) else [read]


class _NotKnownError(Exception):
    """Some use of a frame is not known."""


def _path(top: Plan, bottom: Plan, longest: int = 4) -> list[Plan]:
    """From ``top`` down to ``bottom``; empty if ``top`` is not made of it by one operator, or is it."""
    for child in inputs(top) if longest else ():
        rest = [child] if child is bottom else _path(child, bottom, longest - 1)
        if rest:
            return [top, *rest]
    return []
