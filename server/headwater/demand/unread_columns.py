"""HW401: columns cross a wall and are never read.

Law: a program that looks at no other column gives the same values when it is handed these columns alone.
"""

from __future__ import annotations

from headwater.source.columns_read import note_of_scan
from headwater_ir import demand as ir
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import BY_ROW, Claim, Wall
from headwater_ir.plan import Join
from headwater_ir.span import Span
from headwater_ir.walks import below

from .needs import Names, all_names, columns_needed, most_rows
from .protocol import Answer, NotWorth, Proposal
from .worth import (
    columns_below,
    columns_of_plan,
    groups_with_values,
    is_text,
    one_column_of_each_name,
    unknown_anywhere,
    why_few,
)
from .writing import column_list, in_front, method_span

_MOST_SHOWN = 3
_MOST_OF_UNKNOWN = 8
"""Columns of a frame whose columns are not known, read one by one: a table with many more is rare."""


def unread_columns(wall: Wall, source: str) -> Answer:
    """A projection in front of ``wall``; None if its readers look at all columns."""
    known = wall.operator in BY_ROW if wall.rdd else wall.operator in ("collect", "toPandas", "toLocalIterator")
    names = all_names(wall.readers) if known else None
    if names is None or names == Names(()):
        return None
    why = _why_not(wall, names)
    if why is not None:
        return NotWorth(why)
    assumptions = _names_known(wall, names) if names.variables or _every(wall) is None else ()
    if assumptions is None:
        return NotWorth("two columns of the frame may have the same name")
    own = method_span(wall, source)
    chosen = f"select({_given(names, source)})"
    select = in_front(wall, source, chosen)
    if own is None or select is None:
        return NotWorth("the call is not written plainly")
    columns, variables = names
    step = ir.SelectedBy(columns, variables) if variables else ir.Selected(columns)
    claims = tuple(Claim((*wall.steps, *r.reading), (*wall.steps, step, *r.reading)) for r in wall.readers)
    said = f"{chosen}.{own.text(source)}"
    # the function that an RDD hands each row to stays as it is
    replaced = Span(wall.call.start, own.end) if wall.operator in BY_ROW else wall.call
    why = _said(wall, names)
    read = note_of_scan(wall.plan, columns) if not variables and not wall.steps else None
    notes = () if read is None else (read,)
    return Proposal("HW401", wall, own, said, own.text(source), why, replaced, (select,), claims, assumptions, notes)


def _every(wall: Wall) -> tuple[str, ...] | None:
    """All columns of the frame, where the file says them."""
    schema = wall.schema
    return tuple(f.name for f in schema.fields) if schema.complete else columns_of_plan(wall.plan)


def _why_not(wall: Wall, names: Names) -> str | None:
    """Why nothing is gained by a projection."""
    columns, every, number = names.columns, _every(wall), sum(map(len, names))
    if most_rows(wall.readers) is not None:
        return "only first rows are looked at"
    if number > 1 and not wall.or_lists.isdisjoint(names.variables):
        return "a variable that names a column may hold a list of names"
    if any(isinstance(s, (ir.Selected, ir.SelectedBy)) for s in wall.steps):
        return "the columns are selected already"
    if every is not None:
        if not {*columns} <= {*every} or len({*every}) < len(every):
            return "a column that is read is not one of the frame's"
        if 3 * number > 2 * len(every):
            return "nearly all columns are read"
    handed = columns_below(wall.plan)
    if handed is not None and {*columns} >= {*handed}:
        return "nearly all columns are read"
    if (columns == ("value",) or not columns) and is_text(wall.plan):
        return "nearly all columns are read"
    if every is None and number > _MOST_OF_UNKNOWN and not _are_chosen(wall, number):
        return "many columns are read, and how many more the frame has is not known"
    listed = (*columns, *(f"{{{v}}}" for v in names.variables))
    return why_few(wall.plan) or unknown_anywhere(wall.plan, columns) or groups_with_values(wall.plan, listed)


def _are_chosen(wall: Wall, number: int) -> bool:
    """Whether most of the ``number`` columns are read as a list of them: who lists columns of a frame says that it has
    others."""
    lists = (len(s.columns) for r in wall.readers for s in r.reading if isinstance(s, ir.Selected))
    return 2 * max(lists, default=0) > number


def _given(names: Names, source: str) -> str:
    """The arguments of ``select``; a set where two of them may be the same."""
    columns, variables = names
    given = [*([column_list(columns, source)] if columns else []), *variables]
    return ", ".join(given) if sum(map(len, names)) == 1 or not variables else f"*{{{', '.join(given)}}}"


def _said(wall: Wall, names: Names) -> str:
    columns, variables = names
    listed = [*(f"`{c}`" for c in columns), *(f"that `{v}` names" for v in variables)]
    more = f" and {len(listed) - _MOST_SHOWN} more" if len(listed) > _MOST_SHOWN else ""
    every = _every(wall)
    total = f" of {len(every)}" if every is not None else ""
    one = len(listed) == 1
    kind = ("column" if columns else "the column") if one else "the columns"
    return f"only {kind} {', '.join(listed[:_MOST_SHOWN])}{more}{total} {'is' if one else 'are'} read"


def _names_known(wall: Wall, names: Names) -> tuple[Assumption, ...] | None:
    """What is assumed of the names of a frame; None if it may well have some twice."""
    held = tuple(
        Assumption("names", f"`{v}` holds the name of one column, without dots or backticks") for v in names.variables
    )
    if _every(wall) is not None or not names.columns:
        joined = names.variables and _every(wall) is None and any(isinstance(p, Join) for p in below(wall.plan))
        return None if joined and one_column_of_each_name(wall.plan) is not True else held
    known = one_column_of_each_name(wall.plan)
    stated = {f.name for f in wall.schema.fields}
    certain = {n for r in wall.readers if r.certain for n in columns_needed(r.reading) or ()}
    if known is True:
        unsure = ", ".join(f"`{c}`" for c in names.columns if c not in stated | certain)
        text = f"the frame has the column{'s' if ',' in unsure else ''} {unsure}"
        return (Assumption("names", text), *held) if unsure else held
    if wall.operator == "toPandas" or any(isinstance(s, ir.Column) for r in wall.readers for s in r.reading):
        if any(isinstance(p, Join) for p in below(wall.plan)):
            return None
    which = ", ".join(f"`{c}`" for c in names.columns)
    return (Assumption("names", f"the frame has one column of each of the names {which}"), *held)
