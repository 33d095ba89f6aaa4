"""What reading event logs may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


class OverLimit(Exception):
    """A limit is reached; the message says which."""


@dataclass(frozen=True)
class Limits:
    """``logs``: the newest so many; ``total``: bytes of text, decompressed, of all of them; ``line``: bytes of an
    event, longer ones are left out; ``entries``: jobs, stages and queries that are remembered of one run; ``seconds``:
    of wall time."""

    logs: int = 1_000
    total: int = 16 << 30
    line: int = 32 << 20
    entries: int = 500_000
    seconds: float = 60.0


LIMITS = Limits()


@dataclass
class Budget:
    """What is left of ``limits``."""

    limits: Limits
    bytes: int = 0
    start: float = field(default_factory=time.monotonic)

    def take(self, count: int) -> None:
        """``count`` more bytes were read; OverLimit if that is too many, or time is up."""
        self.bytes += count
        if self.bytes > self.limits.total:
            raise OverLimit(f"the limit is {self.limits.total:,} bytes of all logs")
        if time.monotonic() - self.start > self.limits.seconds:
            raise OverLimit(f"the limit is {self.limits.seconds:g} s for all logs")
