"""Whether a column may be a session window: ``F.session_window("ts", "2 hours")``.

The column has one interval for each row, and a mark in its metadata. Wherever Spark aggregates by a column with the
mark (``groupBy``, ``distinct``, ``dropDuplicates``, ``intersect``), it merges the intervals that overlap, so that the
key of a row depends on other rows. The mark goes with the column, through renaming, structs, joins, unions, caches,
views and Parquet files (measured in ``tests/mdtest/traps/traps_sessions.md``). Every computation drops it.

A column that comes from outside of the file is taken for a plain one as long as the file neither mentions session
windows nor hands Spark SQL that is put together of parts which are not known: such a text may have made a view.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from headwater.syntax.names.resolve import Names
from headwater_ir.expr import Col, Expr
from headwater_ir.plan import Aggregate, Explode, GroupMap, Opaque, Plan, Project, RowUdf, Scan, Window
from headwater_ir.struct_fields import is_field
from headwater_ir.unread import why_unread
from headwater_ir.walks import inputs

Origin = Literal["plain", "unknown", "session"]
_BY_DOUBT: tuple[Origin, ...] = ("plain", "unknown", "session")


_NAME, _MEMO = "session_window", "_session_windows"


def from_outside(names: Names) -> Origin:
    """What a column may be of which the file does not show the origin."""
    spelled = names.may_spell(_NAME)
    return "plain" if spelled == "no" else "session" if spelled == "yes" else "unknown"


def origin_of(plan: Plan, column: str | None, outside: Origin) -> Origin:
    """Whether ``column`` of ``plan``, or any column if None, is surely no session window, is one of which that is not
    known, or may be one. ``outside``: what a column is of which the file does not show the origin."""
    known: dict[tuple[str | None, Origin], Origin] = plan.__dict__.setdefault(_MEMO, {})  # a plan does not change
    asked = column, outside
    if asked not in known:
        known[asked] = _origin_of(plan, column, outside)
    return known[asked]


def _origin_of(plan: Plan, column: str | None, outside: Origin) -> Origin:
    match plan:
        case Scan(schema=schema):
            fields = [f for f in schema.fields if column is None or _is_in(column, [f.name])]
            known = fields and all(f.type.name not in ("any", "opaque") for f in fields)
            return "plain" if known and (column is not None or schema.complete) else outside
        case Opaque(causes=causes, makes=makes, child=child):
            found: list[Origin] = []
            made_here = makes is None or (bool(makes) if column is None else _is_in(column, makes))
            if "no sessions" in causes:
                return outside if child is None else origin_of(child, None, outside)
            if "columns" in causes and made_here:
                found.append("unknown" if makes is None and outside != "session" else "session")
            elif child is None:
                found.append(outside)
            if child is not None and (makes is None or column is None or not made_here):
                found.append(origin_of(child, column, outside))
            return _worst(found)
        case GroupMap():  # its schema may be that of another frame, marks included
            return _worst(origin_of(i, None, outside) for i in inputs(plan))
        case RowUdf(fold=fold) | Aggregate(fold=fold) if column is not None:
            if values := [o.value for o in fold.outputs if _is_in(column, [o.name])]:
                return _worst(_of_value(v, plan, outside) for v in values)
        case Project(columns=columns) if column is not None:
            if values := [v for n, v in columns if _is_in(column, [n])]:
                return _worst(_of_value(v, plan, outside) for v in values)
        case Project(columns=columns, keeps_others=False):
            return _worst(_of_value(v, plan, outside) for _, v in columns)
        case Window(windows=windows, columns=columns) if column is not None:
            if values := [v for n, v in columns if _is_in(column, [n])]:
                return _worst(_of_value(v, plan, outside) for v in values)
            if _is_in(column, [w.name for w in windows]):
                return "plain"
        case Explode(made=made_columns) if column is not None and _is_in(column, made_columns):
            return "plain"
    return _worst(origin_of(i, column, outside) for i in inputs(plan))


def _worst(found: Iterable[Origin]) -> Origin:
    return max(found, default="plain", key=_BY_DOUBT.index)


def _is_in(column: str, names: Iterable[str]) -> bool:
    """Whether ``column`` is one of ``names``, which Spark does not tell apart by their case."""
    return column.lower() in {n.lower() for n in names}


def _of_value(value: Expr, plan: Plan, outside: Origin) -> Origin:
    """The origin of what ``plan`` computes as ``value`` of its inputs: a copy of a column, or of a field of one, keeps
    the mark."""
    match value:
        case Col(name):
            of: str | None = name
        case _ if is_field(value) or why_unread(value) is not None:
            of = None
        case _:
            return "plain"
    return _worst(origin_of(i, of, outside) for i in inputs(plan))
