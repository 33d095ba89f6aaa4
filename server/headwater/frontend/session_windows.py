"""Whether a column may be a session window: ``F.session_window("ts", "2 hours")``.

The column has one interval for each row, and a mark in its metadata. Wherever Spark aggregates by a column with the
mark (``groupBy``, ``distinct``, ``dropDuplicates``, ``intersect``), it merges the intervals that overlap, so that the
key of a row depends on other rows. The mark goes with the column, through renaming, structs, joins, unions, caches,
views and Parquet files (measured in ``tests/mdtest/traps_sessions.md``). Every computation drops it.

A column that comes from outside of the file is taken for a plain one as long as the file does not mention session
windows.
"""

from __future__ import annotations

from typing import Literal

from headwater_ir.expr import Col, Expr
from headwater_ir.plan import (
    Aggregate,
    Explode,
    GroupMap,
    Opaque,
    Plan,
    Project,
    RowUdf,
    Scan,
    Window,
    inputs,
)
from headwater_ir.struct_fields import is_field
from headwater_ir.unread import why_unread

from .names import Names

Origin = Literal["plain", "unknown", "session"]
_BY_DOUBT: tuple[Origin, ...] = ("plain", "unknown", "session")


def are_mentioned(names: Names) -> bool:
    """Whether the file mentions session windows in code, text or SQL."""
    return names.ctx.mentions("session_window")


def origin_of(plan: Plan, column: str | None, mentioned: bool) -> Origin:
    """Whether ``column`` of ``plan``, or any column if None, is surely no session window, is one of which that is not
    known, or may be one. ``mentioned``: the file mentions session windows."""
    match plan:
        case Scan(schema=schema):
            fields = [f for f in schema.fields if column in (None, f.name)]
            known = fields and all(f.type.name not in ("any", "opaque") for f in fields)
            return "plain" if not mentioned or (known and (column is not None or schema.complete)) else "session"
        case Opaque(causes=causes, makes=makes, child=child):
            found: list[Origin] = []
            if "columns" in causes and (makes is None or column is None or column in makes):
                found.append("unknown" if makes is None and not mentioned else "session")
            elif child is None and mentioned:
                found.append("session")
            if child is not None and (makes is None or column is None or column not in makes):
                found.append(origin_of(child, column, mentioned))
            return max(found, default="plain", key=_BY_DOUBT.index)
        case GroupMap():  # its schema may be that of another frame, marks included
            return max((origin_of(i, None, mentioned) for i in inputs(plan)), default="plain", key=_BY_DOUBT.index)
        case RowUdf(fold=fold) | Aggregate(fold=fold) if column is not None:
            made = {o.name: o.value for o in fold.outputs}
            if column in made:
                return _of_value(made[column], plan, mentioned)
        case Project(columns=columns) if column is not None:
            named = dict(columns)
            if column in named:
                return _of_value(named[column], plan, mentioned)
        case Window(windows=windows, columns=columns) if column is not None:
            named = dict(columns)
            if column in named:
                return _of_value(named[column], plan, mentioned)
            if any(w.name == column for w in windows):
                return "plain"
        case Explode(made=made_columns) if column in made_columns:
            return "plain"
    return max((origin_of(i, column, mentioned) for i in inputs(plan)), default="plain", key=_BY_DOUBT.index)


def _of_value(value: Expr, plan: Plan, mentioned: bool) -> Origin:
    """The origin of what ``plan`` computes as ``value`` of its inputs: a copy of a column, or of a field of one, keeps
    the mark."""
    match value:
        case Col(name):
            of: str | None = name
        case _ if is_field(value) or why_unread(value) is not None:
            of = None
        case _:
            return "plain"
    found = (origin_of(i, of, mentioned) for i in inputs(plan))
    return max(found, default="plain", key=_BY_DOUBT.index)
