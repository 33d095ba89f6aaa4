"""One file of a workspace, in a worker."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from headwater.engine.analysis.options import Options
from headwater.engine.documents.on_demand import POLITE
from headwater.engine.files.imports import placed, together_content
from headwater.engine.report.report import SourceProblem
from headwater.scan.result import FileResult, content_of, scan_content, unreadable
from headwater.scan.store import Store


def scan_file(path: Path, options: Options, cache: Path) -> FileResult:
    """Everything that is to be said of a file, if need be anew; what is proved is known from then on to whoever opens
    the file."""
    with suppress(OSError, AttributeError):  # Windows has no such priorities
        os.setpriority(os.PRIO_PROCESS, 0, POLITE)
    content = content_of(path)
    if isinstance(content, SourceProblem):
        return unreadable(path, content)
    store, whole = Store(cache), together_content(path, content, options)
    result = store.load(str(path), whole, options)
    if result is None:
        result = scan_content(str(path), content, placed(path, options), cache)
        store.store(str(path), whole, options, result)
    return result
