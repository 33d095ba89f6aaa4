"""The small Spark of ``tests/campaigns/fuzz/mini`` with a context: broadcasts, accumulators, and what a run prints
counts as a part of its result."""

from __future__ import annotations

import builtins
import contextlib
import io
import warnings
from collections import Counter
from types import SimpleNamespace
from typing import Any

from tests.campaigns.fuzz.judge import Bag, bag
from tests.campaigns.fuzz.mini import Failed
from tests.campaigns.fuzz.mini.frame import Parts
from tests.campaigns.fuzz.mini.run import Session, _compiled, _modules

from .limits import restored
from .program import Program

Result = Bag | Failed


class Accumulator:
    """``sparkContext.accumulator(0)``."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def add(self, more: Any) -> None:
        self.value += more

    def __iadd__(self, more: Any) -> Accumulator:
        self.add(more)
        return self


class Context:
    """``spark.sparkContext``: what workers are sent is a value of their own on Spark, and the same one here."""

    def __init__(self) -> None:
        self.accumulators: list[Accumulator] = []

    def broadcast(self, value: Any) -> Any:
        return SimpleNamespace(value=value, unpersist=lambda *_: None, destroy=lambda *_: None)

    def accumulator(self, value: Any, *_: Any) -> Accumulator:
        self.accumulators.append(Accumulator(value))
        return self.accumulators[-1]


def result(source: str, program: Program, inputs: dict[str, Parts]) -> Result:
    """The rows of ``result`` as a bag, with what was printed and counted; or why there are none."""
    session, printed, modules = Session(program.tables, inputs), io.StringIO(), _modules()
    session.sparkContext = Context()  # type: ignore[attr-defined]

    def imported(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] != "pyspark":
            return builtins.__import__(name, *rest, **more)
        return modules[name] if len(rest) > 2 and rest[2] else modules["pyspark"]

    namespace: dict[str, Any] = {
        "__name__": "generated", "spark": session, "__builtins__": {**vars(builtins), "__import__": imported},
    }  # fmt: skip
    try:
        with restored(source), warnings.catch_warnings(), contextlib.redirect_stdout(printed):
            warnings.simplefilter("ignore")
            exec(_compiled(source), namespace)
            found = bag_of(namespace["result"].rows())
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}")
    if printed.getvalue():
        found["printed", printed.getvalue()] += 1
    for i, made in enumerate(session.sparkContext.accumulators):  # type: ignore[attr-defined]
        found["accumulator", i, made.value] += 1
    return found


def bag_of(rows: Any) -> Bag:
    """Rows or elements as a bag."""
    rows = list(rows)
    try:
        found = bag(rows)
        assert not isinstance(found, Failed)
        return found
    except TypeError:  # an element that cannot be hashed
        return Counter(map(repr, rows))
