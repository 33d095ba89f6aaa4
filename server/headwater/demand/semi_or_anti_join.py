"""HW405: a join of which only whether a row has a match is used.

Law: ``proof.demand.matches``. An inner join keeps a row once for each match: once if no two rows of the right side have
the same keys; or copies of a row are one further on. A left join behind which a column of the right side must be NULL
keeps the rows without a match, if that column is never NULL in a match. In both the columns of the right side must not
be read.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import Literal

from headwater.operators.columns import surely_has
from headwater.rewrite.edit import Edit
from headwater.rewrite.python_text import prevailing_quote, string_literal
from headwater.syntax.names.module_scope import Context
from headwater.syntax.names.resolve import Names
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import MatchCertificate, PlainJoin
from headwater_ir.expr import Col, columns_of
from headwater_ir.plan import (
    Aggregate,
    Cache,
    Distinct,
    DropDuplicates,
    Filter,
    Join,
    Limit,
    Opaque,
    Plan,
    Project,
    Sample,
    SetOperation,
    Shared,
    Sort,
    View,
)
from headwater_ir.span import Span
from headwater_ir.unread import why_unread
from headwater_ir.walks import below

from .nodes_around import joins_what_others_read, nodes_around
from .protocol import NotWorth
from .worth import columns_of_plan

_ONE_OF_EACH = re.compile(r"\s*\.\s*(?:distinct|dropDuplicates|drop_duplicates)\s*\(\s*\)\s*")
_SAME_COLUMNS = (Filter, Sort, Limit, Sample, Cache, Shared, View)


@dataclass(frozen=True)
class Match:
    """A join that keeps or drops rows of its left side alone. ``said``: its type."""

    join: PlainJoin
    operator: Literal["semi", "anti"]
    said: str
    edits: tuple[Edit, ...]
    certificate: MatchCertificate


def semi_or_anti_join(join: PlainJoin, version: int, source: str, context: Context) -> Match | NotWorth | None:
    """The join that makes the same rows as ``join``, or why there is none; None if it is not that kind of join."""
    test = join.test
    if not (join.join.how == "left" and test is not None) and join.join.how != "inner":
        return None
    if any(isinstance(n, Opaque) and "stream" in n.causes for n in below(join.join)):
        return NotWorth("rows of a stream are joined")
    columns = join.join.right_columns
    using = {k.lower() for k in join.join.using}
    unseen = None
    if not join.by_name or not all(_ONE_OF_EACH.fullmatch(u.text(source)) for u in join.unclear):
        if columns is None or not {c.lower() for c in columns} <= using or not _names_no_frame(join, context):
            return NotWorth("what is made of the join is not known in full")
        unseen = Assumption("names", "nobody names a column of the result by a frame of its right side")
    if columns is None:
        if test is not None or not _reads_the_left_side(join):
            return NotWorth("the columns of the right side are not known")
        more: tuple[str, ...] = ()
    else:
        more = tuple(c for c in columns if c.lower() not in using)
        read = _read(join, more)
        if read:
            return NotWorth(f"`{read[0]}` of the right side is read")
    keys = tuple(k.right.lower() for k in join.keys)
    if unseen is not None and test is None:
        made = _unique(join, keys, version, more)
        made = made if isinstance(made, NotWorth) else replace(made, assumptions=(*made.assumptions, unseen))
    else:
        made = _kept_once(join, keys, version, more) if test is None else _without_match(join, keys, version, more)
    if isinstance(made, NotWorth):
        return made
    said = string_literal(f"left_{made.operator}", prevailing_quote(source))
    edits = [_named(join, said)]
    if test is not None:
        gone = Span(test.receiver.end, test.call.end)
        if "#" in gone.text(source) or not gone.text(source).lstrip(" \t\r\n\\").startswith("."):
            return NotWorth("the filter is not plainly a call on the join")
        edits.append(Edit(gone, ""))
    return Match(join, made.operator, said, tuple(edits), made)


def _names_no_frame(join: PlainJoin, context: Context) -> bool:
    """Whether the file is not seen to name columns of the result by frames: nothing but this call reads the variable
    that holds the right side, and what has no model reads none, and no text like ``orders.id``."""
    if join.test is not None or not (join.by_name or join.elsewhere):
        return False
    imported = Names.of(context).imported
    call = nodes_around(context, join.call)[0]
    assert isinstance(call, ast.Call)
    around = [nodes_around(context, u) for u in join.unclear]
    nodes = [n for inner in around for at in inner[:1] for n in ast.walk(at)]
    names = [n for n in nodes if isinstance(n, ast.Name) and n.id not in imported]
    texts = [n for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str) and "." in n.value]
    unclear = any(u.start <= context.span(n).start < u.end for u in join.unclear for n in (*names, *texts))
    return all(around) and not unclear and not joins_what_others_read(call, context)


def _kept_once(
    join: PlainJoin, keys: tuple[str, ...], version: int, more: tuple[str, ...]
) -> MatchCertificate | NotWorth:
    """The proof for an inner join, of a right side that is unique, or where copies of a row are one further on."""
    made = _unique(join, keys, version, more)
    if join.forgiving and (isinstance(made, NotWorth) or made.assumptions):
        return MatchCertificate(version, "semi", keys, unread=more, forgiving=True)
    return made


def _reads_the_left_side(join: PlainJoin) -> bool:
    """Whether all that is read is surely a column of the left side: were it one of the right side as well, its name
    would be ambiguous, and Spark would say so."""
    behind = join.behind
    if behind is None or behind.keeps_others:
        return False
    sure = {c.lower() for c in (*surely_has(join.join.left), *join.join.using)}
    first = {n.lower() for _, e in behind.columns for n in columns_of(e)}
    readable = all(why_unread(e) is None for _, e in behind.columns)
    later = {n.lower() for n in join.read} - {n.lower() for n in join.made}
    return readable and first | later <= sure


def _unique(join: PlainJoin, keys: tuple[str, ...], version: int, more: tuple[str, ...]) -> MatchCertificate | NotWorth:
    """The proof for an inner join."""
    unique = _unique_columns(join.join.right, join.join.right_columns)
    if not unique or not unique <= {*keys}:
        return NotWorth("the right side may have several rows with the same keys")
    pairs = [k for k in join.keys if k.right.lower() in unique]
    if any(k.types == "different" for k in pairs):
        return NotWorth("a key of the right side is converted, so that several rows may match")
    unknown = [k for k in pairs if k.types == "unknown"]
    assumptions = tuple(Assumption("type", f"{_both(k.left, k.right)} the same type in both frames") for k in unknown)
    return MatchCertificate(version, "semi", keys, tuple(sorted(unique)), unread=more, assumptions=assumptions)


def _both(left: str, right: str) -> str:
    return f"`{left}` has" if left == right else f"`{left}` and `{right}` have"


def _without_match(
    join: PlainJoin, keys: tuple[str, ...], version: int, more: tuple[str, ...]
) -> MatchCertificate | NotWorth:
    """The proof for a left join with a test for NULL."""
    test = join.test
    assert test is not None
    if test.column.lower() not in keys and not test.never_null:
        return NotWorth(f"`{test.column}` may be NULL in a row that matches")
    return MatchCertificate(
        version, "anti", keys, tested=test.column.lower(), never_null=test.never_null, unread=more
    )  # fmt: skip


def _named(join: PlainJoin, said: str) -> Edit:
    if join.how is not None:
        return Edit(join.how, said)
    name = "how=" if join.keyword else ""
    return Edit(Span(join.last.end, join.last.end), f", {name}{said}")


def _read(join: PlainJoin, more: tuple[str, ...]) -> tuple[str, ...]:
    """Which of ``more``, the columns of the right side that the result has, somebody may read."""
    behind = join.behind
    if behind is None:
        return more
    # `r.k` is `k` of the frame called `r`, or a field of the column `r`: both count as read, if `r` is no frame of the
    # left side.
    left = {name.lower() for name, side, plain in join.join.called if side == "left" and plain}
    named = {n.lower() for _, e in behind.columns for n in columns_of(e)}
    read = {part for n in named if n.partition(".")[0] not in left for part in n.split(".")}
    read |= {part for n in join.read for part in n.lower().split(".")}  # a filter reaches through a projection
    gone = {d.lower() for d in behind.dropped}
    return tuple(c for c in more if c.lower() in read or (behind.keeps_others and c.lower() not in gone))


def _unique_columns(plan: Plan, columns: tuple[str, ...] | None) -> frozenset[str] | None:
    """Columns of ``plan`` of which no two rows have the same values; None if that is not known. ``columns``: all that
    it has, None if they are not known."""
    match plan:
        case Distinct() | SetOperation(operator="intersect" | "subtract"):
            every = columns or columns_of_plan(plan)
            return None if every is None else frozenset(c.lower() for c in every)
        case DropDuplicates(keys=keys):
            return None if keys is None else frozenset(k.lower() for k in keys)
        case Aggregate(fold=fold):
            made = {o.name for o in fold.outputs if o.value == Col(o.name)}
            return frozenset(k.lower() for k in fold.keys) if {*fold.keys} <= made else None
        case Project():
            return _renamed(plan, _unique_columns(plan.child, None))
        case Join(how="semi" | "anti"):
            return _unique_columns(plan.left, columns)
    return _unique_columns(plan.child, columns) if isinstance(plan, _SAME_COLUMNS) else None


def _renamed(plan: Project, unique: frozenset[str] | None) -> frozenset[str] | None:
    """``unique``, columns of the input of ``plan``, as it calls them."""
    made = {e.name.lower(): n.lower() for n, e in plan.columns if isinstance(e, Col)}
    if unique is None:
        return None
    found = set[str]()
    for column in unique:
        stays = plan.keeps_others and column not in {n.lower() for n in (*plan.dropped, *(n for n, _ in plan.columns))}
        name = column if stays else made.get(column)
        if name is None:
            return None
        found.add(name)
    return frozenset(found)
