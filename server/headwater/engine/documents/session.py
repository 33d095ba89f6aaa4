"""The open documents of an editor: what is shown of each, and the work that is under way for it.

One function, ``Session._settle``, takes results in, and drops those of another version than the current one. Between
an edit and its result, what was shown is carried through the edit and marked as stale.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from headwater.engine.analysis.options import Options
from headwater.engine.analysis.suppression_comment import suppression
from headwater.engine.files.fixing import parses_as
from headwater.engine.report.report import Opportunity, Report, Skipped, SourceProblem, Unused
from headwater.engine.workers.async_pool import AsyncPool
from headwater.engine.workers.isolated import WorkerLost
from headwater.rewrite.edit import Edit, apply_edits
from headwater.rewrite.units import Starts, still_parses, touched
from headwater_ir.span import Span

from . import on_demand
from .on_demand import Seen
from .text_document import Replaced, TextDocument, carried

Work = Literal["check", "apart", "prove"]
"""The quick check; the same with branches of their own; everything."""
DEBOUNCE = 0.02
"""Seconds without an edit after which the quick check begins."""
SLOWER = 0.1
"""Seconds after an edit of another file that the document imports from."""
PAUSE = 1.0
"""Seconds without an edit after which the check begins that tries branches."""
CHECK_SECONDS = 20.0
"""When a quick check is given up: a file of 12,000 lines takes one or two."""
MOST_CRASHES = 2


@dataclass(frozen=True)
class Shown:
    """A finding in the current text. ``stale``: nothing has been proved of this very text yet."""

    opportunity: Opportunity
    filter_span: Span
    boundary_span: Span | None
    insert_span: Span | None
    stale: bool = False

    @staticmethod
    def fresh(o: Opportunity) -> Shown:
        """A finding in the text that was analysed."""
        return Shown(o, o.filter_span, o.boundary_span, o.prefilter_span)

    def carry(self, edits: tuple[Replaced, ...]) -> Shown | None:
        """The finding after ``edits``; None if they touch its filter."""
        at = carried(self.filter_span, edits)
        if at is None:
            return None
        boundary, insert = (None if s is None else carried(s, edits) for s in (self.boundary_span, self.insert_span))
        return Shown(self.opportunity, at, boundary, insert, stale=True)


@dataclass(frozen=True)
class Faded:
    """A comment of the current text that hides nothing. ``stale``: so it was before the last edit."""

    unused: Unused
    span: Span
    stale: bool = False

    def carry(self, edits: tuple[Replaced, ...]) -> Faded | None:
        """The comment after ``edits``; None if they touch it."""
        at = carried(self.span, edits)
        return None if at is None else Faded(self.unused, at, stale=True)


@dataclass
class OpenDocument:
    """A document and what is known of its current text. ``skipped`` is empty, and ``starts`` None, while that is
    stale. ``untried``: where the filters end that the quick check has not tried in a branch of their own."""

    document: TextDocument
    shown: tuple[Shown, ...] = ()
    faded: tuple[Faded, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    starts: Starts | None = None
    untried: frozenset[int] = frozenset()
    error: SourceProblem | None = None
    fresh: bool = False
    running: Work | None = None
    wanted: Work | None = None
    due: float = 0.0
    task: asyncio.Task[None] | None = None
    prove_next: bool = False
    crashes: int = 0
    listeners: list[asyncio.Future[None]] = field(default_factory=list)
    stored: str | None = None
    """The text as it was saved last; None: not yet, and an editor may open what it has kept and never saved."""
    files: frozenset[str] = frozenset()
    """The other files that what is known was made of."""

    @property
    def uri(self) -> str:
        """The document's name."""
        return self.document.uri

    def find(self, id: str) -> Opportunity | None:
        """A finding of the current text by its id; None if it is stale or gone."""
        return next((s.opportunity for s in self.shown if s.opportunity.id == id and not s.stale), None)

    def still_parses(self, edits: Iterable[Edit]) -> bool:
        """Whether the current text, once edited, is as much Python as it is now."""
        text = self.document.text
        if self.starts is not None:
            return still_parses(text, self.starts, edits)
        return parses_as(text, apply_edits(text, set(edits)))

    def suppression(self, o: Opportunity) -> Edit | None:
        """The comment that hides a finding of the current text, as an edit; None if there is no place for it."""
        text, at = self.document.text, o.filter_span
        part = Span(0, len(text)) if self.starts is None else touched(text, self.starts, at)
        found = suppression(part.text(text), Span(at.start - part.start, at.end - part.start), o.code)
        return found and Edit(Span(found.span.start + part.start, found.span.end + part.start), found.text)


class Session:
    """All open documents. ``publish`` is called whenever what is shown of one changes, ``busy`` whenever the amount of
    work does. To be used from one event loop."""

    def __init__(
        self,
        options: Callable[[str], Options],
        publish: Callable[[OpenDocument], None],
        busy: Callable[[], None],
        provers: int,
        verdicts: Path | None = None,
    ) -> None:
        self._options, self._publish, self._busy, self._verdicts = options, publish, busy, verdicts
        self.documents: dict[str, OpenDocument] = {}
        self._checkers, self._provers = AsyncPool(1, on_demand.warm), AsyncPool(provers, on_demand.warm)
        self._checkers.warm_up()

    def open(self, document: TextDocument) -> None:
        """A document was opened: the quick check, which knows what earlier sessions have proved."""
        self.close(document.uri, quietly=True)
        opened = self.documents[document.uri] = OpenDocument(document)
        self._want(opened, "check", 0)
        self.changed_file(self._path(document.uri))

    def change(self, uri: str, document: TextDocument, edits: tuple[Replaced, ...], prove: bool = False) -> None:
        """``document`` is the next version, by ``edits``. ``prove``: after the quick check, everything."""
        opened = self.documents[uri]
        opened.prove_next = prove
        opened.document, opened.fresh, opened.skipped, opened.crashes = document, False, (), 0
        opened.starts = None
        opened.faded, faded = _carried(opened.faded, edits), opened.faded
        shown = tuple(s for s in (old.carry(edits) for old in opened.shown) if s is not None)
        if shown or opened.shown or faded:
            opened.shown = shown
            self._publish(opened)
        self._want(opened, "check", DEBOUNCE)
        self.changed_file(self._path(uri))

    def verify(self, uri: str) -> None:
        """The document was saved, or its proofs asked for."""
        self._want(self.documents[uri], "prove", 0)

    def saved(self, uri: str) -> None:
        """The document was saved."""
        self.documents[uri].stored = self.documents[uri].document.text

    def changed_file(self, path: str | None, came_or_went: bool = False) -> None:
        """Look again at the documents that import from the file ``path``; or at all, if it ``came_or_went``."""
        for other in self.documents.values():
            if path is not None and (path in other.files or came_or_went) and path != self._path(other.uri):
                self._want(other, "prove" if other.wanted == "prove" else "check", SLOWER)

    def _path(self, uri: str) -> str | None:
        place = self._options(uri).place
        return None if place is None else place.path

    def _placed(self, uri: str) -> Options:
        """The options for a document, with the texts of others that are not stored yet."""
        options = self._options(uri)
        if options.place is None:
            return options
        edited = [d for d in self.documents.values() if d.uri != uri and d.document.text != d.stored]
        texts = [(path, d.document.text) for d in edited if (path := self._path(d.uri)) is not None]
        return replace(options, place=replace(options.place, opened=tuple(texts)))

    def again(self) -> None:
        """The options have changed: look at everything once more."""
        for opened in self.documents.values():
            opened.crashes = 0
            self._want(opened, "prove" if "prove" in (opened.running, opened.wanted) else "check", 0)

    def close(self, uri: str, quietly: bool = False) -> None:
        """Forget a document."""
        opened = self.documents.pop(uri, None)
        if opened is None:
            return
        self._cancel(opened)
        opened.shown, opened.faded, opened.skipped, opened.error = (), (), (), None
        if not quietly:
            self._publish(opened)
            self.changed_file(self._path(uri))  # what is stored counts again
        self._busy()

    async def settled(self, uri: str) -> OpenDocument | None:
        """The document once nothing is to be done for it."""
        opened = self.documents.get(uri)
        while opened is not None and opened.task is not None:
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            opened.listeners.append(waiting)
            await waiting
            opened = self.documents.get(uri)
        return opened

    async def fix_all(self, uri: str) -> str | None:
        """The current text with every verified rewrite; None if it cannot be analysed or the text changes meanwhile."""
        before = self.documents[uri].document
        options = self._placed(uri)
        text = await self._provers.call(options.file_seconds, on_demand.fix_all, before.text, options, self._verdicts)
        opened = self.documents.get(uri)
        return text if opened is not None and opened.document == before else None

    async def why_wrong(self, uri: str, found: Opportunity, edits: tuple[Edit, ...]) -> str | None:
        """Why ``edits`` of ``found``, a finding of the current text, must not be made; None if they may. The quick
        check does not look at what its edits make of the text."""
        if found.confirmed or found.change is None:
            return None
        text, options = self.documents[uri].document.text, self._placed(uri)
        try:
            return await self._checkers.call(CHECK_SECONDS, on_demand.why_wrong, uri, text, options, found, edits)
        except WorkerLost as lost:
            return str(lost)

    def shut_down(self) -> None:
        """End all work and all workers."""
        for opened in self.documents.values():
            self._cancel(opened)
        self._checkers.close()
        self._provers.close()

    def _want(self, opened: OpenDocument, work: Work, delay: float) -> None:
        if opened.crashes >= MOST_CRASHES:
            return
        if opened.running in ("apart", "prove") or opened.wanted == "apart":
            self._cancel(opened, and_wake=False)  # of a text, or with options, that nobody has any more
        opened.wanted, opened.due = work, asyncio.get_running_loop().time() + delay
        if opened.task is None:
            opened.task = asyncio.create_task(self._run(opened))
        self._busy()

    def _cancel(self, opened: OpenDocument, and_wake: bool = True) -> None:
        if opened.task is not None:
            opened.task.cancel()
        opened.task = opened.running = None
        if and_wake:
            opened.wanted = None
            _wake(opened)

    async def _run(self, opened: OpenDocument) -> None:
        """Do what is wanted until nothing is, one thing at a time, and of several wishes the last."""
        me = asyncio.current_task()
        loop = asyncio.get_running_loop()
        try:
            while opened.wanted is not None:
                while (left := opened.due - loop.time()) > 0:
                    await asyncio.sleep(left)
                work, opened.wanted = opened.wanted, None
                opened.running = work
                self._busy()
                before = opened.document
                seen = await self._ask(opened, work)
                opened.running = None
                self._settle(opened, before, seen)
                self._follow(opened)
        finally:
            if opened.task is me:
                opened.task = opened.running = None
                self._busy()
                _wake(opened)

    def _follow(self, opened: OpenDocument) -> None:
        """After the quick check everything, if that is asked for and nothing newer is; or what it has left out."""
        if opened.wanted is not None or not opened.fresh:
            return
        if opened.prove_next:
            opened.prove_next, opened.wanted = False, "prove"
        elif opened.untried:
            opened.wanted, opened.due = "apart", asyncio.get_running_loop().time() + PAUSE

    async def _ask(self, opened: OpenDocument, work: Work) -> Seen:
        options = self._placed(opened.uri)
        asked = (opened.document.text, options, self._verdicts)
        try:
            if work == "check":
                return await self._checkers.call(CHECK_SECONDS, on_demand.look, opened.uri, *asked)
            if work == "apart":
                return await self._provers.call(options.file_seconds, on_demand.look_apart, opened.uri, *asked)
            return await self._provers.call(options.file_seconds, on_demand.look_closely, *asked)
        except WorkerLost as lost:
            opened.crashes += 1
            if opened.crashes < MOST_CRASHES:
                return await self._ask(opened, work)
            return Seen(Report(error=SourceProblem(f"{lost}; this text is left alone until it changes")), None)

    def _settle(self, opened: OpenDocument, before: TextDocument, seen: Seen) -> None:
        """Take in what was found of ``before``, unless that is not the current text any more."""
        if self.documents.get(opened.uri) is not opened or opened.document != before:
            return
        report = seen.report
        opened.fresh, opened.error = report.error is None, report.error
        if report.error is None:  # else, in the middle of typing, what was shown stays, as stale
            opened.untried = frozenset(report.untried)
            kept = (s for s in opened.shown if s.stale and s.filter_span.end in opened.untried)
            opened.shown = (*map(Shown.fresh, report.opportunities), *kept)
            opened.faded = tuple(Faded(u, u.span) for u in report.unused)
        opened.skipped, opened.starts, opened.files = report.skipped, seen.starts, frozenset(seen.files)
        self._publish(opened)


def _carried(faded: tuple[Faded, ...], edits: tuple[Replaced, ...]) -> tuple[Faded, ...]:
    return tuple(f for f in (old.carry(edits) for old in faded) if f is not None)


def _wake(opened: OpenDocument) -> None:
    waiting, opened.listeners = opened.listeners, []
    for future in waiting:
        with suppress(asyncio.InvalidStateError):
            future.set_result(None)
