"""What a parser or solver might do to its worker, depending on the name of the file."""

from __future__ import annotations

import os
import time
from pathlib import Path

from headwater.engine.analysis.options import Options
from headwater.engine.files.cache import Cache
from headwater.engine.files.service import FileReport, analyse_file


def analyse_or_die(path: Path, options: Options, cache: Cache | None) -> FileReport:
    if path.stem == "crash":
        os.abort()
    if path.stem == "hang":
        time.sleep(1000)
    if path.stem == "eat":
        bytearray(1 << 40)
    return analyse_file(path, options, cache)
