"""What an editor asks of a worker. These functions run in there; their arguments and results pickle."""

from __future__ import annotations

import os
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.engine.analysis.memory import Memory
from headwater.engine.analysis.options import Options
from headwater.engine.analysis.reading import frontend_options
from headwater.engine.analysis.solver import bounded, synthesis
from headwater.engine.files.fixing import fix_text
from headwater.engine.files.imports import linked_with
from headwater.engine.files.service import analyse_text
from headwater.engine.report.report import Opportunity, Report
from headwater.rewrite.edit import Edit
from headwater.rewrite.units import Starts
from headwater.syntax.source.linked import own_end
from headwater.syntax.source.top_level import lines_begun

from .verdicts import Verdicts

if TYPE_CHECKING:
    from headwater.pyspark.reading.incremental import Document
    from headwater.syntax.source.top_level import Parsed
    from headwater_ir.module import Module

DOCUMENTS = 16
"""Documents that are kept as they were read last."""
POLITE = 10
"""The niceness of a worker that proves: the editor comes first."""


def warm() -> None:
    """Load what the first analysis would have to wait for."""
    import headwater.synthesis.algorithm
    import headwater.synthesis.bounded  # noqa: F401

    analyse_text("import pyspark\nspark.table('t').filter('a > 1')\n", Options(bounded=True))


def check(uri: str, text: str, options: Options, verdicts: Path | None, apart: bool = True) -> Report:
    """The quick answer: what is proved already, and for the rest the bounded check. ``uri`` names the text whose next
    version this is, so that only what an edit concerns is read again. ``apart``: as for ``analyse``."""
    known, (document, memory) = _verdicts(verdicts, options.timeout_seconds), _document(uri, options)

    def read(source: str) -> Module:
        module = document.read(source)
        carry(document, memory)
        memory.context = document.context
        return module

    return analyse_text(text, options, known.otherwise(bounded), known.only, read, apart, memory, rereads=False)


def carry(document: Document, memory: Memory) -> None:
    """Keep what is known of the filters that only stand elsewhere now."""
    for moved in document.moved:
        for old, new in moved.filters:
            try:
                memory.carry(old, new, moved)
            except (LookupError, TypeError):
                continue


@dataclass(frozen=True)
class Seen:
    """A report, and where the statements of its text begin; None where that is not as simple. ``files``: others that it
    was made of."""

    report: Report
    starts: Starts | None
    files: tuple[str, ...] = ()


def look(uri: str, text: str, options: Options, verdicts: Path | None) -> Seen:
    """``check`` without branches, and what an edit of the text has to be held against."""
    return _seen(uri, text, options, check(uri, text, options, verdicts, apart=False))


def look_apart(uri: str, text: str, options: Options, verdicts: Path | None) -> Seen:
    """``check`` with branches, and what an edit of the text has to be held against. From then on this process stands
    back behind the editor."""
    _stand_back()
    return _seen(uri, text, options, check(uri, text, options, verdicts))


def _seen(uri: str, text: str, options: Options, report: Report) -> Seen:
    linked = linked_with(text, options)
    return Seen(report, _starts(_document(uri, options)[0].parsed, linked.text), tuple(map(str, linked.files)))


def look_closely(text: str, options: Options, verdicts: Path | None) -> Seen:
    """``prove``, and what an edit of the text has to be held against."""
    from headwater.syntax.source.top_level import parse

    report = prove(text, options, verdicts)
    files = tuple(map(str, linked_with(text, options).files))
    return Seen(report, None if report.error else _starts(parse(text), text), files)


def _starts(parsed: Parsed | None, text: str) -> Starts | None:
    if parsed is None or parsed.source != text or parsed.statements is None or parsed.readable.hidden:
        return None
    starts, end = [0, *accumulate(map(len, parsed.lines))], own_end(text)
    return tuple(starts[line] for line in lines_begun(parsed.statements) if starts[line] < end)


def prove(text: str, options: Options, verdicts: Path | None) -> Report:
    """The whole answer. From then on this process stands back behind the editor."""
    _stand_back()
    solve = _verdicts(verdicts, options.timeout_seconds).solving(synthesis)
    return analyse_text(text, options, solve)


def why_wrong(uri: str, text: str, options: Options, found: Opportunity, edits: tuple[Edit, ...]) -> str | None:
    """What the text after ``edits``, of a finding in ``text``, has that was not proved; None if it is what was."""
    from headwater.edit_check.confirm import WrongEdit
    from headwater.engine.analysis.confirming import change_of, check_edits, confirmer

    text = linked_with(text, options).text
    by = confirmer(text, _document(uri, options)[0].read(text), options)
    try:
        check_edits(by, edits, change_of(found, edits))
    except WrongEdit as error:
        return f"internal error: {error}"
    return None


def fix_all(text: str, options: Options, verdicts: Path | None) -> str | None:
    """``text`` with every verified rewrite of a kind that is shown by default; None if it cannot be analysed."""
    options = replace(options, show_all=False)
    fixed = fix_text(text, lambda source: prove(source, options, verdicts), options=options)
    return None if fixed.report.error else fixed.text


def _stand_back() -> None:
    with suppress(OSError, AttributeError):  # Windows has no such priorities
        os.setpriority(os.PRIO_PROCESS, 0, POLITE)


def _document(uri: str, options: Options) -> tuple[Document, Memory]:
    from headwater.pyspark.reading.incremental import Document

    key = (uri, options.key())
    opened = _documents.pop(key, None) or (Document(frontend_options(options)), Memory())
    _documents[key] = opened
    while len(_documents) > DOCUMENTS:
        _documents.popitem(last=False)
    return opened


_documents: OrderedDict[tuple[str, str], tuple[Document, Memory]] = OrderedDict()


@cache
def _verdicts(directory: Path | None, seconds: float) -> Verdicts:
    return Verdicts(directory, seconds)
