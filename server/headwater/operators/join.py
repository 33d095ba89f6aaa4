"""Join: a filter above a join.

Law: ``σ_P(a ⋈ b) = σ_P(a) ⋈ b`` for a P over columns of a, if the join *preserves* a.
Condition: every column that P reads is of one side, by identity, and that side is preserved: each row of the result
has a row of it, never NULLs in its place. Inner: both; left: the left one; right: the right one; full: none; semi and
anti: the left one, which is all that there is to read.
Why sound: the rows of the result that have one row of a in them go or stay together. Spark moves such filters itself.
Counterexamples without the condition: ``city IS NULL`` over a left join accepts rows without partner; below the join,
on the right, it makes more of them (SPARK-16181, datafusion#1586, polars#19772). ``coalesce(l, r) > 0`` over a full
join does not reject NULL in either column (SPARK-16991, SPARK-17099, SPARK-17120). ``a.x IS NULL`` over
``(a join b) right join c`` accepts rows of c, although the first join preserves a (sqlglot#7964, #7977, #8278).
A P that rejects NULL on the other side may first turn the join into a stricter one; that is Spark's work, too.
Reference: DataFusion ``push_down_filter``, *preserved*; ANCHORS.md, items 8 to 10.
"""

from __future__ import annotations

from typing import Literal, NoReturn

from headwater_ir.expr import Expr, columns_of
from headwater_ir.plan import Join, JoinType

from .outcome import Stop, not_yet

Side = Literal["left", "right"]
PRESERVED: dict[JoinType, frozenset[Side]] = {
    "inner": frozenset({"left", "right"}),
    "left": frozenset({"left"}),
    "right": frozenset({"right"}),
    "full": frozenset(),
    "semi": frozenset({"left"}),
    "anti": frozenset({"left"}),
}


def through(predicate: Expr, node: Join) -> NoReturn:
    """Sound on a preserved side, and then Spark's work; not yet used to reach a boundary further down."""
    read = sorted(columns_of(predicate))
    preserved = PRESERVED[node.how]
    if node.how == "full" and set(read) <= set(node.using):
        raise Stop("opaque", "a filter on the key of a full join is not moved into both inputs as yet")
    sides = {name: side_of(name, node) for name in read}
    for name, side in sides.items():
        if node.how == "full" or side not in {None, *preserved}:
            raise Stop("null-supplying-side", f"`{name}` is NULL where the {node.how} join finds no partner")
        if side is None:
            raise Stop("opaque", f"it is not known which side of the join `{name}` comes from")
    if len(set(sides.values())) > 1:
        raise Stop("attribute-capture", "the filter reads columns of both sides of the join", spark_moves=True)
    not_yet("a join")


def side_of(name: str, node: Join) -> Side | None:
    """The side that column ``name`` of the result is a column of; None if that is not known, or it may be of both."""
    if node.how in ("semi", "anti"):
        return "left"
    if name in node.using:
        # A full join shows the key of whichever side has one, a right join that of its preserved side.
        return {"inner": "left", "left": "left", "right": "right"}.get(node.how)  # type: ignore[return-value]
    left, right = _has(node.left_columns, name), _has(node.right_columns, name)
    if left is not False and right is False:
        return "left"
    return "right" if left is False and right is not False else None


def _has(columns: tuple[str, ...] | None, name: str) -> bool | None:
    return None if columns is None else name.lower() in {c.lower() for c in columns}
