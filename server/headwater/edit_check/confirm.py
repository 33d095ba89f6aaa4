"""Whether an edited text does what the proof speaks of, seen in the text itself.

The text after the edit is read as the text before it was. Its syntax tree may differ only where a rewrite may write
(``syntax``), and its plans must be those that follow from the old ones and the proved solution (``expected``,
``equality``, ``elements``). Whatever is written wrongly, a pre-filter in another place or with another meaning, a
consumer that is gone, shows as a difference; then nothing is edited.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

from headwater.syntax.names.module_scope import Context
from headwater_ir.change import (
    AnyChange,
    Change,
    HandedBack,
    Matched,
    OneAggregate,
    OnePass,
    Ranged,
    Ranked,
    SmallerDemand,
    Uncached,
)
from headwater_ir.expr import conjuncts
from headwater_ir.module import Module
from headwater_ir.plan import Explode, Filter, GroupMap, Opaque, Sort
from headwater_ir.span import Span
from headwater_ir.walks import below

from . import caches, data_sources, demand, elements, extremes, groups, matches, passes
from .conditions import Form, forms
from .equality import Different, Equality
from .expected import Expected, Place, places_of
from .ranges import Ranges
from .syntax import Changed, Comparison, Found, Places

Read = Callable[[str], Module]


class WrongEdit(Exception):
    """The edited text is another one than the proof speaks of: an error of ours. The text says what differs."""


class Confirmer:
    """Compares a text with what edits make of it. ``module``: what the front end found in the text."""

    def __init__(self, text: str, module: Module, read: Read) -> None:
        self.text, self.module, self.read = text, module, read
        self._context: Context | None = None

    @property
    def context(self) -> Context:
        """The text, parsed."""
        if self._context is None:
            self._context = parsed(self.text)
        return self._context

    def check(self, after: str, changes: Sequence[AnyChange]) -> None:
        """``WrongEdit`` unless ``after`` is the text with ``changes`` and nothing else."""
        try:
            old = self.context
            places = places_of(self.module.filters, [c for c in changes if isinstance(c, Change)])
            asked = [c for c in changes if isinstance(c, SmallerDemand)]
            new = parsed(after)
            bare = [c for c in changes if isinstance(c, Uncached)]
            merged = [c for c in changes if isinstance(c, OnePass)]
            ranked = [c for c in changes if isinstance(c, Ranked)]
            joined = [c for c in changes if isinstance(c, Matched)]
            grouped = groups.Groups.of([c for c in changes if isinstance(c, OneAggregate)], self.module)
            handed = [c for c in changes if isinstance(c, HandedBack)]
            ranged = [c for c in changes if isinstance(c, Ranged)]
            allowed = _allowed(places, asked, bare, merged, ranked, joined, handed, ranged, grouped)
            found = Comparison(old, new, allowed).check()
            shown = demand.shown_as_frames(asked, found, self.module, old, new)
            if shown is not None:
                after, new = shown, parsed(shown)
                found = Comparison(old, new, allowed).check()
            data_sources.check(handed, found, old)
            edited = self.read(after)
            places_now = [new.span(b) for a, b in found.replaced if old.span(a) in {c.replaced for c in asked}]
            removed, ranks = caches.Removed.of(bare, self.module), extremes.Ranks.of(ranked, self.module)
            gone = [s for c in merged for s in c.replaced]
            ranges = Ranges.of(ranged, self.module)
            calls, others = [c.call for c in asked], matches.Matches.of(joined, self.module)
            named = [new.span(b) for a, b in found.replaced if old.span(a) in {c.statement for c in merged}]
            rows = [*named, *(new.span(found.added[c.statement]) for c in merged if c.statement in found.added)]
            rows += ranks.joined.written(found, old, new)
            rows += (one := grouped.written(found, old, new))
            self._compare(
                edited, places, found, new, calls, places_now, removed, gone, ranks, others, rows, ranges,
                (grouped, grouped.at([s.end for s in one])),
            )  # fmt: skip
            demand.check(asked, gone, found, self.module, edited, old, new, tuple(map(caches.hole, bare)), named)
            caches.check(bare, self.module, edited)
            passes.check(merged, found, self.module, edited, old, new, alone=len(merged) == len(changes))
            extremes.check(ranked, ranks, found, old, new)
            matches.check(joined, found, self.module, edited, old, new)
            grouped.check(found, edited, old, new)
            for place in places:
                elements.check(place, found, old, new, self.read)
        except (Changed, Different, LookupError, SyntaxError, ValueError, RecursionError) as error:
            raise WrongEdit(f"{type(error).__name__}: {error}") from None

    def _compare(
        self, edited: Module, places: Sequence[Place], found: Found, new: Context, calls: Sequence[Span],
        places_now: Sequence[Span], removed: caches.Removed, gone: Sequence[Span], ranks: extremes.Ranks,
        joined: matches.Matches, rows: Sequence[Span], ranges: Ranges, grouped: tuple[groups.Groups, groups.Groups],
    ) -> None:  # fmt: skip
        """``rows``: the statements of one pass and what stands in the place of joins, which are compared elsewhere.
        ``calls`` ask a frame for less afterwards, at ``places_now``: what the driver asks of their rows is a matter of
        ``demand``. ``removed``: the caches that are gone; ``gone``: what has become a part of another job; ``ranks``:
        the extremes that are ranks; ``joined``: the joins that are others; ``grouped``: those that are aggregates, in
        either text; ``ranges``: the conditions that are tests
        of bare columns."""
        added = frozenset(new.span(c) for _, c in found.inserted)
        shown = [f for f in edited.filters if not demand.is_within(f.call, rows)]
        mine = [
            f
            for f in shown
            if f.condition not in added
            and not _added_in_text(f, places, found)
            and not demand.asks_rows_of(f, places_now)
        ]
        theirs = [f for f in shown if f not in mine and not demand.asks_rows_of(f, places_now)]
        for place, text in found.texts:
            if place in ranges.places | ranks.places:
                continue
            self._only_a_condition(place, text, edited, new)
        most = max((_sorts(p) for p in places if p.boundary.in_argument), default=0)
        for sorts in range(most + 1):
            try:
                self._as_expected(
                    Expected(places, sorts, removed, ranks, joined, ranges, groups=grouped[0]), grouped[1], mine,
                    theirs, added, new, calls, gone,
                )  # fmt: skip
                return
            except Different:
                if sorts == most:
                    raise

    def _only_a_condition(self, place: Span, text: Span, edited: Module, new: Context) -> None:
        """``Different`` unless what SQL text has instead of ``place`` is a condition, the old one in it, or a query
        with nothing but one."""
        old = place.text(self.text)
        heads = (f"SELECT * FROM {old} WHERE ", f"SELECT * FROM ({old}) WHERE ", " WHERE " if not old else "")
        ends = (f.condition.start for f in edited.filters if f.condition.end == text.end)
        if not any(new.source[text.start : start] in heads for start in ends if text.start <= start):
            raise Different(f"`{text.text(new.source)}` is more than a condition")

    def _as_expected(
        self, expected: Expected, now: groups.Groups, mine: list[Filter], theirs: list[Filter],
        added: frozenset[Span], new: Context, calls: Sequence[Span], gone: Sequence[Span],
    ) -> None:  # fmt: skip
        """``Different`` unless the filters ``mine`` are those of the text, and ``theirs`` the pre-filters."""
        places = expected.places
        known = frozenset(forms(e for p in places for e in conjuncts(p.change.pre_filter)))
        known |= {*forms(expected.ranks.known), *forms(expected.ranges.known)}
        edited = Expected((), ranks=expected.ranks.alike, understood=expected.understood, groups=now)
        mine = [g for g in mine if not edited.goes(g)]
        kept = [
            f for f in self.module.filters
            if not expected.goes(f) and not demand.asks_rows_of(f, calls) and not demand.is_within(f.call, gone)
        ]  # fmt: skip
        if len(kept) != len(mine):
            raise Different(f"{len(kept)} filters are {len(mine)}")
        alike = expected.ranks.are_there or expected.understood or bool(now.found)
        equality = Equality(self.text, new.source, known, added, read_less=bool(gone))
        for f, g in zip(in_order(kept), in_order(mine), strict=True):
            if not _is_unread_above_elements(f, g, places):
                equality.check(expected.of(f), edited.of(g) if alike else g)
        shown = set[Span]()
        for place in places:
            for wanted in expected.inserted(place):
                # two of them may be alike, in two functions
                others = sorted(theirs, key=lambda f: f.condition in shown)
                plans = [edited.of(f) if expected.understood else f for f in others]
                found = self._one_of(wanted, [f for f in plans if isinstance(f, Filter)], known, added, new)
                shown.add(found.condition)
        unseen = added - shown
        if len(unseen) != sum(p.shows_nothing for p in places):
            raise Different(f"{len(unseen)} filters more have been added")

    def _one_of(
        self, wanted: Filter, theirs: list[Filter], known: frozenset[Form], added: frozenset[Span], new: Context
    ) -> Filter:
        """The pre-filter that ``wanted`` is; ``Different`` if it is none of them."""
        why = Different("the pre-filter is not there")
        for g in theirs:
            try:
                Equality(self.text, new.source, known, added).check(wanted, g)
                return g
            except Different as error:
                why = error
        raise why


def parsed(text: str) -> Context:
    """A text that is Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the compiler thinks of the user's string escapes
        return Context.of(text)


def _allowed(
    places: Sequence[Place],
    asked: Sequence[SmallerDemand],
    bare: Sequence[Uncached],
    merged: Sequence[OnePass],
    ranked: Sequence[Ranked],
    joined: Sequence[Matched],
    handed: Sequence[HandedBack],
    ranged: Sequence[Ranged],
    grouped: groups.Groups,
) -> Places:
    in_text = [p for p in places if p.boundary.sql_where is not None or p.boundary.sql_argument is not None]
    nodes = [p.node for p in places]
    return Places(
        frozenset(
            (
                *(p.boundary.insert_at for p in places if p not in in_text),
                *(n.beside.start for n in nodes if isinstance(n, GroupMap) and n.beside is not None),
            )
        ),
        frozenset(f for p in places if p.change.residual is not None for f in p.change.filters),
        frozenset(n.argument for n in nodes if isinstance(n, Explode) and n.argument is not None),
        (
            *(t for p in in_text for t in (p.boundary.sql_where, p.boundary.sql_argument) if t is not None),
            *(c.call for c in ranged),
            *(c.condition for c in ranked if c.condition is not None and c.in_text),
        ),
        frozenset(
            (
                *(c.replaced for c in asked),
                *(s for c in merged for s in c.replaced),
                *(c.value for c in ranked),
                *(c.condition for c in ranked if c.condition is not None and not c.in_text),
                *(s for c in handed for s in c.replaced),
                *(c.call for c in ranged),
                *(c.call for c, _ in grouped.found),
            )
        ),
        frozenset(
            (
                *(s for c in bare for s in (c.gone, *c.freed) if s is not None),
                *(s for c, _ in grouped.found for s in c.gone),
            )
        ),
        frozenset((*(c.call for c in bare if c.gone is None), *(c.test for c in joined if c.test is not None))),
        frozenset(
            (*(c.statement for c in merged if c.statement != c.call), *(s for c in handed for s in c.statements))
        ),
        frozenset(c.call for c in joined),
        frozenset((s, c.statement) for c in merged for s in c.moved),
    )


def _sorts(place: Place) -> int:
    return sum(isinstance(n, Sort) for n in below(place.node))


def in_order(filters: Sequence[Filter]) -> list[Filter]:
    """As their calls end in the text."""
    return sorted(filters, key=lambda f: f.call.end)


def _added_in_text(f: Filter, places: Sequence[Place], found: Found) -> bool:
    """Whether ``f`` is a clause that the SQL text did not have."""
    inside = any(t.start <= f.condition.start and f.condition.end <= t.end for _, t in found.texts)
    return inside and any(forms(c.condition for c in f.conjuncts) == forms(p.in_text) for p in places if p.in_text)


def _is_unread_above_elements(f: Filter, g: Filter, places: Sequence[Place]) -> bool:
    """Whether ``f`` is a filter of the proof that stays, above elements of an RDD, and that has no meaning any more as
    ``g``, because of a filter between two aggregations: its text is the same, and no operator shows either."""
    mine = {c for p in places if p.of_rdd and p.change.residual is None for c in p.change.filters}
    return f.call in mine and isinstance(g.child, Opaque) and g.style == "python"


__all__ = ["Confirmer", "WrongEdit"]
