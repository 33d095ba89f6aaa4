"""HW406: rows that equal the greatest or least value of their group, which a window computes for every row.

Law: ``proof.demand.extremes``. Where a filter asks for ``rank() = 1``, Spark keeps of each group the first rows alone
while it sorts (its window group limit).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import NamedTuple

from headwater.operators import liveness
from headwater.rewrite.edit import Edit
from headwater.rewrite.edits import Text
from headwater.rewrite.imports import free_alias
from headwater.rewrite.python_text import prevailing_quote
from headwater.rewrite.spell_column import ColumnSpeller
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import ExtremeCertificate, GroupExtreme
from headwater_ir.expr import Col, Compare, Expr, Lit, columns_of
from headwater_ir.parts import Conjunct, Order
from headwater_ir.plan import Spelling, Way
from headwater_ir.span import Span

from .protocol import NotWorth
from .writing import imports

DIRECTIONS = {"max": ("desc", True), "min": ("asc_nulls_last", False)}
"""What orders by a column so that its extreme comes first and NULL last, and whether that is descending."""
IN_TEXT = re.compile(r"\s*`?(\w+)`?\s*==?\s*`?(\w+)`?\s*")
"""Two columns that SQL text says to be equal."""


@dataclass(frozen=True)
class Ranking:
    """A rank that finds the same rows. ``shown``: the squiggle; ``said``: what the column becomes; ``condition``: what
    is another one, if the column does not hold it, and whether it is SQL text."""

    extreme: GroupExtreme
    shown: Span
    said: str
    condition: Span | None
    in_text: bool
    edits: tuple[Edit, ...]
    certificate: ExtremeCertificate


class _Written(NamedTuple):
    """What a filter says instead: the text of its condition at ``place``."""

    place: Span
    text: str


def group_extreme(extreme: GroupExtreme, version: int, text: Text, spelling: Spelling) -> Ranking | NotWorth:
    """The rank for ``extreme``, or why there is none; ``CannotEdit`` if it cannot be written."""
    name, column, filter_, source = extreme.name, extreme.column, extreme.filter, text.source
    if name.lower() == column.lower() or not is_plain(name):
        return NotWorth("the columns are not told apart by plain names")
    mine = [c for c in filter_.conjuncts if _asks(c.condition, extreme)]
    others = [c for c in filter_.conjuncts if c not in mine]
    if len(mine) != 1 or any(name.lower() in {n.lower() for n in columns_of(c.condition)} for c in others):
        return NotWorth("the extreme is asked for something else than which rows equal it")
    assumed = () if extreme.flag is not None else _unread(extreme)
    if assumed is None:
        return NotWorth(f"`{name}` may be read behind the filter")
    assumed += tuple(_named(n, name) for n in extreme.unknown)
    where = source.count("\n", 0, extreme.value.start)
    if any("#" in s.text(source) for s in (extreme.flag or extreme.value, mine[0].span)):
        return NotWorth(f"there are comments in the column or the condition, in line {where + 1} and below")
    condition = None if extreme.flag is not None else _condition(mine[0], extreme, source)
    if isinstance(condition, NotWorth):
        return condition
    speller = ColumnSpeller(
        spelling, prevailing_quote(source), alias=spelling.functions or free_alias(text.bindings)
    )  # fmt: skip
    function, descending = DIRECTIONS[extreme.function]
    said = _rank(extreme, function, source, speller)
    if extreme.flag is not None and extreme.beside is not None:
        value = f"({said} == 1) & {_primary(extreme.beside.text(source))}.isNotNull()"
        edits = [Edit(extreme.flag, value)]
    else:
        edits = [Edit(extreme.value, said)]
    edits += [] if condition is None else [Edit(condition.place, condition.text)]
    edits += imports(speller, text, extreme.value.start)
    order = Order(column, descending, False)
    certificate = ExtremeCertificate(
        version, extreme.function, column, order, 1, True, assumed, extreme.running
    )  # fmt: skip
    place = None if condition is None else condition.place
    return Ranking(
        extreme, filter_.call, said, place, filter_.style == "sql", tuple(sorted(edits, key=lambda e: e.span)),
        certificate,
    )  # fmt: skip


def _asks(condition: Expr, extreme: GroupExtreme) -> bool:
    """Whether ``condition`` is TRUE of the rows that equal the extreme."""
    match condition:
        case Col(name) if extreme.flag is not None:
            return name == extreme.name and extreme.held is True
        case Compare(op="==", left=Col(name), right=Lit(value)) if extreme.flag is not None:
            return name == extreme.name and type(value) is type(extreme.held) and value == extreme.held
        case Compare(op="==", left=Col(left), right=Col(right)) if extreme.flag is None:
            return {left, right} == {extreme.name, extreme.column}
        case Compare(op=">=" | "<=" as op, left=Col(left), right=Col(right)) if extreme.flag is None:
            greatest, other = (left, right) if op == ">=" else (right, left)  # no value of the group is beyond it
            best, rest = (extreme.column, extreme.name) if extreme.function == "max" else (extreme.name, extreme.column)
            return (greatest, other) == (best, rest)
    return False


def _unread(extreme: GroupExtreme) -> tuple[Assumption, ...] | None:
    """What has to be true for nobody to read the column behind the filter; None if somebody may."""
    ways = extreme.ways
    if ways is None:
        ways = (Way(() if extreme.behind is None else (extreme.behind,), leaves=True),)
    return liveness.unread(extreme.name, ways)


def _named(unknown: str, name: str) -> Assumption:
    """What has to be true of what names a column."""
    said = f"{unknown} holds the name of one column, without dots or backticks, the same wherever it is read"
    return Assumption("names", f"{said} and another one than `{name}`")


def _rank(extreme: GroupExtreme, function: str, source: str, speller: ColumnSpeller) -> str:
    module = re.fullmatch(r"([\w.]+)\.\w+", extreme.head.text(source))
    given, spec = extreme.given.text(source), extreme.spec.text(source)
    rank, order = (f"{module[1]}.{n}" if module else speller.function(n) for n in ("rank", function))
    return f"{rank}().over({spec}.orderBy({order}({given})))"


def _condition(conjunct: Conjunct, extreme: GroupExtreme, source: str) -> _Written | NotWorth:
    """What asks for the rank in the place of ``conjunct``."""
    place, text = conjunct.span, conjunct.span.text(source)
    if extreme.filter.style == "sql":
        named = IN_TEXT.fullmatch(text)
        if named is None or {named[1], named[2]} != {extreme.name, extreme.column}:
            return NotWorth("the condition is not written plainly in a text")
        return _Written(place, f"{extreme.name} = 1 AND {extreme.column} IS NOT NULL")
    try:
        compared = ast.parse(f"({text})", mode="eval").body
    except SyntaxError:
        return NotWorth("the condition is not read in full")
    if not isinstance(compared, ast.Compare) or extreme.filter.style != "column":
        return NotWorth("the condition is not read in full")
    assert isinstance(extreme.filter.conjuncts, tuple)
    match conjunct.condition:
        case Compare(left=Col(first)):
            sides = [ast.get_source_segment(f"({text})", n) or "" for n in (compared.left, *compared.comparators)]
            rank, value = sides if first == extreme.name else reversed(sides)
        case _:
            return NotWorth("the condition is not read in full")
    test = f"({rank} == 1) & {_primary(value)}.isNotNull()"
    enclosed = source[: place.start].endswith("(") and source[place.end :].startswith(")")
    return _Written(place, test if enclosed or len(extreme.filter.conjuncts) == 1 else f"({test})")


def _primary(text: str) -> str:
    """``text`` so that a method may be called on it."""
    parsed = ast.parse(f"({text})", mode="eval").body
    return text if isinstance(parsed, (ast.Call, ast.Attribute, ast.Subscript, ast.Name)) else f"({text})"


def is_plain(name: str) -> bool:
    """Whether ``name`` is one that SQL text and a variable may have as it is."""
    return name.isidentifier() and name.isascii()
