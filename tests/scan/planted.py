"""A scan of one file that goes wrong as the file's name says; to be run in a worker."""

from __future__ import annotations

import os
import time
from pathlib import Path

from headwater.engine.analysis.options import Options
from headwater.scan.limits import scan_within
from headwater.scan.result import FileResult


def scan_or_die(
    memory: int, path: str, content: bytes, options: Options, verdicts: Path | None
) -> tuple[FileResult, bool]:
    name = Path(path).stem
    if name == "crash":
        os.abort()
    if name == "hang":
        time.sleep(300)
    if name == "eat":
        result = scan_within(memory, path, content, options, verdicts)  # sets the limit
        bytearray(memory)
        return result
    return scan_within(memory, path, content, options, verdicts)
