"""What is known of the runs of a program: the cost of the jobs of each call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


class EventLogError(Exception):
    """There is nothing to read where the user says that there are event logs; the message is one line."""


@dataclass(frozen=True)
class CallSite:
    """A call as Spark's Python API names it for the jobs that it starts: ``collect at /jobs/daily.py:12``. Line 0: the
    only one of this name in the script that was submitted (``submitted``)."""

    method: str
    path: str
    line: int


@dataclass(frozen=True)
class Cost:
    """What the jobs of one call took, as Spark counts it.

    * ``jobs``: how many Spark started, in all calls that one run made there;
    * ``bytes``: what their tasks read of data sources and of caches, retries included. Of files, Hadoop counts them,
      and misses those that a file system reads in threads of its own;
    * ``rows``: what they read of data sources; 0 where a cache was read or filled;
    * ``file_bytes``: the size of the files that their scans chose, of which a columnar format reads a part;
    * ``seconds``: of wall time in which one of them or its query was under way.
    """

    jobs: int = 0
    bytes: int = 0
    rows: int = 0
    file_bytes: int = 0
    seconds: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.jobs + other.jobs,
            self.bytes + other.bytes,
            self.rows + other.rows,
            self.file_bytes + other.file_bytes,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True)
class Application:
    """One run: ``name`` as the log has it, ``day`` on which it started in UTC, ``started`` in milliseconds."""

    name: str
    started: int
    day: str
    costs: Mapping[CallSite, Cost]


@dataclass(frozen=True)
class Logs:
    """All runs that could be read, in no order, and a line for each log that could not, or not to its end."""

    applications: tuple[Application, ...] = ()
    problems: tuple[str, ...] = ()
