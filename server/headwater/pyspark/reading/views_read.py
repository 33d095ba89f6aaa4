"""Which sources of a frame may be temporary views that the file registers where they are not followed.

What such a view computes and how it is sorted, the file says somewhere; here it is a frame of unknown origin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from headwater.pyspark.sql_text.views import registered_names
from headwater.syntax.names.resolve import Names
from headwater_ir.demand import Job, Wall
from headwater_ir.plan import Plan, Scan
from headwater_ir.span import Span
from headwater_ir.walks import below

_CREATED = re.compile(r"\bview\s+(?:if\s+not\s+exists\s+)?(?:global_temp\s*\.\s*)?(\W?)(\w*)", re.IGNORECASE)
_WORD = re.compile(r"\w+")


Seen = tuple[str, ...]


@dataclass(frozen=True)
class OfViews:
    """The views, in words, that walls and jobs may read, the latter with the wider jobs that they are part of; and
    those below filters, with their places."""

    walls: tuple[Seen, ...]
    jobs: tuple[tuple[Seen, ...], ...]
    filters: tuple[tuple[Span, str], ...]

    def moved(self, move: Callable[[Span], Span]) -> OfViews:
        """The same, where the filters stand elsewhere."""
        return replace(self, filters=tuple((move(span), text) for span, text in self.filters))


class ViewsRead:
    """The views of the file of ``names``. ``key``: all that it says of them."""

    def __init__(self, names: Names) -> None:
        self._source = names.ctx.source
        found = registered_names(names)
        if "view" in self._source.lower():
            found |= {name.lower() for _, name in _CREATED.findall(self._source)}
        self._any, self._named = bool(found & {None, ""}), {n for n in found if n}
        self.key = self._any, frozenset(self._named)

    def of(self, walls: Sequence[Wall], jobs: Sequence[Job], filters: Iterable[Plan]) -> OfViews:
        """The views that these may read."""
        if not self._any and not self._named:
            return OfViews(((),) * len(walls), ((),) * len(jobs), ())
        of_jobs = tuple(tuple(self._words([j.above]) for j in _with_wider(job)) for job in jobs)
        return OfViews(tuple(self._words([w.plan]) for w in walls), of_jobs, tuple(self._below(filters)))

    def _words(self, plans: Iterable[Plan]) -> Seen:
        return tuple(text for _, text in self._below(plans))

    def _below(self, plans: Iterable[Plan]) -> list[tuple[Span, str]]:
        scans = {p.span for plan in plans for p in below(plan) if isinstance(p, Scan) and p.format == "table"}
        return [(span, text) for span in sorted(scans) for text in self._read(span)]

    def _read(self, span: Span) -> list[str]:
        text = span.text(self._source)
        words = {w.lower(): w for w in _WORD.findall(text)}
        named = [w for low, w in words.items() if low in self._named]
        unknown = self._any or not re.search("['\"]", text) or re.search(r"[{%+]|\bformat\b", text)
        return [f"the view `{w}`" for w in named] or (["a view of the file"] if unknown else [])


def noted(walls: Sequence[Wall], jobs: Sequence[Job], views: OfViews) -> tuple[list[Wall], list[Job]]:
    """``walls`` and ``jobs`` with the views that they may read among what is not seen."""
    of_walls, of_jobs = zip(walls, views.walls, strict=True), zip(jobs, views.jobs, strict=True)
    return [replace(w, unseen=_with(w.unseen, own)) if own else w for w, own in of_walls], [
        _job(j, own) if any(own) else j for j, own in of_jobs
    ]


def _with_wider(job: Job) -> Iterator[Job]:
    at: Job | None = job
    while at is not None:
        yield at
        at = at.wider


def _job(job: Job, views: tuple[Seen, ...]) -> Job:
    wider = None if job.wider is None else _job(job.wider, views[1:])
    return replace(job, unseen=_with(job.unseen, views[0]), wider=wider)


def _with(unseen: Seen, views: Seen) -> Seen:
    return tuple(dict.fromkeys((*unseen, *views)))
