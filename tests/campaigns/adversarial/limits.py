"""What a program may use, and what it leaves behind in the process that runs it: time and memory are limited, and what
it changes in modules and in the environment is put back."""

from __future__ import annotations

import ast
import importlib
import os
import resource
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

CPU_SECONDS = 20.0
MEMORY_BYTES = 6 * 2**30
_ALWAYS = (
    "builtins", "sys", "math", "random", "operator", "functools", "pyspark.sql.functions", "tests.small_spark.functions"
)  # fmt: skip


class OutOfTime(BaseException):
    """A program used more CPU time than it may. No ``Exception``: neither it nor the analysis may catch it."""


@contextmanager
def limited(seconds: float = CPU_SECONDS) -> Iterator[None]:
    """OutOfTime after so many seconds of CPU time of this process; in the main thread only."""

    def stop(*_: Any) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)  # again each second, where a bare `except` caught it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def limit_memory() -> None:
    """Let this process raise MemoryError rather than fill the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, resource.RLIM_INFINITY))


@contextmanager
def restored(source: str, own: Iterable[str] = ()) -> Iterator[None]:
    """Put back what ``source`` may change in this process while it runs; not the state of random numbers, by which one
    run is told from the next. ``own``: the modules of its own that it imports."""
    modules = list(_modules(source, frozenset(own)))
    before = [dict(vars(m)) for m in modules]
    environment = dict(os.environ)
    try:
        yield
    finally:
        for module, known in zip(modules, before, strict=True):
            _restore(module, known)
        if environment != os.environ:
            os.environ.clear()
            os.environ.update(environment)


def _modules(source: str, own: frozenset[str]) -> Iterator[ModuleType]:
    """Those that the text imports, and those that it may get at without."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        tree = ast.Module([], [])
    names = dict.fromkeys(_ALWAYS)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(dict.fromkeys(a.name for a in node.names))
        elif isinstance(node, ast.ImportFrom) and node.module:
            names[node.module] = None
    for name in names.keys() - own:
        if not name.startswith("pyspark") or name in sys.modules:  # PySpark is not needed by the small Spark
            yield importlib.import_module(name)


def _restore(module: ModuleType, known: dict[str, Any]) -> None:
    own = vars(module)
    for name in [n for n in own if n not in known and not isinstance(own[n], ModuleType)]:
        del own[name]
    for name, value in known.items():
        if name not in own or own[name] is not value:
            own[name] = value
