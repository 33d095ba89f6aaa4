"""Operators that make one row of each, or several of one.

Law: ``σ_P(op(T)) = op(σ_Q(T))`` if ``P`` is TRUE of the output of a row exactly where ``Q`` is TRUE of the row, and
``σ_P(op(T)) = σ_P(op(σ_Q(T)))`` if ``P`` implies ``Q``.
Small tables: one row. Why that suffices (MagicPush, section 4.2, row-to-row and row-expand operators): the result is
the union of what is made of each row by itself, so two tables that differ in it differ in what is made of one row.
Where it does not hold: a cache loses rows by bounds of whole batches; of it every row must be one that no bound loses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from headwater_ir import expr as ir
from headwater_ir.crossing import (
    Asked,
    MeetsArms,
    PassesCache,
    PassesExplode,
    PassesFilter,
    PassesProject,
    PassesShared,
    PassesWatermark,
)
from headwater_ir.expr import Expr
from headwater_ir.types import Type

from ...semantics.values import land, lnot
from ..vocabulary import pushable_columns
from .encoding import OutOfReach, Row, never_raises
from .meaning import Claim, Claims, Meaning

_BOUNDED = frozenset({"cache", "persist"})
_WRITTEN = frozenset({"checkpoint", "localCheckpoint"})
_STREAMS = frozenset({"unknown", "table"})


def same_rows(m: Meaning, _: object) -> Claims:
    """Sorts and views: every row as it is."""
    row = m.row("r", m.wanted | m.read, m.below)
    yield from m.row_by_row(m.output(row), row)


def asked(m: Meaning, node: Asked) -> Claims:
    """The filter itself: what goes down is what it says; of what has no model beside it, it must not raise."""
    if m.before != ir.TRUE:
        raise OutOfReach("a path begins with a filter")
    row = m.row("r", m.wanted | _columns(node.conjuncts), m.below)
    said = ir.conjoin(node.conjuncts)
    yield Claim("needed", (m.rows.passes(said, row),), m.kept(row))
    if not m.stays:
        yield Claim("no more", (m.kept(row),), m.rows.passes(said, row))
    yield from m.total(row) if node.unread else _in_order(m, row, [said])


def filtered(m: Meaning, node: PassesFilter) -> Claims:
    """A filter below: merged, both are one, the lower one first; else P goes without it, to rows that it drops."""
    row = m.row("r", m.wanted | m.read | _columns(node.conjuncts), m.below)
    if not node.merged:
        yield from m.needs("needed", m.output(row), row)
        yield from m.no_more(m.output(row), row)
        yield from m.total(row)
        return
    below = ir.conjoin(node.conjuncts)
    both = land(m.rows.passes(below, row), m.passing(row))
    yield Claim("needed", (both,), m.kept(row))
    if not m.stays:
        yield Claim("no more", (m.kept(row),), both)
    yield from m.total(row) if node.unread else _in_order(m, row, [below, m.before])


def _in_order(m: Meaning, row: Row, conditions: list[Expr]) -> Claims:
    """``Q`` raises no more than filters that are asked one after the other."""
    both = ir.And(tuple(c for e in conditions for c in ir.conjuncts(e)))
    yield Claim("errors", (m.rows.defined(both, row),), m.rows.defined(m.after, row))


def project(m: Meaning, node: PassesProject) -> Claims:
    """Columns by their values; what P reads of them raises on no row."""
    defined = dict(node.columns)
    if len(defined) < len(node.columns) or set(defined) & set(node.dropped):
        raise OutOfReach("a column is defined twice")
    row = m.row("r", m.wanted | m.read | _columns(defined.values()), m.below)
    yield from m.row_by_row(m.output(projected(m, row, defined, node.keeps_others, node.dropped)), row)


def projected(m: Meaning, row: Row, defined: dict[str, Expr], keeps_others: bool, dropped: Collection[str] = ()) -> Row:
    """What is known of the output row that a projection makes of ``row``: nothing of values that may raise, for when
    they are computed is not the user's to say."""
    gone = {n.lower() for n in (*defined, *dropped)} - {n.lower() for n in m.read & defined.keys()}
    if any(n.lower() in gone for n in m.read - set(dropped)):
        raise OutOfReach("a column is named in another case")
    made = {n: m.rows.cell(e, row) for n, e in defined.items() if n in m.read and never_raises(e)}
    others = m.read - defined.keys() - set(dropped) if keeps_others else ()
    return {n: row[n] for n in others} | made


def cache(m: Meaning, node: PassesCache) -> Claims:
    """What is kept, as it is; but a filter above loses rows with NaN that it compares, if what is kept has bounds."""
    if node.operator not in _BOUNDED | _WRITTEN:
        raise OutOfReach(f"`{node.operator}` is no cache")
    row = m.row("r", m.wanted | m.read, m.below)
    for part in ir.conjuncts(m.before) if node.operator in _BOUNDED else ():
        for name in pushable_columns(part):
            lost = land(lnot(row[name].value.null), row[name].value.nan)
            yield Claim(f"no NaN in {name}", (m.rows.passes(part, row),), lnot(lost))
    yield from m.row_by_row(m.output(row), row)


def watermark(m: Meaning, node: PassesWatermark) -> Claims:
    """Of what is no stream, every row as it is."""
    if not node.sources or set(node.sources) & _STREAMS:
        raise OutOfReach("a source may be a stream")
    yield from same_rows(m, node)


def shared(m: Meaning, node: PassesShared) -> Claims:
    """Rows that no consumer passes are seen by nobody. Each consumer is a filter, and needs the rows that it passes."""
    if node.consumers < 2 or len(node.filters) != node.consumers:
        raise OutOfReach("a consumer of the frame is no filter")
    row = m.row("r", m.wanted | _columns(node.filters), m.below)
    if m.before not in node.filters:
        raise OutOfReach("the filter is no consumer of the frame")
    for i, condition in enumerate(node.filters):
        yield Claim(f"consumer {i + 1}", (m.rows.passes(condition, row),), m.kept(row))
    yield from m.total(row)


def explode(m: Meaning, node: PassesExplode) -> Claims:
    """Each row as often as its array has elements, perhaps not at all: then P is not asked."""
    if node.varies:
        raise OutOfReach("what is taken apart may be more than a function of the row")
    row = m.row("r", (m.wanted | m.read) - set(node.made), m.below)
    output = m.output(row)
    if m.wanted & set(node.made):
        raise OutOfReach("a column that is made here is asked for below")
    yield from m.needs("needed", output, row)
    yield from m.no_more(output, row)
    yield from m.total(row)


def arms(m: Meaning, node: MeetsArms) -> Claims:
    """Each row as often as there are arms, with the values that they say: it is needed if one of these rows passes."""
    row = m.row("r", m.wanted | m.read | _columns(e for arm in node.arms for _, e in arm), m.below)
    for i, arm in enumerate(node.arms):
        values = dict(arm)
        if values.keys() != set(node.made):
            raise OutOfReach("an arm lacks a column")
        known = {n: row[n] for n in m.read - values.keys()}
        known |= {n: m.rows.cell(values[n], row) for n in values if _one_type(m, node, n)}
        yield from m.needs(f"arm {i + 1}", m.output(known, f"arm {i + 1}"), row)
    yield from m.total(row)


def _one_type(m: Meaning, node: MeetsArms, name: str) -> bool:
    """Whether no arm's value of a column changes its type when it becomes one with the others."""
    types = [_type_of(dict(arm)[name], m.below) for arm in node.arms]
    return all(m.alike(types[0], t) for t in types)


def _type_of(e: Expr, columns: Mapping[str, Type]) -> Type | None:
    return columns.get(e.name) if isinstance(e, ir.Col) else e.type if isinstance(e, (ir.Lit, ir.Call)) else None


def _columns(expressions: Iterable[Expr]) -> frozenset[str]:
    return frozenset[str]().union(*(ir.columns_of(e) for e in expressions))
