"""One run, put together from its events: which jobs each call started, and what their tasks read.

The call stands in the description of a query (``collect at /jobs/daily.py:12``, unless the program sets one of its own)
and in a property of its jobs; of one that goes straight to the JVM, ``submitted`` says whose it is. The tasks of a
stage belong to the first job that lists it. Events that are missing, as in a log that is still being written, or that
contradict each other, make numbers smaller, never larger. Of what is kept in a cache Spark counts batches, not rows:
where a call reads or fills one, how many rows it read is not known.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from .limits import OverLimit
from .model import Application, CallSite, Cost
from .spark_calls import METHODS
from .submitted import SOMEWHERE, WRITES_FILES, method_at, script_of

_PREFIX = re.compile(rb'\{"Event":"([\w.]+)"')
_TASK = re.compile(rb'\{"Event":"SparkListenerTaskEnd","Stage ID":(\d{1,9}),')
_READ = re.compile(rb'"Input Metrics":\{"Bytes Read":(\d{1,15}),"Records Read":(\d{1,15})\}')
"""Spark writes no blanks, and within a text of JSON no quote stands without a backslash before it."""
_SITE = re.compile(r"(\w{1,60}) at (.{1,4000}\.py):(\d{1,7})")
_NAME = re.compile(r"[\w.-]{1,100}", re.ASCII)
_FILES = "size of files read"
_COMMAND = "sun.java.command"
_SQL = "org.apache.spark.sql.execution.ui.SparkListener"
MOST = 10**15
"""No count of one event is larger: a petabyte, or the milliseconds of 30,000 years."""
LAST_DAY = 253_402_214_400_000


@dataclass
class _Query:
    """``description``: kept only where it names no call of Python; ``scans``: the accumulators that hold the size of
    files; ``updates``: what the driver put into accumulators."""

    site: CallSite | None
    method: str | None
    root: int
    start: int
    end: int = 0
    scans: set[int] = field(default_factory=set)
    updates: dict[int, int] = field(default_factory=dict)


@dataclass
class _Job:
    site: CallSite | None
    query: int | None
    start: int
    end: int = 0


class Run:
    """The events of one run, line by line; at most ``entries`` things are remembered."""

    def __init__(self, entries: int) -> None:
        self._left = entries
        self._name = ""
        self._started = 0
        self._script: str | None = None
        self._queries: dict[int, _Query] = {}
        self._jobs: dict[int, _Job] = {}
        self._job_of: dict[int, int] = {}
        self._cached: set[int] = set()
        self._read: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
        self._events = {
            b"SparkListenerApplicationStart": self._application,
            b"SparkListenerEnvironmentUpdate": self._environment,
            b"SparkListenerJobStart": self._job,
            b"SparkListenerJobEnd": self._job_end,
            f"{_SQL}SQLExecutionStart".encode(): self._query,
            f"{_SQL}SQLExecutionEnd".encode(): self._query_end,
            f"{_SQL}SQLAdaptiveExecutionUpdate".encode(): self._plan,
            f"{_SQL}DriverAccumUpdates".encode(): self._accumulators,
        }
        self.known = False

    def line(self, line: bytes) -> bool:
        """Take in one line; False if it is broken."""
        prefix = _PREFIX.match(line)
        if prefix is None:
            return not line.strip()
        self.known = self.known or prefix[1].startswith((b"SparkListener", b"org.apache.spark."))
        if task := _TASK.match(line):
            self._task(int(task[1]), line)
        elif handle := self._events.get(prefix[1]):
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                return False
            handle(event)
        return True

    def _remember(self, count: int = 1) -> None:
        self._left -= count
        if self._left < 0:
            raise OverLimit("the run has too many jobs")

    def _application(self, event: dict[str, Any]) -> None:
        name = event.get("App ID")
        if isinstance(name, str) and _NAME.fullmatch(name):
            self._name = name
        self._started = _count(event.get("Timestamp"))

    def _environment(self, event: dict[str, Any]) -> None:
        properties = event.get("System Properties")
        self._script = script_of(properties.get(_COMMAND)) if isinstance(properties, dict) else None

    def _query(self, event: dict[str, Any]) -> None:
        number = _id(event.get("executionId"))
        if number is None or number in self._queries:
            return
        self._remember()
        root = _id(event.get("rootExecutionId"))
        start = _count(event.get("time"))
        said = event.get("description")
        writes = any(node.get("nodeName") == WRITES_FILES for node in _nodes(event.get("sparkPlanInfo")))
        method = method_at(said, writes)
        self._queries[number] = _Query(_site(said), method, number if root is None else root, start)
        self._plan(event)

    def _query_of(self, event: dict[str, Any]) -> _Query | None:
        number = _id(event.get("executionId"))
        return None if number is None else self._queries.get(number)

    def _query_end(self, event: dict[str, Any]) -> None:
        if query := self._query_of(event):
            query.end = _count(event.get("time"))

    def _plan(self, event: dict[str, Any]) -> None:
        query = self._query_of(event)
        if query is None:
            return
        found = set(_scans(event.get("sparkPlanInfo"))) - query.scans
        self._remember(len(found))
        query.scans |= found

    def _accumulators(self, event: dict[str, Any]) -> None:
        query = self._query_of(event)
        updates = event.get("accumUpdates")
        if query is None or not isinstance(updates, list):
            return
        self._remember(len(updates))
        for update in updates:
            if isinstance(update, list) and len(update) == 2 and (number := _id(update[0])) is not None:
                query.updates[number] = _count(update[1])

    def _job(self, event: dict[str, Any]) -> None:
        number, stages, properties = _id(event.get("Job ID")), event.get("Stage IDs"), event.get("Properties")
        if number is None or number in self._jobs:
            return
        said = properties if isinstance(properties, dict) else {}
        query = said.get("spark.sql.execution.id")
        known = int(query) if isinstance(query, str) and re.fullmatch(r"\d{1,9}", query, re.ASCII) else None
        self._remember()
        site = _site(said.get("callSite.short"))
        self._jobs[number] = _Job(site, known, _count(event.get("Submission Time")))
        for stage in stages if isinstance(stages, list) else ():
            if (id := _id(stage)) is not None and id not in self._job_of:
                self._remember()
                self._job_of[id] = number

        infos = event.get("Stage Infos")
        for info in infos if isinstance(infos, list) else ():
            if (id := _of_cache(info)) is not None:
                self._remember()
                self._cached.add(id)

    def _job_end(self, event: dict[str, Any]) -> None:
        number = _id(event.get("Job ID"))
        if number is not None and number in self._jobs:
            self._jobs[number].end = _count(event.get("Completion Time"))

    def _task(self, stage: int, line: bytes) -> None:
        if stage in self._job_of and (read := _READ.search(line)):
            sums = self._read[stage]
            sums[0] += min(int(read[1]), MOST)
            sums[1] += min(int(read[2]), MOST)

    def finished(self) -> Application:
        """What the events say together."""
        self._place()
        costs: defaultdict[CallSite, Cost] = defaultdict(Cost)
        times: defaultdict[CallSite, list[tuple[int, int]]] = defaultdict(list)
        sites = {number: self._site_of(job) for number, job in self._jobs.items()}
        for number, job in self._jobs.items():
            if site := sites[number]:
                costs[site] += Cost(jobs=1)
                times[site].append((job.start, job.end))
        batches = {sites[self._job_of[stage]] for stage in self._cached & self._read.keys()}
        for stage, (bytes, rows) in self._read.items():
            if site := sites[self._job_of[stage]]:
                costs[site] += Cost(bytes=bytes, rows=0 if site in batches else rows)
        for query in self._queries.values():
            if site := self._site_of_query(query):
                costs[site] += Cost(file_bytes=sum(query.updates.get(id, 0) for id in query.scans))
                times[site].append((query.start, query.end))
        for site, spans in times.items():
            costs[site] += Cost(seconds=_covered(spans))
        worth = {site: cost for site, cost in costs.items() if cost.jobs}
        return Application(self._name, self._started, _day(self._started), worth)

    def _place(self) -> None:
        """Give the queries that name no line the script that was submitted, where it started one of that name only."""
        if self._script is None:
            return
        roots = [query for number, query in self._queries.items() if query.root == number and query.method]
        started = Counter(query.method for query in roots)
        for query in roots:
            if query.method and started[query.method] == 1:
                query.site = CallSite(query.method, self._script, SOMEWHERE)

    def _site_of(self, job: _Job) -> CallSite | None:
        query = None if job.query is None else self._queries.get(job.query)
        return job.site or (None if query is None else self._site_of_query(query))

    def _site_of_query(self, query: _Query) -> CallSite | None:
        root = self._queries.get(query.root)
        return query.site or (None if root is None else root.site)


def _site(text: object) -> CallSite | None:
    """The call that ``text`` names, if it is one of Spark's Python API in a Python file."""
    found = _SITE.fullmatch(text) if isinstance(text, str) else None
    if found is None or found[1] not in METHODS:
        return None
    return CallSite(found[1], found[2], int(found[3]))


def _nodes(plan: object) -> Iterator[dict[str, Any]]:
    """The nodes of a plan."""
    nodes = [plan]
    while nodes:
        node = nodes.pop()
        if isinstance(node, dict):
            yield node
            children = node.get("children")
            nodes += children if isinstance(children, list) else []


def _scans(plan: object) -> Iterator[int]:
    """The accumulators of a plan that hold the size of the files of a scan."""
    for node in _nodes(plan):
        metrics = node.get("metrics")
        for metric in metrics if isinstance(metrics, list) else ():
            if isinstance(metric, dict) and metric.get("name") == _FILES:
                if (id := _id(metric.get("accumulatorId"))) is not None:
                    yield id


def _of_cache(stage: object) -> int | None:
    """The number of a stage that computes or reads what is kept; None of another one."""
    kept = stage.get("RDD Info") if isinstance(stage, dict) else None
    for rdd in kept if isinstance(kept, list) else ():
        level = rdd.get("Storage Level") if isinstance(rdd, dict) else None
        if isinstance(level, dict) and (level.get("Use Memory") is True or level.get("Use Disk") is True):
            return _id(stage.get("Stage ID")) if isinstance(stage, dict) else None
    return None


def _id(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST else None


def _count(value: object) -> int:
    """A number of an event; 0 for what cannot be one."""
    return _id(value) or 0


def _covered(spans: list[tuple[int, int]]) -> float:
    """How many seconds lie in one of ``spans``, in milliseconds from start to end; those without an end are none."""
    covered, reached = 0, 0
    for start, end in sorted(spans):
        if start and end > max(start, reached):
            covered += end - max(start, reached)
            reached = end
    return covered / 1000


def _day(milliseconds: int) -> str:
    """The day in UTC, empty if there is none."""
    if not 0 < milliseconds < LAST_DAY:
        return ""
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%Y-%m-%d")
