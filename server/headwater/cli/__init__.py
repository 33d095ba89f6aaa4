"""The command line: one file per sub-command, no analysis here.

Nothing heavy is imported before a command needs it: ``headwater --help`` answers at once.
"""

from __future__ import annotations

import io
import sys

from headwater.engine.workers.search_path import restrict


def main() -> None:
    """The entry point of the ``headwater`` command."""
    restrict()
    from .app import app

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a file name or a formula must not end a scan
            stream.reconfigure(errors="backslashreplace")
    app()
