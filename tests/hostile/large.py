"""``python -m tests.hostile.large [NAME…]``: the inputs that take too long for every day, each with its time and its
answer. Exit code 1 if one gets none within the limit."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from headwater.engine.analysis.options import Options
from headwater.engine.workers.pool import analyse_files

from .inputs import BOMBS, LARGE


def main(names: list[str]) -> int:
    options = Options()
    late = 0
    with tempfile.TemporaryDirectory() as directory:
        for name, make in {**LARGE, **BOMBS}.items():
            if names and name not in names:
                continue
            path = Path(directory) / f"{name}.py"
            path.write_bytes(make())
            start = time.perf_counter()
            (file,) = analyse_files([path], options, None)
            seconds = time.perf_counter() - start
            late += seconds > options.file_seconds + 10
            found = f"{len(file.report.opportunities)} found, {len(file.report.skipped)} skipped"
            said = file.report.error.message if file.report.error else found
            print(f"{name:24}{path.stat().st_size / 1e6:8.2f} MB{seconds:8.1f} s  {said}", flush=True)
            path.unlink()
    return int(late > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
