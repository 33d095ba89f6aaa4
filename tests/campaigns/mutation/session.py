"""Kills mutants from one process that has imported everything and collected the tests once.

Each mutant has a forked process of its own, which changes one function in place and runs, until one fails, the tests
that reach its statement: those first that have killed the most mutants nearby in the least time.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import resource
import select
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import CodeType, FrameType
from typing import Any

from .operators import Mutant
from .places import apply, place_of
from .runner import BLIND, ROOT, SERVER, Outcome, Result, Watch, name_of, targets

SPARE = 20.0
"""Seconds of processor time that a mutant may take beyond three times what its tests take."""
BROKEN = -2
Hints = Mapping[str, str]
"""The tests that have killed mutants in an earlier run."""


def nameless(mutant: Mutant) -> str:
    """``mutant`` as text, without its line."""
    return _LINE.sub("", str(mutant), count=1)


def hints_of(log: Iterable[str]) -> Hints:
    """From what ``--verbose`` has printed."""
    found = {}
    for line in log:
        outcome, _, rest = line.rstrip("\n").partition(" ")
        mutant, _, killer = rest.strip().rpartition("  ")
        if outcome == "killed":
            found[_LINE.sub("", mutant, count=1)] = killer
    return found


_LINE = re.compile(r":\d+(?= )")


@dataclass
class Test:
    """A test, its seconds of processor time, and the lines of the trusted base that it runs."""

    item: Any
    seconds: float = 0.0
    lines: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))


class Session:
    """A pytest plugin that runs mutants in place of tests."""

    def __init__(
        self, chosen: Sequence[Mutant], jobs: int, tell: Callable[[Result], None], hints: Hints, budget: float
    ) -> None:
        self.chosen, self.jobs, self.tell, self.hints, self.budget = chosen, jobs, tell, hints, budget
        self.tests: list[Test] = []
        self.failed = ""
        self._kills: dict[str, Counter[int]] = defaultdict(Counter)
        self._running: dict[int, tuple[int, Mutant]] = {}

    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of the tests."""
        os.chdir(ROOT)
        self.tests = [Test(item) for item in session.items]
        if session.testsfailed:
            self.failed = "when they are collected"
            return True
        self._measure(session)
        if not self.failed:
            for mutant in self.chosen:
                while len(self._running) >= self.jobs:
                    self._wait()
                self._start(session, mutant)
            while self._running:
                self._wait()
        return True

    def _measure(self, session: Any) -> None:
        """The unchanged code: whether the tests pass, how long each takes, what it reaches."""
        reader = self._fork(lambda tell: self._trace(session, tell), 3600)[0]
        with os.fdopen(reader) as lines:
            for line in lines:
                found = json.loads(line)
                if isinstance(found, str):
                    self.failed = found
                    continue
                test = self.tests[found[0]]
                test.seconds = found[1]
                for file, numbers in found[2].items():
                    test.lines[file] = set(numbers)
        os.wait()

    def _trace(self, session: Any, tell: Callable[[object], None]) -> None:
        files = {str(path): name_of(path) for path in targets()}
        reached: dict[str, set[int]] = defaultdict(set)

        def local(frame: FrameType, event: str, _: object) -> object:
            reached[files[frame.f_code.co_filename]].add(frame.f_lineno)
            return local

        def called(frame: FrameType, event: str, _: object) -> object:
            return local if frame.f_code.co_filename in files else None

        for i, killer in self._each(session, range(len(self.tests)), lambda: sys.settrace(called)):  # type: ignore[arg-type]
            sys.settrace(None)
            if killer:
                tell(killer)
                return
            tell((i, self.tests[i].seconds, {f: sorted(n) for f, n in reached.items()}))
            reached.clear()

    def _each(self, session: Any, order: Sequence[int], before: Callable[[], None]) -> Iterator[tuple[int, str]]:
        """Run tests; which one, and its name if it failed."""
        watch = Watch()
        session.config.pluginmanager.register(watch)
        items = [self.tests[i].item for i in order]
        for i, item, after in zip(order, items, [*items[1:], None]):  # noqa: B905
            start = time.process_time()
            before()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            self.tests[i].seconds = time.process_time() - start
            yield i, watch.killer

    def _start(self, session: Any, mutant: Mutant) -> None:
        place = place_of(mutant)
        assert place is not None
        reaching = [i for i, t in enumerate(self.tests) if not t.lines[mutant.file].isdisjoint(place.lines)]
        near, all_here = self._kills[f"{mutant.file} {place.function}"], self._kills[mutant.file]
        reaching.sort(key=lambda i: -(near[i] + 0.2 * all_here[i] + 0.1) / (self.tests[i].seconds + 0.005))
        hint = [i for i in reaching if self.tests[i].item.nodeid == self.hints.get(nameless(mutant))]
        reaching = list(dict.fromkeys(hint + reaching))
        spent = itertools.accumulate(self.tests[i].seconds for i in reaching)
        reaching = [i for i, sum_ in zip(reaching, spent, strict=True) if sum_ <= self.budget or i == reaching[0]]
        limit = SPARE + 3 * sum(self.tests[i].seconds for i in reaching)

        def attempt(tell: Callable[[object], None]) -> None:
            try:
                code: CodeType = mutant.code(SERVER / "headwater" / mutant.file)
            except SyntaxError:
                tell((-1, "compile"))
                return
            apply(place.function, import_module("headwater." + mutant.file.removesuffix(".py").replace("/", ".")), code)
            for i, killer in self._each(session, reaching, lambda: None):
                if killer:
                    tell((i, killer))
                    return
            tell((-1, ""))

        assert place is not None
        reader, child = self._fork(attempt, int(limit))
        self._running[reader] = (child, mutant)

    def _fork(self, work: Callable[[Callable[[object], None]], None], seconds: int) -> tuple[int, int]:
        reader, writer = os.pipe()
        child = os.fork()
        if child:
            os.close(writer)
            return reader, child
        try:
            os.close(reader)
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
            null = os.open(os.devnull, os.O_RDWR)
            for fd in (1, 2):
                os.dup2(null, fd)
            sys.dont_write_bytecode = True
            work(lambda found: _write(writer, found))
        except BaseException as error:
            _write(writer, (BROKEN, f"{type(error).__name__}: {error}"))
        finally:
            os._exit(0)

    def _wait(self) -> None:
        for reader in select.select(list(self._running), [], [])[0]:
            child, mutant = self._running.pop(reader)
            text = os.read(reader, 65536).decode()
            os.close(reader)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            number, killer = json.loads(text) if text else (-1, "the process died or ran out of time")
            if number == BROKEN:
                raise RuntimeError(f"the harness itself fails on {mutant}: {killer}")
            outcome: Outcome = ("killed" if killer else "survived") if text else "time-out"
            if number >= 0:
                place = place_of(mutant)
                assert place is not None
                self._kills[f"{mutant.file} {place.function}"][number] += 1
                self._kills[mutant.file][number] += 1
            self.tell(Result(mutant, outcome, killer))


def _write(writer: int, found: object) -> None:
    text = json.dumps(found).encode() + b"\n"
    while text:
        text = text[os.write(writer, text) :]


def kill(
    chosen: Sequence[Mutant],
    tests: Sequence[str],
    jobs: int,
    tell: Callable[[Result], None],
    hints: Hints,
    budget: float,
) -> str:
    """Run the mutants, all of the bodies of functions, and ``tell`` what becomes of each; the name of a test that fails
    on the unchanged code, if any."""
    import pytest

    session = Session(chosen, jobs, tell, hints, budget)
    options = ["-qq", "-s", "--no-summary", "-m", "not spark", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    options += [f"-pno:{name}" for name in ("cacheprovider", "faulthandler")]
    status = pytest.main([*options, *BLIND, *tests], plugins=[session])
    if status == pytest.ExitCode.INTERNAL_ERROR:
        raise RuntimeError("the harness itself fails")
    return session.failed or ("" if session.tests else f"no tests: {status}")
