"""What a smaller demand saves, as the report says it: nothing where too little is known of what is below."""

from __future__ import annotations

import re

from headwater.cost import smaller_demand
from headwater.cost.estimate import ASSUMED_ROWS, in_words, of_first_rows
from headwater.cost.gains import gain_of
from headwater.data_facts.model import DataFacts
from headwater.demand.needs import all_names
from headwater.demand.protocol import OnePassProposal, Proposal
from headwater.demand.worth import rows_of_files
from headwater_ir.demand import Wall
from headwater_ir.expr import columns_of
from headwater_ir.plan import Cache, Filter, GroupMap, Plan, Project, RowUdf, Scan, Shared, Sort, View

from ..data.removed import text_lengths

LITTLE = 4 / 3
_REGEX = re.compile(r"\b(?:rlike|regexp\w*)\b", re.IGNORECASE)
Benefit = tuple[tuple[str, str], ...]
Data = tuple[DataFacts, ...]


def benefit_of(proposal: Proposal, source: str, data: Data = ()) -> Benefit:
    """Of what is asked at a wall of the text ``source``; ``data``: what is known of the data."""
    if proposal.code == "HW402":
        return in_words(of_first_rows(proposal.wall.operator, rows_of_files(proposal.wall.plan), proposal.rows))
    saved = _saved(proposal, source, data)
    return saved.in_words() if saved is not None else ()


def why_it_cannot_pay(proposal: Proposal, source: str, data: Data = ()) -> str | None:
    """Why little is saved of any number of rows, or next to nothing of those that the files are said to have."""
    if _saves_little(proposal, source, data):
        return f"it saves less than a quarter of the time, even of {ASSUMED_ROWS:,} rows"
    rows = _rows_read(proposal.wall.plan)
    saved = None if rows is None or proposal.code == "HW402" else _saved(proposal, source, data)
    if saved is None or not saved.cannot_pay:
        return None
    return f"it saves next to nothing of the {rows:,} rows that the data files have"


def _saves_little(proposal: Proposal, source: str, data: Data) -> bool:
    """Whether little is saved whatever the number of rows: of all columns nearly as much is handed over, or the rows
    are counted by what Parquet files say of their own."""
    if proposal.code == "HW403" and not _is_parquet(proposal.wall.plan):
        return False
    saved = None if proposal.code == "HW402" else _saved(proposal, source, data, many=True)
    return saved is not None and saved.high < LITTLE


def _is_parquet(plan: Plan) -> bool:
    while isinstance(plan, (Project, Shared, View)):
        plan = plan.child
    return isinstance(plan, Scan) and plan.format == "parquet"


def _saved(proposal: Proposal, source: str, data: Data, *, many: bool = False) -> smaller_demand.Saved | None:
    """What is saved of the rows that there are, or, if ``many``, of as many as are assumed where nothing is known."""
    wall = proposal.wall
    if proposal.code == "HW401":
        return _of_columns(wall, data, many=many)
    known = proposal.code == "HW403" and not wall.rdd and wall.operator in ("count", "collect", "toPandas")
    return _of_emptiness(wall, source, many=many) if known else None


def benefit_of_one_pass(proposal: OnePassProposal) -> Benefit:
    """Of several jobs that are one; of turns of a loop it is not known how many there are."""
    if proposal.slow_if_large or any(j.turns is not None for j in proposal.jobs):
        return ()
    return smaller_demand.of_one_pass(proposal.times, _rows_read(proposal.first.plan)).in_words()


def _of_columns(wall: Wall, data: Data, *, many: bool) -> smaller_demand.Saved | None:
    names, schema = all_names(wall.readers), wall.schema
    if names is None or names.variables or not schema.complete:
        return None
    every = [(f.name, f.type) for f in schema.fields]
    lengths = text_lengths(wall.plan, schema, data)
    rows = None if many else rows_of_files(wall.plan)
    return smaller_demand.of_columns(wall.operator, every, names.columns, rows, lengths)


def _of_emptiness(wall: Wall, source: str, *, many: bool) -> smaller_demand.Saved | None:
    """None where a shuffle, or what has no model, stands below."""
    at, asked, tests, filtered = wall.plan, set[str](), 0.0, False
    while not isinstance(at, Scan):
        if isinstance(at, Filter):
            filtered = True
            asked |= {c for part in at.conjuncts for c in columns_of(part.condition)} | {*at.reads}
            tests += smaller_demand.REGEX_MICROSECONDS * len(_REGEX.findall(at.condition.text(source)))
        elif isinstance(at, RowUdf) or (isinstance(at, GroupMap) and at.boundary.operator.startswith("mapIn")):
            gain = gain_of(at.boundary.operator, elements=False)
            # Spark does not call a function whose column nobody reads
            if gain is not None and (isinstance(at, GroupMap) or not asked.isdisjoint(o.name for o in at.fold.outputs)):
                tests += gain.microseconds or 0
        elif not isinstance(at, (Project, Shared, View, Sort)):
            return None
        at = at.child
    return smaller_demand.of_emptiness(wall.operator, None if many else at.rows, filtered, tests)


def _rows_read(plan: Plan) -> int | None:
    """How many rows each job goes through, where files say so."""
    while isinstance(plan, (Filter, Project, RowUdf, Cache, Shared, View)):
        plan = plan.child
    return plan.rows if isinstance(plan, Scan) else None
