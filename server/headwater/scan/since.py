"""Files that changed since a revision, as git tells."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

SECONDS = 120
_QUIET = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
"""What a repository's own configuration may not make git run."""


class SinceError(Exception):
    """Git cannot tell; the text says why."""


def changed_since(revision: str, paths: Iterable[Path]) -> set[Path]:
    """The files, with their links resolved, that differ from ``revision`` in the repositories that hold ``paths``:
    committed since, only in the work tree, or new and not ignored."""
    roots = {_root(path) for path in paths}
    found: set[Path] = set()
    for root in roots:
        # Of the commands that compare with a revision the one that reads no file, and so runs no filter on one: a file
        # that was only touched counts as changed.
        listed = _git(root, "diff-index", "--name-only", "-z", "--no-renames", "--diff-filter=d",
                      "--end-of-options", revision, "--")  # fmt: skip
        listed += _git(root, "ls-files", "--others", "--exclude-standard", "-z")
        found |= {(root / os.fsdecode(name)).resolve() for name in listed.split(b"\0") if name}
    return found


def _root(path: Path) -> Path:
    directory = path if path.is_dir() else path.parent
    return Path(os.fsdecode(_git(directory, "rev-parse", "--show-toplevel")).rstrip("\n"))


def _git(directory: Path, *arguments: str) -> bytes:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    command = ["git", *_QUIET, "-C", str(directory), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=SECONDS, check=False, env=environment, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise SinceError("--since needs git") from None
    except subprocess.TimeoutExpired:
        raise SinceError(f"git took longer than {SECONDS} s in {directory}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["git failed"]
        raise SinceError(f"git in {directory}: {said[0]}")
    return done.stdout
