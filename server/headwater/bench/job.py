"""What is asked of the process that runs a pipeline, and what it answers: plain JSON, both ways."""

from __future__ import annotations

from typing import TypedDict


class Job(TypedDict):
    """What to run.

    * ``before``, ``after``: the files; ``name``: the path that the program believes to have;
    * ``arguments``: of the program; ``modules``: where else it may import from;
    * ``rows``: of each table; ``runs``: timed ones, of each version;
    * ``kept``: share of the rows that are to pass a pre-filter;
    * ``tables``: name of a source → folder of Parquet files, where there is one already; ``schemas``: name → DDL;
    * ``prefilters``: as SQL, in the order in which the report has them;
    * ``master``, ``conf``: of Spark; ``scratch``: where files may be written.
    """

    before: str
    after: str
    name: str
    arguments: list[str]
    modules: list[str]
    rows: int
    runs: int
    kept: float
    tables: dict[str, str]
    schemas: dict[str, str]
    prefilters: list[str]
    master: str
    conf: dict[str, str]
    scratch: str


class Side(TypedDict):
    """One version: seconds of its timed runs, bytes and rows that its warm-up read from files, and what of its
    conditions Spark handed to them."""

    seconds: list[float]
    bytes_read: int
    rows_read: int
    pushed: list[str]


class Measured(TypedDict):
    """Both versions on the same data. ``rows_kept``: of ``rows_in``, None where no pre-filter could be asked.

    ``differences``: rows that the one has and the other has not, some of them, as text.
    """

    rows_in: int
    rows_kept: int | None
    rows_out: int
    equal: bool
    differences: list[str]
    before: Side
    after: Side
    spark: str


class Failed(Exception):
    """There is nothing to measure, for this reason. ``details``: where in the program, if it was there."""

    def __init__(self, reason: str, details: str = "") -> None:
        super().__init__(reason)
        self.details = details
