"""Whether what is said of a marked pre-filter is so: its witness must show (HW301)."""

from __future__ import annotations

from typing import Any

from headwater.engine.analysis.options import Options
from headwater.engine.analysis.reading import read
from headwater.engine.analysis.unsound_prefilter import Unsound, marked_below, refuted, without
from tests.mdtest.cases import Table
from tests.results import Failed
from tests.small_spark import run

from .tool import Answer

_PLAIN: dict[str, Any] = {"int": 1, "bigint": 1, "double": 1.0, "string": "a", "boolean": True}


def contradicted(found: Answer) -> str | None:
    """A witness on which the program does the same with the marked filter and without it; None if there is none."""
    program = found.program
    if all(o.code != "HW301" for o in found.report.opportunities):
        return None
    options = Options(schemas=program.schemas)
    for marked in marked_below(read(program.source, options), program.source):
        bare = without(program.source, marked)
        unsound = refuted(marked, read(bare, options))
        if unsound is None:
            continue
        tables = {"t": [_rows(unsound, program.tables[0])]}
        results = [run(text, program.ddl, tables) for text in (program.source, bare)]
        if results[0] == results[1] and not isinstance(results[0], Failed):
            return f"the witness {tables['t']} shows nothing: {results[0]} with the marked filter and without it"
    return None


def _rows(unsound: Unsound, table: Table) -> list[tuple[Any, ...]]:
    """The witness as rows of the table; of a column that is not read, any value."""
    return [tuple(_value(row.get(f.name, _PLAIN[f.type]), f.type) for f in table.fields) for row in unsound.rows]


def _value(value: Any, kind: str) -> Any:
    return float(value) if kind == "double" and isinstance(value, int) else value
