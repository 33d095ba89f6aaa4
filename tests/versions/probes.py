"""Small questions to a Spark: what verdicts rest on, and what may differ between versions.

A probe is a name and a function of a session that gives a text. An error is an answer too, as the name of its class.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.replay import setting

PREFIX = "spark.sql.execution."
ARROW = f"{PREFIX}pythonUDF.arrow.enabled"


_OBJECT = re.compile(r"@[0-9a-f]{4,}|(?<=Calendar\[).*")
"""What Java makes of an object differs by run."""


@dataclass(frozen=True)
class Probe:
    """``family``: the part of the page that shows it."""

    family: str
    name: str
    ask: Callable[[Any], str]

    @property
    def id(self) -> str:
        return f"{self.family}: {self.name}"


def all_probes() -> list[Probe]:
    """Every probe, in the order of the page."""
    from . import api, catalyst, frames, sql, udfs

    found = [*udfs.probes(), *sql.probes(), *frames.probes(), *api.probes(), *catalyst.probes()]
    assert len({p.id for p in found}) == len(found)
    return found


def answer(probe: Probe, spark: Any) -> str:
    """What the session answers, on one line."""
    try:
        with warnings.catch_warnings(), setting(spark, {}):
            warnings.simplefilter("ignore")
            return _OBJECT.sub("@", " ".join(probe.ask(spark).split()))
    except Exception as error:
        return f"error {type(error).__name__}"


def values(frame: Any) -> str:
    """The rows of a frame in a stable order, each value by its ``repr``."""
    return ", ".join(sorted("|".join(map(repr, row)) for row in frame.collect()))


def of_sql(family: str, queries: dict[str, str]) -> Iterator[Probe]:
    """A probe for each query: its rows."""
    for name, query in queries.items():
        yield Probe(family, name, lambda spark, query=query: values(spark.sql(query)))


def of_python(family: str, questions: dict[str, str], namespace: str) -> Iterator[Probe]:
    """A probe for each expression in Python, after the statements ``namespace``: its rows if it is a frame."""

    def ask(spark: Any, text: str) -> str:
        names: dict[str, Any] = {"spark": spark}
        exec(compile(namespace, "<probe>", "exec", dont_inherit=True), names)
        found = eval(text, names)
        return values(found) if hasattr(found, "collect") else str(found)

    for name, text in questions.items():
        yield Probe(family, name, lambda spark, text=text: ask(spark, text))
