"""Rewriting a text until nothing more can be done to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from headwater.engine.analysis.options import Options
from headwater.engine.report.report import Opportunity, Report, SourceProblem
from headwater.rewrite.edit import Edit, apply_edits, overlap
from headwater_ir.chain import VERSION, Chain, Proof, Round, text_digest
from headwater_ir.change import Change, HandedBack, SmallerDemand, Uncached
from headwater_ir.span import Span

from .cache import Cache
from .data import with_outputs
from .discovery import SourceFile, Unreadable, read_source
from .imports import placed, together
from .service import analyse_cached

MAX_ROUNDS = 5


NOTHING = Chain(VERSION, ())


@dataclass(frozen=True)
class Fixed:
    """The new text, what was applied, and the report of the new text."""

    text: str
    applied: tuple[Opportunity, ...]
    report: Report
    chain: Chain = NOTHING
    """The proofs of what was applied, round by round."""

    @property
    def left(self) -> tuple[Opportunity, ...]:
        """Rewrites that rest on assumptions, and that were not applied because of them."""
        done = {_key(o) for o in self.applied}
        found = self.report.opportunities
        return tuple(o for o in found if o.status == "assumed" and o.edits and _key(o) not in done)


@dataclass(frozen=True)
class FixedFile:
    """A file as it was read and what became of its text."""

    before: SourceFile
    fixed: Fixed


def fix_file(
    path: Path, options: Options, cache: Cache | None, only_prefilter: bool, accept_assumptions: bool = False
) -> FixedFile | SourceProblem:
    """The rewritten text of ``path``, which is left as it is, or why there is none."""
    try:
        before = read_source(path)
    except Unreadable as error:
        return error.problem

    options = placed(path, options)

    def analyse(text: str) -> Report:
        return analyse_cached(text, with_outputs(before, options), cache)[0]

    fixed = fix_text(before.text, analyse, only_prefilter, accept_assumptions, options)
    return fixed.report.error or FixedFile(before, fixed)


def fix_text(
    text: str, analyse: Callable[[str], Report], only_prefilter: bool = False, accept_assumptions: bool = False,
    options: Options | None = None,
) -> Fixed:  # fmt: skip
    """Apply every verified rewrite of ``text``, and those that become possible by it, in at most ``MAX_ROUNDS`` rounds;
    with ``accept_assumptions`` also those that rest on assumptions.

    Within a round no two rewrites touch the same place. A rewrite that the rewritten text offers at the same place
    again is withheld: adding the same filter at each run would help nobody. So what comes out is a fixed point, unless
    the rounds are not enough.
    """
    applied: list[Opportunity] = []
    rounds: list[Round] = []
    report = analyse(text)
    for _ in range(MAX_ROUNDS):
        allowed = [
            o for o in report.opportunities if _keeps_results(o) and (o.status == "verified" or accept_assumptions)
        ]
        while chosen := _choose(allowed, only_prefilter):
            edits = {e for o in chosen for e in _edits(o, only_prefilter)}
            rewritten = apply_edits(text, edits)
            if not parses_as(text, rewritten):
                return Fixed(text, tuple(applied), report, Chain(VERSION, tuple(rounds)))
            wrong = _wrong_together(text, chosen, only_prefilter, options or Options())
            if wrong is not None:
                return Fixed(text, tuple(applied), replace(report, error=wrong))
            after = analyse(rewritten)
            again = [o for o in chosen if _is_offered_again(o, edits, after)]
            if not again:
                rounds.append(_round(text, rewritten, chosen, only_prefilter))
                text, report = rewritten, after
                applied += chosen
                break
            allowed = [o for o in allowed if o not in again]
        else:
            break
    return Fixed(text, tuple(applied), report, Chain(VERSION, tuple(rounds)))


def _keeps_results(o: Opportunity) -> bool:
    """Whether a rewrite gives what the program gave: to repair a data source does not, which is for people to do."""
    return not isinstance(o.change, HandedBack)


def _round(before: str, after: str, done: list[Opportunity], only_prefilter: bool) -> Round:
    from headwater.engine.analysis.confirming import change_of

    proofs = [Proof(change_of(o, _edits(o, only_prefilter)), o.certificate) for o in done if o.certificate is not None]
    return Round(text_digest(before), text_digest(after), tuple(proofs))


def _wrong_together(
    text: str, chosen: list[Opportunity], only_prefilter: bool, options: Options
) -> SourceProblem | None:  # fmt: skip
    """What several rewrites do together that was not proved of them; each by itself was looked at as it was found."""
    if len(chosen) < 2:
        return None
    from headwater.edit_check.confirm import WrongEdit
    from headwater.engine.analysis.confirming import change_of, check_edits, confirmer

    text, options = together(text, options), replace(options, place=None)
    edits = {e for o in chosen for e in _edits(o, only_prefilter)}
    changes = [change_of(o, _edits(o, only_prefilter)) for o in chosen]
    try:
        check_edits(confirmer(text, None, options), tuple(sorted(edits, key=lambda e: e.span)), *changes)
    except WrongEdit as error:
        return SourceProblem(f"internal error: {error}")
    return None


def _is_offered_again(o: Opportunity, edits: Iterable[Edit], after: Report) -> bool:
    """Whether the text after ``edits`` offers at the same boundary what they have done."""
    end = o.boundary_span.end
    moved = end + sum(len(e.text) - (e.span.end - e.span.start) for e in edits if e.span.end <= end)
    return any(_key(n) == _key(o) and n.boundary_span.end in (end, moved) and n.edits for n in after.opportunities)


def _choose(opportunities: list[Opportunity], only_prefilter: bool) -> list[Opportunity]:
    """What to apply at once. A rewrite in a branch of its own is proved in another text, so that it goes alone."""
    chosen: list[Opportunity] = []
    apart = [o for o in opportunities if o.copy]
    for o in (*(o for o in opportunities if not o.copy), *apart):
        if chosen and o.copy:
            break
        mine = _edits(o, only_prefilter)
        # an import that two rewrites need alike is one edit; everything else must be apart
        taken = [e for c in chosen for e in _edits(c, only_prefilter) if e not in mine or not _is_import(e)]
        own = [e for e in mine if not any(e in _edits(c, only_prefilter) for c in chosen) or not _is_import(e)]
        if mine and not overlap(own, taken) and not any(_meet(c, o) for c in chosen):
            chosen.append(o)
    return chosen


def _meet(a: Opportunity, b: Opportunity) -> bool:
    """Whether two rewrites are of one call, one of them is in what the other replaces, or one lets go of a cache in
    what another asks for less."""
    if a.boundary_span == b.boundary_span or _is_in(a, b) or _is_in(b, a):
        return True
    caches = [o for o in (a, b) if isinstance(o.change, Uncached)]
    others = [o for o in (a, b) if o.change is not None and not isinstance(o.change, (Change, Uncached))]
    return any(_touch(c.boundary_span, o.boundary_span) for c in caches for o in others)


def _is_in(a: Opportunity, b: Opportunity) -> bool:
    """Whether ``a`` edits the text of the frame that ``b`` asks for less, of which the proof of ``b`` speaks."""
    if not isinstance(b.change, SmallerDemand):
        return False
    whole = b.change.replaced
    return any(_touch(whole, e.span) for e in a.edits if not _is_import(e))


def _touch(a: Span, b: Span) -> bool:
    return a.start <= b.end and b.start <= a.end


def _is_import(edit: Edit) -> bool:
    return "from pyspark.sql import functions" in edit.text


def _edits(o: Opportunity, only_prefilter: bool) -> tuple[Edit, ...]:
    return o.prefilter_edits if only_prefilter else o.edits


def _key(o: Opportunity) -> tuple[str, str, str | None]:
    return o.prefilter_text, o.operator, o.function


def parses_as(before: str, after: str) -> bool:
    """Whether ``after`` is Python, as much of it as of ``before``: in a notebook a cell may be broken already."""
    from headwater.syntax.source.notebook import parse

    try:
        return len(parse(after).hidden) == len(parse(before).hidden)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
