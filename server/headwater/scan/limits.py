"""What one file may take of a worker."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from headwater.engine.analysis.options import Options

from .result import FileResult, scan_content

MEMORY = 2 << 30
"""Bytes of address space, of which Python and the solver's library reserve half a gigabyte without using it."""
WORN = 400 << 20
"""A worker that has ever held so much is replaced: the memory may never come back."""


@dataclass(frozen=True)
class Limits:
    """``seconds`` of wall time for one file, and ``memory`` in bytes of address space."""

    seconds: float
    memory: int = MEMORY


def scan_within(
    memory: int, path: str, content: bytes, options: Options, verdicts: Path | None
) -> tuple[FileResult, bool]:
    """``scan_content`` in a worker process that may take so much memory, and whether that process is worn."""
    _limit(memory)
    result = scan_content(path, content, options, verdicts)
    return result, _held() > WORN


def _limit(memory: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limits
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        bounds = [memory, *(b for b in (soft, hard) if b != resource.RLIM_INFINITY)]
        resource.setrlimit(resource.RLIMIT_AS, (min(bounds), hard))


def _held() -> int:
    """The most bytes that this process ever held."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
