"""HW401: columns cross a wall and are never read.

Law: a program that looks at no other column gives the same values when it is handed these columns alone.
"""

from __future__ import annotations

from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import BY_ROW, Claim, Wall
from headwater_ir.plan import Join
from headwater_ir.span import Span
from headwater_ir.walks import below

from .needs import all_columns, columns_needed, most_rows
from .protocol import Answer, NotWorth, Proposal
from .worth import columns_of_plan, groups_with_values, is_text, one_column_of_each_name, unknown_anywhere, why_few
from .writing import column_list, in_front, method_span

_MOST_SHOWN = 3
_MOST_OF_UNKNOWN = 8
"""Columns of a frame whose columns are not known: a table with many more is rare."""


def unread_columns(wall: Wall, source: str) -> Answer:
    """A projection in front of ``wall``; None if its readers look at all columns."""
    known = wall.operator in BY_ROW if wall.rdd else wall.operator in ("collect", "toPandas", "toLocalIterator")
    columns = all_columns(wall.readers) if known else None
    if not columns:
        return None
    if most_rows(wall.readers) is not None:
        return NotWorth("only first rows are looked at")
    if any(isinstance(s, ir.Selected) for s in wall.steps):
        return NotWorth("the columns are selected already")
    schema = wall.schema
    every = tuple(f.name for f in schema.fields) if schema.complete else columns_of_plan(wall.plan)
    if every is not None:
        if not {*columns} <= {*every} or len({*every}) < len(every):
            return NotWorth("a column that is read is not one of the frame's")
        if 3 * len(columns) > 2 * len(every):
            return NotWorth("nearly all columns are read")
    if columns == ("value",) and is_text(wall.plan):
        return NotWorth("nearly all columns are read")
    if every is None and len(columns) > _MOST_OF_UNKNOWN:
        return NotWorth("many columns are read, and how many more the frame has is not known")
    why = why_few(wall.plan) or unknown_anywhere(wall.plan) or groups_with_values(wall.plan, columns)
    if why is not None:
        return NotWorth(why)
    assumptions = _names_known(wall, columns) if every is None else ()
    if assumptions is None:
        return NotWorth("two columns of the frame may have the same name")
    own = method_span(wall, source)
    select = in_front(wall, source, f"select({column_list(columns, source)})")
    if own is None or select is None:
        return NotWorth("the call is not written plainly")
    claims = tuple(
        Claim((*wall.steps, *r.reading), (*wall.steps, ir.Selected(columns), *r.reading)) for r in wall.readers
    )
    named = ", ".join(f"`{c}`" for c in columns[:_MOST_SHOWN])
    more = f" and {len(columns) - _MOST_SHOWN} more" if len(columns) > _MOST_SHOWN else ""
    total = f" of {len(every)}" if every is not None else ""
    one = len(columns) == 1
    why = f"only {'column' if one else 'the columns'} {named}{more}{total} {'is' if one else 'are'} read"
    said = f"select({column_list(columns, source)}).{own.text(source)}"
    # the function that an RDD hands each row to stays as it is
    replaced = Span(wall.call.start, own.end) if wall.operator in BY_ROW else wall.call
    return Proposal("HW401", wall, own, said, own.text(source), why, replaced, (select,), claims, assumptions)


def _names_known(wall: Wall, columns: tuple[str, ...]) -> tuple[Assumption, ...] | None:
    """What is assumed of the names of a frame whose columns are not known; None if it may well have some twice."""
    known = one_column_of_each_name(wall.plan)
    stated = {f.name for f in wall.schema.fields}
    certain = {n for r in wall.readers if r.certain for n in columns_needed(r.reading) or ()}
    if known is True:
        unsure = ", ".join(f"`{c}`" for c in columns if c not in stated | certain)
        text = f"the frame has the column{'s' if ',' in unsure else ''} {unsure}"
        return (Assumption("names", text),) if unsure else ()
    if wall.operator == "toPandas" or any(isinstance(s, ir.Column) for r in wall.readers for s in r.reading):
        if any(isinstance(p, Join) for p in below(wall.plan)):
            return None
    which = ", ".join(f"`{c}`" for c in columns)
    return (Assumption("names", f"the frame has one column of each of the names {which}"),)
