"""An edit as a step of a verdict: the edited text is read, and must be what was proved (``headwater.edit_check``)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from headwater.engine.report.own_part import as_analysed
from headwater.engine.report.report import Opportunity
from headwater.rewrite.edit import Edit, apply_edits
from headwater_ir.change import HandedBack, Matched, OneAggregate, OnePass, Ranged, Ranked, SmallerDemand, Uncached

from .options import Options
from .reading import Reader, SourceFailure, frontend_options, read

if TYPE_CHECKING:
    from headwater.edit_check.confirm import Confirmer
    from headwater_ir.change import AnyChange
    from headwater_ir.module import Module


def confirmer(text: str, module: Module | None, options: Options) -> Confirmer:
    """What compares edits of ``text``, of which the front end made ``module``. The texts after them differ little, so
    that of each only what is another than in the last one is read anew: a tenth of the time, in a file of 1,000 lines.
    """
    from headwater.edit_check.confirm import Confirmer, WrongEdit

    read_variant = variants(options)

    def read_again(source: str) -> Module:
        try:
            return read_variant(source)
        except SourceFailure as error:
            raise WrongEdit(str(error)) from None

    return Confirmer(text, module or read_again(text), read_again)


def variants(options: Options) -> Reader:
    """What reads texts that differ little, of each only what is another than in the last one; ``SourceFailure`` for one
    that does not parse."""
    from headwater.pyspark.reading.incremental import Document

    document = Document(frontend_options(options))
    return lambda source: read(source, options, document.read)


def confirmed(by: Confirmer, found: Opportunity) -> Opportunity:
    """``found`` once each of its edits is seen to do what was proved; ``WrongEdit`` if one does not."""
    if found.change is None:
        return found
    for edits in dict.fromkeys((found.edits, found.prefilter_edits)):
        check_edits(by, edits, change_of(found, edits))
    return replace(found, confirmed=True)


def change_of(found: Opportunity, edits: tuple[Edit, ...]) -> AnyChange:
    """What ``edits`` of ``found`` are to do: the whole rewrite, or the pre-filter alone."""
    assert found.change is not None
    whole = (SmallerDemand, Uncached, OnePass, Ranked, Matched, OneAggregate, HandedBack, Ranged)
    if edits == found.edits or isinstance(found.change, whole):
        return found.change
    return replace(found.change, residual=None)


def check_edits(by: Confirmer, edits: tuple[Edit, ...], *changes: AnyChange) -> None:
    """``WrongEdit`` unless ``edits`` make ``changes`` and nothing else. The error has the edits, which with the text
    are all that is needed to see it again."""
    from headwater.edit_check.confirm import WrongEdit

    try:
        if edits:
            by.check(apply_edits(by.text, as_analysed(edits, by.text)), changes)
    except WrongEdit as error:
        raise WrongEdit(f"{error}; edits {[(e.span.start, e.span.end, e.text) for e in edits]}") from None
