"""The command line: one file per sub-command, no analysis here.

Nothing heavy is imported before a command needs it: ``headwater --help`` answers at once.
"""

from __future__ import annotations


def main() -> None:
    """The entry point of the ``headwater`` command."""
    from .app import app

    app()
