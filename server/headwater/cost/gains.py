"""Which kinds of rewrite are offered: those that a benchmark on Spark has shown to gain.

One table. A kind names what a filter is moved in front of, and the pipeline of ``make bench NAME=spark`` whose result
in ``benchmarks/spark/results`` shows that the program is faster after the rewrite. Without such a result findings of
the kind are left out, unless all are asked for (``--all``), and never applied. A boundary that no kind names is left
out too. ``tests/cost/test_gains.py`` compares the table with the results.
"""

from __future__ import annotations

from dataclasses import dataclass

START_SECONDS = 0.5
"""Until a query gets its first row."""


@dataclass(frozen=True)
class Gain:
    """A kind of rewrite: ``kind`` in words, ``operators`` of its boundaries, ``pipeline`` that shows the gain or None;
    ``microseconds``: what its boundary costs for each row that it is spared, without what the operations of its Python
    function take (``function``), the median over the measured pipelines of the kind, None if none is measured;
    ``start``: seconds until it gets its first row, where workers begin for it; ``elements``: the pre-filter is one of
    the elements of an RDD that is not known to hold rows of a frame."""

    kind: str
    operators: frozenset[str]
    pipeline: str | None
    microseconds: float | None = None
    elements: bool = False
    start: float = START_SECONDS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BY_KEY = _words("aggregateByKey reduceByKey foldByKey combineByKey groupByKey groupByKey.mapValues")
_OF_ROWS = _words(
    """rdd rdd.map rdd.flatMap rdd.keyBy rdd.filter rdd.mapPartitions rdd.mapValues rdd.flatMapValues rdd.values
    rdd.keys rdd.aggregateByKey rdd.reduceByKey rdd.foldByKey rdd.combineByKey rdd.groupByKey"""
)
GAINS = (
    Gain(
        "a Python function of a group",
        _words("applyInPandas applyInArrow cogroup series"),
        "examples/top_scores",
        1.7,
        start=1.0,
    ),
    Gain("a Python function of a row", _words("udf pandas_udf"), "examples/categories", 0.88),
    Gain("a Python function of batches", _words("mapInPandas mapInArrow"), "programs/batches", 7.8),
    Gain("a Python table function", _words("udtf"), "games/podium:0", 66.0),
    Gain(
        "an aggregate",
        _words("agg count sum avg mean max min rollup cube") | {"GROUP BY", "SELECT"},
        "examples/peak_payments",
        0.79,
    ),
    Gain("an RDD aggregated by key", _BY_KEY, "retail/rdd_store_peaks:0", 8.0),
    Gain("an RDD of rows", _OF_ROWS, "programs/rdd_digest", 57.0),
    Gain("an RDD of elements", _BY_KEY | _OF_ROWS, None, elements=True),
    Gain("rows on the driver", _words("collect toLocalIterator"), "programs/driver_rows", 21.0),
    Gain("a frame of pandas on the driver", _words("toPandas"), "programs/driver_masks", 0.38),
    Gain("names of files", _words("input_file_name"), "programs/file_names", 0.21),
    Gain("a window", _words("window"), "programs/window_rank", 13.0),
    Gain("the first of an order", _words("limit offset"), None),
    Gain("columns as rows", _words("unpivot melt stack"), None, 0.2),
    Gain("elements of an array or a map", _words("explode explode_outer posexplode posexplode_outer"), None),
)
"""``series``: a Python function that aggregates, which is offered as an aggregate, but costs what a Python function of
a group does. Of those without a pipeline: ``filter(xs, …)`` in an explode is slower than the filter behind it, for
Spark interprets the lambda for each element; a filter of the elements of an RDD calls one more Python function for each
(``programs/rdd_levels``); less to unpivot saves no time that could be measured (``programs/unpivot_readings``)."""
DEMAND = {
    "HW201": ("programs/hidden_year",),
    "HW401": ("programs/unread_columns", "programs/rdd_columns"),
    "HW402": ("programs/first_rows",),
    "HW403": ("programs/emptiness",),
    "HW404": ("programs/repeated_scan",),
    "HW407": ("programs/single_use_cache",),
}
"""The pipelines that show the gain of a smaller demand, or of less that is read, by code; HW401 at the driver and in
front of ``rdd.map``."""
NO_GAIN = {"HW405": "programs/matched_lines", "HW406": "programs/group_extreme"}
"""Smaller demands that are left out by default, and the pipeline that shows why: a semi join is about as fast as
the join, and a rank sorts every row, which is slower for many groups."""
_KINDS = {(operator, gain.elements): gain for gain in GAINS for operator in gain.operators}


def gain_of(operator: str, elements: bool) -> Gain | None:
    """The kind of a rewrite that moves a filter in front of ``operator``, as ``Boundary`` names it; ``elements`` as in
    ``Gain``. None if no kind names it."""
    return _KINDS.get((operator, elements))


def gains(operator: str, elements: bool) -> bool:
    """Whether a benchmark has shown that it gains to move a filter in front of ``operator``."""
    gain = gain_of(operator, elements)
    return gain is not None and gain.pipeline is not None
