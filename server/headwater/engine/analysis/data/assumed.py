"""That data files are as their statistics say: what a finding assumes where anything was taken from these.

Law: a finding names the files of every source below it. Of a frame that the program hands around, and of rows of an
RDD, it is not known which source has the columns: then it names all files that the text reads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from headwater.data_facts.model import DataFacts
from headwater.pyspark.frames.known_data import evidence
from headwater_ir.assumptions import Assumption
from headwater_ir.plan import Field, Plan, Scan
from headwater_ir.walks import below, inputs

MOST_COLUMNS = 6
"""Columns of a source that an assumption lists."""
_OWN_SCHEMA = frozenset("parquet orc csv json text avro xml delta jdbc memory".split())
"""Formats of which the schema is in the plan, or unknown."""


def data_assumed(plan: Plan, data: tuple[DataFacts, ...], read: Collection[str] = ()) -> tuple[Assumption, ...]:
    """What a finding assumes whose frames are below ``plan``, in a text of whose sources ``data`` is known; ``read``:
    the columns that it is about."""
    if not data:
        return ()
    known = dict.fromkeys(_of_sources(plan, read))
    leaves = [part for part in below(plan) if not inputs(part)]
    if not all(isinstance(p, Scan) and (p.data or p.format in _OWN_SCHEMA) for p in leaves):
        there = {p.data for p in leaves if isinstance(p, Scan)}
        others = (e for e in map(evidence, data) if e not in there)
        known |= dict.fromkeys(Assumption("data", f"the columns match {e}") for e in others)
    return tuple(known)


def _of_sources(plan: Plan, read: Collection[str]) -> Iterator[Assumption]:
    for part in below(plan):
        if isinstance(part, Scan) and part.data is not None:
            columns = [_of_field(f, part.rows is not None) for f in part.schema.fields if f.name in read][:MOST_COLUMNS]
            what = ", ".join(columns) or "the columns"
            yield Assumption("data", f"{what} {'matches' if len(columns) == 1 else 'match'} {part.data}")


def _of_field(field: Field, counted: bool) -> str:
    required = ", null count 0" if counted else ", not null"
    return f"`{field.name}` ({field.type}{'' if field.nullable else required})"
