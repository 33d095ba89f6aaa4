"""Join: a filter above a join.

Law: ``σ_P(a ⋈ b) = σ_P(a) ⋈ b`` for a P over columns of a, if the join *preserves* a.
Condition: every column that P reads is of one side, by identity, and that side is preserved: each row of the result
has a row of it, never NULLs in its place. Inner: both; left: the left one; right: the right one; full: none; semi and
anti: the left one, which is all that there is to read. A column that one side has for certain is of that side, although
the columns of the other are not known: a bare name that is of both is ambiguous, and the program fails as it is.
Why sound: the rows of the result that have one row of a in them go or stay together. Spark moves such filters itself,
as far as the next boundary. Of a row without partner P may not be asked above the join, and below it is: so it must
not raise. The filter stays: what Spark infers from it for the other side would be lost with it.
Counterexamples without the condition: ``city IS NULL`` over a left join accepts rows without partner; below the join,
on the right, it makes more of them (SPARK-16181, datafusion#1586, polars#19772). ``coalesce(l, r) > 0`` over a full
join does not reject NULL in either column (SPARK-16991, SPARK-17099, SPARK-17120). ``a.x IS NULL`` over
``(a join b) right join c`` accepts rows of c, although the first join preserves a (sqlglot#7964, #7977, #8278).
A P that rejects NULL may enter a side that is not preserved (``null_extended``). A P over the key of a join by name
may enter both sides: rows that meet have equal keys, and ``coalesce(l.k, r.k)``, the key of a full join, is the key
of each row that has one. So may a P over columns of a preserved side that the ON clause says to be equal to columns
of the other (``k = rk``, ``k <=> rk``): of the rows that meet one that passes, P is TRUE as well, so that none of its
partners is lost, and whether it has one does not change. Counterexample to the same from a side that is not
preserved: ``rk IS NULL`` over a left join is TRUE of a row of a with key 1 and no partner. Counterexample with keys
of two types: ``k = '7'`` is TRUE of the 7 of an int column and FALSE of the '07' that it meets in a string column.
Nor is a partner lost where the ON clause puts columns in order: of rows that meet with ``k < rk``, ``k > 1`` says that
``rk > 1``, in the order in which NaN is greatest; and ``k >= 1`` beside ``k <= rk`` that ``rk >= 1``. Beside ``k < rk``
``k >= 1`` says that ``rk > 1``, but not where both may be rounded to the bound: of longs, ``k >= 9007199254740992.0``
is TRUE of 2**53, and ``rk > 9007199254740992.0`` is not TRUE of the 2**53 + 1 that it meets.
A column that is named by its frame (``a.x``) is of the side that the frame is on, whatever else is called ``x``.
Reference: DataFusion ``push_down_filter``, *preserved*; ANCHORS.md, items 8 to 10; facts, section C *nullsafe*,
*noneq*, *between*.
"""

from __future__ import annotations

from headwater_ir.expr import (
    MIRRORED,
    Col,
    Compare,
    CompareOp,
    Expr,
    Lit,
    Param,
    columns_of,
    conjoin,
    conjuncts,
    transform,
)
from headwater_ir.plan import Join, JoinType
from headwater_ir.plan import JoinSide as Side
from headwater_ir.types import ANY, Type

from .null_extended import rejects_nulls
from .outcome import Down, Stop, alike, check_equality, may_raise, tells_equals_apart
from .protocol import LAST, Columns, Inputs, Operator

PRESERVED: dict[JoinType, frozenset[Side]] = {
    "inner": frozenset({"left", "right"}),
    "left": frozenset({"left"}),
    "right": frozenset({"right"}),
    "full": frozenset(),
    "semi": frozenset({"left"}),
    "anti": frozenset({"left"}),
}
_PRESENT: dict[JoinType, frozenset[Side]] = {**PRESERVED, "semi": frozenset({"left", "right"})}
"""The sides of which each row of the result has a row."""


def through(predicate: Expr, node: Join, inputs: Inputs) -> tuple[Down, ...]:
    """``predicate`` on each side that it may enter; Stop if there is none."""
    found = _entered(predicate, node, inputs)
    if may_raise(predicate):
        raise Stop("may-throw", "the filter may raise on rows that find no partner")
    return found


def _entered(predicate: Expr, node: Join, inputs: Inputs) -> tuple[Down, ...]:
    read = columns_of(predicate)
    if read and read <= set(node.using):
        return _by_key(predicate, node, inputs)
    sides = {name: side_of(name, node, inputs) for name in sorted(read)}
    known = {side for side in sides.values() if side is not None}
    for name, side in sides.items():
        if side is None:
            raise Stop("opaque", f"it is not known which side of the join `{name}` comes from")
    made_up = [name for name, side in sides.items() if side not in PRESERVED[node.how]]
    if made_up and (len(known) > 1 or not rejects_nulls(predicate)):
        raise Stop("null-supplying-side", f"`{made_up[0]}` is NULL where the {node.how} join finds no partner")
    if len(known) > 1:
        raise Stop("attribute-capture", "the filter reads columns of both sides of the join", spark_moves=True)
    read_side: Side = next(iter(known), "left")
    inside = _inside(predicate, node)
    own = Down(inside, node.left if read_side == "left" else node.right)
    return (own, *_across(inside, node, read_side, inputs)) if read_side in PRESERVED[node.how] else (own,)


def _inside(predicate: Expr, node: Join) -> Expr:
    """``predicate``, which reads one side, as that side calls its columns."""
    plain = () if node.how in ("semi", "anti") else (name for name, _, is_plain in node.called if is_plain)
    names = {f"{alias}." for alias in plain}

    def renamed(e: Expr) -> Expr | None:
        alias, dot, name = e.name.partition(".") if isinstance(e, Col) else ("", "", "")
        return Col(name) if alias + dot in names else None

    return transform(predicate, renamed)


def _across(predicate: Expr, node: Join, side: Side, inputs: Inputs) -> tuple[Down, ...]:
    """A filter on columns of ``side`` as one on the columns of the other side that are equal to them, if all are."""
    left = side == "left"
    type_of = inputs.type_of_column
    partners = {a: b for pair in node.equal for a, b in (pair if left else pair[::-1],)}
    read = columns_of(predicate)
    here, there = (node.left, node.right) if left else (node.right, node.left)
    other: Side = "right" if left else "left"
    whole = other in _PRESENT[node.how]
    if not read or not read <= partners.keys() or tells_equals_apart(predicate):
        bounds = _bounds(predicate, node, side, inputs)
        return (Down(conjoin(bounds), there, whole=whole),) if bounds else ()
    if {alike(type_of(here, n), type_of(there, partners[n])) for n in read} != {True}:
        return ()
    carried = transform(predicate, lambda e: Col(partners[e.name]) if isinstance(e, Col) else None)
    return (Down(carried, there, whole=whole),)


def _bounds(predicate: Expr, node: Join, side: Side, inputs: Inputs) -> list[Expr]:
    """What bounds of columns of ``side`` say of columns of the other side that are in order with them."""
    found: list[Expr] = []
    for ours, relation, theirs in node.ordered:
        here, there = node.left, node.right
        if side == "right":
            ours, relation, theirs, here, there = theirs, MIRRORED[relation], ours, there, here
        types = inputs.type_of_column(here, ours), inputs.type_of_column(there, theirs)
        if alike(*types) is not True:
            continue
        for part in conjuncts(predicate):
            match part:
                case Compare(op, Col(name), Lit() | Param() as bound, "sql"):
                    pass
                case Compare(op, Lit() | Param() as bound, Col(name), "sql"):
                    op = MIRRORED.get(op, op)
                case _:
                    continue
            # ours <(=) theirs: a lower bound of ours is one of theirs; ours >(=) theirs: an upper one.
            strict: CompareOp = ">" if relation.startswith("<") else "<"
            if name == ours and op in ("==", strict, f"{strict}="):
                sharp = op == strict or (relation in ("<", ">") and not any(_rounded(t, bound) for t in types))
                found.append(Compare(strict if sharp else _OR_EQUAL[strict], Col(theirs), bound, "sql"))
    return list(dict.fromkeys(found))


_OR_EQUAL: dict[CompareOp, CompareOp] = {"<": "<=", ">": ">="}


def _rounded(column: Type, bound: Lit | Param) -> bool:
    """Whether two values of ``column`` may become one where Spark compares them with ``bound``: as doubles."""
    if column.name not in ("int", "decimal", "number") or (column.name == "int" and (column.bits or 64) <= 32):
        return False
    if isinstance(bound, Param):
        return True
    exact = bound.type.name == "int" or (column.name == "decimal" and bound.type.name == "decimal")
    return not exact and not (column.name == "int" and isinstance(bound.value, float) and abs(bound.value) < 2**53)


def _by_key(predicate: Expr, node: Join, inputs: Inputs) -> tuple[Down, ...]:
    """A filter on columns that the join is made on: rows meet that have equal ones, so it may enter both sides, if it
    says the same of equal values and both have them by the same type."""
    check_equality(predicate, "a join")
    type_of = inputs.type_of_column
    found = {alike(type_of(node.left, n), type_of(node.right, n)) for n in columns_of(predicate)}
    left, right = (side in _PRESENT[node.how] for side in ("left", "right"))
    both = (Down(predicate, node.left, whole=left), Down(predicate, node.right, whole=right))
    if found == {True}:
        return both if node.how != "right" else both[::-1]
    if node.how == "full":
        raise Stop("opaque", "the join may give the key of one side another type")
    return (both[1] if node.how == "right" else both[0],)


def side_of(name: str, node: Join, inputs: Inputs) -> Side | None:
    """The side that column ``name`` of the result is a column of; None if that is not known, or it may be of both."""
    if node.how in ("semi", "anti"):
        return "left"
    told = next((side for alias, side, _ in node.called if name.startswith(f"{alias}.")), None)
    if told is not None:
        return told
    if name in node.using:
        # A full join shows the key of whichever side has one, a right join that of its preserved side.
        return {"inner": "left", "left": "left", "right": "right"}.get(node.how)  # type: ignore[return-value]
    left, right = _has(node.left_columns, name), _has(node.right_columns, name)
    if False in (left, right):
        return "left" if left is not False else "right" if right is not False else None
    if left and right:
        return None
    # If the other side has such a column as well, the bare name is ambiguous, and Spark refuses the program.
    if "." in name:  # `a.f`, a field of the one side's `a`, may be a column of the frame that the other is called
        return None
    sure = [side for side, plan in (("left", node.left), ("right", node.right)) if name in inputs.surely_has(plan)]
    return sure[0] if len(sure) == 1 else None  # type: ignore[return-value]


def _has(columns: tuple[str, ...] | None, name: str) -> bool | None:
    return None if columns is None else name.lower() in {c.lower() for c in columns}


def columns(node: Join) -> Columns:
    """Those of both sides, of a semi or anti join those of the left one. A key that both have is one column."""
    sides = (node.left,) if node.how in ("semi", "anti") else (node.left, node.right)
    return Columns(dict.fromkeys(node.using, ANY), sides=sides, ends=True)


OPERATOR = Operator(Join, "join", through, columns, lambda _: LAST, stays=True)
