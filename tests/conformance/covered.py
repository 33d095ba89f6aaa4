"""The completeness table: by family, what there is, what the case tables exercise, and what needs no case and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from tests.mdtest.cases import all_cases
from tests.pyspark.render import module
from tests.python.all_cases import CASES
from tests.python.rdd import rdd_cases, rdd_chain_cases

from . import cases, column_cases, constructs
from .constructs import Names

_REFUSED_FRAMES = ("checkpoint", "localCheckpoint", "sampleBy", "tail", "dropDuplicatesWithinWatermark")


@dataclass(frozen=True)
class Family:
    """Constructs of one kind. ``excused``: construct → why no case can be, or needs to be, written."""

    there: Names
    exercised: Names
    excused: Mapping[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> list[str]:
        """Constructs without a case."""
        return sorted(self.there - self.exercised - set(self.excused))

    @property
    def stale(self) -> list[str]:
        """Excuses for what is not there."""
        return sorted(set(self.excused) - self.there)


def programs() -> dict[str, str]:
    """Every Python function that is compared with CPython, pandas or Spark: name → source."""
    found = {name: case.source for name, case in CASES.items()}
    found |= {f"rdd chain {n}": source for n, source in rdd_chain_cases.CHAINS.items()}
    return found | {f"rdd {n}": source for n, source in rdd_cases.CHAINS.items()}


def _in_plans_of(sources: Sequence[str], there: Names) -> Names:
    """The nodes of the plans of these programs, of which no more are read once they have all that is ``there``: of
    thousands a few hundred. Those of one file, which are much alike, are far apart."""
    found: set[str] = set()
    for source in Random(0).sample(sources, len(sources)):
        found.update(word for f in module(source, head="").filters for word in constructs.in_plan(f))
        if found >= there:
            break
    return frozenset(found)


@cache
def families() -> dict[str, Family]:
    """All of them."""
    from . import test_aggregates, test_native_filters, test_opaque_python, test_pandas_rows

    expressions = [e for s, t in (*cases.PAIRS, *cases.MIXED) for d in ("python", "sql") for e in cases.expressions(s, t, d)]  # fmt: skip # noqa: E501
    replayed = [c.source for c in all_cases()]
    sources = [*programs().values(), *test_opaque_python.PROGRAMS]
    sources += [f"def g(pdf):\n    {body}\n" for body in test_pandas_rows.KEPT]
    sources += [f"g = lambda v: {body}\n" for _, body in test_native_filters.CASES]
    sources += [f"g = lambda v: {body}\n" for bodies in test_pandas_rows.ELEMENTS.values() for body in bodies]
    aggregates = [*test_aggregates.AGGREGATES, *test_aggregates.OPAQUE]
    return {
        "expressions": Family(
            constructs.of_ir(), constructs.in_expressions([*expressions, *cases.LEAVES, *cases.CALLS])
        ),
        "plans": Family(constructs.of_plans(), _in_plans_of(replayed, constructs.of_plans())),
        "columns": Family(
            constructs.of_columns(),
            constructs.in_columns([*column_cases.COLUMNS, *column_cases.opaque(), *column_cases.TEXTS_FIRST]),
            column_cases.EXCUSED,
        ),
        "SQL": Family(
            constructs.of_sql(),
            constructs.in_sql([*column_cases.SQL, *column_cases.SQL_OPAQUE]),
            {
                "ArraySize": "test_array_sizes.py asks Spark for arrays, which no column here is",
                "IntDiv": "tests/proof/ranges/test_numbers.py asks Spark for whole quotients, which no Column is",
                "Interval": "test_intervals.py asks Spark for what is added to dates and moments",
            },
        ),
        "aggregates": Family(
            constructs.of_aggregates(),
            frozenset(n.removeprefix("F.") for n in constructs.in_columns(aggregates)),
            {"any": "PySpark has no such function, only agg's dict"},
        ),
        "frames": Family(
            constructs.of_frames(),
            frozenset(n[1:] for n in constructs.in_python([*replayed, *sources]) if n[0] == "."),
            dict.fromkeys(_REFUSED_FRAMES, "refused by name"),
        ),
        "Python": Family(
            constructs.of_python(),
            constructs.in_python([*replayed, *sources]),
            dict.fromkeys(("numpy.pi", "pandas.NA", "pandas.NaT"), "a constant"),
        ),
    }
