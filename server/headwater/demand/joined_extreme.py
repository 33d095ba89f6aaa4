"""HW406: rows that equal the greatest or least value of their group, which an aggregate of the rows is joined to them
for. A rank needs the rows once.

Law: ``proof.demand.extremes``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from headwater.operators import liveness
from headwater.operators.columns import surely_has
from headwater.rewrite.edit import Edit
from headwater.rewrite.edits import Text
from headwater.rewrite.imports import free_alias, import_of_spark
from headwater.rewrite.python_text import prevailing_quote, string_literal
from headwater.rewrite.spell_column import ColumnSpeller
from headwater.rewrite.tokens import CannotEdit
from headwater.syntax.names.module_scope import Context
from headwater_ir.assumptions import Assumption
from headwater_ir.demand import ExtremeCertificate, PlainJoin
from headwater_ir.expr import TRUE, Col, Compare, Expr, If, IsNull, Or, Slot, columns_of
from headwater_ir.parts import Conjunct, Order
from headwater_ir.plan import (
    Aggregate,
    Cache,
    Distinct,
    DropDuplicates,
    Filter,
    Join,
    Plan,
    Project,
    Scan,
    Shared,
    Sort,
    Spelling,
    Way,
)
from headwater_ir.problem import Fold
from headwater_ir.span import Span
from headwater_ir.walks import below

from .caches.single_use import described, pure
from .group_extreme import DIRECTIONS, IN_TEXT, is_plain
from .nodes_around import joins_what_others_read
from .protocol import NotWorth
from .worth import columns_of_plan
from .writing import imports

_ANY_ORDER = (Cache, Distinct, DropDuplicates, Filter, Project, Shared, Sort)
"""Operators that do not look at the order of columns."""
_WINDOW = "Window"
_CLASS = ("pyspark.sql.window", "pyspark.sql")


_FUNCTIONS = {">": "max", "<": "min"}


@dataclass(frozen=True)
class JoinedRanking:
    """A rank in the place of a join. ``said``: what stands for the join; ``condition``: what is another one behind it,
    and whether it is SQL text; ``aggregate``: the call that makes the extreme; ``name``: of the rank."""

    aggregate: Span
    name: str
    said: str
    condition: Span | None
    in_text: bool
    edits: tuple[Edit, ...]
    certificate: ExtremeCertificate


@dataclass(frozen=True)
class _Extreme:
    """A join whose right side has the ``function`` of ``column`` in each group of the left side's rows by ``keys``,
    called ``name``. ``gone``: columns of the right side that no row has afterwards; ``filter``: keeps the rows that
    equal the extreme; None if the join does. ``ways``: every way of the result; ``aggregate``: the call that makes the
    extreme; ``described``: the names of columns are looked at behind it."""

    function: str
    column: str
    name: str
    keys: tuple[str, ...]
    gone: tuple[str, ...]
    filter: Filter | None
    ways: tuple[Way, ...]
    aggregate: Span
    described: bool


def joined_extreme(
    join: PlainJoin, version: int, text: Text, context: Context, spelling: Spelling
) -> JoinedRanking | NotWorth | None:
    """The rank in the place of ``join``, or why there is none; None if that joins no extremes of the rows' own groups.
    ``CannotEdit`` if it cannot be written."""
    extreme = _extreme_of(join)
    if extreme is None:
        return None
    source, mine = text.source, _conjunct(extreme)
    if isinstance(mine, NotWorth):
        return mine
    name = extreme.name if extreme.filter is not None else f"{extreme.column}_rank"
    if not all(map(is_plain, (extreme.column, name, *extreme.keys))):
        return NotWorth("the columns are not told apart by plain names")
    ordered = _order(extreme, join.join)
    assumed = ordered if isinstance(ordered, NotWorth) else _hidden(extreme, name, join, ordered)
    if isinstance(assumed, NotWorth):
        return assumed
    call = next(n for n in ast.walk(context.tree) if isinstance(n, ast.Call) and context.span(n) == join.call)
    if not isinstance(call.func, ast.Attribute) or _is_named_elsewhere(call, join, extreme, context):
        return NotWorth("what is joined is read elsewhere too")
    tail = Span(context.span(call.func.value).end, join.call.end)
    called = re.match(r"(?:\s|\)|\\\r?\n)*\.\s*(?=join\b)", tail.text(source))
    if called is None or any("#" in s.text(source) for s in (tail, *([mine.span] if mine else ()))):
        return NotWorth("the join is not written plainly")
    window = _window(context)
    if not text.bindings.bound_at(window, tail.start) if window else not text.bindings.free(_WINDOW):
        return NotWorth("`Window` is something else there")
    quote = prevailing_quote(source)
    speller = ColumnSpeller(spelling, quote, alias=spelling.functions or free_alias(text.bindings))
    said = _with_rank(extreme, name, window or _WINDOW, speller)
    edits = [Edit(Span(tail.start + called.end(), tail.end), said)]
    if mine is not None and extreme.filter is not None:
        edits.append(_written(extreme, extreme.filter, mine, source, speller))
    edits += imports(speller, text, tail.start)
    if window is None and (speller.needs_import or "restartPython" in source):
        return NotWorth("neither `Window` nor a function of Spark's is imported")
    edits += [import_of_spark(source, _WINDOW, _WINDOW)] if window is None else []
    under = tuple(zip(join.below, below(join.join.left), strict=True))
    certificate = ExtremeCertificate(
        version, extreme.function, extreme.column, Order(extreme.column, DIRECTIONS[extreme.function][1], False), 1,
        True, (*assumed, *pure(under, context), *given(under)),
        keys=extreme.keys, known_keys=extreme.keys, below=tuple(described(n, p, context) for n, p in under),
    )  # fmt: skip
    return JoinedRanking(
        extreme.aggregate, name, said, None if mine is None else mine.span,
        extreme.filter is not None and extreme.filter.style == "sql", tuple(sorted(edits, key=lambda e: e.span)),
        certificate,
    )  # fmt: skip


def _extreme_of(join: PlainJoin) -> _Extreme | None:
    """What ``join`` has on its right side, if that is the extreme of each group of the left side's rows."""
    plan = join.join
    *_, aggregate = same_rows(plan.right)
    if not join.whole or not isinstance(aggregate, Aggregate) or (found := _extreme(aggregate.fold)) is None:
        return None
    function, column, made = found
    groups = aggregate.fold.keys
    of_left = {called_in(aggregate, plan.right, k.right): k.left for k in join.keys}
    itself = made in of_left
    name = next((c for c in plan.right_columns or () if called_in(aggregate, plan.right, c) == made), None)
    if name is None or {*of_left} != {*groups, *([made] if itself else ())} or len(of_left) != len(join.keys):
        return None
    mine = (of_left.get(made, column), *(of_left[k] for k in groups))
    known = {id(p) for p in same_rows(plan.left)}
    source = next((p for p in same_rows(aggregate.child) if id(p) in known), None)
    theirs = (column, *groups)
    if source is None or not all(map(partial(_is_one, source, plan.left, aggregate.child), mine, theirs)):
        return None
    if (plan.how != "inner" and not (plan.how == "semi" and itself)) or any(s == "right" for _, s, _ in plan.called):
        return None
    if not itself and join.reader is None:
        return None
    gone = () if plan.how == "semi" else tuple(c for c in plan.right_columns or () if c not in plan.using)
    ways = join.ways
    if ways is None:
        ways = (Way(() if join.last_reader is None else (join.last_reader,), leaves=True),)
    if itself and join.reader is not None:
        ways = tuple(replace(w, operators=(join.reader, *w.operators)) for w in ways)
    return _Extreme(
        function, mine[0], name, mine[1:], gone, None if itself else join.reader, ways, aggregate.boundary.span,
        join.described,
    )  # fmt: skip


def same_rows(plan: Plan) -> Iterator[Plan]:
    """The frames that ``plan`` has all rows of, each once."""
    yield plan
    while isinstance(plan, (Shared, Cache, Project)):
        plan = plan.child
        yield plan


def called_in(source: Plan, plan: Plan, column: str) -> str | None:
    """What ``column`` of ``plan`` is called in ``source``, one of the frames whose rows it has; None if it is another
    column there, or none."""
    name: str | None = column
    for at in same_rows(plan):
        if at is source or name is None:
            break
        if isinstance(at, Project):
            made = dict(at.columns).get(name, Col(name) if at.keeps_others and name not in at.dropped else None)
            name = made.name if isinstance(made, Col) else None
    return name


def _is_one(source: Plan, left: Plan, right: Plan, a: str, b: str) -> bool:
    """Whether ``a`` of ``left`` and ``b`` of ``right`` are one column of ``source``."""
    return called_in(source, left, a) == called_in(source, right, b) is not None


def _extreme(fold: Fold) -> tuple[str, str, str] | None:
    """The function and the column of which ``fold`` makes the extreme of each group and nothing else, and its name."""
    others = [o for o in fold.outputs if o.value != Col(o.name) or o.name not in fold.keys]
    if len(others) != 1 or len(fold.outputs) != len(fold.keys) + 1 or not fold.keys or fold.emit != TRUE:
        return None
    if others[0].value != Slot(0) or fold.assumptions:
        return None
    match fold.step:
        case (
            If(IsNull(Col(name)), Slot(0), If(Or((IsNull(Slot(0)), Compare(op, Col(a), Slot(0)))), Col(b), Slot(0))),
        ):
            if name == a == b and op in _FUNCTIONS:
                return _FUNCTIONS[op], name, others[0].name
    return None


def given(plans: Iterable[tuple[str, Plan]]) -> list[Assumption]:
    """What has to be true of frames that the file is given, for ``plans`` that are computed twice."""
    some = any(isinstance(plan, Scan) and plan.format == "unknown" for _, plan in plans)
    return (
        [Assumption("purity", "the frame that is given has the same rows each time they are computed")] if some else []
    )


def _conjunct(extreme: _Extreme) -> Conjunct | NotWorth | None:
    """What asks for the rows that equal the extreme; None if the join does."""
    if extreme.filter is None:
        return None
    conjuncts = extreme.filter.conjuncts
    mine = [c for c in conjuncts if _asks(c.condition, extreme)]
    hidden = {n.lower() for n in (extreme.name, *extreme.gone)}
    others = {n for c in conjuncts if c not in mine for n in columns_of(c.condition)}
    if len(mine) != 1 or hidden & {part for n in others for part in n.lower().split(".")}:
        return NotWorth("the extreme is asked for something else than which rows equal it")
    return mine[0]


def _written(extreme: _Extreme, filter_: Filter, mine: Conjunct, source: str, speller: ColumnSpeller) -> Edit:
    """What ``filter_`` asks for in the place of ``mine``; ``CannotEdit`` if that is not written plainly."""
    text = mine.span.text(source)
    if filter_.style == "sql" and IN_TEXT.fullmatch(text):
        present = (f"{c} IS NOT NULL" for c in (extreme.column, *extreme.keys))
        return Edit(mine.span, " AND ".join((f"{extreme.name} = 1", *present)))
    try:
        compared = ast.parse(f"({text})", mode="eval").body
    except SyntaxError:
        raise CannotEdit("the condition is not read in full") from None
    if filter_.style != "column" or not isinstance(compared, ast.Compare):
        raise CannotEdit("the condition is not read in full")
    asked = _is_first(extreme, extreme.name, speller)
    enclosed = source[: mine.span.start].endswith("(") and source[mine.span.end :].startswith(")")
    return Edit(mine.span, asked if enclosed or len(filter_.conjuncts) == 1 else f"({asked})")


def _asks(condition: Expr, extreme: _Extreme) -> bool:
    match condition:
        case Compare(op="==", left=Col(left), right=Col(right)):
            return {left, right} == {extreme.name, extreme.column} and left != right
    return False


def _hidden(
    extreme: _Extreme, name: str, join: PlainJoin, ordered: tuple[Assumption, ...]
) -> tuple[Assumption, ...] | NotWorth:
    """What has to be true for nobody to miss a column of the right side, or to see the rank."""
    assumed = list[Assumption]()
    for column in dict.fromkeys((*([name] if extreme.filter is not None else ()), *extreme.gone)):
        found = liveness.unread(column, extreme.ways)
        if found is None:
            return NotWorth(f"`{column}` may be read behind the join")
        assumed += found
    columns = join.join.left_columns
    if name.lower() in {c.lower() for c in columns or surely_has(join.join.left)}:
        return NotWorth(f"there is a column `{name}` already")
    if extreme.filter is None and columns is None:  # else the name would be ambiguous in the filter
        assumed.append(Assumption("names", f"no column is called `{name}`"))
    return tuple(dict.fromkeys((*assumed, *ordered)))


def _order(extreme: _Extreme, join: Join) -> tuple[Assumption, ...] | NotWorth:
    """What has to be true for the columns that are equal to come first among those of the rows, as they do among those
    of ``join``, or for nobody to look at the order."""
    columns, using = columns_of_plan(join.left), join.using
    if join.how == "semi":
        return ()
    if extreme.described:
        return NotWorth("the names of the columns of the join are looked at")
    if not using or all(map(_chooses, extreme.ways)):
        return ()
    if columns is not None and columns[: len(using)] != using:
        return NotWorth("the columns of the join stand in another order than those of the rows")
    first = ", ".join(f"`{k}`" for k in using)
    told = Assumption("names", f"{first} come first among the columns, or the order matters to nobody")
    return () if columns is not None else (told,)


def _chooses(way: Way) -> bool:
    """Whether columns are chosen by their names before anything looks at their order."""
    for plan in way.operators:
        if isinstance(plan, Aggregate) or (isinstance(plan, Project) and not plan.keeps_others):
            return True
        if not isinstance(plan, _ANY_ORDER):
            return False
    return False


def _is_named_elsewhere(call: ast.Call, join: PlainJoin, extreme: _Extreme, context: Context) -> bool:
    """Whether the variable that holds the right side of ``join`` is read anywhere else."""
    inside = join.call.start <= extreme.aggregate.start and extreme.aggregate.end <= join.call.end
    return not inside and joins_what_others_read(call, context)


def _window(context: Context) -> str | None:
    """What the file calls ``pyspark.sql.Window``."""
    for node in context.tree.body:
        if isinstance(node, ast.ImportFrom) and node.module in _CLASS and not node.level:
            for alias in node.names:
                if alias.name == _WINDOW:
                    return alias.asname or alias.name
    return None


def _with_rank(extreme: _Extreme, name: str, window: str, speller: ColumnSpeller) -> str:
    """The call that adds the rank, and those that keep the first rows where none behind it does."""
    keys = ", ".join(string_literal(k, speller.quote) for k in extreme.keys)
    column, label = string_literal(extreme.column, speller.quote), string_literal(name, speller.quote)
    by = speller.function(DIRECTIONS[extreme.function][0])
    order = f"{window}.partitionBy({keys}).orderBy({by}({column}))"
    made = f"withColumn({label}, {speller.function('rank')}().over({order}))"
    if extreme.filter is not None:
        return made
    return f"{made}.filter({_is_first(extreme, name, speller)}).drop({label})"


def _is_first(extreme: _Extreme, name: str, speller: ColumnSpeller) -> str:
    rank, *others = (
        f"{speller.function('col')}({string_literal(c, speller.quote)})" for c in (name, extreme.column, *extreme.keys)
    )
    return " & ".join((f"({rank} == 1)", *(f"{c}.isNotNull()" for c in others)))


__all__ = ["JoinedRanking", "called_in", "given", "joined_extreme"]
