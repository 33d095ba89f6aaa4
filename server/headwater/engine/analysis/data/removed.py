"""How many rows a pre-filter removes, by the statistics of the files that it is asked of, and how long texts are.

Law: the share is that of all rows of a source. Where filters stand between it and the pre-filter, other rows come to
that, so that nothing is said unless all rows of the source pass, or none. Nor is it if the program states another type
for a column than the files have.
"""

from __future__ import annotations

from headwater.cost.estimate import Removed
from headwater.cost.selectivity import removed
from headwater.data_facts.bounds import Known
from headwater.data_facts.model import DataFacts
from headwater.demand.worth import rows_of_files
from headwater.pyspark.frames.known_data import evidence, schema_of_facts
from headwater.source.reach import scan_below
from headwater_ir.expr import Expr, columns_of
from headwater_ir.plan import Explode, Plan, Schema
from headwater_ir.types import STRING


def removed_of(boundary: Plan, pre_filter: Expr, data: tuple[DataFacts, ...]) -> Removed | None:
    """What ``data`` says of the rows that ``pre_filter`` removes in front of ``boundary``; None if it says nothing."""
    below = getattr(boundary, "child", None)
    columns = columns_of(pre_filter)
    if below is None or (isinstance(boundary, Explode) and any(map(boundary.makes, columns))):
        return None
    facts = facts_of(below, columns, data)
    share = None if facts is None else removed(pre_filter, facts.parts)
    if facts is None or share is None:
        return None
    if rows_of_files(below) is None and not (share.exact and share.low in (0, 1)):
        return None
    return Removed(share, evidence(facts))


def facts_of(plan: Plan, columns: frozenset[str], data: tuple[DataFacts, ...]) -> DataFacts | None:
    """What is known of the files that ``columns`` of ``plan`` are read from as they are; None if nothing."""
    scan = scan_below(plan, columns) if data else None
    facts = None if scan is None else next((d for d in data if evidence(d) == scan.data), None)
    if scan is None or facts is None:
        return None
    stored = {f.name: f.type for f in schema_of_facts(facts, Schema(())).fields}
    read = {f.name: f.type for f in scan.schema.fields}
    return facts if all(c in stored and stored[c] == read.get(c) for c in columns) else None


def text_lengths(plan: Plan, schema: Schema, data: tuple[DataFacts, ...]) -> dict[str, float]:
    """By column of ``plan``, how many bytes its texts have for a row, where files say it of all of their rows."""
    found = {}
    for column in (f.name for f in schema.fields if f.type == STRING):
        facts = facts_of(plan, frozenset({column}), data)
        known = [p.columns.get(column, Known()).text_bytes for p in facts.parts if p.rows] if facts else []
        if facts is not None and facts.rows and known and None not in known:
            found[column] = sum(size or 0 for size in known) / facts.rows
    return found
