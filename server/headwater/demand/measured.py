"""What jobs ask of the rows of a frame: measures of one row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from headwater.pyspark.walls.held_rows import NEVER_CHANGED
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import Job

_DISTINCT = re.compile(
    r"functions\.(count_distinct|countDistinct|sum_distinct|sumDistinct)\(|functions\.expr\(.count\s*\(\s*distinct\b",
    re.IGNORECASE,
)

_NUMBER = re.compile(
    r"functions\.(expr\(['\"])?(approx_count_distinct|avg|count|countDistinct|count_distinct|count_if|mean|stddev|"
    r"stddev_pop|stddev_samp|sum|sumDistinct|sum_distinct|var_pop|var_samp|variance)\("
)
"""Functions whose value is no array, whatever the type of the column; that of ``max`` and ``min`` may be one."""


ONE_ROW = (ir.Item(0),)
"""What is asked of a frame that has one row for this."""


def measure_of(job: Job) -> ir.Measure:
    """What ``job`` asks for."""
    where = conditions_of(job.reading)
    for step in job.reading:
        if isinstance(step, ir.Different):
            return ir.Kinds(step.columns, where)
        if isinstance(step, ir.Measured):
            last = job.reading[-1]
            if not isinstance(last, ir.ColumnAt):
                return ir.AsRow(step.measures, step.names or ())
            measure = step.measures[last.index]
            return (
                measure if isinstance(measure, ir.AsRow) else replace(measure, conditions=(*where, *measure.conditions))
            )
    return ir.Counted(where)


def if_never_changed(jobs: Sequence[Job]) -> tuple[Assumption, ...]:
    """What has to be true for one value to stand for those that several of ``jobs`` ask for: Python has an array as a
    list, which changes in each variable that holds it."""
    asked = [measure_of(j) for j in jobs if not isinstance(j.reading[-1], ir.Size)]
    twice = [m for n, m in enumerate(asked) if m in asked[:n]]
    values = [v for m in twice for v in (m.measures if isinstance(m, ir.AsRow) else (m,))]
    schema = jobs[0].schema
    fixed = schema.complete and {f.type.name for f in schema.fields} <= NEVER_CHANGED
    if fixed or all(_NUMBER.match(v.text) for v in values if isinstance(v, ir.Folded)):
        return ()
    return (Assumption("program", f"nobody changes a list that `{jobs[0].frame}` is asked for in place"),)


def kinds_in(measure: ir.Measure) -> int:
    """Of how many sets of columns Spark looks for different values, for each of which it makes every row once more."""
    match measure:
        case ir.Kinds():
            return 1
        case ir.AsRow(measures):
            return sum(map(kinds_in, measures))
        case ir.Folded(text):
            return len(_DISTINCT.findall(text)) * (2 if text.startswith("*") else 1)
    return 0


def conditions_of(reading: Sequence[ir.Step]) -> tuple[str, ...]:
    return tuple(c for s in reading if isinstance(s, ir.Where) for c in s.conditions)


def is_value(job: Job) -> bool:
    """Whether ``job`` gives a number, or a row of known names, or the one that its frame has."""
    match job.reading:
        case (ir.Item(0),):
            return True  # of a frame that has no other
        case (ir.Measured(names=names), ir.Item()):
            return names is not None
    return isinstance(job.reading[-1], (ir.Size, ir.ColumnAt))


def with_conditions(measure: ir.Measure, conditions: tuple[str, ...]) -> ir.Measure:
    """``measure`` of the rows for which ``conditions`` are TRUE, in the place of its own."""
    if isinstance(measure, ir.AsRow):
        assert conditions == measure.conditions  # a row is not asked for behind filters
        return measure
    return replace(measure, conditions=conditions)
