"""How many rows a pre-filter removes, by the statistics of the files that it is asked of.

Law: the share is that of all rows of a source. Where filters stand between it and the pre-filter, other rows come to
that, so that nothing is said unless all rows of the source pass, or none. Nor is it if the program states another type
for a column than the files have.
"""

from __future__ import annotations

from headwater.cost.estimate import Removed
from headwater.cost.selectivity import removed
from headwater.data_facts.model import DataFacts
from headwater.demand.worth import rows_of_files
from headwater.pyspark.frames.known_data import evidence, schema_of_facts
from headwater.source.reach import scan_below
from headwater_ir.expr import Expr, columns_of
from headwater_ir.plan import Explode, Plan, Schema


def removed_of(boundary: Plan, pre_filter: Expr, data: tuple[DataFacts, ...]) -> Removed | None:
    """What ``data`` says of the rows that ``pre_filter`` removes in front of ``boundary``; None if it says nothing."""
    below = getattr(boundary, "child", None)
    columns = columns_of(pre_filter)
    if not data or below is None or (isinstance(boundary, Explode) and any(map(boundary.makes, columns))):
        return None
    scan = scan_below(below, columns)
    facts = None if scan is None else next((d for d in data if evidence(d) == scan.data), None)
    if scan is None or facts is None:
        return None
    stored = {f.name: f.type for f in schema_of_facts(facts, Schema(())).fields}
    read = {f.name: f.type for f in scan.schema.fields}
    if any(c not in stored or stored[c] != read.get(c) for c in columns):
        return None
    share = removed(pre_filter, facts.parts)
    if share is None or not (rows_of_files(below) is not None or (share.exact and share.low in (0, 1))):
        return None
    return Removed(share, evidence(facts))
