"""Which sources of a frame may be temporary views that the file registers where they are not followed.

What such a view computes and how it is sorted, the file says somewhere; here it is a frame of unknown origin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from headwater.pyspark.sql_text.views import registered_names
from headwater.syntax.names.resolve import Names
from headwater_ir.demand import Job, Wall
from headwater_ir.plan import Plan, Scan
from headwater_ir.span import Span
from headwater_ir.walks import below

_CREATED = re.compile(r"\bview\s+(?:if\s+not\s+exists\s+)?(?:global_temp\s*\.\s*)?(\W?)(\w*)", re.IGNORECASE)
_WORD = re.compile(r"\w+")


class ViewsRead:
    """The views of the file of ``names``."""

    def __init__(self, names: Names) -> None:
        self._source = names.ctx.source
        found = registered_names(names)
        if "view" in self._source.lower():
            found |= {name.lower() for _, name in _CREATED.findall(self._source)}
        self._any, self._named = bool(found & {None, ""}), {n for n in found if n}

    def below(self, plans: Iterable[Plan]) -> list[tuple[Span, str]]:
        """In words, each view that ``plans`` may read, and where."""
        if not self._any and not self._named:
            return []
        scans = {p.span for plan in plans for p in below(plan) if isinstance(p, Scan) and p.format == "table"}
        return [(span, text) for span in sorted(scans) for text in self._read(span)]

    def _read(self, span: Span) -> list[str]:
        text = span.text(self._source)
        words = {w.lower(): w for w in _WORD.findall(text)}
        named = [w for low, w in words.items() if low in self._named]
        unknown = self._any or not re.search("['\"]", text) or re.search(r"[{%+]|\bformat\b", text)
        return [f"the view `{w}`" for w in named] or (["a view of the file"] if unknown else [])

    def noted(self, walls: list[Wall], jobs: list[Job]) -> tuple[list[Wall], list[Job]]:
        """``walls`` and ``jobs`` with the views that they may read among what is not seen."""
        return [self._wall(w) for w in walls], [self._job(j) for j in jobs]

    def _wall(self, wall: Wall) -> Wall:
        unseen = self._unseen(wall.unseen, wall.plan)
        return wall if unseen == wall.unseen else replace(wall, unseen=unseen)

    def _job(self, job: Job) -> Job:
        wider = None if job.wider is None else self._job(job.wider)
        unseen = self._unseen(job.unseen, job.above)
        return job if unseen == job.unseen and wider is job.wider else replace(job, unseen=unseen, wider=wider)

    def _unseen(self, unseen: tuple[str, ...], plan: Plan) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*unseen, *(text for _, text in self.below([plan])))))
