"""Operators that make rows of groups of rows, or give a row values that are made of others.

Law: ``σ_P(γ(T)) = σ_P(γ(σ_Q(T)))`` if an output row that passes, whatever is in the columns that are made here, needs
every row of its group, and if ``Q`` is TRUE of all rows of a group or of none.
Equal are rows that are one to Spark's grouping: NULL is NULL, NaN is NaN, -0.0 is 0.0.
Small tables: one group of two rows. Why that suffices (MagicPush, section 4.2, group-wise operators with a predicate
over the keys): the result is the union of what is made of each group by itself. A group that is kept whole gives what
it gave; one that is not gives nothing that passes, before or after. Two rows show every disagreement within a group.
Where it does not hold: a pivot without listed values has columns that all rows decide on; it is refused. A prefix of an
order is no whole partition; for that, any two rows of one partition: a row that is kept keeps all that stand before it
and beside it, and the values of a *running* window are made of these.
"""

from __future__ import annotations

import z3

from headwater_ir import expr as ir
from headwater_ir.crossing import PassesGroups, PassesLimit, PassesWindow
from headwater_ir.expr import Expr
from headwater_ir.parts import Order
from headwater_ir.types import ANY

from ...semantics.symbolic import compare
from ...semantics.values import is_true, lor
from .encoding import OutOfReach, Row, equal
from .meaning import Claim, Claims, Meaning
from .row_by_row import projected


def groups(m: Meaning, node: PassesGroups) -> Claims:
    """Rows with equal keys make the rows of the output that have that key."""
    if not node.fixed:
        raise OutOfReach("what there is depends on more than the groups")
    keys = dict(node.keys) if node.keys is not None else {n: n for n in m.read | m.wanted}
    if node.keys is not None and not (keys and len(keys) == len(node.keys)):
        raise OutOfReach("there are no keys")
    row, other = (m.row(name, m.wanted | set(keys.values()), m.below) for name in ("r", "s"))
    output = m.output({n: m.rows.fresh(f"made.{n}", m.below.get(own, ANY)) for n, own in keys.items()})
    alike = [equal(output[n], row[own]) for n, own in sorted(keys.items()) if n in m.read]
    yield from m.needs("needed", output, row, *alike)
    yield from m.no_more(output, row, *alike)
    together = [equal(row[own], other[own]) for own in sorted(set(keys.values()))]
    yield Claim("whole groups", (*together, m.kept(row)), m.kept(other))
    yield from m.errors(output, row, *alike) if m.wanted <= set(keys.values()) else m.total(row)


def window(m: Meaning, node: PassesWindow) -> Claims:
    """Each row, with values made of its partitions. It needs every row of each partition that it is in, and has them if
    it needs itself and partitions are kept whole."""
    if not node.windows:
        raise OutOfReach("there is no window")
    if node.prefix:
        yield from prefix(m, node)
        return
    defined, read = _beside(node, m)
    row, other = (m.row(name, m.wanted | read, m.below) for name in ("r", "s"))
    yield from m.row_by_row(m.output(_shown(m, node, row, defined)), row)
    for w in node.windows:
        together = [equal(row[k], other[k]) for k in w.partition or ()]
        together += [equal(m.rows.cell(e, row), m.rows.cell(e, other)) for e in w.computed]
        yield Claim(f"whole partitions of {w.name}", (*together, m.kept(row)), m.kept(other))


def _beside(node: PassesWindow, m: Meaning) -> tuple[dict[str, Expr], frozenset[str]]:
    """The columns that are defined beside the windows, and all that is read of the input."""
    defined = dict(node.columns)
    made = {w.name for w in node.windows}
    if len(defined) < len(node.columns) or made & defined.keys() or len(made) < len(node.windows):
        raise OutOfReach("a column is defined twice")
    parts = [*defined.values(), *(e for w in node.windows for e in w.computed)]
    read = frozenset[str]().union(*(ir.columns_of(e) for e in parts), *(w.partition or () for w in node.windows))
    return defined, read | m.read


def _shown(m: Meaning, node: PassesWindow, row: Row, defined: dict[str, Expr]) -> Row:
    return projected(m, row, defined, node.keeps_others, [w.name for w in node.windows])


def prefix(m: Meaning, node: PassesWindow) -> Claims:
    """Rows behind all that are kept are dropped."""
    orders = {w.running for w in node.windows}
    order = orders.pop() if len(orders) == 1 else None
    if order is None or not node.prefix:
        raise OutOfReach("the windows do not run in one order")
    defined, read = _beside(node, m)
    names = m.wanted | read | {order.column}
    row, other = (m.row(name, names, m.below) for name in ("r", "s"))
    output = m.output(_shown(m, node, row, defined))
    yield from m.needs("needed", output, row)
    yield from m.no_more(output, row)
    yield from _first_of(m, order, row, other)


def limit(m: Meaning, node: PassesLimit) -> Claims:
    """As many rows from the front as are asked for, or all behind them. In whatever order equal rows come, the place of
    a row is the number of those before it: a row that is kept keeps its place, for all that stand before it are kept.
    """
    row, other = (m.row(name, m.wanted | m.read | {node.order.column}, m.below) for name in ("r", "s"))
    output = m.output(row)
    yield from m.needs("needed", output, row)
    yield from m.no_more(output, row)
    yield from _first_of(m, node.order, row, other)


def _first_of(m: Meaning, order: Order, row: Row, other: Row) -> Claims:
    yield from m.total(row)
    yield Claim("a prefix", (_not_behind(order, other, row), m.kept(row)), m.kept(other))


def _not_behind(order: Order, first: Row, second: Row) -> z3.BoolRef:
    """``first`` stands before ``second`` in ``order``, or beside it. NaN is the greatest."""
    a, b = first[order.column].value, second[order.column].value
    there = is_true(compare(">=" if order.descending else "<=", a, b, "sql")[0])
    nulls = a.null if order.nulls_first else b.null
    return lor(nulls, there)
